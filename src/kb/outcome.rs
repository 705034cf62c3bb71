//! What came of a query: its answers, or why there are none.

use crate::sources::document::AnswerSet;
use crate::sparql::error::Unparsable;

/// The name of the outcome of a query that was answered.
pub(crate) const ANSWERED: &str = "answered";

/// What came of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All answers, perhaps none: rows, or a boolean. Rows are sorted unless the query orders them.
    Answered(AnswerSet),
    /// No answers. What a stopped query had found so far is not kept: a part must not look like the whole.
    Failed(Unanswered),
}

/// Why a query has no answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// The kind of reason.
    pub cause: Cause,
    /// The reason in words, without a full stop.
    pub message: String,
}

/// The kinds of reasons, concepts of `code:queryOutcome`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The text is no SPARQL 1.1 query, also after the named repairs.
    Unparsable,
    /// The query is not run: it calls SERVICE, names graphs by FROM, is a pseudo query, is neither SELECT nor ASK, or is
    /// larger than is read.
    Refused,
    /// It ran longer than the time limit.
    TimedOut,
    /// It has more rows than the row limit.
    TooManyRows,
    /// It needs more memory than the memory limit.
    OutOfMemory,
    /// The evaluator or the endpoint reports an error.
    Failed,
    /// The endpoint's reply is not the whole answer: broken off, no results, not UTF-8, a page of HTML.
    BadReply,
}

impl From<Unparsable> for Unanswered {
    fn from(why: Unparsable) -> Self {
        let cause = if why.is_limit { Cause::Refused } else { Cause::Unparsable };
        Self { cause, message: why.to_string() }
    }
}

impl Cause {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Unparsable,
        Self::Refused,
        Self::TimedOut,
        Self::TooManyRows,
        Self::OutOfMemory,
        Self::Failed,
        Self::BadReply,
    ];

    /// The name, as in `code:outcome-NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unparsable => "unparsable",
            Self::Refused => "refused",
            Self::TimedOut => "timed-out",
            Self::TooManyRows => "too-many-rows",
            Self::OutOfMemory => "out-of-memory",
            Self::Failed => "failed",
            Self::BadReply => "bad-reply",
        }
    }

    /// Whether the query met a limit: with more time, rows or memory it may be answered.
    pub fn is_limit(self) -> bool {
        matches!(self, Self::TimedOut | Self::TooManyRows | Self::OutOfMemory)
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.name() == name)
    }
}

impl Outcome {
    /// A query without answers.
    pub fn failed(cause: Cause, message: impl Into<String>) -> Self {
        Self::Failed(Unanswered { cause, message: message.into() })
    }

    /// The answers, where there are.
    pub fn answers(&self) -> Option<&AnswerSet> {
        match self {
            Self::Answered(answers) => Some(answers),
            Self::Failed(_) => None,
        }
    }

    /// Why there are no answers, where there are none.
    pub fn cause(&self) -> Option<Cause> {
        match self {
            Self::Answered(_) => None,
            Self::Failed(failure) => Some(failure.cause),
        }
    }

    /// The name, as in `code:outcome-NAME`: `answered`, or that of the cause.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Answered(_) => ANSWERED,
            Self::Failed(failure) => failure.cause.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_that_somebody_set() {
        let limits: Vec<&str> =
            Cause::ALL.into_iter().filter(|cause| cause.is_limit()).map(Cause::name).collect();
        assert_eq!(limits, ["timed-out", "too-many-rows", "out-of-memory"]);
        assert_eq!(Outcome::failed(Cause::BadReply, "broken off").cause(), Some(Cause::BadReply));
        assert_eq!(Outcome::Answered(AnswerSet::default()).cause(), None);
    }
}
