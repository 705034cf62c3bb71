//! One file of SPARQL results: JSON, XML, CSV or TSV.
//!
//! JSON is read like the answers of QALD files, which hold the same objects: as written, with an issue for each odd
//! value. XML and TSV are read strictly, by oxigraph's parser. CSV has no kinds of terms, and an empty field may be an
//! empty text or nothing: it is read as nothing.

use crate::base::error::{Error, Result};
use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sources::format::context::Context;
use crate::sources::format::json::answers;
use crate::sources::format::json::value::Json;
use crate::sources::format::numeral;
use crate::sources::format::xml::element::{Element, Node};
use crate::sources::format::xml::stream::Xml;
use oxigraph::model::Term;
use oxigraph::model::vocab::xsd;
use sparesults::{QueryResultsFormat, QueryResultsParser, SliceQueryResultsParserOutput};

/// Reads the text of a file by its ending (lower case).
pub(crate) fn read(ending: &str, text: &str, here: &mut Context) {
    here.draft.has_answers = true;
    if text.is_empty() {
        return here.cannot_read("the file is empty");
    }
    if text.trim().is_empty() && matches!(ending, "csv" | "tsv") {
        // a header without variables: a query that projects none, or has no results in some programs
        return here.draft.add_set(AnswerSet { has_bindings: true, ..AnswerSet::default() });
    }
    let set = match ending {
        "srj" | "json" => return json(text, here),
        "csv" => table(text, b',', here),
        // Virtuoso writes its own TSV, with quotes as in CSV
        "tsv" if text.starts_with('"') => table(text, b'\t', here),
        "tsv" => strict(QueryResultsFormat::Tsv, text, |cells, set| push(cells, set, here)),
        _ => xml(text, here),
    };
    match set {
        Ok(set) => here.draft.add_set(set),
        Err(why) => here.cannot_read(format!("the results cannot be read: {why}")),
    }
}

/// Whether the keys are those of a SPARQL results object.
pub(crate) fn is_results<'k>(keys: impl Iterator<Item = &'k [u8]>) -> bool {
    let keys: Vec<&[u8]> = keys.collect();
    let has = |name: &[u8]| keys.contains(&name);
    has(b"head") && (has(b"results") || has(b"boolean"))
}

fn json(text: &str, here: &mut Context) {
    match Json::parse(text) {
        Ok(Json::Object(entries)) if is_results(entries.iter().map(|(key, _)| key.as_bytes())) => {
            answers::read(Json::Object(entries), &mut here.named("$"));
        }
        Ok(_) => here.cannot_read("the JSON has no `head` with `results` or `boolean`"),
        Err(error) => here.cannot_read(format!("the results cannot be read: no valid JSON: {error}")),
    }
}

/// XML: strictly, else value by value. Virtuoso's blank nodes, `nodeID://b1`, are none in the standard.
fn xml(text: &str, here: &mut Context) -> Result<AnswerSet, Box<dyn std::error::Error>> {
    let told = here.notes.clone();
    // the strict parser takes a file that ends too early for a whole one
    check_whole(text).map_err(|error| first_line(&error))?;
    strict(QueryResultsFormat::Xml, text, |cells, set| push(cells, set, here)).or_else(|why| {
        *here.notes = told;
        let set = as_written(text).ok_or_else(|| why.to_string())?;
        let message =
            format!("the XML is no SPARQL result of the standard ({why}); its values are read as written");
        here.note(IssueCode::WrongType, message);
        Ok(set)
    })
}

/// The syntaxes of results that are read strictly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultsSyntax {
    /// SPARQL Query Results XML Format; the blank nodes of Virtuoso too.
    Xml,
    /// SPARQL 1.1 Query Results TSV Format.
    Tsv,
}

/// Reads a whole result, also rows that bind nothing, and says why it cannot.
pub(crate) fn strict_results(syntax: ResultsSyntax, text: &str) -> Result<AnswerSet, String> {
    let format = match syntax {
        ResultsSyntax::Xml => {
            check_whole(text).map_err(|error| first_line(&error))?;
            QueryResultsFormat::Xml
        }
        ResultsSyntax::Tsv => QueryResultsFormat::Tsv,
    };
    let read = strict(format, text, |cells, set| set.rows.push(Row { cells: cells.into() }));
    read.or_else(|why| {
        // The blank nodes of Virtuoso, and IRIs that are none. A row must not be lost on the way.
        let rows = text.matches("<result>").count() + text.matches("<result ").count();
        let written = (syntax == ResultsSyntax::Xml).then(|| as_written(text)).flatten();
        written.filter(|set| set.rows.len() == rows).ok_or_else(|| why.to_string())
    })
}

fn first_line(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}

fn strict(
    format: QueryResultsFormat,
    text: &str,
    mut add: impl FnMut(Vec<Cell>, &mut AnswerSet),
) -> Result<AnswerSet, Box<dyn std::error::Error>> {
    let parser = QueryResultsParser::from_format(format);
    let solutions = match parser.for_slice(text.as_bytes())? {
        SliceQueryResultsParserOutput::Boolean(value) => {
            return Ok(AnswerSet { boolean: Some(value), ..AnswerSet::default() });
        }
        SliceQueryResultsParserOutput::Solutions(solutions) => solutions,
    };
    let variables = solutions.variables().iter().map(|variable| variable.as_str().to_owned()).collect();
    let mut set = AnswerSet { variables, has_bindings: true, ..AnswerSet::default() };
    for solution in solutions {
        let solution = solution?;
        add(solution.iter().map(|(variable, term)| cell(variable.as_str(), term)).collect(), &mut set);
    }
    Ok(set)
}

/// A term as a cell.
pub(crate) fn cell(variable: &str, term: &Term) -> Cell {
    let mut cell = Cell { variable: variable.to_owned(), ..Cell::default() };
    match term {
        Term::NamedNode(node) => {
            cell.kind = CellKind::Uri;
            node.as_str().clone_into(&mut cell.value);
        }
        Term::BlankNode(node) => {
            cell.kind = CellKind::BlankNode;
            node.as_str().clone_into(&mut cell.value);
        }
        Term::Literal(literal) => {
            cell.kind = CellKind::Literal;
            literal.value().clone_into(&mut cell.value);
            cell.language = literal.language().map(str::to_owned);
            // the datatypes of texts go without saying
            let is_plain = cell.language.is_some() || literal.datatype() == xsd::STRING;
            cell.datatype = (!is_plain).then(|| literal.datatype().as_str().to_owned());
        }
    }
    cell
}

fn push(cells: Vec<Cell>, set: &mut AnswerSet, here: &mut Context) {
    if cells.is_empty() {
        here.note(IssueCode::NullValue, "a row binds nothing; it is left out");
    } else {
        set.rows.push(Row { cells: cells.into() });
    }
}

fn table(text: &str, delimiter: u8, here: &mut Context) -> Result<AnswerSet, Box<dyn std::error::Error>> {
    if let Ok(value) = text.trim().parse::<bool>() {
        return Ok(AnswerSet { boolean: Some(value), ..AnswerSet::default() });
    }
    let mut table = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
    let variables: Vec<String> = table.headers()?.iter().map(|name| name.trim().to_owned()).collect();
    if let Some(odd) = variables.iter().find(|name| !is_variable(name)) {
        return Err(format!("`{odd}` in the header is no name of a variable").into());
    }
    let mut set = AnswerSet { variables, has_bindings: true, ..AnswerSet::default() };
    for record in table.records() {
        let record = record?;
        let bound = set.variables.iter().zip(&record).filter(|(_, value)| !value.is_empty());
        let cells = bound.map(|(variable, value)| Cell {
            variable: variable.clone(),
            value: value.to_owned(),
            ..Cell::default()
        });
        let cells = cells.collect();
        push(cells, &mut set, here);
    }
    Ok(set)
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && numeral::decimal(name, 0).is_none()
}

/// An error where the XML is not well-formed, or ends too early.
pub(crate) fn check_whole(text: &str) -> Result<()> {
    let (mut xml, _) = Xml::open(text)?;
    while xml.next()?.is_some() {}
    Ok(())
}

/// The answers of a file; none where it is no XML, or has neither results nor a boolean.
pub(crate) fn as_written(text: &str) -> Option<AnswerSet> {
    let (mut xml, root) = Xml::open(text).ok()?;
    if root.name != "sparql" {
        return None;
    }
    let mut set = AnswerSet::default();
    let mut found = false;
    while let Some(node) = xml.next().ok()? {
        let Node::Element(element) = node else { continue };
        match element.name.as_ref() {
            "head" => set.variables = element.elements().filter_map(variable).collect(),
            "boolean" => {
                set.boolean = Some(element.text().parse().ok()?);
                found = true;
            }
            "results" => {
                set.has_bindings = true;
                set.rows = element.elements().filter_map(row).collect();
                found = true;
            }
            _ => {}
        }
    }
    found.then_some(set)
}

fn variable(element: &Element) -> Option<String> {
    element.attribute("name").filter(|_| element.name == "variable").map(str::to_owned)
}

fn row(result: &Element) -> Option<Row> {
    let cells: Vec<Cell> = result.elements().filter_map(bound).collect();
    (!cells.is_empty()).then_some(Row { cells: cells.into() })
}

fn bound(binding: &Element) -> Option<Cell> {
    let term = binding.elements().next()?;
    let kind = match term.name.as_ref() {
        "uri" => CellKind::Uri,
        "bnode" => CellKind::BlankNode,
        "literal" => CellKind::Literal,
        _ => CellKind::Unknown,
    };
    let text = |name| term.attribute(name).map(str::to_owned);
    Some(Cell {
        variable: binding.attribute("name")?.to_owned(),
        kind,
        value: term.text(),
        datatype: text("datatype"),
        language: text("xml:lang"),
        ..Cell::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, Question};
    use crate::sources::format::context::Draft;

    fn question(ending: &str, text: &str) -> (Question, Vec<String>) {
        let (question, _, messages) = Draft::made_by(|here| read(ending, text, here));
        (question, messages)
    }

    /// The cells of all rows with what is known of them.
    fn told(ending: &str, text: &str) -> String {
        let (question, issues) = question(ending, text);
        let cell = |c: &Cell| {
            let about = [c.datatype.as_deref(), c.language.as_deref()].map(Option::unwrap_or_default);
            format!("{}:{:?}:{}:{}", c.variable, c.kind, c.value, about.concat())
        };
        let row = |row: &Row| row.cells.iter().map(cell).collect::<Vec<_>>().join(" ");
        let set = |set: &AnswerSet| {
            let rows = set.rows.iter().map(row).collect::<Vec<_>>().join(" / ");
            format!("{:?} {:?} {rows}", set.variables, set.boolean)
        };
        let sets = question.answers.sets.iter().map(set).collect::<Vec<_>>().join(" // ");
        format!("{:?} {sets} {issues:?}", question.answers.state)
    }

    #[test]
    fn the_four_formats_say_the_same() {
        let json = r#"{"head": {"vars": ["x", "y"]}, "results": {"bindings": [
            {"x": {"type": "uri", "value": "http://e/a"}, "y": {"type": "literal", "value": "é", "xml:lang": "fr"}},
            {"x": {"type": "bnode", "value": "b0"}, "y": {"type": "literal", "value": "1", "datatype": "http://d"}}]}}"#;
        let xml = r#"<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/><variable name="y"/></head><results>
            <result><binding name="x"><uri>http://e/a</uri></binding><binding name="y"><literal xml:lang="fr">é</literal></binding></result>
            <result><binding name="x"><bnode>b0</bnode></binding><binding name="y"><literal datatype="http://d">1</literal></binding></result></results></sparql>"#;
        let tsv = "?x\t?y\n<http://e/a>\t\"é\"@fr\n_:b0\t\"1\"^^<http://d>\n";
        let expected = r#"Given ["x", "y"] None x:Uri:http://e/a: y:Literal:é:fr / x:BlankNode:b0: y:Literal:1:http://d []"#;
        for (ending, text) in [("srj", json), ("json", json), ("srx", xml), ("xml", xml), ("tsv", tsv)] {
            assert_eq!(told(ending, text), expected, "{ending}");
        }
        let csv = "x,y\r\nhttp://e/a,é\r\n_:b0,\"1, 2\"\r\n,\r\n";
        insta::assert_snapshot!(told("csv", csv), @r#"
        Given ["x", "y"] None x:Unknown:http://e/a: y:Unknown:é: / x:Unknown:_:b0: y:Unknown:1, 2: ["a row binds nothing; it is left out"]
        "#);
    }

    #[test]
    fn booleans_and_nothing() {
        for (ending, text) in [
            ("srj", r#"{"head": {}, "boolean": false}"#),
            (
                "srx",
                "<sparql xmlns=\"http://www.w3.org/2005/sparql-results#\"><head/><boolean>false</boolean></sparql>",
            ),
            ("csv", "false\n"),
            ("tsv", "false"),
        ] {
            assert_eq!(told(ending, text), "Given [] Some(false)  []", "{ending}");
        }
        for (ending, text) in [("csv", "x\n"), ("tsv", "?x\n")] {
            assert_eq!(told(ending, text), "Empty [\"x\"] None  []", "{ending}");
        }
    }

    #[test]
    fn broken_files_are_told() {
        let cases = [
            ("srj", "{\"head\": {},\n \"results\": "),
            ("json", "{\"questions\": []}"),
            ("srx", "<sparql><results>"),
            ("csv", "x,y\n1\n"),
            ("csv", "http://e/a\n"),
            ("tsv", "?x\n<http://e/a\n"),
            ("tsv", ""),
            ("csv", ""),
        ];
        let told: Vec<String> = cases.iter().map(|(ending, text)| told(ending, text)).collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        Unreadable  ["the results cannot be read: no valid JSON: EOF while parsing a value at line 2 column 12"]
        Unreadable  ["the JSON has no `head` with `results` or `boolean`"]
        Unreadable  ["the results cannot be read: line 1, column 18: the file ends inside `<results>` of line 1"]
        Unreadable  ["the results cannot be read: CSV error: record 1 (line: 2, byte: 4): found record with 1 fields, but the previous record has 2 fields"]
        Unreadable  ["the results cannot be read: `http://e/a` in the header is no name of a variable"]
        Unreadable  ["the results cannot be read: Error Named node serialization should end with a > on '<http://e/a' in line 2"]
        Unreadable  ["the file is empty"]
        Unreadable  ["the file is empty"]
        "#);
    }

    #[test]
    fn a_file_that_ends_anywhere_is_unreadable() {
        let text = r#"<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head><results><result><binding name="x"><uri>http://e/a</uri></binding></result></results></sparql>"#;
        for end in 0..text.len() {
            let (question, _) = question("srx", &text[..end]);
            assert_eq!(question.answers.state, AnswerState::Unreadable, "{}", &text[..end]);
        }
        assert_eq!(question("srx", text).0.answers.state, AnswerState::Given);
    }
}

#[cfg(test)]
mod xml_tests {
    use super::*;

    #[test]
    fn blank_nodes_of_virtuoso() {
        let text = r#"<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head><results>
            <result><binding name="x"><bnode>nodeID://b1</bnode></binding></result>
            <result><binding name="x"><literal xml:lang="en">a &amp; b</literal></binding></result></results></sparql>"#;
        let set = as_written(text).expect("results");
        let cells: Vec<(CellKind, &str)> = set
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .map(|bound| (bound.kind, bound.value.as_str()))
            .collect();
        assert_eq!(cells, [(CellKind::BlankNode, "nodeID://b1"), (CellKind::Literal, "a & b")]);
        assert_eq!(set.variables, ["x"]);
    }

    #[test]
    fn other_files_are_none() {
        for text in [
            "",
            "<dataset/>",
            "<sparql/>",
            "<sparql><boolean>perhaps</boolean></sparql>",
            "<sparql><results>",
        ] {
            assert_eq!(as_written(text), None, "{text}");
        }
        let set = as_written("<sparql><boolean>true</boolean></sparql>").expect("a boolean");
        assert_eq!(set.boolean, Some(true));
    }
}
