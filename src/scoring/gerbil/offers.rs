//! The items of GERBIL's experiment types: strings and annotations of answers, markings of queries, answer types.

use indexmap::IndexSet;
use oxigraph::model::{Literal, NamedNode, Term};
use rustc_hash::FxBuildHasher;

use crate::profiles::era::Era;
use crate::profiles::loaders::gerbil_names::{boolean_text, cell_text};
use crate::profiles::rules::Reading;
use crate::scoring::cases::Answer;
use crate::scoring::gerbil::items::{AnswerKind, GerbilAnswer, gold_items, system_items};
use crate::scoring::gerbil::known_kb::is_known;
use crate::scoring::plan::Plan;
use crate::scoring::skip::Party;
use crate::sources::document::{QueryKind, Question};
use crate::sparql::walk::{Marking, markings_if_parsed};

/// The language that GERBIL takes where the user names none (statement 6.1).
use crate::profiles::loaders::LANGUAGE;

/// One item with what the match queries join on.
#[derive(Debug, Clone)]
pub(crate) enum GerbilItem {
    /// A string, an annotation, or what a string is forced to.
    Answer(GerbilAnswer),
    /// An annotation or property of a query, with all its URIs.
    Meaning { uri: String, uris: Vec<String>, known: bool },
    /// A triple pattern of a query.
    Relation { subject: Vec<String>, predicate: Vec<String>, object: Vec<String>, literal: Option<String> },
    /// An answer type.
    Type(&'static str),
}

impl GerbilItem {
    /// What the item stands for, in matches.
    pub(crate) fn meant(&self) -> Term {
        let named = |uri: &str| match NamedNode::new(uri) {
            Ok(node) => node.into(),
            Err(_) => Literal::new_simple_literal(uri).into(),
        };
        match self {
            Self::Answer(item) if item.kind == AnswerKind::Text => {
                Literal::new_simple_literal(&item.text).into()
            }
            Self::Answer(item) => named(&item.text),
            Self::Meaning { uri, .. } => named(uri),
            Self::Relation { subject, predicate, object, literal } => {
                let first = |uris: &[String]| uris.first().map_or("?".to_owned(), |uri| format!("<{uri}>"));
                let object = literal.as_ref().map_or_else(|| first(object), |text| format!("{text:?}"));
                let text = format!("{} {} {object}", first(subject), first(predicate));
                Literal::new_simple_literal(text).into()
            }
            Self::Type(name) => Literal::new_simple_literal(*name).into(),
        }
    }
}

/// The items of one side of a question.
pub(crate) fn items(
    reading: Reading,
    era: Era,
    role: Party,
    answer: &Answer<'_>,
    plan: &Plan,
) -> Vec<GerbilItem> {
    match reading {
        Reading::GerbilAnswers => answers(era, role, answer.question, plan),
        Reading::GerbilAnswerType => answer_type(answer.question).map(GerbilItem::Type).into_iter().collect(),
        Reading::GerbilConcepts => meanings(role, answer.question, plan, |_| true),
        Reading::GerbilProperties => {
            meanings(role, answer.question, plan, |marking| matches!(marking, Marking::Property(_)))
        }
        Reading::GerbilRelations => relations(role, answer.question, plan),
        _ => Vec::new(),
    }
}

fn answers(era: Era, role: Party, question: &Question, plan: &Plan) -> Vec<GerbilItem> {
    let language = plan.language().unwrap_or(LANGUAGE);
    let labelled = |text: &str| {
        plan.references.labels.as_ref().map_or_else(Vec::new, |labels| labels.resources(text, language))
    };
    let strings = strings(question);
    let items = match (role, &plan.references.retriever) {
        (Party::System, Some(retriever)) => system_items(&strings, era, retriever, &labelled),
        _ => gold_items(&strings, era, &labelled),
    };
    items.into_iter().map(GerbilItem::Answer).collect()
}

/// The strings that GERBIL's loader makes of the answers (statement A.2), each once.
fn strings(question: &Question) -> Vec<String> {
    let mut strings: IndexSet<String, FxBuildHasher> = IndexSet::default();
    for set in &question.answers.sets {
        let cells = set.rows.iter().flat_map(|row| &row.cells);
        let cells = cells.map(|cell| cell_text(&cell.value, cell.datatype.as_deref(), cell.datatype_first));
        let boolean = set.boolean.map(|value| boolean_text(&value.to_string()));
        strings.extend(cells.chain(boolean));
    }
    strings.into_iter().collect()
}

/// The markings of the query that GERBIL takes: of several, the last that it can read (statements 3.1.1, A.3).
fn marked(question: &Question) -> Vec<Marking> {
    let mut queries = question.queries.iter().rev().filter(|query| query.kind == QueryKind::Sparql);
    queries.find_map(|query| markings_if_parsed(&query.text)).unwrap_or_default()
}

/// Gold meanings are expanded to all their equals, those of the system are not (statements 3.8, 4.4).
fn expand(role: Party, uri: &str, plan: &Plan) -> Vec<String> {
    match (role, &plan.references.retriever) {
        (Party::Gold, Some(retriever)) => retriever.expand(uri),
        _ => vec![uri.to_owned()],
    }
}

fn meanings(role: Party, question: &Question, plan: &Plan, wanted: fn(&Marking) -> bool) -> Vec<GerbilItem> {
    let meaning = |marking: Marking| match marking {
        Marking::Annotation(uri) | Marking::Property(uri) => {
            let uris = expand(role, &uri, plan);
            let known = is_known(&uris);
            Some(GerbilItem::Meaning { uri, uris, known })
        }
        Marking::Relation { .. } => None,
    };
    marked(question).into_iter().filter(wanted).filter_map(meaning).collect()
}

fn relations(role: Party, question: &Question, plan: &Plan) -> Vec<GerbilItem> {
    let all = |uri: Option<String>| uri.map(|uri| expand(role, &uri, plan)).unwrap_or_default();
    let mut unique = 0;
    let relation = |marking: Marking| match marking {
        Marking::Relation { subject, predicate, object, literal } => {
            let literal = literal.map(|text| {
                // The text of an unknown datatype names a Java object: it equals nothing, not even itself.
                unique += 1;
                text.comparable().map_or_else(|| format!("{role:?} object {unique}"), str::to_owned)
            });
            Some(GerbilItem::Relation {
                subject: all(subject),
                predicate: all(Some(predicate)),
                object: all(object),
                literal,
            })
        }
        _ => None,
    };
    marked(question).into_iter().filter_map(relation).collect()
}

/// The five words of statement 3.7.1, and the misspelling that it mends.
fn answer_type(question: &Question) -> Option<&'static str> {
    match question.answer_type.as_deref()?.to_uppercase().as_str() {
        "RESOURCE" | "RESOUCE" => Some("RESOURCE"),
        "STRING" => Some("STRING"),
        "NUMBER" => Some("NUMBER"),
        "DATE" => Some("DATE"),
        "BOOLEAN" => Some("BOOLEAN"),
        _ => None,
    }
}
