//! Items with keys in the graph `code:role-keys`: what the match queries join on.

use oxigraph::model::Literal;

use crate::base::vocab::{code, qassay};
use crate::sparql::index::Index;

/// States that items of an answer have a key of a kind.
pub(crate) fn state(
    index: &mut Index,
    (property, key): (&'static str, &str),
    answer: u32,
    terms: impl IntoIterator<Item = u32>,
) {
    let graph = code::iri("role-keys");
    let [in_answer, of_term, of_key] =
        [qassay::IN_ANSWER, qassay::TERM, property].map(|name| index.table(&graph, name));
    let key = index.intern(Literal::new_simple_literal(key));
    for term in terms {
        // An item has a node for each key, so that no join meets another kind.
        let item = index.node();
        index.add(in_answer, item, answer);
        index.add(of_term, item, term);
        index.add(of_key, item, key);
    }
}
