//! Inputs by name: a path, or what the catalogue calls a file that is fetched.

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::sources::archive::Archive;
use crate::sources::catalogue;
use crate::sources::catalogue::Entry;
use crate::sources::file::joined::Joined;
use crate::sources::file::source::Source;
use crate::sources::format::meter::{standard_input, whole};
use std::path::{Path, PathBuf};

/// Where an archive has the file of an entry, if it has.
pub fn place(root: &Path, entry: &Entry) -> Option<PathBuf> {
    let path = entry.exists().then(|| Archive::file_below(root, entry.sha256));
    path.filter(|path| path.is_file())
}

/// Opens a file, or the fetched file that a word names, or two of these with a `+` between them, which are questions and
/// their answers; a file of that name wins. `-` is standard input. `encoding` is that of the file, where the user names one.
pub fn open(path: &Path, root: &Path, encoding: Option<&str>) -> Result<Source> {
    let Some((questions, answers)) = two(path, root) else { return open_one(path, root, encoding) };
    let questions = open_one(&questions, root, encoding)?;
    Joined { questions, answers: open_one(&answers, root, encoding)? }.into_source()
}

/// The two files that a path with a `+` means: where there is no file of that name, the first place of a `+` that parts
/// it into two things that are there; if there is none, one that parts it into something that is there and something
/// that is not, so that this is told.
fn two(path: &Path, root: &Path) -> Option<(PathBuf, PathBuf)> {
    let word = path.to_str().filter(|word| word.contains('+') && !path.exists())?;
    let is_there = |part: &str| {
        let is_fetched = || catalogue::find::find(part).is_ok_and(|entry| place(root, entry).is_some());
        part == "-" || Path::new(part).exists() || is_fetched()
    };
    let parts = || word.match_indices('+').map(|(at, plus)| (&word[..at], &word[at + plus.len()..]));
    let both = parts().find(|(one, other)| is_there(one) && is_there(other));
    let found = both.or_else(|| parts().find(|(one, other)| is_there(one) || is_there(other)));
    found.map(|(one, other)| (PathBuf::from(one), PathBuf::from(other)))
}

fn open_one(path: &Path, root: &Path, encoding: Option<&str>) -> Result<Source> {
    if path.as_os_str() == "-" {
        return Source::from_bytes_with_encoding("stdin", standard_input()?, encoding);
    }
    let word = path.to_str().filter(|_| !path.exists());
    let Some(entry) = word.and_then(|word| catalogue::find::find(word).ok()) else {
        return Source::open_with_encoding(path, encoding).map_err(|error| with_hint(error, path));
    };
    let Some(fetched) = place(root, entry) else {
        let error = Error::input(match entry.absent {
            "" => format!("`{}` is not fetched", entry.name),
            _ => format!("nobody has `{}`", entry.name),
        });
        return Err(match (entry.absent, entry.instead) {
            ("", _) => error
                .in_file(root.display().to_string())
                .hint(format!("`qassay fetch {}`; `⌥archive DIR` names another archive", entry.name)),
            (_, "") => error.hint("nothing that we know replaces it"),
            (_, instead) => error.hint(format!("`{instead}` replaces a part of it")),
        });
    };
    let source = Source::from_bytes_with_encoding(entry.name, whole(&fetched)?, encoding)?;
    if source.sha256() != entry.sha256 {
        return Err(Error::check("the archive is damaged: these are not the bytes that were fetched")
            .in_file(fetched.display().to_string())
            .hint("remove the file and fetch it again"));
    }
    Ok(source)
}

/// A missing file whose name looks like one of the catalogue was meant as that.
fn with_hint(error: Error, path: &Path) -> Error {
    let is_bare = path.extension().is_none() && path.components().count() == 1;
    if path.exists() || !is_bare {
        return error;
    }
    let Some(Err(unknown)) = path.to_str().map(catalogue::find::find) else { return error };
    let error = Error::input("no such file, and the catalogue has none of that name")
        .in_file(path.display().to_string())
        .hint(unknown.advice().unwrap_or_default());
    match unknown.would_accept() {
        Some(near) => error.allowed(near),
        None => error,
    }
}

/// The entry of a file in the catalogue, also where the file is packed.
pub fn known(source: &Source) -> Option<&'static Entry> {
    catalogue::by_checksum(source.sha256()).or_else(|| catalogue::by_checksum(&source.content_sha256()?))
}

/// The issue about a file that is known to be damaged.
pub fn damaged(source: &Source) -> Option<Issue> {
    known(source).and_then(issue)
}

/// The issue about an entry of the catalogue that is damaged.
pub(crate) fn issue(entry: &Entry) -> Option<Issue> {
    if entry.damage.is_empty() {
        return None;
    }
    let advice = match entry.instead {
        "" => "no better copy is known".to_owned(),
        sibling => format!("`{sibling}` is better there: `qassay datasets {sibling}`"),
    };
    let message = format!("this copy is known to be damaged: {}; {advice}", entry.damage);
    Some(Issue::new(IssueCode::DamagedCopy, &Place::default(), message))
}

#[cfg(test)]
mod tests {
    use super::issue;
    use crate::sources::catalogue::by_name;

    #[test]
    fn damage_and_the_file_to_take() {
        let told = |name| issue(by_name(name).expect("an entry")).map(|issue| issue.message);
        assert_eq!(told("qald-1-test-dbpedia"), None);
        let damaged = told("qald-5-train-json").expect("an issue");
        assert!(
            damaged.contains("squeezed") && damaged.contains("`qassay datasets qald-5-train`"),
            "{damaged}"
        );
    }
}
