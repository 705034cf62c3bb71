//! Accepting submissions without scoring them.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::clock;
use crate::base::error::{Error, Result};
use crate::base::issue::IssueCode;
use crate::profiles::Profile;
use crate::profiles::own::named;
use crate::record::archived::{Archived, ArchivedEvaluation, profile_name};
use crate::record::blind_records::{BlindRecord, records};
use crate::record::keep::Keeper;
use crate::record::publish::blind::Blind;
use crate::report::blind::Accepted;
use crate::scoring::asked::KbAnswers;
use crate::scoring::cases::Cases;
use crate::scoring::plan::Plan;
use crate::sources::archive::Archive;
use crate::sources::file::source::Source;
use crate::sources::input::Input;
use crate::workbench::Workbench;
use crate::workbench::evaluate::{SubmissionFile, refuse_same_bytes};
use crate::workbench::reference_files::profile_file;

/// A dataset to which submissions are handed in that are scored later.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlindPhase {
    /// What it is called.
    pub name: String,
    /// The IRI of the version of the dataset.
    pub dataset: String,
    /// The name of the profile with which submissions will be scored.
    pub profile: String,
}

/// What becomes of bytes that another system has sent, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SameBytes {
    /// They are refused: who runs the phase looks what is wrong.
    Refused,
    /// They are accepted: who sends them hears nothing of others.
    Kept,
}

/// Blind submissions that the archive has now.
#[derive(Debug)]
pub struct BlindSubmissions {
    /// The dataset whose questions they answer.
    pub dataset: Arc<Input>,
    /// What they will be scored with.
    pub profile: Arc<Profile>,
    all: Vec<BlindSubmission>,
}

#[derive(Debug)]
struct BlindSubmission {
    cases: Cases,
    number: u64,
    /// When it was accepted; none: it was there before.
    time: Option<String>,
    is_shared: bool,
}

impl BlindSubmissions {
    /// Each of them with its acceptance number and what its ids meet.
    pub fn accepted(&self) -> Vec<Accepted> {
        let Self { dataset, profile, all } = self;
        let accepted = all.iter().map(|BlindSubmission { cases, number, time, is_shared }| {
            let submission = &cases.submission;
            let blind = Blind { dataset, submission, profile, number: *number, is_shared: *is_shared };
            Accepted::of(&blind, cases, time.clone())
        });
        accepted.collect()
    }
}

impl Workbench {
    /// Accepts submissions for a later [`Self::release`]: they are kept with their numbers, and nothing is scored.
    /// Everything is read and checked before anything is kept. One system may send several. Profiles are named as in
    /// [`named`], and must be one.
    ///
    /// # Errors
    /// Where it is not one profile; where a file cannot be read, or has nothing to do with the dataset; where the dataset has no gold answers; where
    /// another system has sent the same bytes.
    pub fn accept(
        &self,
        profiles: &[String],
        gold: &Path,
        answers: &[SubmissionFile],
    ) -> Result<BlindSubmissions> {
        let profile = only(named(profiles.iter().map(String::as_str))?)?;
        self.accept_for(profile, self.open(gold, None)?, answers, SameBytes::Refused)
    }

    /// The test phases that go on: datasets to which there are blind submissions, and none of them is released.
    ///
    /// # Errors
    /// Where a record cannot be read.
    pub fn phases(&self) -> Result<Vec<BlindPhase>> {
        let archived = self.archived()?;
        let known = records(&archived)?;
        let is_scored = |one: &BlindRecord| {
            let is_it = |done: &ArchivedEvaluation| {
                (&done.gold, &done.answers, &done.profile) == (&one.gold, &one.answers, &one.profile)
            };
            archived.evaluations.iter().any(is_it)
        };
        // A release scores all of a phase; what else was scored by the same gold file says nothing of it.
        let is_released = |one: &BlindRecord| {
            let mut same =
                known.iter().filter(|other| (&other.dataset, &other.profile) == (&one.dataset, &one.profile));
            same.any(is_scored)
        };
        let phase = |one: &BlindRecord| BlindPhase {
            name: one.slug().to_owned(),
            dataset: one.dataset.clone(),
            profile: profile_name(&one.profile).to_owned(),
        };
        // A profile of a user's own is named by a file, which is not for strangers.
        let open = known.iter().filter(|one| one.profile_file.is_none() && !is_released(one));
        let mut all: Vec<BlindPhase> = open.map(phase).collect();
        all.sort();
        all.dedup();
        Ok(all)
    }

    /// Accepts submissions in a test phase that goes on, as [`Self::accept`] does. Who sends them hears nothing of others: the same
    /// bytes are accepted of each system, and the release tells the organiser.
    ///
    /// # Errors
    /// Where it does not go on; else as [`Self::accept`] says, but for the bytes of others.
    pub fn hand_in(&self, phase: &BlindPhase, answers: &[SubmissionFile]) -> Result<BlindSubmissions> {
        if !self.phases()?.contains(phase) {
            return Err(Error::input(format!("there is no test phase `{}`", phase.name)));
        }
        let archived = self.archived()?;
        let known = records(&archived)?;
        let known = known.iter().find(|one| one.dataset == phase.dataset);
        let gold =
            known.ok_or_else(|| Error::check("the records do not tell the dataset of a test phase"))?;
        let gold = archived.source(&gold.gold)?.called(gold.slug());
        self.accept_for(only(named([phase.profile.as_str()])?)?, gold, answers, SameBytes::Kept)
    }

    fn accept_for(
        &self,
        profile: Profile,
        gold: Source,
        answers: &[SubmissionFile],
        of_others: SameBytes,
    ) -> Result<BlindSubmissions> {
        let profile = Arc::new(profile);
        let dataset = Arc::new(Input::dataset(gold, &self.mint)?);
        let submissions = self.submissions(answers)?;
        refuse_same_bytes(&submissions, |_| false)?;
        refuse_without_answers(&dataset, &profile)?;
        let plan = Plan::new(Arc::clone(&profile), Arc::default(), &[])?;
        let align = |submission: &Arc<Input>| {
            Cases::new(Arc::clone(&dataset), Arc::clone(submission), &plan, KbAnswers::default())
        };
        let aligned: Vec<Cases> = submissions.iter().map(align).collect::<Result<_>>()?;
        let archive = self.create()?;
        let _lock = archive.lock_submissions()?;
        let known = records(&Archived::open(Archive::open(archive.root())?)?)?;
        let keeper = Keeper::new(&archive);
        for submission in submissions.iter().filter(|_| of_others == SameBytes::Refused) {
            let others = keeper.other_names(submission)?;
            refuse_other_system(&known, submission, !others.is_empty())?;
        }
        keeper.sealed_dataset(&dataset)?;
        profile_file(&profile, &self.mint)?.map_or(Ok(()), |file| keeper.reference(&file))?;
        let of_dataset = known.iter().filter(|record| record.dataset == dataset.iri);
        let mut next = of_dataset.map(|record| record.number).max().unwrap_or_default() + 1;
        let mut all = Vec::new();
        for (submission, cases) in submissions.into_iter().zip(aligned) {
            let is_it = |record: &&BlindRecord| {
                (record.dataset.as_str(), record.submission.as_str(), record.profile.as_str())
                    == (dataset.iri.as_str(), submission.iri.as_str(), profile.iri.as_str())
                    && record.system == submission.name
                    && record.profile_file.as_deref() == profile.file_sha256()
            };
            let before = known.iter().find(is_it).map(|record| record.number);
            let number = before.unwrap_or(next);
            let is_shared = keeper.is_shared(&submission)?;
            let now = before.is_none().then(clock::now).transpose()?;
            if let Some(now) = &now {
                let (dataset, submission, profile) = (&*dataset, &*submission, &*profile);
                let blind = Blind { dataset, submission, profile, number, is_shared };
                keeper.blind(&blind, now)?;
                next += 1;
            }
            let time = now.map(|now| now.date_time);
            all.push(BlindSubmission { cases, number, time, is_shared });
        }
        Ok(BlindSubmissions { dataset, profile, all })
    }
}

/// The only one of some profiles.
fn only(mut profiles: Vec<Profile>) -> Result<Profile> {
    match (profiles.pop(), profiles.len()) {
        (Some(profile), 0) => Ok(profile),
        (_, others) => Err(Error::input(format!("{} profiles for blind submissions", others + 1))
            .allowed("one: what they will be scored with, such as `⌥profile qald-4`")),
    }
}

/// What is accepted now is scored with this file at the release: it must have the answers, unless people may judge them.
fn refuse_without_answers(dataset: &Input, profile: &Profile) -> Result<()> {
    if profile.uses_assessments()
        || !dataset.document.issues.iter().any(|issue| issue.code == IssueCode::NoGoldAnswers)
    {
        return Ok(());
    }
    Err(Error::input(
        "no question of this file has an answer, and `qassay release` scores blind submissions with it",
    )
    .in_file(dataset.source.name())
    .allowed("the file of the campaign that has the gold answers")
    .hint("the archive keeps that file; nothing that is shown before the release tells what is in it"))
}

/// The same bytes belong to one system. Who sent them first is not for the next one to know.
fn refuse_other_system(known: &[BlindRecord], submission: &Input, has_others: bool) -> Result<()> {
    let same = known.iter().find(|record| record.submission == submission.iri);
    match same.filter(|record| record.system != submission.name) {
        None if has_others => {
            Err(Error::input("the archive knows the same bytes as the answers of another system")
                .in_file(submission.source.name())
                .allowed("answers that no other system has given")
                .hint("`qassay list submission` names them"))
        }
        None => Ok(()),
        Some(_) => Err(Error::input("the same bytes were accepted from another system")
            .in_file(submission.source.name())
            .allowed("answers that no other system has sent")
            .hint("one system has one name in all its submissions")),
    }
}
