//! Labels of resources: which resources are called so in which language.

use std::sync::Arc;

use oxigraph::model::{Literal, Term};

use crate::base::vocab::rdfs;
use crate::profiles::Profile;
use crate::references::languages::Languages;
use crate::references::links::{Links, resource_key};
use crate::references::literal::text_key;
use crate::references::row_index::RowIndex;
use crate::references::statements::{LABEL_PROPERTIES, StatementSet};

/// The labels of several files, by their text.
#[derive(Debug, Default)]
pub struct Labels {
    by_text: RowIndex,
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

impl Labels {
    /// Puts label sets together.
    pub fn of(sets: impl IntoIterator<Item = Arc<StatementSet>>) -> Self {
        let by_text = RowIndex::new(sets, |statement| match statement.object {
            Term::Literal(label) => Some(text_key(label.value(), true, true)),
            _ => None,
        });
        Self { by_text }
    }

    /// The labels whose texts are perhaps equal: after NFC and trimming they are, or their hashes are.
    fn find(&self, text: &str) -> impl Iterator<Item = Label<'_>> {
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
    pub labels: &'a Labels,
    /// The closure of the links.
    pub links: Option<&'a Links>,
}

impl<'a> Naming<'a> {
    /// The labels that a literal in an answer to a question may be; the same text in one of the languages. A text
    /// without a visible character names nothing.
    pub(crate) fn labels(&self, literal: &Literal, languages: &Languages) -> Vec<Label<'a>> {
        if !is_text(literal) || literal.value().trim().is_empty() {
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
    pub(crate) fn key(&self, iri: &str) -> String {
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
pub(crate) fn is_text(literal: &Literal) -> bool {
    literal.language().is_some() || literal.datatype() == oxigraph::model::vocab::xsd::STRING
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::references::statements::LABELS;
    use crate::sources::document::Question;
    use crate::sources::file::source::Source;

    fn set(name: &str, text: &str) -> StatementSet {
        let prefixes = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . ";
        StatementSet::read(
            &Source::from_bytes(name, format!("{prefixes}{text}").into_bytes()).unwrap(),
            LABELS,
        )
        .unwrap()
    }

    #[test]
    fn gerbil_gets_rdfs_labels_with_exactly_this_text_and_language_in_file_order() {
        let first = set(
            "a",
            "<b> rdfs:label 'x'@en . <a> rdfs:label 'x'@en , ' x'@en , 'x'@de , 'x' ; skos:altLabel 'x'@en ."
                .replace('<', "<http://")
                .as_str(),
        );
        let second = set(
            "b",
            "<http://c> rdfs:label 'x'@EN . <http://b> rdfs:label 'x'@en . <http://d> rdfs:label '1'^^<http://t> .",
        );
        let labels = Labels::of([first, second].map(Arc::new));
        assert_eq!(labels.resources("x", "en"), ["http://b", "http://a", "http://c"]);
        assert_eq!(labels.resources("x", "EN"), ["http://b", "http://a", "http://c"]);
        assert_eq!(labels.resources("x", "de"), ["http://a"]);
        assert_eq!(labels.resources("x", ""), ["http://a"]);
        assert_eq!(labels.resources("1", ""), ["http://d"]);
        assert_eq!(labels.resources("X", "en"), Vec::<String>::new());
    }

    #[test]
    fn of_several_labels_one_is_told_whatever_the_order_of_the_file() {
        let profile = Profile::find("qassay").unwrap();
        let statements = [
            "<http://a> skos:altLabel 'x'@en .",
            "<http://a> rdfs:label ' x'@en .",
            "<https://a> rdfs:label 'x'@en .",
            "<http://a> rdfs:label 'x'@de .",
        ];
        let told = |order: &[usize]| {
            let text: String = order.iter().map(|&at| statements[at]).collect();
            let labels = Labels::of([Arc::new(set("labels", &text))]);
            let naming = Naming { profile: &profile, labels: &labels, links: None };
            let languages = Languages::of(&Question::default(), Some("en"));
            let found = naming.label(&Literal::new_simple_literal("x"), "http://a", &languages).unwrap();
            format!("{} {} {}", found.resource, found.property, found.literal)
        };
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            assert_eq!(told(&order), "http://a http://www.w3.org/2000/01/rdf-schema#label \" x\"@en");
        }
        assert_eq!(told(&[0, 2]), "http://a http://www.w3.org/2004/02/skos/core#altLabel \"x\"@en");
        assert_eq!(told(&[2]), "https://a http://www.w3.org/2000/01/rdf-schema#label \"x\"@en");
    }
}
