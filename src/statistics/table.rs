//! The systems of a table, compared: one measure of several systems on the same questions.

use std::collections::BTreeSet;

use crate::base::parallel;
use crate::measures::fraction::Fraction;
use crate::statistics::effect::EffectSizes;
use crate::statistics::flips::DrawnFlips;
use crate::statistics::interval::Interval;
use crate::statistics::letters::letters;
use crate::statistics::randomisation::{TestResult, randomisation};
use crate::statistics::ranks::{Better, RankDistribution, ranks};
use crate::statistics::resample::replicates;
use crate::statistics::sampled::Sampled;
use crate::statistics::signs::{holm, sign_test, wilcoxon};
use crate::statistics::stream::{Purpose, Streams};
use crate::statistics::undefined::Undefined;

/// How it is tested whether two systems differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PairedTest {
    /// Whether their names could be exchanged.
    #[default]
    Randomisation,
    /// Wilcoxon's test of signed ranks: of means only.
    Wilcoxon,
    /// The sign test, on right and wrong answers `McNemar`'s: of means only.
    Sign,
}

impl PairedTest {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Randomisation, Self::Wilcoxon, Self::Sign];

    /// The word for scripts and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Randomisation => "randomisation",
            Self::Wilcoxon => "wilcoxon",
            Self::Sign => "sign",
        }
    }

    /// The word for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Randomisation => "paired randomisation test",
            Self::Wilcoxon => "Wilcoxon's test of signed ranks",
            Self::Sign => "sign test",
        }
    }

    /// The test of two systems.
    ///
    /// # Errors
    /// Where the measure is made of several sums, and the test needs a value per question.
    pub fn of(self, one: &Sampled, other: &Sampled, flips: &DrawnFlips) -> Result<TestResult, Undefined> {
        if self == Self::Randomisation {
            return Ok(randomisation(one, other, flips));
        }
        let (one, other) = one.scores().zip(other.scores()).ok_or(Undefined::NotResampled)?;
        if self == Self::Sign {
            let effect = EffectSizes::of(one, other);
            return Ok(sign_test(effect.wins, effect.losses));
        }
        let units = |score: &Fraction| score.units().ok_or(Undefined::NotResampled);
        let difference = |(one, other)| Ok(units(one)? - units(other)?);
        let differences = one.iter().zip(other).map(difference).collect::<Result<Vec<i64>, _>>()?;
        Ok(wilcoxon(&differences, flips).test)
    }
}

/// What is decided before systems are compared.
#[derive(Debug, Clone)]
pub struct TableSettings {
    /// The streams of the dataset.
    pub streams: Streams,
    /// The test.
    pub test: PairedTest,
    /// Up to which adjusted p-value a difference is significant.
    pub alpha: Fraction,
    /// Which values are better.
    pub better: Better,
    /// The position of the system that the others are compared with; none: each with each.
    pub baseline: Option<usize>,
    /// The positions of systems whose values mean something else than they seem to: they are compared, and have no rank.
    pub unranked: BTreeSet<usize>,
}

/// A table, compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableStatistics {
    /// By system.
    pub systems: Vec<SystemStatistics>,
    /// The pairs: of each two systems the one that stands first, then the other; with a baseline each other system, then
    /// the baseline. Or why there are none.
    pub pairs: Result<Vec<PairStatistics>, Undefined>,
}

/// A system in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemStatistics {
    /// The value, exactly.
    pub value: Option<Fraction>,
    /// Where it is, or why that is not known.
    pub interval: Result<Interval, Undefined>,
    /// One more than there are better systems that have a rank; none where it is undefined.
    pub rank: Option<usize>,
    /// One more than there are significantly better systems that have a rank.
    pub significance_rank: Option<usize>,
    /// How often it has which rank; none where nothing is resampled.
    pub ranks: Option<RankDistribution>,
    /// Its groups of equals, of systems that have a rank; none where not all pairs were tested.
    pub letters: Option<String>,
}

/// Two systems in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairStatistics {
    /// The positions of both.
    pub systems: [usize; 2],
    /// The value of the first minus that of the second.
    pub difference: Fraction,
    /// Where it is, or why that is not known.
    pub interval: Result<Interval, Undefined>,
    /// What the test says.
    pub test: TestResult,
    /// Its p-value, adjusted for the pairs of the table.
    pub adjusted: Fraction,
    /// Whether that is as small as was asked for.
    pub is_significant: bool,
    /// How large the difference is; of means only.
    pub effect: Option<EffectSizes>,
}

impl TableStatistics {
    /// Of the samples of some systems, in the order of their names. All have as many parts.
    pub fn of(samples: &[Sampled], settings: &TableSettings) -> Self {
        let drawn =
            replicates(&samples.iter().collect::<Vec<_>>(), settings.streams.stream(Purpose::Bootstrap));
        let pairs = Self::pairs(samples, &drawn, settings);
        let values: Vec<&Fraction> = samples.iter().map(Sampled::value).collect();
        let is_ranked = |system: &usize| !settings.unranked.contains(system);
        let ranked: Vec<usize> = (0..samples.len()).filter(is_ranked).collect();
        let known: Vec<Option<&Fraction>> =
            values.iter().enumerate().map(|(system, value)| is_ranked(&system).then_some(*value)).collect();
        let is_worse = |own: usize, other: usize| {
            let pairs = pairs.iter().flatten().filter(|pair| pair.is_significant);
            let mut both = pairs.map(|pair| pair.systems);
            both.any(|[a, b]| [a, b] == [own, other] || [b, a] == [own, other])
                && settings.better.is_better(values[other], values[own])
        };
        let intervals =
            parallel::each(samples.iter().zip(&drawn).collect(), |(sample, drawn): (&Sampled, &Vec<i64>)| {
                Interval::of_value(sample, drawn)
            });
        let ranks = ranks(&known, settings.better);
        let mut systems: Vec<SystemStatistics> = intervals
            .into_iter()
            .zip(ranks)
            .enumerate()
            .map(|(own, (interval, rank))| {
                let worse_than = ranked.iter().filter(|other| is_worse(own, **other)).count();
                SystemStatistics {
                    value: Some(values[own].clone()),
                    interval,
                    rank,
                    significance_rank: (pairs.is_ok() && is_ranked(&own)).then_some(1 + worse_than),
                    ranks: None,
                    letters: None,
                }
            })
            .collect();
        let of_ranked: Vec<&Vec<i64>> = ranked.iter().map(|system| &drawn[*system]).collect();
        for (system, ranks) in ranked.iter().zip(RankDistribution::of(&of_ranked, settings.better)) {
            systems[*system].ranks = Some(ranks);
        }
        for (system, letters) in
            Self::letters(ranked, &values, pairs.as_deref().unwrap_or_default(), settings)
        {
            systems[system].letters = Some(letters);
        }
        Self { systems, pairs }
    }

    /// Of values that cannot be resampled, for a reason; none where one is undefined: they are ranked, and that is all.
    pub fn of_values(
        values: &[Option<Fraction>],
        why: Undefined,
        better: Better,
        unranked: &BTreeSet<usize>,
    ) -> Self {
        let known = values.iter().enumerate();
        let known: Vec<Option<&Fraction>> =
            known.map(|(system, value)| value.as_ref().filter(|_| !unranked.contains(&system))).collect();
        let systems = values.iter().zip(ranks(&known, better)).map(|(value, rank)| SystemStatistics {
            value: value.clone(),
            interval: Err(why),
            rank,
            significance_rank: None,
            ranks: None,
            letters: None,
        });
        Self { systems: systems.collect(), pairs: Err(why) }
    }

    fn pairs(
        samples: &[Sampled],
        drawn: &[Vec<i64>],
        settings: &TableSettings,
    ) -> Result<Vec<PairStatistics>, Undefined> {
        if samples.len() < 2 {
            return Err(Undefined::OneSystem);
        }
        let parts = samples.first().map_or(0, Sampled::parts);
        let flips = DrawnFlips::of(settings.streams.stream(Purpose::Flip), parts);
        let of_pair = |systems| PairStatistics::of(systems, samples, drawn, (settings.test, &flips));
        let pairs = parallel::each(systems_of_pairs(samples.len(), settings.baseline), of_pair);
        let mut pairs = pairs.into_iter().collect::<Result<Vec<PairStatistics>, Undefined>>()?;
        PairStatistics::adjust(pairs.iter_mut(), &settings.alpha);
        Ok(pairs)
    }

    /// Where all pairs are tested: of each system its letters.
    fn letters(
        mut order: Vec<usize>,
        values: &[&Fraction],
        pairs: &[PairStatistics],
        settings: &TableSettings,
    ) -> Vec<(usize, String)> {
        if pairs.is_empty() || settings.baseline.is_some() {
            return Vec::new();
        }
        order.sort_by(|one, other| settings.better.order(values[*one], values[*other]));
        let sorted = letters(order.len(), |one, other| {
            let systems = [order[one], order[other]];
            pairs.iter().any(|pair| pair.is_significant && pair.systems == systems)
        });
        order.into_iter().zip(sorted).collect()
    }
}

impl PairStatistics {
    /// Of two of some samples, with what was drawn of each, and a test with its exchanges. Not adjusted.
    pub(crate) fn of(
        systems: [usize; 2],
        samples: &[Sampled],
        drawn: &[Vec<i64>],
        (test, flips): (PairedTest, &DrawnFlips),
    ) -> Result<Self, Undefined> {
        let [one, other] = systems.map(|system| &samples[system]);
        let scores = one.scores().zip(other.scores());
        Ok(Self {
            systems,
            difference: one.value() - other.value(),
            interval: Interval::of_difference(one, systems.map(|system| &drawn[system][..])),
            test: test.of(one, other, flips)?,
            adjusted: Fraction::one(),
            is_significant: false,
            effect: scores.map(|(one, other)| EffectSizes::of(one, other)),
        })
    }

    /// As a family.
    pub(crate) fn adjust<'a>(family: impl Iterator<Item = &'a mut Self>, alpha: &Fraction) {
        let family: Vec<&mut Self> = family.collect();
        let ps: Vec<Fraction> = family.iter().map(|pair| pair.test.p.clone()).collect();
        for (pair, adjusted) in family.into_iter().zip(holm(&ps)) {
            pair.is_significant = adjusted <= *alpha;
            pair.adjusted = adjusted;
        }
    }
}

/// Each two of some systems; with a baseline, each other one and it.
pub(crate) fn systems_of_pairs(systems: usize, baseline: Option<usize>) -> Vec<[usize; 2]> {
    match baseline {
        Some(baseline) => {
            (0..systems).filter(|system| *system != baseline).map(|system| [system, baseline]).collect()
        }
        None => (0..systems).flat_map(|one| (one + 1..systems).map(move |other| [one, other])).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::statistics::matrix::Clustering;
    use crate::statistics::randomisation::Computation;
    use crate::statistics::sampled::{ItemCounts, MicroMeasure};
    use crate::statistics::stream::Stream;
    use proptest::prelude::*;

    fn settings() -> TableSettings {
        TableSettings {
            streams: Streams::of(["0".repeat(64)], ""),
            test: PairedTest::Randomisation,
            alpha: Fraction::ratio(5, 100).unwrap(),
            better: Better::Higher,
            baseline: None,
            unranked: BTreeSet::new(),
        }
    }

    fn sample(values: &[u64]) -> Sampled {
        let values: Vec<Fraction> = values.iter().map(|value| Fraction::ratio(*value, 4).unwrap()).collect();
        Sampled::mean(&values, &Clustering::single(values.len())).unwrap()
    }

    /// Twenty questions: the first system has all, the second and the third one half, in other questions.
    fn three() -> Vec<Sampled> {
        let every = |of: usize, rest: usize| {
            (0..20).map(|at| if at % of == rest { 4 } else { 0 }).collect::<Vec<u64>>()
        };
        vec![sample(&[4; 20]), sample(&every(2, 0)), sample(&every(2, 1))]
    }

    #[test]
    fn three_systems() {
        let found = TableStatistics::of(&three(), &settings());
        let pairs = found.pairs.unwrap();
        assert_eq!(pairs.iter().map(|pair| pair.systems).collect::<Vec<_>>(), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(
            pairs.iter().map(|pair| pair.difference.to_decimal()).collect::<Vec<_>>(),
            ["0.5", "0.5", "0"]
        );
        // Ten wins: 2 of 1024, three times, twice; then half of all.
        assert_eq!(pairs[0].test.p, Fraction::ratio(2, 1024).unwrap());
        assert_eq!([&pairs[0].adjusted, &pairs[1].adjusted], [&Fraction::ratio(6, 1024).unwrap(); 2]);
        assert_eq!(pairs.iter().map(|pair| pair.is_significant).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!((pairs[2].test.differing, pairs[2].test.computation), (20, Computation::Exact));
        assert_eq!(pairs[0].effect.as_ref().map(|effect| effect.wins), Some(10));
        let systems = &found.systems;
        assert_eq!(systems.iter().map(|one| one.rank).collect::<Vec<_>>(), [Some(1), Some(2), Some(2)]);
        assert_eq!(
            systems.iter().map(|one| one.significance_rank).collect::<Vec<_>>(),
            [Some(1), Some(2), Some(2)]
        );
        assert_eq!(
            systems.iter().map(|one| one.letters.as_deref()).collect::<Vec<_>>(),
            [Some("a"), Some("b"), Some("b")]
        );
        assert_eq!(systems[0].interval, Err(Undefined::NoVariation));
        let half = Fraction::ratio(1, 2).unwrap();
        assert!(
            systems[1].interval.as_ref().is_ok_and(|interval| interval.low < half && half < interval.high)
        );
        assert_eq!(systems[0].ranks.as_ref().map(|ranks| ranks.range), Some([1, 1]));
        assert_eq!(systems[1].ranks.as_ref().map(|ranks| ranks.range), Some([2, 3]));
    }

    #[test]
    fn a_baseline_has_a_family_of_its_own() {
        let found = TableStatistics::of(&three(), &TableSettings { baseline: Some(1), ..settings() });
        let pairs = found.pairs.unwrap();
        assert_eq!(pairs.iter().map(|pair| pair.systems).collect::<Vec<_>>(), [[0, 1], [2, 1]]);
        assert_eq!(pairs[0].adjusted, Fraction::ratio(4, 1024).unwrap());
        assert_eq!(
            found.systems.iter().map(|one| one.significance_rank).collect::<Vec<_>>(),
            [Some(1), Some(2), Some(1)]
        );
        assert_eq!(found.systems[0].letters, None);
    }

    #[test]
    fn where_lower_is_better_ranks_turn_and_differences_do_not() {
        let [higher, lower] = [Better::Higher, Better::Lower]
            .map(|better| TableStatistics::of(&three(), &TableSettings { better, ..settings() }));
        assert_eq!(lower.systems.iter().map(|one| one.rank).collect::<Vec<_>>(), [Some(3), Some(1), Some(1)]);
        assert_eq!(
            lower.systems.iter().map(|one| one.significance_rank).collect::<Vec<_>>(),
            [Some(3), Some(1), Some(1)]
        );
        assert_eq!(
            lower.systems.iter().map(|one| one.letters.as_deref()).collect::<Vec<_>>(),
            [Some("b"), Some("a"), Some("a")]
        );
        assert_eq!(lower.systems[0].ranks.as_ref().map(|ranks| ranks.range), Some([3, 3]));
        assert_eq!(higher.pairs, lower.pairs);
    }

    #[test]
    fn without_a_rank_a_system_is_compared_and_nobody_is_behind_it() {
        let all = TableStatistics::of(&three(), &settings());
        let unranked = BTreeSet::from([0]);
        let found =
            TableStatistics::of(&three(), &TableSettings { unranked: unranked.clone(), ..settings() });
        assert_eq!(found.pairs, all.pairs);
        let told =
            |of: fn(&SystemStatistics) -> Option<usize>| found.systems.iter().map(of).collect::<Vec<_>>();
        assert_eq!(told(|one| one.rank), [None, Some(1), Some(1)]);
        assert_eq!(told(|one| one.significance_rank), [None, Some(1), Some(1)]);
        assert_eq!(told(|one| Some(one.ranks.as_ref()?.range[1])), [None, Some(2), Some(2)]);
        let letters: Vec<_> = found.systems.iter().map(|one| one.letters.as_deref()).collect();
        assert_eq!(letters, [None, Some("a"), Some("a")]);
        assert_eq!(
            (&found.systems[0].value, &found.systems[0].interval),
            (&all.systems[0].value, &all.systems[0].interval)
        );
        let values = TableStatistics::of_values(
            &[2, 1].map(|one| Some(Fraction::whole(one))),
            Undefined::NotResampled,
            Better::Higher,
            &unranked,
        );
        assert_eq!(values.systems.iter().map(|one| one.rank).collect::<Vec<_>>(), [None, Some(1)]);
    }

    #[test]
    fn other_tests_need_a_value_per_question() {
        let with =
            |test, samples: &[Sampled]| TableStatistics::of(samples, &TableSettings { test, ..settings() });
        let p = |test| with(test, &three()).pairs.map(|pairs| pairs[0].test.p.clone());
        // Ten wins, tied ranks: the same as the randomisation test.
        for test in PairedTest::ALL {
            assert_eq!(p(test), Ok(Fraction::ratio(2, 1024).unwrap()), "{}", test.name());
        }
        let counts = |wrong| vec![ItemCounts { matched: 1, wrong, missed: 0 }; 12];
        let micro = [0, 1].map(|wrong| {
            Sampled::micro(&counts(wrong), MicroMeasure::Precision, &Clustering::single(12)).unwrap()
        });
        assert_eq!(with(PairedTest::Sign, &micro).pairs, Err(Undefined::NotResampled));
        assert_eq!(with(PairedTest::Sign, &micro).systems[0].rank, Some(1));
        let pairs = with(PairedTest::Randomisation, &micro).pairs.unwrap();
        assert_eq!((&pairs[0].test.p, &pairs[0].effect), (&Fraction::ratio(2, 4096).unwrap(), &None));
        // Of clusters the means are compared.
        let clusters = Clustering::by(&["a", "a", "b"]);
        let clustered = |values: [u64; 3]| Sampled::mean(&values.map(Fraction::whole), &clusters).unwrap();
        let signs = PairedTest::Sign
            .of(&clustered([1, 0, 1]), &clustered([0, 1, 0]), &DrawnFlips::of(Stream(0), 0))
            .unwrap();
        assert_eq!((signs.differing, signs.p), (1, Fraction::one()));
    }

    #[test]
    fn one_system_has_no_pairs_and_some_measures_only_values() {
        let one = TableStatistics::of(&three()[1..2], &settings());
        assert_eq!(
            (one.pairs, one.systems[0].rank, one.systems[0].significance_rank),
            (Err(Undefined::OneSystem), Some(1), None)
        );
        assert!(one.systems[0].interval.is_ok());
        let values = TableStatistics::of_values(
            &[None, Some(Fraction::one())],
            Undefined::NotResampled,
            Better::Lower,
            &BTreeSet::new(),
        );
        assert_eq!(values.pairs, Err(Undefined::NotResampled));
        assert_eq!(values.systems.iter().map(|one| one.rank).collect::<Vec<_>>(), [None, Some(1)]);
        assert_eq!(TableStatistics::of(&[], &settings()).systems, []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        /// The order of systems turns nothing but signs; threads change nothing; bounds hold what resamples have.
        #[test]
        fn properties(scores in prop::collection::vec(prop::collection::vec(0u64..5, 12), 2..4), threads in 1usize..4) {
            let samples: Vec<Sampled> = scores.iter().map(|values| sample(values)).collect();
            let found = TableStatistics::of(&samples, &settings());
            let again = parallel::with_threads(NonZeroUsize::new(threads), || TableStatistics::of(&samples, &settings()));
            prop_assert_eq!(&found, &again.unwrap());
            let turned: Vec<Sampled> = samples.iter().rev().cloned().collect();
            let turned = TableStatistics::of(&turned, &settings());
            let last = samples.len() - 1;
            for (one, other) in found.systems.iter().zip(turned.systems.iter().rev()) {
                prop_assert_eq!((&one.value, &one.interval, one.rank, one.significance_rank), (&other.value, &other.interval, other.rank, other.significance_rank));
                prop_assert_eq!(&one.ranks, &other.ranks);
            }
            let pairs = turned.pairs.unwrap();
            for pair in found.pairs.unwrap() {
                let back = [last - pair.systems[1], last - pair.systems[0]];
                let other = pairs.iter().find(|other| other.systems == back).unwrap();
                prop_assert_eq!((&pair.test, &pair.adjusted, pair.is_significant), (&other.test, &other.adjusted, other.is_significant));
                prop_assert_eq!(pair.difference, &Fraction::zero() - &other.difference);
                prop_assert_eq!(pair.interval.is_ok(), other.interval.is_ok());
            }
            let drawn = replicates(&samples.iter().collect::<Vec<_>>(), settings().streams.stream(Purpose::Bootstrap));
            for ((sample, drawn), system) in samples.iter().zip(&drawn).zip(&found.systems) {
                if let Ok(interval) = &system.interval {
                    let bound = |bound: Option<&i64>| sample.publish((*bound.unwrap()).into());
                    prop_assert!(bound(drawn.iter().min()) <= interval.low && interval.low <= interval.high);
                    prop_assert!(interval.high <= bound(drawn.iter().max()));
                }
            }
        }
    }
}
