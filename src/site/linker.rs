//! Links: relative to the page that they stand on, and only to pages that this site has.

use std::collections::BTreeSet;

use percent_encoding::utf8_percent_encode;

use crate::base::iri::{DEFAULT_BASE, is_defined, segment};
use crate::site::graphs::ontology_lines;
use crate::site::route::{PageForm, Route, Vocabulary};

/// What a fragment may not have as it is.
const FRAGMENT: &percent_encoding::AsciiSet =
    &percent_encoding::CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');

/// The parts of an evaluation that have a page.
pub(crate) const PARTS: [&str; 4] = ["cube", "skipped", "slice", "term"];

/// Which pages there are.
#[derive(Debug, Clone)]
pub struct Linker {
    base: String,
    /// The pages of whole things.
    pages: BTreeSet<Route>,
    /// The paths of the datasets and submissions whose questions and answers have pages.
    open: BTreeSet<String>,
}

impl Linker {
    /// A site under a base IRI with these pages of whole things; the parts of those in `open`, by their paths, have pages too.
    pub fn new(base: &str, pages: BTreeSet<Route>, open: BTreeSet<String>) -> Self {
        Self { base: base.to_owned(), pages, open }
    }

    /// The base of all IRIs.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The pages of whole things, in order.
    pub fn pages(&self) -> impl Iterator<Item = &Route> {
        self.pages.iter()
    }

    /// Whether the site has a page. A part of a thing that is here is taken at its word.
    pub fn has(&self, route: &Route) -> bool {
        match route {
            Route::EvaluationPart(_, part) if !PARTS.contains(&part.as_str()) => false,
            Route::Observation(key, ..)
            | Route::Aggregates(key, ..)
            | Route::Questions(key, _)
            | Route::EvaluationPart(key, _) => self.pages.contains(&Route::Evaluation(key.clone())),
            Route::Question(slug, version, _) | Route::DatasetQuestions(slug, version, _) => {
                self.open.contains(&format!("dataset/{}/{}", segment(slug), segment(version)))
            }
            Route::Answer(key, _) => self.open.contains(&format!("submission/{}", segment(key))),
            _ => self.pages.contains(route),
        }
    }

    /// The path of an IRI behind the base.
    pub fn path<'i>(&self, iri: &'i str) -> Option<&'i str> {
        path_under(&self.base, iri)
    }

    /// The IRI that a page is about.
    pub fn iri(&self, route: &Route) -> String {
        match route {
            Route::Terms(vocabulary) => vocabulary.namespace().to_owned(),
            Route::Term(vocabulary, name) => format!("{}{name}", vocabulary.namespace()),
            _ => {
                let path = route.path();
                // Our terms have the same names everywhere, and pages on every site.
                let defined = Some(format!("{DEFAULT_BASE}{path}")).filter(|iri| is_defined(iri));
                defined.unwrap_or_else(|| format!("{}{path}", self.base))
            }
        }
    }

    /// The page that shows what has this IRI, and the place on it.
    pub fn showing(&self, iri: &str) -> Option<(Route, String)> {
        let vocabularies = [Vocabulary::Ns, Vocabulary::Code].into_iter();
        let mut terms = vocabularies.filter_map(|one| Some((one, iri.strip_prefix(one.namespace())?)));
        let found = match terms.next() {
            Some((vocabulary, name)) => {
                ontology_lines().has(iri).then(|| (Route::Term(vocabulary, name.to_owned()), String::new()))
            }
            None => Route::showing(self.path(iri)?),
        };
        found.filter(|(route, _)| self.has(route))
    }

    /// The address of a page in a form, from another page; nothing where there is none.
    pub fn href(&self, from: &Route, to: &Route, form: PageForm) -> Option<String> {
        self.has(to).then(|| relative(from, &to.file(form)))
    }

    /// The address of the page that shows what has this IRI; nothing where there is none.
    pub fn href_of(&self, from: &Route, iri: &str) -> Option<String> {
        let (route, place) = self.showing(iri)?;
        let page = if *from == route && !place.is_empty() {
            String::new()
        } else {
            self.href(from, &route, PageForm::Html)?
        };
        let hash = if place.is_empty() { "" } else { "#" };
        Some(format!("{page}{hash}{}", utf8_percent_encode(&place, FRAGMENT)))
    }
}

/// The path of an IRI behind a base; our terms have pages on every site.
pub(crate) fn path_under<'i>(base: &str, iri: &'i str) -> Option<&'i str> {
    iri.strip_prefix(if is_defined(iri) { DEFAULT_BASE } else { base })
}

/// The address of a file of the site, from a page.
pub(crate) fn relative(from: &Route, file: &[String]) -> String {
    let up = "../".repeat(from.file(PageForm::Html).len() - 1);
    let names: Vec<String> = file.iter().map(|name| segment(name)).collect();
    format!("{up}{}", names.join("/"))
}
