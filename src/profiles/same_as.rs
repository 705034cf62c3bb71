//! Which links the profiles of GERBIL follow (statement 4.3.6).

use clap::ValueEnum;

/// How the gerbil profiles find equal resources
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
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

impl Mode {
    /// All modes.
    pub const ALL: [Self; 5] = [Self::None, Self::Static, Self::Links, Self::Closure, Self::Equivalence];

    /// The word on the command line, in manifests and in concepts (`code:sameas-static`).
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Static => "static",
            Self::Links => "links",
            Self::Closure => "closure",
            Self::Equivalence => "equivalence",
        }
    }

    /// Whether it looks at the given links.
    pub fn uses_links(self) -> bool {
        matches!(self, Self::Links | Self::Closure | Self::Equivalence)
    }

    /// The mode with this word.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
