//! Who stands where, and how sure that is: ranks of values, by significance, and in each resample.

use std::cmp::Ordering;

use crate::measures::fraction::Fraction;

/// Which values are the better ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// The higher ones, as of most measures.
    Higher,
    /// The lower ones, as of times.
    Lower,
}

impl Better {
    /// The better of two first.
    pub fn order<T: Ord>(self, one: &T, other: &T) -> Ordering {
        match self {
            Self::Higher => other.cmp(one),
            Self::Lower => one.cmp(other),
        }
    }

    /// Whether the first is better.
    pub fn is_better<T: Ord>(self, one: &T, other: &T) -> bool {
        self.order(one, other).is_lt()
    }
}

/// The rank of each value: one more than there are better ones. What is undefined has none, and is better than nothing.
pub fn ranks(values: &[Option<&Fraction>], better: Better) -> Vec<Option<usize>> {
    let rank =
        |own: &Fraction| 1 + values.iter().flatten().filter(|other| better.is_better(**other, own)).count();
    values.iter().map(|own| own.map(rank)).collect()
}

/// How often a system has which rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankDistribution {
    /// In how many resamples it has rank 1, 2 and so on.
    pub times: Vec<usize>,
    /// Between which ranks it is in 95 % of them.
    pub range: [usize; 2],
}

impl RankDistribution {
    /// Of the statistics of all systems in each resample.
    pub fn of(replicates: &[&Vec<i64>], better: Better) -> Vec<Self> {
        let systems = replicates.len();
        let mut times = vec![vec![0; systems]; systems];
        for resample in 0..replicates.first().map_or(0, |first| first.len()) {
            for (own, times) in replicates.iter().zip(&mut times) {
                let is_better = |other: &&&Vec<i64>| better.is_better(&other[resample], &own[resample]);
                times[replicates.iter().filter(is_better).count()] += 1;
            }
        }
        times.into_iter().map(Self::of_times).collect()
    }

    fn of_times(times: Vec<usize>) -> Self {
        let all: usize = times.iter().sum();
        // 250 and 9,750 of 9,999.
        let low = ((all + 1) / 40).max(1);
        let at = |place: usize| {
            let mut passed = 0;
            let found = times.iter().position(|times| {
                passed += times;
                passed >= place
            });
            found.map_or(times.len(), |rank| rank + 1)
        };
        Self { range: [at(low), at(all + 1 - low)], times }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_values_have_one_rank() {
        let values: Vec<Fraction> = [3, 5, 3, 1].map(Fraction::whole).into();
        let mut values: Vec<Option<&Fraction>> = values.iter().map(Some).collect();
        values.push(None);
        assert_eq!(ranks(&values, Better::Higher), [Some(2), Some(1), Some(2), Some(4), None]);
        assert_eq!(ranks(&values, Better::Lower), [Some(2), Some(4), Some(2), Some(1), None]);
    }

    #[test]
    fn ranks_are_counted_in_each_resample() {
        let replicates = [vec![1, 2, 3], vec![1, 1, 4], vec![0, 5, 5]];
        let replicates: Vec<&Vec<i64>> = replicates.iter().collect();
        let found = RankDistribution::of(&replicates, Better::Higher);
        assert_eq!(
            found.iter().map(|one| one.times.clone()).collect::<Vec<_>>(),
            [[1, 1, 1], [1, 1, 1], [2, 0, 1]]
        );
        assert_eq!(RankDistribution::of(&replicates, Better::Lower)[2].times, [1, 0, 2]);
        assert_eq!(RankDistribution::of(&[], Better::Higher), []);
    }

    #[test]
    fn ranges_hold_all_but_the_outermost() {
        let range = |times: &[usize]| RankDistribution::of_times(times.to_vec()).range;
        assert_eq!(range(&[9999, 0]), [1, 1]);
        assert_eq!([range(&[249, 9750]), range(&[250, 9749])], [[2, 2], [1, 2]]);
        assert_eq!([range(&[9750, 249]), range(&[9749, 250])], [[1, 1], [1, 2]]);
    }

    proptest! {
        /// In each resample every system has one rank, and somebody is first.
        #[test]
        fn each_resample_is_counted_once(replicates in prop::collection::vec(prop::collection::vec(0i64..4, 50), 1..6)) {
            let replicates: Vec<&Vec<i64>> = replicates.iter().collect();
            let found = RankDistribution::of(&replicates, Better::Higher);
            for one in &found {
                prop_assert_eq!(one.times.iter().sum::<usize>(), 50);
                prop_assert!(one.range[0] <= one.range[1] && one.times[one.range[0] - 1] > 0);
            }
            prop_assert!(found.iter().map(|one| one.times[0]).sum::<usize>() >= 50);
        }
    }
}
