//! The label that made a match: which resource is called so, by which property, in which file.

use oxigraph::model::{Literal, NamedNode, Term};

use crate::base::rdf::lines::Lines;
use crate::base::vocab::{prov, qassay};
use crate::references::labels::{Label, Naming};
use crate::references::languages::Languages;
use crate::references::normalise::normal_form;
use crate::references::{ReferenceInput, ReferenceKind};
use crate::scoring::evaluation::Evaluation;

/// A text, the resource on the other side, and the label that the text is.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// The text as the answer has it.
    pub text: &'a Literal,
    /// The resource as the answer has it.
    pub resource: &'a NamedNode,
    /// The label; its resource may be another one of the same cluster, or written in another way.
    pub label: Label<'a>,
    /// The file of labels.
    pub file: &'a ReferenceInput,
    /// Whether links connect the resource of the answer and that of the label.
    pub by_links: bool,
}

impl<'a> Labelled<'a> {
    /// The label of a match by a rule in a question; nothing where the rule is another one.
    pub(crate) fn find(
        evaluation: &'a Evaluation,
        position: usize,
        rule: &str,
        gold: &'a Term,
        system: &'a Term,
    ) -> Option<Self> {
        let (resource, text) = match (gold, system) {
            (Term::NamedNode(resource), Term::Literal(text))
            | (Term::Literal(text), Term::NamedNode(resource))
                if rule == "match-label" =>
            {
                (resource, text)
            }
            _ => return None,
        };
        let profile = evaluation.profile();
        let knowledge = evaluation.prepared.knowledge();
        let naming = Naming { profile, labels: knowledge.labels?, links: knowledge.links };
        let question = &evaluation.loaded.document().questions[position];
        let label = naming.label(text, resource.as_str(), &Languages::of(question, knowledge.language))?;
        let mut files = evaluation.references().iter().filter(|file| file.kind == ReferenceKind::Labels);
        let enabled = |name: &str| profile.normalises(name);
        let form = |iri| normal_form(iri, &enabled).0;
        let by_links = form(resource.as_str()) != form(label.resource);
        Some(Self { text, resource, label, file: files.nth(label.set)?, by_links })
    }

    /// The normalisations between the answers and the label.
    pub(crate) fn normalisations(&self, evaluation: &Evaluation) -> Vec<&'static str> {
        let (text, label) = (self.text, self.label.literal);
        let resource = NamedNode::new_unchecked(self.label.resource);
        let rule = if self.by_links { "match-sameas" } else { "match-normalised" };
        let mut names = crate::record::publish::matches::of_iris(evaluation, rule, self.resource, &resource);
        names.extend(crate::record::publish::matches::of_texts(text, label));
        names
            .extend((text.language().is_some() && label.language().is_none()).then_some("norm-language-tag"));
        names
    }

    /// States what the match rests on.
    pub(crate) fn describe(&self, evaluation: &Evaluation, lines: &mut Lines) {
        lines
            .iri(qassay::LABEL_PROPERTY, self.label.property)
            .iri(qassay::LABELLED_RESOURCE, self.label.resource)
            .term(qassay::LABEL_TEXT, self.label.literal)
            .iri(prov::USED, &self.file.iri);
        for (reference, _) in evaluation.links().filter(|_| self.by_links) {
            lines.iri(prov::USED, &reference.iri);
        }
    }
}
