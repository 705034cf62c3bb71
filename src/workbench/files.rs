//! Files by themselves: what is in them, what a loader takes from them, and what they are in another format.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::base::text::counted;
use crate::profiles::loaders::{Loaded, Loading, Part, load};
use crate::record::results::LoadedResults;
use crate::report::json;
use crate::sources::convert::{Converted, convert};
use crate::sources::document::Document;
use crate::sources::file::source::Source;
use crate::sources::format::sibling::{mend, mended_digest};
use crate::sources::format::{Format, Target, read};
use crate::sources::quality::inspection::Inspection;
use crate::workbench::Workbench;

/// A file with what a loader takes from it.
#[derive(Debug)]
pub struct LoadedFile {
    /// The file.
    pub source: Source,
    /// Its format.
    pub format: &'static Format,
    /// How many questions it has.
    pub questions: usize,
    /// What the loader makes of it.
    pub loaded: Loaded,
}

impl LoadedFile {
    /// What the loader makes of it, for programs.
    pub fn json(&self, loading: Loading<'_>) -> Value {
        let mut value = json::loaded(&LoadedResults::of(&self.loaded));
        value["file"] = self.source.name().into();
        value["format"] = self.format.name.into();
        value["loader"] = loading.loader.name().into();
        value["part"] = loading.part.map(Part::name).into();
        value
    }
}

/// A file in another format.
#[derive(Debug)]
pub struct Conversion {
    /// The file.
    pub source: Source,
    /// Its format.
    pub format: &'static Format,
    /// What was read.
    pub document: Document,
    /// What was taken from a sibling of the file, if there was one.
    pub mended: Option<String>,
    /// What it is in the other format, and what that cannot hold.
    pub converted: Converted,
}

impl Workbench {
    /// What is in a file, and what is wrong with it.
    ///
    /// # Errors
    /// Where the file cannot be read at all.
    pub fn inspect(&self, file: &Path, encoding: Option<&str>) -> Result<Inspection> {
        self.open(file, encoding).and_then(Inspection::of)
    }

    /// What a loader takes from a file.
    ///
    /// # Errors
    /// Where the file cannot be read, or the loader refuses it.
    pub fn load(&self, file: &Path, encoding: Option<&str>, loading: Loading<'_>) -> Result<LoadedFile> {
        let source = self.open(file, encoding)?;
        let (document, format) = read(&source)?;
        let document = Arc::new(document);
        let loaded = load(&document, format.name, loading).map_err(|error| error.in_file(source.name()))?;
        Ok(LoadedFile { source, format, questions: document.questions.len(), loaded })
    }

    /// A file in another format; with the queries of a sibling, of which it is a damaged copy, where one is named.
    /// Nothing is written.
    ///
    /// # Errors
    /// Where a file cannot be read, or the sibling has other questions; where the format can hold nothing of it.
    pub fn convert(
        &self,
        file: &Path,
        encoding: Option<&str>,
        sibling: Option<&Path>,
        target: &Target,
    ) -> Result<Conversion> {
        let source = self.open(file, encoding)?;
        let (mut document, format) = read(&source)?;
        let mended = sibling.map(|sibling| self.mend_from(&mut document, &source, sibling)).transpose()?;
        let version = mended.as_ref().map_or(source.sha256(), |(version, _)| version);
        let converted = convert(&document, version, target).map_err(|error| error.in_file(source.name()))?;
        let mended = mended.map(|(_, told)| told);
        Ok(Conversion { source, format, document, mended, converted })
    }

    /// Takes the queries of the questions from a sibling file. Gives the digest that stands for both files together, and
    /// what was done.
    fn mend_from(
        &self,
        document: &mut Document,
        source: &Source,
        sibling: &Path,
    ) -> Result<(String, String)> {
        let sibling = self.open(sibling, None)?;
        let (other, _) = read(&sibling)?;
        let done = mend(document, &other);
        if done.changed == 0 && done.refused > 0 {
            return Err(Error::input("these are other questions: no query is taken")
                .in_file(sibling.name())
                .allowed("a file with the same questions under the same ids"));
        }
        let mut told =
            format!("took the queries of {} from {}", counted(done.changed, "question"), sibling.name());
        if done.refused > 0 {
            told = format!("{told}; {} ask something else there and keep theirs", done.refused);
        }
        Ok((mended_digest(source.sha256(), sibling.sha256()), told))
    }
}
