//! What a kind of items has of its own: how they are read, stated for the match queries, chosen and counted.

use oxigraph::model::Term;

use crate::profiles::rules::ExperimentRules;
use crate::scoring::block::Block;
use crate::scoring::cases::Cases;
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::pairs::pairing::Match;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::plan::Plan;
use crate::scoring::skip::{Lack, Skip};
use crate::sparql::index::Index;

/// The items of an answer, or what keeps it from having any.
pub(crate) type Items = Result<Vec<Term>, Lack>;

/// What decides an experiment type beside the answers.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The profile, the references and the choices.
    pub plan: &'a Plan,
    /// Its rules for the experiment type.
    pub rules: &'a ExperimentRules,
}

/// Both sides of all questions, as they are stated: numbers of terms.
pub(crate) struct Sides {
    pub(crate) gold: SideItems,
    pub(crate) system: SideItems,
}

/// A kind of items. [`run`](crate::scoring::run::run) calls its functions for one block of questions after the other, in the
/// order in which they stand here.
pub(crate) trait Reader {
    /// Why no question is scored, if none is: what decides that for all of them.
    fn skip_all(&self, _: &Setting<'_>, _: &Cases) -> Option<Skip> {
        None
    }

    /// Reads the items of both sides: for each question why it is skipped, if it is.
    fn read(&mut self, context: &Setting<'_>, block: &Block<'_>) -> Vec<Option<Skip>>;

    /// States the items, and the keys on which the match queries join them.
    fn state(&mut self, context: &Setting<'_>, block: &Block<'_>, workspace: &mut Workspace) -> Sides;

    /// Chooses among the pairs of a question that the queries found, and counts. Takes the items of the question.
    fn choose(
        &self,
        context: &Setting<'_>,
        block: &Block<'_>,
        index: &Index,
        found: (usize, Vec<Match>),
        sides: &mut Sides,
    ) -> QuestionMatch;
}
