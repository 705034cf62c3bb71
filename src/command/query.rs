//! `qassay query`: SPARQL over the archive.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use oxigraph::io::{RdfFormat, RdfSerializer};
use oxigraph::model::{Term, Variable};
use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsSerializer};
use qassay::base::error::{Error, Result};
use qassay::base::limits::ARCHIVE_QUERY_TIME;
use qassay::base::query::QueryFile;
use qassay::base::watch::Watcher as _;
use qassay::report::table::{Align, Column, Layout, Table};
use qassay::sources::format::meter::{standard_input, whole};
use qassay::sources::input::term;
use qassay::sparql::dataset::Solution;
use qassay::sparql::named_query::NamedQuery;
use qassay::sparql::numbers;
use qassay::sparql::timed::{QueryResult, run_within};
use qassay::sparql::typed::PREFIXES;
use spargebra::Query;

use super::output::Output;
use super::words::ArchivePlace;

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
    /// Load the link sets too, each as a named graph
    #[arg(long)]
    with_links: bool,
    /// The longest that the query may run
    #[arg(long, value_name = "SECONDS", default_value_t = ARCHIVE_QUERY_TIME.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// How to print the rows
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: ArchivePlace,
}

impl SparqlQuery {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let Some(name) = &self.wanted else {
            return list(self.format, output);
        };
        let text = text(name)?;
        if self.show {
            return output.result(&text);
        }
        let query = NamedQuery::written(name, &text)?;
        let gives_statements = matches!(query.algebra(), Query::Construct { .. } | Query::Describe { .. });
        if gives_statements && self.format != Layout::Table {
            return Err(Error::input("CONSTRUCT and DESCRIBE give statements, which are no table")
                .in_file(query.name())
                .allowed("no `--format`: statements are printed as Turtle; or a SELECT query"));
        }
        let bench = self.archive.workbench();
        let store = match bench.headlines(&text)? {
            Some(store) => store,
            None => bench.everything(self.with_links, output)?,
        };
        let found = run_within(&store, &query, Duration::from_secs(self.timeout))?;
        if found.is_nothing()
            && let Some(hint) = numbers::hint(&store, &query)?
        {
            output.note(&format!("hint: {hint}"));
        }
        match found {
            QueryResult::Solutions { variables, rows } => {
                print_solutions(&variables, &rows, self.format, output)
            }
            QueryResult::Boolean(answer) => output.result(&format!("{answer}\n")),
            QueryResult::Statements(triples) => {
                let mut serializer = RdfSerializer::from_format(RdfFormat::Turtle).for_writer(Vec::new());
                for triple in triples {
                    serializer.serialize_triple(&triple).map_err(|error| failed(&error))?;
                }
                output.data(&serializer.finish().map_err(|error| failed(&error))?)
            }
        }
    }
}

fn failed(error: &std::io::Error) -> Error {
    Error::system(format!("the results cannot be written: {error}"))
}

fn list(format: Layout, output: &Output) -> Result<ExitCode> {
    let mut table = Table { title: "Canned queries".to_owned(), ..Table::default() };
    table.columns = vec![Column::text("name", "name"), Column::text("what it answers", "title")];
    for query in QueryFile::folder("report").chain(QueryFile::folder("group")) {
        let name = query.name.trim_start_matches("report/").to_owned();
        table.rows.push(vec![name, query.title().to_owned()]);
    }
    table.notes.push("`qassay query NAME` runs one, `qassay query NAME --show` prints it.".to_owned());
    output.table(&table, format)
}

/// The text of a query: of a canned one, of a file, of standard input.
fn text(name: &str) -> Result<String> {
    if name == "-" {
        return utf8(standard_input()?).map_err(|error| error.in_file("standard input"));
    }
    if let Ok(query) = QueryFile::find(&format!("report/{name}")).or_else(|_| QueryFile::find(name)) {
        return Ok(query.text.to_owned());
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<&str> =
            QueryFile::folder("report").map(|query| query.name.trim_start_matches("report/")).collect();
        return Err(Error::input(format!("there is no canned query and no file `{name}`"))
            .allowed(names.join(", "))
            .hint("`qassay query -` reads the text of a query from standard input"));
    }
    utf8(whole(path)?).map_err(|error| error.in_file(name))
}

fn utf8(bytes: Vec<u8>) -> Result<String> {
    let unreadable = |_| Error::input("cannot read the query: stream did not contain valid UTF-8");
    String::from_utf8(bytes).map_err(unreadable)
}

fn print_solutions(
    variables: &[Variable],
    rows: &[Solution],
    format: Layout,
    output: &Output,
) -> Result<ExitCode> {
    let machine = match format {
        Layout::Json => Some(QueryResultsFormat::Json),
        Layout::Csv => Some(QueryResultsFormat::Csv),
        _ => None,
    };
    if let Some(format) = machine {
        let serializer = QueryResultsSerializer::from_format(format);
        let mut writer = serializer
            .serialize_solutions_to_writer(Vec::new(), variables.to_vec())
            .map_err(|error| failed(&error))?;
        for row in rows {
            let bound =
                variables.iter().zip(row).filter_map(|(variable, term)| Some((variable, term.as_ref()?)));
            writer.serialize(bound).map_err(|error| failed(&error))?;
        }
        return output.data(&writer.finish().map_err(|error| failed(&error))?);
    }
    let mut table = Table::default();
    for (number, variable) in variables.iter().enumerate() {
        let is_number = |row: &Vec<Option<Term>>| row[number].as_ref().is_none_or(is_numeric);
        let align = if !rows.is_empty() && rows.iter().all(is_number) { Align::Right } else { Align::Left };
        table.columns.push(Column { align, ..Column::text(variable.as_str(), variable.as_str()) });
    }
    let cell =
        |cell: &Option<Term>| cell.as_ref().map_or_else(String::new, |cell| one_line(&term::text(cell)));
    table.rows = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    output.result(&table.render(format)?)
}

/// A text in a cell for people. IRIs are whole: they can be put into a query.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

fn is_numeric(term: &Term) -> bool {
    matches!(term, Term::Literal(literal) if literal.value().parse::<f64>().is_ok() && literal.language().is_none())
}
