//! Matches both sides of an experiment type in one block of questions: the one runner for all kinds of items.

use crate::base::error::Result;
use crate::profiles::rules::Step;
use crate::scoring::block::Block;
use crate::scoring::cases::Cases;
use crate::scoring::gerbil::reader::GerbilReader;
use crate::scoring::items::reader::TermReader;
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::candidates::candidates;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::reader::{Reader, Setting};
use crate::scoring::rows::reader::RowReader;
use crate::scoring::skip::Skip;
use crate::sparql::named_query::NamedQuery;

/// Why no question is scored in an experiment type, if none is, by what the items of all of them are.
pub(crate) fn skip_all(context: &Setting<'_>, cases: &Cases) -> Option<Skip> {
    reader(context).skip_all(context, cases)
}

/// Matches the answers of a submission with those of a dataset in one experiment type. The items are still in the
/// workspace.
pub(crate) fn run(
    context: &Setting<'_>,
    steps: &[(Step, NamedQuery)],
    block: &Block<'_>,
    workspace: &mut Workspace,
) -> Result<Vec<QuestionMatch>> {
    let mut reader = reader(context);
    let skips = reader.read(context, block);
    let mut sides = reader.state(context, block, workspace);
    workspace.index.freeze();
    let found = candidates(
        (&workspace.index, context.plan.remote.as_deref()),
        steps,
        [&sides.gold, &sides.system],
        block,
    )?;
    let questions = found.into_iter().enumerate().zip(skips).map(|(found, skip)| {
        let chosen = reader.choose(context, block, &workspace.index, found, &mut sides);
        QuestionMatch { skip, ..chosen }
    });
    let questions = questions.collect();
    workspace.clear();
    Ok(questions)
}

/// The profiles that follow GERBIL have items of their own, and so have those that look into rows.
fn reader(context: &Setting<'_>) -> Box<dyn Reader> {
    match context.plan.profile.era {
        Some(era) => Box::new(GerbilReader::new(era)),
        None if context.rules.reading.is_of_cells() => Box::<RowReader>::default(),
        None => Box::<TermReader>::default(),
    }
}
