//! Questions in blocks: each is matched and measured by itself, with an index of its own, so that memory is bounded and
//! time is linear. No match query joins questions, so it does not matter for the numbers where a block ends.

use std::ops::Range;

use crate::scoring::cases::{Case, Cases};
use crate::sources::document::Question;

/// How many questions a block has: so few that what is looked up all the time stays in the cache of a processor.
pub const QUESTIONS: usize = 4_096;

/// How many answers a block has at most, where it has several questions: rankings have a hundred and more a question.
const ANSWERS: usize = 1 << 16;

/// Questions of an evaluation that stand together. Positions are those in the block, from 0.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    /// All questions.
    pub cases: &'a Cases,
    range: Range<usize>,
}

impl<'a> Block<'a> {
    /// All questions in blocks of a size, in their order; of fewer where they have many answers.
    pub fn all(cases: &'a Cases, size: usize) -> Vec<Self> {
        let (mut blocks, mut start, mut answers) = (Vec::new(), 0, 0);
        for (position, case) in cases.iter().enumerate() {
            let more: usize =
                std::iter::once(case.gold).chain(case.system).map(|answer| weight(answer.question)).sum();
            if position > start && (position - start >= size || answers + more > ANSWERS) {
                blocks.push(Self { cases, range: start..position });
                (start, answers) = (position, 0);
            }
            answers += more;
        }
        let end = cases.alignment.answers.len();
        blocks.extend((start < end).then_some(Self { cases, range: start..end }));
        blocks
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

/// How many answers there are to a question.
fn weight(question: &Question) -> usize {
    question.answers.sets.iter().map(|set| set.rows.len()).sum::<usize>().max(question.candidates.len())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::base::iri::Mint;
    use crate::sources::file::source::Source;
    use crate::sources::input::Input;

    #[test]
    fn many_answers_end_a_block() {
        let source = |name: &str, text: String| Source::from_bytes(name, text.into_bytes()).unwrap();
        let mint = Mint::default();
        let judged = [0, 1, 2, 3].map(|question| format!("{question} 0 d 1\n")).concat();
        let ranked = |(question, count): (usize, usize)| {
            let lines = (0..count).map(|rank| format!("{question} Q0 d{rank} {rank} -{rank} me\n"));
            lines.collect::<Vec<_>>().concat()
        };
        let run = [(0, ANSWERS / 2), (1, 1), (2, 1), (3, ANSWERS / 2)].map(ranked).concat();
        let dataset = Input::dataset(source("judged.qrels", judged), &mint).unwrap();
        let run = Input::submission(source("me.run", run), None, &mint).unwrap();
        let cases = Cases::of_same(Arc::new(dataset), run);
        let sizes = |size| Block::all(&cases, size).iter().map(Block::len).collect::<Vec<_>>();
        assert_eq!(
            [sizes(usize::MAX), sizes(3), sizes(2), sizes(1)],
            [vec![3, 1], vec![3, 1], vec![2, 2], vec![1; 4]]
        );
    }
}
