//! `qassay explain`: shows how a question was scored.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Args;
use qassay::base::error::{Error, Result};
use qassay::record::asking::KeptExchange;
use qassay::record::comparison::across::SystemComparison;
use qassay::record::comparison::headline::HeadlineIntervals;
use qassay::record::results::Results;
use qassay::record::results::explanation::Explanation;
use qassay::report;
use qassay::report::comparison::json::deciding_json;
use qassay::report::comparison::pairs::deciding;
use qassay::report::comparison::shown::Shown;
use qassay::report::evaluations::{DIGITS_FOR_PEOPLE, QuestionFilter, scored_experiment};
use qassay::report::table::Layout;
use qassay::workbench::Workbench;
use qassay::workbench::decide::DecidingRequest;

use super::output::Output;
use super::words::ArchivePlace;

/// Show how a question was scored: both, missed, extra, and why
///
/// Or which questions decide between two systems.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay explain gAnswer2 99
  qassay explain 3f0c1d2e gAnswer2 QAKiS      the questions that decide, in a comparison")]
pub(super) struct Explain {
    /// The evaluation: its IRI, the beginning of its key, or the name of the system; or a comparison: its IRI or the
    /// beginning of its key
    evaluation: String,
    /// The ids of questions; without them, all questions are listed. Of a comparison: the names of two systems
    questions: Vec<String>,
    /// The profile, where the system was evaluated with several
    #[arg(long, short)]
    profile: Option<String>,
    /// The experiment type [default: QA; of a comparison all that it has]
    #[arg(long, short = 'x', value_name = "TYPE")]
    experiment: Option<String>,
    /// Of a comparison: the most questions that are shown, those with the largest differences
    #[arg(long, value_name = "N", default_value_t = 20)]
    most: usize,
    /// Only the questions with F1 below 1, with their texts
    #[arg(long, short, conflicts_with = "questions")]
    wrong: bool,
    /// The language in which the question is shown first
    #[arg(long, value_name = "TAG", default_value = "en")]
    language: String,
    /// How to print: the list of questions in each of these ways, single questions for people or as JSON (several as a list)
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Explain {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let bench = self.archive.workbench();
        if let Some(comparison) = bench.comparison(&self.evaluation)? {
            return self.decided(&bench, &comparison, output);
        }
        let evaluation = (self.evaluation.as_str(), self.profile.as_deref());
        if self.questions.is_empty() {
            let (word, profile) = evaluation;
            let results = match self.format {
                // It shows every group of questions.
                Layout::Json => bench.published_with_groups(word, profile, output)?,
                _ => bench.published(word, profile)?,
            };
            return output.result(&self.list(&results)?);
        }
        if !matches!(self.format, Layout::Table | Layout::Json) {
            return Err(no_table());
        }
        let explained = |key: &String| {
            let explained = bench.explain(evaluation, (self.experiment(), key), output);
            explained.map_err(|error| two_systems(error, &bench, key))
        };
        let all: Vec<Explanation> = self.questions.iter().map(explained).collect::<Result<_>>()?;
        let kept = |key: &String| bench.exchange_about(evaluation, key);
        let kept: Vec<KeptExchange> = self.questions.iter().map(kept).collect::<Result<_>>()?;
        let views: Vec<_> = all
            .iter()
            .zip(&kept)
            .map(|(one, kept)| report::explanation::explanation_json(one, kept))
            .collect();
        let text = match (self.format, views.as_slice()) {
            (Layout::Json, [one]) => report::json::text(one),
            (Layout::Json, several) => report::json::text(&several),
            _ => {
                let told = |(one, kept): (&Explanation, &KeptExchange)| {
                    let exchange = report::asking::exchange(kept);
                    let apart = if exchange.is_empty() { "" } else { "\n" };
                    report::explanation::explanation(one, &self.language) + apart + &exchange
                };
                all.iter().zip(&kept).map(told).collect::<Vec<_>>().join("\n")
            }
        };
        output.result(&text)
    }

    fn experiment(&self) -> &str {
        self.experiment.as_deref().unwrap_or("QA")
    }

    /// The questions that decide between two systems.
    fn decided(&self, bench: &Workbench, comparison: &SystemComparison, output: &Output) -> Result<ExitCode> {
        let [one, other] = self.questions.as_slice() else {
            let systems = comparison.tables.iter().flat_map(|table| &table.systems);
            let known: BTreeSet<&str> = systems.map(|one| one.system.as_str()).collect();
            let known: Vec<&str> = known.into_iter().collect();
            return Err(Error::input("a comparison is explained by what decides between two of its systems")
                .allowed(format!("two of {}", known.join(", "))));
        };
        if one.eq_ignore_ascii_case(other) {
            return Err(
                Error::input(format!("nothing decides between `{one}` and itself")).allowed("two systems")
            );
        }
        let of = DecidingRequest {
            systems: [one, other],
            profile: self.profile.as_deref(),
            experiment: self.experiment.as_deref(),
            most: self.most,
        };
        let decided = bench.decided(comparison, &of, output)?;
        if self.format == Layout::Json {
            let all: Vec<_> = decided.iter().map(deciding_json).collect();
            return output.result(&report::json::text(&all));
        }
        if self.format == Layout::Csv && decided.len() > 1 {
            return Err(
                Error::input("CSV holds one table, and several have both systems").allowed("--format json")
            );
        }
        let shown = Shown { format: self.format };
        let tables = decided.iter().map(|one| deciding(shown, one, &self.language).render(self.format));
        output.result(&tables.collect::<Result<Vec<_>>>()?.join("\n"))
    }

    fn list(&self, results: &Results) -> Result<String> {
        let experiment = scored_experiment(results, self.experiment())?;
        let one = std::slice::from_ref(results);
        if self.format == Layout::Json {
            let intervals = HeadlineIntervals::of(one)?;
            return Ok(report::json::text(&report::json::evaluations(one, &[], &intervals)));
        }
        let digits = (self.format != Layout::Csv).then_some(DIGITS_FOR_PEOPLE);
        let wanted = QuestionFilter { experiment: Some(&experiment.name), only_wrong: self.wrong };
        let mut table = report::evaluations::details(one, wanted, digits);
        if self.wrong {
            report::failed::with_texts(&mut table, results);
        }
        table.title = format!(
            "{} on {}, profile {}, {}",
            results.submission.name, results.dataset.name, results.profile.name, experiment.name
        );
        table.render(self.format)
    }
}

/// Where somebody names a system in place of a question: how two systems are explained.
fn two_systems(error: Error, bench: &Workbench, word: &str) -> Error {
    if bench.archived().is_ok_and(|archived| !archived.called(word, None).is_empty()) {
        return error.hint(
            "what decides between two systems: `qassay explain COMPARISON A B`, after `qassay compare`",
        );
    }
    error
}

/// What explains one question has no columns.
fn no_table() -> Error {
    Error::input("what explains a question is no table")
        .allowed("--format table, json")
        .hint("without a question, all are listed, in each of the formats")
}
