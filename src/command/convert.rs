//! `qassay convert`: a file in another format, and what that format cannot hold: it is listed, and nothing is written
//! unless `--lossy` says so. What is written is read again and compared. RDF holds everything.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::sources::convert::{Converted, convert};
use qassay::sources::document::Document;
use qassay::sources::format::{Target, targets};
use qassay::workbench::files::Conversion;

use super::output::Output;
use super::words::ArchivePlace;

/// Convert a file to another format
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay convert qald-4.xml qald-4.json
  qassay convert gold.json gold.ttl
  qassay convert gold.json gold.csv --lossy
  qassay convert gold.json - --to n-quads | sort -c
  qassay convert qald-5-train-json mended.json --queries-from qald-5-train")]
pub(super) struct Convert {
    /// The file: a dataset or answers, in any format that can be read; or the name of a fetched one
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    input: PathBuf,
    /// The file to write, its ending says the format; `-` for standard output
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// The format, in place of the ending of OUT
    #[arg(long, value_name = "FORMAT", value_parser = target_names())]
    to: Option<String>,
    /// The encoding of IN, such as windows-1252 or gb18030 [default: as the file says, else UTF-8, else a guess]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Take the queries from this file, question by question: IN is a damaged copy of it
    #[arg(long, value_name = "SIBLING", value_hint = ValueHint::FilePath)]
    queries_from: Option<PathBuf>,
    /// Write also where the format cannot hold everything
    #[arg(long)]
    lossy: bool,
    /// Replace OUT where it exists
    #[arg(long)]
    force: bool,
    /// Where fetched files are
    #[command(flatten)]
    archive: ArchivePlace,
}

/// The names of the formats that can be written.
fn target_names() -> PossibleValuesParser {
    let targets = targets().map(|target| PossibleValue::new(target.name).help(target.description));
    let rdf = PossibleValue::new(ANY_RDF).help("RDF in the syntax that the ending of OUT says, else N-Quads");
    PossibleValuesParser::new(targets.chain([rdf]))
}

/// The name of all RDF syntaxes together: the ending of OUT says which.
const ANY_RDF: &str = "rdf";

impl Convert {
    /// Runs the command: exit code 2 where something would be lost, unless that is wanted.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let destination = Destination::new(&self.output, self.to.as_deref(), self.force)?;
        let target = destination.target;
        let (encoding, sibling) = (self.encoding.as_deref(), self.queries_from.as_deref());
        let done = self.archive.workbench().convert(&self.input, encoding, sibling, target)?;
        let Conversion { source, format, document, mended, converted } = done;
        if !self.lossy {
            converted.refuse_losses(target).map_err(|error| error.in_file(source.name()))?;
        }
        let name = destination.put(&converted.bytes, output)?;
        output.note(&format!("read {}: {}, {}", source.name(), format.name, contents(&document)));
        if let Some(mended) = mended {
            output.note(&mended);
        }
        destination.tell(&name, &converted, output);
        Ok(ExitCode::SUCCESS)
    }
}

/// Where a document is written to, and how.
pub(super) struct Destination {
    target: &'static Target,
    place: Option<PathBuf>,
}

impl Destination {
    /// Refuses before there is any work.
    pub(super) fn new(path: &Path, to: Option<&str>, force: bool) -> Result<Self> {
        Ok(Self { target: target(path, to)?, place: place(path, force)? })
    }

    /// Writes a document; says what the format cannot hold. `version` is the checksum that stands for it.
    pub(super) fn write(&self, document: &Document, version: &str, output: &Output) -> Result<()> {
        let converted = convert(document, version, self.target)?;
        let name = self.put(&converted.bytes, output)?;
        self.tell(&name, &converted, output);
        Ok(())
    }

    /// Writes bytes to the file, or to standard output; gives what that is called.
    fn put(&self, bytes: &[u8], output: &Output) -> Result<String> {
        let Some(path) = &self.place else {
            output.data(bytes)?;
            return Ok("standard output".to_owned());
        };
        write(path, bytes)?;
        Ok(path.display().to_string())
    }

    /// Says what was written, and what is not in it.
    fn tell(&self, name: &str, converted: &Converted, output: &Output) {
        output.note(&format!("wrote {name}: {}, {} bytes", self.target.name, converted.bytes.len()));
        let lost = converted.lost_kinds();
        if !lost.is_empty() {
            output.note_list("not in it:", &lost);
        }
    }
}

/// The target: by name, or by the ending of OUT.
fn target(output: &Path, to: Option<&str>) -> Result<&'static Target> {
    let ending = output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let of_ending = Target::of_ending(ending);
    match to {
        Some(ANY_RDF) => {
            let rdf = of_ending.filter(|target| target.is_exact).or_else(|| Target::named("n-quads"));
            rdf.ok_or_else(|| unknown(ending))
        }
        Some(name) => Target::named(name).ok_or_else(|| unknown(name)),
        None if is_standard_output(output) => {
            Err(Error::input("standard output has no ending that says the format")
                .hint("name it with `--to FORMAT`"))
        }
        None => of_ending.ok_or_else(|| unknown(ending).in_file(output.display().to_string())),
    }
}

fn unknown(ending: &str) -> Error {
    let endings: Vec<String> =
        targets().filter_map(|target| target.ending).map(|ending| format!(".{ending}")).collect();
    let what = if ending.is_empty() {
        "the name has no ending that says the format".to_owned()
    } else {
        format!("the ending `.{ending}` says no format")
    };
    Error::input(what).allowed(endings.join(" ")).hint("or name the format with `--to FORMAT`")
}

fn is_standard_output(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// Where to write: nothing for standard output. Refuses before there is any work.
fn place(output: &Path, force: bool) -> Result<Option<PathBuf>> {
    if is_standard_output(output) {
        return Ok(None);
    }
    let path = output.to_path_buf();
    let name = path.display().to_string();
    if path.is_dir() {
        return Err(Error::input("this is a directory, not a file")
            .in_file(name)
            .hint("name the file to write in it"));
    }
    if path.symlink_metadata().is_ok() && !force {
        return Err(Error::input("the file exists already").in_file(name).hint("`--force` replaces it"));
    }
    Ok(Some(path))
}

/// What was read, in numbers.
fn contents(document: &Document) -> String {
    let sets = || document.questions.iter().flat_map(|question| &question.answers.sets);
    let rows: usize = sets().map(|set| set.rows.len() + usize::from(set.boolean.is_some())).sum();
    let issues = match document.issues.len() {
        0 => "no issues".to_owned(),
        count => format!("{} while reading (`qassay check` lists them and more)", counted(count, "issue")),
    };
    [counted(document.questions.len(), "question"), counted(rows, "answer row"), issues].join(", ")
}

/// Writes a file so that it is whole or not there at all.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |error: &std::io::Error| Error::io("write the file", path, error);
    // a pipe or a device cannot be replaced
    if path.exists() && !path.is_file() {
        return fs::write(path, bytes).map_err(|error| failed(&error));
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = OpenOptions::new().write(true).create_new(true).open(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    written.map_err(|error| {
        // best effort: the error is what matters
        drop(fs::remove_file(&temporary));
        failed(&error)
    })
}
