//! `qassay evaluate`: scores the answers of systems against a gold standard.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{iter, mem};

use clap::{Args, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::system_name::check_system_name;
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::record::results::{Detail, Results};
use qassay::report;
use qassay::report::evaluations::{DIGITS_FOR_PEOPLE, QuestionFilter};
use qassay::report::issues::issues;
use qassay::report::page::ShownEvaluations;
use qassay::report::paper::{Look, overview};
use qassay::report::table::Layout;
use qassay::scoring::groups::Grouping;
use qassay::workbench::Workbench;
use qassay::workbench::evaluate::{Evaluated, SubmissionFile};
use qassay::workbench::request::{GoldChoice, Request};

use super::html;
use super::output::Output;
use super::words::{BasedArchive, Scoring, StorePlace, Threads};

/// Score the answers of systems against a gold standard
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(super) struct Evaluate {
    /// The dataset: a file of questions with gold answers, or the name of a fetched one
    ///
    /// A file is QALD-JSON, eQALD-JSON, QALD-XML, …; gzip too. The names are those of `qassay datasets`; a file of that
    /// name wins.
    #[arg(value_hint = ValueHint::FilePath)]
    gold: PathBuf,
    /// Answers of one or more systems: files in the same formats, or names of fetched ones
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    answers: Vec<PathBuf>,
    /// The ways to score: profiles, separated by commas
    ///
    /// The name of a profile (see `qassay profiles`), or a file with profiles of your own, which ends with `.ttl` or has a
    /// folder before it. Several are shown together.
    #[arg(long, short, default_value = "qassay", value_delimiter = ',')]
    profile: Vec<String>,
    /// The choices that decide numbers
    #[command(flatten)]
    scoring: Scoring,
    /// Which server runs the match queries
    #[command(flatten)]
    there: StorePlace,
    /// Which gold answers count; the refreshed ones need `--kb`
    #[arg(long = "gold", value_enum, value_name = "GOLD", default_value_t)]
    gold_answers: GoldChoice,
    /// Only these experiment types, separated by commas
    ///
    /// They are QA, C2KB, P2KB, RE2KB, AT and AIT2KB.
    #[arg(long, short = 'x', value_name = "TYPE", value_delimiter = ',')]
    experiment: Vec<String>,
    /// The name of the system; once for each answer file, in their order
    #[arg(long, value_name = "NAME")]
    system: Vec<String>,
    /// How to print the results
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Write everything that can be shown to one HTML file too
    ///
    /// It needs nothing from outside.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,
    /// Show and keep the groups of questions
    ///
    /// They are by answer type, language, question word, query and others.
    #[arg(long, short)]
    groups: bool,
    /// Show every question
    #[arg(long, short)]
    details: bool,
    /// Show the questions that the profiles count differently
    ///
    /// Always shown for several profiles, but in CSV.
    #[arg(long)]
    differences: bool,
    /// Show every measure over all questions, one a row
    ///
    /// With what ties between equal scores could make of it.
    #[arg(long)]
    all_measures: bool,
    /// Show the questions that each system failed
    ///
    /// Those with F1 below 1, in a ranking those where the answer that stands first is not right.
    #[arg(long)]
    failed: bool,
    /// Show what is odd about the input, the worst first
    ///
    /// Notes of a kind are counted [each of them in CSV and JSON].
    #[arg(long, short)]
    issues: bool,
    /// The same, with each note
    #[arg(long)]
    all_issues: bool,
    /// Only these measures, by name or heading, separated by commas
    ///
    /// Such as `macroF1,macro P,exactMatch`.
    #[arg(long, value_name = "MEASURE", value_delimiter = ',')]
    columns: Vec<String>,
    /// The digits behind the point [default: 4; in CSV all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=12))]
    digits: Option<u32>,
    /// Show the headline measure's 95 % interval [always in JSON and HTML]
    ///
    /// It says where the headline measure is, which the profile ranks by, else macro F1.
    #[arg(long)]
    intervals: bool,
    /// In LaTeX: make the best value of each measure bold
    ///
    /// Where several systems stand together.
    #[arg(long)]
    bold_best: bool,
    /// In LaTeX: make it a table that floats, with this text below it
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    /// Test mode: check and keep the answers, score and show nothing
    ///
    /// Until `qassay release` does.
    #[arg(long, conflicts_with_all = [
        "no_archive", "groups", "details", "differences", "all_measures", "failed", "gold_answers", "columns", "digits",
        "intervals", "bold_best", "caption", "all_issues", "experiment", "html",
        // what `Scoring` has: chosen when it is released
        "links", "link_kind", "labels", "types", "classes", "question_types", "assessments", "same_as", "language",
        "loader", "part", "cutoffs", "kb",
    ])]
    blind: bool,
    /// Where the evaluation is kept
    #[command(flatten)]
    archive: BasedArchive,
    /// How many threads work
    #[command(flatten)]
    threads: Threads,
    /// Keep nothing
    #[arg(long, conflicts_with = "archive")]
    no_archive: bool,
}

impl Evaluate {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        self.threads.run(|| self.run_here(output))
    }

    fn run_here(&self, output: &Output) -> Result<ExitCode> {
        self.check()?;
        if self.blind {
            return self.accept(output);
        }
        let request = self.scoring.request(&self.profile, &self.experiment)?;
        let grouping = match self.format {
            _ if self.groups => Grouping::Kept,
            // They show every group.
            Layout::Json => Grouping::Shown,
            _ if self.html.is_some() => Grouping::Shown,
            _ => Grouping::Headline,
        };
        let request = Request { gold: self.gold_answers, grouping, store: self.there.address(), ..request };
        if self.differences && request.profiles.len() < 2 {
            return Err(Error::input("`--differences` compares profiles, and there is one")
                .allowed("several, such as `--profile qassay,gerbil`"));
        }
        html::check(self.html.as_deref())?;
        let bench = self.archive.workbench()?;
        let bench = if self.no_archive { bench.keeping_nothing() } else { bench };
        let Evaluated { evaluations, kept: written, again } =
            bench.evaluate(&request, &self.gold, &self.files(), output)?;
        let shows_intervals = self.intervals || self.format == Layout::Json || self.html.is_some();
        let shown = ShownEvaluations::of(&evaluations, self.detail(), shows_intervals)?;
        // The process ends with this command: to free millions of small pieces one by one would be a twentieth of its time.
        mem::forget(evaluations);
        self.print(&shown, output)?;
        if let Some(path) = &self.html {
            html::write(path, &shown.page()?.html()?, output)?;
        }
        // What was computed is shown, also where it cannot be kept.
        written?;
        if self.no_archive {
            output.note("\nnothing kept (--no-archive)");
        } else {
            kept(&bench, &shown.results, &again, output);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Accepts submissions that are scored later.
    fn accept(&self, output: &Output) -> Result<ExitCode> {
        let bench = self.archive.workbench()?;
        let blind = bench.accept(&self.profile, &self.gold, &self.files())?;
        let accepted = blind.accepted();
        let odd = || report::blind::accepted_issues(&accepted);
        let text = match self.format {
            Layout::Json => report::json::text(&report::blind::accepted_json(&accepted)),
            // CSV is one table.
            Layout::Csv if self.issues => odd().render(Layout::Csv)?,
            Layout::Csv => report::blind::accepted(&accepted).render(Layout::Csv)?,
            format => {
                let odd = Some(odd()).filter(|odd| !odd.rows.is_empty());
                let tables = iter::once(report::blind::accepted(&accepted)).chain(odd);
                tables.map(|table| table.render(format)).collect::<Result<Vec<_>>>()?.join("\n")
            }
        };
        output.result(&text)?;
        output.note(&format!(
            "\nkept in {}, not scored; `qassay release {}` shows the results of all",
            bench.root().display(),
            blind.dataset.name
        ));
        Ok(ExitCode::SUCCESS)
    }

    /// The files of answers with the names of their systems. One name may stand for all of them, where one system may
    /// send several.
    fn files(&self) -> Vec<SubmissionFile> {
        let named = |(number, path): (usize, &PathBuf)| {
            let system = match self.system.as_slice() {
                [one] => Some(one),
                names => names.get(number),
            };
            SubmissionFile { path: path.clone(), system: system.cloned() }
        };
        self.answers.iter().enumerate().map(named).collect()
    }

    /// What has to be known of single questions.
    fn detail(&self) -> Detail {
        let shows_questions =
            self.details || self.failed || self.format == Layout::Json || self.html.is_some();
        // Some measures are means of what single questions have.
        let shows_questions = shows_questions || self.intervals;
        if shows_questions { Detail::Questions } else { Detail::Overview }
    }

    fn shows_issues(&self) -> bool {
        self.issues || self.all_issues
    }

    /// How many tables are wanted beside or in place of the overview.
    fn tables(&self) -> usize {
        let wanted = [
            self.groups,
            self.details,
            self.shows_issues(),
            self.differences,
            self.all_measures,
            self.failed,
        ];
        wanted.into_iter().filter(|wanted| *wanted).count()
    }

    /// What the command line cannot say by itself.
    fn check(&self) -> Result<()> {
        if self.format != Layout::Latex && (self.bold_best || self.caption.is_some()) {
            return Err(Error::input("bold numbers and a caption are for LaTeX").allowed("--format latex"));
        }
        if self.format == Layout::Json && (!self.columns.is_empty() || self.digits.is_some()) {
            return Err(Error::input("JSON has every measure with all digits").allowed("another --format"));
        }
        if self.format == Layout::Csv && self.tables() > 1 {
            return Err(Error::input("CSV holds one table")
                .allowed("one of --groups, --details, --issues, --differences, --all-measures, --failed"));
        }
        if self.format == Layout::Csv && self.intervals && self.tables() > 0 {
            return Err(Error::input("intervals stand in the table of results, and CSV holds one table")
                .allowed("--intervals without another table"));
        }
        let (names, files) = (self.system.len(), self.answers.len());
        // One system may send several blind submissions.
        let names_all = self.blind && names == 1;
        if names != 0 && names != files && !names_all {
            return Err(Error::input(format!(
                "{} for {}",
                counted(names, "system name"),
                counted(files, "answer file")
            ))
            .allowed("as many `--system` as answer files, in their order, or none"));
        }
        self.system.iter().try_for_each(|name| check_system_name(name))
    }

    /// Prints the results.
    fn print(&self, shown: &ShownEvaluations, output: &Output) -> Result<ExitCode> {
        if self.format == Layout::Json {
            return output.result(&shown.json());
        }
        let ShownEvaluations { results, comparisons, intervals } = shown;
        let digits = self.digits.or((self.format != Layout::Csv).then_some(DIGITS_FOR_PEOPLE));
        let mut tables = Vec::new();
        // CSV is one table: a reader must not have to look for the header of the next.
        let only_one = self.format == Layout::Csv;
        if !only_one || self.tables() == 0 {
            let marked = !only_one;
            let (columns, caption) = (self.columns.clone(), self.caption.clone());
            let intervals = self.intervals.then(|| intervals.clone());
            let look = Look { columns, digits, bold: self.bold_best, marked, caption, intervals };
            tables.push(overview(results, &look)?);
        }
        if self.differences || (!only_one && comparisons.iter().any(|one| one.profiles.len() > 1)) {
            let [summary, questions] = report::differences::differences_tables(comparisons);
            tables.extend((!only_one).then_some(summary));
            tables.push(questions);
        }
        if !only_one && self.gold_answers == GoldChoice::Both {
            tables.push(report::gold::moved(results, digits));
        }
        if self.groups {
            tables.push(report::evaluations::groups(results, digits));
        }
        if self.details {
            tables.push(report::evaluations::details(results, QuestionFilter::default(), digits));
        }
        if self.all_measures {
            tables.push(report::page::all_measures(results, digits));
        }
        if self.failed {
            tables.push(report::failed::failed(results, digits));
        }
        if self.shows_issues() {
            tables.push(issues(results, !self.all_issues && !only_one));
        }
        let texts: Vec<String> =
            tables.iter().map(|table| table.render(self.format)).collect::<Result<_>>()?;
        output.result(&texts.join("\n"))
    }
}

/// Says where evaluations are kept, and how to do the same without asking an endpoint.
pub(super) fn kept(
    bench: &Workbench,
    results: &[Results],
    again: &[(&'static str, String)],
    output: &Output,
) {
    let line = |one: &Results| format!("{}  {}", one.iri, one.submission.name);
    let lines: Vec<String> = results.iter().map(line).collect();
    output.note_list(&format!("\nkept in {}:", bench.root().display()), &lines);
    if !again.is_empty() {
        let options: Vec<String> = again.iter().map(|(name, word)| format!("--{name} {word}")).collect();
        output.note(&format!("the same without the network: {}", options.join(" ")));
    }
}
