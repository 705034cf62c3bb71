//! No test is forgotten: Cargo is told of two binaries, and each file of tests is a module of one of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::files_below;

/// The roots of the two binaries and of what they share, below `tests/`.
const ROOTS: [&str; 3] = ["it/main.rs", "files/main.rs", "common/mod.rs"];

/// Folders of other programs, with a README of their own.
const OTHERS: [&str; 2] = ["bench", "fuzz"];

/// A file and all that it names as modules: `mod name;` of its own, or in a block `mod folder { … }`.
fn reached(tests: &Path, file: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(tests.join(file)).expect("a module");
    let is_root = file.ends_with("main.rs") || file.ends_with("mod.rs");
    let folder = if is_root { file.parent().expect("a folder").to_owned() } else { file.with_extension("") };
    let (mut found, mut block, mut is_elsewhere) = (vec![file.to_owned()], "", false);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            block = name;
        } else if line == "}" {
            block = "";
        }
        let module = line.trim_start().trim_start_matches("pub(crate) ").strip_prefix("mod ");
        if let Some(name) = module.and_then(|rest| rest.strip_suffix(';')).filter(|_| !is_elsewhere) {
            let paths = [format!("{name}.rs"), format!("{name}/mod.rs")];
            let [flat, deep] = paths.map(|path| folder.join(block).join(path));
            found.extend(reached(tests, if tests.join(&flat).exists() { &flat } else { &deep }));
        }
        is_elsewhere = line.starts_with("#[path");
    }
    found
}

#[test]
fn every_file_is_a_module_of_a_test_binary() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut named: Vec<PathBuf> = ROOTS.iter().flat_map(|root| reached(&tests, Path::new(root))).collect();
    named.sort_unstable();
    let is_ours = |path: &PathBuf| !OTHERS.iter().any(|folder| path.starts_with(folder));
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    let files: Vec<PathBuf> = files_below(&tests).into_iter().filter(is_rust).filter(is_ours).collect();
    assert_eq!(files, named);
}
