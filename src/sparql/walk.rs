//! What GERBIL sees in a query (`ontology/gerbil.md` 3.1 to 3.3): markings, until something that it does not expect.

use spargebra::term::TermPattern;

use crate::sparql::collect::{Edge, Mention, Reach, Statement, items};
use crate::sparql::edit::Edits;
use crate::sparql::java::LiteralText;
use crate::sparql::lexer::{Kind, tokens};
use crate::sparql::limits::{refuse_deep, refuse_long};
use crate::sparql::{java, order, parse, read};

/// The property of the triples that stand for `text:"…"`.
const TEXT_QUERY: &str = "http://okbqa.org/text#query";

/// Something that GERBIL sees in a query. Variables and blank nodes are nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum Marking {
    /// The IRI of a subject or of an object.
    Annotation(String),
    /// The IRI of a predicate.
    Property(String),
    /// A triple pattern.
    Relation {
        /// The IRI of the subject.
        subject: Option<String>,
        /// The IRI of the predicate.
        predicate: String,
        /// The IRI of the object.
        object: Option<String>,
        /// The object as text, if it is a literal.
        literal: Option<LiteralText>,
    },
}

/// The markings of a query in the order of GERBIL, repeated as there. A query that Jena does not parse has none.
///
/// The walk ends at the first property path, variable predicate or ill-formed literal: what is behind it is lost.
pub fn markings(text: &str) -> Vec<Marking> {
    markings_if_parsed(text).unwrap_or_default()
}

/// The markings of a query, perhaps none; nothing where Jena does not parse it.
pub fn markings_if_parsed(text: &str) -> Option<Vec<Marking>> {
    refuse_long(text).ok()?;
    let text = crate::sparql::repair::names::from_jena(&without_texts(text));
    refuse_deep(&tokens(&text)).ok()?;
    parse::parse(&text).ok()?;
    // The same query, only that paths stay paths.
    let text = parse::keep_paths(&text);
    refuse_long(&text).ok()?;
    refuse_deep(&tokens(&text)).ok()?;
    let query = parse::parse(&text).ok()?;
    let (_, pattern) = read::parts(&query);
    let mut found = Vec::new();
    for item in order::textual(items(pattern, Reach::Blocks), &text) {
        let Mention::Statement(statement) = item else { continue };
        if mark(&statement, &mut found).is_none() {
            break;
        }
    }
    Some(found)
}

/// Adds the markings of a triple pattern; nothing where the walk ends.
fn mark(statement: &Statement<'_>, found: &mut Vec<Marking>) -> Option<()> {
    let subject = iri(statement.subject);
    found.extend(subject.clone().map(Marking::Annotation));
    let Edge::Property(predicate) = statement.edge else { return None };
    found.push(Marking::Property(predicate.as_str().to_owned()));
    let object = iri(statement.object);
    found.extend(object.clone().map(Marking::Annotation));
    let literal = match statement.object {
        TermPattern::Literal(literal) => Some(java::text(literal)?),
        _ => None,
    };
    found.push(Marking::Relation { subject, predicate: predicate.as_str().to_owned(), object, literal });
    Some(())
}

fn iri(term: &TermPattern) -> Option<String> {
    match term {
        TermPattern::NamedNode(node) => Some(node.as_str().to_owned()),
        _ => None,
    }
}

/// The query with the hybrid syntax `text:"…"` replaced: by a variable, and by a triple at the start of WHERE.
fn without_texts(text: &str) -> String {
    let mut edits = Edits::default();
    let mut triples = String::new();
    if text.contains("text:\"") {
        let tokens = tokens(text);
        let pairs = tokens.windows(2).filter(|pair| {
            pair[0].text == "text:" && pair[1].kind == Kind::Text && pair[0].end() == pair[1].start
        });
        for (number, pair) in pairs.enumerate() {
            let variable = format!("?text{}", number + 1);
            triples.extend([" ", &variable, " <", TEXT_QUERY, "> ", pair[1].text, " ."]);
            edits.replace(pair[0].start..pair[1].end(), variable);
        }
    }
    // Without exactly this spacing the triples go to a wrong place, and nothing parses.
    let Some(brace) = text.to_ascii_lowercase().find("where {") else {
        return if triples.is_empty() { text.to_owned() } else { String::new() };
    };
    edits.insert(brace + "where {".len(), triples);
    edits.apply(text).text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparql::tests::PREFIXES;

    #[test]
    fn gerbil_ends_where_it_does_not_expect_something() {
        let count = |query: &str| markings(&format!("{PREFIXES}{query}")).len();
        for (query, expected) in [
            ("ASK { :a :b :c }", 4),
            ("ASK { :a ^:b :c }", 1),
            ("ASK { :a :b/:c :d . :a :b :c }", 1),
            ("ASK { :a :b [ :c :d ; :e|:f :g ] ; :h :i }", 6),
            ("ASK { :a :b 1 FILTER(?x/2 > 1) :a :b 1 }", 6),
            ("SELECT (COUNT(?x)/2 AS ?y) { :a :b 1 } ORDER BY (?x/2)", 3),
            ("SELECT COUNT(?x) { :a :b 1 }", 3),
            ("SELECT COUNT(?x) AS ?y { :a :b 1 }", 0),
            ("SELECT ?x ?x { :a :b 1 }", 3),
            ("ASK { :a :b \"x\"^^xsd:integer ; :c :d }", 2),
            ("ASK { :a !(:b/:c) 1 }", 0),
            ("ASK { ?x dbo:a 1 }", 0),
            ("SELECT * WHERE { ?x text:\"a\" ?y }", 2),
            ("SELECT * WHERE{ ?x text:\"a\" ?y }", 0),
            ("ASK { VALUES ?x { :a } ?x :b :c } ", 3),
        ] {
            assert_eq!(count(query), expected, "{query}");
        }
        let relation = markings("ASK { ?x <u:p> \"a\"@en }").pop();
        let literal = Some(LiteralText::Text("a".to_owned()));
        let expected =
            Marking::Relation { subject: None, predicate: "u:p".to_owned(), object: None, literal };
        assert_eq!(relation, Some(expected));
    }
}
