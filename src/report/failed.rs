//! The questions that a system failed.

use crate::measures::aggregate::QuestionResult;
use crate::measures::judged::Judgement;
use crate::report::evaluations::number;
use crate::report::table::{Column, Table};
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::sources::document::Question;

/// The questions of an experiment type that the system failed (F1 below 1; in a ranking, those where the answer that
/// stands first is not right), in the order of the dataset.
pub(crate) fn of<'a>(
    evaluation: &'a Evaluation,
    experiment: &'a Experiment,
) -> impl Iterator<Item = (&'a Question, &'a QuestionResult)> {
    let questions = evaluation.dataset.document.questions.iter().zip(&experiment.results);
    let results = questions.filter_map(|(question, result)| Some((question, result.as_ref()?)));
    let is_ranking = is_ranking(experiment);
    results.filter(move |(_, result)| match &result.judged {
        Some(judged) if is_ranking => !judged.answers.first().is_some_and(Judgement::is_correct),
        _ => result.is_failed(),
    })
}

/// Whether only ranks count: there precision and recall of a whole answer say nothing.
fn is_ranking(experiment: &Experiment) -> bool {
    !experiment.rules.metrics.iter().any(|metric| metric.starts_with("macroF1"))
}

/// The rank of the first right answer; a dash where there is none.
fn first_right(result: &QuestionResult) -> String {
    let judged = result.judged.as_ref();
    let rank = judged.and_then(|judged| judged.answers.iter().position(Judgement::is_correct));
    rank.map_or_else(|| "-".to_owned(), |position| (position + 1).to_string())
}

/// One row a system, experiment type and question that the system failed.
pub fn failed<'a>(evaluations: impl IntoIterator<Item = &'a Evaluation>, digits: Option<u32>) -> Table {
    let evaluations: Vec<_> = evaluations.into_iter().collect();
    let has_rankings = evaluations.iter().flat_map(|evaluation| &evaluation.experiments).any(is_ranking);
    let mut table = Table { title: "Failed questions".to_owned(), ..Table::default() };
    table.columns = ["system", "profile", "experiment", "question", "text", "status"]
        .map(|name| Column::text(name, name))
        .to_vec();
    for (heading, name) in [
        ("right", "tp"),
        ("too much", "fp"),
        ("missing", "fn"),
        ("precision", "precision"),
        ("recall", "recall"),
        ("F1", "f1"),
    ] {
        table.columns.push(Column::number(heading, name));
    }
    if has_rankings {
        table.columns.push(Column::number("first right", "firstRight"));
    }
    for evaluation in evaluations {
        let language = evaluation.prepared.options.language.as_deref();
        for experiment in &evaluation.experiments {
            for (question, result) in of(evaluation, experiment) {
                let counts = result.counts;
                let scores = &result.scores;
                let mut row = vec![
                    evaluation.submission.system.clone(),
                    evaluation.profile().name.clone(),
                    experiment.name().to_owned(),
                    question.key.clone(),
                    text(question, language),
                    result.status.name().to_owned(),
                ];
                let counts = [counts.true_positives(), counts.false_positives(), counts.false_negatives()];
                row.extend(counts.map(|count| count.to_string()));
                row.extend(
                    [&scores.precision, &scores.recall, &scores.f1].map(|score| number(score, digits)),
                );
                row.extend(has_rankings.then(|| first_right(result)));
                table.rows.push(row);
            }
        }
    }
    let note = match (table.rows.is_empty(), has_rankings) {
        (true, false) => Some("no question: every answer is right"),
        (true, true) => Some("no question: the answer that stands first is right everywhere"),
        (false, true) => Some("failed in a ranking: the answer that stands first is not right"),
        (false, false) => None,
    };
    table.notes.extend(note.map(str::to_owned));
    table
}

/// The text of a question in a language, else in English, else the first; its keywords where it has no text.
fn text(question: &Question, language: Option<&str>) -> String {
    let texts = || question.texts.iter().chain(&question.keywords);
    let in_language = |wanted: &str| {
        texts().find(|text| text.language.as_deref().is_some_and(|tag| tag.eq_ignore_ascii_case(wanted)))
    };
    let found = language.and_then(in_language).or_else(|| in_language("en")).or_else(|| texts().next());
    found.map(|text| text.text.trim().to_owned()).unwrap_or_default()
}
