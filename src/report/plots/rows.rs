//! Rows under each other on one axis: a name at the left, marks in the middle, words at the right. Most plots are such.

use crate::measures::fraction::Fraction;
use crate::report::plots::axis::{Axis, AxisKind};
use crate::report::plots::drawing::{Anchor, Drawing, LINE, TextSize, width};

/// The length of the axis.
const AXIS: i64 = 3400;

/// The most room of a name at the left, and of words at the right.
const MOST_LEFT: i64 = 2600;
const MOST_RIGHT: i64 = 2400;

/// The height of a row, and of the note below one.
const ROW: i64 = 240;
const NOTE: i64 = 150;

/// A row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PlotRow {
    /// What it is about.
    pub(super) label: String,
    /// The number at its end, and words.
    pub(super) end: String,
    /// What is said below it; empty where nothing is.
    pub(super) note: String,
    /// Whether it is no row, but the beginning of a new part: a line and a few words.
    pub(super) is_heading: bool,
}

impl PlotRow {
    /// A row with a name and words at its end.
    pub(super) fn new(label: impl Into<String>, end: impl Into<String>) -> Self {
        Self { label: label.into(), end: end.into(), ..Self::default() }
    }

    /// The beginning of a new part.
    pub(super) fn heading(words: &str) -> Self {
        Self { label: words.to_owned(), is_heading: true, ..Self::default() }
    }

    fn height(&self) -> i64 {
        ROW + if self.note.is_empty() { 0 } else { NOTE }
    }
}

/// Rows on an axis, ready for marks.
#[derive(Debug)]
pub(super) struct RowFrame {
    pub(super) drawing: Drawing,
    pub(super) axis: Axis,
    middles: Vec<i64>,
}

impl RowFrame {
    /// With an axis over all numbers that will be on it, and its name below.
    pub(super) fn new<'n>(
        rows: &[PlotRow],
        numbers: impl IntoIterator<Item = &'n Fraction>,
        kind: AxisKind,
        unit: &str,
    ) -> Self {
        let widest = |words: fn(&PlotRow) -> &str, most: i64| {
            let rows = rows.iter().filter(|row| !row.is_heading);
            rows.map(|row| width(words(row), TextSize::Usual)).max().unwrap_or(0).min(most)
        };
        let (left, right) = (widest(|row| &row.label, MOST_LEFT), widest(|row| &row.end, MOST_RIGHT));
        let ends = [left + 160, left + 160 + AXIS];
        let top = 60;
        let bottom = top + rows.iter().map(PlotRow::height).sum::<i64>();
        let total = ends[1] + 160 + right;
        let mut drawing = Drawing::new(total, bottom + 2 * LINE + 60);
        let axis = Axis::over(numbers, kind, ends);
        draw_axis(&mut drawing, &axis, kind, [top, bottom], unit);
        let mut y = top;
        let mut middles = Vec::new();
        for row in rows {
            let middle = y + ROW / 2;
            if row.is_heading {
                drawing.line("axis", &[[0, y + 30], [total, y + 30]]);
                drawing.words("halo", [0, middle + 70], Anchor::Start, TextSize::Small, total, &row.label);
            } else {
                drawing.words("strong", [left, middle + 45], Anchor::End, TextSize::Usual, left, &row.label);
                drawing.words(
                    "",
                    [ends[1] + 160, middle + 45],
                    Anchor::Start,
                    TextSize::Usual,
                    right,
                    &row.end,
                );
            }
            if !row.note.is_empty() {
                drawing.words(
                    "halo",
                    [left + 160, middle + 180],
                    Anchor::Start,
                    TextSize::Small,
                    AXIS + right,
                    &row.note,
                );
            }
            middles.push(middle);
            y += row.height();
        }
        Self { drawing, axis, middles }
    }

    /// Where the middle of a row is.
    pub(super) fn middle(&self, row: usize) -> i64 {
        self.middles.get(row).copied().unwrap_or_default()
    }

    /// Where a number stands in a row.
    pub(super) fn place(&self, row: usize, number: &Fraction) -> [i64; 2] {
        [self.axis.place(number), self.middle(row)]
    }

    /// An interval in a row.
    pub(super) fn interval(&mut self, class: &'static str, row: usize, bounds: &[Fraction; 2]) {
        let ends = [0, 1].map(|end| self.axis.place(&bounds[end]));
        let y = self.middle(row);
        self.drawing.whiskers(class, ends, y);
    }
}

fn draw_axis(drawing: &mut Drawing, axis: &Axis, kind: AxisKind, [top, bottom]: [i64; 2], unit: &str) {
    let ticks = axis.ticks(kind);
    let widest = ticks.iter().map(|(_, text)| width(text, TextSize::Small)).max().unwrap_or(0);
    let apart = ticks.windows(2).map(|both| both[1].0 - both[0].0).min().unwrap_or(1).max(1);
    // Labels of tiny numbers are long: only some have room, 0 among them.
    let every = usize::try_from((widest + 60 + apart - 1) / apart).unwrap_or(1).max(1);
    let zero = ticks.iter().position(|(_, text)| text == "0").unwrap_or(0);
    for (at, (x, text)) in ticks.iter().enumerate() {
        drawing.line(if text == "0" { "zero" } else { "grid" }, &[[*x, top], [*x, bottom]]);
        if at.abs_diff(zero).is_multiple_of(every) {
            drawing.words("", [*x, bottom + LINE], Anchor::Middle, TextSize::Small, widest, text);
        }
    }
    let (Some(first), Some(last)) = (ticks.first(), ticks.last()) else { return };
    let middle = i64::midpoint(first.0, last.0);
    drawing.words("", [middle, bottom + 2 * LINE], Anchor::Middle, TextSize::Small, AXIS + 600, unit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_room() {
        let rows = [
            PlotRow::new("one", "0.5"),
            PlotRow::heading("apart"),
            PlotRow { note: "why".to_owned(), ..PlotRow::new("two", "1") },
            PlotRow::new("x".repeat(300), "y".repeat(300)),
        ];
        let frame = RowFrame::new(&rows, [&Fraction::one()], AxisKind::Values, "macro F1");
        assert_eq!([0, 1, 2, 3].map(|row| frame.middle(row)), [180, 420, 660, 1050]);
        assert_eq!(frame.place(0, &Fraction::zero()), [MOST_LEFT + 160, 180]);
        let svg = frame.drawing.inline("n", "t", "d").unwrap();
        let width = (MOST_LEFT + 160 + AXIS + 160 + MOST_RIGHT) / 10;
        assert!(svg.contains(&format!(r#"width="{width}""#)), "{svg}");
        // Both long ones are cut, with the whole beside them.
        assert_eq!(svg.matches('…').count(), 2, "{svg}");
        assert!(svg.contains(&format!("<title>{}</title>", "x".repeat(300))));
    }

    /// Numbers of twelve digits do not run into each other.
    #[test]
    fn labels_of_an_axis_have_room() {
        let tiny = Fraction::parse("0.000000000006").unwrap();
        let svg =
            RowFrame::new(&[], [&tiny], AxisKind::Differences, "d").drawing.inline("n", "t", "d").unwrap();
        assert!(svg.contains(">0</text>") && svg.contains(">+0.000000000002</text>"));
        assert!(!svg.contains(">+0.000000000001</text>"), "{svg}");
    }
}
