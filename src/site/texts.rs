//! The texts of questions, for who looks for words in them.

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedOrBlankNode, Quad, Term};

use crate::base::rdf::wanted::wanted_lines;
use crate::base::vocab::schema;

/// The texts of the questions of a dataset version, in the order of its graph.
#[derive(Debug)]
pub(crate) struct QuestionTexts {
    pub(crate) dataset: String,
    pub(crate) texts: Vec<QuestionText>,
}

/// A text of a question.
#[derive(Debug)]
pub(crate) struct QuestionText {
    /// What stands behind the IRI of the dataset version in that of the question.
    pub(crate) below: Box<str>,
    pub(crate) text: Box<str>,
    pub(crate) language: Option<Box<str>>,
}

impl QuestionTexts {
    /// Those that the graph of a dataset version states.
    pub(crate) fn of(dataset: &str, graph: &[u8]) -> Self {
        let stated = wanted_lines(graph, &|_, predicate| predicate == schema::TEXT);
        let text = |quad: Quad| {
            let (NamedOrBlankNode::NamedNode(question), Term::Literal(text)) = (quad.subject, quad.object)
            else {
                return None;
            };
            Some(QuestionText {
                below: question.as_str().strip_prefix(dataset)?.into(),
                text: text.value().into(),
                language: text.language().map(Into::into),
            })
        };
        let quads = RdfParser::from_format(RdfFormat::NQuads).for_slice(stated.as_ref());
        let texts = quads.filter_map(|quad| quad.ok().and_then(text)).collect();
        Self { dataset: dataset.to_owned(), texts }
    }
}
