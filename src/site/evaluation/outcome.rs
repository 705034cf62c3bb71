//! How a question fell: one of five, with a sign, a word and a class for its colour.

use crate::measures::result::Status;
use crate::record::results::decimal::Decimal;
use crate::record::results::{QuestionResults, SetCounts, TypeResults};
use crate::site::page::Words;

/// How a question fell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuestionFate {
    /// Exactly the gold answers.
    Right,
    /// Some of them.
    Partly,
    /// None of them, though something was answered.
    Wrong,
    /// Nothing was answered, and something should have been.
    None,
    /// The experiment type leaves it out.
    Skipped,
}

impl QuestionFate {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [Self::Right, Self::Partly, Self::Wrong, Self::None, Self::Skipped];

    /// That of a question.
    pub(crate) fn of(question: &QuestionResults) -> Self {
        match &question.observed {
            Err(_) => Self::Skipped,
            Ok(one) => Self::scored(one.status, one.counts, &one.f1),
        }
    }

    /// That of a question with scores.
    pub(crate) fn scored(status: Status, counts: SetCounts, f1: &Decimal) -> Self {
        match status {
            _ if f1.is_one() => Self::Right,
            _ if counts.tp > 0 => Self::Partly,
            Status::Answered => Self::Wrong,
            _ => Self::None,
        }
    }

    /// Its place among all.
    pub(crate) fn number(self) -> usize {
        Self::ALL.into_iter().position(|one| one == self).unwrap_or_default()
    }

    /// The class of its colour in drawings.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Right => "f",
            Self::Partly => "p",
            Self::Wrong => "w",
            Self::None | Self::Skipped => "e",
        }
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Right => "all right",
            Self::Partly => "partly right",
            Self::Wrong => "answered, nothing right",
            Self::None => "no answer",
            Self::Skipped => "skipped",
        }
    }

    /// As a tag.
    pub(crate) fn tag(self) -> Words {
        let (class, words) = match self {
            Self::Right => ("ok", "✓ all right"),
            Self::Partly => ("", "partly"),
            Self::Wrong => ("miss", "nothing right"),
            Self::None => ("quiet", "no answer"),
            Self::Skipped => ("quiet", "skipped"),
        };
        Words::tag(class, words)
    }
}

/// How many questions of an experiment type fell how, in the order of [`QuestionFate::ALL`].
pub(crate) fn tally(experiment: &TypeResults) -> [usize; 5] {
    let mut tally = [0; 5];
    for question in &experiment.questions {
        tally[QuestionFate::of(question).number()] += 1;
    }
    tally
}
