//! Scoring the blind submissions to a dataset.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::parallel;
use crate::base::watch::{Steps, Watcher, WithinStep};
use crate::profiles::Profile;
use crate::record::archived::{Archived, profile, profile_name};
use crate::record::blind_records::{BlindRecord, records};
use crate::record::keep::Keeper;
use crate::report::release::NotScored;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::plan::Plan;
use crate::sources::archive::hashing::file_digest;
use crate::sources::input::Input;
use crate::workbench::Workbench;
use crate::workbench::asked::answers_from;
use crate::workbench::ready::{OneEvaluation, Ready};
use crate::workbench::reference_files::ReferenceFiles;
use crate::workbench::request::Request;

/// What came of a release.
#[derive(Debug)]
pub struct Disclosure {
    /// The acceptance numbers of the submissions that were scored.
    pub numbers: Vec<u64>,
    /// Their evaluations, in the same order.
    pub evaluations: Vec<Evaluation>,
    /// The submissions that cannot be scored, by their numbers.
    pub not_scored: Vec<NotScored>,
    /// What gives the same without asking an endpoint again: the name of an option, and its word.
    pub again: Vec<(&'static str, String)>,
}

impl Workbench {
    /// Scores the blind submissions to a dataset, named by its file, its name or the IRI of its version, each with the
    /// profile that it was accepted for; only those for `profile`, where it is named. The profiles of the request do not
    /// matter. All is computed before anything is kept: a release that fails leaves no evaluation behind.
    ///
    /// # Errors
    /// As those of [`Self::evaluate`]; a submission that cannot be scored is none.
    pub fn release(
        &self,
        dataset: &str,
        profile: Option<&str>,
        request: Request,
        watcher: &dyn Watcher,
    ) -> Result<Disclosure> {
        let archived = self.archived()?;
        let chosen = chosen(dataset, profile, &records(&archived)?, &self.root)?;
        let request = Request { profiles: profiles(&archived, &chosen), ..request };
        request.check()?;
        let references = ReferenceFiles::read(&request, &self.root, &self.mint)?;
        let gold = archived.source(&chosen[0].gold)?.called(chosen[0].slug());
        let dataset = Arc::new(Input::dataset(gold, &self.mint)?);
        request.note_slips(&dataset, watcher);
        let mut not_scored = Vec::new();
        let (readable, submissions) = self.readable(&archived, chosen, &mut not_scored);
        answers_from(&request)?;
        let archive = self.create()?;
        let ready = Ready::new(self, &request, (dataset, submissions), references, watcher)?;
        let steps = Steps::new(watcher, "scoring", readable.len());
        let within = WithinStep(watcher);
        let score = |(submission, one): (usize, &BlindRecord)| {
            let run = |plan| OneEvaluation { plan, gold: None, submission };
            let scored = plan_of(&ready.plans, one)
                .and_then(|plan| ready.score(run(plan), ("release", &[&plan.profile]), &within));
            steps.step();
            scored
        };
        let scored = parallel::each(readable.iter().enumerate().collect(), score);
        drop(steps);
        let (mut numbers, mut all) = (Vec::new(), Vec::new());
        for (one, scored) in readable.iter().zip(scored) {
            match scored {
                Ok(scored) => {
                    numbers.push(one.number);
                    all.push(scored);
                }
                Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
                Err(error) => not_scored.push(told(one, &error)),
            }
        }
        not_scored.sort_by_key(|one| one.number);
        if !all.is_empty() {
            let keeper = Keeper::new(&archive);
            ready.keep(&keeper)?;
            parallel::try_each(all.iter().collect(), |(evaluation, execution)| {
                keeper.evaluation(evaluation, execution)
            })?;
        }
        let again = ready.again(self);
        let evaluations = all.into_iter().map(|(evaluation, _)| evaluation).collect();
        Ok(Disclosure { numbers, evaluations, not_scored, again })
    }

    /// The submissions that can be read, each with its record; the same bytes once.
    fn readable(
        &self,
        archived: &Archived,
        chosen: Vec<BlindRecord>,
        not_scored: &mut Vec<NotScored>,
    ) -> (Vec<BlindRecord>, Vec<Arc<Input>>) {
        let (mut records, mut submissions) = (Vec::new(), Vec::new());
        for one in chosen {
            let is_same = |known: &&BlindRecord| {
                (&known.answers, &known.profile, &known.profile_file)
                    == (&one.answers, &one.profile, &one.profile_file)
            };
            if let Some(same) = records.iter().find(is_same) {
                let why = format!(
                    "the bytes are those of no. {}, sent by {}: there is one evaluation, which has both names",
                    same.number, same.system
                );
                not_scored.push(told(&one, &Error::check(why)));
                continue;
            }
            let source = archived.source(&one.answers);
            // The archive knows no names of files.
            let source = source.map(|source| source.called(format!("{} (no. {})", one.system, one.number)));
            match source.and_then(|source| Input::submission(source, Some(one.system.clone()), &self.mint)) {
                Ok(submission) => {
                    records.push(one);
                    submissions.push(Arc::new(submission));
                }
                Err(error) => not_scored.push(told(&one, &error)),
            }
        }
        (records, submissions)
    }
}

/// What is told where a submission cannot be scored.
fn told(one: &BlindRecord, error: &Error) -> NotScored {
    NotScored {
        number: one.number,
        system: one.system.clone(),
        profile: profile_name(&one.profile).to_owned(),
        why: error.to_string(),
    }
}

/// The plan for the profile that a submission is for.
fn plan_of<'p>(plans: &'p [Arc<Plan>], one: &BlindRecord) -> Result<&'p Arc<Plan>> {
    let is_it = |profile: &Profile| {
        profile.iri == one.profile && profile.file_sha256() == one.profile_file.as_deref()
    };
    plans.iter().find(|plan| is_it(&plan.profile)).ok_or_else(|| {
        Error::check(format!("it is for the profile <{}>, which this program does not know", one.profile))
    })
}

/// The profiles that the submissions are for, as far as they are known.
fn profiles(archived: &Archived, chosen: &[BlindRecord]) -> Vec<Arc<Profile>> {
    let named: BTreeSet<_> =
        chosen.iter().map(|one| (one.profile.as_str(), one.profile_file.as_deref())).collect();
    let known = |(iri, file)| profile(iri, file, |sha256| archived.source(sha256)).ok();
    named.into_iter().filter_map(known).map(Arc::new).collect()
}

/// The blind submissions that are meant, in the order of acceptance.
pub(crate) fn chosen(
    word: &str,
    profile: Option<&str>,
    all: &[BlindRecord],
    root: &Path,
) -> Result<Vec<BlindRecord>> {
    let sha256 = if Path::new(word).is_file() { Some(file_digest(Path::new(word))?) } else { None };
    let is_meant = |one: &&BlindRecord| match &sha256 {
        Some(sha256) => one.gold == *sha256,
        None => one.dataset == word || one.slug() == word,
    };
    let of_dataset: Vec<&BlindRecord> = all.iter().filter(is_meant).collect();
    let in_archive = |error: Error| error.in_file(root.display().to_string());
    if all.is_empty() {
        return Err(in_archive(Error::input("the archive has no blind submissions"))
            .hint("`qassay evaluate --blind GOLD ANSWERS --system NAME` accepts one"));
    }
    if of_dataset.is_empty() {
        return Err(in_archive(Error::input(format!("the archive has no blind submissions to `{word}`")))
            .allowed(listed(all, |one| format!("{} ({})", one.slug(), one.dataset))));
    }
    if of_dataset.iter().any(|one| one.dataset != of_dataset[0].dataset) {
        return Err(in_archive(Error::input(format!("`{word}` has blind submissions to several versions")))
            .allowed(listed(of_dataset, |one| one.dataset.clone())));
    }
    let wanted = |one: &&BlindRecord| profile.is_none_or(|name| profile_name(&one.profile) == name);
    let chosen: Vec<BlindRecord> = of_dataset.iter().copied().filter(wanted).cloned().collect();
    if chosen.is_empty() {
        let name = profile.unwrap_or_default();
        return Err(in_archive(Error::input(format!(
            "no blind submission to `{word}` is for the profile `{name}`"
        )))
        .allowed(listed(of_dataset, |one| profile_name(&one.profile).to_owned())));
    }
    Ok(chosen)
}

/// What is there, each once.
fn listed<'a>(
    records: impl IntoIterator<Item = &'a BlindRecord>,
    what: fn(&BlindRecord) -> String,
) -> String {
    let mut names: Vec<String> = records.into_iter().map(what).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}
