//! Which version of the model an archive has: `records/archive/model.nq` states it. An archive of before versions were
//! stated has the first.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::model::Model;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{dcat, dct, rdf};
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::{Archive, RECORD_KINDS};

/// Graphs that the first version of the model does not have.
const LATER: [&str; 2] = ["/graph/measures/", "/graph/patterns/"];

impl Archive {
    /// The version of the model of the archive in a folder; where there is nothing yet, the one that a new archive gets.
    ///
    /// # Errors
    /// Where a newer program made it; where what states it is damaged.
    pub fn model_below(root: &Path) -> Result<Model> {
        let archive = Self { root: root.to_path_buf(), mint: Mint::default(), _lock: None };
        let path = archive.stated_in();
        let content = match read_file(&path) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return archive.unstated();
            }
            Err(error) => return Err(Error::io("read the record", &path, &error)),
        };
        if let Some(model) = Model::ALL.into_iter().find(|model| statement(model.number()) == content) {
            return Ok(model);
        }
        let newest = Model::ALL.map(Model::number).into_iter().max().unwrap_or_default();
        let newer = (newest + 1..=u8::MAX).find(|number| statement(*number) == content);
        let path = path.display().to_string();
        Err(newer.map_or_else(
            || {
                Error::check("the record of the version of the model is damaged")
                    .in_file(&path)
                    .hint("the archive cannot be read without it; take it from a copy")
            },
            |number| {
                let known = Model::ALL.map(|model| model.number().to_string()).join(", ");
                Error::input(format!(
                    "a newer program made this archive: it has version {number} of the model"
                ))
                .in_file(&path)
                .allowed(format!("version {known}"))
                .hint("use the newer qassay, or keep evaluations elsewhere: `⌥archive DIR`")
            },
        ))
    }

    /// The version of an archive that states none: of one in which nothing is the one that it gets, else the first.
    fn unstated(&self) -> Result<Model> {
        let mut model = Model::default();
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
            model = Model::One;
        }
        Ok(model)
    }

    /// States the version that a new archive gets, where there is nothing yet.
    pub(super) fn state_model(&self) -> Result<()> {
        if self.stated_in().exists() || !self.records()?.is_empty() {
            return Ok(());
        }
        self.keep_model(Model::default())
    }

    /// States the version of the model: from now on everything is read and written by it.
    pub fn keep_model(&self, model: Model) -> Result<()> {
        self.keep_record("archive", "model", &mut described(model.number()))
    }

    /// The record that states it, which archives of the first version lack.
    pub fn stated_in(&self) -> PathBuf {
        self.record("archive", "model")
    }
}

/// The record of a version of the model.
fn described(number: u8) -> Lines {
    let mint = Mint::default();
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

pub(super) fn statement(number: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    described(number).write_to(&mut bytes).expect("writing to memory cannot fail");
    bytes
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
        Archive::create(&old).unwrap().keep_model(Model::One).unwrap();
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
        for error in refused(&statement(3)) {
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains("it has version 3 of the model"), "{error}");
        }
        for error in refused(&statement(2)[1..]) {
            assert_eq!(error.exit_code(), 1);
            assert!(error.to_string().contains("is damaged"), "{error}");
        }
    }
}
