//! A query on an archive, in a process of its own: what is asked of it, and how much it may take.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr as _;

use oxigraph::model::{NamedNode, Term};
use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::base::watch::Watcher;
use crate::kb::remote::StoreAddress;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::written::ResultForm;
use crate::workbench::apart;

/// The verb of the process.
pub const WORKER: &str = "query-worker";

/// What a process is asked.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct QueryText {
    /// What the query is called.
    pub name: String,
    /// The query.
    pub text: String,
    /// The format of what is found; none: as it is printed for people.
    pub form: Option<ResultForm>,
    /// The most rows or statements; none: as many as a command may find.
    pub rows: Option<u64>,
    /// The most bytes of the result; none: no limit.
    pub bytes: Option<u64>,
    /// The graphs that are the default graph, and the named graphs, in place of those that the query names; without both, those
    /// of the query.
    pub graphs: [Vec<String>; 2],
    /// Columns that are given, and the term of each as N-Triples writes it.
    pub bindings: Vec<(String, String)>,
}

impl QueryText {
    fn bindings(&self) -> Result<Vec<(String, Term)>> {
        let term = |(name, written): &(String, String)| {
            let found = Term::from_str(written).ok().filter(|term| !term.is_blank_node());
            found.map(|term| (name.clone(), term)).ok_or_else(|| {
                Error::input(format!("`{}`, which ?{} is to be, is no term", text::name(written), text::name(name)))
                    .allowed("an IRI in `<>`, or a literal in quotation marks, with `@LANGUAGE` or `^^<DATATYPE>` where it has one")
            })
        };
        self.bindings.iter().map(term).collect()
    }

    /// The query as it is run.
    ///
    /// # Errors
    /// Where it is none, or a graph has no IRI.
    pub fn query(&self) -> Result<NamedQuery> {
        let query = NamedQuery::written(self.name.as_str(), &self.text)?.bound(&self.bindings()?)?;
        let [default, named] = &self.graphs;
        if default.is_empty() && named.is_empty() {
            return Ok(query);
        }
        let nodes = |names: &[String]| -> Result<Vec<NamedNode>> {
            let node = |name: &String| {
                NamedNode::new(name)
                    .map_err(|error| Error::input(format!("`{name}` is no name of a graph: {error}")))
            };
            names.iter().map(node).collect()
        };
        Ok(query.over(nodes(default)?, nodes(named)?))
    }
}

/// An archive that others ask, and how much each may take.
#[derive(Debug, Clone)]
pub struct QueryPlace {
    /// The archive.
    pub root: PathBuf,
    /// Seconds that a query may run.
    pub seconds: u64,
    /// Bytes of memory of its process; none: no limit.
    pub memory: Option<u64>,
    /// Whether the link sets are loaded too.
    pub with_links: bool,
    /// Which server finds it, in place of the embedded store.
    pub there: Option<StoreAddress>,
}

impl QueryPlace {
    /// Has a process of its own answer a query. It ends where the watcher no longer wants it.
    ///
    /// # Errors
    /// Where it fails, or takes more than it may.
    pub fn ask(&self, asked: &QueryText, watcher: &dyn Watcher) -> Result<String> {
        let mut words: Vec<OsString> = [WORKER, "--archive"].map(Into::into).into();
        words.push(self.root.clone().into());
        let memory = self.memory.map(|bytes| ("memory", (bytes >> 20).to_string()));
        let there = self.there.iter().flat_map(StoreAddress::options);
        let there = there.map(|(option, address)| (option, address.to_owned()));
        for (option, value) in [("timeout", self.seconds.to_string())].into_iter().chain(memory).chain(there)
        {
            words.extend([format!("--{option}").into(), value.into()]);
        }
        words.extend(self.with_links.then(|| "--with-links".into()));
        apart::ask(&words, asked, self.memory, watcher)
    }
}
