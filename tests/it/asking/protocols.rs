//! Each protocol asks its own mock: what a mock says of a submission is what asking it gives.

use std::collections::BTreeMap;

use qassay::sources::document::{Document, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use qassay::systems::description::{Protocol, ReplyKind};
use qassay::systems::pointer::Pointers;
use qassay::workbench::Workbench;
use qassay::workbench::ask::Continuing;
use tempfile::TempDir;

use crate::common::live::{ask, aurora, example, failure, hasty, mock, request};

/// The values of the answers, without their places.
fn values(question: &Question) -> Vec<String> {
    let sets = &question.answers.sets;
    let cells = sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
    let mut values: Vec<String> = cells.map(|cell| cell.value.clone()).collect();
    values.extend(sets.iter().filter_map(|set| set.boolean).map(|value| value.to_string()));
    values
}

/// Settings of protocols that have places without values.
fn settings(protocol: &Protocol) -> BTreeMap<String, String> {
    let known = [("dataset", "http://d.example/"), ("components", "NED,QB"), ("model", "m")];
    let places = protocol.places();
    let needed = known.into_iter().filter(|(name, _)| places.contains(name));
    needed.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn what_a_mock_says_is_what_asking_gives() {
    let (gold, given) = (example("gold.json"), aurora());
    let mut spoken = 0;
    for protocol in Protocol::all() {
        // Its key is in the environment, which no test changes.
        if protocol.can_be_spoken().is_err() || protocol.variables().next().is_some() {
            continue;
        }
        spoken += 1;
        let folder = TempDir::new().expect("a folder");
        let bench = Workbench::new(folder.path().join("archive"));
        let mut wanted = request(&gold, &mock(protocol, 0), &protocol.name);
        wanted.settings = settings(protocol);
        wanted.wanted.languages = vec!["en".to_owned()];
        let (asked, got) = ask(&bench, &wanted, Continuing::Anew, &hasty()).expect("a run");
        assert_eq!(asked.end.expect("a run").stopped, None, "{}", protocol.name);
        let mut compared = 0;
        for question in &got.questions {
            let Some(own) = given.questions.iter().find(|own| own.key == question.key) else { continue };
            let name = format!("{}, question {}", protocol.name, question.key);
            if own.error.is_some() {
                assert!(failure(question).is_some(), "{name}");
                continue;
            }
            // A boolean among values may be a text.
            let is_listed = protocol.reply.kind == ReplyKind::Values;
            let is_whole = !is_listed
                || own.answers.sets.iter().all(|set| set.rows.iter().all(|row| row.cells.len() == 1));
            if failure(question).is_some() {
                let why = question.error.as_deref().unwrap_or_default();
                panic!("{name}: {why}");
            }
            if protocol.reply.kind != ReplyKind::Query && is_whole && own.answers.sets.len() < 2 {
                let mut expected = values(own);
                let without: &[&str] = if is_listed { &[""] } else { &[] };
                expected.retain(|value| !without.contains(&value.as_str()));
                assert_eq!(values(question), expected, "{name}");
                compared += 1;
            }
            if protocol.reply.query_at.is_some() {
                let queries = |question: &Question| question.queries.first().map(|query| query.text.clone());
                assert_eq!(queries(question), queries(own), "{name}");
                compared += 1;
            }
        }
        assert!(compared > 10, "{}: {compared}", protocol.name);
    }
    assert!(spoken > 20, "{spoken}");
}

#[test]
fn what_is_kept_is_read_again_offline() {
    let protocol = Protocol::named("kgqan").expect("a protocol");
    let folder = TempDir::new().expect("a folder");
    let bench = Workbench::new(folder.path().join("archive"));
    let address = mock(protocol, 200_000);
    let mut wanted = request(&example("gold.json"), &address, "kgqan");
    wanted.wanted.languages = vec!["en".to_owned()];
    let (first, document) = ask(&bench, &wanted, Continuing::Anew, &hasty()).expect("a run");
    assert!(first.tally.errors > 0 && first.tally.answered > 0, "{:?}", first.tally);
    // Nobody is asked: the same bytes.
    let (replayed, same) = ask(&bench, &wanted, Continuing::Replay, &hasty()).expect("what is kept");
    assert_eq!((replayed.submission.as_str(), same), (first.submission.as_str(), document.clone()));
    // Nothing is missing: nothing is asked.
    let (resumed, _) = ask(&bench, &wanted, Continuing::Resume, &hasty()).expect("what is kept");
    assert_eq!(resumed.end, None);
    assert_eq!(resumed.submission, first.submission);
    // What failed is asked again, and the old exchanges stay.
    let (retried, again) = ask(&bench, &wanted, Continuing::RetryFailed, &hasty()).expect("a run");
    assert_eq!(retried.end.expect("a run").asked, first.tally.errors + first.tally.timeouts);
    let tries = |document: &Document| -> u32 {
        document.questions.iter().map(|one| one.asked.as_ref().expect("how it was asked").tries).sum()
    };
    assert!(tries(&again) > tries(&document));
    // With another description the same exchanges say something else.
    let mut other = wanted.clone();
    other.protocol.reply.answers_at = Some(Pointers::parse("/1/values/*").expect("pointers"));
    let (changed, _) = ask(&bench, &other, Continuing::Replay, &hasty()).expect("what is kept");
    assert_eq!(changed.tally.answered, 0);
}

#[test]
fn a_dataset_needs_no_gold() {
    let folder = TempDir::new().expect("a folder");
    let bench = Workbench::new(folder.path().join("archive"));
    let path = crate::common::live::questions(folder.path(), 3);
    let (document, _) = read(&Source::open(&path).expect("a file")).expect("questions");
    assert_eq!(document.questions.len(), 3);
    let protocol = Protocol::named("gerbil").expect("a protocol");
    let (asked, got) = ask(&bench, &request(&path, &mock(protocol, 0), "gerbil"), Continuing::Anew, &hasty())
        .expect("a run");
    assert_eq!((asked.tally.empty, got.questions.len()), (3, 3), "{:?}", asked.tally);
}
