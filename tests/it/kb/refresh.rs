//! Refreshed gold and executed answers on a small pinned knowledge base: every status, archives byte by byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::common::{Ran, kept_bytes, program, qassay};
use serde_json::{Value, json};

const TURTLE: &str =
    "@prefix : <http://e/> . :a :size 5 ; :old true . :b :size 5 ; :in :x . :c :size 4 ; :in :x .\n";

/// Ten to the ninth rows: nobody waits for them.
fn endless() -> String {
    let values = "{ 0 1 2 3 4 5 6 7 8 9 }";
    let product: Vec<String> = (0..9).map(|n| format!("VALUES ?v{n} {values}")).collect();
    format!("SELECT (COUNT(*) AS ?n) {{ {} }}", product.join(" "))
}

/// A question with a query and answers; no query where it is empty.
fn question(id: &str, query: &str, answers: &[&str]) -> Value {
    let row = |value: &&str| match value.strip_prefix("http") {
        Some(_) => json!({ "x": { "type": "uri", "value": value } }),
        None => json!({ "x": { "type": "literal", "value": value } }),
    };
    let rows: Vec<Value> = answers.iter().map(row).collect();
    let mut question = json!({
        "id": id,
        "question": [{ "language": "en", "string": format!("{id}?") }],
        "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": rows } }],
    });
    if !query.is_empty() {
        question["query"] = json!({ "sparql": format!("PREFIX : <http://e/> {query}") });
    }
    question
}

fn gold() -> Value {
    let (a, b, c, z) = ("http://e/a", "http://e/b", "http://e/c", "http://e/z");
    json!({ "dataset": { "id": "small" }, "questions": [
        question("same", "SELECT ?x { ?x :in :x }", &[b, c]),
        question("text", "ASK { :a :old true }", &["True"]),
        question("changed", "SELECT ?x { ?x :size 5 }", &[a, z]),
        question("empty", "SELECT ?x { ?x :size 9 }", &[a]),
        question("broken", "SELECT ?x { ?x :size }", &[a]),
        question("slow", &endless(), &["0"]),
        question("tie", "SELECT ?x { ?x :size ?n } ORDER BY DESC(?n) LIMIT 1", &[z]),
        question("silent", "", &[a]),
    ] })
}

/// The queries of the gold file as a submission, with one answer of its own.
fn queries() -> Value {
    let mut queries = gold();
    for question in queries["questions"].as_array_mut().expect("questions") {
        if question["id"] != "changed" {
            question.as_object_mut().expect("an object").remove("answers");
        }
    }
    queries
}

/// A folder with the files and an archive that has the knowledge base.
fn folder(turtle: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("a file");
    write("kb.ttl", turtle.to_owned());
    write("gold.json", gold().to_string());
    write("queries.json", queries().to_string());
    qassay(folder.path(), ["kb", "add", "small", "--version", "1", "kb.ttl"]).ok();
    folder
}

fn run(folder: &Path, words: &str) -> String {
    Ran::of(program(folder).args(words.split(' '))).ok()
}

fn json_of(folder: &Path, words: &str) -> Value {
    serde_json::from_str(&run(folder, &format!("{words} --format json"))).expect("JSON")
}

/// All files of an archive with their contents, without what is temporary.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.join("qassay-archive")];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting
                .extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
            continue;
        }
        let name = path.strip_prefix(folder).expect("below").display().to_string();
        // What can be made again at any time is no part of what is kept.
        if !name.contains("/tmp/") && !name.contains("/stores/") {
            found.insert(name, kept_bytes(&path));
        }
    }
    found
}

#[test]
fn every_status_and_the_second_run_changes_no_byte() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    let words = "kb refresh gold.json --kb small --timeout 1";
    let told = json_of(folder, words);
    let status = |question: &Value| {
        let reason = question["reason"].as_str().unwrap_or("-");
        format!(
            "{}: {} +{} -{} {reason}",
            question["id"].as_str().unwrap_or_default(),
            question["status"].as_str().unwrap_or_default(),
            question["added"],
            question["removed"]
        )
    };
    let statuses: Vec<String> = told["questions"].as_array().expect("questions").iter().map(status).collect();
    assert_eq!(
        statuses,
        [
            "same: same +0 -0 -",
            "text: same +0 -0 -",
            "changed: changed +1 -1 -",
            "empty: empty +0 -1 -",
            "broken: failed +0 -0 no SPARQL 1.1: `}` is not expected here (line 1, column 43)",
            statuses[5].as_str(),
            "tie: undecidable +1 -1 LIMIT 1: 2 rows tie for the last place",
            "silent: no-query +0 -0 -",
        ]
    );
    assert!(statuses[5].starts_with("slow: timed-out +0 -0 "), "{}", statuses[5]);
    assert_eq!((&told["same"], &told["identical"]), (&json!(2), &json!(1)));
    assert_eq!(told["questions"][1]["rules"], json!(["value-untyped"]));
    let first = contents(folder);
    assert_eq!(json_of(folder, words), told);
    assert!(first.len() > 5 && contents(folder) == first, "the second run changes nothing");
    // From the file of what was answered: the same without the knowledge base.
    let key = told["answers"].as_str().expect("an IRI").rsplit('/').next().expect("a key").to_owned();
    assert_eq!(json_of(folder, &format!("kb refresh gold.json --kb {key}")), told);
    assert!(contents(folder) == first, "nor does asking what was answered");
}

#[test]
fn scores_with_refreshed_gold_and_executed_answers() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    let plain = json_of(folder, "evaluate gold.json queries.json -x QA --no-archive");
    let plain = &plain["evaluations"][0];
    assert_eq!(plain["gold"], "curated");
    let issues = plain["issues"].as_array().expect("issues");
    assert!(issues.iter().any(|issue| issue["code"] == "not-executed"), "{issues:?}");
    let both = json_of(folder, "evaluate gold.json queries.json --kb small --gold both --timeout 1");
    let rows = |evaluation: &Value| -> Vec<String> {
        let questions = evaluation["experiments"]["QA"]["questions"].as_array().expect("questions");
        let row = |q: &Value| {
            format!(
                "{} {} {}/{}/{}",
                q["id"].as_str().unwrap_or_default(),
                q["status"].as_str().unwrap_or_default(),
                q["tp"],
                q["fp"],
                q["fn"]
            )
        };
        questions.iter().map(row).collect()
    };
    let [curated, refreshed] = both["evaluations"].as_array().expect("two").as_slice() else { panic!("two") };
    assert_eq!((&curated["gold"], &refreshed["gold"]), (&json!("curated"), &json!("refreshed")));
    assert_ne!(curated["evaluation"], refreshed["evaluation"]);
    assert_ne!(curated["evaluation"], plain["evaluation"], "the answers are other ones");
    assert_eq!(
        rows(curated),
        [
            "same answered 2/0/0",
            "text answered 1/0/0",
            "changed answered 2/0/0",
            "empty empty 0/0/1",
            "broken error 0/0/1",
            "slow timeout 0/0/1",
            "tie answered 0/1/1",
            "silent empty 0/0/1",
        ]
    );
    assert_eq!(rows(refreshed)[2], "changed answered 1/1/1", "its own answers stay: a and z, not a and b");
    assert_eq!(rows(refreshed)[3], "empty empty 0/0/0");
    assert_eq!(rows(refreshed)[4], "tie answered 1/0/0", "either of both is right");
    assert_eq!(rows(refreshed)[5..], rows(curated)[7..], "what is not decided is not scored");
    assert_eq!(refreshed["executed"]["queries"], 6);
    assert_eq!(refreshed["executed"]["failed"], 2);
    let table =
        run(folder, "evaluate gold.json queries.json --kb small --gold both --timeout 1 -x QA --no-archive");
    assert!(table.contains("Scores that move with the gold answers"), "{table}");
    let verified = json_of(folder, "verify");
    assert_eq!(verified["ok"], true, "{verified:#}");
    let key = refreshed["evaluation"].as_str().expect("an IRI").rsplit('/').next().expect("a key").to_owned();
    let explained = run(folder, &format!("explain {key} slow"));
    assert!(explained.contains("timed out"), "{explained}");
    // Repeated from what was answered: the same evaluation.
    let answers = refreshed["goldAnswers"]["answers"].as_str().expect("an IRI").to_owned();
    fs::write(folder.join("own.json"), gold().to_string().replace("http://e/z", "http://e/b"))
        .expect("a file");
    let live = json_of(folder, "evaluate gold.json own.json --kb small --gold refreshed --timeout 1");
    let offline = json_of(folder, &format!("evaluate gold.json own.json --kb {answers} --gold refreshed"));
    assert_eq!(live["evaluations"][0]["evaluation"], offline["evaluations"][0]["evaluation"]);
    assert_eq!(live["evaluations"][0]["experiments"], offline["evaluations"][0]["experiments"]);
}

#[test]
fn a_submission_is_filled() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    run(folder, "kb run queries.json --kb small --timeout 1 --output filled.json --to qald-json");
    let filled: Value =
        serde_json::from_slice(&fs::read(folder.join("filled.json")).expect("a file")).expect("JSON");
    let answers = |id: usize| filled["questions"][id]["answers"].to_string();
    assert!(answers(0).contains("http://e/b") && answers(0).contains("http://e/c"), "{}", answers(0));
    assert!(answers(1).contains("\"boolean\":true"), "{}", answers(1));
    assert!(answers(2).contains("http://e/z"), "its own answer: {}", answers(2));
    let ran = Ran::of(program(folder).args(["kb", "run", "gold.json", "--kb", "small"]));
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    let ran = Ran::of(program(folder).args(["evaluate", "gold.json", "queries.json", "--gold", "refreshed"]));
    assert!(ran.code == Some(2) && ran.stderr.contains("--kb NAME"), "{}", ran.stderr);
}

/// The statements of the gold graph about each question, without the name of what they were derived from.
fn gold_graph(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, content) in contents(folder) {
        let text = String::from_utf8_lossy(&content);
        if !name.contains("/graphs/") || !text.contains("#refreshStatus>") {
            continue;
        }
        for line in text.lines().filter(|line| !line.contains("/answers/")) {
            let subject =
                line.split("/gold/").next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
            found.entry(subject.to_owned()).or_default().insert(line.to_owned());
        }
    }
    found
}

#[test]
fn one_triple_changes_what_it_affects_and_nothing_else() {
    let (one, two) = (folder(TURTLE), folder(&TURTLE.replace(":c :size 4", ":c :size 5")));
    let evaluation = |folder: &Path| {
        // Without the endless query, whose time limit names the graphs after what was answered.
        let text = gold().to_string().replace(&endless(), "ASK {}");
        fs::write(folder.join("gold.json"), &text).expect("a file");
        fs::write(folder.join("own.json"), text.replace("http://e/z", "http://e/b")).expect("a file");
        let told = json_of(folder, "evaluate gold.json own.json --kb small --gold refreshed");
        told["evaluations"][0]["evaluation"].as_str().expect("an IRI").to_owned()
    };
    assert_ne!(evaluation(one.path()), evaluation(two.path()));
    let (before, after) = (gold_graph(one.path()), gold_graph(two.path()));
    assert_eq!(before.len(), 8);
    let changed: Vec<&String> = before.keys().filter(|key| before[*key] != after[*key]).collect();
    // Three rows tie in place of two.
    assert_eq!(changed, ["changed", "tie"]);
    // The files: dumps, answers, records of both, graphs of gold, scores, matches and provenance. Nothing of the dataset or
    // of the submission.
    let (before, after) = (contents(one.path()), contents(two.path()));
    let differ = |name: &&String| before.get(*name) != after.get(*name);
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).filter(differ).collect();
    let kinds: BTreeSet<&str> = names
        .iter()
        .filter_map(|name| name.split("/records/").nth(1))
        .filter_map(|rest| rest.split('/').next())
        .collect();
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["answers", "execution", "gold", "kb"]);
}

#[test]
fn where_no_score_moves_a_sentence_says_so() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    let mut gold = gold();
    let questions = gold["questions"].as_array_mut().expect("questions");
    questions.retain(|question| question["id"] == "same");
    fs::write(folder.join("one.json"), gold.to_string()).expect("a file");
    let evaluate = "evaluate one.json one.json --kb small --gold both -x QA --no-archive";
    for format in ["table", "markdown"] {
        let printed = run(folder, &format!("{evaluate} --format {format}"));
        assert!(printed.ends_with("\nNo score moves with the gold answers.\n"), "{printed}");
        assert!(!printed.contains("Scores that move"), "{printed}");
    }
    let printed = run(folder, &format!("{evaluate} --format latex"));
    assert!(printed.ends_with("\n% No score moves with the gold answers.\n"), "{printed}");
}

/// An export has the answers and the knowledge base that gave them: it verifies where nothing else is.
#[test]
fn an_evaluation_with_a_knowledge_base_is_exported_whole() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    let told = json_of(folder, "evaluate gold.json queries.json --kb small --gold both --timeout 1");
    for (number, evaluation) in told["evaluations"].as_array().expect("two").iter().enumerate() {
        let iri = evaluation["evaluation"].as_str().expect("an IRI");
        let key = iri.rsplit('/').next().expect("a key");
        run(folder, &format!("export {key} {number}.tar.gz"));
        let verified = json_of(folder, &format!("verify {number}.tar.gz"));
        assert_eq!(verified["ok"], true, "{verified:#}");
        assert_eq!(verified["evaluations"][0]["result"], "same", "{verified:#}");
        assert_eq!(verified["evaluations"][0]["asked"].as_array().map(Vec::len), Some(number + 1));
    }
}

/// What the data do not decide is told where it counts, and no difference where it is answered again.
#[test]
fn a_query_that_the_data_do_not_decide_is_told() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    let submission = json!({ "questions": [
        { "id": "same", "query": { "sparql": "SELECT ?x { ?x ?p ?o } ORDER BY RAND() LIMIT 1" } },
        { "id": "tie", "query": { "sparql": "SELECT (NOW() AS ?x) {}" } },
        { "id": "text", "query": { "sparql": "ASK { ?s ?p ?o }" } },
    ] });
    fs::write(folder.join("chance.json"), submission.to_string()).expect("a file");
    let told = json_of(folder, "evaluate gold.json chance.json --kb small");
    let issues = told["evaluations"][0]["issues"].as_array().expect("issues");
    let undecided = issues.iter().filter(|issue| issue["code"] == "answers-undecided");
    let questions: Vec<&str> = undecided.filter_map(|issue| issue["question"].as_str()).collect();
    assert_eq!(questions, ["same", "tie"], "{issues:#?}");
    let verified = json_of(folder, "verify");
    assert_eq!(verified["ok"], true, "{verified:#}");
    let notes = verified["evaluations"][0]["notes"].to_string();
    assert!(
        notes.contains("the data do not decide them, which is no difference: ") && notes.contains("tie"),
        "{notes}"
    );
}

/// `AVG` of IRIs has a row that binds nothing: no answer, in every format.
#[test]
fn a_row_that_binds_nothing_answers_nothing() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    let question = |id: &str, query: &str| json!({ "id": id, "query": { "sparql": format!("PREFIX : <http://e/> {query}") } });
    let questions = json!({ "questions": [
        question("average", "SELECT (AVG(?x) AS ?y) { ?s :in ?x }"),
        question("optional", "SELECT ?y { ?s :size ?n OPTIONAL { ?s :in ?y } }"),
        question("nothing", "SELECT * {}"),
    ] });
    fs::write(folder.join("rows.json"), questions.to_string()).expect("a file");
    for (format, ending) in [("qald-json", "json"), ("rdf", "ttl"), ("csv", "csv"), ("qald-xml", "xml")] {
        run(folder, &format!("kb run rows.json --kb small --output filled.{ending} --to {format}"));
    }
    let filled: Value =
        serde_json::from_slice(&fs::read(folder.join("filled.json")).expect("a file")).expect("JSON");
    let rows = |place: usize| {
        let rows = filled["questions"][place]["answers"][0]["results"]["bindings"].as_array();
        rows.map_or(0, Vec::len)
    };
    assert_eq!([rows(0), rows(1), rows(2)], [0, 2, 0], "{filled:#}");
}

/// What was answered is part of an evaluation: its record may not be lost.
#[test]
fn a_lost_record_of_answers_is_missed() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    run(folder, "evaluate gold.json gold.json --kb small --gold refreshed --timeout 1");
    let records = folder.join("qassay-archive/records/answers");
    for entry in fs::read_dir(&records).expect("records") {
        fs::remove_file(entry.expect("an entry").path()).expect("a record");
    }
    let verified = Ran::of(program(folder).arg("verify"));
    assert_eq!(verified.code, Some(1), "{}", verified.stdout);
    assert!(verified.stdout.contains("is not here"), "{}", verified.stdout);
}

/// A word after `--kb` that names nothing is a mistake also where nobody has to be asked.
#[test]
fn an_unknown_knowledge_base_is_refused() {
    let folder = folder(TURTLE);
    let ran = Ran::of(program(folder.path()).args(["evaluate", "gold.json", "gold.json", "--kb", "nosuch"]));
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("there is no knowledge base `nosuch`"), "{}", ran.stderr);
}

/// An executed answer has no response time of its own: that of the system's answer counts, beside those that stay.
#[test]
fn response_times_of_executed_answers_are_those_of_the_file() {
    let folder = folder(TURTLE);
    let folder = folder.path();
    let mut timed = queries();
    for (seconds, question) in timed["questions"].as_array_mut().expect("questions").iter_mut().enumerate() {
        question["responseTime"] = json!(seconds);
    }
    fs::write(folder.join("timed.json"), timed.to_string()).expect("a file");
    let told = json_of(folder, "evaluate gold.json timed.json --kb small --timeout 1 -x QA --profile qassay");
    let measures = &told["evaluations"][0]["experiments"]["QA"]["measures"];
    assert_eq!(measures["meanResponseTime"], 3.5, "eight answers, 0 to 7 seconds");
    run(folder, "verify");
}
