//! What systems could do together, by their number: an upper bound.

use crate::measures::fraction::Fraction;
use crate::record::comparison::ComparedEnsembles;
use crate::report::comparison::together;
use crate::report::plots::Plot;
use crate::report::plots::axis::AxisKind;
use crate::report::plots::drawing::PointShape;
use crate::report::plots::rows::{PlotRow, RowFrame};
use crate::report::plots::words::{FOR_PEOPLE, TableWords, listed, number};

/// The plot; none of measures that are no mean over questions.
pub(super) fn oracle(words: &TableWords<'_>) -> Option<Plot> {
    let ensembles = words.table.ensembles.as_ref()?;
    let steps = steps(ensembles);
    if steps.len() < 2 {
        return None;
    }
    let rows: Vec<PlotRow> = steps
        .iter()
        .map(|step| PlotRow::new(&step.label, number(step.best.as_ref().unwrap_or(&step.greedy))))
        .collect();
    let numbers: Vec<&Fraction> =
        steps.iter().flat_map(|step| step.best.iter().chain([&step.greedy])).collect();
    let unit = format!("{} of the best answer to each question", words.measure());
    let mut frame = RowFrame::new(&rows, numbers, AxisKind::Values, &unit);
    let places: Vec<[i64; 2]> =
        steps.iter().enumerate().map(|(row, step)| frame.place(row, &step.greedy)).collect();
    frame.drawing.line("ci", &places);
    for (row, (step, place)) in steps.iter().zip(&places).enumerate() {
        frame.drawing.point("ring", PointShape::Ring, *place);
        if let Some(best) = &step.best {
            let at = frame.place(row, best);
            frame.drawing.point("sig", PointShape::Diamond, at);
        }
    }
    let has_best = steps.iter().any(|step| step.best.is_some());
    let mut key = vec![("ring", PointShape::Ring, "adding each time the system that helps most")];
    if has_best {
        key.push(("sig", PointShape::Diamond, "the best set of this size"));
    }
    frame.drawing.key(&key);
    let told =
        |step: &OracleStep| format!("{} {}", step.label, number(step.best.as_ref().unwrap_or(&step.greedy)));
    let mut notes = words.notes();
    let odd: Vec<&str> = words.systems()[1].iter().map(|system| system.system.as_str()).collect();
    if !odd.is_empty() {
        notes.push(format!(
            "{} counts here although its value means something else than it seems to.",
            odd.join(", ")
        ));
    }
    Some(Plot {
        kind: "oracle",
        title: format!("Upper bound: {} of the systems together", words.measure()),
        reading: "An upper bound: what would be reached if for every question somebody knew which system answers it best. From top to bottom a system is added."
            .to_owned(),
        description: listed(&steps.iter().map(told).collect::<Vec<_>>()),
        notes,
        table: together::oracle(FOR_PEOPLE, words.table)?,
        drawing: frame.drawing,
    })
}

/// The sets of one size.
#[derive(Debug)]
struct OracleStep {
    label: String,
    greedy: Fraction,
    best: Option<Fraction>,
}

fn steps(ensembles: &ComparedEnsembles) -> Vec<OracleStep> {
    let step = |(at, set): (usize, &crate::record::comparison::ComparedSet)| {
        let added = set.systems.last().map(String::as_str).unwrap_or_default();
        let best = ensembles.best.as_ref().and_then(|best| best.get(at));
        OracleStep {
            label: if at == 0 { added.to_owned() } else { format!("+ {added}") },
            greedy: set.value.fraction(),
            best: best.map(|set| set.value.fraction()),
        }
    };
    ensembles.greedy.iter().enumerate().map(step).collect()
}
