//! The kinds of failures that a question to a live system may have: what stands in its submission, in RDF and in tables.

use std::fmt;

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

impl FailureKind {
    /// The kind with this notation.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it is a failure of its time: a status of its own.
    pub fn is_timeout(self) -> bool {
        self == Self::Timeout
    }

    /// The concept of `code:failureKind`, without namespace.
    pub fn concept(self) -> String {
        format!("failure-{}", self.name())
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
