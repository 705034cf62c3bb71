//! JSON as the readers use it: borrowed from the file, in file order, repeated keys included.
//!
//! `serde_json::Value` drops all but the last of repeated keys without a word and copies every text;
//! this does neither.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use crate::base::issue::IssueCode;
use crate::sources::format::context::Context;

/// The keys and values of an object in file order.
pub(crate) type Entries<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number
    Number(Number),
    /// A text
    Text(Cow<'a, str>),
    /// A list
    List(Vec<Self>),
    /// An object
    Object(Entries<'a>),
    /// What no JSON parser takes: as written, and why. Only of values that were salvaged.
    Unread(&'a str, String),
}

impl<'a> Json<'a> {
    /// Parses a text as one JSON value.
    pub(crate) fn parse(text: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// What it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
            Self::Unread(..) => "a value that cannot be read",
        }
    }

    /// The issue where it stands for something else.
    fn odd(&self) -> IssueCode {
        if matches!(self, Self::Null) { IssueCode::NullValue } else { IssueCode::WrongType }
    }

    /// The text of a text, a number or a boolean.
    pub(crate) fn into_scalar(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.into_owned()),
            Self::Number(number) => Some(number.to_string()),
            Self::Bool(value) => Some(value.to_string()),
            Self::Null | Self::List(_) | Self::Object(_) | Self::Unread(..) => None,
        }
    }

    /// A value that should be a text: numbers and booleans are used as texts, with an issue;
    /// what is no text at all is left out, with an issue.
    pub(crate) fn into_text<M>(self, here: &mut Context<M>) -> Option<String> {
        if !matches!(self, Self::Text(_)) {
            let fate =
                if matches!(self, Self::Bool(_) | Self::Number(_)) { "used as one" } else { "left out" };
            here.note(self.odd(), format!("{} stands for a text; it is {fate}", self.kind()));
        }
        self.into_scalar()
    }

    /// A value that should be a list: anything but null is used as the only item of one, with an issue.
    pub(crate) fn into_list<M>(self, here: &mut Context<M>) -> Vec<Self> {
        match self {
            Self::List(items) => items,
            Self::Null => {
                here.note(IssueCode::NullValue, "null stands for a list; it is read as empty");
                Vec::new()
            }
            other => {
                let message = format!("{} stands for a list; it is read as its only item", other.kind());
                here.note(IssueCode::WrongType, message);
                vec![other]
            }
        }
    }

    /// A value that should be an object: anything else is left out, with an issue.
    pub(crate) fn into_entries<M>(self, here: &mut Context<M>) -> Entries<'a> {
        match self {
            Self::Object(entries) => unique(entries, here),
            other => {
                here.note(other.odd(), format!("{} stands for an object; it is left out", other.kind()));
                Vec::new()
            }
        }
    }
}

/// JSON text, without white space: what is kept of values that no rule reads.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Unread(written, _) => f.write_str(written),
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "[" } else { "," })?;
                }
                f.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Self::Object(entries) => {
                for (index, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}{}:{value}", if index == 0 { "{" } else { "," }, quoted(key))?;
                }
                f.write_str(if entries.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The entries without repeated keys: the last one counts, as in every JSON parser, but with an issue.
pub(crate) fn unique<'a, M>(mut entries: Entries<'a>, here: &mut Context<M>) -> Entries<'a> {
    if !has_repeats(&entries) {
        return entries;
    }
    let mut later = HashSet::with_capacity(entries.len());
    let mut kept: Vec<bool> = entries.iter().rev().map(|(key, _)| later.insert(key.clone())).collect();
    entries.retain(|(key, _)| {
        let keep = kept.pop().unwrap_or(true);
        if !keep {
            let message =
                format!("the key `{key}` occurs again in the same object; only the last one counts");
            here.note(IssueCode::DuplicateKey, message);
        }
        keep
    });
    entries
}

fn has_repeats(entries: &Entries) -> bool {
    const FEW: usize = 16;
    if entries.len() <= FEW {
        return entries.iter().enumerate().any(|(i, (key, _))| entries[..i].iter().any(|(k, _)| k == key));
    }
    let mut seen = HashSet::with_capacity(entries.len());
    !entries.iter().all(|(key, _)| seen.insert(key.as_ref()))
}

/// A key without white space around it and in lower case: real files write `SPARQL` and `schemaless `.
pub(crate) fn plain_key(key: &str) -> Cow<'_, str> {
    let trimmed = key.trim();
    if trimmed.bytes().any(|b| b.is_ascii_uppercase()) {
        Cow::Owned(trimmed.to_ascii_lowercase())
    } else {
        Cow::Borrowed(trimmed)
    }
}

/// The value of a key, which is in lower case, in any case of letters.
pub(crate) fn value_of<'e, 'j>(entries: &'e Entries<'j>, name: &str) -> Option<&'e Json<'j>> {
    entries.iter().find(|(key, _)| plain_key(key) == name).map(|(_, value)| value)
}

/// The text of a key, likewise; none where it is no text.
pub(crate) fn text_of<'e>(entries: &'e Entries, name: &str) -> Option<&'e str> {
    match value_of(entries, name)? {
        Json::Text(text) => Some(text),
        _ => None,
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_string<E>(self, value: String) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(Key(key)) = map.next_key()? {
            entries.push((key, map.next_value()?));
        }
        Ok(Json::Object(entries))
    }
}

/// A key, borrowed where it has no escapes.
#[derive(Debug)]
pub(crate) struct Key<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_str(JsonVisitor)? {
            Json::Text(text) => Ok(Self(text)),
            _ => Err(D::Error::custom("a key must be a text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::format::context::Draft;

    #[test]
    fn texts_are_borrowed_and_repeated_keys_are_seen() {
        let Json::Object(entries) =
            Json::parse(r#"{"a": "x", "b\n": "\u00e9", "a": [1, -2, 0.5, null, true]}"#).expect("JSON")
        else {
            panic!("no object")
        };
        assert!(matches!(&entries[0], (Cow::Borrowed("a"), Json::Text(Cow::Borrowed("x")))));
        assert!(matches!(&entries[1], (Cow::Owned(_), Json::Text(Cow::Owned(_)))));
        let (_, codes, _) = Draft::made_by(|here| {
            let entries = unique(entries, here);
            assert_eq!((entries.len(), entries[1].0.as_ref()), (2, "a"));
        });
        assert_eq!(codes, ["duplicate-key"]);
    }

    #[test]
    fn values_are_written_as_they_were() {
        for text in [r#"{"a":[1,-2.5,null,true,"x\"\n"],"b":{},"c":[]}"#, "18446744073709551615", "[[],[{}]]"]
        {
            assert_eq!(Json::parse(text).expect("JSON").to_string(), text);
        }
    }

    #[test]
    fn values_are_found_by_their_keys() {
        let Ok(Json::Object(entries)) = Json::parse(r#"{"A ": "x", "b": 1}"#) else { panic!("no object") };
        assert_eq!(
            (text_of(&entries, "a"), text_of(&entries, "b"), text_of(&entries, "c")),
            (Some("x"), None, None)
        );
        assert!(matches!(value_of(&entries, "b"), Some(Json::Number(_))));
    }

    #[test]
    fn keys_are_matched_leniently() {
        assert_eq!(plain_key("schemaless "), "schemaless");
        assert_eq!(plain_key("SPARQL"), "sparql");
    }
}
