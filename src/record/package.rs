//! PACKAGE: files that go out of an archive, as a folder, a tar.gz, a zip or a bag. The same files give the same bytes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use sha2::{Digest as _, Sha256};
use tar::{Builder, EntryType, Header};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::text;
use crate::record::verify::listing::SUMS;
use crate::sources::archive::stored::StoredFile;

/// Where the bytes of a file that goes out come from.
#[derive(Debug, Clone)]
pub enum Content {
    /// A file of the archive.
    File(StoredFile),
    /// Bytes that were made.
    Bytes(Vec<u8>),
}

impl Content {
    /// The bytes.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn open(&self) -> Result<Box<dyn Read + '_>> {
        Ok(match self {
            Self::File(file) => Box::new(file.open().map_err(|error| file.unreadable(&error))?),
            Self::Bytes(bytes) => Box::new(bytes.as_slice()),
        })
    }

    /// Their checksum, and how many they are.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn digest(&self) -> Result<(String, u64)> {
        match self {
            Self::File(file) => file.digest(),
            Self::Bytes(bytes) => Ok((hex(&Sha256::digest(bytes)), bytes.len() as u64)),
        }
    }
}

/// The files with a list of their checksums, as `sha256sum -c` reads it.
///
/// # Errors
/// Where a file cannot be read, or has another checksum than its name.
pub fn with_sums(mut files: BTreeMap<String, Content>) -> Result<BTreeMap<String, Content>> {
    let mut sums = String::new();
    for (name, content) in &files {
        let (sha256, _) = content.digest()?;
        if let Content::File(file) = content
            && !name.starts_with("records/")
            && file.sha256() != sha256
        {
            return Err(Error::check("the file has another checksum than its name")
                .in_file(file.path().display().to_string())
                .hint("the archive is damaged; `qassay verify` lists what is wrong"));
        }
        sums.extend([sha256.as_str(), "  ", name, "\n"]);
    }
    files.insert(SUMS.to_owned(), Content::Bytes(sums.into_bytes()));
    Ok(files)
}

/// Writes files into a new folder, which is there when all of them are.
///
/// # Errors
/// Where it cannot be written; then nothing is there.
pub fn write_folder(out: &Path, files: &BTreeMap<String, Content>) -> Result<()> {
    whole(out, |part| {
        for (name, content) in files {
            let path = part.join(name);
            let folder = path.parent().unwrap_or(part);
            fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))?;
            copy(content.open()?, &path).map_err(|error| Error::io("write the file", &path, &error))?;
        }
        Ok(())
    })
}

fn copy(mut content: impl Read, path: &Path) -> io::Result<()> {
    let mut out = File::create_new(path)?;
    io::copy(&mut content, &mut out)?;
    out.sync_all()
}

/// An error where a place for something new is none: something is there, if only a link, or there is no folder for it.
///
/// # Errors
/// See above.
pub fn refuse_taken(out: &Path) -> Result<()> {
    // `out/` is the folder `out`.
    let out: PathBuf = out.components().collect();
    let place = || out.display().to_string();
    let new = "a new folder, or a new file that ends with .zip";
    if out.as_os_str().is_empty() {
        return Err(Error::input("there is no name for what is written").allowed(new));
    }
    if out.symlink_metadata().is_ok() {
        return Err(Error::input("this is there already").in_file(place()).allowed(new));
    }
    Ok(())
}

/// Makes something beside where it is to be, and moves it there when it is whole.
fn whole(out: &Path, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    // `out/` is the folder `out`.
    let out = &out.components().collect::<PathBuf>();
    let mut part = out.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let remove = |part: &Path| {
        // Best effort: the name says that it is none.
        drop(if part.is_dir() { fs::remove_dir_all(part) } else { fs::remove_file(part) });
    };
    remove(&part);
    let moved =
        || fs::rename(&part, out).map_err(|error| Error::io("rename the finished file to", out, &error));
    let done = make(&part).and_then(|()| moved());
    if done.is_err() {
        remove(&part);
    }
    done
}

/// Writes files into a new tar.gz: names sorted, no times, no owners.
///
/// # Errors
/// Where it cannot be written; then nothing is there.
pub fn write_tar_gz(out: &Path, files: &BTreeMap<String, Content>) -> Result<()> {
    let failed = |error: io::Error| Error::io("write the file", out, &error);
    whole(out, |part| {
        let mut file = BufWriter::new(File::create(part).map_err(failed)?);
        tar_gz(&mut file, files)?;
        file.flush().map_err(failed)
    })
}

fn tar_gz(out: impl Write, files: &BTreeMap<String, Content>) -> Result<()> {
    let gzip = GzBuilder::new().mtime(0).write(out, Compression::best());
    let mut builder = Builder::new(gzip);
    for (name, content) in files {
        let (_, size) = content.digest()?;
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(size);
        // What has grown since then would end the tar in the middle.
        let content = content.open()?.take(size);
        let failed = |error: io::Error| Error::system(format!("cannot pack {name}: {error}"));
        builder.append_data(&mut header, name, content).map_err(failed)?;
    }
    let failed = |error: io::Error| Error::system(format!("cannot write the packed archive: {error}"));
    let mut gzip = builder.into_inner().map_err(failed)?;
    gzip.try_finish().map_err(failed)
}

/// Writes files into a new zip, in one folder: names sorted by their bytes, all of one time, no entries of folders.
///
/// # Errors
/// Where it cannot be written; then nothing is there.
pub fn write_zip(out: &Path, folder: &str, files: &BTreeMap<String, Content>) -> Result<()> {
    let failed = |error: io::Error| Error::io("write the file", out, &error);
    whole(out, |part| {
        let mut file = BufWriter::new(File::create(part).map_err(failed)?);
        zip(&mut file, folder, files)?;
        file.flush().map_err(failed)
    })
}

fn zip(out: impl Write + io::Seek, folder: &str, files: &BTreeMap<String, Content>) -> Result<()> {
    let mut writer = ZipWriter::new(out);
    for (name, content) in files {
        let failed = |error: &dyn std::fmt::Display| Error::system(format!("cannot pack {name}: {error}"));
        let (_, size) = content.digest()?;
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644)
            .large_file(size >= u64::from(u32::MAX));
        writer.start_file(format!("{folder}/{name}"), options).map_err(|error| failed(&error))?;
        io::copy(&mut content.open()?, &mut writer).map_err(|error| failed(&error))?;
    }
    let done = writer.finish();
    done.map(drop).map_err(|error| Error::system(format!("cannot write the zip: {error}")))
}

/// Files as the payload of a bag (RFC 8493), with what describes it: names and texts for `bag-info.txt`.
///
/// # Errors
/// Where a file cannot be read.
pub fn bagged(
    files: BTreeMap<String, Content>,
    described: &[(&str, String)],
) -> Result<BTreeMap<String, Content>> {
    let payload: BTreeMap<String, Content> =
        files.into_iter().map(|(name, content)| (format!("data/{name}"), content)).collect();
    let manifest = manifest(&payload)?;
    let sizes = payload.values().map(|content| content.digest().map(|(_, size)| size));
    let size: u64 = sizes.sum::<Result<u64>>()?;
    let line = |(name, text): &(&str, String)| format!("{name}: {}\n", text::line(text));
    let oxum = [("Payload-Oxum", format!("{size}.{}", payload.len()))];
    let info: String = described.iter().chain(&oxum).map(line).collect();
    let bytes = |text: String| Content::Bytes(text.into_bytes());
    let mut tags = BTreeMap::from([
        (
            "bagit.txt".to_owned(),
            bytes("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".to_owned()),
        ),
        ("bag-info.txt".to_owned(), bytes(info)),
        ("manifest-sha256.txt".to_owned(), bytes(manifest)),
    ]);
    let of_tags = self::manifest(&tags)?;
    tags.insert("tagmanifest-sha256.txt".to_owned(), bytes(of_tags));
    tags.extend(payload);
    Ok(tags)
}

/// The checksums of files, as RFC 8493 writes them: what would end a line is percent-encoded (section 2.1.3).
fn manifest(files: &BTreeMap<String, Content>) -> Result<String> {
    let mut lines = String::new();
    for (name, content) in files {
        let name = name.replace('%', "%25").replace('\n', "%0A").replace('\r', "%0D");
        lines.extend([content.digest()?.0.as_str(), "  ", &name, "\n"]);
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::verify::packed::unpack;

    /// Two archives of the same files, one from memory and one from the disk.
    fn files(folder: &Path) -> [BTreeMap<String, Content>; 2] {
        let names = ["records/b.nq", "records/a.nq", "files/é.txt"];
        let in_memory = names.map(|name| (name.to_owned(), Content::Bytes(name.into())));
        let on_disk = names.map(|name| {
            let path = folder.join(name.replace('/', "-"));
            fs::write(&path, name).unwrap();
            (name.to_owned(), Content::File(StoredFile::new(path)))
        });
        [in_memory, on_disk].map(BTreeMap::from)
    }

    #[test]
    fn packing_depends_on_names_and_content_only() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (files, number) in files(folder.path()).into_iter().zip(1..) {
            write_tar_gz(&at(&format!("{number}.tar.gz")), &files).unwrap();
            write_zip(&at(&format!("{number}.zip")), "qassay-1", &files).unwrap();
        }
        for ending in ["tar.gz", "zip"] {
            let [one, other] = [1, 2].map(|number| at(&format!("{number}.{ending}")));
            assert_eq!(fs::read(&one).unwrap(), fs::read(other).unwrap(), "{ending}");
            let into = tempfile::tempdir().unwrap();
            let root = unpack(&one, into.path()).unwrap();
            assert_eq!(fs::read_to_string(root.join("records/a.nq")).unwrap(), "records/a.nq");
            assert!(root.join("files/é.txt").is_file());
        }
    }

    #[test]
    fn a_bag_lists_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let [files, _] = files(folder.path());
        let described =
            [("Bagging-Date", "2026-11-22".to_owned()), ("External-Description", "a\nb".to_owned())];
        let bag = bagged(files, &described).unwrap();
        let text = |name: &str| match &bag[name] {
            Content::Bytes(bytes) => String::from_utf8(bytes.clone()).unwrap(),
            Content::File(_) => unreachable!("it was made"),
        };
        assert!(text("manifest-sha256.txt").lines().all(|line| line[64..].starts_with("  data/")));
        assert_eq!(text("tagmanifest-sha256.txt").lines().count(), 3);
        let info = "Bagging-Date: 2026-11-22\nExternal-Description: a\\nb\nPayload-Oxum: 36.3\n";
        assert_eq!(text("bag-info.txt"), info);
    }

    #[test]
    fn what_fails_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let gone = Content::File(StoredFile::new(folder.path().join("gone")));
        let files = BTreeMap::from([("a".to_owned(), Content::Bytes(vec![1])), ("b".to_owned(), gone)]);
        let out = folder.path().join("out");
        for write in [write_folder, write_tar_gz] {
            assert!(write(&out, &files).is_err());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
        assert!(write_zip(&out, "x", &files).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
