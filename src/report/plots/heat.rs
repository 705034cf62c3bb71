//! Questions and systems: a strip a system, the same question at the same place in each, the easiest first.

use crate::measures::fraction::Fraction;
use crate::record::comparison::{ComparedItem, ComparedSystem};
use crate::record::results::decimal::Decimal;
use crate::report::plots::Plot;
use crate::report::plots::axis::count;
use crate::report::plots::drawing::{Anchor, Drawing, LEFT_TO_RIGHT, LINE, PointShape, TextSize, width};
use crate::report::plots::words::{FOR_PEOPLE, TableWords, listed};
use crate::report::table::{Column, Table};

/// More questions share columns: narrower ones could not be seen.
const MOST_COLUMNS: usize = 440;

/// The width of all columns, and the most of one.
const STRIP: i64 = 8800;
const WIDEST: i64 = 240;

/// The most room of a name.
const NAME: i64 = 1800;

/// The height of a strip, and from one to the next.
const TALL: i64 = 220;
const NEXT: i64 = 260;

/// A column: a question, or neighbours that share it, with the mean score of each system.
#[derive(Debug, PartialEq, Eq)]
struct HeatColumn {
    about: String,
    questions: usize,
    difficulty: Fraction,
    /// In the order of the table.
    scores: Vec<Fraction>,
}

/// The plot; none of measures that are no mean over questions.
pub(super) fn heat(words: &TableWords<'_>) -> Option<Plot> {
    let table = words.table;
    let [usual, apart] = words.systems();
    let systems: Vec<&ComparedSystem> = usual.into_iter().chain(apart).collect();
    let order = order(words, &systems);
    let mut items: Vec<&ComparedItem> = table.items.iter().collect();
    // Those of the same difficulty by who is right, else as they are: by their ids.
    items.sort_by_cached_key(|item| {
        let scores: Vec<_> = order.iter().map(|system| item.scores[*system].fraction()).collect();
        std::cmp::Reverse((item.difficulty.fraction(), scores))
    });
    if items.is_empty() {
        return None;
    }
    let share = items.len().div_ceil(MOST_COLUMNS);
    let columns: Vec<HeatColumn> = items.chunks(share).map(column).collect();
    let count =
        |score: fn(&Decimal) -> bool| items.iter().filter(|item| item.scores.iter().all(score)).count();
    let all = count(Decimal::is_one);
    let none = count(|score| score.fraction().is_zero());
    let mut notes = words.notes();
    if share > 1 {
        notes.push(format!(
            "{} questions are too many to be seen one by one: each column is the mean of {share} neighbours.",
            items.len()
        ));
    }
    let told = [
        format!("{all} of {} questions are completely right in all systems", items.len()),
        format!("{none} are wrong in all"),
    ];
    Some(Plot {
        kind: "questions",
        title: "Questions and systems".to_owned(),
        reading: format!(
            "The same {} questions, one under the other, those that most systems answer first. {all} are answered completely by all {}, {none} by none in any part.",
            items.len(),
            systems.len()
        ),
        description: listed(&told),
        notes,
        drawing: drawing(words, &systems, &columns, none),
        table: shown_table(words, &systems, &columns),
    })
}

/// Where systems stand in the table.
fn order(words: &TableWords<'_>, systems: &[&ComparedSystem]) -> Vec<usize> {
    let place = |name: &str| words.table.systems.iter().position(|one| one.system == name);
    systems.iter().filter_map(|system| place(&system.system)).collect()
}

fn column(items: &[&ComparedItem]) -> HeatColumn {
    let mean = |numbers: Vec<Fraction>| Fraction::mean(&numbers).unwrap_or_else(Fraction::zero);
    let (Some(first), Some(last)) = (items.first(), items.last()) else {
        return HeatColumn {
            about: String::new(),
            questions: 0,
            difficulty: Fraction::zero(),
            scores: Vec::new(),
        };
    };
    let about = if items.len() == 1 {
        first.question.clone()
    } else {
        format!("{} … {} ({})", first.question, last.question, items.len())
    };
    let score = |system: usize| mean(items.iter().map(|item| item.scores[system].fraction()).collect());
    HeatColumn {
        about,
        questions: items.len(),
        difficulty: mean(items.iter().map(|item| item.difficulty.fraction()).collect()),
        scores: (0..first.scores.len()).map(score).collect(),
    }
}

/// The class of a score: 0, above, half or more, all.
fn shade(score: &Fraction) -> usize {
    let half = score + score >= Fraction::one();
    match (score.is_zero(), half, *score >= Fraction::one()) {
        (true, ..) => 0,
        (_, _, true) => 3,
        (_, true, _) => 2,
        _ => 1,
    }
}

fn drawing(
    words: &TableWords<'_>,
    systems: &[&ComparedSystem],
    columns: &[HeatColumn],
    none: usize,
) -> Drawing {
    const SHADES: [&str; 4] = ["c0", "c1", "c2", "c3"];
    let label = |system: &ComparedSystem| {
        let mark = if system.cautions.is_empty() { "" } else { " (no rank)" };
        format!("{}{LEFT_TO_RIGHT}{mark}", system.system)
    };
    let left =
        systems.iter().map(|system| width(&label(system), TextSize::Usual)).max().unwrap_or(0).min(NAME);
    let number = count(columns.len());
    let total = STRIP.min(number * WIDEST);
    let place = |column: usize| left + 160 + count(column) * total / number.max(1);
    let bottom = 60 + NEXT * count(systems.len());
    let mut drawing = Drawing::new((left + 160 + total + 60).max(4000), bottom + LINE);
    for (row, system) in systems.iter().enumerate() {
        let y = 60 + NEXT * count(row);
        drawing.words("strong", [left, y + 155], Anchor::End, TextSize::Usual, left, &label(system));
        drawing.area(SHADES[0], [place(0), y], [total, TALL], "");
        let at = words.table.systems.iter().position(|one| one.system == system.system).unwrap_or(0);
        let shades: Vec<usize> = columns.iter().map(|column| shade(&column.scores[at])).collect();
        let mut from = 0;
        for run in shades.chunk_by(|one, next| one == next) {
            let to = from + run.len();
            if run[0] > 0 {
                drawing.area(SHADES[run[0]], [place(from), y], [place(to) - place(from), TALL], "");
            }
            from = to;
        }
    }
    drawing.words("", [place(0), bottom + 110], Anchor::Start, TextSize::Small, 800, "easiest");
    // Where no system gets anything right: at the end, as these are the most difficult.
    let last: usize = columns.iter().rev().take_while(|column| column.difficulty.is_zero()).count();
    if last > 0 && last < columns.len() {
        let x = place(columns.len() - last);
        drawing.line("axis", &[[x, 40], [x, bottom + 130]]);
        let (words, room) =
            (format!("{none} that no system gets anything right in"), place(columns.len()) - x - 60);
        if width(&words, TextSize::Small) <= room {
            drawing.words("", [x + 60, bottom + 110], Anchor::Start, TextSize::Small, room, &words);
        } else {
            let room = x - 60 - place(0) - 600;
            drawing.words("", [x - 60, bottom + 110], Anchor::End, TextSize::Small, room.max(900), &words);
        }
    }
    for (at, column) in columns.iter().enumerate() {
        let tip = format!("question {}: mean {}", column.about, column.difficulty.to_fixed(4));
        drawing.area("sight", [place(at), 60], [place(at + 1) - place(at), bottom - 60], &tip);
    }
    drawing.key(&[
        ("c3", PointShape::Swatch, "1"),
        ("c2", PointShape::Swatch, "0.5 and more"),
        ("c1", PointShape::Swatch, "above 0"),
        ("c0", PointShape::Swatch, "0"),
    ]);
    drawing
}

fn shown_table(words: &TableWords<'_>, systems: &[&ComparedSystem], columns: &[HeatColumn]) -> Table {
    let shares = columns.iter().any(|column| column.questions > 1);
    let about = if shares { "questions" } else { "question" };
    let mut table = Table {
        columns: vec![Column::text(about, "question"), Column::number("mean", "difficulty")],
        ..Table::default()
    };
    table.columns.extend(systems.iter().map(|system| Column::number(&system.system, &system.system)));
    let order = order(words, systems);
    let written = |number: &Fraction| FOR_PEOPLE.number(&Decimal::of(number));
    for column in columns {
        let scores = order.iter().map(|system| written(&column.scores[*system]));
        table
            .rows
            .push([column.about.clone(), written(&column.difficulty)].into_iter().chain(scores).collect());
    }
    table
}
