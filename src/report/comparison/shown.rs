//! How the parts of a comparison are written: numbers, names of tables, why something has no number, how it was computed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::base::text::counted;
use crate::measures::fraction::Fraction;
use crate::measures::metric::Metric;
use crate::profiles::ontology::shown_name;
use crate::record::comparison::across::{ComparedDatasets, SystemComparison};
use crate::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use crate::record::comparison::{ComparedInterval, ComparedSystem, ComparedTable, TableKey};
use crate::record::results::decimal::Decimal;
use crate::report::evaluations::DIGITS_FOR_PEOPLE;
use crate::report::table::Layout;
use crate::statistics::flips::FLIPS;
use crate::statistics::resample::RESAMPLES;
use crate::statistics::table::PairedTest;
use crate::statistics::undefined::Undefined;

/// What stands for a value that is not defined; scripts get an empty cell.
pub(crate) const UNDEFINED: &str = "–";

/// The smallest p-value that is shown as a number.
const LEAST_SHOWN: &str = "<0.0001";

/// With fewer questions, that is said beside the numbers.
const FEW: usize = 30;

/// How numbers are written in a format.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// The format.
    pub format: Layout,
}

impl Shown {
    /// Whether scripts read it: with all digits and without marks.
    pub(crate) fn is_plain(self) -> bool {
        matches!(self.format, Layout::Csv | Layout::Json)
    }

    pub(crate) fn number(self, value: &Decimal) -> String {
        match self.format {
            Layout::Csv | Layout::Json => value.as_str().to_owned(),
            Layout::Table | Layout::Markdown => value.to_fixed(DIGITS_FOR_PEOPLE),
            // A hyphen is shorter than the sign.
            Layout::Latex => value.to_fixed(DIGITS_FOR_PEOPLE).replace('-', "−"),
        }
    }

    pub(crate) fn undefined(self) -> String {
        if self.is_plain() { String::new() } else { UNDEFINED.to_owned() }
    }

    pub(crate) fn optional(self, value: Option<&Decimal>) -> String {
        value.map_or_else(|| self.undefined(), |value| self.number(value))
    }

    pub(crate) fn count(self, count: Option<usize>) -> String {
        count.map_or_else(|| self.undefined(), |count| count.to_string())
    }

    pub(crate) fn bounds(self, interval: Option<&ComparedInterval>) -> [String; 2] {
        let both = interval.map(|interval| [self.number(&interval.low), self.number(&interval.high)]);
        both.unwrap_or_else(|| [self.undefined(), self.undefined()])
    }

    /// A number with its bounds behind it, or with what stands for both. In a table that is as wide as they are: numbers stand
    /// below each other.
    pub(crate) fn with_bounds(self, value: &str, interval: Option<&ComparedInterval>) -> String {
        let [low, high] = self.bounds(interval);
        match (self.format, interval) {
            (Layout::Table, Some(_)) => format!("{value} [{low:>6}, {high:>6}]"),
            (Layout::Table, None) => format!("{value} {UNDEFINED:>16}"),
            (_, Some(_)) => format!("{value} [{low}, {high}]"),
            (_, None) => format!("{value} {}", self.undefined()),
        }
    }

    /// A p-value: never shown as 0.
    pub(crate) fn p(self, value: &Decimal) -> String {
        let is_small = Fraction::ratio(1, 10_000).is_some_and(|least| value.fraction() < least);
        if is_small && !self.is_plain() { LEAST_SHOWN.to_owned() } else { self.number(value) }
    }

    /// A number and a sign behind it. In columns for people numbers stand below each other with and without one.
    pub(crate) fn marked(self, number: &str, sign: &str) -> String {
        match self.format {
            Layout::Csv | Layout::Json => number.to_owned(),
            Layout::Table => format!("{number}{sign:2}"),
            Layout::Markdown | Layout::Latex => format!("{number}{sign}"),
        }
    }

    /// An adjusted p-value, with a star where it is small enough.
    pub(crate) fn adjusted(self, value: &Decimal, is_significant: bool) -> String {
        self.marked(&self.p(value), if is_significant { " *" } else { "" })
    }
}

/// Why there is no number, in words.
pub(crate) fn reason(why: Undefined) -> &'static str {
    match why {
        Undefined::TooFewQuestions => "fewer than ten questions: no interval",
        Undefined::NoVariation => "all resamples have one value: no interval",
        Undefined::NotResampled => {
            "the measure does not follow from what is published of single questions: not resampled"
        }
        Undefined::OneSystem => "one system: nobody to compare it with",
        Undefined::NoCommonQuestions => {
            "no question is common to all systems: their values are not comparable"
        }
    }
}

/// What is compared of a system: over the questions that all have, where that is known; none where there are no such questions.
pub(crate) fn value(system: &ComparedSystem) -> Option<&Decimal> {
    let own = system.value.as_ref().filter(|_| system.no_interval != Some(Undefined::NoCommonQuestions));
    system.common_value.as_ref().or(own)
}

/// The systems of a table, the best first; those without a rank at the end.
pub(crate) fn ordered(table: &ComparedTable) -> Vec<&ComparedSystem> {
    let mut systems: Vec<&ComparedSystem> = table.systems.iter().collect();
    let last = |rank: Option<usize>| rank.unwrap_or(usize::MAX);
    // Beside a baseline, who is not worse than it need not be better than anybody.
    let by_significance =
        |system: &ComparedSystem| system.significance_rank.filter(|_| table.baseline.is_none());
    systems.sort_by_key(|system| (last(by_significance(system)), last(system.rank), &system.system));
    systems
}

/// A key without what its dataset decides.
pub(crate) fn without_dataset(key: &TableKey) -> TableKey {
    TableKey { dataset: String::new(), dataset_version: String::new(), refreshed: None, ..key.clone() }
}

/// A table with everything that is said of it.
pub(crate) fn about(table: &ComparedTable) -> String {
    format!("{}, {}", described(&table.key), counted_questions(table))
}

/// How many questions a table has.
pub(crate) fn counted_questions(table: &ComparedTable) -> String {
    counted(table.questions as u64, "question")
}

/// Everything that is said of a table.
pub(crate) fn described(key: &TableKey) -> String {
    format!("{}, {}", key.dataset, ruled(key))
}

/// By which rules a table was made.
pub(crate) fn ruled(key: &TableKey) -> String {
    let options: Vec<String> =
        key.options.iter().map(|(name, values)| format!(", {name} {}", values.join(" "))).collect();
    let gold = if key.gold == "curated" { String::new() } else { format!(", gold {}", key.gold) };
    format!("{} {}, profile {}{gold}{}", key.experiment, measure(key), key.profile, options.concat())
}

/// The measure as it is shown. Two kinds of macro F1 are shown by one name where they never meet: here they do.
pub(crate) fn measure(key: &TableKey) -> String {
    let harmonic = if key.measure.ends_with("Harmonic") { " (harmonic)" } else { "" };
    Metric::named(&key.measure)
        .map_or_else(|| key.measure.clone(), |metric| format!("{}{harmonic}", shown_name(metric)))
}

/// Whether there are values and all of them are 0: one sentence tells that.
pub(crate) fn is_zero(table: &ComparedTable) -> bool {
    let mut values = table.systems.iter().filter_map(value).peekable();
    values.peek().is_some() && values.all(|value| value.fraction().is_zero())
}

/// How the pairs and the intervals of a table were computed; nothing where there are none.
pub(crate) fn computed(table: &ComparedTable, settings: &ComparisonSettings) -> String {
    let unit = match table.cluster {
        ClusterUnit::Question => String::new(),
        ClusterUnit::Variant => {
            format!(" in {} of variants", counted(table.clusters as u64, "cluster"))
        }
    };
    let tests = table.pairs.first().map(|pair| tested(settings.test, pair.family_size, settings));
    let intervals = table.systems.iter().any(|system| system.interval.is_some());
    let intervals = intervals.then(|| resampled(&format!("{}{unit}", counted_questions(table)), settings));
    tests.into_iter().chain(intervals).collect::<Vec<_>>().join("; ")
}

/// How pairs were tested, and for how many tests that was corrected.
pub(crate) fn tested(test: PairedTest, family: usize, settings: &ComparisonSettings) -> String {
    let flips = if test == PairedTest::Randomisation {
        format!(" (exact, or {} flips)", grouped(FLIPS))
    } else {
        String::new()
    };
    let adjusted = if family > 1 { format!(", adjusted by Holm among {family}") } else { String::new() };
    format!("{}{flips}{adjusted} (α = {})", test.title(), settings.alpha.to_decimal())
}

/// How intervals were computed.
pub(crate) fn resampled(what: &str, settings: &ComparisonSettings) -> String {
    let seed = if settings.seed.is_empty() { String::new() } else { format!(", seed {}", settings.seed) };
    format!("intervals of 95 % from {} resamples of {what}{seed}", grouped(RESAMPLES))
}

/// How means over datasets were computed, which have a family of their own.
pub(crate) fn computed_means(means: &ComparedDatasets, settings: &ComparisonSettings) -> Option<String> {
    // The weights of the questions differ from dataset to dataset: other tests have no use for them.
    let tests =
        (!means.pairs.is_empty()).then(|| tested(PairedTest::Randomisation, means.pairs.len(), settings));
    let is_interval = means.systems.iter().any(|mean| mean.interval.is_some());
    let intervals = is_interval.then(|| resampled("the questions of each dataset", settings));
    let told: Vec<String> = tests.into_iter().chain(intervals).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// A comparison in which no two dataset versions have one name: where they have, the key of the version is said too.
pub(crate) fn told_apart(comparison: &SystemComparison) -> Cow<'_, SystemComparison> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for table in &comparison.tables {
        versions.entry(&table.key.dataset).or_default().insert(&table.key.dataset_version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    if versions.is_empty() {
        return Cow::Borrowed(comparison);
    }
    let is_repeated = |key: &TableKey| versions.contains_key(key.dataset.as_str());
    let mut apart = comparison.clone();
    let of_tables = apart.tables.iter_mut().map(|table| &mut table.key);
    let of_means = apart.over_datasets.iter_mut().flat_map(|one| &mut one.tables);
    let of_drift = apart.drift.iter_mut().map(|one| &mut one.table);
    let of_profiles = apart.profiles.iter_mut().flat_map(|one| &mut one.tables);
    for key in of_tables.chain(of_means).chain(of_drift).chain(of_profiles) {
        if is_repeated(key) {
            key.dataset = format!("{} {}", key.dataset, version(key));
        }
    }
    Cow::Owned(apart)
}

/// The beginning of the key of a dataset version.
fn version(key: &TableKey) -> &str {
    let name = key.dataset_version.rsplit('/').next().unwrap_or_default();
    name.get(..8).unwrap_or(name)
}

/// What must be said where datasets of one name stand beside each other, as [`told_apart`] names them.
pub(crate) fn alert_of_twins(group: &[&ComparedTable]) -> Option<String> {
    let of_table = |table: &&ComparedTable| {
        let name = table.key.dataset.strip_suffix(version(&table.key))?.strip_suffix(' ')?;
        Some(name.to_owned())
    };
    let mut names: Vec<String> = group.iter().filter_map(of_table).collect();
    names.sort_unstable();
    let twin = names.windows(2).find(|both| both[0] == both[1])?;
    Some(format!(
        "gold files that differ are called {}: what is told against one cannot be compared with what is told against another",
        twin[0]
    ))
}

/// A number with commas.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// What makes values mean something else than they seem to.
pub(crate) fn alerts(table: &ComparedTable, settings: &ComparisonSettings) -> Vec<String> {
    let of_system = |system: &ComparedSystem| {
        let reasons: Vec<&str> = system.cautions.iter().map(|caution| caution.reason.as_str()).collect();
        format!("{} has no rank: {}", system.system, reasons.join("; "))
    };
    let cautious = table.systems.iter().filter(|system| !system.cautions.is_empty());
    let mut alerts: Vec<String> = cautious.map(of_system).collect();
    if let (Some(name), None) = (&settings.baseline, &table.baseline) {
        alerts.push(format!(
            "{name} has no evaluation on {}: each system is compared with each",
            table.key.dataset
        ));
    }
    let failed: Vec<&str> = table.failed().collect();
    if !failed.is_empty() {
        alerts.push(format!(
            "{} failed in every question of {}: what stands there says nothing of the quality of answers",
            failed.join(", "),
            table.key.dataset
        ));
    }
    if settings.only_answered {
        alerts.push(
            "only questions that all systems answered count, which flatters those that answer few".to_owned(),
        );
    }
    alerts
}

/// Whose mean over datasets counts one of them in which it failed in every question.
pub(crate) fn failed_in_mean<'t>(
    means: &ComparedDatasets,
    tables: impl IntoIterator<Item = &'t ComparedTable>,
) -> Vec<String> {
    let of_mean = tables.into_iter().filter(|table| means.tables.contains(&table.key));
    let in_mean = |name: &&str| means.systems.iter().any(|mean| mean.system == *name);
    let told = |table: &ComparedTable| {
        let told = |name| {
            format!("the mean of {name} counts {}, where it failed in every question", table.key.dataset)
        };
        table.failed().filter(in_mean).map(told).collect::<Vec<_>>()
    };
    of_mean.flat_map(told).collect()
}

/// Which questions are compared, where that is not all of them.
pub(crate) fn questions_notes(table: &ComparedTable) -> Vec<String> {
    let dataset = &table.key.dataset;
    let mut notes = Vec::new();
    if !table.left_out.is_empty() {
        let (shown, more) =
            (&table.left_out[..table.left_out.len().min(10)], table.left_out.len().saturating_sub(10));
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        notes.push(format!(
            "{dataset}: {} left out that not all systems have: {}{more}",
            counted(table.left_out.len() as u64, "question"),
            shown.join(", ")
        ));
    }
    let missing: Vec<String> = table
        .systems
        .iter()
        .filter(|system| system.missing > 0)
        .map(|system| format!("{} {}", system.system, system.missing))
        .collect();
    if !missing.is_empty() {
        notes.push(format!(
            "{dataset}: without an entry for some of {}: {}",
            counted_questions(table),
            missing.join(", ")
        ));
    }
    let failed: Vec<String> = table
        .systems
        .iter()
        .filter(|system| system.failed > 0 && !table.failed().any(|name| name == system.system))
        .map(|system| format!("{} {}", system.system, system.failed))
        .collect();
    if !failed.is_empty() {
        notes.push(format!(
            "{dataset}: failed in some of {}: {}",
            counted_questions(table),
            failed.join(", ")
        ));
    }
    if table.questions < FEW {
        notes.push(format!("{dataset}: little can be told from {}", counted_questions(table)));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people_or_for_scripts() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let [people, scripts] = [Layout::Table, Layout::Csv].map(|format| Shown { format });
        for (text, shown) in [("0.00001", "<0.0001"), ("0.0001", "0.0001"), ("0", "<0.0001"), ("1", "1.0000")]
        {
            assert_eq!([people.p(&decimal(text)), scripts.p(&decimal(text))], [shown, text]);
        }
        assert_eq!([people.optional(None), scripts.optional(None)], [UNDEFINED, ""]);
        assert_eq!(people.adjusted(&decimal("0.01"), true), "0.0100 *");
        assert_eq!(people.adjusted(&decimal("0.1"), false), "0.1000  ");
        assert_eq!(scripts.adjusted(&decimal("0.01"), true), "0.01");
    }

    /// One sign stands for both bounds, where these would end.
    #[test]
    fn bounds_that_are_not_known_are_one_sign() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let method = crate::statistics::interval::IntervalMethod::Bca;
        let known = ComparedInterval { low: decimal("0.4"), high: decimal("0.6"), method };
        let of = |format, interval| Shown { format }.with_bounds("0.5000", interval);
        assert_eq!(of(Layout::Table, Some(&known)), "0.5000 [0.4000, 0.6000]");
        assert_eq!(of(Layout::Table, None), "0.5000                –");
        assert_eq!(of(Layout::Markdown, Some(&known)), "0.5000 [0.4000, 0.6000]");
        assert_eq!(of(Layout::Latex, None), "0.5000 –");
    }

    #[test]
    fn large_numbers_have_commas() {
        assert_eq!(
            [5, 999, 9_999, 99_999, 1_000_000].map(grouped),
            ["5", "999", "9,999", "99,999", "1,000,000"]
        );
    }
}
