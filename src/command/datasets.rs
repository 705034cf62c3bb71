//! `qassay datasets`: the catalogue of published files.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use qassay::base::error::{Error, Result};
use qassay::report::datasets::Listed;
use qassay::report::table::Layout;
use qassay::sources::catalogue::find::find;
use qassay::sources::catalogue::{Entry, entries, named};

use super::definitions::paragraphs;
use super::output::Output;
use super::words::ArchivePlace;

/// List the published files that qassay knows
#[derive(Debug, Args)]
pub(super) struct Datasets {
    /// The name of one file (also GERBIL's name, an IRI or a checksum), which is shown in full; or words: files whose
    /// names have all of them are listed
    #[arg(value_name = "FILTER")]
    filter: Vec<String>,
    /// Only questions about this knowledge graph (a part of its name: dbpedia, wikidata, …)
    #[arg(long, value_name = "KB")]
    kb: Option<String>,
    /// Only questions in this language
    #[arg(long, short, value_name = "TAG")]
    language: Option<String>,
    /// Only this format (a part of its name: JSON-2, XML, TREC, …)
    #[arg(long, value_name = "NAME")]
    format_name: Option<String>,
    /// Only this kind of file
    #[arg(long, short, value_enum)]
    kind: Option<FileKind>,
    /// Only what is in the archive
    #[arg(long)]
    fetched: bool,
    /// How to print the list; JSON has every field
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where fetched files are
    #[command(flatten)]
    archive: ArchivePlace,
}

/// What a file is
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FileKind {
    /// Questions, most with gold answers
    Dataset,
    /// Answers of a system
    Submission,
    /// Links between equal resources
    Links,
    /// A knowledge graph
    Kb,
}

impl FileKind {
    /// The name in the catalogue.
    fn name(self) -> &'static str {
        match self {
            Self::Dataset => "dataset",
            Self::Submission => "submission",
            Self::Links => "links",
            Self::Kb => "kb",
        }
    }
}

impl Datasets {
    /// Lists what fits, or shows the one that is named.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let root = &self.archive.archive;
        let listed = |entry| Listed { entry, fetched: named::place(root, entry) };
        let one = one(self)?;
        let chosen: Vec<Listed> = match one {
            Some(entry) => vec![listed(entry)],
            None => entries().iter().filter(|entry| fits(self, entry, root)).map(listed).collect(),
        };
        let text = match (self.format, one, chosen.as_slice()) {
            (_, None, []) => return Err(nothing(self)),
            (Layout::Json, ..) => {
                qassay::report::json::text(&qassay::report::datasets::datasets_json(&chosen))
            }
            (Layout::Table, Some(_), [one]) => paragraphs(&qassay::report::datasets::dataset(one)),
            (format, Some(_), [one]) => qassay::report::datasets::dataset(one).render(format)?,
            (format, ..) => qassay::report::datasets::datasets(&chosen).render(format)?,
        };
        output.result(&text)
    }
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
