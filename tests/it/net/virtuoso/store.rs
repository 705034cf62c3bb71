//! Archives on a real server, which has the limits that public ones have: it finds what the embedded store finds.

use std::path::Path;

use crate::common::{Ran, plain, program, qassay};
use tempfile::TempDir;

use super::server::Virtuoso;
use crate::archive::comparisons::{self, kept};
use crate::archive::verify::{FORGED, archive, edit, forge, graph};
use crate::publish::record::{WHO, example, publish};
use crate::serve::served::Served as Platform;
use qassay::base::query::QueryFile;
use qassay::base::watch::Silent;
use qassay::kb::ask::Limits;
use qassay::kb::remote::{RemoteStore, StoreAddress};
use qassay::record::archived::sent;
use qassay::record::verify::elsewhere::HERE;
use qassay::sparql::dataset::{Dataset as _, Solution};
use qassay::sparql::named_query::NamedQuery;
use qassay::sparql::store::Store;

/// Virtuoso, and a folder with an archive of the example.
struct Served {
    virtuoso: Virtuoso,
    folder: TempDir,
}

impl Served {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fetched = ["fetch", "qassay-example", "qassay-example-aurora", "qassay-example-borealis"];
        qassay(folder.path(), fetched).ok();
        let words = "evaluate qassay-example qassay-example-aurora qassay-example-borealis --profile qassay,gerbil --groups";
        qassay(folder.path(), words.split(' ')).ok();
        Self { virtuoso: Virtuoso::start(folder.path()), folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program, which asks Virtuoso.
    fn there(&self, words: &[&str]) -> Ran {
        let [queries, graphs] = ["sparql", "sparql-graph-crud-auth"].map(|path| self.virtuoso.url(path));
        let mut command = program(self.path());
        command.args(words).args(["--store", &queries, "--store-graphs", &graphs]);
        command.env("QASSAY_ENDPOINT_USER", "dba").env("QASSAY_ENDPOINT_PASSWORD", "dba");
        Ran::of(command.env("NO_PROXY", "127.0.0.1"))
    }

    /// What a query finds, here and there.
    fn both(&self, query: &str) -> [String; 2] {
        let words = ["query", query, "--format", "csv"];
        let [here, there] = [qassay(self.path(), words), self.there(&words)];
        assert!(there.code == Some(0), "{query}: {}", there.stderr);
        [here.ok(), there.stdout]
    }

    /// The file of a query.
    fn written(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path().join(name), text).unwrap();
        name.to_owned()
    }
}

#[test]
#[cfg_attr(not(virtuoso), ignore = "no virtuoso-t (apt-get install virtuoso-opensource)")]
fn a_server_matches_as_it_is_done_here() {
    let served = Served::new();
    let evaluate = [
        "evaluate",
        "qassay-example",
        "qassay-example-aurora",
        "qassay-example-borealis",
        "--format",
        "json",
    ];
    let words =
        [&evaluate[..], &["--no-archive", "--profile", "qassay,gerbil,qald,nliwod,row-major"]].concat();
    assert_eq!(served.there(&words).ok(), qassay(served.path(), &words).ok());
    // And by a matrix, whose evaluations have the same digests.
    let [gold, aurora] = ["gold.json", "aurora.json"]
        .map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name));
    let text = format!(
        "datasets:\n  - gold: {}\n    systems: [{}]\nprofiles: [qassay, gerbil]\n",
        gold.display(),
        aurora.display()
    );
    std::fs::write(served.path().join("matrix.yaml"), text).unwrap();
    let matrix = ["matrix", "matrix.yaml", "--format", "json", "--archive"];
    let [here, there] = ["matrix-here", "matrix-there"].map(|archive| [&matrix[..], &[archive]].concat());
    assert_eq!(served.there(&there).ok(), qassay(served.path(), &here).ok());
    let digests = |archive| {
        let rows =
            qassay(served.path(), ["query", "executions", "--format", "csv", "--archive", archive]).ok();
        let mut digests: Vec<String> =
            rows.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().to_owned()).collect();
        digests.sort_unstable();
        digests
    };
    assert!(digests("matrix-here").len() == 2 && digests("matrix-here") == digests("matrix-there"));
    // Nothing of it stays there.
    let lent =
        "SPARQL SELECT COUNT(*) { GRAPH ?g { ?s ?p ?o } FILTER(STRSTARTS(STR(?g), 'urn:qassay:lent')) };\n";
    assert!(served.virtuoso.sql(lent).lines().any(|line| line.trim() == "0"));
}

/// Lines in an order of their own, where the query has none.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
#[cfg_attr(not(virtuoso), ignore = "no virtuoso-t (apt-get install virtuoso-opensource)")]
fn a_server_finds_what_the_embedded_store_finds() {
    let served = Served::new();
    let canned = QueryFile::folder("report").chain(QueryFile::folder("group"));
    for file in canned {
        let [here, there] = served.both(file.called());
        let is_ordered = file.text.contains("ORDER BY");
        assert!(
            here == there || !is_ordered && sorted(&here) == sorted(&there),
            "{}\n{here}\n{there}",
            file.name
        );
    }
    // Every literal and every graph; more rows than the server gives; what it calculates in its own way.
    for (name, text) in [
        (
            "literals",
            "SELECT DISTINCT ?o (DATATYPE(?o) AS ?d) { ?s ?p ?o FILTER(ISLITERAL(?o)) } ORDER BY STR(?o) ?d LANG(?o)",
        ),
        (
            "graphs",
            "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } FILTER(!CONTAINS(STR(?g), \"/ns/\")) } GROUP BY ?g ORDER BY ?g",
        ),
        // Names of graphs that are others there: compared, joined, given, and looked for within EXISTS.
        (
            "compared",
            "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } FILTER(STRENDS(STR(?g), \"/graph/catalog\") || CONTAINS(STR(?g), \"/scores/\")) } GROUP BY ?g ORDER BY ?g",
        ),
        (
            "joined",
            "SELECT DISTINCT ?g ?p ?x { GRAPH ?g { ?e a qassay:Evaluation } { ?g ?p ?x } UNION { ?x ?p ?g } } ORDER BY ?g ?p ?x",
        ),
        (
            "given",
            "SELECT ?t (COUNT(*) AS ?n) { VALUES ?g { <https://w3id.org/qassay/graph/catalog> <http://e/none> } GRAPH ?g { ?s a ?t } } GROUP BY ?t ORDER BY ?t",
        ),
        (
            "there",
            "SELECT DISTINCT ?s { ?s a qassay:Submission FILTER EXISTS { GRAPH ?g { ?s dct:title ?t } FILTER(STRENDS(STR(?g), \"/graph/catalog\")) } } ORDER BY ?s",
        ),
        // What is no text, and what has no value: an error, of which neither it nor its contrary holds.
        (
            "texts",
            "SELECT ?s ?p ?o { ?s a qassay:Evaluation ; ?p ?o FILTER(CONTAINS(?o, \"sha256\")) } ORDER BY ?s ?p ?o",
        ),
        (
            "unlike",
            "SELECT ?s ?p ?o { ?s a qassay:Evaluation ; ?p ?o FILTER(?o != \"QA\") } ORDER BY ?s ?p STR(?o)",
        ),
        (
            "unknown",
            "SELECT ?s ?r { ?s a qassay:Evaluation OPTIONAL { ?s qassay:goldOrigin ?o . ?o qassay:system ?r } FILTER(!ISIRI(?r) || ISIRI(?s)) } ORDER BY ?s",
        ),
        // What is compared by value within GRAPH is looked for here.
        (
            "within",
            "SELECT ?e (COUNT(*) AS ?n) { GRAPH ?g { ?o qassay:evaluation ?e ; qassay:f1 ?f FILTER(?f > 0.5) } } GROUP BY ?e ORDER BY ?e",
        ),
        ("many", "SELECT ?s ?p ?o { ?s qassay:metric ?m ; ?p ?o } ORDER BY ?s ?p ?o"),
        (
            "calculated",
            "SELECT ?e (AVG(?f) AS ?mean) (GROUP_CONCAT(?f) AS ?all) { { SELECT * { ?o qassay:f1 ?f ; qassay:evaluation ?e } ORDER BY ?o } } GROUP BY ?e ORDER BY ?mean ?e",
        ),
    ] {
        let [here, there] = served.both(&served.written(&format!("{name}.rq"), text));
        assert_eq!(here, there, "{name}");
        assert!(here.lines().count() > 2, "{name}");
    }
    // Of nothing, the columns.
    for text in [
        "SELECT ?s ?r { ?s qassay:nothing ?r }",
        "SELECT ?s ?r { ?s a qassay:Evaluation OPTIONAL { ?s qassay:nothing ?r } FILTER(!ISIRI(?r)) }",
    ] {
        let [here, there] = served.both(&served.written("nothing.rq", text));
        assert_eq!((here.lines().count(), here), (1, there), "{text}");
    }
    let within = served.there(&["query", "within.rq"]);
    assert!(within.stderr.contains("note: looked for here, not on the server: "), "{}", within.stderr);
    for text in
        ["ASK { ?s a qassay:Evaluation }", "CONSTRUCT { ?s ?p ?o } WHERE { ?s a qassay:Evaluation ; ?p ?o }"]
    {
        let query = served.written("form.rq", text);
        assert_eq!(served.there(&["query", &query]).ok(), qassay(served.path(), ["query", &query]).ok());
    }
}

/// What is found by `verify`, here and there, without what is said of the server; and that.
fn verified(served: &Served, words: &[&str]) -> (String, String) {
    let words = [&["verify"], words].concat();
    let [here, there] = [qassay(served.path(), &words), served.there(&words)];
    let is_told = |line: &&str| line.contains("looked for here");
    let said = |line: &&str| !is_told(line) && !line.is_empty();
    let [found, expected] = [&there, &here].map(|ran| ran.stdout.lines().filter(said).collect::<Vec<_>>());
    assert_eq!((found, there.code), (expected, here.code), "{}", there.stderr);
    let told: Vec<&str> = there.stdout.lines().filter(is_told).collect();
    (here.stdout, told.join("\n"))
}

#[test]
#[cfg_attr(not(virtuoso), ignore = "no virtuoso-t (apt-get install virtuoso-opensource)")]
fn a_server_finds_what_breaks_constraints() {
    let mut served = Served::new();
    let (found, told) = verified(&served, &["--no-reexecution"]);
    assert!(found.starts_with("verified ") && told.lines().count() == 1, "{found}{told}");
    assert!(told.contains("/sparql answered 3"), "{told}");
    // A number that is another, and a match of something else, with all checksums that depend on them: the server finds it.
    served.folder = archive();
    let (kind, from, to) = FORGED;
    forge(&served.folder, kind, from, to);
    let graphs = "> <https://w3id.org/qassay/graph";
    forge(&served.folder, "match", &format!("http://e/a{graphs}"), &format!("http://e/z{graphs}"));
    let (found, told) = verified(&served, &["kept", "--no-reexecution"]);
    let broken = ["model-f1 ", "model-macro-f1 ", "model-match-terms "];
    assert!(broken.iter().all(|name| found.contains(name)), "{found}");
    assert!(told.lines().count() == 1 && told.contains("/sparql answered "), "{told}");
    // Another archive has the same evaluation without them: of that the server has other graphs.
    served.folder = archive();
    let (found, told) = verified(&served, &["kept", "--no-reexecution"]);
    assert!(found.starts_with("verified kept\n"), "{found}");
    assert!(
        told.contains("looked for here, not on the server: ") && told.contains("another graph"),
        "{told}"
    );
    // A file that is not what its checksum says, and one that is not there.
    let scores = graph(&served.folder, "scores");
    edit(&scores, from, to);
    let (found, told) = verified(&served, &["kept", "--no-reexecution"]);
    assert!(found.contains("model-f1 ") && told.contains("another checksum here"), "{found}{told}");
    std::fs::remove_file(&scores).unwrap();
    let (found, _) = verified(&served, &["kept", "--no-reexecution"]);
    assert!(found.contains("is not here"), "{found}");
}

/// Comparisons, and what is computed again: with a server beneath the report is the same.
#[test]
#[cfg_attr(not(virtuoso), ignore = "no virtuoso-t (apt-get install virtuoso-opensource)")]
fn a_server_finds_what_breaks_comparisons_beside_what_is_computed_again() {
    let mut served = Served::new();
    let iri = kept(&qassay(served.path(), ["compare", "--experiment", "QA"]));
    let (found, told) = verified(&served, &[]);
    assert!(found.starts_with("verified ") && found.contains(&iri) && !found.contains("differs"), "{found}");
    assert!(told.lines().count() == 1 && told.contains("/sparql answered "), "{told}");
    // A number of a comparison, and one of an evaluation, with all checksums that depend on them.
    served.folder = comparisons::archive();
    let iri = kept(&comparisons::run(&served.folder, "compare first --archive kept"));
    plain(&served.path().join("kept"));
    for (kind, property, other) in
        [("comparison", "ns#pValue>", "1.5"), ("scores", "ns#f1>", "0.123456789012")]
    {
        let path = comparisons::graphs(&served.folder, kind).remove(0);
        let text = std::fs::read_to_string(&path).unwrap();
        let is_wanted =
            |line: &&str| line.contains(property) && (kind == "scores" || line.contains("/pair/"));
        let line = text.lines().find(is_wanted).unwrap();
        let number = line.split('"').nth(1).unwrap();
        let forged = line.replace(&format!("\"{number}\""), &format!("\"{other}\""));
        comparisons::forge(&served.folder, &path, line, &forged);
    }
    let (found, told) = verified(&served, &["kept"]);
    let broken = ["model-comparison-adjusted ", "model-f1 ", "was recorded", "differs"];
    assert!(broken.iter().all(|name| found.contains(name)), "{found}");
    assert!(told.lines().count() == 1 && told.contains("/sparql answered "), "{told}");
    let (found, _) = verified(&served, &["kept", comparisons::key(&iri)]);
    assert!(found.contains("model-comparison-adjusted ") && !found.contains("model-f1 "), "{found}");
}

/// The statements of the bad case of each constraint: a server that anybody may write to finds in them what is found here.
#[test]
#[cfg_attr(not(virtuoso), ignore = "no virtuoso-t (apt-get install virtuoso-opensource)")]
fn every_constraint_finds_its_violation_there() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/queries/check");
    let virtuoso = Virtuoso::start(&cases);
    virtuoso.sql("GRANT SPARQL_UPDATE TO \"SPARQL\";\n");
    let [queries, graphs] = ["sparql", "sparql-graph-crud"].map(|path| virtuoso.url(path));
    let address = StoreAddress { queries, graphs: Some(graphs) };
    let remote = RemoteStore::connect(&address, &Limits::default()).unwrap();
    let (mut asked, mut differ) = (0, Vec::new());
    for file in QueryFile::folder("check") {
        let query = NamedQuery::of(file).unwrap();
        if !RemoteStore::is_answerable(&query) || HERE.iter().any(|(here, _)| *here == query.name()) {
            continue;
        }
        let text =
            std::fs::read_to_string(cases.join(file.name.trim_start_matches("check/")).join("bad.trig"))
                .unwrap();
        let store = Store::in_memory().unwrap();
        store.load_turtle(&text, "http://e/graph").unwrap();
        let statements = store.construct(&NamedQuery::find("store/statements").unwrap()).unwrap();
        let found =
            sent::find_in((&format!("http://e/{}", file.name), statements), &query, (&remote, &Silent));
        let lines = |rows: Vec<Solution>| {
            let mut lines: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
            lines.sort_unstable();
            lines
        };
        let found = found.and_then(|found| Store::in_memory()?.select(&found)).map(lines);
        let expected = lines(store.select(&query).unwrap());
        asked += 1;
        if found.as_ref().ok() != Some(&expected) {
            differ.push(format!("{}: {found:?}", file.name));
        }
    }
    assert_eq!(differ, Vec::<String>::new());
    assert!(asked > 70, "{asked}");
}

#[test]
#[cfg_attr(not(virtuoso), ignore = "no virtuoso-t (apt-get install virtuoso-opensource)")]
fn what_is_lost_in_the_middle_is_found_and_sent_anew() {
    let mut served = Served::new();
    let expected = qassay(served.path(), ["query", "measures"]).ok();
    let ask = |served: &Served| served.there(&["query", "measures"]);
    // Killed while it gets graphs: nobody answers, and nothing half sent is seen afterwards.
    let told = std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let [queries, graphs] =
                ["sparql", "sparql-graph-crud-auth"].map(|path| served.virtuoso.url(path));
            let mut command = program(served.folder.path());
            command.args(["query", "measures", "--store", &queries, "--store-graphs", &graphs]);
            command
                .env("QASSAY_ENDPOINT_USER", "dba")
                .env("QASSAY_ENDPOINT_PASSWORD", "dba")
                .env("NO_PROXY", "127.0.0.1");
            Ran::of(&mut command)
        });
        std::thread::sleep(std::time::Duration::from_millis(400));
        let killed = served.virtuoso.id();
        assert!(
            std::process::Command::new("kill").args(["-9", &killed.to_string()]).status().unwrap().success()
        );
        asking.join().unwrap()
    });
    assert!(
        (told.code == Some(0)) && told.stdout == expected || told.stderr.contains("127.0.0.1"),
        "{}",
        told.stderr
    );
    served.virtuoso.kill();
    served.virtuoso.start_again();
    assert_eq!(ask(&served).ok(), expected);
    // Killed when all is there, and started again: nothing is lost.
    served.virtuoso.kill();
    let told = ask(&served);
    assert!(told.stderr.contains("the endpoint cannot be reached"), "{}", told.stderr);
    served.virtuoso.start_again();
    assert_eq!(ask(&served).ok(), expected);
    // Somebody else takes a statement of a graph away: it is told, and sent anew the next time.
    let scores =
        served.written("scores.rq", "SELECT ?g { GRAPH ?g { ?s qassay:metric ?m } } ORDER BY ?g LIMIT 1");
    let scores = qassay(served.path(), ["query", &scores, "--format", "csv"]).ok();
    let graph = scores.lines().nth(1).unwrap();
    let said = served.virtuoso.sql(&format!(
        "SPARQL DELETE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }} WHERE {{ GRAPH <{graph}> {{ ?s ?p ?o FILTER(CONTAINS(STR(?s), \"macroF1\")) }} }};\n"
    ));
    assert!(!said.contains("Error"), "{said}");
    let told = ask(&served);
    assert!(told.code != Some(0) && told.stdout.is_empty(), "{}", told.stdout);
    assert!(told.stderr.contains(&format!("of <{graph}>, of which it had ")), "{}", told.stderr);
    assert_eq!(ask(&served).ok(), expected);
    // Without the right to write, and without credentials.
    served.virtuoso.sql("SPARQL CLEAR GRAPH <urn:qassay:probe>;\n");
    let mut command = program(served.path());
    command.args([
        "query",
        "measures",
        "--store",
        &served.virtuoso.url("sparql"),
        "--store-graphs",
        &served.virtuoso.url("sparql-graph-crud-auth"),
    ]);
    let told = Ran::of(command.env("NO_PROXY", "127.0.0.1").env_remove("QASSAY_ENDPOINT_USER"));
    assert!(
        told.stderr.contains("lets only those write whom it knows")
            && told.stderr.contains("QASSAY_ENDPOINT_USER"),
        "{}",
        told.stderr
    );
}

/// A knowledge base that stays on the server, beside the same one in files: queries, labels and types give the same; and where
/// the server has other statements in the middle, nothing is kept.
#[test]
#[cfg_attr(
    not(all(shared, virtuoso)),
    ignore = "no ../shared, or no virtuoso-t (apt-get install virtuoso-opensource)"
)]
fn a_knowledge_base_stays_there() {
    let data = crate::common::mirror().join(crate::common::TEXT2SPARQL_2025).join("data");
    let virtuoso = Virtuoso::start(&data);
    let dumps = ["prod-inst.ttl", "prod-vocab.ttl"].map(|file| data.join(file));
    for file in &dumps {
        virtuoso.load(file);
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |words: &[&str]| {
        let mut command = program(folder);
        Ran::of(command.args(words).args(["--format", "json"]).env("NO_PROXY", "127.0.0.1"))
    };
    let (url, graph) = (virtuoso.url("sparql"), super::server::GRAPH);
    let added = run(&["kb", "add", "there", "--version", "1", "--from", &url, "--graph", graph]).json();
    assert_eq!(added["graphs"][0]["statements"], 26_903, "{added:#}");
    assert!(added["graphs"][0]["checksum"].is_string(), "{added:#}");
    let [one, other] = dumps.each_ref().map(|file| file.to_str().unwrap());
    assert_eq!(run(&["kb", "add", "here", "--version", "1", one, other]).json()["triples"], 26_903);
    // Queries about texts and resources, of which neither side rewrites any.
    let question = |id: usize, query: &str| {
        serde_json::json!({
            "id": id.to_string(),
            "question": [{ "language": "en", "string": "?" }],
            "query": { "sparql": format!("PREFIX v: <http://ld.company.org/prod-vocab/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> {query}") },
            "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": [{ "x": { "type": "literal", "value": "Engineering" } }] } }],
        })
    };
    let queries = [
        "SELECT ?x { ?x a v:Department }",
        "SELECT ?x { ?d a v:Department ; rdfs:label ?x }",
        "SELECT DISTINCT ?x { ?x a v:Hardware ; rdfs:label ?l FILTER(CONTAINS(?l, \"Compensator\")) }",
        "SELECT (COUNT(*) AS ?x) { ?s ?p ?o }",
        "SELECT (COUNT(DISTINCT ?o) AS ?x) { GRAPH ?g { ?s a ?o } }",
        "ASK { ?x a v:Department }",
    ];
    let questions: Vec<_> = queries.iter().enumerate().map(|(id, query)| question(id, query)).collect();
    let content = serde_json::json!({ "dataset": { "id": "small" }, "questions": questions }).to_string();
    std::fs::write(folder.join("gold.json"), &content).unwrap();
    std::fs::write(folder.join("system.json"), content).unwrap();
    let evaluate = |kb: &str| {
        let words = ["evaluate", "gold.json", "system.json", "--gold", "refreshed", "--kb", kb];
        run(&[&words[..], &["--labels", kb, "--types", kb]].concat())
    };
    let scores = |told: serde_json::Value| told["evaluations"][0]["experiments"].clone();
    let mut there = scores(evaluate("there").json());
    let mut here = scores(evaluate("here").json());
    // In files no graph has a name.
    for told in [&mut there, &mut here] {
        told["QA"]["questions"][4].take();
        told["QA"]["measures"].take();
    }
    assert_eq!(there["QA"]["questions"], here["QA"]["questions"]);
    qassay(folder, ["verify"]).ok();
    let said = virtuoso.sql(&format!(
        "SPARQL INSERT DATA {{ GRAPH <{graph}> {{ <http://e/a> <http://e/p> <http://e/b> }} }};\n"
    ));
    assert!(!said.contains("Error"), "{said}");
    let told = evaluate("there");
    let expected = format!("of <{graph}> the server has 26904 statements, and had 26903");
    assert!(told.code == Some(1) && told.stderr.contains(&expected), "{}", told.stderr);
}

/// The endpoint of the web platform: what the embedded store finds, the server finds, four at a time from the first; what only
/// this server knows is refused, and private runs are not sent to it.
#[test]
#[cfg_attr(not(virtuoso), ignore = "no virtuoso-t (apt-get install virtuoso-opensource)")]
fn an_endpoint_asks_the_server() {
    let folder = example();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    let virtuoso = Virtuoso::start(folder.path());
    let [queries, graphs] = ["sparql", "sparql-graph-crud-auth"].map(|path| virtuoso.url(path));
    let environment =
        [("QASSAY_ENDPOINT_USER", "dba"), ("QASSAY_ENDPOINT_PASSWORD", "dba"), ("NO_PROXY", "127.0.0.1")];
    let words = ["--store", &queries, "--store-graphs", &graphs];
    let there = Platform::with(folder.path(), "kept", &words, &environment);
    let sent = || {
        let count = "SPARQL SELECT COUNT(*) { GRAPH ?g { ?s <http://rdfs.org/ns/void#triples> ?n } FILTER(STRSTARTS(STR(?g), 'urn:qassay:sent')) };\n";
        let said = virtuoso.sql(count);
        said.lines().find_map(|line| line.trim().parse::<u64>().ok()).unwrap()
    };
    assert_eq!(sent(), 0);
    let asked = [
        "SELECT ?e (COUNT(?o) AS ?n) (AVG(?f) AS ?mean) { ?o qassay:evaluation ?e ; qassay:f1 ?f } GROUP BY ?e ORDER BY ?e",
        "SELECT ?g ?t { GRAPH ?g { ?d a qassay:Dataset ; dct:title ?t } } ORDER BY ?g ?t",
        "ASK { ?e a qassay:Evaluation }",
        "SELECT DISTINCT ?v { ?s dct:title ?v } ORDER BY STR(?v) LANG(?v)",
    ];
    let found: Vec<_> = std::thread::scope(|scope| {
        let all: Vec<_> = asked.iter().map(|query| scope.spawn(|| there.query(query, "text/csv"))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let here = Platform::of(folder.path(), "kept", &["--accept", "nobody"]);
    for (query, found) in asked.iter().zip(found) {
        let expected = here.query(query, "text/csv");
        assert_eq!((found.status, found.text()), (200, expected.text()), "{query}");
        assert!(expected.text().len() > 3, "{query}");
    }
    assert!(sent() > 3, "{}", sent());
    for own in ["SELECT * { ?s ?p ?o FILTER(<bif:length>(?o) > 1) }", "ASK { ?s <bif:contains> \"'a'\" }"] {
        let told = there.query(own, "text/csv");
        assert!(
            told.status == 400 && told.text().contains("is a function of some server"),
            "{}",
            told.text()
        );
    }
    let told = there.query("SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", "text/csv");
    assert_ne!(told.status, 200, "{}", told.text());
}
