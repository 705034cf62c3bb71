//! What hurts whom: systems inside and outside of groups of questions, and pairs of systems inside of them.

use crate::record::comparison::{ComparedGroups, ComparedTable};
use crate::report::comparison::pairs;
use crate::report::comparison::shown::{Shown, about};
use crate::report::table::{Column, Table};

/// Two tables, where groups were compared: systems, then pairs.
pub(crate) fn groups(shown: Shown, compared: &ComparedTable) -> Vec<Table> {
    compared
        .groups
        .iter()
        .flat_map(|groups| [effects(shown, compared, groups), inside(shown, compared, groups)])
        .filter(|table| !table.rows.is_empty())
        .collect()
}

fn effects(shown: Shown, compared: &ComparedTable, groups: &ComparedGroups) -> Table {
    let mut table =
        Table { title: format!("{}, inside and outside of groups", about(compared)), ..Table::default() };
    table.columns = vec![
        Column::text("system", "system"),
        Column::text("group", "group"),
        Column::number("n", "questions"),
        Column::number("inside", "inside"),
        Column::number("outside", "outside"),
        Column::number("difference", "difference"),
        Column::number("p", "p"),
        Column::number("adjusted", "adjusted"),
    ];
    let row = |one: &crate::record::comparison::ComparedGroupEffect| {
        vec![
            one.system.clone(),
            name(&one.group),
            one.questions.to_string(),
            shown.number(&one.inside),
            shown.number(&one.outside),
            shown.number(&one.difference),
            shown.p(&one.p),
            shown.adjusted(&one.adjusted, one.significant),
        ]
    };
    table.rows = groups.effects.iter().map(row).collect();
    table.footnotes.push(
        "groups overlap, and nobody drew their questions: a group is associated with a difference, and need not be its cause; \
         9,999 shuffles, adjusted by Holm among the tests of a system"
            .to_owned(),
    );
    table
}

fn inside(shown: Shown, compared: &ComparedTable, groups: &ComparedGroups) -> Table {
    let mut table =
        Table { title: format!("{}, pairs inside of groups", about(compared)), ..Table::default() };
    table.columns = vec![Column::text("group", "group"), Column::number("n", "questions")];
    table.columns.extend(pairs::columns(shown));
    for one in &groups.pairs {
        let mut row = vec![name(&one.group), one.questions.to_string()];
        row.extend(pairs::row(shown, &one.pair));
        table.rows.push(row);
    }
    table.footnotes.push("adjusted by Holm among the groups of a pair".to_owned());
    table
}

/// What a group is called, as in the tables of evaluations.
fn name(group: &str) -> String {
    group.trim_start_matches("group-").to_owned()
}
