//! Set measures: precision, recall and F1 of one question from its counts, and micro counts over many.
//!
//! Definitions, empty cases and sources are in `ontology/qassay.ttl` (`code:microPrecision` and its neighbours);
//! which rule holds for empty sets is a choice of the profile (`ontology/profiles.ttl`).

use crate::measures::fraction::Fraction;

/// How many items of a question met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Items of the gold answer.
    pub gold: u64,
    /// Items of the system's answer.
    pub system: u64,
    /// Pairs of a gold item and a system item that match: true positives.
    pub matched: u64,
}

impl Counts {
    /// True positives.
    pub fn true_positives(self) -> u64 {
        self.matched
    }

    /// Items of the system that no gold item meets.
    pub fn false_positives(self) -> u64 {
        self.system - self.matched
    }

    /// Gold items that no item of the system meets.
    pub fn false_negatives(self) -> u64 {
        self.gold - self.matched
    }
}

/// What the pairs of a question have in common, where two items may meet in a part of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shares {
    /// The sum over the pairs of the share of the gold item that the system's item has.
    pub sum: Fraction,
    /// Items of the system that count as wrong.
    pub wrong: u64,
}

/// Precision, recall and F1 of one question, each in `[0, 1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scores {
    /// The share of the system's items that are right.
    pub precision: Fraction,
    /// The share of the gold items that the system found.
    pub recall: Fraction,
    /// The harmonic mean of both.
    pub f1: Fraction,
}

/// What a question scores where a share has nothing to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyScore {
    /// Precision, recall and F1 are 1: nothing was asked for and nothing was given.
    One,
    /// Precision, recall and F1 are 0.
    Zero,
    /// Precision is 1 since nothing given is wrong; recall and F1 are 0.
    PrecisionOne,
    /// Recall is 1 since nothing is missing; precision and F1 are 0.
    RecallOne,
}

/// The scores of the four empty cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmptyRules {
    /// Gold and system are empty.
    pub both: EmptyScore,
    /// Only gold is empty.
    pub gold: EmptyScore,
    /// Only the system is empty.
    pub system: EmptyScore,
    /// The submission does not have the question; none: it counts as an empty answer.
    pub missing: Option<EmptyScore>,
    /// The answer is an error, so nothing is known to be empty; none: it counts as an empty answer.
    pub error: Option<EmptyScore>,
    /// Whether micro measures are 1 where neither side has an item in any question; else they are 0.
    pub micro_of_nothing_is_one: bool,
    /// Whether Macro F1 QALD is undefined where mean precision and mean recall are 0; else it is 0.
    pub qald_of_zeros_is_undefined: bool,
}

/// What stands in a submission for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submitted {
    /// An answer, which may be empty.
    Answer,
    /// An error in place of an answer.
    Error,
    /// Nothing: the submission does not have the question.
    Nothing,
}

impl Scores {
    /// The scores of a question.
    pub fn of(counts: Counts, submitted: Submitted, rules: EmptyRules) -> Self {
        Self::of_empty(counts, submitted, rules).unwrap_or_else(|| Self::of_filled(counts))
    }

    /// The scores of a question whose pairs count by what they have in common: a gold item is found as far as its partner has
    /// it, so that recall is the sum of the shares over the gold items, precision that sum over it and what is wrong.
    pub fn of_shares(counts: Counts, shares: &Shares, submitted: Submitted, rules: EmptyRules) -> Self {
        Self::of_empty(counts, submitted, rules).unwrap_or_else(|| {
            let over = |whole: &Fraction| shares.sum.over(whole).unwrap_or_else(Fraction::zero);
            let precision = over(&(&shares.sum + &Fraction::whole(shares.wrong)));
            let recall = over(&Fraction::whole(counts.gold));
            let f1 = Fraction::harmonic(&precision, &recall);
            Self { precision, recall, f1 }
        })
    }

    /// The scores where a side has nothing, or the submission has no answer.
    fn of_empty(counts: Counts, submitted: Submitted, rules: EmptyRules) -> Option<Self> {
        let unanswered = match submitted {
            Submitted::Answer => None,
            Submitted::Error => rules.error,
            Submitted::Nothing => rules.missing,
        };
        let empty = match (counts.gold, counts.system) {
            _ if unanswered.is_some() => unanswered?,
            (0, 0) => rules.both,
            (0, _) => rules.gold,
            (_, 0) => rules.system,
            _ => return None,
        };
        Some(match empty {
            EmptyScore::One => Self::same(&Fraction::one()),
            EmptyScore::Zero => Self::same(&Fraction::zero()),
            EmptyScore::PrecisionOne => Self { precision: Fraction::one(), ..Self::same(&Fraction::zero()) },
            EmptyScore::RecallOne => Self { recall: Fraction::one(), ..Self::same(&Fraction::zero()) },
        })
    }

    fn same(value: &Fraction) -> Self {
        Self { precision: value.clone(), recall: value.clone(), f1: value.clone() }
    }

    /// Both sides have items, so no denominator is zero.
    fn of_filled(counts: Counts) -> Self {
        let share = |whole| Fraction::ratio(counts.matched, whole).unwrap_or_else(Fraction::zero);
        let both = Fraction::ratio(2 * counts.matched, counts.gold + counts.system);
        Self {
            precision: share(counts.system),
            recall: share(counts.gold),
            f1: both.unwrap_or_else(Fraction::zero),
        }
    }
}

/// The summed counts of many questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// The sums.
    pub counts: Counts,
    /// How many questions.
    pub questions: u64,
    /// Whether the answer of one is an error that has scores of its own.
    pub has_errors: bool,
}

impl Totals {
    /// Sums up.
    pub fn of(all: impl IntoIterator<Item = Counts>) -> Self {
        all.into_iter().fold(Self::default(), |mut totals, counts| {
            totals.counts.gold += counts.gold;
            totals.counts.system += counts.system;
            totals.counts.matched += counts.matched;
            totals.questions += 1;
            totals
        })
    }

    /// Micro precision: right items / given items. Where nothing was given, see `Totals::of_nothing`.
    pub fn micro_precision(self, rules: EmptyRules) -> Option<Fraction> {
        Fraction::ratio(self.counts.matched, self.counts.system).or_else(|| self.of_nothing(rules))
    }

    /// Micro recall: found items / gold items. Where there are none, see `Totals::of_nothing`.
    pub fn micro_recall(self, rules: EmptyRules) -> Option<Fraction> {
        Fraction::ratio(self.counts.matched, self.counts.gold).or_else(|| self.of_nothing(rules))
    }

    /// Micro F1: 2 · right / (given + gold). Where both are none, see `Totals::of_nothing`.
    pub fn micro_f1(self, rules: EmptyRules) -> Option<Fraction> {
        Fraction::ratio(2 * self.counts.matched, self.counts.system + self.counts.gold)
            .or_else(|| self.of_nothing(rules))
    }

    /// The micro measures of no items: undefined without questions; 1 where neither side has an item in any
    /// question, no answer is an error, and the profile says so; else 0.
    fn of_nothing(self, rules: EmptyRules) -> Option<Fraction> {
        match self {
            Self { questions: 0, .. } => None,
            Self { counts: Counts { gold: 0, system: 0, .. }, has_errors: false, .. }
                if rules.micro_of_nothing_is_one =>
            {
                Some(Fraction::one())
            }
            _ => Some(Fraction::zero()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::confidence::properties::RULES as QASSAY;
    use proptest::prelude::*;

    fn scores(gold: u64, system: u64, matched: u64, submitted: Submitted, rules: EmptyRules) -> [String; 3] {
        let scores = Scores::of(Counts { gold, system, matched }, submitted, rules);
        [scores.precision, scores.recall, scores.f1].map(|f| f.to_decimal())
    }

    #[test]
    fn hand_computed_questions() {
        assert_eq!(scores(3, 4, 2, Submitted::Answer, QASSAY), ["0.5", "0.666666666667", "0.571428571429"]);
        assert_eq!(scores(0, 0, 0, Submitted::Answer, QASSAY), ["1", "1", "1"]);
        assert_eq!(scores(0, 0, 0, Submitted::Nothing, QASSAY), ["1", "1", "1"]);
        assert_eq!(scores(0, 2, 0, Submitted::Answer, QASSAY), ["0", "0", "0"]);
        assert_eq!(scores(2, 0, 0, Submitted::Answer, QASSAY), ["0", "0", "0"]);
        let qald = EmptyRules { system: EmptyScore::PrecisionOne, missing: Some(EmptyScore::Zero), ..QASSAY };
        assert_eq!(scores(2, 0, 0, Submitted::Answer, qald), ["1", "0", "0"]);
        assert_eq!(scores(0, 0, 0, Submitted::Nothing, qald), ["0", "0", "0"]);
        let webqsp = EmptyRules { gold: EmptyScore::RecallOne, ..qald };
        assert_eq!(scores(0, 2, 0, Submitted::Answer, webqsp), ["0", "1", "0"]);
        assert_eq!(scores(0, 0, 0, Submitted::Error, QASSAY), ["1", "1", "1"]);
        let strict = EmptyRules { error: Some(EmptyScore::Zero), ..QASSAY };
        assert_eq!(scores(0, 0, 0, Submitted::Error, strict), ["0", "0", "0"]);
        assert_eq!(scores(0, 0, 0, Submitted::Nothing, strict), ["1", "1", "1"]);
    }

    #[test]
    fn shares_of_pairs() {
        // two gold rows of which one is found in a half, three rows given, of which two are nobody's
        let shares = Shares { sum: Fraction::ratio(1, 2).expect("a half"), wrong: 2 };
        let of = |counts| {
            let scores = Scores::of_shares(counts, &shares, Submitted::Answer, QASSAY);
            [scores.precision, scores.recall, scores.f1].map(|f| f.to_decimal())
        };
        // F1 = 2 · 1/2 / (2 · 1/2 + 1/2 + 1 + 2), the errors being the other half, the other gold row, and two rows
        assert_eq!(of(Counts { gold: 2, system: 3, matched: 1 }), ["0.2", "0.25", "0.222222222222"]);
        assert_eq!(of(Counts { gold: 2, system: 0, matched: 0 }), ["0", "0", "0"]);
    }

    #[test]
    fn micro_measures_of_nothing() {
        let text = |f: Option<Fraction>| f.map(|f| f.to_decimal());
        assert_eq!(text(Totals::of([]).micro_f1(QASSAY)), None);
        let empty = Totals::of([Counts::default()]);
        assert_eq!(text(empty.micro_precision(QASSAY)).as_deref(), Some("1"));
        let failed = Totals { has_errors: true, ..empty };
        assert_eq!(text(failed.micro_f1(QASSAY)).as_deref(), Some("0"), "an error is not nothing");
        let silent = Totals::of([Counts { gold: 2, system: 0, matched: 0 }]);
        assert_eq!(text(silent.micro_precision(QASSAY)).as_deref(), Some("0"));
        assert_eq!(text(silent.micro_recall(QASSAY)).as_deref(), Some("0"));
    }

    /// The same measures with floating point and sets, as one would write them on a napkin.
    fn naive(gold: &[u8], system: &[u8]) -> [f64; 3] {
        let size = |items: usize| f64::from(u32::try_from(items).unwrap());
        let both = size(gold.iter().filter(|item| system.contains(item)).count());
        match (gold.len(), system.len()) {
            (0, 0) => [1.0; 3],
            (0, _) | (_, 0) => [0.0; 3],
            (g, s) => {
                let (p, r) = (both / size(s), both / size(g));
                [p, r, if both == 0.0 { 0.0 } else { 2.0 * p * r / (p + r) }]
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_naive_implementation(gold in prop::collection::btree_set(0u8..20, 0..15), system in prop::collection::btree_set(0u8..20, 0..15)) {
            let (gold, system): (Vec<u8>, Vec<u8>) = (gold.into_iter().collect(), system.into_iter().collect());
            let matched = gold.iter().filter(|item| system.contains(item)).count() as u64;
            let exact = Scores::of(Counts { gold: gold.len() as u64, system: system.len() as u64, matched }, Submitted::Answer, QASSAY);
            for (value, expected) in [exact.precision, exact.recall, exact.f1].iter().zip(naive(&gold, &system)) {
                let value: f64 = value.to_decimal().parse().unwrap();
                prop_assert!((value - expected).abs() < 1e-9, "{value} {expected}");
            }
        }
    }
}
