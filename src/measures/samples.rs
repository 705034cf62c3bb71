//! Results of questions for the tests of measures.

use std::collections::BTreeMap;

use crate::measures::judged::Judged;
use crate::measures::result::{QuestionResult, Status};
use crate::measures::sets::{Counts, EmptyRules, EmptyScore, Scores};

/// The rules of the default profile.
pub(crate) const RULES: EmptyRules = EmptyRules {
    both: EmptyScore::One,
    gold: EmptyScore::Zero,
    system: EmptyScore::Zero,
    missing: None,
    micro_of_nothing_is_one: true,
    qald_of_zeros_is_undefined: false,
};

/// A question by its counts.
pub(crate) fn counted(counts: Counts, status: Status) -> QuestionResult {
    QuestionResult {
        status,
        counts,
        scores: Scores::of(counts, status == Status::Missing, RULES),
        parts: BTreeMap::new(),
        ndcg: None,
        judged: None,
        response_time: None,
    }
}

/// A question by its answers one by one.
pub(crate) fn judged(judged: Option<Judged>) -> QuestionResult {
    QuestionResult { judged, ..counted(Counts::default(), Status::Answered) }
}
