//! What a publication gives to a site: its metadata and its files. Making them computes the tables of its evaluations, so what came
//! of that is remembered as long as the publication says the same: a server with a thousand of them begins at once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::record::package::Content;
use crate::record::publication::act::Publication;
use crate::record::publication::metadata::RecordMetadata;
use crate::sources::archive::Archive;
use crate::sources::archive::stored::StoredFile;

/// The folders of a record that are an archive: together one for all records of a site.
pub const ARCHIVE: [&str; 3] = ["files", "graphs", "records"];

/// Whether a file of a record is one of the archive.
pub fn is_archived(path: &str) -> bool {
    path.split_once('/').is_some_and(|(first, _)| ARCHIVE.contains(&first))
}

/// What a site needs of a published record.
#[derive(Debug, Clone)]
pub struct PublishedParts {
    /// What the record says of itself.
    pub metadata: RecordMetadata,
    /// What goes out of the archive, by its path there.
    pub contents: BTreeMap<String, Content>,
    /// What stays in it, by its path: numbers may need it.
    pub left_out: Vec<(String, StoredFile)>,
}

/// The same, as it is remembered.
#[derive(Serialize, Deserialize)]
struct KnownParts {
    /// The checksum of the record of the publication.
    of: String,
    metadata: RecordMetadata,
    /// Paths, and the checksums of the texts of those that are no files of the archive.
    contents: Vec<(String, Option<String>)>,
    left_out: Vec<String>,
}

/// What an archive remembers of its publications.
#[derive(Debug)]
pub struct PublicationMemory<'a> {
    archive: &'a Archive,
    /// The texts that were found to be what their names say: many publications share them.
    texts: RefCell<BTreeSet<String>>,
}

impl<'a> PublicationMemory<'a> {
    /// The memory of an archive.
    pub fn new(archive: &'a Archive) -> Self {
        Self { archive, texts: RefCell::default() }
    }

    /// What is remembered of a publication, if all files are here.
    pub fn recall(&self, publication: &Publication) -> Option<PublishedParts> {
        let known: KnownParts = self.archive.recall(&name(publication))?;
        if known.of != self.checksum(publication)? {
            return None;
        }
        let content = |(path, text): (String, Option<String>)| {
            let file = match text {
                Some(sha256) => self.text(&sha256)?,
                None => self.here(&path)?,
            };
            Some((path, Content::File(file)))
        };
        let left_out = |path: String| self.here(&path).map(|file| (path, file));
        Some(PublishedParts {
            metadata: known.metadata,
            contents: known.contents.into_iter().map(content).collect::<Option<_>>()?,
            left_out: known.left_out.into_iter().map(left_out).collect::<Option<_>>()?,
        })
    }

    /// Remembers what a publication gives. Where that cannot be, it is made again the next time.
    pub fn remember(&self, publication: &Publication, parts: &PublishedParts) {
        let content = |(path, content): (&String, &Content)| match content {
            Content::Bytes(bytes) => Some((path.clone(), Some(self.keep_text(bytes)?))),
            Content::File(file) => self.is_of(path, file).then(|| (path.clone(), None)),
        };
        let contents: Option<Vec<_>> = parts.contents.iter().map(content).collect();
        let is_plain = parts.left_out.iter().all(|(path, file)| self.is_of(path, file));
        if let (Some(contents), Some(of), true) = (contents, self.checksum(publication), is_plain) {
            let left_out = parts.left_out.iter().map(|(path, _)| path.clone()).collect();
            let known = KnownParts { of, metadata: parts.metadata.clone(), contents, left_out };
            self.archive.remember(&name(publication), &known);
        }
    }

    /// The checksum of what a publication says.
    fn checksum(&self, publication: &Publication) -> Option<String> {
        publication.checksum(self.archive.mint()).ok()
    }

    /// A text by its checksum, if it has that.
    fn text(&self, sha256: &str) -> Option<StoredFile> {
        let file = StoredFile::new(self.archive.remembered_text(sha256));
        let is_known = self.texts.borrow().contains(sha256);
        if !is_known {
            file.digest().ok().filter(|(found, _)| found == sha256)?;
            self.texts.borrow_mut().insert(sha256.to_owned());
        }
        Some(file)
    }

    fn keep_text(&self, bytes: &[u8]) -> Option<String> {
        let sha256 = hex(&Sha256::digest(bytes));
        if self.text(&sha256).is_none() {
            self.archive.remember_text(&sha256, bytes);
            self.text(&sha256)?;
        }
        Some(sha256)
    }

    /// A file of the archive, packed or not.
    fn here(&self, path: &str) -> Option<StoredFile> {
        Some(StoredFile::at(self.archive.root().join(path))).filter(StoredFile::is_file)
    }

    /// Whether a path names a file of the archive.
    fn is_of(&self, path: &str, file: &StoredFile) -> bool {
        file.plain_path() == self.archive.root().join(path)
    }
}

impl PublishedParts {
    /// Of a record and its files those of the archive, with what is left out.
    pub fn of(
        metadata: &RecordMetadata,
        files: &BTreeMap<String, Content>,
        left_out: &[(String, StoredFile)],
    ) -> Self {
        let archived = files.iter().filter(|(path, _)| is_archived(path));
        Self {
            metadata: metadata.clone(),
            contents: archived.map(|(path, content)| (path.clone(), content.clone())).collect(),
            left_out: left_out.to_vec(),
        }
    }

    /// Whether a site would have the same of both.
    pub fn is_same(&self, other: &Self) -> bool {
        let contents = |one: &Self| -> Option<Vec<(String, String)>> {
            let digest =
                |(path, content): (&String, &Content)| Some((path.clone(), content.digest().ok()?.0));
            one.contents.iter().map(digest).collect()
        };
        let paths = |one: &Self| one.left_out.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        self.metadata == other.metadata && contents(self) == contents(other) && paths(self) == paths(other)
    }
}

/// The name under which a publication is remembered.
fn name(publication: &Publication) -> String {
    format!("publication-{}", publication.key())
}
