//! `qassay.ask`: a Python function as a system. Its exchanges are kept and resumed as those with web services.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use qassay::base::error::{Error, Result};
use qassay::report::asking::AskedView;
use qassay::report::json;
use qassay::sources::failure_kind::FailureKind;
use qassay::systems::address::AddressPolicy;
use qassay::systems::choose::WantedQuestions;
use qassay::systems::description::{Manners, Protocol};
use qassay::systems::exchange::Responder;
use qassay::systems::failure::AskFailure;
use qassay::systems::reply::RawReply;
use qassay::systems::request::SystemRequest;
use qassay::systems::run::{LONGEST_WAIT, MOST_BYTES, Politeness};
use qassay::systems::times::time_of;
use qassay::workbench::ask::{AskRequest, Continuing};
use serde_json::Value;

use crate::given::{Given, Place};
use crate::running::run;

/// How is asked: the options of `qassay ask`, by their names.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asking {
    language: Vec<String>,
    limit: Option<usize>,
    questions: Vec<String>,
    parallel: NonZeroUsize,
    time_limit: Option<f64>,
    retries: Option<u32>,
    pause: Option<f64>,
    keep_going: bool,
    again: String,
}

impl Asking {
    fn politeness(&self, protocol: &Protocol) -> Result<Politeness> {
        let time = |name: &str, seconds: f64| {
            let wrong =
                || Error::input(format!("`{seconds}` is no time")).at(name).allowed("a number of seconds");
            time_of(seconds).ok_or_else(wrong)
        };
        let own = protocol.manners.clone();
        let manners = Manners {
            time_limit: self.time_limit.map_or(Ok(own.time_limit), |seconds| time("time_limit", seconds))?,
            retries: self.retries.unwrap_or(own.retries),
            pause: self.pause.map_or(Ok(own.pause), |seconds| time("pause", seconds))?,
            ..own
        };
        Ok(Politeness {
            manners,
            parallel: self.parallel,
            longest_wait: LONGEST_WAIT,
            most_bytes: MOST_BYTES,
            keeps_going: self.keep_going,
        })
    }

    fn again(&self) -> Result<Continuing> {
        Ok(match self.again.as_str() {
            "anew" => Continuing::Anew,
            "resume" => Continuing::Resume,
            "retry_failed" => Continuing::RetryFailed,
            "replay" => Continuing::Replay,
            "restart" => Continuing::Restart,
            other => {
                return Err(Error::input(format!("`{other}` says not what becomes of kept exchanges"))
                    .allowed("anew, resume, retry_failed, replay, restart"));
            }
        })
    }
}

/// A function of Python: question, language, id and the seconds that are left give a status of HTTP and a body.
#[derive(Debug)]
struct PythonFunction(Py<PyAny>);

impl Responder for PythonFunction {
    fn reply(&self, request: &SystemRequest, left: Duration) -> std::result::Result<RawReply, AskFailure> {
        let failed = |what: String| AskFailure::new(FailureKind::Protocol, what);
        let said: Value = serde_json::from_slice(&request.body).map_err(|error| failed(error.to_string()))?;
        let text = |name: &str| said.get(name).and_then(Value::as_str).unwrap_or_default();
        let called = Python::attach(|py| {
            let parts = (text("question"), text("language"), text("id"), left.as_secs_f64());
            let (status, body): (u16, PyBackedBytes) = self.0.bind(py).call1(parts)?.extract()?;
            Ok((status, body.to_vec()))
        });
        let (status, body) = called.map_err(|error: PyErr| failed(error.to_string()).stopping())?;
        let headers = vec![("Content-Type".to_owned(), "application/json".to_owned())];
        Ok(RawReply { status, headers, body })
    }
}

/// Asks a function all questions: the IRI of the submission, its file in the archive, and what came of it as JSON.
#[pyfunction]
#[pyo3(signature = (dataset, function, name, system, options, place, *, listener=None))]
#[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "as pyo3 gives them")]
pub(crate) fn ask(
    py: Python<'_>,
    dataset: Given,
    function: Py<PyAny>,
    name: &str,
    system: Option<String>,
    options: Asking,
    place: Place,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, PathBuf, String)> {
    run(py, listener, None, |watcher| {
        let (dataset, bench) = dataset.place(place.bench()?)?;
        let protocol = Protocol::named(Protocol::FUNCTION)?.clone();
        let request = AskRequest {
            dataset,
            address: format!("https://python.invalid/{name}"),
            system,
            protocol,
            settings: std::collections::BTreeMap::new(),
            wanted: WantedQuestions {
                languages: options.language.clone(),
                limit: options.limit,
                keys: options.questions.clone(),
            },
            policy: AddressPolicy::Any,
        };
        let polite = options.politeness(&request.protocol)?;
        let ready = bench.ready_to_ask(&request)?.answered_by(Arc::new(PythonFunction(function)));
        let asked = bench.ask(&ready, options.again()?, &polite, watcher)?;
        let view = AskedView::of(asked.whom(&ready), &asked.tally);
        Ok((asked.submission, asked.file, json::text(&view)))
    })
}
