//! The types of questions from a file of their own, in place of those of the dataset.

use std::collections::BTreeMap;

use crate::base::error::{Error, Result};
use crate::base::issue::Issue;
use crate::sources::file::source::Source;
use crate::sources::format::table::sheet::{ColumnName, Sheet};

const COLUMNS: [ColumnName; 2] = [
    ColumnName::QUESTION,
    ColumnName {
        names: &[
            "type",
            "questiontype",
            "question_type",
            "question-type",
            "question type",
            "qtype",
            "category",
        ],
        required: true,
    },
];

/// The types of the questions of a file: a line a question.
#[derive(Debug, Clone, Default)]
pub struct QuestionTypes {
    /// Line, id and type, in the order of the file.
    pub lines: Vec<(u64, String, String)>,
    /// The place of each question among the lines.
    places: BTreeMap<String, usize>,
    /// The media type of the file.
    pub media_type: &'static str,
    /// What is odd about the file.
    pub issues: Vec<Issue>,
}

impl QuestionTypes {
    /// Reads a table with the columns question and type. A question without a type may be left out or have an empty field.
    ///
    /// # Errors
    /// What [`Sheet::read`] says, and a question with two types.
    pub fn read(source: &Source) -> Result<Self> {
        let sheet = Sheet::read(source, &COLUMNS)?;
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut lines: Vec<(u64, String, String)> = Vec::with_capacity(sheet.lines.len());
        for row in sheet.lines {
            let [question, name] = <[Option<String>; 2]>::try_from(row.fields)
                .unwrap_or_default()
                .map(Option::unwrap_or_default);
            let at = |error: Error| error.at(format!("line {}", row.line)).in_file(source.name());
            if question.is_empty() {
                return Err(at(Error::input("no question").allowed("the id of a question")));
            }
            match places.get(&question).map(|place| &lines[*place]) {
                Some((first, _, known)) if *known != name => {
                    return Err(at(Error::input(format!(
                        "question {question} is of the type `{name}` here and `{known}` in line {first}"
                    ))
                    .allowed("one type a question")));
                }
                Some(_) => {}
                None => {
                    places.insert(question.clone(), lines.len());
                    lines.push((row.line, question, name));
                }
            }
        }
        Ok(Self { lines, places, media_type: sheet.media_type, issues: sheet.issues })
    }

    /// The type of a question; none where it has none.
    pub(crate) fn of(&self, question: &str) -> Option<&str> {
        let (_, _, name) = &self.lines[*self.places.get(question)?];
        Some(name.as_str()).filter(|name| !name.is_empty())
    }
}
