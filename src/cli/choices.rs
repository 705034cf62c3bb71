//! The words that choose how something is scored.

use clap::ValueEnum;
use qassay::profiles::loaders::{Loader, Part};
use qassay::scoring::gerbil::same_as::Mode;

/// How the gerbil profiles find equal resources
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SameAsMode {
    /// A resource equals itself only
    None,
    /// GERBIL's rewriting rules: en.dbpedia, percent-encoding, Wikipedia to DBpedia
    Static,
    /// The links only, followed from subject to object: sets of equal resources as somebody recorded them
    Links,
    /// The rules and the links, followed from subject to object, as GERBIL does with an empty cache
    Closure,
    /// The rules and the links in both directions, as GERBIL does with a full cache
    Equivalence,
}

impl From<SameAsMode> for Mode {
    fn from(mode: SameAsMode) -> Self {
        match mode {
            SameAsMode::None => Self::None,
            SameAsMode::Static => Self::Static,
            SameAsMode::Links => Self::Links,
            SameAsMode::Closure => Self::Closure,
            SameAsMode::Equivalence => Self::Equivalence,
        }
    }
}

/// How the gold file is loaded
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LoaderName {
    /// Every question as it is
    Plain,
    /// The questions that Table 1 of the GERBIL QA paper counts
    Table1,
    /// The questions that GERBIL's own loader keeps, as it reads them (profiles that follow GERBIL)
    GerbilCurrent,
}

impl From<LoaderName> for Loader {
    fn from(name: LoaderName) -> Self {
        match name {
            LoaderName::Plain => Self::Plain,
            LoaderName::Table1 => Self::Table1,
            LoaderName::GerbilCurrent => Self::GerbilCurrent,
        }
    }
}

/// The part of the gold file
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PartName {
    /// The questions whose flag `hybrid` is true
    Hybrid,
    /// All others
    Multilingual,
}

impl From<PartName> for Part {
    fn from(name: PartName) -> Self {
        match name {
            PartName::Hybrid => Self::Hybrid,
            PartName::Multilingual => Self::Multilingual,
        }
    }
}
