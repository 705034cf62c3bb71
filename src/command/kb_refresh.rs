//! `qassay kb refresh`: what the gold queries of a dataset give on a knowledge base.

use std::process::ExitCode;

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::report::table::Format;
use qassay::scoring::asked::refreshed::RefreshedGold;
use qassay::sources::archive::Archive;
use qassay::sources::input::DatasetInput;

use super::asker::NamedAsker;
use super::keep::Keeper;
use super::{Output, named};
use crate::cli::Refresh;

/// Runs the command.
pub(crate) fn run(arguments: &Refresh, output: &Output) -> Result<ExitCode> {
    let mint = Mint::default();
    let root = &arguments.archive.archive;
    let asker = NamedAsker::open(&arguments.kb, root, &arguments.limiting)?;
    let dataset = DatasetInput::open(named::open(&arguments.dataset, root, None)?, &mint)?;
    let archive = Archive::create(root)?;
    let gold = refreshed(&mint, &dataset, &asker, output)?;
    let keeper = Keeper::new(&archive, &mint);
    keeper.dataset(&dataset)?;
    keeper.refreshed(&dataset, &gold, &asker.asking()?)?;
    print(arguments, &dataset, &gold, &asker.label(), output)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the gold queries.
pub(super) fn refreshed(
    mint: &Mint,
    dataset: &DatasetInput,
    asker: &NamedAsker,
    output: &Output,
) -> Result<RefreshedGold> {
    if dataset.document.questions.iter().all(|question| question.queries.is_empty()) {
        return Err(Error::input("the dataset has no gold queries that could be run")
            .in_file(dataset.source.name())
            .hint("`qassay convert IN OUT --queries-from FILE` takes them from a sibling file"));
    }
    let progress = output.progress(dataset.document.questions.len(), "asking");
    let gold = RefreshedGold::ask(mint, dataset, asker.asker(), || asker.oracle(mint), asker.jobs(), &|_| {
        progress.inc(1);
    });
    progress.finish_and_clear();
    gold
}

fn print(
    arguments: &Refresh,
    dataset: &DatasetInput,
    gold: &RefreshedGold,
    kb: &str,
    output: &Output,
) -> Result<()> {
    if arguments.format == Format::Json {
        return output.result(&qassay::report::json::text(&qassay::report::gold::refresh_json(
            &dataset.document,
            gold,
        )));
    }
    let questions = qassay::report::gold::refresh_questions(&dataset.document, gold, arguments.details);
    // CSV is one table.
    if arguments.format == Format::Csv {
        return output.result(&questions.render(arguments.format)?);
    }
    let title = format!("{} on {kb}", dataset.slug);
    let mut text = qassay::report::gold::refresh_summary(&title, gold).render(arguments.format)?;
    if !questions.rows.is_empty() {
        text = format!("{text}\n{}", questions.render(arguments.format)?);
    }
    output.result(&text)
}
