//! What an archive can make again at any time, and remembers to save time: the files of `stores/summaries/`.
//!
//! Nothing is lost where they go. Each says of which form it is, and the checksum of what follows: what is damaged, or of
//! another version of the program, is not there. Who cannot write does without.

use std::fs::{self, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::{Archive, Pending};

/// What the first line begins with. Its number changes with what the files say.
const FORM: &str = concat!("qassay ", env!("CARGO_PKG_VERSION"), ", summaries 2");

/// A graph as it was when something was made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphMark {
    /// The checksum of its statements.
    pub sha256: String,
    /// The size of its file.
    size: u64,
    /// When its file was written, in nanoseconds; where that is not known, its bytes are looked at.
    written: u64,
}

impl Archive {
    fn remembered(&self, name: &str) -> PathBuf {
        self.root.join("stores/summaries").join(format!("{name}.json"))
    }

    /// What was remembered by a name, if it is here, whole and of this version of the program.
    pub(crate) fn recall<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let content = read_file(&self.remembered(name)).ok()?;
        let end = content.iter().position(|byte| *byte == b'\n')?;
        let (head, body) = (&content[..end], &content[end + 1..]);
        (head == heading(body).as_bytes()).then(|| serde_json::from_slice(body).ok())?
    }

    /// Remembers something by a name: as a whole, or not at all. Nobody need know whether it worked.
    pub(crate) fn remember(&self, name: &str, what: &impl Serialize) {
        let place = || -> io::Result<()> {
            let body = serde_json::to_vec(what)?;
            let heading = format!("{}\n", heading(&body));
            self.write_memory(&self.remembered(name), &mut heading.as_bytes().chain(body.as_slice()))
        };
        // Archives may be on read-only media, or belong to others.
        drop(place());
    }

    /// Forgets what was remembered by a name.
    pub(crate) fn forget(&self, name: &str) {
        drop(fs::remove_file(self.remembered(name)));
    }

    /// Lets another archive remember by a name what this one remembers; nothing where it remembers nothing, or cannot be written.
    /// Who recalls it looks whether it is true there.
    pub(crate) fn lend(&self, name: &str, other: &Self, as_name: &str) {
        let place = || -> io::Result<()> {
            other.write_memory(&other.remembered(as_name), &mut fs::File::open(self.remembered(name))?)
        };
        drop(place());
    }

    /// Where a text is remembered by its checksum. Who reads it looks whether it has that.
    pub(crate) fn remembered_text(&self, sha256: &str) -> PathBuf {
        self.root.join("stores/summaries/texts").join(sha256)
    }

    /// Remembers a text by its checksum.
    pub(crate) fn remember_text(&self, sha256: &str, text: &[u8]) {
        drop(self.write_memory(&self.remembered_text(sha256), &mut &text[..]));
    }

    fn write_memory(&self, place: &Path, content: &mut impl io::Read) -> io::Result<()> {
        let mut pending = Pending::create(&self.root).map_err(io::Error::other)?;
        io::copy(content, &mut pending)?;
        fs::create_dir_all(place.parent().unwrap_or(&self.root))?;
        // Not made durable: half of it would not be believed.
        fs::rename(&pending.path, place)
    }

    /// A graph as it is; none where it is not here.
    pub(crate) fn mark(&self, sha256: &str) -> Option<GraphMark> {
        let facts = self.graph(sha256).path().metadata().ok().filter(Metadata::is_file)?;
        Some(GraphMark { sha256: sha256.to_owned(), size: facts.len(), written: written(&facts) })
    }

    /// A graph as it is now, if it is still what it was: nobody wrote its file since; or else, it has its checksum.
    pub(crate) fn marked_again(&self, mark: &GraphMark) -> Option<GraphMark> {
        let now = self.mark(&mark.sha256)?;
        let is_untouched = now == *mark && now.written > 0;
        (is_untouched || self.graph(&mark.sha256).digest().is_ok_and(|(found, _)| found == mark.sha256))
            .then_some(now)
    }

    /// The same of several graphs; nothing where one of them is not what it was.
    pub(crate) fn all_marked_again(&self, marks: &[GraphMark]) -> Option<Vec<GraphMark>> {
        marks.iter().map(|mark| self.marked_again(mark)).collect()
    }
}

fn heading(body: &[u8]) -> String {
    let commit = option_env!("QASSAY_GIT_COMMIT").unwrap_or_default();
    format!("{FORM} {commit} {}", hex(&Sha256::digest(body)))
}

fn written(facts: &Metadata) -> u64 {
    let since = facts.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| u64::try_from(since.as_nanos()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_was_never_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        let recall = || archive.recall::<Vec<u32>>("numbers");
        assert_eq!(recall(), None);
        archive.remember("numbers", &[1, 2, 3]);
        assert_eq!(recall(), Some(vec![1, 2, 3]));
        let path = archive.remembered("numbers");
        let content = fs::read_to_string(&path).unwrap();
        for damaged in ["", "\n", "[1,2,3]", &content[..content.len() - 1], &content.replace('2', "4")] {
            fs::write(&path, damaged).unwrap();
            assert_eq!(recall(), None, "{damaged}");
        }
        // Another form, with a checksum that is right.
        fs::write(&path, content.replacen(FORM, "summaries 0", 1)).unwrap();
        assert_eq!(recall(), None);
        archive.remember("numbers", &[4]);
        assert_eq!(recall(), Some(vec![4]));
        archive.forget("numbers");
        assert_eq!(recall(), None);
        // Nothing is left where it cannot be kept.
        fs::remove_dir_all(folder.path().join("tmp")).unwrap();
        archive.remember("numbers", &[5]);
        assert_eq!(recall(), None);
    }

    #[test]
    fn a_graph_is_as_marked_while_its_bytes_are() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        let line = "<http://a> <http://b> <http://c> <http://d> .\n";
        let graph = archive.keep_graph("u:about", |out| out.write_all(line.as_bytes()).map(|()| 1)).unwrap();
        let mark = archive.mark(&graph.sha256).unwrap();
        assert_eq!(archive.marked_again(&mark), Some(mark.clone()));
        let path = archive.graph(&graph.sha256).path().to_path_buf();
        // Written again at another time, with the same bytes and with others.
        fs::write(&path, line).unwrap();
        let other = GraphMark { written: 1, ..mark.clone() };
        assert_eq!(archive.marked_again(&other), archive.mark(&graph.sha256));
        assert_eq!(archive.all_marked_again(std::slice::from_ref(&other)).map(|marks| marks.len()), Some(1));
        fs::write(&path, line.replace('a', "x")).unwrap();
        assert_eq!(archive.marked_again(&other), None);
        assert_eq!(archive.all_marked_again(&[other]), None);
        fs::remove_file(&path).unwrap();
        assert_eq!((archive.marked_again(&mark), archive.mark(&graph.sha256)), (None, None));
    }
}
