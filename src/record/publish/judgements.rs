//! Answers judged one by one, as nodes of the match graph: rank, term, verdict, score.

use crate::base::iri;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, qassay, rdf, xsd};
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;

/// The nodes of the answers to a question: their IRIs and ranks, from 1; none where answers are not judged one by one.
pub(crate) fn nodes(
    evaluation: &Evaluation,
    experiment: &Experiment,
    position: usize,
) -> impl Iterator<Item = (String, usize)> {
    let judged = experiment.results[position].as_ref().and_then(|result| result.judged.as_ref());
    let count = judged.map_or(0, |judged| judged.answers.len());
    let key = &evaluation.dataset.document.questions[position].key;
    (1..=count).map(move |rank| (iri::judgement(&evaluation.iri, experiment.name(), key, rank), rank))
}

/// The statements about the answer at a rank; the subject is set.
pub(crate) fn describe(
    lines: &mut Lines,
    evaluation: &Evaluation,
    experiment: &Experiment,
    position: usize,
    rank: usize,
) {
    let key = &evaluation.dataset.document.questions[position].key;
    let judged = experiment.results[position].as_ref().and_then(|result| result.judged.as_ref());
    let given = &experiment.matching.questions[position].given;
    let Some((judgement, given)) =
        judged.and_then(|judged| judged.answers.get(rank - 1)).zip(given.get(rank - 1))
    else {
        return;
    };
    lines
        .iri(rdf::TYPE, qassay::JUDGEMENT)
        .iri(qassay::JUDGED_IN, &iri::observation(&evaluation.iri, experiment.name(), key))
        .integer(qassay::JUDGED_RANK, rank as u64)
        .iri(qassay::VERDICT, &code::iri(&format!("verdict-{}", judgement.verdict.name())))
        .integer(qassay::GAIN, judgement.gain);
    if let Some(item) = given.item {
        lines.term(qassay::SYSTEM_TERM, experiment.matching.term(item));
    }
    if let Some(score) = &judgement.score {
        lines.typed(qassay::JUDGED_SCORE, &score.to_decimal(), xsd::DECIMAL);
    }
}
