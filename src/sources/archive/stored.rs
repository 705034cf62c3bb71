//! Files of an archive as they are on disk. Graphs are packed as Zstandard where that makes them smaller, and the ending says
//! so: `1234….nq.zst` is what a graph `1234….nq` packed by any program would be called, and every such program unpacks it.
//! Their names and checksums stay those of the canonical N-Quads, and graphs that are not packed are read like those that are.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zstd::stream::write::Encoder;

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::limits::{self, Bound};
use crate::sources::archive::hashing::{HashedGraph, hashed, hashed_graph, open_file};
use crate::sources::archive::{Archive, Pending, StoredGraph, file_name};
use crate::sources::file::source::Source;
use crate::sources::file::unpack::Packing;

/// The ending of a packed graph.
const PACKED: &str = "zst";

/// Bytes of a graph that is not packed: one block of most disks, which a smaller file takes all the same.
const MOST_PLAIN: usize = 4 << 10;

/// Graphs become a fiftieth at level 1 and a 53rd at level 3, which takes an eighth more time.
const LEVEL: i32 = 1;

/// Bytes that are read or packed at once.
const PIECE: usize = 1 << 18;

/// Something that an archive keeps under the checksum of its content, packed or not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredFile {
    path: PathBuf,
}

impl StoredFile {
    /// A file of an archive.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// A file by where it is when it is not packed: packed where it is so, else where it would be if it were not.
    pub fn at(plain: impl Into<PathBuf>) -> Self {
        let plain = plain.into();
        let packed = packed_path(&plain);
        Self { path: if packed.exists() { packed } else { plain } }
    }

    /// Where it is, packed or not.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is when it is not packed.
    pub fn plain_path(&self) -> PathBuf {
        if self.is_packed() { self.path.with_extension("") } else { self.path.clone() }
    }

    fn is_packed(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == PACKED)
    }

    /// The name without endings: the checksum that its content must have; of a record, its key.
    pub fn sha256(&self) -> String {
        let stem = self.plain_path();
        stem.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Whether it is here.
    pub fn is_file(&self) -> bool {
        self.path.is_file()
    }

    /// The content, piece by piece, whatever it is by now: see [`Self::checked`]. It ends with an error where it was packed and
    /// is damaged, and where it is more than can be.
    pub fn open(&self) -> io::Result<impl Read + use<>> {
        self.open_within(Bound::STREAM)
    }

    fn open_within(&self, bound: Bound) -> io::Result<impl Read + use<>> {
        let file = open_file(&self.path)?;
        let content: Box<dyn Read> =
            if self.is_packed() { Box::new(Packing::Zstd.decoder(file, bound)) } else { Box::new(file) };
        Ok(BufReader::with_capacity(PIECE, content))
    }

    /// The content, piece by piece; where it has another checksum than its name, its end is an error.
    pub fn checked(&self) -> io::Result<impl Read + use<>> {
        Ok(ChecksumRead { content: self.open()?, hasher: Some(Sha256::new()), expected: self.sha256() })
    }

    /// The content, whatever it is by now.
    pub fn content(&self) -> Result<Vec<u8>> {
        if !self.is_packed() {
            return crate::sources::format::meter::whole(&self.path);
        }
        let mut content = Vec::new();
        let read = self.open_within(Bound::MEMORY).and_then(|mut reader| reader.read_to_end(&mut content));
        read.map(|_| content).map_err(|error| self.unreadable(&error))
    }

    /// The same as a source.
    pub fn source(&self) -> Result<Source> {
        // What is not packed by the archive may have come packed.
        if self.is_packed() {
            Source::from_bytes(self.path.display().to_string(), self.content()?)
        } else {
            Source::open(&self.path)
        }
    }

    /// The checksum and the number of bytes of the content.
    pub fn digest(&self) -> Result<(String, u64)> {
        let read = self.open().and_then(|mut file| hashed(io::sink(), |out| io::copy(&mut file, out)));
        let (bytes, sha256, _) = read.map_err(|error| self.unreadable(&error))?;
        Ok((sha256, bytes))
    }

    /// Whether it is here, with the content that its name says: what was damaged can be written again.
    pub fn is_whole(&self) -> bool {
        self.is_file() && self.digest().is_ok_and(|(found, _)| found == self.sha256())
    }

    /// What is said where the content cannot be read.
    pub fn unreadable(&self, error: &io::Error) -> Error {
        let path = self.path.display().to_string();
        if let Some(limit) = limits::within(error) {
            return limit.in_file(path);
        }
        match error.kind() {
            // As before there were packed graphs: nothing was done with the content yet.
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => {
                Error::io("read the file", &self.path, error)
            }
            _ if self.is_packed() => {
                Error::check(format!("the packed graph cannot be read to its end: {error}"))
                    .in_file(path)
                    .hint("the archive is damaged; `qassay verify` lists what is missing")
            }
            _ => Error::io("read the file", &self.path, error),
        }
    }
}

/// Where a graph is when it is packed, by where it is when it is not.
pub(crate) fn packed_path(plain: &Path) -> PathBuf {
    let mut name = plain.as_os_str().to_owned();
    name.push(".");
    name.push(PACKED);
    PathBuf::from(name)
}

/// Content that must have a checksum.
struct ChecksumRead<R> {
    content: R,
    /// Nothing behind the end.
    hasher: Option<Sha256>,
    expected: String,
}

impl<R: Read> Read for ChecksumRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        if count > 0 {
            if let Some(hasher) = &mut self.hasher {
                hasher.update(&buffer[..count]);
            }
        } else if !buffer.is_empty()
            && let Some(hasher) = self.hasher.take()
        {
            let found = hex(&hasher.finalize());
            if found != self.expected {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("the bytes have another checksum: {found}"),
                ));
            }
        }
        Ok(count)
    }
}

/// The path of an input as received, in an archive or a record.
pub fn input_path(sha256: &str) -> String {
    format!("files/sha256/{}/{sha256}", sha256.get(..2).unwrap_or_default())
}

impl Archive {
    /// The graph with this checksum: packed where it is so, else where it would be if it were not.
    pub fn graph(&self, sha256: &str) -> StoredFile {
        let [plain, _] = self.graph_places(sha256);
        StoredFile::at(plain)
    }

    /// Where the graph with this checksum may be: not packed, packed.
    pub fn graph_places(&self, sha256: &str) -> [PathBuf; 2] {
        let sha256 = file_name(sha256);
        let folder = self.root.join("graphs/sha256").join(&sha256[..2]);
        let plain = folder.join(format!("{sha256}.nq"));
        [plain.clone(), packed_path(&plain)]
    }

    /// Writes a graph about something with `fill`, which returns the number of statements, and names it by its checksum.
    /// What it holds is described before.
    pub fn keep_graph(
        &self,
        about: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<u64>,
    ) -> Result<StoredGraph> {
        let pending = Pending::create(&self.root)?;
        let pending_path = pending.path.clone();
        let failed = |error| Error::io("write", &pending_path, &error);
        let (HashedGraph { statements, sha256, contents }, packer) =
            hashed_graph(Packer::new(pending), about, fill).map_err(failed)?;
        let known = self.graph(&sha256);
        if !known.is_whole() {
            let (pending, is_packed) = packer.finish().map_err(failed)?;
            let place = &self.graph_places(&sha256)[usize::from(is_packed)];
            pending.rename(place)?;
            // What was damaged must not be found in the place of this one.
            if known.path() != place && known.is_file() {
                self.remove(known.path())?;
            }
        }
        let contents = self.keep_contents(contents.as_ref())?;
        Ok(StoredGraph { sha256, statements, contents })
    }

    /// Whether a file as received is here, with the bytes that its name says.
    pub(super) fn kept_whole(&self, sha256: &str) -> bool {
        StoredFile::new(self.file(sha256)).is_whole()
    }

    /// What an archive keeps with a checksum: a graph, where a knowledge base gave it, else a file as received.
    pub fn kept(&self, sha256: &str) -> StoredFile {
        let graph = self.graph(sha256);
        if graph.is_file() { graph } else { StoredFile::new(self.file(sha256)) }
    }
}

/// Writes a graph: what is small as it is, what is not packed.
struct Packer {
    /// What was not written yet. Pieces have one size, as what the encoder writes hangs on it.
    piece: Vec<u8>,
    out: GraphWriter,
}

enum GraphWriter {
    Plain(Pending),
    Packed(Encoder<'static, Pending>),
    /// It could not be written to.
    Broken,
}

impl Packer {
    fn new(out: Pending) -> Self {
        Self { piece: Vec::new(), out: GraphWriter::Plain(out) }
    }

    /// The file with all that was written, and whether it is packed.
    fn finish(mut self) -> io::Result<(Pending, bool)> {
        if !matches!(self.out, GraphWriter::Plain(_)) || self.piece.len() > MOST_PLAIN {
            self.pack()?;
        }
        match self.out {
            GraphWriter::Plain(mut out) => out.write_all(&self.piece).map(|()| (out, false)),
            GraphWriter::Packed(encoder) => encoder.finish().map(|out| (out, true)),
            GraphWriter::Broken => Err(not_written()),
        }
    }

    /// Packs what was not written yet.
    fn pack(&mut self) -> io::Result<()> {
        let mut encoder = match std::mem::replace(&mut self.out, GraphWriter::Broken) {
            GraphWriter::Plain(out) => {
                let mut encoder = Encoder::new(out, LEVEL)?;
                // The file must show that it was damaged also to those who do not know the name that it should have.
                encoder.include_checksum(true)?;
                encoder
            }
            GraphWriter::Packed(encoder) => encoder,
            GraphWriter::Broken => return Err(not_written()),
        };
        encoder.write_all(&self.piece)?;
        self.piece.clear();
        self.out = GraphWriter::Packed(encoder);
        Ok(())
    }
}

fn not_written() -> io::Error {
    io::Error::other("an earlier part was not written")
}

impl Write for Packer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..count]);
        if self.piece.len() == PIECE {
            self.pack()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        // A flush within a frame would change its bytes.
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn lines(number: usize) -> String {
        let line = |i: usize| format!("<http://s/{i:06}> <http://p> \"{i}\" <http://g> .\n");
        (0..number).map(line).collect()
    }

    /// Writes a text in pieces of this size.
    fn keep(archive: &Archive, text: &str, piece: usize) -> StoredGraph {
        let fill = |out: &mut dyn Write| {
            text.as_bytes().chunks(piece).try_for_each(|piece| out.write_all(piece)).map(|()| 1)
        };
        archive.keep_graph("u:about", fill).unwrap()
    }

    fn read(reader: io::Result<impl Read>) -> io::Result<String> {
        let mut text = String::new();
        reader?.read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn small_graphs_are_plain_large_ones_packed_and_all_are_read_alike() {
        let root = tempfile::tempdir().unwrap();
        let archive = Archive::create(root.path()).unwrap();
        for (number, is_packed) in [(0, false), (1, false), (80, false), (120, true), (50_000, true)] {
            let text = lines(number);
            let graph = keep(&archive, &text, 1_000);
            assert_eq!(graph.sha256, hex(&Sha256::digest(&text)));
            let file = archive.graph(&graph.sha256);
            assert_eq!(file.is_packed(), is_packed, "{number}");
            assert_eq!((file.sha256(), file.is_file()), (graph.sha256.clone(), true));
            assert_eq!(read(file.open()).unwrap(), text);
            assert_eq!(read(file.checked()).unwrap(), text);
            assert_eq!(file.content().unwrap(), text.as_bytes());
            assert_eq!(file.digest().unwrap(), (graph.sha256.clone(), text.len() as u64));
            assert_eq!(file.source().unwrap().sha256(), graph.sha256);
            let size = fs::metadata(file.path()).unwrap().len();
            assert!(!is_packed || size * 5 < text.len() as u64, "{size} bytes of {}", text.len());
            let expected = format!("{}.nq", graph.sha256);
            assert_eq!(file.plain_path().file_name().and_then(|name| name.to_str()), Some(expected.as_str()));
        }
    }

    #[test]
    fn the_bytes_do_not_hang_on_how_they_were_written() {
        let text = lines(20_000);
        let bytes = [1, 77, 4_096, 1 << 20].map(|piece| {
            let root = tempfile::tempdir().unwrap();
            let archive = Archive::create(root.path()).unwrap();
            let graph = keep(&archive, &text, piece);
            fs::read(archive.graph(&graph.sha256).path()).unwrap()
        });
        assert!(bytes.windows(2).all(|two| two[0] == two[1]));
    }

    #[test]
    fn a_graph_that_is_there_stays_as_it_is() {
        let root = tempfile::tempdir().unwrap();
        let archive = Archive::create(root.path()).unwrap();
        let text = lines(1_000);
        let graph = keep(&archive, &text, 1_000);
        let [plain, packed] = archive.graph_places(&graph.sha256);
        fs::remove_file(&packed).unwrap();
        fs::write(&plain, &text).unwrap();
        assert_eq!(keep(&archive, &text, 1_000), graph);
        assert!(plain.is_file() && !packed.exists());
        assert_eq!(read(archive.graph(&graph.sha256).checked()).unwrap(), text);
        assert_eq!(fs::read_dir(root.path().join("tmp")).unwrap().count(), 1, "only the lock");
    }

    #[test]
    fn a_damaged_graph_is_written_again() {
        let root = tempfile::tempdir().unwrap();
        let archive = Archive::create(root.path()).unwrap();
        let text = lines(1_000);
        let graph = keep(&archive, &text, 1_000);
        let [plain, packed] = archive.graph_places(&graph.sha256);
        for damaged in [&packed, &plain] {
            fs::remove_file(&packed).unwrap();
            fs::write(damaged, "no graph").unwrap();
            assert_eq!(keep(&archive, &text, 1_000), graph);
            assert!(packed.is_file() && !plain.exists());
            assert_eq!(read(archive.graph(&graph.sha256).checked()).unwrap(), text);
        }
    }

    #[test]
    fn what_is_damaged_is_told_with_its_file_and_never_read_whole() {
        let root = tempfile::tempdir().unwrap();
        let archive = Archive::create(root.path()).unwrap();
        let graph = keep(&archive, &lines(5_000), 1_000);
        let file = archive.graph(&graph.sha256);
        let whole = fs::read(file.path()).unwrap();
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        let forged = zstd::encode_all(lines(4_999).as_bytes(), 1).unwrap();
        // A frame that promises 1 TB and has a block of three bytes.
        let promised =
            [&[0x28, 0xb5, 0x2f, 0xfd, 0b1110_0000][..], &(1_u64 << 40).to_le_bytes(), b"\x19\0\0abc"]
                .concat();
        let damaged = [
            whole[..whole.len() - 1].to_vec(),
            whole[..whole.len() / 2].to_vec(),
            Vec::new(),
            changed,
            [&whole[..], b"more"].concat(),
            b"<http://s> <http://p> <http://o> <http://g> .\n".to_vec(),
            promised,
            forged,
        ];
        for (number, bytes) in damaged.iter().enumerate() {
            fs::write(file.path(), bytes).unwrap();
            assert!(read(file.checked()).is_err(), "{number}");
            let is_other_content = number == 7;
            assert_eq!(file.content().is_ok(), is_other_content, "{number}");
            match file.digest() {
                Ok((found, _)) => assert!(is_other_content && found != graph.sha256, "{number}"),
                Err(error) => {
                    let told = error.to_string();
                    assert!(told.starts_with(&file.path().display().to_string()), "{told}");
                    assert!(told.contains("the packed graph cannot be read to its end"), "{told}");
                }
            }
        }
    }

    #[test]
    fn a_bomb_ends_where_it_is_one() {
        let root = tempfile::tempdir().unwrap();
        let archive = Archive::create(root.path()).unwrap();
        let sha256 = "0".repeat(64);
        let [_, packed] = archive.graph_places(&sha256);
        fs::create_dir_all(packed.parent().unwrap()).unwrap();
        let mut encoder = Encoder::new(fs::File::create(&packed).unwrap(), LEVEL).unwrap();
        io::copy(&mut io::repeat(b' ').take(80 << 20), &mut encoder).unwrap();
        encoder.finish().unwrap();
        let told = archive.graph(&sha256).content().unwrap_err().to_string();
        assert!(told.contains(".nq.zst: ") && told.contains("more than 200 times as many"), "{told}");
    }
}
