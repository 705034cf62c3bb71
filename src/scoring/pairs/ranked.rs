//! An answer as a ranking: which of its items are right, best first.

use crate::scoring::matching::{Matched, QuestionMatch};
use crate::scoring::pairs::workspace::Workspace;
use crate::sources::input::term;

impl Matched {
    /// For each item of the system whether it is right, by the texts in descending order of their bytes.
    ///
    /// No file has an order: result sets are objects. This is what `trec_eval` makes of items with equal scores, which
    /// all items of TEXT2SPARQL have (`form_res_rels.c`: ties are broken by descending document id).
    pub fn ranked(&self, terms: &Workspace, matched: &QuestionMatch) -> Vec<bool> {
        let mut right = vec![false; matched.system.len()];
        for pair in &matched.pairs {
            right[pair.system as usize] = true;
        }
        let texts = matched.system.iter().map(|&item| term::text(terms.index.term(item)));
        let mut ranked: Vec<_> = texts.zip(right).collect();
        ranked.sort_by(|(a, _), (b, _)| b.as_bytes().cmp(a.as_bytes()));
        ranked.into_iter().map(|(_, right)| right).collect()
    }
}
