//! Labels of resources: which resources are called so in which language.

use oxigraph::model::{Literal, Term};

use super::languages::Languages;
use super::links::Links;
use super::literal::text_key;
use super::normalise::resource_key;
use super::row_index::RowIndex;
use super::statements::{LABEL_PROPERTIES, StatementSet};
use crate::graph::vocab::rdfs;
use crate::profile::Profile;

/// The labels of several files, by their text.
#[derive(Debug, Default)]
pub struct Labels<'a> {
    by_text: RowIndex<'a>,
}

/// One statement of what a resource is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label<'a> {
    /// The number of its file.
    pub set: usize,
    /// The resource as the file writes it.
    pub resource: &'a str,
    /// The property, one of [`LABEL_PROPERTIES`].
    pub property: &'static str,
    /// The text with its language.
    pub literal: &'a Literal,
}

impl<'a> Labels<'a> {
    /// Puts label sets together.
    pub fn of(sets: impl IntoIterator<Item = &'a StatementSet>) -> Self {
        let by_text = RowIndex::new(sets, |statement| match statement.object {
            Term::Literal(label) => Some(text_key(label.value(), true, true)),
            _ => None,
        });
        Self { by_text }
    }

    /// The labels whose texts are perhaps equal: after NFC and trimming they are, or their hashes are.
    fn find(&self, text: &str) -> impl Iterator<Item = Label<'a>> {
        let found = self.by_text.find(&text_key(text, true, true)).collect::<Vec<_>>();
        found.into_iter().filter_map(|(set, statement)| match statement.object {
            Term::Literal(literal) => {
                let (resource, property) = (statement.subject, statement.predicate);
                Some(Label { set, resource, property, literal })
            }
            _ => None,
        })
    }

    /// The resources with exactly this `rdfs:label` in this language, in the order of the files: what GERBIL asks for.
    pub fn resources(&self, label: &str, language: &str) -> Vec<String> {
        let mut resources: Vec<String> = Vec::new();
        for found in self.find(label) {
            let tag = found.literal.language().unwrap_or_default();
            if found.property == rdfs::LABEL
                && found.literal.value() == label
                && tag.eq_ignore_ascii_case(language)
                && !resources.iter().any(|known| known == found.resource)
            {
                resources.push(found.resource.to_owned());
            }
        }
        resources
    }
}

/// Which literals name which resources, as a profile compares texts and IRIs.
#[derive(Debug, Clone, Copy)]
pub struct Naming<'a> {
    /// The profile.
    pub profile: &'a Profile,
    /// The labels.
    pub labels: &'a Labels<'a>,
    /// The closure of the links.
    pub links: Option<&'a Links>,
}

impl<'a> Naming<'a> {
    /// The labels that a literal in an answer to a question may be; the same text in one of the languages.
    pub(super) fn labels(&self, literal: &Literal, languages: &Languages) -> Vec<Label<'a>> {
        if !is_text(literal) {
            return Vec::new();
        }
        let key = |literal: &Literal| {
            let normalises = |name| self.profile.normalises(name);
            text_key(literal.value(), normalises("norm-text-unicode"), normalises("norm-text-trim"))
        };
        let text = key(literal);
        let mut labels: Vec<Label<'_>> = self.labels.find(literal.value()).collect();
        labels.retain(|label| {
            is_text(label.literal) && key(label.literal) == text && languages.allow(literal, label.literal)
        });
        labels
    }

    /// What all spellings of a resource and all members of its cluster have in common.
    pub(super) fn key(&self, iri: &str) -> String {
        resource_key(iri, &|name: &str| self.profile.normalises(name), self.links).into_owned()
    }

    /// The label by which a literal in an answer to a question names a resource. Of several one of the resource as the
    /// answer writes it, then in the order of [`LABEL_PROPERTIES`], of IRIs, of texts, of files.
    pub fn label(&self, literal: &Literal, resource: &str, languages: &Languages) -> Option<Label<'a>> {
        let key = self.key(resource);
        let labels = self.labels(literal, languages).into_iter();
        labels.filter(|label| self.key(label.resource) == key).min_by_key(|label| {
            let property = LABEL_PROPERTIES.iter().position(|property| *property == label.property);
            let is_another = label.resource != resource;
            (is_another, property, label.resource, label.literal.to_string(), label.set)
        })
    }
}

/// Whether a literal is a text, with or without a language. Numbers, dates and the like are values, not names.
pub(super) fn is_text(literal: &Literal) -> bool {
    literal.language().is_some() || literal.datatype() == oxigraph::model::vocab::xsd::STRING
}
