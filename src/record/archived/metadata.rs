//! What records and provenance answer to the queries that the program asks of them.
//!
//! An archive of thousands has thousands of records and of provenance graphs. What they answered is remembered, and holds
//! as long as the queries, the records and the provenance graphs are the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use oxigraph::model::{NamedNode, Term};
use oxigraph::sparql::{QueryEvaluationError, QuerySolution};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::query::QueryFile;
use crate::base::rdf::wanted::wanted_lines;
use crate::base::vocab::rdf;
use crate::sources::archive::Archive;
use crate::sources::archive::cache::GraphMark;
use crate::sources::archive::hashing::read_file;
use crate::sources::input::term;
use crate::sparql::dataset::Dataset as _;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::read::analyse;
use crate::sparql::store::Store;

/// The queries that are asked of records and provenance.
pub const ASKED: [&str; 15] = [
    "report/graphs",
    "report/executions",
    "report/files",
    "report/files-only",
    "report/blind",
    "store/blind-profiles",
    "store/comparisons",
    "store/contents",
    "store/contents-regions",
    "store/evaluations",
    "store/graph-contents",
    "store/names",
    "store/rights",
    "store/runs",
    "store/withheld",
];

/// The name under which answers are remembered.
pub const ANSWERS: &str = "metadata";

/// What came of a query: the texts of terms, empty where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextRows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows in the order of the query.
    pub rows: Vec<Vec<String>>,
}

/// What records and provenance say.
#[derive(Debug)]
pub enum Metadata {
    /// The statements.
    Loaded(Box<Store>),
    /// What they answered.
    Answered(BTreeMap<String, TextRows>),
}

/// Answers, and what they were given by.
#[derive(Clone, Serialize, Deserialize)]
struct KnownAnswers {
    /// The checksum of the queries and the records.
    of: String,
    /// The provenance graphs.
    graphs: Vec<GraphMark>,
    answers: BTreeMap<String, TextRows>,
}

impl Metadata {
    /// What an archive remembers, if it still holds.
    pub(crate) fn recall(archive: &Archive) -> Result<Option<Self>> {
        let Some(known) = archive.recall::<KnownAnswers>(ANSWERS) else { return Ok(None) };
        let is_complete = ASKED.iter().all(|name| known.answers.contains_key(*name));
        if !is_complete || known.of != checksum(archive)? {
            return Ok(None);
        }
        let Some(graphs) = archive.all_marked_again(&known.graphs) else { return Ok(None) };
        if graphs != known.graphs {
            archive.remember(ANSWERS, &KnownAnswers { graphs, ..known.clone() });
        }
        Ok(Some(Self::Answered(known.answers)))
    }

    /// Remembers all answers. `provenance` are the checksums of the graphs beside the records.
    pub(crate) fn remember<'a>(
        &self,
        archive: &Archive,
        provenance: impl Iterator<Item = &'a str>,
    ) -> Result<()> {
        let graphs: Option<Vec<GraphMark>> = provenance.map(|sha256| archive.mark(sha256)).collect();
        let Some(graphs) = graphs else { return Ok(()) };
        let answers = ASKED.iter().map(|name| Ok(((*name).to_owned(), self.rows(name)?.into_owned())));
        let answers = answers.collect::<Result<_>>()?;
        archive.remember(ANSWERS, &KnownAnswers { of: checksum(archive)?, graphs, answers });
        Ok(())
    }

    /// The queries that an archive would be believed to have answered otherwise than its records and graphs do.
    ///
    /// # Errors
    /// Where a record cannot be read.
    pub(crate) fn otherwise_answered(&self, archive: &Archive) -> Result<Vec<&'static str>> {
        let Some(known) = Self::recall(archive)? else { return Ok(Vec::new()) };
        let mut others = Vec::new();
        for name in ASKED {
            if *self.rows(name)? != *known.rows(name)? {
                others.push(name);
            }
        }
        Ok(others)
    }

    /// What a query of `queries/` finds, one of those that may be asked.
    ///
    /// # Errors
    /// Where it cannot be evaluated.
    pub fn rows(&self, query: &str) -> Result<Cow<'_, TextRows>> {
        match self {
            Self::Loaded(store) => ask(store, &NamedQuery::find(query)?).map(Cow::Owned),
            Self::Answered(answers) => answers.get(query).map(Cow::Borrowed).ok_or_else(|| {
                Error::system(format!("the query `{query}` is not among those that an archive is asked"))
            }),
        }
    }
}

fn ask(store: &Store, query: &NamedQuery) -> Result<TextRows> {
    let text =
        |cell: &Option<Term>| cell.as_ref().map_or_else(String::new, |cell| term::text(cell).into_owned());
    let solutions = store.solutions(query)?;
    let columns = solutions.variables().iter().map(|name| name.as_str().to_owned()).collect();
    let row = |row: Result<QuerySolution, QueryEvaluationError>| match row {
        Ok(row) => Ok(row.values().iter().map(text).collect()),
        Err(error) => Err(query.failed(&error)),
    };
    Ok(TextRows { columns, rows: solutions.map(row).collect::<Result<_>>()? })
}

/// The predicates that one of the queries looks at: most of a provenance graph are issues, which none of them does.
#[derive(Debug)]
pub(crate) struct LookedAt(BTreeSet<String>);

impl LookedAt {
    /// Reads the queries.
    pub(crate) fn new() -> Result<Self> {
        let mut all = BTreeSet::from([rdf::TYPE.to_owned()]);
        for name in ASKED {
            let query = QueryFile::find(name)?;
            let graph = analyse(query.text).map_err(|error| {
                Error::system(format!("the query cannot be read: {error}")).in_file(query.path())
            })?;
            all.extend(graph.properties.into_iter().map(NamedNode::into_string));
        }
        Ok(Self(all))
    }

    /// The statements of a graph with these predicates.
    pub(crate) fn lines<'g>(&self, graph: &'g [u8]) -> Cow<'g, [u8]> {
        wanted_lines(graph, &|_, predicate| self.0.contains(predicate))
    }
}

/// The checksum of the queries and of all records with their names.
fn checksum(archive: &Archive) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for name in ASKED {
        add(QueryFile::find(name)?.text.as_bytes());
    }
    let content =
        |path: &PathBuf| read_file(path).map_err(|error| Error::io("read the record", path, &error));
    for path in archive.records()? {
        let name = path.strip_prefix(archive.root()).unwrap_or(&path);
        add(name.to_string_lossy().as_bytes());
        add(&content(&path)?);
    }
    Ok(hex(&hasher.finalize()))
}
