//! How a gold answer fares on a knowledge base.

/// What became of a gold answer: a concept of `code:refreshStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum RefreshStatus {
    /// The query gives the curated answers.
    Same,
    /// It gives other answers.
    Changed,
    /// It gives nothing, and there are curated answers.
    Empty,
    /// It cannot be run or failed.
    Failed,
    /// It was stopped at the time limit.
    TimedOut,
    /// It takes some of several rows that tie, and all of them are known.
    Tied,
    /// Its answers are not decided by the data.
    Undecidable,
    /// The question has no query.
    NoQuery,
}

impl RefreshStatus {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 8] = [
        Self::Same,
        Self::Changed,
        Self::Empty,
        Self::Tied,
        Self::Undecidable,
        Self::Failed,
        Self::TimedOut,
        Self::NoQuery,
    ];

    /// The name, as in `code:refresh-NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Empty => "empty",
            Self::Failed => "failed",
            Self::TimedOut => "timed-out",
            Self::Tied => "tied",
            Self::Undecidable => "undecidable",
            Self::NoQuery => "no-query",
        }
    }

    /// The status with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The words in tables.
    pub fn words(self) -> &'static str {
        match self {
            Self::Failed => "query failed",
            Self::TimedOut => "timed out",
            Self::NoQuery => "no query",
            other => other.name(),
        }
    }

    /// Whether the answers of the query are gold answers. In all other cases the curated ones stay.
    pub fn has_answers(self) -> bool {
        matches!(self, Self::Same | Self::Changed | Self::Empty | Self::Tied)
    }
}
