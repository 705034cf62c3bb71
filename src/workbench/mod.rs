//! What every door calls: ask, evaluate, matrix, compare, release, refresh, explain, verify, export, import, merge, push, pull, query, list, remove, fetch.
//!
//! A [`Workbench`] stands before an archive. Whatever it is asked for is a plain value, what it gives is one, and whoever
//! waits for it watches with a [`Watcher`](crate::base::watch::Watcher).

pub mod apart;
pub mod archive;
pub mod ask;
pub mod asked;
pub mod asker;
pub mod assessing;
pub mod blind;
pub mod compare;
pub mod decide;
pub mod deposit;
pub mod elsewhere;
pub mod evaluate;
pub mod explain;
pub mod fetch;
pub mod files;
pub mod headlines;
pub mod holdings;
pub mod import;
pub mod kb;
pub mod links;
pub mod list;
pub mod matrix;
pub mod merge;
pub mod private;
pub mod public;
pub mod publish;
pub mod publish_request;
pub mod pull;
pub mod push;
pub mod query;
pub mod ready;
pub mod reference_files;
pub mod release;
pub mod remove;
pub mod request;
pub mod run;
pub mod run_request;
pub mod site;
pub mod tokens;
pub mod upgrade;
pub mod withdraw;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::record::archived::Archived;
use crate::sources::archive::Archive;
use crate::sources::catalogue::named;
use crate::sources::file::source::Source;

/// A place to work at: an archive, from which things are taken by their names, and in which what is made is kept.
#[derive(Debug, Clone)]
pub struct Workbench {
    root: PathBuf,
    /// Where named things are taken from; none: from the archive itself.
    shelf: Option<PathBuf>,
    /// Inputs that are no files, by the words that open them.
    given: BTreeMap<PathBuf, Arc<Source>>,
    keeps: bool,
    mint: Mint,
}

impl Workbench {
    /// A workbench before the archive in a folder. Where there is none, it is made when something is kept.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        // Whoever opens the archive is told where it cannot be known.
        let mint = Archive::mint_below(&root).unwrap_or_default();
        Self { root, shelf: None, given: BTreeMap::new(), keeps: true, mint }
    }

    /// The same, but evaluations are not kept.
    #[must_use]
    pub fn keeping_nothing(self) -> Self {
        let mint = self.mint.newest();
        Self { keeps: false, mint, ..self }
    }

    /// The same, but what has a name (fetched files, link sets, knowledge bases) is taken from another archive.
    #[must_use]
    pub fn taking_from(self, other: impl Into<PathBuf>) -> Self {
        Self { shelf: Some(other.into()), ..self }
    }

    /// The same with an input from memory, and the word that opens it, which no file can be called: others may have its name.
    #[must_use]
    pub fn given(mut self, source: Source) -> (PathBuf, Self) {
        let word = PathBuf::from(format!("\0{}", self.given.len()));
        self.given.insert(word.clone(), Arc::new(source));
        (word, self)
    }

    /// The folder of the archive from which named things are taken.
    pub(crate) fn shelf(&self) -> &Path {
        self.shelf.as_ref().unwrap_or(&self.root)
    }

    /// The same with a base of the user's own, which a new archive gets.
    ///
    /// # Errors
    /// Where it is none; where the archive has another one.
    pub fn under_base(self, base: &str) -> Result<Self> {
        let wanted = self.mint.clone().under_base(base)?;
        if wanted != self.mint && Archive::stated_below(&self.root)?.is_some() {
            return Err(Error::input(format!("the archive has another base: {}", self.mint.base()))
                .in_file(self.root.display().to_string())
                .hint("`qassay upgrade ⌥base` gives an archive another base; or name another archive, `⌥archive DIR`"));
        }
        Ok(Self { mint: wanted, ..self })
    }

    /// The archive to write into; a new one gets the base of this workbench.
    pub(crate) fn create(&self) -> Result<Archive> {
        Archive::create_for(&self.root, &self.mint)
    }

    /// The folder of the archive.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What makes IRIs.
    pub fn mint(&self) -> &Mint {
        &self.mint
    }

    /// The archive with what its records and its provenance say.
    ///
    /// # Errors
    /// Where there is no archive, or one of its records cannot be read.
    pub fn archived(&self) -> Result<Archived> {
        Archived::open(Archive::open(&self.root)?)
    }

    /// Opens an input: what was [given](Workbench::given), a file, or what the catalogue of published files calls one that is
    /// fetched. `encoding` is that of the file, where somebody knows it better.
    ///
    /// # Errors
    /// Where there is no such file, or it is not what was fetched.
    pub fn open(&self, word: &Path, encoding: Option<&str>) -> Result<Source> {
        if let Some(given) = self.given.get(word) {
            return Ok(Source::clone(given));
        }
        named::open(word, self.shelf(), encoding)
    }
}
