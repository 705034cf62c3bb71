//! Our own RDF: what `qassay convert` writes, and the graphs of datasets and submissions as an archive publishes them.
//!
//! Turtle, TriG, N-Triples and N-Quads. A file with a record (`qassay:part`) is read exactly; of published statements
//! is read what they say, in the order of positions and values. Nothing is fetched, and blank nodes are no names.

pub mod published;
pub mod published_answers;
pub mod record;

use std::collections::{BTreeMap, HashMap};
use std::io;

use oxigraph::io::{RdfFormat, RdfParser, RdfSerializer, RdfSyntaxError};
use oxigraph::model::{NamedNode, NamedOrBlankNode, Term};

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::model::Model;
use crate::base::text::first;
use crate::base::vocab::{code, dct, foaf, part, qassay, rdf, schema, xsd};
use crate::sources::document::Document;
use crate::sources::file::text::without_mark;
use crate::sources::format::context::Context;
use crate::sources::format::{BytesAndLosses, Format, Target};
use crate::sources::input::pattern::QueryNodes;
use crate::sources::input::publish;

macro_rules! target {
    ($format:ident, $name:literal, $ending:literal, $media:literal, $description:literal) => {
        Target {
            name: $name,
            description: $description,
            ending: Some($ending),
            media_type: $media,
            may_be_empty: true,
            is_exact: true,
            write: |document, sha256| write(document, sha256, RdfFormat::$format),
        }
    };
}

/// Our own RDF.
pub(crate) static FORMAT: Format = Format {
    name: "rdf",
    description: "RDF of qassay (Turtle, TriG, N-Triples, N-Quads): converted files, datasets and submissions of an archive.",
    media_type: "application/n-quads",
    recognise: |content| looks_like_rdf(content) && is_ours(content),
    read,
    targets: &[
        target!(Turtle, "turtle", "ttl", "text/turtle", "RDF: Turtle"),
        target!(NTriples, "n-triples", "nt", "application/n-triples", "RDF: N-Triples"),
        target!(NQuads, "n-quads", "nq", "application/n-quads", "RDF: canonical N-Quads, as in an archive"),
        target!(TriG, "trig", "trig", "application/trig", "RDF: TriG"),
    ],
};

/// An object: an IRI (or the label of a blank node), or a literal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ObjectTerm {
    /// An IRI.
    Iri(String),
    /// A text with its language or its datatype; neither for plain texts.
    Literal { text: String, language: Option<String>, datatype: Option<String> },
}

impl ObjectTerm {
    /// The IRI or the lexical form.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Iri(text) | Self::Literal { text, .. } => text,
        }
    }
}

/// The statements of a file about questions and answers: by subject, each list sorted.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    subjects: BTreeMap<String, Vec<(&'static str, ObjectTerm)>>,
}

impl Statements {
    /// All subjects in order.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = &str> {
        self.subjects.keys().map(String::as_str)
    }

    /// The objects of a property of a subject.
    pub(crate) fn values<'s>(
        &'s self,
        subject: &str,
        property: &'static str,
    ) -> impl Iterator<Item = &'s ObjectTerm> + use<'s> {
        let all = self.subjects.get(subject).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |(name, _)| *name == property).map(|(_, value)| value)
    }

    /// The first object of a property of a subject, as a text.
    pub(crate) fn text(&self, subject: &str, property: &'static str) -> Option<&str> {
        self.values(subject, property).next().map(ObjectTerm::text)
    }

    /// The first object of a property of a subject, as a number.
    pub(crate) fn number(&self, subject: &str, property: &'static str) -> Option<u64> {
        self.text(subject, property)?.parse().ok()
    }

    /// The subjects with this object.
    pub(crate) fn with<'s>(
        &'s self,
        property: &'static str,
        object: &'static str,
    ) -> impl Iterator<Item = &'s str> {
        self.subjects().filter(move |s| self.values(s, property).any(|value| value.text() == object))
    }
}

/// Whether the text may be one of the four syntaxes: JSON, XML and most texts are not.
pub(crate) fn looks_like_rdf(content: &[u8]) -> bool {
    let start = first_line(content);
    let has_iri = start.split(|byte| *byte == b'<').skip(1).any(|rest| {
        let iri = rest.split(|byte| *byte == b'>').next().unwrap_or_default();
        iri.len() < rest.len() && iri.windows(3).any(|part| part == b"://") && !iri.contains(&b' ')
    });
    let begins = |word: &[u8]| start.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word));
    has_iri && [&b"<"[..], b"@prefix ", b"@base ", b"prefix ", b"base ", b"graph "].into_iter().any(begins)
}

/// Whether a term of our vocabulary is named in it, at full length or by a prefix.
fn is_ours(content: &[u8]) -> bool {
    std::str::from_utf8(content).map_or_else(
        |error| {
            let valid = content.get(..error.valid_up_to()).unwrap_or_default();
            String::from_utf8_lossy(valid).contains(qassay::NAMESPACE)
        },
        |text| text.contains(qassay::NAMESPACE),
    )
}

/// The first line that says something.
fn first_line(content: &[u8]) -> &[u8] {
    let lines = without_mark(content).split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default()
}

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let statements = parse(without_mark(content))?;
    let records: Vec<&str> = statements.with(qassay::PART, part::DOCUMENT).collect();
    match records[..] {
        [] => published::read(&statements, here.draft),
        [record] => {
            record::read(&statements, record, here);
            Ok(())
        }
        _ => Err(several("records of files", &records)),
    }
}

/// The error for a file that holds more than one of a thing.
pub(crate) fn several(what: &str, names: &[&str]) -> Error {
    let shown = first(names.iter().map(|name| format!("<{name}>")), 10);
    Error::input(format!("the RDF holds {} {what}: {shown}", names.len()))
        .allowed("one dataset or submission a file")
        .hint("write each into a file of its own")
}

fn parse(content: &[u8]) -> Result<Statements> {
    // Lines of N-Triples are N-Quads, and Turtle is TriG. A line of N-Triples may begin a Turtle file, though.
    let is_lines =
        RdfParser::from_format(RdfFormat::NQuads).for_slice(first_line(content)).all(|q| q.is_ok());
    if !is_lines {
        return parse_as(RdfFormat::TriG, content).map_err(|error| told(&error));
    }
    parse_as(RdfFormat::NQuads, content).or_else(|first| {
        let second = parse_as(RdfFormat::TriG, content);
        second.map_err(|second| if line(&second) > line(&first) { told(&second) } else { told(&first) })
    })
}

fn parse_as(format: RdfFormat, content: &[u8]) -> std::result::Result<Statements, RdfSyntaxError> {
    let known = known();
    let mut statements = Statements::default();
    for quad in RdfParser::from_format(format).for_slice(content) {
        let quad = quad?;
        let Some(property) = known.get(quad.predicate.as_str()) else { continue };
        let subject = match quad.subject {
            NamedOrBlankNode::NamedNode(node) => node.into_string(),
            NamedOrBlankNode::BlankNode(node) => node.to_string(),
        };
        let value = match quad.object {
            Term::NamedNode(node) => ObjectTerm::Iri(node.into_string()),
            Term::BlankNode(node) => ObjectTerm::Iri(node.to_string()),
            Term::Literal(literal) => {
                let (text, datatype, language) = literal.destruct();
                ObjectTerm::Literal { text, language, datatype: datatype.map(NamedNode::into_string) }
            }
        };
        statements.subjects.entry(subject).or_default().push((property, value));
    }
    for list in statements.subjects.values_mut() {
        list.sort_unstable();
        list.dedup();
        list.shrink_to_fit();
    }
    Ok(statements)
}

/// The properties that say something about questions and answers.
fn known() -> HashMap<&'static str, &'static str> {
    let others = [&dct::IDENTIFIER, &schema::TEXT, &schema::IN_LANGUAGE, &rdf::TYPE];
    qassay::ALL.iter().chain(others).map(|property| (*property, *property)).collect()
}

fn line(error: &RdfSyntaxError) -> Option<u64> {
    error.location().map(|place| place.start.line + 1)
}

fn told(error: &RdfSyntaxError) -> Error {
    let said = error.to_string();
    // the parser says the place, too
    let said =
        said.split_once(": ").filter(|(place, _)| place.starts_with("Parser error")).map_or(&*said, |s| s.1);
    let what = Error::input(format!("this is no valid RDF: {said}"));
    match line(error) {
        Some(line) => what.at(format!("line {line}")),
        None => what,
    }
}

/// The prefixes of Turtle and TriG.
const PREFIXES: [(&str, &str); 6] = [
    ("qassay", qassay::NAMESPACE),
    ("code", code::NAMESPACE),
    ("dct", dct::NAMESPACE),
    ("foaf", foaf::NAMESPACE),
    ("schema", schema::NAMESPACE),
    ("xsd", xsd::NAMESPACE),
];

fn write(document: &Document, sha256: &str, format: RdfFormat) -> Result<BytesAndLosses> {
    let quads = quads(document, sha256).map_err(|error| failed(&error))?;
    let bytes = if format == RdfFormat::NQuads { quads } else { in_syntax(&quads, format)? };
    Ok((bytes, Vec::new()))
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::system(format!("the RDF cannot be written: {error}"))
}

/// Canonical N-Quads of two graphs: what an archive publishes, and the record. A file is no archive: triple patterns are
/// among the questions, as in the first version of the model.
fn quads(document: &Document, sha256: &str) -> io::Result<Vec<u8>> {
    let mint = Mint::of(Model::One);
    let slug = iri::slug(document.dataset_id.as_deref().unwrap_or("dataset"));
    let version = mint.dataset_version(&slug, sha256);
    // the queries may add issues, which are no part of what is written
    let mut published = document.clone();
    let queries = QueryNodes::of_all(&mint, &mut published);
    let (mut statements, mut record) = (Vec::new(), Vec::new());
    publish::dataset(&mut statements, &mint, &slug, &version, &published, &queries)?;
    record::write(&mut record, &mint, &version, document)?;
    Ok(merged(&statements, &record))
}

/// The lines of two sorted files as one sorted file.
fn merged(one: &[u8], other: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> =
        [one, other].iter().flat_map(|file| file.split_inclusive(|byte| *byte == b'\n')).collect();
    lines.sort();
    lines.dedup();
    lines.concat()
}

fn in_syntax(quads: &[u8], format: RdfFormat) -> Result<Vec<u8>> {
    let mut serializer = RdfSerializer::from_format(format);
    for (name, namespace) in PREFIXES {
        serializer = serializer.with_prefix(name, namespace).map_err(|error| failed(&error))?;
    }
    let mut out = serializer.for_writer(Vec::new());
    for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(quads) {
        let quad = quad.map_err(|error| failed(&error))?;
        let written = if format.supports_datasets() {
            out.serialize_quad(&quad)
        } else {
            out.serialize_triple(quad.as_ref())
        };
        written.map_err(|error| failed(&error))?;
    }
    out.finish().map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        assert!((FORMAT.recognise)(text.as_bytes()), "not recognised: {text}");
        FORMAT.document(text.as_bytes()).expect_err("an error").to_string()
    }

    const PREFIXES: &str =
        "@prefix q: <https://w3id.org/qassay/ns#> .\n@prefix c: <https://w3id.org/qassay/code#> .\n";

    #[test]
    fn the_four_syntaxes_are_seen_by_their_beginning() {
        for ours in [
            PREFIXES,
            "# x\n\n<http://a/b> <https://w3id.org/qassay/ns#part> \"\" .",
            "PREFIX q: <https://w3id.org/qassay/ns#>",
        ] {
            assert!((FORMAT.recognise)(ours.as_bytes()), "{ours}");
        }
        for other in [
            "<http://a/b> <http://c/d> <http://e/f> .",
            "<dataset id='https://w3id.org/qassay/ns#'>",
            "",
            "{}",
            "base,text",
        ] {
            assert!(!(FORMAT.recognise)(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn errors_say_what_and_where() {
        let two =
            format!("{PREFIXES}<http://e/1> q:part c:part-document .\n<http://e/2> q:part c:part-document .");
        let mixed = format!(
            "{PREFIXES}<http://e/1> a q:Question ; q:inDatasetVersion <http://v/1> .\n<http://e/2> a q:SystemAnswer ; q:inSubmission <http://s/2> ."
        );
        let told = [
            error(&format!("{PREFIXES}<http://e/1> q:part ;;\n.")),
            error("<http://e/1> <https://w3id.org/qassay/ns#part> \"x\" .\n<http://e/1> <x> \"y .\n"),
            error(PREFIXES),
            error(&two),
            error(&mixed),
        ];
        for (told, expected) in told.iter().zip([
            "line 3: this is no valid RDF: ",
            "line 2: this is no valid RDF: ",
            "the RDF states no questions and no answers.",
            "the RDF holds 2 records of files: <http://e/1>, <http://e/2>.",
            "the RDF holds 2 datasets and submissions: <http://s/2>, <http://v/1>.",
        ]) {
            assert!(told.starts_with(expected), "{told}");
        }
    }

    #[test]
    fn records_are_read_in_the_order_of_positions_and_what_is_odd_is_told() {
        let text = format!(
            "{PREFIXES}<http://e/d> q:part c:part-document .
            <http://e/b> q:part c:part-question ; q:partOf <http://e/d> ; q:position 2 ; q:asWritten \"b\" ; q:partKind \"empty\" .
            <http://e/c> q:part c:part-question ; q:partOf <http://e/d> ; q:position 10 ; q:asWritten \"c\" ; q:partKind \"zzz\" .
            <http://e/a> q:part c:part-question ; q:partOf <http://e/d> ; q:position 1 ; q:asWritten \"a\" ; q:partKind \"absent\" .
            <http://e/q> q:part c:part-query ; q:partOf <http://e/a> ; q:position 1 ; q:asWritten \"ASK {{}}\" ; q:partKind \"sql\" ."
        );
        let document = FORMAT.document(text.as_bytes()).expect("a document");
        let ids: Vec<&str> = document.questions.iter().map(|question| question.id.as_str()).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        let told: Vec<&str> = document.issues.iter().map(|issue| issue.message.as_str()).collect();
        assert_eq!(
            told,
            [
                "`sql` is no kind of query; it is read as SPARQL",
                "`zzz` is no state of answers; it is told by the answers"
            ]
        );
    }

    #[test]
    fn deep_nesting_ends() {
        let deep = format!("{PREFIXES}<http://e/1> q:part {}", "[ q:part (".repeat(20_000));
        assert!(FORMAT.document(deep.as_bytes()).is_err());
    }
}
