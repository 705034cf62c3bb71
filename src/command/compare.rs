//! `qassay compare`: who is better, by how much, and whether it could be chance.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum, ValueHint};
use qassay::base::clock::{Instant, now};
use qassay::base::error::{Error, Result};
use qassay::base::watch::Watcher as _;
use qassay::measures::fraction::Fraction;
use qassay::measures::metric::Metric;
use qassay::record::comparison::across::SystemComparison;
use qassay::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use qassay::report::comparison::json as comparison_json;
use qassay::report::comparison::page::page;
use qassay::report::comparison::parts::ComparisonPart;
use qassay::report::json;
use qassay::report::plots::{PlotFile, PlotSection};
use qassay::report::table::{Layout, Table};
use qassay::scoring::groups::Grouping;
use qassay::sparql::named_query::NamedQuery;
use qassay::statistics::table::PairedTest;
use qassay::workbench::Workbench;
use qassay::workbench::compare::{CompareRequest, ComparedNow};
use qassay::workbench::evaluate::SubmissionFile;
use qassay::workbench::request::{GoldChoice, Request};

use super::html;
use super::output::Output;
use super::query::written;
use super::words::{ArchivePlace, Scoring, Threads};

/// Compare evaluations of the archive: who is better, by how much, or is it chance
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay compare
  qassay compare gAnswer2 QAKiS --measure macroF1,exactMatch --show pairs
  qassay compare gold.json one.json two.json --links links.nt --show matrix,groups
  qassay compare --baseline QAKiS --profile qassay --format latex")]
pub(super) struct CompareSystems {
    /// What is compared [default: all of the archive]
    ///
    /// IRIs, beginnings of keys, names of systems or of datasets in the archive; or a gold file and files of answers, which
    /// are scored first, as `evaluate` does.
    #[arg(value_name = "EVALUATION|SYSTEM|DATASET|FILE", value_hint = ValueHint::FilePath)]
    words: Vec<String>,
    /// Only evaluations that the SPARQL query in this file finds
    ///
    /// Their IRIs are in the first column of what it finds; `-` is standard input.
    #[arg(long = "where", value_name = "FILE", value_hint = ValueHint::FilePath)]
    query: Option<PathBuf>,
    /// The measures, separated by commas [default: what the profile ranks by]
    #[arg(long, value_name = "MEASURE", value_delimiter = ',')]
    measure: Vec<String>,
    /// Only these experiment types, separated by commas
    #[arg(long, short = 'x', value_name = "TYPE", value_delimiter = ',')]
    experiment: Vec<String>,
    /// Only these profiles, separated by commas
    #[arg(long, short, value_name = "PROFILE", value_delimiter = ',')]
    profile: Vec<String>,
    /// Only evaluations against these gold answers
    ///
    /// [default: of the archive both, of files those of the dataset]
    #[arg(long = "gold", value_enum, value_name = "GOLD")]
    gold_answers: Option<GoldChoice>,
    /// Compare the others with this system, and not each with each
    #[arg(long, value_name = "SYSTEM")]
    baseline: Option<String>,
    /// Of files: the name of the system; once for each answer file, in order
    #[arg(long, value_name = "NAME")]
    system: Vec<String>,
    /// Of files: the choices that decide numbers
    #[command(flatten)]
    scoring: Scoring,
    /// How it is tested whether two systems differ
    #[arg(long, value_enum, value_name = "TEST", default_value_t)]
    test: TestWord,
    /// Up to which adjusted p-value two systems differ
    ///
    /// Up to it a difference is more than chance.
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = share)]
    alpha: Fraction,
    /// Which questions count: all scored, or those that all systems answered
    ///
    /// The latter flatters.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    questions: QuestionWord,
    /// What is resampled [default: variants in TEXT2SPARQL, else questions]
    #[arg(long, value_enum, value_name = "UNIT")]
    cluster: Option<ClusterWord>,
    /// Compare groups of questions too: what hurts whom
    #[arg(long)]
    groups: bool,
    /// What the random numbers begin with beside the gold file
    #[arg(long, hide_short_help = true, value_name = "TEXT", default_value = "", hide_default_value = true)]
    seed: String,
    /// What is shown, separated by commas [default: matrix,pairs; in CSV matrix]
    #[arg(long, value_enum, value_name = "PART", value_delimiter = ',')]
    show: Vec<ComparisonPart>,
    /// How to print it
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Write a page with sentences, plots and tables
    ///
    /// It needs nothing from outside.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the plots as SVG files into this folder
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Keep nothing: neither the comparison nor, of files, their evaluations
    #[arg(long)]
    no_archive: bool,
    /// Where the evaluations are
    #[command(flatten)]
    archive: ArchivePlace,
    /// How many threads work
    #[command(flatten)]
    threads: Threads,
}

/// How it is tested whether two systems differ
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum TestWord {
    /// Whether their names could be exchanged
    #[default]
    Randomisation,
    /// Wilcoxon's test of signed ranks
    Wilcoxon,
    /// The sign test, on exact match that of `McNemar`
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

impl CompareSystems {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        if self.format == Layout::Csv && self.parts().len() > 1 {
            return Err(
                Error::input("CSV holds one kind of table").allowed("one part, such as `--show pairs`")
            );
        }
        html::check(self.html.as_deref())?;
        html::check_plots(self.plots.as_deref())?;
        let (bench, started) = (self.archive.workbench(), now()?);
        let ComparedNow { comparison: compared, kept } =
            self.threads.run(|| self.compared(&bench, output))?;
        let code = self.print(&compared, &bench, output)?;
        if let Some(path) = &self.html {
            html::write(path, &page(&compared)?, output)?;
        }
        if let Some(folder) = &self.plots {
            let files: Vec<Vec<PlotFile>> =
                PlotSection::all(&compared).iter().map(PlotSection::files).collect::<Result<_>>()?;
            html::write_plots(folder, &files.concat(), output)?;
        }
        // What cannot be kept was told before the work, and is shown all the same.
        kept?;
        if !self.no_archive {
            keep(&compared, &bench, started, output)?;
        }
        Ok(code)
    }

    /// What is shown; CSV holds one kind of table.
    fn parts(&self) -> &[ComparisonPart] {
        match self.show.as_slice() {
            [] if self.format == Layout::Csv => &[ComparisonPart::Matrix],
            [] => &[ComparisonPart::Matrix, ComparisonPart::Pairs],
            asked => asked,
        }
    }

    fn print(&self, compared: &SystemComparison, bench: &Workbench, output: &Output) -> Result<ExitCode> {
        if self.format == Layout::Json {
            return output.result(&json::text(&comparison_json::comparison(compared, bench.mint())));
        }
        let mut tables: Vec<Table> = Vec::new();
        let mut absent: Vec<&str> = Vec::new();
        for part in self.parts() {
            let of_part = part.tables(compared, self.format);
            absent.extend(of_part.is_empty().then(|| part.nothing()));
            tables.extend(of_part);
        }
        // Nobody is left with nothing printed and no reason.
        if tables.is_empty() && self.format != Layout::Csv {
            let sentence = |why: &str| Table { title: why.to_owned(), ..Table::default() };
            tables.extend(absent.drain(..).map(sentence));
        }
        for why in absent {
            output.note(&format!("note: {why}"));
        }
        let texts: Vec<String> =
            tables.iter().map(|table| table.render(self.format)).collect::<Result<_>>()?;
        output.result(&texts.join("\n"))
    }

    fn compared(&self, bench: &Workbench, output: &Output) -> Result<ComparedNow> {
        let settings = self.settings()?;
        if self.words.iter().any(|word| Path::new(word).is_file()) {
            return self.compared_files(bench, &settings, output);
        }
        self.refuse_scoring()?;
        let only = self.query.as_ref().map(|path| {
            let name = if path.as_os_str() == "-" {
                "standard input".to_owned()
            } else {
                path.display().to_string()
            };
            let query = NamedQuery::written(name, &written(path)?)?;
            bench.evaluations_of(&query, output)
        });
        let request = CompareRequest {
            words: self.words.clone(),
            only: only.transpose()?,
            profiles: self.profile.clone(),
            gold: self.gold_answers.unwrap_or(GoldChoice::Both),
            settings,
        };
        let kept = if self.no_archive { Ok(()) } else { bench.can_keep_comparisons(output) };
        Ok(ComparedNow { comparison: bench.compare(&request)?, kept })
    }

    fn compared_files(
        &self,
        bench: &Workbench,
        settings: &ComparisonSettings,
        output: &Output,
    ) -> Result<ComparedNow> {
        let [gold, answers @ ..] = self.words.as_slice() else {
            return Err(Error::input("there is no gold file"));
        };
        if answers.is_empty() {
            return Err(Error::input(format!("{gold} is a file, and there are no answers to compare"))
                .allowed("a gold file and files of answers: GOLD ANSWERS ANSWERS"));
        }
        if self.query.is_some() {
            return Err(Error::input(
                "`--where` chooses among evaluations of the archive, and these are files",
            ));
        }
        if !self.system.is_empty() && self.system.len() != answers.len() {
            return Err(Error::input("`--system` is not given once for each file of answers"));
        }
        let usual = ["qassay".to_owned()];
        let profiles = if self.profile.is_empty() { &usual[..] } else { &self.profile };
        let request = Request {
            gold: self.gold_answers.unwrap_or_default(),
            grouping: Grouping::Headline,
            ..self.scoring.request(profiles, &self.experiment)?
        };
        let named = |(number, path): (usize, &String)| SubmissionFile {
            path: path.into(),
            system: self.system.get(number).cloned(),
        };
        let files: Vec<SubmissionFile> = answers.iter().enumerate().map(named).collect();
        let bench = if self.no_archive { bench.clone().keeping_nothing() } else { bench.clone() };
        bench.compare_files(&request, (Path::new(gold), &files), settings, output)
    }

    /// What decides how files are scored changes nothing of what is scored already.
    fn refuse_scoring(&self) -> Result<()> {
        let usual = Request::with_profiles(["qassay"])?;
        let asked = self.scoring.request(&["qassay".to_owned()], &[])?;
        let is_usual = *asked.choices == *usual.choices
            && asked.references.is_empty()
            && asked.kb.is_empty()
            && self.system.is_empty();
        if is_usual {
            return Ok(());
        }
        Err(Error::input("the evaluations of the archive are scored already, and no choice changes them")
            .hint("choices such as `--links` are for files: GOLD ANSWERS ANSWERS"))
    }

    fn settings(&self) -> Result<ComparisonSettings> {
        Ok(ComparisonSettings {
            measures: self.measure.iter().map(|name| Metric::wanted(name)).collect::<Result<_>>()?,
            experiments: self.experiment.clone(),
            aliases: BTreeSet::new(),
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

/// Keeps a comparison and says where, as `evaluate` does.
fn keep(compared: &SystemComparison, bench: &Workbench, started: Instant, output: &Output) -> Result<()> {
    if let Some(iri) = bench.keep_comparison(compared, started)? {
        output.note_list(&format!("\nkept in {}:", bench.root().display()), &[iri]);
    } else {
        output.note("\nnot kept: the archive is of the first version of the model; `qassay upgrade` makes it one of the second");
    }
    Ok(())
}

fn share(text: &str) -> std::result::Result<Fraction, String> {
    let share = Fraction::parse(text).filter(|share| *share < Fraction::one() && !share.is_zero());
    share.ok_or_else(|| "a number above 0, below 1".to_owned())
}
