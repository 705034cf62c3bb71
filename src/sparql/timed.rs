//! A query that ends: with all that it finds, or with nothing at its time limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use oxigraph::model::{Triple, Variable};
use oxigraph::sparql::CancellationToken;
use spargebra::Query;

use crate::base::error::{Error, Result};
use crate::base::limits::ARCHIVE_QUERY_TERMS;
use crate::sparql::dataset::{Dataset as _, Solution};
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::Store;

/// Deep queries are evaluated by functions that call themselves.
const STACK_BYTES: usize = 256 << 20;

/// The memory that the stack of a query takes from what a process may use.
pub const STACK: u64 = STACK_BYTES as u64;

/// All that a query finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryResult {
    /// Of SELECT.
    Solutions {
        /// What is selected.
        variables: Vec<Variable>,
        /// A term or nothing for each variable, in the order of the query.
        rows: Vec<Solution>,
    },
    /// Of ASK.
    Boolean(bool),
    /// Of CONSTRUCT and DESCRIBE, each once, sorted.
    Statements(Vec<Triple>),
}

impl QueryResult {
    /// Whether nothing was found: no row, the answer no.
    pub fn is_nothing(&self) -> bool {
        match self {
            Self::Solutions { rows, .. } => rows.is_empty(),
            Self::Boolean(answer) => !answer,
            Self::Statements(statements) => statements.is_empty(),
        }
    }
}

/// How much a query may take.
#[derive(Debug, Clone, Copy)]
pub struct QueryBounds {
    /// The longest that it runs.
    pub time: Duration,
    /// The most rows or statements that it finds.
    pub rows: u64,
}

impl QueryBounds {
    /// As many rows as an archive can be asked for.
    pub fn time(time: Duration) -> Self {
        Self { time, rows: ARCHIVE_QUERY_TERMS }
    }
}

/// Runs a query of any form within bounds.
///
/// # Errors
/// Where it fails; where it is not at its end by then, which says nothing about the query.
pub fn run_within(store: &Store, query: &NamedQuery, bounds: QueryBounds) -> Result<QueryResult> {
    let QueryBounds { time: most, rows: most_rows } = bounds;
    let token = CancellationToken::new();
    let found = Arc::new(AtomicU64::new(0));
    let (tell, told) = channel();
    let (store, asked, counter) = (store.cancelled_by(token.clone()), query.clone(), Arc::clone(&found));
    // Not scoped: the evaluator looks at its token where it reads statements. What it cannot stop ends with the program.
    thread::Builder::new()
        .name("query".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || drop(tell.send(findings(&store, &asked, (most_rows, &counter)))))
        .map_err(|error| Error::system(format!("cannot start a thread: {error}")))?;
    match told.recv_timeout(most) {
        Ok(findings) => findings,
        Err(RecvTimeoutError::Disconnected) => Err(Error::system("the evaluator crashed")),
        Err(RecvTimeoutError::Timeout) => {
            token.cancel();
            let rows = found.load(Ordering::Relaxed);
            let came = match query.algebra() {
                Query::Select { .. } => format!(" (it had {rows} rows by then, which are not shown)"),
                _ => String::new(),
            };
            let seconds = most.as_secs_f64();
            let what = format!("the query was stopped after {seconds} s, a limit of qassay{came}");
            Err(Error::limit(what).in_file(query.name()).hint(
                "`⌥timeout SECONDS` gives it more; patterns that share no variable multiply each other; `qassay export` \
                 writes files that every SPARQL store reads",
            ))
        }
    }
}

fn findings(store: &Store, query: &NamedQuery, (most_rows, found): (u64, &AtomicU64)) -> Result<QueryResult> {
    match query.algebra() {
        Query::Ask { .. } => store.ask(query).map(QueryResult::Boolean),
        Query::Construct { .. } | Query::Describe { .. } => {
            let statements = store.construct(query)?;
            if statements.len() as u64 > most_rows {
                return Err(too_many("statements", most_rows, query));
            }
            Ok(QueryResult::Statements(statements))
        }
        Query::Select { .. } => {
            let solutions = store.solutions(query)?;
            let variables = solutions.variables().to_vec();
            let most = most_rows.min(ARCHIVE_QUERY_TERMS / variables.len().max(1) as u64);
            let row = |row: Result<oxigraph::sparql::QuerySolution, _>| {
                if found.fetch_add(1, Ordering::Relaxed) >= most {
                    return Err(too_many("rows", most, query));
                }
                row.map(|row| row.values().to_vec()).map_err(|error| query.failed(&error))
            };
            let rows = solutions.map(row).collect::<Result<_>>()?;
            Ok(QueryResult::Solutions { variables, rows })
        }
    }
}

fn too_many(what: &str, most: u64, query: &NamedQuery) -> Error {
    Error::limit(format!("the query finds more than {most} {what}, a limit of qassay"))
        .in_file(query.name())
        .hint("`LIMIT` and `OFFSET` take them in parts; aggregates count them")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, most: Duration) -> Result<QueryResult> {
        let store = Store::in_memory()?;
        store.load_turtle("@prefix : <http://e/> . :a :p 1, 2, 3 . :b :p 3 .", "http://e/g")?;
        run_within(&store, &NamedQuery::written("test", text)?, QueryBounds::time(most))
    }

    #[test]
    fn queries_of_all_forms_end() {
        let minute = Duration::from_secs(60);
        let QueryResult::Solutions { variables, rows } = run("SELECT ?s ?o { ?s ?p ?o }", minute).unwrap()
        else {
            panic!("no rows")
        };
        assert_eq!((variables.len(), rows.len()), (2, 4));
        assert_eq!(run("ASK { ?s ?p 4 }", minute).unwrap(), QueryResult::Boolean(false));
        let QueryResult::Statements(statements) = run("CONSTRUCT WHERE { ?s ?p 3 }", minute).unwrap() else {
            panic!("no statements")
        };
        assert_eq!(statements.len(), 2);
        assert!(
            run("SELECT * { SERVICE <http://e/> {} }", minute)
                .unwrap_err()
                .to_string()
                .contains("SERVICE is off")
        );
    }

    #[test]
    fn what_does_not_end_is_stopped_and_the_limit_is_ours() {
        let many = |n: usize| (0..n).map(|i| format!("?s{i} ?p{i} ?o{i} .")).collect::<Vec<_>>().concat();
        let moment = Duration::from_millis(300);
        for (text, shows_rows) in [
            (format!("SELECT * {{ {} }}", many(16)), true),
            (format!("SELECT (COUNT(*) AS ?n) {{ {} }}", many(16)), true),
            (format!("ASK {{ {} FILTER(?o0 + ?o9 = 99) }}", many(16)), false),
        ] {
            let told = run(&text, moment).unwrap_err().to_string();
            assert!(told.starts_with("test: the query was stopped after 0.3 s, a limit of qassay"), "{told}");
            assert_eq!(told.contains(" rows by then, which are not shown"), shows_rows, "{told}");
        }
    }
}
