//! Computes an archived evaluation again and compares everything that must be the same.

pub mod execution;
pub mod records;

use std::sync::Arc;

use serde::Serialize;

use crate::base::error::Result;
use crate::base::text::counted;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::cause::FirstCause;
use crate::record::verify::execution::Build;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups::Grouping;

use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::keep;
use crate::record::summaries::kept;
use crate::record::verify::inputs::ArchivedInputs;
use crate::record::verify::reask::{Reasked, Reasker};
use crate::record::verify::reexecute::execution::{Now, Reproduced, ReproducedExecution};

/// An input as it is kept.
#[derive(Debug, Serialize)]
pub struct InputState {
    /// What it was used as.
    pub role: String,
    /// Where it is, or should be.
    #[serde(rename = "file")]
    pub path: String,
    /// The checksum that the evaluation used.
    pub sha256: String,
    /// The checksum that it has; none: it is not here.
    pub found: Option<String>,
}

/// How an evaluation compares with what is computed now.
#[derive(Debug)]
pub struct Reproduction {
    /// Its IRI.
    pub iri: String,
    /// The system, or those that share the submission.
    pub system: String,
    /// The profile.
    pub profile: String,
    /// The worst of its executions.
    pub outcome: Reproduced,
    /// The first cause of it.
    pub cause: Option<FirstCause>,
    /// The inputs.
    pub inputs: Vec<InputState>,
    /// The executions.
    pub executions: Vec<ReproducedExecution>,
    /// What came of asking the knowledge bases again.
    pub asked: Vec<Arc<Reasked>>,
    /// What is wrong beside the numbers.
    pub others: Vec<String>,
    /// What is not here.
    pub missing: Vec<AbsentPart>,
    /// What is worth saying and no problem.
    pub notes: Vec<String>,
    /// The records that another version of the program wrote, and this one would write differently.
    pub rewritten: Vec<String>,
}

/// What to do about what is remembered and wrong.
pub const FORGET: &str = "remove that folder: what is in it is made again";

/// Whether somebody was asked for an evaluation, who can be asked again.
pub fn was_asked(known: &ArchivedEvaluation) -> bool {
    known.gold_answers.is_some() || known.executed_answers.is_some()
}

/// Computes an evaluation again and says how it compares. Without somebody who asks again, nobody is asked.
pub fn reexecute(
    archived: &Archived,
    known: &ArchivedEvaluation,
    reasker: Option<&Reasker<'_>>,
) -> Reproduction {
    let inputs = inputs(archived, known);
    let executions =
        known.digests.iter().map(|recorded| execution::execution(archived, known, recorded)).collect();
    let mut verdict = Reproduction {
        iri: known.iri.clone(),
        system: known.systems().map(String::as_str).collect::<Vec<_>>().join(", "),
        profile: known.profile.clone(),
        outcome: Reproduced::NotChecked,
        cause: None,
        inputs,
        executions,
        asked: Vec::new(),
        others: Vec::new(),
        missing: Vec::new(),
        notes: Vec::new(),
        rewritten: Vec::new(),
    };
    verdict.check(archived, known, reasker);
    verdict
}

fn inputs(archived: &Archived, known: &ArchivedEvaluation) -> Vec<InputState> {
    let roles = [("gold", &known.gold), ("answers", &known.answers)].into_iter();
    let references = known.references.iter().map(|(kind, sha256)| (kind.name(), sha256));
    let asked = [("gold-answers", &known.gold_answers), ("executed-answers", &known.executed_answers)];
    let asked = asked.into_iter().filter_map(|(role, sha256)| Some((role, sha256.as_ref()?)));
    let state = |(role, sha256): (&str, &String)| {
        let file = archived.input(sha256);
        InputState {
            role: role.to_owned(),
            sha256: sha256.clone(),
            path: file.path().display().to_string(),
            found: file.digest().ok().map(|(found, _)| found),
        }
    };
    roles.chain(references).chain(asked).map(state).collect()
}

impl Reproduction {
    /// The system and the profile with its version, for people.
    pub fn name(&self) -> String {
        let profile = self.profile.rsplit_once("/profile/").map_or(self.profile.as_str(), |(_, name)| name);
        format!("{}, profile {profile}", self.system)
    }

    /// What is wrong, in words.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.outcome == Reproduced::Differs {
            for execution in &self.executions {
                problems.extend(execution.problems());
            }
        }
        problems.extend(self.others.iter().cloned());
        problems
    }

    fn check(&mut self, archived: &Archived, known: &ArchivedEvaluation, reasker: Option<&Reasker<'_>>) {
        if let Some(input) = self.inputs.iter().find(|input| input.found.is_none()) {
            let told = FirstCause::missing_input(&input.role, &input.path).text;
            self.missing.push(AbsentPart::of(&input.sha256, told));
            self.cause = self.input_cause();
            // What was recorded can still be compared with itself.
            let mint = archived.archive.mint();
            self.execution_records(archived, known, mint);
            self.registered(archived, mint, known);
            return;
        }
        if let Err(error) = self.again(archived, known, reasker) {
            self.outcome = Reproduced::NotChecked;
            let profile = || {
                archived
                    .profile(known, |sha256| archived.source(sha256))
                    .is_err()
                    .then(|| FirstCause::unknown_profile(&known.profile))
            };
            self.cause = self.input_cause().or_else(profile);
            self.others.extend(self.cause.as_ref().map(|cause| format!("first cause: {}", cause.text)));
            self.others.push(error.to_string());
        }
    }

    /// The first cause among the inputs.
    fn input_cause(&self) -> Option<FirstCause> {
        let other = self.inputs.iter().find_map(|input| {
            let found = input.found.as_ref().filter(|found| **found != input.sha256)?;
            Some(FirstCause::other_input(&input.role, &input.path, &input.sha256, found))
        });
        let missing = || {
            let input = self.inputs.iter().find(|input| input.found.is_none())?;
            Some(FirstCause::missing_input(&input.role, &input.path))
        };
        other.or_else(missing)
    }

    fn again(
        &mut self,
        archived: &Archived,
        known: &ArchivedEvaluation,
        reasker: Option<&Reasker<'_>>,
    ) -> Result<()> {
        let mint = archived.archive.mint();
        let inputs =
            ArchivedInputs::read_from(archived, known, mint, |sha256| archived.source_as_it_is(sha256))?;
        let has_groups = execution::groups(archived, known).is_some();
        let evaluation =
            inputs.evaluate(mint, if has_groups { Grouping::Shown } else { Grouping::Headline })?;
        let graphs = keep::digests(mint, &evaluation)?;
        let graphs =
            if has_groups { graphs.with_groups(keep::groups_digest(mint, &evaluation)?) } else { graphs };
        let now = Now { mint, evaluation: &evaluation, graphs };
        let input_cause = self.input_cause();
        for execution in &mut self.executions {
            execution.compare(archived, &known.iri, &now, input_cause.as_ref());
        }
        let worst = self.executions.iter().max_by_key(|execution| execution.outcome);
        self.outcome = worst.map_or(Reproduced::NotChecked, |execution| execution.outcome);
        self.cause = worst.and_then(|execution| execution.cause.clone());
        if let Some(reasker) = reasker {
            self.ask_again(reasker.ask(&inputs, mint)?);
        }
        if input_cause.is_none() {
            self.names(known, &evaluation);
            self.input_records(archived, &inputs.records(mint)?);
            self.answer_records(archived, &inputs);
        }
        self.execution_records(archived, known, mint);
        self.registered(archived, mint, known);
        if self.outcome == Reproduced::Same && kept::is_other(archived, known, &evaluation) {
            self.others.push(format!("its summary in `stores/summaries` is another; {FORGET}"));
        }
        self.builds();
        self.explain();
        Ok(())
    }

    /// Whether this build of the program made one of the executions: then nothing may be different.
    fn is_of_this_build(&self) -> bool {
        self.executions.iter().any(|execution| execution.recorded.build == Build::this())
    }

    /// Says where another build gave the same bytes, and where a build is not the one that it says: this one, with a plan that
    /// this one does not have.
    fn builds(&mut self) {
        let this = Build::this();
        for execution in &self.executions {
            let ReproducedExecution { recorded, plan, outcome, .. } = execution;
            let (what, build) = (&recorded.iri, recorded.build.text());
            if recorded.build == this && this.is_exact() && !plan.is_empty() {
                let files: Vec<&str> = plan.iter().map(|file| file.path.as_str()).collect();
                let files = files.join(", ");
                self.others
                    .push(format!("<{what}> says that {build} made it, which has other text in {files}"));
            } else if recorded.build != this && *outcome == Reproduced::Same {
                let now = this.text();
                self.notes.push(format!("the same bytes by another build: {build} then, {now} now"));
            }
        }
        self.notes.dedup();
    }

    fn names(&mut self, known: &ArchivedEvaluation, evaluation: &Evaluation) {
        if evaluation.iri != known.iri {
            let problem = format!("the inputs name another evaluation: <{}>", evaluation.iri);
            if self.is_of_this_build() { self.others.push(problem) } else { self.notes.push(problem) }
        }
    }

    /// Adds what came of asking the knowledge bases again. Other answers are no reproduction, also where what was answered
    /// then gives the same scores.
    fn ask_again(&mut self, all: Vec<Arc<Reasked>>) {
        for reasked in &all {
            self.missing.extend(reasked.missing.clone());
            self.notes.extend(reasked.note.clone());
            let Some(cause) = &reasked.cause else { continue };
            self.outcome = Reproduced::Differs;
            let is_first = self.cause.as_ref().is_none_or(|first| first.kind > cause.kind);
            if is_first {
                self.cause = Some(cause.clone());
            }
            self.others.push(format!(
                "the {} of <{}> differ in {}: {}; {}",
                reasked.what.replace('-', " "),
                reasked.knowledge_base,
                counted(reasked.other.len(), "question"),
                if reasked.other.is_empty() { "-".to_owned() } else { reasked.other.join(", ") },
                cause.text
            ));
        }
        self.asked = all;
    }

    /// Says why bytes are different where numbers are not.
    fn explain(&mut self) {
        let told: Vec<String> = self
            .executions
            .iter()
            .filter(|execution| execution.outcome == Reproduced::SameNumbers)
            .filter_map(|execution| {
                let (agreement, cause) = (execution.agreement.as_ref()?, execution.cause.as_ref()?);
                Some(format!(
                    "the same {} numbers and matches; {} statements are recorded only, {} are computed only; {}",
                    agreement.compared, agreement.only_recorded, agreement.only_computed, cause.text
                ))
            })
            .collect();
        self.notes.extend(told);
    }
}
