//! Which questions two systems exchange: all possibilities where there are few, else drawn ones, and how many of them are
//! extreme. What is drawn is the same for all pairs of a dataset, and drawn once.

use std::ops::{Add, Range};

use crate::base::parallel;
use crate::statistics::resample::blocks;
use crate::statistics::stream::Stream;

/// How many exchanges are drawn.
pub const FLIPS: usize = 99_999;

/// Up to how many differing questions all exchanges are tried.
pub const ALL_FLIPS_UP_TO: usize = 20;

/// Questions whose bits are a word.
const WORD: usize = u64::BITS as usize;

/// How many words of each exchange are kept in memory, 26 MB in all: enough for 2,048 differing questions.
const KEPT_WORDS: usize = 32;

/// How many exchanges are looked at together: their sums, and the tables that they are made of, stay near the processor.
const BLOCK: usize = 2048;

/// Exchanges that are drawn: bit j, the lowest first, of word w says whether the differing question 64w + j is exchanged.
#[derive(Debug, Clone)]
pub struct DrawnFlips {
    /// The stream of each exchange.
    states: Vec<Stream>,
    /// The first words of each exchange, word by word.
    words: Vec<Vec<u64>>,
}

impl DrawnFlips {
    /// From a stream, for pairs that differ in so many questions at most; of those that differ in more, the rest is drawn
    /// when it is needed.
    pub fn of(stream: Stream, differing: usize) -> Self {
        let is_drawn = differing > ALL_FLIPS_UP_TO;
        let states: Vec<Stream> =
            (0..FLIPS as u64).filter(|_| is_drawn).map(|flip| stream.replicate(flip)).collect();
        let words = if is_drawn { differing.div_ceil(WORD).min(KEPT_WORDS) } else { 0 };
        let of_word = |word: usize| states.iter().map(|state| state.output(word as u64)).collect();
        Self { words: parallel::each((0..words).collect(), of_word), states }
    }

    /// How many of all exchanges of some numbers, or of those that are drawn, are extreme, by the sum over what is exchanged.
    pub(crate) fn count<T>(&self, numbers: &[T], mut is_extreme: impl FnMut(T) -> bool) -> usize
    where
        T: Copy + Default + Add<Output = T>,
    {
        let is_exact = numbers.len() <= ALL_FLIPS_UP_TO;
        let all = if is_exact { 1 << numbers.len() } else { FLIPS };
        let tables: Vec<WordSums<T>> = numbers.chunks(WORD).map(WordSums::of).collect();
        let (mut drawn, mut sums, mut extreme) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK), 0);
        for range in blocks(all, BLOCK) {
            sums.clear();
            sums.resize(range.len(), T::default());
            for (word, tables) in tables.iter().enumerate() {
                if is_exact {
                    drawn.clear();
                    drawn.extend(range.clone().map(|flip| flip as u64));
                }
                let words = if is_exact { &drawn } else { self.words(word, range.clone(), &mut drawn) };
                tables.add(words, &mut sums);
            }
            extreme += sums.iter().filter(|sum| is_extreme(**sum)).count();
        }
        extreme
    }

    /// A word of some exchanges.
    fn words<'a>(&'a self, word: usize, range: Range<usize>, drawn: &'a mut Vec<u64>) -> &'a [u64] {
        if let Some(words) = self.words.get(word) {
            return &words[range];
        }
        drawn.clear();
        drawn.extend(self.states[range].iter().map(|state| state.output(word as u64)));
        drawn
    }
}

/// The sums of all subsets of some numbers, eight at most, by the bits of a byte.
type SubsetSums<T> = [T; 256];

/// Those of 64 numbers, byte by byte.
struct WordSums<T> {
    bytes: [SubsetSums<T>; 8],
    /// Whether only the first four bytes stand for numbers.
    is_half: bool,
}

fn subset_sums<T: Copy + Default + Add<Output = T>>(numbers: &[T]) -> SubsetSums<T> {
    let mut sums = [T::default(); 256];
    // Bits that stand for no number add nothing.
    for bit in 0..8 {
        let number = numbers.get(bit).copied().unwrap_or_default();
        for subset in 0..1 << bit {
            sums[subset | 1 << bit] = sums[subset] + number;
        }
    }
    sums
}

impl<T: Copy + Default + Add<Output = T>> WordSums<T> {
    fn of(numbers: &[T]) -> Self {
        let of_byte =
            |byte: usize| subset_sums(numbers.get(8 * byte..).map_or(&[], |rest| &rest[..rest.len().min(8)]));
        Self { bytes: std::array::from_fn(of_byte), is_half: numbers.len() <= WORD / 2 }
    }

    /// Adds to each sum the numbers whose bits are in its word: nearly all the time of a test is spent here.
    fn add(&self, words: &[u64], sums: &mut [T]) {
        for (bits, sum) in words.iter().zip(sums) {
            let bytes = bits.to_le_bytes();
            let of = |byte: usize| self.bytes[byte][usize::from(bytes[byte])];
            // Two halves, which the processor adds up at a time.
            let low = of(0) + of(1) + of(2) + of(3);
            let both = if self.is_half { low } else { low + (of(4) + of(5) + of(6) + of(7)) };
            *sum = *sum + both;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::stream::{Purpose, Streams};

    fn stream() -> Stream {
        Streams::of(["0".repeat(64)], "").stream(Purpose::Flip)
    }

    /// The sums of all exchanges.
    fn sums(flips: &DrawnFlips, numbers: &[i128]) -> Vec<i128> {
        let mut found = Vec::new();
        let none = flips.count(numbers, |moved| {
            found.push(moved);
            false
        });
        assert_eq!(none, 0);
        found
    }

    /// The bits of the words are those of the questions, lowest first, whatever the blocks; drawn before or when needed.
    #[test]
    fn flips_are_the_bits_of_the_stream() {
        let powers: Vec<i128> = (0..100).map(|bit| 1_i128 << bit).collect();
        let found = sums(&DrawnFlips::of(stream(), 100), &powers);
        assert_eq!(found.len(), FLIPS);
        for flip in [0, 1, BLOCK, FLIPS - 1] {
            let replicate = stream().replicate(flip as u64);
            let bits = u128::from(replicate.output(0)) | u128::from(replicate.output(1)) << 64;
            assert_eq!(found[flip], i128::try_from(bits & ((1 << 100) - 1)).unwrap(), "{flip}");
        }
        // Of one word of those two, the second is drawn later; of more than are needed, the first are the same.
        for differing in [21, 5000] {
            assert_eq!(sums(&DrawnFlips::of(stream(), differing), &powers), found, "{differing}");
        }
    }

    /// Half a word, and a number more.
    #[test]
    fn halves_of_words_are_words() {
        let powers: Vec<i128> = (0..33).map(|bit| 1_i128 << bit).collect();
        let flips = DrawnFlips::of(stream(), 33);
        let [half, more] = [32, 33].map(|numbers| sums(&flips, &powers[..numbers]));
        assert!(half.iter().zip(&more).all(|(half, more)| *half == more & ((1 << 32) - 1)));
        assert!(more.iter().any(|sum| sum >> 32 == 1));
    }

    #[test]
    fn of_few_numbers_all_exchanges_are_tried() {
        let nothing_drawn = DrawnFlips::of(stream(), ALL_FLIPS_UP_TO);
        assert!(nothing_drawn.states.is_empty() && nothing_drawn.words.is_empty());
        assert_eq!(sums(&nothing_drawn, &[1, 2, 4]), (0..8).collect::<Vec<_>>());
        assert_eq!(sums(&nothing_drawn, &[]), [0]);
        assert_eq!(sums(&nothing_drawn, &[1; ALL_FLIPS_UP_TO]).len(), 1 << ALL_FLIPS_UP_TO);
    }
}
