//! The definitions of measures and profiles, shown from the ontology and from nowhere else.

use oxigraph::model::Term;

use crate::base::vocab::{code, dqv, qassay, skos};
use crate::measures::metric::Metric;
use crate::profiles::Profile;
use crate::profiles::loaders::Loader;
use crate::profiles::ontology;
use crate::profiles::ontology::Facts;
use crate::profiles::rules::EXPERIMENTS;
use crate::report::table::{Column, Table};

const DCT_SOURCE: &str = "http://purl.org/dc/terms/source";
const SKOS_DEFINITION: &str = "http://www.w3.org/2004/02/skos/core#definition";
const IN_SCHEME: &str = "http://www.w3.org/2004/02/skos/core#inScheme";

/// Every metric with formula, empty cases, averaging and source: those of evaluations, then those of asking.
pub fn measures() -> Table {
    let mut table = Table { title: "Measures".to_owned(), ..Table::default() };
    table.columns = [
        "measure",
        "name",
        "definition",
        "formula",
        "empty cases",
        "averaging",
        "range",
        "direction",
        "source",
    ]
    .map(|heading| Column::text(heading, &heading.replace(' ', "_")))
    .to_vec();
    table.rows = metrics(ontology::terms(), "metric");
    table.rows.extend(metrics(ontology::systems(), "askingMetric"));
    table
}

/// The metrics of a scheme, a row each, in their order.
fn metrics(facts: &Facts, scheme: &str) -> Vec<Vec<String>> {
    let mut metrics: Vec<&str> = facts
        .subjects()
        .filter(|subject| facts.is_a(subject, dqv::METRIC) && in_scheme(facts, subject, scheme))
        .collect();
    metrics.sort_by_key(|metric| order(facts, metric));
    let row = |metric: &str| {
        let own = |local: &str| facts.text(metric, &format!("{}{local}", qassay::NAMESPACE)).unwrap_or("-");
        [
            facts.text(metric, skos::NOTATION).unwrap_or("-"),
            facts.text(metric, skos::PREF_LABEL).unwrap_or("-"),
            facts.text(metric, SKOS_DEFINITION).unwrap_or("-"),
            own("formula"),
            own("emptyCases"),
            own("averaging"),
            own("range"),
            &direction(facts, metric),
            facts.text(metric, DCT_SOURCE).unwrap_or("-"),
        ]
        .map(str::to_owned)
        .to_vec()
    };
    metrics.into_iter().map(row).collect()
}

/// What a metric means, in words from the ontology; empty where it says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// The name for scripts.
    pub(crate) notation: String,
    /// The name for people.
    pub(crate) name: String,
    pub(crate) definition: String,
    pub(crate) formula: String,
    pub(crate) range: String,
    /// Whether higher or lower values are better.
    pub(crate) direction: String,
    pub(crate) source: String,
}

impl Meaning {
    /// What a metric means; nothing where the ontology does not have it.
    pub(crate) fn of(metric: Metric) -> Option<Self> {
        let facts = ontology::terms();
        let concept = code::iri(&metric.concept());
        let text = |property: &str| facts.text(&concept, property).unwrap_or_default().to_owned();
        let own = |local: &str| text(&format!("{}{local}", qassay::NAMESPACE));
        in_scheme(facts, &concept, "metric").then(|| Self {
            notation: metric.to_string(),
            name: text(skos::PREF_LABEL),
            definition: text(SKOS_DEFINITION),
            formula: own("formula"),
            range: own("range"),
            direction: direction(facts, &concept),
            source: text(DCT_SOURCE),
        })
    }
}

/// Whether higher or lower values of a metric are better, in words; empty where neither is.
fn direction(facts: &Facts, metric: &str) -> String {
    let direction = facts.codes(metric, &format!("{}direction", qassay::NAMESPACE)).next();
    direction.map_or_else(String::new, |code| code.replace('-', " "))
}

/// Every experiment type with what it compares.
pub fn experiments() -> Table {
    let facts = ontology::terms();
    let mut table = Table { title: "Experiment types".to_owned(), ..Table::default() };
    table.columns =
        ["experiment", "name", "definition", "source"].map(|heading| Column::text(heading, heading)).to_vec();
    for name in EXPERIMENTS {
        let concept = code::iri(name);
        let own = |property: &str| facts.text(&concept, property).unwrap_or("-").to_owned();
        table.rows.push(vec![name.to_owned(), own(skos::PREF_LABEL), own(SKOS_DEFINITION), own(DCT_SOURCE)]);
    }
    table
}

fn in_scheme(facts: &Facts, subject: &str, scheme: &str) -> bool {
    let scheme = code::iri(scheme);
    facts.all(subject, IN_SCHEME).any(|term| matches!(term, Term::NamedNode(node) if node.as_str() == scheme))
}

fn order(facts: &Facts, metric: &str) -> u32 {
    let order = facts.text(metric, &format!("{}order", qassay::NAMESPACE));
    order.and_then(|order| order.parse().ok()).unwrap_or(u32::MAX)
}

/// Profiles with what they do and where their rules come from.
pub fn profiles(all: &[Profile]) -> Table {
    let mut table = Table { title: "Profiles".to_owned(), ..Table::default() };
    table.columns = [
        "profile",
        "version",
        "name",
        "definition",
        "experiments",
        "match rules",
        "normalisations",
        "measures",
        "loaders",
        "source",
    ]
    .map(|heading| Column::text(heading, &heading.replace(' ', "_")))
    .to_vec();
    for profile in all {
        let mut rules: Vec<String> = Vec::new();
        let mut metrics: Vec<String> = Vec::new();
        for experiment in &profile.experiments {
            let steps = experiment.steps.iter().map(|step| step.rule.trim_start_matches("match-").to_owned());
            rules.extend(steps);
            metrics.extend(experiment.metrics.iter().map(Metric::to_string));
        }
        let (rules, metrics) = (each_once(rules), each_once(metrics));
        let experiments: Vec<&str> = profile.experiments.iter().map(|rules| rules.name.as_str()).collect();
        let normalisations: Vec<String> =
            profile.normalisations.iter().map(|n| n.trim_start_matches("norm-").to_owned()).collect();
        let listed = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        table.rows.push(vec![
            profile.name.clone(),
            profile.version.clone(),
            profile.label.clone(),
            profile.definition.clone(),
            experiments.join(", "),
            listed(&rules),
            listed(&normalisations),
            metrics.join(", "),
            profile.loader_names().collect::<Vec<_>>().join(", "),
            profile.source.clone(),
        ]);
    }
    table
}

/// The loaders, by name, with their definitions.
pub fn loaders() -> Vec<(&'static str, &'static str)> {
    let definition =
        |name| ontology::terms().text(&code::iri(&format!("loader-{name}")), SKOS_DEFINITION).unwrap_or("-");
    Loader::ALL.into_iter().map(|loader| (loader.name(), definition(loader.name()))).collect()
}

fn each_once(names: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}
