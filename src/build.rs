//! Build script: tells release builds the git commit they are made from, where there is one and nothing is changed.
//!
//! Provenance names it (`qassay:gitCommit`). Debug builds do not ask, so that a commit does not rebuild them.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
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
