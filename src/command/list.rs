//! `qassay list`: what an archive holds.

use std::process::ExitCode;

use clap::Args;
use qassay::base::error::Result;
use qassay::record::asking::ASKING;
use qassay::report::table::{Column, Layout, Table};
use qassay::systems::journal::UnfinishedRun;
use qassay::workbench::holdings::Holding;
use qassay::workbench::list::ListedEvaluation;
use serde_json::{Value, json};

use super::output::Output;
use super::words::ArchivePlace;

/// List what the archive holds
///
/// Evaluations with key, dataset, time and headline value; datasets, submissions, askings, links, knowledge bases.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Only these kinds: dataset, submission, evaluation, comparison, publication, asking, links, "link set", …
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
        let bench = self.archive.workbench();
        let (held, evaluations) = bench.list(&self.kinds, self.kinds == [EVALUATION] || self.tells_all())?;
        let unfinished = if self.kinds.is_empty() || self.kinds.iter().any(|kind| kind == ASKING) {
            bench.unfinished_askings()?
        } else {
            Vec::new()
        };
        if self.format == Layout::Json {
            let values = |one: &Holding| evaluations.iter().find(|known| known.iri == one.iri);
            let object = |one: &Holding| json!({ "kind": one.kind, "name": one.name, "usedBy": one.used_by.len(), "iri": one.iri, "evaluation": values(one) });
            let begun = |one: &UnfinishedRun| json!({ "kind": ASKING, "name": name(one), "usedBy": 0, "iri": null, "evaluation": null, "file": one.path, "tries": one.tries, "last": one.last });
            let objects: Vec<Value> = held.iter().map(object).chain(unfinished.iter().map(begun)).collect();
            return output.result(&qassay::report::json::text(&Value::from(objects)));
        }
        if self.kinds == [EVALUATION] {
            return output.table(&table(evaluations), self.format);
        }
        let mut columns = ["kind", "name"].map(|name| Column::text(name, name)).to_vec();
        columns.extend([Column::number("used by", "usedBy"), Column::text("IRI", "iri")]);
        let is_told = |one: &Holding| !self.tells_all() || one.kind != EVALUATION;
        let row = |one: Holding| vec![one.kind, one.name, one.used_by.len().to_string(), one.iri];
        let begun = |one: UnfinishedRun| vec![ASKING.to_owned(), name(&one), "0".to_owned(), "-".to_owned()];
        let rows =
            held.into_iter().filter(is_told).map(row).chain(unfinished.into_iter().map(begun)).collect();
        let others = Table { columns, rows, ..Table::default() };
        if !self.tells_all() || evaluations.is_empty() {
            return output.table(&others, self.format);
        }
        output.result(&[table(evaluations).render(self.format)?, others.render(self.format)?].join("\n"))
    }

    /// Whether everything is told to people: evaluations first, with what came of them. CSV is one table.
    fn tells_all(&self) -> bool {
        self.kinds.is_empty() && self.format != Layout::Csv
    }
}

/// A run that is not part of the archive yet, as the others are called: whom it asks, and how far it is.
fn name(run: &UnfinishedRun) -> String {
    let whom = run.address.as_deref().unwrap_or("nobody so far");
    let state = if run.is_under_way { "under way" } else { "interrupted" };
    let tries = if run.tries == 1 { "try" } else { "tries" };
    format!("{whom}, {state} after {} {tries}", run.tries)
}

/// The kind of evaluations.
const EVALUATION: &str = "evaluation";

fn table(evaluations: Vec<ListedEvaluation>) -> Table {
    let mut columns = ["evaluation", "system", "dataset", "profile", "time", "measure"]
        .map(|name| Column::text(name, name))
        .to_vec();
    columns.push(Column::number("value", "value"));
    let row = |one: ListedEvaluation| {
        let measure = [one.experiment, one.measure].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let value = one.value.unwrap_or_else(|| "-".to_owned());
        vec![one.key, one.system, one.dataset, one.profile, one.time, measure, value]
    };
    Table { columns, rows: evaluations.into_iter().map(row).collect(), ..Table::default() }
}
