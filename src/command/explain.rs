//! `qassay explain`: shows how a question was scored.

use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::report;
use qassay::report::evaluations::DIGITS_FOR_PEOPLE;
use qassay::report::table::Format;
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::experiment::Experiment;
use qassay::workbench::explain::{question, scored_experiment};

use super::output::Output;
use super::words::ArchivePlace;

/// Show how a question was scored
#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The evaluation: its IRI, the beginning of its key, or the name of the system
    evaluation: String,
    /// The id of a question; without it, all questions are listed
    question: Option<String>,
    /// The profile, where the system was evaluated with several
    #[arg(long, short)]
    profile: Option<String>,
    /// The experiment type
    #[arg(long, short = 'x', value_name = "TYPE", default_value = "QA")]
    experiment: String,
    /// Only the questions with F1 below 1
    #[arg(long, short, conflicts_with = "question")]
    wrong: bool,
    /// The language in which the question is shown first
    #[arg(long, value_name = "TAG", default_value = "en")]
    language: String,
    /// How to print the list of questions
    #[arg(long, short, value_enum, default_value_t)]
    format: Format,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Explain {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let bench = self.archive.workbench();
        let evaluation = bench.again(&self.evaluation, self.profile.as_deref(), output)?;
        let experiment = scored_experiment(&evaluation, &self.experiment)?;
        let text = match &self.question {
            Some(key) => {
                let explained = question(&evaluation, experiment, key, &self.language)?;
                report::explanation::explanation(&explained)
            }
            None => self.list(&evaluation, experiment)?,
        };
        output.result(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn list(&self, evaluation: &Evaluation, experiment: &Experiment) -> Result<String> {
        let one = std::slice::from_ref(evaluation);
        if self.format == Format::Json {
            return Ok(report::json::text(&report::json::evaluations(one)));
        }
        let digits = (self.format != Format::Csv).then_some(DIGITS_FOR_PEOPLE);
        let mut table = report::evaluations::details(one, Some(experiment.name()), digits);
        table.title = format!(
            "{} on {}, profile {}, {}",
            evaluation.submission.system,
            evaluation.dataset.slug,
            evaluation.profile().name,
            experiment.name()
        );
        if self.wrong {
            table.rows.retain(|row| row.last().is_none_or(|f1| f1.trim_end_matches(['0', '.']) != "1"));
        }
        table.render(self.format)
    }
}
