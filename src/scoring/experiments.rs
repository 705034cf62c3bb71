//! Scores the experiment types of an evaluation, those of answers beside all others.

use std::sync::Arc;
use std::thread;

use crate::base::error::Result;
use crate::profiles::rules::{EXPERIMENTS, ExperimentRules};
use crate::scoring::cases::Cases;
use crate::scoring::experiment;
use crate::scoring::experiment::Experiment;
use crate::scoring::groups;
use crate::scoring::options::Prepared;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::skip::Skip;

/// What was scored, and what was skipped and why.
type Scores = (Vec<Experiment>, Vec<(&'static str, Skip)>);

/// Scores all experiment types: what systems answer beside everything else, which takes about as long.
pub(crate) fn score_all(
    prepared: &Prepared,
    cases: &Cases<'_>,
    members: &groups::Membership,
) -> Result<Scores> {
    let wanted = prepared.profile.experiments.iter().filter(|rules| prepared.choices.wants(&rules.name));
    let (answers, others): (Vec<_>, Vec<_>) = wanted.partition(|rules| rules.reading.is_of_answers());
    let (answers, others) = thread::scope(|scope| {
        let others = scope.spawn(|| score(prepared, &others, cases, members));
        let answers = score(prepared, &answers, cases, members);
        (answers, others.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let (mut experiments, mut skipped) = answers?;
    let (other_experiments, other_skipped) = others?;
    experiments.extend(other_experiments);
    skipped.extend(other_skipped);
    skipped.extend(never_offered(prepared));
    experiments.sort_by_key(|experiment| EXPERIMENTS.iter().position(|name| *name == experiment.name()));
    skipped.sort_by_key(|(skipped, _)| EXPERIMENTS.iter().position(|name| name == skipped));
    Ok((experiments, skipped))
}

/// Scores some experiment types, one after the other, over one working dataset.
fn score(
    prepared: &Prepared,
    wanted: &[&Arc<ExperimentRules>],
    cases: &Cases<'_>,
    members: &groups::Membership,
) -> Result<Scores> {
    let (mut scored, mut skipped) = (Vec::new(), Vec::new());
    let mut workspace = Workspace::new(cases);
    for name in EXPERIMENTS {
        let Some(rules) = wanted.iter().find(|rules| rules.name == name) else { continue };
        match experiment::compute(prepared, rules, cases, members, &mut workspace)? {
            Ok(experiment) => scored.push(experiment),
            Err(skip) => skipped.push((name, skip)),
        }
    }
    let terms = Arc::new(workspace.into_terms());
    Ok((scored.into_iter().map(|scored| scored.with_terms(&terms)).collect(), skipped))
}

/// What the peer announces and never has results for.
fn never_offered(prepared: &Prepared) -> impl Iterator<Item = (&'static str, Skip)> {
    // Who names the experiment types is told about these only. The manifest knows no more than that.
    let is_told = prepared.wants_all();
    let announced =
        move |name: &&str| is_told && prepared.profile.not_offered.iter().any(|never| never == name);
    EXPERIMENTS.into_iter().filter(announced).map(|name| (name, Skip::NeverOffered))
}
