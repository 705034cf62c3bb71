//! The catalogue of published files as tables and JSON.

use std::borrow::Cow;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::base::iri::Mint;
use crate::base::text::counted;
use crate::report::table::{Align, Column, Table};
use crate::sources::catalogue::Entry;

/// A file of the catalogue, and where an archive has it.
#[derive(Debug)]
pub struct Listed {
    /// What the catalogue says.
    pub entry: &'static Entry,
    /// The place of the bytes, where they are fetched.
    pub fetched: Option<PathBuf>,
}

/// One line a file.
pub fn datasets(listed: &[Listed]) -> Table {
    let title = format!("{} of the catalogue", counted(listed.len(), "file"));
    let mut table = Table { title, ..Table::default() };
    table.columns = [
        ("name", "name"),
        ("questions", "questions"),
        ("kind", "kind"),
        ("knowledge graph", "kb"),
        ("languages", "languages"),
        ("licence", "licence"),
        ("format", "format"),
        ("fetched", "fetched"),
        ("note", "note"),
    ]
    .map(|(heading, name)| Column::text(heading, name))
    .to_vec();
    table.columns[1].align = Align::Right;
    table.rows = listed.iter().map(line).collect();
    table
}

fn line(listed: &Listed) -> Vec<String> {
    let entry = listed.entry;
    let questions = entry.questions.map_or_else(String::new, |questions| questions.to_string());
    let fetched = if listed.fetched.is_some() { "yes" } else { "" };
    vec![
        entry.name.to_owned(),
        questions,
        entry.kind.name().to_owned(),
        knowledge_graph(entry).into_owned(),
        languages(entry),
        entry.licence_name(),
        entry.format.to_owned(),
        fetched.to_owned(),
        note(entry),
    ]
}

/// The knowledge graph with its version, where that is stated.
fn knowledge_graph(entry: &Entry) -> Cow<'static, str> {
    match entry.kb_version {
        "not stated" => Cow::Borrowed(entry.kb),
        version => Cow::Owned(format!("{} {version}", entry.kb)),
    }
}

/// The languages; of many, the first and how many more.
fn languages(entry: &Entry) -> String {
    const SHOWN: usize = 4;
    let shown = entry.languages.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" ");
    match entry.languages.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} +{more}"),
    }
}

/// What to know before using it.
fn note(entry: &Entry) -> String {
    let mut notes = Vec::new();
    if !entry.exists() {
        notes.push("absent".to_owned());
    }
    if !entry.damage.is_empty() {
        notes.push("damaged".to_owned());
    }
    if !entry.lacks.is_empty() {
        notes.push(format!("no {}", entry.lacks.replace(", ", ", no ")));
    }
    notes.join(", ")
}

/// Everything about one file, a column each; empty ones are left out.
pub fn dataset(listed: &Listed) -> Table {
    let entry = listed.entry;
    let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    let questions = match entry.questions {
        Some(questions) => format!("{questions}; counted: {}", entry.counted),
        None => entry.counted.to_owned(),
    };
    let table1 =
        entry.table1.iter().map(|row| format!("{}: {}; counted: {}", row.name, row.questions, row.rule));
    let fetched = match &listed.fetched {
        Some(path) => path.display().to_string(),
        None if entry.exists() => format!("no; `qassay fetch {}`", entry.name),
        None => "nobody can".to_owned(),
    };
    let fields = [
        ("name", entry.name.to_owned()),
        ("title", entry.title.to_owned()),
        ("kind", entry.kind.name().to_owned()),
        ("damage", entry.damage.to_owned()),
        ("absent", entry.absent.to_owned()),
        ("lacks", entry.lacks.to_owned()),
        ("see instead", entry.instead.to_owned()),
        ("part of", entry.family.to_owned()),
        ("version", entry.version.to_owned()),
        ("previous", entry.previous.join(", ")),
        ("next", entry.next.join(", ")),
        ("publisher", entry.publisher.to_owned()),
        ("licence", entry.licence.to_owned()),
        ("languages", entry.languages.join(" ")),
        ("graph", format!("{}; version: {}", entry.kb, entry.kb_version)),
        ("questions", questions),
        ("Table 1", table1.collect::<Vec<_>>().join("; ")),
        ("GERBIL", entry.gerbil.join(", ")),
        ("format", entry.format.to_owned()),
        ("bytes", number(entry.bytes)),
        ("sha256", entry.sha256.to_owned()),
        ("repository", entry.repository.to_owned()),
        ("commit", entry.commit.to_owned()),
        ("path", entry.path.to_owned()),
        ("address", entry.address().unwrap_or_default()),
        ("IRI", entry.iri(&Mint::default())),
        ("fetched", fetched),
    ];
    let said = fields.into_iter().filter(|(_, text)| !text.is_empty());
    let (columns, row) = said.map(|(name, text)| (Column::text(name, name), text)).unzip();
    Table { columns, rows: vec![row], ..Table::default() }
}

/// Everything about files, for scripts.
pub fn datasets_json(listed: &[Listed]) -> Value {
    listed.iter().map(object).collect()
}

/// `null` for what there is nothing to say about.
fn object(listed: &Listed) -> Value {
    let entry = listed.entry;
    let said = |text: &'static str| (!text.is_empty()).then_some(text);
    let rows = entry.table1.iter();
    let table1 = rows.map(|row| json!({ "name": row.name, "questions": row.questions, "counted": row.rule }));
    json!({
        "name": entry.name,
        "title": entry.title,
        "kind": entry.kind.name(),
        "iri": entry.iri(&Mint::default()),
        "partOf": entry.family,
        "version": said(entry.version),
        "publisher": entry.publisher,
        "licence": entry.licence,
        "languages": entry.languages,
        "kb": entry.kb,
        "kbVersion": entry.kb_version,
        "questions": entry.questions,
        "counted": entry.counted,
        "table1": table1.collect::<Vec<_>>(),
        "gerbil": entry.gerbil,
        "format": entry.format,
        "mediaType": entry.media_type(),
        "datasetId": said(entry.dataset_id),
        "lacks": said(entry.lacks),
        "damage": said(entry.damage),
        "instead": said(entry.instead),
        "absent": said(entry.absent),
        "previous": entry.previous,
        "next": entry.next,
        "repository": said(entry.repository),
        "commit": said(entry.commit),
        "path": entry.path,
        "page": entry.page(),
        "address": entry.address(),
        "sha256": said(entry.sha256),
        "bytes": entry.bytes,
        "fetched": listed.fetched.as_ref().map(|path| path.display().to_string()),
    })
}
