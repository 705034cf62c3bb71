//! Published outputs of systems, and what comes of predictions when they are scored.

use crate::common::{mirror_2, qassay};
use qassay::sources::document::{AnswerState, Document};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use serde_json::{Map, Value, json};

const GRASP: &str = "ad-freiburg/grasp/2ff24829de070e6e3b42c252438c0732603acb9d/data/benchmark";
const EXAMPLES: &str = "amazon-science/mintaka/b6146ffb41562803c45df3c028b4cdad8c09dd4d/evaluate/examples";
const MINTAKA: &str = "amazon-science/mintaka/cbb87072c9e0c92a2baf585f1d67b5a9003081a0/data/mintaka_dev.json";

/// The document of a file, its format, and the codes of its issues.
fn document(file: &str) -> (Document, &'static str, Vec<&'static str>) {
    let (document, format) = read(&Source::open(&mirror_2().join(file)).unwrap()).unwrap();
    let mut codes: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
    codes.sort_unstable();
    codes.dedup();
    (document, format.name, codes)
}

fn count(document: &Document, state: AnswerState) -> usize {
    document.questions.iter().filter(|question| question.answers.state == state).count()
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn queries_of_systems() {
    let files: [(&str, usize, usize, &[&str]); 3] = [
        ("ck25/text2sparql2025/outputs/iis-q.jsonl", 50, 48, &["empty-query"]),
        ("ck25/text2sparql2025/outputs/infai.jsonl", 50, 50, &[]),
        ("wikidata/qald7/outputs/spinach.jsonl", 45, 45, &["missing-id", "not-a-question", "unknown-field"]),
    ];
    for (file, named, with_query, expected) in files {
        let (found, format, codes) = document(&format!("{GRASP}/{file}"));
        assert_eq!(
            (format, codes.as_slice(), found.questions.len()),
            ("predictions-jsonl", expected, 50),
            "{file}"
        );
        let timed = found.questions.iter().filter(|question| question.response_time.is_some());
        assert_eq!((timed.count(), count(&found, AnswerState::Absent)), (named, named), "{file}");
        let queries = found.questions.iter().filter(|question| !question.queries.is_empty());
        assert_eq!(queries.count(), with_query, "{file}");
    }
}

/// The questions beside those outputs have queries and no place for answers.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn questions_are_none() {
    for (file, questions) in [("ck25/text2sparql2025/test.jsonl", 50), ("wikidata/spinach/test.jsonl", 165)] {
        let (found, format, _) = document(&format!("{GRASP}/{file}"));
        assert_eq!((format, count(&found, AnswerState::Absent)), ("jsonl", questions), "{file}");
        let whole = found.questions.iter().filter(|q| q.texts.len() == 1 && q.queries.len() == 1);
        assert_eq!(whole.count(), questions, "{file}");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn scores_are_no_answers() {
    for file in ["ck25/text2sparql2025/outputs/iis-q", "wikidata/qald7/outputs/spinach"] {
        let source = Source::open(&mirror_2().join(format!("{GRASP}/{file}.evaluation.json"))).unwrap();
        let error = read(&source).unwrap_err().to_string();
        assert!(error.contains("these are scores of an evaluation, not answers"), "{error}");
    }
}

/// Of 4000 values in the one, 573 are booleans, 67 null, 112 lists of 411 ids; the other has texts only.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn examples_of_mintaka() {
    let (found, format, codes) = document(&format!("{EXAMPLES}/example_kg_predictions.json"));
    assert_eq!((format, found.questions.len()), ("predictions-map", 4000));
    assert_eq!(codes, ["null-value", "unknown-term-kind"]);
    assert_eq!((count(&found, AnswerState::Given), count(&found, AnswerState::Empty)), (3933, 67));
    let sets = || found.questions.iter().flat_map(|question| &question.answers.sets);
    let cells = || sets().flat_map(|set| &set.rows).map(|row| row.cells[0].value.as_str());
    let items = cells().filter(|value| value.starts_with("http://www.wikidata.org/entity/Q"));
    assert_eq!((items.count(), cells().count()), (2320 + 411, 4000 - 573 - 67 - 112 + 411));
    assert_eq!(sets().filter(|set| set.boolean.is_some()).count(), 573);
    let (found, format, codes) = document(&format!("{EXAMPLES}/example_text_predictions.json"));
    assert_eq!((format, found.questions.len(), codes.len()), ("predictions-map", 4000, 0));
    assert_eq!(found.questions[0].answers.sets[0].rows[0].cells[0].value, "Mark Twain");
}

/// Those examples are of other questions than the published gold standard that we have. So predictions of their shape are made
/// of it: of four questions two are right, one is wrong, one is null.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn predictions_of_the_same_shape_are_scored() {
    let gold = mirror_2().join(MINTAKA);
    let questions: Vec<Value> = serde_json::from_slice(&std::fs::read(&gold).unwrap()).unwrap();
    let (mut predictions, mut right, mut wrong) = (Map::new(), 0, 0);
    for (question, position) in questions.iter().zip(0..) {
        let values = question["answer"]["answer"].as_array().map(|answers| {
            let value = |answer: &Value| answer.get("name").unwrap_or(answer).clone();
            answers.iter().map(value).collect::<Vec<_>>()
        });
        let value = match (values, position % 4) {
            (Some(values), 0 | 1) => {
                right += 1;
                if let [value] = &values[..] { value.clone() } else { json!(values) }
            }
            (Some(_), 2) => {
                wrong += 1;
                json!("Q999999999")
            }
            _ => Value::Null,
        };
        predictions.insert(question["id"].as_str().unwrap().to_owned(), value);
    }
    assert_eq!((predictions.len(), right, wrong), (2000, 988, 496));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("predictions.json");
    std::fs::write(&file, Value::Object(predictions).to_string()).unwrap();
    let arguments = [
        "evaluate",
        &gold.display().to_string(),
        "predictions.json",
        "-x",
        "QA",
        "-f",
        "json",
        "--no-archive",
    ];
    let report = qassay(folder.path(), arguments).json();
    let scored = report["evaluations"][0]["experiments"]["QA"]["questions"].as_array().unwrap();
    let has = |question: &&Value, tp: bool, fp: bool| {
        question["status"] == "answered" && (question["tp"] != 0, question["fp"] != 0) == (tp, fp)
    };
    let exact = scored.iter().filter(|question| has(question, true, false) && question["fn"] == 0).count();
    let all_wrong = scored.iter().filter(|question| has(question, false, true)).count();
    let empty = scored.iter().filter(|question| question["status"] == "empty").count();
    // 24 questions have a null for their answer: what nobody states is not scored.
    let unstated = 24;
    assert_eq!(scored.len(), 2000 - unstated);
    assert_eq!((exact, all_wrong, empty), (right, wrong, 2000 - right - wrong - unstated));
}
