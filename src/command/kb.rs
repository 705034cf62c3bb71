//! `qassay kb`: knowledge bases in pinned versions.

use std::process::ExitCode;

use qassay::base::error::Result;
use qassay::kb::find::{Recorded, find_recorded, recorded};
use qassay::report::table::Format;
use qassay::sources::archive::Archive;

use super::{Output, kb_add, kb_answers, kb_refresh, kb_run};
use crate::cli::{Kb, KbAction, KbList, KbShow};

/// Runs the command.
pub(crate) fn run(arguments: &Kb, output: &Output) -> Result<ExitCode> {
    match &arguments.action {
        KbAction::Add(arguments) => kb_add::run(arguments, output),
        KbAction::List(arguments) => list(arguments, output),
        KbAction::Show(arguments) => show(arguments, output),
        KbAction::Refresh(arguments) => kb_refresh::run(arguments, output),
        KbAction::Run(arguments) => kb_run::run(arguments, output),
        KbAction::Answers(arguments) => kb_answers::answers(arguments, output),
        KbAction::Compare(arguments) => kb_answers::run_compare(arguments, output),
    }
}

fn list(arguments: &KbList, output: &Output) -> Result<ExitCode> {
    let all = recorded(&Archive::open(&arguments.archive.archive)?)?;
    let text = match arguments.format {
        Format::Json => {
            let all: Vec<serde_json::Value> =
                all.iter().map(qassay::report::knowledge_base::knowledge_base_json).collect();
            qassay::report::json::text(&serde_json::Value::from(all))
        }
        format => qassay::report::knowledge_base::knowledge_bases(&all).render(format)?,
    };
    output.result(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn show(arguments: &KbShow, output: &Output) -> Result<ExitCode> {
    let one = find_recorded(&Archive::open(&arguments.archive.archive)?, &arguments.wanted)?;
    print(&one, arguments.format, arguments.all, output)
}

/// Prints a knowledge base.
pub(super) fn print(one: &Recorded, format: Format, all: bool, output: &Output) -> Result<ExitCode> {
    let text = match format {
        Format::Json => qassay::report::json::text(&qassay::report::knowledge_base::knowledge_base_json(one)),
        format => {
            let tables = qassay::report::knowledge_base::knowledge_base(one, all);
            let texts = tables.iter().map(|table| table.render(format)).collect::<Result<Vec<_>>>()?;
            texts.join("\n")
        }
    };
    output.result(&text)?;
    Ok(ExitCode::SUCCESS)
}
