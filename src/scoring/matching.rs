//! What matching finds: the pairs that count, question by question.

use std::collections::BTreeMap;
use std::sync::Arc;

use oxigraph::model::Term;

use crate::measures::judged::Verdict;
use crate::measures::result::ItemPart;
use crate::measures::sets::{Counts, Shares};
use crate::scoring::items::given::GivenAnswer;
use crate::scoring::pairs::pairing::Pair;
use crate::scoring::skip::Skip;

/// The matches of one question.
#[derive(Debug, Clone, Default)]
pub struct QuestionMatch {
    /// How many items there are and how many pairs count.
    pub counts: Counts,
    /// What the pairs have in common, where two items may meet in a part of them.
    pub shares: Option<Shares>,
    /// The gold items: numbers of terms.
    pub gold: Vec<u32>,
    /// The system's items.
    pub system: Vec<u32>,
    /// The answers one by one, best first, where they are judged so.
    pub given: Vec<GivenAnswer>,
    /// What people say about NIL; none: it is right where there is no gold item.
    pub nil: Option<Verdict>,
    /// The positions of the system's items that match a gold item which is another's partner.
    pub echoes: Vec<u32>,
    /// The pairs that count, by position of the gold item.
    pub pairs: Vec<Pair>,
    /// The tied rows of gold that count, by position in each group; none where the gold answer has no ties.
    pub counted_rows: Vec<Vec<usize>>,
    /// The counts of the parts of the items that have measures of their own.
    pub parts: BTreeMap<ItemPart, Counts>,
    /// Why it is not scored, if it is not.
    pub skip: Option<Skip>,
}

/// The matches of all questions, in the order of the dataset.
#[derive(Debug, Default)]
pub struct Matching {
    /// What the items stand for, by their numbers; shared with experiment types that were matched beside this one.
    pub terms: Arc<Vec<Term>>,
    /// One entry a question.
    pub questions: Vec<QuestionMatch>,
}

impl Matching {
    /// The term of an item of [`QuestionMatch`].
    pub fn term(&self, number: u32) -> &Term {
        &self.terms[number as usize]
    }
}

impl QuestionMatch {
    /// All numbers of terms in it.
    pub(crate) fn numbers(&mut self) -> impl Iterator<Item = &mut u32> {
        let given = self.given.iter_mut().filter_map(|given| given.item.as_mut());
        self.gold.iter_mut().chain(&mut self.system).chain(given)
    }
}
