//! What became of gold answers on a knowledge base, and which scores move with them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::report::evaluations::number;
use crate::report::table::{Column, Table};
use crate::scoring::asked::executed::{ExecutedAnswers, Execution as ExecutedQuery};
use crate::scoring::asked::refreshed::{Refreshed, RefreshedGold};
use crate::scoring::asked::status::RefreshStatus;
use crate::scoring::evaluation::Evaluation;
use crate::sources::document::{Document, Question};

/// How many questions have which status.
pub fn refresh_summary(title: &str, gold: &RefreshedGold) -> Table {
    let mut table = Table { title: title.to_owned(), ..Table::default() };
    table.columns = vec![Column::text("status", "status"), Column::number("questions", "questions")];
    for status in RefreshStatus::ALL {
        table.rows.push(vec![status.words().to_owned(), gold.count(status).to_string()]);
    }
    table.notes = notes(gold);
    table
}

/// How many queries give the curated answers, and by which rules.
fn notes(gold: &RefreshedGold) -> Vec<String> {
    let count = |is: fn(&Refreshed) -> bool| gold.questions.iter().filter(|question| is(question)).count();
    let (same, identical) = (count(|q| q.is_same), count(|q| q.is_identical));
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for question in gold.questions.iter().filter(|q| q.is_same && !q.is_identical) {
        for rule in &question.rules {
            *rules.entry(rule).or_default() += 1;
        }
    }
    let rules: Vec<String> = rules.into_iter().map(|(rule, count)| format!("{rule} {count}")).collect();
    let rules = if rules.is_empty() { String::new() } else { format!(" (rules: {})", rules.join(", ")) };
    vec![
        format!(
            "{identical} of {} queries give the curated answers term by term, {same} by the rules of the profile qassay{rules}",
            gold.questions.len()
        ),
        format!("gold answers: {}", gold.iri),
        format!("what was answered: {}", gold.kept.iri),
    ]
}

/// One row a question; without `all` only those that are not the same.
pub fn refresh_questions(document: &Document, gold: &RefreshedGold, all: bool) -> Table {
    let title = if all { "By question" } else { "Not the same" };
    let mut table = Table { title: title.to_owned(), ..Table::default() };
    table.columns = vec![
        Column::text("question", "question"),
        Column::text("status", "status"),
        Column::number("added", "added"),
        Column::number("removed", "removed"),
        Column::text("reason", "reason"),
    ];
    for (question, refreshed) in document.questions.iter().zip(&gold.questions) {
        if all || refreshed.status != RefreshStatus::Same {
            table.rows.push(vec![
                question.key.clone(),
                refreshed.status.words().to_owned(),
                refreshed.added.to_string(),
                refreshed.removed.to_string(),
                refreshed.reason.clone().unwrap_or_default(),
            ]);
        }
    }
    table
}

/// All of it for scripts.
pub fn refresh_json(document: &Document, gold: &RefreshedGold) -> Value {
    let counts = RefreshStatus::ALL.map(|status| (status.name().to_owned(), json!(gold.count(status))));
    let question = |(question, refreshed): (&Question, &Refreshed)| {
        json!({
            "id": question.key,
            "status": refreshed.status.name(),
            "reason": refreshed.reason,
            "added": refreshed.added,
            "removed": refreshed.removed,
            "same": refreshed.is_same,
            "identical": refreshed.is_identical,
            "rules": refreshed.rules,
        })
    };
    json!({
        "gold": gold.iri,
        "answers": gold.kept.iri,
        "counts": counts.into_iter().collect::<serde_json::Map<_, _>>(),
        "same": gold.questions.iter().filter(|question| question.is_same).count(),
        "identical": gold.questions.iter().filter(|question| question.is_identical).count(),
        "questions": document.questions.iter().zip(&gold.questions).map(question).collect::<Vec<_>>(),
    })
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

/// All of it for scripts.
pub fn executed_json(executed: &ExecutedAnswers) -> Value {
    let question = |(question, execution, answers): (&Question, &ExecutedQuery, usize)| {
        json!({
            "id": question.key,
            "status": word(execution),
            "answers": answers,
            "error": question.error,
            "undecided": execution.undecided,
        })
    };
    json!({
        "executed": executed.iri,
        "answers": executed.kept.iri,
        "queries": executed.count(),
        "failed": executed.failed(),
        "undecided": executed.undecided(),
        "questions": executions(executed).map(question).collect::<Vec<_>>(),
    })
}

/// The questions whose counts are other ones with refreshed gold answers; where there are none, a sentence says so.
pub fn moved(evaluations: &[Evaluation], digits: Option<u32>) -> Table {
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
    for refreshed in evaluations.iter().filter(|evaluation| evaluation.asked.gold.is_some()) {
        let is_curated = |other: &&Evaluation| {
            other.asked.gold.is_none()
                && other.submission.iri == refreshed.submission.iri
                && other.profile().iri == refreshed.profile().iri
        };
        if let Some(curated) = evaluations.iter().find(is_curated) {
            push_moved(&mut table, curated, refreshed, digits);
        }
    }
    if table.rows.is_empty() {
        return Table { title: "No score moves with the gold answers.".to_owned(), ..Table::default() };
    }
    table
}

fn push_moved(table: &mut Table, curated: &Evaluation, refreshed: &Evaluation, digits: Option<u32>) {
    for new in &refreshed.experiments {
        let Some(old) = curated.experiment(new.name()) else { continue };
        let results = old.results.iter().zip(&new.results).enumerate();
        for (position, (old, result)) in results {
            let (Some(old), Some(result)) = (old, result) else { continue };
            if old.counts == result.counts && old.scores.f1 == result.scores.f1 {
                continue;
            }
            let counts = |c: crate::measures::sets::Counts| {
                format!("{}/{}/{}", c.true_positives(), c.false_positives(), c.false_negatives())
            };
            let status = refreshed.asked.gold.as_ref().map(|gold| gold.questions[position].status.words());
            table.rows.push(vec![
                refreshed.submission.system.clone(),
                refreshed.profile().name.clone(),
                new.name().to_owned(),
                refreshed.dataset.document.questions[position].key.clone(),
                status.unwrap_or_default().to_owned(),
                counts(old.counts),
                counts(result.counts),
                number(&old.scores.f1, digits),
                number(&result.scores.f1, digits),
            ]);
        }
    }
}
