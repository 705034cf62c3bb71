//! `qassay.Archive`: SPARQL over an archive, in a process of its own, and what is published of it.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use qassay::base::error::Result;
use qassay::base::limits::ARCHIVE_QUERY_TIME;
use qassay::base::query::QueryFile;
use qassay::record::publication::agent::Agent;
use qassay::record::publication::licence::Licence;
use qassay::report::json;
use qassay::report::publication::publication_json;
use qassay::sparql::named_query::NamedQuery;
use qassay::sparql::written::ResultForm;
use qassay::workbench::publish::Package;
use qassay::workbench::publish_request::PublishRequest;
use qassay::workbench::query::{QueryPlace, QueryText};

use crate::given::Place;
use crate::running::run;

/// What a query finds in an archive: SPARQL results as JSON, or statements as N-Triples, and whether they are statements. The
/// query is a text, or the name of a canned one.
#[pyfunction]
#[pyo3(signature = (root, text, *, with_links=false, timeout=None, memory=None, listener=None))]
pub(crate) fn query(
    py: Python<'_>,
    root: PathBuf,
    text: &str,
    with_links: bool,
    timeout: Option<u64>,
    memory: Option<u64>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, bool)> {
    run(py, listener, None, |watcher| {
        let canned = QueryFile::canned(text).ok();
        let (name, text) = canned.map_or(("query", text), |file| (file.name, file.text));
        let gives_statements = NamedQuery::written(name, text)?.gives_statements();
        let form = if gives_statements { ResultForm::NTriples } else { ResultForm::Json };
        let asked = QueryText {
            name: name.to_owned(),
            text: text.to_owned(),
            form: Some(form),
            ..QueryText::default()
        };
        let seconds = timeout.unwrap_or(ARCHIVE_QUERY_TIME.as_secs());
        let place = QueryPlace {
            root,
            seconds,
            memory: memory.map(|megabytes| megabytes << 20),
            with_links,
            there: None,
        };
        Ok((place.ask(&asked, watcher)?, gives_statements))
    })
}

/// What is published, by whom: the options of `qassay publish`, by their names.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Publishing {
    creator: Vec<String>,
    publisher: Option<String>,
    licence: Option<String>,
    input_licence: Vec<(String, String)>,
    doi: Option<String>,
    title: Option<String>,
    date: Option<String>,
    bag: bool,
}

impl Publishing {
    fn request(self, words: Vec<String>) -> Result<PublishRequest> {
        let licence = |(input, licence): (String, String)| Ok((input, Licence::named(&licence)?));
        Ok(PublishRequest {
            words,
            creators: self.creator.iter().map(|who| Agent::parse(who, true)).collect::<Result<_>>()?,
            publisher: self.publisher.map(|who| Agent::parse(&who, false)).transpose()?,
            licence: self.licence.map(|licence| Licence::named(&licence)).transpose()?,
            input_licences: self.input_licence.into_iter().map(licence).collect::<Result<_>>()?,
            doi: self.doi,
            title: self.title,
            day: self.date,
            ..PublishRequest::default()
        })
    }
}

/// Publishes evaluations as a record: writes it, unless there is no place for it, and tells as JSON what it has.
#[pyfunction]
#[pyo3(signature = (words, to, options, place, *, listener=None))]
#[expect(clippy::needless_pass_by_value, reason = "as pyo3 gives them")]
pub(crate) fn publish(
    py: Python<'_>,
    words: Vec<String>,
    to: Option<String>,
    options: Publishing,
    place: Place,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    run(py, listener, None, |watcher| {
        let bench = place.bench()?;
        let as_bag = options.bag;
        let record = bench.ready_record(&options.request(words)?, watcher)?;
        let view = publication_json(&record.metadata, &record.files()?, record.is_known);
        watcher.check()?;
        if let Some(to) = to {
            bench.publish(record, Path::new(&to), Package::of(&to)?, as_bag)?;
        }
        Ok(json::text(&view))
    })
}

/// What an archive holds: the evaluations, as JSON.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "as pyo3 gives them")]
pub(crate) fn evaluations(py: Python<'_>, place: Place) -> PyResult<String> {
    run(py, None, None, |_| Ok(json::text(&place.bench()?.list(&["evaluation".to_owned()], true)?.1)))
}
