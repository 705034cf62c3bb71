//! How the lines of several systems are told apart: by colour, and without colours by the form of their points.

use crate::report::plots::drawing::PointShape;

/// The look of a line and its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeriesLook {
    /// The class of the line.
    pub(super) line: &'static str,
    /// The class of its points.
    pub(super) point: &'static str,
    /// Their form.
    pub(super) shape: PointShape,
}

/// That of a system whose value means something else than it seems to.
pub(super) const ASIDE: SeriesLook =
    SeriesLook { line: "asideci", point: "hollow", shape: PointShape::Circle };

/// The colours and forms: no two of the first twenty-eight are the same.
const COLOURS: [[&str; 2]; 7] = [
    ["series s0", "s0"],
    ["series s1", "s1"],
    ["series s2", "s2"],
    ["series s3", "s3"],
    ["series s4", "s4"],
    ["series s5", "s5"],
    ["series s6", "s6"],
];
const SHAPES: [PointShape; 4] =
    [PointShape::Square, PointShape::Circle, PointShape::Diamond, PointShape::Triangle];

impl SeriesLook {
    /// That of the system with a number, from 0.
    pub(super) fn of(number: usize) -> Self {
        let [line, point] = COLOURS[number % COLOURS.len()];
        Self { line, point, shape: SHAPES[number % SHAPES.len()] }
    }
}
