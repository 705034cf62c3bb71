//! Questions in blocks: each is matched and measured by itself, with an index of its own, so that memory is bounded and
//! time is linear. No match query joins questions, so it does not matter for the numbers where a block ends.

use std::ops::Range;

use crate::scoring::cases::{Case, Cases};
use crate::sources::document::Question;

/// How many questions a block has: so few that what is looked up all the time stays in the cache of a processor.
pub const QUESTIONS: usize = 4_096;

/// Questions of an evaluation that stand together. Positions are those in the block, from 0.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    /// All questions.
    pub cases: &'a Cases,
    range: Range<usize>,
}

impl<'a> Block<'a> {
    /// All questions in blocks of a size, in their order.
    pub fn all(cases: &'a Cases, size: usize) -> Vec<Self> {
        let count = cases.alignment.answers.len();
        let block = |start: usize| Self { cases, range: start..count.min(start.saturating_add(size.max(1))) };
        (0..count).step_by(size.max(1)).map(block).collect()
    }

    /// How many questions there are.
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Whether there is no question.
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// The positions among all questions.
    pub fn positions(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The position of a question among all.
    pub fn position(&self, at: usize) -> usize {
        self.range.start + at
    }

    /// The questions.
    pub fn iter(&self) -> impl Iterator<Item = Case<'a>> + use<'a> {
        let cases = self.cases;
        self.range.clone().map(|position| cases.at(position))
    }

    /// A question.
    pub fn at(&self, at: usize) -> Case<'a> {
        self.cases.at(self.position(at))
    }

    /// The answer to a question.
    pub fn answer(&self, at: usize) -> Option<&'a Question> {
        self.cases.answer(self.position(at))
    }
}
