//! Predictions as one object: the id of a question is the key, what the system says is its value.
//!
//! `{"fae46b21": "Q7245", "bc8713cc": 1, "b41ae115": null}`. So Mintaka wants them (`amazon-science/mintaka`, `evaluate/`).
//! Null is an answer without anything in it. Many objects look so that are none: the keys must look like ids,
//! and numbers from 0 to 1 alone are scores.

use serde_json::value::RawValue;

use crate::base::error::{Error, Result};
use crate::base::issue::Place;
use crate::sources::document::Document;
use crate::sources::file::text::{LineCounter, without_mark};
use crate::sources::format::context::Context;
use crate::sources::format::json::root::{Root, RootValue};
use crate::sources::format::json::value::Json;
use crate::sources::format::json::{prediction, root};
use crate::sources::format::table::columns::is_measure;
use crate::sources::format::{Format, sniff};

/// A value that cannot be parsed takes no other of its list with it.
const LEVELS_OF_A_VALUE: usize = 1;

/// Predictions as one object.
pub(crate) static FORMAT: Format = Format {
    name: "predictions-map",
    description: "Predictions in a JSON object: ids of questions as keys, a value or a list of values behind each.",
    media_type: "application/json",
    recognise,
    read,
    targets: &[],
};

fn recognise(content: &[u8]) -> bool {
    // the first key saves reading the others
    let first = sniff::object_keys(content).next().and_then(|key| std::str::from_utf8(key).ok());
    first.is_some_and(may_be_id)
        && std::str::from_utf8(without_mark(content)).is_ok_and(|text| match root::split(text) {
            Ok(Root::Object(parts)) => is_map(&parts),
            _ => false,
        })
}

/// At least two keys that may be ids, nine in ten of them with a digit, and values that are not all scores.
fn is_map<K: AsRef<str>>(parts: &[(K, RootValue)]) -> bool {
    let with_digit = parts.iter().filter(|(key, _)| key.as_ref().bytes().any(|byte| byte.is_ascii_digit()));
    let values: Option<Vec<Json>> = parts.iter().map(|(_, part)| plain(part)).collect();
    parts.len() > 1
        && with_digit.count() * 10 >= parts.len() * 9
        && parts.iter().all(|(key, _)| may_be_id(key.as_ref()))
        && values.is_some_and(|values| !values.iter().all(is_share))
}

fn may_be_id(key: &str) -> bool {
    !key.is_empty() && !key.contains(char::is_whitespace) && !is_measure(key)
}

/// A value or a list of values.
fn plain<'a>(part: &RootValue<'a>) -> Option<Json<'a>> {
    let RootValue::Other(raw) = part else { return None };
    let is_value = |value: &Json| !matches!(value, Json::List(_) | Json::Object(_));
    let begins_object = raw.get().starts_with('{');
    let value = Some(raw).filter(|_| !begins_object).map(|raw| root::salvaged(raw, LEVELS_OF_A_VALUE))?;
    match &value {
        Json::List(items) if !items.iter().all(is_value) => None,
        _ => Some(value),
    }
}

/// A number from 0 to 1.
fn is_share(value: &Json) -> bool {
    matches!(value, Json::Number(number) if number.as_f64().is_some_and(|number| (0.0..=1.0).contains(&number)))
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
            RootValue::Other(raw) => read_one(&id, raw, lines.of(raw.get()), here),
            RootValue::Questions(_) | RootValue::NoQuestions(_) => {
                here.enter(Place::default());
                here.unknown("key", &id);
            }
        }
    }
    if here.draft.questions.is_empty() {
        return Err(Error::input("the object has no ids").allowed("an object with an entry a question"));
    }
    Ok(())
}

fn read_one(id: &str, raw: &RawValue, line: u64, here: &mut Context<Document>) {
    here.question(id.trim(), line, |here| prediction::read(root::salvaged(raw, LEVELS_OF_A_VALUE), here));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;
    use crate::sources::document::AnswerState::{Empty, Given, Unreadable};

    fn read_as_map(text: &str) -> Document {
        FORMAT.document(text.as_bytes()).expect("a document")
    }

    #[test]
    fn ids_and_what_the_system_says() {
        let found = FORMAT.recognised(r#"{"1": ["Q2", 1e999999, null], "b": "x", "c2": 1, "c3": 1, "c4": 1, "c5": 1, "c6": 1, "c7": 1, "c8": 1, "c9": 1}"#);
        assert_eq!(found.questions.len(), 10);
        let found = read_as_map(
            "{\n\"fae46b21\": \"Q7245\",\n\"bc8713cc\": 1, \"e343ad26\": false, \"b41ae115\": null, \"921b0701\": [\"Q16\", \"x\", 1e999999], \"1\": [[2]], \"1\": \"1981\"}",
        );
        let states: Vec<AnswerState> = found.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [Given, Given, Given, Empty, Given, Unreadable, Given]);
        let [first, second, third, _, fifth, sixth, seventh] = &found.questions[..] else {
            panic!("not seven questions")
        };
        assert_eq!((first.id.as_str(), first.place.line), ("fae46b21", Some(2)));
        assert_eq!(
            (first.answers.values(), second.answers.values()),
            (vec!["http://www.wikidata.org/entity/Q7245"], vec!["1"])
        );
        assert_eq!(third.answers.sets[0].boolean, Some(false));
        assert_eq!(fifth.answers.values(), ["http://www.wikidata.org/entity/Q16", "x"]);
        assert_eq!((fifth.extras[0].value.as_str(), sixth.extras[0].value.as_str()), ("1e999999", "[2]"));
        assert_eq!((seventh.key.as_str(), seventh.answers.values()), ("1~2", vec!["1981"]));
        let told: Vec<String> =
            found.issues.iter().map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 2, question fae46b21, $.fae46b21 unknown-term-kind: texts such as `Q42` are read as the items of Wikidata that they are the ids of (2 times, here first)
        line 3, question b41ae115, $.b41ae115 null-value: the prediction is null; it is read as none
        line 3, question 921b0701, $.921b0701[0] wrong-type: a text stands for an answer object; it is read as the answer (2 times, here first)
        line 3, question 921b0701, $.921b0701[2] unreadable-answer: a value that cannot be read stands for an answer object
        line 3, question 1, $.1[0] unreadable-answer: a list stands for an answer object
        line 3, question 1 duplicate-id: the id `1` occurs again; this question is called `1~2`
        ");
    }

    #[test]
    fn other_objects_are_not_recognised() {
        for text in [
            r#"{"q1": "x"}"#,
            r#"{"q1": "x", "q2": {"answer": "y"}}"#,
            r#"{"q1": "x", "q2": [{"answer": "y"}]}"#,
            r#"{"q1": 0.5, "q2": 1}"#,
            r#"{"f1": "x", "2": "y"}"#,
            r#"{"name": "x", "version": 1}"#,
            r#"{"question 1": "x", "question 2": "y"}"#,
            r#"{"1": "x", "questions": []}"#,
            r#"{"1": "x", "2": "#,
            r#"["1", "2"]"#,
            "{}",
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
        for text in ["[]", "{}", r#"{"questions": []}"#] {
            assert!(FORMAT.document(text.as_bytes()).is_err(), "{text}");
        }
    }
}
