//! The knowledge bases of an archive: read from their records, found by name.

use std::collections::BTreeMap;
use std::path::Path;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::NamedOrBlankNode;

use crate::base::error::{Error, Result};
use crate::base::iri::{Mint, slug};
use crate::base::text;
use crate::base::vocab::{databus, dcat, dct, qassay, rdf, void};
use crate::kb::base::{KbFile, KnowledgeBase, PinnedGraph, ServedGraphs};
use crate::kb::tally::{PropertyCounts, Statistics};
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::read_file;
use crate::sources::input::term;

/// What prefixes the media types of the records.
pub(crate) const MEDIA_TYPES: &str = "https://www.iana.org/assignments/media-types/";

/// A knowledge base as its record describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The knowledge base.
    pub base: KnowledgeBase,
    /// Its IRI.
    pub iri: String,
    /// Its digest, as the record says: that of the knowledge base, or somebody changed the record.
    pub digest: String,
    /// How much it says. Where a server has it, only the statements are counted.
    pub statistics: Statistics,
}

/// All knowledge bases of an archive, by name and version.
pub fn recorded(archive: &Archive) -> Result<Vec<Recorded>> {
    let folder = archive.root().join("records/kb");
    let paths = archive.records()?;
    let paths = paths.iter().filter(|path| path.starts_with(&folder));
    let mut all: Vec<Recorded> = paths.map(|path| read(path, archive.mint())).collect::<Result<_>>()?;
    all.sort_by(|a, b| a.base.name.cmp(&b.base.name).then_with(|| a.base.version.cmp(&b.base.version)));
    Ok(all)
}

/// The knowledge base of an archive that a word names: `NAME@VERSION`, a NAME with one version, an IRI, or the beginning
/// of a digest (six digits or more).
pub fn find(archive: &Archive, word: &str) -> Result<KnowledgeBase> {
    find_recorded(archive, word).map(|recorded| recorded.base)
}

/// Like [`find`], with all that the record says.
pub fn find_recorded(archive: &Archive, word: &str) -> Result<Recorded> {
    let all = recorded(archive)?;
    let labels = |chosen: &[&Recorded]| {
        chosen.iter().map(|recorded| recorded.base.label()).collect::<Vec<_>>().join(", ")
    };
    let is_named = |recorded: &&Recorded| {
        let (name, version) = word.rsplit_once('@').map_or((word, None), |(n, v)| (n, Some(v)));
        slug(&recorded.base.name) == slug(name)
            && version.is_none_or(|version| slug(&recorded.base.version) == slug(version))
    };
    let is_digest = word.len() >= 6 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_meant = |recorded: &&Recorded| {
        recorded.iri == word || (is_digest && recorded.digest.starts_with(&word.to_ascii_lowercase()))
    };
    let mut chosen: Vec<&Recorded> = all.iter().filter(is_named).collect();
    if chosen.is_empty() {
        chosen = all.iter().filter(is_meant).collect();
    }
    match chosen[..] {
        [one] => Ok(one.clone()),
        [] if all.is_empty() => Err(Error::input(format!("there is no knowledge base `{word}`"))
            .in_file(archive.root().display().to_string())
            .hint("`qassay kb add NAME --version V FILE…` adds one")),
        [] => Err(Error::input(format!("there is no knowledge base `{word}`"))
            .in_file(archive.root().display().to_string())
            .allowed(labels(&all.iter().collect::<Vec<_>>()))),
        _ => Err(Error::input(format!("`{word}` has several versions")).allowed(labels(&chosen))),
    }
}

/// What is wrong with the records of knowledge bases, and how many there are: a digest that is not that of the files, a
/// file that is not there, a file with other bytes. `changed` has the checksums found of the files of the archive that
/// are not what their names say, by the checksums expected.
pub fn check(archive: &Archive, changed: &BTreeMap<String, String>) -> Result<(u64, Vec<String>)> {
    let all = recorded(archive)?;
    let mut problems = Vec::new();
    for recorded in &all {
        if recorded.digest != recorded.base.digest() {
            problems.push(format!("<{}> has the digest {}", recorded.iri, recorded.base.digest()));
        }
        problems.extend(recorded.base.dumps(archive).err().map(|error| error.to_string()));
        let of_base = recorded.base.files.iter().filter_map(|file| Some((file, changed.get(&file.sha256)?)));
        problems.extend(of_base.map(|(file, found)| {
            format!(
                "{}: the file {} of {} was changed: expected the checksum {}, found {found}",
                text::path(&archive.file(&file.sha256)),
                text::name(&file.name),
                text::name(&recorded.base.label()),
                file.sha256
            )
        }));
    }
    Ok((all.len() as u64, problems))
}

/// The property and value pairs of a subject.
type About = BTreeMap<String, Vec<String>>;

/// Reads the record of a knowledge base.
fn read(path: &Path, mint: &Mint) -> Result<Recorded> {
    let content = read_file(path).map_err(|error| Error::io("read the record", path, &error))?;
    let mut facts: BTreeMap<String, About> = BTreeMap::new();
    for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(&content) {
        let quad = quad.map_err(|error| {
            Error::check(format!("the record is no N-Quads: {error}")).in_file(path.display().to_string())
        })?;
        if let NamedOrBlankNode::NamedNode(subject) = quad.subject {
            let about = facts.entry(subject.into_string()).or_default();
            let values = about.entry(quad.predicate.into_string()).or_default();
            values.push(term::text(&quad.object).into_owned());
        }
    }
    of_facts(&facts, mint).ok_or_else(|| {
        Error::check("the record does not describe a knowledge base").in_file(path.display().to_string())
    })
}

fn of_facts(facts: &BTreeMap<String, About>, mint: &Mint) -> Option<Recorded> {
    let values = |about: &About, property: &str| about.get(property).cloned().unwrap_or_default();
    let one = |about: &About, property: &str| about.get(property)?.first().cloned();
    let number = |about: &About, property: &str| one(about, property)?.parse::<u64>().ok();
    let is_base =
        |about: &About| values(about, rdf::TYPE).iter().any(|class| class == qassay::KNOWLEDGE_BASE_SNAPSHOT);
    let (iri, about) = facts.iter().find(|(_, about)| is_base(about))?;
    let media_type = |text: String| text.strip_prefix(MEDIA_TYPES).map_or(text.clone(), str::to_owned);
    let file = |distribution: &String| {
        let file = facts.get(distribution)?;
        Some(KbFile {
            sha256: one(file, databus::SHA256SUM)?,
            name: one(file, dct::TITLE)?,
            bytes: number(file, dcat::BYTE_SIZE)?,
            media_type: media_type(one(file, dcat::MEDIA_TYPE)?),
            packing: one(file, dcat::COMPRESS_FORMAT).map(media_type),
            statements: number(file, qassay::READ_STATEMENTS)?,
            skipped: number(file, qassay::SKIPPED_STATEMENTS)?,
        })
    };
    let files = values(about, dcat::DISTRIBUTION).iter().map(file).collect::<Option<_>>()?;
    let property = |partition: &String| {
        let partition = facts.get(partition)?;
        let counts = PropertyCounts {
            triples: number(partition, void::TRIPLES)?,
            subjects: number(partition, void::DISTINCT_SUBJECTS)?,
            objects: number(partition, void::DISTINCT_OBJECTS)?,
        };
        Some((one(partition, void::PROPERTY)?, counts))
    };
    let class = |partition: &String| {
        let partition = facts.get(partition)?;
        Some((one(partition, void::CLASS)?, number(partition, void::ENTITIES)?))
    };
    let graph = |subset: &String| {
        let graph = facts.get(subset)?;
        let (name, statements) = (one(graph, dct::TITLE)?, number(graph, void::TRIPLES)?);
        Some(PinnedGraph { name, statements, checksum: one(graph, qassay::GRAPH_CHECKSUM) })
    };
    let graphs = values(about, void::SUBSET).iter().map(graph).collect::<Option<_>>()?;
    let served = one(about, void::SPARQL_ENDPOINT).map(|address| ServedGraphs { address, graphs });
    // Of what a server has only statements are counted.
    let counted = |property: &str| number(about, property).or(served.as_ref().map(|_| 0));
    let statistics = Statistics {
        triples: number(about, void::TRIPLES)?,
        subjects: counted(void::DISTINCT_SUBJECTS)?,
        objects: counted(void::DISTINCT_OBJECTS)?,
        properties: values(about, void::PROPERTY_PARTITION).iter().map(property).collect::<Option<_>>()?,
        classes: values(about, void::CLASS_PARTITION).iter().map(class).collect::<Option<_>>()?,
    };
    let name = one(facts.get(&one(about, dcat::IS_VERSION_OF)?)?, dct::TITLE)?;
    let version = one(about, dcat::VERSION)?;
    let base = match served {
        Some(served) => KnowledgeBase::served(name, version, served),
        None => KnowledgeBase::new(name, version, files),
    };
    let is_own = base.iri(mint) == *iri;
    let digest = one(about, qassay::KNOWLEDGE_BASE_DIGEST)?;
    is_own.then(|| Recorded { base, iri: iri.clone(), digest, statistics })
}
