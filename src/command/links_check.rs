//! `qassay links check`: clusters that are probably wrong.

use std::process::ExitCode;

use qassay::base::error::Result;
use qassay::references::ReferenceInput;
use qassay::references::links::Links;
use qassay::references::links::suspicious::{Example, Suspicion, examples};
use qassay::report;
use qassay::report::table::{Column, Format, Table};
use qassay::sources::file::source::Source;
use serde_json::{Value, json};

use super::links::{counted, opened, step};
use super::{Output, linked};
use crate::cli::LinksCheck;

/// Runs the command: exit code 1 with `--strict` where a cluster is suspicious.
pub(crate) fn run(arguments: &LinksCheck, output: &Output) -> Result<ExitCode> {
    let files = opened(&arguments.links, &arguments.archive.archive, &[])?;
    let closure = Links::close(files.iter().filter_map(ReferenceInput::links));
    let found = closure.suspicious(arguments.most, None);
    let shown = &found[..found.len().min(arguments.limit)];
    let sources: Vec<&Source> = files.iter().map(|file| &file.source).collect();
    let examples = examples(&closure, &sources, shown)?;
    let (closure, names) = (&closure, &linked::names(&files, &arguments.archive.archive)?);
    let report =
        Report { arguments, closure, files: &files, names, found: &found, shown, examples: &examples };
    match arguments.format {
        Format::Json => output.result(&report.json())?,
        format => output.result(&report.table().render(format)?)?,
    }
    Ok(if arguments.strict && !found.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

struct Report<'a> {
    arguments: &'a LinksCheck,
    closure: &'a Links,
    files: &'a [ReferenceInput],
    /// What the files are called.
    names: &'a [String],
    found: &'a [Suspicion],
    shown: &'a [Suspicion],
    examples: &'a [Example],
}

impl Report<'_> {
    fn table(&self) -> Table {
        let (clusters, resources) = self.closure.size();
        let title = format!(
            "{}, {}: {} suspicious (more than {} resources, or several of one namespace)",
            counted(clusters, "cluster"),
            counted(resources, "resource"),
            self.found.len(),
            self.arguments.most
        );
        let mut table = Table { title, ..Table::default() };
        table.columns = vec![
            Column::text("first member", "first_member"),
            Column::number("resources", "resources"),
            Column::text("too large", "too_large"),
            Column::text("several of one namespace", "several_of_one_namespace"),
        ];
        for (number, (suspicion, example)) in self.shown.iter().zip(self.examples).enumerate() {
            let repeated: Vec<String> =
                suspicion.repeated.iter().map(|(space, count)| format!("{count} of {space}")).collect();
            let large = if suspicion.is_large { "yes" } else { "no" };
            let first = example.members.first().cloned().unwrap_or_default();
            table.rows.push(vec![first, suspicion.size.to_string(), large.to_owned(), repeated.join(", ")]);
            let chain = example.chain.iter();
            let lines = chain.map(|found| linked::line(&found.link, &self.names[found.file]));
            table.notes.extend(lines.map(|line| format!("{}: {line}", number + 1)));
        }
        if self.found.len() > self.shown.len() {
            table.notes.push(format!("{} more; `--limit` shows them", self.found.len() - self.shown.len()));
        }
        table
    }

    fn json(&self) -> String {
        let cluster = |(suspicion, example): (&Suspicion, &Example)| {
            let repeated: Vec<Value> = (suspicion.repeated.iter())
                .map(|(space, count)| json!({ "namespace": space, "resources": count }))
                .collect();
            let chain: Vec<Value> = example.chain.iter().map(|link| step(link, self.files)).collect();
            json!({ "resources": suspicion.size, "tooLarge": suspicion.is_large, "repeated": repeated,
                "members": example.members, "chain": chain })
        };
        let shown: Vec<Value> = self.shown.iter().zip(self.examples).map(cluster).collect();
        let (clusters, resources) = self.closure.size();
        let report = json!({ "clusters": clusters, "resources": resources, "most": self.arguments.most,
            "suspicious": self.found.len(), "shown": shown });
        qassay::report::json::text(&report)
    }
}
