//! The layout is a rule: imports run one way, no two files import each other, files are ideas, the map in
//! `src/README.md` is drawn from the imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The wings from the ground up: each imports only those before it.
const WINGS: &[&str] = &[
    "base",
    "measures",
    "statistics",
    "sparql",
    "sources",
    "kb",
    "profiles",
    "systems",
    "references",
    "scoring",
    "record",
    "report",
    "site",
    "workbench",
    "serve",
    "command",
];

/// The longest file, in lines with its tests.
const LONGEST: usize = 600;

/// A file that only one other imports is a part of that other, unless it is an idea of its own: this many lines.
const AN_IDEA: usize = 100;

/// A file of the crate, as the others see it.
struct Module {
    /// `sources::format::json::qald`; empty for `lib.rs` and `main.rs`.
    name: String,
    file: PathBuf,
    /// Without comments and tests.
    code: String,
    lines: usize,
}

fn src() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // A crate of its own.
        if path.join("Cargo.toml").is_file() {
            continue;
        }
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// All files below `src`; files that are tests from end to end are left out.
fn modules() -> Vec<Module> {
    let src = src();
    let texts = sources(&src).into_iter().map(|file| (std::fs::read_to_string(&file).unwrap(), file));
    let texts: Vec<(String, PathBuf)> = texts.collect();
    let is_test = |file: &Path| {
        let (folder, name) = (file.parent().unwrap(), file.file_stem().unwrap().to_string_lossy());
        let declared = format!("#[cfg(test)]\nmod {name};");
        let declared_inside = format!("#[cfg(test)]\npub(crate) mod {name};");
        let parents = [folder.join("mod.rs"), folder.with_extension("rs")];
        texts.iter().any(|(text, other)| {
            parents.contains(other) && (text.contains(&declared) || text.contains(&declared_inside))
        })
    };
    let module = |(text, file): &(String, PathBuf)| {
        let relative = file.strip_prefix(&src).unwrap().with_extension("");
        let parts: Vec<String> = relative
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .filter(|part| part != "mod")
            .collect();
        let name = parts.join("::");
        let name = if ["lib", "main"].contains(&name.as_str()) { String::new() } else { name };
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code =
            code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        Module { name, file: file.clone(), code, lines: text.lines().count() }
    };
    let skipped = ["build.rs", "query_table.rs"];
    texts
        .iter()
        .filter(|(_, file)| !is_test(file) && !skipped.iter().any(|name| file.ends_with(name)))
        .map(module)
        .collect()
}

/// The paths that a piece of code names behind `crate::` or, in the program, `qassay::`; groups are spelled out.
fn paths(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for root in ["crate::", "qassay::"] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':') {
                spell(&code[at + root.len()..], "", &mut found);
            }
        }
    }
    found
}

/// `a::{b, c::d}` as `a::b` and `a::c::d`. Returns what is behind it.
fn spell<'a>(text: &'a str, prefix: &str, found: &mut BTreeSet<String>) -> &'a str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.len());
    let path = format!("{prefix}{}", &text[..end]);
    let mut rest = &text[end..];
    let Some(group) = rest.strip_prefix('{').filter(|_| path.ends_with("::") || path.is_empty()) else {
        found.insert(path.trim_end_matches("::").to_owned());
        return rest;
    };
    rest = group.trim_start();
    while !rest.is_empty() && !rest.starts_with('}') {
        let behind = spell(rest, &path, found);
        // An alias, a comma.
        let next = behind.find(['{', '}', ',']).unwrap_or(behind.len());
        rest = behind[next..].trim_start_matches(',').trim_start();
        if behind.len() == rest.len() && next == 0 && !rest.starts_with('}') {
            break;
        }
    }
    rest.strip_prefix('}').unwrap_or(rest)
}

/// Which files each file imports, by their names.
fn imports(modules: &[Module]) -> BTreeMap<String, BTreeSet<String>> {
    let names: BTreeSet<&str> = modules.iter().map(|module| module.name.as_str()).collect();
    let file_of = |path: &str| -> Option<String> {
        let mut path = path;
        loop {
            if names.contains(path) {
                return Some(path.to_owned());
            }
            path = path.rsplit_once("::")?.0;
        }
    };
    let of = |module: &Module| {
        let found = paths(&module.code).iter().filter_map(|path| file_of(path)).collect::<BTreeSet<_>>();
        found.into_iter().filter(|name| *name != module.name && !name.is_empty()).collect()
    };
    modules
        .iter()
        .filter(|module| !module.name.is_empty())
        .map(|module| (module.name.clone(), of(module)))
        .collect()
}

fn wing(name: &str) -> &str {
    name.split("::").next().unwrap_or_default()
}

fn floor(name: &str) -> usize {
    let wing = wing(name);
    WINGS.iter().position(|known| *known == wing).unwrap_or_else(|| panic!("{wing} is no wing"))
}

#[test]
fn imports_run_one_way() {
    let imports = imports(&modules());
    let upwards: Vec<String> = imports
        .iter()
        .flat_map(|(from, to)| to.iter().map(move |to| (from, to)))
        .filter(|(from, to)| floor(to) > floor(from))
        .map(|(from, to)| format!("{from} imports {to}"))
        .collect();
    assert_eq!(upwards, [""; 0], "wings from the ground up: {}", WINGS.join(", "));
}

#[test]
fn no_two_files_import_each_other() {
    let imports = imports(&modules());
    let both = imports.iter().flat_map(|(a, to)| to.iter().map(move |b| (a, b)));
    let circles: Vec<String> = both
        .filter(|(a, b)| a < b && imports.get(*b).is_some_and(|back| back.contains(*a)))
        .map(|(a, b)| format!("{a} and {b}"))
        .collect();
    assert_eq!(circles, [""; 0]);
}

/// Every name has one path, that of the file which defines it: the imports of a file say what it needs.
#[test]
fn imports_name_the_file_that_defines() {
    // The program is a crate of its own, with words in one room.
    for module in modules().into_iter().filter(|module| wing(&module.name) != "command") {
        let relative = module.code.lines().find(|line| {
            let line = line.trim_start();
            line.starts_with("use super::")
                || line.starts_with("use self::")
                || line.starts_with("pub use crate::")
        });
        let is_facade = module.file.ends_with("src/lib.rs");
        assert!(
            is_facade || relative.is_none(),
            "{}: {}",
            module.file.display(),
            relative.unwrap_or_default()
        );
    }
}

/// Where texts have options of the command line: they are published so in graphs of issues; they are the words of a process.
const NAMES_OPTIONS: &[&str] = &["scoring::evaluation", "workbench::query", "workbench::run"];

/// What the library says names no option: the door puts in how it writes choices (`base::text::CHOICE`).
#[test]
fn messages_of_the_library_name_no_options() {
    let is_known = |name: &str| NAMES_OPTIONS.contains(&name);
    for module in
        modules().into_iter().filter(|module| wing(&module.name) != "command" && !is_known(&module.name))
    {
        let is_option = |(at, _): (usize, &str)| {
            let rest = &module.code[at + 3..];
            rest.starts_with(|next: char| next.is_ascii_lowercase())
        };
        let (quoted, begun) = (module.code.match_indices("`--"), module.code.match_indices("\"--"));
        let told = quoted.chain(begun).find(|found| is_option(*found));
        assert_eq!(told.map(|(at, _)| &module.code[at..at + 20]), None, "{}", module.file.display());
    }
}

#[test]
fn a_file_is_one_idea() {
    let modules = modules();
    let long: Vec<String> = modules
        .iter()
        .filter(|module| module.lines > LONGEST)
        .map(|module| format!("{} has {} lines", module.file.display(), module.lines))
        .collect();
    assert_eq!(long, [""; 0]);
    let imports = imports(&modules);
    let mut serves: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in &imports {
        for to in to {
            serves.entry(to).or_default().push(from);
        }
    }
    let is_room = |name: &str| modules.iter().any(|m| m.name.starts_with(&format!("{name}::")));
    let fragments: Vec<String> = modules
        .iter()
        .filter(|module| module.lines < AN_IDEA && !is_room(&module.name))
        .filter_map(|module| match serves.get(module.name.as_str()).map(Vec::as_slice) {
            Some([one]) => Some(format!("{} serves {one} only", module.name)),
            _ => None,
        })
        .collect();
    assert_eq!(fragments, [""; 0], "they are parts of whom they serve");
}

/// One name, one type: whoever reads a name knows which it is, wherever it stands.
#[test]
fn a_type_name_is_once() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for module in modules() {
        for line in module.code.lines() {
            let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
            let is_type =
                words.next().is_some_and(|word| ["struct", "enum", "trait", "type"].contains(&word));
            // A type of a trait stands within braces.
            let is_alias = line.trim_start().starts_with("type ") && line.starts_with(' ');
            if let Some(name) = words.next().filter(|_| is_type && !is_alias) {
                let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
                *seen.entry(name[..end].to_owned()).or_default() += 1;
            }
        }
    }
    let twice: Vec<&str> =
        seen.iter().filter(|(_, times)| **times > 1).map(|(name, _)| name.as_str()).collect();
    assert_eq!(twice, [""; 0]);
}

/// The map of `src/README.md`: a line a wing, highest first.
fn map() -> String {
    let modules = modules();
    let imports = imports(&modules);
    let mut map = String::from("| wing | hands on | imports |\n|---|---|---|\n");
    for name in WINGS.iter().rev() {
        let own: Vec<&Module> = modules.iter().filter(|module| wing(&module.name) == *name).collect();
        let room = own.iter().find(|module| module.name == *name).unwrap();
        let header = std::fs::read_to_string(&room.file).unwrap();
        let what = header.lines().next().unwrap_or_default().trim_start_matches("//!").trim().to_owned();
        let to: BTreeSet<usize> =
            own.iter().flat_map(|module| &imports[&module.name]).map(|name| floor(name)).collect();
        let to: Vec<&str> = to.iter().rev().map(|at| WINGS[*at]).filter(|other| other != name).collect();
        writeln!(map, "| `{name}` | {what} | {} |", to.join(", ")).unwrap();
    }
    map
}

/// `QASSAY_WRITE=1 cargo test the_map` draws it again.
#[test]
fn the_map_is_that_of_the_imports() {
    const BEGIN: &str = "<!-- map: drawn by the test the_map_is_that_of_the_imports -->\n";
    const END: &str = "<!-- end of map -->\n";
    let path = src().join("README.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the page has a map");
    let (drawn, after) = rest.split_once(END).expect("the map has an end");
    let map = map();
    if std::env::var_os("QASSAY_WRITE").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{map}{END}{after}")).unwrap();
    } else {
        assert_eq!(drawn, map, "QASSAY_WRITE=1 cargo test the_map draws it again");
    }
}
