//! Questions drawn with replacement: the same for all systems and measures of a dataset, which pairs them (B. Efron, R. J.
//! Tibshirani, An introduction to the bootstrap, 1993).

use std::array;
use std::ops::Range;

use crate::base::parallel;
use crate::statistics::sampled::Sampled;
use crate::statistics::stream::{Stream, scaled};

/// How many resamples are drawn, and how often groups are shuffled.
pub const RESAMPLES: usize = 9_999;

/// How many resamples a thread draws before it looks for other work.
const BLOCK: usize = 128;

/// How many sums are made at a time.
const LANES: usize = 4;

/// The statistic of each sample in each resample of its parts. All that have as many parts have the same resamples; where they
/// are neighbours, that is less work.
pub fn replicates(samples: &[&Sampled], stream: Stream) -> Vec<Vec<i64>> {
    let alike: Vec<Resampled<'_>> =
        samples.chunk_by(|one, next| one.parts() == next.parts()).map(Resampled::new).collect();
    let most = samples.iter().map(|sample| sample.parts()).max().unwrap_or_default();
    let of_block = |range: Range<usize>| {
        let (mut statistics, mut state) = (Vec::with_capacity(range.len() * samples.len()), Vec::new());
        let mut drawn = Vec::with_capacity(most);
        for number in range {
            let replicate = stream.replicate(number as u64);
            drawn.clear();
            drawn.extend((0..most as u64).map(|position| replicate.output(position)));
            for samples in &alike {
                samples.draw(&drawn, &mut state, &mut statistics);
            }
        }
        statistics
    };
    let blocks = parallel::each(blocks(RESAMPLES, BLOCK), of_block);
    let of_sample = |sample: usize| {
        blocks.iter().flat_map(|block| block.iter().skip(sample).step_by(samples.len())).copied().collect()
    };
    (0..samples.len()).map(of_sample).collect()
}

/// Samples that have as many parts.
struct Resampled<'a> {
    samples: &'a [&'a Sampled],
    parts: usize,
    /// What is added up at a time, by part.
    rows: Vec<Vec<[i64; LANES]>>,
}

impl<'a> Resampled<'a> {
    fn new(samples: &'a [&'a Sampled]) -> Self {
        let parts = samples.first().map_or(0, |sample| sample.parts());
        let columns: Vec<&Vec<i64>> = samples.iter().flat_map(|sample| sample.columns()).collect();
        let rows = |columns: &[&Vec<i64>]| {
            let row = |part| array::from_fn(|lane| columns.get(lane).map_or(0, |column| column[part]));
            (0..parts).map(row).collect()
        };
        Self { samples, parts, rows: columns.chunks(LANES).map(rows).collect() }
    }

    /// Adds the statistics of a resample, whose numbers are these.
    fn draw(&self, drawn: &[u64], state: &mut Vec<i64>, statistics: &mut Vec<i64>) {
        state.clear();
        for rows in &self.rows {
            let mut sums = [0_i64; LANES];
            for number in &drawn[..self.parts] {
                for (sum, part) in sums.iter_mut().zip(&rows[scaled(*number, self.parts)]) {
                    *sum += part;
                }
            }
            state.extend(sums);
        }
        let mut rest = &state[..];
        for sample in self.samples {
            let (own, others) = rest.split_at(sample.columns().len());
            statistics.push(sample.of(own));
            rest = others;
        }
    }
}

/// Numbers from 0, in blocks of so many.
pub(crate) fn blocks(numbers: usize, size: usize) -> Vec<Range<usize>> {
    (0..numbers).step_by(size).map(|start| start..numbers.min(start + size)).collect()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::measures::fraction::Fraction;
    use crate::statistics::matrix::Clustering;
    use crate::statistics::sampled::{ItemCounts, MicroMeasure};
    use crate::statistics::stream::{Purpose, Streams};

    /// Of scores in units.
    fn mean(units: &[i64]) -> Sampled {
        let score = |units: &i64| Fraction::quotient((*units).into(), 1_000_000_000_000).unwrap();
        let values: Vec<Fraction> = units.iter().map(score).collect();
        Sampled::mean(&values, &Clustering::single(values.len())).unwrap()
    }

    fn stream() -> Stream {
        Streams::of(["0".repeat(64)], "").stream(Purpose::Bootstrap)
    }

    /// The first resample of ten is the 4th, 8th, 7th, 3rd, 6th, 2nd, 3rd, 2nd, 4th, 1st, counted from 0 (vectors.json).
    #[test]
    fn resamples_are_sums_of_what_is_drawn() {
        let powers: Vec<i64> = (0..10).map(|exponent| 10_i64.pow(exponent)).collect();
        let count = |matched| ItemCounts { matched, wrong: 1, missed: 0 };
        let counts: Vec<ItemCounts> = (0..10).map(count).collect();
        let micro = Sampled::micro(&counts, MicroMeasure::Precision, &Clustering::single(10)).unwrap();
        let found = replicates(&[&mean(&powers), &micro, &mean(&[1; 10])], stream());
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [RESAMPLES; 3]);
        let drawn = [4, 8, 7, 3, 6, 2, 3, 2, 4, 1];
        assert_eq!(found[0][0], drawn.map(|position| 10_i64.pow(position)).iter().sum::<i64>());
        // 40 of 50.
        assert_eq!(found[1][0], 800_000_000_000);
        assert!(found[2].iter().all(|sum| *sum == 10));
        assert_ne!(found[0][0], found[0][1]);
    }

    #[test]
    fn threads_and_neighbours_change_nothing() {
        let (one, other) =
            (mean(&[0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1]), mean(&[1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1]));
        let both = replicates(&[&one, &other], stream());
        assert_eq!(replicates(&[&other], stream())[0], both[1]);
        // Of more systems than are added up at a time, and of others that have fewer parts.
        let few = mean(&[1, 0, 1]);
        let many = replicates(&[&one, &other, &other, &few, &one, &one, &one, &one, &other], stream());
        assert_eq!([0, 4, 5, 6, 7].map(|at| &many[at]), [&both[0]; 5]);
        assert_eq!([1, 2, 8].map(|at| &many[at]), [&both[1]; 3]);
        assert_eq!(many[3], replicates(&[&few], stream())[0]);
        for threads in [1, 3].map(NonZeroUsize::new) {
            assert_eq!(
                parallel::with_threads(threads, || replicates(&[&one, &other], stream())).unwrap(),
                both
            );
        }
        assert_eq!(replicates(&[], stream()), Vec::<Vec<i64>>::new());
    }

    #[test]
    fn blocks_are_all_numbers() {
        assert_eq!(blocks(5, 2), [0..2, 2..4, 4..5]);
        assert!(blocks(0, 2).is_empty());
    }
}
