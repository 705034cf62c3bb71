//! Terms on their way to a server and back.
//!
//! The embedded store keeps the values of some literals and not their texts, and so do servers, each in its own way: of
//! `"PT1.5S"^^xsd:duration` Virtuoso keeps `1.5`, of `"abc"^^xsd:integer` the number 0, and true is 1. So a literal goes as the embedded store
//! has it, and only of kinds of which a server has to keep the value ([`PROBES`] are asked of it). Of any other the text goes, under
//! a datatype of its own that names the true one: it comes back to the letter, but a server cannot calculate with it.

use oxigraph::model::vocab::{rdf, xsd};
use oxigraph::model::{BlankNode, Literal, NamedNode, Term};

use crate::base::checksum::hex;
use crate::sparql::layers::as_stored;

/// Before the datatype of a text that travels in place of its literal.
const WRITTEN: &str = "urn:qassay:written:";
/// Before the name that a blank node has here: VALUES has no blank nodes (SPARQL 1.1 Query Language, section 10.2.1).
const BLANK: &str = "urn:qassay:blank:";

/// Literals of each kind that a server has to keep, as text and datatype. Without a datatype it is one of a language.
pub(crate) const PROBES: [(&str, &str); 12] = [
    ("", "http://www.w3.org/2001/XMLSchema#string"),
    ("\t\"ü\u{1F600}\\\n", "http://www.w3.org/2001/XMLSchema#string"),
    ("Straße", ""),
    ("-7", "http://www.w3.org/2001/XMLSchema#integer"),
    ("999999999", "http://www.w3.org/2001/XMLSchema#integer"),
    ("0.333333333333", "http://www.w3.org/2001/XMLSchema#decimal"),
    ("123456.123456789012", "http://www.w3.org/2001/XMLSchema#decimal"),
    ("1", "http://www.w3.org/2001/XMLSchema#decimal"),
    ("2026-11-26", "http://www.w3.org/2001/XMLSchema#date"),
    ("2026-11-26T14:00:00.123456Z", "http://www.w3.org/2001/XMLSchema#dateTime"),
    ("2026-11-26T14:00:00+01:00", "http://www.w3.org/2001/XMLSchema#dateTime"),
    ("text", "urn:qassay:probe"),
];

/// The language of the probe that has one.
pub(crate) const PROBED_LANGUAGE: &str = "zh-hant";

/// A term as a server gets it.
pub(crate) fn sent(term: Term) -> Term {
    match as_stored(term) {
        Term::Literal(literal) => sent_literal(literal).into(),
        other => other,
    }
}

/// A literal as a server gets it; as [`sent`].
pub(crate) fn sent_literal(literal: Literal) -> Literal {
    if is_kept(&literal) {
        return literal;
    }
    let datatype = NamedNode::new_unchecked(format!("{WRITTEN}{}", literal.datatype().as_str()));
    Literal::new_typed_literal(literal.value(), datatype)
}

/// A term that came back from a server, as the embedded store has it.
pub(crate) fn received(term: Term) -> Term {
    match term {
        Term::NamedNode(node) => match node.as_str().strip_prefix(BLANK) {
            Some(id) => BlankNode::new(id).map_or(node.clone().into(), Term::from),
            None => node.into(),
        },
        Term::Literal(literal) => as_stored(
            match literal.datatype().as_str().strip_prefix(WRITTEN) {
                Some(datatype) => {
                    Literal::new_typed_literal(literal.value(), NamedNode::new_unchecked(datatype))
                }
                None => literal,
            }
            .into(),
        ),
        node @ Term::BlankNode(_) => node,
    }
}

/// A term without blank nodes: a blank node gets a name by which [`received`] knows it.
pub(crate) fn ground(term: Term) -> Term {
    match term {
        Term::BlankNode(node) => NamedNode::new_unchecked(format!("{BLANK}{}", node.as_str())).into(),
        other => other,
    }
}

/// Whether a server has to keep the value of a literal that the embedded store has.
fn is_kept(literal: &Literal) -> bool {
    let (text, datatype) = (literal.value(), literal.datatype());
    if datatype == xsd::STRING || datatype == rdf::LANG_STRING {
        // JSON and XML have no text with it, or not everywhere.
        return !text.contains('\0');
    }
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_numeral = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
    if datatype == xsd::INTEGER || datatype == xsd::DECIMAL {
        // What 32 and 64 bits hold: of larger integers some servers make decimals.
        let most = if datatype == xsd::INTEGER { 9 } else { 18 };
        return digits > 0 && digits <= most && is_numeral;
    }
    if datatype == xsd::DATE {
        return text.len() == "2026-11-26".len() && digits == 8;
    }
    if datatype == xsd::DATE_TIME {
        // Four digits of a year, six of a second.
        let fraction =
            text.split_once('.').map_or(0, |(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
        return text.as_bytes().get(4) == Some(&b'-') && fraction <= 6 && digits >= 14;
    }
    is_opaque(datatype.as_str())
}

/// Whether servers take texts of a datatype as they are. Those of XSD are rewritten here and there, `rdf:XMLLiteral` and `rdf:HTML` are parsed, so
/// are places on a map.
fn is_opaque(datatype: &str) -> bool {
    !["http://www.w3.org/", "http://www.opengis.net/", "http://www.openlinksw.com/"]
        .iter()
        .any(|namespace| datatype.starts_with(namespace))
}

/// A literal of which only the kind travels, and a number by which its text is known: a server can ask whether it is a literal, of
/// which language and of which datatype, but for those that are [`WRITTEN`].
pub(crate) fn numbered(number: u32, literal: &Literal) -> Literal {
    let number = number.to_string();
    if let Some(tag) = literal.language() {
        let is_plain = tag
            .split('-')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        // What is no tag travels as a private one.
        let tag = if is_plain { tag.to_owned() } else { format!("x-{}", hex(tag.as_bytes())) };
        return Literal::new_language_tagged_literal_unchecked(number, tag);
    }
    let datatype = literal.datatype();
    if datatype == xsd::STRING || is_opaque(datatype.as_str()) {
        return Literal::new_typed_literal(number, datatype.into_owned());
    }
    let datatype = NamedNode::new_unchecked(format!("{WRITTEN}{}", datatype.as_str()));
    Literal::new_typed_literal(number, datatype)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str, datatype: &str) -> Literal {
        let datatype = datatype.replace("xsd:", "http://www.w3.org/2001/XMLSchema#");
        Literal::new_typed_literal(text, NamedNode::new_unchecked(datatype))
    }

    #[test]
    fn what_travels_comes_back_as_the_embedded_store_has_it() {
        for (text, datatype, is_kept) in [
            ("text", "xsd:string", true),
            ("nothing\0", "xsd:string", false),
            ("007", "xsd:integer", true),
            ("abc", "xsd:integer", false),
            ("1234567890", "xsd:integer", false),
            ("0.50", "xsd:decimal", true),
            ("1", "xsd:boolean", false),
            ("PT1.5S", "xsd:duration", false),
            ("2026", "xsd:gYear", false),
            ("1.5E3", "xsd:double", false),
            ("2026-11-26Z", "xsd:date", false),
            ("2026-11-26", "xsd:date", true),
            ("2026-11-26T14:00:00.1234567Z", "xsd:dateTime", false),
            ("2026-11-26T14:00:00Z", "xsd:dateTime", true),
            ("POINT(1 2)", "http://www.opengis.net/ont/geosparql#wktLiteral", false),
            ("x", "http://e/type", true),
        ] {
            let here = as_stored(typed(text, datatype).into());
            let there = sent(typed(text, datatype).into());
            assert_eq!(there == here, is_kept, "{there}");
            assert_eq!(received(there), here, "{text}");
        }
        for (text, datatype) in PROBES.iter().filter(|(_, datatype)| !datatype.is_empty()) {
            let here = Term::from(typed(text, datatype));
            assert_eq!(sent(here.clone()), here);
        }
        let node = Term::from(BlankNode::default());
        assert_eq!(received(ground(node.clone())), node);
    }
}
