//! The tables of a record, as CSV: all its numbers for those who do not read RDF. One table has several evaluations. Values
//! are the decimals as published, not rounded; nothing of inputs is in them but the names of things and the ids of
//! questions.

use crate::base::error::Result;
use crate::measures::metric::Metric;
use crate::record::results::{Measured, Observation, Results};
use crate::report::table::{Column, Layout, Table};

/// A table of a record: its columns and what is in them.
pub(crate) struct TableColumns {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its path in the record.
    pub(crate) path: &'static str,
    /// Name and meaning of the columns that it always has.
    pub(crate) columns: &'static [(&'static str, &'static str)],
}

/// The measures of groups of questions: a row a value.
pub(crate) const AGGREGATES: TableColumns = TableColumns {
    name: "aggregates",
    path: AGGREGATES_PATH,
    columns: &[
        ("evaluation", "The IRI of the evaluation."),
        ("system", "The system."),
        ("dataset", "The dataset."),
        ("profile", "The scoring profile."),
        ("experiment", "The experiment type."),
        ("group", "The group of questions, a concept of the code list questionGroup."),
        ("measure", "The measure, a concept of the code list metric."),
        ("value", "The value; empty where it is not defined."),
        ("n", "The number of questions behind the value."),
        (
            "worst",
            "The value with ties between equal scores broken against the system, where that makes another.",
        ),
        ("best", "The value with ties broken in favour of the system, where that makes another."),
    ],
};

/// The scores of questions: a row a question and experiment type.
pub(crate) const QUESTIONS: TableColumns = TableColumns {
    name: "questions",
    path: QUESTIONS_PATH,
    columns: &[
        ("evaluation", "The IRI of the evaluation."),
        ("system", "The system."),
        ("dataset", "The dataset."),
        ("profile", "The scoring profile."),
        ("experiment", "The experiment type."),
        ("question", "The id of the question."),
        ("status", "How the system answered; `skipped` where there are no scores."),
        ("tp", "Right items."),
        ("fp", "Items too many."),
        ("fn", "Missing items."),
        ("precision", "Precision of the answer."),
        ("recall", "Recall of the answer."),
        ("f1", "F1 of the answer."),
        ("ndcg", "nDCG of the answer, where its order matters."),
    ],
};

/// The path of [the table of aggregates](aggregates) in a record.
pub const AGGREGATES_PATH: &str = "tables/aggregates.csv";

/// The path of [the table of questions](questions) in a record.
pub const QUESTIONS_PATH: &str = "tables/questions.csv";

/// What stands where a measure is not defined: an empty cell.
const UNDEFINED: &str = "-";

/// `tables/aggregates.csv`: every measure of every group of questions.
///
/// # Errors
/// Where there is no memory for it.
pub fn aggregates(results: &[Results]) -> Result<Vec<u8>> {
    let mut table = empty(&AGGREGATES, 7);
    for one in results {
        for experiment in &one.experiments {
            for group in &experiment.groups {
                table.rows.extend(group.metrics.iter().map(|(metric, measured)| {
                    let mut row = keys(one, &experiment.name);
                    row.extend([group.name.clone(), metric.to_string()]);
                    row.extend(values(measured.as_ref()));
                    row
                }));
            }
        }
    }
    Ok(table.render(Layout::Csv)?.into_bytes())
}

/// `tables/questions.csv`: counts and scores of every question, and a column for every measure of single questions that a
/// profile has.
///
/// # Errors
/// Where there is no memory for it.
pub fn questions(results: &[Results]) -> Result<Vec<u8>> {
    let mut table = empty(&QUESTIONS, 7);
    let measures = measures(results);
    table.columns.extend(measures.iter().map(|metric| {
        let name = metric.to_string();
        Column::number(&name, &name)
    }));
    for one in results {
        for experiment in &one.experiments {
            for (question, found) in one.questions.iter().zip(&experiment.questions) {
                let mut row = keys(one, &experiment.name);
                row.push(question.key.clone());
                row.extend(scores(found.observed.as_ref().ok(), &measures));
                table.rows.push(row);
            }
        }
    }
    Ok(table.render(Layout::Csv)?.into_bytes())
}

/// A table without rows; the first columns are texts.
fn empty(of: &TableColumns, texts: usize) -> Table {
    let columns = of.columns.iter().zip(0..).map(|((name, _), at)| {
        if at < texts { Column::text(name, name) } else { Column::number(name, name) }
    });
    Table { columns: columns.collect(), ..Table::default() }
}

fn keys(results: &Results, experiment: &str) -> Vec<String> {
    let keys = [&results.iri, &results.submission.name, &results.dataset.name, &results.profile.name];
    keys.into_iter().cloned().chain([experiment.to_owned()]).collect()
}

/// Value, number of questions, and bounds.
fn values(measured: Option<&Measured>) -> [String; 4] {
    let ties = measured.and_then(|measured| measured.ties.as_ref());
    let shown = |value: Option<String>| value.unwrap_or_else(|| UNDEFINED.to_owned());
    [
        shown(measured.map(|measured| measured.value.to_string())),
        shown(measured.map(|measured| measured.sample_size.to_string())),
        shown(ties.map(|ties| ties.worst.to_string())),
        shown(ties.map(|ties| ties.best.to_string())),
    ]
}

/// The measures that profiles have for single questions, each once.
fn measures(results: &[Results]) -> Vec<Metric> {
    let mut all: Vec<Metric> = Vec::new();
    let questions =
        results.iter().flat_map(|one| &one.experiments).flat_map(|experiment| &experiment.questions);
    for observation in questions.filter_map(|question| question.observed.as_ref().ok()) {
        for (metric, _) in &observation.measures {
            if !all.contains(metric) {
                all.push(*metric);
            }
        }
    }
    all
}

/// Status, counts and scores of a question.
fn scores(observation: Option<&Observation>, measures: &[Metric]) -> Vec<String> {
    let Some(found) = observation else {
        let undefined = std::iter::repeat_n(UNDEFINED.to_owned(), 7 + measures.len());
        return std::iter::once("skipped".to_owned()).chain(undefined).collect();
    };
    let counts = found.counts;
    let mut scores = vec![found.status.name().to_owned()];
    scores.extend([counts.tp, counts.fp, counts.missing].map(|count| count.to_string()));
    scores.extend([&found.precision, &found.recall, &found.f1].map(ToString::to_string));
    scores.push(found.ndcg.as_ref().map_or_else(|| UNDEFINED.to_owned(), ToString::to_string));
    scores.extend(measures.iter().map(|metric| {
        let value = found.measures.iter().find(|(known, _)| known == metric);
        let value = value.and_then(|(_, measured)| measured.as_ref());
        value.map_or_else(|| UNDEFINED.to_owned(), |measured| measured.value.to_string())
    }));
    scores
}
