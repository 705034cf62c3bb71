//! The inputs of an archived evaluation, read again: what `explain` and `verify` compute from.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::watch::Silent;
use crate::kb::snapshot::AnswerSnapshot;
use crate::profiles::Profile;
use crate::profiles::choices::Choices;
use crate::references::ReferenceInput;
use crate::scoring::asked::KbAnswers;
use crate::scoring::asked::executed::ExecutedAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::scoring::cases::Cases;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups::{self, Grouping};
use crate::scoring::plan::Plan;
use crate::sources::archive::digest_graph;
use crate::sources::file::source::Source;
use crate::sources::input::Input;

use crate::record::archived::{Archived, ArchivedEvaluation, reference};
use crate::record::comparison::GroupMembers;
use crate::record::keep;

/// The inputs of an evaluation, read again.
#[derive(Debug)]
pub struct ArchivedInputs {
    dataset: Arc<Input>,
    submission: Arc<Input>,
    /// The other systems that share the submission.
    others: Vec<String>,
    references: Vec<Arc<ReferenceInput>>,
    profile: Arc<Profile>,
    choices: Arc<Choices>,
    gold: Option<Arc<RefreshedGold>>,
    executed: Option<Arc<ExecutedAnswers>>,
}

impl ArchivedInputs {
    /// Reads the inputs of an archived evaluation.
    pub fn read(archived: &Archived, evaluation: &ArchivedEvaluation, mint: &Mint) -> Result<Self> {
        Self::read_from(archived, evaluation, mint, |sha256| archived.source(sha256))
    }

    /// Reads the inputs of an archived evaluation from what `source` gives for their checksums.
    pub fn read_from(
        archived: &Archived,
        evaluation: &ArchivedEvaluation,
        mint: &Mint,
        source: impl Fn(&str) -> Result<Source>,
    ) -> Result<Self> {
        let profile = archived.profile(evaluation, &source)?;
        let mut references = Vec::new();
        for (kind, sha256) in &evaluation.references {
            let read = reference(&archived.archive, *kind, sha256, &evaluation.choices, &source)?;
            references.push(Arc::new(read));
        }
        let system = Some(evaluation.system.clone());
        let dataset = Arc::new(Input::dataset(source(&evaluation.gold)?, mint)?);
        let submission = Input::submission(source(&evaluation.answers)?, system, mint)?;
        // What was answered, as the archive keeps it: nobody is asked again.
        let answers = |sha256: &Option<String>| {
            sha256.as_ref().map(|sha256| AnswerSnapshot::read(&source(sha256)?)).transpose()
        };
        let (one, from) = (NonZeroUsize::MIN, profile.answers_from);
        let refreshed = (&dataset, profile.gold.limit_ties);
        let gold = answers(&evaluation.gold_answers)?
            .map(|a| RefreshedGold::ask(mint, refreshed, &a, || a.answered_by.clone(), one, &|_| {}))
            .transpose()?;
        let executed = answers(&evaluation.executed_answers)?
            .map(|a| {
                ExecutedAnswers::ask(mint, &submission, from, &a, || a.answered_by.clone(), one, &|_| {})
            })
            .transpose()?
            .flatten();
        Ok(Self {
            dataset,
            submission: Arc::new(submission),
            others: evaluation.others.clone(),
            gold: gold.map(Arc::new),
            executed: executed.map(Arc::new),
            references,
            profile: Arc::new(profile),
            choices: Arc::new(evaluation.choices.clone()),
        })
    }

    /// Gold and answers as they are in their files.
    pub fn files(&self) -> (&Arc<Input>, &Input) {
        (&self.dataset, &self.submission)
    }

    /// The refreshed gold answers, where they count.
    pub fn gold(&self) -> Option<&RefreshedGold> {
        self.gold.as_deref()
    }

    /// The profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The executed answers, where there are.
    pub fn executed(&self) -> Option<&ExecutedAnswers> {
        self.executed.as_deref()
    }

    /// What it takes from knowledge bases.
    pub fn asked(&self) -> KbAnswers {
        KbAnswers { gold: self.gold.clone(), executed: self.executed.clone() }
    }

    /// The records that the inputs have, without keeping anything.
    pub fn records(&self, mint: &Mint) -> Result<Vec<keep::KeptRecord>> {
        self.records_made(mint, &|(_, about), fill| digest_graph(about, fill))
    }

    /// The records that the inputs have, whose graphs `make` makes.
    pub fn records_made(&self, mint: &Mint, make: &keep::Make<'_>) -> Result<Vec<keep::KeptRecord>> {
        let submission = (&*self.submission, &*self.others);
        let mut records = keep::records(mint, &self.dataset, submission, &self.references, make)?;
        if let Some(gold) = &self.gold {
            records.push(keep::refreshed_record(mint, &self.dataset, gold, make)?);
        }
        if let Some(executed) = &self.executed {
            records.push(keep::executed_record(mint, &self.submission, executed, make)?);
        }
        Ok(records)
    }

    /// Computes the evaluation again, with the wanted groups of questions.
    pub fn evaluate(&self, mint: &Mint, wanted: Grouping) -> Result<Evaluation> {
        let (plan, cases) = self.cases()?;
        Evaluation::with_groups(mint, cases, Arc::new(plan), wanted, &Silent)
    }

    /// Which question is in which group of the profile, without scoring anything. What depends on the submission is no such
    /// group, nor are all questions.
    pub fn groups(&self, mint: &Mint) -> Result<GroupMembers> {
        let (plan, cases) = self.cases()?;
        groups::keys(mint, &plan, &cases)
    }

    fn cases(&self) -> Result<(Plan, Cases)> {
        let plan = Plan::new(Arc::clone(&self.profile), Arc::clone(&self.choices), &self.references)?;
        let (dataset, submission) = (Arc::clone(&self.dataset), Arc::clone(&self.submission));
        let cases = Cases::new(dataset, submission, &plan, self.asked())?;
        Ok((plan, cases))
    }
}
