//! `qassay upgrade`: an archive of an older version of the model becomes one of the newest.

use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::model::Model;
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::record::upgrade::{Amount, Upgraded};
use qassay::report::table::{Column, Layout, Table};
use qassay::workbench::Workbench;

use super::output::Output;
use super::words::ArchivePlace;

/// Rewrite an archive by the newest version of the model, or under another base of IRIs
#[derive(Debug, Args)]
pub(super) struct Upgrade {
    /// Compute everything and say what would change; change nothing
    #[arg(long)]
    dry_run: bool,
    /// Let the IRIs of the archive begin with this, such as `https://example.org/qa/`: a place on the web of your own, where it will
    /// be published; keys and numbers stay
    #[arg(long, value_name = "IRI", value_hint = ValueHint::Url)]
    base: Option<String>,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Upgrade {
    /// Runs the command. Exit code 1: an evaluation cannot be upgraded, and nothing was changed.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let bench = self.archive.workbench();
        if let Some(base) = &self.base {
            return self.rebase(base, &bench, output);
        }
        let done = bench.upgrade(self.dry_run, output)?;
        let (root, newest) = (bench.root().display(), Model::default().number());
        if done.from == Model::default() {
            let cleared = match done.cleared {
                0 => String::new(),
                files => format!("; cleared {} that an upgrade has left", counted(files, "graph")),
            };
            let described = match done.described {
                0 => String::new(),
                graphs if self.dry_run => format!("; what {} can be told", holds(graphs)),
                graphs => format!("; its records tell now what {}", holds(graphs)),
            };
            output.note(&format!("{root} has version {newest} of the model already{cleared}{described}"));
            return Ok(ExitCode::SUCCESS);
        }
        for refused in &done.refused {
            output.error(refused);
        }
        if !done.refused.is_empty() {
            let all = counted(done.evaluations, "evaluation");
            return Err(Error::check(format!(
                "{} of {all} cannot be upgraded: the archive stays as it is",
                done.refused.len()
            ))
            .in_file(root.to_string())
            .hint("`qassay remove` takes them out; the program that made them still verifies them"));
        }
        output.result(&graphs(&done).render(Layout::Table)?)?;
        let what = format!(
            "{} with the numbers that were recorded, {}, {}",
            counted(done.evaluations, "evaluation"),
            counted(done.records, "record"),
            if self.dry_run { "nothing is changed (--dry-run)" } else { "all replaced" },
        );
        output.note(&format!(
            "\n{root} {} version {newest} of the model: {what}",
            if self.dry_run { "can have" } else { "has" }
        ));
        Ok(ExitCode::SUCCESS)
    }
}

impl Upgrade {
    fn rebase(&self, base: &str, bench: &Workbench, output: &Output) -> Result<ExitCode> {
        let done = bench.rebase(base, self.dry_run, output)?;
        let root = bench.root().display();
        if done.from == *base {
            output.note(&format!("{root} has the base {base} already"));
            return Ok(ExitCode::SUCCESS);
        }
        let what = format!(
            "{} and {}",
            counted(done.graphs as u64, "graph"),
            counted(done.records as u64, "record")
        );
        output.note(&if self.dry_run {
            format!("{root} can have the base {base} in place of {}: {what}; nothing is changed (--dry-run)", done.from)
        } else {
            format!("{root} has the base {base} in place of {}: {what} renamed; `qassay verify` computes them again", done.from)
        });
        Ok(ExitCode::SUCCESS)
    }
}

fn holds(graphs: usize) -> String {
    format!("{} {}", counted(graphs, "graph"), if graphs == 1 { "holds" } else { "hold" })
}

/// One row a kind of graph: what there was, and what there is.
fn graphs(upgrade: &Upgraded) -> Table {
    let mut table = Table { title: "Graphs".to_owned(), ..Table::default() };
    table.columns.push(Column::text("kind", "kind"));
    let of_version = |at: usize| if at == 0 { upgrade.from.number() } else { upgrade.from.number() + 1 };
    for at in 0..2 {
        for what in ["graphs", "statements", "bytes"] {
            let heading = format!("{what} {}", of_version(at));
            table.columns.push(Column::number(&heading, &heading));
        }
    }
    let cells = |amount: &Amount| [amount.graphs, amount.statements, amount.bytes].map(|n| n.to_string());
    let row = |name: &str, amounts: &[Amount; 2]| {
        let numbers = amounts.iter().flat_map(cells);
        std::iter::once(name.to_owned()).chain(numbers).collect::<Vec<String>>()
    };
    table.rows.extend(upgrade.kinds.iter().map(|(kind, amounts)| row(kind, amounts)));
    let total = |at: usize| {
        upgrade.kinds.values().map(|amounts| amounts[at]).fold(Amount::default(), |sum, one| Amount {
            graphs: sum.graphs + one.graphs,
            statements: sum.statements + one.statements,
            bytes: sum.bytes + one.bytes,
        })
    };
    table.rows.push(row("all", &[total(0), total(1)]));
    table
}
