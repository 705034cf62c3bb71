//! Risk by coverage: a line a system, from what it is most sure of to all that it is sure of at all.

use crate::measures::fraction::Fraction;
use crate::record::comparison::risk::{ComparedRisk, ComparedRiskPoint};
use crate::report::comparison::risk::{curves, risk as table, unsure};
use crate::report::plots::Plot;
use crate::report::plots::axis::{Axis, AxisKind};
use crate::report::plots::drawing::{Anchor, Drawing, LINE, PointShape, TextSize};
use crate::report::plots::series::{ASIDE, SeriesLook};
use crate::report::plots::words::{FOR_PEOPLE, TableWords, listed, number};

/// The room of the numbers at the left, and the size of the panel.
const LEFT: i64 = 520;
const PANEL: [i64; 2] = [4400, 2600];

/// The most points of a line that are drawn as such.
const MOST_MARKED: usize = 25;

/// The plot; none where nobody says how sure it is.
pub(super) fn risk(words: &TableWords<'_>) -> Option<Plot> {
    let curves = curves(words.table);
    if curves.is_empty() {
        return None;
    }
    let ends = |curve: &ComparedRisk| {
        let [first, last] = [curve.points.first()?, curve.points.last()?].map(|point| {
            format!("{} at coverage {}", number(&point.risk.fraction()), number(&point.coverage.fraction()))
        });
        let name = &curve.system;
        Some(if first == last { format!("{name} {first}") } else { format!("{name} {first}, {last}") })
    };
    let mut notes = words.notes();
    notes.extend(unsure(words.table));
    Some(Plot {
        kind: "risk",
        title: format!("Risk by coverage: {} of what systems are most sure of", words.measure()),
        reading: "From left to right questions come in by confidence, the highest first, equal ones together: that of a question is the highest that one of its answers has, or in rankings the score that they are ranked by. Coverage is the share of all questions, risk is 1 less the mean over those that are in. A line ends where no other question has a confidence; between its points there is nothing."
            .to_owned(),
        description: listed(&curves.iter().filter_map(|curve| ends(curve)).collect::<Vec<_>>()),
        notes,
        drawing: drawing(words, &curves),
        table: table(FOR_PEOPLE, words.table),
    })
}

fn drawing(words: &TableWords<'_>, curves: &[&ComparedRisk]) -> Drawing {
    let (right, top, bottom) = (LEFT + PANEL[0], 60, 60 + PANEL[1]);
    let mut drawing = Drawing::new(right + 240, bottom + 2 * LINE + 60);
    let risks: Vec<Fraction> =
        curves.iter().flat_map(|curve| &curve.points).map(|point| point.risk.fraction()).collect();
    let across = Axis::over([&Fraction::one()], AxisKind::Values, [LEFT, right]);
    let up = Axis::over(&risks, AxisKind::Values, [bottom, top]);
    for (x, text) in across.ticks(AxisKind::Values) {
        drawing.line("grid", &[[x, top], [x, bottom]]);
        drawing.words("", [x, bottom + LINE], Anchor::Middle, TextSize::Small, 400, &text);
    }
    for (y, text) in up.ticks(AxisKind::Values) {
        drawing.line(if text == "0" { "zero" } else { "grid" }, &[[LEFT, y], [right, y]]);
        drawing.words("", [LEFT - 80, y + 40], Anchor::End, TextSize::Small, LEFT - 80, &text);
    }
    let unit = format!("coverage (across) and risk, 1 − {} (up)", words.measure());
    let middle = i64::midpoint(LEFT, right);
    drawing.words("", [middle, bottom + 2 * LINE], Anchor::Middle, TextSize::Small, PANEL[0], &unit);
    let place = |point: &ComparedRiskPoint| {
        [across.place(&point.coverage.fraction()), up.place(&point.risk.fraction())]
    };
    let mut names = Vec::new();
    for (at, curve) in curves.iter().enumerate() {
        let is_apart = !words.codes(&curve.system).is_empty();
        let look = if is_apart { ASIDE } else { SeriesLook::of(at) };
        let places: Vec<[i64; 2]> = curve.points.iter().map(place).collect();
        if places.len() > 1 {
            drawing.line(look.line, &places);
        }
        let is_marked = |number: usize| places.len() <= MOST_MARKED || number + 1 == places.len();
        for (_, at) in places.iter().enumerate().filter(|(number, _)| is_marked(*number)) {
            drawing.point(look.point, look.shape, *at);
        }
        let odd =
            if is_apart { format!(" (no rank: {})", words.codes(&curve.system)) } else { String::new() };
        names.push((look, format!("{}{odd}", curve.system)));
    }
    let key: Vec<(&'static str, PointShape, &str)> =
        names.iter().map(|(look, name)| (look.point, look.shape, name.as_str())).collect();
    drawing.key(&key);
    drawing
}
