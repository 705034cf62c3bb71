//! From the strings of an answer to GERBIL's typed answer sets (statement 2.1).

use crate::profiles::era::Era;
use crate::scoring::gerbil::uri::{is_iri_like, is_java_uri};

/// The answers of one side as GERBIL types them: the whole set becomes the one or the other (statement 2.1.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerSet {
    /// URIs; also the empty set (statement 2.1.4).
    Annotations(Vec<String>),
    /// Strings, be there URIs among them or not.
    Strings(Vec<String>),
}

impl AnswerSet {
    /// The typed set of these strings (statements 2.1.1 to 2.1.4): each once, in the order of its first mention.
    pub fn of(strings: &[String], era: Era) -> Self {
        let distinct = distinct(strings);
        if distinct.iter().all(|text| is_annotation(text, era)) {
            Self::Annotations(distinct)
        } else {
            Self::Strings(distinct)
        }
    }
}

/// Whether a member lets the set be one of annotations; the eras before C looked for no colon (section 0).
fn is_annotation(text: &str, era: Era) -> bool {
    is_java_uri(text) && (era != Era::C || is_iri_like(text))
}

/// Duplicates vanish by string equality (statement 2.1.1).
fn distinct(strings: &[String]) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    strings.iter().filter(|text| seen.insert(text.as_str())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_annotations(strings: &[&str], era: Era) -> bool {
        let strings: Vec<String> = strings.iter().map(|&text| text.to_owned()).collect();
        matches!(AnswerSet::of(&strings, era), AnswerSet::Annotations(_))
    }

    #[test]
    fn s_2_1_2_the_eras_differ_by_the_colon() {
        for (text, a, c) in [
            ("8", true, false),
            ("true", true, false),
            ("1990-01-01", true, false),
            ("1990-01-01T00:00:00Z", false, false),
            ("12:30", false, false),
            ("a:b", true, true),
            ("New York", false, false),
            ("http://dbpedia.org/resource/Köln", true, true),
        ] {
            assert_eq!(is_annotations(&[text], Era::A), a, "{text}");
            assert_eq!(is_annotations(&[text], Era::B), a, "{text}");
            assert_eq!(is_annotations(&[text], Era::C), c, "{text}");
        }
    }

    #[test]
    fn s_2_1_3_one_literal_makes_all_strings() {
        assert!(!is_annotations(&["http://dbpedia.org/resource/A", "foo bar"], Era::C));
        assert!(!is_annotations(&["http://dbpedia.org/resource/A", "foo bar"], Era::A));
    }

    #[test]
    fn s_2_1_4_the_empty_set_is_of_annotations() {
        assert!(is_annotations(&[], Era::C));
    }

    #[test]
    fn s_2_1_1_duplicates_vanish() {
        let strings = ["b", "a", "b"].map(str::to_owned);
        assert_eq!(AnswerSet::of(&strings, Era::C), AnswerSet::Strings(vec!["b".to_owned(), "a".to_owned()]));
    }
}
