//! `qassay.check`, `qassay.convert`, `qassay.datasets`: files by themselves.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use qassay::base::error::Error;
use qassay::report::datasets::{Listed, datasets_json};
use qassay::report::json;
use qassay::report::quality::{Quality, quality_quads, quality_text};
use qassay::sources::catalogue::{entries, named};
use qassay::sources::format::{Target, targets};
use serde_json::json;

use crate::given::{Given, Place};
use crate::running::run_apart;

/// What a file contains and what is wrong with it: for people, as JSON, as N-Quads.
#[pyfunction]
#[pyo3(signature = (file, encoding, place))]
pub(crate) fn check(
    py: Python<'_>,
    file: Given,
    encoding: Option<String>,
    place: Place,
) -> PyResult<(String, String, String)> {
    run_apart(py, move || {
        let (file, bench) = file.place(place.bench()?)?;
        let inspection = bench.inspect(&file, encoding.as_deref())?;
        let view = json::text(&json!({ "files": [Quality::of(&inspection)] }));
        let text = quality_text(&inspection)?;
        Ok((text, view, quality_quads(bench.mint(), &[inspection])?))
    })
}

/// A file in another format, and what that cannot hold.
#[pyfunction]
#[pyo3(signature = (file, to, encoding, queries_from, lossy, place))]
pub(crate) fn convert(
    py: Python<'_>,
    file: Given,
    to: String,
    encoding: Option<String>,
    queries_from: Option<PathBuf>,
    lossy: bool,
    place: Place,
) -> PyResult<(Bound<'_, PyBytes>, Vec<String>)> {
    let converted = run_apart(py, move || {
        let target = Target::named(&to).or_else(|| Target::of_ending(&to)).ok_or_else(|| {
            let names: Vec<&str> = targets().map(|target| target.name).collect();
            Error::input(format!("there is no format `{to}` to convert to")).allowed(names.join(", "))
        })?;
        let (file, bench) = file.place(place.bench()?)?;
        let done = bench.convert(&file, encoding.as_deref(), queries_from.as_deref(), target)?;
        if !lossy {
            let refused = done.converted.refuse_losses(target);
            refused.map_err(|error| error.in_file(done.source.name()))?;
        }
        Ok(done.converted)
    })?;
    Ok((PyBytes::new(py, &converted.bytes), converted.lost_kinds()))
}

/// The catalogue of published files, as JSON.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "as pyo3 gives them")]
pub(crate) fn datasets(archive: PathBuf) -> String {
    let listed = |entry| Listed { entry, fetched: named::place(&archive, entry) };
    let all: Vec<Listed> = entries().iter().map(listed).collect();
    json::text(&datasets_json(&all))
}
