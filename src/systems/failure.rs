//! Why a question has no answer: what went wrong, and whether asking again makes sense.

use std::time::Duration;

use crate::sources::failure_kind::FailureKind;

/// What went wrong with a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskFailure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// What was said or seen: for people.
    pub message: String,
    /// The status of the reply, where there was one and it is not 200.
    pub http_status: Option<u16>,
    /// Whether another try makes sense.
    pub again: TryAgain,
    /// Whether asking other questions makes none.
    pub stops: bool,
}

/// Whether another try makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TryAgain {
    /// It would fail likewise.
    No,
    /// It may succeed.
    Yes,
    /// It may succeed after the wait that the server asks for.
    After(Duration),
}

impl AskFailure {
    /// A failure that another try would not mend.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), http_status: None, again: TryAgain::No, stops: false }
    }

    /// The failure of a try that took longer than it may.
    pub fn late() -> Self {
        Self::new(FailureKind::Timeout, "it took longer than the time limit")
    }

    /// The same, with the status of the reply.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.http_status = Some(status);
        self
    }

    /// The same, which another try may mend.
    #[must_use]
    pub fn again(mut self, again: TryAgain) -> Self {
        self.again = again;
        self
    }

    /// The same, after which nothing more should be asked.
    #[must_use]
    pub fn stopping(mut self) -> Self {
        self.stops = true;
        self
    }

    /// Whether the question did not reach the system.
    pub fn is_unheard(&self) -> bool {
        matches!(self.kind, FailureKind::Connection | FailureKind::Tls)
    }

    /// The kind as it is told: who is late is late, whoever said so.
    pub fn told_kind(&self) -> FailureKind {
        if self.is_timeout() { FailureKind::Timeout } else { self.kind }
    }

    /// Whether the question took too long: a status of its own.
    pub fn is_timeout(&self) -> bool {
        self.kind == FailureKind::Timeout || matches!(self.http_status, Some(408 | 504))
    }
}
