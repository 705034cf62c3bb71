//! What the query of an answer asks, as statements about the answer and the triple patterns.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::{Literal, Term};

use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, qassay, rdf};
use crate::sources::input::asked::Asked;
use crate::sources::input::pattern::{PatternNode, QueryNodes};
use crate::sparql::graph::{Pattern, Position, Predicate};
use crate::sparql::repair::Repair;

/// What is asked: form, features, resources, properties, classes, patterns; or why the query cannot be read. Of a pseudo
/// query only its repairs.
pub(crate) fn asked(lines: &mut Lines, query: &QueryNodes) {
    if let Asked::Unparsable(why) = &query.asked {
        lines.text(qassay::QUERY_PROBLEM, why);
    }
    let repairs: BTreeSet<&str> = query.repairs().iter().map(Repair::name).collect();
    for name in repairs {
        lines.iri(qassay::QUERY_REPAIR, &code::iri(&format!("repair-{name}")));
    }
    let Some(graph) = query.graph() else { return };
    lines.iri(qassay::QUERY_FORM, &code::iri(&format!("form-{}", graph.form.name())));
    for feature in &graph.features {
        lines.iri(qassay::QUERY_FEATURE, &code::iri(&format!("feature-{}", feature.name())));
    }
    for (property, nodes) in [
        (qassay::USES_RESOURCE, &graph.resources),
        (qassay::USES_PROPERTY, &graph.properties),
        (qassay::ASKED_ITEM_TYPE, &graph.item_types),
    ] {
        for node in nodes {
            lines.iri(property, node.as_str());
        }
    }
    for (node, _) in query.patterns() {
        lines.iri(qassay::USES_TRIPLE_PATTERN, &node.iri);
    }
}

/// The patterns of many queries, each once, by their IRIs.
pub(crate) fn patterns(queries: &[QueryNodes]) -> BTreeMap<&str, (&PatternNode, &Pattern)> {
    queries.iter().flat_map(QueryNodes::patterns).map(|found| (found.0.iri.as_str(), found)).collect()
}

/// A triple pattern: what stands at each position; nothing for a variable.
pub(crate) fn pattern(lines: &mut Lines, node: &PatternNode, pattern: &Pattern) {
    lines.iri(rdf::TYPE, qassay::TRIPLE_PATTERN);
    if let Position::Term(term) = &pattern.subject {
        lines.term(qassay::TP_SUBJECT, published(term).as_ref());
    }
    match &pattern.predicate {
        Predicate::Variable => {}
        Predicate::Property(property) => {
            lines.iri(qassay::TP_PREDICATE, property.as_str());
        }
        Predicate::Path(path) => {
            lines.text(qassay::TP_PATH, path);
        }
    }
    if let Position::Term(term) = &pattern.object {
        lines.term(qassay::TP_OBJECT, published(term).as_ref());
    }
    if node.occurrence > 1 {
        lines.integer(qassay::OCCURRENCE, u64::from(node.occurrence));
    }
}

/// The datatypes of literals with a language tag.
const LANGUAGE_TYPES: [&str; 2] = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString",
];

/// A term of a query as RDF has it. SPARQL parsers take `"x"^^rdf:langString`, which is no literal of RDF: such a
/// literal is published as a plain text.
fn published(term: &Term) -> Cow<'_, Term> {
    match term {
        Term::Literal(literal)
            if literal.language().is_none() && LANGUAGE_TYPES.contains(&literal.datatype().as_str()) =>
        {
            Cow::Owned(Literal::new_simple_literal(literal.value()).into())
        }
        _ => Cow::Borrowed(term),
    }
}
