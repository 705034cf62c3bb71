//! The pages: what they show is what is printed.
//!
//! Every ```` ```console ```` block of a page is run, from top to bottom, in a folder like a fresh clone. Lines behind `$ `
//! are commands for `sh`, continued where they end with `\`; the lines below are what is printed, results and messages alike.
//! A command with nothing below it only has to succeed. `QASSAY_WRITE=1 cargo test page` writes into the pages
//! what is printed now. Blocks that fetch have a test of their own, which needs the mirror; the others run everywhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::pages::{assert_page, pages, project, text_of};
use crate::common::{files_below, mirror, search_path};
use qassay::profiles::Profile;
use qassay::sources::format::FORMATS;
use tempfile::TempDir;

/// Commands that pages show and that are not run here, by their beginning.
const NOT_RUN: &[&str] = &[
    // they build, or run what CI runs anyway
    "cargo test",
    "cargo nextest",
    "cargo bench",
    "cargo build",
    "cargo install",
    "cargo insta",
    "cargo +nightly",
    "rustup",
    ".ci/run",
    "tests/fuzz/run",
    "QASSAY_WRITE=1",
];

/// A folder like a fresh clone: what commands may write into is copied, the rest is linked.
fn clone() -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in ["ontology", "queries", "src", "tests", "Cargo.toml", ".ci"] {
        std::os::unix::fs::symlink(project().join(name), folder.path().join(name)).unwrap();
    }
    for file in files_below(&project().join("datasets")) {
        let copy = folder.path().join("datasets").join(&file);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(project().join("datasets").join(&file), copy).unwrap();
    }
    folder
}

/// The command as it is run: with the program that was built for this test, and without the network.
fn runnable(command: &str) -> Option<String> {
    if NOT_RUN.iter().any(|beginning| command.starts_with(beginning)) {
        return None;
    }
    let command = command.replace("cargo run --release --", "qassay");
    if !command.contains("qassay fetch") {
        return Some(command);
    }
    Some(command.replace("qassay fetch", &format!("qassay fetch --mirror '{}'", mirror().display())))
}

/// What a command prints, both streams in their order; it succeeds, unless an error is shown.
#[track_caller]
fn printed(command: &str, folder: &Path, shows_error: bool) -> String {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{{ {command}\n}} 2>&1")).current_dir(folder);
    shell.env("PATH", search_path(&[])).env("LC_ALL", "C");
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "QASSAY_SHARED"] {
        shell.env_remove(variable);
    }
    let output = shell.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() != shows_error, "`{command}`: {}\n{text}", output.status);
    text
}

/// A block that brings published files.
fn fetches(block: &[&str]) -> bool {
    block.iter().any(|line| line.contains("qassay fetch "))
}

/// The page with what the commands of some of its blocks print now.
#[track_caller]
fn run(path: &Path, is_run: impl Fn(&[&str]) -> bool) -> String {
    let folder = clone();
    let (text, mut now) = (text_of(path), String::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        now.extend([line, "\n"]);
        if line != "```console" {
            continue;
        }
        let mut block = Vec::new();
        block.extend(std::iter::from_fn(|| lines.next_if(|line| *line != "```")));
        if is_run(&block) {
            now += &run_block(&block, folder.path());
        } else {
            now.extend(block.iter().map(|line| format!("{line}\n")));
        }
    }
    now
}

fn run_block(lines: &[&str], folder: &Path) -> String {
    let (mut now, mut at) = (String::new(), 0);
    while at < lines.len() {
        let start = at;
        assert!(lines[at].starts_with("$ "), "`{}` is no command", lines[at]);
        while lines[at].ends_with('\\') {
            at += 1;
        }
        at += 1;
        let command = lines[start..at].join("\n");
        let shown = lines[at..].iter().take_while(|line| !line.starts_with("$ ")).count();
        let shown = &lines[at..at + shown];
        at += shown.len();
        now.extend([command.as_str(), "\n"]);
        let Some(command) = runnable(&command["$ ".len()..]) else {
            now.extend(shown.iter().map(|line| format!("{line}\n")));
            continue;
        };
        let printed = printed(&command, folder, shown.iter().any(|line| line.starts_with("error: ")));
        if !shown.is_empty() {
            now.extend(printed.trim_end().lines().map(|line| format!("{}\n", line.trim_end())));
        }
    }
    now
}

/// A test a page, so that they run side by side.
macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        const RUN: &[&str] = &[$($path),*];
        $(#[test] fn $name() { let page = Path::new($path); assert_page(page, &run(page, |block| !fetches(block))); })*
    };
}

pages! {
    page_readme: "README.md",
    page_ontology: "ontology/README.md",
    page_archive: "ontology/archive.md",
    page_queries: "queries/README.md",
    page_datasets: "datasets/README.md",
    page_knowledge_bases: "datasets/knowledge-bases.md",
    page_campaigns: "datasets/campaigns.md",
    page_example: "datasets/example/README.md",
    page_how_to_add: "src/README.md",
    page_command_reference: "src/command/README.md",
    page_output_for_scripts: "src/report/README.md",
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn page_blocks_that_fetch() {
    for page in RUN.iter().map(Path::new) {
        assert_page(page, &run(page, fetches));
    }
}

#[test]
fn every_page_with_a_console_is_run() {
    let shows = |page: &PathBuf| text_of(page).lines().any(|line| line == "```console");
    let forgotten: Vec<PathBuf> = pages()
        .into_iter()
        .filter(shows)
        .filter(|page| !RUN.iter().any(|run| Path::new(run) == page))
        .collect();
    assert_eq!(forgotten, [] as [PathBuf; 0], "name them in `pages!`");
}

#[test]
fn the_readme_is_short_and_shows_the_first_query() {
    let readme = text_of(Path::new("README.md"));
    assert!(readme.lines().count() <= 200, "{} lines", readme.lines().count());
    let query = text_of(Path::new("queries/match/identical.rq"));
    let query: Vec<&str> = query.lines().filter(|line| !line.starts_with('#')).collect();
    let query = query.join("\n");
    assert!(readme.contains(&format!("```sparql\n{query}\n```")), "{query}");
}

#[test]
fn every_format_is_told() {
    let page = text_of(Path::new("datasets/README.md"));
    let untold = FORMATS.iter().filter(|format| !page.contains(&format!("`{}`", format.name)));
    assert_eq!(untold.map(|format| format.name).collect::<Vec<_>>(), [] as [&str; 0]);
}

#[test]
fn every_profile_is_told() {
    let page = text_of(Path::new("ontology/README.md"));
    let readme = text_of(Path::new("README.md"));
    for profile in Profile::all() {
        let name = format!("`{}`", profile.name);
        assert!(page.contains(&name) && readme.contains(&name), "{name}");
    }
}

/// The commands below a command, by its help.
fn commands_of(command: &str, folder: &Path) -> Vec<String> {
    let help = printed(&format!("{command} --help"), folder, false);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| line.starts_with("  ")).filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(|name| format!("{command} {name}")).collect()
}

#[test]
fn the_reference_has_every_command() {
    let folder = TempDir::new().unwrap();
    let (mut commands, mut at) = (vec!["qassay".to_owned()], 0);
    while at < commands.len() {
        commands.extend(commands_of(&commands[at], folder.path()));
        at += 1;
    }
    assert!(commands.len() > 20, "{commands:?}");
    let page = text_of(Path::new("src/command/README.md"));
    let shown: BTreeSet<&str> =
        page.lines().filter_map(|line| line.strip_prefix("$ qassay help")).map(str::trim_start).collect();
    let names = commands.iter().map(|command| command["qassay".len()..].trim_start());
    assert_eq!(shown, names.collect());
}
