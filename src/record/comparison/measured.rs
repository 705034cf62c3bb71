//! What a measure is made of, in what is published of single questions: only measures that follow from that can be resampled.

use crate::base::vocab::{code, qassay};
use crate::measures::fraction::Fraction;
use crate::measures::metric::Metric;
use crate::profiles::ontology;
use crate::record::results::decimal::Decimal;
use crate::record::results::{Observation, TypeResults};
use crate::scoring::groups::ALL;
use crate::statistics::matrix::Clustering;
use crate::statistics::ranks::Better;
use crate::statistics::sampled::{ItemCounts, MicroMeasure, Sampled};
use crate::statistics::undefined::Undefined;

/// How a measure follows from what is published of single questions.
enum MeasureOrigin {
    /// As the mean of a score.
    Mean(fn(Metric, &Observation) -> Option<Fraction>),
    /// As the share of questions that are exactly right.
    ExactMatch,
    /// From summed counts.
    Micro(MicroMeasure),
    /// From mean precision and mean recall.
    Harmonic,
}

impl MeasureOrigin {
    /// None where it does not.
    fn of(metric: Metric) -> Option<Self> {
        if metric.part.is_some() {
            return None;
        }
        Some(match metric.measure.name {
            "macroPrecision" => Self::Mean(|_, observation| Some(precision(observation))),
            "macroRecall" => Self::Mean(|_, observation| Some(recall(observation))),
            "macroF1" => Self::Mean(|_, observation| Some(f1(observation))),
            "macroF1Ndcg" => {
                Self::Mean(|_, one| Some(one.ndcg.as_ref().map_or_else(|| f1(one), Decimal::fraction)))
            }
            "ndcg" => Self::Mean(|_, observation| observation.ndcg.as_ref().map(Decimal::fraction)),
            "exactMatch" => Self::ExactMatch,
            "microPrecision" => Self::Micro(MicroMeasure::Precision),
            "microRecall" => Self::Micro(MicroMeasure::Recall),
            "microF1" => Self::Micro(MicroMeasure::F1),
            "macroF1Harmonic" => Self::Harmonic,
            // Means over questions, which profiles publish of each.
            "meanReciprocalRank"
            | "meanAveragePrecision"
            | "meanAveragePrecisionNlpcc"
            | "meanRPrecision"
            | "meanNdcg"
            | "meanBpref"
            | "accuracyAt"
            | "hitsAt"
            | "precisionAt"
            | "recallAt"
            | "ndcgAt"
            | "interpolatedPrecisionAtRecall" => Self::Mean(|metric, observation| {
                let known = observation.measures.iter().find(|(known, _)| *known == metric);
                known.and_then(|(_, value)| value.as_ref()).map(|value| value.value.fraction())
            }),
            _ => return None,
        })
    }
}

/// A measure over the questions of a system, ready to be resampled.
///
/// # Errors
/// Where it does not follow from what is published of each.
pub(super) fn sampled(
    metric: Metric,
    row: &[&Observation],
    clusters: &Clustering,
) -> Result<Sampled, Undefined> {
    let fractions = |of: fn(&Observation) -> Fraction| row.iter().map(|one| of(one)).collect::<Vec<_>>();
    match MeasureOrigin::of(metric).ok_or(Undefined::NotResampled)? {
        MeasureOrigin::Mean(_) => Sampled::mean(&scores(metric, row)?, clusters),
        MeasureOrigin::ExactMatch => {
            Sampled::share(&row.iter().map(|one| one.f1.is_one()).collect::<Vec<_>>(), clusters)
        }
        MeasureOrigin::Micro(which) => {
            let count = |one: &&Observation| ItemCounts {
                matched: one.counts.tp,
                wrong: one.counts.fp,
                missed: one.counts.missing,
            };
            Sampled::micro(&row.iter().map(count).collect::<Vec<_>>(), which, clusters)
        }
        MeasureOrigin::Harmonic => Sampled::harmonic(&fractions(precision), &fractions(recall), clusters),
    }
}

/// The score of each question, of a measure that is their mean.
///
/// # Errors
/// Of other measures.
pub(super) fn scores(metric: Metric, row: &[&Observation]) -> Result<Vec<Fraction>, Undefined> {
    let scores = match MeasureOrigin::of(metric) {
        Some(MeasureOrigin::Mean(score)) => row.iter().map(|one| score(metric, one)).collect(),
        Some(MeasureOrigin::ExactMatch) => {
            row.iter().map(|one| Some(Fraction::whole(one.f1.is_one().into()))).collect::<Option<_>>()
        }
        _ => None,
    };
    scores.ok_or(Undefined::NotResampled)
}

/// The measure that stands for another one, as the harmonic mean for macro F1 in profiles that show it so; else itself.
pub(crate) fn standing_for(types: &TypeResults, metric: Metric) -> Metric {
    let known = types.groups.iter().filter(|group| group.name == ALL).flat_map(|group| &group.metrics);
    let known: Vec<Metric> = known.map(|(metric, _)| *metric).collect();
    let shown_so = known.iter().find(|known| ontology::shown_name(**known) == metric.to_string());
    if known.contains(&metric) { metric } else { shown_so.copied().unwrap_or(metric) }
}

/// Which values of a measure are better, as its concept says.
pub(crate) fn better(metric: Metric) -> Better {
    let direction = format!("{}direction", qassay::NAMESPACE);
    match ontology::terms().codes(&code::iri(&metric.concept()), &direction).next() {
        Some("lower-is-better") => Better::Lower,
        _ => Better::Higher,
    }
}

/// What a decimal was rounded from: a quotient of counts, where that is what is published.
fn exact(published: &Decimal, over: u64, under: u64) -> Fraction {
    let quotient = Fraction::ratio(over, under).filter(|quotient| Decimal::of(quotient) == *published);
    quotient.unwrap_or_else(|| published.fraction())
}

fn precision(one: &Observation) -> Fraction {
    exact(&one.precision, one.counts.tp, one.counts.tp + one.counts.fp)
}

fn recall(one: &Observation) -> Fraction {
    exact(&one.recall, one.counts.tp, one.counts.tp + one.counts.missing)
}

fn f1(one: &Observation) -> Fraction {
    exact(&one.f1, 2 * one.counts.tp, 2 * one.counts.tp + one.counts.fp + one.counts.missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_quotients_where_they_are_those() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        assert_eq!(exact(&decimal("0.333333333333"), 1, 3), Fraction::ratio(1, 3).unwrap());
        // Nothing to count, and something else than counts say.
        assert_eq!(exact(&decimal("1"), 0, 0), Fraction::one());
        assert_eq!(exact(&decimal("0.4"), 1, 2), Fraction::ratio(2, 5).unwrap());
    }

    #[test]
    fn concepts_say_which_values_are_better() {
        let of = |name: &str| better(Metric::named(name).unwrap());
        assert_eq!([of("macroF1"), of("meanResponseTime")], [Better::Higher, Better::Lower]);
    }

    /// Every mean over questions can be resampled; what is none cannot.
    #[test]
    fn measures_that_cannot_be_resampled_are_named() {
        let is_known = |name: &str| MeasureOrigin::of(Metric::named(name).unwrap()).is_some();
        let known =
            ["macroF1", "macroF1Harmonic", "hitsAt1", "accuracyAt5", "microRecall", "exactMatch", "ndcg"];
        assert!(known.into_iter().all(is_known));
        let unknown = ["macroF1Qald", "kMeasure", "inKbMacroF1", "meanResponseTime", "questionCount"];
        assert!(!unknown.into_iter().any(is_known));
    }
}
