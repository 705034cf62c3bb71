//! Benchmarks that are a list of questions in which each key has one meaning: the meanings are a table.

use crate::base::error::Result;
use crate::sources::document::{Document, QueryKind};
use crate::sources::format::context::Context;
use crate::sources::format::json::fields;
use crate::sources::format::json::list::{read_damaged_list, salvaging};
use crate::sources::format::json::value::{Entries, Json, plain_key};

/// What the keys of a question mean, all in lower case. A key that is not here is told and kept.
#[derive(Debug)]
pub(crate) struct Meanings {
    /// The id; empty where the format has none.
    pub(crate) id: &'static [&'static str],
    /// The texts, and their languages.
    pub(crate) texts: &'static [(&'static str, &'static str)],
    /// The SPARQL query.
    pub(crate) query: Option<&'static str>,
    /// The answers.
    pub(crate) answers: &'static [&'static str],
    /// What the answers are.
    pub(crate) answer_type: Option<&'static str>,
    /// What is known and no rule reads.
    pub(crate) kept: &'static [&'static str],
    /// Reads the value of the answers, after all other keys.
    pub(crate) read_answers: fn(Json, &mut Context),
}

/// One answer that cannot be parsed takes no other of the list with it.
const ABOVE_ANSWERS: usize = 1;

impl Meanings {
    /// Reads a file that is a list of such questions.
    pub(crate) fn read_list(&self, content: &[u8], here: &mut Context<Document>) -> Result<()> {
        let read = salvaging(self.answers, ABOVE_ANSWERS, |entries, here| self.read(entries, here));
        read_damaged_list(content, here, self.id, read)?;
        if here.draft.questions.iter().all(|question| question.id.is_empty()) {
            here.draft.name_by_position();
        }
        Ok(())
    }

    /// Reads the keys of a question.
    pub(crate) fn read(&self, entries: Entries, here: &mut Context) {
        let is_answer = |key: &str| self.answers.contains(&plain_key(key).as_ref());
        let (answers, others): (Entries, Entries) = entries.into_iter().partition(|(key, _)| is_answer(key));
        for (key, value) in others {
            self.read_field(&key, value, &mut here.key(&key));
        }
        for (key, value) in answers {
            (self.read_answers)(value, &mut here.key(&key));
        }
        here.check_text();
    }

    fn read_field(&self, written: &str, value: Json, here: &mut Context) {
        let key = plain_key(written);
        if let Some((_, language)) = self.texts.iter().find(|(name, _)| *name == key) {
            return fields::add_text(value, Some(language), here);
        }
        match key.as_ref() {
            name if self.id.contains(&name) => fields::check_id(value, here),
            // a question that the knowledge base cannot answer has none
            name if Some(name) == self.query && value == Json::Null => here.keep(&value),
            name if Some(name) == self.query => fields::add_query(QueryKind::Sparql, value, here),
            name if Some(name) == self.answer_type => here.draft.question.answer_type = value.into_text(here),
            name if self.kept.contains(&name) => here.keep(&value),
            _ => here.keep_unknown("key", written, &value),
        }
    }
}
