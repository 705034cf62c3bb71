//! Reading: which reply an address has. An IRI `B x` is answered at the address `P x`, where the server is at `P`.

use std::path::Path;
use std::time::Duration;

use axum::http::header::{CONTENT_LOCATION, CONTENT_TYPE, HeaderMap, HeaderValue, LINK, RANGE};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use tokio::time::timeout;

use crate::base::error::{Error, Result};
use crate::base::iri::segment;
use crate::report::forms::signposting::{LONGEST_HEADER, in_header};
use crate::serve::endpoint::GRAPH_STORE;
use crate::serve::makers::{MakingFailure, ShownArchive, WatchedArchive};
use crate::serve::place::ServerPlace;
use crate::serve::replies::{
    HttpProblem, READING, liked, moved, other_method, ranged, reply, see, tagged, unmade, varying,
};
use crate::serve::shapes::API;
use crate::site::asset::Asset;
use crate::site::chosen::{DatasetChoice, ResultChoice};
use crate::site::compare::CompareChoice;
use crate::site::endpoint::Refusal;
use crate::site::evaluation::chosen::QuestionChoice;
use crate::site::route::{ListPage, PageForm, Route};
use crate::site::rows::{ROWS, WantedRows};
use crate::site::{HeadLink, ServedPage, Site};
use crate::sources::archive::stored::{StoredFile, input_path};

/// So many records of a file are named in its header.
const MOST_RECORDS: usize = 20;

/// What the IRI of a file gives: its bytes, unless its page or what is said of it is liked better.
const OF_FILES: [&str; 7] = [
    "application/octet-stream",
    "text/html",
    "text/turtle",
    "application/n-quads",
    "application/trig",
    "application/n-triples",
    "application/ld+json",
];

/// So long somebody waits until others were compared.
const LONGEST_TURN: Duration = Duration::from_secs(20);

/// Pages that do something for their reader, and are something to read only where they are files.
const DOORS: [ListPage; 8] = [
    ListPage::Results,
    ListPage::Datasets,
    ListPage::Search,
    ListPage::Compare,
    ListPage::Sparql,
    ListPage::Check,
    ListPage::New,
    ListPage::About,
];

/// The media types of data that no reader takes for a page.
const HARMLESS: [&str; 8] = [
    "application/json",
    "application/ld+json",
    "application/n-quads",
    "application/n-triples",
    "application/gzip",
    "text/csv",
    "text/tab-separated-values",
    "text/turtle",
];

/// What is named by the checksum of its content never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// What may change is asked for again, and often not sent again.
const ASK_AGAIN: &str = "no-cache";

/// Answers a request for something to read, by its path behind that of the server.
pub(crate) async fn answer(
    makers: &WatchedArchive,
    place: &ServerPlace,
    path: &str,
    request: &Parts,
) -> Response {
    let other = other_method(&request.method, READING, ("method", "this address is for reading"));
    if let Some(other) = other {
        return other;
    }
    let mut headers = request.headers.clone();
    // Only GET has parts (RFC 9110, section 14.2).
    if request.method == Method::HEAD {
        headers.remove(RANGE);
    }
    let query = request.uri.query().unwrap_or_default().to_owned();
    let asked = PageRequest { path: normal(path), query, headers, place: place.url.clone() };
    let makers = makers.makers();
    // What computes much is made one after the other: others read meanwhile.
    let turn = is_comparing(path).then(|| timeout(LONGEST_TURN, makers.turn()));
    let _turn = match turn {
        Some(turn) => match turn.await {
            Ok(turn) => Some(turn),
            Err(_) => return unmade(MakingFailure::Busy).reply(),
        },
        None => None,
    };
    let made = makers.make(move |shown| asked.reply(shown)).await;
    made.unwrap_or_else(|failure| unmade(failure).reply())
}

/// Whether evaluations are compared at a path.
pub(crate) fn is_comparing(path: &str) -> bool {
    without_ending(&normal(path)) == ListPage::Compare.name()
}

/// The path without its ending, where a server does more than a file can: links have the endings of files.
pub(crate) fn without_ending(path: &str) -> &str {
    let bare = path.strip_suffix(".html").filter(|bare| DOORS.iter().any(|door| door.name() == *bare));
    bare.unwrap_or(path)
}

/// A request for a page or a file.
struct PageRequest {
    /// The path behind that of the server, encoded as IRIs are.
    path: String,
    /// What is behind `?`.
    query: String,
    headers: HeaderMap,
    /// What the addresses of the server begin with.
    place: String,
}

/// The forms that only records have, and their files.
const OF_RECORDS: [(&str, &str); 3] = [
    ("application/vnd.datacite.datacite+json", "metadata/datacite.json"),
    ("application/linkset+json", "linkset.json"),
    ("text/csv", TABLE),
];

/// The table of a record with measures over questions.
const TABLE: &str = "tables/aggregates.csv";

impl PageRequest {
    fn reply(&self, shown: &ShownArchive<'_>) -> Response {
        self.found(shown).unwrap_or_else(|error| HttpProblem::told(error).reply())
    }

    fn found(&self, shown: &ShownArchive<'_>) -> Result<Response> {
        // Their names are checksums: they are not made for every page.
        if self.path.starts_with("static/")
            && let Some(asset) = Asset::find(&self.path)
        {
            return Ok(self.unchanging(asset.media_type, asset.text.as_bytes().to_vec()));
        }
        if let Some(file) = self.file(shown)? {
            return Ok(self.with_records(shown, file));
        }
        if let Some(chosen) = self.chosen(shown)? {
            return Ok(chosen);
        }
        let found = match shown.site.find(&self.path)? {
            Some(found) => Some(found),
            None => shown.site.find_file(&self.path)?.map(|(route, form)| (route, Some(form))),
        };
        match found {
            // Files are named by their last segment: the way in is called by its folder.
            Some((Route::Home, Some(PageForm::Html) | None)) if !self.path.is_empty() => {
                Ok(moved(&self.place))
            }
            Some((route, form)) => self.page(shown, &route, form),
            None => self.absent(shown),
        }
    }

    /// A file with links to the records that have it, and the media type that they state where that is no page of a stranger.
    fn with_records(&self, shown: &ShownArchive<'_>, mut reply: Response) -> Response {
        let Some(stated) = shown.stated.get(&decoded(&self.path)) else { return reply };
        let links: Vec<String> =
            stated.of.iter().take(MOST_RECORDS).map(|(iri, relation)| link(relation, iri, "")).collect();
        if let Ok(links) = HeaderValue::from_str(&links.join(", ")) {
            reply.headers_mut().insert(LINK, links);
        }
        let is_of_record = self.path.contains("/file/") && !self.path.starts_with("files/");
        let is_data = HARMLESS.iter().any(|known| stated.media_type.starts_with(known));
        if (is_of_record || is_data)
            && reply.status() == StatusCode::OK
            && let Ok(media_type) = HeaderValue::from_str(&stated.media_type)
            && !stated.media_type.is_empty()
        {
            reply.headers_mut().insert(CONTENT_TYPE, media_type);
        }
        reply
    }

    /// A list by what its reader looks for, or the one thing that he names.
    fn chosen(&self, shown: &ShownArchive<'_>) -> Result<Option<Response>> {
        const HTML: &str = "text/html; charset=utf-8";
        let page = match without_ending(&self.path) {
            "results" => ServedPage::Results(ResultChoice::parse(&self.query)),
            "datasets" => ServedPage::Datasets(DatasetChoice::parse(&self.query)),
            path if is_comparing(path) => ServedPage::Compare(CompareChoice::parse(&self.query)),
            "search" => {
                let mut pairs = form_urlencoded::parse(self.query.as_bytes());
                let words = pairs.find_map(|(name, value)| (name == "q").then(|| value.trim().to_owned()));
                let Some(words) = words.filter(|words| !words.is_empty()) else { return Ok(None) };
                if let Some(path) = shown.site.meant(&words) {
                    return Ok(Some(see(&format!("{}{path}", self.place))));
                }
                ServedPage::Found(words)
            }
            _ => match self.rows(shown)? {
                Some(page) => page,
                None => return Ok(None),
            },
        };
        let path = without_ending(&self.path);
        // Who names the form has it, whatever he accepts.
        if path == self.path && liked(&self.headers, &["text/html"]).is_none() {
            return Ok(None);
        }
        match shown.site.served(path, &page) {
            Ok(page) => Ok(Some(self.changing(HTML, page.into_bytes()))),
            Err(error) => refused(shown.site, &self.headers, path, &HttpProblem::told(error)).map(Some),
        }
    }

    /// A page with some of the rows of its tables, where a reader says which; what a script does, for who has none.
    fn rows(&self, shown: &ShownArchive<'_>) -> Result<Option<ServedPage>> {
        let rows = WantedRows::parse(&self.query);
        // There may be as many as somebody has sent.
        if without_ending(&self.path) == "systems"
            && (shown.archived.evaluations.len() > ROWS || rows != WantedRows::default())
        {
            return Ok(Some(ServedPage::Filtered(Route::List(ListPage::Systems), rows)));
        }
        let Some(choice) = QuestionChoice::parse(&self.query) else { return Ok(None) };
        Ok(match shown.site.find(&self.path)? {
            Some((Route::Evaluation(key), Some(PageForm::Html) | None)) => {
                let is_here = !shown.site.is_withdrawn(&Route::Evaluation(key.clone()));
                is_here.then_some(ServedPage::Questions(key, choice))
            }
            Some((route, Some(PageForm::Html) | None)) if !rows.words.is_empty() => {
                Some(ServedPage::Filtered(route, rows))
            }
            _ => None,
        })
    }

    /// A file that is no page: of the archive, of a record, about the site.
    fn file(&self, shown: &ShownArchive<'_>) -> Result<Option<Response>> {
        let path = decoded(&self.path);
        // The catalogue is one of the lists.
        let is_catalogue =
            path == "catalog" && liked(&self.headers, &["text/html", "text/turtle"]) == Some(1);
        let path = if is_catalogue { "catalog.ttl".to_owned() } else { path };
        if let Some(bytes) = shown.public.list(&path, shown.site, &self.place)? {
            return Ok(Some(self.changing(media_type(&path), bytes)));
        }
        // The bytes of an input, by their checksum: programs have them, browsers the page about them.
        if let Some(sha256) = path.strip_prefix("file/sha256/").filter(|rest| !rest.contains(['/', '.']))
            && liked(&self.headers, &OF_FILES).is_none_or(|best| best == 0)
            && let Some(file) = shown.public.file(&input_path(sha256))
        {
            return self.stored(&file, "").map(varying).map(Some);
        }
        if let Some(file) = shown.public.file(&path) {
            return self.stored(&file, &path).map(Some);
        }
        // What all records of a site use is kept once.
        if let Some((_, name)) = path.split_once("/file/")
            && shown.public.file(name).is_some()
        {
            return Ok(Some(moved(&format!("{}{name}", self.place))));
        }
        let Some(file) = shown.record_file(&path)? else { return Ok(None) };
        let bytes = std::fs::read(&file).map_err(|error| Error::io("read", &file, &error))?;
        Ok(Some(self.changing(media_type(&path), bytes)))
    }

    fn stored(&self, file: &StoredFile, path: &str) -> Result<Response> {
        let bytes = file.content()?;
        // Texts of strangers are never pages of this site.
        let media_type = if path.starts_with("files/") || path.is_empty() {
            "application/octet-stream"
        } else {
            media_type(path)
        };
        let is_fixed = !path.starts_with("records/");
        let whole = |bytes| {
            if is_fixed { self.unchanging(media_type, bytes) } else { self.changing(media_type, bytes) }
        };
        Ok(self.in_parts(bytes, whole))
    }

    /// A reply of bytes, or of the part that is asked for: only who asks for one has them copied.
    fn in_parts(&self, bytes: Vec<u8>, whole: impl FnOnce(Vec<u8>) -> Response) -> Response {
        let copy = if self.headers.contains_key(RANGE) { bytes.clone() } else { Vec::new() };
        ranged(&self.headers, whole(bytes), &copy)
    }

    /// A page in the form that is asked for, or that its reader likes best.
    fn page(&self, shown: &ShownArchive<'_>, route: &Route, form: Option<PageForm>) -> Result<Response> {
        // Its parts have no pages.
        if shown.site.is_withdrawn_with(route)
            && let Some(path) = shown.site.withdrawn_around(&self.path)
        {
            let gone = HttpProblem::withdrawn(&self.place, path);
            return refused(shown.site, &self.headers, &self.path, &gone);
        }
        let mut forms = Site::forms(route);
        // A vocabulary is for programs, unless somebody wants to see it.
        if matches!(route, Route::Terms(_) | Route::Term(..)) {
            forms.sort_by_key(|form| *form != PageForm::Turtle);
        }
        let iri = shown.site.linker().iri(route);
        let is_record = form.is_none()
            && !shown.site.is_withdrawn(route)
            && shown.public.records.iter().any(|one| one.iri == iri);
        let of_record = if is_record { &OF_RECORDS[..] } else { &[] };
        let media_types: Vec<&str> = forms
            .iter()
            .map(|form| form.media_type())
            .chain(of_record.iter().map(|(media_type, _)| *media_type))
            .collect();
        let best = liked(&self.headers, &media_types);
        if let Some((_, file)) = best.and_then(|at| of_record.get(at.checked_sub(forms.len())?)) {
            return Ok(varying(see(&format!("{}{}/file/{file}", self.place, self.path))));
        }
        let liked = || best.and_then(|at| forms.get(at).copied());
        let chosen = form.filter(|form| forms.contains(form)).or_else(|| form.map_or_else(liked, |_| None));
        let Some(chosen) = chosen else {
            if form.is_some() {
                return self.absent(shown);
            }
            let title = "this is in none of the forms that are accepted";
            let problem = HttpProblem::new(StatusCode::NOT_ACCEPTABLE, "not-acceptable", title);
            return Ok(varying(problem.allowed(&media_types.join(", ")).reply()));
        };
        // The IRI of a graph is the graph; the page with an ending says what it is.
        if form.is_none()
            && chosen == PageForm::NQuads
            && let Some(graph) = shown.graph(&iri)
        {
            let whole = |bytes| self.changing(chosen.media_type(), bytes);
            return Ok(varying(self.in_parts(graph.content()?, whole)));
        }
        let rendered = shown.rendered(route, chosen)?;
        let typed = shown.public.links_of(shown.site, &iri);
        // It is gone, whatever somebody has of it; its page, in every form, tells why.
        let mut reply = if shown.site.is_withdrawn(route) {
            reply(StatusCode::GONE, chosen.media_type(), rendered.bytes.clone())
        } else {
            self.tagged(chosen.media_type(), rendered.bytes.clone(), &rendered.etag, ASK_AGAIN)
        };
        let links = links(&format!("{}{}", self.place, self.path), (&iri, route), &forms, &typed);
        let headers = reply.headers_mut();
        if let Ok(links) = HeaderValue::from_str(&links) {
            headers.insert(LINK, links);
        }
        if let Some(name) = route.file(chosen).last()
            && let Ok(name) = HeaderValue::from_str(&segment(name))
        {
            headers.insert(CONTENT_LOCATION, name);
        }
        Ok(varying(reply))
    }

    /// There is nothing.
    fn absent(&self, shown: &ShownArchive<'_>) -> Result<Response> {
        if let Some(shorter) = self.path.strip_suffix('/').filter(|shorter| !shorter.ends_with('/'))
            && shown.site.find(shorter)?.is_some()
        {
            return Ok(moved(&format!("{}{shorter}", self.place)));
        }
        // Other names of what is here.
        let parts: Vec<&str> = self.path.split('/').collect();
        let other = match parts.as_slice() {
            ["measure" | "rule" | "experiment-type", name] => Some(format!("code/{name}")),
            ["rules" | "experiment-types" | "measures"] => Some("code".to_owned()),
            ["query", name] => Some(format!("query/report/{name}")),
            _ => None,
        };
        if let Some(other) = other
            && shown.site.find(&other)?.is_some()
        {
            return Ok(moved(&format!("{}{other}", self.place)));
        }
        // All numbers of what is published, and a table of them.
        if let ["evaluation", name] = parts.as_slice()
            && let Some((key, ending @ ("json" | "csv"))) = name.split_once('.')
            && shown.public.records.iter().any(|one| one.iri.ends_with(&format!("/evaluation/{key}")))
        {
            return Ok(see(&match ending {
                "json" => format!("{}{API}/evaluations/{key}", self.place),
                _ => format!("{}evaluation/{key}/file/{TABLE}", self.place),
            }));
        }
        // Graphs that many things are told of in are read by the endpoint.
        let mint = shown.archived.archive.mint();
        let iri = format!("{}{}", shown.site.linker().base(), self.path);
        if [mint.catalogue_graph(), mint.patterns_graph()].contains(&iri) {
            let graph: String = form_urlencoded::byte_serialize(iri.as_bytes()).collect();
            return Ok(see(&format!("{}{GRAPH_STORE}?graph={graph}", self.place)));
        }
        // Of a part without a page of its own, that of the whole tells (W3C, Cool URIs for the Semantic Web, section 4).
        if let Some(above) = shown.site.told_at(&self.path)? {
            return Ok(varying(see(&format!("{}{above}", self.place))));
        }
        let problem = match shown.site.withdrawn_with(&self.path) {
            Some(path) => HttpProblem::withdrawn(&self.place, path),
            None => HttpProblem::of(
                StatusCode::NOT_FOUND,
                "not-found",
                Error::input("there is nothing at this address")
                    .hint("the search finds what is here by its name, its key or its IRI"),
            ),
        };
        refused(shown.site, &self.headers, &self.path, &problem)
    }

    fn unchanging(&self, media_type: &str, bytes: Vec<u8>) -> Response {
        let tag = Site::tag(&bytes);
        self.tagged(media_type, bytes, &tag, FOR_EVER)
    }

    fn changing(&self, media_type: &str, bytes: Vec<u8>) -> Response {
        let tag = Site::tag(&bytes);
        self.tagged(media_type, bytes, &tag, ASK_AGAIN)
    }

    /// A reply with a validator, without the bytes where the reader has them.
    fn tagged(&self, media_type: &str, bytes: Vec<u8>, tag: &str, caching: &'static str) -> Response {
        tagged(&self.headers, (media_type, bytes), tag, caching)
    }
}

/// A refusal in the form that the reader likes: a page, or the problem for programs.
pub(crate) fn refused(
    site: &Site<'_>,
    headers: &HeaderMap,
    path: &str,
    problem: &HttpProblem,
) -> Result<Response> {
    if liked(headers, &["text/html", "application/problem+json", "application/json"]) != Some(0) {
        return Ok(varying(problem.reply()));
    }
    let status = problem.code_of_http();
    let refusal = Refusal { status: status.as_u16(), title: problem.title(), error: problem.error().clone() };
    Ok(varying(problem.with("text/html; charset=utf-8", site.served(path, &ServedPage::Refusal(refusal))?)))
}

/// The typed links of a page (RFC 8288), as many as a header may have: what others describe comes first. They are whole addresses:
/// not every reader knows where a short one begins. `place` is the address of the page.
fn links(place: &str, (iri, route): (&str, &Route), forms: &[PageForm], typed: &[HeadLink]) -> String {
    let place = url::Url::parse(place).ok();
    let whole = |href: &str| {
        let joined = place.as_ref().and_then(|place| place.join(href).ok());
        joined.map_or_else(|| href.to_owned(), String::from)
    };
    let own = typed.iter().map(|(relation, href, media_type)| link(relation, &whole(href), media_type));
    let alternates = forms.iter().filter_map(|form| {
        let name = route.file(*form).pop()?;
        let media_type = form.media_type().split(';').next().unwrap_or_default();
        Some(link("alternate", &whole(&segment(&name)), media_type))
    });
    let canonical = link("canonical", iri, "");
    let mut all = String::new();
    for one in [canonical].into_iter().chain(own).chain(alternates) {
        if all.len() + one.len() + 2 <= LONGEST_HEADER {
            let comma = if all.is_empty() { "" } else { ", " };
            all.extend([comma, &one]);
        }
    }
    all
}

fn link(relation: &str, href: &str, media_type: &str) -> String {
    let href = in_header(href);
    let media_type = if media_type.is_empty() { String::new() } else { format!("; type=\"{media_type}\"") };
    format!("<{href}>; rel=\"{relation}\"{media_type}")
}

/// A path that is encoded as those of IRIs are: `%2E` is a dot, `%2f` is `%2F`. What is no text stays as it is, and is the path
/// of nothing.
fn normal(path: &str) -> String {
    let one = |part: &str| {
        percent_encoding::percent_decode_str(part)
            .decode_utf8()
            .map_or_else(|_| part.to_owned(), |text| segment(&text))
    };
    path.split('/').map(one).collect::<Vec<_>>().join("/")
}

/// A path with its segments decoded once.
fn decoded(path: &str) -> String {
    percent_encoding::percent_decode_str(path)
        .decode_utf8()
        .map(std::borrow::Cow::into_owned)
        .unwrap_or_default()
}

/// The media type of a file of a record, by its ending.
fn media_type(path: &str) -> &'static str {
    if path.ends_with("linkset.json") {
        return "application/linkset+json";
    }
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let of_statements = PageForm::RDF.into_iter().find(|form| form.ending() == ending);
    if let Some(form) = of_statements {
        return form.media_type();
    }
    match ending {
        "json" => "application/json",
        "csv" => "text/csv; charset=utf-8",
        "xml" => "application/xml",
        "atom" => "application/atom+xml",
        "bib" => "application/x-bibtex",
        "cff" | "yaml" => "application/yaml",
        "zip" => "application/zip",
        _ => "text/plain; charset=utf-8",
    }
}
