//! Tables that are no answers: columns by their names, lines with their numbers. What a person fills in by hand.

use crate::base::error::{Error, Result};
use crate::sources::file::source::Source;
use crate::sources::file::text::decode;
use crate::sources::format::notes::Notes;
use crate::sources::format::table::delimited;
use crate::sources::format::table::delimited::CsvLines;

use crate::base::issue::{Issue, IssueCode, Place};

/// What separates fields.
const DELIMITERS: [u8; 3] = [b'\t', b',', b';'];

/// A column: its names in the header, in lower case, and whether it must be there.
#[derive(Debug, Clone, Copy)]
pub struct ColumnName {
    /// The names that it may have; messages use the first.
    pub names: &'static [&'static str],
    /// Whether a table without it is an error.
    pub required: bool,
}

impl ColumnName {
    /// The id of a question, as tables that people fill in call it.
    pub const QUESTION: Self = Self {
        names: &["question", "question_id", "question-id", "question id", "qid", "id"],
        required: true,
    };
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetLine {
    /// The line of the file on which it begins, counted from 1.
    pub line: u64,
    /// The fields of the wanted columns, trimmed; none where the table does not have the column.
    pub fields: Vec<Option<String>>,
}

/// A table with a header.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// All lines that are not blank.
    pub lines: Vec<SheetLine>,
    /// The media type of the file.
    pub media_type: &'static str,
    /// What is odd about the file.
    pub issues: Vec<Issue>,
}

impl Sheet {
    /// Reads a table (CSV or TSV, RFC 4180) of which the first line names the columns, in any case and order.
    ///
    /// # Errors
    /// Text that cannot be read, a column that is missing, a line with more or fewer fields than the header, quotes that
    /// are not closed.
    pub fn read(source: &Source, wanted: &[ColumnName]) -> Result<Self> {
        Self::read_content(source, wanted).map_err(|error| error.in_file(source.name()))
    }

    fn read_content(source: &Source, wanted: &[ColumnName]) -> Result<Self> {
        source.check_encoding()?;
        let mut notes = Notes::default();
        let text = decode(source.content(), &mut notes)?;
        let (delimiter, columns) = header(text, wanted)?;
        let quoted = delimited::are_quotes_read(text, delimiter, &mut notes)?;
        let mut table = csv::ReaderBuilder::new()
            .flexible(true)
            .quoting(quoted)
            .delimiter(delimiter)
            .from_reader(text.as_bytes());
        let names = table.headers().map_err(|error| Error::input(error.to_string()))?.clone();
        for (at, name) in names.iter().enumerate().filter(|(at, _)| !columns.contains(&Some(*at))) {
            notes.enter(Place::line(1));
            let message = format!("the column {} `{}` is not known; no rule reads it", at + 1, name.trim());
            notes.add_once(IssueCode::UnknownField, &"header", message);
        }
        let (mut lines, mut places) = (Vec::new(), CsvLines::of(text));
        for record in table.records() {
            let record = record.map_err(|error| Error::input(error.to_string()))?;
            let line = places.line(&record);
            if record.iter().all(|field| field.trim().is_empty()) {
                continue;
            }
            if record.len() != names.len() {
                return Err(Error::input(format!("{} fields, not {}", record.len(), names.len()))
                    .at(format!("line {line}"))
                    .allowed(format!("as many as the header has: {}", shown(&names)))
                    .hint("a field with a comma, a semicolon or a line break in it stands in quotes"));
            }
            let field = |column: &Option<usize>| Some(record.get((*column)?)?.trim().to_owned());
            lines.push(SheetLine { line, fields: columns.iter().map(field).collect() });
        }
        let issues = source.encoding_issue().cloned().into_iter().chain(notes.into_issues()).collect();
        let media_type = if delimiter == b'\t' { "text/tab-separated-values" } else { "text/csv" };
        Ok(Self { lines, media_type, issues })
    }
}

fn shown(names: &csv::StringRecord) -> String {
    names.iter().map(str::trim).collect::<Vec<_>>().join(", ")
}

/// The delimiter and the place of each wanted column. The delimiter that finds most of them is the one.
fn header(text: &str, wanted: &[ColumnName]) -> Result<(u8, Vec<Option<usize>>)> {
    let first = text.lines().next().unwrap_or_default();
    let found = |delimiter: u8| {
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(first.as_bytes());
        let names = reader.records().next().and_then(Result::ok).unwrap_or_default();
        let names: Vec<String> = names.iter().map(|name| name.trim().to_lowercase()).collect();
        let place = |column: &ColumnName| names.iter().position(|name| column.names.contains(&name.as_str()));
        wanted.iter().map(place).collect::<Vec<_>>()
    };
    let all = DELIMITERS.map(|delimiter| (delimiter, found(delimiter)));
    let count = |(_, columns): &(u8, Vec<Option<usize>>)| columns.iter().flatten().count();
    // Of equal ones the first.
    let best = all.into_iter().rev().max_by_key(count).unwrap_or((b',', vec![None; wanted.len()]));
    let missing = wanted.iter().zip(&best.1).find(|(column, place)| column.required && place.is_none());
    if let Some((column, _)) = missing {
        let name = |column: &ColumnName| {
            let name = column.names.first().copied().unwrap_or_default();
            if column.required { name.to_owned() } else { format!("{name} (optional)") }
        };
        let allowed: Vec<String> = wanted.iter().map(name).collect();
        return Err(Error::input(format!("no column `{}`: the header is {first:?}", name(column)))
            .at("line 1")
            .allowed(format!("a header with {}", allowed.join(", "))));
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: [ColumnName; 2] = [
        ColumnName { names: &["question", "id"], required: true },
        ColumnName { names: &["note"], required: false },
    ];

    fn read(text: &str) -> Result<Sheet> {
        Sheet::read(&Source::from_bytes("sheet.csv", text.as_bytes().to_vec())?, &WANTED)
    }

    #[test]
    fn columns_are_found_by_name() {
        for text in ["Note,ID\nx, 1 \n\n", "note\tquestion\nx\t1\n", "\u{feff}Id;Note;Else\r\n1;x;y\r\n"] {
            let sheet = read(text).unwrap();
            assert_eq!(sheet.lines.len(), 1, "{text}");
            assert_eq!(sheet.lines[0].line, 2);
            assert_eq!(sheet.lines[0].fields, [Some("1".to_owned()), Some("x".to_owned())], "{text}");
        }
        assert_eq!(read("id\n1\n").unwrap().lines[0].fields, [Some("1".to_owned()), None]);
        assert_eq!(read("id,other\n1,2\n").unwrap().issues.len(), 1);
    }

    #[test]
    fn errors_name_the_line() {
        insta::assert_snapshot!(read("name,note\n1,2\n").unwrap_err(), @r#"
        sheet.csv, line 1: no column `question`: the header is "name,note".
        allowed: a header with question, note (optional)
        "#);
        insta::assert_snapshot!(read("id,note\n1,2\n1,2,3\n").unwrap_err(), @"
        sheet.csv, line 3: 3 fields, not 2.
        allowed: as many as the header has: id, note
        hint: a field with a comma, a semicolon or a line break in it stands in quotes
        ");
        assert!(read("id,note\n1,\"2\n").is_err());
    }
}
