//! What graphs hold, for records that do not say it yet.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::parallel;
use crate::base::rdf::contents::{ContentsCollector, GraphContents};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{dct, qassay, rdf, sd, spdx};
use crate::profiles::ontology::Facts;
use crate::record::upgrade::rewritten::United;
use crate::sources::archive::contents::description_bytes;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::{Archive, CONTENTS};

/// Records by kind and key.
pub(crate) type Records = BTreeMap<(String, String), Vec<u8>>;

/// A graph that a record registers: what it is about, its checksum.
type DescribedGraph = (String, String);

/// Lets the records of an archive that has the newest version of the model say what the graphs hold; gives of how many graphs.
///
/// # Errors
/// Where a record or a graph cannot be read, or a record not be written; the next one goes on.
pub(crate) fn describe(archive: &Archive, is_dry: bool) -> Result<usize> {
    let new = descriptions(archive, archive.mint(), &records(archive)?)?;
    if !is_dry {
        // Those that others name come first.
        let (first, others): (Vec<_>, Vec<_>) =
            new.records.iter().partition(|((kind, _), _)| kind == CONTENTS);
        for ((kind, key), content) in first.into_iter().chain(others) {
            archive.keep_record_bytes(kind, key, content)?;
        }
    }
    Ok(new.graphs)
}

/// All records of an archive.
///
/// # Errors
/// Where one cannot be read.
pub(crate) fn records(archive: &Archive) -> Result<Records> {
    let read = |path: std::path::PathBuf| {
        let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let kind = part(path.parent().and_then(|folder| folder.file_name()));
        let content = read_file(&path).map_err(|error| Error::io("read the record", &path, &error))?;
        Ok(((kind, part(path.file_stem())), content))
    };
    archive.records()?.into_iter().map(read).collect()
}

/// Records that say what graphs hold.
pub(crate) struct Descriptions {
    /// Those that are new or say more than before.
    pub records: Records,
    /// Of how many graphs that was not said.
    pub graphs: usize,
}

/// What is to be said of the graphs of some records.
pub(crate) fn descriptions(archive: &Archive, mint: &Mint, records: &Records) -> Result<Descriptions> {
    let registered =
        parallel::try_each(records.iter().collect(), |(at, content)| Ok((at, lacking(content)?)))?;
    let wanted: BTreeSet<&DescribedGraph> =
        registered.iter().flat_map(|(_, graphs)| graphs.iter().map(|(_, graph)| graph)).collect();
    let found =
        parallel::try_each(wanted.into_iter().collect(), |graph| Ok((graph, contents(archive, graph)?)))?;
    let found: BTreeMap<&DescribedGraph, Option<GraphContents>> = found.into_iter().collect();
    let (mut new, mut graphs) = (Records::new(), BTreeSet::new());
    for (at, lacking) in &registered {
        let mut lines = Lines::new(&mint.catalogue_graph());
        for (name, graph) in lacking {
            let Some(Some(contents)) = found.get(graph) else { continue };
            lines.subject(name).iri(qassay::CONTENTS, &mint.contents(&contents.key()));
            new.insert((CONTENTS.to_owned(), contents.key()), description_bytes(mint, contents));
            graphs.insert(name.as_str());
        }
        if lines.has_statements() {
            new.insert((*at).clone(), United::of(&records[*at]).with(lines).bytes());
        }
    }
    let graphs = graphs.len();
    Ok(Descriptions { records: new, graphs })
}

/// The graphs that a record registers and of which it does not say what they hold, with their names.
fn lacking(record: &[u8]) -> Result<Vec<(String, DescribedGraph)>> {
    let mut facts = Facts::default();
    facts.add_nquads(record)?;
    let graph = |name: &str| {
        let text = |subject: &str, property: &str| facts.text(subject, property).map(str::to_owned);
        let is_graph = facts.texts(name, rdf::TYPE).any(|class| class == sd::GRAPH);
        if !is_graph || text(name, qassay::CONTENTS).is_some() {
            return None;
        }
        let sha256 = text(&text(name, spdx::CHECKSUM)?, spdx::CHECKSUM_VALUE)?;
        Some((name.to_owned(), (text(name, dct::SUBJECT)?, sha256)))
    };
    Ok(facts.subjects().filter_map(graph).collect())
}

fn contents(archive: &Archive, (about, sha256): &DescribedGraph) -> Result<Option<GraphContents>> {
    let file = archive.graph(sha256);
    let content = file.checked().map_err(|error| file.unreadable(&error))?;
    let read = ContentsCollector::new(about).read(content).map_err(|error| file.unreadable(&error))?;
    Ok(read.1)
}
