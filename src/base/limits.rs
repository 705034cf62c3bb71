//! How much of what others send is read: every limit on the size of an input, with its reason.
//!
//! A limit is ours and says so: its error names it, what was found, and what to try. No file of the campaigns that we know
//! comes near to one. What a query may use while it runs is an option of whoever asks; its defaults are here too.

use std::fmt::Display;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::base::error::Error;

/// Bytes of a file that is read into memory, and of its content where it is packed. The largest dataset that we know has
/// a fortieth of it.
pub const MOST_READ: u64 = 2 << 30;

/// Bytes of what does not say how large it is: standard input, pipes, devices. Some of them never end.
pub const MOST_UNSIZED: u64 = 256 << 20;

/// Files of a folder or an archive: ten evaluations of every paper on question answering.
pub const MOST_FILES: u64 = 1_000_000;

/// Bytes of what lies in a packed archive beside its folders: pages about it, licences.
pub const MOST_BESIDE: u64 = 16 << 20;

/// Bytes of the id of a question. It becomes part of IRIs and stands in every table; the longest real ones are IRIs.
pub const LONGEST_ID: usize = 4_096;

/// Bytes of the name that somebody gives to a system. It stands in every table and plot; the longest real ones are some words.
pub const LONGEST_SYSTEM_NAME: usize = 1_024;

/// Levels of XML and YAML: more than any real file has, and few enough for the stack. JSON has the 128 of its parser.
pub const MOST_LEVELS: usize = 64;

/// Bytes of a line of N-Triples or N-Quads that is read alone: a literal may hold a book.
pub const LONGEST_LINE: u64 = 256 << 20;

/// Bytes of a row of a table of links: two IRIs.
pub const LONGEST_ROW: u64 = 1 << 20;

/// Bytes of the document type declaration of XML.
pub const LONGEST_DOCTYPE: usize = 1 << 20;

/// Bytes that an entity of XML may stand for: namespaces do, whole texts do not.
pub const LONGEST_ENTITY: u64 = 4 << 10;

/// Bytes that all references to entities may stand for, and as many again for each byte of the file.
pub const MOST_OF_ENTITIES: u64 = 64 << 20;

/// See [`MOST_OF_ENTITIES`]: an entity of three letters for a long namespace.
pub const MOST_OF_ENTITIES_PER_BYTE: u64 = 32;

/// Bytes of a query that is analysed.
pub const LONGEST_QUERY: usize = 100_000;

/// Brackets of a query within each other: its parser calls itself for each.
pub const DEEPEST_QUERY: usize = 200;

/// Keywords, operators and opening brackets of a query: each may put all before it one level deeper.
pub const MOST_KEYWORDS: usize = 2_000;

/// Calls of a query within each other that its parser reads more than once: each doubles its work.
pub const DEEPEST_CALLS: usize = 8;

/// The longest that a query on the archive runs. What qassay itself asks of large archives takes some seconds.
pub const ARCHIVE_QUERY_TIME: Duration = Duration::from_secs(60);

/// Terms in the rows that a query on the archive finds: they are kept until it is at its end, some 100 bytes each.
pub const ARCHIVE_QUERY_TERMS: u64 = 10_000_000;

/// Items of a question that published graphs may tell of.
pub const MOST_ITEMS: u64 = 100_000_000;

/// The longest that a query on a knowledge base runs.
pub const KB_QUERY_TIME: Duration = Duration::from_secs(30);

/// Rows of a query on a knowledge base.
pub const KB_QUERY_ROWS: u64 = 100_000;

/// Rows that tie at the end of a query, which are all kept and shown: people look at them.
pub const MOST_TIED: usize = 10_000;

/// Bytes of memory that a query on a knowledge base uses beside it; of a reply, for an endpoint.
pub const KB_QUERY_MEMORY: u64 = 1 << 30;

/// How much may come out of packed data, by where it goes.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// Bytes of the content.
    pub most: u64,
    /// Bytes that may come out however few went in.
    pub free: u64,
    /// Bytes behind those, for each that went in.
    pub ratio: u64,
}

impl Bound {
    /// What is kept in memory. Datasets are packed to a thirtieth, graphs of scores to a 56th by gzip and to a 122nd by
    /// bzip2; blanks by a bomb to a thousandth.
    pub const MEMORY: Self = Self { most: MOST_READ, free: 64 << 20, ratio: 200 };

    /// What is looked at once and not kept: dumps of knowledge bases, links. It only must end.
    pub const STREAM: Self = Self { most: 1 << 40, free: 1 << 30, ratio: 1_000 };

    /// What is unpacked to disk: an archive of evaluations.
    pub const DISK: Self = Self { most: 64 << 30, ..Self::MEMORY };

    /// An error where this much content came out of so many packed bytes.
    pub fn check(self, packed: u64, content: u64) -> Result<(), Error> {
        let hint = "if you know where it comes from, unpack it and name what is in it";
        if content > self.most {
            return Err(exceeded(format!("it unpacks to {content} bytes"), bytes(self.most)).hint(hint));
        }
        if content > self.free.saturating_add(self.ratio.saturating_mul(packed)) {
            let found = format!("{packed} packed bytes give {content}");
            return Err(exceeded(found, format_args!("{} times as many", self.ratio)).hint(hint));
        }
        Ok(())
    }
}

/// The error of an input that has more than it may have: `the file has 5 bytes, more than 4 bytes, a limit of qassay`.
pub fn exceeded(found: impl Display, most: impl Display) -> Error {
    Error::input(format!("{found}, more than {most}, a limit of qassay"))
}

/// The error of an input whose end was not looked for: `the line has more than 4 bytes, a limit of qassay`.
pub fn endless(what: impl Display, most: u64) -> Error {
    Error::input(format!("{what} has more than {}, a limit of qassay", bytes(most)))
}

/// A number of bytes for people.
pub fn bytes(number: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let whole = units.into_iter().find(|(shift, _)| number > 0 && number.is_multiple_of(1_u64 << shift));
    whole.map_or_else(|| format!("{number} bytes"), |(shift, unit)| format!("{} {unit}", number >> shift))
}

/// The limit that ended a reading, where one did: readers can only fail with errors of input and output.
pub fn within(error: &io::Error) -> Option<Error> {
    let inner = error.get_ref()?;
    let told = inner.downcast_ref::<Error>().cloned();
    told.or_else(|| within(inner.downcast_ref::<Arc<io::Error>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_absolute_and_by_ratio() {
        let bound = Bound { most: 5 << 10, free: 100, ratio: 10 };
        assert!(
            bound.check(0, 100).is_ok() && bound.check(10, 200).is_ok() && bound.check(1000, 5 << 10).is_ok()
        );
        insta::assert_snapshot!(bound.check(10, 201).unwrap_err(), @r"
        10 packed bytes give 201, more than 10 times as many, a limit of qassay.
        hint: if you know where it comes from, unpack it and name what is in it
        ");
        insta::assert_snapshot!(bound.check(1000, (5 << 10) + 1).unwrap_err(), @r"
        it unpacks to 5121 bytes, more than 5 KiB, a limit of qassay.
        hint: if you know where it comes from, unpack it and name what is in it
        ");
        assert!(Bound::STREAM.check(u64::MAX, 1 << 40).is_ok());
    }

    #[test]
    fn sizes_are_told_in_whole_units() {
        assert_eq!(
            [0, 1, 1024, 1025, 2 << 30].map(bytes),
            ["0 bytes", "1 bytes", "1 KiB", "1025 bytes", "2 GiB"]
        );
    }

    #[test]
    fn limits_are_found_in_errors_of_readers() {
        let limit = exceeded("it has 2 words", 1);
        let plain = io::Error::other(limit.clone());
        assert_eq!(within(&plain), Some(limit.clone()));
        assert_eq!(within(&io::Error::other(Arc::new(plain))), Some(limit));
        assert_eq!(within(&io::Error::other("broken")), None);
    }
}
