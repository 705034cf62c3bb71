//! Tables of knowledge bases: their files and how much they say.

use serde::Serialize;

use crate::kb::base::{PinnedGraph, ServedGraphs};
use crate::kb::find::Recorded;
use crate::report::table::{Column, Table};

/// How many properties and classes are shown unless all are wanted.
const MOST_SHOWN: usize = 10;

/// All knowledge bases, a row each.
pub fn knowledge_bases(all: &[Recorded]) -> Table {
    let columns = vec![
        Column::text("name", "name"),
        Column::text("version", "version"),
        Column::number("files", "files"),
        Column::number("triples", "triples"),
        Column::number("left out", "skipped"),
        Column::text("digest", "digest"),
    ];
    let row = |one: &Recorded| {
        let skipped: u64 = one.base.files.iter().map(|file| file.skipped).sum();
        vec![
            one.base.name.clone(),
            one.base.version.clone(),
            one.base.files.len().to_string(),
            one.statistics.triples.to_string(),
            skipped.to_string(),
            one.digest[..16.min(one.digest.len())].to_owned(),
        ]
    };
    Table { columns, rows: all.iter().map(row).collect(), ..Table::default() }
}

/// One knowledge base: files, properties, classes; `all` of them, or those used most. Of one that a server has: the graphs.
pub fn knowledge_base(one: &Recorded, all: bool) -> Vec<Table> {
    if let Some(served) = &one.base.served {
        return vec![graphs(one, served)];
    }
    vec![files(one), properties(one, all), classes(one, all)]
}

fn files(one: &Recorded) -> Table {
    let columns = vec![
        Column::text("file", "file"),
        Column::text("media type", "media_type"),
        Column::text("packed", "packed"),
        Column::number("bytes", "bytes"),
        Column::number("statements", "statements"),
        Column::number("left out", "skipped"),
        Column::text("sha256", "sha256"),
    ];
    let rows = one.base.files.iter().map(|file| {
        vec![
            file.name.clone(),
            file.media_type.clone(),
            file.packing.clone().unwrap_or_default(),
            file.bytes.to_string(),
            file.statements.to_string(),
            file.skipped.to_string(),
            file.sha256[..16.min(file.sha256.len())].to_owned(),
        ]
    });
    let counts = &one.statistics;
    let notes = vec![
        format!(
            "{} triples, {} subjects, {} properties, {} objects, {} classes",
            counts.triples,
            counts.subjects,
            counts.properties.len(),
            counts.objects,
            counts.classes.len()
        ),
        format!("IRI     {}", one.iri),
        format!("digest  {}", one.digest),
    ];
    Table { title: one.base.label(), columns, rows: rows.collect(), notes, ..Table::default() }
}

fn graphs(one: &Recorded, served: &ServedGraphs) -> Table {
    let columns = vec![
        Column::text("graph", "graph"),
        Column::number("statements", "statements"),
        Column::text("checksum", "checksum"),
    ];
    let row = |graph: &PinnedGraph| {
        let checksum = graph.checksum.as_deref().unwrap_or_default();
        let shown = checksum.get(..16).unwrap_or(checksum);
        vec![graph.name.clone(), graph.statements.to_string(), shown.to_owned()]
    };
    let notes = vec![
        format!("on      {}", served.address),
        format!("IRI     {}", one.iri),
        format!("digest  {}", one.digest),
    ];
    let rows = served.graphs.iter().map(row).collect();
    Table { title: one.base.label(), columns, rows, notes, ..Table::default() }
}

fn properties(one: &Recorded, all: bool) -> Table {
    let columns = vec![
        Column::text("property", "property"),
        Column::number("triples", "triples"),
        Column::number("subjects", "subjects"),
        Column::number("objects", "objects"),
    ];
    let mut properties: Vec<_> = one.statistics.properties.iter().collect();
    properties.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.triples));
    let row = |(iri, counts): &(&String, &crate::kb::tally::PropertyCounts)| {
        vec![
            (*iri).clone(),
            counts.triples.to_string(),
            counts.subjects.to_string(),
            counts.objects.to_string(),
        ]
    };
    shortened("properties", columns, properties.iter().map(row).collect(), all)
}

fn classes(one: &Recorded, all: bool) -> Table {
    let columns = vec![Column::text("class", "class"), Column::number("members", "members")];
    let mut classes: Vec<_> = one.statistics.classes.iter().collect();
    classes.sort_by_key(|(_, members)| std::cmp::Reverse(**members));
    let row = |(iri, members): &(&String, &u64)| vec![(*iri).clone(), members.to_string()];
    shortened("classes", columns, classes.iter().map(row).collect(), all)
}

fn shortened(what: &str, columns: Vec<Column>, mut rows: Vec<Vec<String>>, all: bool) -> Table {
    let number = rows.len();
    let mut notes = Vec::new();
    if !all && number > MOST_SHOWN {
        rows.truncate(MOST_SHOWN);
        notes.push(format!("… {} more; `qassay kb show NAME --all` shows them", number - MOST_SHOWN));
    }
    Table { title: format!("{number} {what}"), columns, rows, notes, ..Table::default() }
}

/// One knowledge base with all that its record says, for scripts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeBaseView {
    iri: String,
    name: String,
    version: String,
    digest: String,
    files: Vec<KnowledgeBaseFileView>,
    #[serde(flatten)]
    served: Option<ServedView>,
    triples: u64,
    #[serde(flatten)]
    counted: Option<CountedView>,
}

/// What is counted where there are files.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CountedView {
    distinct_subjects: u64,
    distinct_objects: u64,
    properties: Vec<PropertyView>,
    classes: Vec<ClassView>,
}

/// Where a server has it.
#[derive(Serialize)]
struct ServedView {
    endpoint: String,
    graphs: Vec<PinnedGraphView>,
}

#[derive(Serialize)]
struct PinnedGraphView {
    name: String,
    statements: u64,
    checksum: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KnowledgeBaseFileView {
    name: String,
    sha256: String,
    bytes: u64,
    media_type: String,
    packing: Option<String>,
    statements: u64,
    skipped: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PropertyView {
    property: String,
    triples: u64,
    distinct_subjects: u64,
    distinct_objects: u64,
}

#[derive(Serialize)]
struct ClassView {
    class: String,
    entities: u64,
}

impl KnowledgeBaseView {
    /// What a record says.
    pub fn of(one: &Recorded) -> Self {
        let files = one.base.files.iter().map(|file| KnowledgeBaseFileView {
            name: file.name.clone(),
            sha256: file.sha256.clone(),
            bytes: file.bytes,
            media_type: file.media_type.clone(),
            packing: file.packing.clone(),
            statements: file.statements,
            skipped: file.skipped,
        });
        let properties = one.statistics.properties.iter().map(|(iri, counts)| PropertyView {
            property: iri.clone(),
            triples: counts.triples,
            distinct_subjects: counts.subjects,
            distinct_objects: counts.objects,
        });
        let classes = one.statistics.classes.iter();
        let classes = classes.map(|(iri, members)| ClassView { class: iri.clone(), entities: *members });
        Self {
            iri: one.iri.clone(),
            name: one.base.name.clone(),
            version: one.base.version.clone(),
            digest: one.digest.clone(),
            files: files.collect(),
            served: one.base.served.as_ref().map(ServedView::of),
            triples: one.statistics.triples,
            counted: one.base.served.is_none().then(|| CountedView {
                distinct_subjects: one.statistics.subjects,
                distinct_objects: one.statistics.objects,
                properties: properties.collect(),
                classes: classes.collect(),
            }),
        }
    }
}

impl ServedView {
    fn of(served: &ServedGraphs) -> Self {
        let graph = |PinnedGraph { name, statements, checksum }: &PinnedGraph| PinnedGraphView {
            name: name.clone(),
            statements: *statements,
            checksum: checksum.clone(),
        };
        Self { endpoint: served.address.clone(), graphs: served.graphs.iter().map(graph).collect() }
    }
}
