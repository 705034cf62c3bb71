//! The names that an archive has for the bytes of a submission: that of the record of the submission, and those of further
//! systems, which have a record each.

use std::collections::BTreeMap;
use std::path::Path;

use crate::base::error::Result;
use crate::base::vocab::schema;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::read_file;
use crate::sources::input::term;
use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedOrBlankNode, Quad};

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

/// The names in records of their own, by the systems of submissions, each in order: what is read once for many submissions.
#[derive(Debug, Default)]
pub struct FurtherNames(BTreeMap<String, Vec<String>>);

impl FurtherNames {
    /// Those that an archive has: nearly always none.
    pub fn read(archive: &Archive) -> Result<Self> {
        let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (system, name) in archive.records_of(SYSTEM)?.iter().flat_map(|record| names_in(record)) {
            names.entry(system).or_default().push(name);
        }
        for names in names.values_mut() {
            names.sort();
        }
        Ok(Self(names))
    }

    /// Whether no submission is shared.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl SharedNames {
    /// The names of a submission; none where the archive does not have it.
    pub fn of(archive: &Archive, sha256: &str) -> Result<Option<Self>> {
        Ok(Self::among(&FurtherNames::read(archive)?, archive, sha256))
    }

    /// The same where the records of further systems were read before.
    pub fn among(further: &FurtherNames, archive: &Archive, sha256: &str) -> Option<Self> {
        let system = format!("{}/system", archive.mint().submission(sha256));
        let mut names = names_in(&archive.record("submission", sha256)).into_iter();
        let (_, first) = names.find(|(named, _)| *named == system)?;
        let mut others = further.0.get(&system).cloned().unwrap_or_default();
        others.retain(|name| *name != first);
        Some(Self { first, others })
    }

    /// All of them, the first one first.
    pub fn all(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// The names that a record gives, with what they are given to.
fn names_in(record: &Path) -> Vec<(String, String)> {
    let record = read_file(record).unwrap_or_default();
    let quads = RdfParser::from_format(RdfFormat::NQuads).for_slice(&record).filter_map(Result::ok);
    let named = quads.filter(|quad| quad.predicate.as_str() == schema::NAME);
    named.map(|quad| (subject(&quad), term::text(&quad.object).into_owned())).collect()
}

fn subject(quad: &Quad) -> String {
    match &quad.subject {
        NamedOrBlankNode::NamedNode(node) => node.as_str().to_owned(),
        NamedOrBlankNode::BlankNode(node) => node.to_string(),
    }
}
