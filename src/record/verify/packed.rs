//! Archives of qassay as one file: tar, tar.gz, zip. Unpacked with care.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use tar::EntryType;
use zip::ZipArchive;

use crate::base::error::{Error, Result};
use crate::base::limits;
use crate::base::limits::{Bound, MOST_BESIDE, endless};
use crate::base::text;
use crate::sources::file::pack::{refuse_many, refuse_outside};
use crate::sources::format::meter::Meter;

/// How an archive is laid out.
const LAYOUT: &str = "`records/`, `graphs/`, `files/`, at the top or in one folder";

/// The folders of an archive: what is checked, what was being written, what can be made again.
const FOLDERS: [&str; 5] = ["records", "graphs", "files", "tmp", "stores"];

/// What a file is packed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Tar,
    TarGzip,
    Zip,
}

/// Whether a file is a packed archive, by its first bytes.
pub fn is_packed(path: &Path) -> bool {
    packing(path).is_ok_and(|packing| packing.is_some())
}

fn packing(path: &Path) -> io::Result<Option<Container>> {
    let mut first = Vec::new();
    File::open(path)?.take(512).read_to_end(&mut first)?;
    Ok(match first.as_slice() {
        [0x1f, 0x8b, ..] => Some(Container::TarGzip),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Container::Zip),
        bytes if bytes.get(257..262) == Some(b"ustar") => Some(Container::Tar),
        _ => None,
    })
}

/// Unpacks an archive into a folder and gives the folder in it that has `records/`.
///
/// Only files and folders are made, only below the folder, and never more than a bound: links, devices, absolute
/// paths and `..` are errors. What begins as no archive is refused before it has filled the disk.
pub fn unpack(path: &Path, into: &Path) -> Result<PathBuf> {
    unpack_within(path, into, Bound::DISK, MOST_BESIDE)
}

fn unpack_within(path: &Path, into: &Path, bound: Bound, most_beside: u64) -> Result<PathBuf> {
    let named = |error: Error| error.in_file(path.display().to_string());
    let failed = |error: io::Error| Error::io("read the file", path, &error);
    let file = || File::open(path).map(BufReader::new).map_err(failed);
    let meter = Meter::new(bound);
    let mut room = Room { into, most_beside, beside: 0, files: 0 };
    match packing(path).map_err(failed)? {
        Some(Container::Tar) => room.untar(meter.content(meter.packed(file()?))),
        Some(Container::TarGzip) => room.untar(meter.content(MultiGzDecoder::new(meter.packed(file()?)))),
        Some(Container::Zip) => room.unzip(file()?, &meter),
        None => {
            Err(Error::input("this is no packed archive").allowed("tar, tar.gz or zip of an archive folder"))
        }
    }
    .map_err(named)?;
    root(into).map_err(named)
}

/// Where the files go, how many they are, and how many bytes of them are beside the folders of an archive.
struct Room<'a> {
    into: &'a Path,
    most_beside: u64,
    beside: u64,
    files: u64,
}

impl Room<'_> {
    fn untar(&mut self, reader: impl Read) -> Result<()> {
        let damaged = |error: io::Error| {
            let limit = limits::within(&error);
            limit.unwrap_or_else(|| Error::input(format!("the tar cannot be read: {error}")))
        };
        let mut archive = tar::Archive::new(reader);
        for entry in archive.entries().map_err(damaged)? {
            let mut entry = entry.map_err(damaged)?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            match entry.header().entry_type() {
                EntryType::Regular | EntryType::Continuous => self.write(&name, &mut entry)?,
                EntryType::Directory => {
                    self.place(&name)?;
                }
                EntryType::XGlobalHeader => {}
                other => {
                    let what = if other.is_symlink() || other.is_hard_link() { "a link" } else { "no file" };
                    return Err(Error::input(format!("`{}` is {what}", text::name(&name)))
                        .allowed("files and folders"));
                }
            }
        }
        // What comes after the end of the archive would be passed over: blocks of zeros are all that may.
        let mut rest = BufReader::new(archive.into_inner()).bytes();
        rest.try_for_each(|byte| match byte.map_err(damaged)? {
            0 => Ok(()),
            _ => Err(Error::input("something follows the end of the tar")
                .hint("one archive is verified at a time")),
        })
    }

    fn unzip(&mut self, file: impl Read + Seek, meter: &Rc<Meter>) -> Result<()> {
        let damaged =
            |error: &dyn std::fmt::Display| Error::input(format!("the zip cannot be read: {error}"));
        let mut archive = ZipArchive::new(meter.packed(file)).map_err(|error| damaged(&error))?;
        for index in 0..archive.len() {
            let file = archive.by_index(index).map_err(|error| damaged(&error))?;
            let name = file.name().map_err(|error| damaged(&error))?.into_owned();
            if file.is_symlink() {
                return Err(
                    Error::input(format!("`{}` is a link", text::name(&name))).allowed("files and folders")
                );
            }
            if file.is_dir() {
                self.place(&name)?;
            } else {
                self.write(&name, &mut meter.content(file))?;
            }
        }
        Ok(())
    }

    /// The place of a name, with its folder.
    fn place(&mut self, name: &str) -> Result<PathBuf> {
        self.files += 1;
        refuse_many(self.files)?;
        refuse_outside(name)?;
        if name.contains(['\\', '\0']) {
            return Err(Error::input(format!("`{}` is no path everywhere", text::name(name)))
                .allowed("paths without `\\`"));
        }
        let place = self.into.join(name);
        let folder = if name.ends_with('/') { Some(place.as_path()) } else { place.parent() };
        if let Some(folder) = folder {
            fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))?;
        }
        Ok(place)
    }

    fn write(&mut self, name: &str, content: &mut impl Read) -> Result<()> {
        let place = self.place(name)?;
        let failed = |error: io::Error| match limits::within(&error) {
            Some(limit) => limit,
            None if error.kind() == io::ErrorKind::AlreadyExists => {
                Error::input(format!("`{}` comes twice: the second would hide the first", text::name(name)))
            }
            None => Error::input(format!("`{}` cannot be unpacked: {error}", text::name(name))),
        };
        let mut out = BufWriter::new(File::create_new(&place).map_err(failed)?);
        let left = if is_of_archive(name) { u64::MAX } else { self.most_beside - self.beside };
        let written = io::copy(&mut content.take(left.saturating_add(1)), &mut out).map_err(failed)?;
        out.flush().map_err(failed)?;
        if written > left {
            let what = "what lies beside the folders of the archive";
            return Err(endless(what, self.most_beside).allowed(LAYOUT));
        }
        if left < u64::MAX {
            self.beside += written;
        }
        Ok(())
    }
}

/// Whether a name is in a folder of an archive, which may itself be in one folder, or in the payload of a bag.
fn is_of_archive(name: &str) -> bool {
    let mut parts = name.split('/').filter(|part| ![".", PAYLOAD].contains(part));
    parts.by_ref().take(2).any(|part| FOLDERS.contains(&part)) && name.contains('/')
}

/// Where the payload of a bag is (RFC 8493).
const PAYLOAD: &str = "data";

/// The archive that a folder is, or that a bag has.
pub fn archive_in(folder: &Path) -> Option<PathBuf> {
    let of_bag = folder.join("bagit.txt").is_file().then(|| folder.join(PAYLOAD));
    let mut places = [Some(folder.to_path_buf()), of_bag].into_iter().flatten();
    places.find(|place| place.join("records").is_dir())
}

/// The folder that is an archive: this one, or the only one in it.
fn root(folder: &Path) -> Result<PathBuf> {
    if let Some(root) = archive_in(folder) {
        return Ok(root);
    }
    let failed = |error: io::Error| Error::io("list the folder", folder, &error);
    let mut inner = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        inner.extend(archive_in(&path));
    }
    match inner.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Error::input("the packed archive has no folder `records`").allowed(LAYOUT)),
        _ => Err(Error::input(format!("the packed archive holds {} archives", inner.len())).allowed("one")),
    }
}

#[cfg(test)]
mod tests {
    use flate2::{Compression, GzBuilder};
    use tar::{Builder, Header};

    use super::*;

    /// A tar with one member of any name and kind.
    fn tar_of(name: &str, kind: EntryType, content: &[u8]) -> Vec<u8> {
        let mut header = Header::new_ustar();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        if kind.is_symlink() {
            header.set_link_name("/etc").unwrap();
        }
        header.set_cksum();
        let mut builder = Builder::new(Vec::new());
        builder.append(&header, content).unwrap();
        builder.into_inner().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> std::result::Result<PathBuf, String> {
        unpacked_within(bytes, Bound::DISK, MOST_BESIDE)
    }

    fn unpacked_within(bytes: &[u8], bound: Bound, beside: u64) -> std::result::Result<PathBuf, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, bytes).unwrap();
        let into = folder.path().join("deep/into");
        fs::create_dir_all(&into).unwrap();
        let place = folder.path().display().to_string();
        let result = unpack_within(&file, &into, bound, beside);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing outside");
        assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 1, "nothing outside");
        result
            .map(|path| path.strip_prefix(&into).unwrap().to_path_buf())
            .map_err(|error| error.to_string().replace(&place, ""))
    }

    #[test]
    fn nothing_leaves_the_folder() {
        let tars = [
            tar_of("../out", EntryType::Regular, b"x"),
            tar_of("/tmp/out", EntryType::Regular, b"x"),
            tar_of("records/link", EntryType::Symlink, b""),
            tar_of("records/pipe", EntryType::Fifo, b""),
            tar_of("other/file", EntryType::Regular, b"x"),
            b"no tar".to_vec(),
            vec![0x1f, 0x8b, 8, 0, 1, 2, 3],
            [&b"PK\x03\x04"[..], &[0; 40]].concat(),
        ];
        let told = tars.map(|tar| unpacked(&tar).unwrap_err());
        insta::assert_snapshot!(told.join("\n---\n"), @r"
        /a: `../out` would be outside of the folder.
        allowed: paths below the archive, without `..`
        ---
        /a: `/tmp/out` would be outside of the folder.
        allowed: paths below the archive, without `..`
        ---
        /a: `records/link` is a link.
        allowed: files and folders
        ---
        /a: `records/pipe` is no file.
        allowed: files and folders
        ---
        /a: the packed archive has no folder `records`.
        allowed: `records/`, `graphs/`, `files/`, at the top or in one folder
        ---
        /a: this is no packed archive.
        allowed: tar, tar.gz or zip of an archive folder
        ---
        /a: the tar cannot be read: unexpected end of file.
        ---
        /a: the zip cannot be read: invalid Zip archive: Could not find EOCD.
        ");
        let good = tar_of("kept/records/x.nq", EntryType::Regular, b"x");
        assert_eq!(unpacked(&good).unwrap(), Path::new("kept"));
        // what is cut off is told
        assert!(unpacked(&good[..700]).is_err());
    }

    #[test]
    fn zips_are_unpacked_with_the_same_care() {
        let zip_of = |names: &[&str]| {
            let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b"x"[..])).collect();
            zip_of(&files)
        };
        assert_eq!(unpacked(&zip_of(&["records/a.nq", "files/b"])).unwrap(), Path::new(""));
        let error = unpacked(&zip_of(&["records/a.nq", "../b"])).unwrap_err();
        assert!(error.contains("`../b` would be outside"), "{error}");
        let error = unpacked(&zip_of(&["a/records/a.nq", "b/records/a.nq"])).unwrap_err();
        assert!(error.contains("holds 2 archives"), "{error}");
    }

    fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, content) in files {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn bombs_are_refused_before_they_fill_the_disk() {
        let blanks = vec![b' '; 1 << 20];
        let bound = Bound { free: 1 << 16, ..Bound::DISK };
        let tar = tar_of("records/x.nq", EntryType::Regular, &blanks);
        for bomb in [gzipped(&tar), zip_of(&[("records/x.nq", &blanks)])] {
            let told = unpacked_within(&bomb, bound, MOST_BESIDE).unwrap_err();
            assert!(told.contains("more than 200 times as many, a limit of qassay"), "{told}");
        }
        // what is not packed is as large as it is
        assert_eq!(unpacked_within(&tar, bound, MOST_BESIDE).unwrap(), Path::new(""));
        let small = Bound { most: 1 << 10, ..Bound::DISK };
        let told = unpacked_within(&tar, small, MOST_BESIDE).unwrap_err();
        assert!(told.contains("more than 1 KiB, a limit of qassay"), "{told}");
    }

    #[test]
    fn what_begins_as_no_archive_is_refused_early() {
        let beside = |name: &str| {
            let tar = tar_of(name, EntryType::Regular, &[b'x'; 100]);
            unpacked_within(&tar, Bound::DISK, 99).map_or_else(|told| told, |root| root.display().to_string())
        };
        for other in ["film.mkv", "records", "a/b/records/c"] {
            let told = beside(other);
            assert!(
                told.contains("beside the folders of the archive has more than 99 bytes, a limit of"),
                "{told}"
            );
        }
        for known in ["records/a", "./graphs/sha256/a", "kept/files/sha256/a"] {
            assert!(!beside(known).contains("beside"), "{known}");
        }
        let twice = [("records/a.nq", &b"x"[..]), ("SHA256SUMS", b"x"), ("./SHA256SUMS", b"y")];
        let told = unpacked(&zip_of(&twice)).unwrap_err();
        assert!(told.contains("`./SHA256SUMS` comes twice"), "{told}");
    }

    #[test]
    fn nothing_follows_the_end() {
        let tar = tar_of("records/a", EntryType::Regular, b"x");
        let told = |rest: &[u8]| unpacked(&[&tar[..], rest].concat());
        assert!(told(&[0; 3000]).is_ok());
        for rest in [&b"x"[..], &[&[0; 1000][..], b"x"].concat(), &tar] {
            assert!(told(rest).unwrap_err().contains("something follows the end of the tar"));
        }
    }

    #[test]
    fn names_of_members_are_told_in_short_and_on_one_line() {
        let name = format!("../\u{1b}[31m\n{}", "x".repeat(900));
        let told = unpacked(&zip_of(&[(&name, b"x")])).unwrap_err();
        assert!(told.contains("`../\\u{1b}[31m\\nxx") && told.contains("… (909 characters)"), "{told}");
    }
}
