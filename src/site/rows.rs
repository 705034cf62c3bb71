//! Some of the rows of long tables: those that a reader looks for, as many as stand on a page.

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::site::page::{PagePiece, SitePage, WordLine, Words};

/// So many rows of a long table stand on a page that is made for a reader.
pub const ROWS: usize = 50;

/// Which rows of the long tables of a page are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WantedRows {
    /// Words that they have.
    pub words: String,
    /// The page of the table, from 1.
    pub page: Option<String>,
}

impl WantedRows {
    /// The choice of a query string.
    pub fn parse(query: &str) -> Self {
        let mut choice = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "q" => value.trim().clone_into(&mut choice.words),
                "page" => choice.page = Some(value.into_owned()),
                _ => {}
            }
        }
        choice
    }

    /// The page of so many rows that is wanted, and how many there are.
    ///
    /// # Errors
    /// Where there is no such page.
    pub(crate) fn page_of(&self, rows: usize, what: &str) -> Result<(usize, usize)> {
        let pages = rows.div_ceil(ROWS).max(1);
        let number = self.page.as_deref().map_or(Some(1), |page| page.parse().ok());
        let number = number.filter(|number| (1..=pages).contains(number)).ok_or_else(|| {
            let page = text::name(self.page.as_deref().unwrap_or_default());
            Error::input(format!("there is no page `{page}` of {what}")).allowed(format!("1 to {pages}"))
        })?;
        Ok((number, pages))
    }

    /// The address of another page of the same rows.
    fn address(&self, table: &str, page: usize) -> String {
        let mut address = form_urlencoded::Serializer::new(String::new());
        if !self.words.is_empty() {
            address.append_pair("q", &self.words);
        }
        format!("?{}#{table}", address.append_pair("page", &page.to_string()).finish())
    }
}

impl SitePage {
    /// The page with those rows of its long tables that are wanted.
    ///
    /// # Errors
    /// Where a table has no such page.
    pub(crate) fn with_rows(mut self, choice: &WantedRows) -> Result<Self> {
        let wanted = choice.words.to_lowercase();
        let of_sections = self.sections.iter_mut().flat_map(|section| &mut section.pieces);
        for piece in self.pieces.iter_mut().chain(of_sections) {
            if let PagePiece::Sheet(table) = piece
                && table.is_filtered
            {
                let all = table.rows.len();
                table.rows.retain(|row| row.has_words(&wanted));
                table.word = text::html(&choice.words).into_owned();
                let said = format!("{} of {}. ", table.rows.len(), text::counted(all as u64, "row"));
                // No row: what the caption says of rows is said of none.
                if table.rows.is_empty() && !wanted.is_empty() {
                    let said = format!("None has “{}”; without words all are here.", choice.words);
                    table.caption = vec![Words::foreign(&said)];
                }
                table.caption.insert(0, Words::bold(&said));
                let (number, pages) = choice.page_of(table.rows.len(), "these rows")?;
                table.rows = table.rows.drain(..).skip((number - 1) * ROWS).take(ROWS).collect();
                table.is_cut = pages > 1;
                let href = |page| Some(choice.address(&table.id, page));
                let others = other_pages("Rows", (number, pages), href);
                table.caption.extend(others.into_iter().flatten());
            }
        }
        Ok(self)
    }
}

/// Links to the other pages of something, where there are several; the number is that of this page.
pub(crate) fn other_pages(
    what: &str,
    (number, pages): (usize, usize),
    href: impl Fn(usize) -> Option<String>,
) -> Option<WordLine> {
    let link =
        |page: usize| Words::plain(&page.to_string()).to((page != number).then(|| href(page)).flatten());
    let links = (1..=pages).flat_map(|page| [link(page), Words::plain(" ")]);
    let what = Words::plain(&format!(" {what}, page "));
    (pages > 1).then(|| [what].into_iter().chain(links).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::page::{PageSheet, SheetRow};

    #[test]
    fn long_tables_are_cut_into_pages() {
        let row = |at: usize| SheetRow::from(vec![Words::foreign(&format!("row {at}")).into()]);
        let page = |query: &str| {
            let rows = (1..=120).map(row).collect();
            let table = PageSheet { id: "t".to_owned(), rows, is_filtered: true, ..PageSheet::default() };
            let page = SitePage { pieces: vec![PagePiece::Sheet(table)], ..SitePage::default() };
            page.with_rows(&WantedRows::parse(query)).map(|page| match page.pieces.into_iter().next() {
                Some(PagePiece::Sheet(table)) => table,
                other => panic!("{other:?}"),
            })
        };
        let told = |table: &PageSheet| {
            let caption: String = table.caption.iter().map(|words| words.text.as_str()).collect();
            let first = table.rows.first().map(|row| row.cells[0].line[0].text.clone());
            (table.rows.len(), table.is_cut, caption, first.unwrap_or_default())
        };
        let whole = page("").unwrap();
        assert_eq!(
            told(&whole),
            (50, true, "120 of 120 rows.  Rows, page 1 2 3 ".to_owned(), "row 1".to_owned())
        );
        let links: Vec<&str> =
            whole.caption.iter().map(|words| words.href.as_str()).filter(|href| !href.is_empty()).collect();
        assert_eq!(links, ["?page=2#t", "?page=3#t"]);
        let last = page("page=3&q=ROW").unwrap();
        assert_eq!((last.rows.len(), &*told(&last).3), (20, "row 101"));
        assert_eq!(told(&page("q=row+12").unwrap()).0, 2, "12 and 120");
        assert!(!page("q=row+12").unwrap().is_cut);
        for wrong in ["page=4", "page=0", "page=x", "q=row+12&page=2"] {
            assert!(page(wrong).unwrap_err().to_string().contains("there is no page"), "{wrong}");
        }
    }
}
