//! What `qassay evaluate` asks a knowledge base: refreshed gold answers, and the answers of a system that gave queries.

use std::iter;

use qassay::graph::iri::Mint;
use qassay::observe::{
    Asking, DatasetInput, ExecutedAnswers, KeptAnswers, RefreshedGold, SubmissionInput, to_execute,
};
use qassay::{Error, Result};

use super::Output;
use super::asker::NamedAsker;
use super::askers::Askers;
use super::keep::Keeper;
use super::{kb_refresh, kb_run};
use crate::cli::{Evaluate, GoldChoice};

/// What came of all queries that were run.
#[derive(Default)]
pub(super) struct AskedAll {
    choice: GoldChoice,
    gold: Option<(RefreshedGold, Asking)>,
    /// One entry a submission.
    executed: Vec<Option<(ExecutedAnswers, Asking)>>,
    /// The keys of what an endpoint answered in this run.
    live: Vec<String>,
}

impl AskedAll {
    /// Runs what has to be run on the knowledge bases of `--kb`; nothing without.
    pub(super) fn read(
        arguments: &Evaluate,
        mint: &Mint,
        dataset: &DatasetInput,
        submissions: &[SubmissionInput],
        output: &Output,
    ) -> Result<Self> {
        let choice = arguments.gold_answers;
        if arguments.kb.is_empty() {
            if choice == GoldChoice::Curated {
                return Ok(Self::default());
            }
            return Err(Error::input("refreshed gold answers come from a knowledge base, and none is named")
                .hint("`--kb NAME`, added by `qassay kb add`; or `--kb URL` of an endpoint"));
        }
        let wants_gold = choice != GoldChoice::Curated;
        let is_open = |submission: &SubmissionInput| to_execute(&submission.document).any(|open| open);
        if !wants_gold && !submissions.iter().any(is_open) {
            output.note("note: `--kb` is not asked: the gold answers are the curated ones, and all queries have answers");
            return Ok(Self::default());
        }
        let askers = Askers::open(&arguments.kb, &arguments.archive.archive, &arguments.limiting)?;
        let mut all = Self { choice, ..Self::default() };
        if wants_gold && let Some(asker) = askers.of(&dataset.document, iter::repeat(true)) {
            let gold = kb_refresh::refreshed(mint, dataset, asker, output)?;
            all.note_live(asker, &gold.kept);
            all.gold = Some((gold, asker.asking()));
        }
        for submission in submissions {
            let asker = askers.of(&submission.document, to_execute(&submission.document));
            let executed = asker.map(|asker| all.execute(mint, submission, asker, output)).transpose()?;
            all.executed.push(executed.flatten());
        }
        Ok(all)
    }

    fn execute(
        &mut self,
        mint: &Mint,
        submission: &SubmissionInput,
        asker: &NamedAsker,
        output: &Output,
    ) -> Result<Option<(ExecutedAnswers, Asking)>> {
        let Some(executed) = kb_run::executed(mint, submission, asker, output)? else { return Ok(None) };
        output.note(&format!(
            "ran {} queries of {} on {}: {} failed, {} have answers that the data do not decide",
            executed.count(),
            submission.system,
            asker.label(),
            executed.failed(),
            executed.undecided()
        ));
        self.note_live(asker, &executed.kept);
        Ok(Some((executed, asker.asking())))
    }

    fn note_live(&mut self, asker: &NamedAsker, kept: &KeptAnswers) {
        let key = kept.snapshot.key();
        if asker.is_endpoint() && !self.live.contains(&key) {
            self.live.push(key);
        }
    }

    /// The options that give what an endpoint answered in this run again, without asking it.
    pub(super) fn again(&self) -> Vec<String> {
        self.live.iter().map(|key| format!("--kb {key}")).collect()
    }

    /// The gold answers to score with, the curated ones as nothing.
    pub(super) fn golds(&self) -> Vec<Option<&RefreshedGold>> {
        match self.choice {
            GoldChoice::Curated => vec![None],
            GoldChoice::Refreshed => vec![self.gold()],
            GoldChoice::Both => vec![None, self.gold()],
        }
    }

    fn gold(&self) -> Option<&RefreshedGold> {
        self.gold.as_ref().map(|(gold, _)| gold)
    }

    /// What the queries of a submission gave.
    pub(super) fn executed(&self, submission: usize) -> Option<&ExecutedAnswers> {
        self.executed.get(submission)?.as_ref().map(|(executed, _)| executed)
    }

    /// Keeps all of it.
    pub(super) fn keep(
        &self,
        keeper: &Keeper<'_>,
        dataset: &DatasetInput,
        submissions: &[SubmissionInput],
    ) -> Result<()> {
        self.gold.iter().try_for_each(|(gold, asking)| keeper.refreshed(dataset, gold, asking))?;
        let executed = submissions.iter().zip(&self.executed);
        executed
            .filter_map(|(submission, executed)| Some((submission, executed.as_ref()?)))
            .try_for_each(|(submission, (executed, asking))| keeper.executed(submission, executed, asking))
    }
}
