//! `qassay kb run`: what the queries of a submission give on a knowledge base.

use std::process::ExitCode;

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::kb::outcome::Outcome;
use qassay::profiles::answers_from::AnswersFrom;
use qassay::report::table::Format;
use qassay::scoring::asked::executed::ExecutedAnswers;
use qassay::sources::archive::Archive;
use qassay::sources::input::SubmissionInput;

use super::asker::NamedAsker;
use super::convert::Destination;
use super::keep::Keeper;
use super::{Output, named};
use crate::cli::Run;

/// Runs the command.
pub(crate) fn run(arguments: &Run, output: &Output) -> Result<ExitCode> {
    let mint = Mint::default();
    let root = &arguments.archive.archive;
    let destination = arguments.output.as_deref();
    let destination = destination
        .map(|path| Destination::new(path, arguments.to.as_deref(), arguments.force))
        .transpose()?;
    let asker = NamedAsker::open(&arguments.kb, root, &arguments.limiting)?;
    let submission = SubmissionInput::open(named::open(&arguments.answers, root, None)?, None, &mint)?;
    let archive = Archive::create(root)?;
    let Some(executed) = executed(&mint, &submission, AnswersFrom::Given, &asker, output)? else {
        return Err(Error::input("there is no query to run: every question has answers, or no query")
            .in_file(submission.source.name()));
    };
    let keeper = Keeper::new(&archive, &mint);
    keeper.submission(&submission)?;
    keeper.executed(&submission, &executed, &asker.asking()?)?;
    if let Some(destination) = destination {
        destination.write(&executed.document, executed.kept.source.sha256(), output)?;
    }
    let text = match arguments.format {
        Format::Json => qassay::report::json::text(&qassay::report::gold::executed_json(&executed)),
        format => qassay::report::gold::executed_table(&submission.system, &asker.label(), &executed)
            .render(format)?,
    };
    output.result(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the queries; nothing where there is none to run.
pub(super) fn executed(
    mint: &Mint,
    submission: &SubmissionInput,
    from: AnswersFrom,
    asker: &NamedAsker,
    output: &Output,
) -> Result<Option<ExecutedAnswers>> {
    let progress = output.progress(submission.document.questions.len(), "asking");
    let (oracle, done) = (|| asker.oracle(mint), |_: &Outcome| progress.inc(1));
    let executed = ExecutedAnswers::ask(mint, submission, from, asker.asker(), oracle, asker.jobs(), &done);
    progress.finish_and_clear();
    executed
}
