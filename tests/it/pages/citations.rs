//! What ontology, queries, code and pages cite is there: files of the project, the numbered statements of its pages, the
//! targets of links.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::pages::{files, pages, project, text_of};

/// How paths of the project begin.
const FOLDERS: &[&str] = &["ontology/", "queries/", "datasets/", "src/", "tests/", "specs/", ".ci/"];
/// The page with the numbered statements.
const STATEMENTS: &str = "ontology/gerbil.md";

/// The anchors of a page: those that it names, and those that its headings make on the web.
fn anchors(page: &str) -> BTreeSet<String> {
    let named = page.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let slug = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>()
    };
    named.chain(headings.map(slug)).collect()
}

/// The numbers that are named at the beginning of a text: `2.3, 2.4 and 2.5 (…)`.
fn numbers(text: &str) -> Vec<&str> {
    let words = text.split([' ', ',', '(', ')', ';', '`', '"', '\n']).filter(|word| !word.is_empty());
    let words =
        words.map(|word| word.trim_end_matches(['.', ':'])).filter(|word| !["and", "to"].contains(word));
    let is_number = |word: &&str| {
        let mut parts = word.split('.');
        let first = parts.next().unwrap_or_default();
        first.len() == 1
            && first.starts_with(|c: char| c.is_ascii_digit() || ('A'..='F').contains(&c))
            && parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    };
    words.take_while(is_number).collect()
}

/// The anchors that are named behind a path: `, statements 2.3 and 2.4`, `, graph/scores and graph/match`.
fn named_behind(rest: &str) -> Vec<String> {
    let Some(rest) = rest.trim_start_matches('`').strip_prefix(", ") else { return Vec::new() };
    let mut plain = String::new();
    let mut depth = 0;
    for c in rest.chars() {
        match c {
            '(' => depth += 1,
            ')' | ';' | ':' | '"' | '`' if depth == 0 => break,
            ')' => depth -= 1,
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let words =
        plain.split([' ', ',']).map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty());
    let fillers = [
        "statement",
        "statements",
        "section",
        "sections",
        "competency",
        "question",
        "questions",
        "and",
        "to",
    ];
    words.filter(|word| !fillers.contains(word)).map(str::to_owned).collect()
}

/// What is wrong with the paths, and the numbers of statements, that a text names.
fn unresolved(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for line in text.lines() {
        for folder in FOLDERS {
            for (at, _) in line.match_indices(folder) {
                let before = line[..at].chars().next_back();
                if before.is_some_and(|c| c.is_alphanumeric() || "/._-".contains(c)) {
                    continue;
                }
                let is_path = |c: &char| c.is_alphanumeric() || "/._-".contains(*c);
                let path: String = line[at..].chars().take_while(is_path).collect();
                let rest = &line[at + path.len()..];
                let path = path.trim_end_matches('.');
                // `queries/match/*.rq`, `tests/queries/GROUP/…`: a pattern, not a path
                if rest.starts_with(['*', '{', '<', '…', '$']) || path.split('/').any(is_placeholder) {
                    continue;
                }
                if !project().join(path).exists() {
                    wrong.push(format!("{path}: there is no such file"));
                    continue;
                }
                if Path::new(path).extension().is_some_and(|ending| ending == "md") {
                    let known = anchors(&text_of(Path::new(path)));
                    let named = named_behind(rest).into_iter().filter(|anchor| !known.contains(anchor));
                    wrong.extend(named.map(|anchor| format!("{path} has no {anchor}")));
                }
            }
        }
    }
    wrong
}

/// `NAME`, `TYPE.rq`: a word that stands for others.
fn is_placeholder(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default();
    stem.len() > 2 && stem != "README" && stem.bytes().all(|b| b.is_ascii_uppercase())
}

/// The statements that a text names without a page.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let words = ["statement ", "statements "];
    let places =
        words.into_iter().flat_map(|word| text.match_indices(word).map(move |(at, _)| at + word.len()));
    places.flat_map(|at| numbers(&text[at..])).filter(|number| number.contains('.'))
}

/// What is wrong in files, with the file.
fn wrong_in(paths: Vec<PathBuf>, find: impl Fn(&Path, &str) -> Vec<String>) -> Vec<String> {
    let wrong = paths.into_iter().flat_map(|path| {
        let found = find(&path, &text_of(&path));
        found.into_iter().map(move |what| format!("{}: {what}", path.display())).collect::<Vec<_>>()
    });
    wrong.collect()
}

#[test]
fn paths_and_statements_that_are_cited_are_there() {
    let known = anchors(&text_of(Path::new(STATEMENTS)));
    assert!(known.len() > 100, "the statements are not found");
    let find = |_: &Path, text: &str| {
        let unknown = statements(text).filter(|number| !known.contains(*number));
        unknown.map(|number| format!("{STATEMENTS} has no {number}")).chain(unresolved(text)).collect()
    };
    let wrong = wrong_in(files(&["ontology", "queries", "src"], &["ttl", "rq", "rs"]), find);
    assert_eq!(wrong, [] as [String; 0]);
}

/// Tests name files of the data beside the project too: there only comments are looked at.
#[test]
fn paths_that_tests_cite_are_there() {
    let find = |_: &Path, text: &str| {
        let is_comment = |line: &&str| ["//", "#"].iter().any(|mark| line.trim_start().starts_with(mark));
        unresolved(&text.lines().filter(is_comment).collect::<Vec<_>>().join("\n"))
    };
    let mut paths = files(&["tests"], &["rs", "py", "tsv"]);
    paths.retain(|path| !path.starts_with("tests/fuzz"));
    assert_eq!(wrong_in(paths, find), [] as [String; 0]);
}

#[test]
fn links_of_pages_lead_somewhere() {
    let find = |path: &Path, text: &str| {
        let folder = path.parent().expect("a page is in a folder");
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let inside = targets.filter(|target| !target.contains("://") && !target.contains(' '));
        let leads_nowhere = |target: &&str| {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let page = if file.is_empty() { path.to_path_buf() } else { folder.join(file) };
            let is_there = project().join(&page).exists();
            let is_named = || anchor.is_empty() || anchors(&text_of(&page)).contains(anchor);
            !is_there || !is_named()
        };
        inside.filter(leads_nowhere).map(|target| format!("]({target}) leads nowhere")).collect()
    };
    assert_eq!(wrong_in(pages(), find), [] as [String; 0]);
}
