//! What a server counts of itself, for who runs it: in the text format of `OpenMetrics`, on an address of its own.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, LabelSetEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::serve::replies::reply;

/// The kinds of addresses that are told apart: first segments of paths. No address of a thing, and no secret, is among them.
const ROUTES: [&str; 24] = [
    "",
    "results",
    "comparisons",
    "datasets",
    "systems",
    "search",
    "evaluation",
    "comparison",
    "dataset",
    "submission",
    "file",
    "files",
    "graphs",
    "records",
    "static",
    "sparql",
    "graph-store",
    "new",
    "check",
    "compare",
    "p",
    "m",
    "api",
    "health",
];

/// Seconds that set requests apart.
const SECONDS: [f64; 9] = [0.005, 0.02, 0.1, 0.2, 0.5, 1.0, 5.0, 30.0, 60.0];

/// A route and the code of its reply.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RouteLabels {
    route: &'static str,
    code: u16,
}

impl EncodeLabelSet for RouteLabels {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> Result<(), std::fmt::Error> {
        [("route", self.route.to_owned()), ("code", self.code.to_string())].encode(encoder)
    }
}

/// A route and the code of a problem: who was too slow, too large, too often.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ProblemLabels {
    route: &'static str,
    problem: &'static str,
}

impl EncodeLabelSet for ProblemLabels {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> Result<(), std::fmt::Error> {
        [("route", self.route), ("problem", self.problem)].encode(encoder)
    }
}

/// What a part of a run is at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct StageLabels(String);

impl EncodeLabelSet for StageLabels {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> Result<(), std::fmt::Error> {
        [("stage", self.0.as_str())].encode(encoder)
    }
}

/// The numbers.
#[derive(Debug)]
pub(crate) struct ServerMetrics {
    registry: Registry,
    requests: Family<RouteLabels, Counter>,
    seconds: Histogram,
    problems: Family<ProblemLabels, Counter>,
    waiting: Gauge,
    stages: Family<StageLabels, Gauge>,
}

impl ServerMetrics {
    /// All of them at nothing.
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("qassay");
        let (requests, waiting) = (Family::<RouteLabels, Counter>::default(), Gauge::default());
        let seconds = Histogram::new(SECONDS);
        registry.register("requests", "Requests by route and code", requests.clone());
        registry.register_with_unit("request", "How long requests took", Unit::Seconds, seconds.clone());
        let (problems, stages) = (Family::default(), Family::default());
        registry.register(
            "problems",
            "Requests that were refused, or ended, by route and cause",
            problems.clone(),
        );
        registry.register("waiting_parts", "Parts of runs that wait for their turn", waiting.clone());
        registry.register("running_parts", "Parts of runs that are worked at, by stage", stages.clone());
        Self { registry, requests, seconds, problems, waiting, stages }
    }

    /// Counts a request, by its path behind that of the server.
    pub(crate) fn count(&self, path: &str, status: StatusCode, time: Duration) {
        self.requests.get_or_create(&RouteLabels { route: route(path), code: status.as_u16() }).inc();
        self.seconds.observe(time.as_secs_f64());
    }

    /// Counts a request that was refused or ended, by its path behind that of the server and what the problem is called.
    pub(crate) fn refused(&self, path: &str, problem: &'static str) {
        self.problems.get_or_create(&ProblemLabels { route: route(path), problem }).inc();
    }

    /// All of them, as they are now; `waiting`: how many parts of runs wait, `stages`: and how many are at what.
    pub(crate) fn text(&self, waiting: usize, stages: &BTreeMap<String, usize>) -> String {
        let gauge = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        self.waiting.set(gauge(waiting));
        self.stages.clear();
        for (stage, number) in stages {
            self.stages.get_or_create(&StageLabels(stage.clone())).set(gauge(*number));
        }
        let mut text = String::new();
        // Writing into memory does not fail.
        encode(&mut text, &self.registry).unwrap_or_default();
        text
    }
}

/// The kind of an address.
fn route(path: &str) -> &'static str {
    let first = path.split(['/', '.']).next().unwrap_or_default();
    ROUTES.into_iter().find(|route| *route == first).unwrap_or("other")
}

/// Tells the numbers at an address of their own, as long as the server lives; `text` gives them.
pub(crate) async fn tell<T>(address: SocketAddr, text: T) -> std::io::Result<()>
where
    T: Fn() -> String + Clone + Send + Sync + 'static,
{
    let metrics = move || {
        let text = text();
        async move { reply(StatusCode::OK, "application/openmetrics-text; version=1.0.0; charset=utf-8", text) }
    };
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, Router::new().route("/metrics", get(metrics))).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_counted() {
        let metrics = ServerMetrics::new();
        for path in
            ["p/secret/evaluation/x", "evaluation/key", "evaluation/other", "nonsense/secret", "search.json"]
        {
            metrics.count(path, StatusCode::OK, Duration::from_millis(3));
        }
        metrics.refused("sparql", "time");
        let text = metrics.text(7, &BTreeMap::from([("matching".to_owned(), 2)]));
        assert!(text.contains("qassay_problems_total{route=\"sparql\",problem=\"time\"} 1"), "{text}");
        assert!(text.contains("qassay_running_parts{stage=\"matching\"} 2"), "{text}");
        assert!(text.contains("qassay_requests_total{route=\"evaluation\",code=\"200\"} 2"), "{text}");
        assert!(text.contains("route=\"other\"") && text.contains("qassay_waiting_parts 7"), "{text}");
        assert!(!text.contains("secret") && !text.contains("key"), "{text}");
    }
}
