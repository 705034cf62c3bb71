//! Queries that never end, fill the memory, have millions of rows or call others are stopped at their limit and
//! recorded as such, and the next query is answered: worker processes of the real program.

use crate::common;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use oxigraph::io::RdfFormat;
use qassay::kb::ask::{Asker, Limits, ask_all};
use qassay::kb::dump::Dump;
use qassay::kb::outcome::{Cause, Outcome};
use qassay::kb::pool::Pool;

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
            let row = |row: &qassay::sources::document::Row| {
                let cells = row.cells.iter().map(|cell| format!("{}={}", cell.variable, cell.value));
                cells.collect::<Vec<_>>().join(" ")
            };
            let rows = answers.rows.iter().map(row).collect::<Vec<_>>().join(" | ");
            answers.boolean.map_or(rows, |boolean| boolean.to_string())
        }
    }
}

/// A text that is twice as long forty times.
fn doubling() -> String {
    let binds: Vec<String> = (0..40).map(|n| format!("BIND(CONCAT(?s{n}, ?s{n}) AS ?s{})", n + 1)).collect();
    format!("SELECT (STRLEN(?s40) AS ?n) {{ BIND(\"xxxxxxxx\" AS ?s0) {} }}", binds.join(" "))
}

#[cfg(target_os = "linux")]
#[test]
fn memory_and_rows_end_a_query_long_before_a_generous_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { time: Duration::from_secs(120), ..short() };
    let pool = pool(vec![ring(folder.path(), 2_000)], limits, 1);
    let cause = |query: &str| pool.ask(query).expect("an outcome").cause();
    assert_eq!(cause(&doubling()), Some(Cause::OutOfMemory));
    assert_eq!(cause("SELECT * { ?a ?b ?c . ?d ?e ?f }"), Some(Cause::TooManyRows));
}

#[cfg(target_os = "linux")]
#[test]
fn nasty_queries_are_stopped_and_the_next_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let pool = pool(vec![ring(folder.path(), 2_000)], short(), 1);
    let numbers: Vec<String> = (0..60).map(|number: usize| number.to_string()).collect();
    let values = format!("{{ {} }}", numbers.join(" "));
    let product: Vec<String> = (0..6).map(|n| format!("VALUES ?v{n} {values}")).collect();
    let product = product.join(" ");
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
            doubling(),
            // A busy machine takes its time.
            &[Cause::OutOfMemory, Cause::TimedOut],
        ),
        (
            "concat",
            "SELECT (GROUP_CONCAT(CONCAT(STR(?a), STR(?f))) AS ?n) { ?a ?b ?c . ?d ?e ?f }".to_owned(),
            &[Cause::TimedOut, Cause::OutOfMemory],
        ),
        ("rows", "SELECT * { ?a ?b ?c . ?d ?e ?f }".to_owned(), &[Cause::TooManyRows, Cause::TimedOut]),
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
            // Too deep for us: no error of the query.
            &[Cause::Refused],
        ),
        ("function", "SELECT (<bif:year>(?b) AS ?y) { ?a <urn:v> ?b }".to_owned(), &[Cause::Failed]),
    ];
    for (name, query, causes) in nasty {
        let before = now();
        let outcome = pool.ask(&query).expect("an outcome");
        let time = before.elapsed();
        let Outcome::Failed(failure) = &outcome else { panic!("{name}: {}", text(&outcome)) };
        assert!(causes.contains(&failure.cause), "{name}: {failure:?}");
        assert!(time < Duration::from_secs(30), "{name}: {time:?}");
        assert_eq!(text(&pool.ask(COUNT).expect("an outcome")), "n=2000", "after {name}");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn ck25_and_bestiary_are_loaded_whole() {
    let mirror = common::mirror();
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

fn answers(pool: &Pool, query: &str) -> String {
    text(&pool.ask(query).expect("an outcome"))
}

#[test]
fn queries_see_all_graphs_and_name_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one.nq"), folder.path().join("two.ttl"));
    fs::write(&one, "<urn:a> <urn:p> _:b <urn:g> .\n<urn:a> <urn:p> _:b <urn:h> .\n_:b <urn:p> \"01\"^^<http://www.w3.org/2001/XMLSchema#int> .\n")
        .expect("a file");
    fs::write(&two, "<urn:a> <urn:p> [ <urn:q> [] ], _:b . _:b <urn:q> \"x\"@EN-gb .").expect("a file");
    let dumps = vec![dump(&one), dump(&two)];
    let pools = [pool(dumps.clone(), short(), 1), pool(dumps, short(), 1)];
    let queries = [
        ("SELECT ?s ?o { ?s <urn:p> ?o }", "s=b0 o=1 | s=urn:a o=b0 | s=urn:a o=b1 | s=urn:a o=b2"),
        ("SELECT ?g ?o { GRAPH ?g { ?s <urn:p> ?o } }", "g=urn:g o=b0 | g=urn:h o=b0"),
        ("SELECT ?o FROM <urn:g> { ?s <urn:p> ?o }", "o=b0"),
        ("SELECT ?o FROM NAMED <urn:h> { GRAPH ?g { ?s <urn:p> ?o } }", "o=b0"),
        ("SELECT ?o { ?s <urn:q> ?o }", "o=b0 | o=x"),
        ("SELECT ?o { ?s <urn:q> ?o } ORDER BY DESC(isBlank(?o))", "o=b0 | o=x"),
        ("SELECT ?o { ?s <urn:q> ?o } ORDER BY isBlank(?o)", "o=x | o=b0"),
        ("SELECT ?n { VALUES ?n { 3 1 2 UNDEF } }", " | n=1 | n=2 | n=3"),
        ("SELECT ?n { VALUES ?n { 3 1 2 } } ORDER BY DESC(?n)", "n=3 | n=2 | n=1"),
        ("ASK { <urn:a> <urn:p> <urn:a> }", "false"),
        ("SELECT ?x { ?x <urn:none> ?y }", ""),
        ("SELECT ?x { ?x ", "unparsable: "),
        (
            "SELECT ?x { ?x <bif:contains> 'a' }",
            "refused: <bif:contains> is a function of Virtuoso, not SPARQL",
        ),
        ("DESCRIBE <urn:a>", "refused: DESCRIBE gives no answers, SELECT and ASK do"),
    ];
    for (query, expected) in queries {
        let found = answers(&pools[0], query);
        if expected.starts_with("unparsable") {
            assert!(found.starts_with(expected), "{query}: {found}");
        } else {
            assert_eq!(found, expected, "{query}");
        }
        assert_eq!(pools[0].ask(query).expect("an outcome"), pools[1].ask(query).expect("an outcome"));
    }
    let Ok(Outcome::Answered(answers)) = pools[0].ask("SELECT ?o { ?s <urn:q> ?o FILTER(isLiteral(?o)) }")
    else {
        panic!("no answers")
    };
    let cell = &answers.rows[0].cells[0];
    assert_eq!((cell.language.as_deref(), cell.datatype.as_deref()), (Some("en-gb"), None));
}

#[test]
fn values_are_cast_to_derived_types_by_the_rules_of_xpath() {
    let folder = tempfile::tempdir().expect("a folder");
    let pool = pool(vec![ring(folder.path(), 3)], short(), 1);
    let cases = [
        ("xsd:int('42')", "x=42"),
        ("xsd:int(' 42 ')", "x=42"),
        ("xsd:int(42.9)", "x=42"),
        ("xsd:int(-42.9e0)", "x=-42"),
        ("xsd:int(true)", "x=1"),
        ("xsd:int('42.0')", ""),
        ("xsd:int('42'@en)", ""),
        ("xsd:int(2147483648)", ""),
        ("xsd:byte(xsd:short(127))", "x=127"),
        ("xsd:byte(128)", ""),
        ("xsd:nonNegativeInteger(-1)", ""),
        ("xsd:positiveInteger(0)", ""),
        ("xsd:unsignedByte(255)", "x=255"),
        ("xsd:int('1e0'^^xsd:double)", "x=1"),
        ("xsd:int(<urn:a>)", ""),
        ("xsd:token(' a  b ')", "x=a b"),
        ("xsd:normalizedString('a\\tb')", "x=a b"),
        ("xsd:date('2020-02-30')", ""),
        ("xsd:date('2020-02-29T00:00:00Z'^^xsd:dateTime)", "x=2020-02-29Z"),
        ("xsd:gYear('2020-02-29'^^xsd:date)", "x=2020"),
        ("xsd:int('1', '2')", ""),
    ];
    for (call, expected) in cases {
        let query = format!("PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT ({call} AS ?x) {{}}");
        assert_eq!(answers(&pool, &query), expected, "{call}");
    }
}

#[cfg(unix)]
#[test]
fn many_ask_at_once_and_a_killed_worker_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    // A name of its own tells these workers from those of other tests.
    let program = folder.path().join("qassay");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_qassay"), &program).expect("a link");
    let two = NonZeroUsize::new(2).expect("jobs");
    let pool = Pool::new(program.clone(), vec![ring(folder.path(), 500)], short(), two);
    let endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";
    let queries: Vec<String> =
        (0..30).map(|number| if number % 10 == 3 { endless } else { COUNT }.to_owned()).collect();
    let jobs = NonZeroUsize::new(8).expect("jobs");
    let told = std::sync::atomic::AtomicUsize::new(0);
    let done = |_: &Outcome| {
        told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    let outcomes = ask_all(&pool, &queries, jobs, &done).expect("outcomes");
    assert_eq!(told.into_inner(), 30);
    for (number, outcome) in outcomes.iter().enumerate() {
        let expected = if number % 10 == 3 { "timed-out: stopped at the time limit of 1 s" } else { "n=500" };
        assert_eq!(text(outcome), expected);
    }
    // Where endless queries came last, no worker is left: the next query starts one.
    assert_eq!(answers(&pool, COUNT), "n=500");
    assert!(!children(&program).is_empty());
    // Whoever kills the workers in between: the next query starts another.
    for child in children(&program) {
        let killed = std::process::Command::new("kill").args(["-9", &child]).status().expect("kill");
        assert!(killed.success());
    }
    assert_eq!(answers(&pool, COUNT), "n=500");
    drop(pool);
    assert!(children(&program).is_empty());
}

/// A worker that somebody kills while it answers is replaced once; where that one is killed too, the record says how.
#[cfg(unix)]
#[test]
fn a_query_whose_workers_are_killed_says_by_which_signal() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("killed");
    // It says that it has loaded all, waits for a query, and is killed.
    let script = "#!/bin/sh\nread start\necho '\"ready\"'\nread query\nkill -9 $$\n";
    fs::write(&program, script).expect("a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it may run");
    let pool = Pool::new(program, Vec::new(), short(), NonZeroUsize::MIN);
    let told = text(&pool.ask(COUNT).expect("an outcome"));
    assert_eq!(told, "failed: the worker process ended twice, the second time by signal 9 (SIGKILL)");
}

/// The worker processes of a program that are left.
#[cfg(unix)]
fn children(program: &Path) -> Vec<String> {
    let listed = std::process::Command::new("ps").args(["-A", "-ww", "-o", "pid=,args="]).output();
    let listed = String::from_utf8_lossy(&listed.expect("the list of processes").stdout).into_owned();
    let lines = listed.lines().filter(|line| line.contains(&*program.to_string_lossy()));
    lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn a_dump_that_cannot_be_read_is_an_error_of_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.nt");
    fs::write(&path, "<urn:a> <urn:p> <urn:b> .\nnonsense\n").expect("a file");
    let pool = pool(vec![dump(&path)], short(), 2);
    let told = pool.ask(COUNT).expect_err("an error").to_string();
    assert!(told.contains("line 2: The subject of a triple must be"), "{told}");
    assert!(ask_all(&pool, &[COUNT.to_owned(), COUNT.to_owned()], NonZeroUsize::MIN, &|_| {}).is_err());
    let missing = Pool::new(PathBuf::from("/no/such/program"), Vec::new(), short(), NonZeroUsize::MIN);
    assert!(missing.ask(COUNT).expect_err("an error").to_string().contains("cannot start the worker"));
}

#[test]
fn large_answers_are_stopped_before_they_fill_the_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { memory: 1 << 30, rows: 1_000_000, ..short() };
    let pool = pool(vec![ring(folder.path(), 100)], limits, 1);
    let wide = "SELECT ?s ?t { BIND(CONCAT('xxxxxxxxxx', 'xxxxxxxxxx') AS ?a) BIND(CONCAT(?a, ?a, ?a, ?a, ?a) AS ?b) \
                BIND(CONCAT(?b, ?b, ?b, ?b, ?b, ?b, ?b, ?b, ?b, ?b) AS ?c) \
                BIND(CONCAT(?c, ?c, ?c, ?c, ?c, ?c, ?c, ?c, ?c, ?c) AS ?s) ?t ?p ?o . ?u ?q ?v }";
    assert_eq!(answers(&pool, wide), "out-of-memory: its answers have more than 67108864 bytes");
    assert_eq!(answers(&pool, COUNT), "n=100");
}

/// The worker processes of a process, by its identifier.
#[cfg(target_os = "linux")]
fn workers(parent: u32) -> Vec<String> {
    let children = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().filter_map(Result::ok);
    tasks.flat_map(|task| children(task).split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn no_worker_outlives_the_program_that_was_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    ring(folder.path(), 5_000);
    common::qassay(folder.path(), ["kb", "add", "ring", "--version", "1", "ring.ttl"]).ok();
    let query = "SELECT (COUNT(*) AS ?n) { ?a (<urn:p>|^<urn:p>)* ?b . ?c (<urn:p>|^<urn:p>)* ?d }";
    let gold = format!(
        r#"{{"questions":[{{"id":"1","question":[{{"language":"en","string":"?"}}],"query":{{"sparql":"{query}"}},"answers":[]}}]}}"#
    );
    fs::write(folder.path().join("gold.json"), gold).expect("a file");
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_qassay"));
    program
        .args(["kb", "refresh", "gold.json", "--kb", "ring", "--timeout", "120"])
        .current_dir(folder.path());
    let mut child = program.stdout(std::process::Stdio::null()).spawn().expect("a process");
    let start = now();
    let workers = loop {
        let found = workers(child.id());
        if !found.is_empty() {
            break found;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "no worker was started");
        std::thread::sleep(Duration::from_millis(10));
    };
    std::thread::sleep(Duration::from_millis(500));
    child.kill().expect("killed");
    child.wait().expect("ended");
    let start = now();
    for worker in workers {
        // A process that has ended and that nobody has waited for has no command line.
        while fs::read_to_string(format!("/proc/{worker}/cmdline")).is_ok_and(|line| !line.is_empty()) {
            assert!(start.elapsed() < Duration::from_secs(10), "the worker {worker} goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
