//! What a publication would write, leave out and make visible, before anything is.

use serde_json::{Value, json};

use crate::base::text::with_choices;
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{RecordInput, RecordMetadata, StatedLicence, WithheldPart};
use crate::report::table::{Column, Table};

/// The tables: the files with their sizes, what is withheld and why, what everybody can see then.
pub fn publication(metadata: &RecordMetadata, files: &[(&str, u64)], is_known: bool) -> Vec<Table> {
    vec![visible(metadata, is_known), withheld(metadata), written(metadata, files)]
}

/// The same as JSON.
pub fn publication_json(metadata: &RecordMetadata, files: &[(&str, u64)], is_known: bool) -> Value {
    let agent = |agent: &Agent| json!({ "name": agent.spoken(), "iri": agent.iri });
    let licence = |licence: &StatedLicence| json!({ "iri": licence.iri, "spdx": licence.spdx });
    let input = |input: &RecordInput| {
        json!({
            "iri": input.iri, "part": input.part, "title": input.title, "sha256": input.sha256, "bytes": input.bytes,
            "licence": input.licence.as_ref().map(licence), "source": input.source, "withheld": input.withheld,
        })
    };
    let part = |part: &WithheldPart| json!({ "iri": part.iri, "sha256": part.sha256, "bytes": part.bytes, "why": part.reason, "source": part.source });
    json!({
        "iri": metadata.iri,
        "title": metadata.title,
        "version": metadata.version,
        "known": is_known,
        "day": metadata.modified,
        "creators": metadata.creators.iter().map(agent).collect::<Vec<_>>(),
        "publisher": agent(&metadata.publisher),
        "licence": licence(&metadata.licence),
        "doi": metadata.doi,
        "inputs": metadata.inputs.iter().map(input).collect::<Vec<_>>(),
        "withheld": metadata.withheld.iter().map(part).collect::<Vec<_>>(),
        "files": files.iter().map(|(path, bytes)| json!({ "path": path, "bytes": bytes })).collect::<Vec<_>>(),
    })
}

fn visible(metadata: &RecordMetadata, is_known: bool) -> Table {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |what: &str, value: String| rows.push(vec![what.to_owned(), value]);
    let agent = |agent: &Agent| format!("{} <{}>", agent.spoken(), agent.iri);
    row("title", metadata.title.clone());
    row("IRI", metadata.iri.clone());
    row("version", format!("{}, {}", metadata.version, if is_known { "published before" } else { "new" }));
    row("day", metadata.modified.clone());
    metadata.creators.iter().for_each(|creator| row("creator", agent(creator)));
    row("publisher", agent(&metadata.publisher));
    row("licence", metadata.licence.title.clone());
    metadata.doi.iter().for_each(|doi| row("DOI", doi.clone()));
    for one in &metadata.measured {
        row(
            "number",
            format!("{} of {} on {}, {}: {}", one.name, one.system, one.dataset, one.experiment, one.value),
        );
    }
    for input in &metadata.inputs {
        let licence = input.licence.as_ref().map_or("no licence stated", |licence| &licence.title);
        let source = input.source.as_ref().map(|source| format!(", {source}")).unwrap_or_default();
        row("input", format!("{}, {} bytes, {licence}{source}", input.title, input.bytes));
    }
    for run in &metadata.runs {
        let command = run.command.as_ref().map(|command| format!(": {command}")).unwrap_or_default();
        row("execution", format!("{}, {}{command}", run.started, run.engine));
    }
    metadata.attributions.iter().for_each(|one| row("thanks to", one.clone()));
    Table {
        title: "What everybody would see".to_owned(),
        columns: ["what", "value"].map(|name| Column::text(name, name)).to_vec(),
        rows,
        notes: vec!["IRIs begin with a name that is kept for qassay and cannot be looked up yet.".to_owned()],
        ..Table::default()
    }
}

fn withheld(metadata: &RecordMetadata) -> Table {
    if metadata.withheld.is_empty() {
        return Table { title: "Nothing would be withheld.".to_owned(), ..Table::default() };
    }
    let rows = metadata.withheld.iter().map(|part| {
        let source = part.source.clone().unwrap_or_else(|| "-".to_owned());
        vec![part.iri.clone(), part.bytes.to_string(), part.reason.clone(), source]
    });
    let [part, why, source] = ["part", "why", "source"].map(|name| Column::text(name, name));
    Table {
        title: "What would be withheld".to_owned(),
        columns: vec![part, Column::number("bytes", "bytes"), why, source],
        rows: rows.collect(),
        notes: vec![with_choices(
            "`⌥input-licence INPUT=LICENCE` states the licence of an input that its record does not state.",
        )],
        ..Table::default()
    }
}

fn written(metadata: &RecordMetadata, files: &[(&str, u64)]) -> Table {
    let title = |path: &str| {
        let known = metadata.files.iter().find(|file| file.path == path);
        known.map_or_else(|| "metadata".to_owned(), |file| file.title.clone())
    };
    let rows = files.iter().map(|(path, bytes)| vec![(*path).to_owned(), bytes.to_string(), title(path)]);
    let total: u64 = files.iter().map(|(_, bytes)| bytes).sum();
    Table {
        title: "What would be written".to_owned(),
        columns: vec![
            Column::text("file", "file"),
            Column::number("bytes", "bytes"),
            Column::text("what", "what"),
        ],
        rows: rows.collect(),
        notes: vec![format!("{} files with {total} bytes, and the list of their checksums", files.len())],
        ..Table::default()
    }
}
