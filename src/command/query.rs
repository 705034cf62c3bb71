//! `qassay query`: SPARQL over the archive, in a process of its own.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum as _};
use oxigraph::model::{Term, Variable};
use qassay::base::clock::Stopwatch;
use qassay::base::error::{Error, Result};
use qassay::base::limits::{ARCHIVE_QUERY_TERMS, ARCHIVE_QUERY_TIME, bytes};
use qassay::base::memory;
use qassay::base::parallel;
use qassay::base::query::QueryFile;
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::kb::ask::Limits;
use qassay::kb::remote::{RemoteStore, StoreAddress};
use qassay::record::archived::selected::{GraphFate, LoadedPart, SelectedParts, Selection};
use qassay::report::table::{Align, Column, Layout, Table};
use qassay::sources::format::meter::{standard_input, whole};
use qassay::sources::input::term;
use qassay::sparql::dataset::Solution;
use qassay::sparql::named_query::NamedQuery;
use qassay::sparql::numbers;
use qassay::sparql::store::Store;
use qassay::sparql::timed::{QueryBounds, QueryResult, STACK, run_within};
use qassay::sparql::typed::PREFIXES;
use qassay::sparql::written::ResultForm;
use qassay::workbench::apart;
use qassay::workbench::query::{QueryText, WORKER};
use spargebra::Query;

use super::output::Output;
use super::words::{ArchivePlace, StorePlace};

/// What is told where a server would find something else.
const ANSWERED_HERE: &str = "note: looked for here, not on the server: within EXISTS or GRAPH the query compares values, or it takes \
    one of some rows (SAMPLE), which servers do in ways of their own";

/// Run a SPARQL query over the archive
#[derive(Debug, Args)]
#[command(after_help = format!("These prefixes need no declaration: {}.", PREFIXES.map(|(prefix, _)| format!("{prefix}:")).join(", ")))]
pub(super) struct SparqlQuery {
    /// A file, `-` for standard input, or the name of a canned query; without it, these are listed
    #[arg(value_name = "QUERY")]
    wanted: Option<String>,
    /// Print the query in place of running it
    #[arg(long)]
    show: bool,
    /// What a column is to be, as `evaluation=<IRI>` or `system="text"`: rows with another value are left out
    #[arg(long, value_name = "COLUMN=TERM", value_parser = column)]
    bind: Vec<(String, String)>,
    /// How it is run
    #[command(flatten)]
    options: QueryOptions,
}

/// How a query is run
#[derive(Debug, Clone, Args)]
pub(super) struct QueryOptions {
    /// Load all link sets, each as a named graph, and not only those that the query names
    #[arg(long)]
    with_links: bool,
    /// Say on standard error what was loaded for the query, what was left out and why, and how long it took
    #[arg(long)]
    explain: bool,
    /// The longest that the query may run, when what it needs is loaded
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value_t = ARCHIVE_QUERY_TIME.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// The most memory that the query may use with what is loaded for it, in megabytes [default: no limit]
    #[arg(long, allow_negative_numbers = true, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,
    /// How to print the rows
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Which server is asked
    #[command(flatten)]
    there: StorePlace,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl SparqlQuery {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let Some(name) = &self.wanted else {
            return list(self.options.format, output);
        };
        let text = text(name)?;
        if self.show {
            return output.result(&text);
        }
        let bindings = self.bind.clone();
        let asked = QueryText { name: name.clone(), text, bindings, ..QueryText::default() };
        let query = self.options.query(&asked)?;
        let found = apart::ask(&self.options.words(), &asked, self.options.memory_bytes(), output)?;
        let is_data = match query.algebra() {
            Query::Select { .. } => self.options.results_form().is_some(),
            Query::Ask { .. } => false,
            Query::Construct { .. } | Query::Describe { .. } => true,
        };
        // The process gives all that was found or nothing: what is printed is whole.
        if is_data { output.data(found.as_bytes()) } else { output.result(&found) }
    }
}

impl QueryOptions {
    /// The words of a process that is asked in the same way.
    fn words(&self) -> Vec<OsString> {
        let format = self.format.to_possible_value().map(|value| value.get_name().to_owned());
        let mut words: Vec<OsString> = [WORKER, "--archive"].map(Into::into).into();
        words.push(self.archive.archive.clone().into());
        words.extend(["--timeout".into(), self.timeout.to_string().into()]);
        words.extend(format.into_iter().flat_map(|format| ["--format".into(), format.into()]));
        words.extend(
            self.memory.into_iter().flat_map(|memory| ["--memory".into(), memory.to_string().into()]),
        );
        words.extend(self.with_links.then(|| "--with-links".into()));
        words.extend(self.explain.then(|| "--explain".into()));
        words.extend(self.there.words());
        words
    }

    fn memory_bytes(&self) -> Option<u64> {
        self.memory.map(|memory| memory << 20)
    }

    /// The query of a text, for people.
    fn query(&self, asked: &QueryText) -> Result<NamedQuery> {
        let query = asked.query()?;
        if query.gives_statements() && self.format != Layout::Table {
            return Err(Error::input("CONSTRUCT and DESCRIBE give statements, which are no table")
                .in_file(query.name())
                .allowed("no `--format`: statements are printed as Turtle; or a SELECT query"));
        }
        Ok(query)
    }

    /// What a query finds, as it is printed.
    pub(super) fn answer(&self, asked: &QueryText, watcher: &dyn Watcher) -> Result<String> {
        if let Some(bytes) = self.memory_bytes() {
            // The stacks of the threads are mostly untouched.
            parallel::make_ready();
            memory::limit(bytes)?;
        }
        let query = match asked.form {
            Some(_) => asked.query()?,
            None => self.query(asked)?,
        };
        let start = Stopwatch::start();
        let bench = self.archive.workbench();
        let time = Duration::from_secs(self.timeout);
        let rows = asked.rows.unwrap_or(ARCHIVE_QUERY_TERMS);
        let there = self.there.address().filter(|_| {
            let is_answerable = RemoteStore::is_answerable(&query);
            if !is_answerable {
                watcher.note(ANSWERED_HERE);
            }
            is_answerable
        });
        let (store, parts, query) = if let Some(address) = &there {
            let limits = Limits { time, rows, memory: self.memory_bytes().unwrap_or(u64::MAX) };
            let remote = RemoteStore::connect(address, &limits)?.within(time);
            let found = bench.found_there((&query, &asked.text), self.with_links, &remote, watcher)?;
            remote.warnings().iter().for_each(|warning| watcher.note(&format!("note: {warning}")));
            (Store::in_memory()?, None, found)
        } else if let Some(store) = bench.headlines(&asked.text)? {
            (store, None, query)
        } else {
            let Selection { store, parts } = bench.select(&query, self.with_links, watcher)?;
            (store, Some(parts), query)
        };
        let loaded = start.elapsed();
        if self.memory.is_some() {
            // The stack of the query is mostly untouched.
            memory::allow(STACK)?;
        }
        let found = run_within(&store, &query, QueryBounds { time, rows })?;
        if self.explain {
            explain(
                (parts.as_ref(), there.as_ref()),
                [loaded, start.elapsed().saturating_sub(loaded)],
                watcher,
            );
        }
        if found.is_nothing()
            && there.is_none()
            && let Some(hint) = numbers::hint(&store, &query)?
        {
            watcher.note(&format!("hint: {hint}"));
        }
        if let Some(form) = asked.form {
            return within(found.written(form)?, asked.bytes);
        }
        match &found {
            QueryResult::Solutions { variables, rows } => match self.results_form() {
                Some(form) => found.written(form),
                None => self.solutions(variables, rows),
            },
            QueryResult::Boolean(answer) => Ok(format!("{answer}\n")),
            QueryResult::Statements(_) => found.written(ResultForm::Turtle),
        }
    }

    /// The format of SPARQL results in which rows are printed.
    fn results_form(&self) -> Option<ResultForm> {
        match self.format {
            Layout::Json => Some(ResultForm::Json),
            Layout::Csv => Some(ResultForm::Csv),
            _ => None,
        }
    }

    fn solutions(&self, variables: &[Variable], rows: &[Solution]) -> Result<String> {
        let mut table = Table::default();
        for (number, variable) in variables.iter().enumerate() {
            let is_number = |row: &Vec<Option<Term>>| row[number].as_ref().is_none_or(is_numeric);
            let align =
                if !rows.is_empty() && rows.iter().all(is_number) { Align::Right } else { Align::Left };
            table.columns.push(Column { align, ..Column::text(variable.as_str(), variable.as_str()) });
        }
        let cell =
            |cell: &Option<Term>| cell.as_ref().map_or_else(String::new, |cell| one_line(&term::text(cell)));
        table.rows = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        table.render(self.format)
    }
}

/// Says what was loaded for a query, what was left out and why, and how long loading and the query took.
fn explain(
    (parts, there): (Option<&SelectedParts>, Option<&StoreAddress>),
    [loading, running]: [Duration; 2],
    watcher: &dyn Watcher,
) {
    let [loading, running] = [loading, running].map(|time| time.as_secs_f64());
    if let Some(StoreAddress { queries, .. }) = there {
        return watcher.note(&format!(
            "found by {queries} in {loading:.3} s, ordered and calculated in {running:.3} s"
        ));
    }
    let told = format!("loaded in {loading:.3} s, asked in {running:.3} s:");
    let Some(parts) = parts else {
        return watcher.note_list(&told, &["summaries of the evaluations; no graph".to_owned()]);
    };
    let LoadedPart { read, loaded } = parts.records;
    let mut lines = vec![format!("records: {loaded} of {}", counted(read, "statement"))];
    lines.extend(parts.kinds().into_iter().map(|(kind, fate, graphs, statements)| {
        let graphs = format!("{} `{kind}`", counted(graphs, "graph"));
        let statements = counted(statements, "statement");
        match fate {
            GraphFate::Read(LoadedPart { loaded, .. }) => format!("{graphs}: {loaded} of {statements}"),
            GraphFate::NotHeld => {
                format!("left out: {graphs}, {statements}: nothing that is asked for is there")
            }
            GraphFate::NotAsked => format!("left out: {graphs}, {statements}: the query looks elsewhere"),
            GraphFate::Withheld => {
                format!("left out: {graphs}, {statements}: who published them withholds them")
            }
            GraphFate::Links => format!("left out: {graphs}, {statements}: `--with-links` loads them"),
        }
    }));
    watcher.note_list(&told, &lines);
}

/// A result that is no longer than it may be.
fn within(result: String, most: Option<u64>) -> Result<String> {
    match most {
        Some(most) if result.len() as u64 > most => Err(Error::limit(format!(
            "the result has {} bytes, more than {}, a limit of qassay",
            result.len(),
            bytes(most)
        ))
        .hint("`LIMIT` and `OFFSET` take it in parts")),
        _ => Ok(result),
    }
}

fn list(format: Layout, output: &Output) -> Result<ExitCode> {
    let mut table = Table { title: "Canned queries".to_owned(), ..Table::default() };
    table.columns = vec![Column::text("name", "name"), Column::text("what it answers", "title")];
    for query in QueryFile::folder("report").chain(QueryFile::folder("group")) {
        table.rows.push(vec![query.called().to_owned(), query.title().to_owned()]);
    }
    table.notes.push("`qassay query NAME` runs one, `qassay query NAME --show` prints it.".to_owned());
    output.table(&table, format)
}

/// The text of a query in a file, or on standard input (`-`).
pub(super) fn written(path: &Path) -> Result<String> {
    if path.as_os_str() == "-" {
        return utf8(standard_input()?).map_err(|error| error.in_file("standard input"));
    }
    utf8(whole(path)?).map_err(|error| error.in_file(path.display().to_string()))
}

/// A column and a term. What is no term is told with the query.
fn column(words: &str) -> Result<(String, String), String> {
    let parts = words.split_once('=').map(|(column, term)| (column.trim_start_matches(['?', '$']), term));
    let (column, term) = parts.ok_or("no `=` stands between the column and its term")?;
    Ok((column.to_owned(), term.to_owned()))
}

/// The text of a query: of a canned one, or as it is written.
fn text(name: &str) -> Result<String> {
    if name == "-" {
        return written(Path::new(name));
    }
    if let Ok(query) = QueryFile::canned(name) {
        return Ok(query.text.to_owned());
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(Error::input(format!("there is no canned query and no file `{name}`"))
            .allowed(QueryFile::reports())
            .hint("`qassay query -` reads the text of a query from standard input"));
    }
    written(path)
}

fn utf8(bytes: Vec<u8>) -> Result<String> {
    let unreadable = |_| Error::input("cannot read the query: stream did not contain valid UTF-8");
    String::from_utf8(bytes).map_err(unreadable)
}

/// A text in a cell for people. IRIs are whole: they can be put into a query.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

fn is_numeric(term: &Term) -> bool {
    matches!(term, Term::Literal(literal) if literal.value().parse::<f64>().is_ok() && literal.language().is_none())
}
