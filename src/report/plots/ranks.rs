//! How certain ranks are: for each system, in which share of the resamples it has which rank, as bars.

use crate::measures::fraction::Fraction;
use crate::report::plots::Plot;
use crate::report::plots::axis::AxisKind;
use crate::report::plots::drawing::{Anchor, PointShape, TextSize, width};
use crate::report::plots::rows::{PlotRow, RowFrame};
use crate::report::plots::words::{TableWords, listed, number};
use crate::report::table::{Column, Table};

/// The colours of the ranks, again and again: numbers tell them apart.
const COLOURS: [&str; 7] = ["s0 part", "s5 part", "s2 part", "s4 part", "s1 part", "s3 part", "s6 part"];

/// The colours on which words are light.
const DARK: [usize; 1] = [0];

/// Half the height of a bar.
const HALF: i64 = 80;

/// A system and how often it has which rank.
#[derive(Debug)]
struct Ranked<'t> {
    system: &'t str,
    times: &'t [usize],
    range: String,
}

impl Ranked<'_> {
    /// The share of the resamples in which it has a rank up to one.
    fn share_to(&self, rank: usize) -> Fraction {
        let of = |times: &[usize]| times.iter().sum::<usize>() as u64;
        Fraction::ratio(of(&self.times[..rank]), of(self.times)).unwrap_or_else(Fraction::zero)
    }

    /// The share in which it has just that rank.
    fn share(&self, rank: usize) -> String {
        number(&(&self.share_to(rank) - &self.share_to(rank - 1)))
    }
}

/// The plot; none where nothing was resampled or there is only one system.
pub(super) fn ranks(words: &TableWords<'_>) -> Option<Plot> {
    let [systems, apart] = words.systems();
    let with_ranks = systems.iter().filter(|system| system.ranks.iter().any(|times| *times > 0));
    let systems: Vec<Ranked<'_>> = with_ranks
        .map(|system| Ranked {
            system: &system.system,
            times: &system.ranks,
            range: match system.rank_range {
                Some([first, last]) if first == last => first.to_string(),
                Some([first, last]) => format!("{first}–{last}"),
                None => String::new(),
            },
        })
        .collect();
    if systems.len() < 2 {
        return None;
    }
    let row = |one: &Ranked<'_>| PlotRow::new(one.system, format!("rank {}", one.range));
    let rows: Vec<PlotRow> = systems.iter().map(row).collect();
    let mut frame = RowFrame::new(&rows, &[Fraction::one()], AxisKind::Values, "share of the resamples");
    for (row, one) in systems.iter().enumerate() {
        bar(&mut frame, row, one);
    }
    let most =
        systems.iter().filter_map(|one| one.times.iter().rposition(|times| *times > 0)).max().unwrap_or(0)
            + 1;
    let names: Vec<String> = (1..=most.min(COLOURS.len())).map(|rank| rank_names(rank, most)).collect();
    let key: Vec<(&'static str, PointShape, &str)> =
        COLOURS.iter().zip(&names).map(|(class, name)| (*class, PointShape::Swatch, name.as_str())).collect();
    frame.drawing.key(&key);
    let told = |one: &Ranked<'_>| format!("{}: rank {} in 95 % of the resamples", one.system, one.range);
    let mut notes = words.notes();
    if !apart.is_empty() {
        notes.push("Systems whose values mean something else than they seem to have no rank.".to_owned());
    }
    Some(Plot {
        kind: "ranks",
        title: format!("How certain the ranks by {} are", words.measure()),
        reading: "How often each system has which rank if the questions are drawn again; at the right the ranks that it has in 95 % of the draws."
            .to_owned(),
        description: listed(&systems.iter().map(told).collect::<Vec<_>>()),
        notes,
        table: table(&systems, most),
        drawing: frame.drawing,
    })
}

/// The ranks of one colour.
fn rank_names(first: usize, most: usize) -> String {
    let ranks: Vec<String> = (first..=most).step_by(COLOURS.len()).map(|rank| rank.to_string()).collect();
    format!("rank {}", ranks.join(", "))
}

/// The parts of a bar, with the rank in those that have room for it.
fn bar(frame: &mut RowFrame, row: usize, one: &Ranked<'_>) {
    let y = frame.middle(row);
    for rank in 1..=one.times.len() {
        let [from, to] = [rank - 1, rank].map(|rank| frame.axis.place(&one.share_to(rank)));
        if from == to {
            continue;
        }
        let colour = (rank - 1) % COLOURS.len();
        let tip = format!("{}: rank {rank} {}", one.system, one.share(rank));
        frame.drawing.area(COLOURS[colour], [from, y - HALF], [to - from, 2 * HALF], &tip);
        let name = rank.to_string();
        if width(&name, TextSize::Small) + 60 <= to - from {
            let class = if DARK.contains(&colour) { "on dark" } else { "on" };
            let at = [i64::midpoint(from, to), y + 40];
            frame.drawing.words(class, at, Anchor::Middle, TextSize::Small, to - from, &name);
        }
    }
}

fn table(systems: &[Ranked<'_>], most: usize) -> Table {
    let mut table = Table { columns: vec![Column::text("system", "system")], ..Table::default() };
    table.columns.extend((1..=most).map(|rank| Column::number(&rank.to_string(), &format!("rank{rank}"))));
    table.columns.push(Column::number("95 %", "rankRange"));
    let about = "1, 2, …: the share of the resamples in which a system has that rank; 95 %: the ranks of 95 % of them";
    table.footnotes.push(about.to_owned());
    for one in systems {
        let shares = (1..=most).map(|rank| one.share(rank));
        table
            .rows
            .push([one.system.to_owned()].into_iter().chain(shares).chain([one.range.clone()]).collect());
    }
    table
}
