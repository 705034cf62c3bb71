//! The answers of a system as people write them: an object a question, in JSON Lines or in a list.
//!
//! An id and what the system says, `{"id": …, "prediction": …}`. The id may be called `id`, `qid`, `question_id` or
//! `uid`, the answers `prediction`, `predictions`, `answer` or `answers`; a query is `query` or `sparql`, and `elapsed` is how long it
//! took, in seconds. An answer beside a prediction is that of the gold standard: such a file is a gold standard, and is read here
//! where it is given as a submission. Files that other formats read are not of this one:
//! it has those with predictions and no answers, and, without the text of a question, those
//! with an id that is not called `id`, or a time that is called `elapsed` (the outputs of `ad-freiburg/grasp`).

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use crate::base::error::Result;
use crate::sources::document::Document;
use crate::sources::format::context::Context;
use crate::sources::format::json::jsonl::{FirstLine, first_line};
use crate::sources::format::json::list::read_list;
use crate::sources::format::json::value::{Entries, plain_key};
use crate::sources::format::json::{fields, jsonl, prediction, short};
use crate::sources::format::{Format, sniff};

/// The keys of an id. The first of them that the first question has is that of the file.
const ID_KEYS: [&str; 4] = ["id", "qid", "question_id", "uid"];

/// The id in the predictions of `ComplexWebQuestions`, which is read as `id` is.
const CWQ_ID: &str = "ID";

/// The keys of predictions.
const PREDICTION_KEYS: [&str; 2] = ["prediction", "predictions"];

/// The keys of answers, which may be those of a gold standard.
const ANSWER_KEYS: [&str; 2] = ["answer", "answers"];

/// The keys of queries.
const QUERY_KEYS: [&str; 2] = ["query", "sparql"];

/// The keys of the text of a question.
const TEXT_KEYS: [&str; 5] = ["question", "questions", "question_text", "body", "utterance"];

/// How long the system took, in seconds.
const ELAPSED: &str = "elapsed";

/// Predictions, a line a question.
pub(crate) static LINES: Format = Format {
    name: "predictions-jsonl",
    description: "Predictions in JSON Lines: an object a question with an id and prediction, answer or query.",
    media_type: "application/jsonl",
    recognise: |content| first_line(content).is_some_and(|line| is_prediction(line.keys()) && line.is_json()),
    read: |content, here| {
        let id_key = id_key(first_line(content).into_iter().flat_map(FirstLine::keys));
        let (text, has_gold) = (here.text(content)?, any_in_lines(content, has_both_sides));
        jsonl::read_all(jsonl::lines(text), here, &[id_key], |entries, here| {
            read_fields(entries, (id_key, has_gold), here);
        })
    },
    targets: &[],
};

/// Predictions in a list.
pub(crate) static LIST: Format = Format {
    name: "predictions-list",
    description: "Predictions in a JSON list: an object a question with an id and prediction, answer or query.",
    media_type: "application/json",
    recognise: |content| is_prediction(sniff::item_keys(content)),
    read: read_items,
    targets: &[],
};

fn read_items(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let (id_key, has_gold) = (id_key(sniff::item_keys(content)), any_in_list(content, has_both_sides));
    read_list(content, here, &[id_key], |entries, here| read_fields(entries, (id_key, has_gold), here))
}

/// Whether an object with these keys is a prediction that no other format reads.
fn is_prediction<'k>(keys: impl Iterator<Item = &'k [u8]>) -> bool {
    let keys: Vec<&[u8]> = keys.collect();
    let has = |known: &[&str]| known.iter().any(|name| keys.contains(&name.as_bytes()));
    if !has(&ID_KEYS) && !has(&[CWQ_ID]) {
        return false;
    }
    let (predicts, answers) = (has(&PREDICTION_KEYS), has(&ANSWER_KEYS));
    let is_known = has(&["id"]) && !has(&[ELAPSED]);
    let says = answers || has(&QUERY_KEYS);
    (predicts && !answers) || (!predicts && says && !is_known && !has(&TEXT_KEYS))
}

/// Whether a question of a list has a prediction and an id, whatever it has beside them.
pub(crate) fn predicts_in_list(content: &[u8]) -> bool {
    predicts(&mut sniff::item_keys(content)) || any_in_list(content, predicts)
}

/// Whether a line has a prediction and an id, whatever it has beside them.
pub(crate) fn predicts_in_lines(content: &[u8]) -> bool {
    first_line(content).is_some_and(|line| predicts(&mut line.keys()) && line.is_json())
        || any_in_lines(content, predicts)
}

/// What the keys of an object must be.
type KeyTest = fn(&mut dyn Iterator<Item = &[u8]>) -> bool;

fn any_in_list(content: &[u8], test: KeyTest) -> bool {
    says_prediction(content)
        && serde_json::from_slice::<Vec<Option<KeysOnly>>>(content)
            .is_ok_and(|items| items.iter().flatten().any(|keys| keys.pass(test)))
}

fn any_in_lines(content: &[u8], test: KeyTest) -> bool {
    let mut lines = content.split(|byte| *byte == b'\n').filter(|line| says_prediction(line));
    lines.any(|line| serde_json::from_slice::<KeysOnly>(line).is_ok_and(|keys| keys.pass(test)))
}

/// The keys of an object.
#[derive(serde::Deserialize)]
#[expect(clippy::zero_sized_map_values, reason = "a set would have to be of texts in place of pairs")]
struct KeysOnly(BTreeMap<String, IgnoredAny>);

impl KeysOnly {
    fn pass(&self, test: KeyTest) -> bool {
        test(&mut self.0.keys().map(String::as_bytes))
    }
}

/// Whether the name of a key of predictions is there at all: most files are told apart by this.
fn says_prediction(content: &[u8]) -> bool {
    let name = b"\"prediction";
    content.windows(name.len()).any(|part| part == name)
}

fn predicts(keys: &mut dyn Iterator<Item = &[u8]>) -> bool {
    has_each(keys, &[&ID_KEYS, &PREDICTION_KEYS])
}

/// Whether there is an answer beside a prediction: then answers are those of the gold standard.
fn has_both_sides(keys: &mut dyn Iterator<Item = &[u8]>) -> bool {
    has_each(keys, &[&ANSWER_KEYS, &PREDICTION_KEYS])
}

/// Whether there is a key of each of some lists.
fn has_each(keys: &mut dyn Iterator<Item = &[u8]>, lists: &[&[&str]]) -> bool {
    let keys: Vec<&[u8]> = keys.collect();
    lists.iter().all(|known| known.iter().any(|name| keys.contains(&name.as_bytes())))
}

fn id_key<'k>(keys: impl Iterator<Item = &'k [u8]>) -> &'static str {
    let keys: Vec<&[u8]> = keys.collect();
    ID_KEYS.into_iter().find(|name| keys.contains(&name.as_bytes())).unwrap_or("id")
}

/// Where the file has the gold standard beside predictions, no answer is one: not where a prediction is missing either.
fn read_fields(entries: Entries, (id_key, has_gold): (&str, bool), here: &mut Context) {
    let mut others = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            name if name == id_key => fields::check_id(value, inner),
            name if ID_KEYS.contains(&name) => inner.keep_unknown("key", &key, &value),
            name if PREDICTION_KEYS.contains(&name) => prediction::read(value, inner),
            name if ANSWER_KEYS.contains(&name) && has_gold => inner.keep_unknown("key", &key, &value),
            name if ANSWER_KEYS.contains(&name) => prediction::read(value, inner),
            ELAPSED => fields::read_time(value, 0, inner),
            _ => others.push((key, value)),
        }
    }
    short::read(others, here);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;
    use crate::sources::document::AnswerState::{Absent, Empty, Given, Unreadable};
    use crate::sources::file::source::Source;

    fn told(document: &Document) -> String {
        let told = document.issues.iter();
        let told = told.map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message));
        told.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn queries_of_a_system() {
        let found = LINES.recognised(
            "{\"typ\": \"output\", \"sparql\": \"ASK {}\", \"elapsed\": 0.25, \"id\": \"test_45\"}\n{\"id\": \"2\", \"sparql\": \"\", \"elapsed\": 3}\nnull\n",
        );
        let [first, second, third] = &found.questions[..] else { panic!("not three questions") };
        assert_eq!((first.id.as_str(), first.queries[0].text.as_str()), ("test_45", "ASK {}"));
        assert_eq!((first.answers.state, second.answers.state), (Absent, Absent));
        assert_eq!([first, second].map(|q| q.response_time.as_deref()), [Some("0.25"), Some("3")]);
        assert_eq!((third.id.as_str(), third.answers.state), ("", Unreadable));
        insta::assert_snapshot!(told(&found), @r"
        line 1, question test_45, $.typ unknown-field: the key `typ` is not known; it is kept, but no rule reads it
        line 2, question 2, $.sparql empty-query: the query has no text
        line 3, $ not-a-question: the entry is null, not a question
        line 3 missing-id: the question has no id; it is called `~3`
        ");
    }

    #[test]
    fn predictions_of_complex_web_questions() {
        let found = LIST.recognised(r#"[{"ID": "WebQTest-1_a", "answer": "czech republic"}]"#);
        let [only] = &found.questions[..] else { panic!("not one question") };
        assert_eq!((only.id.as_str(), only.answers.values()), ("WebQTest-1_a", vec!["czech republic"]));
        assert_eq!(told(&found), "");
    }

    #[test]
    fn answers_are_predictions_where_there_are_no_others() {
        let found = LINES.recognised("{\"qid\": 7, \"answers\": [\"a\"]}\n{\"qid\": 8, \"answer\": \"b\"}");
        let values: Vec<_> = found.questions.iter().map(|question| question.answers.values()).collect();
        assert_eq!(values, [["a"], ["b"]]);
    }

    #[test]
    fn answers_under_every_name() {
        let found = LINES.recognised(
            r#"{"question_id": 7, "predictions": ["Q42", "b"], "uid": "u"}
{"question_id": "8", "question": "Who?", "prediction": null, "answer": "gold", "error": "timeout"}
{"question_id": "9", "predictions": 1e999999}
{"id": "10", "prediction": true}"#,
        );
        let states: Vec<AnswerState> = found.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [Given, Empty, Unreadable, Given]);
        let [first, second, third, fourth] = &found.questions[..] else { panic!("not four questions") };
        assert_eq!((first.id.as_str(), first.id_is_number), ("7", true));
        assert_eq!(first.answers.values(), ["http://www.wikidata.org/entity/Q42", "b"]);
        assert_eq!((second.texts[0].text.as_str(), second.error.as_deref()), ("Who?", Some("timeout")));
        assert_eq!(
            (second.extras[0].value.as_str(), third.extras[0].value.as_str()),
            ("\"gold\"", "1e999999")
        );
        assert_eq!(fourth.answers.sets[0].boolean, Some(true));
        insta::assert_snapshot!(told(&found), @r"
        line 1, question 7, $.predictions unknown-term-kind: texts such as `Q42` are read as the items of Wikidata that they are the ids of
        line 1, question 7, $.uid unknown-field: the key `uid` is not known; it is kept, but no rule reads it
        line 2, question 8, $.prediction null-value: the prediction is null; it is read as none
        line 2, question 8, $.answer unknown-field: the key `answer` is not known; it is kept, but no rule reads it
        line 2, question 8, $.error system-error: the system reported an error: timeout
        line 3, question 9, $.predictions unreadable-answer: the value of `predictions` cannot be read: number out of range
        line 4, $.id unknown-field: the key `id` is not known; it is kept, but no rule reads it
        line 4 missing-id: the question has no id; it is called `~4`
        ");
    }

    #[test]
    fn the_same_in_a_list() {
        let found =
            LIST.recognised(r#"[{"qid": "a", "answer": "x", "elapsed": "soon"}, {"qid": "b"}, null]"#);
        let [first, second, third] = &found.questions[..] else { panic!("not three questions") };
        assert_eq!((first.id.as_str(), first.answers.values()), ("a", vec!["x"]));
        assert_eq!((second.answers.state, third.answers.state), (Absent, Unreadable));
        insta::assert_snapshot!(told(&found), @r"
        line 1, question a, $[0].elapsed not-a-number: the time `soon` is no number; it is left out
        line 1, $[2] not-a-question: the entry is null, not a question
        line 1 missing-id: the question has no id; it is called `~3`
        ");
    }

    #[test]
    fn what_other_formats_read_is_left_to_them() {
        for object in [
            r#"{"id": 1, "answer": "x"}"#,
            r#"{"id": 1, "question": "?", "sparql": "ASK {}"}"#,
            r#"{"id": 1, "sparql": "ASK {}"}"#,
            r#"{"id": 1, "question": "?", "sparql": "ASK {}", "elapsed": 1}"#,
            r#"{"uid": 1, "question_text": "?", "answers": []}"#,
            r#"{"id": 1, "answer": "gold", "prediction": "x"}"#,
            r#"{"prediction": "x"}"#,
            r#"{"qid": 1, "score": 0.5}"#,
            "{}",
        ] {
            assert!(!(LINES.recognise)(object.as_bytes()), "{object}");
            assert!(!(LIST.recognise)(format!("[{object}]").as_bytes()), "{object}");
        }
        // the texts of the questions make it no list of questions
        let source =
            Source::from_bytes("x", br#"[{"id": 1, "question": "Who?", "prediction": "x"}]"#.to_vec());
        let (document, format) =
            crate::sources::format::read(&source.expect("a source")).expect("predictions");
        assert_eq!((format.name, document.questions[0].answers.values()), ("predictions-list", vec!["x"]));
        assert!(!(LIST.recognise)(br#"{"id": 1, "prediction": 2}"#));
        assert!((LINES.recognise)(br#"{"id": 1, "question": "?", "prediction": 2}"#));
        assert!(LINES.document(b"\n").is_err() && LIST.document(b"[]").is_err());
    }
}
