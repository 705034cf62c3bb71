//! What a measure is: a row of the table in [`crate::measures::metric::metric`]. What each means, with its formula, its empty cases and its
//! source, is its concept in `ontology/qassay.ttl`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::measures::agreement::Ratings;
use crate::measures::fraction::Fraction;
use crate::measures::judged::Judged;
use crate::measures::result::{ItemPart, QuestionResult, Value};
use crate::measures::sets::{Counts, EmptyRules, Scores, Submitted, Totals};

/// A measure, or a family of measures that differ in a number.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// Its concept of `code:metric`, without namespace.
    pub name: &'static str,
    /// What its values count.
    pub unit: Unit,
    /// What it has to be told beside the questions.
    pub takes: Takes,
    of: fn(&Sample<'_>, u64) -> Option<Value>,
}

/// What the values of a measure count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Nothing: a share, a score, a coefficient.
    Share,
    /// Questions, items or answers.
    Count,
    /// Seconds.
    Seconds,
}

/// What a measure has to be told beside the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Nothing; it compares sets of items, so that it has a value for a part of them too.
    Part,
    /// The number of answers that it looks at, which users may choose.
    Rank,
    /// A percentage, the least as it is here.
    PercentFrom(u64),
}

/// The questions that a measure is taken of.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The results of the questions.
    pub questions: &'a [&'a QuestionResult],
    /// What empty sets mean.
    pub rules: EmptyRules,
    /// What several people say about the answers, where they do.
    pub ratings: Option<&'a Ratings>,
}

impl Measure {
    /// A measure without a unit.
    pub(crate) const fn share(name: &'static str, of: fn(&Sample<'_>, u64) -> Option<Value>) -> Self {
        Self { name, unit: Unit::Share, takes: Takes::Nothing, of }
    }

    /// A measure that counts.
    pub(crate) const fn count(name: &'static str, of: fn(&Sample<'_>, u64) -> Option<Value>) -> Self {
        Self { unit: Unit::Count, ..Self::share(name, of) }
    }

    /// A measure of time.
    pub(crate) const fn seconds(name: &'static str, of: fn(&Sample<'_>, u64) -> Option<Value>) -> Self {
        Self { unit: Unit::Seconds, ..Self::share(name, of) }
    }

    /// The same with something that it has to be told.
    pub(crate) const fn taking(self, takes: Takes) -> Self {
        Self { takes, ..self }
    }

    /// Its value over some questions, undefined where its concept says so.
    pub(crate) fn of(&self, sample: &Sample<'_>, cutoff: u64) -> Option<Value> {
        (self.of)(sample, cutoff)
    }

    /// Whether it compares the items of the system with those of gold as sets; else the order of answers, what is
    /// known of them, or the questions count.
    pub fn compares_sets(&self) -> bool {
        self.takes == Takes::Part
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Measure {}

impl Takes {
    /// The highest rank that a name may have.
    const MOST: u64 = 1_000_000;

    /// The numbers that it may be told; none where it takes no number.
    pub fn cutoffs(self) -> Option<RangeInclusive<u64>> {
        match self {
            Self::Nothing | Self::Part => None,
            Self::Rank => Some(1..=Self::MOST),
            Self::PercentFrom(least) => Some(least..=100),
        }
    }
}

impl<'a> Sample<'a> {
    /// Some questions, whose answers nobody rated.
    pub fn new(questions: &'a [&'a QuestionResult], rules: EmptyRules) -> Self {
        Self { questions, rules, ratings: None }
    }

    /// The number of questions.
    pub(crate) fn size(&self) -> u64 {
        self.questions.len() as u64
    }

    /// A value that all questions entered.
    pub(crate) fn value(&self, value: Option<Fraction>) -> Option<Value> {
        value.map(|value| Value::new(value, self.size()))
    }

    /// A number; undefined without questions.
    pub(crate) fn whole(&self, number: u64) -> Option<Value> {
        self.value((self.size() > 0).then(|| Fraction::whole(number)))
    }

    /// How many questions are so; undefined without questions.
    pub(crate) fn count(&self, is_so: impl Fn(&QuestionResult) -> bool) -> Option<Value> {
        self.whole(self.number(is_so))
    }

    /// The share of the questions that are so.
    pub(crate) fn share(&self, is_so: impl Fn(&QuestionResult) -> bool) -> Option<Value> {
        self.value(Fraction::ratio(self.number(is_so), self.size()))
    }

    fn number(&self, is_so: impl Fn(&QuestionResult) -> bool) -> u64 {
        self.questions.iter().filter(|question| is_so(question)).count() as u64
    }

    /// The mean over all questions.
    pub(crate) fn mean(&self, of: impl Fn(&'a QuestionResult) -> &'a Fraction) -> Option<Fraction> {
        Fraction::mean(self.questions.iter().map(|question| of(question)))
    }

    /// The mean over the questions that have the number.
    pub(crate) fn mean_where_known(
        &self,
        of: impl Fn(&'a QuestionResult) -> Option<&'a Fraction>,
    ) -> Option<Value> {
        let values: Vec<&Fraction> = self.questions.iter().filter_map(|question| of(question)).collect();
        let sample_size = values.len() as u64;
        Fraction::mean(values).map(|value| Value::new(value, sample_size))
    }

    /// The summed counts.
    pub(crate) fn totals(&self) -> Totals {
        let is_error = |question: &&QuestionResult| {
            question.status.submitted() == Submitted::Error && question.is_failed()
        };
        Totals {
            has_errors: self.rules.error.is_some() && self.questions.iter().any(is_error),
            ..Totals::of(self.questions.iter().map(|question| question.counts))
        }
    }

    /// The judged answers of the questions that have some.
    pub(crate) fn judged(&self) -> Vec<&'a Judged> {
        self.questions.iter().filter_map(|question| question.judged.as_ref()).collect()
    }

    /// The results of a part of the items; none where no question has any, on either side.
    pub(crate) fn of_part(&self, part: ItemPart) -> Option<Vec<QuestionResult>> {
        let of_question = |question: &&QuestionResult| {
            let counts = question.parts.get(&part).copied().unwrap_or_default();
            let scores = Scores::of(counts, Submitted::Answer, self.rules);
            QuestionResult { counts, scores, parts: BTreeMap::new(), ..(*question).clone() }
        };
        let results: Vec<QuestionResult> = self.questions.iter().map(of_question).collect();
        results.iter().any(|result| result.counts != Counts::default()).then_some(results)
    }
}
