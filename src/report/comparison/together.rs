//! What systems could do together, and the questions as items: with the score of each system.

use crate::record::comparison::{ComparedEnsembles, ComparedSet, ComparedTable};
use crate::report::comparison::shown::{Shown, about};
use crate::report::table::{Column, Table};

/// The best set of each size, and the one that grows greedily.
pub(crate) fn oracle(shown: Shown, compared: &ComparedTable) -> Option<Table> {
    let ensembles: &ComparedEnsembles = compared.ensembles.as_ref()?;
    let mut table = Table {
        title: format!("{}: the best of each question, an upper bound", about(compared)),
        ..Table::default()
    };
    table.columns = vec![
        Column::number("systems", "size"),
        Column::text("chosen", "selection"),
        Column::number("value", "value"),
        Column::text("which", "systems"),
    ];
    let row = |name: &str, set: &ComparedSet, which: String| {
        vec![set.systems.len().to_string(), name.to_owned(), shown.number(&set.value), which]
    };
    let all = |set: &ComparedSet| set.systems.join(", ");
    // Each set has those of the one before: people read what is new.
    let grown = |set: &ComparedSet| match set.systems.as_slice() {
        [_, .., last] if !shown.is_plain() => format!("+ {last}"),
        _ => all(set),
    };
    table.rows.extend(ensembles.best.iter().flatten().map(|set| row("best", set, all(set))));
    table.rows.extend(ensembles.greedy.iter().map(|set| row("greedy", set, grown(set))));
    if ensembles.best.is_none() {
        table.footnotes.push("so many systems have too many sets to look at all of them: greedy ones reach at least 63 % of the best".to_owned());
    }
    table.footnotes.push(
        "best: the best set of its size; greedy: to the set before, the system that helps most is added"
            .to_owned(),
    );
    let losses: Vec<String> =
        ensembles.without.iter().map(|(name, loss)| format!("{name} {}", shown.number(loss))).collect();
    if !losses.is_empty() {
        table.footnotes.push(format!("what all together lose without one of them: {}", losses.join(", ")));
    }
    Some(table)
}

/// A row a question.
pub(super) fn items(shown: Shown, compared: &ComparedTable) -> Table {
    let mut table = Table { title: about(compared), ..Table::default() };
    table.columns = vec![
        Column::text("question", "question"),
        Column::number("difficulty", "difficulty"),
        Column::number("discrimination", "discrimination"),
    ];
    table
        .columns
        .extend(compared.systems.iter().map(|system| Column::number(&system.system, &system.system)));
    for item in &compared.items {
        let mut row = vec![
            item.question.clone(),
            shown.number(&item.difficulty),
            shown.optional(item.discrimination.as_ref()),
        ];
        row.extend(item.scores.iter().map(|score| shown.number(score)));
        table.rows.push(row);
    }
    table.footnotes.push(if compared.items.is_empty() {
        "the measure is no mean over questions: they have no scores".to_owned()
    } else {
        format!("of {} systems; difficulty is their mean score: a high one is easy", compared.systems.len())
    });
    table
}
