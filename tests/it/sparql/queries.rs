//! Every query is a file with a header; every match query is right alone, on small graphs; and whoever is asked, a store,
//! the index or a server that gets the text, gives the same rows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::remote::Remote;
use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{GraphName, Literal, NamedNode, Quad, Term};
use qassay::base::iri::Mint;
use qassay::base::query::{QUERIES, QueryFile};
use qassay::profiles::load_ontology;
use qassay::sparql::dataset::{Dataset, Solution};
use qassay::sparql::index::Index;
use qassay::sparql::named_query::NamedQuery;
use qassay::sparql::store::Store;
use qassay::sparql::timed::{QueryBounds, QueryResult, run_within};

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
        let (store, asked) = (Store::in_memory().unwrap(), NamedQuery::of(query).unwrap());
        run_within(&store, &asked, SOON).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// No query on a small graph takes longer.
const SOON: QueryBounds = QueryBounds { time: Duration::from_secs(60), rows: 1_000_000 };

/// Whether rows come of a query, and not statements.
fn gives_rows(file: &QueryFile) -> bool {
    !NamedQuery::of(file).unwrap().gives_statements()
}

fn quads(path: &Path) -> Vec<Quad> {
    let content = std::fs::read(path).unwrap();
    RdfParser::from_format(RdfFormat::TriG)
        .for_slice(&content)
        .map(|quad| quad.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .collect()
}

/// Rows as lines, sorted: the order of rows is no part of the result of a match query.
fn lines(rows: &[Solution]) -> Vec<String> {
    let cell = |cell: &Option<Term>| cell.as_ref().map_or_else(String::new, ToString::to_string);
    let mut lines: Vec<String> =
        rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("\t")).collect();
    lines.sort_unstable();
    lines
}

fn rows(dataset: &dyn Dataset, query: &NamedQuery) -> Vec<String> {
    lines(&dataset.select(query).unwrap_or_else(|error| panic!("{error}")))
}

fn store(quads: &[Quad]) -> Store {
    let store = Store::in_memory().unwrap();
    store.extend(quads.to_vec()).unwrap();
    store
}

fn index(quads: &[Quad]) -> Index {
    let mut index = Index::new();
    for quad in quads {
        let GraphName::NamedNode(graph) = &quad.graph_name else { panic!("named graphs only") };
        let table = index.table(graph.as_str(), quad.predicate.as_str());
        let subject = index.intern(Term::from(quad.subject.clone()));
        let object = index.intern(quad.object.clone());
        index.add(table, subject, object);
    }
    index.freeze();
    index
}

#[test]
fn match_queries_alone_wherever_they_run() {
    alone_wherever_they_run("match");
}

#[test]
fn group_queries_alone_wherever_they_run() {
    alone_wherever_they_run("group");
}

/// The queries about an archive, whose statements are in the default graph, too. Where one has a parameter, it is asked of all.
#[test]
fn store_queries_alone_wherever_they_run() {
    let reports =
        QueryFile::folder("report").filter(|file| root().join("tests/queries").join(file.name).is_dir());
    for file in QueryFile::folder("store").chain(reports).filter(|file| gives_rows(file)) {
        let query = NamedQuery::of(file).unwrap();
        let (mut quads, expected) = case(file.name);
        let here = quads.iter().map(|quad| Quad { graph_name: GraphName::DefaultGraph, ..quad.clone() });
        quads.extend(here.collect::<Vec<_>>());
        assert_eq!(rows(&store(&quads), &query), expected, "{} on a store", file.name);
        assert_eq!(rows(&Remote(store(&quads)), &query), expected, "{} on a server", file.name);
        assert_eq!(rows(&store(&[]), &query), Vec::<String>::new(), "{} on nothing", file.name);
    }
}

/// The statements of the graph that a request names, each once, and none of another.
#[test]
fn statements_are_those_of_the_graph_that_is_asked_for() {
    let query = NamedQuery::find("store/statements").unwrap();
    let (quads, expected) = case("store/statements");
    let statements = |quads: &[Quad], graph: &str| {
        let query = query.clone().over(vec![NamedNode::new(graph).unwrap()], Vec::new());
        let QueryResult::Statements(found) = run_within(&store(quads), &query, SOON).unwrap() else {
            panic!("no statements")
        };
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(statements(&quads, "http://e/one"), expected);
    assert_eq!(statements(&quads, "http://e/nothing"), Vec::<String>::new());
    assert_eq!(statements(&[], "http://e/one"), Vec::<String>::new());
}

/// The queries that are sent to live systems: they find what stands in the graph of one question.
#[test]
fn queries_to_live_systems_alone_wherever_they_run() {
    for file in QueryFile::folder("ask") {
        let graph = [NamedNode::new("urn:graph:1").unwrap().into()];
        let query = NamedQuery::of(file).unwrap().with("graph", &graph).unwrap();
        let (quads, expected) = case(file.name);
        assert_eq!(rows(&store(&quads), &query), expected, "{} on a store", file.name);
        assert_eq!(rows(&Remote(store(&quads)), &query), expected, "{} on a server", file.name);
        assert_eq!(rows(&store(&[]), &query), Vec::<String>::new(), "{} on nothing", file.name);
    }
}

/// The queries of what servers have of archives: they find it in the graphs that are named.
#[test]
fn queries_about_servers_alone_wherever_they_run() {
    for (file, parameter) in QueryFile::folder("remote").zip(["graph", "record", "graph"]) {
        let (quads, expected) = case(file.name);
        let graphs: BTreeSet<String> = quads.iter().map(|quad| quad.graph_name.to_string()).collect();
        let graph = |name: &String| NamedNode::new(name.trim_matches(['<', '>'])).unwrap().into();
        let graphs: Vec<Term> = graphs.iter().map(graph).collect();
        let query = NamedQuery::of(file).unwrap().with(parameter, &graphs).unwrap();
        assert_eq!(rows(&store(&quads), &query), expected, "{} on a store", file.name);
        assert_eq!(rows(&Remote(store(&quads)), &query), expected, "{} on a server", file.name);
        let other = query.with(parameter, &[NamedNode::new("http://e/other").unwrap().into()]).unwrap();
        assert_eq!(rows(&store(&quads), &other), Vec::<String>::new(), "{} of another", file.name);
    }
}

/// The data of a case, and the rows that are expected, sorted.
fn case(name: &str) -> (Vec<Quad>, Vec<String>) {
    let folder = root().join("tests/queries").join(name);
    let expected = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut expected: Vec<String> = expected.lines().map(str::to_owned).collect();
    expected.sort_unstable();
    (quads(&folder.join("case.trig")), expected)
}

fn alone_wherever_they_run(folder: &str) {
    for file in QueryFile::folder(folder) {
        let query = NamedQuery::of(file).unwrap();
        let (quads, expected) = case(file.name);
        assert_eq!(rows(&store(&quads), &query), expected, "{} on a store", file.name);
        assert_eq!(rows(&index(&quads), &query), expected, "{} on the index", file.name);
        assert_eq!(rows(&Remote(store(&quads)), &query), expected, "{} on a server", file.name);
        assert_eq!(rows(&index(&[]), &query), Vec::<String>::new(), "{} on nothing", file.name);
    }
}

/// The archive of the example, with the ontology, twice: what `qassay query` and `verify` ask.
fn example() -> [Store; 2] {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fetched = ["fetch", "qassay-example", "qassay-example-aurora", "qassay-example-borealis"];
    crate::common::qassay(folder, fetched).ok();
    let words = "evaluate qassay-example qassay-example-aurora qassay-example-borealis --profile qassay,gerbil --groups";
    crate::common::qassay(folder, words.split(' ')).ok();
    [(); 2].map(|()| {
        let store = Store::in_memory().unwrap();
        load_ontology(&store, &Mint::default().ontology_graph()).unwrap();
        for ending in ["nq", "zst"] {
            for path in files(folder, ending) {
                store.load_nquads(crate::common::kept_bytes(&folder.join(path)).as_slice(), true).unwrap();
            }
        }
        store
    })
}

#[test]
fn a_server_that_gets_the_text_gives_the_rows_of_the_store() {
    let [here, there] = example();
    let there = Remote(there);
    let (mut found, mut different) = (0, Vec::new());
    for file in QUERIES.iter().filter(|file| gives_rows(file)) {
        let query = NamedQuery::of(file).unwrap();
        let rows = rows(&here, &query);
        found += usize::from(!rows.is_empty());
        different.extend((self::rows(&there, &query) != rows).then_some(file.name));
    }
    assert_eq!(different, Vec::<&str>::new());
    // The canned queries, the groups and the literals.
    assert!(found >= 20, "only {found} queries find something");
}

#[test]
fn parameters_are_terms_wherever_they_are_bound() {
    let turtle = r#"@prefix e: <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        e:a owl:sameAs e:b ; a e:C ; rdfs:label "A"@en, "\" } #"@de ; skos:prefLabel "A"@en ; skos:altLabel "A"@en .
        e:z owl:sameAs e:a ; rdfs:label "\" } #" ; skos:prefLabel "\" } #" ; skos:altLabel "\" } #" .
        e:C rdfs:subClassOf e:D . e:a <http://dbpedia.org/ontology/wikiPageRedirects> e:z ."#;
    let [here, there] = [(); 2].map(|()| {
        let store = Store::in_memory().unwrap();
        store.load_turtle(turtle, "http://e/graph").unwrap();
        store
    });
    let there = Remote(there);
    let iri = |name: &str| Term::from(NamedNode::new_unchecked(format!("http://e/{name}")));
    let text = |text: &str| Term::from(Literal::new_simple_literal(text));
    let resources = [iri("a"), iri("C"), text("\" } #"), iri("nobody")];
    for file in QueryFile::folder("kb") {
        let query = NamedQuery::of(file).unwrap().with("resource", &resources).unwrap();
        let query = query.with("language", &[text("de"), text("en")]).unwrap_or(query);
        let rows = rows(&here, &query);
        assert!(!rows.is_empty(), "{}", file.name);
        assert_eq!(self::rows(&there, &query), rows, "{}", file.name);
        let none = query.with("resource", &[iri("nobody")]).unwrap();
        assert_eq!(self::rows(&there, &none), Vec::<String>::new(), "{}", file.name);
    }
}

#[test]
fn every_form_is_answered_and_every_failure_says_of_which_query() {
    let quads = quads(&root().join("tests/queries/match/identical/case.trig"));
    let stores: [&dyn Dataset; 3] = [&store(&quads), &index(&quads), &Remote(store(&quads))];
    let query = |text: &str| NamedQuery::written("mine.rq", text).unwrap();
    let construct = query("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }");
    let all = stores[0].construct(&construct).unwrap();
    assert!(!all.is_empty());
    for dataset in stores {
        assert_eq!(dataset.construct(&construct).unwrap(), all);
        assert!(dataset.ask(&query("ASK { GRAPH ?g { ?s ?p ?o } }")).unwrap());
        assert!(!dataset.ask(&query("ASK { GRAPH ?g { ?s ?p ?s } }")).unwrap());
        let wrong = dataset.select(&query("ASK {}")).unwrap_err().to_string();
        assert_eq!(wrong, "mine.rq: the query is no SELECT query.");
        let service = query("SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }");
        let wrong = dataset.select(&service).unwrap_err().to_string();
        assert!(wrong.starts_with("mine.rq: the query cannot be evaluated: "), "{wrong}");
    }
}
