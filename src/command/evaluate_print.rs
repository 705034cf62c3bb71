//! What `qassay evaluate` prints.

use qassay::base::error::Result;
use qassay::report::table::Format;
use qassay::scoring::evaluation::Evaluation;
use qassay::sources::archive::Archive;

use super::Output;
use crate::cli::{Evaluate, GoldChoice};

pub(super) fn print(arguments: &Evaluate, evaluations: &[Evaluation<'_>], output: &Output) -> Result<()> {
    if arguments.format == Format::Json {
        return output.result(&qassay::report::json::text(&qassay::report::json::evaluations(evaluations)));
    }
    let digits = (arguments.format != Format::Csv).then_some(qassay::report::evaluations::DIGITS_FOR_PEOPLE);
    let mut tables = Vec::new();
    // CSV is one table: a reader must not have to look for the header of the next.
    let only_one = arguments.format == Format::Csv;
    if !only_one || arguments.tables() == 0 {
        tables.push(qassay::report::evaluations::overview(evaluations, digits));
    }
    if arguments.differences || (!only_one && arguments.profile.len() > 1) {
        let [summary, questions] =
            qassay::report::differences::differences_tables(qassay::report::json::one_gold(evaluations));
        tables.extend((!only_one).then_some(summary));
        tables.push(questions);
    }
    if !only_one && arguments.gold_answers == GoldChoice::Both {
        tables.push(qassay::report::gold::moved(evaluations, digits));
    }
    if arguments.groups {
        tables.push(qassay::report::evaluations::groups(evaluations, digits));
    }
    if arguments.details {
        tables.push(qassay::report::evaluations::details(evaluations, None, digits));
    }
    if arguments.all_measures {
        tables.push(qassay::report::all_measures::all_measures(evaluations, digits));
    }
    if arguments.failed {
        tables.push(qassay::report::failed::failed(evaluations, digits));
    }
    if arguments.issues {
        tables.push(qassay::report::evaluations::issues(evaluations));
    }
    let texts: Vec<String> =
        tables.iter().map(|table| table.render(arguments.format)).collect::<Result<_>>()?;
    output.result(&texts.join("\n"))
}

pub(super) fn kept(archive: &Archive, evaluations: &[Evaluation<'_>], output: &Output) {
    let line = |one: &Evaluation<'_>| format!("{}  {}", one.iri, one.submission.system);
    let lines: Vec<String> = evaluations.iter().map(line).collect();
    output.note_list(&format!("\nkept in {}:", archive.root().display()), &lines);
}

/// Says how to do the same without asking an endpoint.
pub(super) fn again(options: &[String], output: &Output) {
    if !options.is_empty() {
        output.note(&format!("the same without the network: {}", options.join(" ")));
    }
}
