//! Why a question has no answer: what went wrong, and whether asking again makes sense.

use std::fmt;
use std::time::Duration;

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

/// The kinds of failures; each is a concept of `code:failureKind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// Nobody was reached, or the connection broke.
    Connection,
    /// The server could not prove who it is.
    Tls,
    /// It took longer than the limit, or a server on the way said so.
    Timeout,
    /// What came is no HTTP, or broke off.
    Protocol,
    /// A redirect that is not followed.
    Redirect,
    /// A status that is no success.
    HttpStatus,
    /// Too many requests.
    RateLimit,
    /// The quota is used up.
    Quota,
    /// The credentials are missing or wrong.
    Authentication,
    /// The body is larger than the limit.
    TooLarge,
    /// The body is empty.
    EmptyBody,
    /// The body is no JSON.
    NotJson,
    /// The JSON has no place for answers.
    Shape,
    /// The reply says that something went wrong.
    SaidError,
    /// The reply names a module that failed.
    Module,
    /// The text was cut off.
    Truncated,
    /// The system refuses to answer.
    Refusal,
    /// The query is none.
    NotSparql,
}

impl FailureKind {
    /// All kinds.
    pub const ALL: [Self; 18] = [
        Self::Connection,
        Self::Tls,
        Self::Timeout,
        Self::Protocol,
        Self::Redirect,
        Self::HttpStatus,
        Self::RateLimit,
        Self::Quota,
        Self::Authentication,
        Self::TooLarge,
        Self::EmptyBody,
        Self::NotJson,
        Self::Shape,
        Self::SaidError,
        Self::Module,
        Self::Truncated,
        Self::Refusal,
        Self::NotSparql,
    ];

    /// Its notation.
    pub fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Protocol => "protocol",
            Self::Redirect => "redirect",
            Self::HttpStatus => "http-status",
            Self::RateLimit => "rate-limit",
            Self::Quota => "quota",
            Self::Authentication => "authentication",
            Self::TooLarge => "too-large",
            Self::EmptyBody => "empty-body",
            Self::NotJson => "not-json",
            Self::Shape => "shape",
            Self::SaidError => "said-error",
            Self::Module => "module",
            Self::Truncated => "truncated",
            Self::Refusal => "refusal",
            Self::NotSparql => "not-sparql",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl AskFailure {
    /// A failure that another try would not mend.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), http_status: None, again: TryAgain::No, stops: false }
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

    /// Whether the question took too long: a status of its own.
    pub fn is_timeout(&self) -> bool {
        self.kind == FailureKind::Timeout || matches!(self.http_status, Some(408 | 504))
    }
}
