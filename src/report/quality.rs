//! What a file contains and what is wrong with it: for people, as tables, as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::error::Result;
use crate::base::issue::Issue;
use crate::report::json::NamedEntries;
use crate::report::table::{Align, Column, Format, Table};
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
    row("bytes", source.bytes().len().to_string());
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
    let rendered = table.render(Format::Table)?;
    // The table has no headings: the line where they would be is left out.
    let lines = rendered.lines().enumerate().filter(|(number, _)| *number != 2);
    let text = lines.map(|(_, line)| line.trim_end()).chain([""]).collect::<Vec<_>>().join("\n");
    if inspection.issues.is_empty() {
        return Ok(format!("{text}\nno issues\n"));
    }
    Ok(format!("{text}\n{}", issues(inspection).render(Format::Table)?))
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
    let title = format!("{} issue{}", issues.len(), if issues.len() == 1 { "" } else { "s" });
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
    bytes: usize,
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
            bytes: inspection.source.bytes().len(),
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

fn camel(name: &str) -> String {
    let mut words = name.split(' ');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, tail) = word.split_at(1);
        format!("{name}{}{tail}", head.to_ascii_uppercase())
    })
}
