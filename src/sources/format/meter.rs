//! Counts what goes into a decoder and what comes out of it, and ends what is no file but a bomb.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::base::error::{Error, Result};
use crate::base::limits;
use crate::base::limits::{Bound, MOST_READ, MOST_UNSIZED, endless, exceeded};

/// Packed bytes and content so far, and the bound between them.
#[derive(Debug)]
pub(crate) struct Meter {
    bound: Bound,
    packed: Cell<u64>,
    content: Cell<u64>,
}

impl Meter {
    /// Nothing was read yet.
    pub(crate) fn new(bound: Bound) -> Rc<Self> {
        Rc::new(Self { bound, packed: Cell::new(0), content: Cell::new(0) })
    }

    /// Packed data: what is read of them counts.
    pub(crate) fn packed<R>(self: &Rc<Self>, inner: R) -> Packed<R> {
        Packed { inner, meter: Rc::clone(self) }
    }

    /// What a decoder gives: reading more of it than the bound allows is an error, see [`limits::within`].
    pub(crate) fn content<R>(self: &Rc<Self>, inner: R) -> Unpacked<R> {
        Unpacked { inner, meter: Rc::clone(self) }
    }
}

/// Packed data that are counted.
pub(crate) struct Packed<R> {
    inner: R,
    meter: Rc<Meter>,
}

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.meter.packed.set(self.meter.packed.get() + count as u64);
        Ok(count)
    }
}

impl<R: Seek> Seek for Packed<R> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.inner.seek(place)
    }
}

/// Unpacked data that are counted.
pub(crate) struct Unpacked<R> {
    inner: R,
    meter: Rc<Meter>,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let Meter { bound, packed, content } = &*self.meter;
        content.set(content.get() + count as u64);
        bound.check(packed.get(), content.get()).map_err(io::Error::other)?;
        Ok(count)
    }
}

/// The bytes of a file, where they are not more than are read into memory. What is no regular file may not end at all.
pub fn whole(path: &Path) -> Result<Vec<u8>> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Error::input("no such file").in_file(path.display().to_string()),
        _ => Error::io("read the file", path, &error),
    };
    let file = File::open(path).map_err(failed)?;
    let facts = file.metadata().map_err(failed)?;
    let bytes = if facts.is_file() {
        let hint = "split the file";
        let too_large =
            |size| exceeded(format!("the file has {size} bytes"), limits::bytes(MOST_READ)).hint(hint);
        if facts.len() > MOST_READ {
            Err(too_large(facts.len()))
        } else {
            all(file, facts.len(), MOST_READ).map_err(failed)?.ok_or_else(|| too_large(MOST_READ + 1))
        }
    } else {
        unsized_whole(file).map_err(failed)?
    };
    bytes.map_err(|error| error.in_file(path.display().to_string()))
}

/// All bytes of what does not say how many they are.
fn unsized_whole(reader: impl Read) -> io::Result<Result<Vec<u8>>> {
    let what = "what does not say its size";
    let bytes = all(reader, 0, MOST_UNSIZED)?;
    Ok(bytes.ok_or_else(|| endless(what, MOST_UNSIZED).hint("write it to a file and name that")))
}

/// All bytes of standard input, which can be read once.
pub fn standard_input() -> Result<Vec<u8>> {
    static WAS_READ: AtomicBool = AtomicBool::new(false);
    if WAS_READ.swap(true, Ordering::Relaxed) {
        return Err(Error::input("standard input can be read once, and `-` is named again")
            .hint("write one of them to a file and name that"));
    }
    let failed = |error: io::Error| Error::input(format!("standard input cannot be read: {error}"));
    unsized_whole(io::stdin().lock()).map_err(failed)?.map_err(|error| error.in_file("standard input"))
}

/// All bytes, where they are not more than this.
fn all(reader: impl Read, expected: u64, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
    reader.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_bounded_by_what_went_in() {
        let meter = Meter::new(Bound { most: 1_000, free: 10, ratio: 2 });
        let mut packed = meter.packed(io::repeat(1).take(5));
        io::copy(&mut packed, &mut io::sink()).expect("bytes");
        let mut content = Vec::new();
        let error = meter.content(io::repeat(2)).read_to_end(&mut content).expect_err("a limit");
        let told = limits::within(&error).expect("it is a limit").to_string();
        assert!(
            told.starts_with("5 packed bytes give ") && told.contains(", more than 2 times as many"),
            "{told}"
        );
        assert!(content.len() <= 20, "{}", content.len());
    }

    #[test]
    fn what_never_ends_is_ended() {
        assert_eq!(all(io::repeat(0), 0, 10).expect("bytes"), None);
        assert_eq!(all(&b"12"[..], 0, 2).expect("bytes").as_deref(), Some(&b"12"[..]));
        assert_eq!(all(&b"123"[..], 0, 2).expect("bytes"), None);
    }

    #[cfg(unix)]
    #[test]
    fn files_of_any_size_are_refused_before_they_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sparse.json");
        File::create(&path).and_then(|file| file.set_len(MOST_READ + 1)).expect("a file with a hole");
        let told = whole(&path).expect_err("a limit").to_string();
        assert!(
            told.contains("sparse.json: the file has 2147483649 bytes, more than 2 GiB, a limit of qassay"),
            "{told}"
        );
    }
}
