//! Axes: where a number stands, in whole tenths of a pixel, and the round numbers beside it. Calculated with fractions, so
//! that a plot has the same bytes on every machine.

use crate::measures::fraction::Fraction;

/// The most steps between the ends of an axis.
const MOST_STEPS: u64 = 6;

/// An axis over some numbers. It is never cut: 0 is on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Axis {
    low: Fraction,
    high: Fraction,
    step: Fraction,
    /// Where its ends are, in tenths of a pixel.
    ends: [i64; 2],
}

/// Which way an axis goes where all its numbers are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AxisKind {
    /// Numbers of systems.
    Values,
    /// Differences, with their sign.
    Differences,
}

impl Axis {
    /// Over numbers, from one place to another.
    pub(super) fn over<'n>(
        numbers: impl IntoIterator<Item = &'n Fraction>,
        kind: AxisKind,
        ends: [i64; 2],
    ) -> Self {
        let (mut low, mut high) = (Fraction::zero(), Fraction::zero());
        for number in numbers {
            low = low.min(number.clone());
            high = high.max(number.clone());
        }
        if low == high {
            high = Fraction::one();
            if kind == AxisKind::Differences {
                low = negative(&high);
            }
        }
        let step = step(&(&high - &low));
        Self { low: down(&low, &step), high: negative(&down(&negative(&high), &step)), step, ends }
    }

    /// Where a number stands.
    pub(super) fn place(&self, number: &Fraction) -> i64 {
        let [from, to] = self.ends;
        let share = (number - &self.low).over(&(&self.high - &self.low)).unwrap_or_else(Fraction::zero);
        let length = Fraction::whole((to - from).unsigned_abs());
        from + (to - from).signum() * whole(&(&share * &length))
    }

    /// The round numbers and where they stand.
    pub(super) fn ticks(&self, kind: AxisKind) -> Vec<(i64, String)> {
        let mut ticks = Vec::new();
        let mut number = self.low.clone();
        while number <= self.high {
            let sign = if kind == AxisKind::Differences && number > Fraction::zero() { "+" } else { "" };
            ticks.push((self.place(&number), format!("{sign}{}", number.to_decimal().replace('-', "−"))));
            number = &number + &self.step;
        }
        ticks
    }
}

/// A fraction that was calculated to be near a whole number of tenths.
fn whole(number: &Fraction) -> i64 {
    number.to_fixed(0).parse().unwrap_or_default()
}

/// How many there are, as places are counted.
pub(super) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The same number with the other sign.
pub(super) fn negative(number: &Fraction) -> Fraction {
    &Fraction::zero() - number
}

/// The next multiple of a step that is not above a number.
fn down(number: &Fraction, step: &Fraction) -> Fraction {
    number.over(step).map_or_else(Fraction::zero, |steps| &steps.cut_off(0) * step)
}

/// The smallest round step that needs few steps for a length: 1, 2 or 5 times a power of ten.
fn step(length: &Fraction) -> Fraction {
    let round = |power: i32| {
        [1, 2, 5].into_iter().filter_map(move |digit| Fraction::parse(&format!("{digit}e{power}")))
    };
    let steps = (-12..=30).flat_map(round);
    let mut enough = steps.filter(|step| *length <= step * &Fraction::whole(MOST_STEPS));
    enough.next().unwrap_or_else(|| length.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn axis(numbers: &[&str], kind: AxisKind) -> (Axis, Vec<(i64, String)>) {
        let numbers: Vec<Fraction> = numbers.iter().map(|text| Fraction::parse(text).unwrap()).collect();
        let axis = Axis::over(&numbers, kind, [1000, 2000]);
        let ticks = axis.ticks(kind);
        (axis, ticks)
    }

    fn labels(numbers: &[&str], kind: AxisKind) -> String {
        let words: Vec<String> = axis(numbers, kind).1.into_iter().map(|(_, text)| text).collect();
        words.join(" ")
    }

    #[test]
    fn values_begin_at_zero_and_differences_show_it() {
        use AxisKind::{Differences, Values};
        for (numbers, kind, expected) in [
            (&["0.5463", "0.6109", "0.0645"][..], Values, "0 0.2 0.4 0.6 0.8"),
            (&["1"], Values, "0 0.2 0.4 0.6 0.8 1"),
            (&["0.98", "0.99"], Values, "0 0.2 0.4 0.6 0.8 1"),
            (&["0", "0"], Values, "0 0.2 0.4 0.6 0.8 1"),
            (&[], Values, "0 0.2 0.4 0.6 0.8 1"),
            (&["1234.5"], Values, "0 500 1000 1500"),
            (&["-0.3", "0.7"], Values, "−0.4 −0.2 0 0.2 0.4 0.6 0.8"),
            (&["0.2574", "0.3957"], Differences, "0 +0.1 +0.2 +0.3 +0.4"),
            (&["-0.1713", "0.3957"], Differences, "−0.2 −0.1 0 +0.1 +0.2 +0.3 +0.4"),
            (&["0"], Differences, "−1 −0.5 0 +0.5 +1"),
            (&["0.000000000003"], Differences, "0 +0.000000000001 +0.000000000002 +0.000000000003"),
        ] {
            assert_eq!(labels(numbers, kind), expected, "{numbers:?}");
        }
    }

    #[test]
    fn numbers_stand_on_whole_tenths() {
        let (axis, ticks) = axis(&["1"], AxisKind::Values);
        let place = |text: &str| axis.place(&Fraction::parse(text).unwrap());
        assert_eq!([place("0"), place("0.5"), place("0.3333"), place("1")], [1000, 1500, 1333, 2000]);
        assert_eq!(ticks[1], (1200, "0.2".to_owned()));
        // Upwards: the pixels of a picture begin at its top.
        let upwards = Axis::over([&Fraction::one()], AxisKind::Values, [2000, 1000]);
        assert_eq!(upwards.place(&Fraction::ratio(1, 4).unwrap()), 1750);
    }

    proptest! {
        #[test]
        fn everything_is_on_the_axis(numbers in prop::collection::vec(-1_000_000_i32..1_000_000, 1..20), power in -9..9) {
            let numbers: Vec<Fraction> =
                numbers.iter().map(|number| Fraction::parse(&format!("{number}e{power}")).unwrap()).collect();
            for kind in [AxisKind::Values, AxisKind::Differences] {
                let axis = Axis::over(&numbers, kind, [100, 3300]);
                let ticks = axis.ticks(kind);
                prop_assert!((2..=8).contains(&ticks.len()), "{ticks:?}");
                prop_assert!(ticks.iter().any(|(_, text)| text == "0"));
                prop_assert!(ticks.windows(2).all(|both| both[0].0 < both[1].0));
                prop_assert_eq!((ticks[0].0, ticks[ticks.len() - 1].0), (100, 3300));
                prop_assert!(numbers.iter().all(|number| (100..=3300).contains(&axis.place(number))));
            }
        }
    }
}
