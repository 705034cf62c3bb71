//! How a knowledge base was asked: the event behind an answer snapshot. It decides nothing, so it has a record of its own.

use super::asked::KeptAnswers;
use super::provenance::{Instant, build, describe_build, engine};
use crate::graph::canonical::Lines;
use crate::graph::iri::Mint;
use crate::graph::vocab::{prov, qassay, rdf, xsd};
use crate::kb::{Limits, Oracle};
use crate::measure::Fraction;

/// How a knowledge base was asked.
#[derive(Debug, Clone)]
pub struct Asking {
    /// What one query was allowed to use.
    pub limits: Limits,
    /// When the first query was asked. Of a pinned snapshot it is not kept: it answers the same at any time.
    pub started: Instant,
    /// When the last answer was there.
    pub ended: Instant,
}

impl Asking {
    /// The record `records/asking/KEY.nq`.
    pub fn record(&self, mint: &Mint, kept: &KeptAnswers) -> Lines {
        let mut lines = Lines::new(&mint.catalogue_graph());
        describe_build(&mut lines, mint, &build());
        let activity = format!("{}#asking", kept.iri);
        let who = match &kept.snapshot.oracle {
            Oracle::Snapshot { iri, .. } => iri,
            Oracle::Endpoint { url, .. } => url,
        };
        lines.subject(&kept.iri).iri(prov::WAS_GENERATED_BY, &activity);
        let Limits { time, rows, memory } = &self.limits;
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let seconds = Fraction::ratio(milliseconds, 1000).unwrap_or_else(Fraction::zero);
        lines
            .subject(&activity)
            .iri(rdf::TYPE, prov::ACTIVITY)
            .iri(prov::WAS_ASSOCIATED_WITH, &engine(mint))
            .iri(prov::USED, who)
            .typed(qassay::TIME_LIMIT, &seconds.to_decimal(), xsd::DECIMAL)
            .integer(qassay::ROW_LIMIT, *rows)
            .integer(qassay::MEMORY_LIMIT, *memory);
        if matches!(kept.snapshot.oracle, Oracle::Endpoint { .. }) {
            lines.typed(prov::STARTED_AT_TIME, &self.started.date_time, xsd::DATE_TIME).typed(
                prov::ENDED_AT_TIME,
                &self.ended.date_time,
                xsd::DATE_TIME,
            );
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kb::{AnswerSnapshot, Outcome};
    use crate::read::AnswerSet;

    #[test]
    fn a_record_says_limits_and_of_an_endpoint_the_time() {
        let mint = Mint::default();
        let yes = Outcome::Answered(AnswerSet { boolean: Some(true), ..AnswerSet::default() });
        let at = |second: u8| Instant {
            nanoseconds: i128::from(second),
            date_time: format!("2026-11-21T09:00:0{second}Z"),
        };
        let asking = Asking { limits: Limits::default(), started: at(0), ended: at(2) };
        let endpoint =
            Oracle::Endpoint { url: "http://a/sparql".to_owned(), time: "2026-11-21T09:00:02Z".to_owned() };
        let pinned = Oracle::Snapshot { iri: mint.knowledge_base("a", "1"), digest: "ab".repeat(32) };
        let told = [endpoint, pinned].map(|oracle| {
            let snapshot = AnswerSnapshot::new(oracle, [("ASK {}".to_owned(), yes.clone())]);
            let kept = KeptAnswers::new(snapshot, &mint).unwrap();
            let mut bytes = Vec::new();
            asking.record(&mint, &kept).write_to(&mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        });
        for text in &told {
            assert!(text.contains("timeLimit> \"30\"") && text.contains("rowLimit> \"100000\""), "{text}");
        }
        assert!(told[0].contains("endedAtTime> \"2026-11-21T09:00:02Z\""), "{}", told[0]);
        assert!(!told[1].contains("AtTime"), "{}", told[1]);
    }
}
