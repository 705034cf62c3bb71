//! Writes and hashes in one go.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::rdf::contents::{ContentsCollector, GraphContents};

/// A graph as it was written.
#[derive(Debug)]
pub(crate) struct HashedGraph {
    /// The number of statements.
    pub statements: u64,
    /// The checksum.
    pub sha256: String,
    /// What it holds, where that can be told.
    pub contents: Option<GraphContents>,
}

/// Writes in large pieces and hashes on the way.
pub(crate) fn hashed<W: Write>(
    out: W,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
) -> io::Result<(u64, String, W)> {
    let (count, HashedWriter { out, hasher, .. }) = written(out, None, fill)?;
    Ok((count, hex(&hasher.finalize()), out))
}

/// Writes a graph about something likewise, and sees what it holds.
pub(crate) fn hashed_graph<W: Write>(
    out: W,
    about: &str,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
) -> io::Result<(HashedGraph, W)> {
    let (statements, writer) = written(out, Some(ContentsCollector::new(about)), fill)?;
    let contents = writer.contents.and_then(|collector| collector.finish().1);
    Ok((HashedGraph { statements, sha256: hex(&writer.hasher.finalize()), contents }, writer.out))
}

fn written<W: Write>(
    out: W,
    contents: Option<ContentsCollector>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
) -> io::Result<(u64, HashedWriter<W>)> {
    let writer = HashedWriter { out, hasher: Sha256::new(), contents };
    let mut buffered = BufWriter::with_capacity(1 << 18, writer);
    let count = fill(&mut buffered)?;
    Ok((count, buffered.into_inner().map_err(io::IntoInnerError::into_error)?))
}

struct HashedWriter<W> {
    out: W,
    hasher: Sha256,
    contents: Option<ContentsCollector>,
}

impl<W: Write> Write for HashedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        if let Some(contents) = &mut self.contents {
            contents.add(&bytes[..count]);
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Opens a file of an archive. What is no regular file may never end, or never begin.
pub fn open_file(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("this is no file"));
    }
    File::open(path)
}

/// The bytes of a file of an archive.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The checksum of a file.
pub fn file_digest(path: &Path) -> Result<String> {
    let read = open_file(path).and_then(|mut file| hashed(io::sink(), |out| io::copy(&mut file, out)));
    read.map(|(_, sha256, _)| sha256).map_err(|e| Error::io("read the file", path, &e))
}
