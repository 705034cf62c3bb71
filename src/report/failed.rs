//! The questions that a system failed.

use std::collections::BTreeMap;

use crate::record::results::{Observation, QuestionFacts, Results, TypeResults};
use crate::report::evaluations::number;
use crate::report::table::{Column, Table};

/// The questions of an experiment type that the system failed (F1 below 1; in a ranking, those where the answer that
/// stands first is not right), in the order of the dataset.
pub(crate) fn of<'a>(
    results: &'a Results,
    experiment: &'a TypeResults,
) -> impl Iterator<Item = (&'a QuestionFacts, &'a Observation)> {
    let questions = results.questions.iter().zip(&experiment.questions);
    let observed = questions.filter_map(|(question, found)| Some((question, found.observed.as_ref().ok()?)));
    observed.filter(|(_, observation)| experiment.is_failed(observation))
}

/// One row a system, experiment type and question that the system failed.
pub fn failed<'a>(results: impl IntoIterator<Item = &'a Results>, digits: Option<u32>) -> Table {
    let results: Vec<_> = results.into_iter().collect();
    let has_rankings = results.iter().flat_map(|one| &one.experiments).any(TypeResults::is_ranking);
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
    for one in results {
        let language = one.conditions.values("language").first().copied();
        for experiment in &one.experiments {
            for (question, observation) in of(one, experiment) {
                let counts = observation.counts;
                let mut row = vec![
                    one.submission.name.clone(),
                    one.profile.name.clone(),
                    experiment.name.clone(),
                    question.key.clone(),
                    text(question, language),
                    observation.status.name().to_owned(),
                ];
                row.extend([counts.tp, counts.fp, counts.missing].map(|count| count.to_string()));
                let scores = [&observation.precision, &observation.recall, &observation.f1];
                row.extend(scores.map(|score| number(score, digits)));
                row.extend(has_rankings.then(|| first_right(observation)));
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

/// Puts the texts of the questions behind their ids, in a table of questions of an evaluation.
pub fn with_texts(table: &mut Table, results: &Results) {
    let Some(place) = table.columns.iter().position(|column| column.name == "question") else { return };
    let language = results.conditions.values("language").first().copied();
    let texts: BTreeMap<&str, String> =
        results.questions.iter().map(|question| (question.key.as_str(), text(question, language))).collect();
    table.columns.insert(place + 1, Column::text("text", "text"));
    for row in &mut table.rows {
        let text = texts.get(row[place].as_str()).cloned().unwrap_or_default();
        row.insert(place + 1, text);
    }
}

/// The rank of the first right answer; a dash where there is none.
fn first_right(observation: &Observation) -> String {
    observation.first_right().map_or_else(|| "-".to_owned(), |rank| rank.to_string())
}

/// The text of a question in a language, else in English, else the first; its keywords where it has no text.
pub(crate) fn text(question: &QuestionFacts, language: Option<&str>) -> String {
    let texts = || question.texts.iter().chain(&question.keywords);
    let in_language = |wanted: &str| {
        texts().find(|(tag, _)| tag.as_deref().is_some_and(|tag| tag.eq_ignore_ascii_case(wanted)))
    };
    let found = language.and_then(in_language).or_else(|| in_language("en")).or_else(|| texts().next());
    found.map(|(_, text)| text.trim().to_owned()).unwrap_or_default()
}
