//! What a match rests on beside its rule: normalisations of both terms; the label, of which resource, in which file.

use oxigraph::model::{Literal, NamedNode, Term};

use crate::profiles::link_kind::LinkKind;
use crate::references::forms::{IRI_AS_LITERAL, named};
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
    fn find(
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
        let (plan, question) = (&evaluation.plan, evaluation.cases.at(position).gold.question);
        let (labels, links) = (plan.references.labels.as_ref()?, plan.references.links.as_ref());
        let naming = Naming { profile, labels, links };
        let label = naming.label(text, resource.as_str(), &Languages::of(question, plan.language()))?;
        let mut files = plan.references.of(ReferenceKind::Labels);
        let enabled = |name: &str| profile.normalises(name);
        let form = |iri| normal_form(iri, &enabled).0;
        let by_links = form(resource.as_str()) != form(label.resource);
        Some(Self { text, resource, label, file: files.nth(label.set)?, by_links })
    }

    /// The normalisations between the answers and the label.
    fn normalisations(&self, evaluation: &Evaluation) -> Vec<&'static str> {
        let (text, label) = (self.text, self.label.literal);
        let resource = NamedNode::new_unchecked(self.label.resource);
        let rule = if self.by_links { "match-sameas" } else { "match-normalised" };
        let mut names = of_iris(evaluation, rule, self.resource, &resource);
        names.extend(of_texts(text, label));
        names
            .extend((text.language().is_some() && label.language().is_none()).then_some("norm-language-tag"));
        names
    }
}

impl Evaluation {
    /// The normalisations that a match by a rule in a question needed, each once.
    pub fn normalisations(
        &self,
        position: usize,
        rule: &str,
        gold: &Term,
        system: &Term,
    ) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = match (gold, system) {
            (Term::NamedNode(gold), Term::NamedNode(system)) => of_iris(self, rule, gold, system),
            (Term::Literal(gold), Term::Literal(system)) if rule == "match-text" => {
                let mut names = of_texts(gold, system);
                names.extend((gold.language() != system.language()).then_some("norm-language-tag"));
                names
            }
            (gold, system) if rule == IRI_AS_LITERAL => match (named(gold), named(system)) {
                (Some(gold), Some(system)) => of_iris(self, by_form(self, &gold, &system), &gold, &system),
                _ => Vec::new(),
            },
            _ => Labelled::find(self, position, rule, gold, system)
                .map_or_else(Vec::new, |labelled| labelled.normalisations(self)),
        };
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether links connect the terms of a match by a rule.
    pub fn is_by_links(&self, rule: &str, gold: &Term, system: &Term) -> bool {
        let connects = || Some(by_form(self, &named(gold)?, &named(system)?) != NORMALISED);
        LinkKind::of_rule(rule).is_some() || rule == IRI_AS_LITERAL && connects().unwrap_or_default()
    }

    /// The label that made a match by a rule in a question; nothing where no label did.
    pub fn labelled<'t>(
        &'t self,
        position: usize,
        rule: &str,
        gold: &'t Term,
        system: &'t Term,
    ) -> Option<Labelled<'t>> {
        Labelled::find(self, position, rule, gold, system)
    }
}

const NORMALISED: &str = "match-normalised";

/// The rule that makes two IRIs the same, which are the same: their normal form, where they have one, else links.
fn by_form(evaluation: &Evaluation, gold: &NamedNode, system: &NamedNode) -> &'static str {
    let enabled = |name: &str| evaluation.profile().normalises(name);
    let form = |node| normal_form(node, &enabled).0;
    if form(gold.as_str()) == form(system.as_str()) { NORMALISED } else { "match-sameas" }
}

/// What it takes to make two IRIs the same by a rule.
fn of_iris(evaluation: &Evaluation, rule: &str, gold: &NamedNode, system: &NamedNode) -> Vec<&'static str> {
    let enabled = |name: &str| evaluation.profile().normalises(name);
    let before_links = |node: &NamedNode| {
        let (form, own) = normal_form(node.as_str(), &enabled);
        evaluation
            .plan
            .references
            .links
            .as_ref()
            .map(|links| links.normalisations(node.as_str(), &form, &own))
    };
    match rule {
        _ if gold == system => Vec::new(),
        NORMALISED => [gold, system].iter().flat_map(|node| normal_form(node.as_str(), &enabled).1).collect(),
        _ if LinkKind::of_rule(rule).is_some() => {
            [gold, system].into_iter().filter_map(before_links).flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// What it takes to make two texts the same.
fn of_texts(gold: &Literal, system: &Literal) -> Vec<&'static str> {
    let mut names = Vec::new();
    if gold.value() != system.value() {
        let trimmed = [gold, system].map(|literal| literal.value().trim());
        let composed = trimmed[0] != trimmed[1];
        let spaced = [gold, system].iter().any(|literal| literal.value().trim() != literal.value());
        names.extend(composed.then_some("norm-text-unicode"));
        names.extend(spaced.then_some("norm-text-trim"));
    }
    names
}
