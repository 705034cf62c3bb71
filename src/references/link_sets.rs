//! Registered versions of link sets: their records in the archive.

use crate::base::error::{Error, Result};
use crate::base::iri::slug;
use crate::sources::archive::Archive;
use crate::sources::input::term;
use crate::sparql::dataset::Dataset as _;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::Store;
use oxigraph::model::Term;
use serde::Serialize;

/// A registered version of a link set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkSetVersion {
    /// Its IRI.
    pub iri: String,
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
    /// Where it comes from, if somebody said so.
    pub source: String,
    /// How many links its files have.
    pub links: u64,
    /// The checksums of its files, sorted.
    pub files: Vec<String>,
}

/// All registered versions, by name and version.
pub fn all(archive: &Archive) -> Result<Vec<LinkSetVersion>> {
    let store = Store::in_memory()?;
    let own = ["linkset", "links"].map(|kind| archive.root().join("records").join(kind));
    for record in
        archive.records()?.into_iter().filter(|record| own.iter().any(|own| record.starts_with(own)))
    {
        let file = std::fs::File::open(&record).map_err(|e| Error::io("open", &record, &e))?;
        store.load_nquads(file, true).map_err(|e| e.in_file(record.display().to_string()))?;
    }
    let rows = store.select(&NamedQuery::find("report/link-sets")?)?;
    let text = |cell: Option<Term>| cell.map_or_else(String::new, |cell| term::text(&cell).into_owned());
    let version = |row: Vec<Option<Term>>| {
        let mut cells = row.into_iter().map(text);
        let mut next = || cells.next().unwrap_or_default();
        let (iri, name, version, source, links, files) = (next(), next(), next(), next(), next(), next());
        let checksum = |file: &str| file.rsplit('/').next().unwrap_or_default().to_owned();
        let mut files: Vec<String> = files.split_whitespace().map(checksum).collect();
        files.sort_unstable();
        let links = links.parse().unwrap_or_default();
        LinkSetVersion { iri, name, version, source, links, files }
    };
    Ok(rows.into_iter().map(version).collect())
}

/// The version that `NAME` or `NAME@VERSION` means; nothing where no link set has the name.
pub fn find<'a>(versions: &'a [LinkSetVersion], word: &str) -> Result<Option<&'a LinkSetVersion>> {
    let is = |name: &str, other: &str| slug(name) == slug(other);
    let (name, wanted) = match word.rsplit_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (word, None),
    };
    let known: Vec<&LinkSetVersion> = versions.iter().filter(|version| is(&version.name, name)).collect();
    let found: Vec<&&LinkSetVersion> =
        known.iter().filter(|known| wanted.is_none_or(|wanted| is(&known.version, wanted))).collect();
    let listed = |known: &[&LinkSetVersion]| {
        known.iter().map(|known| format!("{}@{}", known.name, known.version)).collect::<Vec<_>>().join(", ")
    };
    match (known.as_slice(), found.as_slice()) {
        ([], _) => Ok(None),
        (_, [one]) => Ok(Some(one)),
        (_, []) => {
            Err(Error::input(format!("the link set `{name}` has no such version")).allowed(listed(&known)))
        }
        _ => Err(Error::input(format!("the link set `{name}` has {} versions", known.len()))
            .allowed(listed(&known))
            .hint("name one of them")),
    }
}
