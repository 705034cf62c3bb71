//! `--html FILE` of `evaluate` and `release`: the report as one page.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use qassay::base::error::{Error, Result};
use qassay::profiles::loaders::Loader;
use qassay::report::evaluations::DIGITS_FOR_PEOPLE;
use qassay::report::html::{Card, Report};
use qassay::report::table::Table;
use qassay::scoring::evaluation::Evaluation;

use super::Output;

/// What every page begins with.
const BEGINNING: &[u8] = b"<!DOCTYPE html>";

/// An error where the page cannot be written, or something else is there, before the work.
pub(super) fn check(path: Option<&Path>) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let refused = |what: &str| {
        let error = Error::input(format!("cannot write the page {}: {what}", path.display()));
        Err(error.allowed("a new file in a folder that exists, or an HTML page, which is replaced"))
    };
    if !folder(path).is_dir() {
        return refused("there is no such folder");
    }
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => refused("what is there is no file"),
        // An input, or somebody's work, must not be lost by a slip of the hand.
        Ok(_) if !is_page(path) => refused("the file that is there is no HTML page"),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn is_page(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(BEGINNING.len() as u64).read_to_end(&mut beginning));
    read.is_ok() && beginning.eq_ignore_ascii_case(BEGINNING)
}

/// A file that becomes the page when it is whole, with the permissions of any new file.
fn temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes the page. A file with this name is replaced at once, when the page is whole.
pub(super) fn write(path: &Path, page: &Report, output: &Output) -> Result<()> {
    let page = page.html()?;
    let failed = |error: &std::io::Error| Error::io("write the page", path, error);
    let mut file = temporary(folder(path)).map_err(|error| failed(&error))?;
    file.write_all(page.as_bytes()).map_err(|error| failed(&error))?;
    file.persist(path).map_err(|error| failed(&error.error))?;
    output.note(&format!("\nwritten to {}", path.display()));
    Ok(())
}

/// The page of some evaluations: their results first, then everything else that can be shown of them.
pub(super) fn page(mut results: Table, evaluations: &[Evaluation<'_>]) -> Report {
    let digits = Some(DIGITS_FOR_PEOPLE);
    let title = std::mem::replace(&mut results.title, "Results".to_owned());
    let mut tables = vec![results];
    let [summary, questions] =
        qassay::report::differences::differences_tables(qassay::report::json::one_gold(evaluations));
    if !questions.rows.is_empty() {
        tables.extend([summary, questions]);
    }
    tables.push(qassay::report::all_measures::all_measures(evaluations, digits));
    tables.push(qassay::report::failed::failed(evaluations, digits));
    tables.push(qassay::report::evaluations::groups(evaluations, digits));
    tables.push(qassay::report::evaluations::details(evaluations, None, digits));
    tables.push(qassay::report::evaluations::issues(evaluations));
    let experiments = evaluations.iter().flat_map(|evaluation| &evaluation.experiments);
    let groups = experiments.flat_map(|experiment| &experiment.groups);
    let measures = groups.flat_map(|group| &group.metrics).map(|(metric, _)| *metric).collect();
    Report { title, tables, cards: evaluations.iter().map(card).collect(), measures }
}

fn card(evaluation: &Evaluation<'_>) -> Card {
    let profile = evaluation.profile();
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |what: &str, value: &str| facts.push((what.to_owned(), value.to_owned()));
    fact("evaluation", &evaluation.iri);
    fact("dataset", &evaluation.dataset.iri);
    fact("gold file", evaluation.dataset.source.file_name());
    fact("its sha256", evaluation.dataset.source.sha256());
    fact("submission", &evaluation.submission.iri);
    fact("file of answers", evaluation.submission.source.file_name());
    fact("its sha256", evaluation.submission.source.sha256());
    for reference in evaluation.references() {
        fact(reference.kind.name(), &reference.iri);
        fact("its sha256", reference.source.sha256());
    }
    fact("gold answers", evaluation.asked.origin());
    for (what, kept) in evaluation.asked.kept() {
        fact(if what == "gold-answers" { "gold queries ran on" } else { "its queries ran on" }, &kept.name);
        fact("what was answered", &kept.iri);
    }
    if let Some(mode) = evaluation.prepared.same_as {
        fact("sameAs", mode.name());
    }
    let loading = evaluation.prepared.loading();
    if loading.loader != Loader::Plain {
        fact("loader", loading.loader.name());
    }
    if let Some(part) = loading.part {
        fact("part", part.name());
    }
    if let Some(language) = &evaluation.prepared.options.language {
        fact("language", language);
    }
    fact("profile", &format!("{}: {}", profile.name, profile.label));
    fact("what it does", &profile.definition);
    fact("its source", &profile.source);
    Card { name: format!("{} ({})", evaluation.submission.system, profile.name), facts }
}
