//! Scoring the answers of systems against a gold standard.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::parallel;
use crate::base::system_name::check_system_name;
use crate::base::text::counted;
use crate::base::watch::{Steps, Watcher, WithinStep};
use crate::profiles::Profile;
use crate::record::keep::Keeper;
use crate::record::publish::provenance::Execution;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups::Grouping;
use crate::sources::input::Input;
use crate::workbench::Workbench;
use crate::workbench::asked::{Askers, answers_from};
use crate::workbench::ready::{OneEvaluation, Ready};
use crate::workbench::reference_files::ReferenceFiles;
use crate::workbench::request::Request;

/// A file of answers, and whose they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmissionFile {
    /// The file, or the name of a fetched one.
    pub path: PathBuf,
    /// The name of the system; none: that of the file, without its ending.
    pub system: Option<String>,
}

impl<P: Into<PathBuf>> From<P> for SubmissionFile {
    fn from(path: P) -> Self {
        Self { path: path.into(), system: None }
    }
}

/// What came of scoring.
#[derive(Debug)]
pub struct Evaluated {
    /// The evaluations: by the gold answers that count, by profile, by submission.
    pub evaluations: Vec<Evaluation>,
    /// What came of keeping them. What was computed can be shown, also where it cannot be kept.
    pub kept: Result<()>,
    /// What gives the same without asking an endpoint again: the name of an option, and its word.
    pub again: Vec<(&'static str, String)>,
}

impl Workbench {
    /// Scores every submission with every profile, and keeps all of it in the archive. Inputs are written while the first
    /// evaluation is computed; evaluations are kept after their inputs.
    ///
    /// # Errors
    /// Where a choice is one that no profile looks at; where a file cannot be read, or does not fit; where somebody who is
    /// asked does not answer; where the archive is none; where the watcher no longer wants it.
    pub fn evaluate(
        &self,
        request: &Request,
        gold: &Path,
        answers: &[SubmissionFile],
        watcher: &dyn Watcher,
    ) -> Result<Evaluated> {
        request.check()?;
        answers_from(request)?;
        let (dataset, submissions, references) = self.inputs(request, gold, answers)?;
        request.note_slips(&dataset, watcher);
        // A place that cannot be written to is told before the work; what is computed is shown all the same.
        let made = self.keeps.then(|| self.create()).transpose();
        let (archive, writable) = match made {
            Ok(archive) => (archive, Ok(())),
            Err(error) if error.kind() == ErrorKind::System => {
                note_not_kept(&error, watcher);
                (None, Err(error))
            }
            Err(error) => return Err(error),
        };
        let keeper = archive.as_ref().map(Keeper::new);
        note_shared(&submissions, keeper.as_ref(), watcher)?;
        let ready = Ready::new(self, request, (dataset, submissions), references, watcher)?;
        let (evaluations, kept) = score(request, &ready, keeper.as_ref(), watcher)?;
        let kept = writable.and(kept).map_err(keep_nothing);
        Ok(Evaluated { evaluations, kept, again: ready.again(self) })
    }

    /// What evaluations of a submission would be called, without scoring it: of each the IRI, and the name of the system.
    ///
    /// # Errors
    /// As for [`Self::evaluate`].
    pub(crate) fn named(
        &self,
        request: &Request,
        gold: &Path,
        answers: &SubmissionFile,
        watcher: &dyn Watcher,
    ) -> Result<Vec<(String, String)>> {
        request.check()?;
        answers_from(request)?;
        let (dataset, submissions, references) = self.inputs(request, gold, std::slice::from_ref(answers))?;
        let ready = Ready::new(self, request, (dataset, submissions), references, watcher)?;
        ready.runs().into_iter().map(|run| ready.named(run)).collect()
    }

    /// Checks what can be checked before there are answers: choices, files and registered things that the request names.
    ///
    /// # Errors
    /// Where a choice is wrong, or something is not there.
    pub fn can_evaluate(&self, request: &Request) -> Result<()> {
        request.check()?;
        answers_from(request)?;
        Askers::open(&request.kb, self.shelf(), &request.allowance)?;
        ReferenceFiles::read(request, self.shelf(), &self.mint).map(drop)
    }

    /// Reads the dataset beside all other files.
    fn inputs(
        &self,
        request: &Request,
        gold: &Path,
        answers: &[SubmissionFile],
    ) -> Result<(Arc<Input>, Vec<Arc<Input>>, ReferenceFiles)> {
        let (dataset, others) = parallel::both(
            || Input::dataset(self.open(gold, None)?, &self.mint),
            || {
                let submissions = self.submissions(answers)?;
                refuse_same_names(&submissions)?;
                // Two names say that two systems are meant.
                refuse_same_bytes(&submissions, |at| answers[at].system.is_some())?;
                Ok((submissions, ReferenceFiles::read(request, self.shelf(), &self.mint)?))
            },
        );
        let (dataset, (submissions, references)) = (dataset?, others?);
        Ok((Arc::new(dataset), submissions, references))
    }

    /// Reads submissions.
    pub(crate) fn submissions(&self, answers: &[SubmissionFile]) -> Result<Vec<Arc<Input>>> {
        answers.iter().filter_map(|file| file.system.as_deref()).try_for_each(check_system_name)?;
        let read = |SubmissionFile { path, system }: &SubmissionFile| {
            Input::submission(self.open(path, None)?, system.clone(), &self.mint).map(Arc::new)
        };
        parallel::try_each(answers.iter().collect(), read)
    }
}

/// Says before the work that nothing of it will be kept.
pub(super) fn note_not_kept(error: &Error, watcher: &dyn Watcher) {
    watcher.note(&format!("note: nothing will be kept: {error}"));
}

/// The error of an archive that cannot be written, with what to do about it.
pub(super) fn keep_nothing(error: Error) -> Error {
    match error.kind() {
        ErrorKind::System => error.hint("`⌥archive DIR` names another archive, `⌥no-archive` keeps nothing"),
        ErrorKind::Input | ErrorKind::Check | ErrorKind::Cancelled | ErrorKind::Limit => error,
    }
}

/// Scores all, as many evaluations at a time as there are threads. Gives also what came of keeping it.
fn score(
    request: &Request,
    ready: &Ready<'_>,
    keeper: Option<&Keeper<'_>>,
    watcher: &dyn Watcher,
) -> Result<(Vec<Evaluation>, Result<()>)> {
    let runs = ready.runs();
    // One evaluation tells of its questions, several are told by their number.
    let within = WithinStep(watcher);
    let (steps, within): (_, &dyn Watcher) = match runs.len() {
        1 => (None, watcher),
        several => (Some(Steps::new(watcher, "scoring", several)), &within),
    };
    let profiles: Vec<&Profile> = request.profiles.iter().map(|profile| &**profile).collect();
    let score = |run: OneEvaluation<'_>| ready.score(run, ("evaluate", &profiles), within);
    let mut runs = runs.into_iter();
    let mut inputs = keeper;
    let (mut evaluations, mut kept) = (Vec::new(), Ok(()));
    while runs.len() > 0 {
        let some: Vec<OneEvaluation<'_>> = runs.by_ref().take(parallel::threads()).collect();
        let (written, scored) = parallel::both(
            || inputs.take().map_or(Ok(()), |keeper| ready.keep(keeper)),
            || parallel::until_error(some, score),
        );
        kept = kept.and(written);
        let (scored, failed): (Vec<_>, Vec<_>) = scored.into_iter().partition(Result::is_ok);
        let scored: Vec<(Evaluation, Execution)> = scored.into_iter().flatten().collect();
        let keep = |(evaluation, execution): &(Evaluation, Execution)| {
            let kept = keeper.map_or(Ok(()), |keeper| {
                keeper.evaluation(evaluation, execution)?;
                if request.grouping == Grouping::Kept { keeper.groups(evaluation) } else { Ok(()) }
            });
            steps.iter().for_each(Steps::step);
            kept
        };
        kept = kept.and_then(|()| parallel::try_each(scored.iter().collect(), keep).map(drop));
        evaluations.extend(scored.into_iter().map(|(evaluation, _)| evaluation));
        if let Some(Err(error)) = failed.into_iter().next() {
            if keeper.is_some() && kept.is_ok() && !evaluations.is_empty() {
                let count = counted(evaluations.len(), "evaluation");
                watcher.note(&format!(
                    "note: kept before that: {count}; `qassay list evaluation` names what is there"
                ));
            }
            return Err(error);
        }
    }
    Ok((evaluations, kept))
}

/// An error where two systems have one name.
fn refuse_same_names(submissions: &[Arc<Input>]) -> Result<()> {
    let mut names: Vec<&str> = submissions.iter().map(|submission| submission.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair.first() == pair.last()) {
        Some([name, ..]) => Err(Error::input(format!("two systems are called `{name}`"))
            .hint("`⌥system NAME` names them, once for each file of answers, in their order")),
        _ => Ok(()),
    }
}

/// An error where a submission is there twice; `is_allowed` are those that may be.
pub(crate) fn refuse_same_bytes(
    submissions: &[Arc<Input>],
    is_allowed: impl Fn(usize) -> bool,
) -> Result<()> {
    for (at, submission) in submissions.iter().enumerate() {
        let same = submissions[..at].iter().position(|known| known.iri == submission.iri);
        if let Some(known) = same.filter(|known| !(is_allowed(*known) && is_allowed(at))) {
            return Err(Error::input(format!("the same bytes as {}", submissions[known].source.name()))
                .in_file(submission.source.name())
                .hint(
                    "name each submission once; `⌥system NAME` for each says that two systems gave the same",
                ));
        }
    }
    Ok(())
}

/// Says whose submission is that of another system, too.
fn note_shared(submissions: &[Arc<Input>], keeper: Option<&Keeper<'_>>, watcher: &dyn Watcher) -> Result<()> {
    for (at, submission) in submissions.iter().enumerate() {
        let mut names = keeper.map_or_else(|| Ok(Vec::new()), |keeper| keeper.other_names(submission))?;
        let before = submissions[..at].iter().filter(|other| other.iri == submission.iri);
        names.extend(before.map(|other| other.name.clone()));
        names.sort();
        names.dedup();
        if !names.is_empty() {
            let (name, others) = (&submission.name, names.join("`, `"));
            watcher.note(&format!(
                "note: `{name}` shares its submission with `{others}`: the same bytes, so the same values"
            ));
        }
    }
    Ok(())
}
