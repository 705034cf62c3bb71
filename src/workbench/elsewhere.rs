//! Archives elsewhere: what push and pull know of a place, and how they ask it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::future::Future;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::base::checksum::{hex, is_checksum};
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::model::Model;
use crate::sources::archive::{Archive, RECORD_KINDS, VOCABULARY};
use crate::sources::depot::{Depot, SeenObject};

/// The record that states the version of the model.
pub(super) const MODEL: &str = "records/archive/model.nq";

/// Objects that are on their way at the same time.
const AT_ONCE: usize = 4;

/// Runs what asks a place, on this thread.
///
/// # Errors
/// Those of the work.
pub(super) fn run<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().max_blocking_threads(AT_ONCE).build();
    runtime.map_err(|error| Error::system(format!("cannot wait for answers: {error}")))?.block_on(work)
}

/// Does the same with all of these, some at a time; what comes of it is in their order.
///
/// # Errors
/// The first one: what was not begun stays undone.
pub(super) async fn some_at_once<T, F, O>(
    all: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> F,
) -> Result<Vec<O>>
where
    F: Future<Output = Result<O>>,
{
    stream::iter(all.into_iter().map(work)).buffered(AT_ONCE).try_collect().await
}

/// The kind and the key of a record that belongs to an archive wherever it is, by its path; vocabularies stay where they are, as
/// every program has its own.
pub(super) fn record_at(path: &str) -> Option<(&'static str, &str)> {
    let (kind, key) = path.strip_prefix("records/")?.split_once('/')?;
    let key = key.strip_suffix(".nq")?;
    let is_name = !key.is_empty() && !key.starts_with('.') && !key.contains(['/', '\\', '\0']);
    let kind = RECORD_KINDS.into_iter().find(|known| *known == kind && *known != VOCABULARY)?;
    is_name.then_some((kind, key))
}

/// The checksum of a file or a graph that an archive keeps, by its path.
pub(super) fn content_at(path: &str) -> Option<&str> {
    let (folder, rest) = path.split_once("/sha256/")?;
    let (beginning, name) = rest.split_once('/')?;
    let sha256 = match folder {
        "files" => name,
        "graphs" => name.strip_suffix(".zst").unwrap_or(name).strip_suffix(".nq")?,
        _ => return None,
    };
    (is_checksum(sha256) && sha256.starts_with(beginning) && beginning.len() == 2).then_some(sha256)
}

/// The records of a place, by their paths.
///
/// # Errors
/// Where it cannot be asked.
pub(super) async fn records_of(depot: &Depot) -> Result<BTreeMap<String, SeenObject>> {
    let mut all = depot.list("records").await?;
    all.retain(|path, _| record_at(path).is_some());
    Ok(all)
}

/// The files and graphs of a place, by their paths.
///
/// # Errors
/// Where it cannot be asked.
pub(super) async fn contents_of(depot: &Depot) -> Result<BTreeMap<String, SeenObject>> {
    let mut all = depot.list("files/sha256").await?;
    all.extend(depot.list("graphs/sha256").await?);
    all.retain(|path, _| content_at(path).is_some());
    Ok(all)
}

/// The version of the model and the base of the archive that has these records.
///
/// # Errors
/// Where the record that states them cannot be read, or is damaged.
pub(super) async fn stated(depot: &Depot, records: &BTreeMap<String, SeenObject>) -> Result<Mint> {
    if !records.contains_key(MODEL) {
        return Ok(Mint::of(Model::One));
    }
    let (content, _) = depot.read(MODEL).await?;
    let failed = |error| Error::system(format!("cannot write a temporary file: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let place = folder.path().join(MODEL);
    fs::create_dir_all(place.parent().unwrap_or(folder.path())).map_err(failed)?;
    fs::write(&place, content).map_err(failed)?;
    Archive::stated_below(folder.path()).ok().flatten().ok_or_else(|| {
        Error::check("the record of the version of the model is damaged, or of a newer program")
            .in_file(depot.place(MODEL))
            .hint("the archive cannot be read without it; take it from a copy, or use the newer qassay")
    })
}

/// The checksums that a record names.
pub(super) fn checksums_in(record: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(record);
    let words = text.split(|letter: char| !letter.is_ascii_hexdigit());
    words.filter(|word| is_checksum(word)).map(str::to_owned).collect()
}

/// The checksum of a record.
pub(super) fn checksum(record: &[u8]) -> String {
    hex(&Sha256::digest(record))
}

/// The records of a place that the archive has taken in: what the archive says now says what they said. By their paths: what
/// the store called each, and its checksum.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct TakenRecords(BTreeMap<String, (Option<String>, String)>);

impl TakenRecords {
    /// Those that are remembered: where nothing is, all are looked at again.
    pub(super) fn recall(archive: &Archive, depot: &Depot) -> Self {
        archive.recall(&memory(depot)).unwrap_or_default()
    }

    /// Remembers them.
    pub(super) fn remember(&self, archive: &Archive, depot: &Depot) {
        archive.remember(&memory(depot), self);
    }

    /// One more.
    pub(super) fn take(&mut self, path: &str, e_tag: Option<String>, sha256: String) {
        self.0.insert(path.to_owned(), (e_tag, sha256));
    }

    /// Whether a record was taken in as it is.
    pub(super) fn has(&self, path: &str, sha256: &str) -> bool {
        self.0.get(path).is_some_and(|(_, taken)| taken == sha256)
    }

    /// The checksum of an object that is still the one that was taken in, where the store can tell.
    pub(super) fn untouched(&self, path: &str, now: &SeenObject) -> Option<&str> {
        let (e_tag, sha256) = self.0.get(path)?;
        (e_tag.is_some() && *e_tag == now.e_tag).then_some(sha256)
    }
}

fn memory(depot: &Depot) -> String {
    format!("elsewhere-{}", &checksum(depot.name().as_bytes())[..32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_belongs_to_an_archive_travels() {
        let sha256 = "ab".repeat(32);
        for path in [format!("files/sha256/ab/{sha256}"), format!("graphs/sha256/ab/{sha256}.nq.zst")] {
            assert_eq!(content_at(&path), Some(sha256.as_str()), "{path}");
        }
        for path in [
            format!("files/sha256/cd/{sha256}"),
            format!("graphs/sha256/ab/{sha256}"),
            format!("private/sha256/ab/{sha256}"),
            format!("files/sha256/ab/x/{sha256}"),
        ] {
            assert_eq!(content_at(&path), None, "{path}");
        }
        assert_eq!(record_at("records/dataset/a.nq"), Some(("dataset", "a")));
        for path in [
            "records/vocabulary/a.nq",
            "records/tokens/a.nq",
            "records/dataset/.a.nq",
            "tokens",
            "records/dataset/x/a.nq",
        ] {
            assert_eq!(record_at(path), None, "{path}");
        }
    }
}
