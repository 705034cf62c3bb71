//! Forest plots: a number and its interval a row. Of the values of systems, of their differences, of means over datasets.

use crate::measures::fraction::Fraction;
use crate::record::comparison::across::ComparedDatasets;
use crate::record::comparison::{ComparedInterval, ComparedPair, ComparedSystem, ComparedTable};
use crate::report::comparison::shown::{failed_in_mean, measure, reason};
use crate::report::comparison::{pairs, systems};
use crate::report::plots::Plot;
use crate::report::plots::axis::AxisKind;
use crate::report::plots::drawing::{LEFT_TO_RIGHT, PointShape, TextSize, fitting};
use crate::report::plots::rows::{PlotRow, RowFrame};
use crate::report::plots::words::{
    APART, FOR_PEOPLE, TableWords, bounds, listed, no_interval, number, signed, value_of,
};
use crate::report::table::{Column, Table};

/// With more pairs only those of the best system are drawn.
const MOST_PAIRS: usize = 45;

/// The room of the name of each of two systems.
const NAME: i64 = 1150;

/// A row of a forest plot.
#[derive(Debug, Clone)]
struct Tree {
    row: PlotRow,
    number: Option<Fraction>,
    interval: Option<[Fraction; 2]>,
    look: TreeLook,
}

/// How a number is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TreeLook {
    /// As it is.
    Plain,
    /// A difference by more than chance.
    Significant,
    /// One that may be chance.
    Open,
    /// One that means something else than it seems to.
    Apart,
}

impl TreeLook {
    /// The classes of point and interval, and the form.
    fn classes(self) -> (&'static str, &'static str, PointShape) {
        match self {
            Self::Plain => ("dot", "ci", PointShape::Square),
            Self::Significant => ("dot sig", "ci sigci", PointShape::Square),
            Self::Open => ("dot base", "ci", PointShape::Square),
            Self::Apart => ("hollow", "asideci", PointShape::Circle),
        }
    }
}

fn planted(trees: &[Tree], kind: AxisKind, unit: &str) -> RowFrame {
    let numbers: Vec<Fraction> = trees
        .iter()
        .flat_map(|tree| tree.number.iter().chain(tree.interval.iter().flatten()))
        .cloned()
        .collect();
    let rows: Vec<PlotRow> = trees.iter().map(|tree| tree.row.clone()).collect();
    let mut frame = RowFrame::new(&rows, &numbers, kind, unit);
    for (row, tree) in trees.iter().enumerate() {
        let (point, line, shape) = tree.look.classes();
        if let Some(interval) = &tree.interval {
            frame.interval(line, row, interval);
        }
        if let Some(number) = &tree.number {
            let at = frame.place(row, number);
            frame.drawing.point(point, shape, at);
        }
    }
    frame
}

fn heading() -> Tree {
    Tree { row: PlotRow::heading(APART), number: None, interval: None, look: TreeLook::Plain }
}

/// The values of the systems.
pub(super) fn values(words: &TableWords<'_>) -> Plot {
    let [usual, apart] = words.systems();
    let mut trees: Vec<Tree> = usual.iter().map(|system| value_tree(words, system)).collect();
    if !apart.is_empty() {
        trees.push(heading());
    }
    trees.extend(apart.iter().map(|system| value_tree(words, system)));
    let told = |system: &&ComparedSystem| value_told(words, system);
    let told: Vec<String> = usual.iter().chain(&apart).map(told).collect();
    let mut frame = planted(&trees, AxisKind::Values, &words.measure());
    if !apart.is_empty() {
        frame
            .drawing
            .key(&[("dot", PointShape::Square, "a value"), ("hollow", PointShape::Circle, "takes no rank")]);
    }
    let mut table = systems::systems(FOR_PEOPLE, words.table, words.settings);
    table.footnotes.push(systems::legend(words.table.baseline.is_none()));
    let direction = if words.table.lower_is_better { " Lower is better." } else { "" };
    Plot {
        kind: "values",
        title: format!("{} with 95 % intervals", words.measure()),
        reading: format!(
            "Squares are values, lines 95 % intervals.{direction} Whether intervals overlap says nothing: the test of the differences does."
        ),
        description: listed(&told),
        notes: words.notes(),
        drawing: frame.drawing,
        table,
    }
}

fn value_tree(words: &TableWords<'_>, system: &ComparedSystem) -> Tree {
    let (codes, value) = (words.codes(&system.system), value_of(system));
    let mut end = value.as_ref().map_or_else(|| "no value".to_owned(), number);
    if !codes.is_empty() {
        end = format!("{end} {codes}");
    } else if value.is_some() && system.interval.is_none() {
        let why = no_interval(system.no_interval);
        if !why.is_empty() {
            end = format!("{end} {why}");
        }
    }
    let look = if codes.is_empty() { TreeLook::Plain } else { TreeLook::Apart };
    let row = PlotRow { note: words.reasons(&system.system), ..PlotRow::new(&system.system, end) };
    Tree { row, number: value, interval: system.interval.as_ref().map(bounds), look }
}

fn value_told(words: &TableWords<'_>, system: &ComparedSystem) -> String {
    let value = value_of(system).map_or_else(|| "no value".to_owned(), |value| number(&value));
    let interval = interval_told(system.interval.as_ref(), number);
    let codes = words.codes(&system.system);
    let codes = if codes.is_empty() { codes } else { format!(", no rank: {codes}") };
    format!("{} {value}{interval}{codes}", system.system)
}

fn interval_told(interval: Option<&ComparedInterval>, written: fn(&Fraction) -> String) -> String {
    let both = interval.map(bounds).map(|both| both.map(|bound| written(&bound)));
    both.map_or_else(String::new, |[low, high]| format!(" ({low} to {high})"))
}

/// The differences of systems.
pub(super) fn differences(words: &TableWords<'_>) -> Option<Plot> {
    let pairs = words.pairs();
    if pairs.is_empty() {
        return None;
    }
    let baseline = words.table.baseline.as_deref();
    let best = words.systems()[0].first().map(|system| system.system.clone()).unwrap_or_default();
    let is_drawn = |pair: &&ComparedPair| {
        pairs.len() <= MOST_PAIRS || baseline.is_some() || pair.a == best || pair.b == best
    };
    let drawn: Vec<&ComparedPair> = pairs.iter().filter(is_drawn).collect();
    let mut trees: Vec<Tree> = Vec::new();
    for pair in &drawn {
        let is_first_apart = words.is_apart(pair) && !trees.iter().any(|tree| tree.row.is_heading);
        trees.extend(is_first_apart.then(heading));
        trees.push(difference_tree(words, pair));
    }
    let unit = match baseline {
        Some(baseline) => format!("difference of {} to {baseline}", words.measure()),
        None => format!("difference of {}, the first minus the second", words.measure()),
    };
    let mut frame = planted(&trees, AxisKind::Differences, &unit);
    let mut key = vec![
        ("dot sig", PointShape::Square, "more than chance"),
        ("dot base", PointShape::Square, "may be chance"),
    ];
    if drawn.iter().any(|pair| words.is_apart(pair)) {
        key.push(("hollow", PointShape::Circle, "takes no mark"));
    }
    frame.drawing.key(&key);
    let told: Vec<String> = drawn.iter().map(|pair| difference_told(words, pair)).collect();
    let mut notes = words.notes();
    if drawn.len() < pairs.len() {
        notes.push(format!(
            "Of {} pairs only the {} of {best} are drawn; the table has all.",
            pairs.len(),
            drawn.len()
        ));
    }
    let mut table = Table { title: words.about(), columns: pairs::columns(FOR_PEOPLE), ..Table::default() };
    table.rows = pairs.iter().map(|pair| pairs::row(FOR_PEOPLE, pair, words.table)).collect();
    table.footnotes = vec![pairs::legend(std::slice::from_ref(words.table)), words.computed()];
    Some(Plot {
        kind: "differences",
        title: match baseline {
            Some(baseline) => format!("Differences of {} to {baseline}", words.measure()),
            None => format!("Differences of {}", words.measure()),
        },
        reading: format!(
            "Question by question, with 95 % intervals. Filled and *: more than chance at {}, after Holm's correction for {} pairs. Open: may be chance.",
            words.settings.alpha.to_decimal(),
            pairs[0].family_size,
        ),
        description: listed(&told),
        notes,
        drawing: frame.drawing,
        table,
    })
}

fn pair_label(words: &TableWords<'_>, pair: &ComparedPair) -> String {
    if words.table.baseline.is_some() {
        return pair.a.clone();
    }
    let name = |name: &str| fitting(name, TextSize::Usual, NAME);
    minus(&name(&pair.a), &name(&pair.b))
}

/// One name minus another.
fn minus(one: &str, other: &str) -> String {
    format!("{one}{LEFT_TO_RIGHT} − {LEFT_TO_RIGHT}{other}")
}

fn difference_tree(words: &TableWords<'_>, pair: &ComparedPair) -> Tree {
    let number = pair.difference.fraction();
    let is_apart = words.is_apart(pair);
    let look = match (is_apart, pair.test.significant) {
        (true, _) => TreeLook::Apart,
        (false, true) => TreeLook::Significant,
        (false, false) => TreeLook::Open,
    };
    let behind = match look {
        TreeLook::Significant => " *".to_owned(),
        _ if pair.interval.is_none() => format!(" {}", no_interval(pair.no_interval)),
        _ => String::new(),
    };
    let odd = [&pair.a, &pair.b].map(|name| (name, words.codes(name)));
    let odd: Vec<String> = odd
        .iter()
        .filter(|(_, codes)| !codes.is_empty())
        .map(|(name, codes)| format!("{name}: {codes}"))
        .collect();
    let row = PlotRow {
        note: odd.join("; "),
        ..PlotRow::new(pair_label(words, pair), format!("{}{behind}", signed(&number)))
    };
    Tree { row, number: Some(number), interval: pair.interval.as_ref().map(bounds), look }
}

fn difference_told(words: &TableWords<'_>, pair: &ComparedPair) -> String {
    let chance = match (words.is_apart(pair), pair.test.significant) {
        (true, _) => "takes no mark",
        (false, true) => "more than chance",
        (false, false) => "may be chance",
    };
    let interval = interval_told(pair.interval.as_ref(), signed);
    format!("{} minus {} {}{interval}, {chance}", pair.a, pair.b, signed(&pair.difference.fraction()))
}

/// Means over several datasets, and their differences.
pub(super) fn over_datasets(compared: &ComparedDatasets, tables: &[ComparedTable]) -> Vec<Plot> {
    let unit = compared.tables.first().map(measure).unwrap_or_default();
    let mut notes = vec![
        "Each dataset counts as much as any other. What is said holds for new questions of these datasets, not for new datasets."
            .to_owned(),
    ];
    notes.extend(compared.undefined.map(|why| reason(why).to_owned()));
    notes.extend(failed_in_mean(compared, tables));
    let means = compared.systems.iter().map(|mean| {
        let number = mean.value.fraction();
        let missing = if mean.interval.is_none() { no_interval(mean.no_interval) } else { "" };
        let end = format!("{} {missing}", self::number(&number)).trim_end().to_owned();
        let interval = mean.interval.as_ref().map(bounds);
        Tree { row: PlotRow::new(&mean.system, end), number: Some(number), interval, look: TreeLook::Plain }
    });
    let mut means: Vec<Tree> = means.collect();
    means.sort_by(|one, other| other.number.cmp(&one.number));
    let differences = compared.pairs.iter().map(|pair| {
        let number = pair.difference.fraction();
        let [one, other] = [&pair.a, &pair.b].map(|name| fitting(name, TextSize::Usual, NAME));
        let label = minus(&one, &other);
        let (look, star) =
            if pair.test.significant { (TreeLook::Significant, " *") } else { (TreeLook::Open, "") };
        let row = PlotRow::new(label, format!("{}{star}", signed(&number)));
        Tree { row, number: Some(number), interval: pair.interval.as_ref().map(bounds), look }
    });
    let differences: Vec<Tree> = differences.collect();
    let table = across(compared);
    let plot = |kind, title: String, reading: &str, trees: Vec<Tree>, axis, table| {
        let told: Vec<String> =
            trees.iter().map(|tree| format!("{} {}", tree.row.label, tree.row.end)).collect();
        (!trees.is_empty()).then(|| Plot {
            kind,
            title,
            reading: reading.to_owned(),
            description: listed(&told),
            notes: notes.clone(),
            drawing: planted(&trees, axis, &unit).drawing,
            table,
        })
    };
    let of_means = "Squares are means of the means of the datasets, lines 95 % intervals.";
    let of_pairs = "The first minus the second, with 95 % intervals. Filled and *: more than chance. Open: may be chance.";
    let [of_systems, of_two] = table;
    [
        plot(
            "values",
            format!("{unit} over several datasets"),
            of_means,
            means,
            AxisKind::Values,
            of_systems,
        ),
        plot(
            "differences",
            format!("Differences of {unit} over several datasets"),
            of_pairs,
            differences,
            AxisKind::Differences,
            of_two,
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The tables of systems and of pairs.
fn across(compared: &ComparedDatasets) -> [Table; 2] {
    let shown = FOR_PEOPLE;
    let between = || [Column::number("from", "low"), Column::number("to", "high")];
    let mut systems = Table {
        columns: vec![Column::text("system", "system"), Column::number("mean", "value")],
        ..Table::default()
    };
    systems.columns.extend(between());
    for mean in &compared.systems {
        let cells = [mean.system.clone(), shown.number(&mean.value)].into_iter();
        systems.rows.push(cells.chain(shown.bounds(mean.interval.as_ref())).collect());
    }
    let mut pairs = Table {
        columns: vec![Column::text("a", "a"), Column::text("b", "b"), Column::number("a − b", "difference")],
        ..Table::default()
    };
    pairs.columns.extend(between());
    pairs.columns.extend([Column::number("p", "p"), Column::number("adjusted", "adjusted")]);
    for ComparedPair { a, b, difference, interval, test, .. } in &compared.pairs {
        let cells = [a.clone(), b.clone(), shown.number(difference)].into_iter();
        let ends = [shown.p(&test.p), shown.adjusted(&test.adjusted, test.significant)];
        pairs.rows.push(cells.chain(shown.bounds(interval.as_ref())).chain(ends).collect());
    }
    [systems, pairs]
}
