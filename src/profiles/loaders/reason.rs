//! Why a loader leaves out a question.

use std::fmt;

use crate::base::vocab::{code, skos};
use crate::profiles::ontology;

/// The reason, a concept of `code:skipReason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Reason {
    /// The question is in the other part of the file.
    OtherPart,
    /// No answer is bound to a variable that the head names.
    NoHeadAnswer,
    /// The query of the XML or NLQ file is none for Jena.
    QueryRefused,
    /// The id is no integer.
    IdNotInteger,
    /// A question before it has the same id.
    IdRepeated,
    /// There is no row in English.
    NoEnglish,
}

impl Reason {
    /// All reasons, for tests that compare them with the ontology.
    pub const ALL: [Self; 6] = [
        Self::OtherPart,
        Self::NoHeadAnswer,
        Self::QueryRefused,
        Self::IdNotInteger,
        Self::IdRepeated,
        Self::NoEnglish,
    ];

    /// The concept, without namespace.
    pub fn code(self) -> &'static str {
        match self {
            Self::OtherPart => "skip-other-part",
            Self::NoHeadAnswer => "skip-no-head-answer",
            Self::QueryRefused => "skip-query-refused",
            Self::IdNotInteger => "skip-id-not-integer",
            Self::IdRepeated => "skip-id-repeated",
            Self::NoEnglish => "skip-no-english",
        }
    }

    /// The reason for people: the definition in the ontology.
    pub fn definition(self) -> &'static str {
        ontology::terms().text(&code::iri(self.code()), skos::DEFINITION).unwrap_or_else(|| self.code())
    }
}

/// A question that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Why.
    pub reason: Reason,
    /// More about it: what is wrong with the query.
    pub detail: Option<String>,
}

impl From<Reason> for LeftOut {
    fn from(reason: Reason) -> Self {
        Self { reason, detail: None }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.definition())?;
        self.detail.as_ref().map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}
