//! Columns that only name another one: labels and no answers in the default profile, in scores, explanations and RDF.

use std::fs;

use qassay::profiles::Profile;
use serde_json::{Value, json};

use crate::common::in_process::Program;
use crate::common::{mirror, qassay};

/// The gold file of QALD-1: 50 questions, answers with `uri` and `string`.
const QALD_1: &str = "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/1/data/dbpedia-test.xml";

/// A column that only names another one is no answer, on either side; the label finds its resource.
#[test]
fn label_columns_are_no_answers() {
    let of = |rows: Value| {
        let answers = json!([{"head": {"vars": []}, "results": {"bindings": rows}}]);
        let question =
            json!({"id": "1", "question": [{"language": "en", "string": "Which?"}], "answers": answers});
        json!({"dataset": {"id": "labels"}, "questions": [question]}).to_string().into_bytes()
    };
    let iri = |name: &str| json!({"type": "uri", "value": format!("http://www.wikidata.org/entity/{name}")});
    let text = |text: &str| json!({"type": "literal", "value": text, "xml:lang": "en"});
    let labelled = |name: &str, label: &str| json!({"x": iri(name), "xLabel": text(label)});
    let gold = of(json!([labelled("Q1", "One"), labelled("Q2", "Two")]));
    let cases = [
        (json!([{"x": iri("Q1")}, {"x": iri("Q2")}]), [2, 0, 0]),
        (json!([labelled("Q1", "Uno"), labelled("Q2", "Two")]), [2, 0, 0]),
        (json!([{"name": text("One")}, {"xLabel": text("Two")}]), [2, 0, 0]),
        (json!([{"x": iri("Q1"), "year": text("One")}]), [1, 1, 1]),
        (json!([{"name": text("Three")}]), [0, 1, 2]),
    ];
    let program = Program::new("qassay", None, &[]);
    for (rows, wanted) in cases {
        let counts = |gold: &[u8], system: &[u8]| {
            program.score(gold, system, |_, json: Value| {
                let question = &json["experiments"]["QA"]["questions"][0];
                ["tp", "fp", "fn"].map(|name| question[name].as_u64().expect("a count"))
            })
        };
        let [tp, fp, missed] = wanted;
        let system = of(rows);
        assert_eq!(counts(&gold, &system), wanted, "{}", String::from_utf8_lossy(&system));
        assert_eq!(counts(&system, &gold), [tp, missed, fp], "{}", String::from_utf8_lossy(&system));
    }
}

/// The file without the labels of resources.
fn without_labels(file: &str) -> String {
    let mut parts: Vec<String> = file.split("</answer>").map(str::to_owned).collect();
    for part in &mut parts {
        let answer = part.rfind("<answer>").unwrap_or(part.len());
        let label = part[answer..].contains("<uri>").then(|| part[answer..].find("<string>")).flatten();
        if let Some(begin) = label.map(|at| answer + at) {
            part.truncate(begin);
        }
    }
    parts.join("</answer>")
}

/// Whoever gives all right resources of QALD-1 without their labels has them all; before, they had .64 of them.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn resources_without_labels_are_all_answers_of_qald_1() {
    let gold = fs::read_to_string(mirror().join(QALD_1)).expect("the file");
    let answers = without_labels(&gold);
    assert!(answers.len() < gold.len());
    let recall = |profile: Profile, experiment: &str, files: [&str; 2]| {
        let json = Program::with(profile, None, &[]).json(files[0], files[1]);
        json["experiments"][experiment]["measures"]["macroRecall"].clone()
    };
    let now = || Profile::find("qassay").expect("the default");
    let before = || Profile::with_iri("https://w3id.org/qassay/profile/qassay/3").expect("the profile");
    let of_resources = [&gold[..], &answers];
    assert_eq!(recall(now(), "QA", of_resources), 1);
    assert_eq!(recall(before(), "QA", of_resources), 0.64);
    // A type that labels hide: 36 of 50 questions have some.
    let with_labels = [&answers[..], &gold];
    assert_eq!(recall(now(), "AT", with_labels), 1);
    assert_eq!(recall(before(), "AT", with_labels), 0.28);
}

/// Which cells were labels is in the graph of matches, and in explanations that are read back from it.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn labels_of_qald_1_are_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let gold = mirror().join(QALD_1);
    let answers = folder.path().join("answers.xml");
    fs::write(&answers, without_labels(&fs::read_to_string(&gold).expect("the file"))).expect("a file");
    let [gold, answers] = [&gold, &answers].map(|path| path.to_str().expect("a path"));
    qassay(folder.path(), ["evaluate", gold, answers, "--profile", "qassay,qald"]).ok();
    let marked = |of: &str| {
        let query = format!(
            "SELECT (COUNT(?item) AS ?n) {{ ?observation qassay:readAsLabel ?item ; qassay:{of} ?answer . ?item qassay:inAnswer ?answer }}"
        );
        fs::write(folder.path().join("marked.rq"), query).expect("a file");
        let printed = qassay(folder.path(), ["query", "marked.rq", "--format", "csv"]).ok();
        printed.lines().nth(1).expect("a row").to_owned()
    };
    assert_eq!([marked("goldAnswer"), marked("systemAnswer")], ["911", "0"]);
    let explained = |profile: &str| {
        let arguments = ["explain", "answers", "23", "--profile", profile];
        let told = qassay(folder.path(), [&arguments[..], &["--format", "json"]].concat()).json();
        (told["labels"].clone(), qassay(folder.path(), arguments).ok())
    };
    let (labels, text) = explained("qassay");
    assert_eq!(labels["gold"].as_array().map(Vec::len), Some(8));
    let first = json!({"term": "\"Abraham Lincoln\"", "column": "string", "of": "http://dbpedia.org/resource/Abraham_Lincoln"});
    assert_eq!(labels["gold"][0], first);
    assert_eq!(labels["system"], json!([]));
    let section = "labels in gold, no answers (8)\n  \"Abraham Lincoln\"\n      column string, names http://dbpedia.org/resource/Abraham_Lincoln\n";
    assert!(text.contains(section), "{text}");
    // Where they are answers, none is marked.
    assert_eq!(explained("qald").0, json!({"gold": [], "system": []}));
    assert!(qassay(folder.path(), ["verify"]).ok().starts_with("verified"));
}
