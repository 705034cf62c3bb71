//! `qassay datasets`: the catalogue of published files.

use std::path::Path;
use std::process::ExitCode;

use qassay::base::error::{Error, Result};
use qassay::report::datasets::Listed;
use qassay::report::table::Format;
use qassay::sources::catalogue::find::find;
use qassay::sources::catalogue::{Entry, entries};

use super::lists::paragraphs;
use super::{Output, named};
use crate::cli::Datasets;

/// Lists what fits, or shows the one that is named.
pub(crate) fn run(arguments: &Datasets, output: &Output) -> Result<ExitCode> {
    let root = &arguments.archive.archive;
    let listed = |entry| Listed { entry, fetched: named::place(root, entry) };
    let one = one(arguments)?;
    let chosen: Vec<Listed> = match one {
        Some(entry) => vec![listed(entry)],
        None => entries().iter().filter(|entry| fits(arguments, entry, root)).map(listed).collect(),
    };
    let text = match (arguments.format, one, chosen.as_slice()) {
        (_, None, []) => return Err(nothing(arguments)),
        (Format::Json, ..) => qassay::report::json::text(&qassay::report::datasets::datasets_json(&chosen)),
        (Format::Table, Some(_), [one]) => paragraphs(&qassay::report::datasets::dataset(one)),
        (format, Some(_), [one]) => qassay::report::datasets::dataset(one).render(format)?,
        (format, ..) => qassay::report::datasets::datasets(&chosen).render(format)?,
    };
    output.result(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The entry that the only word names exactly.
fn one(arguments: &Datasets) -> Result<Option<&'static Entry>> {
    let [word] = arguments.filter.as_slice() else { return Ok(None) };
    match find(word) {
        Ok(entry) => Ok(Some(entry)),
        // A part of names lists what has it.
        Err(_) if entries().iter().any(|entry| has_word(entry, word)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn fits(arguments: &Datasets, entry: &Entry, root: &Path) -> bool {
    let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let wanted =
        |option: &Option<String>, text: &str| option.as_ref().is_none_or(|part| contains(text, part));
    let speaks = |tag: &String| {
        // `pt` means `pt-BR` too.
        let is = |language: &&str| {
            language.split('-').next().is_some_and(|main| main.eq_ignore_ascii_case(tag))
                || language.eq_ignore_ascii_case(tag)
        };
        entry.languages.iter().any(is)
    };
    arguments.filter.iter().all(|word| has_word(entry, word))
        && wanted(&arguments.kb, &format!("{} {}", entry.kb, entry.kb_version))
        && wanted(&arguments.format_name, entry.format)
        && arguments.language.as_ref().is_none_or(speaks)
        && arguments.kind.is_none_or(|kind| kind.name() == entry.kind.name())
        && (!arguments.fetched || named::place(root, entry).is_some())
}

/// Whether a word is part of what an entry is called.
fn has_word(entry: &Entry, word: &str) -> bool {
    let word = word.to_lowercase();
    let texts = [entry.name, entry.title, entry.family].into_iter().chain(entry.gerbil.iter().copied());
    texts.into_iter().any(|text| text.to_lowercase().contains(&word))
}

fn nothing(arguments: &Datasets) -> Error {
    let error = Error::input("no file of the catalogue fits");
    if arguments.fetched {
        return error
            .in_file(arguments.archive.archive.display().to_string())
            .hint("`qassay fetch NAME…` fetches files; `--archive DIR` names another archive");
    }
    error.hint("`qassay datasets` lists all files")
}
