//! Scores all experiment types: blocks of questions side by side, put together in order.

use std::sync::Arc;

use oxigraph::model::Term;

use crate::base::error::Result;
use crate::base::parallel;
use crate::base::watch::{Steps, Watcher};
use crate::measures::result::QuestionResult;
use crate::profiles::rules::EXPERIMENTS;
use crate::scoring::block::Block;
use crate::scoring::cases::Cases;
use crate::scoring::experiment::{Experiment, ScoredBlock, TypeScoring};
use crate::scoring::groups;
use crate::scoring::matching::{Matching, QuestionMatch};
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::plan::Plan;
use crate::scoring::skip::Skip;

/// How many questions a block has whose match queries run on a server.
const QUESTIONS_THERE: usize = 1_024;

/// What was scored, and what was skipped and why.
pub(crate) type ScoredTypes = (Vec<Experiment>, Vec<(&'static str, Skip)>);

/// Scores all experiment types in blocks of a size: what systems answer beside everything else, which takes about as long.
///
/// # Errors
/// Where items match in far too many ways; where the watcher no longer wants it.
pub(crate) fn score_all(
    plan: &Plan,
    cases: &Cases,
    members: &groups::Membership,
    (size, watcher): (usize, &dyn Watcher),
) -> Result<ScoredTypes> {
    let (mut answers, mut others, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    for name in EXPERIMENTS {
        let wanted = plan.profile.experiments.iter().filter(|rules| plan.choices.wants(&rules.name));
        let Some(rules) = wanted.into_iter().find(|rules| rules.name == name) else { continue };
        match TypeScoring::new(plan, rules, cases)? {
            Ok(scoring) if rules.reading.is_of_answers() => answers.push(scoring),
            Ok(scoring) => others.push(scoring),
            Err(skip) => skipped.push((name, skip)),
        }
    }
    skipped.extend(never_offered(plan));
    skipped.sort_by_key(|(skipped, _)| EXPERIMENTS.iter().position(|name| name == skipped));
    // Servers give some thousand rows at once.
    let size = if plan.remote.is_some() { size.min(QUESTIONS_THERE) } else { size };
    let blocks = Block::all(cases, size);
    let both = [&answers, &others].map(Vec::as_slice).into_iter().filter(|together| !together.is_empty());
    let together: Vec<&[TypeScoring<'_>]> = both.collect();
    let tasks = together.iter().flat_map(|scorings| blocks.iter().map(move |block| (*scorings, block)));
    let tasks: Vec<_> = tasks.collect();
    let questions = tasks.iter().map(|(scorings, block)| scorings.len() * block.len()).sum();
    let steps = Steps::new(watcher, "scoring", questions);
    let done =
        parallel::try_each(tasks, |(scorings, block)| BlockScores::of(scorings, block, (&steps, watcher)))?;
    drop(steps);
    let mut done = done.into_iter();
    let mut experiments = Vec::new();
    for scorings in together {
        let of_blocks: Vec<BlockScores> = done.by_ref().take(blocks.len()).collect();
        experiments.extend(put_together(scorings, cases, members, of_blocks));
    }
    experiments.sort_by_key(|experiment| EXPERIMENTS.iter().position(|name| *name == experiment.name()));
    Ok((experiments, skipped))
}

/// What is kept of a block for some experiment types.
struct BlockScores {
    scored: Vec<ScoredBlock>,
    /// What the items stand for.
    terms: Vec<Term>,
}

impl BlockScores {
    /// Scores some experiment types, one after the other, over one working dataset.
    fn of(
        scorings: &[TypeScoring<'_>],
        block: &Block<'_>,
        (steps, watcher): (&Steps<'_>, &dyn Watcher),
    ) -> Result<Self> {
        let mut workspace = Workspace::new(block);
        let mut scored = Vec::with_capacity(scorings.len());
        for scoring in scorings {
            watcher.check()?;
            scored.push(scoring.of_block(block, &mut workspace)?);
            steps.steps(block.len());
        }
        let terms = workspace.into_terms(scored.iter_mut().flat_map(|scored| &mut scored.matches));
        Ok(Self { scored, terms })
    }
}

/// The experiment types over all blocks.
fn put_together(
    scorings: &[TypeScoring<'_>],
    cases: &Cases,
    members: &groups::Membership,
    blocks: Vec<BlockScores>,
) -> Vec<Experiment> {
    let mut terms = Vec::with_capacity(blocks.iter().map(|block| block.terms.len()).sum());
    let count = cases.alignment.answers.len();
    let empty =
        || (Vec::<QuestionMatch>::with_capacity(count), Vec::<Option<QuestionResult>>::with_capacity(count));
    let mut all: Vec<_> = scorings.iter().map(|_| empty()).collect();
    for block in blocks {
        let before = u32::try_from(terms.len()).expect("memory ends before four billion terms");
        terms.extend(block.terms);
        for ((matches, results), mut scored) in all.iter_mut().zip(block.scored) {
            if before > 0 {
                scored
                    .matches
                    .iter_mut()
                    .flat_map(QuestionMatch::numbers)
                    .for_each(|number| *number += before);
            }
            matches.append(&mut scored.matches);
            results.append(&mut scored.results);
        }
    }
    let terms = Arc::new(terms);
    let parts = scorings.iter().zip(all).map(|(scoring, (questions, results))| {
        (scoring, Matching { terms: Arc::clone(&terms), questions }, results)
    });
    parallel::each(parts.collect(), |(scoring, matching, results)| scoring.finish(members, matching, results))
}

/// What the peer announces and never has results for.
fn never_offered(plan: &Plan) -> impl Iterator<Item = (&'static str, Skip)> {
    // Who names the experiment types is told about these only. The manifest knows no more than that.
    let is_told = plan.wants_all();
    let announced = move |name: &&str| is_told && plan.profile.not_offered.iter().any(|never| never == name);
    EXPERIMENTS.into_iter().filter(announced).map(|name| (name, Skip::NeverOffered))
}
