//! Tests that are files: each file of the mirror and each case of a file of fixtures is a test of its own.
//!
//! The names come from the files, so the tests have a harness of their own (`harness = false`).
//! `QASSAY_TABLES=FOLDER cargo test --test files` writes the tables anew into a folder.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

#[expect(dead_code, reason = "the other binary uses more of it")]
#[path = "../common/mod.rs"]
mod common;
mod convert;
mod gerbil_fixtures;
mod mirror;
mod self_evaluation;
mod systems_fixtures;
mod systems_transport;
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use table::Table;

/// The tables with a row a file.
const TABLES: [Table; 3] = [mirror::TABLE, convert::TABLE, self_evaluation::TABLE];

/// The tests of the folder `../shared`.
fn trials(shared: &Path) -> Vec<Trial> {
    let mut trials = gerbil_fixtures::trials(shared);
    trials.extend(systems_fixtures::trials(shared));
    trials.extend(systems_transport::trials(shared));
    trials.extend(mirror::trials(shared));
    trials.extend(TABLES.iter().flat_map(|table| table.trials(&shared.join("data/mirror"))));
    trials
}

/// What is ignored without that folder.
fn ignored() -> Vec<Trial> {
    let names = TABLES.map(|table| table.name).into_iter().chain(["gerbil_fixtures", "systems"]);
    let ignored = |name| Trial::test(name, || Ok(())).with_kind("no ../shared").with_ignored_flag(true);
    names.map(ignored).collect()
}

fn main() -> ExitCode {
    let shared = common::find_shared();
    if let (Some(shared), Some(folder)) = (&shared, std::env::var_os("QASSAY_TABLES").map(PathBuf::from)) {
        for table in &TABLES {
            table.write(&shared.join("data/mirror"), &folder);
        }
        return ExitCode::SUCCESS;
    }
    let trials = shared.as_deref().map_or_else(ignored, trials);
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
