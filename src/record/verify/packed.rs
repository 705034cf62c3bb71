//! Archives of qassay as one file: tar, tar.gz, zip. Unpacked with care, packed the same way every time.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

use flate2::read::MultiGzDecoder;
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};
use zip::ZipArchive;

use crate::base::error::{Error, Result};

/// The most bytes that an archive may unpack to (64 GiB).
const MOST_BYTES: u64 = 64 << 30;

/// The most files that an archive may have.
const MOST_FILES: u64 = 10_000_000;

/// What a file is packed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Tar,
    TarGzip,
    Zip,
}

/// Whether a file is a packed archive, by its first bytes.
pub fn is_packed(path: &Path) -> bool {
    packing(path).is_ok_and(|packing| packing.is_some())
}

fn packing(path: &Path) -> io::Result<Option<Packing>> {
    let mut first = Vec::new();
    File::open(path)?.take(512).read_to_end(&mut first)?;
    Ok(match first.as_slice() {
        [0x1f, 0x8b, ..] => Some(Packing::TarGzip),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Packing::Zip),
        bytes if bytes.get(257..262) == Some(b"ustar") => Some(Packing::Tar),
        _ => None,
    })
}

/// Unpacks an archive into a folder and gives the folder in it that has `records/`.
///
/// Only files and folders are made, only below the folder, and never more than a bound: links, devices, absolute
/// paths and `..` are errors.
pub fn unpack(path: &Path, into: &Path) -> Result<PathBuf> {
    let named = |error: Error| error.in_file(path.display().to_string());
    let failed = |error: io::Error| Error::io("read the file", path, &error);
    let file = || File::open(path).map(BufReader::new).map_err(failed);
    let mut room = Room { into, bytes: 0, files: 0 };
    match packing(path).map_err(failed)? {
        Some(Packing::Tar) => room.untar(file()?),
        Some(Packing::TarGzip) => room.untar(MultiGzDecoder::new(file()?)),
        Some(Packing::Zip) => room.unzip(path),
        None => {
            Err(Error::input("this is no packed archive").allowed("tar, tar.gz or zip of an archive folder"))
        }
    }
    .map_err(named)?;
    root(into).map_err(named)
}

/// Where the files go, and how many they are.
struct Room<'a> {
    into: &'a Path,
    bytes: u64,
    files: u64,
}

impl Room<'_> {
    fn untar(&mut self, reader: impl Read) -> Result<()> {
        let damaged = |error: io::Error| Error::input(format!("the tar cannot be read: {error}"));
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
                    return Err(Error::input(format!("`{name}` is {what}")).allowed("files and folders"));
                }
            }
        }
        Ok(())
    }

    fn unzip(&mut self, path: &Path) -> Result<()> {
        let damaged =
            |error: &dyn std::fmt::Display| Error::input(format!("the zip cannot be read: {error}"));
        let file = File::open(path).map_err(|error| damaged(&error))?;
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(&error))?;
        for index in 0..archive.len() {
            let mut file = archive.by_index(index).map_err(|error| damaged(&error))?;
            let name = file.name().map_err(|error| damaged(&error))?.into_owned();
            if file.is_symlink() {
                return Err(Error::input(format!("`{name}` is a link")).allowed("files and folders"));
            }
            if file.is_dir() {
                self.place(&name)?;
            } else {
                self.write(&name, &mut file)?;
            }
        }
        Ok(())
    }

    /// The place of a name, with its folder.
    fn place(&mut self, name: &str) -> Result<PathBuf> {
        self.files += 1;
        if self.files > MOST_FILES {
            return Err(Error::input(format!("the archive has more than {MOST_FILES} files")));
        }
        let path = Path::new(name);
        let is_below = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(is_below) || name.contains('\\') || name.contains('\0') {
            return Err(Error::input(format!("`{name}` would be outside of the folder"))
                .allowed("paths below the archive, without `..`"));
        }
        let place = self.into.join(path);
        let folder = if name.ends_with('/') { Some(place.as_path()) } else { place.parent() };
        if let Some(folder) = folder {
            fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))?;
        }
        Ok(place)
    }

    fn write(&mut self, name: &str, content: &mut impl Read) -> Result<()> {
        let place = self.place(name)?;
        let failed = |error: io::Error| Error::input(format!("`{name}` cannot be unpacked: {error}"));
        // A name that comes twice would hide the first.
        let file = File::create_new(&place).map_err(failed)?;
        let mut out = BufWriter::new(file);
        let left = MOST_BYTES - self.bytes;
        let written = io::copy(&mut content.take(left + 1), &mut out).map_err(failed)?;
        out.flush().map_err(failed)?;
        if written > left {
            return Err(Error::input("the archive unpacks to more than 64 GiB"));
        }
        self.bytes += written;
        Ok(())
    }
}

/// The folder that is an archive: this one, or the only one in it.
fn root(folder: &Path) -> Result<PathBuf> {
    if folder.join("records").is_dir() {
        return Ok(folder.to_path_buf());
    }
    let failed = |error: io::Error| Error::io("list the folder", folder, &error);
    let mut inner = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.join("records").is_dir() {
            inner.push(path);
        }
    }
    match inner.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Error::input("the packed archive has no folder `records`")
            .allowed("`records/`, `graphs/`, `files/`, at the top or in one folder")),
        _ => Err(Error::input(format!("the packed archive holds {} archives", inner.len())).allowed("one")),
    }
}

/// Packs files, each with the name that it gets, as tar.gz: names sorted, no times, no owners.
pub fn pack(out: impl Write, mut files: Vec<(String, PathBuf)>) -> Result<()> {
    let gzip = GzBuilder::new().mtime(0).write(out, Compression::best());
    let mut builder = Builder::new(gzip);
    files.sort_unstable();
    for (name, path) in files {
        let failed = |error: io::Error| Error::io("pack the file", &path, &error);
        let file = File::open(&path).map_err(failed)?;
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(file.metadata().map_err(failed)?.len());
        builder.append_data(&mut header, &name, BufReader::new(file)).map_err(failed)?;
    }
    let failed = |error: io::Error| Error::system(format!("cannot write the packed archive: {error}"));
    let mut gzip = builder.into_inner().map_err(failed)?;
    gzip.try_finish().map_err(failed)
}

#[cfg(test)]
mod tests {
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
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, bytes).unwrap();
        let into = folder.path().join("deep/into");
        fs::create_dir_all(&into).unwrap();
        let place = folder.path().display().to_string();
        let result = unpack(&file, &into);
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
            let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
            for name in names {
                writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
                writer.write_all(b"x").unwrap();
            }
            writer.finish().unwrap().into_inner()
        };
        assert_eq!(unpacked(&zip_of(&["records/a.nq", "files/b"])).unwrap(), Path::new(""));
        let error = unpacked(&zip_of(&["records/a.nq", "../b"])).unwrap_err();
        assert!(error.contains("`../b` would be outside"), "{error}");
        let error = unpacked(&zip_of(&["a/records/a.nq", "b/records/a.nq"])).unwrap_err();
        assert!(error.contains("holds 2 archives"), "{error}");
    }

    #[test]
    fn packing_depends_on_names_and_content_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, name).unwrap();
            (format!("records/{name}.nq"), path)
        };
        let (mut one, mut other) = (Vec::new(), Vec::new());
        pack(&mut one, vec![file("b"), file("a")]).unwrap();
        pack(&mut other, vec![file("a"), file("b")]).unwrap();
        assert_eq!(one, other);
        assert_eq!(unpacked(&one).unwrap(), Path::new(""));
    }
}
