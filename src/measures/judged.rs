//! Answers in their order, each with a verdict: what rank measures and confidence measures are computed from.

use crate::measures::fraction::Fraction;

/// What became of one given answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Verdict {
    /// No gold answer meets it.
    Incorrect,
    /// It says too much or too little beside what is correct (CLEF 2004: X): as wrong as any other, and told apart by people.
    Inexact,
    /// It says again what an answer before it says, which is correct (CLEF 2004: `eval` is 0).
    Repeated,
    /// A gold answer meets it, for the first time.
    Correct,
}

impl Verdict {
    /// All of them, the severest first.
    pub const ALL: [Self; 4] = [Self::Incorrect, Self::Inexact, Self::Repeated, Self::Correct];

    /// The verdict with this word.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }

    /// The word in files, tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Incorrect => "incorrect",
            Self::Inexact => "inexact",
            Self::Repeated => "repeated",
            Self::Correct => "correct",
        }
    }
}

/// One given answer, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Whether it is right.
    pub verdict: Verdict,
    /// What it gains: the grade of the gold answer that it meets; 1 where there are no grades, 0 where it is not correct.
    pub gain: u64,
    /// Whether the gold standard has it, and calls it wrong. Other answers that are not correct are wrong because nobody
    /// judged them.
    pub rejected: bool,
    /// What it was ranked by, or how sure the system is of it; none where the file says nothing.
    pub score: Option<Fraction>,
}

impl Judgement {
    /// Whether it is correct, for the first time.
    pub fn is_correct(&self) -> bool {
        self.verdict == Verdict::Correct
    }
}

/// A correct answer in its place: rank measures need no more of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Its rank, from 1.
    pub rank: u64,
    /// What it gains.
    pub gain: u64,
    /// How many answers before it the gold standard calls wrong.
    pub wrong: u64,
}

/// The answers to one question, best first, judged.
///
/// Neighbours with equal scores are tied: their order is a rule of the profile, and not the system's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    answers: Vec<Judgement>,
    hits: Vec<Hit>,
    gold: Vec<u64>,
    rejected: u64,
    is_open: bool,
}

impl Judged {
    /// All that the system gave, the best first.
    ///
    /// `gold` are the grades of the gold answers, the highest first, all above 0. Their number is the number of known
    /// distinct correct answers, R(i) of CLEF 2004. A question without an answer, where that is for systems to say
    /// (NIL), has one. `rejected` is how many different answers the gold standard calls wrong (TREC: documents that are
    /// judged and not relevant).
    pub fn new(answers: Vec<Judgement>, gold: Vec<u64>, rejected: u64) -> Self {
        let hits = hits(&answers);
        let is_open = !hits.is_empty() && ties(&answers).any(|range| has_open_hit(&answers[range]));
        Self { answers, hits, gold, rejected, is_open }
    }

    /// All that the system gave, the best first.
    pub fn answers(&self) -> &[Judgement] {
        &self.answers
    }

    /// The correct answers among them.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The grades of the gold answers, the highest first.
    pub fn gold(&self) -> &[u64] {
        &self.gold
    }

    /// How many different answers the gold standard calls wrong.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// How many correct answers are known.
    pub fn known(&self) -> u64 {
        self.gold.len() as u64
    }

    /// How many of the given answers are correct.
    pub fn correct(&self) -> u64 {
        self.hits.len() as u64
    }

    /// Whether correct answers could have other ranks: one is tied with an answer that is worth more or less.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Where the answers are tied: the positions of each run of neighbours with the same score, two or more.
    pub fn ties(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        ties(&self.answers)
    }

    /// The same with every tie broken in favour of the system: higher gains first.
    #[must_use]
    pub fn at_best(&self) -> Self {
        self.with_ties(|tied| tied.sort_by_key(|answer| std::cmp::Reverse((answer.verdict, answer.gain))))
    }

    /// The same with every tie broken against the system: lower gains first.
    ///
    /// No order is worse. Where an answer is tied with one that repeats it, no order may be as bad either: the one
    /// that comes first is the correct one.
    #[must_use]
    pub fn at_worst(&self) -> Self {
        self.with_ties(|tied| tied.sort_by_key(|answer| (answer.verdict, answer.gain)))
    }

    fn with_ties(&self, order: impl Fn(&mut [Judgement])) -> Self {
        let mut answers = self.answers.clone();
        for range in self.ties() {
            order(&mut answers[range]);
        }
        Self::new(answers, self.gold.clone(), self.rejected)
    }
}

/// The positions of each run of neighbours with the same score, two or more.
fn ties(answers: &[Judgement]) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut start = 0;
    let runs = answers.chunk_by(|one, next| one.score.is_some() && one.score == next.score);
    runs.filter_map(move |run| {
        let range = start..start + run.len();
        start = range.end;
        (run.len() > 1).then_some(range)
    })
}

/// Whether one of some tied answers is correct, and another is worth more or less.
fn has_open_hit(tied: &[Judgement]) -> bool {
    let worth = |answer: &Judgement| (answer.verdict, answer.gain);
    tied.iter().any(Judgement::is_correct) && tied.iter().any(|one| worth(one) != worth(&tied[0]))
}

/// The correct ones of some answers in their order.
fn hits(answers: &[Judgement]) -> Vec<Hit> {
    let mut wrong = 0;
    let hit = |(answer, rank): (&Judgement, u64)| {
        wrong += u64::from(answer.rejected);
        answer.is_correct().then_some(Hit { rank, gain: answer.gain, wrong })
    };
    let mut hits: Vec<Hit> = answers.iter().zip(1..).filter_map(hit).collect();
    hits.shrink_to_fit();
    hits
}

#[cfg(test)]
impl Judged {
    /// Other answers.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Vec<Judgement>)) {
        let mut answers = std::mem::take(&mut self.answers);
        change(&mut answers);
        *self = Self::new(answers, std::mem::take(&mut self.gold), self.rejected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(answers: &[(Verdict, Option<u64>)]) -> Judged {
        let answer = |(verdict, score): &(Verdict, Option<u64>)| Judgement {
            verdict: *verdict,
            gain: u64::from(*verdict == Verdict::Correct),
            rejected: false,
            score: score.map(Fraction::whole),
        };
        Judged::new(answers.iter().map(answer).collect(), vec![1, 1], 0)
    }

    #[test]
    fn neighbours_with_equal_scores_are_tied() {
        use Verdict::{Correct, Incorrect};
        let some =
            judged(&[(Incorrect, Some(3)), (Incorrect, Some(2)), (Correct, Some(2)), (Correct, Some(1))]);
        assert!(some.ties().eq(std::iter::once(1..3)));
        let verdicts = |judged: &Judged| judged.answers().iter().map(|a| a.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(&some.at_best()), [Incorrect, Correct, Incorrect, Correct]);
        assert_eq!(verdicts(&some.at_worst()), verdicts(&some));
        assert_eq!((some.known(), some.correct(), some.is_open()), (2, 2, true));
        // Neither those that are wrong nor those that are right have another worth.
        assert!(
            !judged(&[(Incorrect, Some(3)), (Incorrect, Some(3)), (Correct, Some(1)), (Correct, Some(1))])
                .is_open()
        );
        // An order without scores is the system's own.
        assert_eq!(judged(&[(Incorrect, None), (Correct, None)]).ties().count(), 0);
    }
}
