//! A summary for each evaluation: what lists, rankings and comparisons show, without its graphs.
//!
//! Summaries follow from the graphs and are remembered beside them, one file an evaluation and one for all
//! ([`kept`]); they can go at any time. A number is never taken from a summary of other graphs than those that are here.

pub mod kept;
pub mod make;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::measures::metric::Metric;
use crate::measures::result::Status;
use crate::profiles::rules::EXPERIMENTS;
use crate::record::results::decimal::Decimal;
use crate::record::results::{GroupResults, Measured, SetCounts, TieBounds};

/// What came of an evaluation as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The IRI of the evaluation.
    pub evaluation: String,
    /// The IRI of the dataset version.
    pub dataset: String,
    /// The IRI of the submission.
    pub submission: String,
    /// The IRI of the profile.
    pub profile: String,
    /// The name of the profile.
    pub profile_name: String,
    /// The metric that the profile ranks by.
    pub ranked_by: Option<Metric>,
    /// The experiment types that were scored, in their usual order.
    pub experiments: Vec<TypeSummary>,
    /// The experiment types in which nothing could be compared, and why: concepts of `code:skipReason`.
    pub skipped: BTreeMap<String, String>,
    /// How many issues of each kind there are.
    pub issues: BTreeMap<String, u64>,
}

/// What came of an experiment type as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeSummary {
    /// Its name: `QA`.
    pub name: String,
    /// The metrics of the groups that are no choice of questions: all of them, and those that were processed.
    pub groups: Vec<GroupSummary>,
    /// How many matches each rule made.
    pub rules: BTreeMap<String, u64>,
    /// How many questions were answered how, by the concepts of `code:answerStatus`, and how many were skipped, by those of
    /// `code:skipReason`.
    pub statuses: BTreeMap<String, u64>,
    /// How sure the headline measure is; none: nobody has asked for it yet.
    pub interval: Option<SummaryInterval>,
}

/// Between which values the headline measure of an experiment type, that which its profile ranks by, is in 95 % of resamples.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryInterval {
    /// The lower and the upper bound; none where there is no interval.
    pub bounds: Option<[Decimal; 2]>,
    /// Whether all resamples have one value.
    pub is_constant: bool,
}

/// The metrics of a group. Lists of thousands need few of them: they are read when they are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupSummary {
    /// The concept of `code:questionGroup`, without namespace.
    pub name: String,
    /// Metric, value, number of questions, and where ties decide the worst and the best value; separated by spaces, then `;`.
    metrics: String,
}

/// Which number of an evaluation, over all questions, is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberChoice {
    /// The experiment type; none: the first that was scored.
    pub experiment: Option<String>,
    /// The measure; none: what the profile ranks by.
    pub measure: Option<Metric>,
}

impl NumberChoice {
    /// The choice that words name.
    ///
    /// # Errors
    /// Where there is no such experiment type, or no such measure.
    pub fn named(experiment: Option<&str>, measure: Option<&str>) -> Result<Self> {
        if let Some(unknown) = experiment.filter(|name| !EXPERIMENTS.contains(name)) {
            return Err(Error::input(format!("there is no experiment type `{}`", text::name(unknown)))
                .allowed(EXPERIMENTS.join(", ")));
        }
        let named = |name| {
            Metric::named(name).ok_or_else(|| {
                Error::input(format!("there is no measure `{}`", text::name(name)))
                    .hint("the page of each profile names its measures")
            })
        };
        Ok(Self { experiment: experiment.map(str::to_owned), measure: measure.map(named).transpose()? })
    }
}

impl Summary {
    /// What the profile ranks by, else macro F1.
    pub fn headline(&self) -> Option<Metric> {
        self.ranked_by.or_else(|| Metric::named("macroF1"))
    }

    /// Whether the submission is the gold file itself, by the checksums that both are called by.
    pub fn is_of_gold_file(&self) -> bool {
        let key = |iri: &str| iri.rsplit('/').next().unwrap_or_default().to_owned();
        let (version, submission) = (key(&self.dataset), key(&self.submission));
        !version.is_empty() && submission.starts_with(&version)
    }

    /// The experiment type of a number, where it was scored, and the measure.
    pub fn number(&self, choice: &NumberChoice) -> Option<(&TypeSummary, Metric)> {
        let is_chosen = |one: &&TypeSummary| choice.experiment.as_ref().is_none_or(|name| *name == one.name);
        Some((self.experiments.iter().find(is_chosen)?, choice.measure.or_else(|| self.headline())?))
    }

    /// Whether intervals were asked for.
    pub fn has_intervals(&self) -> bool {
        self.experiments.iter().all(|one| one.interval.is_some())
    }

    /// Whether it has the values of another one.
    pub fn has_values_of(&self, other: &Self) -> bool {
        let groups = |summary: &Self| {
            let of_type = |one: &TypeSummary| (one.name.clone(), one.groups.clone());
            summary.experiments.iter().map(of_type).collect::<Vec<_>>()
        };
        groups(self) == groups(other)
    }
}

impl TypeSummary {
    /// A group of questions, one of those that are no choice.
    pub fn group(&self, name: &str) -> Option<&GroupSummary> {
        self.groups.iter().find(|group| group.name == name)
    }
}

impl GroupSummary {
    /// The metrics with their values, in the order of the profile.
    pub fn metrics(&self) -> impl Iterator<Item = (&str, Option<Measured>)> {
        self.metrics.split_terminator(';').map(|metric| {
            let mut words = metric.split(' ');
            (words.next().unwrap_or_default(), measured(words))
        })
    }

    /// The same as results have them.
    pub fn results(&self) -> GroupResults {
        let metrics = self.metrics().filter_map(|(name, measured)| Some((Metric::named(name)?, measured)));
        GroupResults { name: self.name.clone(), metrics: metrics.collect() }
    }
}

fn measured<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Measured> {
    let decimal = |text: &str| Decimal::try_from(text.to_owned()).ok();
    let value = decimal(words.next()?)?;
    let sample_size = words.next()?.parse().ok()?;
    let ties = words.next().zip(words.next());
    let ties =
        ties.and_then(|(worst, best)| Some(TieBounds { worst: decimal(worst)?, best: decimal(best)? }));
    Some(Measured { value, sample_size, ties })
}

impl From<&GroupResults> for GroupSummary {
    fn from(group: &GroupResults) -> Self {
        let mut metrics = String::new();
        for (metric, measured) in &group.metrics {
            // Writing to a string cannot fail.
            let _ = write!(metrics, "{metric}");
            if let Some(Measured { value, sample_size, ties }) = measured {
                let _ = write!(metrics, " {value} {sample_size}");
                if let Some(TieBounds { worst, best }) = ties {
                    let _ = write!(metrics, " {worst} {best}");
                }
            }
            metrics.push(';');
        }
        Self { name: group.name.clone(), metrics }
    }
}

/// What came of an evaluation question by question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionSummaries {
    /// The keys of the questions in the order of the dataset.
    pub questions: Vec<String>,
    /// Of each experiment type what came of the questions, in the same order.
    experiments: BTreeMap<String, String>,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionSummary {
    /// It has scores: how it was answered, how many items are right, too many and missing, and F1.
    Scored(Status, SetCounts, Decimal),
    /// It has none: why, a concept of `code:skipReason`.
    Skipped(String),
}

impl QuestionSummaries {
    /// What came of the questions in an experiment type; nothing where it was not scored.
    pub fn experiment(&self, name: &str) -> Option<Vec<(&str, QuestionSummary)>> {
        let texts = self.experiments.get(name)?.split_terminator(';');
        let questions = self.questions.iter().zip(texts);
        Some(questions.filter_map(|(key, text)| Some((key.as_str(), QuestionSummary::read(text)?))).collect())
    }
}

impl QuestionSummary {
    /// What it is counted as: a concept of `code:answerStatus` or `code:skipReason`.
    pub fn code(&self) -> &str {
        match self {
            Self::Scored(status, ..) => status.code(),
            Self::Skipped(reason) => reason,
        }
    }

    fn write(&self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Scored(status, SetCounts { tp, fp, missing }, f1) => {
                write!(out, "{} {tp} {fp} {missing} {f1};", status.code())
            }
            Self::Skipped(reason) => write!(out, "{reason};"),
        };
    }

    fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let code = words.next()?;
        let Some(status) = Status::find(code) else { return Some(Self::Skipped(code.to_owned())) };
        let mut count = || words.next()?.parse().ok();
        let counts = SetCounts { tp: count()?, fp: count()?, missing: count()? };
        Some(Self::Scored(status, counts, Decimal::try_from(words.next()?.to_owned()).ok()?))
    }
}
