//! The store of a knowledge base on disk, with the feature `rocksdb`: `stores/kb/DIGEST/` in the archive.
//!
//! It is made of the files when it is first needed, and can be dropped at any time. Without the feature every worker
//! loads the files into memory.

use std::path::PathBuf;

use super::base::KnowledgeBase;
use crate::error::Result;
use crate::graph::Archive;

/// The folder of the store, which is made where it is missing; nothing without the feature.
#[cfg(not(feature = "rocksdb"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
pub(super) fn store(_: &Archive, _: &KnowledgeBase) -> Result<Option<PathBuf>> {
    Ok(None)
}

/// The folder of the store, which is made where it is missing; nothing without the feature.
#[cfg(feature = "rocksdb")]
pub(super) fn store(archive: &Archive, base: &KnowledgeBase) -> Result<Option<PathBuf>> {
    use std::fs::{self, File};

    use super::load;
    use crate::error::Error;

    let digest = base.digest();
    let folder = archive.root().join("stores/kb").join(&digest);
    if folder.is_dir() {
        return Ok(Some(folder));
    }
    // Two programs do not make it at once; what a killed one left is dropped.
    let lock_path = archive.state(".stores");
    let lock = File::create(&lock_path).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.map_err(|error| Error::io("lock", &lock_path, &error))?;
    if folder.is_dir() {
        return Ok(Some(folder));
    }
    let unfinished = archive.state(&format!("store-{digest}"));
    if unfinished.is_dir() {
        fs::remove_dir_all(&unfinished)
            .map_err(|error| Error::io("remove the folder", &unfinished, &error))?;
    }
    let parent = archive.root().join("stores/kb");
    fs::create_dir_all(&parent).map_err(|error| Error::io("create the folder", &parent, &error))?;
    let store = oxigraph::store::Store::open(&unfinished).map_err(|error| load::failed(&error))?;
    load::load(&store, &base.dumps(archive)?)?;
    store.flush().map_err(|error| load::failed(&error))?;
    drop(store);
    fs::rename(&unfinished, &folder)
        .map_err(|error| Error::io("rename the finished store to", &folder, &error))?;
    Ok(Some(folder))
}
