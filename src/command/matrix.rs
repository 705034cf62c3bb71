//! `qassay matrix`: many evaluations, declared in one file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::report::table::{Column, Layout, Table};
use qassay::workbench::matrix::file::Matrix;
use qassay::workbench::matrix::{CellState, MatrixWork, ScoredCell, Shard};

use super::output::Output;
use super::words::{BasedArchive, Limiting, StorePlace, Threads};

/// Score what a file declares: datasets × systems × profiles × conditions
///
/// What the archive has is skipped.
#[derive(Debug, Args)]
pub(super) struct MatrixVerb {
    /// The file, in YAML: `datasets`, a list of `gold` and its `systems`; `profiles`; and `conditions`, each with some of
    /// links, labels, types, classes, kb, gold, same-as, language. Paths begin at its folder
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Score nothing: list the cells, and which of them are there
    #[arg(long)]
    dry_run: bool,
    /// Only a part of the cells: 3/16 is every sixteenth from the third one on. Shards may have archives of their own, which `qassay
    /// merge` unites
    #[arg(long, value_name = "NUMBER/OF")]
    shard: Option<String>,
    /// How many groups of cells (one dataset, condition and profile) are worked on at once; each takes memory of its own
    #[arg(long = "groups-at-once", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    at_once: u16,
    /// How to print what came of each cell
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// How much a query may use
    #[command(flatten)]
    limiting: Limiting,
    /// Which server matches
    #[command(flatten)]
    there: StorePlace,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: BasedArchive,
    /// How many threads work
    #[command(flatten)]
    threads: Threads,
}

impl MatrixVerb {
    /// Runs the command. The exit code is 1 where a cell failed.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        self.threads.run(|| self.run_here(output))
    }

    fn run_here(&self, output: &Output) -> Result<ExitCode> {
        let shard = self.shard.as_deref().map_or(Ok(Shard::ALL), Shard::parse)?;
        let matrix = Matrix::read(&self.file)?;
        let (jobs, allowance) = (usize::from(self.at_once), self.limiting.allowance());
        let work = MatrixWork { shard, is_dry: self.dry_run, jobs, allowance, store: self.there.address() };
        let bench = self.archive.workbench()?;
        let cells = bench.matrix(&matrix, &work, output)?;
        if self.format == Layout::Json {
            output.result(&qassay::report::json::text(&serde_json::json!(cells)))?;
        } else {
            output.result(&table(&cells).render(self.format)?)?;
        }
        let told = [CellState::Kept, CellState::There, CellState::ToDo, CellState::Failed].map(|state| {
            let number = cells.iter().filter(|cell| cell.state == state).count();
            (number > 0).then(|| format!("{number} {}", state.name()))
        });
        let told = told.into_iter().flatten().collect::<Vec<_>>().join(", ");
        output.note(&format!("{} of {}: {told}", counted(cells.len(), "cell"), matrix.cells()));
        let has_failed = cells.iter().any(|cell| cell.state == CellState::Failed);
        Ok(if has_failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

fn table(cells: &[ScoredCell]) -> Table {
    let mut columns = vec![Column::number("cell", "cell")];
    let texts = ["gold", "system", "profile", "condition", "state", "evaluation", "cause"];
    columns.extend(texts.map(|name| Column::text(name, name)));
    let row = |cell: &ScoredCell| {
        let system = cell.system.clone().unwrap_or_else(|| cell.answers.display().to_string());
        vec![
            cell.cell.to_string(),
            cell.gold.display().to_string(),
            system,
            cell.profile.clone(),
            cell.condition.clone(),
            cell.state.name().to_owned(),
            cell.evaluations.join(" "),
            cell.cause.clone().unwrap_or_default().replace('\n', " "),
        ]
    };
    Table { columns, rows: cells.iter().map(row).collect(), ..Table::default() }
}
