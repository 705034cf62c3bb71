//! The command line with candidates that are ranked by scores: NLPCC DBQA and TBQA.

use std::fs;
use std::path::Path;

use crate::common::{files_below, qassay};
use serde_json::Value;
use tempfile::TempDir;

const DBQA: &str = include_str!("../../../datasets/example/sentences.txt");
const SCORES: &str = include_str!("../../../datasets/example/sentences-scores.txt");

/// Two tables for one question, one for another; the second question has its right table last of two.
const TBQA: &str = "0\tbanks in india\tThai banks\tRank |_| Name\t1 |_| Bangkok Bank |_|_| 2 |_| Krungthai\n\
1\tbanks in india\tPublic sector banks\tBANKS |_| CITY\tAllahabad Bank |_| Kolkata |_|_| Andhra Bank |_| Hyderabad\n\
1\tlongest rivers\tRivers by length\tRIVER |_| KM\tNile |_| 6650\n\
1\tlongest rivers\tRivers of the world\tRIVER\tNile\n\
0\tlongest rivers\tLakes\tLAKE\tBaikal\n";

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    folder
}

/// The result of QA for the files `gold` and `scores` of a folder, nothing kept.
fn scored(gold: &[u8], scores: &[u8]) -> Value {
    let folder = folder(&[("gold", gold), ("scores", scores)]);
    let arguments =
        ["evaluate", "gold", "scores", "--profile", "nlpcc-ranking", "--format", "json", "--no-archive"];
    qassay(folder.path(), arguments).json()["evaluations"][0]["experiments"]["QA"].take()
}

/// Measures as they are printed, by name.
fn values(measures: &Value, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| measures[name].to_string()).collect()
}

const RANKING: [&str; 4] = ["meanReciprocalRank", "meanAveragePrecisionNlpcc", "accuracyAt1", "accuracyAt3"];

#[test]
fn sentences_by_hand() {
    let scored = scored(DBQA.as_bytes(), SCORES.as_bytes());
    // ~1: 0 [1] 0, the first two with one score; ~2: .9 0, .8 [1], .2 0, -1 [1]: (1/2 + 2/4) / 2; ~3: nothing is right
    let third = "0.333333333333";
    assert_eq!(values(&scored["measures"], &RANKING), [third, third, "0", "0.666666666667"]);
    assert_eq!(
        values(&scored["measures"], &["questionCount", "retrievedCount", "relevantCount", "answeredCount"]),
        ["3", "9", "3", "3"]
    );
    let questions = scored["questions"].as_array().expect("questions");
    let own: Vec<Vec<String>> = questions.iter().map(|q| values(&q["measures"], &RANKING[..2])).collect();
    assert_eq!(own, [["0.5", "0.5"], ["0.5", "0.5"], ["0", "0"]]);
    // the right sentence of ~1 could be first: (1 + 1/2 + 0) / 3, and one question in three is right at once
    let ties: Vec<String> = RANKING[..3].iter().map(|name| scored["ties"][name].to_string()).collect();
    assert_eq!(
        ties,
        [
            r#"{"worst":0.333333333333,"best":0.5}"#,
            r#"{"worst":0.333333333333,"best":0.5}"#,
            r#"{"worst":0,"best":0.333333333333}"#
        ]
    );
    assert_eq!(scored["ties"]["accuracyAt3"], Value::Null);
}

#[test]
fn tables_by_hand() {
    // ~1: [1] 0; ~2: 0 first, then the two right ones in the order of the file, as their scores are equal
    let scored = scored(TBQA.as_bytes(), b"-2\n-1\n1\n1.0\n1e1\n");
    // (1 + 1/2) / 2; (1 + (1/2 + 2/3) / 2) / 2
    assert_eq!(values(&scored["measures"], &RANKING), ["0.75", "0.791666666667", "0.5", "1"]);
    // both tied tables are right: their order changes nothing
    assert_eq!(scored["ties"], Value::Null);
}

#[test]
fn encodings_and_line_ends_change_nothing() {
    let gold =
        "贝加尔湖有多深？\t贝加尔湖长636公里，平均宽48公里。\t0\r\n贝加尔湖有多深？\t最深处达1642米。\t1\r\n";
    let (gb18030, _, _) = encoding_rs::GB18030.encode(gold);
    let with_mark = format!("\u{feff}{gold}");
    for gold in [gold.as_bytes(), with_mark.as_bytes(), &gb18030] {
        for scores in ["0.2\n0.1\n", "\u{feff}0.2\r\n0.1\r\n", "0.2\r\n0.1", "2e-1\n+.1\n\n"] {
            let scored = scored(gold, scores.as_bytes());
            assert_eq!(values(&scored["measures"], &RANKING), ["0.5", "0.5", "0", "1"], "{scores:?}");
        }
    }
}

#[test]
fn an_archive_holds_candidates_scores_and_verdicts() {
    let folder = folder(&[("gold.txt", DBQA.as_bytes()), ("mine.txt", SCORES.as_bytes())]);
    let run = |arguments: &[&str]| qassay(folder.path(), arguments).ok();
    let printed = run(&["evaluate", "gold.txt", "mine.txt", "--profile", "nlpcc-ranking"]);
    insta::assert_snapshot!(printed.split("\nkept in").next().expect("a table").trim_end(), @r"
    dataset, profile nlpcc-ranking

    system  profile        experiment  n  retrieved  relevant     MRR     MAP   acc@1   acc@3   acc@5  acc@10
    mine    nlpcc-ranking  QA          3          9         3  0.3333  0.3333  0.0000  0.6667  0.6667  0.6667

    mine (nlpcc-ranking): equal scores; broken otherwise they give MRR 0.3333 to 0.5000, MAP 0.3333 to 0.5000, acc@1 0.0000 to 0.3333
    input of mine: 0 errors, 1 warning; `--issues` lists them
    ");
    let verified = run(&["verify"]);
    assert!(verified.contains("same") && !verified.contains("problem"), "{verified}");
    insta::assert_snapshot!(explained(&run(&["explain", "mine", "~2"])), @r"
    question ~2 (answered)
             How deep is Lake Baikal?

    MRR 0.5   MAP 0.5

    ranking (4)
      1  incorrect  0.9  More than 300 rivers flow into the lake.
      2  correct    0.8  Its deepest point is 1642 m below the surface.
      3  incorrect  0.2  Lake Baikal is 636 km long.
      4  correct    -1   With 1642 m, it is the deepest lake of all.
    ");
    insta::assert_snapshot!(explained(&run(&["explain", "mine", "~1"])), @r"
    question ~1 (answered)
             Which planet has a day longer than its year?

    MRR 0.5 (ties: 0.5 to 1)   MAP 0.5 (ties: 0.5 to 1)

    ranking (3)
      1  incorrect  0.5  A day on Mars lasts nearly 25 hours.
      2  correct    0.5  Venus turns once in 243 days and goes round the Sun in 225.
      3  incorrect  0.1  Neptune needs 165 years to go round the Sun.
    ");
    // the right candidates with their texts, ranks and scores, over the graphs of all parts
    fs::write(
        folder.path().join("right.rq"),
        "PREFIX qassay: <https://w3id.org/qassay/ns#>
         PREFIX code: <https://w3id.org/qassay/code#>
         SELECT ?rank ?score ?text ?label WHERE {
           ?judgement qassay:verdict code:verdict-correct ; qassay:judgedRank ?rank ; qassay:judgedScore ?score ;
             qassay:systemTerm ?candidate ; qassay:judgedIn/qassay:question ?question .
           ?candidate qassay:candidateText ?text ; qassay:candidateLabel ?label ; qassay:candidateOf/qassay:forQuestion ?question .
         } ORDER BY ?text",
    )
    .expect("a query");
    insta::assert_snapshot!(run(&["query", "right.rq", "--format", "csv"]), @r#"
    rank,score,text,label
    2,0.8,Its deepest point is 1642 m below the surface.,1
    2,0.5,Venus turns once in 243 days and goes round the Sun in 225.,1
    4,-1,"With 1642 m, it is the deepest lake of all.",1
    "#);
    // the scores as they were given are the submission's own
    fs::write(
        folder.path().join("scores.rq"),
        "PREFIX qassay: <https://w3id.org/qassay/ns#>
         SELECT ?line ?score (COUNT(?question) AS ?questions) WHERE {
           ?candidate qassay:candidateScore ?score ; qassay:candidatePosition ?line ; qassay:candidateOf ?answer .
           ?answer a qassay:SystemAnswer ; qassay:forQuestion ?question .
         } GROUP BY ?line ?score ORDER BY ?line LIMIT 4",
    )
    .expect("a query");
    insta::assert_snapshot!(run(&["query", "scores.rq", "--format", "csv"]), @r"
    line,score,questions
    1,0.5,3
    2,0.5,3
    3,0.1,3
    4,0.2,3
    ");
}

/// An explanation without the IRIs.
fn explained(printed: &str) -> &str {
    printed.split("\nin RDF").next().unwrap_or_default().trim_end()
}

#[test]
fn cells_of_tables_are_in_rdf() {
    let folder = folder(&[("gold.txt", TBQA.as_bytes()), ("mine.txt", b"1\n2\n3\n4\n5\n")]);
    let run = |arguments: &[&str]| qassay(folder.path(), arguments).ok();
    run(&["evaluate", "gold.txt", "mine.txt", "--profile", "nlpcc-ranking"]);
    assert!(!run(&["verify"]).contains("problem"));
    fs::write(
        folder.path().join("cells.rq"),
        "PREFIX qassay: <https://w3id.org/qassay/ns#>
         SELECT ?caption ?row ?name ?text WHERE {
           ?table qassay:candidateLabel \"1\" ; qassay:candidatePart ?title, ?attributes, ?cells .
           ?title qassay:candidateField \"caption\" ; qassay:candidateText ?caption .
           ?attributes qassay:candidateField \"attributes\" .
           ?cells qassay:candidateField \"cells\" .
           ?name_cell qassay:cellOf ?attributes ; qassay:cellColumn ?column ; qassay:cellText ?name .
           ?cell qassay:cellOf ?cells ; qassay:cellColumn ?column ; qassay:cellRow ?row ; qassay:cellText ?text .
         } ORDER BY ?caption ?row ?column",
    )
    .expect("a query");
    insta::assert_snapshot!(run(&["query", "cells.rq", "--format", "csv"]), @r"
    caption,row,name,text
    Public sector banks,1,BANKS,Allahabad Bank
    Public sector banks,1,CITY,Kolkata
    Public sector banks,2,BANKS,Andhra Bank
    Public sector banks,2,CITY,Hyderabad
    Rivers by length,1,RIVER,Nile
    Rivers by length,1,KM,6650
    Rivers of the world,1,RIVER,Nile
    ");
}

/// The message of an evaluation that is refused with exit code 2.
#[track_caller]
fn refused(folder: &Path, gold: &str, answers: &str, profile: &str) -> String {
    let ran = qassay(folder, ["evaluate", gold, answers, "--profile", profile, "--no-archive"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn what_does_not_fit_is_refused() {
    let lines: Vec<&str> = DBQA.lines().collect();
    let apart = [&lines[..2], &lines[3..5], &lines[2..3], &lines[5..]].concat().join("\n");
    let damaged = DBQA.replace("\tMore than 300 rivers flow into the lake.\t0", "\t0");
    let of_tables: String = DBQA
        .lines()
        .map(|line| line.rsplit_once('\t').map_or("", |(text, _)| text).to_owned() + "\t7\n")
        .collect();
    let folder = folder(&[
        ("gold.txt", DBQA.as_bytes()),
        ("mine.txt", SCORES.as_bytes()),
        ("short.txt", b"0.1\n0.2\n"),
        ("long.txt", format!("{SCORES}1\n").as_bytes()),
        ("word.txt", SCORES.replace("0.9", "high").as_bytes()),
        ("gap.txt", SCORES.replace("0.9", "").as_bytes()),
        ("nan.txt", SCORES.replace("0.9", "NaN").as_bytes()),
        ("apart.txt", apart.as_bytes()),
        ("damaged.txt", damaged.as_bytes()),
        ("columns.txt", of_tables.as_bytes()),
        ("answers.csv", b"id,answer\n~1,x\n"),
    ]);
    let cases = [
        ("gold.txt", "short.txt", "nlpcc-ranking"),
        ("gold.txt", "long.txt", "nlpcc-ranking"),
        ("gold.txt", "word.txt", "nlpcc-ranking"),
        ("gold.txt", "gap.txt", "nlpcc-ranking"),
        ("gold.txt", "nan.txt", "nlpcc-ranking"),
        ("apart.txt", "mine.txt", "nlpcc-ranking"),
        ("damaged.txt", "mine.txt", "nlpcc-ranking"),
        ("gold.txt", "mine.txt", "qassay"),
        ("gold.txt", "columns.txt", "nlpcc-ranking"),
        ("gold.txt", "answers.csv", "nlpcc-ranking"),
        ("answers.csv", "mine.txt", "nlpcc-ranking"),
        ("answers.csv", "mine.txt", "qassay"),
        ("mine.txt", "gold.txt", "nlpcc-ranking"),
        ("answers.csv", "answers.csv", "nlpcc-ranking"),
    ];
    let told: Vec<String> =
        cases.iter().map(|(gold, answers, profile)| refused(folder.path(), gold, answers, profile)).collect();
    insta::assert_snapshot!(told.join("---\n"), @r"
    error: short.txt: the scores have 2 lines, the dataset has 9 candidates: candidate 3 has no score.
    allowed: as many scores as the dataset has candidates, one per line, in their order
    hint: is gold.txt the file that was scored?
    ---
    error: long.txt: the scores have 10 lines, the dataset has 9 candidates: line 10 has no candidate.
    allowed: as many scores as the dataset has candidates, one per line, in their order
    hint: is gold.txt the file that was scored?
    ---
    error: word.txt, line 5: `high` is no number.
    allowed: a decimal such as 0.25 or 1e-3, one on each line
    ---
    error: gap.txt, line 5: the line is empty, and so the candidate on this line of the dataset has no score.
    allowed: a decimal such as 0.25 or 1e-3, one on each line
    ---
    error: nan.txt, line 5: `NaN` is no number.
    allowed: a decimal such as 0.25 or 1e-3, one on each line
    ---
    error: apart.txt, line 5: this question has lines further up: where its lines are not together, it is not clear which candidates a ranking is of.
    allowed: the candidates of a question on lines that follow each other
    hint: sort the lines of the dataset, and those of the scores with them
    ---
    error: damaged.txt, line 5: the line has 2 columns, not 3; it is not used: `How deep is Lake Baikal?	0`. A score is told by its line, so no line may be left out.
    allowed: a candidate on every line
    ---
    error: mine.txt: these are scores of candidates, and the profile `qassay` ranks none.
    allowed: --profile nlpcc-ranking
    ---
    error: columns.txt: the profile `nlpcc-ranking` needs the scores of the candidates, and this is `nlpcc-dbqa`.
    allowed: nlpcc-scores: one number per line, in the order of the lines of the dataset
    hint: the scores alone are the third column: `cut -f3 FILE`
    ---
    error: answers.csv: the profile `nlpcc-ranking` needs the scores of the candidates, and this is `csv`.
    allowed: nlpcc-scores: one number per line, in the order of the lines of the dataset
    ---
    error: answers.csv: the profile `nlpcc-ranking` ranks candidates, and the dataset (csv) has none that scores could belong to.
    allowed: nlpcc-dbqa, nlpcc-tbqa
    hint: a line is `question TAB sentence TAB label` or `label TAB question TAB caption TAB attributes TAB cells`, with a number as label; most of the first lines must be so
    ---
    error: answers.csv: a file of scores belongs to the lines of a dataset of candidates, and this is `csv`.
    allowed: nlpcc-dbqa, nlpcc-tbqa
    ---
    error: mine.txt: these are the scores of a system, and not a dataset.
    allowed: nlpcc-dbqa, nlpcc-tbqa
    hint: were the two files swapped?
    ---
    error: answers.csv: the profile `nlpcc-ranking` ranks candidates, and the dataset (csv) has none that scores could belong to.
    allowed: nlpcc-dbqa, nlpcc-tbqa
    hint: a line is `question TAB sentence TAB label` or `label TAB question TAB caption TAB attributes TAB cells`, with a number as label; most of the first lines must be so
    ");
    assert_eq!(files_below(folder.path()).len(), 11, "nothing is kept");
}

/// A question is failed where the answer that stands first is not right: precision and recall of all candidates say nothing.
#[test]
fn failed_questions_of_a_ranking_begin_with_a_wrong_answer() {
    let folder = folder(&[("gold.txt", DBQA.as_bytes()), ("scores.txt", SCORES.as_bytes())]);
    let evaluate =
        ["evaluate", "gold.txt", "scores.txt", "--profile", "nlpcc-ranking", "--no-archive", "--quiet"];
    let json = qassay(folder.path(), evaluate.iter().chain(&["--format", "json"])).json();
    assert_eq!(json["evaluations"][0]["experiments"]["QA"]["failed"], serde_json::json!(["~1", "~2", "~3"]));
    let table = qassay(folder.path(), evaluate.iter().chain(&["--failed", "--format", "csv"])).ok();
    let ranks: Vec<&str> = table.lines().map(|line| line.rsplit(',').next().unwrap_or_default()).collect();
    assert_eq!(ranks, ["firstRight", "2", "2", ""], "{table}");
}

/// What is written as RDF ranks like the files that it was made of.
#[test]
fn candidates_and_scores_in_rdf_rank_the_same() {
    for gold in [DBQA, TBQA] {
        let scores: Vec<String> = (0..gold.lines().count()).map(|line| (line * 7 % 4).to_string()).collect();
        let scores = scores.join("\n") + "\n";
        let folder = folder(&[("gold.txt", gold.as_bytes()), ("scores.txt", scores.as_bytes())]);
        for name in ["gold", "scores"] {
            qassay(folder.path(), ["convert", &format!("{name}.txt"), &format!("{name}.ttl")]).ok();
        }
        let measures = |gold: &str, scores: &str| {
            let arguments =
                ["evaluate", gold, scores, "--profile", "nlpcc-ranking", "--format", "json", "--no-archive"];
            let json = qassay(folder.path(), arguments).json();
            json["evaluations"][0]["experiments"]["QA"]["measures"].to_string()
        };
        let expected = measures("gold.txt", "scores.txt");
        for (gold, scores) in
            [("gold.ttl", "scores.txt"), ("gold.txt", "scores.ttl"), ("gold.ttl", "scores.ttl")]
        {
            assert_eq!(measures(gold, scores), expected, "{gold} {scores}");
        }
    }
}

/// Scores that differ behind the eighth digit only: two numbers of 64 bits, and one of 32, where the id decides.
#[test]
fn trec_eval_9_has_scores_of_32_bits() {
    let run = b"1 Q0 a 0 1.00000002 x\n1 Q0 z 0 1.00000001 x\n1 Q0 b 0 1.5 x\n";
    let folder = folder(&[("gold", b"1 0 a 0\n1 0 z 1\n"), ("run", run)]);
    let ranks = ["trec", "trec-9"].map(|profile| {
        let words = ["evaluate", "gold", "run", "--profile", profile, "--format", "json", "--no-archive"];
        let mut told = qassay(folder.path(), words).json();
        told["evaluations"][0]["experiments"]["QA"]["measures"]["meanReciprocalRank"].take().to_string()
    });
    assert_eq!(ranks, ["0.333333333333", "0.5"]);
}

/// What `tests/second/trec_scores.py` had from the code of `trec_eval` 9: which scores are equal as numbers of 32 bits.
#[test]
fn trec_eval_9_compares_scores_as_recorded() {
    let recorded: Vec<Vec<&str>> = include_str!("../../second/trec_scores.tsv")
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(recorded.len(), 19);
    let (mut gold, mut run) = (Vec::new(), Vec::new());
    for (scores, id) in recorded.iter().zip(1..) {
        gold.push(format!("{id} 0 a 1\n{id} 0 b 0\n"));
        run.push(format!("{id} Q0 a 0 {} x\n{id} Q0 b 0 {} x\n", scores[0], scores[1]));
    }
    let [gold, run] = [gold, run].map(|lines| lines.concat());
    let folder = folder(&[("gold", gold.as_bytes()), ("run", run.as_bytes())]);
    let words = ["evaluate", "gold", "run", "--profile", "trec-9", "--format", "json", "--no-archive"];
    let told = qassay(folder.path(), words).json();
    let questions = told["evaluations"][0]["experiments"]["QA"]["questions"].as_array().expect("questions");
    assert_eq!(questions.len(), recorded.len());
    for (question, scores) in questions.iter().zip(&recorded) {
        let expected: f64 = scores[2].parse().expect("a reciprocal rank");
        assert_eq!(question["measures"]["meanReciprocalRank"].as_f64(), Some(expected), "{scores:?}");
    }
}
