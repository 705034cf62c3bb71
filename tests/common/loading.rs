//! Reading the files of the tables of loaders.

use std::path::Path;

use qassay::sources::document::{
    AnswerSet, AnswerState, Answers, Cell, Document, Query, QueryKind, Question, Row, Text,
};
use qassay::sources::file::source::Source;
use qassay::sources::format::{FORMATS, read};
use serde_json::Value;

/// A file and the name of its format.
pub(crate) fn open(path: &Path) -> (Document, &'static str) {
    let has_nlq = FORMATS.iter().any(|format| format.name == "nlq");
    if path.ends_with("nlq1_vis.json") && !has_nlq {
        return (nlq(path), "nlq");
    }
    let (document, format) = read(&Source::open(path).expect("a file")).expect("a known format");
    (document, format.name)
}

/// NLQ where no reader knows it: a list of rows, one a language; rows of one id are one question.
fn nlq(path: &Path) -> Document {
    let rows: Vec<Value> = serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON");
    let mut questions: Vec<Question> = Vec::new();
    for row in &rows {
        let field = |name: &str| row[name].as_str().expect("a text").to_owned();
        let (id, language) = (field("id"), Some(field("lang")));
        let at = questions.iter().position(|question| question.id == id).unwrap_or_else(|| {
            let answers = Answers { state: AnswerState::Given, sets: vec![AnswerSet::default()] };
            questions.push(Question { key: id.clone(), id, answers, ..Question::default() });
            questions.len() - 1
        });
        let question = &mut questions[at];
        question.texts.push(Text { language: language.clone(), text: field("question") });
        question.queries.push(Query {
            kind: QueryKind::Sparql,
            text: field("sparql"),
            language: language.clone(),
        });
        let cell = Cell { value: field("answer"), language, ..Cell::default() };
        question.answers.sets[0].rows.push(Row { cells: [cell].into() });
    }
    Document { questions, ..Document::default() }
}

/// The rows of a table of tabs below its heading, without comments.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.skip(1).map(|line| line.split('\t').collect())
}
