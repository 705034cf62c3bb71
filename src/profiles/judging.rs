//! What a profile says about answers one by one: their order, and the word that means that there is no answer.

use crate::base::error::Result;
use crate::profiles::ontology::Facts;
use crate::profiles::read::{choice, property};

/// In which order the answers to a question stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As the file has them, or as its format orders them (TREC: by score, equal ones by document id).
    Given,
    /// By score or confidence, the highest first; equal ones in the order of the file; those without one last.
    Score,
}

/// How answers are judged one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judging {
    /// Their order.
    pub order: Order,
    /// The word by which a system says that the question has no answer (CLEF 2004: `NIL`); none: there is no such word.
    pub nil: Option<String>,
}

impl Judging {
    /// What the rules of an experiment type say; none where answers are not judged one by one.
    pub(crate) fn read(facts: &Facts, rules: &str) -> Result<Option<Self>> {
        let orders = [("order-given", Order::Given), ("order-score", Order::Score)];
        let nil = facts.text(rules, &property("noAnswerText")).map(str::to_owned);
        Ok(choice(facts, rules, "answerOrder", &orders)?.map(|order| Self { order, nil }))
    }

    /// Whether a text says that there is no answer.
    pub fn is_nil(&self, text: &str) -> bool {
        self.nil.as_deref().is_some_and(|nil| text.trim().eq_ignore_ascii_case(nil))
    }
}
