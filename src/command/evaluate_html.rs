//! `qassay evaluate --html FILE`: the report as one page.

use std::io::Write;
use std::path::Path;

use qassay::observe::Evaluation;
use qassay::report::{self, Card, DIGITS_FOR_PEOPLE, Report};
use qassay::{Error, Result};

/// An error where the page cannot be written, before the work.
pub(super) fn check(path: &Path) -> Result<()> {
    if !folder(path).is_dir() || path.is_dir() {
        return Err(Error::input(format!("cannot write the page {}", path.display()))
            .allowed("a file in a folder that exists"));
    }
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes the page. A file with this name is replaced at once, when the page is whole.
pub(super) fn write(path: &Path, evaluations: &[Evaluation<'_>]) -> Result<()> {
    let page = page(evaluations).html()?;
    let failed = |error: &std::io::Error| Error::io("write the page", path, error);
    let mut file = tempfile::NamedTempFile::new_in(folder(path)).map_err(|error| failed(&error))?;
    file.write_all(page.as_bytes()).map_err(|error| failed(&error))?;
    file.persist(path).map_err(|error| failed(&error.error))?;
    Ok(())
}

fn page(evaluations: &[Evaluation<'_>]) -> Report {
    let digits = Some(DIGITS_FOR_PEOPLE);
    let mut tables = vec![report::overview(evaluations, digits)];
    let title = tables[0].title.clone();
    "Results".clone_into(&mut tables[0].title);
    let [summary, questions] = report::differences_tables(report::one_gold(evaluations));
    if !questions.rows.is_empty() {
        tables.extend([summary, questions]);
    }
    tables.push(report::failed(evaluations, digits));
    tables.push(report::groups(evaluations, digits));
    tables.push(report::details(evaluations, None, digits));
    tables.push(report::issues(evaluations));
    Report { title, tables, cards: evaluations.iter().map(card).collect() }
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
    if let Some(language) = &evaluation.prepared.options.language {
        fact("language", language);
    }
    fact("profile", &format!("{}: {}", profile.name, profile.label));
    fact("what it does", &profile.definition);
    fact("its source", &profile.source);
    Card { name: format!("{} ({})", evaluation.submission.system, profile.name), facts }
}
