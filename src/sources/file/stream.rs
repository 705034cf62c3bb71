//! The content of a file that is too large for memory: unpacked piece by piece.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::limits;
use crate::base::limits::Bound;
use crate::sources::file::unpack::{Packing, not_one, with_zipped};

/// Bytes that are read at once.
const PIECE: usize = 1 << 18;
/// The mark that some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Opens a file and shows `use_it` its content, unpacked and without byte order mark, and how it is packed.
pub fn stream<T>(
    path: &Path,
    use_it: impl FnOnce(&mut dyn BufRead, Option<Packing>) -> Result<T>,
) -> Result<T> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::input("no such file").in_file(path.display().to_string()),
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
pub fn unreadable(error: &std::io::Error) -> Error {
    if let Some(limit) = limits::within(error) {
        return limit;
    }
    Error::input(format!("the content cannot be read to its end: {error}"))
        .hint("the file is damaged, or was not fetched to its end; if it is packed, test it with `gzip -t`, `bzip2 -t`, `zstd -t` or `unzip -t`")
}
