//! Literals whose text is none of their datatype, such as `"2009-6-25"^^xsd:date`. Graphs of inputs have them as received;
//! a graph of ours names a node in their place, with text and datatype apart.

use std::str::FromStr;

use oxigraph::model::{Literal, LiteralRef, NamedNodeRef, Term};
use oxsdatatypes::{
    Boolean, Date, DateTime, Double, Duration, Float, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time,
};
use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::iri;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{qassay, rdf, xsd};
use crate::profiles::ontology::Facts;

/// The literal, where its text is none of its datatype.
pub(crate) fn ill_typed(term: &Term) -> Option<&Literal> {
    match term {
        Term::Literal(literal) if !has_form(literal.value(), literal.datatype().as_str()) => Some(literal),
        _ => None,
    }
}

/// Whether a text is in the lexical space of a datatype. Of datatypes that are not of XML Schema nobody knows.
fn has_form(text: &str, datatype: &str) -> bool {
    match datatype.strip_prefix(xsd::NAMESPACE).unwrap_or_default() {
        "boolean" => Boolean::from_str(text).is_ok(),
        "decimal" => is_decimal(text),
        "integer" | "int" | "long" | "short" | "byte" => is_decimal(text) && !text.contains('.'),
        "nonNegativeInteger" | "positiveInteger" | "unsignedInt" | "unsignedLong" => {
            is_decimal(text) && !text.contains(['.', '-'])
        }
        "double" => Double::from_str(text).is_ok(),
        "float" => Float::from_str(text).is_ok(),
        "date" => Date::from_str(text).is_ok(),
        "dateTime" => DateTime::from_str(text).is_ok(),
        "time" => Time::from_str(text).is_ok(),
        "gYear" => GYear::from_str(text).is_ok(),
        "gYearMonth" => GYearMonth::from_str(text).is_ok(),
        "gMonth" => GMonth::from_str(text).is_ok(),
        "gMonthDay" => GMonthDay::from_str(text).is_ok(),
        "gDay" => GDay::from_str(text).is_ok(),
        "duration" => Duration::from_str(text).is_ok(),
        _ => true,
    }
}

/// Whether a text is digits with at most one sign before and one point among them, however many they are.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(fraction) && whole.len() + fraction.len() > 0
}

/// The node of such a literal in an evaluation.
pub(crate) fn node(evaluation: &str, literal: &Literal) -> String {
    iri::written_term(evaluation, &hex(&Sha256::digest(literal.to_string()))[..32])
}

/// What is said of the node.
pub(crate) fn describe(lines: &mut Lines, literal: &Literal) {
    lines
        .iri(rdf::TYPE, qassay::WRITTEN_TERM)
        .text(qassay::LEXICAL_FORM, literal.value())
        .iri(qassay::LITERAL_DATATYPE, literal.datatype().as_str());
}

/// The term that a match names, as N-Quads write it: itself, or what its node says.
pub(crate) fn read(facts: &Facts, term: &Term) -> String {
    let said = |property| match term {
        Term::NamedNode(node) => facts.text(node.as_str(), property),
        _ => None,
    };
    match said(qassay::LEXICAL_FORM).zip(said(qassay::LITERAL_DATATYPE)) {
        Some((text, datatype)) => {
            LiteralRef::new_typed_literal(text, NamedNodeRef::new_unchecked(datatype)).to_string()
        }
        None => term.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxigraph::model::NamedNode;

    fn literal(text: &str, datatype: &str) -> Term {
        let datatype = NamedNode::new_unchecked(format!("{}{datatype}", xsd::NAMESPACE));
        Literal::new_typed_literal(text, datatype).into()
    }

    #[test]
    fn a_text_that_is_none_of_its_datatype_gets_a_node_that_says_it() {
        for (text, datatype) in [
            ("2009-6-25", "date"),
            ("1979-5-4", "date"),
            ("1,5", "decimal"),
            ("NaN", "decimal"),
            ("yes", "boolean"),
            ("12.0", "integer"),
            ("-1", "nonNegativeInteger"),
            ("19", "gYear"),
        ] {
            let term = literal(text, datatype);
            let found = ill_typed(&term).unwrap_or_else(|| panic!("{text} is a {datatype}"));
            let mut lines = Lines::new("http://g");
            let node = node("http://e/evaluation/1", found);
            describe(lines.subject(&node), found);
            let mut facts = Facts::default();
            let mut written = Vec::new();
            lines.write_to(&mut written).unwrap();
            facts.add_nquads(&written).unwrap();
            assert_eq!(read(&facts, &NamedNode::new_unchecked(node).into()), term.to_string());
        }
    }

    #[test]
    fn a_text_of_its_datatype_stays() {
        for (text, datatype) in [
            ("2009-06-25", "date"),
            ("2009-06-25+02:00", "date"),
            ("1E4", "double"),
            ("+07", "integer"),
            ("123456789012345678901234567890", "integer"),
            (".5", "decimal"),
            ("1979", "gYear"),
            ("--05-04", "gMonthDay"),
            ("whatever", "string"),
            ("whatever", "anyURI"),
        ] {
            let term = literal(text, datatype);
            assert_eq!(ill_typed(&term), None, "{text}");
            assert_eq!(read(&Facts::default(), &term), term.to_string());
        }
        assert_eq!(ill_typed(&NamedNode::new_unchecked("http://e/a").into()), None);
    }
}
