//! Labels of resources: which resources are called so in which language.

use std::collections::BTreeMap;

use oxigraph::model::Term;

use super::statements::{self, Wanted};
use crate::error::Result;
use crate::read::{Issue, Source};

/// The labels of one file: `rdfs:label` statements.
#[derive(Debug, Default)]
pub struct LabelSet {
    labels: Vec<(String, Term)>,
    media_type: &'static str,
    /// What is in the file and is no label.
    pub issues: Vec<Issue>,
}

impl LabelSet {
    /// Reads the `rdfs:label` statements of an RDF file.
    pub fn read(source: &Source) -> Result<Self> {
        let wanted = Wanted {
            predicate: crate::graph::vocab::rdfs::LABEL,
            literals: true,
            name: "labels",
            example: "<a> rdfs:label \"label\"@en",
        };
        let mut labels = Vec::new();
        let read = statements::read(source, wanted, |subject, object| labels.push((subject, object)))?;
        Ok(Self { labels, media_type: read.media_type, issues: read.issues })
    }

    /// The media type of the syntax it was read in.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// The labels as written, in file order.
    pub fn labels(&self) -> impl Iterator<Item = (&str, &Term)> {
        self.labels.iter().map(|(resource, label)| (resource.as_str(), label))
    }
}

/// The labels of several files, by text and language.
#[derive(Debug, Default)]
pub struct Labels {
    resources: BTreeMap<(String, String), Vec<String>>,
}

impl Labels {
    /// Puts label sets together.
    pub fn of<'a>(sets: impl IntoIterator<Item = &'a LabelSet>) -> Self {
        let mut resources: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for (resource, label) in sets.into_iter().flat_map(LabelSet::labels) {
            let Term::Literal(label) = label else { continue };
            let language = label.language().unwrap_or_default().to_ascii_lowercase();
            let called = resources.entry((label.value().to_owned(), language)).or_default();
            if !called.iter().any(|known| known == resource) {
                called.push(resource.to_owned());
            }
        }
        Self { resources }
    }

    /// The resources with exactly this label in this language, in the order of the files.
    pub fn resources(&self, label: &str, language: &str) -> &[String] {
        let key = (label.to_owned(), language.to_ascii_lowercase());
        self.resources.get(&key).map_or(&[], Vec::as_slice)
    }
}
