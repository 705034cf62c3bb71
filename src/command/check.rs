//! `qassay check`: what a dataset or a submission contains, and what is wrong with it.

use std::process::ExitCode;

use clap::ValueEnum;
use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::base::issue::Severity;
use qassay::record::publish::quality;
use qassay::report;
use qassay::report::quality::{quality_json, quality_table, quality_text};
use qassay::report::table::Format;
use qassay::sources::quality::inspection::Inspection;
use serde_json::{Value, json};

use super::{Output, check_loader, named};
use crate::cli::Check;

/// How to print the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Columns for people.
    #[default]
    Table,
    /// JSON for scripts.
    Json,
    /// The issues as comma-separated values with a header.
    Csv,
    /// The issues as a table in Markdown.
    Markdown,
    /// The issues as a table in LaTeX.
    Latex,
    /// RDF: measurements and annotations of the Data Quality Vocabulary (DQV), as N-Quads.
    Rdf,
}

impl CheckFormat {
    /// The format of a table in the report.
    pub(crate) fn of_table(self) -> Format {
        match self {
            Self::Table | Self::Json | Self::Rdf => Format::Table,
            Self::Csv => Format::Csv,
            Self::Markdown => Format::Markdown,
            Self::Latex => Format::Latex,
        }
    }
}

/// Runs the command: exit code 1 if a file has errors (`--strict`: or warnings), 2 if one cannot be read at all.
pub(crate) fn run(arguments: &Check, output: &Output) -> Result<ExitCode> {
    if arguments.loader.is_some() || arguments.part.is_some() {
        return check_loader::run(arguments, output);
    }
    let mut inspections = Vec::new();
    let mut unreadable: Vec<Error> = Vec::new();
    for path in &arguments.files {
        let source = named::open(path, &arguments.archive.archive, arguments.encoding.as_deref());
        match source.and_then(Inspection::of) {
            Ok(inspection) => inspections.push(inspection),
            // One bad file must not hide what is wrong with the others.
            Err(error) => unreadable.push(error),
        }
    }
    let text = render(&inspections, arguments.format)?;
    match arguments.format {
        CheckFormat::Rdf => output.data(text.as_bytes())?,
        _ => output.result(&text)?,
    }
    if let Some(first) = unreadable.first() {
        let code = output.error(first);
        for error in &unreadable[1..] {
            output.error(error);
        }
        return Ok(code);
    }
    let worst = if arguments.strict { Severity::Warning } else { Severity::Error };
    let fails = inspections.iter().any(|inspection| inspection.has(worst));
    Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn render(inspections: &[Inspection], format: CheckFormat) -> Result<String> {
    match format {
        CheckFormat::Table => {
            Ok(inspections.iter().map(quality_text).collect::<Result<Vec<_>>>()?.join("\n"))
        }
        CheckFormat::Json => {
            let all: Vec<Value> = inspections.iter().map(quality_json).collect();
            Ok(qassay::report::json::text(&json!({ "files": all })))
        }
        CheckFormat::Rdf => quality::quads(&Mint::default(), inspections),
        CheckFormat::Csv | CheckFormat::Markdown | CheckFormat::Latex => {
            quality_table(inspections).render(format.of_table())
        }
    }
}
