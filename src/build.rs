//! Build script: makes the table of queries, tells release builds the git commit they are made from, where there is one and
//! nothing is changed, and tests what this machine has for them.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-changed=queries");
    table_of_queries()?;
    look_for_what_tests_need();
    name_the_commit();
    Ok(())
}

/// Every file of `queries/` by its name without `.rq`, in order: a slice of `QueryFile`.
fn table_of_queries() -> io::Result<()> {
    let folder = |variable: &str| env::var(variable).map(PathBuf::from).map_err(io::Error::other);
    let mut names = Vec::new();
    for kind in std::fs::read_dir(folder("CARGO_MANIFEST_DIR")?.join("queries"))? {
        let kind = kind?.path();
        if !kind.is_dir() {
            continue;
        }
        for query in std::fs::read_dir(&kind)? {
            let query = query?.path();
            if query.extension().is_some_and(|ending| ending == "rq") {
                let name = [&kind, &query].map(|path| path.file_stem().unwrap_or_default().to_string_lossy());
                names.push(name.join("/"));
            }
        }
    }
    names.sort_unstable();
    let row = |name: &String| {
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/queries/{name}.rq\")");
        format!("QueryFile {{ name: \"{name}\", text: include_str!({path}) }},\n")
    };
    let rows: String = names.iter().map(row).collect();
    std::fs::write(folder("OUT_DIR")?.join("queries.rs"), format!("&[\n{rows}]\n"))
}

/// What some tests need and not every machine has. They are ignored where it is missing: `#[cfg_attr(not(shared), ignore = "…")]`.
///
/// Cargo cannot wait for what is not there: `tests/it/house/ignored.rs` says it when something has come.
fn look_for_what_tests_need() {
    println!("cargo::rustc-check-cfg=cfg(shared, virtuoso, pyshacl)");
    println!("cargo::rerun-if-env-changed=QASSAY_SHARED");
    let shared = env::var_os("QASSAY_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    let mirror = shared.join("data/mirror");
    if mirror.is_dir() {
        println!("cargo::rerun-if-changed={}", mirror.display());
        println!("cargo::rustc-cfg=shared");
    }
    if ["virtuoso-t", "isql-vt"].into_iter().all(is_installed) {
        println!("cargo::rustc-cfg=virtuoso");
    }
    // Nobody who installs the program should see a Python start.
    if !is_release() && has_pyshacl() {
        println!("cargo::rustc-cfg=pyshacl");
    }
}

fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn has_pyshacl() -> bool {
    let question = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pyshacl') is None)";
    Command::new("python3").args(["-c", question]).status().is_ok_and(|status| status.success())
}

fn is_release() -> bool {
    env::var("PROFILE").is_ok_and(|profile| profile == "release")
}

/// Provenance names it (`qassay:gitCommit`). Debug builds do not ask, so that a commit does not rebuild them.
fn name_the_commit() {
    if !is_release() || !Path::new(".git").exists() {
        return;
    }
    for watched in
        [".git/HEAD", ".git/index", "Cargo.toml", "Cargo.lock", "src", "ontology", "queries", "datasets"]
    {
        println!("cargo::rerun-if-changed={watched}");
    }
    let changed =
        git(&["status", "--porcelain", "--", "src", "ontology", "queries", "datasets", "Cargo.lock"]);
    if changed.is_some_and(|files| files.is_empty())
        && let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"])
    {
        println!("cargo::rustc-env=QASSAY_GIT_COMMIT={commit}");
    }
}

/// What git prints; nothing where git or the history is missing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
