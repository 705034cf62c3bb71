//! What is measured, the results of questions; and what comes out, a value.

use std::collections::BTreeMap;

use crate::measures::fraction::Fraction;
use crate::measures::judged::Judged;
use crate::measures::sets::{Counts, Scores, Submitted};

/// How the submission answered a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Status {
    /// With at least one item.
    Answered,
    /// With nothing.
    Empty,
    /// With an error.
    Error,
    /// With nothing in the time that there was: an error too.
    Timeout,
    /// Not at all: the submission does not have the question.
    Missing,
}

impl Status {
    /// All of them.
    const ALL: [Self; 5] = [Self::Answered, Self::Empty, Self::Error, Self::Timeout, Self::Missing];

    /// The status with this concept.
    pub fn find(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.code() == code)
    }

    /// What stands in the submission.
    pub(crate) fn submitted(self) -> Submitted {
        match self {
            Self::Answered | Self::Empty => Submitted::Answer,
            Self::Error | Self::Timeout => Submitted::Error,
            Self::Missing => Submitted::Nothing,
        }
    }

    /// The word in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Empty => "empty",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Missing => "missing",
        }
    }

    /// The concept of `code:answerStatus`, without namespace.
    pub fn code(self) -> &'static str {
        match self {
            Self::Answered => "status-ok",
            Self::Empty => "status-empty",
            Self::Error => "status-error",
            Self::Timeout => "status-timeout",
            Self::Missing => "status-missing",
        }
    }
}

/// The result of one question.
#[derive(Debug, Clone)]
pub struct QuestionResult {
    /// How it was answered.
    pub status: Status,
    /// How many items met.
    pub counts: Counts,
    /// Its scores.
    pub scores: Scores,
    /// The counts of the parts of its items that have measures of their own.
    pub parts: BTreeMap<ItemPart, Counts>,
    /// nDCG of the answer as a ranking, where the order of the answer matters and the profile measures it.
    pub ndcg: Option<Fraction>,
    /// The answers in their order with a verdict each, where the profile ranks them or asks how sure the system is.
    pub judged: Option<Judged>,
    /// The time the system took, in seconds, where known.
    pub response_time: Option<Fraction>,
}

impl QuestionResult {
    /// Whether the system failed the question: anything but exactly the gold answers.
    pub fn is_failed(&self) -> bool {
        self.scores.f1 != Fraction::one()
    }
}

/// A part of the items of a question that has measures of its own.
///
/// The order is that of their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum ItemPart {
    /// Items that no known knowledge base has (GERBIL: emerging entities).
    Emerging,
    /// Classes, with all classes above them.
    Hierarchical,
    /// Items that a known knowledge base has.
    InKb,
}

impl ItemPart {
    /// All parts, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::InKb, Self::Emerging, Self::Hierarchical];

    /// What the names of its measures begin with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Emerging => "ee",
            Self::Hierarchical => "hierarchical",
            Self::InKb => "inKb",
        }
    }

    /// The name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Emerging => "EE",
            Self::Hierarchical => "hierarchical",
            Self::InKb => "InKB",
        }
    }
}

/// The value of a metric over a group of questions, and how many questions entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The exact value.
    pub value: Fraction,
    /// The number of questions.
    pub sample_size: u64,
    /// What it could be with ties broken otherwise, where that makes it another.
    pub ties: Option<Ties>,
}

impl Value {
    /// A value over a number of questions that no tie makes another.
    pub fn new(value: Fraction, sample_size: u64) -> Self {
        Self { value, sample_size, ties: None }
    }
}

/// What a measure could be if ties between equal scores were broken otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ties {
    /// Every tie broken against the system.
    pub worst: Fraction,
    /// Every tie broken in favour of the system.
    pub best: Fraction,
}
