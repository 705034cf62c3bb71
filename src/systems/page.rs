//! Replies that are web pages: what is read of them is chosen by CSS selectors, as the description of a protocol says.

use memchr::{memchr, memchr_iter};
use scraper::{ElementRef, Html, Selector};

use crate::base::error::{Error, Result};
use crate::sources::failure_kind::FailureKind;
use crate::systems::failure::AskFailure;

/// How deep a page may be: parsing takes time with the square of it.
const DEEPEST: usize = 4000;

/// Elements of a page, and what of them is read: `h3 > a @href` an attribute, `pre @own-text` the text without that of
/// inner elements, `span` all text.
#[derive(Debug, Clone, PartialEq)]
pub struct PageSelection {
    selector: Selector,
    part: SelectedPart,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum SelectedPart {
    Text,
    OwnText,
    Attribute(String),
}

impl PageSelection {
    /// Reads a selection.
    ///
    /// # Errors
    /// Where the selector is no CSS.
    pub fn parse(text: &str) -> Result<Self> {
        let (selector, part) = match text.rsplit_once(" @") {
            Some((selector, "own-text")) => (selector, SelectedPart::OwnText),
            Some((selector, name)) => (selector, SelectedPart::Attribute(name.to_owned())),
            None => (text, SelectedPart::Text),
        };
        let selector = Selector::parse(selector).map_err(|error| {
            Error::input(format!("`{selector}` selects nothing of a page: {error}"))
                .allowed("a CSS selector; behind it ` @NAME` for an attribute, ` @own-text` for text without inner elements")
        })?;
        Ok(Self { selector, part })
    }

    /// The texts that are selected, in the order of the page, without empty ones.
    ///
    /// # Errors
    /// Where the page is nested too deep to be read.
    pub fn texts(&self, page: &str) -> std::result::Result<Vec<String>, AskFailure> {
        if depth(page) > DEEPEST {
            let message = format!("the elements of the page are nested more than {DEEPEST} deep");
            return Err(AskFailure::new(FailureKind::Shape, message));
        }
        let page = Html::parse_document(page);
        let texts = page.select(&self.selector).filter_map(|element| self.part.of(element));
        Ok(texts.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect())
    }
}

impl SelectedPart {
    fn of(&self, element: ElementRef<'_>) -> Option<String> {
        match self {
            Self::Text => Some(element.text().collect()),
            Self::OwnText => {
                let own = element.children().filter_map(|child| child.value().as_text());
                Some(own.map(|text| &**text).collect())
            }
            Self::Attribute(name) => element.value().attr(name).map(str::to_owned),
        }
    }
}

/// Whether a text is a page.
pub fn is_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(15).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Elements without an end tag, or whose end tag may be missing: a further one ends the last.
const WITHOUT_END: [&str; 30] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "html", "head", "body", "p", "li", "dt", "dd", "option", "caption", "colgroup", "thead", "tbody",
    "tfoot", "tr", "td", "th",
];

/// The most elements that were open at the same time, if each ends where its own end tag stands.
fn depth(page: &str) -> usize {
    let (mut open, mut deepest): (Vec<&str>, usize) = (Vec::new(), 0);
    let mut drawings = 0_usize;
    let mut rest = page;
    while let Some(at) = memchr(b'<', rest.as_bytes()) {
        rest = &rest[at + 1..];
        if rest.starts_with("!--") {
            let Some(behind) = behind_comment(rest) else { break };
            rest = behind;
            continue;
        }
        let (is_end, tag) = rest.strip_prefix('/').map_or((false, rest), |tag| (true, tag));
        let name = &tag[..tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(tag.len())];
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let is_drawing = is("svg") || is("math");
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || WITHOUT_END.into_iter().any(is) {
            continue;
        }
        if is_end {
            // What ends something else may end nothing.
            if open.last().copied().is_some_and(is) {
                open.pop();
                drawings -= usize::from(is_drawing);
            }
        } else if drawings == 0 && !is_drawing || !ends_itself(tag) {
            open.push(name);
            drawings += usize::from(is_drawing);
            deepest = deepest.max(open.len());
        }
    }
    deepest
}

/// What follows a comment.
fn behind_comment(text: &str) -> Option<&str> {
    let ends = |at: &usize| text[..*at].ends_with("--") || *at > 4 && text[..*at].ends_with("--!");
    memchr_iter(b'>', text.as_bytes()).find(ends).map(|at| &text[at + 1..])
}

/// Whether a tag ends with `/>`, as it may within drawings and formulas.
fn ends_itself(tag: &str) -> bool {
    tag.find(['<', '>']).is_some_and(|end| tag[end..].starts_with('>') && tag[..end].ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<html><body><h3><a href='http://a/1'>one</a></h3><h3><a>two</a></h3>\
        <pre><b>inner</b>own &lt;text&gt;</pre></body></html>";

    #[test]
    fn parts_of_a_page_are_selected() {
        let texts = |text: &str| PageSelection::parse(text).unwrap().texts(PAGE).unwrap();
        assert_eq!(texts("h3 > a @href"), ["http://a/1"]);
        assert_eq!(texts("h3"), ["one", "two"]);
        assert_eq!(texts("pre @own-text"), ["own <text>"]);
        assert!(texts("p").is_empty());
        assert!(PageSelection::parse("h3 >> [").unwrap_err().to_string().contains("selects nothing"));
    }

    #[test]
    fn a_page_that_is_nested_too_deep_is_a_failure() {
        let selection = PageSelection::parse("div").unwrap();
        let failure = selection.texts(&"<div>".repeat(1_000_000)).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Shape);
        assert!(failure.message.contains("more than 4000 deep"), "{}", failure.message);
        assert_eq!(selection.texts(&"<p><div>a</div><br>".repeat(5000)).unwrap().len(), 5000);
    }

    #[test]
    fn pages_are_known_by_their_beginning() {
        assert!(is_page("\n<!DOCTYPE html><p>") && is_page("<HTML>"));
        assert!(!is_page("<?xml version='1.0'?><sparql>") && !is_page("{}"));
    }

    #[test]
    fn what_is_open_is_counted() {
        for (page, expected) in [
            ("<!DOCTYPE html><html><body><div><p>a<p>b<br><span>c</span></div><table><tr><td>d</table>", 2),
            ("<ul><li>a<li>b<ul><li>c</ul></ul> 1 < 2 <", 2),
            ("<DIV></div><div></div>", 1),
            ("<div/><div/><div/>", 3),
            ("<svg><path/><path/><g><path/></g></svg><b></b>", 2),
            ("<div><object></div></object><div><object></div></object>", 3),
            ("<!--<i><i>--><!--><b></b><!-- x --!><u></u><!-- <i><i>", 1),
            ("<div><!-- </div> --><div><!-- </div> -->", 2),
            ("", 0),
        ] {
            assert_eq!(depth(page), expected, "{page}");
        }
    }
}
