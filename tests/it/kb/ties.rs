//! Gold queries whose LIMIT takes some of several rows that tie: every answer that the ties allow is right in the default
//! profile, and in no other; and gold that is not decided at all is not scored.

use std::fs;
use std::path::Path;

use crate::common::{Ran, program, qassay};
use serde_json::{Value, json};

/// Six towns in three sizes: f is the largest; a and b tie, and so do c and d.
const TURTLE: &str =
    "@prefix : <http://e/> . :a :size 5 ; :in :x . :b :size 5 ; :in :x . :c :size 4 ; :in :y .
    :d :size 4 ; :in :y . :e :size 1 ; :in :y . :f :size 9 . :x :name 'X' . :y :name 'Y' .\n";

const BY_SIZE: &str = "SELECT ?x { ?x :size ?n } ORDER BY DESC(?n)";

fn question(id: &str, query: &str, answers: &[&str]) -> Value {
    let row = |name: &&str| json!({ "x": { "type": "uri", "value": format!("http://e/{name}") } });
    let rows: Vec<Value> = answers.iter().map(row).collect();
    json!({
        "id": id,
        "question": [{ "language": "en", "string": format!("{id}?") }],
        "query": { "sparql": format!("PREFIX : <http://e/> {query}") },
        "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": rows } }],
    })
}

fn file(questions: &[Value]) -> String {
    json!({ "dataset": { "id": "towns" }, "questions": questions }).to_string()
}

/// A folder with a gold file, a submission, and an archive that has the knowledge base.
fn folder(gold: &[Value], answers: &[Value]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).expect("a file");
    write("kb.ttl", TURTLE.to_owned());
    write("gold.json", file(gold));
    write("system.json", file(answers));
    qassay(folder.path(), ["kb", "add", "towns", "--version", "1", "kb.ttl"]).ok();
    folder
}

fn run(folder: &Path, words: &str) -> String {
    Ran::of(program(folder).args(words.split(' '))).ok()
}

fn json_of(folder: &Path, words: &str) -> Value {
    serde_json::from_str(&run(folder, &format!("{words} --format json"))).expect("JSON")
}

const EVALUATE: &str = "evaluate gold.json system.json --kb towns --gold refreshed --timeout 2 -x QA";

/// Each question with its counts.
fn counts(evaluation: &Value) -> Vec<String> {
    let questions = evaluation["experiments"]["QA"]["questions"].as_array().expect("questions");
    let one =
        |q: &Value| format!("{} {}/{}/{}", q["id"].as_str().unwrap_or_default(), q["tp"], q["fp"], q["fn"]);
    questions.iter().map(one).collect()
}

/// Each question that is not scored, with the reason.
fn skipped(evaluation: &Value) -> Vec<String> {
    let skipped = evaluation["experiments"]["QA"]["skippedQuestions"].as_array().cloned().unwrap_or_default();
    let one = |q: &Value| {
        format!(
            "{} {}",
            q["id"].as_str().unwrap_or_default(),
            q["code"].as_str().unwrap_or_default().trim_start_matches("skip-")
        )
    };
    skipped.iter().map(one).collect()
}

fn verified(folder: &Path) {
    let told = json_of(folder, "verify");
    assert_eq!(told["ok"], true, "{told:#}");
}

/// The answers of a system to one query, as counts.
#[track_caller]
fn holds(query: &str, cases: &[(&[&str], &str)]) {
    let gold: Vec<Value> =
        (0..cases.len()).map(|number| question(&number.to_string(), query, &["a"])).collect();
    let system: Vec<Value> = cases
        .iter()
        .enumerate()
        .map(|(number, (answers, _))| {
            let mut question = question(&number.to_string(), query, answers);
            question.as_object_mut().expect("an object").remove("query");
            question
        })
        .collect();
    let folder = folder(&gold, &system);
    let told = json_of(folder.path(), EVALUATE);
    let expected: Vec<String> =
        cases.iter().enumerate().map(|(number, (_, counts))| format!("{number} {counts}")).collect();
    assert_eq!(counts(&told["evaluations"][0]), expected, "{query}");
    verified(folder.path());
}

#[test]
fn every_answer_that_the_ties_allow_is_right() {
    // f is sure, and one of a and b
    holds(
        &format!("{BY_SIZE} LIMIT 2"),
        &[
            (&["f", "a"], "2/0/0"),
            (&["f", "b"], "2/0/0"),
            (&["f", "a", "b"], "2/1/0"),
            (&["a", "b"], "1/1/1"),
            (&["f"], "1/0/1"),
            (&["f", "c"], "1/1/1"),
            (&["c"], "0/1/2"),
        ],
    );
}

#[test]
fn ties_at_offset_and_at_both_ends() {
    // one of a and b, and one of c and d
    holds(
        &format!("{BY_SIZE} LIMIT 2 OFFSET 2"),
        &[
            (&["a", "d"], "2/0/0"),
            (&["b", "c"], "2/0/0"),
            (&["a", "b"], "1/1/1"),
            (&["a", "b", "c", "d"], "2/2/0"),
            (&["e"], "0/1/2"),
        ],
    );
    holds(&format!("{BY_SIZE} OFFSET 2"), &[(&["b", "c", "d", "e"], "4/0/0"), (&["c", "d", "e"], "3/0/1")]);
}

#[test]
fn without_an_order_any_rows_are_right() {
    holds(
        "SELECT ?x { ?x :in :y } LIMIT 2",
        &[
            (&["c", "e"], "2/0/0"),
            (&["d", "e"], "2/0/0"),
            (&["c", "d", "e"], "2/1/0"),
            (&["e"], "1/0/1"),
            (&["a"], "0/1/2"),
        ],
    );
    holds(
        "SELECT DISTINCT ?y { ?x :in ?y } LIMIT 1",
        &[(&["x"], "1/0/0"), (&["y"], "1/0/0"), (&["x", "y"], "1/1/0")],
    );
    // five rows that are x or y: one of both is enough, and both are right
    holds(
        "SELECT ?y { ?x :in ?y } LIMIT 2",
        &[(&["x"], "1/0/0"), (&["y"], "1/0/0"), (&["x", "y"], "2/0/0"), (&["a"], "0/1/1")],
    );
}

/// Gold queries as a submission, in whatever order the store has: all are right, and are so by another order.
#[test]
fn a_gold_query_as_submission_is_right() {
    let queries = [
        ("first", format!("{BY_SIZE} LIMIT 2")),
        ("both", format!("{BY_SIZE} LIMIT 2 OFFSET 2")),
        ("any", "SELECT ?x { ?x :in :y } LIMIT 2".to_owned()),
        ("columns", "SELECT ?x ?y ?n { ?x :in ?y ; :size ?n } LIMIT 3".to_owned()),
        ("pairs", "SELECT ?x ?z { ?x :in ?y . ?z :in ?y FILTER(?x != ?z) } ORDER BY ?y LIMIT 4".to_owned()),
        ("counts", "SELECT ?y (COUNT(?x) AS ?n) { ?x :in ?y } GROUP BY ?y LIMIT 1".to_owned()),
    ];
    let gold: Vec<Value> = queries.iter().map(|(id, query)| question(id, query, &["a"])).collect();
    // The other end of the same ties: what else a store could give.
    let other = |query: &str| match query.split_once(" LIMIT") {
        Some((before, rest)) if before.contains("ORDER BY") => format!("{before} DESC(?x) LIMIT{rest}"),
        Some((before, rest)) => format!(
            "{before} ORDER BY DESC(?{}) LIMIT{rest}",
            if before.contains("COUNT") { "y" } else { "x" }
        ),
        None => query.to_owned(),
    };
    let turned: Vec<Value> = queries.iter().map(|(id, query)| question(id, &other(query), &[])).collect();
    let asked = |questions: &[Value]| -> Vec<Value> {
        let mut asked = questions.to_vec();
        for question in &mut asked {
            question.as_object_mut().expect("an object").remove("answers");
        }
        asked
    };
    for submission in [asked(&gold), asked(&turned)] {
        let folder = folder(&gold, &submission);
        let told = json_of(folder.path(), EVALUATE);
        let evaluation = &told["evaluations"][0];
        assert_eq!(skipped(evaluation), Vec::<String>::new());
        let measures = &evaluation["experiments"]["QA"]["measures"];
        assert_eq!(
            (&measures["macroF1"], &measures["microF1"]),
            (&json!(1), &json!(1)),
            "{:#?}",
            counts(evaluation)
        );
        assert_eq!(evaluation["goldAnswers"]["counts"]["tied"], 6);
        verified(folder.path());
    }
}

/// The record shows which rows are sure and which tie; `explain` says it in words; from the archive as from a computation.
#[test]
fn ties_are_shown() {
    let gold = [
        question("tie", &format!("{BY_SIZE} LIMIT 4"), &["a"]),
        question("other", "SELECT ?x { ?x :size 9 }", &["f"]),
    ];
    let folder =
        folder(&gold, &[question("tie", "ASK {}", &["d", "f", "a"]), question("other", "ASK {}", &["f"])]);
    let folder = folder.path();
    let told = json_of(folder, EVALUATE);
    let evaluation = &told["evaluations"][0];
    assert_eq!(counts(evaluation), ["tie 3/0/1", "other 1/0/0"]);
    let key = evaluation["evaluation"].as_str().and_then(|iri| iri.rsplit('/').next()).expect("a key");
    let explained = run(folder, &format!("explain {key} tie"));
    insta::assert_snapshot!(section(&explained, "any "), @r"
    any 1 of these 2 tied rows is right
      http://e/d  (counts: given)
      http://e/c
    ");
    let told = json_of(folder, &format!("explain {key} tie"));
    assert_eq!(told["missed"], json!([{ "term": "<http://e/b>", "votes": [] }]), "{told:#}");
    assert_eq!(
        told["ties"],
        json!([{ "wanted": 1, "rows": [
            { "terms": ["<http://e/c>"], "counted": false }, { "terms": ["<http://e/d>"], "counted": true },
        ] }])
    );
    assert!(!run(folder, &format!("explain {key} other")).contains("tied rows"));
    fs::write(
        folder.join("ties.rq"),
        "SELECT ?status ?sure ?wanted ?row ?term ?counted { ?gold qassay:refreshStatus ?status ; qassay:tiedRows ?group .
         { SELECT ?gold (COUNT(?s) AS ?sure) { ?gold qassay:sureTerm ?s } GROUP BY ?gold }
         ?group qassay:wantedRows ?wanted . ?row qassay:inTiedRows ?group ; qassay:tiedTerm ?term .
         BIND(EXISTS { ?observation qassay:countedRow ?row } AS ?counted) } ORDER BY ?row",
    )
    .expect("a file");
    let rows = run(folder, "query ties.rq --format csv");
    let rows: Vec<Vec<&str>> = rows.lines().skip(1).map(|line| line.trim().split(',').collect()).collect();
    let [c, d] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        (c[0], &c[1..3], c[4], c[5]),
        ("https://w3id.org/qassay/code#refresh-tied", &["3", "1"][..], "http://e/c", "false")
    );
    assert!(c[3].ends_with("/q/tie/gold/towns-1~ties/tied/1/1"), "{}", c[3]);
    assert_eq!((d[4], d[5]), ("http://e/d", "true"));
    verified(folder);
}

/// From a line that begins so to the next empty one.
fn section(text: &str, beginning: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with(beginning));
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Without the choice a tie is not decided, and the gold of other profiles is what it was, whoever is asked beside them.
#[test]
fn only_the_default_profile_is_told() {
    let gold = [
        question("tie", &format!("{BY_SIZE} LIMIT 2"), &["z"]),
        question("sure", "SELECT ?x { ?x :size 9 }", &["f"]),
    ];
    let folder = folder(&gold, &[question("tie", "ASK {}", &["z"]), question("sure", "ASK {}", &["f"])]);
    let folder = folder.path();
    let told = json_of(folder, &format!("{EVALUATE} --profile gerbil,qassay"));
    let [gerbil, ours] = told["evaluations"].as_array().expect("two").as_slice() else { panic!("two") };
    assert_eq!(counts(gerbil), ["tie 1/0/0", "sure 1/0/0"], "the curated answer stays");
    assert_eq!(counts(ours), ["tie 0/1/2", "sure 1/0/0"]);
    let gold = |evaluation: &Value| evaluation["goldAnswers"]["gold"].as_str().expect("an IRI").to_owned();
    assert_eq!(gold(ours), format!("{}~ties", gold(gerbil)));
    verified(folder);
    // Alone it is the same evaluation, of the same answers.
    let alone = json_of(folder, &format!("{EVALUATE} --profile gerbil --no-archive"));
    for what in ["evaluation", "goldAnswers", "experiments"] {
        assert_eq!(alone["evaluations"][0][what], gerbil[what], "{what}");
    }
}

/// What is not decided is not scored, with the reason, and counted in the report; never is it an empty answer.
#[test]
fn undecided_gold_is_not_scored() {
    let values: Vec<String> = (0..9).map(|n| format!("VALUES ?v{n} {{ 0 1 2 3 4 5 6 7 8 9 }}")).collect();
    let endless = format!("SELECT (COUNT(*) AS ?n) {{ {} }}", values.join(" "));
    let many = format!("SELECT * {{ {} }} LIMIT 3", values[..5].join(" "));
    let gold = [
        question("sure", "SELECT ?x { ?x :size 9 }", &["f"]),
        question("empty", "SELECT ?x { ?x :size 7 }", &["f"]),
        question("broken", "SELECT ?x { ?x :size }", &["a"]),
        question("slow", &endless, &["a"]),
        question("service", "SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x :size 9 } }", &["a"]),
        question("nested", "SELECT ?x { { SELECT ?y { ?x :in ?y } LIMIT 1 } ?x :in ?y }", &["a"]),
        question("random", &format!("{BY_SIZE} RAND() LIMIT 2"), &["a"]),
        question("many", &many, &["a"]),
        question("tie", &format!("{BY_SIZE} LIMIT 2"), &["a"]),
        question("words", "", &["a"]),
    ];
    let mut silent = gold.clone();
    for question in &mut silent {
        // A query would be run.
        question.as_object_mut().expect("an object").remove("query");
        question["answers"][0]["results"]["bindings"] = json!([]);
    }
    let folder = folder(&gold, &silent);
    let folder = folder.path();
    let undecided = [
        "broken gold-query-failed",
        "slow gold-query-timed-out",
        "service gold-query-failed",
        "nested gold-undecided",
        "random gold-undecided",
        "many gold-undecided",
    ];
    let told = json_of(folder, EVALUATE);
    let evaluation = &told["evaluations"][0];
    assert_eq!(skipped(evaluation), [&undecided[..], &["words gold-query-failed"]].concat());
    // An answer of nothing is right where nothing is, and nowhere else.
    assert_eq!(counts(evaluation), ["sure 0/0/1", "empty 0/0/0", "tie 0/0/2"]);
    let reason = |id: &str| {
        let questions = evaluation["goldAnswers"]["questions"].as_array().expect("questions");
        let found = questions.iter().find(|question| question["id"] == id).expect("a question");
        found["reason"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(reason("many"), "LIMIT 3: 100000 rows tie, more than the 10000 of which qassay keeps all");
    assert!(reason("service").contains("SERVICE"), "{}", reason("service"));
    assert!(reason("broken").starts_with("no SPARQL 1.1"), "{}", reason("broken"));
    let table = run(folder, &format!("{EVALUATE} --no-archive"));
    for reason in [
        "3 questions: the gold query gives no answers on the knowledge base",
        "1 question: the gold query was stopped at the time limit",
        "3 questions: the data do not decide what the gold query answers",
    ] {
        assert!(table.contains(reason), "{reason}: {table}");
    }
    verified(folder);
}
