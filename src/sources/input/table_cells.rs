//! The cells of a table that a file writes on one line (NLPCC TBQA): `|_|` between cells, `|_|_|` between rows.

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
