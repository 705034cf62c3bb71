//! Slope charts: a line a system from its value on one side to its value on the other. Of gold answers that were refreshed,
//! and of two ways to score.

use crate::measures::fraction::Fraction;
use crate::record::comparison::across::{ComparedDrift, ComparedProfiles};
use crate::record::comparison::{ComparedTable, TableKey};
use crate::report::comparison::across;
use crate::report::comparison::shown::{described, measure, reason};
use crate::report::plots::Plot;
use crate::report::plots::axis::{Axis, AxisKind, count};
use crate::report::plots::drawing::{Anchor, Drawing, LEFT_TO_RIGHT, TextSize, width};
use crate::report::plots::series::{ASIDE, SeriesLook};
use crate::report::plots::words::{FOR_PEOPLE, listed, number, signed, value_of};
use crate::report::table::{Column, Table};

/// The columns of the table of drift that say what a row is about: dataset, profile, experiment, measure.
const ABOUT: usize = 4;

/// Between the two sides, and between a side and its words.
const PANEL: i64 = 3000;
const LEADER: i64 = 260;

/// The most room of a name with its value, and from one to the next.
const NAME: i64 = 2300;
const APART: i64 = 180;

/// The least height.
const LEAST: i64 = 2200;

/// A system on both sides.
#[derive(Debug)]
struct Slope {
    system: String,
    values: [Fraction; 2],
    /// What makes its value mean something else than it seems to.
    codes: String,
}

/// What refreshed gold answers change: a chart for each table with them.
pub(super) fn drift(all: &[ComparedDrift], tables: &[ComparedTable]) -> Vec<(String, Plot)> {
    let of_table = |group: &[ComparedDrift]| {
        let key = &group.first()?.table;
        let slopes: Vec<Slope> = group
            .iter()
            .map(|one| Slope {
                system: one.system.clone(),
                values: [one.curated.fraction(), one.refreshed.fraction()],
                codes: codes(tables, key, &one.system),
            })
            .collect();
        let told = |one: &ComparedDrift| {
            let change = signed(&one.difference.fraction());
            let (before, after) = (number(&one.curated.fraction()), number(&one.refreshed.fraction()));
            format!(
                "{} {before} to {after} ({change}): better in {}, worse in {} of {} questions",
                one.system, one.up, one.down, one.questions
            )
        };
        let mut notes = cautions(&slopes);
        notes.extend(
            group.iter().filter_map(|one| Some(format!("{}: {}", one.system, reason(one.no_interval?)))),
        );
        let mut table = across::drift(FOR_PEOPLE, group);
        // What the title says of all rows stands in none of them.
        table.columns.drain(..ABOUT);
        table.rows.iter_mut().for_each(|row| drop(row.drain(..ABOUT)));
        let plot = Plot {
            kind: "drift",
            title: format!("{} against curated and refreshed gold answers", measure(key)),
            reading: "Over the questions that have both gold answers. A fact about these questions, no sample: there is no p-value."
                .to_owned(),
            description: listed(&group.iter().map(told).collect::<Vec<_>>()),
            notes,
            drawing: drawing(&slopes, ["curated", "refreshed"]),
            table,
        };
        Some((format!("{}, drift", described(key)), plot))
    };
    all.chunk_by(|one, next| one.table == next.table).filter_map(of_table).collect()
}

/// Whether two tables rank alike; none where no system is in both.
pub(super) fn profiles(both: &ComparedProfiles, tables: &[ComparedTable]) -> Option<(String, Plot)> {
    let [one, other] = &both.tables;
    let find = |key: &TableKey| tables.iter().find(|table| table.key == *key);
    let (left, right) = (find(one)?, find(other)?);
    let slope = |system: &crate::record::comparison::ComparedSystem| {
        let after = right.systems.iter().find(|other| other.system == system.system)?;
        let known = [codes(tables, one, &system.system), codes(tables, other, &system.system)];
        let codes = known.into_iter().find(|codes| !codes.is_empty()).unwrap_or_default();
        Some(Slope { system: system.system.clone(), values: [value_of(system)?, value_of(after)?], codes })
    };
    let slopes: Vec<Slope> = left.systems.iter().filter_map(slope).collect();
    if slopes.is_empty() {
        return None;
    }
    let sides = sides(one, other);
    let tau = match &both.tau_b {
        Some(tau) => format!("Kendall's τ-b of the two orders is {}.", number(&tau.fraction())),
        None => "Kendall's τ-b is not defined: one side has the same value for all.".to_owned(),
    };
    let discordant: Vec<String> = both.discordant.iter().map(|[a, b]| format!("{a} and {b}")).collect();
    let turned = if discordant.is_empty() {
        "No two systems stand the other way round.".to_owned()
    } else {
        format!("The other way round: {}.", discordant.join("; "))
    };
    let mut table = Table { columns: vec![Column::text("system", "system")], ..Table::default() };
    table.columns.extend(sides.iter().map(|side| Column::number(side, side)));
    let cells =
        |slope: &Slope| [slope.system.clone(), number(&slope.values[0]), number(&slope.values[1])].to_vec();
    table.rows = slopes.iter().map(cells).collect();
    let told = |slope: &Slope| {
        format!("{} {} to {}", slope.system, number(&slope.values[0]), number(&slope.values[1]))
    };
    let plot = Plot {
        kind: "slopes",
        title: "Whether both rank alike".to_owned(),
        reading: format!(
            "{tau} {turned} Whether a difference is more than chance is told where each of the two is shown."
        ),
        description: listed(&slopes.iter().map(told).collect::<Vec<_>>()),
        notes: cautions(&slopes),
        drawing: drawing(&slopes, [&sides[0], &sides[1]]),
        table,
    };
    let measure = if one.measure == other.measure { format!(" {}", measure(one)) } else { String::new() };
    Some((format!("{}, {}{measure}: {} and {}", one.dataset, one.experiment, sides[0], sides[1]), plot))
}

/// What both sides are called: by what differs.
fn sides(one: &TableKey, other: &TableKey) -> [String; 2] {
    let differs = one.profile_version != other.profile_version;
    let same_name = one.profile == other.profile;
    [one, other].map(|key| match (differs, same_name) {
        (true, true) => format!("profile {}", key.profile_version.rsplit('/').next().unwrap_or(&key.profile)),
        (true, false) if one.measure == other.measure => format!("profile {}", key.profile),
        (true, false) => format!("{} by profile {}", measure(key), key.profile),
        (false, _) if one.gold == other.gold => key.refreshed.clone().unwrap_or_else(|| key.gold.clone()),
        (false, _) => format!("{} gold answers", key.gold),
    })
}

/// What makes the value of a system in a table mean something else than it seems to.
fn codes(tables: &[ComparedTable], key: &TableKey, system: &str) -> String {
    let table = tables.iter().find(|table| table.key == *key);
    let system = table.and_then(|table| table.systems.iter().find(|one| one.system == system));
    let cautions = system.map(|system| system.cautions.as_slice()).unwrap_or_default();
    let codes: Vec<&str> = cautions.iter().map(|caution| caution.code.as_str()).collect();
    codes.join(", ")
}

fn cautions(slopes: &[Slope]) -> Vec<String> {
    let odd = slopes.iter().filter(|slope| !slope.codes.is_empty());
    odd.map(|slope| format!("{} takes no rank: {}", slope.system, slope.codes)).collect()
}

fn drawing(slopes: &[Slope], sides: [&str; 2]) -> Drawing {
    let label = |slope: &Slope, side: usize| {
        let odd = if slope.codes.is_empty() { "" } else { " (no rank)" };
        format!("{}{LEFT_TO_RIGHT}{odd} {}", slope.system, number(&slope.values[side]))
    };
    let widest =
        slopes.iter().flat_map(|slope| [0, 1].map(|side| width(&label(slope, side), TextSize::Usual)));
    let room = widest.max().unwrap_or(0).min(NAME);
    let ticks_room = 620;
    let height = LEAST.max(APART * count(slopes.len()) + 200);
    let (top, bottom) = (340, 340 + height);
    let x = [ticks_room + room + LEADER, ticks_room + room + LEADER + PANEL];
    let mut drawing = Drawing::new(x[1] + LEADER + room + 60, bottom + 120);
    let axis = Axis::over(slopes.iter().flat_map(|slope| &slope.values), AxisKind::Values, [bottom, top]);
    for (y, text) in axis.ticks(AxisKind::Values) {
        drawing.line(if text == "0" { "zero" } else { "grid" }, &[[x[0], y], [x[1], y]]);
        drawing.words("", [ticks_room - 160, y + 40], Anchor::End, TextSize::Small, ticks_room - 160, &text);
    }
    let middle = i64::midpoint(x[0], x[1]);
    for (side, anchor, at) in [(0, Anchor::End, middle - 150), (1, Anchor::Start, middle + 150)] {
        drawing.line("axis", &[[x[side], top], [x[side], bottom]]);
        // Above its axis, where it has room there beside the other one.
        let has_room = width(sides[side], TextSize::Usual) <= 2 * (PANEL / 2 - 150).min(LEADER + room);
        let (at, anchor) = if has_room { (x[side], Anchor::Middle) } else { (at, anchor) };
        drawing.words("strong", [at, 170], anchor, TextSize::Usual, PANEL / 2 + room, sides[side]);
    }
    for (at, slope) in slopes.iter().enumerate() {
        let points = [0, 1].map(|side| [x[side], axis.place(&slope.values[side])]);
        let look = if slope.codes.is_empty() { SeriesLook::of(at) } else { ASIDE };
        drawing.line(look.line, &points);
        for place in points {
            drawing.point(look.point, look.shape, place);
        }
    }
    for (side, anchor, towards) in [(0, Anchor::End, -1), (1, Anchor::Start, 1)] {
        let wanted: Vec<i64> = slopes.iter().map(|slope| axis.place(&slope.values[side])).collect();
        for ((slope, y), from) in slopes.iter().zip(spread(&wanted, APART, bottom)).zip(&wanted) {
            let near = x[side] + towards * 80;
            let far = x[side] + towards * (LEADER - 60);
            drawing.line("grid", &[[near, *from], [far, y]]);
            let at = [x[side] + towards * LEADER, y + 45];
            drawing.words("strong", at, anchor, TextSize::Usual, room, &label(slope, side));
        }
    }
    drawing
}

/// Places near the wanted ones, so far apart that words do not stand on each other, none below the lowest.
fn spread(wanted: &[i64], apart: i64, lowest: i64) -> Vec<i64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|at| wanted[*at]);
    let mut places = vec![0; wanted.len()];
    let mut next = i64::MIN;
    for at in &order {
        places[*at] = wanted[*at].max(next);
        next = places[*at] + apart;
    }
    // Those at the lower end push the others up.
    let mut most = lowest;
    for at in order.iter().rev() {
        places[*at] = places[*at].min(most);
        most = places[*at] - apart;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_do_not_stand_on_each_other() {
        assert_eq!(spread(&[500, 510, 505, 900], 100, 1000), [500, 700, 600, 900]);
        assert_eq!(spread(&[1000, 1000, 1000], 100, 1000), [800, 900, 1000]);
        assert_eq!(spread(&[], 100, 1000), [0; 0]);
    }

    proptest! {
        #[test]
        fn all_words_have_room(wanted in prop::collection::vec(0_i64..=5000, 1..28)) {
            let places = spread(&wanted, APART, 5000);
            let mut sorted = places.clone();
            sorted.sort_unstable();
            prop_assert!(sorted.windows(2).all(|both| both[1] - both[0] >= APART));
            prop_assert!(sorted.iter().all(|place| (0..=5000).contains(place)));
            // Who is above stays above.
            for (one, first) in wanted.iter().enumerate() {
                for (other, second) in wanted.iter().enumerate() {
                    prop_assert!(first >= second || places[one] < places[other]);
                }
            }
        }
    }
}
