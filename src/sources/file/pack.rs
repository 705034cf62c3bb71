//! Folders and archives of many files as one: a tar that depends on the names and the content of the files only.
//!
//! Names are sorted, times and owners are zero. Files that hold results are in it with their content, everything else
//! by its name and kind only, so that a reader can say what it did not read.

use std::io::{Cursor, Read};
use std::path::{Component, Path};

use tar::{Builder, EntryType, Header};

use crate::base::error::{Error, Result};
use crate::base::limits::{Bound, MOST_FILES, MOST_READ, exceeded};
use crate::base::{limits, text};
use crate::sources::file::zipped;
use crate::sources::format::meter::{Meter, whole};

/// The endings of files that hold SPARQL results.
const ENDINGS: [&str; 6] = ["srj", "json", "srx", "xml", "csv", "tsv"];

/// The name of a file without its ending, and the ending in lower case, if it may hold SPARQL results.
pub(crate) fn result_name(name: &str) -> Option<(&str, String)> {
    let file = name.rsplit('/').next()?;
    let (stem, ending) = file.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    // files that begin with a point are those of the system
    (!stem.is_empty() && !file.starts_with('.') && ENDINGS.contains(&ending.as_str()))
        .then_some((stem, ending))
}

/// An error where the name of a member leads out of its archive.
pub(crate) fn refuse_outside(name: &str) -> Result<()> {
    let is_below = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if Path::new(name).components().all(is_below) {
        return Ok(());
    }
    Err(Error::input(format!("`{}` would be outside of the folder", text::name(name)))
        .allowed("paths below the archive, without `..`"))
}

/// An error where an archive has more files than it may have.
pub(crate) fn refuse_many(files: u64) -> Result<()> {
    if files > MOST_FILES {
        return Err(exceeded(format!("there are {files} files"), MOST_FILES));
    }
    Ok(())
}

/// Whether the bytes are a tar.
pub(crate) fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// A member of a folder or archive.
struct Member {
    name: String,
    kind: EntryType,
    content: Vec<u8>,
}

/// The files of a folder as a tar. No link is followed, no folder in it is entered.
pub(crate) fn folder(path: &Path) -> Result<Vec<u8>> {
    let failed = |error: std::io::Error| Error::io("read the folder", path, &error);
    let mut members = Vec::new();
    let mut size = 0;
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type().map_err(failed)?;
        let mut member = Member { name, kind: EntryType::Regular, content: Vec::new() };
        if kind.is_file() && result_name(&member.name).is_some() {
            member.content = whole(&entry.path())?;
            size += member.content.len() as u64;
            if size > MOST_READ {
                let most = limits::bytes(MOST_READ);
                let error = exceeded(format!("the files of the folder have {size} bytes"), most);
                return Err(error.in_file(path.display().to_string()));
            }
        } else if kind.is_dir() {
            member.kind = EntryType::Directory;
        } else if kind.is_symlink() {
            member.kind = EntryType::Symlink;
        }
        members.push(member);
        refuse_many(members.len() as u64)?;
    }
    if !members.iter().any(|member| member.kind.is_file() && result_name(&member.name).is_some()) {
        return Err(Error::input("this is a folder without SPARQL results")
            .in_file(path.display().to_string())
            .allowed("a folder of files named after questions: `ID.srj`, `ID.srx`, `ID.csv`, `ID.tsv`")
            .hint("name one of the files in it"));
    }
    tar(members).map_err(failed)
}

/// The files of a zip as a tar; none where it does not hold several files, results among them.
pub(crate) fn zip(bytes: &[u8], bound: Bound) -> Result<Option<Vec<u8>>> {
    let damaged = |error: &dyn std::fmt::Display| Error::input(format!("the zip is damaged: {error}"));
    let meter = Meter::new(bound);
    let Ok(mut archive) = zip::ZipArchive::new(meter.packed(Cursor::new(bytes))) else { return Ok(None) };
    refuse_many(archive.len() as u64)?;
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(|error| damaged(&error))?;
        if !file.is_file() {
            continue;
        }
        let inner = file.name().map_err(|error| damaged(&error))?.into_owned();
        drop(file);
        refuse_outside(&inner)?;
        let mut member = Member { name: inner, kind: EntryType::Regular, content: Vec::new() };
        if result_name(&member.name).is_some() {
            let file = zipped::member(&mut archive, index).map_err(|error| damaged(&error))?;
            let read = meter.content(file).read_to_end(&mut member.content);
            read.map_err(|error| limits::within(&error).unwrap_or_else(|| damaged(&error)))?;
        }
        members.push(member);
    }
    if members.len() < 2 || !members.iter().any(|member| result_name(&member.name).is_some()) {
        return Ok(None);
    }
    tar(members).map(Some).map_err(|error| damaged(&error))
}

/// Some files as a tar.
pub(crate) fn files<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Result<Vec<u8>> {
    let member = |(name, content): (&str, &[u8])| Member {
        name: name.to_owned(),
        kind: EntryType::Regular,
        content: content.to_vec(),
    };
    let members = files.into_iter().map(member).collect();
    tar(members).map_err(|error| Error::system(format!("the files cannot be one: {error}")))
}

fn tar(mut members: Vec<Member>) -> std::io::Result<Vec<u8>> {
    members.sort_by(|one, other| one.name.cmp(&other.name));
    let mut builder = Builder::new(Vec::new());
    for member in members {
        let mut header = Header::new_gnu();
        header.set_entry_type(member.kind);
        header.set_mode(0o644);
        header.set_size(member.content.len() as u64);
        builder.append_data(&mut header, &member.name, member.content.as_slice())?;
    }
    builder.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(tar: &[u8]) -> Vec<(String, u64)> {
        let mut archive = tar::Archive::new(tar);
        let entries = archive.entries().expect("entries").map(|entry| entry.expect("an entry"));
        entries.map(|e| (String::from_utf8_lossy(&e.path_bytes()).into_owned(), e.size())).collect()
    }

    #[test]
    fn names_decide() {
        let named = |name| result_name(name).map(|(stem, ending)| format!("{stem} {ending}"));
        assert_eq!(named("a/b/q.1.SRJ").as_deref(), Some("q.1 srj"));
        for other in [".srj", "._1.srj", "1", "1.txt", "a.csv/b"] {
            assert_eq!(named(other), None, "{other}");
        }
    }

    #[test]
    fn a_folder_is_the_same_tar_again() {
        let folder_of = |names: [&str; 3]| {
            let folder = tempfile::tempdir().expect("a folder");
            for name in names {
                std::fs::write(folder.path().join(name), name).expect("a file");
            }
            std::fs::create_dir(folder.path().join("deep")).expect("a folder");
            folder
        };
        let (one, other) = (folder_of(["2.csv", "1.srj", "README"]), folder_of(["README", "1.srj", "2.csv"]));
        let packed = folder(one.path()).expect("a tar");
        assert!(is_tar(&packed) && packed == folder(other.path()).expect("a tar"));
        let expected = [("1.srj", 5), ("2.csv", 5), ("README", 0), ("deep", 0)];
        assert_eq!(names(&packed), expected.map(|(name, size)| (name.to_owned(), size)));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("2.srj")).expect("a link");
        assert!(super::folder(folder.path()).is_err());
        std::fs::write(folder.path().join("1.srj"), "{}").expect("a file");
        let packed = super::folder(folder.path()).expect("a tar");
        assert_eq!(names(&packed), [("1.srj".to_owned(), 2), ("2.srj".to_owned(), 0)]);
    }

    #[test]
    fn zips_of_several_files() {
        let zip_of = |files: &[(&str, &str)]| {
            let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
            for (name, content) in files {
                writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a file");
                std::io::Write::write_all(&mut writer, content.as_bytes()).expect("content");
            }
            writer.finish().expect("a zip").into_inner()
        };
        let zip = |bytes: &[u8]| zip(bytes, Bound::MEMORY);
        let several = zip(&zip_of(&[("r/2.csv", "b"), ("r/1.srj", "{}")])).expect("a zip").expect("a tar");
        assert_eq!(names(&several), [("r/1.srj".to_owned(), 2), ("r/2.csv".to_owned(), 1)]);
        assert_eq!(zip(&zip_of(&[("1.srj", "{}")])).expect("a zip"), None);
        assert_eq!(zip(b"PK\x03\x04damaged").expect("no archive"), None);
        let told = zip(&zip_of(&[("../1.srj", "{}"), ("2.srj", "{}")])).expect_err("an error").to_string();
        assert!(told.starts_with("`../1.srj` would be outside of the folder"), "{told}");
    }
}
