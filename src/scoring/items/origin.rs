//! Where the items of an experiment type come from: several are stated by some files and read off queries or answers of
//! others, and a reader of a number must know which.

use crate::profiles::rules::Reading;
use crate::scoring::cases::Answer;
use crate::scoring::items::types::classes_of_answers;
use crate::scoring::reader::Setting;
use crate::sources::input::answer::{answer_type, inferred_type};

/// Where items come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum ItemOrigin {
    /// The file states them: an answer type, item types.
    Stated,
    /// The file marks them in the text of the question (eQALD).
    Annotated,
    /// The query names them.
    Query,
    /// They are inferred from the answers.
    Inferred,
    /// They are the classes of the answers by the types of resources.
    Types,
}

impl ItemOrigin {
    /// The word in reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Annotated => "annotated",
            Self::Query => "query",
            Self::Inferred => "inferred",
            Self::Types => "types",
        }
    }

    /// Where the items of a question come from, in an experiment type that has several ways; nothing where there are
    /// none, or only one way.
    pub fn of(context: &Setting<'_>, answer: &Answer<'_>) -> Option<Self> {
        let question = answer.question;
        let of_query = || answer.query.graph().map(|_| Self::Query);
        let has_classes = || classes_of_answers(context, answer).is_some_and(|classes| !classes.is_empty());
        match context.rules.reading {
            Reading::Resources | Reading::Properties if !question.annotations.is_empty() => {
                Some(Self::Annotated)
            }
            Reading::ItemTypes if !question.answer_item_types.is_empty() => Some(Self::Stated),
            Reading::ItemTypes if has_classes() => Some(Self::Types),
            Reading::Resources | Reading::Properties | Reading::ItemTypes => of_query(),
            Reading::AnswerType if answer_type(question).is_some() => Some(Self::Stated),
            Reading::AnswerType => {
                inferred_type(question, context.plan.profile.label_columns).map(|_| Self::Inferred)
            }
            _ => None,
        }
    }
}
