//! Constructor functions of XML Schema datatypes that the evaluator does not know by itself.
//!
//! It knows those of SPARQL 1.1 and of dates, durations and their parts. Here are the derived types, by the rules of
//! F&O 3.1 (`XPath` functions and operators), section 19: the value is cast to the type they derive from, and is an
//! error where it is outside the derived type. The store writes derived integers as `xsd:integer`.

use std::collections::HashSet;

use oxigraph::model::{Literal, NamedNode, Term};
use oxigraph::sparql::SparqlEvaluator;
use oxsdatatypes::{Boolean, Decimal, Double, Float, Integer};

use crate::base::vocab::xsd;

/// The types derived from `xsd:integer` with their smallest and largest values, as far as 64 bits reach.
const INTEGERS: [(&str, i64, i64); 12] = [
    ("long", i64::MIN, i64::MAX),
    ("int", -2_147_483_648, 2_147_483_647),
    ("short", -32_768, 32_767),
    ("byte", -128, 127),
    ("nonNegativeInteger", 0, i64::MAX),
    ("positiveInteger", 1, i64::MAX),
    ("nonPositiveInteger", i64::MIN, 0),
    ("negativeInteger", i64::MIN, -1),
    ("unsignedLong", 0, i64::MAX),
    ("unsignedInt", 0, 4_294_967_295),
    ("unsignedShort", 0, 65_535),
    ("unsignedByte", 0, 255),
];

/// What is done to white space.
type Normalise = fn(&str) -> String;

/// An evaluator that knows these functions.
pub(crate) fn evaluator() -> SparqlEvaluator {
    let named = |name: &str| NamedNode::new_unchecked(format!("{}{name}", xsd::NAMESPACE));
    let mut evaluator = SparqlEvaluator::new();
    for (name, least, most) in INTEGERS {
        let cast = move |arguments: &[Term]| {
            let number = i64::from(integer(only(arguments)?)?);
            (least..=most).contains(&number).then(|| Literal::from(number).into())
        };
        evaluator = evaluator.with_custom_function(named(name), cast);
    }
    let texts: [(&str, Normalise); 3] =
        [("normalizedString", replaced), ("token", collapsed), ("anyURI", collapsed)];
    for (name, normalise) in texts {
        let datatype = named(name);
        let cast = move |arguments: &[Term]| {
            let text = match only(arguments)? {
                Term::NamedNode(node) => node.as_str().to_owned(),
                Term::Literal(literal) => literal.value().to_owned(),
                Term::BlankNode(_) => return None,
            };
            Some(Literal::new_typed_literal(normalise(&text), datatype.clone()).into())
        };
        evaluator = evaluator.with_custom_function(named(name), cast);
    }
    evaluator
}

/// The argument of a constructor function.
fn only(arguments: &[Term]) -> Option<&Term> {
    match arguments {
        [argument] => Some(argument),
        _ => None,
    }
}

/// A value cast to `xsd:integer`: numbers lose what stands behind the point, a text must be an integer.
fn integer(term: &Term) -> Option<Integer> {
    let Term::Literal(literal) = term else { return None };
    let value = literal.value();
    if literal.language().is_some() {
        return None;
    }
    match literal.datatype().as_str() {
        xsd::DECIMAL => value.parse::<Decimal>().ok()?.try_into().ok(),
        xsd::DOUBLE => value.parse::<Double>().ok()?.try_into().ok(),
        xsd::FLOAT => value.parse::<Float>().ok()?.try_into().ok(),
        xsd::BOOLEAN => Some(value.parse::<Boolean>().ok()?.into()),
        xsd::STRING | xsd::INTEGER => value.trim().parse().ok(),
        datatype => {
            let derived: HashSet<&str> = INTEGERS.iter().map(|(name, ..)| *name).collect();
            let name = datatype.strip_prefix(xsd::NAMESPACE)?;
            derived.contains(name).then(|| value.trim().parse().ok())?
        }
    }
}

/// White space replaced by spaces.
fn replaced(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

/// White space at the ends removed, and runs of it one space.
fn collapsed(text: &str) -> String {
    text.split([' ', '\t', '\n', '\r']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
