//! Test mode: blind submissions and their release.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Ran, files_below, graph_name, kept_text, qassay};
use serde_json::Value;
use tempfile::TempDir;

/// Questions with the answers of each: `1=a,b 2=c`; a question without answers is out of scope.
fn xml(questions: &str) -> String {
    let question = |one: &str| {
        let (id, answers) = one.split_once('=').unwrap();
        let answers = answers.split(',').filter(|answer| !answer.is_empty());
        let element = |a| ["<answer><uri>http://dbpedia.org/resource/", a, "</uri></answer>"].concat();
        let answers: Vec<String> = answers.map(element).collect();
        let answers = answers.concat();
        format!(
            "<question id='{id}'><string lang='en'>Question {id}?</string><answers>{answers}</answers></question>\n"
        )
    };
    let questions = questions.split(' ').map(question).collect::<Vec<_>>().concat();
    format!("<dataset id='qald-4_small_test'>\n{questions}</dataset>\n")
}

const GOLD: &str = "1=Secret_One 2=Secret_Two,Secret_Three 3= 4=Secret_Four";
/// Two of four questions right.
const FIRST: &str = "1=Secret_One 2=Wrong 3= 4=Wrong";
/// Three of four.
const SECOND: &str = "4=Secret_Four 1=Secret_One 2=Wrong 3=";
/// As good as the second, in other questions; one of them is unknown.
const THIRD: &str = "1=Secret_One 2=Secret_Two,Secret_Three 3= 9=Wrong";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let all = [("gold.xml", GOLD), ("first.xml", FIRST), ("second.xml", SECOND), ("third.xml", THIRD)];
    for (name, questions) in all {
        fs::write(folder.path().join(name), xml(questions)).unwrap();
    }
    folder
}

#[track_caller]
fn blind(folder: &Path, file: &str, system: &str) -> Ran {
    qassay(folder, ["evaluate", "--blind", "gold.xml", file, "--system", system, "--profile", "qald-4"])
}

fn accepted() -> TempDir {
    let folder = folder();
    for (file, system) in [("first.xml", "Alpha"), ("second.xml", "Alpha"), ("third.xml", "Beta")] {
        blind(folder.path(), file, system).ok();
    }
    folder
}

fn release(folder: &Path, options: &[&str]) -> Ran {
    qassay(folder, ["release", "qald-4-small-test"].iter().chain(options))
}

#[test]
fn acceptance_says_what_fits_and_nothing_about_what_is_right() {
    let folder = folder();
    let ran = blind(folder.path(), "third.xml", "Beta");
    insta::assert_snapshot!(ran.stdout, @r#"
    qald-4-small-test, blind submissions

    system  profile  no.  questions  processed  missing  unknown  with answers  with query  errors  warnings
    Beta    qald-4     1          4          3        1        1             3           0       0         1

    Beta (no. 1): not in the submission: 4
    Beta (no. 1): not in the dataset: 9

    Issues

    severity  issue                 file       place               message
    warning   question-not-in-gold  third.xml  line 5, question 9  the dataset has no question `9`; its answers do not count
    "#);
    assert!(ran.stderr.contains("not scored; `qassay release qald-4-small-test` shows"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("Secret") && !ran.stderr.contains("Secret"));
    let again = blind(folder.path(), "third.xml", "Beta");
    assert!(again.stdout.contains("Beta (no. 1): accepted before; nothing changes"), "{}", again.stdout);
    // Several of one system at once.
    let arguments = [
        "evaluate",
        "--blind",
        "gold.xml",
        "first.xml",
        "second.xml",
        "--system",
        "Alpha",
        "--format",
        "json",
    ];
    let json = qassay(folder.path(), arguments.iter().chain(&["--profile", "qald-4"])).json();
    let numbers: Vec<_> =
        json["blind"].as_array().unwrap().iter().map(|one| one["number"].as_u64()).collect();
    assert_eq!(numbers, [Some(2), Some(3)]);
}

/// Everything in the archive but the gold file itself, which is kept as received and named by its checksum.
#[test]
fn nothing_leaks_before_the_release() {
    let folder = accepted();
    let archive = folder.path().join("qassay-archive");
    let gold = xml(GOLD);
    // Properties of measures, of matches and of gold answers, and the names of their graphs.
    let words = [
        "precision",
        "recall",
        "#f1",
        "truePositives",
        "falsePositives",
        "falseNegatives",
        "ns#value",
        "ns#metric",
        "ns#Evaluation",
        "ns#Match",
        "ns#GoldAnswer",
        "executionOf",
        "/graph/scores/",
        "/graph/match/",
        "/evaluation/",
    ];
    let mut looked_at = 0;
    for path in files_below(&archive).iter().map(|path| archive.join(path)) {
        let text = kept_text(&path);
        if text == gold || text.starts_with("<dataset") {
            continue;
        }
        looked_at += 1;
        for word in words {
            assert!(!text.contains(word), "{}: {word}\n{text}", path.display());
        }
        // What the gold standard alone says.
        let is_answers = text.contains("/graph/submission/");
        assert!(is_answers || !text.contains("Secret"), "{}", path.display());
    }
    // Dataset, three submissions, three blind submissions; the graphs of the latter six.
    assert!(looked_at >= 13, "{looked_at}");
    for name in ["leaderboard", "measures", "rules", "hardest", "unanswered", "skipped"] {
        let rows = qassay(folder.path(), ["query", name, "--format", "csv"]).ok();
        assert_eq!(rows.trim().lines().count(), 1, "{name}: {rows}");
    }
    let anything =
        "SELECT ?o { ?s a <https://w3id.org/qassay/ns#BlindSubmission> ; ?p ?o FILTER(isNumeric(?o)) }";
    fs::write(folder.path().join("numbers.rq"), anything).unwrap();
    let numbers = qassay(folder.path(), ["query", "numbers.rq", "--format", "csv"]).ok();
    let mut numbers: Vec<&str> = numbers.lines().skip(1).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, ["1", "2", "3"], "the acceptance numbers and no other");
    let explained = qassay(folder.path(), ["explain", "Alpha", "1"]);
    assert_eq!(explained.code, Some(2));
    assert!(!explained.stderr.contains("Secret"), "{}", explained.stderr);
    let verified = qassay(folder.path(), ["verify"]);
    assert_eq!(verified.code, Some(0), "{}\n{}", verified.stdout, verified.stderr);
    assert!(!verified.stdout.contains("no record names"), "{}", verified.stdout);
    let listed = qassay(folder.path(), ["query", "blind", "--format", "csv"]).ok();
    assert_eq!(listed.lines().count(), 4, "{listed}");
}

#[test]
fn published_graphs_have_no_clock() {
    let folder = accepted();
    let archive = folder.path().join("qassay-archive");
    let is_graph = |path: &&PathBuf| path.extension().is_some_and(|e| e == "nq" || e == "zst");
    for path in files_below(&archive).iter().filter(is_graph) {
        let text = kept_text(&archive.join(path));
        assert_eq!(
            text.contains("dateTime"),
            text.contains("/graph/prov/") && !path.starts_with("records"),
            "{path:?}"
        );
    }
}

#[test]
fn release_shows_all_and_marks_the_best() {
    let folder = accepted();
    let first = release(folder.path(), &[]).ok();
    insta::assert_snapshot!(first, @r#"
    qald-4-small-test, profile qald-4, submissions of the test phase

    system  profile  no.  best  n  answered  macro P  macro R  macro F1  failed  mean time
    Alpha   qald-4     1        4         3   0.5000   0.5000    0.5000       2          -
    Alpha   qald-4     2  best  4         3   0.7500   0.7500    0.7500       1          -
    Beta    qald-4     3  best  4         2   0.7500   0.7500    0.7500       1          -

    best of its system (qald-4): by macro F1, of equal ones the earlier
    input of Beta (no. 3, qald-4): 0 errors, 2 warnings; `--issues` lists them

    Failed questions

    system  profile  experiment  question  text         status    right  too much  missing  precision  recall      F1
    Alpha   qald-4   QA          2         Question 2?  answered      0         1        2     0.0000  0.0000  0.0000
    Beta    qald-4   QA          4         Question 4?  missing       0         0        1     0.0000  0.0000  0.0000
    "#);
    // Again: the same.
    assert_eq!(release(folder.path(), &[]).ok(), first);
    let scores = |folder: &Path| {
        let archive = folder.join("qassay-archive");
        let graphs = files_below(&archive.join("graphs"));
        let of_scores = graphs.into_iter().filter(|path| {
            let text = kept_text(&archive.join("graphs").join(path));
            graph_name(&text).contains("/graph/scores/")
        });
        of_scores.collect::<Vec<_>>()
    };
    assert_eq!(scores(folder.path()).len(), 3);
    assert_eq!(scores(folder.path()), {
        let other = accepted();
        release(other.path(), &[]).ok();
        scores(other.path())
    });
    // What is released is an evaluation like others.
    assert!(qassay(folder.path(), ["explain", "Beta", "1"]).ok().contains("precision 1"));
    let verified = qassay(folder.path(), ["verify"]);
    assert_eq!(verified.code, Some(0), "{}\n{}", verified.stdout, verified.stderr);
}

/// Who hands in the gold file is told to the organiser, and is nobody's best.
#[test]
fn the_gold_file_itself_is_no_submission_like_others() {
    let folder = folder();
    for (file, system) in [("first.xml", "Alpha"), ("gold.xml", "Alpha")] {
        blind(folder.path(), file, system).ok();
    }
    let told = release(folder.path(), &[]).ok();
    let said =
        "Alpha (qald-4): the answers are the gold file itself: these values say nothing about a system";
    assert!(told.contains(said), "{told}");
    let row = |number: &str| {
        let mut rows = told.lines().filter(|line| line.starts_with("Alpha"));
        rows.find(|line| line.split_whitespace().nth(2) == Some(number)).unwrap()
    };
    assert!(row("1").contains("best") && !row("2").contains("best"), "{told}");
    let told = qassay(folder.path(), ["evaluate", "gold.xml", "gold.xml", "--no-archive"]).ok();
    assert!(told.contains("the answers are the gold file itself"), "{told}");
}

#[test]
fn of_equal_submissions_the_earlier_is_the_best_and_later_ones_are_accepted() {
    let folder = accepted();
    release(folder.path(), &[]).ok();
    // As good as the second of Alpha: three of four.
    fs::write(folder.path().join("fourth.xml"), xml("1=Secret_One 2=Secret_Two,Secret_Three 3= 4=Wrong"))
        .unwrap();
    // Worse for Beta.
    fs::write(folder.path().join("fifth.xml"), xml("1=Secret_One 2=Wrong 3=Wrong 4=Wrong")).unwrap();
    blind(folder.path(), "fourth.xml", "Alpha").ok();
    blind(folder.path(), "fifth.xml", "Beta").ok();
    let json = release(folder.path(), &["--format", "json"]).json();
    let told = |one: &Value| {
        let ids: Vec<&str> = one["failed"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        format!(
            "{} {} {} best {} failed {}",
            one["number"],
            one["system"].as_str().unwrap(),
            one["rank"],
            one["best"],
            ids.join(" ")
        )
    };
    let lines: Vec<String> = json["released"].as_array().unwrap().iter().map(told).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    1 Alpha 0.5 best false failed 2 4
    2 Alpha 0.75 best true failed 2
    3 Beta 0.75 best true failed 4
    4 Alpha 0.75 best false failed 4
    5 Beta 0.25 best false failed 2 3 4
    "#);
}

/// A profile that ranks by nothing has no best submission: nothing is said of what the best failed.
#[test]
fn without_a_best_submission_no_failures_are_told() {
    let folder = folder();
    let sent = ["evaluate", "--blind", "gold.xml", "first.xml", "--profile", "qassay"];
    qassay(folder.path(), sent).ok();
    let plain = release(folder.path(), &[]).ok();
    assert!(!plain.contains("Failed questions") && !plain.contains("no question"), "{plain}");
    let failed = release(folder.path(), &["--failed"]).ok();
    assert!(failed.contains("Failed questions") && failed.contains("Question 2?"), "{failed}");
}

#[test]
fn every_format() {
    let folder = accepted();
    for (format, part) in [
        ("csv", "system,profile,number,best,questionCount,answeredCount,macroPrecision"),
        ("markdown", "| Alpha  | qald-4  |   2 | best |"),
        ("latex", "\\begin{tabular}"),
    ] {
        let printed = release(folder.path(), &["--format", format]).ok();
        assert!(printed.contains(part), "{format}\n{printed}");
    }
    let failed = release(folder.path(), &["--format", "csv", "--failed", "--profile", "qald-4"]).ok();
    assert_eq!(failed.lines().count(), 1 + 2 + 1 + 1, "{failed}");
    let by_file = qassay(folder.path(), ["release", "gold.xml", "--format", "csv"]).ok();
    let version = by_version(folder.path());
    assert_eq!(qassay(folder.path(), ["release", &version, "--format", "csv"]).ok(), by_file);
}

/// The IRI of the dataset version.
fn by_version(folder: &Path) -> String {
    let listed = qassay(folder, ["query", "blind", "--format", "csv"]).ok();
    listed.lines().nth(1).and_then(|line| line.split(',').next()).unwrap().to_owned()
}

#[test]
fn wrong_use_is_told() {
    let folder = accepted();
    let refused = |arguments: &[&str]| {
        let ran = qassay(folder.path(), arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        ran.stderr.replace(&by_version(folder.path()), "[VERSION]")
    };
    fs::write(folder.path().join("other.xml"), xml("77=a 78=b")).unwrap();
    let told = [
        refused(&["release", "qald-9"]),
        refused(&["release", "qald-4-small-test", "--profile", "qald"]),
        refused(&["release", "x", "--archive", "nowhere"]),
        refused(&["evaluate", "--blind", "gold.xml", "other.xml", "--system", "X", "--profile", "qald-4"]),
        refused(&["evaluate", "--blind", "gold.xml", "first.xml", "--system", "Beta", "--profile", "qald-4"]),
        refused(&["evaluate", "--blind", "gold.xml", "first.xml", "--profile", "qald-4,qald"]),
    ];
    insta::assert_snapshot!(told.join("---\n"), @r#"
    error: qassay-archive: the archive has no blind submissions to `qald-9`.
    allowed: qald-4-small-test ([VERSION])
    ---
    error: qassay-archive: no blind submission to `qald-4-small-test` is for the profile `qald`.
    allowed: qald-4
    ---
    error: nowhere: there is no qassay archive here.
    hint: `qassay evaluate GOLD ANSWERS` makes one; `--archive DIR` names another
    ---
    error: other.xml: no question id and no text occurs in both files: the dataset has 4 questions (`1`, `2`, `3`, …), the submission 2 questions (`77`, `78`).
    hint: is this the dataset that the answers were made for?
    ---
    error: first.xml: the same bytes were accepted from another system.
    allowed: answers that no other system has sent
    hint: one system has one name in all its submissions
    ---
    error: 2 profiles for blind submissions.
    allowed: one: what they will be scored with, such as `--profile qald-4`
    "#);
    let details = refused(&["evaluate", "--blind", "gold.xml", "first.xml", "--details"]);
    assert!(details.contains("cannot be used with"), "{details}");
    let empty = tempfile::tempdir().unwrap();
    fs::write(empty.path().join("gold.xml"), xml(GOLD)).unwrap();
    qassay(empty.path(), ["evaluate", "gold.xml", "gold.xml"]).ok();
    let ran = qassay(empty.path(), ["release", "gold.xml"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("the archive has no blind submissions"), "{}", ran.stderr);
}

/// A file that is no submission is refused with its place, and nothing is kept.
#[test]
fn unreadable_submissions_are_refused() {
    let folder = folder();
    fs::write(folder.path().join("list.xml"), "<list/>").unwrap();
    let ran = blind(folder.path(), "list.xml", "X");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("list.xml"), "{}", ran.stderr);
    assert!(!folder.path().join("qassay-archive").exists());
}

/// A folder with these files.
fn files(all: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in all {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn accept(folder: &Path, profile: &str, gold: &str, answers: &str) -> Ran {
    qassay(folder, ["evaluate", "--blind", gold, answers, "--system", "S", "--profile", profile])
}

/// What is said about the best of the submissions to `gold`, in JSON: numbers, and what ranks them.
fn best(folder: &Path, gold: &str) -> (Vec<u64>, Value, Vec<Value>) {
    let json = qassay(folder, ["release", gold, "--format", "json"]).json();
    let all = json["released"].as_array().unwrap();
    let best = all.iter().filter(|one| one["best"] == true).filter_map(|one| one["number"].as_u64());
    (best.collect(), all[0]["rankedBy"].clone(), all.iter().map(|one| one["rank"].clone()).collect())
}

const SENTENCES: &str = "Who is it?\tIt is a king.\t1\nWho is it?\tIt is late.\t0\n\
Where is it?\tIt was here.\t0\nWhere is it?\tIt is in Rome.\t1\n";

/// The second of three submissions is the best by the measure of its campaign.
#[test]
fn each_campaign_ranks_by_its_own_measure() {
    let cases = [
        // Macro F1 sees no order and would be equal everywhere.
        ("nlpcc-ranking", "meanReciprocalRank", SENTENCES, ["1\n2\n2\n1\n", "2\n1\n1\n2\n", "1\n2\n1\n2\n"]),
        // The relevant document on the second rank, on the first, on the third.
        (
            "trec",
            "meanAveragePrecision",
            "1 0 d1 1\n1 0 d2 0\n",
            [
                "1 Q0 d2 1 9 r\n1 Q0 d1 2 8 r\n",
                "1 Q0 d1 1 9 r\n1 Q0 d2 2 8 r\n",
                "1 Q0 d2 1 9 r\n1 Q0 d3 2 8 r\n1 Q0 d1 3 7 r\n",
            ],
        ),
    ];
    for (profile, measure, gold, submissions) in cases {
        let folder = files(&[("gold.txt", gold)]);
        for (answers, number) in submissions.iter().zip(1..) {
            let name = format!("{number}.txt");
            fs::write(folder.path().join(&name), answers).unwrap();
            accept(folder.path(), profile, "gold.txt", &name).ok();
        }
        let (best, ranked_by, ranks) = best(folder.path(), "gold.txt");
        assert_eq!((best, ranked_by), (vec![2], measure.into()), "{profile}: {ranks:?}");
    }
    // The macro F1 of qald-4 is another one than usual, and the only one of that name that is printed.
    for (profile, measure) in [("nlpcc-kbqa", "macroF1"), ("clef-2004", "kMeasure"), ("qald-4", "macroF1")] {
        let folder = folder();
        for file in ["first.xml", "third.xml"] {
            accept(folder.path(), profile, "gold.xml", file).ok();
        }
        let (_, ranked_by, ranks) = best(folder.path(), "gold.xml");
        assert_eq!(ranked_by, measure, "{profile}: {ranks:?}");
        let json = qassay(folder.path(), ["release", "gold.xml", "--format", "json"]).json();
        for one in json["released"].as_array().unwrap() {
            assert_eq!(one["measures"][measure], one["rank"], "{profile}: what ranks is what is printed");
        }
    }
}

#[test]
fn without_a_value_to_compare_none_is_the_best() {
    let folder = folder();
    for (profile, note) in [
        ("qald", "best of its system (qald): none is marked, since the profile says no measure to rank by"),
        // No answer has a confidence, so that K is not defined.
        ("clef-2004", "best of its system (clef-2004): by K, of equal ones the earlier"),
    ] {
        accept(folder.path(), profile, "gold.xml", "first.xml").ok();
        let table = release(folder.path(), &["--profile", profile]).ok();
        assert!(table.contains(note), "{table}");
        let json = release(folder.path(), &["--profile", profile, "--format", "json"]).json();
        let one = &json["released"][0];
        assert_eq!((&one["best"], &one["rank"]), (&Value::Bool(false), &Value::Null), "{profile}");
    }
}

#[test]
fn what_could_not_be_scored_is_not_accepted() {
    let folder = files(&[
        ("gold.txt", SENTENCES),
        ("short.txt", "1\n2\n"),
        ("answers.csv", "id,answer\n~1,x\n"),
        ("mine.txt", "1\n2\n3\n4\n"),
    ]);
    let none = xml("1= 2= 3= 4=");
    fs::write(folder.path().join("questions.xml"), none).unwrap();
    fs::write(folder.path().join("first.xml"), xml(FIRST)).unwrap();
    let cases = [
        ("nlpcc-ranking", "gold.txt", "short.txt"),
        ("nlpcc-ranking", "gold.txt", "answers.csv"),
        ("qald-4", "gold.txt", "mine.txt"),
        ("nlpcc-ranking", "questions.xml", "first.xml"),
        ("qald-4", "questions.xml", "first.xml"),
    ];
    let told = cases.map(|(profile, gold, answers)| {
        let ran = accept(folder.path(), profile, gold, answers);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        ran.stderr
    });
    insta::assert_snapshot!(told.join("---\n"), @r#"
    error: short.txt: the scores have 2 lines, the dataset has 4 candidates: candidate 3 has no score.
    allowed: as many scores as the dataset has candidates, one per line, in their order
    hint: is gold.txt the file that was scored?
    ---
    error: answers.csv: the profile `nlpcc-ranking` needs the scores of the candidates, and this is `csv`.
    allowed: nlpcc-scores: one number per line, in the order of the lines of the dataset
    ---
    error: mine.txt: these are scores of candidates, and the profile `qald-4` ranks none.
    allowed: --profile nlpcc-ranking
    ---
    error: questions.xml: no question of this file has an answer, and `qassay release` scores blind submissions with it.
    allowed: the file of the campaign that has the gold answers
    hint: the archive keeps that file; nothing that is shown before the release tells what is in it
    ---
    error: questions.xml: no question of this file has an answer, and `qassay release` scores blind submissions with it.
    allowed: the file of the campaign that has the gold answers
    hint: the archive keeps that file; nothing that is shown before the release tells what is in it
    "#);
    assert!(!folder.path().join("qassay-archive").exists());
}

#[test]
fn scores_belong_to_all_questions() {
    let folder = files(&[("gold.txt", SENTENCES), ("mine.txt", "1\n2\n3\n4\n")]);
    let ran = accept(folder.path(), "nlpcc-ranking", "gold.txt", "mine.txt");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    insta::assert_snapshot!(ran.stdout, @r#"
    dataset, blind submissions

    system  profile        no.  questions  processed  missing  unknown  with answers  with query  errors  warnings
    S       nlpcc-ranking    1          2          2        0        0             2           0       0         0
    "#);
}

/// The files of the archive below a folder of records.
fn records(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let below = folder.join("qassay-archive/records").join(kind);
    files_below(&below).into_iter().map(|file| below.join(file)).collect()
}

/// The place of a submitted file in the archive.
fn kept(folder: &Path, name: &str) -> PathBuf {
    let bytes = fs::read(folder.join(name)).unwrap();
    let below = folder.join("qassay-archive/files");
    let all = files_below(&below).into_iter().map(|file| below.join(file));
    all.into_iter().find(|file| fs::read(file).unwrap() == bytes).unwrap()
}

#[test]
fn a_damaged_submission_is_told_and_the_others_are_shown() {
    let folder = accepted();
    fs::remove_file(kept(folder.path(), "second.xml")).unwrap();
    let ran = release(folder.path(), &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("Alpha (no. 2, qald-4) is not scored: "), "{}", ran.stderr);
    assert!(ran.stdout.contains("not scored: Alpha (no. 2, qald-4)"), "{}", ran.stdout);
    let json: Value = serde_json::from_str(&release(folder.path(), &["--format", "json"]).stdout).unwrap();
    let numbers: Vec<_> = json["released"].as_array().unwrap().iter().map(|one| &one["number"]).collect();
    assert_eq!(numbers, [1, 3]);
    assert_eq!(json["notScored"][0]["number"], 2);
    // Nothing can be scored: nothing is kept.
    let folder = accepted();
    for name in ["first.xml", "second.xml", "third.xml"] {
        fs::write(kept(folder.path(), name), "<dataset").unwrap();
    }
    let ran = release(folder.path(), &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
    assert_eq!(records(folder.path(), "execution").len(), 0);
}

#[test]
fn a_release_is_written_to_a_page() {
    let folder = accepted();
    let refused = release(folder.path(), &["--html", "nowhere/page.html"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert_eq!(records(folder.path(), "execution").len(), 0, "told before the work");
    release(folder.path(), &["--html", "page.html"]).ok();
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("Alpha") && page.contains("Beta"));
}

#[test]
fn forged_records_are_found() {
    let number = "acceptanceNumber> \"2\"";
    let cases = [
        (number, "acceptanceNumber> \"1\"", "several submissions have the number 1"),
        (number, "acceptanceNumber> \"0\"", "the number `0` is no positive integer"),
        (number, "acceptanceNumber> \"x\"", "the number `x` is no positive integer"),
        (number, "acceptanceNumber> \"7\"", "no submission has the number 2"),
        ("/profile/qald-4/2>", "/profile/qald/2>", "give the key"),
        (
            "ns#submission> <https://w3id.org/qassay/submission/",
            "ns#submission> <https://w3id.org/qassay/submission/0",
            "is not in the archive",
        ),
        ("/dataset/qald-4-small-test/", "/dataset/other/", "is not in the archive"),
    ];
    for (from, to, problem) in cases {
        let folder = accepted();
        let second = records(folder.path(), "blind").into_iter();
        let mut second = second.filter(|path| fs::read_to_string(path).unwrap().contains(number));
        let path = second.next().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let ran = qassay(folder.path(), ["verify", "--format", "json"]);
        assert_eq!(ran.code, Some(1), "{to}: {}", ran.stderr);
        assert!(ran.stdout.contains(problem), "{to}: {}", ran.stdout);
    }
    let folder = accepted();
    let printed = qassay(folder.path(), ["verify"]).ok();
    assert!(printed.contains("blind submissions"), "{printed}");
}

/// What decides numbers is chosen at the release, and refused before.
#[test]
fn a_release_takes_the_choices_of_an_evaluation() {
    let folder = files(&[
        ("gold.csv", "id,question,questiontype,answer\n1,Who?,factoid,Ada Lovelace\n2,Why?,definition,\n"),
        ("run.csv", "id,answer,confidence\n1,Ada,1\n2,because it rains,1\n"),
        ("said.csv", "question,answer,verdict,assessor\n1,Ada,correct,X\n2,because it rains,correct,X\n"),
        ("types.csv", "question,type\n1,person\n2,reason\n"),
        ("sentences.tsv", SENTENCES),
        ("scores.txt", "1\n2\n2\n1\n"),
    ]);
    accept(folder.path(), "clef-2004", "gold.csv", "run.csv").ok();
    accept(folder.path(), "nlpcc-ranking", "sentences.tsv", "scores.txt").ok();
    let k = |options: &[&str]| {
        let arguments = ["release", "gold.csv", "--format", "json"].iter().chain(options);
        qassay(folder.path(), arguments).json()["released"][0]["measures"]["kMeasure"].clone()
    };
    // One answer is not the gold answer, one stands where there should be none.
    assert_eq!(k(&[]).as_f64(), Some(-1.0));
    assert_eq!(k(&["--assessments", "said.csv"]).as_f64(), Some(1.0));
    let page = ["--html", "page.html", "--assessments", "said.csv", "--question-types", "types.csv"];
    assert_eq!(k(&page).as_f64(), Some(1.0));
    let text = fs::read_to_string(folder.path().join("page.html")).unwrap();
    for part in
        ["submissions of the test phase", "the best submission of each system", "reason", "assessments"]
    {
        assert!(text.contains(part), "{part}");
    }
    let ranked =
        qassay(folder.path(), ["release", "sentences.tsv", "--cutoffs", "1,2", "--format", "csv"]).ok();
    assert!(ranked.contains("accuracyAt2"), "{ranked}");
    let tied = files(&[("gold.tsv", SENTENCES), ("scores.txt", "1\n1\n2\n1\n")]);
    accept(tied.path(), "nlpcc-ranking", "gold.tsv", "scores.txt").ok();
    let table = qassay(tied.path(), ["release", "gold.tsv"]).ok();
    assert!(
        table.contains("S (no. 1, nlpcc-ranking): equal scores; broken otherwise they give MRR"),
        "{table}"
    );
    let json = qassay(tied.path(), ["release", "gold.tsv", "--format", "json"]).json();
    assert_eq!(json["released"][0]["ties"]["meanReciprocalRank"]["best"].as_f64(), Some(0.75));
    let verified = qassay(folder.path(), ["verify"]);
    assert_eq!(verified.code, Some(0), "{}\n{}", verified.stdout, verified.stderr);
    for choice in [["--assessments", "said.csv"], ["--cutoffs", "3"], ["--links", "x.nt"], ["--kb", "x"]] {
        let accept =
            ["evaluate", "--blind", "gold.csv", "run.csv", "--system", "S", "--profile", "clef-2004"];
        let refused = qassay(folder.path(), accept.iter().chain(&choice));
        assert_eq!(refused.code, Some(2), "{choice:?}");
        assert!(refused.stderr.contains("cannot be used with"), "{}", refused.stderr);
    }
    let useless = qassay(folder.path(), ["release", "gold.csv", "--cutoffs", "3"]);
    assert!(useless.stderr.contains("`--cutoffs` is for measures that look at a rank"), "{}", useless.stderr);
}

/// The page is about the best submission of each system, and its results are about all.
#[test]
fn the_page_of_a_release_tells_the_submissions_apart() {
    let folder = accepted();
    release(folder.path(), &["--html", "page.html"]).ok();
    let text = fs::read_to_string(folder.path().join("page.html")).unwrap();
    for (name, is_there) in [("Alpha (no. 1)", false), ("Alpha (no. 2)", true), ("Beta (no. 3)", true)] {
        assert_eq!(text.contains(&format!("<dd>{name}</dd>")), is_there, "{name}");
    }
    assert_eq!(text.matches("<td>best</td>").count(), 2, "{text}");
}

/// Questions 1, 2, 3 of one task are those of every other task.
#[test]
fn answers_to_another_task_are_told() {
    let folder = folder();
    for (name, id, told) in [("a.xml", "QALD-4_small_test.xml", 0), ("b.xml", "qald-4_other_test", 1)] {
        let answers = xml("1=Secret_One 2= 3= 4=").replace("qald-4_small_test", id);
        fs::write(folder.path().join(name), answers).unwrap();
        let ran = blind(folder.path(), name, name);
        let message = "the submission is for `qald-4_other_test`, the gold file is `qald-4_small_test`";
        assert_eq!(ran.stdout.matches(message).count(), told, "{}", ran.stdout);
    }
}
