//! `qassay.compare`: who is better, by how much, and whether it could be chance.

use std::num::NonZeroUsize;

use pyo3::prelude::*;
use qassay::Request;
use qassay::base::clock::now;
use qassay::base::error::{Error, Result};
use qassay::measures::fraction::Fraction;
use qassay::measures::metric::Metric;
use qassay::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use qassay::report::comparison::json::comparison;
use qassay::report::comparison::page::page;
use qassay::report::comparison::parts::ComparisonPart;
use qassay::report::json;
use qassay::report::table::Layout;
use qassay::scoring::groups::Grouping;
use qassay::statistics::table::PairedTest;
use qassay::workbench::compare::{CompareRequest, ComparedNow};
use qassay::workbench::request::GoldChoice;
use qassay::workbench::run_request::gold_of;

use crate::given::{Given, Place, Words, submissions};
use crate::running::run;

/// How evaluations are compared: the options of `qassay compare`, by their names.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    measure: Vec<String>,
    experiment: Vec<String>,
    profile: Vec<String>,
    gold_answers: Option<String>,
    baseline: Option<String>,
    test: String,
    alpha: String,
    answered_only: bool,
    cluster: Option<String>,
    groups: bool,
    seed: String,
}

impl Settings {
    fn settings(&self) -> Result<ComparisonSettings> {
        let test = PairedTest::ALL.into_iter().find(|test| test.name() == self.test);
        let units = [ClusterUnit::Question, ClusterUnit::Variant];
        let cluster = self.cluster.as_ref().map(|word| {
            let unit = units.into_iter().find(|unit| unit.name() == word);
            unit.ok_or_else(|| none_of("cluster", word, units.map(ClusterUnit::name)))
        });
        let alpha = Fraction::parse(&self.alpha);
        let alpha = alpha.filter(|share| *share < Fraction::one() && !share.is_zero());
        Ok(ComparisonSettings {
            measures: self.measure.iter().map(|name| Metric::wanted(name)).collect::<Result<_>>()?,
            experiments: self.experiment.clone(),
            groups: self.groups,
            test: test.ok_or_else(|| none_of("test", &self.test, PairedTest::ALL.map(PairedTest::name)))?,
            alpha: alpha.ok_or_else(|| none_of("alpha", &self.alpha, ["a number above 0, below 1"]))?,
            seed: self.seed.clone(),
            baseline: self.baseline.clone(),
            cluster: cluster.transpose()?,
            only_answered: self.answered_only,
            ..ComparisonSettings::default()
        })
    }
}

fn none_of<const N: usize>(option: &str, word: &str, allowed: [&str; N]) -> Error {
    Error::input(format!("`{word}` is no {option}")).at(option).allowed(allowed.join(", "))
}

/// Compares evaluations of an archive, or files that are scored first: the IRI of the comparison where it is kept, its JSON, its
/// page, its tables for people.
#[pyfunction]
#[pyo3(signature = (evaluations, files, settings, words, place, *, threads=None, listener=None))]
#[expect(clippy::too_many_arguments, clippy::needless_pass_by_value, reason = "as pyo3 gives them")]
pub(crate) fn compare(
    py: Python<'_>,
    evaluations: Vec<String>,
    files: Option<(Given, Vec<Given>, Vec<Option<String>>)>,
    settings: Settings,
    words: Words,
    place: Place,
    threads: Option<NonZeroUsize>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Option<String>, String, String, String)> {
    run(py, listener, threads, |watcher| {
        let (started, comparing) = (now()?, settings.settings()?);
        let mut bench = place.bench()?;
        let ComparedNow { comparison: compared, kept } = if let Some((gold, answers, systems)) = files {
            let request = Request { grouping: Grouping::Headline, ..words.request()? };
            let (gold, knows) = gold.place(bench)?;
            let (files, knows) = submissions(&answers, systems, knows)?;
            bench = knows;
            bench.compare_files(&request, (&gold, &files), &comparing, watcher)?
        } else {
            let gold = settings.gold_answers.as_deref();
            let request = CompareRequest {
                words: evaluations,
                only: None,
                profiles: settings.profile.clone(),
                gold: gold.map_or(Ok(GoldChoice::Both), |word| gold_of(Some(word)))?,
                settings: comparing,
            };
            let kept = bench.can_keep_comparisons(watcher);
            ComparedNow { comparison: bench.compare(&request)?, kept }
        };
        watcher.check()?;
        kept?;
        let iri = bench.keep_comparison(&compared, started)?;
        let view = json::text(&comparison(&compared, bench.mint()));
        let parts = [ComparisonPart::Matrix, ComparisonPart::Pairs];
        let tables = parts.into_iter().flat_map(|part| part.tables(&compared, Layout::Table));
        let texts: Vec<String> = tables.map(|table| table.render(Layout::Table)).collect::<Result<_>>()?;
        Ok((iri, view, page(&compared)?, texts.join("\n")))
    })
}
