//! A small endpoint: Oxigraph behind plain HTTP.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oxigraph::io::RdfFormat;
use oxigraph::model::NamedNode;
use oxigraph::sparql::{QueryResults, SparqlEvaluator};
use oxigraph::store::Store;
use sparesults::{QueryResultsFormat, QueryResultsSerializer};

use super::server::{Request, Server, send};

/// An endpoint on a port of its own. It ends with the test.
pub(crate) struct SparqlServer {
    server: Server,
    store: Store,
    /// How many requests it will still answer; then nobody listens.
    left: Arc<AtomicUsize>,
}

impl SparqlServer {
    /// Serves some Turtle.
    pub(crate) fn start(turtle: &str) -> Self {
        Self::without(turtle, None)
    }

    /// Serves some Turtle, and does not know a function.
    pub(crate) fn without(turtle: &str, function: Option<&'static str>) -> Self {
        let store = Store::new().expect("a store");
        store.load_from_slice(RdfFormat::Turtle, turtle).expect("Turtle");
        let (own, left) = (store.clone(), Arc::new(AtomicUsize::new(usize::MAX)));
        let server = Server::start_until(Arc::clone(&left), move |request, stream| {
            match answer(&own, request, function) {
                Ok(body) => {
                    let length = body.len().to_string();
                    let headers = [
                        ("Content-Type", "application/sparql-results+json"),
                        ("Content-Length", length.as_str()),
                    ];
                    send(stream, "200 OK", &headers, &body);
                }
                Err(error) => {
                    send(stream, "400 Bad Request", &[("Content-Type", "text/plain")], error.as_bytes());
                }
            }
        });
        Self { server, store, left }
    }

    /// Its address.
    pub(crate) fn address(&self) -> &str {
        &self.server.base
    }

    /// How many requests it got.
    pub(crate) fn count(&self) -> usize {
        self.server.requests().len()
    }

    /// Changes the data.
    pub(crate) fn update(&self, update: &str) {
        let update = SparqlEvaluator::new().parse_update(update).expect("an update");
        update.on_store(&self.store).execute().expect("updated");
    }

    /// Is gone after some more requests.
    pub(crate) fn end_after(&self, requests: usize) {
        self.left.store(requests, Ordering::SeqCst);
    }
}

/// What comes of the query in a form, over the graphs that the form names (SPARQL 1.1 Protocol, section 2.1.4).
fn answer(store: &Store, request: &Request, unknown: Option<&str>) -> Result<Vec<u8>, String> {
    let form: Vec<_> = form_urlencoded::parse(request.body.as_bytes()).collect();
    let all =
        |wanted: &str| form.iter().filter(|(name, _)| name == wanted).map(|(_, value)| &**value).collect();
    let texts: Vec<&str> = all("query");
    let text = texts.first().ok_or("no form")?;
    if let Some(function) = unknown.filter(|function| text.contains(function)) {
        return Err(format!("{function} is not known here"));
    }
    let mut query = SparqlEvaluator::new().parse_query(text).map_err(|error| error.to_string())?;
    let graphs = |name: &str| {
        let names: Vec<&str> = all(name);
        names
            .into_iter()
            .map(NamedNode::new)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| error.to_string())
    };
    let (default, named) = (graphs("default-graph-uri")?, graphs("named-graph-uri")?);
    if !default.is_empty() || !named.is_empty() {
        query.dataset_mut().set_default_graph(default.into_iter().map(Into::into).collect());
        query.dataset_mut().set_available_named_graphs(named.into_iter().map(Into::into).collect());
    }
    let results = query.on_store(store).execute().map_err(|error| error.to_string())?;
    written(results).map_err(|error| error.to_string())
}

fn written(results: QueryResults<'_>) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let json = QueryResultsSerializer::from_format(QueryResultsFormat::Json);
    match results {
        QueryResults::Boolean(boolean) => Ok(json.serialize_boolean_to_writer(Vec::new(), boolean)?),
        QueryResults::Solutions(solutions) => {
            let mut writer =
                json.serialize_solutions_to_writer(Vec::new(), solutions.variables().to_vec())?;
            for solution in solutions {
                writer.serialize(solution?.iter())?;
            }
            Ok(writer.finish()?)
        }
        QueryResults::Graph(_) => Err("a graph".into()),
    }
}
