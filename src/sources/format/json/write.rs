//! A question as a JSON object, in the shape of QALD-9 and QALD-10 or in that of eQALD.

use crate::base::error::Error;
use crate::sources::document::{
    Annotation, AnswerSet, AnswerState, Cell, CellKind, QueryKind, Question, Row, Text,
};
use crate::sources::format::context::OUT_OF_SCOPE;
use crate::sources::format::json::fields::FLAGS;
use crate::sources::format::loss::{Field, Losses, read_state, tell_odd_query};
use crate::sources::format::numeral::is_numeral;
use crate::sources::input::term;
use indexmap::IndexSet;
use oxigraph::model::Term;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The shapes of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QaldShape {
    /// QALD-9 and QALD-10.
    Qald,
    /// eQALD: metadata, annotations, confidences, types of items, schema-less queries.
    Eqald,
}

/// The keys that the readers know, beside the flags: an unknown field of another format may not take their place.
const KNOWN_KEYS: [&str; 28] = [
    "id",
    "dev_set_id",
    "question",
    "questions",
    "body",
    "language",
    "lang",
    "keywords",
    "metadata",
    "query",
    "answers",
    "answer",
    "answertype",
    "answeritemtype",
    "error",
    "errormessage",
    "responsetime",
    "time",
    "responsetimems",
    "timems",
    "asked",
    "sparql",
    "pseudo",
    "pseudoquery",
    "schemaless",
    "string",
    "text",
    "type",
];

/// A question object. Unknown fields keep the spelling of their JSON.
#[derive(Debug)]
pub(crate) struct QuestionObject {
    fields: Map<String, Value>,
    extras: Vec<(String, Box<RawValue>)>,
}

impl QuestionObject {
    /// Whether it has a key that only questions have.
    pub(crate) fn is_evident(&self) -> bool {
        ["question", "answers", "query"].iter().any(|key| self.fields.contains_key(*key))
    }

    /// The object on one line.
    pub(crate) fn line(&self) -> serde_json::Result<String> {
        let line = serde_json::to_string(self)?;
        // JSON may be written over several lines; the texts in it have no line breaks of their own
        if line.contains(['\n', '\r']) {
            serde_json::from_str::<Value>(&line).map(|v| v.to_string())
        } else {
            Ok(line)
        }
    }
}

impl Serialize for QuestionObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len() + self.extras.len()))?;
        for (key, value) in &self.fields {
            map.serialize_entry(key, value)?;
        }
        for (key, value) in &self.extras {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// The object of a question.
pub(crate) fn question(question: &Question, dialect: QaldShape, losses: &mut Losses) -> QuestionObject {
    losses.enter(question);
    losses.not_held(question, &[Field::Language, Field::QueryLanguage, Field::Names, Field::Candidates]);
    let mut fields = Map::new();
    id(question, &mut fields, losses);
    let mut described = Map::new();
    if let Some(word) = &question.answer_type {
        described.insert("answertype".to_owned(), json!(word));
    }
    flags(question, &mut described, losses);
    if dialect == QaldShape::Eqald {
        if !question.answer_item_types.is_empty() {
            described.insert("answeritemtype".to_owned(), json!(question.answer_item_types));
        }
        if !described.is_empty() {
            fields.insert("metadata".to_owned(), Value::Object(described));
        }
    } else {
        losses.not_held(question, &[Field::ItemTypes, Field::Annotations]);
        fields.extend(described);
    }
    let mut texts = texts(question);
    if dialect == QaldShape::Eqald {
        annotations(&question.annotations, &mut texts, losses);
    }
    if !texts.is_empty() {
        let texts = texts.into_iter().map(Value::Object).collect();
        fields.insert("question".to_owned(), Value::Array(texts));
    }
    let queries = queries(question, dialect, losses);
    let is_marked = queries.values().any(|text| text.as_str() == Some(OUT_OF_SCOPE));
    if !queries.is_empty() {
        fields.insert("query".to_owned(), Value::Object(queries));
    }
    if let Some(answers) = answers(question, dialect, is_marked, losses) {
        fields.insert("answers".to_owned(), answers);
    }
    if let Some(error) = &question.error {
        losses.tell_if(error.trim().is_empty(), &[Field::Error], "errors without text");
        fields.insert("error".to_owned(), json!(error));
    }
    if let Some(seconds) = &question.response_time {
        losses.tell_if(
            !is_numeral(seconds) || seconds.starts_with('-'),
            &[Field::Time],
            "times that are no numbers",
        );
        fields.insert("time".to_owned(), number(seconds));
    }
    if let Some(asked) = &question.asked {
        fields.insert("asked".to_owned(), json!(asked));
    }
    let extras = extras(question, &fields, losses);
    QuestionObject { fields, extras }
}

fn id(question: &Question, fields: &mut Map<String, Value>, losses: &mut Losses) {
    let id = question.id.as_str();
    losses.tell_if(id.trim() != id, &[Field::Id], "white space around ids");
    // whether it comes back, reading it again says
    losses.not_held(question, &[Field::IdIsNumber]);
    if id.trim().is_empty() {
        return;
    }
    let value = if question.id_is_number { number(id) } else { json!(id) };
    fields.insert("id".to_owned(), value);
}

/// A numeral as a JSON number where that is spelled the same, else as a text.
pub(crate) fn number(numeral: &str) -> Value {
    let parsed = serde_json::from_str::<serde_json::Number>(numeral).ok();
    parsed.filter(|number| number.to_string() == numeral).map_or_else(|| json!(numeral), Value::Number)
}

fn flags(question: &Question, fields: &mut Map<String, Value>, losses: &mut Losses) {
    for (name, value) in &question.flags {
        if !FLAGS.contains(&name.as_str()) || fields.contains_key(name) {
            losses.tell(&[Field::Flags], "flags that QALD does not have, or twice");
            continue;
        }
        let value = match value.as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            other => json!(other),
        };
        fields.insert(name.clone(), value);
    }
}

/// One entry a text, with the keywords of its language; keywords without such a text have an entry of their own.
fn texts(question: &Question) -> Vec<Map<String, Value>> {
    let mut entries = Vec::with_capacity(question.texts.len());
    let mut keywords = question.keywords.iter().peekable();
    for (index, text) in question.texts.iter().enumerate() {
        let later = &question.texts[index..];
        while let Some(orphan) = keywords.next_if(|k| later.iter().all(|text| text.language != k.language)) {
            entries.push(entry("keywords", orphan));
        }
        let mut own = entry("string", text);
        if let Some(found) = keywords.next_if(|keywords| keywords.language == text.language) {
            own.insert("keywords".to_owned(), json!(found.text));
        }
        entries.push(own);
    }
    entries.extend(keywords.map(|rest| entry("keywords", rest)));
    entries
}

fn entry(key: &str, text: &Text) -> Map<String, Value> {
    let mut entry = Map::new();
    if let Some(language) = &text.language {
        entry.insert("language".to_owned(), json!(language));
    }
    entry.insert(key.to_owned(), json!(text.text));
    entry
}

/// Annotations stand with a text; the first takes all of them.
fn annotations(annotations: &[Annotation], texts: &mut Vec<Map<String, Value>>, losses: &mut Losses) {
    if annotations.is_empty() {
        return;
    }
    let list: Vec<Value> = annotations
        .iter()
        .map(|annotation| {
            let mut object = Map::new();
            let offset = |text: &String| if is_numeral(text) { number(text) } else { json!(text) };
            object.extend(annotation.begin.as_ref().map(|begin| ("char_begin".to_owned(), offset(begin))));
            object.extend(annotation.end.as_ref().map(|end| ("char_end".to_owned(), offset(end))));
            if !annotation.iri.is_empty() {
                object.insert("URI".to_owned(), json!(annotation.iri));
            }
            object.extend(annotation.kind.as_ref().map(|kind| ("type".to_owned(), json!(kind))));
            losses.tell_if(object.is_empty(), &[Field::Annotations], "annotations that say nothing");
            Value::Object(object)
        })
        .collect();
    if texts.is_empty() {
        texts.push(Map::new());
    }
    texts[0].insert("annotations".to_owned(), Value::Array(list));
}

/// One query a kind. The marker stands in the place of a query.
fn queries(question: &Question, dialect: QaldShape, losses: &mut Losses) -> Map<String, Value> {
    let mut queries = Map::new();
    let mut seen = BTreeSet::new();
    for query in &question.queries {
        if query.kind == QueryKind::Schemaless && dialect == QaldShape::Qald {
            losses.tell(&[Field::Queries, Field::QueryLanguage], "schema-less queries");
        } else if !seen.insert(query.kind.name()) {
            losses.tell(&[Field::Queries, Field::QueryLanguage], "more than one query of a kind");
        } else {
            tell_odd_query(&query.text, losses);
            queries.insert(query.kind.name().to_owned(), json!(query.text));
        }
    }
    if question.answers.state == AnswerState::OutOfScope {
        let free = ["sparql", "pseudo"].into_iter().find(|kind| !queries.contains_key(*kind));
        if let Some(kind) = free {
            queries.insert(kind.to_owned(), json!(OUT_OF_SCOPE));
        }
    }
    queries
}

/// Unknown fields go where they came from, if they are JSON and no reader takes them for something else.
fn extras(
    question: &Question,
    fields: &Map<String, Value>,
    losses: &mut Losses,
) -> Vec<(String, Box<RawValue>)> {
    let mut extras: Vec<(String, Box<RawValue>)> = Vec::new();
    for extra in &question.extras {
        let plain = extra.name.trim().to_ascii_lowercase();
        let is_known = KNOWN_KEYS.contains(&&*plain) || FLAGS.contains(&&*plain);
        let is_taken = fields.contains_key(&extra.name) || extras.iter().any(|(name, _)| *name == extra.name);
        // whether it comes back, reading it again says
        losses.tell(&[Field::Extras], Field::Extras.name());
        // others are places below a key, such as `answers[0].foo`
        let is_key = extra.name.chars().all(|c| c.is_alphanumeric() || c == '_') && !extra.name.is_empty();
        if let Ok(value) = RawValue::from_string(extra.value.clone())
            && !is_known
            && !is_taken
            && is_key
        {
            extras.push((extra.name.clone(), value));
        }
    }
    extras
}

/// The list of answer objects; nothing where the question has no place for answers.
pub(crate) fn answers(
    question: &Question,
    dialect: QaldShape,
    is_marked: bool,
    losses: &mut Losses,
) -> Option<Value> {
    let sets = &question.answers.sets;
    if dialect == QaldShape::Qald {
        losses.not_held(question, &[Field::Confidence]);
    }
    let is_there =
        !sets.is_empty() || matches!(question.answers.state, AnswerState::Empty | AnswerState::Unreadable);
    losses.tell_if(
        read_state(sets, is_marked, is_there) != question.answers.state,
        &[Field::State],
        Field::State.name(),
    );
    is_there.then(|| sets.iter().map(|set| object(set, dialect, losses)).collect())
}

fn object(set: &AnswerSet, dialect: QaldShape, losses: &mut Losses) -> Value {
    let mut object = Map::new();
    let head = if set.variables.is_empty() && !set.has_bindings {
        json!({})
    } else {
        json!({ "vars": variables(set) })
    };
    object.insert("head".to_owned(), head);
    if set.has_bindings || !set.rows.is_empty() {
        losses.tell_if(!set.has_bindings, &[Field::HasBindings], Field::HasBindings.name());
        let rows: Vec<Value> = set.rows.iter().map(|row| bindings(row, losses)).collect();
        object.insert("results".to_owned(), json!({ "bindings": rows }));
    } else if set.boolean.is_none() {
        // An object without anything that answers cannot be read.
        object.insert("results".to_owned(), json!({}));
    }
    if let Some(value) = set.boolean {
        object.insert("boolean".to_owned(), Value::Bool(value));
    }
    if let Some(confidence) = set.confidence.as_deref().filter(|_| dialect == QaldShape::Eqald) {
        losses.tell_if(!is_numeral(confidence), &[Field::Confidence], "confidences that are no numbers");
        object.insert("confidence".to_owned(), number(confidence));
    }
    Value::Object(object)
}

/// The variables of the head. Where the file has no head (flat XML), those of the rows: other programs look for them.
fn variables(set: &AnswerSet) -> Vec<&str> {
    if !set.variables.is_empty() {
        return set.variables.iter().map(String::as_str).collect();
    }
    let cells = set.rows.iter().flat_map(|row| &row.cells);
    cells.map(|cell| cell.variable.as_str()).collect::<IndexSet<_>>().into_iter().collect()
}

fn bindings(row: &Row, losses: &mut Losses) -> Value {
    let mut bindings = Map::new();
    for cell in &row.cells {
        let mut variable = cell.variable.clone();
        let mut number = 1;
        while bindings.contains_key(&variable) {
            number += 1;
            variable = format!("{}{number}", cell.variable);
            losses.tell(&[Field::Variable], "variables that a row has twice");
        }
        let in_quotes = variable.len() > 1 && variable.starts_with('"') && variable.ends_with('"');
        losses.tell_if(in_quotes, &[Field::Variable], "quotes around variables");
        bindings.insert(variable, binding(cell, losses));
    }
    Value::Object(bindings)
}

fn binding(cell: &Cell, losses: &mut Losses) -> Value {
    let mut binding = Map::new();
    let kind = match cell.kind {
        CellKind::Uri => "uri",
        CellKind::BlankNode => "bnode",
        // the standard has no term without a kind: what it is for all of this program
        CellKind::Unknown if matches!(term::of_cell(cell).term, Term::NamedNode(_)) => "uri",
        CellKind::Literal | CellKind::Unknown => "literal",
    };
    binding.insert("type".to_owned(), json!(kind));
    let datatype = cell.datatype.as_ref().map(|datatype| ("datatype".to_owned(), json!(datatype)));
    // GERBIL's loader looks at the order of these two
    let (before, behind) = if cell.datatype_first { (datatype, None) } else { (None, datatype) };
    losses.tell_if(
        cell.datatype_first && before.is_none(),
        &[Field::DatatypeFirst],
        "datatypes that are null and stand before the value",
    );
    binding.extend(cell.language.as_ref().map(|language| ("xml:lang".to_owned(), json!(language))));
    binding.extend(before);
    binding.insert("value".to_owned(), json!(cell.value));
    binding.extend(behind);
    Value::Object(binding)
}

/// The error for JSON that cannot be written.
pub(crate) fn not_written(error: &serde_json::Error) -> Error {
    Error::system(format!("the JSON cannot be written: {error}"))
}
