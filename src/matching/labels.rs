//! Labels of resources: which resources are called so in which language.

use std::collections::BTreeMap;

use oxigraph::model::Term;

use super::statements::StatementSet;

/// The labels of several files, by text and language.
#[derive(Debug, Default)]
pub struct Labels {
    resources: BTreeMap<(String, String), Vec<String>>,
}

impl Labels {
    /// Puts label sets together.
    pub fn of<'a>(sets: impl IntoIterator<Item = &'a StatementSet>) -> Self {
        let mut resources: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for (resource, label) in sets.into_iter().flat_map(StatementSet::pairs) {
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
