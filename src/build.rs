//! Build script: makes the table of queries, and tells release builds the git commit they are made from, where there is
//! one and nothing is changed.
//!
//! Provenance names the commit (`qassay:gitCommit`). Debug builds do not ask, so that a commit does not rebuild them.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-changed=queries");
    table_of_queries()?;
    tell_commit();
    Ok(())
}

/// Every file of `queries/` by its name without `.rq`, in order: a slice of `QueryFile`.
fn table_of_queries() -> io::Result<()> {
    let folder = |variable: &str| std::env::var(variable).map(PathBuf::from).map_err(io::Error::other);
    let mut names = Vec::new();
    for kind in std::fs::read_dir(folder("CARGO_MANIFEST_DIR")?.join("queries"))? {
        let kind = kind?.path();
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

fn tell_commit() {
    if std::env::var("PROFILE").is_ok_and(|profile| profile != "release") || !Path::new(".git").exists() {
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
