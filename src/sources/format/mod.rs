//! Bytes ⇄ records and issues. One file a format, both ways.
//!
//! A [`Source`] is a file as received. [`read`] recognises its [`Format`] by content and gives a [`Document`].
//! A reader never drops anything silently: what it cannot use stays in the document with an `Issue`.
//! It fails as a whole only where there is nothing to go on with: no JSON, no XML, no questions.

pub mod context;
pub mod drafts;
pub mod graph_ids;
pub mod joined;
pub mod json;
pub mod loss;
pub mod meter;
pub mod notes;
pub mod numeral;
pub mod question_type;
mod questions_only;
pub mod rdf;
pub mod replaced;
pub mod results;
pub mod sibling;
pub mod sniff;
pub mod table;
pub mod two_sided;
pub mod unknown;
pub mod xml;

use crate::base::error::Result;
use crate::sources::document::Document;
use crate::sources::file::source::Source;
use crate::sources::format::context::Context;
use crate::sources::format::loss::Loss;
use crate::sources::format::notes::Notes;

/// A file format: how to recognise it, how to read it and, for some, how to write it.
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
    /// Reads the (decompressed) content into the document of the context.
    pub(crate) read: fn(&[u8], &mut Context<Document>) -> Result<()>,
    /// The ways to write it; none for what is only read.
    pub targets: &'static [Target],
}

#[cfg(test)]
impl Format {
    /// The document of a text of this format, which must be recognised.
    #[track_caller]
    pub(crate) fn recognised(&self, text: &str) -> Document {
        assert!((self.recognise)(text.as_bytes()), "not recognised: {text}");
        self.document(text.as_bytes()).expect("a document")
    }
}

/// What a writer makes: the bytes, and what is not in them.
pub type BytesAndLosses = (Vec<u8>, Vec<Loss>);

/// A way to write a format.
#[derive(Debug)]
pub struct Target {
    /// A short name, as in messages and on the command line.
    pub name: &'static str,
    /// One sentence about it.
    pub description: &'static str,
    /// The ending of file names that means this target; none where another target has it.
    pub ending: Option<&'static str>,
    /// The media type of its files.
    pub media_type: &'static str,
    /// Whether a file may have no questions.
    pub may_be_empty: bool,
    /// Whether all of a document comes back, also the places where its questions were.
    pub is_exact: bool,
    /// Writes a document; the second argument is the checksum of the file that it was read from.
    pub write: fn(&Document, &str) -> Result<BytesAndLosses>,
}

impl Target {
    /// The target with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        targets().find(|target| target.name == name)
    }

    /// The target of files with this ending.
    pub fn of_ending(ending: &str) -> Option<&'static Self> {
        targets().find(|target| target.ending.is_some_and(|known| known.eq_ignore_ascii_case(ending)))
    }
}

/// All targets, in the order of their formats.
pub fn targets() -> impl Iterator<Item = &'static Target> {
    FORMATS.iter().flat_map(|format| format.targets)
}

impl Format {
    /// Reads the (decompressed) content, also what would not be recognised. Every question gets its key.
    pub fn document(&self, content: &[u8]) -> Result<Document> {
        let (mut document, mut notes) = (Document::default(), Notes::default());
        (self.read)(content, &mut Context::new("$", &mut document, &mut notes))?;
        document.issues.splice(0..0, notes.into_issues());
        document.issues.extend(questions_only::issue(&document, self.name));
        // where there are no ids, the reader has given keys
        if document.questions.iter().all(|question| question.key.is_empty()) {
            document.assign_keys();
        }
        Ok(document)
    }
}

/// The known formats, the more special ones first.
pub static FORMATS: &[&Format] = &[
    &json::spinach::GOLD,
    &json::inspect_log::TARGETS,
    &json::lm_eval::TARGETS,
    &json::web_questions::FORMAT,
    &json::wikiweb::FORMAT,
    &json::text2sparql::FORMAT,
    &json::text2sparql_answers::FORMAT,
    &json::nlq::FORMAT,
    &json::lc_quad::FORMAT,
    &json::mintaka::FORMAT,
    &json::rubq::FORMAT,
    &json::grailqa::FORMAT,
    &json::complex_web_questions::FORMAT,
    &json::lc_quad_2::FORMAT,
    &json::webqsp::FORMAT,
    &json::temporal_questions::TIME_QUESTIONS,
    &json::temporal_questions::TEMP_QUESTIONS,
    &json::cron_questions::FORMAT,
    &json::bioasq::FORMAT,
    &json::kqa_pro::FORMAT,
    &json::scholarly::FORMAT,
    &json::answer_list::FORMAT,
    &json::predictions::LIST,
    &json::question_list::FORMAT,
    &json::qald::FORMAT,
    &json::predictions::LINES,
    &json::prediction_map::FORMAT,
    &json::jsonl::FORMAT,
    &json::text2sparql_questions::FORMAT,
    &xml::qald::FORMAT,
    &rdf::FORMAT,
    &joined::FORMAT,
    &results::folder::FORMAT,
    // Text: by its header, else by the form of its lines.
    &table::answers::CSV,
    &table::answers::TSV,
    &table::simple_questions::FORMAT,
    &table::metaqa::FORMAT,
    &table::path_question::FORMAT,
    &table::nlpcc_kbqa::FORMAT,
    &table::nlpcc_pairs::TBQA,
    &table::nlpcc_pairs::DBQA,
    &table::trec::RUN,
    &table::trec::QRELS,
    &table::question_tsv::FORMAT,
    &table::nlpcc_scores::FORMAT,
];

/// Recognises the format of a source by its content.
pub fn recognise(source: &Source) -> Result<&'static Format> {
    source.check_encoding()?;
    let known = FORMATS.iter().copied().find(|format| (format.recognise)(source.content()));
    known.ok_or_else(|| unknown::unknown(source.content()).in_file(source.name()))
}

/// Reads a source in whatever format it is; of a file that is a gold standard and a submission at once, the gold standard.
pub fn read(source: &Source) -> Result<(Document, &'static Format)> {
    read_as(source, recognise(source)?)
}

/// Reads the answers of a system; of a file that is a gold standard and a submission at once, the submission.
pub fn read_submission(source: &Source) -> Result<(Document, &'static Format)> {
    read_as(source, two_sided::as_submission(recognise(source)?, source.content()))
}

fn read_as(source: &Source, format: &'static Format) -> Result<(Document, &'static Format)> {
    let mut document = format.document(source.content()).map_err(|error| error.in_file(source.name()))?;
    crate::sources::document::refuse_long(&document).map_err(|error| error.in_file(source.name()))?;
    document.issues.splice(0..0, source.encoding_issue().cloned());
    replaced::report(source.content(), &mut document);
    Ok((document, format))
}
