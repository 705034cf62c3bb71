//! Which version of the model an archive has, and under which base its IRIs are: `records/archive/model.nq` states it. An
//! archive of before versions were stated has the first, under the usual base.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::iri::{DEFAULT_BASE, Mint};
use crate::base::model::Model;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{dcat, dct, rdf};
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::{Archive, RECORD_KINDS};

/// Graphs that the first version of the model does not have.
const LATER: [&str; 2] = ["/graph/measures/", "/graph/patterns/"];

impl Archive {
    /// What makes the IRIs of the archive in a folder; where there is nothing yet, of the one that a new archive gets.
    ///
    /// # Errors
    /// Where a newer program made it; where what states it is damaged.
    pub fn mint_below(root: &Path) -> Result<Mint> {
        Self::stated_below(root).map(Option::unwrap_or_default)
    }

    /// What the archive in a folder states of them; nothing, where there is nothing yet.
    ///
    /// # Errors
    /// As for [`Archive::mint_below`].
    pub fn stated_below(root: &Path) -> Result<Option<Mint>> {
        Self { root: root.to_path_buf(), mint: Mint::default(), _lock: None }.stated()
    }

    /// Whether a word is the name of something in the archive in a folder, or of something of qassay, and no address.
    pub fn names(root: &Path, word: &str) -> bool {
        let base = Self::mint_below(root).unwrap_or_default();
        [base.base(), DEFAULT_BASE].iter().any(|base| word.starts_with(base))
    }

    /// What is stated; nothing, where there is nothing yet.
    fn stated(&self) -> Result<Option<Mint>> {
        let path = self.stated_in();
        let content = match read_file(&path) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.unstated(),
            Err(error) => return Err(Error::io("read the record", &path, &error)),
        };
        let damaged = || {
            Error::check("the record of the version of the model is damaged")
                .in_file(path.display().to_string())
                .hint("the archive cannot be read without it; take it from a copy")
        };
        let base = stated_base(&content).ok_or_else(damaged)?;
        let under = |model| Mint::of(model).under_base(&base).map_err(|_| damaged());
        for model in Model::ALL {
            let mint = under(model)?;
            if statement(&mint) == content {
                return Ok(Some(mint));
            }
        }
        let newest = Model::ALL.map(Model::number).into_iter().max().unwrap_or_default();
        let mint = under(Model::default())?;
        let newer = (newest + 1..=u8::MAX).find(|number| bytes(described(&mint, *number)) == content);
        Err(newer.map_or_else(damaged, |number| {
            let known = Model::ALL.map(|model| model.number().to_string()).join(", ");
            Error::input(format!("a newer program made this archive: it has version {number} of the model"))
                .in_file(path.display().to_string())
                .allowed(format!("version {known}"))
                .hint("use the newer qassay, or keep evaluations elsewhere: `⌥archive DIR`")
        }))
    }

    /// That of an archive that states none: where nothing is in it, nothing, else that of the first version.
    fn unstated(&self) -> Result<Option<Mint>> {
        let mut mint = None;
        for kind in RECORD_KINDS {
            let Some(record) = self.records_of(kind)?.into_iter().next() else { continue };
            let content =
                read_file(&record).map_err(|error| Error::io("read the record", &record, &error))?;
            let content = String::from_utf8_lossy(&content);
            if LATER.iter().any(|graph| content.contains(graph)) {
                return Err(Error::check("the record of the version of the model is missing")
                    .in_file(self.stated_in().display().to_string())
                    .hint("the archive has graphs of a later version than the first; take the record from a copy"));
            }
            mint = Some(Mint::of(Model::One));
        }
        Ok(mint)
    }

    /// States what a new archive gets, where there is nothing yet; gives what the archive has.
    pub(super) fn state_model(&self, new: &Mint) -> Result<Mint> {
        if let Some(known) = self.stated()? {
            return Ok(known);
        }
        self.keep_model(new)?;
        Ok(new.clone())
    }

    /// States the version of the model and the base: from now on everything is read and written by them.
    pub fn keep_model(&self, mint: &Mint) -> Result<()> {
        self.keep_record("archive", "model", &mut described(mint, mint.model().number()))
    }

    /// The record that states it, which archives of the first version lack.
    pub fn stated_in(&self) -> PathBuf {
        self.record("archive", "model")
    }
}

/// The record of a version of the model, under a base.
fn described(mint: &Mint, number: u8) -> Lines {
    let version = mint.model_version(number);
    let mut lines = Lines::new(&mint.catalogue_graph());
    lines.subject(&mint.catalogue()).iri(dct::CONFORMS_TO, &version);
    lines
        .subject(&version)
        .iri(rdf::TYPE, dct::STANDARD)
        .text_in(dct::TITLE, &format!("Model of qassay, version {number}"), Some("en"))
        .text(dcat::VERSION, &number.to_string());
    lines
}

/// The bytes of the record.
pub(super) fn statement(mint: &Mint) -> Vec<u8> {
    bytes(described(mint, mint.model().number()))
}

fn bytes(mut lines: Lines) -> Vec<u8> {
    let mut bytes = Vec::new();
    lines.write_to(&mut bytes).expect("writing to memory cannot fail");
    bytes
}

/// The base under which the catalogue of a record is.
fn stated_base(record: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(record).ok()?;
    let predicate = format!("> <{}> <", dct::CONFORMS_TO);
    let catalogue = text.lines().find_map(|line| line.split_once(&predicate)?.0.strip_prefix('<'))?;
    catalogue.strip_suffix("catalog").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_new_archive_states_the_newest_version_and_an_old_one_keeps_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        assert_eq!(Archive::create(&new).unwrap().mint().model(), Model::Two);
        assert_eq!(Archive::open(&new).unwrap().mint().model(), Model::Two);
        fs::create_dir_all(old.join("records/dataset")).unwrap();
        fs::create_dir_all(old.join("graphs/sha256")).unwrap();
        for part in ["files", "tmp"] {
            fs::create_dir_all(old.join(part)).unwrap();
        }
        fs::write(old.join("records/dataset/a.nq"), "").unwrap();
        assert_eq!(Archive::create(&old).unwrap().mint().model(), Model::One);
        assert!(!Archive::open(&old).unwrap().stated_in().exists());
        // The first version may be stated too.
        Archive::create(&old).unwrap().keep_model(&Mint::of(Model::One)).unwrap();
        assert_eq!(Archive::open(&old).unwrap().mint().model(), Model::One);
    }

    #[test]
    fn an_archive_with_later_graphs_is_none_of_the_first_version() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        fs::remove_file(archive.stated_in()).unwrap();
        let record = archive.record("execution", "a");
        fs::write(record, "<https://w3id.org/qassay/graph/measures/a> <http://p> <http://o> .\n").unwrap();
        let error = Archive::create(folder.path()).unwrap_err();
        assert!(error.to_string().contains("the record of the version of the model is missing"), "{error}");
    }

    #[test]
    fn what_a_newer_program_made_is_refused_and_so_is_what_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        let refused = |content: &[u8]| {
            fs::write(archive.stated_in(), content).unwrap();
            [Archive::open(folder.path()), Archive::create(folder.path())].map(|opened| opened.unwrap_err())
        };
        for error in refused(&bytes(described(&Mint::default(), 3))) {
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains("it has version 3 of the model"), "{error}");
        }
        for error in refused(&statement(&Mint::default())[1..]) {
            assert_eq!(error.exit_code(), 1);
            assert!(error.to_string().contains("is damaged"), "{error}");
        }
    }
}
