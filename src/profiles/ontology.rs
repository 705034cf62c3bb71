//! The embedded files of `ontology/`: definitions are read from there, never repeated in code.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::OnceLock;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedNode, NamedOrBlankNode, Term};

use crate::base::error::{Error, Result};
use crate::base::vocab::{code, skos};

/// A file of the ontology.
#[derive(Debug, Clone, Copy)]
pub struct OntologyFile {
    /// Path in the project.
    pub path: &'static str,
    /// Turtle.
    pub text: &'static str,
}

/// Terms, data structure definitions, code lists.
pub static TERMS: OntologyFile =
    OntologyFile { path: "ontology/qassay.ttl", text: include_str!("../../ontology/qassay.ttl") };
/// The groups of questions and their families.
pub static GROUPS: OntologyFile =
    OntologyFile { path: "ontology/groups.ttl", text: include_str!("../../ontology/groups.ttl") };
/// The profiles.
pub static PROFILES: OntologyFile =
    OntologyFile { path: "ontology/profiles.ttl", text: include_str!("../../ontology/profiles.ttl") };
/// The profiles that are no longer current.
pub static OLDER_PROFILES: OntologyFile = OntologyFile {
    path: "ontology/profiles-older.ttl",
    text: include_str!("../../ontology/profiles-older.ttl"),
};

/// Statements of an ontology file, by subject and predicate.
#[derive(Debug, Default)]
pub struct Facts {
    objects: BTreeMap<String, BTreeMap<String, Vec<Term>>>,
}

impl OntologyFile {
    /// Parses the file.
    ///
    /// # Panics
    /// Not on input: the file is embedded, and a test reads it.
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        for quad in RdfParser::from_format(RdfFormat::Turtle).for_slice(self.text) {
            let quad = quad.expect("the embedded ontology is valid Turtle");
            facts.add(quad.subject, quad.predicate, quad.object);
        }
        facts
    }
}

/// The facts of `ontology/qassay.ttl`, parsed once.
pub fn terms() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| TERMS.facts())
}

/// The facts of `ontology/groups.ttl`, parsed once.
pub fn groups() -> &'static Facts {
    static FACTS: OnceLock<Facts> = OnceLock::new();
    FACTS.get_or_init(|| GROUPS.facts())
}

impl Facts {
    /// Adds the statements of N-Quads, whatever their graphs.
    pub fn add_nquads(&mut self, content: impl Read) -> Result<()> {
        for quad in RdfParser::from_format(RdfFormat::NQuads).for_reader(content) {
            let quad = quad.map_err(|error| Error::input(format!("the N-Quads cannot be read: {error}")))?;
            self.add(quad.subject, quad.predicate, quad.object);
        }
        Ok(())
    }

    fn add(&mut self, subject: NamedOrBlankNode, predicate: NamedNode, object: Term) {
        if let NamedOrBlankNode::NamedNode(subject) = subject {
            let predicates = self.objects.entry(subject.into_string()).or_default();
            predicates.entry(predicate.into_string()).or_default().push(object);
        }
    }

    /// The texts of all objects: IRIs or lexical forms.
    pub fn texts(&self, subject: &str, predicate: &str) -> impl Iterator<Item = &str> {
        self.all(subject, predicate).map(text)
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
