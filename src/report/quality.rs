//! What a file contains and what is wrong with it: for people, as tables, as JSON, and as RDF: measurements and annotations
//! of the Data Quality Vocabulary.
//!
//! Source: Data on the Web Best Practices: Data Quality Vocabulary (W3C Working Group Note, 15 December 2016),
//! section 4: `dqv:QualityMeasurement` and `dqv:QualityAnnotation`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::issue::Issue;
use crate::base::rdf::lines::Lines;
use crate::base::text::counted;
use crate::base::vocab::{code, dqv, oa, prov, qassay, rdf, schema};
use crate::record::publish::provenance::issue_statements;
use crate::report::json::NamedEntries;
use crate::report::table::{Align, Column, Layout, Table};
use crate::sources::quality::inspection::Inspection;

/// The report about one file for people.
pub fn quality_text(inspection: &Inspection) -> Result<String> {
    let (source, contents) = (&inspection.source, &inspection.contents);
    let title = format!("{} ({})", source.name(), inspection.format.name);
    let mut table = Table { title, ..Table::default() };
    table.columns =
        vec![Column::text("", "what"), Column { align: Align::Left, ..Column::text("", "value") }];
    let mut row = |name: &str, value: String| table.rows.push(vec![name.to_owned(), value]);
    row("sha256", source.sha256().to_owned());
    row("bytes", source.size().to_string());
    if let Some(dataset) = &inspection.document.dataset_id {
        row("dataset id", dataset.clone());
    }
    if let Some(known) = inspection.known {
        row("in the catalogue", format!("{}: {}", known.name, known.title));
    }
    for (name, _, count) in contents.counts().filter(|(name, _, count)| *count > 0 || *name == "questions") {
        row(name, count.to_string());
    }
    row("answer kinds", listed(&contents.answer_kinds));
    row("answer types", listed(&contents.answer_types));
    row("languages", listed(&contents.languages));
    let rendered = table.render(Layout::Table)?;
    // The table has no headings: the line where they would be is left out.
    let lines = rendered.lines().enumerate().filter(|(number, _)| *number != 2);
    let text = lines.map(|(_, line)| line.trim_end()).chain([""]).collect::<Vec<_>>().join("\n");
    if inspection.issues.is_empty() {
        return Ok(format!("{text}\nno issues\n"));
    }
    Ok(format!("{text}\n{}", issues(inspection).render(Layout::Table)?))
}

fn listed(counts: &BTreeMap<impl AsRef<str>, usize>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    counts.iter().map(|(name, count)| format!("{} {count}", name.as_ref())).collect::<Vec<_>>().join(", ")
}

/// The issues of several files, with their names.
pub fn quality_table(inspections: &[Inspection]) -> Table {
    let mut table = Table { title: "Issues".to_owned(), ..Table::default() };
    table.columns =
        ["file", "severity", "issue", "place", "message"].map(|name| Column::text(name, name)).to_vec();
    for inspection in inspections {
        let named =
            |row: Vec<String>| std::iter::once(inspection.source.name().to_owned()).chain(row).collect();
        table.rows.extend(issues(inspection).rows.into_iter().map(named));
    }
    table
}

/// The issues of one file.
fn issues(inspection: &Inspection) -> Table {
    let issues = &inspection.issues;
    let title = counted(issues.len(), "issue");
    let mut table = Table { title, ..Table::default() };
    table.columns = ["severity", "issue", "place", "message"].map(|name| Column::text(name, name)).to_vec();
    for issue in issues {
        let row = [issue.severity().name(), issue.code.name(), &issue.place.to_string(), &issue.message];
        table.rows.push(row.map(str::to_owned).to_vec());
    }
    table
}

/// The report about one file for scripts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Quality {
    file: String,
    sha256: String,
    bytes: u64,
    format: &'static str,
    dataset: Option<String>,
    catalogue: Option<&'static str>,
    counts: NamedEntries<usize>,
    answer_kinds: BTreeMap<&'static str, usize>,
    answer_types: BTreeMap<String, usize>,
    languages: BTreeMap<String, usize>,
    issues: Vec<IssueInFile>,
}

/// An issue with its place in the file that the report is about.
#[derive(Serialize)]
struct IssueInFile {
    severity: &'static str,
    code: &'static str,
    message: String,
    line: Option<u64>,
    question: Option<String>,
    path: Option<String>,
}

impl Quality {
    /// What was found in a file.
    pub fn of(inspection: &Inspection) -> Self {
        let contents = &inspection.contents;
        let issue = |issue: &Issue| IssueInFile {
            severity: issue.severity().name(),
            code: issue.code.name(),
            message: issue.message.clone(),
            line: issue.place.line,
            question: issue.place.question.clone(),
            path: issue.place.path.clone(),
        };
        Self {
            file: inspection.source.name().to_owned(),
            sha256: inspection.source.sha256().to_owned(),
            bytes: inspection.source.size(),
            format: inspection.format.name,
            dataset: inspection.document.dataset_id.clone(),
            catalogue: inspection.known.map(|known| known.name),
            counts: NamedEntries::of(contents.counts().map(|(name, _, count)| (camel(name), count))),
            answer_kinds: contents.answer_kinds.clone(),
            answer_types: contents.answer_types.clone(),
            languages: contents.languages.clone(),
            issues: inspection.issues.iter().map(issue).collect(),
        }
    }
}

/// The measurements and annotations of files as canonical N-Quads, one graph a file. A file that is given twice
/// is described once.
pub fn quality_quads(mint: &Mint, inspections: &[Inspection]) -> Result<String> {
    let mut files: Vec<&Inspection> = inspections.iter().collect();
    files.sort_by(|a, b| a.source.sha256().cmp(b.source.sha256()));
    files.dedup_by(|a, b| a.source.sha256() == b.source.sha256());
    let mut out = Vec::new();
    for inspection in files {
        let written = quality_statements(mint, inspection).write_to(&mut out);
        written.map_err(|error| Error::system(format!("cannot write to memory: {error}")))?;
    }
    String::from_utf8(out).map_err(|error| Error::system(format!("the statements are no UTF-8: {error}")))
}

fn quality_statements(mint: &Mint, inspection: &Inspection) -> Lines {
    let file = mint.file(inspection.source.sha256());
    let mut lines = Lines::new(&format!("{file}/quality"));
    lines
        .subject(&file)
        .iri(rdf::TYPE, prov::ENTITY_CLASS)
        .iri(rdf::TYPE, schema::MEDIA_OBJECT)
        .text(qassay::FORMAT, inspection.format.name);
    let contents = &inspection.contents;
    for (_, concept, count) in contents.counts() {
        measurement(&mut lines, &file, concept, None, count);
    }
    counts_of_parts(&mut lines, &file, "fileTexts", &contents.languages);
    counts_of_parts(&mut lines, &file, "fileAnswerTypes", &contents.answer_types);
    counts_of_parts(&mut lines, &file, "fileAnswerKinds", &contents.answer_kinds);
    for (issue, number) in inspection.issues.iter().zip(1..) {
        let node = format!("{file}#issue-{number}");
        lines.subject(&file).iri(dqv::HAS_QUALITY_ANNOTATION, &node);
        lines
            .subject(&node)
            .iri(rdf::TYPE, dqv::QUALITY_ANNOTATION)
            .iri(oa::HAS_TARGET, &file)
            .iri(oa::MOTIVATED_BY, dqv::QUALITY_ASSESSMENT);
        issue_statements(&mut lines, &node, &file, issue, &issue.message);
    }
    lines
}

/// The counts of the parts of something: languages, types, kinds.
fn counts_of_parts(lines: &mut Lines, file: &str, metric: &str, counts: &BTreeMap<impl AsRef<str>, usize>) {
    for ((part, count), number) in counts.iter().zip(1..) {
        measurement(lines, file, metric, Some((number, part.as_ref())), *count);
    }
}

/// One count. The count of a part says of which, and has a number in its name.
fn measurement(lines: &mut Lines, file: &str, metric: &str, part: Option<(u64, &str)>, count: usize) {
    let node = match part {
        Some((number, _)) => format!("{file}#{metric}-{number}"),
        None => format!("{file}#{metric}"),
    };
    lines.subject(file).iri(dqv::HAS_QUALITY_MEASUREMENT, &node);
    lines
        .subject(&node)
        .iri(rdf::TYPE, dqv::QUALITY_MEASUREMENT)
        .iri(dqv::IS_MEASUREMENT_OF, &code::iri(metric))
        .iri(dqv::COMPUTED_ON, file)
        .integer(dqv::VALUE, count as u64);
    if let Some((_, name)) = part {
        lines.text(qassay::MEASURED_PART, name);
    }
}

fn camel(name: &str) -> String {
    let mut words = name.split(' ');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(1);
        format!("{name}{}{tail}", head.to_ascii_uppercase())
    })
}
