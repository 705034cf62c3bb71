//! The embedded files of `ontology/`: definitions are read from there, never repeated in code.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::OnceLock;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{GraphName, Literal, NamedNode, NamedOrBlankNode, Quad, Term};

use crate::base::error::{Error, Result};
use crate::base::query::QueryFile;
use crate::base::vocab::{code, qassay, rdf, skos};
use crate::measures::metric::Metric;

/// A file of the ontology.
#[derive(Debug, Clone, Copy)]
pub struct OntologyFile {
    /// Path in the project.
    pub path: &'static str,
    /// Turtle.
    pub text: &'static str,
    /// What it says, in the order of subjects and predicates: the build script parses it, so that no run has to.
    statements: &'static [StatementRow],
}

/// Subject, predicate, object.
type StatementRow = (&'static str, &'static str, Object);

/// An object of a statement.
#[derive(Debug, Clone, Copy)]
enum Object {
    Iri(&'static str),
    Simple(&'static str),
    /// A text and its language.
    Tagged(&'static str, &'static str),
    /// A text and its datatype.
    Typed(&'static str, &'static str),
}

macro_rules! ontology_file {
    ($name:literal) => {
        OntologyFile {
            path: concat!("ontology/", $name, ".ttl"),
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/ontology/", $name, ".ttl")),
            statements: include!(concat!(env!("OUT_DIR"), "/", $name, ".rs")),
        }
    };
}

/// Terms, data structure definitions, code lists.
pub static TERMS: OntologyFile = ontology_file!("qassay");
/// The groups of questions and their families.
pub static GROUPS: OntologyFile = ontology_file!("groups");
/// The profiles, as they are written: [`crate::profiles::load_ontology`] knows what follows from that.
pub static PROFILES: OntologyFile = ontology_file!("profiles");
/// How live systems are asked and how their replies are read.
pub static SYSTEMS: OntologyFile = ontology_file!("systems");
/// Licences, and what each permits.
pub static LICENCES: OntologyFile = ontology_file!("licences");

/// The objects of a subject by predicate, in file order.
pub type Description = BTreeMap<String, Vec<Term>>;

/// Statements of an ontology file, by subject and predicate. There are no blank nodes.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    objects: BTreeMap<String, Description>,
}

impl OntologyFile {
    /// What the file says.
    pub fn facts(&self) -> Facts {
        let subjects = self.statements.chunk_by(|one, other| one.0 == other.0);
        let described = subjects.map(|statements| {
            let predicates = statements.chunk_by(|one, other| one.1 == other.1);
            let description: Description = predicates
                .map(|objects| (objects[0].1.to_owned(), objects.iter().map(|one| one.2.into()).collect()))
                .collect();
            (statements[0].0.to_owned(), description)
        });
        Facts { objects: described.collect() }
    }
}

impl From<Object> for Term {
    fn from(object: Object) -> Self {
        match object {
            Object::Iri(iri) => NamedNode::new_unchecked(iri).into(),
            Object::Simple(text) => Literal::new_simple_literal(text).into(),
            Object::Tagged(text, tag) => Literal::new_language_tagged_literal_unchecked(text, tag).into(),
            Object::Typed(text, datatype) => {
                Literal::new_typed_literal(text, NamedNode::new_unchecked(datatype)).into()
            }
        }
    }
}

/// The facts of `ontology/qassay.ttl`, made once.
pub fn terms() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| TERMS.facts())
}

/// The name that scripts and tables use for a metric.
pub fn shown_name(metric: Metric) -> String {
    let (concept, facts) = (code::iri(&metric.to_string()), terms());
    let shown_as = facts.text(&concept, &format!("{}shownAs", qassay::NAMESPACE));
    let shown_as = shown_as.or_else(|| facts.text(&concept, skos::NOTATION));
    shown_as.map_or_else(|| metric.to_string(), str::to_owned)
}

/// The facts of `ontology/systems.ttl`, made once.
pub fn systems() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| SYSTEMS.facts())
}

/// The facts of `ontology/licences.ttl`, made once.
pub fn licences() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| LICENCES.facts())
}

/// The facts of `ontology/groups.ttl`, made once.
pub fn groups() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| GROUPS.facts())
}

impl Facts {
    /// Adds the statements of N-Quads, whatever their graphs.
    pub fn add_nquads(&mut self, content: &[u8]) -> Result<()> {
        for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(content) {
            let quad = quad.map_err(|error| Error::input(format!("the N-Quads cannot be read: {error}")))?;
            self.add(quad.subject, quad.predicate, quad.object);
        }
        Ok(())
    }

    fn add(&mut self, subject: NamedOrBlankNode, predicate: NamedNode, object: Term) {
        if let NamedOrBlankNode::NamedNode(subject) = subject {
            let predicates = self.objects.entry(subject.into_string()).or_default();
            match predicates.entry(predicate.into_string()) {
                Entry::Occupied(mut known) => known.get_mut().push(object),
                // Most have one object: room for more is taken where there are more.
                Entry::Vacant(new) => drop(new.insert(vec![object])),
            }
        }
    }

    /// Says one thing more of a subject.
    pub(crate) fn say(&mut self, subject: NamedNode, predicate: NamedNode, object: Term) {
        self.add(subject.into(), predicate, object);
    }

    /// The texts of all objects: IRIs or lexical forms.
    pub fn texts(&self, subject: &str, predicate: &str) -> impl Iterator<Item = &str> {
        self.all(subject, predicate).map(text)
    }

    /// The statements of a Turtle text.
    ///
    /// # Errors
    /// Where the text is no Turtle, or says something of a blank node: nobody would read it.
    pub fn parse(turtle: &str) -> Result<Self> {
        let mut facts = Self::default();
        for quad in RdfParser::from_format(RdfFormat::Turtle).for_slice(turtle) {
            let quad = quad.map_err(|error| Error::input(format!("the Turtle cannot be read: {error}")))?;
            if quad.subject.is_blank_node() {
                return Err(Error::input(format!(
                    "the thing with the {} {} has no IRI",
                    quad.predicate, quad.object
                ))
                .allowed("IRIs in place of `[ … ]`, `( … )` and `_:`"));
            }
            facts.add(quad.subject, quad.predicate, quad.object);
        }
        Ok(facts)
    }

    /// Says these things of a subject, and no others.
    pub fn insert(&mut self, subject: &str, statements: Description) {
        self.objects.insert(subject.to_owned(), statements);
    }

    /// What is said of subjects that these facts do not have.
    pub(crate) fn without(mut self, others: &Self) -> Self {
        self.objects.retain(|subject, _| !others.objects.contains_key(subject));
        self
    }

    /// What is said of a subject.
    pub fn statements(&self, subject: &str) -> Option<&Description> {
        self.objects.get(subject)
    }

    /// Whether a subject is of a class.
    pub fn is_a(&self, subject: &str, class: &str) -> bool {
        self.all(subject, rdf::TYPE)
            .any(|term| matches!(term, Term::NamedNode(node) if node.as_str() == class))
    }

    /// The statements: subject, predicate, object.
    pub fn triples(&self) -> impl Iterator<Item = (&str, &str, &Term)> {
        self.objects.iter().flat_map(|(subject, statements)| {
            statements.iter().flat_map(move |(predicate, objects)| {
                objects.iter().map(move |object| (subject.as_str(), predicate.as_str(), object))
            })
        })
    }

    /// The statements in a graph.
    pub fn quads(&self, graph: &GraphName) -> impl Iterator<Item = Quad> {
        self.triples().map(move |(subject, predicate, object)| {
            let (subject, predicate) =
                (NamedNode::new_unchecked(subject), NamedNode::new_unchecked(predicate));
            Quad::new(subject, predicate, object.clone(), graph.clone())
        })
    }

    /// The subjects in order.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        self.objects.keys().map(String::as_str)
    }

    /// The objects of a subject and predicate in file order.
    pub fn all(&self, subject: &str, predicate: &str) -> impl Iterator<Item = &Term> {
        self.objects.get(subject).and_then(|p| p.get(predicate)).into_iter().flatten()
    }

    /// The text of the first object: an IRI or a lexical form.
    pub fn text(&self, subject: &str, predicate: &str) -> Option<&str> {
        self.texts(subject, predicate).next()
    }

    /// The local names of the concepts that are objects.
    pub fn codes<'a>(&'a self, subject: &str, predicate: &str) -> impl Iterator<Item = &'a str> {
        self.all(subject, predicate).filter_map(|term| match term {
            Term::NamedNode(node) => node.as_str().strip_prefix(code::NAMESPACE),
            _ => None,
        })
    }

    /// The notation of a concept, its short name.
    pub fn notation(&self, subject: &str) -> Option<&str> {
        self.text(subject, skos::NOTATION)
    }
}

fn text(term: &Term) -> &str {
    match term {
        Term::NamedNode(node) => node.as_str(),
        Term::Literal(literal) => literal.value(),
        Term::BlankNode(node) => node.as_str(),
    }
}

/// The IRI of a term of the vocabulary.
pub(crate) fn property(local: &str) -> String {
    format!("{}{local}", qassay::NAMESPACE)
}

pub(crate) fn incomplete(subject: &str, property: &str) -> Error {
    Error::input(format!("nothing is said about {property} of <{subject}>"))
}

/// A family of groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// The concept of `code:groupFamily`, without namespace.
    pub name: String,
    /// Selects `?question` and `?group`.
    pub query: &'static QueryFile,
}

impl Family {
    /// All families in the order of their names.
    ///
    /// # Panics
    /// Not on input: the families are embedded, and a test reads them.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Family>> = OnceLock::new();
        ALL.get_or_init(|| Self::read(groups()).expect("the embedded families are complete"))
    }

    fn read(facts: &Facts) -> Result<Vec<Self>> {
        let mut families = Vec::new();
        let scheme = code::iri("groupFamily");
        for iri in facts.subjects().filter(|iri| facts.text(iri, skos::IN_SCHEME) == Some(&scheme)) {
            let query = facts.text(iri, &property("query")).ok_or_else(|| incomplete(iri, "query"))?;
            let query = QueryFile::find(query.rsplit_once("/query/").map_or(query, |(_, name)| name))?;
            let name = iri.trim_start_matches(code::NAMESPACE).to_owned();
            families.push(Self { name, query });
        }
        Ok(families)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_say_what_the_files_say() {
        for file in [&TERMS, &GROUPS, &PROFILES, &SYSTEMS, &LICENCES] {
            let (table, parsed) = (file.facts(), Facts::parse(file.text).unwrap());
            assert!(table.triples().count() > 100, "{}", file.path);
            assert!(table.triples().eq(parsed.triples()), "{}", file.path);
        }
    }
}
