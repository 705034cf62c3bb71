//! CSV and TSV: a line a value of an answer, with the id of its question.
//!
//! The header names the columns, in any case: `id` and `answer` must be there; `question`, `language`, `type`,
//! `datatype`, `variable`, `row`, `confidence` and `query` may be. A question without answers has one line with an
//! empty answer. Predictions beside answers are those of a system: they are read where the file is a submission. Without a header, every line is an id and an answer. Lines of a question may stand anywhere.
//! Fields may be quoted as in RFC 4180; where quotes in a TSV are not closed, they are characters like others.

use std::collections::HashMap;

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::sources::document::{AnswerSet, Cell, CellKind, Document, QueryKind, Row};
use crate::sources::file::line;
use crate::sources::format::context::Context;
use crate::sources::format::drafts::Drafts;
use crate::sources::format::table::columns::{ColumnRole, Columns, columns, with_predictions};
use crate::sources::format::table::delimited;
use crate::sources::format::table::delimited::CsvLines;
use crate::sources::format::table::write::write;
use crate::sources::format::{Format, Target, question_type};

/// Tables with commas or semicolons.
pub(crate) static CSV: Format = Format {
    name: "csv",
    description: "CSV: a line a value, with a header that names at least `id` and `answer`.",
    media_type: "text/csv",
    recognise: |content| columns(content).is_some_and(|columns| columns.delimiter != b'\t'),
    read,
    targets: &[Target {
        name: "csv",
        description: "CSV: a line for each value of an answer, with its type, variable and row",
        ending: Some("csv"),
        media_type: "text/csv",
        may_be_empty: false,
        is_exact: false,
        write: |document, _| write(document, b','),
    }],
};

/// Tables with tabs.
pub(crate) static TSV: Format = Format {
    name: "tsv",
    description: "TSV: a line a value, with a header that names at least `id` and `answer`.",
    media_type: "text/tab-separated-values",
    recognise: |content| columns(content).is_some_and(|columns| columns.delimiter == b'\t'),
    read,
    targets: &[Target {
        name: "tsv",
        description: "TSV: the same with tabs between the fields",
        ending: Some("tsv"),
        media_type: "text/tab-separated-values",
        may_be_empty: false,
        is_exact: false,
        write: |document, _| write(document, b'\t'),
    }],
};

/// Tables with answers and predictions.
pub(crate) static PREDICTIONS: Format = Format {
    name: "predictions-table",
    description: "CSV or TSV with columns of answers and predictions, read as a submission.",
    media_type: "text/csv",
    recognise: predicts,
    read: |content, here| read_columns(content, with_predictions(content), here),
    targets: &[],
};

/// Whether a table has answers and predictions.
pub(crate) fn predicts(content: &[u8]) -> bool {
    with_predictions(content).is_some()
}

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    read_columns(content, columns(content), here)
}

fn read_columns(content: &[u8], columns: Option<Columns>, here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let columns = columns.ok_or_else(|| {
        Error::input("the first line names no columns").allowed("a header with `id` and `answer`")
    })?;
    note_columns(&columns, here);
    let quoted = delimited::are_quotes_read(text, columns.delimiter, here.notes)?;
    let mut table = csv::ReaderBuilder::new()
        .has_headers(columns.has_header())
        .flexible(true)
        .quoting(quoted)
        .delimiter(columns.delimiter)
        .from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    let (mut lines, mut drafts, mut rows) = (CsvLines::of(text), Drafts::new(here.notes), Rows::new());
    loop {
        let more = table.read_record(&mut record).map_err(|error| Error::input(error.to_string()))?;
        if !more {
            break;
        }
        let line = lines.line(&record);
        // a line of delimiters only is a blank line
        if record.iter().any(|field| !field.trim().is_empty()) {
            let fields = Fields { columns: &columns, record: &record };
            let id = fields.get(ColumnRole::Id).unwrap_or_default().trim();
            read_line(fields, id, line, &mut rows, &mut drafts.of(id, line));
        }
    }
    drafts.finish(here.draft, |_| {});
    Ok(())
}

fn note_columns(columns: &Columns, here: &mut Context<Document>) {
    here.enter(Place::line(1));
    let unknown = columns.names.iter().zip(&columns.roles).filter(|(_, role)| role.is_none());
    for (name, _) in unknown.filter(|(name, _)| !question_type::is_field(name)) {
        let message =
            format!("the column `{name}` is not known or not the first of its kind; it is kept and not used");
        here.named("header").note_once(IssueCode::UnknownField, message);
    }
}

/// The rows that have begun: question, position of the set and number of the row to the position of the row.
type Rows = HashMap<(String, usize, String), usize>;

/// A line with its fields by role.
#[derive(Clone, Copy)]
struct Fields<'r> {
    columns: &'r Columns,
    record: &'r csv::StringRecord,
}

impl<'r> Fields<'r> {
    /// The field of a role as written; none where there is no such column or it is empty.
    fn get(&self, role: ColumnRole) -> Option<&'r str> {
        self.columns.of(role).and_then(|column| self.record.get(column)).filter(|field| !field.is_empty())
    }
}

fn read_line(fields: Fields, id: &str, line: u64, rows: &mut Rows, here: &mut Context) {
    let (record, columns) = (fields.record, fields.columns);
    let (count, expected) = (record.len(), columns.roles.len());
    if count != expected {
        let text: Vec<&str> = record.iter().collect();
        let separator = char::from(columns.delimiter).to_string();
        here.draft.keep_once(&format!("line {line}"), &text.join(&separator));
        let message = format!("the line has {count} fields, not {expected}; it is kept and not used");
        return here.named("line").cannot_read(message);
    }
    about_the_question(fields, here);
    here.draft.has_answers = true;
    if let Some(value) = AnswerField::of(fields, here) {
        add(id, fields, value, rows, here);
    }
}

/// Adds a value to the set of its confidence and to the row of its number.
fn add(id: &str, fields: Fields, value: AnswerField, rows: &mut Rows, here: &mut Context) {
    let confidence = fields
        .get(ColumnRole::Confidence)
        .and_then(|written| here.named("confidence").confidence(written.trim()));
    let number = fields.get(ColumnRole::Row).map(str::trim).filter(|number| is_row(number, here));
    let sets = &mut here.draft.question.answers.sets;
    let is_same = |set: &AnswerSet| plain(set.confidence.as_deref()) == plain(confidence.as_deref());
    let known = sets.iter().position(is_same);
    let at = known.unwrap_or_else(|| {
        sets.push(AnswerSet { confidence: confidence.clone(), ..AnswerSet::default() });
        sets.len() - 1
    });
    let set = &mut sets[at];
    let cell = match value {
        AnswerField::Boolean(value) => {
            if set.boolean.replace(value).is_some_and(|before| before != value) {
                let message = "true and false are given; the last one counts";
                here.named("answer").note(IssueCode::DuplicateKey, message);
            }
            return;
        }
        AnswerField::Cell(cell) => cell,
    };
    set.has_bindings = true;
    if fields.get(ColumnRole::Variable).is_some() && !set.variables.contains(&cell.variable) {
        set.variables.push(cell.variable.clone());
    }
    // a question without id has no second line
    let key = number.filter(|_| !id.is_empty()).map(|number| (id.to_owned(), at, number.to_owned()));
    if let Some(row) = key.as_ref().and_then(|key| rows.get(key)) {
        set.rows[*row].cells.change(|cells| cells.push(cell));
    } else {
        set.rows.push(Row { cells: [cell].into() });
        let row = set.rows.len() - 1;
        rows.extend(key.map(|key| (key, row)));
    }
}

/// A numeral without zeros at its end: 0.9 and 0.90 are the same.
fn plain(numeral: Option<&str>) -> Option<&str> {
    let plain = |numeral: &str| numeral.trim_end_matches('0').trim_end_matches('.').len();
    numeral.map(|numeral| if numeral.contains('.') { &numeral[..plain(numeral)] } else { numeral })
}

/// Text, query, unknown columns: the same in every line of a question, or given once.
fn about_the_question(fields: Fields, here: &mut Context) {
    if let Some(text) = fields.get(ColumnRole::Question) {
        match here.draft.question.texts.first() {
            None => here.draft.add_text(None, text.to_owned()),
            Some(first) if first.text == text => {}
            Some(_) => {
                let message = "the question has another text in another line; the first one counts";
                here.note(IssueCode::DuplicateKey, message);
                here.draft.keep_once("question", text);
            }
        }
    }
    if let Some(query) = fields.get(ColumnRole::Query).filter(|query| !query.trim().is_empty()) {
        here.named("query").add_query(QueryKind::Sparql, query);
    }
    let unknown = fields.columns.names.iter().zip(&fields.columns.roles).zip(fields.record);
    for ((name, _), value) in unknown.filter(|((_, role), value)| role.is_none() && !value.is_empty()) {
        here.draft.keep_once(name, value);
    }
}

fn is_row(number: &str, here: &mut Context) -> bool {
    let is_number = line::is_integer(number);
    if !is_number {
        let message = format!("the row `{number}` is no number; the value is a row of its own");
        here.named("row").note(IssueCode::NotANumber, message);
    }
    is_number
}

/// What a line says about the answer.
enum AnswerField {
    Boolean(bool),
    Cell(Cell),
}

impl AnswerField {
    /// The value of a line; none for a line without answer. A text without characters needs the type `literal`.
    fn of(fields: Fields, here: &mut Context) -> Option<Self> {
        let word = fields.get(ColumnRole::Type).map(|word| word.trim().to_lowercase()).unwrap_or_default();
        let written = fields.get(ColumnRole::Answer).unwrap_or_default();
        let kind = match word.as_str() {
            "uri" | "iri" => CellKind::Uri,
            "literal" | "typed-literal" => CellKind::Literal,
            "bnode" => CellKind::BlankNode,
            "" => CellKind::Unknown,
            "boolean" => return boolean(written, here).map(Self::Boolean),
            other => {
                let message = format!("the type `{other}` is none of uri, literal, boolean, bnode");
                here.named("type").note(IssueCode::UnknownTermKind, message);
                CellKind::Unknown
            }
        };
        if written.is_empty() && kind != CellKind::Literal {
            return None;
        }
        let text = |role| fields.get(role).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        Some(Self::Cell(Cell {
            variable: text(ColumnRole::Variable).unwrap_or_else(|| "answer".to_owned()),
            kind,
            value: written.to_owned(),
            datatype: text(ColumnRole::Datatype),
            language: text(ColumnRole::Language),
            ..Cell::default()
        }))
    }
}

fn boolean(written: &str, here: &mut Context) -> Option<bool> {
    match written.trim().to_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => {
            let message = format!("the boolean is `{written}`, neither true nor false");
            here.named("answer").cannot_read(message);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    fn told(document: &Document) -> String {
        let line = |i: &crate::base::issue::Issue| format!("{} {}: {}", i.place, i.code.name(), i.message);
        document.issues.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The answers of each question: confidence, boolean, rows of cells.
    fn answers(document: &Document) -> String {
        let cell = |c: &Cell| {
            let about = [c.datatype.as_deref(), c.language.as_deref()].into_iter().flatten();
            let about = about.map(|text| [" (", text, ")"].concat()).collect::<Vec<_>>().concat();
            format!("{}={:?} {}{about}", c.variable, c.kind, c.value)
        };
        let row = |r: &Row| format!("[{}]", r.cells.iter().map(cell).collect::<Vec<_>>().join(", "));
        let set = |s: &AnswerSet| {
            let rows = s.rows.iter().map(row).collect::<Vec<_>>().join(" ");
            format!("{:?} {:?} {rows}", s.confidence, s.boolean)
        };
        let lines = document.questions.iter().map(|q| {
            let sets = q.answers.sets.iter().map(set).collect::<Vec<_>>().join(" / ");
            format!("{} {:?}: {sets}\n", q.key, q.answers.state)
        });
        lines.collect()
    }

    #[test]
    fn every_column() {
        let found = CSV.recognised(
            "Question_ID,answer,question,lang,type,datatype,variable,row,confidence,query,note\n\
             2,http://e/a,Which?,,uri,,x,1,0.9,SELECT ?x {},n\n\
             2,\"a, \"\"b\"\"\nc\",Which?,de,literal,,y,1,0.9,SELECT ?x {},n\n\
             1,true,Is it?,,boolean,,,,,,\n\
             2,7,,,literal,http://d,x,2,0.90,,m\n\
             2,_:b,,,bnode,,x,1,0.5,,\n\
             3,,None?,,,,,,,OUT OF SCOPE,\n\
             4,,Empty?,,,,,,,,\n\
             4,,,,literal,,,,,,\n",
        );
        insta::assert_snapshot!(answers(&found), @r#"
        2 Given: Some("0.9") None [x=Uri http://e/a, y=Literal a, "b"
        c (de)] [x=Literal 7 (http://d)] / Some("0.5") None [x=BlankNode _:b]
        1 Given: None Some(true) 
        3 OutOfScope: 
        4 Given: None None [answer=Literal ]
        "#);
        insta::assert_snapshot!(told(&found), @"line 1, header unknown-field: the column `note` is not known or not the first of its kind; it is kept and not used");
        let second = &found.questions[0];
        assert_eq!((second.texts.len(), second.queries.len(), second.extras.len()), (1, 1, 2));
        assert_eq!(found.questions[1].place.line, Some(5));
    }

    #[test]
    fn without_header_and_types() {
        let found = TSV.recognised("q1\thttp://e/a\nq2\t\nq1\tx, y\n");
        assert_eq!(found.issues, []);
        let states: Vec<AnswerState> = found.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [AnswerState::Given, AnswerState::Empty]);
        assert_eq!(found.questions[0].answers.sets[0].rows[1].cells[0].kind, CellKind::Unknown);
    }

    #[test]
    fn odd_lines_are_kept() {
        let found = CSV.recognised("id;answer;type;row;score\n1;a;uri\n1;b;page;first;high\n2;perhaps;boolean;;\n;c;;;\n;d;;;\n;;;;\n3;true;boolean;;\n3;false;boolean;;\n",
        );
        insta::assert_snapshot!(answers(&found), @r"
        1 Given: None None [answer=Unknown b]
        2 Unreadable: 
        ~3 Given: None None [answer=Unknown c]
        ~4 Given: None None [answer=Unknown d]
        3 Given: None Some(false)
        ");
        insta::assert_snapshot!(told(&found), @r"
        line 2, question 1, line unreadable-answer: the line has 3 fields, not 5; it is kept and not used
        line 3, question 1, type unknown-term-kind: the type `page` is none of uri, literal, boolean, bnode
        line 3, question 1, confidence not-a-number: the confidence `high` is no number; it is left out
        line 3, question 1, row not-a-number: the row `first` is no number; the value is a row of its own
        line 4, question 2, answer unreadable-answer: the boolean is `perhaps`, neither true nor false
        line 9, question 3, answer duplicate-key: true and false are given; the last one counts
        line 5 missing-id: the question has no id; it is called `~3`
        line 6 missing-id: the question has no id; it is called `~4`
        ");
        assert_eq!(found.questions[0].extras[0].value, "1;a;uri");
    }

    #[test]
    fn quotes_in_tables_with_tabs() {
        let quoted = TSV.recognised("id\tanswer\n1\t\"a\tb\"\n");
        let plain = TSV.recognised("id\tanswer\n1\t\"Heroes\" (song)\n2\t\"x\n");
        let value = |document: &Document, question: usize| {
            document.questions[question].answers.sets[0].rows[0].cells[0].value.clone()
        };
        assert_eq!((value(&quoted, 0), quoted.issues.len()), ("a\tb".to_owned(), 0));
        assert_eq!((value(&plain, 0), value(&plain, 1)), ("\"Heroes\" (song)".to_owned(), "\"x".to_owned()));
        insta::assert_snapshot!(told(&plain), @"line 2, quotes not-well-formed: a field begins with a quote and does not end with one; all quotes are characters like others");
        let error =
            CSV.document(b"id,answer\n1,\"x\"y\n2,z\n").expect_err("lines would be swallowed").to_string();
        insta::assert_snapshot!(error, @r"
        line 2: a field begins with a quote and does not end with one.
        allowed: quotes around a whole field, those in it doubled (RFC 4180)
        ");
    }
}
