//! Tests that are files: each file of the mirror and each case of a file of fixtures is a test of its own.
//!
//! The names come from the files, so the tests have a harness of their own (`harness = false`).

#[expect(dead_code, reason = "the other binary uses more of it")]
#[path = "../common/mod.rs"]
mod common;
mod gerbil_fixtures;
mod mirror;

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// The tests of a folder `shared`, by the name of the file that makes them.
const TESTS: [(&str, fn(&Path) -> Vec<Trial>); 2] =
    [("gerbil_fixtures", gerbil_fixtures::trials), ("mirror", mirror::trials)];

fn main() -> ExitCode {
    let shared = common::find_shared();
    let trials = TESTS.iter().flat_map(|(name, trials)| match &shared {
        Some(shared) => trials(shared),
        None => vec![Trial::test(*name, || Ok(())).with_kind("no ../shared").with_ignored_flag(true)],
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
