//! What files call an answer beside its value: labels and aliases, in one language or in several.

use crate::sources::document::{Cell, Text};
use crate::sources::format::context::Context;
use crate::sources::format::json::value::{Entries, Json};

/// An answer with the names that stand beside it, by their keys. Where there is no answer, they are kept.
pub(crate) fn named(answer: Option<Cell>, beside: Entries, here: &mut Context) -> Option<Cell> {
    let Some(mut cell) = answer else {
        for (key, value) in beside {
            here.key(&key).keep(&value);
        }
        return None;
    };
    let names = beside.into_iter().flat_map(|(key, value)| read(value, None, &mut here.key(&key)));
    cell.names = names.collect();
    Some(cell)
}

/// The names in a value: a text or number, a list of names, or an object of them by language. What is none is kept.
pub(crate) fn read(value: Json, language: Option<&str>, here: &mut Context) -> Vec<Text> {
    let mut names = Vec::new();
    add(value, language, here, &mut names);
    names
}

fn add(value: Json, language: Option<&str>, here: &mut Context, names: &mut Vec<Text>) {
    match value {
        Json::Text(_) | Json::Number(_) => match value.clone().into_scalar() {
            Some(text) if !text.trim().is_empty() => {
                names.push(Text { language: language.map(str::to_owned), text });
            }
            _ => here.keep(&value),
        },
        Json::List(items) if !items.is_empty() => {
            for (index, item) in items.into_iter().enumerate() {
                add(item, language, &mut here.index(index), names);
            }
        }
        // in an object that is in another one nobody knows what a key means
        Json::Object(_) if language.is_none() => {
            for (key, item) in value.into_entries(here) {
                add(item, Some(&key), &mut here.key(&key), names);
            }
        }
        Json::Null | Json::Bool(_) | Json::List(_) | Json::Object(_) | Json::Unread(..) => here.keep(&value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::format::context::Draft;

    /// The names in a value, each with its language, and what is kept.
    fn one(value: &str) -> (Vec<String>, Vec<String>) {
        let mut names = Vec::new();
        let (question, ..) =
            Draft::made_by(|here| names = read(Json::parse(value).expect("JSON"), None, here));
        let name = |name: Text| format!("{}@{}", name.text, name.language.unwrap_or_default());
        (
            names.into_iter().map(name).collect(),
            question.extras.into_iter().map(|extra| extra.value).collect(),
        )
    }

    #[test]
    fn texts_lists_and_languages() {
        let none = Vec::<String>::new;
        assert_eq!(one(r#""CZ""#), (vec!["CZ@".to_owned()], none()));
        assert_eq!(one(r#"["CZ", 7]"#), (vec!["CZ@".to_owned(), "7@".to_owned()], none()));
        let by_language = one(r#"{"en": "Chile", "ru": ["Чили", "Республика Чили"]}"#);
        assert_eq!(by_language.0, ["Chile@en", "Чили@ru", "Республика Чили@ru"]);
    }

    #[test]
    fn what_is_no_name_is_kept() {
        for value in ["null", "[]", "true", r#"" ""#] {
            assert_eq!(one(value), (vec![], vec![value.to_owned()]));
        }
        assert_eq!(one(r#"{"en": {"a": "b"}, "de": null, "fr": "c"}"#).1, [r#"{"a":"b"}"#, "null"]);
    }
}
