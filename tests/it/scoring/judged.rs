//! Answers judged one by one, through the program: order, verdicts, ties, cut-offs, the page, the archive.

use std::fs;
use std::path::Path;

use crate::common::{Ran, program};
use serde_json::Value;
use tempfile::TempDir;

/// Two questions; the run has equal scores in the first.
const QRELS: &str = "q1 0 a 1\nq1 0 b 0\nq1 0 c 2\nq2 0 d 1\n";
const RUN: &str = "q1 Q0 b 1 0.5 r\nq1 Q0 a 2 0.5 r\nq1 Q0 c 3 0.25 r\nq2 Q0 e 1 0.9 r\nq2 Q0 d 2 0.8 r\n";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in [("gold.txt", QRELS), ("run.txt", RUN)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn evaluate(folder: &Path, options: &[&str]) -> Ran {
    let mut command = program(folder);
    command.args(["evaluate", "--profile", "trec", "gold.txt", "run.txt"]).args(options);
    Ran::of(&mut command)
}

fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let all: Value = serde_json::from_str(&ran.stdout).unwrap();
    all["evaluations"][0]["experiments"]["QA"].clone()
}

/// q1: b stands before a, since it is the later document id of two with one score: 0, 1, 1. q2: 0, 1.
#[test]
fn ranks_and_what_ties_could_make_of_them() {
    let folder = folder();
    let qa = json(&evaluate(folder.path(), &["--format", "json"]));
    assert_eq!(qa["measures"]["meanReciprocalRank"], 0.5);
    // (1/2 + 2/3) / 2 = 7/12 and 1/2
    assert_eq!(qa["measures"]["meanAveragePrecision"].to_string(), "0.541666666667");
    assert_eq!(qa["ties"]["meanReciprocalRank"], serde_json::json!({ "worst": 0.5, "best": 0.75 }));
    assert_eq!(qa["ties"].get("precisionAt5"), None, "the first five are the same in every order");
    let questions = qa["questions"].as_array().unwrap();
    assert_eq!(questions[0]["measures"]["meanAveragePrecision"].to_string(), "0.583333333333");
    let table = evaluate(folder.path(), &[]);
    assert!(
        table.stdout.contains("equal scores; broken otherwise they give MAP 0.5417 to"),
        "{}",
        table.stdout
    );
}

#[test]
fn cutoffs_are_part_of_the_evaluation() {
    let folder = folder();
    let qa = json(&evaluate(folder.path(), &["--format", "json", "--cutoffs", "2,1,2"]));
    let measures = qa["measures"].as_object().unwrap();
    let at: Vec<&String> = measures.keys().filter(|name| name.starts_with("precisionAt")).collect();
    assert_eq!(at, ["precisionAt1", "precisionAt2"]);
    assert_eq!((&measures["precisionAt1"], &measures["precisionAt2"]), (&0.into(), &0.5.into()));
    let others = json(&evaluate(folder.path(), &["--format", "json"]));
    assert!(others["measures"].get("precisionAt2").is_none());
    // Both are kept, and both are made again from what the archive says.
    let verified = Ran::of(program(folder.path()).arg("verify"));
    assert_eq!(verified.code, Some(0), "{}{}", verified.stdout, verified.stderr);
    for wrong in ["0", "1000001", "x", "1.5"] {
        assert_eq!(evaluate(folder.path(), &["--cutoffs", wrong]).code, Some(2), "{wrong}");
    }
    let mut command = program(folder.path());
    let none = Ran::of(command.args(["evaluate", "--cutoffs", "3", "gold.txt", "run.txt"]));
    assert_eq!(none.code, Some(2));
    assert!(none.stderr.contains("is for measures that look at a rank"), "{}", none.stderr);
}

#[test]
fn every_judged_answer_is_a_node() {
    let folder = folder();
    assert_eq!(evaluate(folder.path(), &[]).code, Some(0));
    let query = "PREFIX qassay: <https://w3id.org/qassay/ns#>
        SELECT ?rank ?term ?score ?gain (STRAFTER(STR(?v), \"verdict-\") AS ?verdict) WHERE {
          ?j a qassay:Judgement ; qassay:judgedIn/qassay:question ?q ; qassay:judgedRank ?rank ;
            qassay:systemTerm ?term ; qassay:judgedScore ?score ; qassay:gain ?gain ; qassay:verdict ?v
          FILTER(STRENDS(STR(?q), \"q1\")) } ORDER BY ?rank";
    fs::write(folder.path().join("judged.rq"), query).unwrap();
    let ran = Ran::of(program(folder.path()).args(["query", "judged.rq", "--format", "csv"]));
    insta::assert_snapshot!(ran.stdout, @r"
    rank,term,score,gain,verdict
    1,b,0.5,0,incorrect
    2,a,0.5,1,correct
    3,c,0.25,2,correct
    ");
}

#[test]
fn one_page_with_everything_and_nothing_from_outside() {
    let folder = folder();
    let ran = evaluate(folder.path(), &["--html", "page.html", "--details"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    for part in
        ["0.5417", "By question", "Failed questions", "What the measures mean", "trec_eval", "gold.txt"]
    {
        assert!(page.contains(part), "{part}");
    }
    for outside in ["<script", "src=", "<link", "@import", "url(", "http-equiv"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let again = evaluate(folder.path(), &["--html", "page.html"]);
    assert_eq!(again.code, Some(0));
    assert_eq!(fs::read_to_string(folder.path().join("page.html")).unwrap(), page, "the same bytes");
    let nowhere = evaluate(folder.path(), &["--html", "no/folder/page.html"]);
    assert_eq!(nowhere.code, Some(2));
    assert!(nowhere.stderr.contains("no/folder/page.html"), "{}", nowhere.stderr);
}
