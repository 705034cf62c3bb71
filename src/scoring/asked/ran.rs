//! What comes of the query of a question.

use crate::kb::decide::{Decision, decide};
use crate::kb::ledger::Ledger;
use crate::kb::outcome::{Cause, Outcome, Unanswered};
use crate::kb::ties::{PossibleRows, Tied, ties};
use crate::scoring::asked::wanted::{Wanted, wanted};
use crate::sources::document::{AnswerSet, AnswerState, Answers, Question};

/// What came of the query of a question.
#[derive(Debug, Clone)]
pub(crate) enum Ran {
    /// The question has no query.
    NoQuery,
    /// Its query has no answers, and why.
    Failed(Unanswered),
    /// These are its answers.
    Answered(AnswerSet),
    /// It has to be asked.
    Pending,
}

/// A query with what came of it.
#[derive(Debug, Clone)]
pub(crate) struct One {
    /// The text that was run; none where nothing could be.
    pub(crate) query: Option<String>,
    /// What came of it.
    pub(crate) ran: Ran,
    /// Why its answers are not decided by the data, if they are not.
    pub(crate) undecided: Option<String>,
}

/// What comes of the query of a question, and whether the data decide it.
pub(crate) fn run(question: &Question, ledger: &Ledger) -> One {
    let (query, ran) = answered(question, ledger);
    let undecided = match (&query, &ran) {
        (Some(query), Ran::Answered(_)) => match decide(query, ledger) {
            Decision::Undecided(why) => Some(why),
            Decision::Decided | Decision::Pending => None,
        },
        _ => None,
    };
    One { query, ran, undecided }
}

fn answered(question: &Question, ledger: &Ledger) -> (Option<String>, Ran) {
    let failed = |cause, message| (None, Ran::Failed(Unanswered { cause, message }));
    match wanted(question) {
        Wanted::Nothing => (None, Ran::NoQuery),
        Wanted::Pseudo => failed(Cause::Refused, "it is a pseudo query".to_owned()),
        Wanted::Refused(why) => failed(Cause::Refused, why),
        Wanted::Unparsable(why) => failed(Cause::Unparsable, why),
        Wanted::Text(text) => {
            let ran = match ledger.outcome(&text) {
                None => Ran::Pending,
                Some(Outcome::Failed(failure)) => Ran::Failed(failure.clone()),
                Some(Outcome::Answered(answers)) => Ran::Answered(answers.clone()),
            };
            (Some(text), ran)
        }
    }
}

/// The ties that leave a choice in the answers of a query; or why they cannot be told. None where it is something else.
pub(crate) fn tied(one: &One, ledger: &Ledger) -> Option<Result<PossibleRows, String>> {
    let (Some(query), Ran::Answered(answers), Some(_)) = (&one.query, &one.ran, &one.undecided) else {
        return None;
    };
    match ties(query, answers, ledger) {
        Tied::Told(ties) => Some(Ok(ties)),
        Tied::Untold(why) => Some(Err(why)),
        Tied::Otherwise | Tied::Pending => None,
    }
}

/// The reason of a failure as people read it.
pub(crate) fn reason(failure: &Unanswered) -> String {
    let kind = match failure.cause {
        Cause::Unparsable => "no SPARQL 1.1",
        Cause::Refused => "not run",
        Cause::TimedOut => "timed out",
        Cause::TooManyRows => "too many rows",
        Cause::OutOfMemory => "out of memory",
        Cause::Failed => "failed",
        Cause::BadReply => "bad reply",
    };
    format!("{kind}: {}", failure.message)
}

/// Answers as a question has them. A row that binds nothing (`AVG` of IRIs, `OPTIONAL`) answers nothing, as in a file.
pub(crate) fn answers(mut set: AnswerSet) -> Answers {
    set.rows.retain(|row| !row.cells.is_empty());
    let is_empty = set.rows.is_empty() && set.boolean.is_none();
    let state = if is_empty { AnswerState::Empty } else { AnswerState::Given };
    Answers { state, sets: vec![set] }
}
