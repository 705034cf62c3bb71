//! The candidates of a question as statements: a node each, and nodes for its parts where it has several, and for the
//! cells of tables.

use crate::base::iri;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{qassay, rdf, xsd};
use crate::measures::fraction::Fraction;
use crate::sources::document::{Candidate, Cell, Question};

/// What a node is.
#[derive(Debug)]
pub(crate) enum CandidateNode<'a> {
    /// A candidate: its position from 1 and the answer it belongs to.
    Candidate(&'a Candidate, usize, String),
    /// A part of a candidate: its position from 1.
    Part(&'a Cell, usize),
    /// A cell of a table and the part that it is in.
    TableCell(TableCell<'a>, String),
}

/// The nodes of the candidates of an answer with their IRIs.
pub(crate) fn nodes<'a>(
    question: &'a Question,
    answer: &str,
) -> impl Iterator<Item = (String, CandidateNode<'a>)> {
    question.candidates.iter().zip(1..).flat_map(move |(candidate, number)| {
        let node = iri::candidate(answer, number);
        let cells = if candidate.cells.len() > 1 { &candidate.cells[..] } else { &[] };
        let parts: Vec<(String, CandidateNode<'a>)> =
            cells.iter().zip(1..).flat_map(|(cell, number)| part(&node, cell, number)).collect();
        std::iter::once((node, CandidateNode::Candidate(candidate, number, answer.to_owned()))).chain(parts)
    })
}

/// A part of a candidate with its cells, where it is of a table.
fn part<'a>(
    candidate: &str,
    cell: &'a Cell,
    number: usize,
) -> impl Iterator<Item = (String, CandidateNode<'a>)> {
    let part = iri::candidate_part(candidate, number);
    let within = part.clone();
    let cells = cells(&cell.variable, &cell.value).into_iter();
    let cells = cells.map(move |cell| {
        (iri::table_cell(&within, cell.row, cell.column), CandidateNode::TableCell(cell, within.clone()))
    });
    std::iter::once((part, CandidateNode::Part(cell, number))).chain(cells)
}

/// The statements about a node; the subject is set.
pub(crate) fn write(lines: &mut Lines, subject: &str, node: &CandidateNode<'_>) {
    match node {
        CandidateNode::Candidate(candidate, position, answer) => {
            lines
                .iri(rdf::TYPE, qassay::CANDIDATE)
                .iri(qassay::CANDIDATE_OF, answer)
                .integer(qassay::CANDIDATE_POSITION, *position as u64);
            match &candidate.cells[..] {
                [cell] => text(lines, cell),
                cells => {
                    for part in 1..=cells.len() {
                        lines.iri(qassay::CANDIDATE_PART, &iri::candidate_part(subject, part));
                    }
                }
            }
            if let Some(label) = &candidate.label {
                lines.text(qassay::CANDIDATE_LABEL, label);
            }
            if let Some(score) = candidate.score.as_deref().and_then(decimal) {
                lines.typed(qassay::CANDIDATE_SCORE, &score, xsd::DECIMAL);
            }
            if let Some(rank) = &candidate.rank {
                lines.text(qassay::CANDIDATE_RANK, rank);
            }
        }
        CandidateNode::Part(cell, position) => {
            lines.integer(qassay::CANDIDATE_POSITION, *position as u64);
            text(lines, cell);
        }
        CandidateNode::TableCell(TableCell { row, column, text }, part) => {
            lines
                .iri(rdf::TYPE, qassay::TABLE_CELL)
                .iri(qassay::CELL_OF, part)
                .integer(qassay::CELL_ROW, *row as u64)
                .integer(qassay::CELL_COLUMN, *column as u64)
                .text(qassay::CELL_TEXT, text);
        }
    }
}

fn text(lines: &mut Lines, cell: &Cell) {
    lines.text(qassay::CANDIDATE_TEXT, &cell.value).text(qassay::CANDIDATE_FIELD, &cell.variable);
}

/// A decimal numeral in canonical form, or nothing where the text is no number.
pub(crate) fn decimal(text: &str) -> Option<String> {
    Fraction::parse(text).map(|number| number.to_decimal())
}

/// What stands between two rows.
const BETWEEN_ROWS: &str = "|_|_|";

/// What stands between two cells of a row, and between the names of columns.
const BETWEEN_CELLS: &str = "|_|";

/// A cell of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableCell<'a> {
    /// Its row from 1; 0 for the names of the columns.
    pub(crate) row: usize,
    /// Its column from 1.
    pub(crate) column: usize,
    /// Its text without the white space around it, which belongs to the separators.
    pub(crate) text: &'a str,
}

/// The cells of a part of a table in their order; none where the part is no table or has no text. Files that write the
/// separator of cells between rows too (as the example in the guideline does) have one long row.
pub(crate) fn cells<'a>(field: &str, text: &'a str) -> Vec<TableCell<'a>> {
    let row = |row: usize, text: &'a str| {
        let texts = text.split(BETWEEN_CELLS).zip(1..);
        texts.map(move |(text, column)| TableCell { row, column, text: text.trim() })
    };
    match field {
        _ if text.trim().is_empty() => Vec::new(),
        "attributes" => row(0, text).collect(),
        "cells" => text.split(BETWEEN_ROWS).zip(1..).flat_map(|(text, number)| row(number, text)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::base::iri::Mint;
    use crate::sources::file::source::Source;
    use crate::sources::format::read;
    use crate::sources::input::pattern::QueryNodes;
    use crate::sources::input::publish;

    fn published(text: &str, as_gold: bool) -> String {
        let source = Source::from_bytes("a file", text.as_bytes().to_vec()).expect("a source");
        let (mut document, _) = read(&source).expect("a document");
        let mint = Mint::default();
        let queries = QueryNodes::of_all(&mint, &mut document);
        let mut graph = Vec::new();
        let count = if as_gold {
            publish::dataset(&mut graph, &mint, "d", "http://e/d", &document, &queries)
        } else {
            publish::submission(&mut graph, &mint, "http://e/s", &document, &queries)
        };
        let graph = String::from_utf8(graph).expect("text");
        assert_eq!(count.expect("a graph"), graph.lines().count() as u64);
        let is_about = |line: &&str| line.contains("andidate");
        let short =
            |line: &str| line.replace("https://w3id.org/qassay/ns#", "").replace(" <http://e/d> .", "");
        graph.lines().filter(is_about).map(short).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn documents_of_a_run() {
        let run = "7 Q0 A 3 2.50 me\n";
        insta::assert_snapshot!(published(run, false), @r#"
        <http://e/s/a/7/candidate/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <Candidate> <http://e/s> .
        <http://e/s/a/7/candidate/1> <candidateField> "document" <http://e/s> .
        <http://e/s/a/7/candidate/1> <candidateOf> <http://e/s/a/7> <http://e/s> .
        <http://e/s/a/7/candidate/1> <candidatePosition> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <http://e/s> .
        <http://e/s/a/7/candidate/1> <candidateRank> "3" <http://e/s> .
        <http://e/s/a/7/candidate/1> <candidateScore> "2.5"^^<http://www.w3.org/2001/XMLSchema#decimal> <http://e/s> .
        <http://e/s/a/7/candidate/1> <candidateText> "A" <http://e/s> .
        "#);
    }

    #[test]
    fn tables_have_parts() {
        let table = "1\twhich banks\tBanks\tNAME\tAllahabad |_|_| Andhra\n";
        insta::assert_snapshot!(published(table, true), @r#"
        <http://e/d/q/~1/gold/curated/candidate/1/part/1> <candidateField> "caption"
        <http://e/d/q/~1/gold/curated/candidate/1/part/1> <candidatePosition> "1"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/1> <candidateText> "Banks"
        <http://e/d/q/~1/gold/curated/candidate/1/part/2/cell/0/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <TableCell>
        <http://e/d/q/~1/gold/curated/candidate/1/part/2/cell/0/1> <cellColumn> "1"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/2/cell/0/1> <cellOf> <http://e/d/q/~1/gold/curated/candidate/1/part/2>
        <http://e/d/q/~1/gold/curated/candidate/1/part/2/cell/0/1> <cellRow> "0"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/2/cell/0/1> <cellText> "NAME"
        <http://e/d/q/~1/gold/curated/candidate/1/part/2> <candidateField> "attributes"
        <http://e/d/q/~1/gold/curated/candidate/1/part/2> <candidatePosition> "2"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/2> <candidateText> "NAME"
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/1/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <TableCell>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/1/1> <cellColumn> "1"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/1/1> <cellOf> <http://e/d/q/~1/gold/curated/candidate/1/part/3>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/1/1> <cellRow> "1"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/1/1> <cellText> "Allahabad"
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/2/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <TableCell>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/2/1> <cellColumn> "1"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/2/1> <cellOf> <http://e/d/q/~1/gold/curated/candidate/1/part/3>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/2/1> <cellRow> "2"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3/cell/2/1> <cellText> "Andhra"
        <http://e/d/q/~1/gold/curated/candidate/1/part/3> <candidateField> "cells"
        <http://e/d/q/~1/gold/curated/candidate/1/part/3> <candidatePosition> "3"^^<http://www.w3.org/2001/XMLSchema#integer>
        <http://e/d/q/~1/gold/curated/candidate/1/part/3> <candidateText> "Allahabad |_|_| Andhra"
        <http://e/d/q/~1/gold/curated/candidate/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <Candidate>
        <http://e/d/q/~1/gold/curated/candidate/1> <candidateLabel> "1"
        <http://e/d/q/~1/gold/curated/candidate/1> <candidateOf> <http://e/d/q/~1/gold/curated>
        <http://e/d/q/~1/gold/curated/candidate/1> <candidatePart> <http://e/d/q/~1/gold/curated/candidate/1/part/1>
        <http://e/d/q/~1/gold/curated/candidate/1> <candidatePart> <http://e/d/q/~1/gold/curated/candidate/1/part/2>
        <http://e/d/q/~1/gold/curated/candidate/1> <candidatePart> <http://e/d/q/~1/gold/curated/candidate/1/part/3>
        <http://e/d/q/~1/gold/curated/candidate/1> <candidatePosition> "1"^^<http://www.w3.org/2001/XMLSchema#integer>
        "#);
    }

    #[test]
    fn nothing_is_said_without_candidates() {
        assert_eq!(published("id,answer\n1,x\n", true), "");
    }
}

#[cfg(test)]
mod table_cells_tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(field: &str, text: &str) -> Vec<String> {
        cells(field, text).iter().map(|cell| format!("{}.{} {}", cell.row, cell.column, cell.text)).collect()
    }

    #[test]
    fn rows_and_columns() {
        assert_eq!(shown("attributes", "BANKS |_| CITY"), ["0.1 BANKS", "0.2 CITY"]);
        assert_eq!(
            shown("cells", " Allahabad |_| Kolkata |_|_| Andhra|_|Hyderabad "),
            ["1.1 Allahabad", "1.2 Kolkata", "2.1 Andhra", "2.2 Hyderabad"]
        );
        // an empty cell has its place
        assert_eq!(shown("cells", "a |_| |_| c"), ["1.1 a", "1.2 ", "1.3 c"]);
        assert_eq!(shown("cells", " "), [""; 0]);
        assert_eq!(shown("caption", "a |_| b"), [""; 0]);
    }

    proptest! {
        #[test]
        fn tables_come_back(rows in prop::collection::vec(prop::collection::vec("[a-z]{1,3}", 1..4), 1..4)) {
            let written: Vec<String> = rows.iter().map(|row| row.join(" |_| ")).collect();
            let text = written.join(" |_|_| ");
            let mut found = vec![Vec::new(); rows.len()];
            for cell in cells("cells", &text) {
                prop_assert_eq!(cell.column, found[cell.row - 1].len() + 1);
                found[cell.row - 1].push(cell.text.to_owned());
            }
            prop_assert_eq!(found, rows);
        }
    }
}
