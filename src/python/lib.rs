//! The Python module `qassay._native`: what the package `qassay` calls. It gives texts and plain values; the package makes
//! objects of them that people work with.

mod archive;
mod ask;
mod compare;
mod evaluate;
mod failure;
mod files;
mod given;
mod running;

use std::path::PathBuf;

use mimalloc::MiMalloc;
use pyo3::prelude::*;
use qassay::base::child::work_with;
use qassay::base::parallel::MOST_THREADS;
use qassay::base::text::write_choices;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Says where the program `qassay` is, whose processes answer queries.
#[pyfunction]
fn use_program(path: PathBuf) {
    work_with(path);
}

/// What the module `qassay._native` has.
#[pymodule]
mod _native {
    use super::{MOST_THREADS, PyModule, PyResult, write_choices};
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::archive::{evaluations, publish, query};
    #[pymodule_export]
    use super::ask::ask;
    #[pymodule_export]
    use super::compare::compare;
    #[pymodule_export]
    use super::evaluate::{Evaluated, evaluate};
    #[pymodule_export]
    use super::files::{check, convert, datasets};
    #[pymodule_export]
    use super::use_program;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // In Python, what users choose is a parameter.
        write_choices(|name| match name {
            "no-archive" => "archive=None".to_owned(),
            "gold" => "gold_answers".to_owned(),
            _ => name.replace('-', "_"),
        });
        module.add("MOST_THREADS", MOST_THREADS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
