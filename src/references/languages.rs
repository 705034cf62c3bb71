//! In which languages a literal may be a label: those of its question, or its own.

use oxigraph::model::Literal;

use crate::base::rdf::language::language_tag;
use crate::sources::document::Question;

/// The languages of a question; none where nothing says one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Languages(Vec<String>);

impl Languages {
    /// The language that the user named, else that of the question, else those of its texts.
    pub fn of(question: &Question, named: Option<&str>) -> Self {
        let one = named.or(question.language.as_deref()).and_then(language_tag);
        let texts =
            || question.texts.iter().filter_map(|text| text.language.as_deref().and_then(language_tag));
        let mut languages = one.map_or_else(|| texts().collect(), |one| vec![one]);
        languages.sort_unstable();
        languages.dedup();
        Self(languages)
    }

    /// Whether a literal in an answer to the question may be this label.
    ///
    /// A label without language is one in any. A literal with a language tag says itself which language it is in, as
    /// where texts are compared; every other literal is in a language of the question, in any where it has none.
    pub(crate) fn allow(&self, literal: &Literal, label: &Literal) -> bool {
        let Some(tag) = label.language() else { return true };
        match literal.language() {
            Some(own) => agree(own, tag),
            None => self.0.is_empty() || self.0.iter().any(|language| agree(language, tag)),
        }
    }
}

/// Whether one tag is the other, or the beginning of it: `pt` and `pt-br`, not `pt-pt` and `pt-br`.
pub(crate) fn agree(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let begins = long.get(..short.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(short));
    begins && matches!(long.as_bytes().get(short.len()), None | Some(b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::Text;

    fn question(language: Option<&str>, texts: &[Option<&str>]) -> Question {
        let text =
            |language: Option<&str>| Text { language: language.map(str::to_owned), text: "?".to_owned() };
        Question {
            language: language.map(str::to_owned),
            texts: texts.iter().copied().map(text).collect(),
            ..Question::default()
        }
    }

    #[test]
    fn the_user_wins_over_the_question_and_the_question_over_its_texts() {
        let of = |named, language, texts: &[Option<&str>]| Languages::of(&question(language, texts), named).0;
        assert_eq!(of(Some("de"), Some("en"), &[Some("fr")]), ["de"]);
        assert_eq!(of(None, Some("pt_BR"), &[Some("fr")]), ["pt-br"]);
        assert_eq!(of(None, None, &[Some("fr"), Some("en"), None, Some("EN")]), ["en", "fr"]);
        assert_eq!(of(None, Some("no language!"), &[Some("fr")]), ["fr"]);
        assert_eq!(of(None, None, &[None]), Vec::<String>::new());
    }

    #[test]
    fn which_labels_a_literal_may_be() {
        let plain = |text: &str| Literal::new_simple_literal(text);
        let tagged = |tag: &str| Literal::new_language_tagged_literal("x", tag).unwrap();
        let languages = |tags: &[&str]| Languages(tags.iter().map(|tag| (*tag).to_owned()).collect());
        let cases = [
            (vec!["en"], plain("x"), tagged("en"), true),
            (vec!["en"], plain("x"), tagged("de"), false),
            (vec!["en"], plain("x"), plain("x"), true),
            (vec!["de", "en"], plain("x"), tagged("de"), true),
            (vec![], plain("x"), tagged("ja"), true),
            // The language of the literal, not of the question.
            (vec!["en"], tagged("de"), tagged("de"), true),
            (vec!["en"], tagged("de"), tagged("en"), false),
            (vec!["en"], tagged("de"), plain("x"), true),
            // Regions.
            (vec!["pt-br"], plain("x"), tagged("pt"), true),
            (vec!["pt"], plain("x"), tagged("pt-br"), true),
            (vec!["pt-br"], plain("x"), tagged("pt-pt"), false),
            (vec!["e"], plain("x"), tagged("en"), false),
        ];
        for (tags, literal, label, allowed) in cases {
            assert_eq!(languages(&tags).allow(&literal, &label), allowed, "{tags:?} {literal} {label}");
        }
    }
}
