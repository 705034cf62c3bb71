//! `qassay compare` and `qassay explain COMPARISON A B`, from outside.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::archive::write;
use crate::common::{QALD_8_TRAIN, Ran, mirror, qald_8_answers, qassay};

const A: &str = "http://example.org/a";
const B: &str = "http://example.org/b";

/// Twelve questions with the answer `a`; a system has those that a text marks with `+`, wrong ones where it has `-`, and
/// skips those with a blank.
fn answers(folder: &Path, name: &str, marks: &str) -> String {
    let all: Vec<(String, Vec<&str>)> = marks
        .bytes()
        .enumerate()
        .filter(|(_, mark)| *mark != b' ')
        .map(|(number, mark)| (format!("q{number:02}"), vec![if mark == b'+' { A } else { B }]))
        .collect();
    let all: Vec<(&str, &[&str])> = all.iter().map(|(id, values)| (id.as_str(), values.as_slice())).collect();
    write(folder, name, &all)
}

/// Files in a folder: gold, and systems by their names.
fn files(systems: &[(&str, &str)]) -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let mut words = vec![answers(folder.path(), "gold.json", &"+".repeat(systems[0].1.len()))];
    // Who answers all of it does not send the same bytes.
    let text = std::fs::read_to_string(&words[0]).unwrap();
    std::fs::write(&words[0], text + "\n").unwrap();
    words.extend(systems.iter().map(|(name, marks)| answers(folder.path(), &format!("{name}.json"), marks)));
    (folder, words)
}

fn compare(folder: &TempDir, words: &[String], more: &[&str]) -> Ran {
    let mut all = vec!["compare"];
    all.extend(words.iter().map(String::as_str));
    all.extend_from_slice(more);
    qassay(folder.path(), all)
}

fn json_of(folder: &TempDir, words: &[String], more: &[&str]) -> Value {
    let ran = compare(folder, words, &[more, &["--format", "json", "-x", "QA"]].concat());
    serde_json::from_str(&ran.ok()).unwrap()
}

const THREE: [(&str, &str); 3] =
    [("best", "++++++++++++"), ("half", "++++++------"), ("none", "------------")];

#[test]
fn files_are_compared_at_once_and_then_in_the_archive() {
    let (folder, words) = files(&THREE);
    let of_files = json_of(&folder, &words, &["--quiet"]);
    let of_archive = json_of(&folder, &[], &[]);
    assert_eq!(of_files, of_archive);
    for word in ["small", "best"] {
        assert_eq!(json_of(&folder, &[word.to_owned()], &[])["tables"][0]["dataset"], "small", "{word}");
    }
    let table = &of_archive["tables"][0];
    assert_eq!(
        json!([table["questions"], table["direction"], table["measure"]]),
        json!([12, "higher", "macroF1"])
    );
    let told = |name: &str| {
        table["systems"].as_array().unwrap().iter().map(|one| one[name].clone()).collect::<Value>()
    };
    assert_eq!(told("value"), json!([1, 0.5, 0]));
    assert_eq!(told("rank"), json!([1, 2, 3]));
    assert_eq!(told("noInterval"), json!(["no-variation", null, "no-variation"]));
    // All twelve differ: 2 of 4,096; six: 2 of 64, twice.
    let pairs = table["pairs"].as_array().unwrap();
    assert_eq!(
        pairs.iter().map(|pair| pair["p"].clone()).collect::<Value>(),
        json!([0.03125, 0.000_488_281_25, 0.03125])
    );
    assert_eq!(
        pairs.iter().map(|pair| pair["significant"].clone()).collect::<Value>(),
        json!([false, true, false])
    );
    assert_eq!(of_archive["oracle"][0]["best"][0]["systems"], json!(["best"]));
    assert_eq!(of_archive["items"][0]["scores"], json!({"best": 1, "half": 1, "none": 0}));
    let codes =
        of_archive["skipped"].as_array().unwrap().iter().map(|one| one["code"].clone()).collect::<Value>();
    // Two values, and the difference of both; nobody says how sure he is.
    assert_eq!(codes, json!(["no-variation", "no-variation", "no-variation", "no-confidences"]));
}

#[test]
fn every_format_and_part() {
    let (folder, words) = files(&THREE);
    let quiet = ["-x", "QA", "--no-archive", "--quiet"];
    let of = |more: &[&str]| compare(&folder, &words, &[&quiet[..], more].concat()).ok();
    insta::assert_snapshot!("compare_table", of(&[]));
    insta::assert_snapshot!("compare_markdown", of(&["--format", "markdown"]));
    insta::assert_snapshot!("compare_latex", of(&["--format", "latex"]));
    insta::assert_snapshot!("compare_baseline", of(&["--baseline", "half", "--show", "matrix"]));
    insta::assert_snapshot!("compare_parts", of(&["--show", "ranks,oracle,items"]));
    for (part, head) in [
        (
            "matrix",
            "dataset,profile,gold,experiment,measure,system,value,low,high,intervalMethod,missing,rank,rankRange,significanceRank,letters,ownValue,cautions",
        ),
        (
            "pairs",
            "dataset,profile,gold,experiment,measure,a,b,difference,low,high,p,adjusted,differing,wins,ties,losses,detectable,method,significant,familySize,dominance,standardised",
        ),
        (
            "items",
            "dataset,profile,gold,experiment,measure,question,difficulty,discrimination,best,half,none",
        ),
    ] {
        let csv = of(&["--format", "csv", "--show", part]);
        assert_eq!(csv.lines().next(), Some(head));
        assert_eq!(csv.lines().count(), if part == "items" { 13 } else { 4 });
    }
    assert_eq!(of(&["--format", "csv"]), of(&["--format", "csv", "--show", "matrix"]));
    let of_pairs = of(&["--format", "csv", "--show", "pairs"]);
    let line = of_pairs.lines().find(|line| line.contains(",best,half,")).unwrap();
    assert!(line.ends_with(",exact,false,3,0.5,0.957427107756"), "{line}");
    let two = ["--format", "csv", "--show", "matrix,pairs"];
    assert_eq!(compare(&folder, &words, &[&quiet[..], &two].concat()).code, Some(2));
    assert_eq!(
        of(&["--show", "drift,profiles"]),
        "no system stands against curated and refreshed gold answers\n\nno two tables differ in their profile only, or in their gold answers only\n"
    );
    let beside = compare(&folder, &words, &["-x", "QA", "--no-archive", "--show", "drift,matrix"]);
    assert!(beside.stderr.contains("note: no system stands against curated"), "{}", beside.stderr);
    assert!(!folder.path().join("qassay-archive").exists());
}

/// The order of words, and how many threads there are, change nothing.
#[test]
fn order_and_threads_change_nothing() {
    let (folder, mut words) = files(&THREE);
    let of = |words: &[String], threads| {
        compare(
            &folder,
            words,
            &["-x", "QA", "--format", "json", "--no-archive", "--quiet", "--threads", threads],
        )
        .ok()
    };
    let one = of(&words, "1");
    words[1..].reverse();
    assert_eq!(of(&words, "4"), one);
}

#[test]
fn what_cannot_be_compared_is_told() {
    let (folder, words) = files(&THREE);
    let quiet = ["-x", "QA", "--quiet"];
    let refused = |words: &[String], more: &[&str], told: &str| {
        let ran = compare(&folder, words, &[&quiet[..], more].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    };
    refused(&[], &[], "qassay-archive");
    refused(&words[..1], &[], "there are no answers to compare");
    refused(&words, &["--baseline", "nobody"], "no evaluation is of the system `nobody`");
    refused(&words, &["--measure", "nothing"], "there is no measure `nothing`");
    for alpha in ["0", "1", "x"] {
        refused(&words, &["--alpha", alpha], "a number above 0, below 1");
    }
    compare(&folder, &words, &quiet).ok();
    refused(&["nobody".to_owned()], &[], "no evaluation, system or dataset `nobody`");
    refused(&[], &["--profile", "nobody"], "no evaluation is by the profile `nobody`");
    refused(&[], &["--links", "x.nt"], "scored already");
    let query = folder.path().join("where.rq");
    let with_query = |text: &str| std::fs::write(&query, text).unwrap();
    with_query("SELECT ?e { ?e a qassay:Evaluation }");
    assert_eq!(json_of(&folder, &[], &["--where", "where.rq"])["evaluations"].as_array().unwrap().len(), 3);
    with_query("SELECT ?e { ?e a qassay:Nothing }");
    refused(&[], &["--where", "where.rq"], "no evaluation of the archive is all that is asked for");
    with_query("SELECT (1 AS ?e) {}");
    refused(&[], &["--where", "where.rq"], "something else than IRIs");
    with_query("SELECT ?e {");
    refused(&[], &["--where", "where.rq"], "where.rq");
    // The same systems on another gold file: a cell has one evaluation, and two tables have one system each.
    let gold = answers(folder.path(), "gold-2.json", "++++++++++");
    let other = answers(folder.path(), "other.json", "++++++++--");
    qassay(folder.path(), ["evaluate", &gold, &other, "-x", "QA", "--quiet"]).ok();
    refused(&["best".to_owned(), "other".to_owned()], &[], "differ in gold file");
}

/// What repeats the gold file and what stands under two names takes no rank and no mark.
#[test]
fn values_that_mean_nothing_take_no_mark() {
    let (folder, words) = files(&[("one", "++++++++--++"), ("two", "++++------+-")]);
    let copy = folder.path().join("copy.json");
    std::fs::copy(&words[1], &copy).unwrap();
    let words = [&words[..], &[copy.to_str().unwrap().to_owned()]].concat();
    let named = ["--system", "one", "--system", "two", "--system", "copy"];
    let found = json_of(&folder, &words, &[&named[..], &["--quiet"]].concat());
    let systems = found["tables"][0]["systems"].as_array().unwrap();
    let told = |name: &str| systems.iter().map(|one| one[name].clone()).collect::<Value>();
    // One file is one submission: it stands once, by the name that the archive has for it, and says whose it is too.
    assert_eq!(told("system"), json!(["one", "two"]));
    assert_eq!(told("rank"), json!([null, 1]));
    assert_eq!(told("letters"), json!([null, "a"]));
    assert_eq!(systems[0]["cautions"][0]["code"], "same-bytes");
    assert_eq!(found["tables"][0]["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(found, json_of(&folder, &[], &[]));
    let baseline = json_of(&folder, &[], &["--baseline", "copy"]);
    assert_eq!(baseline["settings"]["baseline"], "one");
    for format in ["table", "latex"] {
        let table = compare(&folder, &[], &["--show", "matrix", "--format", format]).ok();
        assert!(table.contains("has no rank: the same file stands for "), "{table}");
        let line = table.lines().find(|line| line.starts_with("copy") || line.starts_with("one")).unwrap();
        assert!(line.contains('!') && !line.contains("textbf") && !line.contains('*'), "{line}");
    }
    // The gold file itself is nobody's answer.
    let (folder, words) = files(&[("one", "++++++++--++"), ("two", "++++------+-")]);
    let with_gold = [&words[..], &words[..1]].concat();
    let found = json_of(&folder, &with_gold, &["--no-archive", "--quiet"]);
    let gold = &found["tables"][0]["systems"][0];
    assert_eq!(
        json!([gold["value"], gold["rank"], gold["cautions"][0]["code"]]),
        json!([1, null, "gold-file"])
    );
    assert_eq!(found["oracle"][0]["best"][0]["systems"], json!(["one"]));
    // Who is left alone by that is best of nobody.
    let alone = [&words[..2], &words[..1]].concat();
    let table = compare(&folder, &alone, &["--no-archive", "--quiet", "--show", "matrix", "-x", "QA"]).ok();
    assert!(table.contains("one is the only one with a rank"), "{table}");
    assert!(!table.contains(" *") && !table.contains("* best"), "{table}");
}

/// The questions that decide, with what each system made of them.
#[test]
fn deciding_questions_are_explained() {
    let (folder, words) = files(&[("one", "++++++++++-+"), ("two", "-+-++++++++-")]);
    let found = json_of(&folder, &words, &["--quiet"]);
    let key = found["comparison"].as_str().unwrap().rsplit('/').next().unwrap();
    let explain = |more: &[&str]| qassay(folder.path(), [&["explain", key], more].concat());
    insta::assert_snapshot!("explain_comparison", explain(&["one", "two"]).ok());
    // In the order in which they are asked for.
    let [of_one, of_two] = [["one", "two"], ["two", "one"]].map(|both| explain(&both).ok());
    assert!(of_one.contains("\none − two: ") && !of_one.contains("two − one: "), "{of_one}");
    assert!(of_two.contains("\ntwo − one: ") && !of_two.contains("one − two: "), "{of_two}");
    let csv = explain(&["two", "one", "--most", "2", "--format", "csv"]).ok();
    assert_eq!(csv.lines().count(), 3, "{csv}");
    for (more, told) in [
        (&["one"][..], "two of one, two"),
        (&["one", "one"], "nothing decides between"),
        (&["one", "nobody"], "no table of the comparison has both"),
        (&["one", "two", "--profile", "qald"], "no table by this profile"),
        (&["one", "two", "-x", "AT"], "no table by this profile"),
    ] {
        let ran = explain(more);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{told}");
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
    // Who names two systems and no comparison is told where they are explained.
    let told = qassay(folder.path(), ["explain", "one", "two"]).stderr;
    assert!(told.contains("no question `two`") && told.contains("explain COMPARISON A B"), "{told}");
}

/// Systems that have no question in common, and systems that answer the same.
#[test]
fn nothing_in_common_and_nothing_different() {
    let (folder, words) =
        files(&[("one", "++++++++++++"), ("two", "------------"), ("same", "++++++++++++")]);
    // Other bytes, the same answers.
    std::fs::write(&words[3], format!("{} ", std::fs::read_to_string(&words[3]).unwrap())).unwrap();
    let found = json_of(&folder, &words, &["--quiet"]);
    let pair =
        found["tables"][0]["pairs"].as_array().unwrap().iter().find(|pair| pair["differing"] == 0).unwrap();
    assert_eq!(json!([pair["p"], pair["difference"], pair["noInterval"]]), json!([1, 0, "no-variation"]));
    let (folder, words) = files(&[("one", "++++++      "), ("two", "      ++++++")]);
    let found = json_of(&folder, &words, &["--questions", "answered", "--quiet"]);
    let table = &found["tables"][0];
    assert_eq!(json!([table["questions"], table["noPairs"]]), json!([0, "no-common-questions"]));
    assert_eq!(table["systems"][0]["rank"], Value::Null);
    let shown = compare(&folder, &[], &["--questions", "answered"]).ok();
    assert_eq!(
        (&table["systems"][0]["value"], &table["systems"][0]["commonValue"]),
        (&json!(0.5), &Value::Null)
    );
    let row = shown.lines().find(|line| line.starts_with("one ")).unwrap();
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["one", "–", "–", "–"]);
    assert!(
        shown.contains("no question is common to all systems") && shown.contains("which flatters"),
        "{shown}"
    );
}

/// A folder with an archive: systems on two gold files, both called alike or not.
fn two_datasets(names: [&str; 2]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (at, (name, of_a, of_b)) in
        [(names[0], "++++++++++++", "++++++------"), (names[1], "++++++++++++++", "+++++++++-----")]
            .into_iter()
            .enumerate()
    {
        let place = folder.path().join(at.to_string());
        std::fs::create_dir(&place).unwrap();
        let gold = answers(&place, "gold.json", &"+".repeat(of_a.len()));
        let text = std::fs::read_to_string(&gold).unwrap().replace("\"small\"", &format!("\"{name}\""));
        std::fs::write(&gold, text).unwrap();
        let [a, b] = [("a.json", of_a), ("b.json", of_b)].map(|(file, marks)| answers(&place, file, marks));
        let mut words = vec!["evaluate", &gold, &a, &b, "-x", "QA", "--quiet"];
        let c = (at == 0).then(|| answers(&place, "c.json", "+++---------"));
        words.extend(c.as_deref());
        qassay(folder.path(), words).ok();
    }
    folder
}

/// Each dataset has its family and its questions, so do means over them, and each value its bounds.
#[test]
fn several_datasets_are_beside_each_other() {
    let folder = two_datasets(["one", "two"]);
    insta::assert_snapshot!("compare_datasets", compare(&folder, &[], &["--show", "matrix,datasets"]).ok());
    // A baseline that one of them lacks.
    let shown = compare(&folder, &[], &["--show", "matrix", "--baseline", "c"]).ok();
    assert!(shown.contains("! c has no evaluation on two: "), "{shown}");
    assert!(!shown.contains("best"), "{shown}");
    assert!(!shown.contains("] *") && !shown.contains("] ="), "{shown}");
}

/// Gold files that are called alike are told apart, and there is no mean over them.
#[test]
fn datasets_of_one_name_are_told_apart() {
    let folder = two_datasets(["same", "same"]);
    let shown = compare(&folder, &[], &[]).ok();
    assert!(shown.contains("! gold files that differ are called same: "), "{shown}");
    let head = shown.lines().find(|line| line.starts_with("system ")).unwrap();
    let names: Vec<&str> = head.match_indices("same ").map(|(at, _)| &head[at..at + 13]).collect();
    assert!(names.len() == 2 && names[0] != names[1] && !head.contains("mean"), "{head}");
    for name in names {
        assert!(shown.contains(&format!("{name}, QA macroF1, profile qassay, 1")), "{name}: {shown}");
    }
    let csv = compare(&folder, &[], &["--format", "csv"]).ok();
    let in_csv: std::collections::BTreeSet<&str> =
        csv.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(in_csv.len(), 2);
}

/// What a measure cannot have is told, and so are values that are all 0.
#[test]
fn what_is_absent_has_a_reason() {
    let (folder, words) = files(&THREE);
    let asked = ["-x", "QA", "--quiet", "--measure", "microF1", "--show", "oracle,items,groups"];
    let shown = compare(&folder, &words, &asked).ok();
    assert_eq!(shown.matches("the measure is no mean over questions").count(), 3, "{shown}");
    assert!(!shown.contains("difficulty"), "{shown}");
    let found = json_of(&folder, &[], &["--measure", "microF1", "--groups"]);
    let skipped = found["skipped"].as_array().unwrap();
    let told = |one: &&Value| one["code"] == "no-mean";
    let about: Vec<&str> = skipped.iter().filter(told).map(|one| one["about"].as_str().unwrap()).collect();
    assert_eq!(about, ["tables/0: oracle", "tables/0: items", "tables/0: risk", "tables/0: groups"]);
    let (folder, words) = files(&[("one", "------------"), ("two", "-----------")]);
    let shown = compare(&folder, &words, &["-x", "QA", "--quiet"]).ok();
    assert!(shown.contains("QA macroF1, profile qassay: all values are 0 on small\n"), "{shown}");
    assert!(!shown.contains("Holm"), "{shown}");
}

/// Who is alone has no legend and no pairs, but a reason.
#[test]
fn one_system_has_no_marks() {
    let (folder, words) = files(&THREE[..1]);
    let shown = compare(&folder, &words, &["-x", "QA", "--quiet"]).ok();
    assert!(shown.contains("12 questions: one system: nobody to compare it with"), "{shown}");
    assert!(!shown.contains("a − b") && !shown.contains("Holm") && !shown.contains('*'), "{shown}");
}

/// The tables of the specification on the real files.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn the_tables_of_the_specification() {
    let folder = tempfile::tempdir().unwrap();
    let path = |file: &str| mirror().join(file).to_str().unwrap().to_owned();
    let mut words = vec![path(QALD_8_TRAIN)];
    words.extend(["AskNow", "GANSWER2", "QAKIS", "TeBaQA"].map(|name| path(&qald_8_answers(name, "json"))));
    let names = ["AskNow", "gAnswer2", "QAKiS", "TeBaQA"].map(|name| ["--system", name]).concat();
    let shown = compare(
        &folder,
        &words,
        &[&names[..], &["-x", "QA", "--quiet", "--show", "matrix,ranks,pairs,oracle"]].concat(),
    );
    insta::assert_snapshot!("compare_qald_8", shown.ok());
}
