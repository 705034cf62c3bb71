//! `qassay release`: scores the blind submissions to a dataset.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::parallel;
use qassay::record::results::comparison::ProfileComparison;
use qassay::record::results::{Detail, Results};
use qassay::report;
use qassay::report::evaluations::DIGITS_FOR_PEOPLE;
use qassay::report::html::Report;
use qassay::report::issues::issues;
use qassay::report::release::{NotScored, Released};
use qassay::report::table::{Layout, Table};
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::groups::Grouping;
use qassay::workbench::release::Disclosure;
use qassay::workbench::request::Request;

use super::evaluate::kept;
use super::html;
use super::output::Output;
use super::words::{ArchivePlace, Scoring, Threads};

/// Score blind submissions and show the results
#[derive(Debug, Args)]
#[command(
    after_help = "Blind submissions are those of `qassay evaluate --blind`. They stay as they are: they can be released again, \
and later ones are accepted afterwards. A submission that cannot be scored is told, the others are shown, and the exit code is 1."
)]
pub(super) struct Release {
    /// The dataset: its file, its name, or the IRI of its version
    dataset: String,
    /// Only the submissions for this profile
    #[arg(long, short)]
    profile: Option<String>,
    /// The choices that decide numbers, as for `qassay evaluate`
    #[command(flatten)]
    scoring: Scoring,
    /// Show the questions that every submission failed
    ///
    /// Not only those of the best; in CSV in place of the results.
    #[arg(long)]
    failed: bool,
    /// Show what is odd about the submissions, the worst first
    ///
    /// In CSV in place of the results.
    #[arg(long, short, conflicts_with = "failed")]
    issues: bool,
    /// The same, with each note in place of their counts
    #[arg(long, conflicts_with = "failed")]
    all_issues: bool,
    /// How to print the results
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Write everything that can be shown to one HTML file too
    ///
    /// It needs nothing from outside.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,
    /// Where the submissions are kept
    #[command(flatten)]
    archive: ArchivePlace,
    /// How many threads work
    #[command(flatten)]
    threads: Threads,
}

impl Release {
    /// Runs the command. Exit code 1: a submission cannot be scored; the others are.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        self.threads.run(|| self.run_here(output))
    }

    fn run_here(&self, output: &Output) -> Result<ExitCode> {
        html::check(self.html.as_deref())?;
        let bench = self.archive.workbench();
        let request = self.scoring.request(&[], &[])?;
        // Both show every group of questions.
        let shows_groups = self.format == Layout::Json || self.html.is_some();
        let grouping = if shows_groups { Grouping::Shown } else { Grouping::Headline };
        let request = Request { grouping, ..request };
        let done = bench.release(&self.dataset, self.profile.as_deref(), request, output)?;
        let Disclosure { numbers, mut evaluations, not_scored, again } = done;
        for one in &not_scored {
            output.error(&Error::check(one.to_string()));
        }
        if evaluations.is_empty() {
            return Err(
                Error::check("no blind submission can be scored").hint("`qassay verify` looks at all")
            );
        }
        // Only the page looks at evaluations again; of many, the memory counts.
        let shown = |one: &Evaluation| Results::shown_of(one, Detail::Questions);
        let results: Vec<Results> = match self.html {
            Some(_) => parallel::each(evaluations.iter().collect(), shown),
            None => evaluations.drain(..).map(|one| shown(&one)).collect(),
        };
        let released = report::release::released(&results, numbers.into_iter());
        print(&released, &not_scored, &results, self, output)?;
        kept(&bench, &results, &again, output);
        if let Some(path) = &self.html {
            let digits = Some(DIGITS_FOR_PEOPLE);
            let table = report::release::released_table(&released, &not_scored, &results, digits);
            html::write(path, &page(table, &released, &evaluations)?.html()?, output)?;
        }
        Ok(if not_scored.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

/// The page: all results, and everything else that can be shown of the best submission of each system.
fn page(mut table: Table, released: &[Released<'_>], evaluations: &[Evaluation]) -> Result<Report> {
    let has_best = released.iter().any(|one| one.is_best);
    let about = if has_best { "the best submission of each system" } else { "all submissions" };
    table.notes.push(format!("the other parts of this page: {about}"));
    let shown = released.iter().filter(|one| one.is_best || !has_best).map(|one| one.results.clone());
    let shown: Vec<Results> = shown.collect();
    let comparisons = ProfileComparison::of(evaluations, &shown)?;
    Ok(report::page::page(table, &shown, &comparisons))
}

fn print(
    released: &[Released<'_>],
    not_scored: &[NotScored],
    results: &[Results],
    arguments: &Release,
    output: &Output,
) -> Result<ExitCode> {
    let format = arguments.format;
    let digits = (format != Layout::Csv).then_some(DIGITS_FOR_PEOPLE);
    // Where none is the best, nothing is said of what the best failed.
    let shown: Vec<&Results> =
        released.iter().filter(|one| arguments.failed || one.is_best).map(|one| one.results).collect();
    let table = || report::release::released_table(released, not_scored, results, digits);
    let tables = match format {
        Layout::Json => {
            return output.result(&report::json::text(&report::release::released_json(released, not_scored)));
        }
        // CSV is one table.
        Layout::Csv if arguments.failed => vec![report::failed::failed(shown, digits)],
        Layout::Csv if arguments.issues || arguments.all_issues => {
            vec![issues(results, false)]
        }
        Layout::Csv => vec![table()],
        _ => {
            let odd =
                (arguments.issues || arguments.all_issues).then(|| issues(results, !arguments.all_issues));
            let failed = (!shown.is_empty()).then(|| report::failed::failed(shown, digits));
            [table()].into_iter().chain(failed).chain(odd).collect()
        }
    };
    let texts: Vec<String> = tables.iter().map(|table| table.render(format)).collect::<Result<_>>()?;
    output.result(&texts.join("\n"))
}
