//! `qassay query`: SPARQL over the archive.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use oxigraph::io::{RdfFormat, RdfSerializer};
use oxigraph::model::Term;
use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsSerializer};
use qassay::base::error::{Error, Result};
use qassay::base::query::QueryFile;
use qassay::base::rdf::dataset::Dataset;
use qassay::base::rdf::named_query::NamedQuery;
use qassay::base::rdf::store::Store;
use qassay::report::table::{Align, Column, Format, Table};
use qassay::sources::archive::Archive;
use qassay::sources::input::term;
use spargebra::Query as Algebra;

use super::Output;
use super::archived::Archived;
use crate::cli::Query;

/// Runs the command.
pub(crate) fn run(arguments: &Query, output: &Output) -> Result<ExitCode> {
    let Some(name) = &arguments.wanted else {
        return list(arguments.format, output);
    };
    let text = text(name)?;
    if arguments.show {
        output.result(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let archived = Archived::open(Archive::open(&arguments.archive.archive)?)?;
    let store = everything(&archived, arguments.with_links, output)?;
    let query = NamedQuery::written(name, &text)?;
    match query.algebra() {
        Algebra::Select { .. } => print_solutions(&store, &query, arguments.format, output)?,
        Algebra::Ask { .. } => output.result(&format!("{}\n", store.ask(&query)?))?,
        Algebra::Construct { .. } | Algebra::Describe { .. } => {
            let mut serializer = RdfSerializer::from_format(RdfFormat::Turtle).for_writer(Vec::new());
            for triple in store.construct(&query)? {
                serializer.serialize_triple(&triple).map_err(|error| failed(&error))?;
            }
            output.bytes(&serializer.finish().map_err(|error| failed(&error))?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn failed(error: &std::io::Error) -> Error {
    Error::system(format!("the results cannot be written: {error}"))
}

fn list(format: Format, output: &Output) -> Result<ExitCode> {
    let mut table = Table { title: "Canned queries".to_owned(), ..Table::default() };
    table.columns = vec![Column::text("name", "name"), Column::text("what it answers", "title")];
    for query in QueryFile::folder("report").chain(QueryFile::folder("group")) {
        let name = query.name.trim_start_matches("report/").to_owned();
        table.rows.push(vec![name, query.title().to_owned()]);
    }
    table.notes.push("`qassay query NAME` runs one, `qassay query NAME --show` prints it.".to_owned());
    let text = if format == Format::Json { super::lists::json(&table) } else { table.render(format)? };
    output.result(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The text of a query: of a canned one, of a file, of standard input.
fn text(name: &str) -> Result<String> {
    if name == "-" {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| Error::input(format!("standard input cannot be read: {error}")))?;
        return Ok(text);
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
    std::fs::read_to_string(path).map_err(|error| Error::io("read the query", path, &error))
}

/// Everything that the archive holds, with the ontology. Link sets only where asked for, as named graphs.
fn everything(archived: &Archived, with_links: bool, output: &Output) -> Result<Store> {
    let store = archived.store()?;
    let progress = output.progress(archived.graphs.len(), "loading");
    for graph in &archived.graphs {
        if !graph.is_links() || with_links {
            archived.load(graph, &store)?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let only_files = archived.metadata.select(&NamedQuery::find("report/files-only")?)?.len();
    if with_links && only_files > 0 {
        let sets =
            if only_files == 1 { "1 link set is".to_owned() } else { format!("{only_files} link sets are") };
        output.note(&format!(
            "note: {sets} kept as a file only, too large for a graph; `qassay links show` reads it"
        ));
    }
    Ok(store)
}

fn print_solutions(store: &dyn Dataset, query: &NamedQuery, format: Format, output: &Output) -> Result<()> {
    let solutions = store.solutions(query)?;
    let machine = match format {
        Format::Json => Some(QueryResultsFormat::Json),
        Format::Csv => Some(QueryResultsFormat::Csv),
        _ => None,
    };
    let variables = solutions.variables().to_vec();
    if let Some(format) = machine {
        let serializer = QueryResultsSerializer::from_format(format);
        let mut writer = serializer
            .serialize_solutions_to_writer(Vec::new(), variables)
            .map_err(|error| failed(&error))?;
        for solution in solutions {
            let solution = solution.map_err(|error| query.failed(&error))?;
            writer.serialize(&solution).map_err(|error| failed(&error))?;
        }
        return output.bytes(&writer.finish().map_err(|error| failed(&error))?);
    }
    let mut table = Table::default();
    let mut rows = Vec::new();
    for solution in solutions {
        rows.push(solution.map_err(|error| query.failed(&error))?.values().to_vec());
    }
    for (number, variable) in variables.iter().enumerate() {
        let is_number = |row: &Vec<Option<Term>>| row[number].as_ref().is_none_or(is_numeric);
        let align = if !rows.is_empty() && rows.iter().all(is_number) { Align::Right } else { Align::Left };
        table.columns.push(Column { align, ..Column::text(variable.as_str(), variable.as_str()) });
    }
    let cell = |cell: &Option<Term>| cell.as_ref().map_or_else(String::new, |cell| short(&term::text(cell)));
    table.rows = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    output.result(&table.render(format)?)
}

/// IRIs of ours without their base, for people.
fn short(text: &str) -> String {
    let base = qassay::base::iri::DEFAULT_BASE;
    text.strip_prefix(base).map_or_else(|| text.to_owned(), str::to_owned).replace(['\n', '\r', '\t'], " ")
}

fn is_numeric(term: &Term) -> bool {
    matches!(term, Term::Literal(literal) if literal.value().parse::<f64>().is_ok() && literal.language().is_none())
}
