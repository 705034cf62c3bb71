//! The stream of random numbers: `SplitMix64` (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number
//! generators, OOPSLA 2014), each number of which is a function of its position.
//!
//! Where a stream starts follows from the gold files, so that all systems and measures of a dataset share what is drawn:
//! that pairs them.

use sha2::{Digest as _, Sha256};

/// What is drawn: each purpose has a stream of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Questions, with replacement.
    Bootstrap,
    /// Which questions two systems exchange.
    Flip,
    /// Which questions are in a group.
    Shuffle,
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Self::Bootstrap => "bootstrap",
            Self::Flip => "flip",
            Self::Shuffle => "shuffle",
        }
    }
}

/// The streams of a dataset, or of several together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Streams {
    about: String,
    seed: String,
}

impl Streams {
    /// Of gold files, by their sha256 in lower-case digits, in any order; the seed is a text, empty where nobody chose one.
    pub fn of<S: Into<String>>(gold_files: impl IntoIterator<Item = S>, seed: &str) -> Self {
        let mut files: Vec<String> = gold_files.into_iter().map(Into::into).collect();
        files.sort_unstable();
        Self { about: files.join("\n"), seed: seed.to_owned() }
    }

    /// The stream of a purpose.
    pub fn stream(&self, purpose: Purpose) -> Stream {
        let text = format!("qassay-compare/1\n{}\n{}\n{}\n", purpose.name(), self.about, self.seed);
        let digest = Sha256::digest(text);
        Stream(digest.iter().take(8).fold(0, |state, byte| (state << 8) | u64::from(*byte)))
    }
}

/// A stream: the state that it starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream(pub u64);

impl Stream {
    /// What the state grows by: the golden ratio times 2⁶⁴.
    const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

    /// The number at a position, from 0.
    #[inline]
    pub fn output(self, position: u64) -> u64 {
        let mut word = self.0.wrapping_add(position.wrapping_add(1).wrapping_mul(Self::STEP));
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// The stream of a replicate, from 0.
    #[inline]
    #[must_use]
    pub fn replicate(self, number: u64) -> Self {
        Self(self.output(number))
    }

    /// The number at a position as one from 0 that is smaller than another.
    #[inline]
    pub fn below(self, position: usize, end: usize) -> usize {
        scaled(self.output(position as u64), end)
    }

    /// The first half of some shuffled things, of a replicate (R. A. Fisher, F. Yates): how it begins is a random group of
    /// any size up to that.
    pub fn deck(self, size: usize) -> Vec<usize> {
        let mut deck: Vec<usize> = (0..size).collect();
        for position in 0..size / 2 {
            deck.swap(position, position + self.below(position, size - position));
        }
        deck.truncate(size / 2);
        deck
    }
}

/// A number of a stream as one from 0 that is smaller than another.
#[inline]
pub(crate) fn scaled(number: u64, end: usize) -> usize {
    let product = u128::from(number) * end as u128;
    // What is left of the product is smaller than the end.
    usize::try_from(product >> 64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeros(seed: &str) -> Streams {
        Streams::of(["0".repeat(64)], seed)
    }

    /// The first numbers from 1234567 are those that its authors' code prints.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let stream = Stream(1_234_567);
        let first: Vec<u64> = (0..5).map(|position| stream.output(position)).collect();
        let known = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(first, known);
        assert_eq!(Stream(0).output(0), 0xe220_a839_7b1d_cdaf);
        // A position far away needs no way to it: from a state that is so many steps on, it is the first.
        let far = Stream(0_u64.wrapping_add(Stream::STEP.wrapping_mul(u64::MAX)));
        assert_eq!(Stream(0).output(u64::MAX), far.output(0));
    }

    #[test]
    fn purposes_seeds_and_files_start_streams() {
        assert_eq!(zeros("").stream(Purpose::Bootstrap).0, 0xbc34_b747_5c7f_f4ed);
        assert_eq!(zeros("").stream(Purpose::Flip).0, 0x85eb_5aae_ad95_a783);
        assert_eq!(zeros("").stream(Purpose::Shuffle).0, 0x8cbf_0d16_f598_52ed);
        assert_eq!(zeros("second").stream(Purpose::Bootstrap).0, 0xc193_4f8f_d61f_5353);
        assert_eq!(Streams::of(["b", "a"], ""), Streams::of(["a", "b"], ""));
        assert_ne!(
            Streams::of(["a", "b"], "").stream(Purpose::Flip),
            Streams::of(["a"], "").stream(Purpose::Flip)
        );
    }

    #[test]
    fn decks_hold_half_of_the_things() {
        let stream = zeros("").stream(Purpose::Shuffle);
        assert_eq!(stream.replicate(0).deck(10), [4, 3, 0, 2, 5]);
        for size in [0, 1, 2, 3, 11] {
            let mut deck = stream.replicate(7).deck(size);
            assert_eq!(deck.len(), size / 2);
            deck.sort_unstable();
            deck.dedup();
            assert!(deck.len() == size / 2 && deck.iter().all(|thing| *thing < size), "{deck:?}");
        }
    }

    #[test]
    fn numbers_below_reach_both_ends() {
        let replicate = zeros("").stream(Purpose::Bootstrap).replicate(0);
        let drawn: Vec<usize> = (0..10).map(|position| replicate.below(position, 10)).collect();
        assert_eq!(drawn, [4, 8, 7, 3, 6, 2, 3, 2, 4, 1]);
        let many: Vec<usize> = (0..1000).map(|position| replicate.below(position, 3)).collect();
        assert_eq!((many.iter().min(), many.iter().max()), (Some(&0), Some(&2)));
        assert_eq!((replicate.below(0, 1), replicate.below(0, 0)), (0, 0));
    }
}
