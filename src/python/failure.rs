//! Errors of the library as exceptions of the package.

use pyo3::prelude::*;
use qassay::Error;
use qassay::base::error::ErrorKind;

/// The exception of an error: `qassay._errors` makes it.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let kind = match error.kind() {
        ErrorKind::Input => "input",
        ErrorKind::Check => "check",
        ErrorKind::System => "system",
        ErrorKind::Cancelled => "cancelled",
        ErrorKind::Limit => "limit",
    };
    let made = py.import("qassay._errors").and_then(|errors| {
        let parts =
            (kind, error.to_string(), error.file(), error.place(), error.would_accept(), error.advice());
        errors.getattr("made")?.call1(parts)
    });
    made.map_or_else(|failed| failed, PyErr::from_value)
}

/// What went well, or the exception.
pub(crate) fn checked<T>(py: Python<'_>, result: qassay::Result<T>) -> PyResult<T> {
    result.map_err(|error| exception(py, &error))
}
