//! Names of blank nodes: the same in every run, others in every file.

use std::collections::HashMap;

use oxigraph::io::RdfFormat;
use oxigraph::model::{BlankNode, GraphName, NamedOrBlankNode, Quad, Term};

/// Names the blank nodes of one file.
pub(crate) struct Blanks {
    file: usize,
    /// The numbers of those that got random names from the parser; without it, labels are kept.
    numbers: Option<HashMap<BlankNode, usize>>,
}

impl Blanks {
    /// For the file with this number.
    pub(crate) fn new(file: usize, format: RdfFormat) -> Self {
        let has_labels = matches!(format, RdfFormat::NTriples | RdfFormat::NQuads);
        Self { file, numbers: (!has_labels).then(HashMap::new) }
    }

    /// Gives the blank nodes of a statement their names.
    pub(crate) fn rename(&mut self, mut quad: Quad) -> Quad {
        if let NamedOrBlankNode::BlankNode(node) = &mut quad.subject {
            *node = self.name(node);
        }
        if let Term::BlankNode(node) = &mut quad.object {
            *node = self.name(node);
        }
        if let GraphName::BlankNode(node) = &mut quad.graph_name {
            *node = self.name(node);
        }
        quad
    }

    fn name(&mut self, node: &BlankNode) -> BlankNode {
        // `x` and `y` are no hexadecimal digits: such names are never taken for random ones.
        let label = match &mut self.numbers {
            None => format!("f{}x{}", self.file, node.as_str()),
            Some(numbers) => {
                let next = numbers.len();
                let number = numbers.entry(node.clone()).or_insert(next);
                format!("f{}y{number}", self.file)
            }
        };
        BlankNode::new_unchecked(label)
    }
}
