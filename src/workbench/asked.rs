//! What knowledge bases are asked for an evaluation: refreshed gold answers, and the answers of systems that gave queries.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::text::with_choices;
use crate::base::watch::{Steps, Watcher};
use crate::kb::allowance::{Allowance, Asking};
use crate::kb::outcome::Outcome;
use crate::kb::snapshot::AnswerSnapshot;
use crate::profiles::Profile;
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::gold_rules::LimitTies;
use crate::record::keep::Keeper;
use crate::scoring::asked::KbAnswers;
use crate::scoring::asked::executed::{ExecutedAnswers, to_execute};
use crate::scoring::asked::kept::KeptAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::scoring::asked::wanted::{Wanted, wanted};
use crate::sources::document::Document;
use crate::sources::input::Input;
use crate::workbench::asker::{NamedAsker, WatchedAsker};
use crate::workbench::request::{GoldChoice, Request};

/// Whose answers count where a submission gives queries: the rule that all profiles have; an error where queries are run
/// and they want different answers.
pub fn answers_from(request: &Request) -> Result<AnswersFrom> {
    let profiles = &request.profiles;
    let rule = profiles.first().map(|profile| profile.answers_from).unwrap_or_default();
    let of = |wanted: AnswersFrom| {
        let names = profiles.iter().filter(|profile| profile.answers_from == wanted);
        names.map(|profile| profile.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if request.kb.is_empty() || profiles.iter().all(|profile| profile.answers_from == rule) {
        return Ok(rule);
    }
    Err(Error::input("with `⌥kb`, these profiles score different answers where a submission gives both queries and answers")
        .at(format!("{} (of the query), {} (of the file)", of(AnswersFrom::Query), of(AnswersFrom::Given)))
        .allowed("profiles of one kind in one run")
        .hint("evaluate once for each kind; the archive keeps both"))
}

/// What came of all queries that were run.
#[derive(Debug, Default)]
pub struct AskedAll {
    choice: GoldChoice,
    /// One entry for each way to see ties, of those that the profiles have.
    gold: BTreeMap<LimitTies, Arc<RefreshedGold>>,
    /// How the knowledge base was asked for all of them.
    asking: Option<Asking>,
    /// One entry a submission.
    executed: Vec<Option<(Arc<ExecutedAnswers>, Asking)>>,
    /// The keys of what an endpoint answered in this run.
    live: Vec<String>,
}

impl AskedAll {
    /// Runs what has to be run on the knowledge bases of `--kb`; nothing without.
    pub fn read(
        request: &Request,
        root: &Path,
        mint: &Mint,
        dataset: &Arc<Input>,
        submissions: &[Arc<Input>],
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        let (choice, from) = (request.gold, answers_from(request)?);
        if request.kb.is_empty() {
            if choice == GoldChoice::Curated {
                return Ok(Self::default());
            }
            return Err(Error::input("refreshed gold answers come from a knowledge base, and none is named")
                .hint("`⌥kb NAME`, added by `qassay kb add`; or `⌥kb URL` of an endpoint"));
        }
        let wants_gold = choice != GoldChoice::Curated;
        // A word that names nothing is a mistake, asked or not.
        let askers = Askers::open(&request.kb, root, &request.allowance)?;
        let is_open = |submission: &Arc<Input>| to_execute(&submission.document, from).any(|open| open);
        if !wants_gold && !submissions.iter().any(is_open) {
            let what = "note: `⌥kb` is not asked: the gold answers are the curated ones, and all queries have answers";
            watcher.note(&with_choices(what));
            return Ok(Self::default());
        }
        let mut all = Self { choice, ..Self::default() };
        if wants_gold && let Some(asker) = askers.of(&dataset.document, iter::repeat(true)) {
            all.refresh(mint, dataset, &request.profiles, asker, watcher)?;
        }
        for submission in submissions {
            let asker = askers.of(&submission.document, to_execute(&submission.document, from));
            let executed =
                asker.map(|asker| all.execute(mint, submission, from, asker, watcher)).transpose()?;
            all.executed.push(executed.flatten());
        }
        Ok(all)
    }

    /// Asks once, for the profiles that want to know most: the others have their gold from what was answered.
    fn refresh(
        &mut self,
        mint: &Mint,
        dataset: &Arc<Input>,
        profiles: &[Arc<Profile>],
        asker: &NamedAsker,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let mut wanted: BTreeSet<LimitTies> =
            profiles.iter().map(|profile| profile.gold.limit_ties).collect();
        let most = wanted.pop_last().unwrap_or_default();
        let gold = refreshed(mint, (dataset, most), asker, watcher)?;
        self.note_live(asker, &gold.kept);
        for limit_ties in wanted {
            let kept = &gold.kept.snapshot;
            let (answered_by, one) = (|| kept.answered_by.clone(), NonZeroUsize::MIN);
            let less = RefreshedGold::ask(mint, (dataset, limit_ties), kept, answered_by, one, &|_| {})?;
            self.gold.insert(limit_ties, Arc::new(less));
        }
        self.gold.insert(most, Arc::new(gold));
        self.asking = Some(asker.asking()?);
        Ok(())
    }

    fn execute(
        &mut self,
        mint: &Mint,
        submission: &Input,
        from: AnswersFrom,
        asker: &NamedAsker,
        watcher: &dyn Watcher,
    ) -> Result<Option<(Arc<ExecutedAnswers>, Asking)>> {
        let Some(executed) = executed(mint, submission, from, asker, watcher)? else {
            return Ok(None);
        };
        watcher.note(&format!(
            "ran {} queries of {} on {}: {} failed, {} have answers that the data do not decide",
            executed.count(),
            submission.name,
            asker.label(),
            executed.failed(),
            executed.undecided()
        ));
        self.note_live(asker, &executed.kept);
        Ok(Some((Arc::new(executed), asker.asking()?)))
    }

    fn note_live(&mut self, asker: &NamedAsker, kept: &KeptAnswers) {
        let key = kept.snapshot.key();
        if asker.is_endpoint() && !self.live.contains(&key) {
            self.live.push(key);
        }
    }

    /// The options that give what an endpoint answered in this run again, without asking it.
    pub fn again(&self) -> Vec<(&'static str, String)> {
        self.live.iter().map(|key| ("kb", key.clone())).collect()
    }

    /// The origins of the gold answers to score with: whether they are refreshed.
    pub fn origins(&self) -> &'static [bool] {
        match self.choice {
            GoldChoice::Curated => &[false],
            GoldChoice::Refreshed => &[true],
            GoldChoice::Both => &[false, true],
        }
    }

    /// The gold answers of an origin for a profile, the curated ones as nothing.
    pub fn gold(&self, is_refreshed: bool, profile: &Profile) -> Option<Arc<RefreshedGold>> {
        self.gold.get(&profile.gold.limit_ties).filter(|_| is_refreshed).map(Arc::clone)
    }

    /// What an evaluation of a submission takes from it.
    pub fn of(&self, gold: Option<Arc<RefreshedGold>>, submission: usize) -> KbAnswers {
        let executed = self.executed.get(submission).and_then(Option::as_ref);
        KbAnswers { gold, executed: executed.map(|(executed, _)| Arc::clone(executed)) }
    }

    /// Keeps all of it.
    pub fn keep(&self, keeper: &Keeper<'_>, dataset: &Input, submissions: &[Arc<Input>]) -> Result<()> {
        let golds = self.gold.values().zip(self.asking.iter().cycle());
        golds.into_iter().try_for_each(|(gold, asking)| keeper.refreshed(dataset, gold, asking))?;
        let executed = submissions.iter().zip(&self.executed);
        executed
            .filter_map(|(submission, executed)| Some((submission, executed.as_ref()?)))
            .try_for_each(|(submission, (executed, asking))| keeper.executed(submission, executed, asking))
    }
}

/// Runs the gold queries of a dataset.
pub fn refreshed(
    mint: &Mint,
    (dataset, limit_ties): (&Arc<Input>, LimitTies),
    asker: &NamedAsker,
    watcher: &dyn Watcher,
) -> Result<RefreshedGold> {
    if dataset.document.questions.iter().all(|question| question.queries.is_empty()) {
        return Err(Error::input("the dataset has no gold queries that could be run")
            .in_file(dataset.source.name())
            .hint("`qassay convert IN OUT --queries-from FILE` takes them from a sibling file"));
    }
    let steps = Steps::new(watcher, "asking", dataset.document.questions.len());
    let told = WatchedAsker { asker: asker.asker(), watcher };
    let (answered_by, done) = (|| asker.answered_by(mint), |_: &Outcome| steps.step());
    RefreshedGold::ask(mint, (dataset, limit_ties), &told, answered_by, asker.jobs(), &done)
}

/// Runs the queries of a submission; nothing where there is none to run.
pub fn executed(
    mint: &Mint,
    submission: &Input,
    from: AnswersFrom,
    asker: &NamedAsker,
    watcher: &dyn Watcher,
) -> Result<Option<ExecutedAnswers>> {
    let steps = Steps::new(watcher, "asking", submission.document.questions.len());
    let told = WatchedAsker { asker: asker.asker(), watcher };
    let (answered_by, done) = (|| asker.answered_by(mint), |_: &Outcome| steps.step());
    ExecutedAnswers::ask(mint, submission, from, &told, answered_by, asker.jobs(), &done)
}

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
    use crate::kb::answered_by::AnsweredBy;
    use crate::kb::outcome::Outcome;
    use crate::sources::document::AnswerSet;

    fn snapshot(queries: &[&str]) -> AnswerSnapshot {
        let yes = || Outcome::Answered(AnswerSet { boolean: Some(true), ..AnswerSet::default() });
        let answered_by =
            AnsweredBy::Endpoint { url: "http://a".to_owned(), time: "2026-11-21T09:00:00Z".to_owned() };
        AnswerSnapshot::new(answered_by, queries.iter().map(|query| ((*query).to_owned(), yes())))
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
