//! What `qassay evaluate` prints.

use qassay::Result;
use qassay::graph::Archive;
use qassay::observe::Evaluation;
use qassay::report::{self, Format};

use super::Output;
use crate::cli::{Evaluate, GoldChoice};

pub(super) fn print(arguments: &Evaluate, evaluations: &[Evaluation<'_>], output: &Output) -> Result<()> {
    if arguments.format == Format::Json {
        return output.result(&format!("{:#}\n", report::evaluations_json(evaluations)));
    }
    let digits = (arguments.format != Format::Csv).then_some(report::DIGITS_FOR_PEOPLE);
    let mut tables = Vec::new();
    // CSV is one table: a reader must not have to look for the header of the next.
    let only_one = arguments.format == Format::Csv;
    if !only_one || arguments.tables() == 0 {
        tables.push(report::overview(evaluations, digits));
    }
    if arguments.differences || (!only_one && arguments.profile.len() > 1) {
        let [summary, questions] = report::differences_tables(report::one_gold(evaluations));
        tables.extend((!only_one).then_some(summary));
        tables.push(questions);
    }
    if !only_one && arguments.gold_answers == GoldChoice::Both {
        tables.push(report::moved(evaluations, digits));
    }
    if arguments.groups {
        tables.push(report::groups(evaluations, digits));
    }
    if arguments.details {
        tables.push(report::details(evaluations, None, digits));
    }
    if arguments.all_measures {
        tables.push(report::all_measures(evaluations, digits));
    }
    if arguments.failed {
        tables.push(report::failed(evaluations, digits));
    }
    if arguments.issues {
        tables.push(report::issues(evaluations));
    }
    let texts: Vec<String> =
        tables.iter().map(|table| table.render(arguments.format)).collect::<Result<_>>()?;
    output.result(&texts.join("\n"))
}

pub(super) fn kept(archive: &Archive, evaluations: &[Evaluation<'_>], output: &Output) {
    output.note(&format!("\nkept in {}:", archive.root().display()));
    for evaluation in evaluations {
        output.note(&format!("  {}  {}", evaluation.iri, evaluation.submission.system));
    }
}

/// Says how to do the same without asking an endpoint.
pub(super) fn again(options: &[String], output: &Output) {
    if !options.is_empty() {
        output.note(&format!("the same without the network: {}", options.join(" ")));
    }
}
