//! Why a question, or a whole experiment type, has no scores. Skipped is not zero.

use crate::profiles::loaders::reason::Reason;

/// The reason, a concept of `code:skipReason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Skip {
    /// The gold standard offers no query and no annotations.
    GoldQueryAbsent,
    /// The gold query cannot be read.
    GoldQueryUnreadable,
    /// The submission offers no query and no annotations in any question.
    SystemQueryAbsent,
    /// The system's query cannot be read.
    SystemQueryUnreadable,
    /// The gold standard states no type, and has no answers to infer one from.
    GoldTypeAbsent,
    /// The submission states no type in any question, and has no answers to infer one from.
    SystemTypeAbsent,
    /// The types of resources have no class of the gold answers, and neither file nor query says one.
    GoldItemTypesUnknown,
    /// The types of resources have no class of the submission's answers, and neither file nor queries say one.
    SystemItemTypesUnknown,
    /// Neither side has an item in any question.
    NoItems,
    /// The question has no text in the language of the evaluation.
    NoText,
    /// The gold file says nothing about the answer.
    GoldAnswerAbsent,
    /// The gold answer cannot be read.
    GoldAnswerUnreadable,
    /// The gold query gives no answers on the knowledge base.
    GoldQueryFailed,
    /// The gold query was stopped at the time limit.
    GoldQueryTimedOut,
    /// The data do not decide what the gold query answers.
    GoldUndecided,
    /// Of the submission only questions were read, and no answers.
    SystemAnswersUnread,
    /// The peer announces the experiment type and never has results.
    NeverOffered,
    /// The loader of the evaluation leaves out the question.
    NotLoaded(Reason),
}

impl Skip {
    /// All reasons but those of loaders.
    const ALL: [Self; 17] = [
        Self::GoldQueryAbsent,
        Self::GoldQueryUnreadable,
        Self::SystemQueryAbsent,
        Self::SystemQueryUnreadable,
        Self::GoldTypeAbsent,
        Self::SystemTypeAbsent,
        Self::GoldItemTypesUnknown,
        Self::SystemItemTypesUnknown,
        Self::NoItems,
        Self::NoText,
        Self::GoldAnswerAbsent,
        Self::GoldAnswerUnreadable,
        Self::GoldQueryFailed,
        Self::GoldQueryTimedOut,
        Self::GoldUndecided,
        Self::SystemAnswersUnread,
        Self::NeverOffered,
    ];

    /// The reason with this concept.
    pub fn find(code: &str) -> Option<Self> {
        let loaders = Reason::ALL.into_iter().map(Self::NotLoaded);
        Self::ALL.into_iter().chain(loaders).find(|skip| skip.code() == code)
    }

    /// The concept, without namespace.
    pub fn code(self) -> &'static str {
        match self {
            Self::GoldQueryAbsent => "skip-gold-query-absent",
            Self::GoldQueryUnreadable => "skip-gold-query-unreadable",
            Self::SystemQueryAbsent => "skip-system-query-absent",
            Self::SystemQueryUnreadable => "skip-system-query-unreadable",
            Self::GoldTypeAbsent => "skip-gold-type-absent",
            Self::SystemTypeAbsent => "skip-system-type-absent",
            Self::GoldItemTypesUnknown => "skip-gold-item-types-unknown",
            Self::SystemItemTypesUnknown => "skip-system-item-types-unknown",
            Self::NoItems => "skip-no-items",
            Self::NoText => "skip-no-text",
            Self::GoldAnswerAbsent => "skip-gold-answer-absent",
            Self::GoldAnswerUnreadable => "skip-gold-answer-unreadable",
            Self::GoldQueryFailed => "skip-gold-query-failed",
            Self::GoldQueryTimedOut => "skip-gold-query-timed-out",
            Self::GoldUndecided => "skip-gold-undecided",
            Self::SystemAnswersUnread => "skip-system-answers-unread",
            Self::NeverOffered => "skip-never-offered",
            Self::NotLoaded(reason) => reason.code(),
        }
    }

    /// Why one side has no items.
    pub(crate) fn of(lack: Lack, role: Party) -> Self {
        match (lack, role) {
            (Lack::Query, Party::Gold) => Self::GoldQueryAbsent,
            (Lack::Query, Party::System) => Self::SystemQueryAbsent,
            (Lack::Unreadable, Party::Gold) => Self::GoldQueryUnreadable,
            (Lack::Unreadable, Party::System) => Self::SystemQueryUnreadable,
            (Lack::AnswerType, Party::Gold) => Self::GoldTypeAbsent,
            (Lack::AnswerType, Party::System) => Self::SystemTypeAbsent,
            (Lack::ItemTypes, Party::Gold) => Self::GoldItemTypesUnknown,
            (Lack::ItemTypes, Party::System) => Self::SystemItemTypesUnknown,
            (Lack::Items, _) => Self::NoItems,
        }
    }
}

/// Which side answers are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Party {
    Gold,
    System,
}

/// What keeps an answer, or all answers of a side, from having items: of several reasons the last one comes closest to
/// an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lack {
    /// A query, or annotations in its place.
    Query,
    /// A type, and answers to infer it from.
    AnswerType,
    /// There is a query that cannot be read.
    Unreadable,
    /// There is everything but an item.
    Items,
    /// There are answers, and the types of resources have no class of any.
    ItemTypes,
}
