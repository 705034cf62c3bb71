//! The store of a knowledge base on disk, with the feature `rocksdb`: `stores/kb/DIGEST/` in the archive.
//!
//! It is made of the files when it is first needed, and can be dropped at any time. Without the feature every worker
//! loads the files into memory.

use std::path::{Path, PathBuf};

use oxigraph::store::Store;

use crate::base::error::{Error, Result};
use crate::kb::base::KnowledgeBase;
use crate::sources::archive::Archive;

/// The folder of the store, which is made where it is missing; nothing without the feature.
#[cfg(not(feature = "rocksdb"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
pub(crate) fn store(_: &Archive, _: &KnowledgeBase) -> Result<Option<PathBuf>> {
    Ok(None)
}

/// The folder of the store, which is made where it is missing; nothing without the feature.
#[cfg(feature = "rocksdb")]
pub(crate) fn store(archive: &Archive, base: &KnowledgeBase) -> Result<Option<PathBuf>> {
    use std::fs::File;

    let digest = base.digest();
    let stores = archive.root().join("stores/kb");
    let folder = stores.join(&digest);
    if folder.is_dir() {
        return Ok(Some(folder));
    }
    let unfinished = archive.state(&format!("store-{digest}"));
    create(&stores)?;
    create(&archive.state(""))?;
    // Two programs do not make it at once; what a killed one left is dropped.
    let lock_path = archive.state(".stores");
    let lock = File::create(&lock_path).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.map_err(|error| Error::io("lock", &lock_path, &error))?;
    if folder.is_dir() {
        return Ok(Some(folder));
    }
    remove(&unfinished)?;
    // What stays where even this fails is dropped by the next run: the first error is the one to tell.
    fill(&unfinished, &base.dumps(archive)?).inspect_err(|_| drop(remove(&unfinished)))?;
    std::fs::rename(&unfinished, &folder)
        .map_err(|error| Error::io("rename the finished store to", &folder, &error))?;
    Ok(Some(folder))
}

/// Loads dumps into a new store.
#[cfg(feature = "rocksdb")]
fn fill(folder: &Path, dumps: &[crate::kb::dump::Dump]) -> Result<()> {
    use crate::kb::load;

    let failed = |error| load::failed(&error).in_file(folder.display().to_string());
    let store = Store::open(folder).map_err(failed)?;
    load::load(&store, dumps)?;
    // It is never written again: what is put in order now, every query is spared.
    store.optimize().map_err(failed)?;
    store.flush().map_err(failed)
}

#[cfg(feature = "rocksdb")]
fn create(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))
}

#[cfg(feature = "rocksdb")]
fn remove(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io("remove the folder", folder, &error))
        }
        _ => Ok(()),
    }
}

/// Opens a store to read it: several processes may do so at once, and none changes a byte.
#[cfg(feature = "rocksdb")]
pub(crate) fn open(folder: &Path) -> Result<Store> {
    Store::open_read_only(folder).map_err(|error| damaged(crate::kb::load::failed(&error), folder))
}

/// A build without the feature opens none.
#[cfg(not(feature = "rocksdb"))]
pub(crate) fn open(folder: &Path) -> Result<Store> {
    Err(Error::input("this build keeps no stores on disk")
        .in_file(folder.display().to_string())
        .hint("build it with the feature `rocksdb`"))
}

/// Says which store cannot be read, and what helps.
pub(crate) fn damaged(error: Error, folder: &Path) -> Error {
    error
        .in_file(folder.display().to_string())
        .hint("remove this folder: the next run makes the store again of the archived files")
}
