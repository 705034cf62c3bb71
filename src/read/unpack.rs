//! The content behind compression: gzip, zip with one file in it, and zip with many SPARQL results, which become a tar.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::pack;
use crate::error::{Error, Result};

/// The most that a compressed file may unpack to (4 GiB): enough for every known dataset, and no bomb.
const MOST_UNPACKED: u64 = 4 << 30;

/// How many files of an archive a message names.
const MOST_NAMES: usize = 8;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// gzip
    Gzip,
    /// A zip archive
    Zip,
}

impl Packing {
    /// How content is packed, by its first bytes.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // a file, or the end of an archive without files
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            _ => None,
        }
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Gzip => "application/gzip",
            Self::Zip => "application/zip",
        }
    }

    /// The content.
    pub(super) fn unpack(self, bytes: &[u8]) -> Result<Vec<u8>> {
        match self {
            Self::Gzip => gzip(bytes),
            Self::Zip => unzip(bytes),
        }
    }
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    bounded(flate2::read::MultiGzDecoder::new(bytes), "gzip").map_err(|error| {
        error.hint("fetch the file again, or unpack it with `gzip -dc` to see how far it goes")
    })
}

/// Reads everything, as long as it is not too much.
fn bounded(data: impl Read, name: &str) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    data.take(MOST_UNPACKED + 1).read_to_end(&mut content).map_err(|error| {
        Error::input(format!("the {name} data are damaged after {} bytes of content: {error}", content.len()))
    })?;
    if content.len() as u64 > MOST_UNPACKED {
        return Err(Error::input(format!("the {name} data unpack to more than 4 GiB")));
    }
    Ok(content)
}

/// The content of the only file of an archive, or a tar of its SPARQL results; folders and what the Mac adds do not count.
fn unzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    let names: Vec<String> =
        archive.file_names_raw().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let is_file = |name: &str| !name.ends_with('/') && !name.starts_with("__MACOSX/");
    let files: Vec<usize> = (0..names.len()).filter(|index| is_file(&names[*index])).collect();
    let [index] = files[..] else {
        let names: Vec<&str> = files.iter().map(|index| names[*index].as_str()).collect();
        return pack::zip(bytes)?.ok_or_else(|| not_one(&names));
    };
    let file = archive.by_index(index).map_err(|error| match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            Error::input(format!("the file `{}` of the zip archive is encrypted", names[index]))
                .hint("unpack it with its password first")
        }
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => Error::input(
            format!("the file `{}` of the zip archive cannot be unpacked: {error}", names[index]),
        )
        .allowed("files that are stored or deflated")
        .hint("unpack it first"),
        other => damaged(&other),
    })?;
    bounded(file, "zip").map_err(|error| error.hint("fetch the file again, or test it with `unzip -t`"))
}

pub(super) fn not_one(names: &[&str]) -> Error {
    if names.is_empty() {
        return Error::input("this is a zip archive without files");
    }
    let shown = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let more = if names.len() > MOST_NAMES { ", …" } else { "" };
    Error::input(format!("this is a zip archive of {} files: {shown}{more}", names.len()))
        .allowed("a zip archive with one file, or with SPARQL results named after questions")
        .hint("unpack it and name the files")
}

pub(super) fn damaged(error: &ZipError) -> Error {
    Error::input(format!("the zip archive is damaged: {error}"))
        .hint("fetch the file again, or test it with `unzip -t`")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

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
        allowed: a zip archive with one file, or with SPARQL results named after questions
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
