//! What became of gold answers on a knowledge base, and which scores move with them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::record::results::{RefreshResults, RefreshedQuestion, Results, SetCounts};
use crate::report::evaluations::number;
use crate::report::json;
use crate::report::json::RefreshView;
use crate::report::table::{Column, Table};
use crate::scoring::asked::executed::{ExecutedAnswers, QueryRun as ExecutedQuery};
use crate::scoring::asked::status::RefreshStatus;
use crate::sources::document::Question;

/// What a field for a query holds that is none: a pseudo query, nothing, words such as `OUT OF SCOPE`.
const NO_SPARQL: &str = "no SPARQL";

/// The status of a question in words.
fn words(question: &RefreshedQuestion) -> &'static str {
    match question.status {
        RefreshStatus::Failed if !question.has_query => NO_SPARQL,
        status => status.words(),
    }
}

/// How many questions have which status.
pub fn refresh_summary(title: &str, gold: &RefreshResults) -> Table {
    let mut table = Table { title: title.to_owned(), ..Table::default() };
    table.columns = vec![Column::text("status", "status"), Column::number("questions", "questions")];
    let is_none = |one: &&RefreshedQuestion| one.status == RefreshStatus::Failed && !one.has_query;
    let none = gold.questions.iter().filter(is_none).count();
    for status in RefreshStatus::ALL {
        let count = gold.count(status);
        match status {
            // Only an evaluation is told of ties.
            RefreshStatus::Tied if count == 0 => {}
            RefreshStatus::Failed => {
                table.rows.push(vec![status.words().to_owned(), (count - none).to_string()]);
                table.rows.push(vec![NO_SPARQL.to_owned(), none.to_string()]);
            }
            _ => table.rows.push(vec![status.words().to_owned(), count.to_string()]),
        }
    }
    table.notes = notes(gold);
    table
}

/// How many queries give the curated answers, and by which rules.
fn notes(gold: &RefreshResults) -> Vec<String> {
    let count =
        |is: fn(&RefreshedQuestion) -> bool| gold.questions.iter().filter(|question| is(question)).count();
    let (same, identical) = (count(|q| q.is_same), count(|q| q.is_identical));
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for question in gold.questions.iter().filter(|q| q.is_same && !q.is_identical) {
        for rule in &question.rules {
            *rules.entry(rule).or_default() += 1;
        }
    }
    let rules: Vec<String> = rules.into_iter().map(|(rule, count)| format!("{rule} {count}")).collect();
    let rules = if rules.is_empty() { String::new() } else { format!(" (rules: {})", rules.join(", ")) };
    let queries = gold.queries();
    vec![
        format!(
            "{identical} of {queries} queries give the curated answers term by term, {same} by the rules of the profile qassay{rules}"
        ),
        format!("gold answers: {}", gold.iri),
        format!("what was answered: {}", gold.answers.iri),
    ]
}

/// One row a question; without `all` only those that are not the same.
pub fn refresh_questions(gold: &RefreshResults, all: bool) -> Table {
    let title = if all { "By question" } else { "Not the same" };
    let mut table = Table { title: title.to_owned(), ..Table::default() };
    table.columns = vec![
        Column::text("question", "question"),
        Column::text("status", "status"),
        Column::number("added", "added"),
        Column::number("removed", "removed"),
        Column::text("reason", "reason"),
    ];
    for refreshed in &gold.questions {
        if all || refreshed.status != RefreshStatus::Same {
            table.rows.push(vec![
                refreshed.key.clone(),
                words(refreshed).to_owned(),
                refreshed.added.to_string(),
                refreshed.removed.to_string(),
                refreshed.reason.clone().unwrap_or_default(),
            ]);
        }
    }
    table
}

/// All of it for scripts.
pub fn refresh_json(gold: &RefreshResults) -> serde_json::Value {
    json::value(&RefreshView::of(gold))
}

/// What came of the queries of a submission.
pub fn executed_table(system: &str, kb: &str, executed: &ExecutedAnswers) -> Table {
    let mut table = Table { title: format!("Queries of {system} on {kb}"), ..Table::default() };
    table.columns = vec![
        Column::text("question", "question"),
        Column::text("status", "status"),
        Column::number("answers", "answers"),
        Column::text("reason", "reason"),
    ];
    for (question, execution, answers) in executions(executed) {
        let undecided = execution.undecided.as_ref().map(|why| format!("not decided by the data: {why}"));
        let reason = question.error.clone().or(undecided).unwrap_or_default();
        table.rows.push(vec![question.key.clone(), word(execution).to_owned(), answers.to_string(), reason]);
    }
    table.notes = vec![
        format!(
            "{} queries were run: {} of them failed, {} have answers that the data do not decide",
            executed.count(),
            executed.failed(),
            executed.undecided()
        ),
        format!("executed answers: {}", executed.iri),
        format!("what was answered: {}", executed.kept.iri),
    ];
    table
}

/// The word of a status.
fn word(execution: &ExecutedQuery) -> &'static str {
    execution.status.trim_start_matches("status-")
}

/// The questions whose queries were run, with the number of answers.
fn executions(executed: &ExecutedAnswers) -> impl Iterator<Item = (&Question, &ExecutedQuery, usize)> {
    let all = executed.document.questions.iter().zip(&executed.answers);
    all.filter_map(|(question, execution)| {
        let sets = question.answers.sets.iter();
        let answers = sets.map(|set| set.rows.len() + usize::from(set.boolean.is_some())).sum();
        Some((question, execution.as_ref()?, answers))
    })
}

/// What came of the queries of a submission, for scripts.
#[derive(Serialize)]
pub struct ExecutedAnswersView {
    executed: String,
    answers: String,
    queries: usize,
    failed: usize,
    undecided: usize,
    questions: Vec<ExecutedQueryView>,
}

#[derive(Serialize)]
struct ExecutedQueryView {
    id: String,
    status: &'static str,
    answers: usize,
    error: Option<String>,
    undecided: Option<String>,
}

impl ExecutedAnswersView {
    /// What came of the queries.
    pub fn of(executed: &ExecutedAnswers) -> Self {
        let question =
            |(question, execution, answers): (&Question, &ExecutedQuery, usize)| ExecutedQueryView {
                id: question.key.clone(),
                status: word(execution),
                answers,
                error: question.error.clone(),
                undecided: execution.undecided.clone(),
            };
        Self {
            executed: executed.iri.clone(),
            answers: executed.kept.iri.clone(),
            queries: executed.count(),
            failed: executed.failed(),
            undecided: executed.undecided(),
            questions: executions(executed).map(question).collect(),
        }
    }
}

/// The questions whose counts are other ones with refreshed gold answers; where there are none, a sentence says so.
pub fn moved(results: &[Results], digits: Option<u32>) -> Table {
    let mut table = Table { title: "Scores that move with the gold answers".to_owned(), ..Table::default() };
    table.columns = ["system", "profile", "experiment", "question", "gold answer"]
        .map(|name| Column::text(name, &name.replace(' ', "_")))
        .to_vec();
    for (heading, name) in [
        ("tp/fp/fn curated", "curated"),
        ("tp/fp/fn refreshed", "refreshed"),
        ("F1 curated", "f1_curated"),
        ("F1 refreshed", "f1_refreshed"),
    ] {
        table.columns.push(Column::number(heading, name));
    }
    for refreshed in results.iter().filter(|one| one.refreshed.is_some()) {
        let is_curated = |other: &&Results| {
            other.refreshed.is_none()
                && other.submission.iri == refreshed.submission.iri
                && other.profile.iri == refreshed.profile.iri
        };
        if let Some(curated) = results.iter().find(is_curated) {
            push_moved(&mut table, curated, refreshed, digits);
        }
    }
    if table.rows.is_empty() {
        return Table { title: "No score moves with the gold answers.".to_owned(), ..Table::default() };
    }
    table
}

fn push_moved(table: &mut Table, curated: &Results, refreshed: &Results, digits: Option<u32>) {
    for new in &refreshed.experiments {
        let Some(old) = curated.experiment(&new.name) else { continue };
        for (position, question) in refreshed.questions.iter().enumerate() {
            let Some((was, is)) = old.observation(position).zip(new.observation(position)) else { continue };
            if was.counts == is.counts && was.f1 == is.f1 {
                continue;
            }
            let counts = |SetCounts { tp, fp, missing }| format!("{tp}/{fp}/{missing}");
            let status = refreshed.refreshed.as_ref().and_then(|gold| gold.questions.get(position));
            table.rows.push(vec![
                refreshed.submission.name.clone(),
                refreshed.profile.name.clone(),
                new.name.clone(),
                question.key.clone(),
                status.map_or_else(String::new, |one| words(one).to_owned()),
                counts(was.counts),
                counts(is.counts),
                number(&was.f1, digits),
                number(&is.f1, digits),
            ]);
        }
    }
}
