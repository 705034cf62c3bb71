//! What a page is made of: words with links, tables, plots, facts. How it looks is said by the templates alone.
//!
//! Texts of strangers come in by [`Words::foreign`] and its kin, which make visible what would command a reader's machine;
//! marks of HTML are escaped by the templates.

use oxigraph::model::Literal;

use crate::base::text;
use crate::base::vocab::{dbo, foaf, owl, rdf, rdfs, schema, skos, xsd};
use crate::site::form::WebForm;

/// Some words in a line, of one kind, perhaps with a link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) text: String,
    /// The address; empty where it is no link.
    pub(crate) href: String,
    pub(crate) kind: WordKind,
    /// The language of the words, where it is known and another than that of the page.
    pub(crate) lang: String,
}

/// How words are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// As they are.
    #[default]
    Plain,
    /// As something that a file says, in whatever direction.
    Foreign,
    /// As code.
    Code,
    /// Strongly.
    Bold,
    /// Less than the words beside them.
    Soft,
    /// As an IRI, which may break anywhere.
    Iri,
    /// As an IRI without its beginning, for which this prefix stands.
    Prefixed(&'static str),
    /// As a state, with the class of its colour.
    Tag(&'static str),
    /// As how much is done of all.
    Progress(u64, u64),
}

/// The prefixes that people know, of what answers are made of; the longer of two beginnings first.
const PREFIXES: [(&str, &str); 14] = [
    ("dbo", dbo::NAMESPACE),
    ("dbp", "http://dbpedia.org/property/"),
    ("dbc", "http://dbpedia.org/resource/Category:"),
    ("dbr", "http://dbpedia.org/resource/"),
    ("wd", "http://www.wikidata.org/entity/"),
    ("wdt", "http://www.wikidata.org/prop/direct/"),
    ("yago", "http://yago-knowledge.org/resource/"),
    ("rdf", rdf::NAMESPACE),
    ("rdfs", rdfs::NAMESPACE),
    ("owl", owl::NAMESPACE),
    ("xsd", xsd::NAMESPACE),
    ("skos", skos::NAMESPACE),
    ("foaf", foaf::NAMESPACE),
    ("schema", schema::NAMESPACE),
];

/// Words one behind the other.
pub(crate) type WordLine = Vec<Words>;

impl Words {
    fn of(kind: WordKind, text: &str) -> Self {
        Self { text: text::html(text).into_owned(), kind, ..Self::default() }
    }

    /// Words of ours.
    pub(crate) fn plain(text: &str) -> Self {
        Self::of(WordKind::Plain, text)
    }

    /// Words of somebody else.
    pub(crate) fn foreign(text: &str) -> Self {
        Self::of(WordKind::Foreign, text)
    }

    /// The same in a language, where that is one: files have `pt_BR`, which is `pt-BR` (BCP 47), and other things.
    pub(crate) fn in_language(text: &str, lang: Option<&str>) -> Self {
        let tag = lang.and_then(|lang| Literal::new_language_tagged_literal("", lang.replace('_', "-")).ok());
        let lang = tag.as_ref().and_then(Literal::language).unwrap_or_default().to_owned();
        Self { lang, ..Self::foreign(text) }
    }

    /// Code.
    pub(crate) fn code(text: &str) -> Self {
        Self::of(WordKind::Code, text)
    }

    /// What matters.
    pub(crate) fn bold(text: &str) -> Self {
        Self::of(WordKind::Bold, text)
    }

    /// What matters less.
    pub(crate) fn soft(text: &str) -> Self {
        Self::of(WordKind::Soft, text)
    }

    /// An IRI, or a checksum.
    pub(crate) fn iri(text: &str) -> Self {
        Self::of(WordKind::Iri, text)
    }

    /// An IRI, by a prefix where it has a usual one.
    pub(crate) fn short_iri(iri: &str) -> Self {
        let known = PREFIXES.iter().find_map(|(prefix, begins)| Some((*prefix, iri.strip_prefix(begins)?)));
        match known.filter(|(_, rest)| !rest.is_empty()) {
            Some((prefix, rest)) => Self::of(WordKind::Prefixed(prefix), rest),
            None => Self::iri(iri),
        }
    }

    /// A state.
    pub(crate) fn tag(class: &'static str, text: &str) -> Self {
        Self::of(WordKind::Tag(class), text)
    }

    /// How much is done of all, with words for those who do not see it.
    pub(crate) fn progress(done: u64, total: u64, text: &str) -> Self {
        Self::of(WordKind::Progress(done, total), text)
    }

    /// With a link, if there is an address.
    #[must_use]
    pub(crate) fn to(mut self, href: Option<String>) -> Self {
        self.href = href.unwrap_or_default();
        self
    }

    /// Whether the link leads out of the site.
    pub(crate) fn is_outside(&self) -> bool {
        is_web(&self.href)
    }
}

/// Whether an IRI may be the address of a link: nothing but the web.
pub(crate) fn is_web(iri: &str) -> bool {
    let is_printable = |c: char| !c.is_control() && !c.is_whitespace();
    (iri.starts_with("http://") || iri.starts_with("https://")) && iri.chars().all(is_printable)
}

/// A number beside others, with its interval or fraction.
#[derive(Debug, Clone, Default)]
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) value: String,
    pub(crate) range: String,
}

/// A cell of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct SheetCell {
    pub(crate) line: WordLine,
    pub(crate) is_number: bool,
    /// A bar in place of words: how much of the cell it has, in hundredths.
    pub(crate) bar: Option<f64>,
}

impl From<WordLine> for SheetCell {
    fn from(line: WordLine) -> Self {
        Self { line, ..Self::default() }
    }
}

impl From<Words> for SheetCell {
    fn from(words: Words) -> Self {
        vec![words].into()
    }
}

impl SheetCell {
    /// A number.
    pub(crate) fn number(text: &str) -> Self {
        Self { line: vec![Words::plain(text)], is_number: true, bar: None }
    }

    /// A share of one as a bar: the number stands beside it.
    pub(crate) fn bar(share: f64) -> Self {
        Self { bar: Some(share.clamp(0.0, 1.0) * 100.0), ..Self::default() }
    }
}

/// A column of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct SheetHead {
    pub(crate) words: Words,
    pub(crate) is_number: bool,
}

impl SheetHead {
    /// A column of texts.
    pub(crate) fn text(name: &str) -> Self {
        Self { words: Words::plain(name), is_number: false }
    }

    /// A column of numbers.
    pub(crate) fn number(words: Words) -> Self {
        Self { words, is_number: true }
    }
}

/// A row of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct SheetRow {
    /// The place that links can lead to; empty: none.
    pub(crate) id: String,
    pub(crate) cells: Vec<SheetCell>,
}

impl From<Vec<SheetCell>> for SheetRow {
    fn from(cells: Vec<SheetCell>) -> Self {
        Self { id: String::new(), cells }
    }
}

impl SheetRow {
    /// Whether it has some words, which are in lower case.
    pub(crate) fn has_words(&self, wanted: &str) -> bool {
        let texts = self.cells.iter().flat_map(|cell| &cell.line).map(|one| one.text.as_str());
        texts.collect::<String>().to_lowercase().contains(wanted)
    }
}

/// A table; the first cell of a row names it.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageSheet {
    /// Its name on the page.
    pub(crate) id: String,
    pub(crate) caption: WordLine,
    pub(crate) heads: Vec<SheetHead>,
    pub(crate) rows: Vec<SheetRow>,
    /// Whether rows can be looked for by a word.
    pub(crate) is_filtered: bool,
    /// The word that they were looked for by.
    pub(crate) word: String,
    /// Whether it has some of its rows only: the others are on other pages.
    pub(crate) is_cut: bool,
    /// Whether it is closed until somebody opens it.
    pub(crate) is_folded: bool,
}

/// A cell of a matrix; nothing where its value is empty.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatrixCell {
    pub(crate) value: Words,
    /// What stands below the value.
    pub(crate) below: String,
    /// The class of its colour.
    pub(crate) class: &'static str,
    /// Whether no other value of the column is better.
    pub(crate) is_best: bool,
    /// Whether the value may mean something else.
    pub(crate) is_doubtful: bool,
    /// Whether it is a word that stands for a value.
    pub(crate) is_state: bool,
}

/// A table of values, by system and dataset.
#[derive(Debug, Clone, Default)]
pub(crate) struct SheetMatrix {
    /// Its name on the page.
    pub(crate) id: String,
    pub(crate) caption: WordLine,
    pub(crate) heads: Vec<WordLine>,
    pub(crate) rows: Vec<(WordLine, Vec<MatrixCell>)>,
}

/// A figure of a drawing: where it is stands in attributes, its colour is a class.
#[derive(Debug, Clone)]
pub(crate) enum StripShape {
    /// Class, x, y, width, height, and what it is about.
    Bar(&'static str, f64, f64, f64, f64, String),
    /// Class, and the outline of many bars that say nothing by themselves.
    Bars(&'static str, String),
    /// A line at a height, with its label.
    Level(f64, &'static str),
}

/// A drawing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strip {
    /// What it shows, for those who do not see it.
    pub(crate) label: String,
    /// What is seen of the plane.
    pub(crate) view_box: String,
    /// Whether it keeps its width on small screens, and scrolls.
    pub(crate) is_long: bool,
    pub(crate) shapes: Vec<StripShape>,
    /// Classes, and what they mean.
    pub(crate) key: Vec<(&'static str, String)>,
    pub(crate) caption: WordLine,
    /// Whether the caption is for those who do not see the drawing only.
    pub(crate) is_hidden: bool,
}

/// An item of gold and one of the system, or one of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ItemPair {
    pub(crate) gold: WordLine,
    pub(crate) system: WordLine,
    /// By which rule, and what it rests on.
    pub(crate) why: Vec<WordLine>,
}

/// A piece of a page.
#[derive(Debug, Clone)]
pub(crate) enum PagePiece {
    /// A paragraph, with its class.
    Text(&'static str, WordLine),
    /// A heading below that of the section, with its class.
    Heading(&'static str, String),
    /// A drawing.
    Strip(Strip),
    /// A plot of ours, as SVG, its id, heading and how it is read.
    Plot { id: String, title: String, svg: String, reading: Vec<String> },
    /// A table.
    Sheet(PageSheet),
    /// A matrix.
    Matrix(SheetMatrix),
    /// What is known: what, and the values.
    Facts(Vec<(Words, Vec<WordLine>)>),
    /// What makes numbers mean something else.
    Banner(WordLine),
    /// Code that can be copied; with the class of its language.
    Code(&'static str, String),
    /// Code side by side: the headings and the codes of each side, with the class of their language.
    Sides(&'static str, [Vec<(String, String)>; 2]),
    /// A list.
    List(Vec<WordLine>),
    /// Where to go: links, each with what is there.
    Ways(Vec<(Words, &'static str)>),
    /// Steps that follow each other, with their names.
    Chain(Vec<(String, WordLine)>),
    /// A list of short words side by side.
    Names(Vec<WordLine>),
    /// The form of the endpoint.
    Editor(QueryEditor),
    /// A form.
    Form(WebForm),
    /// What is well, or only to be known: the class of its colour, and the words.
    Notice(&'static str, WordLine),
    /// Why something did not come about: a heading, what is wrong, lines of a text where it is.
    Failure(String, Vec<String>, String),
    /// The lines of a file, each with its number.
    Numbered(Vec<String>),
    /// What is wrong with a form: a title, and of each field its name and why; what else is said.
    Problems(String, Vec<(String, String)>, Vec<String>),
    /// Items in both (`both`), of gold only (`missed`), of the system only (`extra`).
    Items(&'static str, &'static str, Vec<ItemPair>),
}

/// The form of the endpoint: a text area, in colours where there is script.
#[derive(Debug, Clone)]
pub(crate) struct QueryEditor {
    /// Where it is sent.
    pub(crate) action: String,
    pub(crate) query: String,
    /// Columns that are given, and their terms.
    pub(crate) bindings: Vec<(String, String)>,
    pub(crate) seconds: u64,
    pub(crate) most_seconds: u64,
    /// What can be chosen as format: the word in the address, and the name.
    pub(crate) forms: Vec<(&'static str, &'static str)>,
}

impl PageSheet {
    /// The table with a link to its query at the end of its caption.
    pub(crate) fn with_query(mut self, query: [Words; 2]) -> Self {
        self.caption.extend(query);
        self
    }
}

impl PagePiece {
    /// Code that can be copied, of several lines; with the class of its language.
    pub(crate) fn code(class: &'static str, code: &str) -> Self {
        Self::Code(class, text::lines(code).into_owned())
    }

    /// Code of two sides, each with its heading; with the class of its language. Nothing where there is none.
    pub(crate) fn sides(class: &'static str, sides: [(&str, &[String]); 2]) -> Option<Self> {
        let side = |(name, codes): (&str, &[String])| {
            codes.iter().map(|code| (name.to_owned(), text::lines(code).into_owned())).collect()
        };
        let sides: [Vec<(String, String)>; 2] = sides.map(side);
        sides.iter().any(|side| !side.is_empty()).then_some(Self::Sides(class, sides))
    }

    /// A paragraph.
    pub(crate) fn text(line: WordLine) -> Self {
        Self::Text("", line)
    }

    /// A paragraph of ours.
    pub(crate) fn said(text: &str) -> Self {
        Self::text(vec![Words::plain(text)])
    }
}

/// A part of a page with a heading.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) pieces: Vec<PagePiece>,
}

impl Section {
    /// A section.
    pub(crate) fn new(id: &str, title: &str, pieces: Vec<PagePiece>) -> Self {
        Self { id: id.to_owned(), title: title.to_owned(), pieces }
    }
}

/// What stands on a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct SitePage {
    /// The title of the window.
    pub(crate) title: String,
    /// What kind of thing it is about.
    pub(crate) kicker: String,
    pub(crate) heading: WordLine,
    pub(crate) lead: WordLine,
    /// What most come for, as buttons: the first page has some.
    pub(crate) doors: Vec<Words>,
    /// The way from the home page, without that and without the page itself.
    pub(crate) crumbs: Vec<Words>,
    /// The pages before and behind it.
    pub(crate) neighbours: [Option<Words>; 2],
    pub(crate) figures: Vec<Figure>,
    /// Whether the statements about the thing can be had.
    pub(crate) has_statements: bool,
    pub(crate) pieces: Vec<PagePiece>,
    pub(crate) sections: Vec<Section>,
    /// Where it is told that the pieces are others now, and how often they have changed; nothing: they stay.
    pub(crate) live: Option<(String, u64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_web_only() {
        for (iri, is) in [
            ("https://example.org/a", true),
            ("http://example.org/ü", true),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("https://a b", false),
            ("https://a\u{0}", false),
        ] {
            assert_eq!(is_web(iri), is, "{iri}");
        }
        let words = Words::short_iri("http://dbpedia.org/resource/A<b");
        assert_eq!((words.kind, words.text.as_str()), (WordKind::Prefixed("dbr"), "A<b"));
        for whole in ["http://dbpedia.org/resource/", "http://example.org/a"] {
            assert_eq!(Words::short_iri(whole), Words::iri(whole));
        }
        assert_eq!(Words::foreign("a\u{202e}\u{0}b").text, "a\\u{202e}\\u{0}b");
    }
}
