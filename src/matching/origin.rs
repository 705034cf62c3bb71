//! Where the items of an experiment type come from: several are stated by some files and read off queries or answers of
//! others, and a reader of a number must know which.

use crate::graph::answer::{answer_type, inferred_type};
use crate::graph::pattern::QueryNodes;
use crate::profile::Reading;
use crate::read::Question;

/// Where items come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The file states them: an answer type, item types.
    Stated,
    /// The file marks them in the text of the question (eQALD).
    Annotated,
    /// The query names them.
    Query,
    /// They are inferred from the answers.
    Inferred,
}

impl Origin {
    /// The word in reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Annotated => "annotated",
            Self::Query => "query",
            Self::Inferred => "inferred",
        }
    }

    /// Where the items of a question come from, in an experiment type that has several ways; nothing where there are
    /// none, or only one way.
    pub fn of(reading: Reading, question: &Question, query: &QueryNodes) -> Option<Self> {
        let of_query = || query.graph().map(|_| Self::Query);
        match reading {
            Reading::Resources | Reading::Properties if !question.annotations.is_empty() => {
                Some(Self::Annotated)
            }
            Reading::ItemTypes if !question.answer_item_types.is_empty() => Some(Self::Stated),
            Reading::Resources | Reading::Properties | Reading::ItemTypes => of_query(),
            Reading::AnswerType if answer_type(question).is_some() => Some(Self::Stated),
            Reading::AnswerType => inferred_type(question).map(|_| Self::Inferred),
            _ => None,
        }
    }
}
