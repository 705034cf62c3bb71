//! READ: bytes → records and issues. One file per format.
//!
//! A [`Source`] is a file as received. [`read`] recognises its [`Format`] by content and gives a [`Document`].
//! A reader never drops anything silently: what it cannot use stays in the document with an [`Issue`].
//! It fails as a whole only where there is nothing to go on with: no JSON, no XML, no questions.

mod csv_answers;
mod csv_columns;
mod csv_lines;
mod csv_quotes;
mod draft;
mod drafts;
mod element;
mod encoding;
mod issue;
mod json;
mod json_answers;
mod json_fields;
mod json_path;
mod json_root;
mod json_rows;
mod json_short;
mod json_texts;
mod jsonl;
mod keys;
mod large;
mod lc_quad;
mod line;
mod lost;
mod mend;
mod nlpcc_kbqa;
mod nlpcc_pairs;
mod nlpcc_scores;
mod nlq;
mod notes;
mod numeral;
mod pack;
mod peek;
mod qald_json;
mod qald_xml;
mod question_list;
mod question_tsv;
mod question_type;
mod rdf;
mod rdf_published;
mod rdf_published_answers;
mod rdf_record;
mod record;
mod results_file;
mod results_xml;
mod seems;
mod seems_text;
mod sheet;
mod source;
mod sparql_results;
mod stream;
mod syntax;
mod text;
mod text2sparql;
mod text2sparql_answers;
mod text2sparql_questions;
mod trec;
mod unpack;
mod whole_xml;
mod wikiweb;
mod xml;
mod xml_answers;
mod yaml;
mod zstd;

pub use issue::{Issue, IssueCode, Place, Severity};
pub use json_fields::FLAGS;
pub use mend::{Mended, mend, mended_digest};
pub use record::{
    Annotation, AnswerSet, AnswerState, Answers, Candidate, Cell, CellKind, Document, Extra, Query,
    QueryKind, Question, Row, Text,
};
pub(crate) use results_file::{ResultsSyntax, strict_results};
pub use sheet::{ColumnName, Sheet, SheetLine};
pub use source::Source;
pub(crate) use source::hex;
pub use stream::{stream, unreadable};
pub use syntax::{Syntax, pair};
pub use unpack::Packing;
pub use whole_xml::WholeXml;

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
pub static FORMATS: &[&Format] = &[
    &wikiweb::FORMAT,
    &text2sparql::FORMAT,
    &text2sparql_answers::FORMAT,
    &nlq::FORMAT,
    &lc_quad::FORMAT,
    &question_list::FORMAT,
    &qald_json::FORMAT,
    &jsonl::FORMAT,
    &text2sparql_questions::FORMAT,
    &qald_xml::FORMAT,
    &rdf::FORMAT,
    &sparql_results::FORMAT,
    // Text: by its header, else by the form of its lines.
    &csv_answers::CSV,
    &csv_answers::TSV,
    &nlpcc_kbqa::FORMAT,
    &nlpcc_pairs::TBQA,
    &nlpcc_pairs::DBQA,
    &trec::RUN,
    &trec::QRELS,
    &question_tsv::FORMAT,
    &nlpcc_scores::FORMAT,
];

/// Recognises the format of a source by its content.
pub fn recognise(source: &Source) -> Result<&'static Format> {
    source.check_encoding()?;
    let known = FORMATS.iter().copied().find(|format| (format.recognise)(source.content()));
    known.ok_or_else(|| seems::unknown(source.content()).in_file(source.name()))
}

/// Reads a source in whatever format it is.
pub fn read(source: &Source) -> Result<(Document, &'static Format)> {
    let format = recognise(source)?;
    let mut document = (format.read)(source.content()).map_err(|error| error.in_file(source.name()))?;
    document.issues.splice(0..0, source.encoding_issue().cloned());
    lost::report(source.content(), &mut document);
    Ok((document, format))
}
