//! What `qassay evaluate` asks a knowledge base: refreshed gold answers, and the answers of a system that gave queries.

use qassay::graph::iri::Mint;
use qassay::observe::{Asking, DatasetInput, ExecutedAnswers, RefreshedGold, SubmissionInput, to_execute};
use qassay::{Error, Result};

use super::Output;
use super::asker::NamedAsker;
use super::keep::Keeper;
use super::{kb_refresh, kb_run};
use crate::cli::{Evaluate, GoldChoice};

/// What came of all queries that were run.
#[derive(Default)]
pub(super) struct AskedAll {
    choice: GoldChoice,
    gold: Option<RefreshedGold>,
    /// One entry a submission.
    executed: Vec<Option<ExecutedAnswers>>,
    asking: Option<Asking>,
}

impl AskedAll {
    /// Runs what has to be run on the knowledge base of `--kb`; nothing without it.
    pub(super) fn read(
        arguments: &Evaluate,
        mint: &Mint,
        dataset: &DatasetInput,
        submissions: &[SubmissionInput],
        output: &Output,
    ) -> Result<Self> {
        let choice = arguments.gold_answers;
        let Some(kb) = &arguments.kb else {
            if choice == GoldChoice::Curated {
                return Ok(Self::default());
            }
            return Err(Error::input("refreshed gold answers come from a knowledge base, and none is named")
                .hint("`--kb NAME`, added by `qassay kb add`; or `--kb URL` of an endpoint"));
        };
        let wants_gold = choice != GoldChoice::Curated;
        let is_open = |submission: &SubmissionInput| to_execute(&submission.document).any(|open| open);
        if !wants_gold && !submissions.iter().any(is_open) {
            output.note("note: `--kb` is not asked: the gold answers are the curated ones, and all queries have answers");
            return Ok(Self::default());
        }
        let asker = NamedAsker::open(kb, &arguments.archive.archive, &arguments.limiting)?;
        let gold = wants_gold.then(|| kb_refresh::refreshed(mint, dataset, &asker, output)).transpose()?;
        let mut executed = Vec::new();
        for submission in submissions {
            let one = kb_run::executed(mint, submission, &asker, output)?;
            if let Some(one) = &one {
                output.note(&format!(
                    "ran {} queries of {} on {}: {} failed, {} have answers that the data do not decide",
                    one.count(),
                    submission.system,
                    asker.label(),
                    one.failed(),
                    one.undecided()
                ));
            }
            executed.push(one);
        }
        Ok(Self { choice, gold, executed, asking: Some(asker.asking()) })
    }

    /// The gold answers to score with, the curated ones as nothing.
    pub(super) fn golds(&self) -> Vec<Option<&RefreshedGold>> {
        match self.choice {
            GoldChoice::Curated => vec![None],
            GoldChoice::Refreshed => vec![self.gold.as_ref()],
            GoldChoice::Both => vec![None, self.gold.as_ref()],
        }
    }

    /// What the queries of a submission gave.
    pub(super) fn executed(&self, submission: usize) -> Option<&ExecutedAnswers> {
        self.executed.get(submission)?.as_ref()
    }

    /// Keeps all of it.
    pub(super) fn keep(
        &self,
        keeper: &Keeper<'_>,
        dataset: &DatasetInput,
        submissions: &[SubmissionInput],
    ) -> Result<()> {
        let Some(asking) = &self.asking else { return Ok(()) };
        self.gold.iter().try_for_each(|gold| keeper.refreshed(dataset, gold, asking))?;
        let executed = submissions.iter().zip(&self.executed);
        executed
            .filter_map(|(submission, executed)| Some((submission, executed.as_ref()?)))
            .try_for_each(|(submission, executed)| keeper.executed(submission, executed, asking))
    }
}
