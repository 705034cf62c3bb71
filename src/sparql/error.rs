//! Why a query cannot be read.

use std::fmt;

use crate::sparql::edit::Edited;

/// A query that is no SPARQL, even after repairs, or more than is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unparsable {
    /// Why, for people: one line without a full stop.
    pub message: String,
    /// The line in the text as given, from 1; nothing where no single place is wrong.
    pub line: Option<u64>,
    /// The column in characters, from 1.
    pub column: Option<u64>,
    /// What could stand there, for people; nothing where that is no short list.
    pub expected: Vec<String>,
    /// Whether a limit of ours is the reason: the text may be SPARQL.
    pub is_limit: bool,
}

impl Unparsable {
    /// Something about the whole query.
    pub(crate) fn whole(message: impl Into<String>) -> Self {
        Self { message: message.into(), line: None, column: None, expected: Vec::new(), is_limit: false }
    }

    /// A query that has more than is read: `found` says how much, such as `the query has 5 bytes`.
    pub(crate) fn limit(found: impl fmt::Display, most: usize) -> Self {
        let message = format!("{found}, more than {most}, a limit of qassay");
        Self { is_limit: true, ..Self::whole(message) }
    }

    /// Something at an offset of the text.
    pub(crate) fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let (line, column) = place(text, offset);
        Self { line: Some(line), column: Some(column), ..Self::whole(message) }
    }

    /// The same with the place in the text before a change.
    pub(crate) fn in_original(self, text: &str, edited: &Edited) -> Self {
        let (Some(line), Some(column)) = (self.line, self.column) else { return self };
        let place = Self::at(text, edited.origin(offset(&edited.text, line, column)), self.message);
        Self { expected: self.expected, ..place }
    }
}

fn place(text: &str, offset: usize) -> (u64, u64) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line as u64, column as u64)
}

/// The offset of a line and a column, both from 1.
pub(crate) fn offset(text: &str, line: u64, column: u64) -> usize {
    let before = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let start: usize = text.split_inclusive('\n').take(before(line)).map(str::len).sum();
    let rest = &text[start..];
    start + rest.char_indices().nth(before(column)).map_or(rest.len(), |(at, _)| at)
}

impl fmt::Display for Unparsable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, " (line {line}, column {column})"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Unparsable {}
