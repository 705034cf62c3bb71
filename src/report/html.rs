//! A report as one HTML page that needs nothing from outside: no script, no style sheet, no image.

use askama::Template;

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::measures::metric::Metric;
use crate::report::definitions::Meaning;
use crate::report::table::{ALERT, Align, Table};

/// What the page says about one thing that was measured: a name and facts about it, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Card {
    /// What it is called.
    pub name: String,
    /// What is known about it: what, and the value.
    pub facts: Vec<(String, String)>,
}

/// A report: tables, what was measured, what the measures mean.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The heading.
    pub title: String,
    /// The tables, each a section.
    pub tables: Vec<Table>,
    /// What was measured.
    pub cards: Vec<Card>,
    /// The metrics that are explained, beside those that are columns.
    pub measures: Vec<Metric>,
}

#[derive(Template)]
#[template(config = "src/report/askama.toml", path = "page.html")]
struct Page {
    title: String,
    version: &'static str,
    sheets: Vec<PageTable>,
    cards: Vec<Card>,
    terms: Vec<Meaning>,
}

/// A table as the page shows it.
pub(crate) struct PageTable {
    pub(crate) name: String,
    pub(crate) heads: Vec<PageColumn>,
    pub(crate) rows: Vec<Vec<PageCell>>,
    pub(crate) alerts: Vec<String>,
    /// What stands below it.
    pub(crate) notes: Vec<String>,
}

pub(crate) struct PageColumn {
    pub(crate) text: String,
    /// The metric that it names, which is explained below; empty where it is none.
    metric: String,
    pub(crate) is_number: bool,
}

pub(crate) struct PageCell {
    pub(crate) text: String,
    pub(crate) is_number: bool,
}

impl Report {
    /// The page. What the files say is escaped, and control characters are shown as such.
    pub fn html(&self) -> Result<String> {
        let mut terms: Vec<Meaning> = Vec::new();
        let columns = self.tables.iter().flat_map(|table| &table.columns).map(|column| &column.name);
        let metrics = columns.filter_map(|name| Metric::named(name)).chain(self.measures.iter().copied());
        for metric in metrics {
            terms.extend(Meaning::of(metric).filter(|term| !terms.contains(term)));
        }
        let sheets = self.tables.iter().map(PageTable::of).collect();
        let version = env!("CARGO_PKG_VERSION");
        let cards = self.cards.iter().map(Card::printable).collect();
        let page = Page { title: shown(&self.title), version, sheets, cards, terms };
        page.render().map_err(|error| Error::system(format!("cannot write HTML: {error}")))
    }
}

/// A text without characters that command a terminal or turn the direction of a line.
fn shown(text: &str) -> String {
    text::html(text).into_owned()
}

/// A number with the sign in place of a hyphen; nothing else has a hyphen before a digit and behind none.
fn with_minus(number: &str) -> String {
    let mut before = ' ';
    let mut written = String::with_capacity(number.len());
    let mut rest = number.chars().peekable();
    while let Some(character) = rest.next() {
        let is_sign =
            character == '-' && !before.is_alphanumeric() && rest.peek().is_some_and(char::is_ascii_digit);
        written.push(if is_sign { '−' } else { character });
        before = character;
    }
    written
}

impl Card {
    fn printable(&self) -> Self {
        let facts = self.facts.iter().map(|(what, value)| (shown(what), shown(value)));
        Self { name: shown(&self.name), facts: facts.collect() }
    }
}

impl PageTable {
    pub(crate) fn of(table: &Table) -> Self {
        let is_number: Vec<bool> = table.columns.iter().map(|column| column.align == Align::Right).collect();
        let heads = table.columns.iter().zip(&is_number).map(|(column, is_number)| PageColumn {
            text: shown(&column.heading),
            metric: Metric::named(&column.name).map_or_else(String::new, |metric| metric.to_string()),
            is_number: *is_number,
        });
        let row = |row: &Vec<String>| {
            let cells = row.iter().zip(&is_number);
            let cell = |(text, is_number): (&String, &bool)| PageCell {
                text: if *is_number { with_minus(&shown(text)) } else { shown(text) },
                is_number: *is_number,
            };
            cells.map(cell).collect()
        };
        let name = shown(table.title.lines().next().unwrap_or_default());
        let alerts = table.alerts.iter().map(|line| format!("{ALERT}{}", shown(line))).collect();
        let notes = table.notes.iter().chain(&table.footnotes).map(|line| shown(line)).collect();
        Self { name, heads: heads.collect(), rows: table.rows.iter().map(row).collect(), alerts, notes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::Column;

    #[test]
    fn numbers_have_a_sign_for_minus() {
        let written = ["-0.5", "0.1 [-0.2, 0.3] *", "–", "-", "2026-11-23", "a-1"].map(with_minus);
        assert_eq!(written, ["−0.5", "0.1 [−0.2, 0.3] *", "–", "-", "2026-11-23", "a-1"]);
    }

    #[test]
    fn what_files_say_is_no_markup() {
        let table = Table {
            title: "A <b>title</b>".to_owned(),
            columns: vec![Column::text("system", "system"), Column::number("macro F1", "macroF1")],
            rows: vec![vec!["<script>alert(1)</script>\u{1b}[31m".to_owned(), "0.5".to_owned()]],
            alerts: vec!["<i>wrong</i>".to_owned()],
            notes: vec!["\"quoted\" & \u{202e}more".to_owned()],
            ..Table::default()
        };
        let cards = vec![Card { name: "a'b".to_owned(), facts: vec![("file".to_owned(), "<x>".to_owned())] }];
        let page = Report { title: "T & U".to_owned(), tables: vec![table], cards, measures: Vec::new() }
            .html()
            .unwrap();
        for raw in ["<script", "\u{1b}", "\u{202e}", "<x>"] {
            assert!(!page.contains(raw), "{raw:?}");
        }
        assert!(page.contains("T &#38; U") && page.contains("macroF1"), "{page}");
        for outside in ["src=", "http-equiv", "@import", "url(", "<link"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
