//! Items with keys in the graph `code:role-keys`: what the match queries join on.

use oxigraph::model::Literal;

use crate::base::iri;
use crate::base::vocab::{code, qassay};
use crate::scoring::pairs::keys::text;
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
    let kind = property.strip_prefix(qassay::NAMESPACE).unwrap_or(property);
    let key = index.intern(Literal::new_simple_literal(key));
    for term in terms {
        // An item has a node for each kind of keys, so that no join meets another kind.
        let item = iri::item(text(index, answer), term as usize);
        let item = index.intern_iri(format!("{item}/{kind}"));
        index.add(in_answer, item, answer);
        index.add(of_term, item, term);
        index.add(of_key, item, key);
    }
}
