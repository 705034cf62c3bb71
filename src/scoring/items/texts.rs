//! The items of answers as a profile reads them: terms, the texts of values, rows.

use std::borrow::Cow;

use indexmap::IndexSet;
use oxigraph::model::{Literal, Term};
use rustc_hash::FxBuildHasher;

use crate::profiles::rules::Reading;
use crate::profiles::{Profile, ValueText};
use crate::sources::document::{AnswerSet, Question, Row};
use crate::sources::format::graph_ids::entity_id;
use crate::sources::input::answer::answer_terms;

/// The items of an answer set, each once, in the order of their first occurrence.
///
/// The items of text readings are plain literals: the text of a value, or a row in the form of [`row_text`].
/// `is_gold`: the question is one of the dataset, not of a submission.
pub(crate) fn of_answers(
    question: &Question,
    profile: &Profile,
    reading: Reading,
    is_gold: bool,
) -> Vec<Term> {
    if !matches!(reading, Reading::Values | Reading::Relevance | Reading::Rows) {
        return answer_terms(question, profile.label_columns);
    }
    let texts = question.answers.sets.iter().flat_map(|set| texts(set, profile, reading, is_gold));
    let once: IndexSet<Cow<'_, str>, FxBuildHasher> = texts.collect();
    once.into_iter().map(|text| Literal::new_simple_literal(text).into()).collect()
}

/// The items of an answer object as texts, where they are texts.
pub(crate) fn texts<'a>(
    set: &'a AnswerSet,
    profile: &Profile,
    reading: Reading,
    is_gold: bool,
) -> Vec<Cow<'a, str>> {
    match reading {
        Reading::Relevance => relevant(set, is_gold),
        Reading::Rows => rows(set, profile.value_text).into_iter().map(Cow::Owned).collect(),
        _ => values(set, profile.value_text),
    }
}

/// All values of an answer object, and its boolean.
fn values(set: &AnswerSet, value_text: ValueText) -> Vec<Cow<'_, str>> {
    // Mostly one a row.
    let mut values = Vec::with_capacity(set.rows.len() + 1);
    values.extend(set.rows.iter().flat_map(|row| &row.cells).map(|cell| text(&cell.value, value_text)));
    values.extend(set.boolean.map(|value| Cow::Owned(value.to_string())));
    values
}

/// The texts that the client of TEXT2SPARQL gives to `trec_eval`: a boolean is the text `true`, relevant or not.
/// So a gold answer false has no relevant text; and a system's answer is looked at for its texts, not for its numbers.
fn relevant(set: &AnswerSet, is_gold: bool) -> Vec<Cow<'_, str>> {
    match set.boolean {
        Some(false) if is_gold => Vec::new(),
        Some(_) => vec![Cow::Borrowed("true")],
        None => values(set, ValueText::AsWritten),
    }
}

/// The rows of an answer object; its boolean counts only where there is no place for rows.
fn rows(set: &AnswerSet, value_text: ValueText) -> Vec<String> {
    if !set.has_bindings
        && let Some(value) = set.boolean
    {
        return vec![value.to_string()];
    }
    let row = |row: &Row| {
        if value_text == ValueText::Qald4
            && let Some(boolean) = boolean(row)
        {
            return boolean;
        }
        row_text(row.cells.iter().map(|cell| text(&cell.value, value_text)).collect())
    };
    set.rows.iter().map(row).collect()
}

/// What an XML file calls a boolean is one, as the answer of an ASK query is; some files write it `True`.
fn boolean(row: &Row) -> Option<String> {
    let [cell] = &row.cells[..] else { return None };
    (cell.variable == "boolean").then(|| cell.value.trim().to_ascii_lowercase())
}

/// A row as a text: its values in order, as a JSON array. So a boolean (`true`) is never a row (`["true"]`).
fn row_text(mut values: Vec<Cow<'_, str>>) -> String {
    values.sort_unstable();
    serde_json::Value::from(values).to_string()
}

fn text(value: &str, value_text: ValueText) -> Cow<'_, str> {
    match value_text {
        ValueText::AsWritten => Cow::Borrowed(value),
        ValueText::EntityId => Cow::Borrowed(entity_id(value)),
        ValueText::Trimmed | ValueText::Qald4 => Cow::Borrowed(value.trim()),
        ValueText::Qald => Cow::Owned(qald_text(value)),
    }
}

/// What the tool of QALD-6 compares: `.0` behind a value of ASCII digits only; every other value stripped of
/// ASCII white space and percent-decoded once. Malformed escapes stay; `+` stays.
fn qald_text(value: &str) -> String {
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{value}.0");
    }
    let is_space = |c: char| matches!(c, '\t' | '\n' | '\x0b' | '\x0c' | '\r' | ' ');
    let stripped = value.trim_start_matches(is_space).trim_end_matches(|c| is_space(c) || c == '\0');
    let bytes: Vec<u8> = percent_encoding::percent_decode_str(stripped).collect();
    // Bytes that are no UTF-8 must differ from each other and from every text: they get a private spelling.
    String::from_utf8(bytes).unwrap_or_else(|error| {
        error.as_bytes().utf8_chunks().fold(String::new(), |mut spelled, chunk| {
            spelled.push_str(chunk.valid());
            for byte in chunk.invalid() {
                spelled.push('\u{10FFFF}');
                spelled.push_str(&byte.to_string());
                spelled.push(' ');
            }
            spelled
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{Cell, Row};

    #[test]
    fn qald_texts() {
        let cases = [
            ("5", "5.0"),
            ("030", "030.0"),
            ("-5", "-5"),
            (" 5", "5"),
            ("%35", "5"),
            (" a b\t", "a b"),
            ("Aida_%28musical%29", "Aida_(musical)"),
            ("GTK+", "GTK+"),
            ("50%", "50%"),
            ("%zz%41", "%zzA"),
            ("", ""),
        ];
        for (value, text) in cases {
            assert_eq!(qald_text(value), text, "{value}");
        }
        assert_ne!(qald_text("%ff"), qald_text("%fe"));
    }

    fn set(boolean: Option<bool>, has_bindings: bool, rows: &[&[&str]]) -> AnswerSet {
        let cell = |value: &&str| Cell {
            variable: "x".to_owned(),
            kind: crate::sources::document::CellKind::Literal,
            value: (*value).to_owned(),
            datatype: None,
            language: None,
            ..Cell::default()
        };
        let rows = rows.iter().map(|cells| Row { cells: cells.iter().map(cell).collect() }).collect();
        AnswerSet { boolean, has_bindings, rows, ..AnswerSet::default() }
    }

    #[test]
    fn a_boolean_of_text2sparql_is_the_text_true() {
        for (boolean, gold) in [(true, vec!["true"]), (false, vec![])] {
            assert_eq!(relevant(&set(Some(boolean), false, &[]), true), gold);
            assert_eq!(relevant(&set(Some(boolean), false, &[]), false), ["true"]);
        }
        assert_eq!(relevant(&set(None, true, &[&["b", "a"], &["b"]]), true), ["b", "a", "b"]);
    }

    #[test]
    fn rows_win_over_a_boolean_even_if_there_are_none() {
        assert_eq!(rows(&set(Some(true), true, &[]), ValueText::Qald), Vec::<String>::new());
        assert_eq!(rows(&set(Some(true), false, &[]), ValueText::Qald), ["true"]);
        assert_eq!(
            rows(&set(Some(true), true, &[&["b", "a"], &["a", "b"]]), ValueText::Qald),
            [r#"["a","b"]"#; 2]
        );
        assert_eq!(values(&set(Some(true), true, &[&["b", "a"]]), ValueText::AsWritten), ["b", "a", "true"]);
    }
}
