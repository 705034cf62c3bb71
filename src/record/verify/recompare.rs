//! A comparison made again from the graphs of its evaluations, beside the graph that is kept: the same bytes, or the first
//! statement that differs.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::base::text::{beginning, counted};
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::comparison::archived::{compared, evaluations, results, stated};
use crate::record::comparison::graph;
use crate::record::comparison::settings::METHODS;
use crate::record::results::kept::KeptGraphs;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::findings::Findings;

/// How much of a statement is told.
const MOST_TOLD: usize = 300;

/// What came of making a comparison again.
enum Recompared {
    /// The same bytes.
    Same,
    /// Something else, and what.
    Differs(String),
    /// Something that is needed is not here.
    NotChecked(String),
}

/// Makes a comparison again and adds what came of it.
pub fn recompare(archived: &Archived, comparison: &ArchivedComparison, findings: &mut Findings) {
    let again = again(archived, comparison).unwrap_or_else(|error| Recompared::NotChecked(error.to_string()));
    let (problems, missing, word) = match again {
        Recompared::Same => (Vec::new(), Vec::new(), "same"),
        Recompared::Differs(what) => (vec![what], Vec::new(), "differs"),
        Recompared::NotChecked(why) => {
            let absent = absent(archived, comparison);
            let missing = if absent.is_empty() { vec![AbsentPart::told(why)] } else { absent };
            (Vec::new(), missing, "not checked")
        }
    };
    findings.add("re-execution", &comparison.iri, 1, problems, missing).result = Some(word);
}

/// The inputs and graphs of the evaluations that are compared which are not here.
fn absent(archived: &Archived, comparison: &ArchivedComparison) -> Vec<AbsentPart> {
    let of_one = |one: &ArchivedEvaluation| {
        let graphs = archived.graphs.iter().filter(|graph| graph.subject == one.iri);
        let graphs = graphs.map(|graph| archived.archive.graph(&graph.sha256));
        let inputs = [&one.gold, &one.answers].into_iter().chain(one.references.iter().map(|(_, file)| file));
        let files = graphs.chain(inputs.map(|sha256| archived.input(sha256)));
        files.filter(|file| !file.is_file()).map(|file| AbsentPart::of_path(file.path())).collect::<Vec<_>>()
    };
    let compared = archived.evaluations.iter().filter(|one| comparison.evaluations.contains(&one.iri));
    compared.flat_map(of_one).collect()
}

fn again(archived: &Archived, comparison: &ArchivedComparison) -> Result<Recompared> {
    let (recorded, stated) = stated(archived, comparison)?;
    if stated.methods != METHODS {
        return Ok(Recompared::NotChecked(format!(
            "it was made by the methods `{}`, and this program has `{METHODS}`",
            stated.methods
        )));
    }
    let Some(settings) = &stated.settings else {
        return Ok(Recompared::Differs("its settings are none of this program".to_owned()));
    };
    if settings.key(stated.evaluations.iter().map(String::as_str)) != comparison.key() {
        return Ok(Recompared::Differs("its key is not that of its evaluations and its settings".to_owned()));
    }
    let evaluations = evaluations(archived, &stated)?;
    let results = results(&KeptGraphs::open(&archived.archive)?, &evaluations)?;
    let mut computed = Vec::new();
    graph::write(
        &mut computed,
        archived.archive.mint(),
        &compared(archived, &evaluations, &results, settings)?,
    )
    .map_err(|error| Error::system(format!("cannot write the graph: {error}")))?;
    Ok(difference(&recorded, &computed).map_or(Recompared::Same, Recompared::Differs))
}

/// The first statement that only one of two graphs has, with the object that the other has in its place.
fn difference(recorded: &[u8], computed: &[u8]) -> Option<String> {
    if recorded == computed {
        return None;
    }
    let lines = |graph: &[u8]| -> BTreeSet<String> {
        String::from_utf8_lossy(graph).lines().map(str::to_owned).collect()
    };
    let (old, new) = (lines(recorded), lines(computed));
    let (only_old, only_new): (Vec<&String>, Vec<&String>) =
        (old.difference(&new).collect(), new.difference(&old).collect());
    let first = only_old.iter().chain(&only_new).min();
    let Some(first) = first else {
        return Some("it has the same statements, otherwise written".to_owned());
    };
    let (about, _) = parts(first);
    let said = |side: &[&String]| {
        let object = side.iter().map(|line| parts(line)).find(|(other, _)| *other == about);
        object.map_or_else(|| "nothing".to_owned(), |(_, object)| beginning(object, MOST_TOLD))
    };
    let counts = [&only_old, &only_new].map(|side| counted(side.len(), "statement"));
    Some(format!(
        "{}: {} was recorded, {} is computed; in all, {} only recorded, {} only computed",
        beginning(about, MOST_TOLD),
        said(&only_old),
        said(&only_new),
        counts[0],
        counts[1],
    ))
}

/// Subject and predicate of a line of N-Quads, and its object.
fn parts(line: &str) -> (&str, &str) {
    let behind_subject = line.find("> ").map_or(0, |at| at + 2);
    let behind = line[behind_subject..].find("> ").map_or(behind_subject, |at| behind_subject + at + 2);
    let object = line[behind..].rsplit_once(" <").map_or(&line[behind..], |(object, _)| object);
    (line[..behind].trim_end(), object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_statement_that_differs_is_told_with_both_objects() {
        let graph = |lines: &[(&str, &str)]| {
            let line = |(about, object): &(&str, &str)| format!("{about} {object} <u:g> .\n");
            lines.iter().map(line).collect::<String>().into_bytes()
        };
        let (a, b) = (("<u:a> <u:p>", "\"1\""), ("<u:b> <u:p>", "\"a > b <u:c>\""));
        let one = graph(&[a, b]);
        assert_eq!(difference(&one, &one), None);
        assert_eq!(
            difference(&one, &graph(&[("<u:a> <u:p>", "\"2\""), b])).unwrap(),
            "<u:a> <u:p>: \"1\" was recorded, \"2\" is computed; in all, 1 statement only recorded, 1 statement only computed"
        );
        assert_eq!(
            difference(&graph(&[a]), &one).unwrap(),
            "<u:b> <u:p>: nothing was recorded, \"a > b <u:c>\" is computed; in all, 0 statements only recorded, 1 statement only computed"
        );
        assert_eq!(
            difference(&graph(&[b, a]), &one).unwrap(),
            "it has the same statements, otherwise written"
        );
    }
}
