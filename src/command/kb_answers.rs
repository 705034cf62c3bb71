//! `qassay kb answers` and `qassay kb compare`: what knowledge bases answered.

use std::path::Path;
use std::process::ExitCode;

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::kb::compare::compare;
use qassay::kb::oracle::Oracle;
use qassay::kb::snapshot::AnswerSnapshot;
use qassay::report::table::Format;
use qassay::sources::archive::Archive;
use qassay::sources::file::source::Source;

use super::archived::{Archived, RegisteredGraph};
use super::{Output, lists};
use crate::cli::{Answers, Compare};

/// Lists the answer snapshots of an archive, or shows one.
pub(crate) fn answers(arguments: &Answers, output: &Output) -> Result<ExitCode> {
    let root = &arguments.archive.archive;
    let table = if let Some(word) = &arguments.wanted {
        qassay::report::answers::answers(&find(word, root)?)
    } else {
        let archived = Archived::open(Archive::open(root)?)?;
        let all = graphs(&archived).map(|graph| open(&archived, graph)).collect::<Result<Vec<_>>>()?;
        qassay::report::answers::answer_snapshots(&all)
    };
    print(&table, arguments.format, output)?;
    Ok(ExitCode::SUCCESS)
}

/// Compares two answer snapshots.
pub(crate) fn run_compare(arguments: &Compare, output: &Output) -> Result<ExitCode> {
    let root = &arguments.archive.archive;
    let (first, second) = (find(&arguments.first, root)?, find(&arguments.second, root)?);
    let compared = compare(&first, &second);
    output.note(&format!("first:  {}", who(&first)));
    output.note(&format!("second: {}", who(&second)));
    output.note(&qassay::report::answers::compared_counts(&compared));
    let table = qassay::report::answers::compared(&compared);
    if !table.rows.is_empty() || arguments.format != Format::Table {
        print(&table, arguments.format, output)?;
    }
    Ok(if table.rows.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(table: &qassay::report::table::Table, format: Format, output: &Output) -> Result<()> {
    output.result(&match format {
        Format::Json => lists::json(table),
        format => table.render(format)?,
    })
}

/// Who answered, and when.
fn who(snapshot: &AnswerSnapshot) -> String {
    match &snapshot.oracle {
        Oracle::Snapshot { iri, .. } => iri.clone(),
        Oracle::Endpoint { url, time } => format!("{url}, {time}"),
    }
}

/// The answer snapshot that a word means: a file, an IRI, or the beginning of a key.
pub(crate) fn find(word: &str, root: &Path) -> Result<AnswerSnapshot> {
    let path = Path::new(word);
    if path.is_file() {
        return AnswerSnapshot::read(&Source::open(path)?);
    }
    let archived = Archived::open(Archive::open(root)?)?;
    let all: Vec<&RegisteredGraph> = graphs(&archived).collect();
    let fits = |graph: &&&RegisteredGraph| {
        let is_key = word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        graph.subject == word || (is_key && key(graph).starts_with(&word.to_ascii_lowercase()))
    };
    let found: Vec<&&RegisteredGraph> = all.iter().filter(fits).collect();
    let listed = || all.iter().take(20).map(|graph| key(graph)).collect::<Vec<_>>().join(", ");
    match found.as_slice() {
        [one] => open(&archived, one),
        [] if all.is_empty() => Err(Error::input(format!(
            "there is no file and no answer snapshot `{word}`"
        ))
        .in_file(root.display().to_string())
        .hint(
            "the archive keeps no answers yet: `qassay kb refresh` and `qassay kb run` ask a knowledge base",
        )),
        [] => Err(Error::input(format!("there is no file and no answer snapshot `{word}`"))
            .in_file(root.display().to_string())
            .allowed(listed())
            .hint("`qassay kb answers` lists what was answered")),
        several => {
            Err(Error::input(format!("`{word}` means {} answer snapshots", several.len())).allowed(listed()))
        }
    }
}

/// The graphs of the answer snapshots of an archive.
fn graphs(archived: &Archived) -> impl Iterator<Item = &RegisteredGraph> {
    let beginning = Mint::default().graph_of(&Mint::default().answer_snapshot(""));
    archived.graphs.iter().filter(move |graph| graph.name.starts_with(&beginning))
}

fn key(graph: &RegisteredGraph) -> &str {
    graph.subject.rsplit('/').next().unwrap_or_default()
}

/// Reads a snapshot, and checks that it is the one that its name says.
fn open(archived: &Archived, graph: &RegisteredGraph) -> Result<AnswerSnapshot> {
    let path = archived.archive.graph(&graph.sha256);
    let snapshot = AnswerSnapshot::read(&Source::open(&path)?)?;
    if snapshot.key() != key(graph) {
        return Err(Error::check("the answers are not those that their name says")
            .in_file(path.display().to_string())
            .hint("`qassay verify` lists what is damaged"));
    }
    Ok(snapshot)
}
