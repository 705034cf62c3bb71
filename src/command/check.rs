//! `qassay check`: what a dataset or a submission contains, and what is wrong with it.

use std::collections::BTreeMap;
use std::process::ExitCode;

use qassay::graph::answer::{answer_type, items};
use qassay::graph::audit;
use qassay::read::{AnswerState, Document, Issue, Severity, Source, read};
use qassay::report::{Align, Column, Format, Table};
use qassay::{Error, Result};
use serde_json::{Value, json};

use super::{Output, named};
use crate::cli::Check;

/// Runs the command: exit code 1 if a file has errors, 2 if one cannot be read at all.
pub(crate) fn run(arguments: &Check, output: &Output) -> Result<ExitCode> {
    let mut reports = Vec::new();
    let mut unreadable: Vec<Error> = Vec::new();
    for path in &arguments.files {
        match named::open(path, &arguments.archive.archive).and_then(|source| Ok((read(&source)?, source))) {
            Ok(((mut document, format), source)) => {
                audit(&mut document);
                reports.push(Report::of(&source, &document, format.name));
            }
            // One bad file must not hide what is wrong with the others.
            Err(error) => unreadable.push(error),
        }
    }
    match arguments.format {
        Format::Json => {
            let all: Vec<Value> = reports.iter().map(Report::json).collect();
            output.result(&format!("{:#}\n", json!({ "files": all })))?;
        }
        Format::Table => {
            let texts: Vec<String> = reports.iter().map(Report::text).collect::<Result<_>>()?;
            output.result(&texts.join("\n"))?;
        }
        format => {
            let tables: Vec<String> =
                reports.iter().map(|r| r.issues().render(format)).collect::<Result<_>>()?;
            output.result(&tables.join("\n"))?;
        }
    }
    if let Some(first) = unreadable.first() {
        let code = output.error(first);
        for error in &unreadable[1..] {
            output.error(error);
        }
        return Ok(code);
    }
    let has_errors =
        reports.iter().any(|report| report.issues.iter().any(|i| i.severity() == Severity::Error));
    Ok(if has_errors { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// What is known about a file.
struct Report {
    file: String,
    sha256: String,
    bytes: usize,
    format: &'static str,
    dataset: Option<String>,
    counts: Vec<(&'static str, usize)>,
    answer_types: BTreeMap<String, usize>,
    languages: BTreeMap<String, usize>,
    issues: Vec<Issue>,
}

impl Report {
    fn of(source: &Source, document: &Document, format: &'static str) -> Self {
        let questions = &document.questions;
        let in_state = |state| questions.iter().filter(|q| q.answers.state == state).count();
        let sets = || questions.iter().flat_map(|question| &question.answers.sets);
        let mut report = Self {
            file: source.name().to_owned(),
            sha256: source.sha256().to_owned(),
            bytes: source.bytes().len(),
            format,
            dataset: document.dataset_id.clone(),
            counts: vec![
                ("questions", questions.len()),
                ("with answers", in_state(AnswerState::Given)),
                ("with empty answers", in_state(AnswerState::Empty)),
                ("without answers", in_state(AnswerState::Absent)),
                ("out of scope", in_state(AnswerState::OutOfScope)),
                ("unreadable", in_state(AnswerState::Unreadable)),
                ("with queries", questions.iter().filter(|question| !question.queries.is_empty()).count()),
                ("answer rows", sets().map(|set| set.rows.len()).sum()),
                ("booleans", sets().filter(|set| set.boolean.is_some()).count()),
                (
                    "answer items",
                    questions.iter().map(|q| items(q).iter().filter(|i| i.counts).count()).sum(),
                ),
                ("with errors of the system", questions.iter().filter(|q| q.error.is_some()).count()),
                ("with response times", questions.iter().filter(|q| q.response_time.is_some()).count()),
            ],
            answer_types: BTreeMap::new(),
            languages: BTreeMap::new(),
            issues: document.issues.clone(),
        };
        for question in questions {
            let kind = match (answer_type(question), &question.answer_type) {
                (Some(known), _) => known.to_owned(),
                (None, Some(other)) => format!("other ({other})"),
                (None, None) => "none given".to_owned(),
            };
            *report.answer_types.entry(kind).or_default() += 1;
            for text in &question.texts {
                let language = text.language.clone().unwrap_or_else(|| "none given".to_owned());
                *report.languages.entry(language).or_default() += 1;
            }
        }
        report
    }

    fn text(&self) -> Result<String> {
        let mut table = Table { title: format!("{} ({})", self.file, self.format), ..Table::default() };
        table.columns =
            vec![Column::text("", "what"), Column { align: Align::Left, ..Column::text("", "value") }];
        let mut row = |name: &str, value: String| table.rows.push(vec![name.to_owned(), value]);
        row("sha256", self.sha256.clone());
        row("bytes", self.bytes.to_string());
        if let Some(dataset) = &self.dataset {
            row("dataset id", dataset.clone());
        }
        for (name, count) in self.counts.iter().filter(|(name, count)| *count > 0 || *name == "questions") {
            row(name, count.to_string());
        }
        let listed = |counts: &BTreeMap<String, usize>| {
            counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
        };
        row("answer types", listed(&self.answer_types));
        row("languages", listed(&self.languages));
        let rendered = table.render(Format::Table)?;
        // The table has no headings: the line where they would be is left out.
        let lines = rendered.lines().enumerate().filter(|(number, _)| *number != 2);
        let text = lines.map(|(_, line)| line).chain([""]).collect::<Vec<_>>().join("\n");
        if self.issues.is_empty() {
            return Ok(format!("{text}\nno issues\n"));
        }
        Ok(format!("{text}\n{}", self.issues().render(Format::Table)?))
    }

    fn issues(&self) -> Table {
        let mut table = Table {
            title: format!("{} issue{}", self.issues.len(), if self.issues.len() == 1 { "" } else { "s" }),
            ..Table::default()
        };
        table.columns =
            ["severity", "issue", "place", "message"].map(|name| Column::text(name, name)).to_vec();
        for issue in &self.issues {
            let row = [issue.severity().name(), issue.code.name(), &issue.place.to_string(), &issue.message];
            table.rows.push(row.map(str::to_owned).to_vec());
        }
        table
    }

    fn json(&self) -> Value {
        let camel = |name: &str| {
            let mut words = name.split(' ');
            let first = words.next().unwrap_or_default().to_owned();
            words.fold(first, |name, word| {
                let (head, tail) = word.split_at(1);
                format!("{name}{}{tail}", head.to_ascii_uppercase())
            })
        };
        let counts: serde_json::Map<String, Value> =
            self.counts.iter().map(|(name, count)| (camel(name), Value::from(*count))).collect();
        let issues: Vec<Value> = self
            .issues
            .iter()
            .map(|issue| {
                json!({
                    "severity": issue.severity().name(),
                    "code": issue.code.name(),
                    "message": issue.message,
                    "line": issue.place.line,
                    "question": issue.place.question,
                    "path": issue.place.path,
                })
            })
            .collect();
        json!({
            "file": self.file,
            "sha256": self.sha256,
            "bytes": self.bytes,
            "format": self.format,
            "dataset": self.dataset,
            "counts": counts,
            "answerTypes": self.answer_types,
            "languages": self.languages,
            "issues": issues,
        })
    }
}
