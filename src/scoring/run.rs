//! Matches both sides of an experiment type: the one runner for all kinds of items.

use crate::base::error::Result;
use crate::profiles::era::Era;
use crate::scoring::cases::Cases;
use crate::scoring::gerbil::reader::OfGerbil;
use crate::scoring::items::reader::Plain;
use crate::scoring::matching::{Matched, QuestionMatch};
use crate::scoring::pairs::candidates::candidates;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::reader::{Context, Reader};
use crate::scoring::skip::Skip;

/// Matches the answers of a submission with those of a dataset in one experiment type; or says why it is skipped.
pub fn run(
    context: &Context<'_>,
    cases: &Cases,
    workspace: &mut Workspace,
) -> Result<std::result::Result<Matched, Skip>> {
    let mut reader = reader(context.plan.profile.era);
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
    Ok(Ok(Matched { meant: reader.meant(), questions }))
}

/// The profiles that follow GERBIL have items of their own.
fn reader(era: Option<Era>) -> Box<dyn Reader> {
    match era {
        Some(era) => Box::new(OfGerbil::new(era)),
        None => Box::<Plain>::default(),
    }
}
