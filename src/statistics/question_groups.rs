//! What hurts whom: a system inside and outside of a group of questions, and pairs of systems inside of one.
//!
//! Groups overlap, and questions were not put into them by chance: a group is associated with a difference, and need not be
//! why there is one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::base::parallel;
use crate::measures::fraction::Fraction;
use crate::statistics::flips::DrawnFlips;
use crate::statistics::interval::FEWEST_QUESTIONS;
use crate::statistics::matrix::{Clustering, QuestionMatrix};
use crate::statistics::resample::{RESAMPLES, blocks, replicates};
use crate::statistics::sampled::Sampled;
use crate::statistics::signs::holm;
use crate::statistics::stream::{Purpose, Stream};
use crate::statistics::table::{PairStatistics, TableSettings, systems_of_pairs};
use crate::statistics::undefined::Undefined;

/// How many decks a thread shuffles before it looks for other work.
const BLOCK: usize = 256;

/// How many groups are resampled at a time: what is drawn is the same for all.
const TOGETHER: usize = 8;

/// A system inside and outside of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupEffect {
    /// The position of the system.
    pub system: usize,
    /// The group.
    pub group: String,
    /// Its mean inside.
    pub inside: Fraction,
    /// Its mean outside.
    pub outside: Fraction,
    /// Inside minus outside.
    pub difference: Fraction,
    /// The p-value of shuffling which questions are inside: a group and its complement have the same.
    pub p: Fraction,
    /// The same, adjusted for the tests of the system.
    pub adjusted: Fraction,
}

/// Two systems inside of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairInGroup {
    /// The group.
    pub group: String,
    /// What is said of the pair, adjusted for the groups.
    pub pair: PairStatistics,
}

/// The groups of questions that are large enough, and whose complement is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionGroups {
    questions: usize,
    members: BTreeMap<String, Vec<usize>>,
    /// The number of the test of each group.
    tests: BTreeMap<String, usize>,
}

impl QuestionGroups {
    /// Of all groups by name, each with the positions of its questions.
    pub fn of(questions: usize, groups: &BTreeMap<String, BTreeSet<usize>>) -> Self {
        let is_large = |members: &&BTreeSet<usize>| {
            members.len() >= FEWEST_QUESTIONS && members.len() + FEWEST_QUESTIONS <= questions
        };
        let (mut members, mut tests) = (BTreeMap::new(), BTreeMap::new());
        let mut known: Vec<Vec<usize>> = Vec::new();
        for (name, group) in groups.iter().filter(|(_, members)| is_large(members)) {
            let inside: Vec<usize> = group.iter().copied().collect();
            let outside: Vec<usize> = (0..questions).filter(|question| !group.contains(question)).collect();
            let test = inside.clone().min(outside);
            let number = known.iter().position(|other| *other == test).unwrap_or_else(|| {
                known.push(test);
                known.len() - 1
            });
            members.insert(name.clone(), inside);
            tests.insert(name.clone(), number);
        }
        Self { questions, members, tests }
    }

    /// The groups, with the positions of their questions.
    pub fn members(&self) -> &BTreeMap<String, Vec<usize>> {
        &self.members
    }

    /// How many tests there are: a group and its complement have one.
    pub fn tests(&self) -> usize {
        self.tests.values().max().map_or(0, |last| last + 1)
    }

    /// Each system inside and outside of each group.
    ///
    /// # Errors
    /// Where scores cannot be summed.
    pub fn effects(
        &self,
        scores: &QuestionMatrix<Fraction>,
        shuffles: Stream,
    ) -> Result<Vec<GroupEffect>, Undefined> {
        let single = Clustering::single(self.questions);
        let samples =
            scores.rows().iter().map(|row| Sampled::mean(row, &single)).collect::<Result<Vec<_>, _>>()?;
        let columns: Vec<&[i64]> = samples.iter().map(|sample| &sample.columns()[0][..]).collect();
        let extreme = self.count_extreme(&columns, shuffles);
        let mut effects = Vec::new();
        for (system, row) in scores.rows().iter().enumerate() {
            let of_system = &extreme[system * self.members.len()..];
            let p = |extreme: &usize| {
                Fraction::ratio(*extreme as u64 + 1, RESAMPLES as u64 + 1).unwrap_or_else(Fraction::one)
            };
            // A test is that of the first group that has it.
            let mut ps = BTreeMap::new();
            for (test, extreme) in self.tests.values().zip(of_system) {
                ps.entry(*test).or_insert_with(|| p(extreme));
            }
            let adjusted = holm(&ps.into_values().collect::<Vec<_>>());
            for ((group, members), extreme) in self.members.iter().zip(of_system) {
                let inside: Vec<&Fraction> = members.iter().map(|member| &row[*member]).collect();
                let is_outside = |question: &usize| members.binary_search(question).is_err();
                let outside: Vec<&Fraction> =
                    (0..row.len()).filter(is_outside).map(|question| &row[question]).collect();
                let mean = |some: Vec<&Fraction>| Fraction::mean(some).unwrap_or_else(Fraction::zero);
                let (inside, outside) = (mean(inside), mean(outside));
                effects.push(GroupEffect {
                    system,
                    group: group.clone(),
                    difference: &inside - &outside,
                    inside,
                    outside,
                    p: p(extreme),
                    adjusted: adjusted[self.tests[group]].clone(),
                });
            }
        }
        Ok(effects)
    }

    /// In how many shuffles a system differs as much between the first questions and the others: system by system, group by
    /// group.
    fn count_extreme(&self, columns: &[&[i64]], shuffles: Stream) -> Vec<usize> {
        let whole_numbers = |number: usize| number as i128;
        let questions = whole_numbers(self.questions);
        let groups = self.members.values();
        // How many questions are taken, and what is extreme.
        let mut seen: Vec<(usize, i128)> = Vec::new();
        for column in columns {
            let whole: i128 = column.iter().copied().map(i128::from).sum();
            seen.extend(groups.clone().map(|members| {
                let inside: i128 = members.iter().map(|member| i128::from(column[*member])).sum();
                let take = members.len().min(self.questions - members.len());
                let difference = questions * inside - whole_numbers(members.len()) * whole;
                (take, difference.abs() - 2 * questions * whole_numbers(take))
            }));
        }
        let of_block = |range: Range<usize>| {
            let mut extreme = vec![0_usize; seen.len()];
            let mut sums = vec![0_i64; self.questions / 2 + 1];
            for number in range {
                let deck = shuffles.replicate(number as u64).deck(self.questions);
                for (system, column) in columns.iter().enumerate() {
                    for (place, question) in deck.iter().enumerate() {
                        sums[place + 1] = sums[place] + column[*question];
                    }
                    let whole: i128 = column.iter().copied().map(i128::from).sum();
                    let of_system = system * self.members.len()..(system + 1) * self.members.len();
                    for ((take, seen), extreme) in seen[of_system.clone()].iter().zip(&mut extreme[of_system])
                    {
                        let difference = questions * i128::from(sums[*take]) - whole_numbers(*take) * whole;
                        *extreme += usize::from(difference.abs() >= *seen);
                    }
                }
            }
            extreme
        };
        let mut extreme = vec![0; seen.len()];
        for block in parallel::each(blocks(RESAMPLES, BLOCK), of_block) {
            for (sum, one) in extreme.iter_mut().zip(block) {
                *sum += one;
            }
        }
        extreme
    }

    /// Each two systems inside of each group, pair by pair.
    ///
    /// # Errors
    /// Where scores cannot be summed.
    pub fn pairs(
        &self,
        scores: &QuestionMatrix<Fraction>,
        settings: &TableSettings,
    ) -> Result<Vec<PairInGroup>, Undefined> {
        let bootstrap = settings.streams.stream(Purpose::Bootstrap);
        let largest = self.members.values().map(Vec::len).max().unwrap_or_default();
        let flips = DrawnFlips::of(settings.streams.stream(Purpose::Flip), largest);
        let systems = systems_of_pairs(scores.systems().len(), settings.baseline);
        let of_groups = |groups: &[(&String, &Vec<usize>)]| {
            let inside = |members: &[usize]| {
                let clusters = Clustering::single(members.len());
                let row = |row: &Vec<Fraction>| {
                    members.iter().map(|member| row[*member].clone()).collect::<Vec<_>>()
                };
                let samples = scores.rows().iter().map(|one| Sampled::mean(&row(one), &clusters));
                samples.collect::<Result<Vec<_>, _>>()
            };
            let samples = groups.iter().map(|(_, members)| inside(members));
            let samples = samples.collect::<Result<Vec<_>, _>>()?;
            let drawn = replicates(&samples.iter().flatten().collect::<Vec<_>>(), bootstrap);
            let drawn = drawn.chunks(scores.rows().len().max(1));
            let mut pairs = Vec::new();
            for (((group, _), samples), drawn) in groups.iter().zip(&samples).zip(drawn) {
                for systems in &systems {
                    let pair = PairStatistics::of(*systems, samples, drawn, (settings.test, &flips))?;
                    pairs.push(PairInGroup { group: (*group).clone(), pair });
                }
            }
            Ok(pairs)
        };
        let groups: Vec<(&String, &Vec<usize>)> = self.members.iter().collect();
        let pairs = parallel::each(groups.chunks(TOGETHER).collect(), of_groups);
        let mut pairs: Vec<PairInGroup> =
            pairs.into_iter().collect::<Result<Vec<_>, Undefined>>()?.into_iter().flatten().collect();
        // Group by group until here; they are a family pair by pair.
        pairs.sort_by_key(|one| systems.iter().position(|systems| *systems == one.pair.systems));
        for family in pairs.chunk_by_mut(|one, next| one.pair.systems == next.pair.systems) {
            PairStatistics::adjust(family.iter_mut().map(|one| &mut one.pair), &settings.alpha);
        }
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::ranks::Better;
    use crate::statistics::stream::Streams;
    use crate::statistics::table::PairedTest;

    fn streams() -> Streams {
        Streams::of(["0".repeat(64)], "")
    }

    fn matrix(systems: &[(&str, Vec<u64>)]) -> QuestionMatrix<Fraction> {
        let cells = |values: &Vec<u64>| {
            let values = values.iter().map(|value| Fraction::whole(*value)).enumerate();
            values.map(|(at, value)| (format!("{at:03}"), value)).collect()
        };
        QuestionMatrix::of(systems.iter().map(|(name, values)| ((*name).to_owned(), cells(values))).collect())
    }

    fn groups(questions: usize, groups: &[(&str, Range<usize>)]) -> QuestionGroups {
        let groups =
            groups.iter().map(|(name, range)| ((*name).to_owned(), range.clone().collect())).collect();
        QuestionGroups::of(questions, &groups)
    }

    #[test]
    fn small_groups_and_small_rests_are_left_out() {
        let found = groups(
            30,
            &[("nine", 0..9), ("ten", 0..10), ("twenty", 10..30), ("most", 0..21), ("half", 0..15)],
        );
        assert_eq!(found.members().keys().collect::<Vec<_>>(), ["half", "ten", "twenty"]);
        // Ten and the other twenty are one test.
        assert_eq!(found.tests(), 2);
        assert_eq!(groups(19, &[("ten", 0..10)]).tests(), 0);
    }

    #[test]
    fn a_group_that_a_system_cannot_do() {
        let hurt = (0..40).map(|at| u64::from(at >= 20 || at == 3)).collect();
        let even = (0..40).map(|at| u64::from(at % 2 == 0)).collect();
        let scores = matrix(&[("even", even), ("hurt", hurt)]);
        let groups = groups(40, &[("first", 0..20), ("last", 20..40), ("odd", 10..25)]);
        let effects = groups.effects(&scores, streams().stream(Purpose::Shuffle)).unwrap();
        let text = |effect: &GroupEffect| {
            format!(
                "{} {} {} {} {}",
                effect.system,
                effect.group,
                effect.inside.to_decimal(),
                effect.outside.to_decimal(),
                effect.difference.to_decimal()
            )
        };
        let texts: Vec<String> = effects.iter().map(text).collect();
        assert_eq!(
            texts[..3],
            ["0 first 0.5 0.5 0", "0 last 0.5 0.5 0", "0 odd 0.533333333333 0.48 0.053333333333"]
        );
        assert_eq!(texts[3..5], ["1 first 0.05 1 -0.95", "1 last 1 0.05 0.95"]);
        let (smallest, one) = (Fraction::ratio(1, 10_000).unwrap(), Fraction::one());
        assert_eq!([&effects[0].p, &effects[1].p, &effects[0].adjusted], [&one; 3]);
        assert_eq!([&effects[3].p, &effects[4].p], [&smallest; 2]);
        // Two tests: that of both halves once.
        assert_eq!(effects[3].adjusted, Fraction::ratio(2, 10_000).unwrap());
        // Of 15 questions 5 right and 10 wrong, of the others 16 and 9: the hypergeometric distribution says .1018.
        let other = &effects[5];
        let p = Fraction::parse("0.1018").unwrap();
        assert!((&other.p - &p).absolute() < Fraction::parse("0.02").unwrap(), "{}", other.p.to_decimal());
    }

    #[test]
    fn pairs_inside_of_groups_are_a_family_each() {
        let (all, none): (Vec<u64>, Vec<u64>) = (vec![1; 40], vec![0; 40]);
        let first = (0..40).map(|at| u64::from(at < 20)).collect();
        let scores = matrix(&[("all", all), ("first", first), ("none", none)]);
        let groups = groups(40, &[("first", 0..20), ("last", 20..40)]);
        let settings = TableSettings {
            unranked: BTreeSet::new(),
            streams: streams(),
            test: PairedTest::Randomisation,
            alpha: Fraction::ratio(1, 20).unwrap(),
            better: Better::Higher,
            baseline: None,
        };
        let pairs = groups.pairs(&scores, &settings).unwrap();
        let told: Vec<_> = pairs
            .iter()
            .map(|one| {
                (one.pair.systems, &one.group[..], one.pair.difference.to_decimal(), one.pair.is_significant)
            })
            .collect();
        assert_eq!(
            told[..2],
            [([0, 1], "first", "0".to_owned(), false), ([0, 1], "last", "1".to_owned(), true)]
        );
        assert_eq!(
            told[2..4],
            [([0, 2], "first", "1".to_owned(), true), ([0, 2], "last", "1".to_owned(), true)]
        );
        assert_eq!(
            (pairs[1].pair.test.differing, &pairs[1].pair.adjusted),
            (20, &Fraction::ratio(4, 1 << 20).unwrap())
        );
        let baseline = groups.pairs(&scores, &TableSettings { baseline: Some(2), ..settings }).unwrap();
        assert_eq!(baseline.len(), 4);
    }
}
