//! The content behind compression: gzip, bzip2, zstd, zip with one file in it, zip with many SPARQL results, which become a
//! tar, and zip with the parts of a log.

use crate::base::error::{Error, Result};
use crate::base::limits::Bound;
use crate::base::{limits, text};
use crate::sources::file::zipped::{damaged, member};
use crate::sources::file::{eval_log, pack, zstd as zstandard};
use crate::sources::format::meter::Meter;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::Path;
use zip::ZipArchive;
use zip::result::ZipError;

/// How many files of an archive a message names.
const MOST_NAMES: usize = 8;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// gzip
    Gzip,
    /// bzip2
    Bzip2,
    /// Zstandard
    Zstd,
    /// A zip archive
    Zip,
}

impl Packing {
    /// How content is packed, by its first bytes.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // a block, or the end of a content without bytes
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, ..] => Some(Self::Bzip2),
            _ if zstandard::begins(bytes) => Some(Self::Zstd),
            // a file, or the end of an archive without files
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            _ => None,
        }
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Gzip => "application/gzip",
            Self::Bzip2 => "application/x-bzip2",
            Self::Zstd => "application/zstd",
            Self::Zip => "application/zip",
        }
    }

    /// The content, as much as is kept in memory.
    pub(crate) fn unpack(self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.unpack_within(bytes, Bound::MEMORY)
    }

    fn unpack_within(self, bytes: &[u8], bound: Bound) -> Result<Vec<u8>> {
        if self == Self::Zip {
            return unzip(bytes, bound);
        }
        self.all(self.decoder(bytes, bound))
    }

    /// The content, piece by piece, as much as the bound allows. Of a zip archive, that is for [`with_zipped`].
    pub(crate) fn decoder<'a>(self, raw: impl Read + 'a, bound: Bound) -> impl Read + 'a {
        let meter = Meter::new(bound);
        let raw = meter.packed(raw);
        let content: Box<dyn Read + 'a> = match self {
            Self::Gzip => Box::new(flate2::read::MultiGzDecoder::new(raw)),
            Self::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(raw)),
            Self::Zstd => Box::new(zstandard::Frames::new(raw)),
            Self::Zip => Box::new(raw),
        };
        meter.content(content)
    }

    /// Reads everything.
    fn all(self, mut data: impl Read) -> Result<Vec<u8>> {
        let mut content = Vec::new();
        match data.read_to_end(&mut content) {
            Ok(_) => Ok(content),
            Err(error) => Err(self.broken(content.len() as u64, &error)),
        }
    }

    /// The error of data that end after this many bytes of content: they are damaged, or too much.
    pub(crate) fn broken(self, count: u64, error: &io::Error) -> Error {
        limits::within(error).unwrap_or_else(|| {
            let name = self.name();
            self.advise(Error::input(format!(
                "the {name} data are damaged after {count} bytes of content: {error}"
            )))
        })
    }

    /// The word in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Zstd => "zstd",
            Self::Zip => "zip",
        }
    }

    /// What to try where the data are damaged.
    pub(crate) fn advise(self, error: Error) -> Error {
        error.hint(match self {
            Self::Gzip => "fetch the file again, or unpack it with `gzip -dc` to see how far it goes",
            Self::Bzip2 => "fetch the file again, or unpack it with `bzip2 -dc` to see how far it goes",
            Self::Zstd => "fetch the file again, or unpack it with `zstd -dc` to see how far it goes",
            Self::Zip => "fetch the file again, or test it with `unzip -t`",
        })
    }
}

/// The content of the only file of an archive, the log that it is, or a tar of its SPARQL results; folders and what the Mac
/// adds do not count.
fn unzip(bytes: &[u8], bound: Bound) -> Result<Vec<u8>> {
    let names = match with_zipped(Cursor::new(bytes), bound, |file| Packing::Zip.all(file))? {
        Ok(content) => return Ok(content),
        Err(names) => names,
    };
    let found = eval_log::json(bytes, bound)?.map_or_else(|| pack::zip(bytes, bound), |log| Ok(Some(log)))?;
    found.ok_or_else(|| not_one(&names))
}

/// Shows the content of the only file of an archive; the names of its files where there are others.
pub(crate) fn with_zipped<T>(
    archive: impl Read + Seek,
    bound: Bound,
    read: impl FnOnce(&mut dyn Read) -> Result<T>,
) -> Result<std::result::Result<T, Vec<String>>> {
    let meter = Meter::new(bound);
    let mut archive = ZipArchive::new(meter.packed(archive)).map_err(|error| damaged(&error))?;
    let names: Vec<String> =
        archive.file_names_raw().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let is_file = |name: &str| !name.ends_with('/') && !name.starts_with("__MACOSX/");
    let files: Vec<usize> = (0..names.len()).filter(|index| is_file(&names[*index])).collect();
    let [index] = files[..] else {
        return Ok(Err(files.iter().map(|index| names[*index].clone()).collect()));
    };
    let file = member(&mut archive, index).map_err(|error| match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            Error::input(format!("the file `{}` of the zip archive is encrypted", text::name(&names[index])))
                .hint("unpack it with its password first")
        }
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Error::input(format!(
                "the file `{}` of the zip archive cannot be unpacked: {error}",
                text::name(&names[index])
            ))
            .allowed("files that are stored, deflated or packed as Zstandard")
            .hint("unpack it first")
        }
        other => damaged(&other),
    })?;
    read(&mut meter.content(file)).map(Ok)
}

pub(crate) fn not_one(names: &[impl AsRef<str>]) -> Error {
    if names.is_empty() {
        return Error::input("this is a zip archive without files");
    }
    let shown = text::first(names.iter().map(|name| format!("`{}`", text::name(name.as_ref()))), MOST_NAMES);
    Error::input(format!("this is a zip archive of {} files: {shown}", names.len()))
        .allowed(
            "a zip archive with one file, with SPARQL results named after questions, or a log of inspect_ai",
        )
        .hint("unpack it and name the files")
}

/// Bytes that are read at once.
const PIECE: usize = 1 << 18;
/// The mark that some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Opens a file and shows `use_it` its content, unpacked and without byte order mark, and how it is packed.
pub fn stream<T>(
    path: &Path,
    use_it: impl FnOnce(&mut dyn BufRead, Option<Packing>) -> Result<T>,
) -> Result<T> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Error::input("no such file").in_file(path.display().to_string()),
        _ => Error::io("read the file", path, &error),
    };
    let mut file = BufReader::with_capacity(PIECE, File::open(path).map_err(failed)?);
    let packing = Packing::of(file.fill_buf().map_err(failed)?);
    match packing {
        None => text(&mut file, None, use_it),
        Some(Packing::Zip) => {
            let read = |content: &mut dyn Read| text(&mut buffered(content), packing, use_it);
            with_zipped(file, Bound::STREAM, read)?.map_err(|names| not_one(&names))
        }
        Some(other) => text(&mut buffered(other.decoder(file, Bound::STREAM)), packing, use_it),
    }
}

fn buffered<R: Read>(reader: R) -> BufReader<R> {
    BufReader::with_capacity(PIECE, reader)
}

fn text<T>(
    reader: &mut dyn BufRead,
    packing: Option<Packing>,
    use_it: impl FnOnce(&mut dyn BufRead, Option<Packing>) -> Result<T>,
) -> Result<T> {
    let beginning = reader.fill_buf().map_err(|error| unreadable(&error))?;
    if beginning.starts_with(BYTE_ORDER_MARK) {
        reader.consume(BYTE_ORDER_MARK.len());
    }
    use_it(reader, packing)
}

/// The content of a file breaks off, or is too much.
pub fn unreadable(error: &io::Error) -> Error {
    if let Some(limit) = limits::within(error) {
        return limit;
    }
    Error::input(format!("the content cannot be read to its end: {error}"))
        .hint("the file is damaged, or was not fetched to its end; if it is packed, test it with `gzip -t`, `bzip2 -t`, `zstd -t` or `unzip -t`")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Crc;
    use zip::CompressionMethod;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            writer.start_file(*name, SimpleFileOptions::default()).expect("a file");
            writer.write_all(content).expect("content");
        }
        writer.finish().expect("an archive").into_inner()
    }

    #[test]
    fn one_file_is_unpacked() {
        let bytes = packed(&[("folder/", b""), ("folder/a.json", b"{}"), ("__MACOSX/folder/._a.json", b"x")]);
        assert_eq!(Packing::of(&bytes), Some(Packing::Zip));
        assert_eq!(Packing::Zip.unpack(&bytes).expect("content"), b"{}");
        assert_eq!([&b"PK"[..], b"PKZ", b"{}"].map(Packing::of), [None; 3]);
    }

    fn bzipped(text: &[u8]) -> Vec<u8> {
        let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        writer.write_all(text).expect("content");
        writer.finish().expect("a stream")
    }

    fn zstandard(text: &[u8]) -> Vec<u8> {
        zstd::encode_all(text, 1).expect("a stream")
    }

    #[test]
    fn streams_are_unpacked_all() {
        for (packing, pack) in [(Packing::Bzip2, bzipped as fn(&[u8]) -> Vec<u8>), (Packing::Zstd, zstandard)]
        {
            let whole = [pack(b"one "), pack(b""), pack(b"two")].concat();
            assert_eq!(Packing::of(&whole), Some(packing));
            assert_eq!(Packing::of(&pack(b"")), Some(packing), "a content without bytes");
            assert_eq!(packing.unpack(&whole).expect("content"), b"one two");
            for damaged in [&whole[..whole.len() - 2], &[&whole[..], b"rest"].concat()] {
                let told = packing.unpack(damaged).expect_err("an error").to_string();
                let begins = format!("the {} data are damaged after ", packing.name());
                assert!(told.starts_with(&begins) && told.contains("fetch the file again"), "{told}");
            }
        }
    }

    /// An archive with one stored file whose bytes are a frame, and that says so.
    fn zipped_zstandard(text: &[u8]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        writer.start_file("a.json", stored).expect("a file");
        writer.write_all(&zstandard(text)).expect("content");
        let mut bytes = writer.finish().expect("an archive").into_inner();
        let mut crc = Crc::new();
        crc.update(text);
        let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").expect("the directory");
        for (method, checksum) in [(8, 14), (central + 10, central + 16)] {
            bytes[method..method + 2].copy_from_slice(&93_u16.to_le_bytes());
            bytes[checksum..checksum + 4].copy_from_slice(&crc.sum().to_le_bytes());
        }
        bytes
    }

    #[test]
    fn files_of_zstandard_in_a_zip() {
        let bytes = zipped_zstandard(b"{\"questions\": []}");
        assert_eq!(Packing::Zip.unpack(&bytes).expect("content"), b"{\"questions\": []}");
        let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").expect("the directory");
        let mut other = bytes.clone();
        other[central + 16] ^= 1;
        let told = Packing::Zip.unpack(&other).expect_err("an error").to_string();
        assert!(told.contains("Invalid checksum"), "{told}");
    }

    #[test]
    fn other_archives_are_errors() {
        let many: Vec<String> = (0..9).map(|number| format!("{number}.pdf")).collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let whole = packed(&[("a.json", &[b'x'; 3000])]);
        let mut flipped = packed(&[("a.json", b"{\"questions\": [1, 2, 3]}")]);
        flipped[45] ^= 0xff;
        // the flag of the central directory and of the file says that it is encrypted
        let mut encrypted = packed(&[("a.json", b"{}")]);
        let central = encrypted.windows(4).position(|window| window == b"PK\x01\x02").expect("the directory");
        (encrypted[6], encrypted[central + 8]) = (1, 1);
        let archives = [packed(&[]), packed(&many), whole[..whole.len() / 2].to_vec(), flipped, encrypted];
        let told = archives.map(|bytes| Packing::Zip.unpack(&bytes).expect_err("an error").to_string());
        insta::assert_snapshot!(told.join("\n---\n"), @r"
        this is a zip archive without files.
        ---
        this is a zip archive of 9 files: `0.pdf`, `1.pdf`, `2.pdf`, `3.pdf`, `4.pdf`, `5.pdf`, `6.pdf`, `7.pdf`, ….
        allowed: a zip archive with one file, with SPARQL results named after questions, or a log of inspect_ai
        hint: unpack it and name the files
        ---
        the zip archive is damaged: invalid Zip archive: Could not find EOCD.
        hint: fetch the file again, or test it with `unzip -t`
        ---
        the zip data are damaged after 24 bytes of content: Invalid checksum.
        hint: fetch the file again, or test it with `unzip -t`
        ---
        the file `a.json` of the zip archive is encrypted.
        hint: unpack it with its password first
        ");
    }
}
