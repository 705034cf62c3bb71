//! The top level of a JSON file, split without parsing what is in it.
//!
//! Each question is parsed on its own: its line is known from where it begins, memory stays small,
//! and a question that cannot be read does not take the file with it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::base::error::{Error, Result};
use crate::sources::format::json::value::{Entries, Json, Key};

/// The top level of a JSON file.
#[derive(Debug)]
pub(crate) enum Root<'a> {
    /// An object.
    Object(Vec<(Cow<'a, str>, RootValue<'a>)>),
    /// A list.
    List(Vec<&'a RawValue>),
    /// Anything else.
    Scalar,
}

/// A value of the top level.
#[derive(Debug)]
pub(crate) enum RootValue<'a> {
    /// The list `questions`.
    Questions(Vec<&'a RawValue>),
    /// `questions`, but no list: what it is instead.
    NoQuestions(&'static str),
    /// Any other value.
    Other(&'a RawValue),
}

impl RootValue<'_> {
    /// The value of a key where the questions are under the key `name`, which may be another than `questions`.
    pub(crate) fn named(self, key: &str, name: &str) -> Self {
        match self {
            Self::Other(raw) if key == name => QuestionsSeed
                .deserialize(&mut serde_json::Deserializer::from_str(raw.get()))
                .unwrap_or(Self::Other(raw)),
            other => other,
        }
    }
}

/// Splits a file. The only error is that it is no JSON.
pub(crate) fn split(text: &str) -> Result<Root<'_>> {
    serde_json::from_str(text).map_err(|error| not_json(&error))
}

/// The error for text that is no JSON, with its place.
pub(crate) fn not_json(error: &serde_json::Error) -> Error {
    let (line, column) = (error.line(), error.column());
    let said = reason(error);
    let hint = match error.classify() {
        Category::Eof => "the file ends too early: fetch it again, or compare its size with the original",
        _ => "look at the text just before this place: a comma, quote or bracket too many or too few",
    };
    Error::input(format!("this is no valid JSON: {said}"))
        .at(format!("line {line}, column {column}"))
        .hint(hint)
}

/// What `serde_json` says, without the place: it counts from the beginning of what it was given.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let said = error.to_string();
    said.split(" at line ").next().unwrap_or(&said).to_owned()
}

/// One entry of the list of questions, parsed.
#[derive(Debug)]
pub(crate) enum ListEntry<'a> {
    /// Parsed as a whole.
    Whole(Json<'a>),
    /// An object of which some values cannot be parsed: what can, and the others.
    Damaged(Entries<'a>, Vec<UnparsedValue<'a>>),
    /// Not parsed at all, and why.
    Unreadable(String),
}

/// A value of an object that cannot be parsed.
#[derive(Debug)]
pub(crate) struct UnparsedValue<'a> {
    /// Its key.
    pub(crate) key: Cow<'a, str>,
    /// The value as written.
    pub(crate) raw: &'a RawValue,
    /// How many of the entries that can be parsed stand before it.
    pub(crate) before: usize,
    /// What the parser says.
    pub(crate) why: String,
}

/// Parses one entry. Lone surrogates, huge numbers and deep nesting damage only the value they are in.
pub(crate) fn parse(raw: &RawValue) -> ListEntry<'_> {
    match Json::parse(raw.get()) {
        Ok(json) => ListEntry::Whole(json),
        Err(error) => salvage(raw).unwrap_or_else(|| ListEntry::Unreadable(reason(&error))),
    }
}

fn salvage(raw: &RawValue) -> Option<ListEntry<'_>> {
    let Ok(Root::Object(parts)) = serde_json::from_str(raw.get()) else { return None };
    let (mut entries, mut failures) = (Vec::new(), Vec::new());
    for (key, part) in parts {
        match part {
            RootValue::Other(value) => match Json::parse(value.get()) {
                Ok(json) => entries.push((key, json)),
                Err(error) => {
                    let (before, why) = (entries.len(), reason(&error));
                    failures.push(UnparsedValue { key, raw: value, before, why });
                }
            },
            RootValue::Questions(_) | RootValue::NoQuestions(_) => entries.push((key, Json::Null)),
        }
    }
    Some(ListEntry::Damaged(entries, failures))
}

/// A value as far as it can be parsed: so many levels down, only the parts that cannot be parsed are
/// [`Json::Unread`].
pub(crate) fn salvaged(raw: &RawValue, levels: usize) -> Json<'_> {
    let error = match Json::parse(raw.get()) {
        Ok(json) => return json,
        Err(error) => error,
    };
    let part = |part| match part {
        RootValue::Other(raw) => salvaged(raw, levels - 1),
        RootValue::Questions(_) | RootValue::NoQuestions(_) => Json::Null,
    };
    match serde_json::from_str(raw.get()) {
        Ok(Root::Object(parts)) if levels > 0 => {
            Json::Object(parts.into_iter().map(|(key, value)| (key, part(value))).collect())
        }
        Ok(Root::List(items)) if levels > 0 => {
            Json::List(items.into_iter().map(|item| salvaged(item, levels - 1)).collect())
        }
        _ => Json::Unread(raw.get(), reason(&error)),
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Root<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RootVisitor)
    }
}

struct RootVisitor;

impl<'de> Visitor<'de> for RootVisitor {
    type Value = Root<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut parts = Vec::new();
        while let Some(Key(key)) = map.next_key()? {
            let part = if key == "questions" {
                map.next_value_seed(QuestionsSeed)?
            } else {
                RootValue::Other(map.next_value()?)
            };
            parts.push((key, part));
        }
        Ok(Root::Object(parts))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        collect(items).map(Root::List)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Root::Scalar)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Root::Scalar)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Root::Scalar)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Root::Scalar)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Root::Scalar)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Root::Scalar)
    }
}

/// Reads the value of `questions`: a list is split, anything else skipped.
struct QuestionsSeed;

impl<'de> DeserializeSeed<'de> for QuestionsSeed {
    type Value = RootValue<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for QuestionsSeed {
    type Value = RootValue<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        collect(items).map(RootValue::Questions)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(RootValue::NoQuestions("an object"))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(RootValue::NoQuestions("null"))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(RootValue::NoQuestions("a boolean"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(RootValue::NoQuestions("a number"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(RootValue::NoQuestions("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(RootValue::NoQuestions("a number"))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(RootValue::NoQuestions("a text"))
    }
}

fn collect<'de, A: SeqAccess<'de>>(mut items: A) -> Result<Vec<&'de RawValue>, A::Error> {
    let mut list = Vec::new();
    while let Some(item) = items.next_element()? {
        list.push(item);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_level_is_split() {
        let Root::Object(parts) =
            split(r#"{"dataset": {"id": 1}, "questions": [{"a": 1}, 2]}"#).expect("JSON")
        else {
            panic!("no object")
        };
        assert!(
            matches!(&parts[1].1, RootValue::Questions(list) if list.len() == 2 && list[0].get() == r#"{"a": 1}"#)
        );
        assert!(matches!(split("[1, 2]"), Ok(Root::List(list)) if list.len() == 2));
        assert!(matches!(split("3"), Ok(Root::Scalar)));
    }

    #[test]
    fn errors_name_the_place() {
        insta::assert_snapshot!(split("{\"questions\": [\n{\"id\": 1},").expect_err("cut off"), @r"
        line 2, column 10: this is no valid JSON: EOF while parsing a value.
        hint: the file ends too early: fetch it again, or compare its size with the original
        ");
        insta::assert_snapshot!(split("{\"questions\": [\n{\"id\": 1},]}").expect_err("a comma"), @r"
        line 2, column 11: this is no valid JSON: trailing comma.
        hint: look at the text just before this place: a comma, quote or bracket too many or too few
        ");
    }

    #[test]
    fn deep_nesting_and_surrogates_damage_one_value() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let text = format!(r#"{{"questions": [{{"id": "1", "answers": {deep}, "x": "\ud800"}}, {deep}]}}"#);
        let Root::Object(parts) = split(&text).expect("JSON") else { panic!("no object") };
        let RootValue::Questions(list) = &parts[0].1 else { panic!("no list") };
        let ListEntry::Damaged(entries, failures) = parse(list[0]) else { panic!("not damaged") };
        assert_eq!((entries.len(), failures.len()), (1, 2));
        assert!(matches!(parse(list[1]), ListEntry::Unreadable(why) if why == "recursion limit exceeded"));
    }
}
