//! The versions of the model: what graphs say, and in which graph. An archive has one of them, for good or until
//! `qassay upgrade` rewrites it.
//!
//! All that a later version does differently is asked of [`Model`], by the name of the difference: nothing else in the
//! program compares versions.

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

    /// Whether records and graphs state what DCAT-AP and PROV-O leave to inference or demand: types of all that is
    /// pointed at, descriptions and publishers.
    pub fn states_what_others_infer(self) -> bool {
        self >= Self::Two
    }
}
