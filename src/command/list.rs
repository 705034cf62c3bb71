//! `qassay list`: what an archive holds.

use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::report::table::{Column, Layout, Table};
use qassay::workbench::archive::Holding;

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
        let mut columns = ["kind", "name"].map(|name| Column::text(name, name)).to_vec();
        columns.extend([Column::number("used by", "used_by"), Column::text("IRI", "iri")]);
        let held = self.archive.workbench().list()?;
        let wanted = held.into_iter().filter(|one| self.kinds.is_empty() || self.kinds.contains(&one.kind));
        let row = |one: Holding| vec![one.kind, one.name, one.used_by.len().to_string(), one.iri];
        let table = Table { columns, rows: wanted.map(row).collect(), ..Table::default() };
        output.table(&table, self.format)
    }
}
