//! `qassay list`: what an archive holds.

use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::report::table::{Column, Layout, Table};
use qassay::workbench::archive::Holding;
use serde_json::{Value, json};

use super::output::Output;
use super::words::ArchivePlace;

/// List what the archive holds: datasets, submissions, evaluations, links, knowledge bases
#[derive(Debug, Args)]
pub(super) struct List {
    /// Only these kinds: dataset, submission, evaluation, links, "link set", "knowledge base", …
    kinds: Vec<String>,
    /// How to print the list
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where it is kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl List {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let held = self.archive.workbench().list(&self.kinds)?;
        if self.format == Layout::Json {
            let object = |one: &Holding| json!({ "kind": one.kind, "name": one.name, "usedBy": one.used_by.len(), "iri": one.iri });
            let objects: Vec<Value> = held.iter().map(object).collect();
            return output.result(&qassay::report::json::text(&Value::from(objects)));
        }
        let mut columns = ["kind", "name"].map(|name| Column::text(name, name)).to_vec();
        columns.extend([Column::number("used by", "usedBy"), Column::text("IRI", "iri")]);
        let row = |one: Holding| vec![one.kind, one.name, one.used_by.len().to_string(), one.iri];
        let table = Table { columns, rows: held.into_iter().map(row).collect(), ..Table::default() };
        output.table(&table, self.format)
    }
}
