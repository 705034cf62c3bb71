//! MEASURE: matches → measures. Pure functions on counts and ranks; exact fractions where the measure is rational,
//! integers cut off far below the published digits where it is not; no floating point.

mod aggregate;
mod agreement;
mod confidence;
mod cutoff;
mod discount;
mod fraction;
mod judged;
mod rank_metrics;
mod ranking;
#[cfg(test)]
mod samples;
mod sets;

pub use aggregate::{QuestionResult, Status, Ties, Value, metric};
pub use agreement::{Ratings, cohens_kappa, observed_agreement};
pub use cutoff::with_cutoff;
pub use fraction::Fraction;
pub use judged::{Judged, Judgement, Verdict};
pub use ranking::{
    average_precision, average_precision_nlpcc, binary_ndcg, ndcg, ndcg_at, precision_at, r_precision,
    recall_at, reciprocal_rank, success_at,
};
pub use sets::{Counts, EmptyRules, EmptyScore, Scores, Totals};
