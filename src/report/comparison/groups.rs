//! What hurts whom: systems inside and outside of groups of questions, and pairs of systems inside of them.

use std::collections::BTreeMap;

use crate::record::comparison::{ComparedGroupEffect, ComparedGroups, ComparedTable};
use crate::record::results::decimal::Decimal;
use crate::report::comparison::pairs;
use crate::report::comparison::shown::{Shown, about};
use crate::report::table::{Column, Table};

/// The numbers of a group in a system: how many questions, the values inside and outside, p.
type GroupNumbers<'g> = (&'g str, usize, [&'g Decimal; 2], &'g Decimal);

/// Two tables, where groups were compared: systems, then pairs.
pub(crate) fn groups(shown: Shown, compared: &ComparedTable) -> Vec<Table> {
    compared
        .groups
        .iter()
        .flat_map(|groups| [effects(shown, compared, groups), inside(shown, compared, groups)])
        .filter(|table| !table.rows.is_empty())
        .collect()
}

/// Whether no two systems were compared inside of groups.
pub(crate) fn without_pairs(compared: &ComparedTable) -> bool {
    compared.groups.as_ref().is_none_or(|groups| groups.pairs.is_empty())
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
    let row = |(one, names): (&ComparedGroupEffect, String)| {
        vec![
            one.system.clone(),
            names,
            one.questions.to_string(),
            shown.number(&one.inside),
            shown.number(&one.outside),
            shown.number(&one.difference),
            shown.p(&one.p),
            shown.adjusted(&one.adjusted, one.significant),
        ]
    };
    table.rows = merged(shown, compared, &groups.effects).into_iter().map(row).collect();
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
        let mut row = vec![name(shown, &one.group), one.questions.to_string()];
        row.extend(pairs::row(shown, &one.pair, compared));
        table.rows.push(row);
    }
    table.footnotes.push("adjusted by Holm among the groups of a pair".to_owned());
    table
}

/// The effects, those with the same numbers in all systems once: groups of the same questions, and groups that are all but
/// these, are one test. With each the names of all groups that it stands for.
fn merged<'g>(
    shown: Shown,
    compared: &ComparedTable,
    effects: &'g [ComparedGroupEffect],
) -> Vec<(&'g ComparedGroupEffect, String)> {
    if shown.is_plain() {
        return effects.iter().map(|one| (one, name(shown, &one.group))).collect();
    }
    let mut numbers: BTreeMap<&str, Vec<GroupNumbers<'g>>> = BTreeMap::new();
    for one in effects {
        let sides = [&one.inside, &one.outside];
        numbers.entry(&one.group).or_default().push((&one.system, one.questions, sides, &one.p));
    }
    let turned = |all: &[GroupNumbers<'g>]| -> Vec<GroupNumbers<'g>> {
        let of_rest = |(system, questions, [inside, outside], p): &GroupNumbers<'g>| {
            (*system, compared.questions.saturating_sub(*questions), [*outside, *inside], *p)
        };
        all.iter().map(of_rest).collect()
    };
    // The first group of each test, with what the others are to it.
    let mut firsts: Vec<(&str, &[GroupNumbers<'g>], String)> = Vec::new();
    for (group, own) in &numbers {
        let rest = turned(own);
        match firsts.iter_mut().find(|(_, known, _)| *known == own.as_slice() || *known == rest.as_slice()) {
            Some((_, known, names)) if *known == own.as_slice() => names.extend(["; ", &name(shown, group)]),
            Some((_, _, names)) => names.extend(["; not ", &name(shown, group)]),
            None => firsts.push((group, own, name(shown, group))),
        }
    }
    let of_first = |one: &'g ComparedGroupEffect| {
        firsts.iter().find(|(group, ..)| *group == one.group).map(|(_, _, names)| (one, names.clone()))
    };
    effects.iter().filter_map(of_first).collect()
}

/// What a group is called, as in the tables of evaluations; of a language, what it means.
fn name(shown: Shown, group: &str) -> String {
    let name = group.trim_start_matches("group-");
    match name.strip_prefix("language-").filter(|_| !shown.is_plain()) {
        Some("other") => "has a text in another language".to_owned(),
        Some(language) => format!("has a text in {language}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::comparison::ComparedGroups;
    use crate::record::results::decimal::Decimal;
    use crate::report::plots::sample_table;
    use crate::report::plots::words::FOR_PEOPLE;
    use crate::report::table::Layout;

    #[test]
    fn groups_that_are_one_test_are_one_row() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let effect =
            |system: &str, group: &str, questions, inside: &str, outside: &str| ComparedGroupEffect {
                system: system.to_owned(),
                group: group.to_owned(),
                questions,
                inside: decimal(inside),
                outside: decimal(outside),
                difference: decimal("0"),
                p: decimal("0.5"),
                adjusted: decimal("0.5"),
                significant: false,
            };
        let of_system = |system: &str, last: &str| {
            [
                effect(system, "group-ask", 12, "0.2", "0.3"),
                effect(system, "group-boolean", 12, "0.2", "0.3"),
                effect(system, "group-count", 28, "0.3", "0.2"),
                // As many, with the numbers of another in one of the systems.
                effect(system, "group-language-es", 12, "0.2", last),
            ]
        };
        let mut table = sample_table(&["A", "B"], 40, "d");
        let effects = [of_system("A", "0.3"), of_system("B", "0.4")].concat();
        table.groups = Some(ComparedGroups { effects, pairs: Vec::new() });
        let names = |shown| {
            let tables = groups(shown, &table);
            tables[0].rows.iter().map(|row| format!("{} {}", row[0], row[1])).collect::<Vec<_>>()
        };
        let merged = "ask; boolean; not count";
        let es = "has a text in es";
        assert_eq!(
            names(FOR_PEOPLE),
            [format!("A {merged}"), format!("A {es}"), format!("B {merged}"), format!("B {es}")]
        );
        assert_eq!(names(Shown { format: Layout::Csv }).len(), 8);
    }
}
