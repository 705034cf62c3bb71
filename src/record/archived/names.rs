//! The names that an archive has for the bytes of a submission: that of the record of the submission, and those of further
//! systems, which have a record each.

use std::path::Path;

use crate::base::error::Result;
use crate::base::vocab::schema;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::read_file;
use crate::sources::input::term;
use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::Quad;

/// The kind of the records, and of what they make exist.
pub const SYSTEM: &str = "system";

/// The names that an archive has for the bytes of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedNames {
    /// The name in the record of the submission.
    pub first: String,
    /// The names in records of their own, in order.
    pub others: Vec<String>,
}

impl SharedNames {
    /// The names of a submission; none where the archive does not have it.
    pub fn of(archive: &Archive, sha256: &str) -> Result<Option<Self>> {
        let system = format!("{}/system", archive.mint().submission(sha256));
        let Some(first) = name_in(&archive.record("submission", sha256), &system) else { return Ok(None) };
        let further = archive.records_of(SYSTEM)?;
        let mut others: Vec<String> = further.iter().filter_map(|path| name_in(path, &system)).collect();
        others.retain(|name| *name != first);
        others.sort();
        Ok(Some(Self { first, others }))
    }

    /// All of them, the first one first.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// The name that a record gives to a system.
fn name_in(record: &Path, system: &str) -> Option<String> {
    let record = read_file(record).ok()?;
    let quads = RdfParser::from_format(RdfFormat::NQuads).for_slice(&record).filter_map(Result::ok);
    let is_name = |quad: &Quad| {
        quad.predicate.as_str() == schema::NAME && quad.subject.to_string() == format!("<{system}>")
    };
    quads.into_iter().find(is_name).map(|quad| term::text(&quad.object).into_owned())
}
