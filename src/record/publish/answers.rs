//! Answer snapshots in the archive: the graph, and the record that says how it came about.

use std::collections::BTreeMap;

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dct, prov, qassay, rdf, xsd};
use crate::kb::allowance::Asking;
use crate::kb::ask::Limits;
use crate::kb::oracle::Oracle;
use crate::kb::snapshot::AnswerSnapshot;
use crate::measures::fraction::Fraction;
use crate::record::publish::catalogue::register;
use crate::record::publish::provenance::{build, describe_build, engine};
use crate::sources::archive::{Archive, StoredGraph};

/// Keeps an answer snapshot: the graph, then the record `records/answers/KEY.nq`. Gives the key. A snapshot that is there
/// already stays as it is.
pub fn keep_answers(
    archive: &Archive,
    mint: &Mint,
    snapshot: &AnswerSnapshot,
    asking: &Asking,
) -> Result<String> {
    let graph = archive.keep_graph(|out| snapshot.write(mint, out))?;
    let key = snapshot.key();
    if !archive.record("answers", &key).exists() {
        archive.keep_record("answers", &key, &mut record(mint, snapshot, asking, &graph))?;
    }
    Ok(key)
}

/// The record of an answer snapshot: who answered and how it was asked. What was answered is in its graph.
fn record(mint: &Mint, snapshot: &AnswerSnapshot, asking: &Asking, graph: &StoredGraph) -> Lines {
    let iri = snapshot.iri(mint);
    let mut lines = Lines::new(&mint.catalogue_graph());
    register(&mut lines, &mint.graph_of(&iri), &iri, graph);
    describe_build(&mut lines, mint, &build());
    let activity = format!("{iri}#asking");
    let (who, title) = match &snapshot.oracle {
        Oracle::Snapshot { iri, .. } => (iri, format!("Answers of {iri}")),
        Oracle::Endpoint { url, time } => (url, format!("Answers of {url}, {time}")),
    };
    lines.subject(&iri).text(dct::TITLE, &title).iri(prov::WAS_GENERATED_BY, &activity);
    // The name by which the provenance of evaluations knows these bytes.
    lines
        .subject(&mint.file(&graph.sha256))
        .iri(rdf::TYPE, prov::ENTITY_CLASS)
        .iri(prov::SPECIALIZATION_OF, &iri);
    let Limits { time, rows, memory } = &asking.limits;
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
    if matches!(snapshot.oracle, Oracle::Endpoint { .. }) {
        lines.typed(prov::STARTED_AT_TIME, &asking.started.date_time, xsd::DATE_TIME).typed(
            prov::ENDED_AT_TIME,
            &asking.ended.date_time,
            xsd::DATE_TIME,
        );
    }
    for (outcome, count) in outcomes(snapshot) {
        let node = format!("{iri}#{outcome}");
        lines.subject(&iri).iri(qassay::OUTCOME_COUNT, &node);
        lines
            .subject(&node)
            .iri(rdf::TYPE, qassay::OUTCOME_COUNT_CLASS)
            .iri(qassay::COUNTED_OUTCOME, &code::iri(&format!("outcome-{outcome}")))
            .integer(qassay::QUERY_COUNT, count);
    }
    lines
}

/// How many queries have which outcome.
fn outcomes(snapshot: &AnswerSnapshot) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for entry in snapshot.entries.values() {
        *counts.entry(entry.outcome.name()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::base::clock::Instant;
    use crate::kb::outcome::{Cause, Outcome};
    use crate::sources::document::AnswerSet;
    use crate::sources::file::source::Source;

    #[test]
    fn an_answer_snapshot_is_kept_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        let mint = Mint::default();
        let yes = Outcome::Answered(AnswerSet { boolean: Some(true), ..AnswerSet::default() });
        let oracle =
            Oracle::Endpoint { url: "http://a/sparql".to_owned(), time: "2026-11-21T09:00:02Z".to_owned() };
        let late = Outcome::failed(Cause::TimedOut, "stopped");
        let outcomes = [("ASK {}".to_owned(), yes), ("SELECT * {}".to_owned(), late)];
        let snapshot = AnswerSnapshot::new(oracle, outcomes);
        let at = |second: u8| Instant {
            nanoseconds: i128::from(second),
            date_time: format!("2026-11-21T09:00:0{second}Z"),
        };
        let asking = |ended| Asking { limits: Limits::default(), started: at(0), ended: at(ended) };
        let key = keep_answers(&archive, &mint, &snapshot, &asking(2)).unwrap();
        let path = archive.record("answers", &key);
        let record = fs::read_to_string(&path).unwrap();
        for said in [
            "timeLimit> \"30\"",
            "rowLimit> \"100000\"",
            "#timed-out> <https://w3id.org/qassay/ns#queryCount> \"1\"",
            "endedAtTime> \"2026-11-21T09:00:02Z\"",
            "void#triples> \"",
        ] {
            assert!(record.contains(said), "{said}\n{record}");
        }
        assert_eq!(keep_answers(&archive, &mint, &snapshot, &asking(9)).unwrap(), key);
        assert_eq!(fs::read_to_string(&path).unwrap(), record);
        let graph = archive.contents().unwrap().pop().unwrap();
        assert_eq!(AnswerSnapshot::read(&Source::open(&graph).unwrap()).unwrap(), snapshot);
    }
}
