//! The pilot task of CLEF 2004 through the program: confidences by every route, NIL, repeated answers, question types as
//! groups, assessments in place of matching. All numbers are computed by hand.

use std::fs;
use std::path::Path;

use crate::common::in_process::Program;
use crate::common::{Ran, files_below, kept_text, qassay};
use proptest::prelude::*;
use qassay::references::ReferenceKind;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Four questions: two answers, one, one, none.
const GOLD: &str = "id,question,questiontype,answer\n\
    1,Which?,list,a\n1,Which?,list,b\n2,Who?,factoid,c\n3,What?,factoid,d\n4,When?,,NIL\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("gold.csv"), GOLD).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn evaluate(folder: &Path, answers: &str, more: &[&str]) -> Ran {
    let first = ["evaluate", "gold.csv", answers, "--profile", "clef-2004", "--archive", "archive"];
    qassay(folder, first.iter().chain(more))
}

fn json(folder: &Path, answers: &str, more: &[&str]) -> Value {
    let more: Vec<&str> = more.iter().copied().chain(["--format", "json"]).collect();
    evaluate(folder, answers, &more).json()["evaluations"][0].take()
}

/// Measures of all questions of a run in CSV.
fn measures(run: &str) -> Value {
    let folder = folder(&[("run.csv", run)]);
    json(folder.path(), "run.csv", &[])["experiments"]["QA"]["measures"].take()
}

#[track_caller]
fn assert_measures(found: &Value, expected: &[(&str, Value)]) {
    for (name, value) in expected {
        assert_eq!(found[*name], *value, "{name}");
    }
}

#[test]
fn a_perfect_score_function() {
    // Right answers with 1, wrong ones with 0: r = 1, K1 = correct/questions, CWS = (1 + 1 + 1 + 3/4)/4.
    let found = measures("id,answer,confidence\n1,a,1\n2,x,0\n3,d,1\n4,nil,1\n");
    assert_measures(
        &found,
        &[
            ("selfScoreCorrelation", json!(1)),
            ("k1Measure", json!(0.75)),
            ("accuracy", json!(0.75)),
            ("confidenceWeightedScore", json!(0.9375)),
            // 1/2 for the list of two, 0, 1, 1.
            ("kMeasure", json!(0.625)),
            ("brierScore", json!(0)),
            ("expectedCalibrationError", json!(0)),
        ],
    );
}

#[test]
fn a_system_that_is_never_sure() {
    let found = measures("id,answer,confidence\n1,a,0\n2,x,0\n3,d,0\n4,x,0\n");
    assert_measures(
        &found,
        &[
            ("kMeasure", json!(0)),
            ("k1Measure", json!(0)),
            ("selfScoreCorrelation", Value::Null),
            ("confidenceWeightedScore", Value::Null),
            ("accuracy", json!(0.5)),
        ],
    );
}

#[test]
fn a_system_that_knows_nothing() {
    let found = measures("id,answer,confidence\n1,NIL,1\n2,NIL,1\n3,NIL,1\n4,NIL,1\n");
    assert_measures(
        &found,
        &[
            // −1/2 for the list of two, −1, −1, 1; without R: (−3 + 1)/4.
            ("kMeasure", json!(-0.375)),
            ("k1Measure", json!(-0.5)),
            ("accuracy", json!(0.25)),
            ("givenAnswerCount", json!(4)),
            ("distinctGoldCount", json!(5)),
            // As sets, NIL is no item: only the question without an answer is right.
            ("macroF1", json!(0.25)),
            ("emptyCount", json!(0)),
        ],
    );
}

#[test]
fn several_and_repeated_answers() {
    let found = measures(
        "id,answer,confidence\n1,a,0.8\n1, A ,0.4\n1,a,0.6\n1,b,0.2\n1,x,0.5\n2,c,0.9\n2,c,0.9\n3,y,0.3\n",
    );
    assert_measures(
        &found,
        &[
            ("givenAnswerCount", json!(8)),
            ("correctAnswerCount", json!(3)),
            ("questionsWithCorrectCount", json!(2)),
            ("answerPrecision", json!(0.375)),
            ("answerRecall", json!(0.6)),
            // (0.8 − 0.4 + 0 + 0.2 − 0.5)/5 = 0.02; 0.9/2; −0.3; nothing given: 0; the mean of four.
            ("kMeasure", json!(0.0425)),
            ("k1Measure", Value::Null),
        ],
    );
}

/// A system below and above 0.218 with 200 questions: it takes more than 43 right ones.
#[test]
fn the_threshold_of_43() {
    let lines = |of: &dyn Fn(u32) -> String| (1..=200).map(of).collect::<Vec<_>>().join("\n");
    let gold = lines(&|id| format!("{id},right"));
    let run = |right: u32| lines(&|id| format!("{id},{}", if id <= right { "right,1" } else { "wrong,0" }));
    for (right, k1) in [(43, json!(0.215)), (44, json!(0.22))] {
        let folder = folder(&[("run.csv", &format!("id,answer,confidence\n{}", run(right)))]);
        fs::write(folder.path().join("gold.csv"), format!("id,answer\n{gold}")).unwrap();
        let found = json(folder.path(), "run.csv", &[]);
        let found = &found["experiments"]["QA"]["measures"];
        assert_measures(found, &[("k1Measure", k1), ("selfScoreCorrelation", json!(1))]);
    }
}

/// A file of an archive.
fn read(folder: &Path, below: &Path) -> String {
    kept_text(&folder.join("archive/graphs").join(below))
}

/// The run of all routes: 1: a 0.9, x 0.4; 2: c 0.5; 4: NIL 0.7.
const ROUTES: &str = "id,answer,confidence\n1,a,0.9\n1,x,0.4\n2,c,0.5\n4,NIL,0.7\n";

/// (0.5/2 + 0.5 + 0 + 0.7)/4.
const K_OF_ROUTES: f64 = 0.3625;

fn eqald() -> String {
    let answer = |value: &str, confidence: &str| {
        json!({
            "head": { "vars": ["x"] },
            "results": { "bindings": [{ "x": { "type": "literal", "value": value } }] },
            "confidence": confidence,
        })
    };
    let question = |id: &str, answers: Vec<Value>| json!({ "question": { "id": id, "answers": answers } });
    let nothing = json!({ "head": { "vars": ["x"] }, "results": { "bindings": [] }, "confidence": "0.7" });
    json!({ "dataset": { "id": "clef" }, "questions": [
        question("1", vec![answer("a", "0.9"), answer("x", "0.4")]),
        question("2", vec![answer("c", "0.5")]),
        question("4", vec![nothing]),
    ] })
    .to_string()
}

#[test]
fn confidences_of_csv_eqald_and_rdf() {
    let folder = folder(&[("run.csv", ROUTES), ("run.json", &eqald())]);
    let here = folder.path();
    let k = |file: &str, more: &[&str]| {
        let found = json(here, file, more);
        found["experiments"]["QA"]["measures"]["kMeasure"].as_f64()
    };
    assert_eq!(k("run.csv", &[]), Some(K_OF_ROUTES));
    assert_eq!(k("run.json", &["--system", "eqald"]), Some(K_OF_ROUTES));
    // Published RDF: the graph of the submission in CSV, with item nodes for answers with a confidence.
    let graphs = files_below(&here.join("archive/graphs"));
    let texts = graphs.iter().map(|path| read(here, path));
    let submission = texts.into_iter().find(|text| {
        text.contains("/submission/")
            && text.contains("ns#SystemAnswer>")
            && text.contains("\"x\"")
            && !text.contains("ns#Evaluation>")
            && text.contains("\"NIL\"")
    });
    fs::write(here.join("run.nq"), submission.unwrap()).unwrap();
    assert_eq!(k("run.nq", &["--system", "rdf"]), Some(K_OF_ROUTES));
    assert_eq!(qassay(here, ["verify", "--archive", "archive"]).code, Some(0));
}

#[test]
fn confidences_that_are_missing_or_odd() {
    for (run, issue, line) in [
        ("id,answer\n1,a\n2,c\n", "2 of 2 answers have no confidence", ""),
        ("id,answer,confidence\n1,a,0.5\n2,c,\n", "1 of 2 answers have no confidence", ""),
        (
            "id,answer,confidence\n1,a,0.5\n2,c,1.2\n",
            "the confidence 1.2 of the answer \"c\" is no number from 0 to 1",
            "line 3",
        ),
        ("id,answer,confidence\n1,a,0.5\n2,c,-1\n", "the confidence -1 of the answer \"c\"", "question 2"),
        ("id,answer,confidence\n1,a,0.5\n2,c,sure\n", "the confidence `sure` is no number", "line 3"),
    ] {
        let folder = folder(&[("run.csv", run)]);
        let found = json(folder.path(), "run.csv", &[]);
        let found = &found["experiments"]["QA"]["measures"];
        assert_measures(found, &[("kMeasure", Value::Null), ("k1Measure", Value::Null)]);
        assert_eq!(found["accuracy"], json!(0.5), "{run}");
        let printed = evaluate(folder.path(), "run.csv", &["--issues"]).ok();
        let told = printed.lines().find(|text| text.contains(issue)).unwrap_or_else(|| panic!("{printed}"));
        assert!(told.contains(line), "{told}");
        // N/A is a dash in tables.
        assert!(printed.lines().any(|text| text.starts_with("run ") && text.contains(" -")), "{printed}");
    }
}

#[test]
fn question_types_are_groups_in_all_formats() {
    let folder = folder(&[("run.csv", ROUTES)]);
    let here = folder.path();
    insta::assert_snapshot!(evaluate(here, "run.csv", &["--groups", "--format", "csv"]).ok(), @"
    system,profile,experiment,group,questionCount,distinctGoldCount,givenAnswerCount,questionsWithCorrectCount,accuracy,correctAnswerCount,answerRecall,answerPrecision,kMeasure,selfScoreCorrelation
    run,clef-2004,QA,all,4,5,4,3,0.75,3,0.6,0.75,0.3625,0.676481425203
    run,clef-2004,QA,questiontype-factoid,2,2,1,1,0.5,1,0.5,1,0.25,
    run,clef-2004,QA,questiontype-list,1,2,2,1,1,1,0.5,0.5,0.25,1
    run,clef-2004,QA,questiontype-untyped,1,1,1,1,1,1,1,1,0.7,
    ");
    for format in ["table", "markdown", "latex", "csv"] {
        let printed = evaluate(here, "run.csv", &["--groups", "--format", format]).ok();
        for group in ["questiontype-factoid", "questiontype-list", "questiontype-untyped"] {
            assert!(printed.contains(group), "{format}: {printed}");
        }
    }
    let groups = json(here, "run.csv", &[])["experiments"]["QA"]["groups"].take();
    assert_eq!(groups["questiontype-list"]["kMeasure"], json!(0.25));
    assert_eq!(groups["questiontype-untyped"]["accuracy"], json!(1));
    // The groups partition the questions.
    let sizes = groups.as_object().unwrap().values().map(|group| group["questionCount"].as_u64().unwrap());
    assert_eq!(sizes.sum::<u64>(), 4);
}

#[test]
fn a_file_of_question_types_takes_the_place_of_those_of_the_dataset() {
    let types = "question;type\n1;Temporal by date\n2;temporal-by-date\n3;\n";
    let folder = folder(&[("run.csv", ROUTES), ("types.csv", types)]);
    let here = folder.path();
    let found = json(here, "run.csv", &["--question-types", "types.csv", "--groups"]);
    let groups = &found["experiments"]["QA"]["groups"];
    assert_eq!(groups["questiontype-temporal-by-date"]["questionCount"], json!(2));
    assert_eq!(groups["questiontype-untyped"]["questionCount"], json!(2));
    assert_eq!(groups["questiontype-list"], Value::Null);
    assert_eq!(found["questionTypes"].as_array().unwrap().len(), 1);
    // Other files, another evaluation; both are the same again.
    assert_ne!(found["evaluation"], json(here, "run.csv", &[])["evaluation"]);
    let verified = qassay(here, ["verify", "--archive", "archive"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
    // The group of an open scheme is described beside the scores, with its name as written.
    let graphs = files_below(&here.join("archive/graphs"));
    let described = "<https://w3id.org/qassay/code#group-questiontype-temporal-by-date> \
         <http://www.w3.org/2004/02/skos/core#prefLabel> \"Temporal by date\"";
    assert!(graphs.iter().any(|path| read(here, path).contains(described)));
}

/// Types in other formats than CSV.
#[test]
fn question_types_of_json_and_xml() {
    let qald = json!({ "dataset": { "id": "t" }, "questions": [
        { "id": "1", "questionType": "list", "answers": [] }, { "id": "2", "category": 7, "answers": [] },
    ] });
    let eqald = json!({ "dataset": { "id": "t" }, "questions": [
        { "question": { "id": "1", "qtype": " list " } }, { "question": { "id": "2" } },
    ] });
    let xml = "<dataset id=\"t\"><question id=\"1\" type=\"list\"><answers/></question>\
         <question id=\"2\"><answers/></question></dataset>";
    for (name, text) in
        [("q.json", qald.to_string()), ("e.json", eqald.to_string()), ("q.xml", xml.to_owned())]
    {
        let folder = folder(&[(name, &text), ("run.csv", "id,answer,confidence\n1,NIL,1\n")]);
        let first =
            ["evaluate", name, "run.csv", "--profile", "clef-2004", "--no-archive", "--format", "json"];
        let found = qassay(folder.path(), first).json();
        let groups = &found["evaluations"][0]["experiments"]["QA"]["groups"];
        assert_eq!(groups["questiontype-list"]["questionCount"], json!(1), "{name}");
        assert_eq!(groups["questiontype-untyped"]["questionCount"], json!(1), "{name}");
    }
}

#[test]
fn assessments_take_the_place_of_matching() {
    let assessments = "question,answer,verdict,assessor\n\
         1,x,correct,A\n1,x,correct,B\n1,a,incorrect,A\n1,a,incorrect,B\n\
         2, c ,repeated,A\n2,c,correct,B\n4,NIL,incorrect,A\n3,e,correct,A\n3,f,correct,B\n";
    let folder = folder(&[("run.csv", ROUTES), ("people.csv", assessments)]);
    let here = folder.path();
    let found = json(here, "run.csv", &["--assessments", "people.csv"]);
    let qa = &found["experiments"]["QA"];
    assert_measures(
        &qa["measures"],
        &[
            // 1: x is right and a is wrong; 2: a tie, so repeated; 3: two are known beside d; 4: NIL is wrong.
            ("correctAnswerCount", json!(1)),
            // 2 + 1 + 2 (e stands for d) + 0.
            ("distinctGoldCount", json!(5)),
            // (0.4 − 0.9)/2 + 0/1 + 0 − 0.7, of four.
            ("kMeasure", json!(-0.2375)),
            ("truePositiveCount", json!(1)),
            // Three answers assessed by both: two equal. pe = (1·2 + 1·1)/9 + 0 = 1/3; (2/3 − 1/3)/(2/3).
            ("assessorAgreement", json!(0.666_666_666_667)),
            ("assessorKappa", json!(0.5)),
        ],
    );
    assert_eq!(qa["groups"]["questiontype-list"]["assessorKappa"], Value::Null);
    let explained = |id: &str| qassay(here, ["explain", "run", id, "--archive", "archive"]).ok();
    assert!(explained("1").contains("rule assessed") && explained("1").contains("correct by A  line 2 of"));
    assert!(explained("1").contains("incorrect by B  line 5 of"));
    let printed = evaluate(here, "run.csv", &["--assessments", "people.csv", "--issues"]).ok();
    assert!(printed.contains("kappa 0.5000, agreement 0.6667 on 3 answers"), "{printed}");
    assert!(
        printed.contains("\"c\" is assessed as repeated by A, as correct by B; repeated counts"),
        "{printed}"
    );
    let verified = qassay(here, ["verify", "--archive", "archive"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
    let files = qassay(here, ["query", "files", "--archive", "archive"]).ok();
    assert!(files.contains("assessments"), "{files}");
}

/// Questions that nobody knows the answer to before systems give some.
#[test]
fn open_questions_are_judged_by_people_alone() {
    let gold =
        json!({ "dataset": { "id": "open" }, "questions": [{ "id": "1" }, { "id": "2" }, { "id": "3" }] });
    let people = "question,answer,verdict\n1,good,correct\n1,fine,correct\n1,bad,incorrect\n";
    let run = "id,answer,confidence\n1,good,1\n1,bad,0.5\n1,Good,0\n2,who knows,0.5\n3,NIL,0.5\n";
    let folder = folder(&[("open.json", &gold.to_string()), ("people.csv", people), ("run.csv", run)]);
    let first = ["evaluate", "open.json", "run.csv", "--profile", "clef-2004", "--no-archive"];
    let with = |more: &[&str]| {
        qassay(folder.path(), first.iter().chain(&["--assessments", "people.csv"]).chain(more))
    };
    let found = with(&["--format", "json"]).json();
    assert_measures(
        &found["evaluations"][0]["experiments"]["QA"]["measures"],
        &[
            ("correctAnswerCount", json!(1)),
            ("distinctGoldCount", json!(2)),
            // (1 − 0.5 − 0)/3 − 0.5 − 0.5, of three: `Good` is another text than `good`.
            ("kMeasure", json!(-0.277_777_777_778)),
            // Sets: 1 of 5 given, NIL among them, which nobody calls right; 1 of 2 known.
            ("microPrecision", json!(0.2)),
            ("microRecall", json!(0.5)),
        ],
    );
    let issues = with(&["--issues"]).ok();
    assert!(issues.contains("2 of 4 different answers have no assessment"), "{issues}");
    assert!(
        issues.contains("without assessment: \"who knows\"; incorrect, since no answer is known"),
        "{issues}"
    );
    assert!(issues.contains("without assessment: \"Good\"; judged by the known answers"), "{issues}");
}

#[test]
fn bad_tables() {
    let cases = [
        ("--assessments", "question,answer\n", "line 1: no column `verdict`"),
        ("--assessments", "question,answer,verdict\n1,a,right\n", "line 2: `right` is no verdict"),
        (
            "--assessments",
            "question,answer,verdict\n9,a,correct\n",
            "line 2: the dataset dataset has no question `9`",
        ),
        (
            "--assessments",
            "question,answer,verdict,assessor\n1,a,correct,A\n1,b,correct,A\n1,a,incorrect,A\n",
            "line 4, question 1: `A` calls \"a\" incorrect here and something else in line 2",
        ),
        ("--assessments", "question,answer,verdict\n1,a\n", "line 2: 2 fields, not 3"),
        ("--question-types", "question,kind\n", "line 1: no column `type`"),
        (
            "--question-types",
            "question,type\n1,list\n1,factoid\n",
            "question 1 is of the type `factoid` here and `list` in line 2",
        ),
        (
            "--question-types",
            "question,type\n1,list\n7,list\n",
            "line 3: the dataset dataset has no question `7`",
        ),
    ];
    for (option, table, message) in cases {
        let folder = folder(&[("run.csv", ROUTES), ("table.csv", table)]);
        let ran = evaluate(folder.path(), "run.csv", &[option, "table.csv"]);
        assert_eq!(ran.code, Some(2), "{table}");
        assert!(ran.stderr.contains("table.csv") && ran.stderr.contains(message), "{}", ran.stderr);
        assert!(ran.stderr.contains("allowed: "), "{}", ran.stderr);
    }
    let folder = folder(&[("run.csv", ROUTES), ("table.csv", "question,answer,verdict\n1,a,correct\n")]);
    fs::write(folder.path().join("bytes.csv"), b"question,answer,verdict\n1,\x81\x00,correct\n").unwrap();
    assert_eq!(evaluate(folder.path(), "run.csv", &["--assessments", "bytes.csv"]).code, Some(2));
    for option in ["--assessments", "--question-types"] {
        let ran = qassay(folder.path(), ["evaluate", "gold.csv", "run.csv", option, "table.csv"]);
        assert!(ran.code == Some(2) && ran.stderr.contains("allowed: --profile clef-2004"), "{}", ran.stderr);
    }
}

const LETTERS: [&str; 5] = ["a", "b", "c", "d", "e"];
const VERDICTS: [&str; 3] = ["correct", "repeated", "incorrect"];

/// One question: gold answers, given answers with confidences in tenths, the verdict of each letter that has one.
type Case = (Vec<usize>, Vec<(usize, u8)>, Vec<Option<usize>>);

fn case() -> impl Strategy<Value = Case> {
    let letters: Vec<usize> = (0..LETTERS.len()).collect();
    let gold = prop::sample::subsequence(letters, 0..=LETTERS.len()).prop_shuffle();
    let given = prop::collection::vec((0..LETTERS.len(), 0u8..=10), 0..6);
    (gold, given, prop::collection::vec(prop::option::of(0..VERDICTS.len()), LETTERS.len()))
}

/// What each given answer counts (1, 0, −1), with its confidence in tenths, and how many answers are known.
fn judged((gold, given, verdicts): &Case) -> (Vec<(i32, u8)>, usize) {
    let is_correct = |letter: &usize| verdicts[*letter] == Some(0);
    let correct: Vec<usize> = (0..LETTERS.len()).filter(is_correct).collect();
    let is_given = |letter: &usize| given.iter().any(|(given, _)| given == letter);
    // Correct answers that no gold answer is, and gold answers that they may say in other words.
    let others = correct.iter().filter(|letter| !gold.contains(letter) && is_given(letter)).count();
    let free: Vec<usize> = gold.iter().copied().filter(|letter| !is_correct(letter)).collect();
    let wanted = |letter: &usize| is_given(letter) && verdicts[*letter].is_none();
    let unwanted = free.iter().filter(|letter| !wanted(letter)).count();
    let wanted: Vec<usize> = free.into_iter().filter(wanted).collect();
    let said_already = &wanted[..others.saturating_sub(unwanted).min(wanted.len())];
    let mut order = given.clone();
    order.sort_by_key(|(_, confidence)| std::cmp::Reverse(*confidence));
    let mut seen = Vec::new();
    let evaluated = order.into_iter().map(|(letter, confidence)| {
        let again = seen.contains(&letter);
        seen.push(letter);
        let eval = match verdicts[letter] {
            Some(0) => i32::from(!again),
            Some(1) => 0,
            Some(_) => -1,
            None if !gold.contains(&letter) => -1,
            None => i32::from(!again && !said_already.contains(&letter)),
        };
        (eval, confidence)
    });
    // Without any, that there is none is known.
    (evaluated.collect(), gold.len().max(correct.len()).max(1))
}

fn table(header: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    format!(
        "{header}\n{}\n",
        if lines.is_empty() {
            "1,".to_owned() + &",".repeat(header.matches(',').count() - 1)
        } else {
            lines.join("\n")
        }
    )
}

fn found((gold, given, verdicts): &Case, with_assessments: bool) -> Value {
    let gold = table("id,answer", gold.iter().map(|letter| format!("1,{}", LETTERS[*letter])));
    let decimal = |tenths: u8| format!("{}.{}", tenths / 10, tenths % 10);
    let given = given.iter().map(|(letter, tenths)| format!("1,{},{}", LETTERS[*letter], decimal(*tenths)));
    let given = table("id,answer,confidence", given);
    let said = verdicts
        .iter()
        .zip(LETTERS)
        .filter_map(|(verdict, letter)| Some(format!("1,{letter},{}\n", VERDICTS[(*verdict)?])));
    let people = format!("question,answer,verdict\n{}", said.collect::<String>());
    let references = [(ReferenceKind::Assessments, people.as_str())];
    let references = if with_assessments { &references[..] } else { &[] };
    Program::new("clef-2004", None, references).json(&gold, &given)["experiments"]["QA"]["measures"].take()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// K, verdicts and known answers against a second implementation; never more correct answers than known ones.
    #[test]
    fn assessments_as_a_second_implementation_has_them(case in case()) {
        let measures = found(&case, true);
        let (evaluated, known) = judged(&case);
        let number = |name: &str| measures[name].as_u64().unwrap();
        let correct = evaluated.iter().filter(|(eval, _)| *eval == 1).count();
        prop_assert_eq!(number("distinctGoldCount"), known as u64);
        prop_assert_eq!(number("correctAnswerCount"), correct as u64);
        prop_assert_eq!(number("truePositiveCount"), correct as u64);
        prop_assert!(correct <= known);
        let sum: i32 = evaluated.iter().map(|(eval, tenths)| eval * i32::from(*tenths)).sum();
        let most = u32::try_from(known.max(evaluated.len())).unwrap();
        let k = f64::from(sum) / 10.0 / f64::from(most);
        prop_assert!((measures["kMeasure"].as_f64().unwrap() - k).abs() < 1e-11, "{} {k}", measures["kMeasure"]);
    }

    /// People who say what the gold standard says change nothing.
    #[test]
    fn assessments_that_repeat_the_gold_standard_change_nothing(case in case()) {
        let (gold, given, _) = case;
        let said = |letter| Some(if gold.contains(&letter) { 0 } else { 2 });
        let verdicts = (0..LETTERS.len()).map(said).collect();
        let case = (gold, given, verdicts);
        prop_assert_eq!(found(&case, true), found(&case, false));
    }
}
