//! Every query is a file with a header; every match query is right alone, on small graphs, on both backends.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{Quad, Term};
use qassay::base::query::{QUERIES, QueryFile};
use qassay::base::rdf::index::Index;
use qassay::base::rdf::store::{Row, Store};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder with this ending, as paths relative to the folder.
fn files(folder: &Path, ending: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(here) = pending.pop() {
        for entry in std::fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                found.insert(path.strip_prefix(folder).unwrap().display().to_string());
            }
        }
    }
    found
}

#[test]
fn no_query_is_forgotten() {
    let in_table: BTreeSet<String> = QUERIES.iter().map(|query| format!("{}.rq", query.name)).collect();
    assert_eq!(in_table, files(&root().join("queries"), "rq"));
}

#[test]
fn every_query_has_a_header_and_parses() {
    for query in QUERIES {
        let header: Vec<&str> = query.header().collect();
        assert!(!query.title().is_empty(), "{}: no title", query.name);
        for field in ["What it counts:", "When there is nothing:", "Parameters:", "Reads:", "Reference:"] {
            assert!(header.iter().any(|line| line.starts_with(field)), "{}: no `{field}`", query.name);
        }
        let store = Store::in_memory().unwrap();
        store.select(query, &[]).unwrap_or_else(|error| panic!("{}: {error}", query.name));
    }
}

fn quads(path: &Path) -> Vec<Quad> {
    let content = std::fs::read(path).unwrap();
    RdfParser::from_format(RdfFormat::TriG)
        .for_slice(&content)
        .map(|quad| quad.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .collect()
}

/// Rows as lines, sorted: the order of rows is no part of the result of a match query.
fn lines(rows: &[Row]) -> Vec<String> {
    let cell = |cell: &Option<Term>| cell.as_ref().map_or_else(String::new, ToString::to_string);
    let mut lines: Vec<String> =
        rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("\t")).collect();
    lines.sort_unstable();
    lines
}

fn on_store(query: &QueryFile, quads: &[Quad]) -> Vec<String> {
    let store = Store::in_memory().unwrap();
    store.extend(quads.to_vec()).unwrap();
    lines(&store.select(query, &[]).unwrap().rows)
}

fn on_index(query: &QueryFile, quads: &[Quad]) -> Vec<String> {
    let mut index = Index::new();
    for quad in quads {
        let oxigraph::model::GraphName::NamedNode(graph) = &quad.graph_name else {
            panic!("named graphs only")
        };
        let table = index.table(graph.as_str(), quad.predicate.as_str());
        let subject = index.intern(Term::from(quad.subject.clone()));
        let object = index.intern(quad.object.clone());
        index.add(table, subject, object);
    }
    index.freeze();
    let mut rows = Vec::new();
    let push = |row| {
        rows.push(row);
        Ok(())
    };
    index.select(query, push).unwrap();
    lines(&rows)
}

#[test]
fn match_queries_alone_on_both_backends() {
    alone_on_both_backends("match");
}

#[test]
fn group_queries_alone_on_both_backends() {
    alone_on_both_backends("group");
}

fn alone_on_both_backends(folder: &str) {
    for query in QueryFile::folder(folder) {
        let folder = root().join("tests/queries").join(query.name);
        let quads = quads(&folder.join("case.trig"));
        let expected = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
        let mut expected: Vec<String> = expected.lines().map(str::to_owned).collect();
        expected.sort_unstable();
        assert_eq!(on_store(query, &quads), expected, "{} on a store", query.name);
        assert_eq!(on_index(query, &quads), expected, "{} on the index", query.name);
        assert_eq!(on_index(query, &[]), Vec::<String>::new(), "{} on nothing", query.name);
    }
}
