//! What the records say that graphs hold.

use std::collections::BTreeMap;

use crate::base::error::Result;
use crate::base::rdf::contents::{ContentsRegion, GraphContents};
use crate::record::archived::metadata::Metadata;

/// The descriptions of what graphs hold, by their keys. One that is not what its key says is none.
///
/// # Errors
/// Where the records cannot be asked.
pub(super) fn descriptions(metadata: &Metadata) -> Result<BTreeMap<String, GraphContents>> {
    let mut all: BTreeMap<String, GraphContents> = BTreeMap::new();
    for row in metadata.rows("store/contents-regions")?.into_owned().rows {
        let Ok([contents, below, beginning, property, class]) = <[String; 5]>::try_from(row) else {
            continue;
        };
        let region = if below.is_empty() {
            ContentsRegion::Beginning(beginning)
        } else {
            ContentsRegion::Below(below)
        };
        let held = all.entry(key(&contents)).or_default().region(region);
        held.properties.extend((!property.is_empty()).then_some(property));
        held.classes.extend((!class.is_empty()).then_some(class));
    }
    all.retain(|key, contents| contents.key() == *key);
    Ok(all)
}

/// Of each graph the key of the one description that its record names.
///
/// # Errors
/// Where the records cannot be asked.
pub(super) fn keys(metadata: &Metadata) -> Result<BTreeMap<String, Option<String>>> {
    let mut all = BTreeMap::new();
    for row in metadata.rows("store/graph-contents")?.into_owned().rows {
        let Ok([graph, contents]) = <[String; 2]>::try_from(row) else { continue };
        // What is said twice is not known.
        all.entry(graph).and_modify(|known| *known = None).or_insert_with(|| Some(key(&contents)));
    }
    Ok(all)
}

fn key(contents: &str) -> String {
    contents.rsplit('/').next().unwrap_or_default().to_owned()
}
