//! What a query asks, as data.

use std::collections::BTreeSet;

use oxigraph::model::{NamedNode, Term};

use crate::sparql::features::Feature;
use crate::sparql::repair::Repair;

/// What a query asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryGraph {
    /// The form of its results.
    pub form: QueryForm,
    /// Every occurrence of a triple pattern, in the order of the text: a bag.
    pub patterns: Vec<Pattern>,
    /// The IRIs that it speaks about, each once, in the order of the text.
    pub resources: Vec<NamedNode>,
    /// The IRIs of predicates, each once, in the order of the text.
    pub properties: Vec<NamedNode>,
    /// The classes of what it asks for, each once.
    pub item_types: Vec<NamedNode>,
    /// What it uses of the language.
    pub features: BTreeSet<Feature>,
    /// What had to be done so that it parses.
    pub repairs: Vec<Repair>,
    /// The text after the repairs, where there were any.
    pub repaired: Option<String>,
}

impl QueryGraph {
    /// Whether the text has pseudo terms of hybrid questions, so that it is no SPARQL although it was read.
    pub fn is_pseudo(&self) -> bool {
        self.repairs.iter().any(Repair::is_of_pseudo_query)
    }
}

/// The form of the results of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum QueryForm {
    /// A table.
    Select,
    /// Yes or no.
    Ask,
    /// Triples by a template.
    Construct,
    /// Triples about resources.
    Describe,
}

impl QueryForm {
    /// Its name, one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Ask => "ask",
            Self::Construct => "construct",
            Self::Describe => "describe",
        }
    }
}

/// A triple pattern without the names of its variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The subject.
    pub subject: Position,
    /// The predicate.
    pub predicate: Predicate,
    /// The object.
    pub object: Position,
}

/// The subject or the object of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Position {
    /// A variable or a blank node: the two mean the same in a query.
    Variable,
    /// An IRI or a literal.
    Term(Term),
}

/// The predicate of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// A variable.
    Variable,
    /// A property.
    Property(NamedNode),
    /// A property path that is more than sequence and inverse, in its one spelling.
    Path(String),
}

impl Pattern {
    /// The content as `<s> <p> ?`. Two patterns are equal if and only if their texts are.
    pub fn text(&self) -> String {
        format!("{} {} {}", self.subject.text(), self.predicate.text(), self.object.text())
    }
}

impl Position {
    fn text(&self) -> String {
        match self {
            Self::Variable => "?".to_owned(),
            Self::Term(term) => term.to_string(),
        }
    }
}

impl Predicate {
    fn text(&self) -> String {
        match self {
            Self::Variable => "?".to_owned(),
            Self::Property(property) => property.to_string(),
            // The brackets tell the path `<p>?` from the property `<p>` before a variable.
            Self::Path(path) => format!("({path})"),
        }
    }
}
