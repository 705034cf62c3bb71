//! `qassay.evaluate`: what the command does, and what was computed stays at hand.

use std::num::NonZeroUsize;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::record::asking::KeptExchange;
use qassay::record::publish::graphs::write;
use qassay::record::publish::kinds::GraphKind;
use qassay::record::results::explanation::Explanation;
use qassay::record::results::{Detail, Results};
use qassay::report::explanation::{explanation, explanation_json};
use qassay::report::json;
use qassay::report::page::ShownEvaluations;
use qassay::report::table::Layout;
use qassay::scoring::groups::Grouping;
use qassay::site::notebook::notebook_cell;
use qassay::{Evaluation, Request};

use crate::failure::checked;
use crate::given::{Given, Place, Words, submissions};
use crate::running::run;

/// Evaluations that were computed here.
#[pyclass(frozen, module = "qassay._native")]
pub(crate) struct Evaluated {
    evaluations: Vec<Evaluation>,
    mint: Mint,
    shown: ShownEvaluations,
    again: Vec<(&'static str, String)>,
}

/// Scores answers against a gold standard.
#[pyfunction]
#[pyo3(signature = (gold, answers, systems, words, place, *, groups=false, threads=None, listener=None))]
#[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "as pyo3 gives them")]
pub(crate) fn evaluate(
    py: Python<'_>,
    gold: Given,
    answers: Vec<Given>,
    systems: Vec<Option<String>>,
    words: Words,
    place: Place,
    groups: bool,
    threads: Option<NonZeroUsize>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<Evaluated> {
    let grouping = if groups { Grouping::Kept } else { Grouping::Shown };
    run(py, listener, threads, |watcher| {
        let request = Request { grouping, ..words.request()? };
        let (gold, bench) = gold.place(place.bench()?)?;
        let (files, bench) = submissions(&answers, systems, bench)?;
        let evaluated = bench.evaluate(&request, &gold, &files, watcher)?;
        evaluated.kept?;
        let shown = ShownEvaluations::of(&evaluated.evaluations, Detail::Questions, true)?;
        watcher.check()?;
        let (evaluations, again) = (evaluated.evaluations, evaluated.again);
        Ok(Evaluated { evaluations, mint: bench.mint().clone(), shown, again })
    })
}

#[pymethods]
impl Evaluated {
    /// What is computed stays in its process: pickle asks for this.
    #[expect(clippy::unused_self, reason = "Python calls it as a method")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "results stay in the process that computed them: give others their `json`, or the rows of `to_pandas()`",
        ))
    }

    /// How many evaluations there are.
    fn __len__(&self) -> usize {
        self.evaluations.len()
    }

    /// The JSON of `qassay evaluate --format json`.
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| self.shown.json())
    }

    /// The table of `qassay evaluate`.
    fn table(&self, py: Python<'_>) -> PyResult<String> {
        checked(py, self.shown.overview().and_then(|table| table.render(Layout::Table)))
    }

    /// The page of `qassay evaluate --html`.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        checked(py, py.detach(|| self.shown.page().and_then(|page| page.html())))
    }

    /// The cell of a notebook.
    fn fragment(&self, py: Python<'_>) -> PyResult<String> {
        let cell = self.shown.overview().and_then(|table| notebook_cell(&table, &self.shown.results));
        checked(py, cell)
    }

    /// What gives the same without asking an endpoint again: names of options, and their words.
    fn again(&self) -> Vec<(&'static str, String)> {
        self.again.clone()
    }

    /// How a question was scored: for people, and as JSON.
    fn explain(
        &self,
        py: Python<'_>,
        number: usize,
        experiment: &str,
        question: &str,
        language: &str,
    ) -> PyResult<(String, String)> {
        let told = py.detach(|| {
            let (evaluation, results) = self.evaluation(number)?;
            let explained = Explanation::of(evaluation, results, experiment, question)?;
            let view = json::text(&explanation_json(&explained, &KeptExchange::default()));
            Ok((explanation(&explained, language), view))
        });
        checked(py, told)
    }

    /// The graphs of an evaluation that an archive keeps, as N-Quads.
    fn quads(&self, py: Python<'_>, number: usize) -> PyResult<Vec<u8>> {
        let written = py.detach(|| {
            let (evaluation, _) = self.evaluation(number)?;
            let mut out = Vec::new();
            for kind in GraphKind::of_execution(self.mint.model()) {
                write(&mut out, &self.mint, evaluation, *kind)
                    .map_err(|error| Error::system(format!("cannot write a graph: {error}")))?;
            }
            Ok(out)
        });
        checked(py, written)
    }
}

impl Evaluated {
    fn evaluation(&self, number: usize) -> Result<(&Evaluation, &Results)> {
        let both = self.evaluations.get(number).zip(self.shown.results.get(number));
        both.ok_or_else(|| Error::input(format!("there is no evaluation {number}")))
    }
}
