//! Every constraint holds on a good evaluation and finds its own violation in a bad one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{GraphName, NamedNode};
use qassay::base::iri::Mint;
use qassay::base::query::QueryFile;
use qassay::profiles::load_ontology;
use qassay::record::verify::constraints::rows;
use qassay::sources::input::term;
use qassay::sparql::dataset::Dataset;
use qassay::sparql::layers::Layer;
use qassay::sparql::named_query::NamedQuery;
use qassay::sparql::store::Store;

use crate::common::qassay;

fn cases() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/queries/check")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn violations(dataset: &dyn Dataset, query: &QueryFile) -> BTreeSet<String> {
    let rows = dataset.select(&NamedQuery::of(query).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    let first = |row: Vec<Option<oxigraph::model::Term>>| {
        let violation = row.into_iter().next().flatten();
        violation
            .map_or_else(|| panic!("{}: an unbound violation", query.name), |v| term::text(&v).into_owned())
    };
    rows.into_iter().map(first).collect()
}

fn loaded(texts: &[&str]) -> Store {
    let store = Store::in_memory().unwrap();
    for text in texts {
        store.load_turtle(text, &Mint::default().ontology_graph()).unwrap();
    }
    store
}

/// The rows of a constraint where layers, one above the other, have the statements.
fn violations_in_layers(texts: &[&str], query: &QueryFile) -> BTreeSet<String> {
    let mut below = None;
    for text in texts {
        let mut layer = Layer::above(below);
        for quad in RdfParser::from_format(RdfFormat::TriG).for_slice(text) {
            let mut quad = quad.unwrap();
            if quad.graph_name == GraphName::DefaultGraph {
                quad.graph_name = NamedNode::new(Mint::default().ontology_graph()).unwrap().into();
            }
            layer.add(quad, true);
        }
        layer.freeze();
        below = Some(Arc::new(layer));
    }
    let layer = below.unwrap();
    let all = violations(&*layer, query);
    // What `verify` does not look at has nothing to find.
    let seen = rows(&layer, &NamedQuery::of(query).unwrap()).unwrap();
    assert_eq!(seen.len(), layer.select(&NamedQuery::of(query).unwrap()).unwrap().len(), "{}", query.name);
    all
}

#[test]
fn the_good_evaluation_violates_nothing() {
    let good = read(&cases().join("good.trig"));
    let store = loaded(&[&good]);
    load_ontology(&store, &Mint::default().ontology_graph()).unwrap();
    for query in QueryFile::folder("check") {
        assert_eq!(violations(&store, query), BTreeSet::new(), "{}", query.name);
    }
}

/// Constraints about cubes that we do not write have good cases of their own.
#[test]
fn good_cases_of_their_own() {
    let mut seen = 0;
    for query in QueryFile::folder("check") {
        let good = cases().join(query.name.trim_start_matches("check/")).join("good.trig");
        if good.exists() {
            assert_eq!(violations(&loaded(&[&read(&good)]), query), BTreeSet::new(), "{}", query.name);
            seen += 1;
        }
    }
    assert!(seen >= 6, "the good cases of ic-14, 15, 16, 17, 20 and 21 are there");
}

#[test]
fn every_constraint_finds_its_violation() {
    for query in QueryFile::folder("check") {
        let folder = cases().join(query.name.trim_start_matches("check/"));
        let store = loaded(&[&read(&folder.join("bad.trig"))]);
        let expected: BTreeSet<String> =
            read(&folder.join("expected.txt")).lines().map(str::to_owned).collect();
        assert!(!expected.is_empty(), "{}: a case without a violation tests nothing", query.name);
        assert_eq!(violations(&store, query), expected, "{}", query.name);
        // Twice: what a layer has, too, is there once.
        let text = read(&folder.join("bad.trig"));
        assert_eq!(violations_in_layers(&[&text, &text], query), expected, "{} in layers", query.name);
    }
}

#[test]
fn all_21_constraints_of_the_data_cube_are_there() {
    let names: BTreeSet<&str> = QueryFile::folder("check").map(|query| query.name).collect();
    for number in 1..=21 {
        let name = format!("check/ic-{number:02}");
        assert!(names.contains(name.as_str()), "{name}");
    }
}

#[test]
fn what_queries_say_is_not_ours_to_judge() {
    let folder = tempfile::tempdir().unwrap();
    let answers = serde_json::json!([{ "head": { "vars": ["x"] }, "results": { "bindings": [{ "x": { "type": "uri", "value": "http://e/a" } }] } }]);
    // As a query of the training questions of QALD-1 about MusicBrainz does: a date that is no time. An archive of it verifies, and unites
    // with others.
    let query = "SELECT ?x { ?x <http://e/p> \"1960-12-29\"^^<http://www.w3.org/2001/XMLSchema#dateTime> }";
    let question = serde_json::json!({ "id": "1", "question": [{ "language": "en", "string": "?" }], "query": { "sparql": query }, "answers": answers });
    let file = serde_json::json!({ "questions": [question] }).to_string();
    std::fs::write(folder.path().join("gold.json"), &file).unwrap();
    std::fs::write(folder.path().join("other.json"), &file).unwrap();
    qassay(folder.path(), ["evaluate", "gold.json", "other.json", "--archive", "kept"]).ok();
    qassay(folder.path(), ["verify", "--archive", "kept"]).ok();
    qassay(folder.path(), ["merge", "kept", "--archive", "united"]).ok();
}
