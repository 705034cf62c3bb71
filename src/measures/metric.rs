//! All measures, and metrics: measures as they are asked for, with their number or of a part of the items.
//!
//! A measure is a row of its family. Its place in the table means nothing: profiles say in which order they are shown.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::measures::definition::{Measure, Sample, Takes};
use crate::measures::result::{ItemPart, QuestionResult, Value};
use crate::measures::sets::EmptyRules;
use crate::measures::{aggregate, confidence, rank_metrics};

/// Every measure, family by family.
pub static MEASURES: [&[Measure]; 6] = [
    aggregate::SETS,
    aggregate::COUNTS,
    rank_metrics::MEASURES,
    confidence::MEASURES,
    confidence::counts::MEASURES,
    aggregate::RATINGS,
];

/// A measure as it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Metric {
    /// The measure, or the family that it is a member of.
    pub measure: &'static Measure,
    /// The number, of a member of a family: a rank or a percentage.
    pub cutoff: Option<u64>,
    /// The part of the items that it is of; none: all.
    pub part: Option<ItemPart>,
}

/// The measure or family with this name.
fn measure(name: &str) -> Option<&'static Measure> {
    MEASURES.into_iter().flatten().find(|measure| measure.name == name)
}

impl Metric {
    /// The metric with this name: that of a measure (`macroF1`), of a part and a measure (`inKbMacroF1`), of a family and
    /// a number (`accuracyAt5`). One numeral a number, so that a metric has one name: no sign, no zeros in front. Nothing
    /// where there is none.
    pub fn named(name: &str) -> Option<Self> {
        let single = measure(name).filter(|measure| measure.takes.cutoffs().is_none());
        match single {
            Some(measure) => Some(Self { measure, cutoff: None, part: None }),
            None => Self::with_cutoff(name).or_else(|| Self::with_part(name)),
        }
    }

    /// The metric that somebody asks for by its name.
    ///
    /// # Errors
    /// Where there is none.
    pub fn wanted(name: &str) -> Result<Self> {
        Self::named(name).ok_or_else(|| {
            Error::input(format!("there is no measure `{name}`")).hint("`qassay measures` lists them")
        })
    }

    fn with_cutoff(name: &str) -> Option<Self> {
        let family = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &name[family.len()..];
        let is_numeral = digits == "0" || !digits.starts_with('0');
        let number = digits.parse().ok().filter(|_| is_numeral)?;
        measure(family)?.at(number)
    }

    fn with_part(name: &str) -> Option<Self> {
        let of_part = |part: &ItemPart| {
            let rest = name.strip_prefix(part.name()).filter(|rest| rest.starts_with(char::is_uppercase))?;
            let whole = [&rest.get(..1)?.to_ascii_lowercase(), rest.get(1..)?].concat();
            measure(&whole)?.of_part(*part)
        };
        ItemPart::ALL.iter().find_map(of_part)
    }

    /// The same at another rank; nothing where it looks at none.
    pub fn at_rank(self, rank: u64) -> Option<Self> {
        Some(self).filter(Self::looks_at_rank)?.measure.at(rank)
    }

    /// Whether it looks at a rank, which users may choose.
    pub fn looks_at_rank(&self) -> bool {
        self.measure.takes == Takes::Rank
    }

    /// The concept of `code:metric` that says what it is, without namespace: of a member of a family that of the family.
    pub fn concept(&self) -> String {
        Self { cutoff: None, ..*self }.to_string()
    }

    /// Its value over some questions; nothing where it is undefined.
    pub fn of(&self, sample: &Sample<'_>) -> Option<Value> {
        let cutoff = self.cutoff.unwrap_or_default();
        let Some(part) = self.part else { return self.measure.of(sample, cutoff) };
        let results = sample.of_part(part)?;
        let questions: Vec<&QuestionResult> = results.iter().collect();
        self.measure.of(&Sample { questions: &questions, ..*sample }, cutoff)
    }
}

impl Measure {
    /// The member of the family with a number; nothing where it has none.
    pub fn at(&'static self, cutoff: u64) -> Option<Metric> {
        let has_member = self.takes.cutoffs()?.contains(&cutoff);
        has_member.then_some(Metric { measure: self, cutoff: Some(cutoff), part: None })
    }

    /// The measure of a part of the items; nothing where it compares no sets.
    pub fn of_part(&'static self, part: ItemPart) -> Option<Metric> {
        self.compares_sets().then_some(Metric { measure: self, cutoff: None, part: Some(part) })
    }
}

impl From<Metric> for String {
    fn from(metric: Metric) -> Self {
        metric.to_string()
    }
}

impl TryFrom<String> for Metric {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::named(&name).ok_or_else(|| format!("there is no metric `{name}`"))
    }
}

impl fmt::Display for Metric {
    /// The name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part.zip(self.measure.name.split_at_checked(1)) {
            Some((part, (first, rest))) => write!(f, "{}{}{rest}", part.name(), first.to_ascii_uppercase())?,
            None => f.write_str(self.measure.name)?,
        }
        self.cutoff.map_or(Ok(()), |cutoff| write!(f, "{cutoff}"))
    }
}

/// Metrics with these ranks in place of their own, where they look at one; each once.
pub fn at_ranks(metrics: &[Metric], ranks: &[u64]) -> Vec<Metric> {
    if ranks.is_empty() {
        return metrics.to_vec();
    }
    let mut all: Vec<Metric> = Vec::new();
    for metric in metrics {
        let at_ranks = ranks.iter().filter_map(|rank| metric.at_rank(*rank));
        let others = std::iter::once(*metric).filter(|metric| !metric.looks_at_rank());
        for metric in at_ranks.chain(others) {
            if !all.contains(&metric) {
                all.push(metric);
            }
        }
    }
    all
}

/// The metric with this name over some questions; nothing where it is undefined or there is no such metric.
pub fn metric(name: &str, questions: &[&QuestionResult], rules: EmptyRules) -> Option<Value> {
    Metric::named(name)?.of(&Sample::new(questions, rules))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::confidence::properties::{RULES, counted};
    use crate::measures::definition::Unit;
    use crate::measures::result::Status;
    use crate::measures::sets::Counts;

    #[test]
    fn a_metric_has_one_name() {
        for name in [
            "macroF1",
            "accuracyAt5",
            "k1Measure",
            "recallAt1000000",
            "inKbMicroF1",
            "eeMacroRecall",
            "coverageAtPrecision80",
        ] {
            assert_eq!(Metric::named(name).map(|metric| metric.to_string()).as_deref(), Some(name));
        }
        let none = [
            "",
            "accuracyAt",
            "accuracyAt0",
            "accuracyAt05",
            "accuracyAt+5",
            "accuracyAt1000001",
            "accuracyAt99999999999999999999",
            "macroF15",
            "inKb",
            "inKbmicroF1",
            "inKbQuestionCount",
            "eeAccuracyAt5",
            "inKbInKbMicroF1",
            "coverageAtPrecision0",
            "coverageAtPrecision101",
            "hierarchical\u{e4}",
        ];
        for name in none {
            assert_eq!(Metric::named(name), None, "{name}");
        }
    }

    #[test]
    fn a_name_occurs_once_in_the_table() {
        let all: Vec<&Measure> = MEASURES.into_iter().flatten().collect();
        for one in &all {
            assert_eq!(all.iter().filter(|other| *other == one).count(), 1, "{}", one.name);
            // a name that ended with a digit would be that of a member too
            assert!(
                one.takes.cutoffs().is_none() || !one.name.ends_with(|c: char| c.is_ascii_digit()),
                "{}",
                one.name
            );
        }
    }

    /// A measure that is not in the table: a row and a short function.
    static MEDIAN_F1: Measure = Measure::share("medianF1", |s, _| {
        let mut scores: Vec<_> = s.questions.iter().map(|question| &question.scores.f1).collect();
        scores.sort();
        s.value(scores.get(scores.len() / 2).copied().cloned())
    });

    #[test]
    fn a_measure_is_a_row_and_a_function() {
        let question = |matched| counted(Counts { gold: 2, system: 2, matched }, Status::Answered);
        let questions = [question(0), question(2), question(1)];
        let questions = questions.each_ref();
        let metric = Metric { measure: &MEDIAN_F1, cutoff: None, part: None };
        let median = metric.of(&Sample::new(&questions, RULES)).unwrap();
        assert_eq!((median.value.to_decimal().as_str(), median.sample_size), ("0.5", 3));
        assert_eq!((metric.to_string().as_str(), MEDIAN_F1.unit), ("medianF1", Unit::Share));
        assert_eq!(metric.of(&Sample::new(&[], RULES)), None);
    }

    #[test]
    fn families_and_parts() {
        let metric = |name| Metric::named(name).unwrap();
        assert_eq!(metric("accuracyAt5").concept(), "accuracyAt");
        assert_eq!(metric("inKbMicroF1").concept(), "inKbMicroF1");
        assert_eq!(metric("accuracyAt5").at_rank(7), Some(metric("accuracyAt7")));
        assert_eq!(metric("coverageAtPrecision80").at_rank(7), None);
        assert_eq!(metric("macroF1").at_rank(7), None);
    }
}
