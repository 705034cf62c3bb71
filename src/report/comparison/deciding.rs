//! The questions that decide between two systems: as tables, and as JSON.

use serde_json::{Value, json};

use crate::record::comparison::ComparedPair;
use crate::record::comparison::deciding::{AnswerFault, DecidedTable, DecidingScore};
use crate::report::comparison::shown::{Shown, described};
use crate::report::failed::text;
use crate::report::json::{Num, value};
use crate::report::table::{Column, Table};

/// A row a question, the largest difference first.
pub fn deciding(shown: Shown, decided: &DecidedTable, language: &str) -> Table {
    let [one, other] = &decided.systems;
    let title = format!("{one} and {other}: {}", described(&decided.key));
    let mut table = Table { title, ..Table::default() };
    table.columns = vec![
        Column::text("question", "question"),
        Column::text("text", "text"),
        Column::number(one, "a"),
        Column::number(other, "b"),
        Column::number("a − b", "difference"),
        Column::text(&format!("why not {one}"), "whyA"),
        Column::text(&format!("why not {other}"), "whyB"),
    ];
    for (found, faults) in &decided.questions {
        let mut row = vec![found.question.key.clone(), text(&found.question, Some(language))];
        row.extend([&found.scores[0], &found.scores[1], &found.difference].map(|score| shown.number(score)));
        row.extend(faults.each_ref().map(|all| told(all)));
        table.rows.push(row);
    }
    let shown_of = if decided.questions.len() < decided.differing {
        format!(
            "the {} largest of {} questions in which they differ",
            decided.questions.len(),
            decided.differing
        )
    } else {
        format!("{} questions in which they differ", decided.differing)
    };
    table.footnotes.push(shown_of);
    if decided.by == DecidingScore::F1 {
        table.footnotes.push("the measure is no mean over questions: the F1 of each is shown".to_owned());
    }
    table.footnotes.extend(decided.pair.as_ref().map(|pair| of_pair(shown, pair)));
    table
}

/// What the comparison says of the pair.
fn of_pair(shown: Shown, pair: &ComparedPair) -> String {
    let ComparedPair { a, b, test, .. } = pair;
    let told = if test.significant { "more than chance" } else { "could be chance" };
    format!(
        "{a} − {b}: {}, p {} (adjusted {}): {told}",
        shown.number(&pair.difference),
        shown.p(&test.p),
        shown.p(&test.adjusted)
    )
}

fn told(faults: &[AnswerFault]) -> String {
    let reasons: Vec<&str> = faults.iter().map(|fault| fault.reason.as_str()).collect();
    reasons.join("; ")
}

/// The same for scripts.
pub fn deciding_json(decided: &DecidedTable) -> Value {
    let of_system = |faults: &[AnswerFault]| -> Vec<Value> {
        faults.iter().map(|fault| json!({ "code": fault.code, "reason": fault.reason })).collect()
    };
    let questions = decided.questions.iter().map(|(found, faults)| {
        json!({
            "question": found.question.key,
            "text": text(&found.question, None),
            "scores": found.scores.each_ref().map(|score| value(&Num(score))),
            "difference": value(&Num(&found.difference)),
            "why": faults.each_ref().map(|all| of_system(all)),
        })
    });
    json!({
        "dataset": decided.key.dataset,
        "profile": decided.key.profile,
        "gold": decided.key.gold,
        "experiment": decided.key.experiment,
        "measure": decided.key.measure,
        "systems": decided.systems,
        "evaluations": decided.evaluations,
        "differing": decided.differing,
        "questions": questions.collect::<Vec<_>>(),
    })
}
