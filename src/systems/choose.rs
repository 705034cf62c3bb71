//! Which questions are asked, and in which language.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::sources::document::{Document, Question, Text};

/// How many keys of questions a message names.
const MOST_KEYS: usize = 8;

/// A question as it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedText {
    /// The key of the question in its dataset.
    pub key: String,
    /// The language that is said to be that of the text.
    pub language: String,
    /// The text.
    pub text: String,
}

/// Which questions of a dataset are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WantedQuestions {
    /// The languages, the preferred one first; none said: the only one, else English.
    pub languages: Vec<String>,
    /// At most so many that can be asked.
    pub limit: Option<usize>,
    /// Only these, by their keys; all where there is none.
    pub keys: Vec<String>,
}

/// What is asked of a dataset, and what is not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChosenQuestions {
    /// The languages that were looked for, in this order.
    pub languages: Vec<String>,
    /// What is asked, in the order of the file.
    pub asked: Vec<AskedText>,
    /// The keys of questions without a text in one of the languages: they are not asked.
    pub lacking: Vec<String>,
    /// How many texts say no language: they are asked as if they were in the first one.
    pub untagged: usize,
    /// How many questions are asked in each language that is not the first, with the language.
    pub otherwise: Vec<(String, usize)>,
}

impl WantedQuestions {
    /// Chooses among the questions of a dataset.
    ///
    /// # Errors
    /// Where a question is named that is not there; where nobody says which of several languages is meant.
    pub fn of(&self, document: &Document) -> Result<ChosenQuestions> {
        let known: BTreeSet<&str> = document.questions.iter().map(|question| question.key.as_str()).collect();
        if let Some(unknown) = self.keys.iter().find(|key| !known.contains(key.as_str())) {
            let first = document.questions.iter().take(MOST_KEYS).map(|question| question.key.as_str());
            let first = first.collect::<Vec<_>>().join(", ");
            let more = if known.len() > MOST_KEYS { ", …" } else { "" };
            let error = Error::input(format!("the dataset has no question `{unknown}`"));
            return Err(error.allowed(format!("{first}{more}")));
        }
        let languages =
            if self.languages.is_empty() { vec![usual(document)?] } else { self.languages.clone() };
        let mut chosen = ChosenQuestions { languages, ..ChosenQuestions::default() };
        let is_wanted = |question: &&Question| self.keys.is_empty() || self.keys.contains(&question.key);
        let wanted = document.questions.iter().filter(is_wanted);
        for question in wanted {
            if self.limit.is_some_and(|limit| chosen.asked.len() >= limit) {
                break;
            }
            chosen.add(question);
        }
        Ok(chosen)
    }
}

impl ChosenQuestions {
    fn add(&mut self, question: &Question) {
        let first = self.languages.first().cloned().unwrap_or_default();
        let texts = || question.texts.iter().filter(|text| !text.text.trim().is_empty());
        let tagged = self.languages.iter().find_map(|language| {
            let text = texts().find(|text| is_in(text, language))?;
            Some((language.clone(), text))
        });
        let untagged = || Some((first.clone(), texts().find(|text| text.language.is_none())?));
        let Some((language, text)) = tagged.or_else(untagged) else {
            self.lacking.push(question.key.clone());
            return;
        };
        self.untagged += usize::from(text.language.is_none());
        if language != first {
            match self.otherwise.iter_mut().find(|(known, _)| *known == language) {
                Some((_, count)) => *count += 1,
                None => self.otherwise.push((language.clone(), 1)),
            }
        }
        let text = text.text.trim().to_owned();
        self.asked.push(AskedText { key: question.key.clone(), language, text });
    }

    /// The keys of questions that are asked with the same text as one before.
    pub fn repeated(&self) -> Vec<&str> {
        let mut seen = BTreeSet::new();
        let again = self.asked.iter().filter(|one| !seen.insert((&one.text, &one.language)));
        again.map(|one| one.key.as_str()).collect()
    }
}

/// Whether a text is in a language: `pt` means `pt-BR` and `pt_BR` too.
fn is_in(text: &Text, language: &str) -> bool {
    let Some(tag) = text.language.as_deref() else { return false };
    let main = tag.split(['-', '_']).next().unwrap_or(tag);
    tag.eq_ignore_ascii_case(language) || main.eq_ignore_ascii_case(language)
}

/// The language that is meant where nobody says one: the only one, else English.
fn usual(document: &Document) -> Result<String> {
    let texts = document.questions.iter().flat_map(|question| &question.texts);
    let tags: BTreeSet<&str> = texts.filter_map(|text| text.language.as_deref()).collect();
    match tags.iter().collect::<Vec<_>>().as_slice() {
        [] => Ok("en".to_owned()),
        [only] => Ok((**only).to_owned()),
        _ if tags.contains("en") => Ok("en".to_owned()),
        _ => Err(Error::input("the questions are in several languages, and none of them is English")
            .allowed(tags.into_iter().collect::<Vec<_>>().join(", "))
            .hint("`⌥language en,de` says which are asked, the preferred one first")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(questions: &[&[(&str, &str)]]) -> Document {
        let text = |(language, text): &(&str, &str)| Text {
            language: (!language.is_empty()).then(|| (*language).to_owned()),
            text: (*text).to_owned(),
        };
        let question = |(number, texts): (usize, &&[(&str, &str)])| Question {
            key: number.to_string(),
            texts: texts.iter().map(text).collect(),
            ..Question::default()
        };
        Document { questions: (1..).zip(questions).map(question).collect(), ..Document::default() }
    }

    fn asked(chosen: &ChosenQuestions) -> Vec<(&str, &str, &str)> {
        chosen.asked.iter().map(|one| (one.key.as_str(), one.language.as_str(), one.text.as_str())).collect()
    }

    #[test]
    fn the_first_language_that_a_question_has_is_asked() {
        let document = document(&[
            &[("de", "Wer?"), ("en", "Who?")],
            &[("de", "Was?")],
            &[("pt_BR", "Quem?")],
            &[("", " Who? ")],
            &[("en", " ")],
        ]);
        let wanted = |languages: &[&str]| {
            let languages = languages.iter().map(|&language| language.to_owned()).collect();
            WantedQuestions { languages, ..WantedQuestions::default() }.of(&document).unwrap()
        };
        let english = wanted(&["en", "de"]);
        assert_eq!(asked(&english), [("1", "en", "Who?"), ("2", "de", "Was?"), ("4", "en", "Who?")]);
        assert_eq!(
            (english.lacking.as_slice(), english.untagged),
            (&["3".to_owned(), "5".to_owned()][..], 1)
        );
        assert_eq!(english.otherwise, [("de".to_owned(), 1)]);
        assert_eq!(english.repeated(), ["4"]);
        assert_eq!(asked(&wanted(&["pt"])), [("3", "pt", "Quem?"), ("4", "pt", "Who?")]);
        assert_eq!(wanted(&[]).languages, ["en"]);
    }

    #[test]
    fn a_language_is_not_guessed() {
        let wanted = WantedQuestions::default();
        assert_eq!(wanted.of(&document(&[&[("ru", "Кто?")]])).unwrap().languages, ["ru"]);
        let several = document(&[&[("ru", "Кто?"), ("fa", "?")]]);
        assert!(wanted.of(&several).unwrap_err().to_string().contains("fa, ru"));
    }

    #[test]
    fn questions_are_named_and_counted() {
        let all = document(&[&[("en", "a")], &[("en", "b")], &[("en", "c")]]);
        let wanted =
            WantedQuestions { limit: Some(1), keys: vec!["2".into(), "3".into()], languages: vec![] };
        assert_eq!(asked(&wanted.of(&all).unwrap()), [("2", "en", "b")]);
        let unknown = WantedQuestions { keys: vec!["9".into()], ..WantedQuestions::default() };
        assert!(unknown.of(&all).unwrap_err().to_string().contains("no question `9`"));
    }
}
