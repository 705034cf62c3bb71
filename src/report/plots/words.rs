//! What stands beside plots in words: names, numbers, why a value means something else than it seems to.

use crate::measures::fraction::Fraction;
use crate::record::comparison::across::ComparedDatasets;
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::comparison::{
    ComparedEffect, ComparedInterval, ComparedPair, ComparedSystem, ComparedTable,
};
use crate::record::results::decimal::Decimal;
use crate::report::comparison::pairs;
use crate::report::comparison::shown::{
    Shown, about, alerts, computed, measure, ordered, questions_notes, reason, ruled, value, without_dataset,
};
use crate::report::evaluations::DIGITS_FOR_PEOPLE;
use crate::report::plots::axis::negative;
use crate::report::table::Layout;
use crate::statistics::undefined::Undefined;

/// How numbers of tables beside plots are written: for people.
pub(crate) const FOR_PEOPLE: Shown = Shown { format: Layout::Table };

/// What stands above the systems without a rank.
pub(super) const APART: &str = "Values that mean something else than they seem to: no rank, no mark";

/// A table of a comparison, ready to be told of.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableWords<'t> {
    pub(super) table: &'t ComparedTable,
    pub(super) settings: &'t ComparisonSettings,
}

impl<'t> TableWords<'t> {
    /// What is compared.
    pub(super) fn about(&self) -> String {
        about(self.table)
    }

    /// The measure as it is shown.
    pub(super) fn measure(&self) -> String {
        measure(&self.table.key)
    }

    /// What must be known beside every plot.
    pub(super) fn notes(&self) -> Vec<String> {
        let no_pairs = self.table.no_pairs.map(|why| reason(why).to_owned());
        let alerts = alerts(self.table, self.settings).into_iter();
        alerts.chain(questions_notes(self.table)).chain(no_pairs).collect()
    }

    /// How intervals and tests were computed.
    pub(super) fn computed(&self) -> String {
        computed(self.table, self.settings)
    }

    /// The systems with values that can be taken as they are, the best first, and the others.
    pub(super) fn systems(&self) -> [Vec<&'t ComparedSystem>; 2] {
        let (usual, apart) = ordered(self.table).into_iter().partition(|system| system.cautions.is_empty());
        [usual, apart]
    }

    /// A system by its name.
    pub(super) fn system(&self, name: &str) -> Option<&'t ComparedSystem> {
        self.table.systems.iter().find(|system| system.system == name)
    }

    /// The pairs so that the better one stands first, the largest difference first; with a baseline as they are.
    pub(super) fn pairs(&self) -> Vec<ComparedPair> {
        let rank = |name: &str| self.system(name).and_then(|system| system.rank);
        let is_turned = |pair: &ComparedPair| match (rank(&pair.a), rank(&pair.b)) {
            _ if self.table.baseline.is_some() => false,
            (Some(a), Some(b)) => b < a,
            (None, Some(_)) => true,
            _ => false,
        };
        let turned = |pair: &ComparedPair| if is_turned(pair) { turned(pair) } else { pair.clone() };
        let mut pairs: Vec<ComparedPair> = self.table.pairs.iter().map(turned).collect();
        let place = |name: &str| ordered(self.table).iter().position(|system| system.system == name);
        pairs.sort_by_key(|pair| (self.is_apart(pair), place(&pair.a), place(&pair.b)));
        pairs
    }

    /// Whether one of two systems has a value that means something else than it seems to.
    pub(super) fn is_apart(&self, pair: &ComparedPair) -> bool {
        pairs::is_apart(self.table, pair)
    }

    /// The words for what is odd about a system.
    pub(super) fn codes(&self, name: &str) -> String {
        let cautions = self.system(name).map(|system| system.cautions.as_slice()).unwrap_or_default();
        let codes: Vec<&str> = cautions.iter().map(|caution| caution.code.as_str()).collect();
        codes.join(", ")
    }

    /// Why: the same in a sentence.
    pub(super) fn reasons(&self, name: &str) -> String {
        let cautions = self.system(name).map(|system| system.cautions.as_slice()).unwrap_or_default();
        let reasons: Vec<&str> = cautions.iter().map(|caution| caution.reason.as_str()).collect();
        reasons.join("; ")
    }
}

/// The same pair, seen from the other side.
fn turned(pair: &ComparedPair) -> ComparedPair {
    let other_sign = |number: &Decimal| Decimal::of(&negative(&number.fraction()));
    let interval = pair.interval.as_ref().map(|interval| ComparedInterval {
        low: other_sign(&interval.high),
        high: other_sign(&interval.low),
        method: interval.method,
    });
    let effect = pair.effect.as_ref().map(|effect| ComparedEffect {
        wins: effect.losses,
        losses: effect.wins,
        dominance: other_sign(&effect.dominance),
        standardised: effect.standardised.as_ref().map(other_sign),
        ..effect.clone()
    });
    let (a, b) = (pair.b.clone(), pair.a.clone());
    ComparedPair { a, b, difference: other_sign(&pair.difference), interval, effect, ..pair.clone() }
}

/// What means over several datasets are about.
pub(super) fn over_datasets(compared: &ComparedDatasets) -> String {
    let names: Vec<&str> = compared.tables.iter().map(|key| key.dataset.as_str()).collect();
    let rules = compared.tables.first().map(|key| ruled(&without_dataset(key))).unwrap_or_default();
    format!("{} together, {rules}", names.join(", "))
}

/// A number for people.
pub(super) fn number(value: &Fraction) -> String {
    value.to_fixed(DIGITS_FOR_PEOPLE).replace('-', "−")
}

/// A difference, with its sign.
pub(super) fn signed(value: &Fraction) -> String {
    let sign = if *value > Fraction::zero() { "+" } else { "" };
    format!("{sign}{}", number(value))
}

/// The value of a system over the questions that all have.
pub(super) fn value_of(system: &ComparedSystem) -> Option<Fraction> {
    value(system).map(Decimal::fraction)
}

/// The bounds of an interval.
pub(super) fn bounds(interval: &ComparedInterval) -> [Fraction; 2] {
    [interval.low.fraction(), interval.high.fraction()]
}

/// Why there is no interval, in a few words.
pub(super) fn no_interval(why: Option<Undefined>) -> &'static str {
    match why {
        None => "",
        Some(Undefined::TooFewQuestions) => "no interval: few questions",
        Some(Undefined::NoVariation) => "no interval: no variation",
        Some(Undefined::NotResampled) => "no interval: not resampled",
        Some(Undefined::OneSystem) => "no interval: one system",
        Some(Undefined::NoCommonQuestions) => "no interval: no common questions",
    }
}

/// What a plot shows, of some rows: the first of them and how many more there are.
pub(super) fn listed(rows: &[String]) -> String {
    const MOST: usize = 40;
    let more = rows.len().saturating_sub(MOST);
    let more = if more == 0 { String::new() } else { format!("; and {more} more") };
    format!("{}{more}.", rows[..rows.len().min(MOST)].join("; "))
}
