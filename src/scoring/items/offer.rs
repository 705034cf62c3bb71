//! What one side offers for an experiment type in one question: the items, or why there are none.

use indexmap::IndexSet;
use oxigraph::model::{NamedNode, Term};

use crate::base::iri;
use crate::base::vocab::code;
use crate::profiles::Profile;
use crate::profiles::rules::{ExperimentRules, Reading};
use crate::references::types::Typing;
use crate::scoring::items::given::says_nothing;
use crate::scoring::items::items;
use crate::scoring::items::sides::Answer;
use crate::scoring::knowledge::Knowledge;
use crate::sources::document::Question;
use crate::sources::input::answer::{answer_terms, answer_type, inferred_type};
use crate::sources::input::asked::Asked;
use crate::sparql::graph::QueryGraph;

/// What a side offers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Offer {
    /// These items, perhaps none.
    Items(Vec<Term>),
    /// Nothing that the experiment type could be made of.
    Nothing(Absence),
    /// Something that cannot be read.
    Unreadable,
}

/// What is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Absence {
    /// A query, or annotations in its place.
    Query,
    /// A type, and answers to infer it from.
    AnswerType,
    /// A class of any resource among the answers.
    ItemTypes,
}

/// What decides an offer beside the answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offering<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) rules: &'a ExperimentRules,
    pub(crate) knowledge: &'a Knowledge<'a>,
}

/// The offer of a question (or of an answer to it) for the readings of the default profile and of value sets.
pub(crate) fn offer(offering: &Offering<'_>, answer: &Answer<'_>, is_gold: bool) -> Offer {
    let (question, asked) = (answer.question, &answer.query.asked);
    match offering.rules.reading {
        Reading::Resources => marked(question, asked, &["ENTITY", "CLASS"], |graph| &graph.resources),
        Reading::Properties => marked(question, asked, &["PROPERTY"], |graph| &graph.properties),
        Reading::ItemTypes => item_types(offering, question, asked, is_gold),
        Reading::AnswerType => match answer_type(question).or_else(|| inferred_type(question)) {
            Some(name) => Offer::Items(vec![named(&code::iri(&format!("type-{name}")))]),
            None => Offer::Nothing(Absence::AnswerType),
        },
        Reading::Patterns => {
            of_query(asked, |_| answer.query.patterns().map(|(node, _)| named(&node.iri)).collect())
        }
        reading => {
            let mut items = items(question, offering.profile, reading, is_gold);
            if let Some(judging) = &offering.rules.judging {
                items.retain(|item| !says_nothing(judging, item));
            }
            Offer::Items(items)
        }
    }
}

/// The candidates of a question, each as its node in the dataset: the right ones of a gold standard, in a system's answer
/// all that have a score. `gold` is the node of the gold answer.
pub(crate) fn candidates(question: &Question, gold: &str, is_gold: bool) -> Offer {
    let all = question.candidates.iter().zip(1..).filter(|(candidate, _)| !is_gold || candidate.is_right());
    Offer::Items(all.map(|(_, number)| named(&iri::candidate(gold, number))).collect())
}

fn named(iri: &str) -> Term {
    NamedNode::new_unchecked(iri).into()
}

/// The annotations of these kinds where the file has annotations, else what the query names.
fn marked(
    question: &Question,
    asked: &Asked,
    kinds: &[&str],
    of_graph: fn(&QueryGraph) -> &Vec<NamedNode>,
) -> Offer {
    if question.annotations.is_empty() {
        return of_query(asked, |graph| of_graph(graph).iter().cloned().map(Term::from).collect());
    }
    // An annotation without a kind marks an entity.
    let is_wanted = |kind: &Option<String>| {
        let kind = kind.as_deref().unwrap_or("ENTITY");
        kinds.iter().any(|wanted| kind.eq_ignore_ascii_case(wanted))
    };
    let wanted = question.annotations.iter().filter(|annotation| is_wanted(&annotation.kind));
    Offer::Items(distinct(wanted.filter_map(|annotation| NamedNode::new(annotation.iri.trim()).ok())))
}

/// The types that the file states, else those that the query asks for, else the classes of the answers.
fn item_types(offering: &Offering<'_>, question: &Question, asked: &Asked, is_gold: bool) -> Offer {
    match classes_of_answers(offering, question, asked) {
        Some(classes) if !classes.is_empty() => return Offer::Items(classes),
        // What the gold answers are is not known, so nothing can be right or wrong. Those of a system have no class
        // then; a query of it that cannot be read is told all the same.
        Some(_) if has_resource(question) && (is_gold || !matches!(asked, Asked::Unparsable(_))) => {
            return Offer::Nothing(Absence::ItemTypes);
        }
        _ => {}
    }
    if question.answer_item_types.is_empty() {
        return of_query(asked, |graph| graph.item_types.iter().cloned().map(Term::from).collect());
    }
    let stated = question.answer_item_types.iter();
    Offer::Items(distinct(stated.filter_map(|written| NamedNode::new(written.trim()).ok())))
}

/// The classes of the answers by the types of resources, in the order of the answers; nothing where they do not count:
/// where no types are given, or the file states item types, or the query asks for some.
pub(crate) fn classes_of_answers(
    offering: &Offering<'_>,
    question: &Question,
    asked: &Asked,
) -> Option<Vec<Term>> {
    let Offering { profile, rules, knowledge } = *offering;
    let asks = matches!(asked, Asked::Graph(graph) if !graph.item_types.is_empty());
    let types = knowledge.types.filter(|_| question.answer_item_types.is_empty() && !asks)?;
    let (links, classes) = (knowledge.links, knowledge.classes);
    let typing = Typing { profile, links, types, classes, ignored: &rules.ignored_classes };
    let terms = answer_terms(question);
    let resources = terms.iter().filter_map(|term| match term {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    });
    Some(distinct(resources.flat_map(|resource| typing.classes(resource)).map(NamedNode::new_unchecked)))
}

fn has_resource(question: &Question) -> bool {
    answer_terms(question).iter().any(|term| matches!(term, Term::NamedNode(_)))
}

/// In the order of coming; there can be very many.
fn distinct(nodes: impl Iterator<Item = NamedNode>) -> Vec<Term> {
    nodes.collect::<IndexSet<NamedNode>>().into_iter().map(Term::from).collect()
}

fn of_query(asked: &Asked, items: impl FnOnce(&QueryGraph) -> Vec<Term>) -> Offer {
    match asked {
        Asked::Graph(graph) => Offer::Items(items(graph)),
        Asked::Nothing | Asked::Pseudo(_) => Offer::Nothing(Absence::Query),
        Asked::Unparsable(_) => Offer::Unreadable,
    }
}

impl Offer {
    /// The items; none where nothing readable is offered.
    pub(crate) fn into_items(self) -> Vec<Term> {
        match self {
            Self::Items(items) => items,
            Self::Nothing(_) | Self::Unreadable => Vec::new(),
        }
    }
}
