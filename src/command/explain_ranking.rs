//! What `qassay explain` says of answers that are judged one by one: their ranks, verdicts and scores, and the measures
//! of the question.

use std::collections::HashMap;

use qassay::base::iri;
use qassay::measures::fraction::Fraction;
use qassay::measures::result::QuestionResult;
use qassay::profiles::rules::Reading;
use qassay::report::explanation::RankedAnswer;
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::experiment::Experiment;
use qassay::sources::document::Candidate;
use qassay::sources::input::term;

/// How many characters of a candidate are shown: enough to know it again.
const MOST_SHOWN: usize = 120;

/// Whether candidates of the dataset are ranked: all are in the answer, so precision and recall say nothing.
pub(super) fn ranks_candidates(experiment: &Experiment<'_>) -> bool {
    experiment.rules.reading == Reading::Candidates
}

/// The numbers of a question: counts and F1 where sets are compared, the measures that the profile has for one question.
pub(super) fn numbers(
    evaluation: &Evaluation<'_>,
    experiment: &Experiment<'_>,
    result: &QuestionResult,
) -> Vec<(String, String)> {
    let (counts, scores) = (&result.counts, &result.scores);
    let of_sets = [
        ("tp", counts.true_positives().to_string()),
        ("fp", counts.false_positives().to_string()),
        ("fn", counts.false_negatives().to_string()),
        ("precision", scores.precision.to_decimal()),
        ("recall", scores.recall.to_decimal()),
        ("F1", scores.f1.to_decimal()),
    ];
    let of_sets = of_sets.into_iter().filter(|_| !ranks_candidates(experiment));
    let shown = experiment.shown_question_metrics(evaluation.prepared);
    let own =
        experiment.question_values(evaluation.prepared, result).into_iter().filter_map(|(metric, value)| {
            let value = value.filter(|_| shown.contains(&metric))?;
            let ties = value.ties.as_ref().map_or_else(String::new, |ties| {
                format!(" (ties: {} to {})", ties.worst.to_decimal(), ties.best.to_decimal())
            });
            Some((qassay::report::columns::heading(metric), format!("{}{ties}", value.value.to_decimal())))
        });
    of_sets.map(|(name, value)| (name.to_owned(), value)).chain(own).collect()
}

/// The answers to a question in their order; none where they are not judged one by one.
pub(super) fn ranking(
    evaluation: &Evaluation<'_>,
    experiment: &Experiment<'_>,
    position: usize,
) -> Vec<RankedAnswer> {
    let judged = experiment.results[position].as_ref().and_then(|result| result.judged.as_ref());
    let given = &experiment.matching.questions[position].given;
    let candidates = candidates(evaluation, position);
    let answers = judged.into_iter().flat_map(|judged| &judged.answers).zip(given);
    let ranked = answers.map(|(judgement, given)| {
        let answer = given.item.map(|item| {
            let term = experiment.matching.term(item);
            candidates.get(term::text(term).as_ref()).cloned().unwrap_or_else(|| super::explain::show(term))
        });
        RankedAnswer {
            verdict: judgement.verdict.name().to_owned(),
            score: judgement.score.as_ref().map(Fraction::to_decimal),
            answer: answer.unwrap_or_else(|| "no answer".to_owned()),
        }
    });
    ranked.collect()
}

/// The texts of the candidates of a question by their nodes in the dataset.
fn candidates(evaluation: &Evaluation<'_>, position: usize) -> HashMap<String, String> {
    let question = &evaluation.dataset.document.questions[position];
    let gold = iri::curated_gold(&iri::question(&evaluation.dataset.iri, &question.key));
    let all = question.candidates.iter().zip(1..);
    all.map(|(candidate, number)| (iri::candidate(&gold, number), shown(candidate))).collect()
}

/// A sentence, or the caption of a table with the beginning of what is in it.
fn shown(candidate: &Candidate) -> String {
    let parts: Vec<&str> = candidate.cells.iter().map(|cell| cell.value.trim()).collect();
    let text = parts.join(" / ");
    let beginning: String = text.chars().take(MOST_SHOWN).collect();
    if beginning.len() < text.len() { beginning + "…" } else { beginning }
}
