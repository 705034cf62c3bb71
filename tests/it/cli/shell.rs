//! What a shell is told: the help of every verb on one screen, what it completes, and the pages of the manual.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::common::{Ran, qassay};

/// The most lines of `-h` and `--help`.
const MOST_LINES: usize = 50;
/// The most characters of a line, where the output is no terminal.
const MOST_COLUMNS: usize = 100;

/// Verbs that the program starts itself, and nobody types.
const WORKERS: [&str; 3] = ["kb-worker", "query-worker", "run-worker"];

/// The program, or a verb of it.
struct Verb {
    /// The words behind `qassay`.
    words: Vec<String>,
    /// What `-h` says of it.
    help: String,
}

impl Verb {
    fn of(words: Vec<String>) -> Self {
        let help = qassay(Path::new("."), words.iter().map(String::as_str).chain(["-h"])).ok();
        Self { words, help }
    }

    /// The names of those below it.
    fn below(&self) -> Vec<&str> {
        let listed = self.help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let listed = listed.take_while(|line| line.starts_with("  "));
        // What stands further right goes on with what a verb does.
        let listed = listed.filter(|line| !line.starts_with("   "));
        let names = listed.filter_map(|line| line.split_whitespace().next());
        names.filter(|name| *name != "help").collect()
    }

    /// The name of its page.
    fn page(&self) -> String {
        let words: Vec<&str> = ["qassay"].into_iter().chain(self.words.iter().map(String::as_str)).collect();
        words.join("-")
    }
}

/// The program and all verbs below it.
fn verbs() -> Vec<Verb> {
    let (mut verbs, mut at) = (vec![Verb::of(Vec::new())], 0);
    while let Some(verb) = verbs.get(at) {
        let words = |name: &str| [verb.words.as_slice(), &[name.to_owned()]].concat();
        let below: Vec<Verb> = verb.below().into_iter().map(words).map(Verb::of).collect();
        verbs.extend(below);
        at += 1;
    }
    assert!(verbs.len() > 40, "there are only {}", verbs.len());
    verbs
}

#[test]
fn the_program_helps_on_one_screen() {
    // Its options are written by hand.
    let [short, long, verb] = ["-h", "--help", "help"].map(|word| qassay(Path::new("."), [word]).ok());
    assert_eq!((&short, &short), (&long, &verb));
    assert!(short.lines().count() <= MOST_LINES, "{short}");
}

#[test]
fn every_verb_helps_on_one_screen() {
    for verb in verbs() {
        let lines = verb.help.lines().count();
        let long = qassay(Path::new("."), verb.words.iter().map(String::as_str).chain(["--help"])).ok();
        assert_eq!(long, verb.help);
        let columns = verb.help.lines().map(|line| line.chars().count()).max().unwrap_or_default();
        assert!(
            lines <= MOST_LINES && columns <= MOST_COLUMNS,
            "{} -h has {lines} lines of at most {columns} characters\n{}",
            verb.page(),
            verb.help
        );
    }
}

/// Sources what it is given and calls the function that it names for `qassay`, as bash does when somebody presses the tabulator.
const COMPLETE: &str = r#"
source "$1" || exit 2
shift
[[ $(complete -p qassay) == *" -F _qassay "* ]] || exit 3
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMP_LINE="$*"
COMP_POINT=${#COMP_LINE}
_qassay "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

#[test]
#[cfg_attr(not(bash), ignore = "no bash")]
fn what_bash_completes() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("script"), qassay(folder.path(), ["completions", "bash"]).ok()).unwrap();
    let completed = |words: &[&str]| -> Vec<String> {
        let mut bash = Command::new("bash");
        bash.current_dir(folder.path()).env_remove("BASH_ENV");
        bash.args(["--norc", "--noprofile", "-c", COMPLETE, "bash", "./script", "qassay"]);
        let ran = Ran::of(bash.args(words));
        assert_eq!(ran.stderr, "", "{words:?}");
        ran.ok().lines().map(str::to_owned).collect()
    };
    assert_eq!(completed(&["eval"]), ["evaluate"]);
    assert_eq!(completed(&["kb", "re"]), ["refresh"]);
    assert_eq!(completed(&["evaluate", "--prof"]), ["--profile"]);
    // Also what only `qassay help evaluate` shows.
    assert_eq!(completed(&["evaluate", "--max-r"]), ["--max-rows"]);
    assert_eq!(completed(&["evaluate", "--format", ""]), ["table", "json", "csv", "markdown", "latex"]);
    assert_eq!(completed(&["evaluate", "gold.json", "answers.json", "--gold", "ref"]), ["refreshed"]);
    assert_eq!(completed(&["query-w"]), [""]);
}

/// How a script for a shell names a verb.
fn named(verb: &str, shell: &str) -> String {
    match shell {
        "bash" => format!("qassay,{verb})"),
        "elvish" => format!("cand {verb} '"),
        "fish" => format!("-a \"{verb}\""),
        "powershell" => format!("new('{verb}',"),
        "zsh" => format!("'{verb}:"),
        _ => panic!("how does a script for {shell} name a verb?"),
    }
}

#[test]
fn shells_have_completions() {
    let folder = Path::new(".");
    let help = qassay(folder, ["help", "completions"]).ok();
    let (_, shells) = help.split_once("[possible values: ").expect("the shells");
    let (shells, _) = shells.split_once(']').expect("their end");
    let program = Verb::of(Vec::new());
    for shell in shells.split(", ") {
        let script = qassay(folder, ["completions", shell]).ok();
        assert!(!script.is_empty(), "{shell}");
        for verb in program.below() {
            assert!(script.contains(&named(verb, shell)), "the script for {shell} lacks {verb}");
        }
        for worker in WORKERS {
            assert!(!script.contains(worker), "the script for {shell} has {worker}");
        }
    }
}

/// Writes all pages of the manual.
fn manual() -> TempDir {
    let folder = TempDir::new().unwrap();
    qassay(folder.path(), ["man", "--to", "."]).ok();
    folder
}

#[test]
fn every_verb_has_a_page_of_the_manual() {
    let folder = manual();
    let verbs = verbs();
    let written = fs::read_dir(folder.path()).unwrap();
    let written: BTreeSet<String> =
        written.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(written, verbs.iter().map(|verb| format!("{}.1", verb.page())).collect());
    for verb in verbs {
        let name = verb.page();
        let page = fs::read_to_string(folder.path().join(format!("{name}.1"))).unwrap();
        // Which apostrophe it is, says the preamble.
        let mut lines = page.lines().skip_while(|line| line.starts_with(".ie ") || line.starts_with(".el "));
        let title = lines.next().unwrap_or_default();
        assert!(title.starts_with(&format!(".TH {name} 1 ")), "{name}: {title}");
        let sections: Vec<&str> = lines.filter_map(|line| line.strip_prefix(".SH ")).collect();
        assert!(
            sections.starts_with(&["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"]),
            "{name}: {sections:?}"
        );
        let both = page.lines().zip(page.lines().skip(1));
        let bare = both.filter(|(option, text)| option.starts_with("\\fB\\-") && text.is_empty());
        assert_eq!(bare.count(), 0, "options without a text: {page}");
        assert!(!WORKERS.into_iter().any(|worker| page.contains(&worker.replace('-', "\\-"))), "{name}");
        let printed = qassay(folder.path(), ["man"].into_iter().chain(verb.words.iter().map(String::as_str)));
        assert_eq!(printed.ok(), page, "{name}");
    }
}

#[test]
#[cfg_attr(not(man), ignore = "no man (apt-get install man-db)")]
fn man_shows_every_page_without_a_warning() {
    let folder = manual();
    for verb in verbs() {
        let page = format!("./{}.1", verb.page());
        let mut man = Command::new("man");
        man.current_dir(folder.path()).env("LC_ALL", "C").env("MANWIDTH", "80");
        let ran = Ran::of(man.args(["--warnings", "-l", "-Tutf8", &page]));
        assert_eq!(ran.stderr, "", "{page}");
        assert!(ran.ok().contains(verb.words.last().map_or("qassay", String::as_str)), "{page}");
    }
}
