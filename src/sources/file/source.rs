//! A file as received: its bytes, their checksum, and the content behind compression.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::issue::Issue;
use crate::sources::file::encoding::Decoded;
use crate::sources::file::large::{Received, stream};
use crate::sources::file::unpack::Packing;
use crate::sources::file::{encoding, pack};
use crate::sources::format::meter::whole;

/// Files up to this size are read into memory, packed ones where this is the size of their content (8 MiB).
const MOST_IN_MEMORY: usize = 8 << 20;

/// A file as received.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    /// Empty where the file stays on disk.
    bytes: Vec<u8>,
    /// Where the bytes can be read again.
    again: Option<PathBuf>,
    on_disk: Option<OnDisk>,
    sha256: String,
    packing: Option<Packing>,
    /// Unpacked and in UTF-8, where that is something else than the bytes.
    content: Option<Vec<u8>>,
    encoding: Option<Issue>,
    undecodable: Option<Error>,
}

/// A file that is too large for memory.
#[derive(Debug, Clone)]
struct OnDisk {
    path: PathBuf,
    size: u64,
}

impl Source {
    /// Reads a file of any size: `read` is shown the content in one pass. A large file stays on disk, and its checksum
    /// is made on the way; a small one is in memory like any other.
    pub fn open_with<T>(
        path: &Path,
        read: impl FnOnce(&str, &mut dyn Read) -> Result<T>,
    ) -> Result<(Self, T)> {
        if !is_large(path) {
            let source = Self::open(path)?;
            let value = source.with_content(|content| read(source.name(), content))?;
            return Ok((source, value));
        }
        let name = path.display().to_string();
        let (value, Received { sha256, size, packing }) = stream(path, |content| read(&name, content))?;
        let on_disk = Some(OnDisk { path: path.to_path_buf(), size });
        let (bytes, content, encoding, undecodable) = (Vec::new(), None, None, None);
        let again = None;
        Ok((Self { name, bytes, again, on_disk, sha256, packing, content, encoding, undecodable }, value))
    }

    /// Shows the content to `read`, from memory or from disk. A file on disk that is another one by now is an error.
    pub fn with_content<T>(&self, read: impl FnOnce(&mut dyn Read) -> Result<T>) -> Result<T> {
        let Some(OnDisk { path, .. }) = &self.on_disk else { return read(&mut self.content()) };
        let (value, received) = stream(path, read)?;
        if received.sha256 != self.sha256 {
            return Err(Error::input("the file was changed while it was used").in_file(&self.name));
        }
        Ok(value)
    }

    /// Shows the bytes as received to `read`.
    pub fn with_bytes<T>(&self, read: impl FnOnce(&mut dyn Read) -> Result<T>) -> Result<T> {
        match &self.on_disk {
            Some(OnDisk { path, .. }) => {
                read(&mut File::open(path).map_err(|error| Error::io("read the file", path, &error))?)
            }
            None => read(&mut self.bytes.as_slice()),
        }
    }

    /// The number of bytes as received.
    pub fn size(&self) -> u64 {
        self.on_disk.as_ref().map_or(self.bytes.len() as u64, |on_disk| on_disk.size)
    }

    /// Reads a file, or the SPARQL results of a folder as one tar. What cannot be read gets an error that says what to do.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with_encoding(path, None)
    }

    /// Reads a file in the encoding of a label such as `windows-1252`; without one, as the file says or by a guess.
    pub fn open_with_encoding(path: &Path, label: Option<&str>) -> Result<Self> {
        let name = path.display().to_string();
        if path.is_dir() {
            return Self::from_bytes(name, pack::folder(path)?);
        }
        let mut source = Self::from_bytes_with_encoding(name, whole(path)?, label)?;
        // Of a pipe, nothing comes again.
        source.again = path.metadata().is_ok_and(|file| file.is_file()).then(|| path.to_path_buf());
        Ok(source)
    }

    /// A source from memory.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self> {
        Self::from_bytes_with_encoding(name, bytes, None)
    }

    /// A source from memory in the encoding of a label; without one, as the content says or by a guess.
    pub fn from_bytes_with_encoding(
        name: impl Into<String>,
        bytes: Vec<u8>,
        label: Option<&str>,
    ) -> Result<Self> {
        let name = name.into();
        let forced = label.map(encoding::by_label).transpose()?;
        let sha256 = hex(&Sha256::digest(&bytes));
        let packing = Packing::of(&bytes);
        let unpacked = packing.map(|packing| packing.unpack(&bytes)).transpose();
        let content = unpacked.map_err(|error| error.in_file(&name))?;
        let (again, on_disk, encoding, undecodable) = (None, None, None, None);
        let mut source =
            Self { name, bytes, again, on_disk, sha256, packing, content, encoding, undecodable };
        // The files in a tar have encodings of their own.
        if pack::is_tar(source.content()) {
            return Ok(source);
        }
        match encoding::decode(source.content(), forced) {
            Ok(None) => {}
            Ok(Some(Decoded { content, issue })) => {
                (source.content, source.encoding) = (Some(content), Some(issue));
            }
            // files of links are read line by line, whatever is in them
            Err(error) => source.undecodable = Some(error),
        }
        Ok(source)
    }

    /// Forgets the bytes where they can be read again and nobody needs more of them than that: of a file that is neither
    /// packed, nor in another encoding, nor two files in one. Whoever reads it again compares checksums.
    pub(crate) fn forget(&mut self) {
        let is_plain = self.content.is_none() && !pack::is_tar(&self.bytes);
        if let Some(path) = self.again.take().filter(|_| is_plain) {
            self.on_disk = Some(OnDisk { path, size: self.bytes.len() as u64 });
            self.bytes = Vec::new();
        }
    }

    /// The name for messages: the path as given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same under another name.
    #[must_use]
    pub fn called(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The file name without folders.
    pub fn file_name(&self) -> &str {
        Path::new(&self.name).file_name().and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// The file name without folders and without its last endings (`.json`, `.xml`, `.gz`, …).
    pub fn stem(&self) -> Cow<'_, str> {
        let file = Path::new(&self.name).file_name().map_or(Cow::Borrowed(""), |f| f.to_string_lossy());
        let known = [
            "gz", "bz2", "zst", "zip", "tar", "yaml", "yml", "json", "jsonl", "xml", "nt", "nq", "ttl",
            "trig", "csv", "tsv", "txt", "eval",
        ];
        let mut stem: &str = &file;
        while let Some((before, ending)) = stem.rsplit_once('.') {
            if before.is_empty() || !known.contains(&ending.to_ascii_lowercase().as_str()) {
                break;
            }
            stem = before;
        }
        Cow::Owned(stem.to_owned())
    }

    /// The bytes as received; none of a file that stays on disk, see [`Source::with_bytes`].
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The checksum of the bytes as received: sha256, 64 lower-case hex digits.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The checksum of what is in a packed file.
    pub fn content_sha256(&self) -> Option<String> {
        self.packing.map(|_| hex(&Sha256::digest(self.content())))
    }

    /// How the file came packed.
    pub fn packing(&self) -> Option<Packing> {
        self.packing
    }

    /// The content: unpacked where the file is packed, and in UTF-8 where its encoding is another; nothing of a file that
    /// stays on disk, see [`Source::with_content`].
    pub fn content(&self) -> &[u8] {
        self.content.as_deref().unwrap_or(&self.bytes)
    }

    /// What was done to bring the content into UTF-8.
    pub fn encoding_issue(&self) -> Option<&Issue> {
        self.encoding.as_ref()
    }

    /// An error where the content cannot be brought into UTF-8.
    pub(crate) fn check_encoding(&self) -> Result<()> {
        self.undecodable.clone().map_or(Ok(()), |error| Err(error.in_file(&self.name)))
    }
}

/// Whether a file, or what is packed in it, is too large for memory. What cannot be told here is told by who reads it.
fn is_large(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let Ok(metadata) = file.metadata() else { return false };
    if !metadata.is_file() {
        return false;
    }
    if metadata.len() > MOST_IN_MEMORY as u64 {
        return true;
    }
    let mut start = Vec::new();
    let packing = match (&file).take(16).read_to_end(&mut start) {
        Ok(_) => Packing::of(&start),
        Err(_) => None,
    };
    let mut length = 0;
    let measured = packing.map(|_| {
        stream(path, |content| {
            let most = MOST_IN_MEMORY as u64 + 1;
            length = std::io::copy(&mut content.take(most), &mut std::io::sink()).unwrap_or_default();
            Err::<(), _>(Error::input("long enough"))
        })
    });
    measured.is_some() && length > MOST_IN_MEMORY as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_read_again_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gold.json");
        std::fs::write(&path, "{}").unwrap();
        let read = |source: &Source| {
            let mut bytes = Vec::new();
            source.with_bytes(|all| Ok(all.read_to_end(&mut bytes).map(drop))).unwrap().unwrap();
            bytes
        };
        let mut source = Source::open(&path).unwrap();
        let (sha256, size) = (source.sha256().to_owned(), source.size());
        source.forget();
        assert_eq!((source.bytes(), source.sha256(), source.size()), (&[][..], sha256.as_str(), size));
        assert_eq!(read(&source), b"{}");

        // in another encoding, packed, or nowhere but in memory
        std::fs::write(&path, [0xff, 0xfe, b'{', 0, b'}', 0]).unwrap();
        let mut other = Source::open(&path).unwrap();
        other.forget();
        assert_eq!((other.content(), other.bytes().len()), (&b"{}"[..], 6));
        let mut memory = Source::from_bytes("name", b"{}".to_vec()).unwrap();
        memory.forget();
        assert_eq!(memory.bytes(), b"{}");
    }
}
