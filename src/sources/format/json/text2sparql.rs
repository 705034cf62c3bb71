//! TEXT2SPARQL: the result sets that the client of the campaign writes, gold and answers.
//!
//! An object with one entry a question and language, `"ck25:1-en": {"text": 1, …}`. A text is the value of a
//! variable in some row; rows, variables, kinds of terms, datatypes and languages are gone, and so is the order of the
//! results. The number is 1, but for the boolean false, which is `{"true": 0}`. A query that failed, one without
//! results and a question without answer are all `{}`. Source: `AKSW/text2sparql-client`, `evaluation_metrics.py` and
//! `commands/evaluate.py`.

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::sources::document::{AnswerSet, Cell, Document, Question, Row};
use crate::sources::file::text::LineCounter;
use crate::sources::format::context::Context;
use crate::sources::format::json::root;
use crate::sources::format::json::root::{ListEntry, Root, RootValue, UnparsedValue};
use crate::sources::format::json::value::{Entries, Json, unique};
use crate::sources::format::json::write::not_written;
use crate::sources::format::loss::{Field, Losses, read_state};
use crate::sources::format::{BytesAndLosses, Format, Target, sniff};

/// The flag of the question files: `features: RESULT_ORDER_MATTERS`. Flags have lower-case names.
pub(crate) const ORDER_FLAG: &str = "result_order_matters";

/// The questions of 2025 whose order matters. Result files do not say it: for DB25 `questions_db25.yaml` does, for
/// CK25 the questions that have an `ndcg` in the campaign's `ck25_eval.json`.
const ORDER_MATTERS: [&str; 4] = ["ck25:27", "ck25:37", "db25:46", "db25:96"];

/// The measures of the campaign's own evaluations, which have the same outer form.
const MEASURES: [&str; 3] = ["set_F", "set_P", "set_recall"];

/// The result sets of TEXT2SPARQL.
pub(crate) static FORMAT: Format = Format {
    name: "text2sparql",
    description: "TEXT2SPARQL result sets (JSON): an object of texts for each question and language.",
    media_type: "application/json",
    recognise: |content| {
        let first = sniff::object_keys(content).next();
        first.and_then(|key| std::str::from_utf8(key).ok()).and_then(split_id).is_some()
    },
    read,
    targets: &[Target {
        name: "text2sparql",
        description: "TEXT2SPARQL result sets: the texts of the answers to each question and language",
        ending: None,
        media_type: "application/json",
        may_be_empty: false,
        is_exact: false,
        write: |document, _| write(document),
    }],
};

/// The question and the language of an id `prefix:number-language`.
pub(crate) fn split_id(id: &str) -> Option<(&str, &str)> {
    let (question, language) = id.rsplit_once('-')?;
    let (prefix, number) = question.split_once(':')?;
    let is_language = matches!(language.len(), 2 | 3) && language.bytes().all(|b| b.is_ascii_lowercase());
    (is_language && !prefix.is_empty() && !number.is_empty() && !number.starts_with('/'))
        .then_some((question, language))
}

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let Root::Object(parts) = root::split(text)? else {
        return Err(Error::input("the file is no JSON object").allowed("an object with an entry a question"));
    };
    let mut lines = LineCounter::new(text);
    for (id, part) in parts {
        let here = &mut here.key(&id);
        match part {
            RootValue::Other(raw) if split_id(&id).is_some() => {
                read_one(&id, raw, lines.of(raw.get()), here)?;
            }
            RootValue::Other(_) | RootValue::Questions(_) | RootValue::NoQuestions(_) => {
                here.enter(Place::default());
                here.unknown("key", &id);
            }
        }
    }
    let Some(first) = here.draft.questions.first() else {
        return Err(Error::input("no key of the object names a question")
            .allowed("keys such as `ck25:1-en`, an object of texts behind each"));
    };
    here.draft.dataset_id = first.id.split(':').next().map(str::to_owned);
    Ok(())
}

fn read_one(id: &str, raw: &RawValue, line: u64, here: &mut Context<Document>) -> Result<()> {
    let entry = root::parse(raw);
    if matches!(&entry, ListEntry::Whole(Json::Object(entries)) if is_evaluation(entries)) {
        return Err(evaluation(line));
    }
    here.question(id, line, |here| {
        here.draft.has_answers = true;
        id.trim().clone_into(&mut here.draft.question.id);
        here.draft.question.language = split_id(id).map(|(_, language)| language.to_owned());
        set_order(id, here);
        match entry {
            ListEntry::Whole(Json::Object(entries)) => read_set(unique(entries, here), here),
            ListEntry::Damaged(entries, failures) => {
                read_set(unique(entries, here), here);
                for UnparsedValue { key, why, .. } in failures {
                    let message = format!("the number behind a text cannot be read: {why}");
                    here.key(&key).cannot_read(message);
                }
            }
            ListEntry::Whole(other) => {
                here.cannot_read(format!("{} stands for the texts of the answer", other.kind()));
            }
            ListEntry::Unreadable(why) => here.cannot_read(format!("the answer cannot be read: {why}")),
        }
    });
    Ok(())
}

/// Sets the flag of the questions whose order matters.
pub(crate) fn set_order(id: &str, here: &mut Context) {
    if split_id(id).is_some_and(|(question, _)| ORDER_MATTERS.contains(&question)) {
        here.add_flag(ORDER_FLAG, true.to_string());
    }
}

fn is_evaluation(entries: &Entries) -> bool {
    MEASURES.iter().all(|measure| entries.iter().any(|(key, _)| key == measure))
}

fn evaluation(line: u64) -> Error {
    Error::input("these are the scores of an evaluation (`set_F`), not answers")
        .at(format!("line {line}"))
        .hint("the answers that it scores are in the file that ends with `_system_result_set.json`")
}

/// The texts of an answer, or its boolean: the client writes true as `{"true": 1}` and false as `{"true": 0}`.
fn read_set(entries: Entries, here: &mut Context) {
    let mut set = AnswerSet { has_bindings: true, ..AnswerSet::default() };
    let alone = entries.len() == 1;
    for (text, weight) in entries {
        let inner = &mut here.key(&text);
        let is_positive = positive(&weight, inner);
        if alone && text == "true" {
            set = AnswerSet { boolean: Some(is_positive), ..AnswerSet::default() };
        } else if is_positive {
            set.rows.push(Row { cells: [cell(text)].into() });
        } else {
            let message = "the number behind a text is not positive: it is no answer and left out";
            inner.note(IssueCode::WrongType, message);
        }
    }
    here.draft.add_set(set);
}

/// Whether the number says that the text is an answer. What is no number says nothing against it.
fn positive(weight: &Json, here: &mut Context) -> bool {
    if let Json::Number(number) = weight {
        return number.as_f64().is_some_and(|number| number > 0.0);
    }
    let message = format!("{} stands for a number; it is read as 1", weight.kind());
    here.note(IssueCode::WrongType, message);
    true
}

/// The client keeps no variable: `text` stands for it. Whether a text is an IRI, only its look says.
fn cell(text: Cow<'_, str>) -> Cell {
    Cell { variable: "text".to_owned(), value: text.into_owned(), ..Cell::default() }
}

fn write(document: &Document) -> Result<BytesAndLosses> {
    let mut losses = Losses::default();
    let dataset = document.dataset_id.as_deref().map_or_else(|| "dataset".to_owned(), name);
    let ids: Vec<String> = document.questions.iter().map(|question| id(question, &dataset)).collect();
    let first = ids.first().and_then(|id| id.split(':').next());
    losses.tell_if(document.dataset_id.as_deref() != first, &[Field::DatasetId], Field::DatasetId.name());
    let mut file = Map::with_capacity(ids.len());
    for (question, id) in document.questions.iter().zip(ids) {
        losses.enter(question);
        tell_what_is_left_out(question, &id, &mut losses);
        file.insert(free_id(&file, id), texts(question, &mut losses));
    }
    let mut bytes = serde_json::to_vec_pretty(&file).map_err(|error| not_written(&error))?;
    bytes.push(b'\n');
    Ok((bytes, losses.into_list()))
}

/// A name that may stand before the colon.
fn name(text: &str) -> String {
    let name: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    if name.is_empty() { "dataset".to_owned() } else { name }
}

/// The id of a question and its language, made where the id is none.
fn id(question: &Question, dataset: &str) -> String {
    if split_id(&question.id).is_some() && question.key == question.id {
        return question.id.clone();
    }
    let is_tag = |tag: &&str| matches!(tag.len(), 2 | 3) && tag.bytes().all(|byte| byte.is_ascii_lowercase());
    let languages = question.language.iter().chain(question.texts.iter().filter_map(|t| t.language.as_ref()));
    let language = languages.map(String::as_str).find(is_tag).unwrap_or("en");
    let number = match question.key.trim_start_matches('/') {
        "" => "~",
        number => number,
    };
    format!("{dataset}:{number}-{language}")
}

/// Keys are unique; what was cut off an id may have made two of them one.
fn free_id(file: &Map<String, Value>, mut id: String) -> String {
    while file.contains_key(&id) {
        id = match id.rsplit_once('-') {
            Some((question, language)) => format!("{question}~-{language}"),
            None => id + "~",
        };
    }
    id
}

fn tell_what_is_left_out(question: &Question, id: &str, losses: &mut Losses) {
    losses.tell_if(
        id != question.id,
        &[Field::Id, Field::Language],
        "ids that are not `prefix:number-language`",
    );
    losses.not_held(
        question,
        &[
            Field::IdIsNumber,
            Field::Texts,
            Field::Keywords,
            Field::AnswerType,
            Field::ItemTypes,
            Field::Queries,
            Field::QueryLanguage,
            Field::Annotations,
            Field::Variables,
            Field::Confidence,
            Field::Kind,
            Field::Datatype,
            Field::CellLanguage,
            Field::DatatypeFirst,
            Field::Names,
            Field::Candidates,
            Field::Error,
            Field::Time,
            Field::Asked,
            Field::Extras,
        ],
    );
    // the reader knows the questions whose order matters by their ids
    losses.tell(&[Field::Flags], Field::Flags.name());
    let is_other = question.language.as_deref() != id.rsplit_once('-').map(|(_, language)| language);
    losses.tell_if(is_other, &[Field::Language], Field::Language.name());
    losses.tell_if(question.answers.sets.len() > 1, &[Field::Sets, Field::HasBindings], Field::Sets.name());
    losses.tell_if(
        question.answers.sets.is_empty(),
        &[Field::Sets, Field::HasBindings],
        "answers without any object",
    );
}

/// The texts of the answers, or the boolean: true is `{"true": 1}`, false `{"true": 0}`.
fn texts(question: &Question, losses: &mut Losses) -> Value {
    let sets = &question.answers.sets;
    let is_given = read_state(sets, false, true);
    losses.tell_if(is_given != question.answers.state, &[Field::State], Field::State.name());
    let rows: Vec<_> = sets.iter().flat_map(|set| &set.rows).collect();
    let mut booleans = sets.iter().filter_map(|set| set.boolean);
    let boolean = booleans.next();
    losses.tell_if(booleans.next().is_some(), &[Field::Boolean], "more than one boolean");
    if let Some(value) = boolean.filter(|_| rows.is_empty()) {
        losses.tell_if(
            sets.iter().any(|set| set.has_bindings),
            &[Field::HasBindings],
            Field::HasBindings.name(),
        );
        return json!({ "true": u8::from(value) });
    }
    losses.tell_if(boolean.is_some(), &[Field::Boolean], "booleans beside rows");
    losses.tell_if(
        sets.iter().any(|set| !set.has_bindings),
        &[Field::HasBindings],
        Field::HasBindings.name(),
    );
    losses.tell_if(
        rows.iter().any(|row| row.cells.len() > 1),
        &[Field::Rows],
        "which values stand in one row",
    );
    let mut texts = Map::new();
    for cell in rows.iter().flat_map(|row| &row.cells) {
        losses.tell_if(cell.variable != "text", &[Field::Variable], Field::Variable.name());
        if texts.insert(cell.value.clone(), json!(1)).is_some() {
            losses.tell(&[Field::Rows], "values that occur again");
        }
    }
    // alone, this text is the boolean
    let is_boolean = texts.len() == 1 && texts.contains_key("true");
    losses.tell_if(
        is_boolean,
        &[Field::Rows, Field::Boolean, Field::HasBindings],
        "a text `true` that is no boolean",
    );
    Value::Object(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn texts_booleans_and_nothing() {
        let found = FORMAT.recognised(
            "{\n\"ck25:1-en\": {\"http://a/b\": 1, \"3\": 1},\n\"ck25:33-de\": {\"true\": 0},\n\"ck25:34-en\": {\"true\": 1},\n\"ck25:27-es\": {}}",
        );
        assert_eq!((found.issues.len(), found.dataset_id.as_deref()), (0, Some("ck25")));
        let ids: Vec<(&str, Option<&str>, Option<u64>)> =
            found.questions.iter().map(|q| (q.id.as_str(), q.language.as_deref(), q.place.line)).collect();
        assert_eq!(
            ids,
            [
                ("ck25:1-en", Some("en"), Some(2)),
                ("ck25:33-de", Some("de"), Some(3)),
                ("ck25:34-en", Some("en"), Some(4)),
                ("ck25:27-es", Some("es"), Some(5)),
            ]
        );
        let set = |question: usize| &found.questions[question].answers.sets[0];
        let values: Vec<&str> = set(0).rows.iter().map(|row| row.cells[0].value.as_str()).collect();
        assert_eq!((values, set(0).boolean), (vec!["http://a/b", "3"], None));
        assert_eq!([1, 2, 3].map(|question| set(question).boolean), [Some(false), Some(true), None]);
        assert_eq!(found.questions[3].answers.state, AnswerState::Empty);
        assert_eq!(found.questions[3].flags, [(ORDER_FLAG.to_owned(), "true".to_owned())]);
        assert!(found.questions[0].flags.is_empty());
    }

    #[test]
    fn odd_numbers_and_keys_have_issues() {
        let found = FORMAT.recognised(
            r#"{"a:1-en": {"x": 0, "y": "1", "true": 1}, "a:2-en": ["x"], "a:3-en": {"x": 1, "x": 1}, "average": 3}"#,
        );
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(
            codes,
            ["wrong-type", "wrong-type", "unreadable-answer", "duplicate-key", "unknown-field"]
        );
        // a boolean is alone; beside other texts, `true` is one of them
        let rows: Vec<usize> =
            found.questions.iter().map(|q| q.answers.sets.iter().map(|set| set.rows.len()).sum()).collect();
        assert_eq!(rows, [2, 0, 1]);
    }

    #[test]
    fn an_evaluation_is_refused_with_a_hint() {
        let text = r#"{"ck25:1-en": {"set_P": 0.0, "set_recall": 0.0, "set_F": 0.0}}"#;
        insta::assert_snapshot!(FORMAT.document(text.as_bytes()).expect_err("no answers"), @r"
        line 1: these are the scores of an evaluation (`set_F`), not answers.
        hint: the answers that it scores are in the file that ends with `_system_result_set.json`
        ");
    }

    #[test]
    fn other_objects_are_not_recognised() {
        for text in [
            "{}",
            "[]",
            r#"{"questions": []}"#,
            r#"{"1-en": {}}"#,
            r#"{"http://a-en": {}}"#,
            r#"{"a:1-EN": {}}"#,
            r#"{"a:1": {}}"#,
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
