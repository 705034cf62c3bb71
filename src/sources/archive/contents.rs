//! What graphs hold, as records: `records/contents/KEY.nq` describes what the graphs that name it hold. Most graphs of one
//! kind hold the same.

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::rdf::contents::{ContentsRegion, GraphContents};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{qassay, rdf, void};
use crate::sources::archive::{Archive, CONTENTS};

impl Archive {
    /// Keeps the description of what a graph holds, where the archive has such; gives its key.
    pub(super) fn keep_contents(&self, contents: Option<&GraphContents>) -> Result<Option<String>> {
        let Some(contents) = contents.filter(|_| self.mint().model().tells_contents()) else {
            return Ok(None);
        };
        let key = contents.key();
        self.keep_record_bytes(CONTENTS, &key, &description_bytes(self.mint(), contents))?;
        Ok(Some(key))
    }
}

/// The keys of the descriptions that a record names.
pub fn named_in<'t>(mint: &Mint, record: &'t str) -> impl Iterator<Item = &'t str> {
    let beginning = format!("<{}", mint.contents(""));
    let keys: Vec<&str> =
        record.split(&beginning).skip(1).filter_map(|rest| rest.split(['>', '#']).next()).collect();
    keys.into_iter()
}

/// Describes what graphs hold, as VoID does: a part for each region, and in it a partition for each property and class.
fn description(mint: &Mint, contents: &GraphContents) -> Lines {
    let iri = mint.contents(&contents.key());
    let mut lines = Lines::new(&mint.catalogue_graph());
    lines.subject(&iri).iri(rdf::TYPE, void::DATASET);
    for ((region, held), number) in contents.regions().zip(1..) {
        let part = format!("{iri}#{number}");
        lines.subject(&iri).iri(void::SUBSET, &part).subject(&part);
        match region {
            ContentsRegion::Below(rest) => lines.text(qassay::RELATIVE_SPACE, rest),
            ContentsRegion::Beginning(beginning) => lines.text(void::URI_SPACE, beginning),
        };
        for (what, whole, own, terms) in [
            ("p", void::PROPERTY_PARTITION, void::PROPERTY, &held.properties),
            ("c", void::CLASS_PARTITION, void::CLASS, &held.classes),
        ] {
            for (term, number) in terms.iter().zip(1..) {
                let partition = format!("{part}{what}{number}");
                lines.subject(&part).iri(whole, &partition).subject(&partition).iri(own, term);
            }
        }
    }
    lines
}

/// The record of a description of what graphs hold.
///
/// # Panics
/// Not on input: writing to memory cannot fail.
pub fn description_bytes(mint: &Mint, contents: &GraphContents) -> Vec<u8> {
    let mut bytes = Vec::new();
    description(mint, contents).write_to(&mut bytes).expect("writing to memory cannot fail");
    bytes
}
