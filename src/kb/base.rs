//! A version of a knowledge base: its files, or the graphs of it that a server has, and the digest that stands for all that it
//! says.

use oxigraph::io::RdfFormat;
use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::iri::{Mint, slug};
use crate::kb::dump::Dump;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::file_digest;

/// A version of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnowledgeBase {
    /// Its name.
    pub name: String,
    /// The version.
    pub version: String,
    /// Its files in the order of their checksums; none where a server has it.
    pub files: Vec<KbFile>,
    /// The graphs that a server has of it, where it is no files.
    pub served: Option<ServedGraphs>,
}

/// A knowledge base on a server: graphs that stay there and are asked there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedGraphs {
    /// The address for queries, without name and password.
    pub address: String,
    /// The graphs in the order of their names.
    pub graphs: Vec<PinnedGraph>,
}

/// A graph as it was when it was pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedGraph {
    /// Its name on the server.
    pub name: String,
    /// How many statements it has.
    pub statements: u64,
    /// The checksum that the server computes of them: 64 lower-case hex digits; none where it did not within the time limit.
    pub checksum: Option<String>,
}

impl ServedGraphs {
    /// How many statements all graphs have together; one that is in two of them counts twice.
    pub fn statements(&self) -> u64 {
        self.graphs.iter().map(|graph| graph.statements).sum()
    }
}

/// A file of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KbFile {
    /// The checksum of the bytes as received: 64 lower-case hex digits.
    pub sha256: String,
    /// The file name without folders.
    pub name: String,
    /// The size of the bytes as received.
    pub bytes: u64,
    /// The media type of the content.
    pub media_type: String,
    /// The media type of the packing.
    pub packing: Option<String>,
    /// Statements in the file, repeated ones too.
    pub statements: u64,
    /// Malformed statements that were left out.
    pub skipped: u64,
}

impl KnowledgeBase {
    /// A version with these files, in any order; a file given twice counts once.
    pub fn new(name: impl Into<String>, version: impl Into<String>, mut files: Vec<KbFile>) -> Self {
        files.sort_by(|a, b| a.sha256.cmp(&b.sha256).then_with(|| a.name.cmp(&b.name)));
        files.dedup_by(|a, b| a.sha256 == b.sha256);
        Self { name: name.into(), version: version.into(), files, served: None }
    }

    /// A version that a server has.
    pub fn served(name: impl Into<String>, version: impl Into<String>, mut served: ServedGraphs) -> Self {
        served.graphs.sort_by(|a, b| a.name.cmp(&b.name));
        Self { served: Some(served), ..Self::new(name, version, Vec::new()) }
    }

    /// Its IRI.
    pub fn iri(&self, mint: &Mint) -> String {
        mint.knowledge_base(&slug(&self.name), &slug(&self.version))
    }

    /// `NAME@VERSION`.
    pub fn label(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    /// What the digest is made of: a line for each file, and one where malformed statements were left out; of a server, its
    /// address and a line for each graph.
    pub fn manifest(&self) -> String {
        if let Some(ServedGraphs { address, graphs }) = &self.served {
            let graph = |graph: &PinnedGraph| {
                let checksum = graph.checksum.as_deref().unwrap_or("-");
                format!("graph <{}> {} {checksum}\n", graph.name, graph.statements)
            };
            let server = format!("server <{address}>\n");
            return std::iter::once(server).chain(graphs.iter().map(graph)).collect();
        }
        let files = self.files.iter().map(|file| format!("file {}\n", file.sha256));
        let skips = self.skips_malformed().then(|| "skip-malformed\n".to_owned());
        files.chain(skips).collect()
    }

    /// The sha256 checksum of the manifest: 64 lower-case hex digits.
    pub fn digest(&self) -> String {
        hex(&Sha256::digest(self.manifest()))
    }

    /// The key of its record.
    pub fn key(&self, mint: &Mint) -> String {
        hex(&Sha256::digest(format!("{}\n{}", self.iri(&mint.usual()), self.digest())))[..32].to_owned()
    }

    /// Whether malformed statements were left out.
    pub fn skips_malformed(&self) -> bool {
        self.files.iter().any(|file| file.skipped > 0)
    }

    /// The first file that has other bytes in the archive than the record says, with the checksum of those bytes; an error
    /// in its place where it cannot be read.
    pub fn changed_file(&self, archive: &Archive) -> Option<(&KbFile, Result<String>)> {
        let mut found = self.files.iter().map(|file| (file, file_digest(&archive.file(&file.sha256))));
        found.find(|(file, found)| !matches!(found, Ok(found) if *found == file.sha256))
    }

    /// An error where the archive has other bytes than the record says.
    pub fn check_files(&self, archive: &Archive) -> Result<()> {
        let Some((file, found)) = self.changed_file(archive) else { return Ok(()) };
        found?;
        let what = format!("the file {} of {} was changed: its checksum is another", file.name, self.label());
        Err(self.advise(Error::check(what), archive, file, "puts it right"))
    }

    /// Says where a file is and how to get the right one.
    fn advise(&self, error: Error, archive: &Archive, file: &KbFile, does: &str) -> Error {
        let (name, version) = (&self.name, &self.version);
        error
            .in_file(archive.file(&file.sha256).display().to_string())
            .hint(format!("`qassay kb add {name} --version {version} FILE…` {does}"))
    }

    /// Its files in an archive, ready to be read.
    pub fn dumps(&self, archive: &Archive) -> Result<Vec<Dump>> {
        let dump = |file: &KbFile| {
            let path = archive.file(&file.sha256);
            if !path.is_file() {
                let what = format!("the file {} of {} is not in the archive", file.name, self.label());
                return Err(self.advise(Error::input(what), archive, file, "brings it back"));
            }
            let format = RdfFormat::from_media_type(&file.media_type).ok_or_else(|| {
                Error::check(format!("`{}` is no media type of RDF", file.media_type)).in_file(&file.name)
            })?;
            Ok(Dump { path, name: file.name.clone(), format, skip_malformed: file.skipped > 0 })
        };
        self.files.iter().map(dump).collect()
    }
}
