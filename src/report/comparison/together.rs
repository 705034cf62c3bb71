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
    let sets = |name: &'static str| {
        move |set: &ComparedSet| {
            vec![
                set.systems.len().to_string(),
                name.to_owned(),
                shown.number(&set.value),
                set.systems.join(", "),
            ]
        }
    };
    table.rows.extend(ensembles.best.iter().flatten().map(sets("best")));
    table.rows.extend(ensembles.greedy.iter().map(sets("greedy")));
    if ensembles.best.is_none() {
        table.footnotes.push("so many systems have too many sets to look at all of them: greedy ones reach at least 63 % of the best".to_owned());
    }
    let without = ensembles.without.iter();
    table
        .footnotes
        .extend(without.map(|(name, loss)| format!("without {name} all lose {}", shown.number(loss))));
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
        format!("of {} systems; a high difficulty is easy", compared.systems.len())
    });
    table
}
