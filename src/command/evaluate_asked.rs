//! What `qassay evaluate` asks a knowledge base: refreshed gold answers, and the answers of a system that gave queries.

use std::iter;
use std::path::Path;

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::profiles::Profile;
use qassay::profiles::answers_from::AnswersFrom;
use qassay::record::publish::answers::Asking;
use qassay::scoring::asked::Asked;
use qassay::scoring::asked::executed::{ExecutedAnswers, to_execute};
use qassay::scoring::asked::kept::KeptAnswers;
use qassay::scoring::asked::refreshed::RefreshedGold;
use qassay::sources::input::{DatasetInput, SubmissionInput};

use super::Output;
use super::asker::NamedAsker;
use super::askers::Askers;
use super::keep::Keeper;
use super::{kb_refresh, kb_run};
use crate::cli::{GoldChoice, Limiting, Scoring};

/// What is asked, and whom.
pub(super) struct Asks<'a> {
    /// Which gold answers count.
    pub(super) gold: GoldChoice,
    /// What `--kb` names.
    pub(super) kb: &'a [String],
    /// The archive.
    pub(super) root: &'a Path,
    /// How much a query may use.
    pub(super) limiting: &'a Limiting,
    /// Whose answers count where a submission gives queries.
    pub(super) from: AnswersFrom,
}

impl<'a> Asks<'a> {
    /// An error where the profiles want different answers.
    pub(super) fn new(
        gold: GoldChoice,
        scoring: &'a Scoring,
        root: &'a Path,
        profiles: &[Profile],
    ) -> Result<Self> {
        let from = AskedAll::rule(profiles, &scoring.kb)?;
        Ok(Self { gold, kb: &scoring.kb, root, limiting: &scoring.limiting, from })
    }
}

impl AskedAll {
    /// The rule that all profiles have where queries are run; an error where they want different answers.
    fn rule(profiles: &[Profile], kb: &[String]) -> Result<AnswersFrom> {
        let rule = profiles.first().map(|profile| profile.answers_from).unwrap_or_default();
        let of = |wanted: AnswersFrom| {
            let names = profiles.iter().filter(|profile| profile.answers_from == wanted);
            names.map(|profile| profile.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        if kb.is_empty() || profiles.iter().all(|profile| profile.answers_from == rule) {
            return Ok(rule);
        }
        Err(Error::input("with `--kb`, these profiles score different answers where a submission gives both queries and answers")
            .at(format!("{} (of the query), {} (of the file)", of(AnswersFrom::Query), of(AnswersFrom::Given)))
            .allowed("profiles of one kind in one run")
            .hint("evaluate once for each kind; the archive keeps both"))
    }
}

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
        asks: &Asks<'_>,
        mint: &Mint,
        dataset: &DatasetInput,
        submissions: &[SubmissionInput],
        output: &Output,
    ) -> Result<Self> {
        let (choice, from) = (asks.gold, asks.from);
        if asks.kb.is_empty() {
            if choice == GoldChoice::Curated {
                return Ok(Self::default());
            }
            return Err(Error::input("refreshed gold answers come from a knowledge base, and none is named")
                .hint("`--kb NAME`, added by `qassay kb add`; or `--kb URL` of an endpoint"));
        }
        let wants_gold = choice != GoldChoice::Curated;
        // A word that names nothing is a mistake, asked or not.
        let askers = Askers::open(asks.kb, asks.root, asks.limiting)?;
        let is_open = |submission: &SubmissionInput| to_execute(&submission.document, from).any(|open| open);
        if !wants_gold && !submissions.iter().any(is_open) {
            output.note("note: `--kb` is not asked: the gold answers are the curated ones, and all queries have answers");
            return Ok(Self::default());
        }
        let mut all = Self { choice, ..Self::default() };
        if wants_gold && let Some(asker) = askers.of(&dataset.document, iter::repeat(true)) {
            let gold = kb_refresh::refreshed(mint, dataset, asker, output)?;
            all.note_live(asker, &gold.kept);
            all.gold = Some((gold, asker.asking()?));
        }
        for submission in submissions {
            let asker = askers.of(&submission.document, to_execute(&submission.document, from));
            let executed =
                asker.map(|asker| all.execute(mint, submission, from, asker, output)).transpose()?;
            all.executed.push(executed.flatten());
        }
        Ok(all)
    }

    fn execute(
        &mut self,
        mint: &Mint,
        submission: &SubmissionInput,
        from: AnswersFrom,
        asker: &NamedAsker,
        output: &Output,
    ) -> Result<Option<(ExecutedAnswers, Asking)>> {
        let Some(executed) = kb_run::executed(mint, submission, from, asker, output)? else {
            return Ok(None);
        };
        output.note(&format!(
            "ran {} queries of {} on {}: {} failed, {} have answers that the data do not decide",
            executed.count(),
            submission.system,
            asker.label(),
            executed.failed(),
            executed.undecided()
        ));
        self.note_live(asker, &executed.kept);
        Ok(Some((executed, asker.asking()?)))
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

    /// What an evaluation of a submission takes from it.
    pub(super) fn of<'a>(&'a self, gold: Option<&'a RefreshedGold>, submission: usize) -> Asked<'a> {
        let executed = self.executed.get(submission).and_then(Option::as_ref);
        Asked { gold, executed: executed.map(|(executed, _)| executed) }
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
