//! States in the index what gold answers are called and what a system says: what `queries/match/alias.rq` and
//! `queries/match/asked-year.rq` join on.
//!
//! A gold answer is called what its file calls it, and, where it is no resource, what it is. Only what can match gets a
//! key: a name that a text of the system says, and that text.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;
use unicode_normalization::UnicodeNormalization;

use crate::base::vocab::qassay;
use crate::profiles::Profile;
use crate::profiles::rules::ExperimentRules;
use crate::references::literal::text_key;
use crate::scoring::block::Block;
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::pairs::keyed_items;
use crate::sources::document::{Cell, Question};
use crate::sources::input::term;
use crate::sparql::index::Index;

/// The rules of names, and what their queries join on.
const RULES: [(&str, &str); 2] =
    [("match-alias", qassay::ALIAS_KEY), ("match-asked-year", qassay::ASKED_YEAR_KEY)];

/// Items by what may be said for them: numbers of terms.
type Named = BTreeMap<String, BTreeSet<u32>>;

/// Adds the keys of names to the graph `code:role-keys`.
pub(crate) fn add(
    index: &mut Index,
    (profile, rules): (&Profile, &ExperimentRules),
    block: &Block<'_>,
    [gold, system]: [&SideItems; 2],
) {
    let wanted: Vec<_> = RULES.iter().filter(|(rule, _)| rules.has_rule(rule)).map(|(_, key)| *key).collect();
    for (case, at) in block.iter().zip(0..).filter(|_| !wanted.is_empty()) {
        let (Some(answer), Some(given)) = (gold.answers[at], system.answers[at]) else { continue };
        let said = said(index, profile, &system.items[at]);
        for property in &wanted {
            let named = if *property == qassay::ALIAS_KEY {
                named(index, case.gold.question, |name| keys(profile, name))
            } else if asks_for_year(case.gold.question) {
                named(index, case.gold.question, |name| year(name).into_iter().map(str::to_owned).collect())
            } else {
                continue;
            };
            for (key, terms) in named {
                let Some(texts) = said.get(&key) else { continue };
                keyed_items::state(index, (property, &key), answer, terms);
                keyed_items::state(index, (property, &key), given, texts.iter().copied());
            }
        }
    }
}

/// The items of the system by what they say. One that is no text says nothing: it is a resource.
fn said(index: &Index, profile: &Profile, items: &[u32]) -> Named {
    let mut said = Named::new();
    for &item in items {
        if let Term::Literal(literal) = index.term(item) {
            said.entry(plain(profile, literal.value())).or_default().insert(item);
        }
    }
    said
}

/// The gold answers by the keys of their names.
fn named(index: &Index, question: &Question, keys: impl Fn(&str) -> Vec<String>) -> Named {
    let mut named = Named::new();
    for cell in question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells) {
        let term = term::of_cell(cell).term;
        let Some(item) = index.number(&term) else { continue };
        for key in names(cell, &term).flat_map(&keys).filter(|key| !key.is_empty()) {
            named.entry(key).or_default().insert(item);
        }
    }
    named
}

/// What a gold answer is called.
fn names<'a>(cell: &'a Cell, term: &Term) -> impl Iterator<Item = &'a str> + use<'a> {
    let own = term.is_literal().then_some(cell.value.as_str());
    own.into_iter().chain(cell.names.iter().map(|name| name.text.as_str()))
}

/// A text as a system of a profile says it.
fn plain(profile: &Profile, text: &str) -> String {
    let [unicode, trim, case] =
        ["norm-text-unicode", "norm-text-trim", "norm-name-case"].map(|name| profile.normalises(name));
    let text = text_key(text, unicode, trim);
    if case { text.to_lowercase() } else { text }
}

/// The texts by which a system says a name.
fn keys(profile: &Profile, name: &str) -> Vec<String> {
    let plain = plain(profile, name);
    let bare = profile.normalises("norm-name-ascii").then(|| in_ascii(&plain));
    [Some(plain), bare].into_iter().flatten().collect()
}

/// The ASCII letters, digits and underscores of a text in compatibility decomposition, all else in ASCII as spaces, without
/// articles in front.
fn in_ascii(text: &str) -> String {
    let space = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { ' ' };
    let plain: String = text.nfkd().filter(char::is_ascii).map(space).collect();
    let plain = plain.trim();
    let without = |text, article| str::strip_prefix(text, article).unwrap_or(text);
    ["the ", "a ", "an "].into_iter().fold(plain, without).to_owned()
}

/// Whether a question has the word year in it.
fn asks_for_year(question: &Question) -> bool {
    question.texts.iter().any(|text| text.text.to_lowercase().contains("year"))
}

/// The first year in a name, of 1000 to 2999.
fn year(name: &str) -> Option<&str> {
    let is_year =
        |digits: &[u8]| matches!(digits[0], b'1' | b'2') && digits[1..].iter().all(u8::is_ascii_digit);
    let at = name.as_bytes().windows(4).position(is_year)?;
    name.get(at..at + 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{CellKind, Text};

    #[test]
    fn names_of_complex_web_questions() {
        let profile = Profile::find("cwq").unwrap();
        for (name, plain, bare) in [
            (" Czech Republic ", "czech republic", "czech republic"),
            ("São Paulo F.C.", "são paulo f.c.", "sao paulo f c"),
            ("The Beatles", "the beatles", "beatles"),
            ("The A Team", "the a team", "team"),
            ("An Apple", "an apple", "apple"),
            ("a an b", "a an b", "b"),
            ("An a b", "an a b", "a b"),
            ("the", "the", "the"),
            ("snake_case", "snake_case", "snake_case"),
            ("ﬁre½", "ﬁre½", "fire12"),
            ("日本", "日本", ""),
        ] {
            assert_eq!(keys(&profile, name), [plain, bare], "{name}");
        }
        assert_eq!(keys(&Profile::find("nliwod").unwrap(), " The A "), [" The A "]);
    }

    #[test]
    fn years_of_names_and_questions() {
        for (name, found) in [
            ("1999", Some("1999")),
            ("in 1999-2003", Some("1999")),
            ("31999", Some("1999")),
            ("10 999", None),
            ("3000", None),
            ("é2012", Some("2012")),
            ("199", None),
        ] {
            assert_eq!(year(name), found, "{name}");
        }
        let ask = |text: &str| Question {
            texts: vec![Text { language: None, text: text.to_owned() }],
            ..Question::default()
        };
        assert!(asks_for_year(&ask("What YEAR was it?")) && asks_for_year(&ask("yearly?")));
        assert!(!asks_for_year(&ask("When was it?")));
    }

    #[test]
    fn a_resource_is_called_what_its_file_says_and_a_text_what_it_is() {
        let name = |text: &str| Text { language: None, text: text.to_owned() };
        let cell = |kind, value: &str| Cell {
            kind,
            value: value.to_owned(),
            names: Box::new([name("A"), name("B")]),
            ..Cell::default()
        };
        let all = |cell: &Cell| -> Vec<String> {
            names(cell, &term::of_cell(cell).term).map(str::to_owned).collect()
        };
        assert_eq!(all(&cell(CellKind::Uri, "http://e/a")), ["A", "B"]);
        assert_eq!(all(&cell(CellKind::Literal, "x")), ["x", "A", "B"]);
    }
}
