//! Asking an answer snapshot: what was answered once is answered again, without the network.

use super::outcome::{Cause, Outcome};
use super::{AnswerSnapshot, Asker};
use crate::error::Result;

/// An answer snapshot that is asked in place of who answered then.
#[derive(Debug)]
pub struct Recorded(pub AnswerSnapshot);

impl Asker for Recorded {
    fn ask(&self, query: &str) -> Result<Outcome> {
        let missing = || Outcome::failed(Cause::Failed, "the answer snapshot does not have this query");
        Ok(self.0.outcome(query).cloned().unwrap_or_else(missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kb::Oracle;
    use crate::read::AnswerSet;

    #[test]
    fn what_was_not_asked_has_no_answer() {
        let yes = Outcome::Answered(AnswerSet { boolean: Some(true), ..AnswerSet::default() });
        let oracle = Oracle::Endpoint { url: "http://a".to_owned(), time: "2026-11-21T09:00:00Z".to_owned() };
        let recorded = Recorded(AnswerSnapshot::new(oracle, [("ASK {}".to_owned(), yes.clone())]));
        assert_eq!(recorded.ask("ASK {}").unwrap(), yes);
        assert_eq!(recorded.ask("ASK { }").unwrap().name(), "failed");
    }
}
