//! SPARQL results in XML that the strict parser refuses, value by value.

use crate::base::error::Result;
use crate::sources::document::{AnswerSet, Cell, CellKind, Row};
use crate::sources::format::xml::element::{Element, Node};
use crate::sources::format::xml::stream::Xml;

/// An error where the XML is not well-formed, or ends too early.
pub(crate) fn check_whole(text: &str) -> Result<()> {
    let (mut xml, _) = Xml::open(text)?;
    while xml.next()?.is_some() {}
    Ok(())
}

/// The answers of a file; none where it is no XML, or has neither results nor a boolean.
pub(crate) fn read(text: &str) -> Option<AnswerSet> {
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
    let cells: Vec<Cell> = result.elements().filter_map(cell).collect();
    (!cells.is_empty()).then_some(Row { cells })
}

fn cell(binding: &Element) -> Option<Cell> {
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
        datatype_first: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_nodes_of_virtuoso() {
        let text = r#"<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head><results>
            <result><binding name="x"><bnode>nodeID://b1</bnode></binding></result>
            <result><binding name="x"><literal xml:lang="en">a &amp; b</literal></binding></result></results></sparql>"#;
        let set = read(text).expect("results");
        let cells: Vec<(CellKind, &str)> =
            set.rows.iter().flat_map(|row| &row.cells).map(|cell| (cell.kind, cell.value.as_str())).collect();
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
            assert_eq!(read(text), None, "{text}");
        }
        let set = read("<sparql><boolean>true</boolean></sparql>").expect("a boolean");
        assert_eq!(set.boolean, Some(true));
    }
}
