//! Texts and IRIs that were damaged on their way: mojibake, HTML entities, brackets, encoding twice.

use std::collections::BTreeMap;

use crate::base::issue::{Issue, IssueCode};
use crate::base::text::and_more;
use crate::sources::document::{Cell, CellKind, Question};

/// Characters that stand around IRIs by mistake. Within a name they may be right: `‘Akeke‘e` is a bird.
const AROUND: &[char] = &['‹', '›', '«', '»', '“', '”', '„', '‘', '’'];

/// Entities that HTML and XML writers leave behind.
const ENTITIES: [&str; 6] = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"];

/// The issues about the texts and values of one question: one for each kind, with the first text and a count.
pub(crate) fn issues(question: &Question) -> Vec<Issue> {
    let mut odd: BTreeMap<(IssueCode, &'static str), (usize, String)> = BTreeMap::new();
    let mut tell = |code, what, text: &str| {
        odd.entry((code, what)).or_insert_with(|| (0, text.chars().take(80).collect())).0 += 1;
    };
    for cell in cells(question) {
        let text = cell.value.trim();
        if cell.kind == CellKind::Uri || looks_like_iri(text) {
            if let Some(what) = suspicious_iri(text) {
                tell(IssueCode::SuspiciousIri, what, text);
            }
        } else {
            texts_of(text, &mut tell);
        }
    }
    for text in question.texts.iter().chain(&question.keywords) {
        texts_of(&text.text, &mut tell);
    }
    odd.into_iter()
        .map(|((code, what), (count, first))| {
            Issue::new(code, &question.place, format!("`{first}` {what}{}", and_more(count)))
        })
        .collect()
}

fn cells(question: &Question) -> impl Iterator<Item = &Cell> {
    let rows = question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
    rows.chain(question.candidates.iter().flat_map(|candidate| &candidate.cells))
}

fn texts_of(text: &str, tell: &mut impl FnMut(IssueCode, &'static str, &str)) {
    if is_mojibake(text) {
        tell(IssueCode::Mojibake, "is UTF-8 that was read as Latin-1", text);
    }
    if ENTITIES.iter().any(|entity| text.contains(entity)) {
        tell(IssueCode::EscapedEntity, "holds an HTML entity as text", text);
    }
}

fn looks_like_iri(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme))
        && !text.contains(char::is_whitespace)
}

/// What is suspicious about an IRI. Brackets `<…>` and what is no IRI at all have issues of their own.
fn suspicious_iri(text: &str) -> Option<&'static str> {
    if text.starts_with(AROUND) || text.ends_with(AROUND) {
        Some("has quotation marks or brackets in it that should not be there")
    } else if ENTITIES.iter().any(|entity| text.contains(entity)) {
        Some("holds an HTML entity: `&amp;` is a part of its name now")
    } else if is_mojibake(text) {
        Some("is UTF-8 that was read as Latin-1")
    } else if is_encoded_twice(text) {
        Some("is percent-encoded twice")
    } else if text.matches("://").count() > 1 && !text.contains('?') {
        Some("holds two schemes: two IRIs may stand in one")
    } else {
        None
    }
}

/// `%25C3`: a percent sign that was encoded although it was part of an encoding.
fn is_encoded_twice(text: &str) -> bool {
    text.match_indices("%25").any(|(at, _)| {
        let digits = text.as_bytes().get(at + 3..at + 5);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// Whether a run of Latin-1 letters is the bytes of UTF-8 characters: `BeyoncÃ©`.
fn is_mojibake(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    let mut run = Vec::new();
    for character in text.chars().chain(['\0']) {
        if let Some(byte) = latin_1(character) {
            run.push(byte);
        } else if run.len() > 1 && std::str::from_utf8(&run).is_ok() {
            return true;
        } else {
            run.clear();
        }
    }
    false
}

/// The byte of a character above ASCII in Latin-1 or Windows-1252.
fn latin_1(character: char) -> Option<u8> {
    const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    let code = u32::from(character);
    if (0x80..0x100).contains(&code) {
        return u8::try_from(code).ok();
    }
    let at = WINDOWS.chars().position(|known| known == character).filter(|_| code > 0xff)?;
    u8::try_from(0x80 + at).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerSet, Row, Text};

    #[test]
    fn mojibake_is_known_from_real_letters() {
        for text in ["BeyoncÃ©", "MÃ¼ller", "â€™s", "Ð\u{9c}Ð¾Ñ\u{81}ÐºÐ²Ð°", "caf\u{c3}\u{a9}"]
        {
            assert!(is_mojibake(text), "{text}");
        }
        for text in
            ["Beyoncé", "Müller", "São Paulo", "Ångström", "naïve", "‘quoted’", "Москва", "ÄÖÜ", "½", ""]
        {
            assert!(!is_mojibake(text), "{text}");
        }
    }

    #[test]
    fn iris_that_look_wrong() {
        let wrong = [
            "‹http://e/a›",
            "http://e/MAN_Truck_&amp;_Bus",
            "http://e/BeyoncÃ©",
            "http://e/%25C3%25A9",
            "http://e/ahttp://e/b",
        ];
        for text in wrong {
            assert!(suspicious_iri(text).is_some(), "{text}");
        }
        for text in [
            "http://e/AT&T",
            "http://e/Beyonc%C3%A9",
            "http://e/100%25_off",
            "http://e/?u=http://f",
            "http://e/‘Akeke‘e",
        ] {
            assert_eq!(suspicious_iri(text), None, "{text}");
        }
    }

    #[test]
    fn one_issue_a_kind_with_a_count() {
        let cell = |kind, value: &str| Row {
            cells: [Cell { kind, value: value.to_owned(), ..Cell::default() }].into(),
        };
        let set = AnswerSet {
            rows: vec![
                cell(CellKind::Uri, "http://e/a&amp;b"),
                cell(CellKind::Unknown, "http://e/c&amp;d"),
                cell(CellKind::Literal, "BeyoncÃ©"),
            ],
            ..AnswerSet::default()
        };
        let mut question = Question {
            texts: vec![Text { language: None, text: "AT&amp;T?".to_owned() }],
            ..Question::default()
        };
        question.answers.sets.push(set);
        let told: Vec<String> =
            issues(&question).iter().map(|i| format!("{}: {}", i.code.name(), i.message)).collect();
        assert_eq!(
            told,
            [
                "suspicious-iri: `http://e/a&amp;b` holds an HTML entity: `&amp;` is a part of its name now (and 1 more)",
                "mojibake: `BeyoncÃ©` is UTF-8 that was read as Latin-1",
                "escaped-entity: `AT&amp;T?` holds an HTML entity as text",
            ]
        );
    }
}
