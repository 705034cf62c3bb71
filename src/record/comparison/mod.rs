//! SYSTEMS BESIDE EACH OTHER: the comparison of evaluations, owned and with decimals as they are published.
//!
//! Everything is computed from [`Results`](crate::record::results::Results), that is from published decimals and counts, so
//! that what archives say can be compared again by anybody.

pub mod across;
pub mod archived;
pub mod deciding;
pub mod graph;
pub mod headline;
pub mod kept;
pub mod meant;
pub(crate) mod measured;
pub mod risk;
pub mod sentence;
pub mod settings;
pub mod tables;

use std::collections::{BTreeMap, BTreeSet};

use crate::measures::fraction::Fraction;
use crate::record::comparison::meant::Caution;
use crate::record::comparison::risk::ComparedRisk;
use crate::record::comparison::settings::ClusterUnit;
use crate::record::results::decimal::Decimal;
use crate::statistics::effect::EffectSizes;
use crate::statistics::interval::{Interval, IntervalMethod};
use crate::statistics::randomisation::Computation;
use crate::statistics::table::PairStatistics;
use crate::statistics::undefined::Undefined;

/// What is said of a table: only what is the same in all of it is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableKey {
    /// The name of the dataset.
    pub dataset: String,
    /// The IRI of the dataset version.
    pub dataset_version: String,
    /// The name of the profile.
    pub profile: String,
    /// Its IRI with its version.
    pub profile_version: String,
    /// What was chosen beside it: options with their values, and the IRIs of files that decided something.
    pub options: Vec<(String, Vec<String>)>,
    /// The experiment type.
    pub experiment: String,
    /// The measure.
    pub measure: String,
    /// Which gold answers count: `curated` or `refreshed`.
    pub gold: String,
    /// The IRI of the refreshed ones.
    pub refreshed: Option<String>,
}

/// The systems of a table, compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedTable {
    /// What is compared.
    pub key: TableKey,
    /// sha256 of the gold file.
    pub gold_sha256: String,
    /// Whether lower values are better.
    pub lower_is_better: bool,
    /// How many questions all systems have.
    pub questions: usize,
    /// What is resampled and exchanged.
    pub cluster: ClusterUnit,
    /// How many of these there are.
    pub clusters: usize,
    /// The questions that only some have, and that are not compared.
    pub left_out: Vec<String>,
    /// The systems, by name.
    pub systems: Vec<ComparedSystem>,
    /// The system that the others are compared with; none: each with each.
    pub baseline: Option<String>,
    /// The pairs of them.
    pub pairs: Vec<ComparedPair>,
    /// Why there are none.
    pub no_pairs: Option<Undefined>,
    /// What the systems could do together, of means of a value per question.
    pub ensembles: Option<ComparedEnsembles>,
    /// The questions as items, of such means.
    pub items: Vec<ComparedItem>,
    /// The systems that say how sure they are, by name, of such means.
    pub risk: Vec<ComparedRisk>,
    /// What hurts whom, of such means, where it is known which question is in which group.
    pub groups: Option<ComparedGroups>,
}

/// Which question is in which group: keys of questions, by the names of groups.
pub type GroupMembers = BTreeMap<String, BTreeSet<String>>;

/// A 95 % interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedInterval {
    /// The lower bound.
    pub low: Decimal,
    /// The upper bound.
    pub high: Decimal,
    /// How it was found.
    pub method: IntervalMethod,
}

/// A system in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedSystem {
    /// Its name.
    pub system: String,
    /// The IRI of its evaluation.
    pub evaluation: String,
    /// The published value, over all its questions; none where it is undefined.
    pub value: Option<Decimal>,
    /// The value over the questions that all systems have: that is what is compared.
    pub common_value: Option<Decimal>,
    /// Where that is.
    pub interval: Option<ComparedInterval>,
    /// Why that is not known.
    pub no_interval: Option<Undefined>,
    /// How many of the questions it does not have.
    pub missing: usize,
    /// In how many it failed: with an error, a query that could not be run, or no answer in time.
    pub failed: usize,
    /// One more than there are better systems.
    pub rank: Option<usize>,
    /// One more than there are significantly better systems.
    pub significance_rank: Option<usize>,
    /// How often it has which rank in resamples.
    pub ranks: Vec<usize>,
    /// Between which ranks it is in 95 % of them.
    pub rank_range: Option<[usize; 2]>,
    /// Its groups of equals.
    pub letters: Option<String>,
    /// Why its value means something else than it seems to: then it takes no rank and no mark.
    pub cautions: Vec<Caution>,
    /// What its evaluation has, be it common or not.
    pub own: OwnQuestions,
}

/// The questions of an evaluation in an experiment type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnQuestions {
    /// How many were scored.
    pub scored: usize,
    /// How many of these the submission does not have.
    pub missing: usize,
    /// In how many of them the system failed: with an error, a query that could not be run, or no answer in time.
    pub failed: usize,
    /// How many of them are not compared: not all systems have them.
    pub left_out: usize,
}

/// Two systems in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedPair {
    /// The first system.
    pub a: String,
    /// The second one.
    pub b: String,
    /// The value of the first minus that of the second.
    pub difference: Decimal,
    /// Where it is.
    pub interval: Option<ComparedInterval>,
    /// Why that is not known.
    pub no_interval: Option<Undefined>,
    /// What the test says.
    pub test: ComparedTest,
    /// How many tests were corrected for.
    pub family_size: usize,
    /// How large the difference is, of means.
    pub effect: Option<ComparedEffect>,
}

/// What a test says of two systems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedTest {
    /// Whether all possibilities were looked at.
    pub computation: Computation,
    /// How many questions differ, or clusters of them.
    pub differing: usize,
    /// The p-value.
    pub p: Decimal,
    /// The same, adjusted for the family.
    pub adjusted: Decimal,
    /// Whether that is as small as was asked for.
    pub significant: bool,
}

/// How large a difference is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedEffect {
    /// In how many questions, or clusters, the first is better.
    pub wins: usize,
    /// In how many both are equal.
    pub ties: usize,
    /// In how many the second is better.
    pub losses: usize,
    /// Wins minus losses, over all.
    pub dominance: Decimal,
    /// The difference in standard deviations of the differences.
    pub standardised: Option<Decimal>,
    /// The difference that so many questions can find.
    pub detectable: Option<Decimal>,
}

/// A set of systems, and the mean of the best score in each question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedSet {
    /// The value: an upper bound.
    pub value: Decimal,
    /// The systems; of greedy sets in the order in which they were added.
    pub systems: Vec<String>,
}

/// What systems could do together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedEnsembles {
    /// The best set of each size; none of too many systems.
    pub best: Option<Vec<ComparedSet>>,
    /// The same, adding each time the system that helps most.
    pub greedy: Vec<ComparedSet>,
    /// What all lose without each.
    pub without: Vec<(String, Decimal)>,
    /// What the first gains by the second.
    pub gains: Vec<(String, String, Decimal)>,
}

/// A question as an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedItem {
    /// The key of the question.
    pub question: String,
    /// The mean over the systems.
    pub difficulty: Decimal,
    /// How well it tells good systems from bad ones.
    pub discrimination: Option<Decimal>,
    /// The score of each system, in the order of the table.
    pub scores: Vec<Decimal>,
}

/// What hurts whom. Groups overlap, and questions were not put into them by chance: a group is associated with a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedGroups {
    /// Each system inside and outside of each group that is large enough, as its complement is.
    pub effects: Vec<ComparedGroupEffect>,
    /// Each two systems inside of each group; none where the test needs other values.
    pub pairs: Vec<ComparedPairInGroup>,
}

/// A system inside and outside of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedGroupEffect {
    /// The system.
    pub system: String,
    /// The group.
    pub group: String,
    /// How many questions are inside.
    pub questions: usize,
    /// Its mean inside.
    pub inside: Decimal,
    /// Its mean outside.
    pub outside: Decimal,
    /// Inside minus outside.
    pub difference: Decimal,
    /// The p-value of shuffling which questions are inside.
    pub p: Decimal,
    /// The same, adjusted for the tests of the system.
    pub adjusted: Decimal,
    /// Whether that is as small as was asked for.
    pub significant: bool,
}

/// Two systems inside of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedPairInGroup {
    /// The group.
    pub group: String,
    /// How many questions are inside.
    pub questions: usize,
    /// The pair, adjusted for the groups.
    pub pair: ComparedPair,
}

impl ComparedTable {
    /// Who failed in all questions: with errors, queries that could not be run, or no answers in time.
    pub fn failed(&self) -> impl Iterator<Item = &str> {
        let failed =
            self.systems.iter().filter(|system| self.questions > 0 && system.failed == self.questions);
        failed.map(|system| system.system.as_str())
    }
}

impl ComparedPair {
    /// What was found of two systems with these names, of as many pairs.
    pub(crate) fn of(pair: &PairStatistics, [a, b]: [&str; 2], family_size: usize) -> Self {
        let (interval, no_interval) = ComparedInterval::of(&pair.interval);
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            difference: Decimal::of(&pair.difference),
            interval,
            no_interval,
            test: ComparedTest::of(pair),
            family_size,
            effect: pair.effect.as_ref().map(ComparedEffect::of),
        }
    }

    /// The same, the other way round.
    #[must_use]
    pub fn turned(&self) -> Self {
        let negative = |value: &Decimal| Decimal::of(&(&Fraction::zero() - &value.fraction()));
        Self {
            a: self.b.clone(),
            b: self.a.clone(),
            difference: negative(&self.difference),
            interval: self.interval.as_ref().map(|bounds| ComparedInterval {
                low: negative(&bounds.high),
                high: negative(&bounds.low),
                method: bounds.method,
            }),
            effect: self.effect.as_ref().map(|effect| ComparedEffect {
                wins: effect.losses,
                losses: effect.wins,
                dominance: negative(&effect.dominance),
                standardised: effect.standardised.as_ref().map(negative),
                ..effect.clone()
            }),
            ..self.clone()
        }
    }
}

impl ComparedInterval {
    fn of(found: &Result<Interval, Undefined>) -> (Option<Self>, Option<Undefined>) {
        let decimals = |one: &Interval| Self {
            low: Decimal::of(&one.low),
            high: Decimal::of(&one.high),
            method: one.method,
        };
        (found.as_ref().ok().map(decimals), found.as_ref().err().copied())
    }
}

impl ComparedTest {
    fn of(pair: &PairStatistics) -> Self {
        Self {
            computation: pair.test.computation,
            differing: pair.test.differing,
            p: Decimal::of(&pair.test.p),
            adjusted: Decimal::of(&pair.adjusted),
            significant: pair.is_significant,
        }
    }
}

impl ComparedEffect {
    fn of(effect: &EffectSizes) -> Self {
        Self {
            wins: effect.wins,
            ties: effect.ties,
            losses: effect.losses,
            dominance: Decimal::of(&effect.dominance),
            standardised: effect.standardised.as_ref().map(Decimal::of),
            detectable: effect.detectable.as_ref().map(Decimal::of),
        }
    }
}
