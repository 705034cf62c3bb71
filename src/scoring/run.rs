//! Matches both sides of an experiment type: the one runner for all kinds of items.

use crate::base::error::Result;
use crate::profiles::era::Era;
use crate::profiles::rules::Reading;
use crate::scoring::cases::Cases;
use crate::scoring::gerbil::reader::GerbilReader;
use crate::scoring::items::reader::TermReader;
use crate::scoring::matching::{Matching, QuestionMatch};
use crate::scoring::pairs::candidates::candidates;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::reader::{Reader, Setting};
use crate::scoring::rows::reader::RowReader;
use crate::scoring::skip::Skip;

/// Matches the answers of a submission with those of a dataset in one experiment type; or says why it is skipped.
pub fn run(
    context: &Setting<'_>,
    cases: &Cases,
    workspace: &mut Workspace,
) -> Result<std::result::Result<Matching, Skip>> {
    let mut reader = reader(context.plan.profile.era, context.rules.reading);
    let skips = match reader.read(context, cases) {
        Ok(skips) => skips,
        Err(skip) => return Ok(Err(skip)),
    };
    let mut sides = reader.state(context, cases, workspace);
    workspace.index.freeze();
    let found = candidates(&workspace.index, context.rules, &sides.gold, &sides.system)?;
    let questions = found.into_iter().enumerate().zip(skips).map(|(found, skip)| {
        let chosen = reader.choose(context, cases, &workspace.index, found, &mut sides);
        QuestionMatch { skip, ..chosen }
    });
    let questions = questions.collect();
    workspace.clear();
    Ok(Ok(Matching { meant: reader.meant(), questions, ..Matching::default() }))
}

/// The profiles that follow GERBIL have items of their own, and so have those that look into rows.
fn reader(era: Option<Era>, reading: Reading) -> Box<dyn Reader> {
    match era {
        Some(era) => Box::new(GerbilReader::new(era)),
        None if reading.is_of_cells() => Box::<RowReader>::default(),
        None => Box::<TermReader>::default(),
    }
}
