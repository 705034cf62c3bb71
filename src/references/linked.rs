//! Link sets by their words: files, names of registered versions, and how a link is shown.

use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::vocab::{dbo, foaf, owl, schema};
use crate::profiles::link_kind::LinkKind;
use crate::references::link_sets::LinkSetVersion;
use crate::references::links::reading::FileLink;
use crate::references::{ReferenceInput, link_sets};
use crate::sources::archive::Archive;
use crate::sources::catalogue::named;

/// A link as people write it, with the file that it is in.
pub fn line(link: &FileLink, file: &str) -> String {
    format!("<{}> {} <{}>  in {file}", link.from, predicate(link.predicate), link.to)
}

/// A predicate as people write it.
pub fn predicate(iri: &str) -> String {
    let known = [
        (owl::NAMESPACE, "owl"),
        (dbo::NAMESPACE, "dbo"),
        (foaf::NAMESPACE, "foaf"),
        (schema::NAMESPACE, "schema"),
    ];
    let short =
        known.iter().find_map(|(space, prefix)| Some(format!("{prefix}:{}", iri.strip_prefix(space)?)));
    short.unwrap_or_else(|| format!("<{iri}>"))
}

/// What a word after `--links` means.
#[derive(Debug)]
pub enum Meant {
    /// A file.
    File(PathBuf),
    /// A file of the catalogue of published files.
    Published(PathBuf),
    /// A registered version.
    Version(LinkSetVersion),
}

/// What a word means: a file of that name wins, then a registered version, then the catalogue of published files.
pub fn meant(word: &Path, root: &Path) -> Result<Meant> {
    if word.exists() {
        return Ok(Meant::File(word.to_path_buf()));
    }
    let registered = match Archive::open(root) {
        Ok(archive) => link_sets::all(&archive)?,
        // there is nothing registered where there is no archive
        Err(_) => Vec::new(),
    };
    match word.to_str().map(|text| link_sets::find(&registered, text)) {
        Some(Ok(Some(version))) => Ok(Meant::Version(version.clone())),
        Some(Err(error)) => Err(error),
        _ => Ok(Meant::Published(word.to_path_buf())),
    }
}

/// Reads the files that a word means.
pub fn open(meant: &Meant, root: &Path, kinds: &[LinkKind], mint: &Mint) -> Result<Vec<ReferenceInput>> {
    match meant {
        Meant::File(path) => Ok(vec![ReferenceInput::open_links(path, kinds, mint)?]),
        Meant::Published(word) => {
            let published = named::open(word, root, None).map_err(|error| unknown(error, word))?;
            Ok(vec![ReferenceInput::links_of(published, kinds, mint)?])
        }
        Meant::Version(version) => {
            let open = |sha256: &String| {
                let path = Archive::file_below(root, sha256);
                let links = ReferenceInput::open_links(&path, kinds, mint)?;
                if links.source.sha256() == sha256 {
                    return Ok(links);
                }
                Err(Error::check("the archive is damaged: these are not the bytes that were registered")
                    .in_file(path.display().to_string()))
            };
            version.files.iter().map(open).collect()
        }
    }
}

/// What to call files of links: by the registered versions that have them, where they are called by their checksums only.
pub fn names(files: &[ReferenceInput], root: &Path) -> Result<Vec<String>> {
    let is_nameless = |file: &ReferenceInput| file.source.file_name() == file.source.sha256();
    let registered = match Archive::open(root) {
        Ok(archive) if files.iter().any(is_nameless) => link_sets::all(&archive)?,
        _ => Vec::new(),
    };
    let name = |file: &ReferenceInput| {
        let sha256 = file.source.sha256();
        let versions = registered.iter().filter(|version| version.files.iter().any(|file| file == sha256));
        let words: Vec<String> = versions.map(|version| of_version(version, sha256)).collect();
        if words.is_empty() || !is_nameless(file) {
            return file.source.file_name().to_owned();
        }
        words.join(", ")
    };
    Ok(files.iter().map(name).collect())
}

/// A file of a version: `NAME@VERSION`, where it has several files with the beginning of the checksum.
fn of_version(version: &LinkSetVersion, sha256: &str) -> String {
    let word = format!("{}@{}", version.name, version.version);
    if version.files.len() > 1 { format!("{word} ({})", &sha256[..8]) } else { word }
}

/// A word that is no path and means nothing may have been meant as the name of a link set.
fn unknown(error: Error, word: &Path) -> Error {
    let is_name = word.extension().is_none() && word.components().count() == 1;
    if is_name && word.to_str().is_some_and(|word| crate::sources::catalogue::find::find(word).is_err()) {
        return error.hint(
            "`qassay links list` lists the registered link sets, `qassay datasets` the published files",
        );
    }
    error
}

/// Reads the files that all words mean; gives the registered versions among them too: `NAME@VERSION`.
pub fn references(
    words: &[PathBuf],
    root: &Path,
    kinds: &[LinkKind],
    mint: &Mint,
) -> Result<(Vec<ReferenceInput>, Vec<String>)> {
    let (mut references, mut versions) = (Vec::new(), Vec::new());
    for word in words {
        let meant = meant(word, root)?;
        references.extend(open(&meant, root, kinds, mint)?);
        if let Meant::Version(LinkSetVersion { name, version, .. }) = &meant {
            versions.push(format!("{name}@{version}"));
        }
    }
    Ok((references, versions))
}
