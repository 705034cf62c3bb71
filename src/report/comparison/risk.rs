//! How far systems are from right on what they are most sure of, as a table.

use crate::record::comparison::ComparedTable;
use crate::record::comparison::risk::ComparedRisk;
use crate::report::comparison::shown::{Shown, about, measure, ordered};
use crate::report::table::{Column, Table};

/// The curves of a table, those of the best systems first.
pub(crate) fn curves(compared: &ComparedTable) -> Vec<&ComparedRisk> {
    let of_system = |name: &str| compared.risk.iter().find(|curve| curve.system == name);
    ordered(compared).into_iter().filter_map(|system| of_system(&system.system)).collect()
}

/// Who says of no question how sure it is, where others do.
pub(crate) fn unsure(compared: &ComparedTable) -> Option<String> {
    let is_silent = |name: &&str| compared.risk.iter().all(|curve| curve.system != *name);
    let names = ordered(compared).into_iter().map(|system| system.system.as_str());
    let silent: Vec<&str> = names.filter(is_silent).collect();
    let told = || format!("{}: no question with a confidence: {}", compared.key.dataset, silent.join(", "));
    (!silent.is_empty() && !compared.risk.is_empty()).then(told)
}

/// A row for each confidence of each system.
pub(crate) fn risk(shown: Shown, compared: &ComparedTable) -> Table {
    let mut table = Table { title: about(compared), ..Table::default() };
    table.columns = vec![
        Column::text("system", "system"),
        Column::number("confidence from", "confidence"),
        Column::number("questions", "questions"),
        Column::number("coverage", "coverage"),
        Column::number("risk", "risk"),
    ];
    for curve in curves(compared) {
        table.rows.extend(curve.points.iter().map(|point| {
            vec![
                curve.system.clone(),
                // As it was given: only its order counts.
                point.confidence.to_string(),
                point.questions.to_string(),
                shown.number(&point.coverage),
                shown.number(&point.risk),
            ]
        }));
    }
    table.footnotes.push(format!(
        "coverage: the share of questions with this confidence or more; risk: 1 less their mean {}",
        measure(&compared.key)
    ));
    table.footnotes.extend(unsure(compared));
    table
}
