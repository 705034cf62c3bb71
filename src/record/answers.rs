//! What knowledge bases answered, as an archive keeps it.

use std::path::Path;

use crate::base::error::{Error, Result};
use crate::kb::snapshot::AnswerSnapshot;
use crate::record::archived::{Archived, RegisteredGraph};
use crate::sources::archive::Archive;
use crate::sources::file::source::Source;

/// All answer snapshots of an archive.
pub fn all(archived: &Archived) -> Result<Vec<AnswerSnapshot>> {
    graphs(archived).map(|graph| open(archived, graph)).collect()
}

/// The answer snapshot that a word means: a file, an IRI, or the beginning of a key.
pub fn find(word: &str, root: &Path) -> Result<AnswerSnapshot> {
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
    let mint = archived.archive.mint();
    let beginning = mint.graph_of(&mint.answer_snapshot(""));
    archived.graphs.iter().filter(move |graph| graph.name.starts_with(&beginning))
}

fn key(graph: &RegisteredGraph) -> &str {
    graph.subject.rsplit('/').next().unwrap_or_default()
}

/// Reads a snapshot, and checks that it is the one that its name says.
fn open(archived: &Archived, graph: &RegisteredGraph) -> Result<AnswerSnapshot> {
    let file = archived.archive.graph(&graph.sha256);
    let snapshot = AnswerSnapshot::read(&file.source()?)?;
    if snapshot.key() != key(graph) {
        return Err(Error::check("the answers are not those that their name says")
            .in_file(file.path().display().to_string())
            .hint("`qassay verify` lists what is damaged"));
    }
    Ok(snapshot)
}
