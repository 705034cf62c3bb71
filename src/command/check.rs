//! `qassay check`: what a dataset or a submission contains, and what is wrong with it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::base::issue::Severity;
use qassay::base::watch::Watcher;
use qassay::profiles::loaders::{Loaded, Loader, Loading, Part};
use qassay::report;
use qassay::report::quality::{Quality, quality_quads, quality_table, quality_text};
use qassay::report::table::{Column, Layout, Table};
use qassay::sources::catalogue::named::known;
use qassay::sources::quality::inspection::Inspection;
use qassay::workbench::files::LoadedFile;
use serde_json::{Value, json};

use super::output::Output;
use super::words::ArchivePlace;

/// Say what files contain and what is wrong with them
#[derive(Debug, Args)]
pub(super) struct Check {
    /// The files: datasets or answers; or names of fetched ones, where no file has that name
    #[arg(required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// The encoding of the files, such as windows-1252 or gb18030 [default: as the file says, else UTF-8, else a guess]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Exit with 1 on warnings too, not only on errors
    #[arg(long)]
    strict: bool,
    /// Say which questions a loader leaves out or changes, in place of the report
    #[arg(long, value_enum, value_name = "LOADER")]
    loader: Option<Loader>,
    /// Say how many questions one part of the file has, in place of the report
    #[arg(long, value_enum, value_name = "PART")]
    part: Option<Part>,
    /// How to print the report
    #[arg(long, short, value_enum, default_value_t)]
    format: CheckFormat,
    /// Where fetched files are
    #[command(flatten)]
    archive: ArchivePlace,
}

/// How to print the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
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
    fn of_table(self) -> Layout {
        match self {
            Self::Table | Self::Json | Self::Rdf => Layout::Table,
            Self::Csv => Layout::Csv,
            Self::Markdown => Layout::Markdown,
            Self::Latex => Layout::Latex,
        }
    }
}

impl Check {
    /// Runs the command: exit code 1 if a file has errors (`--strict`: or warnings), 2 if one cannot be read at all.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        if self.loader.is_some() || self.part.is_some() {
            return self.run_loader(output);
        }
        let bench = self.archive.workbench();
        let mut inspections = Vec::new();
        let mut unreadable: Vec<Error> = Vec::new();
        for path in &self.files {
            match bench.inspect(path, self.encoding.as_deref()) {
                Ok(inspection) => inspections.push(inspection),
                // One bad file must not hide what is wrong with the others.
                Err(error) => unreadable.push(error),
            }
        }
        let text = render(bench.mint(), &inspections, self.format)?;
        match self.format {
            CheckFormat::Rdf => output.data(text.as_bytes())?,
            _ => output.result(&text)?,
        };
        if let Some(first) = unreadable.first() {
            let code = output.error(first);
            for error in &unreadable[1..] {
                output.error(error);
            }
            return Ok(code);
        }
        let worst = if self.strict { Severity::Warning } else { Severity::Error };
        let fails = inspections.iter().any(|inspection| inspection.has(worst));
        Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    /// Says which questions a loader takes from the files, and why not the others: exit code 2 if a file cannot be read, or the loader refuses it.
    fn run_loader(&self, output: &Output) -> Result<ExitCode> {
        if self.format == CheckFormat::Rdf {
            return Err(Error::input("what a loader makes of a file has no form in RDF"));
        }
        let (mut texts, mut values) = (Vec::new(), Vec::new());
        let mut failures: Vec<Error> = Vec::new();
        for path in &self.files {
            match load_one(path, self, output) {
                Ok((text, value)) => {
                    texts.push(text);
                    values.push(value);
                }
                // One bad file must not hide what a loader makes of the others.
                Err(error) => failures.push(error),
            }
        }
        if !values.is_empty() {
            match self.format {
                CheckFormat::Json => output.result(&report::json::text(&json!({ "files": values })))?,
                _ => output.result(&texts.join("\n"))?,
            };
        }
        let codes: Vec<ExitCode> = failures.iter().map(|error| output.error(error)).collect();
        Ok(codes.into_iter().next().unwrap_or(ExitCode::SUCCESS))
    }
}

fn render(mint: &Mint, inspections: &[Inspection], format: CheckFormat) -> Result<String> {
    match format {
        CheckFormat::Table => {
            Ok(inspections.iter().map(quality_text).collect::<Result<Vec<_>>>()?.join("\n"))
        }
        CheckFormat::Json => {
            let all: Vec<Quality> = inspections.iter().map(Quality::of).collect();
            Ok(report::json::text(&json!({ "files": all })))
        }
        CheckFormat::Rdf => quality_quads(mint, inspections),
        CheckFormat::Csv | CheckFormat::Markdown | CheckFormat::Latex => {
            quality_table(inspections).render(format.of_table())
        }
    }
}

/// What a loader makes of a file, for people and for scripts.
fn load_one(path: &Path, arguments: &Check, output: &Output) -> Result<(String, Value)> {
    let way = arguments.loader.unwrap_or_default();
    let loading = Loading { loader: way, part: arguments.part, language: None };
    let bench = arguments.archive.workbench();
    let file = bench.load(path, arguments.encoding.as_deref(), loading)?;
    let value = file.json(loading);
    let LoadedFile { source, questions, loaded, .. } = file;
    if way == Loader::Table1 && known(&source).is_none_or(|entry| entry.table1.is_empty()) {
        output.note(&format!("note: {} is not in Table 1; the rule of its format is applied", source.name()));
    }
    let part = loading.part.map_or_else(String::new, |part| format!(" ({} part)", part.name()));
    let title = format!(
        "{}: {} loads {} of {} questions{part}",
        source.name(),
        way.name(),
        loaded.count(),
        questions
    );
    Ok((loaded_table(title, &loaded).render(arguments.format.of_table())?, value))
}

/// What happens to questions, one a row: those that are left out, then those that are changed.
fn loaded_table(title: String, loaded: &Loaded) -> Table {
    let mut table = Table { title, ..Table::default() };
    table.columns = ["question", "what", "why"].map(|name| Column::text(name, name)).to_vec();
    let left_out = loaded
        .left_out()
        .map(|(question, why)| [&question.key, "left out", &why.to_string()].map(str::to_owned));
    table.rows.extend(left_out.map(Vec::from));
    let changed =
        loaded.changes().map(|(question, what)| [&question.key, "changed", what].map(str::to_owned));
    table.rows.extend(changed.map(Vec::from));
    table
}
