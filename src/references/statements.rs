//! Files of statements that an evaluation refers to: links, labels, classes, types. All are RDF, recognised by content.

use oxigraph::model::{NamedOrBlankNode, Quad, Term};

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::vocab::{rdf, rdfs, skos};
use crate::references::quads::{StatementFile, each_quad};
use crate::sources::file::source::Source;
use crate::sources::file::syntax::Syntax;

/// What statements a file is read for.
#[derive(Debug, Clone, Copy)]
pub struct Sought {
    /// The predicates.
    pub(crate) predicates: &'static [&'static str],
    /// Whether objects are literals, else IRIs.
    pub(crate) literals: bool,
    /// What the file is read as, in messages: `links`.
    pub(crate) name: &'static str,
    /// One statement in words.
    pub(crate) example: &'static str,
}

/// The properties that say what a resource is called. The first is the one that GERBIL reads.
pub const LABEL_PROPERTIES: &[&str] = &[rdfs::LABEL, skos::PREF_LABEL, skos::ALT_LABEL];

/// Labels: the statements with one of [`LABEL_PROPERTIES`].
pub const LABELS: Sought = Sought {
    predicates: LABEL_PROPERTIES,
    literals: true,
    name: "labels",
    example: "<a> rdfs:label \"label\"@en",
};
/// `rdfs:subClassOf`.
pub const CLASSES: Sought = Sought {
    predicates: &[rdfs::SUB_CLASS_OF],
    literals: false,
    name: "classes",
    example: "<a> rdfs:subClassOf <b>",
};
/// `rdf:type`.
pub const TYPES: Sought =
    Sought { predicates: &[rdf::TYPE], literals: false, name: "types", example: "<a> rdf:type <b>" };

/// One statement as written.
#[derive(Debug, Clone, Copy)]
pub struct Assertion<'a> {
    /// The subject, an IRI.
    pub subject: &'a str,
    /// The predicate.
    pub predicate: &'static str,
    /// The object.
    pub object: &'a Term,
}

/// The statements of a file that it is read for, as written.
#[derive(Debug, Default)]
pub struct StatementSet {
    pub(crate) rows: Vec<(String, &'static str, Term)>,
    pub(crate) media_type: &'static str,
    /// What is in the file and is no such statement.
    pub issues: Vec<Issue>,
}

impl StatementSet {
    /// Reads a file that is made for these statements, of any RDF syntax. What else is in it is an issue.
    ///
    /// # Errors
    /// Where it has none of them, or is no RDF.
    pub fn read(source: &Source, wanted: Sought) -> Result<Self> {
        let (mut set, scanned) = Self::scan(source, wanted)?;
        set.issues.extend(scanned.judge(source, wanted)?);
        set.issues.extend(scanned.empty_texts());
        Ok(set)
    }

    /// Reads these statements of a file that is made for something else, such as the dump of a knowledge base. It may have
    /// none.
    pub fn read_within(source: &Source, wanted: Sought) -> Result<Self> {
        Ok(Self::scan(source, wanted)?.0)
    }

    fn scan(source: &Source, wanted: Sought) -> Result<(Self, Scanned)> {
        let mut rows = Vec::new();
        let push = |subject, predicate, object| rows.push((subject, predicate, object));
        let scanned = scan(source, wanted, push)?;
        let issues =
            source.encoding_issue().cloned().into_iter().chain(scanned.odd.iter().cloned()).collect();
        Ok((Self { rows, media_type: scanned.media_type, issues }, scanned))
    }

    /// Whether the file has none of the statements.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The media type of the syntax it was read in.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// The statements, in file order.
    pub fn statements(&self) -> impl Iterator<Item = Assertion<'_>> {
        self.rows.iter().map(|(subject, predicate, object)| Assertion { subject, predicate, object })
    }

    /// The statement at a position in file order.
    pub(crate) fn statement(&self, position: usize) -> Option<Assertion<'_>> {
        let (subject, predicate, object) = self.rows.get(position)?;
        Some(Assertion { subject, predicate, object })
    }
}

/// What was seen in a file.
struct Scanned {
    media_type: &'static str,
    found: u64,
    /// How many of those found are texts without a visible character.
    empty: u64,
    others: u64,
    /// What is odd about rows of columns.
    odd: Vec<Issue>,
}

impl Scanned {
    /// For a file that must have what is wanted, and should have nothing else: an error, or an issue.
    fn judge(&self, source: &Source, wanted: Sought) -> Result<Option<Issue>> {
        if self.found == 0 {
            return Err(Error::input(format!("there is no `{}` in it", wanted.example))
                .in_file(source.name())
                .allowed(format!("{} with statements `{}`", wanted.allowed(), wanted.example)));
        }
        let message = format!("{} statements are no `{}` and are not used", self.others, wanted.example);
        Ok((self.others > 0).then(|| Issue::new(IssueCode::NotALink, &Place::default(), message)))
    }

    /// Labels that name nothing.
    fn empty_texts(&self) -> Option<Issue> {
        let message = format!("{} labels are empty and name nothing", self.empty);
        (self.empty > 0).then(|| Issue::new(IssueCode::EmptyLabel, &Place::default(), message))
    }
}

/// Reads statements of any syntax and gives subject, predicate and object of what is wanted to `each`. Graph names do
/// not matter.
fn scan(
    source: &Source,
    wanted: Sought,
    mut each: impl FnMut(String, &'static str, Term),
) -> Result<Scanned> {
    let (name, predicate) = (wanted.name, wanted.predicates[0]);
    let reading = StatementFile { file: source.name(), name, predicate, allowed: wanted.allowed() };
    let (mut found, mut empty, mut others) = (0u64, 0u64, 0u64);
    let (syntax, odd) = each_quad(reading, &mut source.content(), |quad| {
        let Quad { subject, predicate, object, .. } = quad;
        let predicate = wanted.predicates.iter().find(|wanted| predicate.as_str() == **wanted);
        match (subject, predicate) {
            (NamedOrBlankNode::NamedNode(from), Some(predicate)) if is_wanted(&object, wanted) => {
                empty += u64::from(is_empty_text(&object));
                each(from.into_string(), predicate, object);
                found += 1;
            }
            _ => others += 1,
        }
        Ok(())
    })?;
    Ok(Scanned { media_type: syntax.media_type(), found, empty, others, odd })
}

impl Sought {
    /// The syntaxes that can say it: columns hold IRIs only.
    fn allowed(&self) -> &'static str {
        if self.literals { Syntax::ALLOWED_RDF } else { Syntax::ALLOWED }
    }
}

fn is_empty_text(object: &Term) -> bool {
    matches!(object, Term::Literal(literal) if literal.value().trim().is_empty())
}

fn is_wanted(object: &Term, wanted: Sought) -> bool {
    match object {
        Term::NamedNode(_) => !wanted.literals,
        Term::Literal(_) => wanted.literals,
        Term::BlankNode(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::from_bytes("file", text.as_bytes().to_vec()).unwrap()
    }

    const FILE: &str = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://a> a <http://C> , [] ; rdfs:label \"a\" , <http://no-text> ; skos:altLabel \"b\"@en ; skos:prefLabel \"c\" . [] rdfs:label \"d\" .";

    #[test]
    fn statements_keep_their_property_and_others_are_counted() {
        let labels = StatementSet::read(&source(FILE), LABELS).unwrap();
        let said: Vec<String> = labels
            .statements()
            .map(|found| format!("{} {}", found.predicate.rsplit(['#', '/']).next().unwrap(), found.object))
            .collect();
        assert_eq!(said, ["label \"a\"", "altLabel \"b\"@en", "prefLabel \"c\""]);
        assert_eq!(labels.issues.len(), 1);
        assert!(labels.issues[0].message.starts_with("4 statements are no `<a> rdfs:label \"label\"@en`"));
        assert_eq!(StatementSet::read(&source(FILE), TYPES).unwrap().rows.len(), 1);
    }

    #[test]
    fn a_file_without_what_is_wanted_is_an_error_and_a_dump_is_not() {
        let without = source("<http://a> <http://p> <http://b> .");
        assert!(
            StatementSet::read(&without, LABELS)
                .unwrap_err()
                .to_string()
                .contains("there is no `<a> rdfs:label")
        );
        assert!(
            StatementSet::read(&without, TYPES)
                .unwrap_err()
                .to_string()
                .contains("there is no `<a> rdf:type <b>`")
        );
        let within = StatementSet::read_within(&without, LABELS).unwrap();
        assert!(within.is_empty() && within.issues.is_empty());
        assert!(
            StatementSet::read_within(&source("nonsense"), TYPES).is_err(),
            "what is no RDF stays an error"
        );
    }
}
