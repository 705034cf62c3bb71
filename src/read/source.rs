//! A file as received: its bytes, their checksum, and the content behind compression.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::pack;
use crate::error::{Error, Result};

/// A file as received.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    bytes: Vec<u8>,
    sha256: String,
    unpacked: Option<Vec<u8>>,
}

/// The most that a compressed file may unpack to (4 GiB): enough for every known dataset, and no bomb.
const MOST_UNPACKED: u64 = 4 << 30;

impl Source {
    /// Reads a file, or the SPARQL results of a folder as one tar. What cannot be read gets an error that says what to do.
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Self::from_bytes(name, pack::folder(path)?);
        }
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::input("no such file").in_file(&name),
            _ => Error::io("read the file", path, &error),
        })?;
        Self::from_bytes(name, bytes)
    }

    /// A source from memory.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self> {
        let name = name.into();
        let sha256 = hex(&Sha256::digest(&bytes));
        let unpacked = if bytes.starts_with(&[0x1f, 0x8b]) {
            Some(unpack(&name, &bytes)?)
        } else if bytes.starts_with(b"PK\x03\x04") {
            pack::zip(&name, &bytes)?
        } else {
            None
        };
        Ok(Self { name, bytes, sha256, unpacked })
    }

    /// The name for messages: the path as given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file name without folders.
    pub fn file_name(&self) -> &str {
        Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// The file name without folders and without its last endings (`.json`, `.xml`, `.gz`, …).
    pub fn stem(&self) -> Cow<'_, str> {
        let file = Path::new(&self.name).file_name().map_or(Cow::Borrowed(""), |f| f.to_string_lossy());
        let known =
            ["gz", "json", "jsonl", "xml", "nt", "nq", "ttl", "trig", "csv", "tsv", "txt", "tar", "zip"];
        let mut stem: &str = &file;
        while let Some((before, ending)) = stem.rsplit_once('.') {
            if before.is_empty() || !known.contains(&ending.to_ascii_lowercase().as_str()) {
                break;
            }
            stem = before;
        }
        Cow::Owned(stem.to_owned())
    }

    /// The bytes as received.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The checksum of the bytes as received: sha256, 64 lower-case hex digits.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Whether the file came compressed.
    pub fn is_compressed(&self) -> bool {
        self.unpacked.is_some()
    }

    /// The content: unpacked where the file is compressed.
    pub fn content(&self) -> &[u8] {
        self.unpacked.as_deref().unwrap_or(&self.bytes)
    }
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn unpack(name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes).take(MOST_UNPACKED + 1).read_to_end(&mut content).map_err(
        |error| {
            Error::input(format!(
                "the gzip data are damaged after {} bytes of content: {error}",
                content.len()
            ))
            .in_file(name)
            .hint("fetch the file again, or unpack it with `gzip -dc` to see how far it goes")
        },
    )?;
    if content.len() as u64 > MOST_UNPACKED {
        return Err(Error::input("the gzip data unpack to more than 4 GiB").in_file(name));
    }
    Ok(content)
}
