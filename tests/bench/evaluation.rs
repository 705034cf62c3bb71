//! What the program costs, as ratios of one run, in tables for `tests/bench/README.md`:
//!
//! ```sh
//! cargo bench --bench evaluation -- [--quick] [--million] [--only WORD] [--constraints ARCHIVE]
//! ```
//!
//! The program is run as users run it, in a process of its own, and compared with loading quads into an Oxigraph store, with
//! a Python script that does the least, and with `pytrec_eval`. `--quick` measures what takes minutes once instead of three
//! times; `--million` adds a million questions; `--only` prints the tables whose name has the word (sizes, files, rankings,
//! thousand, site, asking, comparison, coverage); `--constraints` prints how long each constraint takes on an archive. Linux only:
//! costs come from `/proc`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its tables")]
#![expect(clippy::cast_precision_loss, reason = "ratios of measured numbers")]

mod asking;
mod comparison;
mod constraints;
mod coverage;
mod generate;
mod load;
mod process;
mod rankings;
mod serving;
mod site;
mod sizes;
mod small;
mod thousand;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How thoroughly is measured.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// How often what takes seconds is run; what takes minutes, once if quick.
    turns: usize,
    /// Whether what takes minutes is run once.
    is_quick: bool,
    /// Whether a million questions are scored.
    million: bool,
}

impl Effort {
    /// How often something is run that takes minutes.
    fn long_turns(self) -> usize {
        if self.is_quick { 1 } else { self.turns }
    }
}

/// Prints one of the tables; the scratch folder is its own.
type PrintTable = fn(Effort, &Path) -> Result<(), Box<dyn Error>>;

const TABLES: [(&str, PrintTable); 9] = [
    ("sizes", sizes::print),
    ("files", small::print),
    ("rankings", rankings::print),
    ("thousand", thousand::print),
    ("site", site::print),
    ("serving", serving::print),
    ("asking", asking::print),
    ("comparison", comparison::print),
    ("coverage", coverage::print),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [command, mode, files @ ..] = &arguments[..]
        && command == load::COMMAND
    {
        println!("{}", load::child(mode, files)?);
        return Ok(());
    }
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let value = |option: &str| {
        let at = arguments.iter().position(|argument| argument == option)?;
        arguments.get(at + 1)
    };
    if let Some(archive) = value("--constraints") {
        return constraints::print(Path::new(archive));
    }
    let effort = Effort { turns: 3, is_quick: has("--quick"), million: has("--million") };
    let only = value("--only").map_or("", String::as_str);
    for (name, print) in TABLES.into_iter().filter(|(name, _)| name.contains(only)) {
        let scratch = tempfile::tempdir()?;
        println!("\n<!-- {name} -->");
        print(effort, scratch.path())?;
    }
    Ok(())
}

/// The program.
fn qassay() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qassay"));
    command.arg("--quiet");
    command
}

/// Where the files of others are.
fn mirror() -> PathBuf {
    let shared = std::env::var_os("QASSAY_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    shared.join("data/mirror")
}

/// Whether they are here; else says that they are not.
fn has_mirror() -> bool {
    let mirror = mirror();
    if !mirror.is_dir() {
        println!("MISSING: the files of the mirror, {}", mirror.display());
    }
    mirror.is_dir()
}

/// The file of others at a path where one `*` stands for one folder.
fn in_mirror(pattern: &str) -> Option<PathBuf> {
    let (before, after) = pattern.split_once("*/")?;
    let mut folders = fs::read_dir(mirror().join(before)).ok()?.flatten();
    folders.find_map(|folder| Some(folder.path().join(after)).filter(|path| path.is_file()))
}
