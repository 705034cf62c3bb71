//! Two files that are one dataset, questions and answers: they become one file, a tar of both as they were received, so
//! that one checksum names them together and everything that reads a file reads them.

use std::io::Read;

use crate::base::error::Result;
use crate::sources::file::pack;
use crate::sources::file::source::Source;

/// What the two files are called in the tar, in its order. No ending: these are no results of queries.
const MEMBERS: [&str; 2] = ["answers", "questions"];

/// The two files of a dataset.
#[derive(Debug)]
pub struct Joined {
    /// The file of the questions.
    pub questions: Source,
    /// The file of their answers.
    pub answers: Source,
}

impl Joined {
    /// Both as one file.
    ///
    /// # Errors
    /// Where they are too large to be one.
    pub fn into_source(self) -> Result<Source> {
        let Self { questions, answers } = self;
        let name = format!("{}+{}", questions.name(), answers.name());
        let bytes = pack::files([(MEMBERS[0], answers.bytes()), (MEMBERS[1], questions.bytes())])?;
        Source::from_bytes(name, bytes)
    }

    /// The two files of content that is such a tar; none of any other.
    pub fn of(content: &[u8]) -> Option<Result<Self>> {
        let [answers, questions] = members(content)?;
        let source = |name: &str, bytes| Source::from_bytes(name, bytes);
        let both = source(MEMBERS[1], questions)
            .and_then(|questions| Ok(Self { questions, answers: source(MEMBERS[0], answers)? }));
        Some(both)
    }

    /// Each with what it is.
    pub fn parts(&self) -> [(&'static str, &Source); 2] {
        [(MEMBERS[1], &self.questions), (MEMBERS[0], &self.answers)]
    }
}

/// Whether content is such a tar.
pub(crate) fn is_joined(content: &[u8]) -> bool {
    // The name of the first member stands at the beginning, filled up with zeros.
    pack::is_tar(content) && content.starts_with(b"answers\0") && members(content).is_some()
}

/// The members of a tar, if they are those two.
fn members(content: &[u8]) -> Option<[Vec<u8>; 2]> {
    if !pack::is_tar(content) {
        return None;
    }
    let mut archive = tar::Archive::new(content);
    let mut found = Vec::with_capacity(MEMBERS.len());
    for (entry, name) in archive.entries().ok()?.zip(MEMBERS.map(Some).into_iter().chain([None])) {
        let mut entry = entry.ok()?;
        if name.is_none_or(|name| *entry.path_bytes() != *name.as_bytes())
            || !entry.header().entry_type().is_file()
        {
            return None;
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).ok()?;
        found.push(bytes);
    }
    found.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::from_bytes("x.json", text.as_bytes().to_vec()).expect("a source")
    }

    #[test]
    fn two_files_are_one_and_two_again() {
        let joined =
            Joined { questions: source("[1]"), answers: source("[2]") }.into_source().expect("a source");
        let renamed = Joined { questions: source("[1]").called("y"), answers: source("[2]") };
        assert_eq!(renamed.into_source().expect("a source").sha256(), joined.sha256(), "names do not count");
        assert_eq!(joined.name(), "x.json+x.json");
        assert!(is_joined(joined.content()));
        let Joined { questions, answers } = Joined::of(joined.content()).expect("two").expect("sources");
        assert_eq!((questions.sha256(), answers.sha256()), (source("[1]").sha256(), source("[2]").sha256()));
    }

    #[test]
    fn other_archives_are_none() {
        let tar = |files: &[(&'static str, &[u8])]| pack::files(files.iter().copied()).expect("a tar");
        for other in [
            tar(&[("answers", b"")]),
            tar(&[("answers", b""), ("questions", b""), ("readme", b"")]),
            tar(&[("answers.json", b""), ("questions.json", b"")]),
            b"{}".to_vec(),
        ] {
            assert!(!is_joined(&other) && Joined::of(&other).is_none());
        }
        let whole = tar(&[("answers", &[b'x'; 2000]), ("questions", b"")]);
        assert!(!is_joined(&whole[..1500]));
    }
}
