//! WRITE: records → bytes. One file per target.
//!
//! A writer says what its target cannot hold. Nobody has to believe it: [`convert`] reads the bytes again, compares the
//! two documents field by field, and refuses where something is lost that the writer did not name.

pub mod difference;
pub mod field;
pub mod json;
pub mod loss;
pub mod qald_json;
pub mod qald_xml;
pub mod rdf;
pub mod rdf_record;
pub mod table;
pub mod text2sparql;

use std::collections::BTreeSet;

use crate::sources::write::difference::{Difference, differences};
use crate::sources::write::field::Field;
use crate::sources::write::loss::Loss;

use crate::base::error::{Error, Result};
use crate::sources::document::Document;
use crate::sources::file::source::Source;
use crate::sources::format::{FORMATS, read};

/// What a writer makes: the bytes, and what is not in them.
pub type Written = (Vec<u8>, Vec<Loss>);

/// A file format that can be written.
///
/// Adding a target is adding a file to this folder and a line to [`TARGETS`].
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
    /// The name of the format that its files are read as.
    pub read_as: &'static str,
    /// Whether a file may have no questions.
    pub may_be_empty: bool,
    /// Whether all of a document comes back, also the places where its questions were.
    pub is_exact: bool,
    /// Writes a document; the second argument is the checksum of the file that it was read from.
    pub write: fn(&Document, &str) -> Result<Written>,
}

/// The known targets.
pub static TARGETS: &[&Target] = &[
    &qald_json::QALD,
    &qald_json::EQALD,
    &qald_json::LINES,
    &qald_xml::TARGET,
    &text2sparql::TARGET,
    &table::CSV,
    &table::TSV,
    &rdf::TURTLE,
    &rdf::N_TRIPLES,
    &rdf::N_QUADS,
    &rdf::TRIG,
];

impl Target {
    /// The target with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().copied().find(|target| target.name == name)
    }

    /// The target of files with this ending.
    pub fn of_ending(ending: &str) -> Option<&'static Self> {
        TARGETS.iter().copied().find(|t| t.ending.is_some_and(|known| known.eq_ignore_ascii_case(ending)))
    }
}

/// A document in another format.
#[derive(Debug)]
pub struct Converted {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// What the file does not hold, in the order of the questions.
    pub losses: Vec<Loss>,
}

/// Writes a document as a target, and makes sure that what is lost is named.
pub fn convert(document: &Document, sha256: &str, target: &Target) -> Result<Converted> {
    if document.questions.is_empty() && !target.may_be_empty {
        let able = TARGETS.iter().filter(|target| target.may_be_empty).map(|target| target.name);
        return Err(Error::input(format!("{} cannot hold a file without questions", target.name))
            .allowed(able.collect::<Vec<_>>().join(", ")));
    }
    let (bytes, told) = (target.write)(document, sha256)?;
    let Some(again) = read_again(&bytes, target)? else { return Ok(Converted { bytes, losses: told }) };
    let found = differences(document, &again);
    let losses = checked(&found, told, target)?;
    Ok(Converted { bytes, losses })
}

/// Reads what was written; nothing where this program has no reader for it.
fn read_again(bytes: &[u8], target: &Target) -> Result<Option<Document>> {
    let source = Source::from_bytes(target.name, bytes.to_vec())?;
    match read(&source) {
        Ok((document, format)) if format.name == target.read_as => Ok(Some(document)),
        Ok((_, format)) => {
            Err(silent(target, &format!("the file that was written reads as {} and not", format.name)))
        }
        Err(_) if FORMATS.iter().all(|format| format.name != target.read_as) => Ok(None),
        Err(error) => Err(silent(target, &format!("the file that was written cannot be read: {error}"))),
    }
}

/// The losses that are real. A difference that no loss names is an error of this program.
fn checked(found: &[Difference], told: Vec<Loss>, target: &Target) -> Result<Vec<Loss>> {
    let named: BTreeSet<(&str, Field)> =
        told.iter().flat_map(|loss| loss.fields.iter().map(|field| (loss.place.as_str(), *field))).collect();
    let is_named = |difference: &&Difference| {
        ((difference.field == Field::Place || difference.field.is_addition()) && !target.is_exact)
            || named.contains(&(difference.place.as_str(), difference.field))
    };
    if let Some(silently) = found.iter().find(|difference| !is_named(difference)) {
        let place = if silently.place.is_empty() { String::new() } else { format!(" of {}", silently.place) };
        return Err(silent(target, &format!("this would silently lose {}{place}", silently.field.name())));
    }
    let lost: BTreeSet<(&str, Field)> = found.iter().map(|d| (d.place.as_str(), d.field)).collect();
    let is_lost = |place: &str, field: Field| {
        // values whose rows are gone are not compared one by one
        lost.contains(&(place, field)) || field.is_in_rows() && lost.contains(&(place, Field::Rows))
    };
    Ok(told.into_iter().filter(|loss| loss.fields.iter().any(|field| is_lost(&loss.place, *field))).collect())
}

fn silent(target: &Target, what: &str) -> Error {
    Error::system(format!("{what} ({}): this is a mistake of qassay", target.name))
        .hint("please report it, with the file")
}
