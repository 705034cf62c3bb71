//! Reads statements of any syntax piece by piece, so that no file has to be in memory.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use oxigraph::io::{RdfFormat, RdfParseError, RdfParser};
use oxigraph::model::{GraphName, NamedNode, Quad};

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::limits;
use crate::base::limits::LONGEST_ROW;
use crate::sources::file::syntax::{Syntax, pair};
use crate::sources::file::whole_xml::WholeXml;

/// How much of a file decides its syntax.
const START: u64 = 1 << 16;

/// How many rows that are none are told one by one.
const MOST_TOLD: usize = 20;

/// A file of statements to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StatementFile<'a> {
    /// The name of the file.
    pub(crate) file: &'a str,
    /// What it is read as, in messages: `links`.
    pub(crate) name: &'a str,
    /// What a row of two columns states.
    pub(crate) predicate: &'a str,
    /// The syntaxes that it may be in, in messages.
    pub(crate) allowed: &'a str,
}

/// Shows every statement to `each`; gives the syntax, and what is odd about rows of columns.
pub(crate) fn each_quad(
    reading: StatementFile<'_>,
    content: &mut dyn Read,
    mut each: impl FnMut(Quad) -> Result<()>,
) -> Result<(Syntax, Vec<Issue>)> {
    let mut start = Vec::new();
    let read = Read::take(&mut *content, START).read_to_end(&mut start);
    read.map_err(|error| reading.failed(&error.into()))?;
    let syntax = Syntax::of(&start);
    let mark = if start.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut content = Cursor::new(start.split_off(mark)).chain(content);
    match (syntax, syntax.rdf_format()) {
        (Syntax::Pairs, _) => return Ok((syntax, rows(reading, &mut content, each)?)),
        (_, None) => {
            return Err(Error::input("this is an HDT file, and qassay does not read HDT")
                .in_file(reading.file)
                .allowed(reading.allowed)
                .hint("`hdt2rdf FILE file.nt` of hdt-cpp writes it as N-Triples"));
        }
        (Syntax::RdfXml, Some(format)) => read_xml(reading, format, content, &mut each)?,
        (_, Some(format)) => {
            for quad in RdfParser::from_format(format).for_reader(content) {
                each(quad.map_err(|error| reading.failed(&error))?)?;
            }
        }
    }
    Ok((syntax, Vec::new()))
}

/// The XML parser does not say where it is, so it gets one line at a time.
fn read_xml(
    reading: StatementFile<'_>,
    format: RdfFormat,
    content: impl Read,
    each: &mut impl FnMut(Quad) -> Result<()>,
) -> Result<()> {
    let lines = std::cell::Cell::new(0);
    let content =
        CountedLines { content: BufReader::new(WholeXml::new(content)), is_inside: false, count: &lines };
    for quad in RdfParser::from_format(format).for_reader(content) {
        each(quad.map_err(|error| reading.failed(&error).at(format!("line {}", lines.get())))?)?;
    }
    Ok(())
}

/// Gives what is read line by line, and counts the lines.
struct CountedLines<'a, R> {
    content: BufReader<R>,
    is_inside: bool,
    count: &'a std::cell::Cell<u64>,
}

impl<R: Read> Read for CountedLines<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = self.content.fill_buf()?;
        let end = piece.iter().position(|byte| *byte == b'\n').map_or(piece.len(), |end| end + 1);
        let count = end.min(buffer.len());
        buffer[..count].copy_from_slice(&piece[..count]);
        if count > 0 {
            if !self.is_inside {
                self.count.set(self.count.get() + 1);
            }
            self.is_inside = buffer[count - 1] != b'\n';
        }
        self.content.consume(count);
        Ok(count)
    }
}

impl StatementFile<'_> {
    fn failed(&self, error: &RdfParseError) -> Error {
        if let RdfParseError::Io(error) = error
            && let Some(limit) = limits::within(error)
        {
            return limit.in_file(self.file);
        }
        let message = match error {
            RdfParseError::Io(error) => format!("the {} cannot be read: {error}", self.name),
            RdfParseError::Syntax(error) => format!("the {} cannot be read: {error}", self.name),
        };
        let line = match error {
            RdfParseError::Syntax(error) => error.location().map(|at| at.start.line + 1),
            RdfParseError::Io(_) => None,
        };
        let message = Error::input(message).in_file(self.file);
        match line {
            Some(line) => message.at(format!("line {line}")),
            None => message,
        }
    }
}

/// Rows of two columns. A header, comments and what is no row are told.
fn rows(
    reading: StatementFile<'_>,
    content: &mut Chain<Cursor<Vec<u8>>, &mut dyn Read>,
    mut each: impl FnMut(Quad) -> Result<()>,
) -> Result<Vec<Issue>> {
    let predicate = NamedNode::new_unchecked(reading.predicate);
    let mut content = BufReader::with_capacity(1 << 16, content);
    let mut odd = OddRows::default();
    let mut row = Vec::new();
    for line in 1.. {
        row.clear();
        let read = content.by_ref().take(LONGEST_ROW).read_until(b'\n', &mut row);
        if read.map_err(|error| reading.failed(&error.into()))? == 0 {
            break;
        }
        match row.trim_ascii() {
            [] => {}
            [b'#', ..] => odd.comments.push(line, false),
            text => match pair(text) {
                Some((from, to)) => {
                    odd.has_rows = true;
                    each(Quad::new(from, predicate.clone(), to, GraphName::DefaultGraph))?;
                }
                None => odd.no_rows.push(line, !odd.has_rows),
            },
        }
    }
    Ok(odd.issues())
}

/// The lines of a file of columns that are no rows.
#[derive(Default)]
struct OddRows {
    has_rows: bool,
    comments: NamedLines,
    no_rows: NamedLines,
}

/// Some lines: all are counted, the first are known.
#[derive(Default)]
struct NamedLines {
    count: u64,
    /// Whether the first one came before every row.
    before_all: bool,
    first: Vec<u64>,
}

impl NamedLines {
    fn push(&mut self, line: u64, before_all: bool) {
        if self.count == 0 {
            self.before_all = before_all;
        }
        self.count += 1;
        if self.first.len() < MOST_TOLD {
            self.first.push(line);
        }
    }
}

impl OddRows {
    fn issues(mut self) -> Vec<Issue> {
        let note = |code, line, message: String| Issue::new(code, &Place::line(line), message);
        let mut issues = Vec::new();
        if let Some(&line) = self.comments.first.first() {
            let count = self.comments.count;
            let message = format!("{count} lines are comments, the first of them this; they are not used");
            issues.push(note(IssueCode::NotALink, line, message));
        }
        if self.no_rows.before_all {
            let line = self.no_rows.first.remove(0);
            self.no_rows.count -= 1;
            let message = "the line before the first row is no row of two IRIs; it is taken as a header";
            issues.push(note(IssueCode::NotALink, line, message.to_owned()));
        }
        for &line in &self.no_rows.first {
            let message = "the line is no row of two IRIs with a tab between them; it is not used";
            issues.push(note(IssueCode::UnreadableStatement, line, message.to_owned()));
        }
        let told = self.no_rows.first.len() as u64;
        if self.no_rows.count > told {
            let message = format!("{} more lines are no rows; they are not used", self.no_rows.count - told);
            issues.push(Issue::new(IssueCode::UnreadableStatement, &Place::default(), message));
        }
        issues
    }
}
