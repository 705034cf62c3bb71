//! All that `--kb` names: one that is asked, and what was answered before.

use std::path::Path;

use crate::base::error::{Error, Result};
use crate::kb::allowance::Allowance;
use crate::kb::snapshot::AnswerSnapshot;
use crate::scoring::asked::wanted::{Wanted, wanted};
use crate::sources::document::Document;
use crate::workbench::asker::NamedAsker;

/// Whoever may be asked, in the order of the command line: at most one that is no answer snapshot.
#[derive(Debug)]
pub struct Askers(Vec<NamedAsker>);

impl Askers {
    /// Finds out who is meant.
    pub fn open(words: &[String], root: &Path, allowance: &Allowance) -> Result<Self> {
        let open = |word: &String| NamedAsker::open(word, root, allowance);
        let all: Vec<NamedAsker> = words.iter().map(open).collect::<Result<_>>()?;
        let asked: Vec<String> =
            all.iter().filter(|asker| asker.snapshot().is_none()).map(NamedAsker::label).collect();
        if asked.len() > 1 {
            return Err(Error::input(format!("{} knowledge bases are named, and one is asked", asked.len()))
                .at(asked.join(", "))
                .allowed("one knowledge base or endpoint, beside any number of answer snapshots"));
        }
        Ok(Self(all))
    }

    /// Who is asked for the answers of some questions of a document: the smallest answer snapshot that has all their
    /// queries, so that what was kept for them is asked first; else the knowledge base; else the snapshot that has most.
    pub fn of(&self, document: &Document, is_open: impl Iterator<Item = bool>) -> Option<&NamedAsker> {
        let open = document.questions.iter().zip(is_open).filter(|(_, is_open)| *is_open);
        let queries = open.filter_map(|(question, _)| match wanted(question) {
            Wanted::Text(text) => Some(text),
            _ => None,
        });
        let queries: Vec<String> = queries.collect();
        let snapshots = || self.0.iter().filter_map(|asker| Some((asker, asker.snapshot()?)));
        choose(snapshots(), &queries)
            .or_else(|| self.0.iter().find(|asker| asker.snapshot().is_none()))
            .or_else(|| snapshots().rev().max_by_key(|(_, s)| count(s, &queries)).map(|(asker, _)| asker))
    }
}

/// The smallest snapshot that has all queries, the first of several.
fn choose<'a, T>(
    snapshots: impl Iterator<Item = (&'a T, &'a AnswerSnapshot)>,
    queries: &[String],
) -> Option<&'a T> {
    let complete = snapshots.filter(|(_, snapshot)| count(snapshot, queries) == queries.len());
    complete.min_by_key(|(_, snapshot)| snapshot.entries.len()).map(|(asker, _)| asker)
}

fn count(snapshot: &AnswerSnapshot, queries: &[String]) -> usize {
    queries.iter().filter(|query| snapshot.outcome(query).is_some()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kb::oracle::Oracle;
    use crate::kb::outcome::Outcome;
    use crate::sources::document::AnswerSet;

    fn snapshot(queries: &[&str]) -> AnswerSnapshot {
        let yes = || Outcome::Answered(AnswerSet { boolean: Some(true), ..AnswerSet::default() });
        let oracle = Oracle::Endpoint { url: "http://a".to_owned(), time: "2026-11-21T09:00:00Z".to_owned() };
        AnswerSnapshot::new(oracle, queries.iter().map(|query| ((*query).to_owned(), yes())))
    }

    #[test]
    fn the_smallest_that_has_all_is_chosen() {
        let all =
            [snapshot(&["a", "b", "c"]), snapshot(&["a", "b"]), snapshot(&["b", "a"]), snapshot(&["d"])];
        let names = ["large", "small", "second", "other"];
        let of = |queries: &[&str]| {
            let queries: Vec<String> = queries.iter().map(|query| (*query).to_owned()).collect();
            choose(names.iter().zip(&all), &queries).copied()
        };
        assert_eq!(of(&["a"]), Some("small"));
        assert_eq!(of(&["a", "c"]), Some("large"));
        assert_eq!(of(&["d"]), Some("other"));
        assert_eq!(of(&["a", "d"]), None);
    }
}
