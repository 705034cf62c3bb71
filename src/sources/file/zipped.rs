//! The files of zip archives.

use std::fmt::Display;
use std::io::{self, Read, Seek};

use flate2::Crc;
use zip::result::ZipResult;
use zip::{CompressionMethod, ZipArchive};

use crate::base::error::Error;
use crate::sources::file::zstd;

/// The content of a file of an archive; of Zstandard, too, which the zip library leaves to C.
pub(crate) fn member<'a, R: Read + Seek>(
    archive: &'a mut ZipArchive<R>,
    index: usize,
) -> ZipResult<Box<dyn Read + 'a>> {
    let is_zstandard = {
        let raw = archive.by_index_raw(index)?;
        raw.compression() == CompressionMethod::ZSTD && !raw.encrypted()
    };
    if !is_zstandard {
        return archive.by_index(index).map(|file| Box::new(file) as Box<dyn Read + 'a>);
    }
    let raw = archive.by_index_raw(index)?;
    let stated = raw.crc32();
    Ok(Box::new(Checked { content: zstd::Frames::new(raw), stated, found: Crc::new() }))
}

/// Content whose checksum is compared with the stated one at its end.
struct Checked<R> {
    content: R,
    stated: u32,
    found: Crc,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.found.update(&buffer[..count]);
        if count == 0 && !buffer.is_empty() && self.found.sum() != self.stated {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "Invalid checksum"));
        }
        Ok(count)
    }
}

/// The error of an archive that is damaged.
pub(crate) fn damaged(error: &dyn Display) -> Error {
    Error::input(format!("the zip archive is damaged: {error}"))
        .hint("fetch the file again, or test it with `unzip -t`")
}
