//! Pages that only a server has: the endpoint with its editor and what came of a query; why there is no page.

use oxigraph::model::Term;

use crate::base::error::Error;
use crate::base::iri::segment;
use crate::base::query::QueryFile;
use crate::base::text::{self, counted};
use crate::site::context::PageContext;
use crate::site::page::{
    PagePiece, PageSheet, QueryEditor, Section, SheetCell, SheetHead, SheetRow, SitePage, WordLine, Words,
};
use crate::site::route::{ListPage, Route};
use crate::sparql::written::ResultForm;

/// So many rows are on a page.
pub const ROWS: usize = 1_000;

/// The query of an editor that was not used yet.
const FIRST: &str = "report/leaderboard";

/// What came of a query.
#[derive(Debug, Clone)]
pub enum EndpointResult {
    /// Rows: the variables, and the first rows of all.
    Rows {
        /// The names of the variables.
        variables: Vec<String>,
        /// A term or nothing for each.
        rows: Vec<Vec<Option<Term>>>,
        /// How many there are.
        total: usize,
    },
    /// Yes or no.
    Boolean(bool),
    /// Statements, as Turtle.
    Statements(String),
    /// Nothing came of it.
    Failed(Error),
}

/// The page of the endpoint.
#[derive(Debug, Clone)]
pub struct EndpointPage {
    /// The query; none: one to begin with.
    pub query: Option<String>,
    /// Columns that are given, and their terms.
    pub bindings: Vec<(String, String)>,
    /// How long it may run, and how long any may.
    pub seconds: [u64; 2],
    /// Where programs ask.
    pub place: String,
    /// What came of it, with the address of the same behind `?` but for the format, and what is worth saying.
    pub result: Option<(EndpointResult, String, Vec<String>)>,
}

impl EndpointPage {
    /// The page.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> SitePage {
        let [seconds, most_seconds] = self.seconds;
        let editor = QueryEditor {
            // Who asks is led to what came of it.
            action: "sparql#result".to_owned(),
            query: text::lines(&self.query.clone().unwrap_or_else(first)).into_owned(),
            bindings: self
                .bindings
                .iter()
                .map(|(name, term)| (text::html(name).into_owned(), text::html(term).into_owned()))
                .collect(),
            seconds,
            most_seconds,
            forms: vec![
                ("html", "a page"),
                ("json", "JSON"),
                ("csv", "CSV"),
                ("tsv", "TSV"),
                ("xml", "XML"),
                ("ttl", "Turtle (CONSTRUCT, DESCRIBE)"),
            ],
        };
        let result = self.result.iter().map(|(result, address, notes)| {
            Section::new("result", "Result", pieces(context, result, address, notes))
        });
        let more = [
            Section::new("ready-made", "Ready-made", vec![PagePiece::List(ready_made(context))]),
            Section::new("programs", "For programs", for_programs(context, &self.place, most_seconds)),
        ];
        SitePage {
            title: "SPARQL".to_owned(),
            kicker: "SPARQL endpoint".to_owned(),
            heading: vec![Words::plain("Ask everything that is published here")],
            lead: vec![Words::plain(
                "Questions, gold and given answers, matches, scores, provenance: all of it is RDF. The editor is a plain form; the \
                 address of a result can be kept and shared.",
            )],
            pieces: vec![PagePiece::Editor(editor)],
            sections: result.into_iter().chain(more).collect(),
            ..SitePage::default()
        }
    }
}

fn pieces(
    context: &PageContext<'_>,
    result: &EndpointResult,
    address: &str,
    notes: &[String],
) -> Vec<PagePiece> {
    let mut pieces: Vec<PagePiece> =
        notes.iter().map(|note| PagePiece::Banner(vec![Words::plain(note)])).collect();
    let other = |forms: &[ResultForm]| -> WordLine {
        let link = |form: &ResultForm| {
            let href = Some(format!("sparql?{address}&format={}", form.name()));
            [Words::plain(" · "), Words::plain(&form.name().to_uppercase()).to(href)]
        };
        forms.iter().flat_map(link).collect()
    };
    match result {
        EndpointResult::Rows { variables, rows, total } => {
            let shown = if rows.len() < *total {
                format!(", complete; the first {} are on this page", rows.len())
            } else {
                ", complete".to_owned()
            };
            let count = vec![Words::bold(&counted(*total as u64, "row")), Words::plain(&shown)];
            pieces.push(PagePiece::Text("num", [count, other(&ResultForm::ROWS)].concat()));
            let cell = |term: &Option<Term>| {
                SheetCell::from(term.as_ref().map(|term| context.term(term)).unwrap_or_default())
            };
            pieces.push(PagePiece::Sheet(PageSheet {
                id: "rows".to_owned(),
                caption: vec![Words::plain("IRIs of this archive are links.")],
                heads: variables
                    .iter()
                    .map(|name| SheetHead { words: Words::code(&format!("?{name}")), is_number: false })
                    .collect(),
                rows: rows
                    .iter()
                    .map(|row| SheetRow::from(row.iter().map(cell).collect::<Vec<_>>()))
                    .collect(),
                ..PageSheet::default()
            }));
        }
        EndpointResult::Boolean(answer) => {
            let words = Words::bold(if *answer { "yes" } else { "no" });
            pieces.push(PagePiece::Text("num", [vec![words], other(&ResultForm::ROWS)].concat()));
        }
        EndpointResult::Statements(turtle) => {
            pieces.push(PagePiece::Text(
                "num",
                [vec![Words::bold("Statements")], other(&ResultForm::STATEMENTS)].concat(),
            ));
            pieces.push(PagePiece::code("turtle", turtle));
        }
        EndpointResult::Failed(error) => {
            let (said, excerpt) = error.told();
            pieces.push(PagePiece::Failure("Nothing came of this query".to_owned(), said, excerpt));
        }
    }
    pieces
}

fn first() -> String {
    QueryFile::find(FIRST).map(|query| query.text.to_owned()).unwrap_or_default()
}

fn ready_made(context: &PageContext<'_>) -> Vec<WordLine> {
    let link = |query: &QueryFile| {
        let name = query.called();
        let (folder, own) = query.name.split_once('/').unwrap_or_default();
        vec![
            Words::code(name).to(Some(format!("sparql?canned={}", segment(name)))),
            Words::plain(&format!(": {} ", query.title())),
            context.link(Words::soft("text"), &Route::Query(folder.to_owned(), own.to_owned())),
        ]
    };
    QueryFile::folder("report").map(link).collect()
}

fn for_programs(context: &PageContext<'_>, address: &str, most_seconds: u64) -> Vec<PagePiece> {
    let limits = format!(
        "SPARQL 1.1 Protocol by GET and POST, for reading: no SERVICE, no updates. A query has {most_seconds} s, 100,000 rows, 64 MB \
         and a GiB of memory; what takes more is an error, never a shorter answer. Match graphs and link sets are asked for by GRAPH. `canned=NAME` is a \
         ready-made query, and `$COLUMN=TERM` leaves the rows where a column is a term."
    );
    let list = |form: &ListPage| context.link(Words::plain("all ready-made queries"), &Route::List(*form));
    vec![
        PagePiece::said(&limits),
        PagePiece::code(
            "sh",
            &format!("curl -H 'Accept: text/csv' \\\n  --data-urlencode query@my-query.rq \\\n  {address}"),
        ),
        PagePiece::text(vec![list(&ListPage::Queries)]),
    ]
}

/// Why there is no page at an address.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The code of HTTP.
    pub status: u16,
    /// What it is called.
    pub title: &'static str,
    /// What is wrong, what is allowed, what to try.
    pub error: Error,
}

impl Refusal {
    /// The page.
    pub(crate) fn page(&self) -> SitePage {
        let (said, excerpt) = self.error.told();
        SitePage {
            title: self.title.to_owned(),
            kicker: format!("Error {}", self.status),
            heading: vec![Words::plain(self.title)],
            pieces: vec![PagePiece::Failure(self.title.to_owned(), said, excerpt)],
            ..SitePage::default()
        }
    }
}
