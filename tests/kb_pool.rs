//! Queries that never end, fill the memory, have millions of rows or call others are stopped at their limit and
//! recorded as such, and the next query is answered: worker processes of the real program.

#[expect(dead_code, reason = "not every test needs every helper")]
mod common;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oxigraph::io::RdfFormat;
use qassay::kb::{Asker, Cause, Dump, Limits, Outcome, Pool, ask_all};

fn dump(path: &Path) -> Dump {
    Dump::recognise(path, &path.display().to_string()).expect("a dump").0
}

fn pool(dumps: Vec<Dump>, limits: Limits, jobs: usize) -> Pool {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_qassay"));
    Pool::new(program, dumps, limits, NonZeroUsize::new(jobs).expect("jobs"))
}

fn short() -> Limits {
    Limits { time: Duration::from_secs(1), rows: 1_000, memory: 256 << 20 }
}

/// A ring of nodes with two ways around, and numbers.
fn ring(folder: &Path, nodes: usize) -> Dump {
    let node = |number: usize| {
        let next = (number + 1) % nodes;
        let jump = (number * 7 + 3) % nodes;
        format!("<urn:n{number}> <urn:p> <urn:n{next}>, <urn:n{jump}> ; <urn:v> {number} .\n")
    };
    let path = folder.join("ring.ttl");
    fs::write(&path, (0..nodes).map(node).collect::<String>()).expect("a file");
    dump(&path)
}

#[expect(clippy::disallowed_methods, reason = "the time of a query is measured, not published")]
fn now() -> Instant {
    Instant::now()
}

const COUNT: &str = "SELECT (COUNT(*) AS ?n) { ?a <urn:v> ?b }";

fn text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Failed(failure) => format!("{}: {}", failure.cause.name(), failure.message),
        Outcome::Answered(answers) => {
            let row = |row: &qassay::read::Row| {
                let cells = row.cells.iter().map(|cell| format!("{}={}", cell.variable, cell.value));
                cells.collect::<Vec<_>>().join(" ")
            };
            let rows = answers.rows.iter().map(row).collect::<Vec<_>>().join(" | ");
            answers.boolean.map_or(rows, |boolean| boolean.to_string())
        }
    }
}

#[test]
fn nasty_queries_are_stopped_and_the_next_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let pool = pool(vec![ring(folder.path(), 2_000)], short(), 1);
    let numbers: Vec<String> = (0..60).map(|number: usize| number.to_string()).collect();
    let values = format!("{{ {} }}", numbers.join(" "));
    let product: Vec<String> = (0..6).map(|n| format!("VALUES ?v{n} {values}")).collect();
    let product = product.join(" ");
    let binds: Vec<String> = (0..40).map(|n| format!("BIND(CONCAT(?s{n}, ?s{n}) AS ?s{})", n + 1)).collect();
    let binds = binds.join(" ");
    let nasty: [(&str, String, &[Cause]); 12] = [
        (
            "path",
            "SELECT (COUNT(*) AS ?n) { ?a (<urn:p>|^<urn:p>)* ?b . ?b <urn:p>+ ?c }".to_owned(),
            &[Cause::TimedOut, Cause::OutOfMemory],
        ),
        (
            "product",
            "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }".to_owned(),
            &[Cause::TimedOut],
        ),
        (
            "values",
            format!("SELECT (COUNT(*) AS ?n) {{ {product} }}"),
            &[Cause::TimedOut, Cause::OutOfMemory],
        ),
        (
            "doubling",
            format!("SELECT (STRLEN(?s40) AS ?n) {{ BIND(\"xxxxxxxx\" AS ?s0) {binds} }}"),
            &[Cause::OutOfMemory],
        ),
        (
            "concat",
            "SELECT (GROUP_CONCAT(CONCAT(STR(?a), STR(?f))) AS ?n) { ?a ?b ?c . ?d ?e ?f }".to_owned(),
            &[Cause::TimedOut, Cause::OutOfMemory],
        ),
        ("rows", "SELECT * { ?a ?b ?c . ?d ?e ?f }".to_owned(), &[Cause::TooManyRows]),
        (
            "distinct",
            "SELECT DISTINCT ?a ?d { ?a ?b ?c . ?d ?e ?f } ORDER BY ?a".to_owned(),
            &[Cause::TimedOut, Cause::OutOfMemory],
        ),
        (
            "service",
            "SELECT * { SERVICE SILENT <http://dbpedia.org/sparql> { ?a ?b ?c } }".to_owned(),
            &[Cause::Refused],
        ),
        ("from", "SELECT * FROM <http://dbpedia.org> { ?a ?b ?c }".to_owned(), &[Cause::Refused]),
        ("construct", "CONSTRUCT WHERE { ?a ?b ?c }".to_owned(), &[Cause::Refused]),
        (
            "deep",
            format!("SELECT * {{ {}{} }}", "{".repeat(50_000), "}".repeat(50_000)),
            &[Cause::Unparsable],
        ),
        ("function", "SELECT (<bif:year>(?b) AS ?y) { ?a <urn:v> ?b }".to_owned(), &[Cause::Failed]),
    ];
    for (name, query, causes) in nasty {
        let before = now();
        let outcome = pool.ask(&query).expect("an outcome");
        let time = before.elapsed();
        let Outcome::Failed(failure) = &outcome else { panic!("{name}: {}", text(&outcome)) };
        assert!(causes.contains(&failure.cause), "{name}: {failure:?}");
        assert!(time < Duration::from_secs(6), "{name}: {time:?}");
        assert_eq!(text(&pool.ask(COUNT).expect("an outcome")), "n=2000", "after {name}");
    }
}

#[test]
fn ck25_and_bestiary_are_loaded_whole() {
    let Some(mirror) = common::mirror() else { return };
    let ck25 = mirror.join("AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs/data");
    let bestiary =
        mirror.join("danrd/sparqlgen/1efd5bec491779a48ac46d4a75075106c565c10a/beastiary_kg.rdf.zip");
    let count = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c }";
    for (files, expected, format) in [
        (vec![ck25.join("prod-inst.ttl"), ck25.join("prod-vocab.ttl")], "n=26903", RdfFormat::Turtle),
        (vec![bestiary], "n=98070", RdfFormat::RdfXml),
    ] {
        let dumps: Vec<Dump> = files.iter().map(|path| dump(path)).collect();
        assert!(dumps.iter().all(|dump| dump.format == format));
        let pool = pool(dumps, Limits::default(), 2);
        assert_eq!(text(&pool.ask(count).expect("an outcome")), expected);
        let queries = vec![count.to_owned(); 20];
        let jobs = NonZeroUsize::new(2).expect("jobs");
        let all = ask_all(&pool, &queries, jobs, &|_| {}).expect("outcomes");
        assert!(all.iter().all(|outcome| text(outcome) == expected));
    }
}
