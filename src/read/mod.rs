//! READ: bytes → records and issues. One file per format.
//!
//! A [`Source`] is a file as received. [`read`] recognises its [`Format`] by content and gives a [`Document`].
//! A reader never drops anything silently: what it cannot use stays in the document with an [`Issue`].
//! It fails as a whole only where there is nothing to go on with: no JSON, no XML, no questions.

mod draft;
mod element;
mod issue;
mod json;
mod json_answers;
mod json_fields;
mod json_path;
mod json_root;
mod json_rows;
mod json_texts;
mod keys;
mod mend;
mod notes;
mod numeral;
mod peek;
mod qald_json;
mod qald_xml;
mod record;
mod seems;
mod source;
mod text;
mod text2sparql;
mod wikiweb;
mod xml;
mod xml_answers;

pub use issue::{Issue, IssueCode, Place, Severity};
pub use mend::mend;
pub use record::{
    Annotation, AnswerSet, AnswerState, Answers, Candidate, Cell, CellKind, Document, Extra, Query,
    QueryKind, Question, Row, Text,
};
pub use source::Source;
pub(crate) use source::hex;

use crate::error::Result;

/// A file format: how to recognise it and how to read it.
///
/// Adding a format is adding a file to this folder and a line to [`FORMATS`].
#[derive(Debug)]
pub struct Format {
    /// A short name, as in messages and on the command line.
    pub name: &'static str,
    /// One sentence about it.
    pub description: &'static str,
    /// The media type of its distributions.
    pub media_type: &'static str,
    /// Whether the (decompressed) content is of this format, from its beginning.
    pub recognise: fn(&[u8]) -> bool,
    /// Reads the (decompressed) content.
    pub read: fn(&[u8]) -> Result<Document>,
}

/// The known formats, the more special ones first.
pub static FORMATS: &[&Format] =
    &[&wikiweb::FORMAT, &text2sparql::FORMAT, &qald_json::FORMAT, &qald_xml::FORMAT];

/// Recognises the format of a source by its content.
pub fn recognise(source: &Source) -> Result<&'static Format> {
    let known = FORMATS.iter().copied().find(|format| (format.recognise)(source.content()));
    known.ok_or_else(|| seems::unknown(source.content()).in_file(source.name()))
}

/// Reads a source in whatever format it is.
pub fn read(source: &Source) -> Result<(Document, &'static Format)> {
    let format = recognise(source)?;
    let document = (format.read)(source.content()).map_err(|error| error.in_file(source.name()))?;
    Ok((document, format))
}
