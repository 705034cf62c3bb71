//! The graph of a dataset or a submission as an archive publishes it: what its statements say.
//!
//! A published graph is a set. The order of rows, repeated values, and the spelling of flags and language tags are not
//! in it; values come sorted, and the file has a note that says so.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::vocab::{code, dct, qassay, schema};
use crate::sources::document::{
    Annotation, AnswerState, Document, LiveAnswer, Query, QueryKind, Question, Text,
};
use crate::sources::format::rdf::published_answers::{StatedItem, sets};
use crate::sources::format::rdf::{ObjectTerm, Statements, several};
use serde_json::{Map, Value};

/// Reads the questions of a dataset, or the answers of a submission.
pub(crate) fn read(statements: &Statements, document: &mut Document) -> Result<()> {
    let (questions, answers): (Vec<&str>, Vec<&str>) = (
        statements.with(RDF_TYPE, qassay::QUESTION).collect(),
        statements.with(RDF_TYPE, qassay::SYSTEM_ANSWER).collect(),
    );
    let wholes: BTreeSet<&str> =
        [(&questions, qassay::IN_DATASET_VERSION), (&answers, qassay::IN_SUBMISSION)]
            .iter()
            .flat_map(|(nodes, property)| nodes.iter().filter_map(|node| statements.text(node, property)))
            .collect();
    if wholes.len() > 1 {
        let names: Vec<&str> = wholes.into_iter().collect();
        return Err(several("datasets and submissions", &names));
    }
    if questions.is_empty() && answers.is_empty() {
        return Err(Error::input("the RDF states no questions and no answers")
            .allowed("a converted file, or the graph of a dataset or a submission")
            .hint("`qassay convert IN OUT.nq` writes RDF that can be read again"));
    }
    let of_questions = gold_answers(statements);
    let items = items(statements);
    let none = Vec::new();
    let mut found: Vec<(u64, Question)> = Vec::new();
    for node in questions {
        let gold = of_questions.get(node).copied();
        found.push(question(statements, node, gold, gold.and_then(|gold| items.get(gold)).unwrap_or(&none)));
    }
    for node in answers {
        found.push(question(statements, node, Some(node), items.get(node).unwrap_or(&none)));
    }
    found.sort_by_key(|(position, _)| *position);
    document.dataset_id = wholes.first().and_then(|whole| slug(whole)).map(str::to_owned);
    document.questions = found.into_iter().map(|(_, question)| question).collect();
    document.issues.push(note());
    Ok(())
}

const RDF_TYPE: &str = crate::base::vocab::rdf::TYPE;

fn note() -> Issue {
    let message = "the RDF has no record of the file that it was made of: values are sorted and each is there once, \
                   and texts may be spelled in another way";
    Issue::new(IssueCode::OnlyPublished, &Place::default(), message)
}

/// The name of the dataset in the IRI of its version: `…/dataset/SLUG/CHECKSUM`.
fn slug(version: &str) -> Option<&str> {
    let (_, path) = version.rsplit_once("/dataset/")?;
    path.split('/').next().filter(|slug| !slug.is_empty())
}

/// The published gold answer of each question; the first where there are several.
fn gold_answers(statements: &Statements) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    for answer in statements.with(RDF_TYPE, qassay::GOLD_ANSWER) {
        if let Some(question) = statements.text(answer, qassay::FOR_QUESTION) {
            found.entry(question).or_insert(answer);
        }
    }
    found
}

/// The items that have a node, by the answer that they are in.
fn items(statements: &Statements) -> BTreeMap<&str, Vec<StatedItem<'_>>> {
    let mut found: BTreeMap<&str, Vec<StatedItem>> = BTreeMap::new();
    for node in statements.with(RDF_TYPE, qassay::ANSWER_ITEM) {
        let Some(answer) = statements.text(node, qassay::IN_ANSWER) else { continue };
        let Some(term) = statements.values(node, qassay::TERM).next() else { continue };
        found.entry(answer).or_default().push(StatedItem {
            // `…/item/10` comes after `…/item/9`
            number: node.rsplit('/').next().and_then(|number| number.parse().ok()).unwrap_or_default(),
            row: statements.number(node, qassay::ROW).unwrap_or_default(),
            term,
            variable: statements.text(node, qassay::VARIABLE),
            text: statements.text(node, qassay::ITEM_TEXT),
            names: statements.values(node, qassay::ALIAS).map(text).collect(),
            confidence: statements.text(node, qassay::CONFIDENCE),
        });
    }
    for list in found.values_mut() {
        list.sort_by_key(|item| (item.row, item.number));
    }
    found
}

/// A question from its node and that of its answer, which are one in a submission.
fn question(
    statements: &Statements,
    node: &str,
    answer: Option<&str>,
    items: &[StatedItem],
) -> (u64, Question) {
    let get = |property| statements.text(node, property).map(str::to_owned);
    let concept = |property, prefix: &str| {
        let local = statements.text(node, property)?.strip_prefix(code::NAMESPACE)?;
        local.strip_prefix(prefix).map(str::to_owned)
    };
    let id = get(dct::IDENTIFIER).unwrap_or_default();
    let mut question = Question {
        place: Place {
            line: statements.number(node, qassay::LINE),
            question: (!id.is_empty()).then(|| id.clone()),
            path: None,
        },
        id,
        texts: statements.values(node, schema::TEXT).map(text).collect(),
        language: get(schema::IN_LANGUAGE),
        keywords: statements.values(node, qassay::KEYWORDS).map(text).collect(),
        answer_type: concept(qassay::ANSWER_TYPE, "type-").or_else(|| get(qassay::ANSWER_TYPE_TEXT)),
        answer_item_types: all(statements, node, qassay::ANSWER_ITEM_TYPE),
        flags: flags(statements, node),
        error: get(qassay::ERROR_MESSAGE),
        response_time: get(qassay::RESPONSE_TIME),
        asked: statements.number(node, qassay::TRIES).map(|tries| LiveAnswer {
            failure: concept(qassay::FAILURE_KIND, "failure-"),
            exchange: get(qassay::EXCHANGE),
            tries: u32::try_from(tries).unwrap_or(u32::MAX),
            notes: all(statements, node, qassay::REPLY_NOTE),
            kept: kept(statements, node),
        }),
        ..Question::default()
    };
    if let Some(answer) = answer {
        question.queries = queries(statements, answer);
        question.annotations = annotations(statements, answer);
        let plain: Vec<&ObjectTerm> = statements.values(answer, qassay::ANSWER_TERM).collect();
        question.answers.sets = sets(&plain, items);
    }
    let status =
        concept(qassay::QUESTION_STATUS, "question-").or_else(|| concept(qassay::ANSWER_STATUS, "status-"));
    question.answers.state = match status.as_deref() {
        _ if !question.answers.sets.is_empty() => AnswerState::Given,
        Some("out-of-scope") => AnswerState::OutOfScope,
        Some("unreadable") => AnswerState::Unreadable,
        Some("error") if question.error.is_none() => AnswerState::Unreadable,
        _ => AnswerState::Empty,
    };
    (statements.number(node, qassay::POSITION).unwrap_or_default(), question)
}

fn text(value: &ObjectTerm) -> Text {
    let language = match value {
        ObjectTerm::Literal { language, .. } => language.clone(),
        ObjectTerm::Iri(_) => None,
    };
    Text { language, text: value.text().to_owned() }
}

/// What a reply said beside its answers: `PLACE=JSON`.
fn kept(statements: &Statements, node: &str) -> Map<String, Value> {
    let parts = all(statements, node, qassay::REPLY_PART).into_iter();
    let part = |text: String| {
        let (place, json) = text.split_once('=')?;
        Some((place.to_owned(), serde_json::from_str(json).ok()?))
    };
    parts.filter_map(part).collect()
}

fn all(statements: &Statements, node: &str, property: &'static str) -> Vec<String> {
    statements.values(node, property).map(|value| value.text().to_owned()).collect()
}

fn flags(statements: &Statements, node: &str) -> Vec<(String, String)> {
    let named =
        [("aggregation", qassay::AGGREGATION), ("onlydbo", qassay::ONLYDBO), ("hybrid", qassay::HYBRID)];
    let known = named.into_iter().flat_map(|(name, property)| {
        statements.values(node, property).map(move |value| (name.to_owned(), value.text().to_owned()))
    });
    let odd = statements.values(node, qassay::FLAG_TEXT).filter_map(|value| {
        value.text().split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
    });
    known.chain(odd).collect()
}

fn queries(statements: &Statements, answer: &str) -> Vec<Query> {
    let kinds = [
        (QueryKind::Sparql, qassay::SPARQL_QUERY),
        (QueryKind::Pseudo, qassay::PSEUDO_QUERY),
        (QueryKind::Schemaless, qassay::SCHEMALESS_QUERY),
    ];
    let of_kind = |(kind, property)| {
        let texts = all(statements, answer, property).into_iter();
        texts.map(move |text| Query { kind, text, language: None })
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

fn annotations(statements: &Statements, answer: &str) -> Vec<Annotation> {
    let kinds = [("ENTITY", qassay::ANNOTATED_RESOURCE), ("PROPERTY", qassay::ANNOTATED_PROPERTY)];
    let of_kind = |(kind, property): (&str, &'static str)| {
        let kind = kind.to_owned();
        let iris = all(statements, answer, property).into_iter();
        iris.map(move |iri| Annotation { iri, kind: Some(kind.clone()), ..Annotation::default() })
    };
    kinds.into_iter().flat_map(of_kind).collect()
}
