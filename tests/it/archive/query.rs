//! Queries find the same whether everything is loaded or only what they can touch, and end when they must.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use crate::common::{Ran, program, qassay};
use proptest::prelude::*;
use qassay::base::query::QueryFile;
use qassay::base::watch::Silent;
use qassay::record::archived::selected::GraphFate;
use qassay::record::verify::packed::unpack;
use qassay::sparql::dataset::Dataset as _;
use qassay::sparql::named_query::NamedQuery;
use qassay::sparql::store::Store;
use qassay::sparql::timed::{QueryBounds, QueryResult, run_within};
use qassay::workbench::Workbench;
use tempfile::TempDir;

const MINUTE: Duration = Duration::from_secs(60);

/// An archive with all that is in it.
struct Loaded {
    bench: Workbench,
    everything: Store,
    _folder: TempDir,
}

impl Loaded {
    fn of(root: &Path, folder: TempDir) -> Self {
        let bench = Workbench::new(root);
        let everything = bench.everything(true, &Silent).unwrap();
        Self { bench, everything, _folder: folder }
    }

    /// What a query finds in everything, and in what it can touch. Rows without order are sorted.
    fn both(&self, query: &NamedQuery) -> [Vec<String>; 2] {
        let selected = self.bench.select(query, true, &Silent).unwrap().store;
        [&self.everything, &selected].map(|store| found(store, query))
    }
}

fn found(store: &Store, query: &NamedQuery) -> Vec<String> {
    let mut found = match run_within(store, query, QueryBounds::time(MINUTE)).unwrap() {
        QueryResult::Solutions { rows, .. } => rows.iter().map(|row| format!("{row:?}")).collect(),
        QueryResult::Boolean(answer) => vec![answer.to_string()],
        QueryResult::Statements(statements) => statements.iter().map(ToString::to_string).collect(),
    };
    found.sort_unstable();
    found
}

/// An archive with several evaluations, as this program writes it.
fn new() -> &'static Loaded {
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    LOADED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        evaluate(folder.path(), "QA,P2KB");
        let root = folder.path().join("kept");
        Loaded::of(&root, folder)
    })
}

/// An archive of the first version of the model.
fn old() -> &'static Loaded {
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    LOADED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let packed = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/archives/e565836.tar.gz");
        let root = unpack(&packed, folder.path()).unwrap();
        Loaded::of(&root, folder)
    })
}

/// Two systems, evaluated with links.
fn evaluate(folder: &Path, experiments: &str) {
    let question = |id: u8, answers: &str| {
        let value = |name: char| format!(r#"{{"uri": {{"type": "uri", "value": "http://e/{name}"}}}}"#);
        let values = answers.chars().map(value).collect::<Vec<_>>().join(", ");
        format!(
            r#"{{"id": "{id}", "question": [{{"language": "en", "string": "Which {id}?"}}],
            "query": {{"sparql": "SELECT ?uri {{ <http://e/{id}> <http://e/p{id}> ?uri }}"}},
            "answers": [{{"head": {{"vars": ["uri"]}}, "results": {{"bindings": [{values}]}}}}]}}"#
        )
    };
    for (name, answers) in [("gold.json", ["ab", "c"]), ("one.json", ["a", "c"]), ("two.json", ["bz", ""])] {
        let questions = [question(1, answers[0]), question(2, answers[1])].join(", ");
        let text = format!(r#"{{"dataset": {{"id": "tiny"}}, "questions": [{questions}]}}"#);
        std::fs::write(folder.join(name), text).unwrap();
    }
    let links = "<http://e/z> <http://www.w3.org/2002/07/owl#sameAs> <http://e/a> .\n";
    std::fs::write(folder.join("links.nt"), links).unwrap();
    let words = ["evaluate", "gold.json", "one.json", "two.json", "--links", "links.nt", "--archive", "kept"];
    qassay(folder, [&words[..], &["-x", experiments]].concat()).ok();
}

#[test]
fn every_query_of_the_program_finds_the_same() {
    let folders = ["report", "group", "store", "check"];
    let queries: Vec<&QueryFile> = folders.into_iter().flat_map(QueryFile::folder).collect();
    assert!(queries.len() > 80, "{}", queries.len());
    let mut with_rows = 0;
    let reports: Vec<&QueryFile> = QueryFile::folder("report").collect();
    for (loaded, queries) in [(new(), &queries), (old(), &reports)] {
        for file in queries {
            let query = NamedQuery::of(file).unwrap();
            let [all, selected] = loaded.both(&query);
            assert!(all == selected, "{}: {} and {} rows", file.name, all.len(), selected.len());
            with_rows += usize::from(!all.is_empty());
        }
    }
    assert!(with_rows > 20, "{with_rows}");
}

#[test]
fn little_is_loaded_for_little() {
    let loaded = new();
    let of = |text: &str| {
        let query = NamedQuery::written("test", text).unwrap();
        let selection = loaded.bench.select(&query, true, &Silent).unwrap();
        let mut kinds: BTreeMap<String, String> = BTreeMap::new();
        for (kind, fate, graphs, statements) in selection.parts.kinds() {
            let told = match fate {
                GraphFate::Read(part) if part.loaded == statements => "all".to_owned(),
                GraphFate::Read(part) if part.loaded == 0 => "none".to_owned(),
                GraphFate::Read(part) => {
                    assert!(part.loaded < statements && part.read == statements, "{kind} of {text}");
                    "some".to_owned()
                }
                other => format!("{other:?}"),
            };
            assert!(graphs > 0 && kinds.insert(kind.to_owned(), told).is_none(), "{kind} of {text}");
        }
        kinds
    };
    let told = of("SELECT * { ?observation qassay:f1 ?f1 }");
    assert_eq!(
        [&told["scores"], &told["match"], &told["links"]],
        ["some", "NotHeld", "NotAsked"],
        "{told:?}"
    );
    let told = of("SELECT * { GRAPH ?g { ?s owl:sameAs ?o } }");
    assert_eq!([&told["scores"], &told["links"]], ["NotHeld", "all"], "{told:?}");
    // Four statements of each evaluation: no other aggregate, no observation.
    let headline =
        "?a qassay:metric code:microF1 ; qassay:questionGroup code:group-all ; qassay:experimentType code:QA";
    let query =
        NamedQuery::written("test", &format!("SELECT * {{ {headline} ; qassay:value ?f1 }}")).unwrap();
    let parts = loaded.bench.select(&query, false, &Silent).unwrap().parts;
    let read = parts.kinds().into_iter().filter_map(|(kind, fate, _, statements)| match fate {
        GraphFate::Read(part) => Some((kind, part.loaded, part.read == statements)),
        _ => None,
    });
    assert_eq!(read.collect::<Vec<_>>(), [("measures", 2 * 4, true)]);
    let told = of("SELECT * { ?s ?p ?o }");
    assert_eq!([&told["scores"], &told["dataset"], &told["links"]], ["all", "all", "NotAsked"], "{told:?}");
    let told = of("SELECT * { GRAPH <https://w3id.org/qassay/graph/catalog> { ?s ?p ?o } }");
    assert!(told.values().all(|told| told == "NotAsked"), "{told:?}");
    // Each input adds a part to it.
    let told = of("SELECT * { GRAPH <https://w3id.org/qassay/graph/patterns> { ?s ?p ?o } }");
    assert_eq!([&told["patterns"], &told["dataset"]], ["all", "NotAsked"], "{told:?}");
    let told = of("ASK { VALUES ?x { 1 } }");
    assert!(told.values().all(|told| told == "NotAsked"), "{told:?}");
}

/// The properties and the classes of an archive, some of them in several of its graphs, the names of its graphs, and things
/// that are objects and subjects.
fn words(loaded: &Loaded) -> [Vec<String>; 5] {
    let of = |text: &str| {
        let rows = loaded.everything.select(&NamedQuery::written("words", text).unwrap()).unwrap();
        let words: BTreeSet<String> = rows.iter().flatten().flatten().map(ToString::to_string).collect();
        words.into_iter().collect::<Vec<_>>()
    };
    [
        of("SELECT DISTINCT ?p { GRAPH ?g { ?s ?p ?o } FILTER(!CONTAINS(STR(?g), '/ns/')) }"),
        of("SELECT DISTINCT ?c { GRAPH ?g { ?s a ?c } FILTER(!CONTAINS(STR(?g), '/ns/')) }"),
        of("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"),
        of("SELECT DISTINCT ?o { GRAPH ?g { ?s ?p ?o } FILTER(!CONTAINS(STR(?g), '/ns/') && !ISBLANK(?o)) }"),
        of("SELECT DISTINCT ?s { GRAPH ?g { ?s ?p ?o } FILTER(!CONTAINS(STR(?g), '/ns/')) }"),
    ]
}

/// A number that chooses among some words.
fn choice() -> impl Strategy<Value = usize> {
    0..usize::MAX
}

/// A pattern about `?s`, with the words that stand for numbers: `P0` for a property, `C0` for a class, `G0` for a graph.
fn pattern() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "?s P0 ?o",
        "?s P0 ?a ; P1 ?b",
        "?s a C0",
        "?s a C0 ; P0 ?o",
        "?s a ?class ; P0 ?o",
        "?s P0/P1 ?o",
        "?s P0|^P1 ?o",
        "?s a C0 ; P0* ?o",
        "?s P0? ?o . ?s P1 ?x",
        "?s P0+ ?o",
        "?s a C0 ; !P0 ?o",
        "?s a C0 ; ?p ?o",
        "{ ?s P0 ?o } UNION { ?s P1 ?o }",
        "?s P0 ?o OPTIONAL { ?s P1 ?x }",
        "?s P0 ?o OPTIONAL { ?o P1* ?x }",
        "?s P0 ?o MINUS { ?s P1 ?x }",
        "?s P0 ?o FILTER EXISTS { ?s P1 ?x }",
        "?s P0 ?o FILTER NOT EXISTS { ?o P1 ?x }",
        "?s P0 ?o BIND(EXISTS { ?s a C0 } AS ?is)",
        "GRAPH ?g { ?s P0 ?o }",
        "GRAPH ?g { ?s P0 ?o } GRAPH ?h { ?s P1 ?x }",
        "GRAPH ?g { ?s a C0 } ?s P0 ?o",
        "GRAPH G0 { ?s P0 ?o }",
        "GRAPH G0 { ?s ?p ?o }",
        "GRAPH ?g { } ",
        "GRAPH ?g { OPTIONAL { ?s P0 ?o } }",
        "GRAPH ?g { SELECT (COUNT(*) AS ?n) { ?s P0 ?o } }",
        "{ SELECT ?s (COUNT(?o) AS ?n) { ?s P0 ?o } GROUP BY ?s }",
        "{ SELECT (COUNT(*) AS ?n) { ?s P0* ?o . ?s a C0 } }",
        "{ SELECT (COUNT(*) AS ?n) { ?s P0? ?o } }",
        "VALUES ?s { G0 } ?s P0* ?o",
        "?s P0 ?x LATERAL { SELECT ?y { ?s P1 ?y } }",
        "?s P0 1",
        // Stars: what is asked of one subject, with constants, and joined.
        "?s P0 ?a ; P1 ?b ; P2 ?c",
        "?s P0 G0 ; P1 ?b",
        "?s a C0 ; P0 ?a ; P1 ?b",
        "?s a C0 , C1 ; P0 ?a",
        "?s a C0 ; P0 ?a . ?a P1 ?b ; P2 ?c",
        "?s P0 ?a . ?a a C0 ; P1 ?b",
        "?s P0 ?a ; P1 ?a",
        "?s P0 ?a . ?t P1 ?a ; P2 ?b",
        "?s P0 ?a ; ?p ?b . ?b P1 ?c",
        "?s P0 O0 ; P1 ?b",
        "?s P0 O0 ; P1 O1 ; P2 ?c",
        "?s P0 O0 ; a ?c ; ?p O1",
        "S0 P0 ?a . ?a P1 ?b ; P2 ?c",
        "S0 ?p ?a . ?a a C0 ; P0 ?b",
        "?s P0 ?a ; P1 ?b OPTIONAL { ?s P2 ?c ; a C0 }",
        "?s P0 ?a FILTER NOT EXISTS { ?s P1 ?b ; P2 ?c }",
        "?s P0 ?a MINUS { ?s P1 ?b ; a ?c }",
        "{ ?s P0 ?a ; P1 ?b } UNION { ?s P2 ?c ; a C0 }",
        "GRAPH ?g { ?s P0 ?a ; P1 ?b ; a C0 }",
        "GRAPH G0 { ?s P0 ?a ; P1 ?b }",
        "GRAPH ?g { ?s P0 ?a } ?s P1 ?b ; P2 ?c",
        "?s P0 ?a ; P1/P2 ?b",
        "?s P0 ?a ; P1* ?b ; P2 ?c",
        "_:s P0 ?a ; P1 ?b",
        "{ SELECT ?s (COUNT(*) AS ?n) { ?s P0 ?a ; P1 ?b } GROUP BY ?s } ?s P2 ?c",
    ])
    .prop_map(str::to_owned)
}

fn form() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "SELECT * { BODY }",
        "SELECT (COUNT(*) AS ?rows) { BODY }",
        "ASK { BODY }",
        "CONSTRUCT { ?s P2 ?o } WHERE { BODY }",
        "SELECT * FROM G1 FROM G2 { BODY }",
        "SELECT * FROM G1 FROM NAMED G2 { BODY }",
        "SELECT * FROM NAMED G1 { BODY }",
    ])
}

fn filled(text: &str, words: &[Vec<String>; 5], choices: &[usize]) -> String {
    let mut text = text.to_owned();
    for (letter, words) in ["P", "C", "G", "O", "S"].iter().zip(words) {
        for (number, choice) in choices.iter().enumerate() {
            text = text.replace(&format!("{letter}{number}"), &words[choice % words.len()]);
        }
    }
    text
}

/// A subject, and what is said of it: properties and objects.
type SaidOf = (String, Vec<[String; 2]>);

/// What is said of each subject: properties and objects. Chosen among these, stars find something.
fn subjects(loaded: &Loaded) -> Vec<SaidOf> {
    let text = "SELECT ?s ?p ?o { GRAPH ?g { ?s ?p ?o } FILTER(!CONTAINS(STR(?g), '/ns/')) }";
    let rows = loaded.everything.select(&NamedQuery::written("subjects", text).unwrap()).unwrap();
    let mut subjects: BTreeMap<String, Vec<[String; 2]>> = BTreeMap::new();
    for row in rows {
        let [subject, property, object] = [0, 1, 2].map(|at| row[at].as_ref().unwrap().to_string());
        subjects.entry(subject).or_default().push([property, object]);
    }
    subjects.into_iter().collect()
}

/// The same words, with those of one subject in place of others.
fn of_subject(words: &[Vec<String>; 5], (subject, said): &SaidOf) -> [Vec<String>; 5] {
    let mut words = words.clone();
    let is_class = |[property, _]: &&[String; 2]| property.ends_with("#type>");
    let classes: Vec<String> = said.iter().filter(is_class).map(|[_, class]| class.clone()).collect();
    words[0] = said.iter().map(|[property, _]| property.clone()).collect();
    if !classes.is_empty() {
        words[1] = classes;
    }
    words[3] = said.iter().map(|[_, object]| object.clone()).collect();
    words[4] = vec![subject.clone()];
    words
}

/// The subjects of the new archive and of the old one.
static SUBJECTS: [OnceLock<Vec<SaidOf>>; 2] = [OnceLock::new(), OnceLock::new()];

/// The words of the new archive and of the old one.
static WORDS: [OnceLock<[Vec<String>; 5]>; 2] = [OnceLock::new(), OnceLock::new()];

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn random_queries_find_the_same(
        form in form(),
        pattern in pattern(),
        is_old in prop::bool::weighted(0.2),
        choices in prop::collection::vec(choice(), 3),
        subject in prop::option::weighted(0.6, choice()),
    ) {
        let loaded = if is_old { old() } else { new() };
        let words = WORDS[usize::from(is_old)].get_or_init(|| words(loaded));
        let subjects = SUBJECTS[usize::from(is_old)].get_or_init(|| subjects(loaded));
        let subject = subject.map(|choice| &subjects[choice % subjects.len()]);
        let words = subject.map_or_else(|| words.clone(), |subject| of_subject(words, subject));
        let text = filled(&form.replace("BODY", &pattern), &words, &choices);
        let [all, selected] = loaded.both(&NamedQuery::written("random", &text).unwrap());
        prop_assert!(all == selected, "{text}: {} and {} rows", all.len(), selected.len());
    }
}

/// A small archive in `qassay-archive`.
fn small() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    evaluate(folder.path(), "QA");
    folder
}

const ENDLESS: &str = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";

#[test]
fn what_was_loaded_is_told() {
    let folder = small();
    let arguments = ["query", "hardest", "--archive", "kept", "--format", "csv"];
    let quiet = qassay(folder.path(), arguments);
    let ran = qassay(folder.path(), [&arguments[..], &["--explain"]].concat());
    assert_eq!((ran.code, &ran.stdout), (Some(0), &quiet.stdout));
    assert_eq!(quiet.stderr, "");
    let (head, lines) = ran.stderr.split_once('\n').unwrap();
    assert!(head.starts_with("loaded in 0.") || head.starts_with("loaded in "), "{head}");
    assert!(head.contains(" s, asked in ") && head.ends_with(" s:"), "{head}");
    for told in [
        "  records: ",
        "  2 graphs `scores`: ",
        "  left out: 2 graphs `match`, ",
        "  left out: 1 graph `links`, ",
        ", 1 statement: `--with-links` loads them",
    ] {
        assert!(lines.contains(told), "{told}: {lines}");
    }
    let nothing = qassay(folder.path(), [&arguments[..], &["--explain", "--quiet"]].concat());
    assert_eq!(nothing.stderr, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_query_that_takes_too_much_memory_ends_and_shows_no_part() {
    let folder = small();
    for format in ["csv", "json", "table"] {
        let mut command = program(folder.path());
        command.args(["query", "-", "--memory", "150", "--archive", "kept", "--format", format]);
        let ran = Ran::of(command.write_stdin(ENDLESS));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        let told = "error: the query took more memory than 150 MiB, the limit.\nhint: `--memory MB` gives it more: 200 are needed for the smallest query";
        assert!(ran.stderr.starts_with(told), "{}", ran.stderr);
    }
    let mut command = program(folder.path());
    command.args(["query", "hardest", "--memory", "300", "--archive", "kept", "--format", "csv"]);
    assert_eq!(Ran::of(&mut command).ok().lines().count(), 3);
    let refused = qassay(folder.path(), ["query", "leaderboard", "--memory", "0"]);
    assert_eq!(refused.code, Some(2));
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(id) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        let is_zombie = status.contains("\nState:\tZ");
        if status.contains(&format!("\nPPid:\t{process}\n")) && !is_zombie {
            found.push(id);
        }
    }
    found
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_ends_the_program_ends_the_query() {
    use std::io::Write as _;
    let folder = small();
    let mut asking = Process::new(assert_cmd::cargo::cargo_bin!("qassay"))
        .current_dir(folder.path())
        .args(["query", "-", "--archive", "kept", "--format", "csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    asking.stdin.take().unwrap().write_all(ENDLESS.as_bytes()).unwrap();
    let wait = |is_time: &dyn Fn() -> bool| {
        for _ in 0..500 {
            if is_time() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it takes too long");
    };
    wait(&|| !children(asking.id()).is_empty());
    let worker = children(asking.id())[0];
    asking.kill().unwrap();
    let output = asking.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"");
    let is_gone = || {
        let status = std::fs::read_to_string(format!("/proc/{worker}/status")).unwrap_or_default();
        status.is_empty() || status.contains("\nState:\tZ")
    };
    wait(&is_gone);
}

#[cfg(unix)]
#[test]
fn an_archive_that_cannot_be_written_is_asked() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = small();
    let kept = folder.path().join("kept");
    let read_only =
        |mode: u32| std::fs::set_permissions(&kept, std::fs::Permissions::from_mode(mode)).unwrap();
    let before = crate::common::files_below(&kept);
    read_only(0o555);
    let ran = qassay(folder.path(), ["query", "hardest", "--archive", "kept", "--format", "csv"]);
    read_only(0o755);
    assert_eq!(ran.ok().lines().count(), 3);
    assert_eq!(crate::common::files_below(&kept), before, "nothing is left behind");
}
