//! The versions of the model: what graphs say, and in which graph. An archive has one of them, for good or until
//! `qassay upgrade` rewrites it.
//!
//! All that a later version does differently is asked of [`Model`], by the name of the difference: nothing else in the
//! program compares versions.

use crate::base::vocab::{prov, qassay};

/// A version of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Model {
    /// The first: an archive that states no version. It is read, added to and verified as it always was.
    One,
    /// The second: what is written where no archive states another.
    #[default]
    Two,
}

impl Model {
    /// Every version that this program knows, in order.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// The number of the version, from 1.
    pub fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// Whether aggregates have graphs of their own: those over all questions, and, made when asked for, those over groups.
    pub fn splits_scores(self) -> bool {
        self >= Self::Two
    }

    /// Whether a match names a node in place of a literal whose text is none of its datatype.
    pub fn names_ill_typed(self) -> bool {
        self >= Self::Two
    }

    /// What leads from a match to the files that made it. Matches are no activities, which `prov:used` makes of them.
    pub fn match_source(self) -> &'static str {
        if self >= Self::Two { qassay::RESTS_ON } else { prov::USED }
    }

    /// Whether triple patterns are described in a graph of their own, [`Mint::patterns_graph`](crate::base::iri::Mint).
    pub fn has_pattern_graph(self) -> bool {
        self >= Self::Two
    }

    /// Whether only the first execution of an evaluation generates it, and later ones reproduce it.
    pub fn reproduces(self) -> bool {
        self >= Self::Two
    }

    /// Whether what messages quote from inputs is apart from them, in a graph of its own.
    pub fn quotes_apart(self) -> bool {
        self >= Self::Two
    }

    /// Whether records and graphs state what DCAT-AP and PROV-O leave to inference or demand: types of all that is
    /// pointed at, descriptions and publishers.
    pub fn states_what_others_infer(self) -> bool {
        self >= Self::Two
    }

    /// Whether the record of a graph says what the graph holds.
    pub fn tells_contents(self) -> bool {
        self >= Self::Two
    }

    /// Whether comparisons are kept: each interval is derived from an aggregate, and a graph says what it holds.
    pub fn keeps_comparisons(self) -> bool {
        self >= Self::Two
    }
}
