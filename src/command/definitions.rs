//! `qassay experiments`, `qassay measures` and `qassay profiles`: definitions, from the ontology.

use std::process::ExitCode;

use clap::Args;
use qassay::base::error::{Error, Result};
use qassay::base::text;
use qassay::measures::metric::Metric;
use qassay::profiles::Profile;
use qassay::profiles::own::{is_file, named};
use qassay::profiles::rules::EXPERIMENTS;
use qassay::report::definitions as report;
use qassay::report::table::{Layout, Table};
use serde_json::{Map, Value};

use super::output::Output;

/// Which definitions, and how
#[derive(Debug, Args)]
struct Definitions {
    /// Only these names; without any, all
    names: Vec<String>,
    /// How to print them
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
}

/// List the experiment types: what is compared
#[derive(Debug, Args)]
pub(super) struct Experiments {
    /// Which, and how
    #[command(flatten)]
    chosen: Definitions,
}

/// List the measures with their definitions
#[derive(Debug, Args)]
pub(super) struct MeasureList {
    /// Which, and how
    #[command(flatten)]
    chosen: Definitions,
}

/// List the profiles: the ways to score
#[derive(Debug, Args)]
pub(super) struct Profiles {
    /// Which, and how
    #[command(flatten)]
    chosen: Definitions,
}

impl Experiments {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let Definitions { names, format } = &self.chosen;
        list(report::experiments(), "experiment type", names, *format, output)
    }
}

impl MeasureList {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        // A member of a family, such as `accuracyAt5`, is explained by its family.
        let concept =
            |name: &String| Metric::named(name).map_or_else(|| name.clone(), |metric| metric.concept());
        let names: Vec<String> = self.chosen.names.iter().map(concept).collect();
        list(report::measures(), "measure", &names, self.chosen.format, output)
    }
}

impl Profiles {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let Definitions { names, format } = &self.chosen;
        if names.iter().any(|name| is_file(name)) {
            let own = named(names.iter().map(String::as_str))?;
            return list(report::profiles(&own), "profile", &[], *format, output);
        }
        list(report::profiles(&Profile::all()), "profile", names, *format, output)
    }
}

fn list(
    mut table: Table,
    kind: &str,
    wanted: &[String],
    format: Layout,
    output: &Output,
) -> Result<ExitCode> {
    if let Some(unknown) = wanted.iter().find(|name| !table.rows.iter().any(|row| row[0] == **name)) {
        let names: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
        let error = Error::input(format!("there is no {kind} `{unknown}`")).allowed(names.join(", "));
        let is_experiment = EXPERIMENTS.contains(&unknown.as_str());
        return Err(if is_experiment && kind == "measure" {
            error.hint(format!("`qassay experiments {unknown}` says what it compares"))
        } else {
            error
        });
    }
    if !wanted.is_empty() {
        table.rows.retain(|row| wanted.contains(&row[0]));
    }
    let text = match format {
        Layout::Table => paragraphs(&table) + &loaders(&table),
        Layout::Json => json(&table),
        format => table.render(format)?,
    };
    output.result(&text)
}

/// Definitions are too long for columns: a paragraph each, with the headings as labels.
pub(super) fn paragraphs(table: &Table) -> String {
    let width = table.columns.iter().map(|column| column.heading.len()).max().unwrap_or_default();
    let paragraph = |row: &Vec<String>| {
        let lines = table.columns.iter().zip(row).skip(1).map(|(column, cell)| {
            let indent = " ".repeat(width + 4);
            format!(
                "  {:<width$}  {}\n",
                column.heading,
                wrap(&text::line(cell), 100 - width - 4).join(&format!("\n{indent}"))
            )
        });
        format!("{}\n{}", text::line(&row[0]), lines.collect::<String>())
    };
    table.rows.iter().map(paragraph).collect::<Vec<_>>().join("\n")
}

/// The loaders that the profiles of a table allow: each is defined once.
fn loaders(table: &Table) -> String {
    let Some(at) = table.columns.iter().position(|column| column.name == "loaders") else {
        return String::new();
    };
    let is_allowed = |name: &str| table.rows.iter().any(|row| row[at].split(", ").any(|own| own == name));
    let paragraph = |(name, definition): (&str, &str)| {
        format!("\nloader {name}\n  {}\n", wrap(definition, 98).join("\n  "))
    };
    report::loaders().into_iter().filter(|(name, _)| is_allowed(name)).map(paragraph).collect()
}

/// Breaks a text into lines at white space.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The rows as JSON objects by column name.
pub(super) fn json(table: &Table) -> String {
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let fields =
                table.columns.iter().zip(row).map(|(c, cell)| (c.name.clone(), Value::from(cell.as_str())));
            Value::from(fields.collect::<Map<_, _>>())
        })
        .collect();
    qassay::report::json::text(&Value::from(rows))
}
