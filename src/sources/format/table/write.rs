//! Tables of answers as they are written: a line for each value, with its type, variable and row.

use indexmap::IndexSet;

use crate::base::error::{Error, Result};
use crate::sources::document::{AnswerSet, AnswerState, Cell, CellKind, Document, QueryKind, Question, Text};
use crate::sources::format::BytesAndLosses;
use crate::sources::format::loss::{Field, Losses, tell_odd_query};
use crate::sources::format::numeral::is_numeral;

const COLUMNS: [&str; 10] =
    ["id", "question", "answer", "type", "language", "datatype", "variable", "row", "confidence", "query"];

/// A line of the table, the fields of the question apart.
#[derive(Debug, Default)]
struct Line<'d> {
    answer: &'d str,
    kind: &'static str,
    language: &'d str,
    datatype: &'d str,
    variable: &'d str,
    row: usize,
    confidence: &'d str,
}

/// Writes a document with this between the fields.
pub(crate) fn write(document: &Document, delimiter: u8) -> Result<BytesAndLosses> {
    let mut losses = Losses::default();
    losses.tell_if(document.dataset_id.is_some(), &[Field::DatasetId], Field::DatasetId.name());
    let mut table = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    table.write_record(COLUMNS).map_err(|error| failed(&error))?;
    for question in &document.questions {
        losses.enter(question);
        tell_what_is_left_out(question, &mut losses);
        let (mut text, mut query) = (best_text(question), best_query(question));
        for line in lines(question, &mut losses) {
            let row = if line.row == 0 { String::new() } else { line.row.to_string() };
            let fields = [
                &question.key,
                text,
                line.answer,
                line.kind,
                line.language,
                line.datatype,
                line.variable,
                &row,
                line.confidence,
                query,
            ];
            let has_null = fields.iter().any(|field| field.contains('\0'));
            losses.tell_if(has_null, &STRINGS, "null bytes");
            table
                .write_record(fields.map(|field| field.replace('\0', "\u{fffd}")))
                .map_err(|error| failed(&error))?;
            (text, query) = ("", "");
        }
    }
    let bytes =
        table.into_inner().map_err(|error| Error::system(format!("the table cannot be written: {error}")))?;
    Ok((bytes, losses.into_list()))
}

/// The fields that say which values there are, and how they belong together.
const OF_SETS: [Field; 7] = [
    Field::Sets,
    Field::Variables,
    Field::Boolean,
    Field::HasBindings,
    Field::Confidence,
    Field::Rows,
    Field::State,
];

/// The fields that are texts in the table.
const STRINGS: [Field; 8] = [
    Field::Id,
    Field::Texts,
    Field::Queries,
    Field::Variable,
    Field::Value,
    Field::Datatype,
    Field::CellLanguage,
    Field::Confidence,
];

fn failed(error: &csv::Error) -> Error {
    Error::system(format!("the table cannot be written: {error}"))
}

/// The English text, or the first.
fn best_text(question: &Question) -> &str {
    let english = question.texts.iter().find(|text| text.language.as_deref() == Some("en"));
    english.or(question.texts.first()).map_or("", |text| &text.text)
}

/// The first SPARQL query.
fn best_query(question: &Question) -> &str {
    question.queries.iter().find(|query| query.kind == QueryKind::Sparql).map_or("", |query| &query.text)
}

/// The lines of a question: its values, or one line without a value.
fn lines<'d>(question: &'d Question, losses: &mut Losses) -> Vec<Line<'d>> {
    let mut lines = Vec::new();
    let mut row = 0;
    for set in &question.answers.sets {
        let confidence = set.confidence.as_deref().unwrap_or_default();
        for cells in set.rows.iter().map(|row| &row.cells) {
            row += 1;
            lines.extend(cells.iter().map(|cell| Line { row, confidence, ..line(cell, losses) }));
        }
        if let Some(value) = set.boolean {
            row += 1;
            let answer = if value { "true" } else { "false" };
            lines.push(Line { answer, kind: "boolean", row, confidence, ..Line::default() });
        }
    }
    if lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

fn line<'d>(cell: &'d Cell, losses: &mut Losses) -> Line<'d> {
    let optional = |part: &'d Option<String>| part.as_deref().unwrap_or_default();
    let is_odd = |text: &str| text.is_empty() || text.trim() != text;
    losses.tell_if(
        [&cell.datatype, &cell.language].iter().any(|part| part.as_deref().is_some_and(is_odd)),
        &[Field::Datatype, Field::CellLanguage],
        "datatypes and languages that are empty or in white space",
    );
    losses.tell_if(is_odd(&cell.variable), &[Field::Variable], "variables that are empty or in white space");
    // such a line says that there is no answer
    let is_lost = cell.value.is_empty() && cell.kind != CellKind::Literal;
    losses.tell_if(is_lost, &OF_SETS, "values that are empty and no literals");
    let kind = match cell.kind {
        CellKind::Uri => "uri",
        CellKind::Literal => "literal",
        CellKind::BlankNode => "bnode",
        CellKind::Unknown => "",
    };
    Line {
        answer: &cell.value,
        kind,
        language: optional(&cell.language),
        datatype: optional(&cell.datatype),
        variable: &cell.variable,
        ..Line::default()
    }
}

fn tell_what_is_left_out(question: &Question, losses: &mut Losses) {
    losses.tell_if(question.key != question.id, &[Field::Id], "ids that are missing or occur again");
    losses.not_held(
        question,
        &[
            Field::IdIsNumber,
            Field::Language,
            Field::Keywords,
            Field::AnswerType,
            Field::ItemTypes,
            Field::Flags,
            Field::QueryLanguage,
            Field::Annotations,
            Field::DatatypeFirst,
            Field::Names,
            Field::Candidates,
            Field::Error,
            Field::Time,
            Field::Asked,
            Field::Extras,
        ],
    );
    let one = |text: &Text| text.language.is_none() && !text.text.trim().is_empty();
    let is_held = question.texts.len() <= 1 && question.texts.iter().all(one);
    losses.tell_if(!is_held, &[Field::Texts], "further texts, and the languages of texts");
    question.queries.iter().for_each(|query| tell_odd_query(&query.text, losses));
    let is_held = question.queries.len() <= 1
        && question
            .queries
            .iter()
            .all(|q| q.kind == QueryKind::Sparql && !q.text.is_empty() && q.text.trim() == q.text);
    losses.tell_if(!is_held, &[Field::Queries], "further queries, and other queries than SPARQL");
    losses.tell_if(question.answers.state != AnswerState::Given, &[Field::State], Field::State.name());
    let sets = &question.answers.sets;
    let is_simple = |set: &AnswerSet| match set.boolean {
        Some(_) => set.rows.is_empty() && !set.has_bindings,
        None => !set.rows.is_empty() && set.has_bindings,
    };
    let is_held = sets.len() == 1 && sets.iter().all(is_simple);
    losses.tell_if(!is_held, &OF_SETS, "which values are in which answer object, and objects without values");
    let is_odd =
        |set: &AnswerSet| set.confidence.as_deref().is_some_and(|confidence| !is_numeral(confidence));
    losses.tell_if(
        sets.iter().any(is_odd),
        &[Field::Confidence, Field::Sets],
        "confidences that are no numbers",
    );
    // the reader takes the variables of the values for those of the head
    let is_other = |set: &AnswerSet| {
        let used: IndexSet<&str> =
            set.rows.iter().flat_map(|r| &r.cells).map(|c| c.variable.as_str()).collect();
        !used.into_iter().eq(set.variables.iter().map(String::as_str))
    };
    losses.tell_if(sets.iter().any(is_other), &[Field::Variables], Field::Variables.name());
    let is_nameless =
        |name: &String| name.trim() != name.as_str() || name.is_empty() || name.contains(char::is_control);
    losses.tell_if(
        sets.iter().any(|set| set.variables.iter().any(is_nameless)),
        &[Field::Variables, Field::Variable],
        "variables without a name, or with white space in it",
    );
}
