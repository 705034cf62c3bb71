//! What explains answers that are judged one by one: their ranks, verdicts and scores, and the measures
//! of the question.

use std::collections::HashMap;

use oxigraph::model::Term;

use crate::base::iri;
use crate::base::vocab::xsd;
use crate::record::results::decimal::Decimal;
use crate::record::results::{Observation, TypeResults};
use crate::report::explanation::RankedAnswer;
use crate::scoring::evaluation::Evaluation;
use crate::sources::document::Candidate;
use crate::sources::input::term;

/// How many characters of a candidate are shown: enough to know it again.
const MOST_SHOWN: usize = 120;

/// A term for people: an IRI bare, a literal in quotes with what belongs to it.
pub(crate) fn show(item: &Term) -> String {
    match item {
        Term::Literal(literal) => match literal.datatype().as_str().strip_prefix(xsd::NAMESPACE) {
            Some(datatype) if datatype != "string" => format!("{:?}^^xsd:{datatype}", literal.value()),
            _ => item.to_string(),
        },
        _ => term::text(item).into_owned(),
    }
}

/// The numbers of a question: counts and F1 where sets are compared, the measures that the profile has for one question.
pub(crate) fn numbers(experiment: &TypeResults, observation: &Observation) -> Vec<(String, String)> {
    let counts = observation.counts;
    let of_sets = [
        ("tp", counts.tp.to_string()),
        ("fp", counts.fp.to_string()),
        ("fn", counts.missing.to_string()),
        ("precision", observation.precision.to_string()),
        ("recall", observation.recall.to_string()),
        ("F1", observation.f1.to_string()),
    ];
    let of_sets = of_sets.into_iter().filter(|_| !experiment.ranks_candidates);
    let own = observation.measures.iter().filter_map(|(metric, measured)| {
        let measured = measured.as_ref().filter(|_| experiment.question_headline.contains(metric))?;
        let ties = measured.ties.as_ref();
        let ties = ties.map_or_else(String::new, |ties| format!(" (ties: {} to {})", ties.worst, ties.best));
        Some((crate::report::columns::heading(*metric), format!("{}{ties}", measured.value)))
    });
    of_sets.map(|(name, value)| (name.to_owned(), value)).chain(own).collect()
}

/// The answers to a question in their order; none where they are not judged one by one.
pub(crate) fn ranking(
    evaluation: &Evaluation,
    observation: &Observation,
    position: usize,
) -> Vec<RankedAnswer> {
    let candidates = candidates(evaluation, position);
    let ranked = observation.judged.iter().map(|answer| {
        let term = answer.term.as_deref().and_then(|term| term.parse::<Term>().ok());
        let shown = term
            .map(|term| candidates.get(term::text(&term).as_ref()).cloned().unwrap_or_else(|| show(&term)));
        RankedAnswer {
            verdict: answer.verdict.name().to_owned(),
            score: answer.score.as_ref().map(Decimal::to_string),
            answer: shown.unwrap_or_else(|| "no answer".to_owned()),
        }
    });
    ranked.collect()
}

/// The texts of the candidates of a question by their nodes in the dataset.
fn candidates(evaluation: &Evaluation, position: usize) -> HashMap<String, String> {
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
