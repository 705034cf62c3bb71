//! What a query names, or the annotations of a question in its place: resources and properties.

use indexmap::IndexSet;
use oxigraph::model::{NamedNode, Term};

use crate::scoring::cases::Answer;
use crate::scoring::reader::Items;
use crate::scoring::skip::Lack;
use crate::sources::input::asked::Asked;
use crate::sparql::features::QueryGraph;

/// The annotations of these kinds where the file has annotations, else what the query names.
pub(crate) fn marked(
    answer: &Answer<'_>,
    kinds: &[&str],
    of_graph: fn(&QueryGraph) -> &Vec<NamedNode>,
) -> Items {
    let annotations = &answer.question.annotations;
    if annotations.is_empty() {
        return of_query(&answer.query.asked, |graph| {
            of_graph(graph).iter().cloned().map(Term::from).collect()
        });
    }
    // An annotation without a kind marks an entity.
    let is_wanted = |kind: &Option<String>| {
        let kind = kind.as_deref().unwrap_or("ENTITY");
        kinds.iter().any(|wanted| kind.eq_ignore_ascii_case(wanted))
    };
    let wanted = annotations.iter().filter(|annotation| is_wanted(&annotation.kind));
    Ok(distinct(wanted.filter_map(|annotation| NamedNode::new(annotation.iri.trim()).ok())))
}

/// What is read off the query.
pub(crate) fn of_query(asked: &Asked, items: impl FnOnce(&QueryGraph) -> Vec<Term>) -> Items {
    match asked {
        Asked::Graph(graph) => Ok(items(graph)),
        Asked::Nothing | Asked::Pseudo(_) => Err(Lack::Query),
        Asked::Unparsable(_) => Err(Lack::Unreadable),
    }
}

/// In the order of coming; there can be very many.
pub(crate) fn distinct(nodes: impl Iterator<Item = NamedNode>) -> Vec<Term> {
    nodes.collect::<IndexSet<NamedNode>>().into_iter().map(Term::from).collect()
}
