//! Groups of equals on the axis of the value: below the systems a bar for each largest set of systems that cannot be told
//! apart. It stands in place of critical-difference diagrams, which show mean ranks.

use std::collections::{BTreeMap, BTreeSet};

use crate::measures::fraction::Fraction;
use crate::report::plots::Plot;
use crate::report::plots::axis::AxisKind;
use crate::report::plots::drawing::PointShape;
use crate::report::plots::rows::{PlotRow, RowFrame};
use crate::report::plots::words::{TableWords, listed, number, value_of};
use crate::report::table::{Column, Table};

/// A group: its letter, and its systems with their values, the best first.
#[derive(Debug)]
struct Equals {
    letter: char,
    members: Vec<(String, Fraction)>,
}

/// The plot; none where nothing tells who is equal.
pub(super) fn equals(words: &TableWords<'_>) -> Option<Plot> {
    let groups = groups(words)?;
    let [systems, apart] = words.systems();
    let systems: Vec<(&str, &str, Fraction)> = systems
        .iter()
        .filter_map(|one| Some((one.system.as_str(), one.letters.as_deref()?, value_of(one)?)))
        .collect();
    let mut rows: Vec<PlotRow> = systems
        .iter()
        .map(|(name, letters, value)| PlotRow::new(*name, format!("{} {letters}", number(value))))
        .collect();
    rows.push(PlotRow::heading("Groups of systems that cannot be told apart"));
    rows.extend(groups.iter().map(|group| {
        let count = group.members.len();
        let words = if count == 1 { "stands alone".to_owned() } else { format!("{count} systems") };
        PlotRow::new(group.letter.to_string(), words)
    }));
    let numbers = systems.iter().map(|(_, _, value)| value);
    let mut frame = RowFrame::new(&rows, numbers, AxisKind::Values, &words.measure());
    for (row, (_, _, value)) in systems.iter().enumerate() {
        let at = frame.place(row, value);
        frame.drawing.point("dot", PointShape::Square, at);
    }
    for (row, group) in (systems.len() + 1..).zip(&groups) {
        let places: Vec<[i64; 2]> = group.members.iter().map(|(_, value)| frame.place(row, value)).collect();
        let (Some(first), Some(last)) = (places.iter().min(), places.iter().max()) else { continue };
        frame.drawing.line("bar", &[*first, *last]);
        for place in places {
            frame.drawing.point("dot", PointShape::Circle, place);
        }
    }
    let told = |group: &Equals| {
        let names: Vec<&str> = group.members.iter().map(|(name, _)| name.as_str()).collect();
        format!("{}: {}", group.letter, names.join(", "))
    };
    let mut notes = words.notes();
    if !apart.is_empty() {
        notes.push("Systems without a rank are in no group.".to_owned());
    }
    Some(Plot {
        kind: "equals",
        title: format!("Groups of equals by {}", words.measure()),
        reading: "A bar joins systems that cannot be told apart, with a dot at each of them; its letter stands behind their values. A bar may pass a system that is not of its group."
            .to_owned(),
        description: listed(&groups.iter().map(told).collect::<Vec<_>>()),
        notes,
        table: table(&groups),
        drawing: frame.drawing,
    })
}

/// Why there is no plot, where letters do not suffice.
pub(super) fn left_out(words: &TableWords<'_>) -> Option<&'static str> {
    let [usual, _] = words.systems();
    let mut letters = usual.iter().filter_map(|system| system.letters.as_deref());
    letters.any(has_long).then_some(
        "There are more than 26 groups of equals: their plot is left out, and the table has their letters.",
    )
}

/// Whether some of the letters of a system are of two signs: those of the groups behind z.
fn has_long(letters: &str) -> bool {
    letters.chars().collect::<BTreeSet<char>>().len() < letters.chars().count()
}

/// The groups by their letters; none where no test was made, and where letters do not suffice.
fn groups(words: &TableWords<'_>) -> Option<Vec<Equals>> {
    let mut groups: BTreeMap<char, Vec<(String, Fraction)>> = BTreeMap::new();
    for system in &words.systems()[0] {
        let (Some(letters), Some(value)) = (&system.letters, value_of(system)) else { continue };
        if has_long(letters) {
            return None;
        }
        for letter in letters.chars() {
            groups.entry(letter).or_default().push((system.system.clone(), value.clone()));
        }
    }
    let groups: Vec<Equals> =
        groups.into_iter().map(|(letter, members)| Equals { letter, members }).collect();
    let systems: BTreeSet<&str> =
        groups.iter().flat_map(|group| &group.members).map(|(name, _)| name.as_str()).collect();
    (systems.len() > 1).then_some(groups)
}

fn table(groups: &[Equals]) -> Table {
    let mut table = Table {
        columns: vec![
            Column::text("group", "group"),
            Column::text("systems", "systems"),
            Column::number("lowest", "lowest"),
            Column::number("highest", "highest"),
        ],
        ..Table::default()
    };
    for group in groups {
        let names: Vec<&str> = group.members.iter().map(|(name, _)| name.as_str()).collect();
        let values = || group.members.iter().map(|(_, value)| value);
        let [lowest, highest] =
            [values().min(), values().max()].map(|value| value.map_or_else(String::new, number));
        table.rows.push(vec![group.letter.to_string(), names.join(", "), lowest, highest]);
    }
    table
}
