//! `qassay check --loader`: which questions a loader takes from a file, and why not the others.

use std::path::Path;
use std::process::ExitCode;

use qassay::base::error::{Error, Result};
use qassay::profiles::loaders::{Loaded, Loader, Loading, Part, load};
use qassay::report::table::{Column, Table};
use qassay::sources::format::read;
use qassay::sources::quality::copies::known;
use serde_json::{Value, json};

use super::{CheckFormat, Output, named};
use crate::cli::Check;

/// Runs the command: exit code 2 if a file cannot be read, or the loader refuses it.
pub(super) fn run(arguments: &Check, output: &Output) -> Result<ExitCode> {
    if arguments.format == CheckFormat::Rdf {
        return Err(Error::input("what a loader makes of a file has no form in RDF"));
    }
    let (mut texts, mut values) = (Vec::new(), Vec::new());
    let mut failures: Vec<Error> = Vec::new();
    for path in &arguments.files {
        match check(path, arguments, output) {
            Ok((text, value)) => {
                texts.push(text);
                values.push(value);
            }
            // One bad file must not hide what a loader makes of the others.
            Err(error) => failures.push(error),
        }
    }
    if !values.is_empty() {
        match arguments.format {
            CheckFormat::Json => output.result(&qassay::report::json::text(&json!({ "files": values })))?,
            _ => output.result(&texts.join("\n"))?,
        }
    }
    let codes: Vec<ExitCode> = failures.iter().map(|error| output.error(error)).collect();
    Ok(codes.into_iter().next().unwrap_or(ExitCode::SUCCESS))
}

fn check(path: &Path, arguments: &Check, output: &Output) -> Result<(String, Value)> {
    let source = named::open(path, &arguments.archive.archive, arguments.encoding.as_deref())?;
    let (document, format) = read(&source)?;
    let way = arguments.loader.map(Loader::from).unwrap_or_default();
    if way == Loader::Table1 && known(&source).is_none_or(|entry| entry.table1.is_empty()) {
        output.note(&format!("note: {} is not in Table 1; the rule of its format is applied", source.name()));
    }
    let loading = Loading { loader: way, part: arguments.part.map(Part::from), language: None };
    let loaded = load(&document, format.name, loading).map_err(|error| error.in_file(source.name()))?;
    let mut value = qassay::report::json::loaded(&loaded);
    value["file"] = source.name().into();
    value["format"] = format.name.into();
    value["loader"] = way.name().into();
    value["part"] = loading.part.map(Part::name).into();
    let part = loading.part.map_or_else(String::new, |part| format!(" ({} part)", part.name()));
    let title = format!(
        "{}: {} loads {} of {} questions{part}",
        source.name(),
        way.name(),
        loaded.count(),
        document.questions.len()
    );
    Ok((table(title, &loaded).render(arguments.format.of_table())?, value))
}

/// What happens to questions, one a row: those that are left out, then those that are changed.
fn table(title: String, loaded: &Loaded<'_>) -> Table {
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
