//! `qassay kb`: knowledge bases in pinned versions, and what knowledge bases answer.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueHint};
use qassay::base::error::Result;
use qassay::base::watch::Watcher;
use qassay::kb::answered_by::AnsweredBy;
use qassay::kb::compare::compare;
use qassay::kb::find::{Recorded, find_recorded, recorded};
use qassay::kb::snapshot::AnswerSnapshot;
use qassay::record::answers;
use qassay::record::results::RefreshResults;
use qassay::report;
use qassay::report::table::Layout;
use qassay::sources::archive::Archive;
use qassay::workbench::kb::{KbPlace, KbVersion, Refreshing, Running};

use super::convert::Destination;
use super::output::Output;
use super::words::{ArchivePlace, Limiting};

/// Keep knowledge bases in pinned versions
#[derive(Debug, Args)]
pub(super) struct Kb {
    /// What to do
    #[command(subcommand)]
    action: KbAction,
}

/// What to do with knowledge bases.
#[derive(Debug, Subcommand)]
enum KbAction {
    /// Keep the dumps of a version, or pin graphs on a server
    Add(KbAdd),
    /// List the knowledge bases of the archive
    List(KbList),
    /// Show the files and the numbers of a version
    Show(KbShow),
    /// Run the gold queries of a dataset on a knowledge base
    Refresh(Refresh),
    /// Run the queries of a submission on a knowledge base
    Run(Run),
    /// List what knowledge bases answered, or show the answers of one
    Answers(AnswerList),
    /// Compare what was answered at two times, or by two knowledge bases
    Compare(Compare),
}

/// Keep the dumps of a version, or pin graphs on a server
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
#[command(after_help = "Examples:
  qassay kb add ck25 --version 2025-05 prod-inst.ttl prod-vocab.ttl
  qassay kb add dbpedia --version 2016-10 labels_en.ttl.gz mappingbased_objects_en.ttl.gz --skip-malformed
  qassay kb add wikidata --version 2026-01 --from http://localhost:8890/sparql --graph http://www.wikidata.org/

A version never changes: other files need another version. A run that was killed goes on with the file where it was.
What `--from` names stays on that server and is asked there: how many statements the graphs have is looked at whenever
they are asked, before and after; where they are more or fewer than now, no answer counts.")]
struct KbAdd {
    /// The name of the knowledge base
    name: String,
    /// The version, such as 2016-10
    #[arg(long, value_name = "V")]
    version: String,
    /// The dumps: N-Triples, N-Quads, Turtle, TriG, RDF/XML; packed too
    #[arg(required_unless_present = "from", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Leave out malformed statements and count them, in place of refusing the file
    #[arg(long)]
    skip_malformed: bool,
    /// The endpoint of a server that has it, in place of dumps: for what no memory holds
    #[arg(long, value_name = "URL", conflicts_with_all = ["files", "skip_malformed"], requires = "graph", value_hint = ValueHint::Url)]
    from: Option<String>,
    /// The graphs that it has there, one or more times
    #[arg(long, value_name = "IRI", conflicts_with = "files")]
    graph: Vec<String>,
    /// How much a query to that server may use; the checksum of a graph is one
    #[command(flatten)]
    limiting: Limiting,
    /// How to print what was added
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where it is kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// List the knowledge bases of the archive
#[derive(Debug, Args)]
struct KbList {
    /// How to print the list
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where they are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// Show the files and the numbers of a version
#[derive(Debug, Args)]
struct KbShow {
    /// NAME@VERSION; NAME where there is one version; its IRI; the beginning of its digest
    #[arg(value_name = "NAME")]
    wanted: String,
    /// Show all properties and classes, not only those used most
    #[arg(long, short)]
    all: bool,
    /// How to print it; JSON has everything
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where it is kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// Run the gold queries of a dataset on a knowledge base
#[derive(Debug, Args)]
#[command(
    after_help = "The curated answers stay as they are. Where a query failed, was stopped, is not there, or has answers that the \
data do not decide (LIMIT without ORDER BY, rows that tie at the cut, RAND, NOW, SAMPLE, …), there is no refreshed \
answer. In `evaluate --gold refreshed` the default profile does not score such a question, save that of rows that tie \
as many as the query takes are right, whichever; most others use the curated answer."
)]
struct Refresh {
    /// The dataset: a file of questions with gold queries, or the name of a fetched one
    #[arg(value_hint = ValueHint::FilePath)]
    dataset: PathBuf,
    /// The knowledge base: NAME or NAME@VERSION of a pinned one, the URL of an endpoint, or what one of them answered
    /// before (a file or key of an answer snapshot)
    #[arg(long, value_name = "KB")]
    kb: String,
    /// How much a query may use
    #[command(flatten)]
    limiting: Limiting,
    /// Show every question, not only those that are not the same
    #[arg(long, short)]
    details: bool,
    /// How to print the results
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where the knowledge base is and the answers are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// Run the queries of a submission on a knowledge base
#[derive(Debug, Args)]
struct Run {
    /// The submission: a file with a query for each question
    #[arg(value_hint = ValueHint::FilePath)]
    answers: PathBuf,
    /// The knowledge base: NAME or NAME@VERSION of a pinned one, the URL of an endpoint, or what one of them answered
    /// before (a file or key of an answer snapshot)
    #[arg(long, value_name = "KB")]
    kb: String,
    /// How much a query may use
    #[command(flatten)]
    limiting: Limiting,
    /// Write the submission with its answers; the ending says the format, as in `qassay convert`
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// The format of the file, where its ending does not say it
    #[arg(long, value_name = "FORMAT", requires = "output")]
    to: Option<String>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
    /// How to print the results
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where the knowledge base is and the answers are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// List what knowledge bases answered, or show the answers of one
#[derive(Debug, Args)]
struct AnswerList {
    /// The answer snapshot: its IRI, the beginning of its key, or a file; without it, all are listed
    #[arg(value_name = "ANSWERS")]
    wanted: Option<String>,
    /// How to print the list
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where answers are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

/// Compare what was answered at two times, or by two knowledge bases
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 the same; 1 something differs; 2 wrong use or bad input.")]
struct Compare {
    /// The first answer snapshot: its IRI, the beginning of its key, or a file
    #[arg(value_name = "A")]
    first: String,
    /// The second
    #[arg(value_name = "B")]
    second: String,
    /// How to print what differs
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where answers are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Kb {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        match &self.action {
            KbAction::Add(arguments) => add(arguments, output),
            KbAction::List(arguments) => list(arguments, output),
            KbAction::Show(arguments) => show(arguments, output),
            KbAction::Refresh(arguments) => refresh(arguments, output),
            KbAction::Run(arguments) => run(arguments, output),
            KbAction::Answers(arguments) => list_answers(arguments, output),
            KbAction::Compare(arguments) => compare_answers(arguments, output),
        }
    }
}

fn add(arguments: &KbAdd, output: &Output) -> Result<ExitCode> {
    let wanted = KbVersion {
        name: arguments.name.clone(),
        version: arguments.version.clone(),
        files: arguments.files.clone(),
        skip_malformed: arguments.skip_malformed,
        there: arguments.from.clone().map(|address| KbPlace {
            address,
            graphs: arguments.graph.clone(),
            allowance: arguments.limiting.allowance(),
        }),
    };
    let added = arguments.archive.workbench().add_knowledge_base(&wanted, output)?;
    print(&added, arguments.format, false, output)
}

fn list(arguments: &KbList, output: &Output) -> Result<ExitCode> {
    let all = recorded(&Archive::open(&arguments.archive.archive)?)?;
    let text = match arguments.format {
        Layout::Json => {
            let all: Vec<_> = all.iter().map(report::knowledge_base::KnowledgeBaseView::of).collect();
            report::json::text(&all)
        }
        format => report::knowledge_base::knowledge_bases(&all).render(format)?,
    };
    output.result(&text)
}

fn show(arguments: &KbShow, output: &Output) -> Result<ExitCode> {
    let one = find_recorded(&Archive::open(&arguments.archive.archive)?, &arguments.wanted)?;
    print(&one, arguments.format, arguments.all, output)
}

/// Prints a knowledge base.
fn print(one: &Recorded, format: Layout, all: bool, output: &Output) -> Result<ExitCode> {
    let text = match format {
        Layout::Json => report::json::text(&report::knowledge_base::KnowledgeBaseView::of(one)),
        format => {
            let tables = report::knowledge_base::knowledge_base(one, all);
            let texts = tables.iter().map(|table| table.render(format)).collect::<Result<Vec<_>>>()?;
            texts.join("\n")
        }
    };
    output.result(&text)
}

fn refresh(arguments: &Refresh, output: &Output) -> Result<ExitCode> {
    let allowance = arguments.limiting.allowance();
    let bench = arguments.archive.workbench();
    let done = bench.refresh(&arguments.dataset, &arguments.kb, &allowance, output)?;
    print_refreshing(arguments, &done, output)
}

fn print_refreshing(arguments: &Refresh, done: &Refreshing, output: &Output) -> Result<ExitCode> {
    let Refreshing { dataset, gold, answered_by } = done;
    let gold = &RefreshResults::of(&dataset.document, gold);
    if arguments.format == Layout::Json {
        return output.result(&report::json::text(&report::gold::refresh_json(gold)));
    }
    let questions = report::gold::refresh_questions(gold, arguments.details);
    // CSV is one table.
    if arguments.format == Layout::Csv {
        return output.result(&questions.render(arguments.format)?);
    }
    let title = format!("{} on {answered_by}", dataset.name);
    let mut text = report::gold::refresh_summary(&title, gold).render(arguments.format)?;
    if !questions.rows.is_empty() {
        text = format!("{text}\n{}", questions.render(arguments.format)?);
    }
    output.result(&text)
}

fn run(arguments: &Run, output: &Output) -> Result<ExitCode> {
    let destination = arguments.output.as_deref();
    let destination = destination
        .map(|path| Destination::new(path, arguments.to.as_deref(), arguments.force))
        .transpose()?;
    let allowance = arguments.limiting.allowance();
    let done = arguments.archive.workbench().run(&arguments.answers, &arguments.kb, &allowance, output)?;
    let Running { submission, executed, answered_by } = done;
    if let Some(destination) = destination {
        destination.write(&executed.document, executed.kept.source.sha256(), output)?;
    }
    let text = match arguments.format {
        Layout::Json => report::json::text(&report::gold::ExecutedAnswersView::of(&executed)),
        format => report::gold::executed_table(&submission.name, &answered_by, &executed).render(format)?,
    };
    output.result(&text)
}

/// Lists the answer snapshots of an archive, or shows one.
fn list_answers(arguments: &AnswerList, output: &Output) -> Result<ExitCode> {
    let bench = arguments.archive.workbench();
    let table = match &arguments.wanted {
        Some(word) => report::answers::answers(&answers::find(word, bench.root())?),
        None => report::answers::answer_snapshots(&answers::all(&bench.archived()?)?),
    };
    output.table(&table, arguments.format)
}

/// Compares two answer snapshots.
fn compare_answers(arguments: &Compare, output: &Output) -> Result<ExitCode> {
    let root = &arguments.archive.archive;
    let (first, second) = (answers::find(&arguments.first, root)?, answers::find(&arguments.second, root)?);
    let compared = compare(&first, &second);
    output.note(&format!("first:  {}", who(&first)));
    output.note(&format!("second: {}", who(&second)));
    output.note(&report::answers::compared_counts(&compared));
    let table = report::answers::compared(&compared);
    if !table.rows.is_empty() || arguments.format != Layout::Table {
        output.table(&table, arguments.format)?;
    }
    Ok(if table.rows.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Who answered, and when.
fn who(snapshot: &AnswerSnapshot) -> String {
    match &snapshot.answered_by {
        AnsweredBy::Snapshot { iri, .. } => iri.clone(),
        AnsweredBy::Endpoint { url, time } => format!("{url}, {time}"),
    }
}
