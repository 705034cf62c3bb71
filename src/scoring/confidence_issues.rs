//! Confidences that make measures undefined: those that are no numbers from 0 to 1, and those that are missing.

use crate::base::issue::{Issue, IssueCode, Place};
use crate::measures::fraction::Fraction;
use crate::scoring::align::Alignment;
use crate::scoring::experiment::Experiment;
use crate::scoring::items::given::Given;
use crate::sources::document::Document;
use crate::sources::input::term;

/// The measure that a profile has where it asks how sure a system is.
const ASKS: &str = "kMeasure";

/// An issue for each answer with an odd confidence, and one for the answers that have none.
pub(crate) fn issues(experiments: &[Experiment], alignment: &Alignment, answers: &Document) -> Vec<Issue> {
    let asks = |experiment: &&Experiment| experiment.rules.measures(ASKS);
    experiments.iter().filter(asks).flat_map(|experiment| of(experiment, alignment, answers)).collect()
}

fn of(experiment: &Experiment, alignment: &Alignment, answers: &Document) -> Vec<Issue> {
    let (mut given, mut without, mut issues) = (0, 0, Vec::new());
    for (matched, answer) in experiment.matching.questions.iter().zip(&alignment.answers) {
        let Some(question) = answer.map(|answer| &answers.questions[answer]) else { continue };
        given += matched.given.len();
        without += matched.given.iter().filter(|given| given.score.is_none()).count();
        for (odd, score) in matched.given.iter().filter_map(|given| Some((given, odd(given)?))) {
            let text = odd.item.map_or_else(
                || "that there is none".to_owned(),
                |item| format!("{:?}", term::text(experiment.matching.term(item))),
            );
            let message = format!(
                "the confidence {} of the answer {text} is no number from 0 to 1: K, K1, calibration and Brier score are undefined",
                score.to_decimal()
            );
            let place = Place { question: Some(question.id.clone()), ..question.place.clone() };
            issues.push(Issue::new(IssueCode::OddConfidence, &place, message));
        }
    }
    if without > 0 {
        let message =
            format!("{without} of {given} answers have no confidence: measures of confidence are undefined");
        issues.insert(0, Issue::new(IssueCode::OddConfidence, &Place::default(), message));
    }
    issues
}

fn odd(given: &Given) -> Option<&Fraction> {
    let score = given.score.as_ref()?;
    (*score < Fraction::zero() || *score > Fraction::one()).then_some(score)
}
