//! `qassay compare`: who is better, by how much, and whether it could be chance.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use qassay::base::error::{Error, Result};
use qassay::base::watch::Watcher as _;
use qassay::measures::fraction::Fraction;
use qassay::measures::metric::Metric;
use qassay::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use qassay::report::comparison::json as comparison_json;
use qassay::report::comparison::parts::ComparisonPart;
use qassay::report::json;
use qassay::report::table::{Layout, Table};
use qassay::statistics::table::PairedTest;
use qassay::workbench::compare::CompareRequest;

use super::output::Output;
use super::words::ArchivePlace;

/// Compare evaluations of the archive: who is better, by how much, and could it be chance
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay compare
  qassay compare gAnswer2 QAKiS --measure macroF1,exactMatch --show pairs
  qassay compare --baseline QAKiS --profile qassay --format latex")]
pub(super) struct Compare {
    /// The evaluations: IRIs, beginnings of keys, or names of systems [default: all of the archive]
    #[arg(value_name = "EVALUATION|SYSTEM")]
    words: Vec<String>,
    /// The measures, separated by commas [default: the one that the profile ranks by]
    #[arg(long, value_name = "MEASURE", value_delimiter = ',')]
    measure: Vec<String>,
    /// Only these experiment types, separated by commas
    #[arg(long, short = 'x', value_name = "TYPE", value_delimiter = ',')]
    experiment: Vec<String>,
    /// Only these profiles, separated by commas
    #[arg(long, short, value_name = "PROFILE", value_delimiter = ',')]
    profile: Vec<String>,
    /// Compare the others with this system, and not each with each
    #[arg(long, value_name = "SYSTEM")]
    baseline: Option<String>,
    /// How it is tested whether two systems differ
    #[arg(long, value_enum, value_name = "TEST", default_value_t)]
    test: TestWord,
    /// Up to which adjusted p-value a difference is more than chance
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = share)]
    alpha: Fraction,
    /// Which questions count: all that were scored, or those that all systems answered, which flatters
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    questions: QuestionWord,
    /// What is resampled [default: variants in TEXT2SPARQL, else questions]
    #[arg(long, value_enum, value_name = "UNIT")]
    cluster: Option<ClusterWord>,
    /// Compare groups of questions too: what hurts whom
    #[arg(long)]
    groups: bool,
    /// What the random numbers begin with beside the gold file
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    seed: String,
    /// What is shown, separated by commas
    #[arg(long, value_enum, value_name = "PART", value_delimiter = ',', default_value = "matrix,pairs")]
    show: Vec<ComparisonPart>,
    /// How to print it
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where the evaluations are
    #[command(flatten)]
    archive: ArchivePlace,
}

/// How it is tested whether two systems differ
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum TestWord {
    /// Whether their names could be exchanged
    #[default]
    Randomisation,
    /// Wilcoxon's test of signed ranks
    Wilcoxon,
    /// The sign test: on exact match McNemar's
    Sign,
}

/// Which questions count
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum QuestionWord {
    /// All that all evaluations of a table scored
    #[default]
    Scored,
    /// Those that all systems answered
    Answered,
}

/// What is resampled
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ClusterWord {
    /// Each question
    Question,
    /// The variants of a question together: ids that are the same before the last `-`
    Variant,
}

impl Compare {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        if self.format == Layout::Csv && self.show.len() > 1 {
            return Err(
                Error::input("CSV holds one kind of table").allowed("one part, such as `--show pairs`")
            );
        }
        let settings = self.settings()?;
        let request = CompareRequest {
            words: self.words.clone(),
            profiles: self.profile.clone(),
            settings: settings.clone(),
            only: None,
        };
        let bench = self.archive.workbench();
        let compared = bench.compare(&request)?;
        if self.format == Layout::Json {
            return output.result(&json::text(&comparison_json::comparison(&compared, bench.mint())));
        }
        let mut tables: Vec<Table> = Vec::new();
        for part in &self.show {
            let of_part = part.tables(&compared, self.format);
            if of_part.is_empty() {
                output.note(&format!("note: {}", part.nothing()));
            }
            tables.extend(of_part);
        }
        let texts: Vec<String> =
            tables.iter().map(|table| table.render(self.format)).collect::<Result<_>>()?;
        output.result(&texts.join("\n"))
    }

    fn settings(&self) -> Result<ComparisonSettings> {
        let measure = |name: &String| {
            Metric::named(name).ok_or_else(|| {
                Error::input(format!("there is no measure `{name}`")).hint("`qassay measures` lists them")
            })
        };
        Ok(ComparisonSettings {
            measures: self.measure.iter().map(measure).collect::<Result<_>>()?,
            experiments: self.experiment.clone(),
            groups: self.groups || self.show.contains(&ComparisonPart::Groups),
            test: match self.test {
                TestWord::Randomisation => PairedTest::Randomisation,
                TestWord::Wilcoxon => PairedTest::Wilcoxon,
                TestWord::Sign => PairedTest::Sign,
            },
            alpha: self.alpha.clone(),
            seed: self.seed.clone(),
            baseline: self.baseline.clone(),
            cluster: self.cluster.map(|word| match word {
                ClusterWord::Question => ClusterUnit::Question,
                ClusterWord::Variant => ClusterUnit::Variant,
            }),
            only_answered: self.questions == QuestionWord::Answered,
        })
    }
}

fn share(text: &str) -> std::result::Result<Fraction, String> {
    let share = Fraction::parse(text).filter(|share| *share <= Fraction::one() && !share.is_zero());
    share.ok_or_else(|| "a number above 0, at most 1".to_owned())
}
