//! The endpoint: SPARQL 1.1 Protocol (W3C Recommendation of 2013) over what is published, for reading. Each query has a process
//! of its own, with limits; what takes more is an error, never a shorter answer.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsParser, SliceQueryResultsParserOutput};
use spargebra::Query;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::base::clock::Stopwatch;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::query::QueryFile;
use crate::base::watch::Watcher;
use crate::kb::remote::StoreAddress;
use crate::serve::description::{MOST_BYTES, MOST_ROWS, SPARQL, description};
use crate::serve::makers::WatchedArchive;
use crate::serve::place::{MOST_SENT, ServeSettings, ServerPlace};
use crate::serve::replies::{
    HttpProblem, READING, SENDING, holding, is_for_people, liked, other_method, reply, unmade, varying,
};
use crate::site::ServedPage;
use crate::site::endpoint::{EndpointPage, EndpointResult, ROWS};
use crate::sparql::lexer::tokens;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::written::ResultForm;
use crate::workbench::query::{QueryPlace, QueryText};

/// The path where graphs are read.
pub(crate) const GRAPH_STORE: &str = "graph-store";

/// KiB of results that slow readers may leave in memory together.
const MOST_UNREAD: usize = 256 << 10;

/// How many may wait for their turn.
const WAITING: usize = 16;

/// How long a query may take to load what it needs, beside the time that it runs.
const LOADING: Duration = Duration::from_secs(30);

/// How long a page gives a query when nothing is said.
const USUAL_SECONDS: u64 = 10;

/// The longest text of a query, in bytes.
const LONGEST_TEXT: usize = 64 << 10;

const HTML: &str = "text/html; charset=utf-8";

/// Who asks the endpoint, and how much each may take.
#[derive(Debug)]
pub(crate) struct QueryDesk {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    /// KiB of results that may wait until who asked has read them.
    unread: Arc<Semaphore>,
    seconds: u64,
    memory: u64,
    /// Which server finds what is asked of the archive, in place of the embedded store.
    store: Option<StoreAddress>,
}

/// What was asked by the protocol.
#[derive(Debug, Default)]
struct ProtocolRequest {
    query: Option<String>,
    default_graphs: Vec<String>,
    named_graphs: Vec<String>,
    format: Option<String>,
    seconds: Option<u64>,
    /// Columns that are given, and their terms.
    bindings: Vec<(String, String)>,
}

/// Waits for a query until it is no longer wanted.
#[derive(Debug, Default)]
struct QueryWatch {
    is_unwanted: AtomicBool,
    hints: std::sync::Mutex<Vec<String>>,
}

impl Watcher for QueryWatch {
    fn note_list(&self, text: &str, _: &[String]) {
        self.hints.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(text.to_owned());
    }

    fn is_cancelled(&self) -> bool {
        self.is_unwanted.load(Ordering::Relaxed)
    }
}

/// Ends a query that nobody waits for any more.
struct WantedQuery(Arc<QueryWatch>);

impl Drop for WantedQuery {
    fn drop(&mut self) {
        self.0.is_unwanted.store(true, Ordering::Relaxed);
    }
}

impl QueryDesk {
    pub(crate) fn new(settings: &ServeSettings) -> Self {
        Self {
            running: Arc::new(Semaphore::new(settings.queries)),
            waiting: Arc::new(Semaphore::new(settings.queries + WAITING)),
            unread: Arc::new(Semaphore::new(MOST_UNREAD)),
            seconds: settings.query_seconds,
            memory: settings.query_memory,
            store: settings.store.clone(),
        }
    }

    /// The seconds and the bytes of memory that a query has.
    pub(crate) fn limits(&self) -> (u64, u64) {
        (self.seconds, self.memory)
    }

    /// Answers a request of the protocol.
    pub(crate) async fn answer(
        &self,
        makers: &WatchedArchive,
        place: &ServerPlace,
        request: Request,
    ) -> Response {
        let title = "this is no method of an endpoint";
        if let Some(other) = other_method(request.method(), SENDING, ("method", title)) {
            return other;
        }
        let headers = request.headers().clone();
        // Who names the form has it, whatever he accepts.
        let is_page = Path::new(request.uri().path()).extension().is_some_and(|ending| ending == "html");
        let asked = match protocol_request(request).await {
            Ok(asked) => asked,
            Err(problem) if is_page || is_for_people(&headers) => {
                return self.refused((makers, place), &ProtocolRequest::default(), &problem).await;
            }
            Err(problem) => return varying(problem.reply()),
        };
        let wants_page = match asked.format.as_deref() {
            Some(format) => format == "html",
            None => is_page || is_for_people(&headers),
        };
        match &asked.query {
            None if wants_page => self.page((makers, place), &asked, None, StatusCode::OK).await,
            None => self.described(makers, place, &headers).await,
            Some(text) => {
                let found = self.found(makers, text, &asked, (wants_page, &headers)).await;
                match found {
                    Ok((_, text, hints)) if wants_page => {
                        let result = shown(&text).unwrap_or_else(EndpointResult::Failed);
                        self.page((makers, place), &asked, Some((result, hints)), StatusCode::OK).await
                    }
                    Ok((form, text, _)) => match self.held(text.len()) {
                        Ok(place) => varying(holding(found_now(form, text), place)),
                        Err(problem) => varying(problem.reply()),
                    },
                    Err(problem) if wants_page => self.refused((makers, place), &asked, &problem).await,
                    Err(problem) => varying(problem.reply()),
                }
            }
        }
    }

    /// Runs a query in a process of its own; gives the format, what was found, and what is worth saying.
    async fn found(
        &self,
        makers: &WatchedArchive,
        text: &str,
        asked: &ProtocolRequest,
        (wants_page, headers): (bool, &HeaderMap),
    ) -> Result<(ResultForm, String, Vec<String>), HttpProblem> {
        let forms = usual_forms(&checked(text, asked)?);
        let form = if wants_page { forms[0] } else { form_of(forms, asked, headers)? };
        self.run(makers, (text, form), asked).await
    }

    /// Reads a graph (SPARQL 1.1 Graph Store HTTP Protocol, section 5.2): `graph=IRI`, or `default`.
    pub(crate) async fn graph(&self, makers: &WatchedArchive, request: &Parts) -> Response {
        let title = "nobody changes here what was published";
        if let Some(other) = other_method(&request.method, READING, ("read-only", title)) {
            return other;
        }
        let read = self.graph_read(makers, request).await;
        varying(read.unwrap_or_else(|problem| problem.reply()))
    }

    async fn graph_read(&self, makers: &WatchedArchive, request: &Parts) -> Result<Response, HttpProblem> {
        let of_address = request.uri.query().unwrap_or_default();
        let named: Vec<(String, String)> = pairs(of_address.as_bytes());
        let (formats, named): (Vec<_>, Vec<_>) = named.into_iter().partition(|(name, _)| name == "format");
        let format = formats.into_iter().next().map(|(_, format)| format);
        let wanted = match named.as_slice() {
            [(name, graph)] if name == "graph" && !graph.is_empty() => Some(graph.clone()),
            [(name, value)] if name == "default" && value.is_empty() => None,
            _ => {
                let title = "the address does not say which graph";
                return Err(HttpProblem::new(StatusCode::BAD_REQUEST, "graph", title)
                    .allowed("`graph=IRI` or `default`, and `format`"));
            }
        };
        if let Some(graph) = wanted.clone() {
            let makers = makers.makers();
            let is_here = makers.make(move |shown| {
                let mint = shown.archived.archive.mint();
                let ours = [mint.catalogue_graph(), mint.ontology_graph(), mint.patterns_graph()];
                // What is kept in parts is one graph.
                let is_known = mint.whole_graph(&graph) == graph
                    && shown.archived.graphs.iter().any(|one| one.name == graph);
                ours.contains(&graph) || (is_known && shown.site.shows_graph(&graph))
            });
            if !is_here.await.map_err(unmade)? {
                return Err(HttpProblem::new(StatusCode::NOT_FOUND, "not-found", "there is no such graph")
                    .allowed("graphs that `void` names"));
            }
        }
        let default_graphs = wanted.into_iter().collect();
        let asked = ProtocolRequest { default_graphs, format, ..ProtocolRequest::default() };
        let form = form_of(&ResultForm::STATEMENTS, &asked, &request.headers)?;
        let query = QueryFile::find("store/statements").map_err(HttpProblem::told)?;
        let (form, text, _) = self.run(makers, (query.text, form), &asked).await?;
        let place = self.held(text.len())?;
        Ok(holding(found_now(form, text), place))
    }

    /// Has a process of its own answer a query in a form.
    async fn run(
        &self,
        makers: &WatchedArchive,
        (text, form): (&str, ResultForm),
        asked: &ProtocolRequest,
    ) -> Result<(ResultForm, String, Vec<String>), HttpProblem> {
        let _place = self.turn().await?;
        // No run that is private is sent anywhere.
        let there = self.store.clone().filter(|_| makers.is_public());
        let makers = makers.makers();
        let public = makers.public();
        let seconds = asked.seconds.unwrap_or(self.seconds).clamp(1, self.seconds);
        let place = QueryPlace {
            root: public.root().to_path_buf(),
            seconds,
            memory: Some(self.memory),
            with_links: false,
            there,
        };
        let question = QueryText {
            name: "the query".to_owned(),
            text: text.to_owned(),
            form: Some(form),
            rows: Some(MOST_ROWS),
            bytes: Some(MOST_BYTES),
            graphs: [asked.default_graphs.clone(), asked.named_graphs.clone()],
            bindings: asked.bindings.clone(),
        };
        let watch = Arc::new(QueryWatch::default());
        let wanted = WantedQuery(Arc::clone(&watch));
        let stopwatch = Stopwatch::start();
        let asking = Arc::clone(&watch);
        let work = tokio::task::spawn_blocking(move || {
            let found = place.ask(&question, &*asking);
            drop(public);
            found
        });
        let most = Duration::from_secs(seconds);
        let ended = tokio::time::timeout(most + LOADING, work).await;
        drop(wanted);
        let late = |error: Error| HttpProblem::of(StatusCode::GATEWAY_TIMEOUT, "time", at_home(error));
        match ended {
            Err(_) => {
                Err(late(Error::limit("the query was ended: it took too long, with all that it needs")))
            }
            Ok(Err(_)) => Err(HttpProblem::told(Error::system("a query was not asked to its end"))),
            Ok(Ok(Err(error))) if error.kind() == ErrorKind::Limit && stopwatch.elapsed() >= most => {
                Err(late(error))
            }
            Ok(Ok(Err(error))) if error.kind() == ErrorKind::Limit => Err(HttpProblem::told(at_home(error))),
            Ok(Ok(Err(error))) => Err(HttpProblem::told(error)),
            Ok(Ok(Ok(text))) => {
                let hints = watch.hints.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
                Ok((form, text, hints))
            }
        }
    }

    /// The place of a result, which it has until it is read.
    fn held(&self, bytes: usize) -> Result<OwnedSemaphorePermit, HttpProblem> {
        let size = u32::try_from(bytes >> 10).unwrap_or(u32::MAX);
        Arc::clone(&self.unread).try_acquire_many_owned(size).map_err(|_| {
            HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "too many results wait to be read")
                .hint("try again later; `LIMIT` makes a result smaller")
                .later(5)
        })
    }

    /// Waits until it is somebody's turn.
    async fn turn(&self) -> Result<[OwnedSemaphorePermit; 2], HttpProblem> {
        let busy = || {
            HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "too many queries wait for their turn")
                .hint("try again later; or with a copy of the archive, at home")
                .later(5)
        };
        let waits = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| busy())?;
        let runs = Arc::clone(&self.running).acquire_owned().await.map_err(|_| busy())?;
        Ok([waits, runs])
    }

    /// The page with the editor, and with why there is no result.
    async fn refused(
        &self,
        shown: (&WatchedArchive, &ServerPlace),
        asked: &ProtocolRequest,
        problem: &HttpProblem,
    ) -> Response {
        let failed = EndpointResult::Failed(problem.error().clone());
        self.page(shown, asked, Some((failed, Vec::new())), problem.code_of_http()).await
    }

    /// The page with the editor.
    async fn page(
        &self,
        (makers, place): (&WatchedArchive, &ServerPlace),
        asked: &ProtocolRequest,
        result: Option<(EndpointResult, Vec<String>)>,
        status: StatusCode,
    ) -> Response {
        let seconds = asked.seconds.unwrap_or(USUAL_SECONDS).clamp(1, self.seconds);
        let address = asked.address();
        let page = ServedPage::Endpoint(EndpointPage {
            query: asked.query.clone(),
            bindings: asked.bindings.clone(),
            seconds: [seconds, self.seconds],
            place: format!("{}{SPARQL}", place.url),
            result: result.map(|(result, hints)| (result, address, hints)),
        });
        let made = makers.makers().make(move |shown| shown.site.served(SPARQL, &page)).await;
        match made {
            Ok(Ok(page)) => varying(reply(status, HTML, page)),
            Ok(Err(error)) => HttpProblem::told(error).reply(),
            Err(failure) => unmade(failure).reply(),
        }
    }

    /// What the endpoint can do, and what it has.
    pub(crate) async fn described(
        &self,
        makers: &WatchedArchive,
        place: &ServerPlace,
        headers: &HeaderMap,
    ) -> Response {
        let makers = makers.makers();
        let graphs = makers.make(|shown| {
            let mint = shown.archived.archive.mint();
            let shows = shown.archived.graphs.iter().filter(|graph| shown.site.shows_graph(&graph.name));
            // Parts of a graph have statements in common: how many it has nobody has counted.
            let whole = shows.map(|graph| match mint.whole_graph(&graph.name) {
                name if name == graph.name => (graph.name.clone(), Some(graph.statements)),
                name => (name.to_owned(), None),
            });
            whole.collect::<BTreeMap<_, _>>().into_iter().collect::<Vec<_>>()
        });
        match graphs.await {
            Ok(graphs) => varying(description(place, headers, self.limits(), &graphs)),
            Err(failure) => unmade(failure).reply(),
        }
    }
}

impl ProtocolRequest {
    /// The same as a query string, without the format.
    fn address(&self) -> String {
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.extend_pairs(self.query.iter().map(|query| ("query", query)));
        address.extend_pairs(self.default_graphs.iter().map(|graph| ("default-graph-uri", graph)));
        address.extend_pairs(self.named_graphs.iter().map(|graph| ("named-graph-uri", graph)));
        address.extend_pairs(self.bindings.iter().map(|(name, term)| (format!("${name}"), term)));
        address.extend_pairs(self.seconds.map(|seconds| ("timeout", seconds.to_string())));
        address.finish()
    }
}

/// The reply of what was found, which may be another one later.
fn found_now(form: ResultForm, text: String) -> Response {
    let mut reply = reply(StatusCode::OK, form.media_type(), text);
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    reply
}

/// What a query that needs more than it may have can do: who asks here gives no program its options.
fn at_home(error: Error) -> Error {
    error.hint(
        "patterns that share no variable multiply each other; who has a copy of the archive asks it at home with limits of his own",
    )
}

/// Reads what was asked: in the address, in a form, or as the body itself.
async fn protocol_request(request: Request) -> Result<ProtocolRequest, HttpProblem> {
    let bad = |title: &str| HttpProblem::new(StatusCode::BAD_REQUEST, "protocol", title);
    let of_address = request.uri().query().unwrap_or_default().to_owned();
    let is_post = request.method() == Method::POST;
    let stated = request.headers().get(CONTENT_TYPE).and_then(|one| one.to_str().ok()).unwrap_or_default();
    let media_type = stated.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let body = to_bytes(request.into_body(), MOST_SENT).await.map_err(|_| {
        HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, "size", "the body is larger than a query can be")
    })?;
    let mut pairs: Vec<(String, String)> = pairs(of_address.as_bytes());
    match media_type.as_str() {
        _ if !is_post => {}
        "application/x-www-form-urlencoded" => pairs.extend(self::pairs(&body)),
        "application/sparql-query" => {
            let text = String::from_utf8(body.to_vec()).map_err(|_| bad("the query is no UTF-8"))?;
            pairs.push(("query".to_owned(), text));
        }
        "application/sparql-update" => return Err(no_updates()),
        _ => {
            return Err(HttpProblem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "media-type",
                "a query is not sent as this",
            )
            .allowed("application/sparql-query, application/x-www-form-urlencoded"));
        }
    }
    let mut asked = ProtocolRequest::default();
    for (name, value) in pairs {
        match name.as_str() {
            "query" if asked.query.is_some() => {
                return Err(bad("there are two queries").allowed("one `query`"));
            }
            "query" => asked.query = Some(value),
            // Ours: a query of the program by its name.
            "canned" if asked.query.is_none() => asked.query = Some(canned(&value)?),
            "default-graph-uri" => asked.default_graphs.push(value),
            "named-graph-uri" => asked.named_graphs.push(value),
            "format" => asked.format = Some(value),
            "timeout" => {
                let seconds = value.parse().ok().filter(|seconds| *seconds > 0);
                let seconds = seconds
                    .ok_or_else(|| bad("`timeout` is no number of seconds").allowed("a whole number from 1"));
                asked.seconds = Some(seconds?);
            }
            "update" | "using-graph-uri" | "using-named-graph-uri" => return Err(no_updates()),
            // Ours, as the servers of RDF4J have it: a column that is given.
            _ if value.is_empty() => {}
            _ => asked.bindings.extend(name.strip_prefix('$').map(|column| (column.to_owned(), value))),
        }
    }
    Ok(asked)
}

/// The text of a canned query.
fn canned(name: &str) -> Result<String, HttpProblem> {
    let found = QueryFile::find(&format!("report/{name}"));
    found.map(|query| query.text.to_owned()).map_err(|_| {
        let title = format!("there is no canned query `{}`", crate::base::text::name(name));
        HttpProblem::new(StatusCode::BAD_REQUEST, "canned", &title).allowed(&QueryFile::reports())
    })
}

fn pairs(text: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(text).into_owned().collect()
}

fn no_updates() -> HttpProblem {
    HttpProblem::new(StatusCode::FORBIDDEN, "read-only", "nobody changes here what was published")
        .allowed("SELECT, ASK, CONSTRUCT, DESCRIBE")
}

/// A query that may be asked: no other than those of the archive are its graphs.
fn checked(text: &str, asked: &ProtocolRequest) -> Result<NamedQuery, HttpProblem> {
    if text.len() > LONGEST_TEXT {
        let title =
            format!("the query has {} bytes, more than {LONGEST_TEXT}, a limit of qassay", text.len());
        return Err(HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, "size", &title));
    }
    let graphs = [asked.default_graphs.clone(), asked.named_graphs.clone()];
    let bindings = asked.bindings.clone();
    let question = QueryText {
        name: "the query".to_owned(),
        text: text.to_owned(),
        graphs,
        bindings,
        ..QueryText::default()
    };
    let query = question.query().map_err(HttpProblem::told)?;
    if tokens(text).iter().any(|token| token.is_word("SERVICE")) {
        return Err(HttpProblem::new(
            StatusCode::BAD_REQUEST,
            "service",
            "SERVICE is off: nobody is asked for strangers",
        )
        .allowed("the graphs that are published here"));
    }
    let foreign = query.dataset().find(|graph| !graph.contains("/graph/")).map(str::to_owned);
    match foreign {
        Some(graph) => Err(HttpProblem::new(
            StatusCode::BAD_REQUEST,
            "graph",
            &format!("`{}` is no graph of this archive: nothing is fetched", crate::base::text::name(&graph)),
        )
        .allowed("graphs that `SELECT DISTINCT ?g { GRAPH ?g {} }` names")),
        None => Ok(query),
    }
}

/// The formats of what a query finds; the first is the usual one.
fn usual_forms(query: &NamedQuery) -> &'static [ResultForm] {
    match query.algebra() {
        Query::Select { .. } | Query::Ask { .. } => &ResultForm::ROWS,
        Query::Construct { .. } | Query::Describe { .. } => &ResultForm::STATEMENTS,
    }
}

/// The format in which a query is answered: that of the address, else what its reader likes best.
fn form_of(
    forms: &[ResultForm],
    asked: &ProtocolRequest,
    headers: &HeaderMap,
) -> Result<ResultForm, HttpProblem> {
    let names = || forms.iter().map(|form| form.name()).collect::<Vec<_>>().join(", ");
    if let Some(format) = &asked.format {
        let found = forms
            .iter()
            .find(|form| form.name() == format || form.media_type().split(';').next() == Some(format));
        return found.copied().ok_or_else(|| {
            let title =
                format!("`{}` is no format of what this query finds", crate::base::text::name(format));
            HttpProblem::new(StatusCode::BAD_REQUEST, "format", &title).allowed(&format!("html, {}", names()))
        });
    }
    // Programs ask for these by their common names, too.
    let media_types: Vec<&str> = forms.iter().map(|form| form.media_type()).collect();
    let common = [("application/json", ResultForm::Json), ("application/xml", ResultForm::Xml)];
    let common = common.into_iter().filter(|(_, form)| forms.contains(form));
    let all: Vec<(&str, ResultForm)> =
        media_types.into_iter().zip(forms.iter().copied()).chain(common).collect();
    let known: Vec<&str> = all.iter().map(|(media_type, _)| *media_type).collect();
    match liked(headers, &known) {
        Some(at) => Ok(all[at].1),
        None => Err(HttpProblem::new(
            StatusCode::NOT_ACCEPTABLE,
            "not-acceptable",
            "results are in none of the forms that are accepted",
        )
        .allowed(&known.join(", "))),
    }
}

/// What a page shows of results: the first rows, the answer, the statements.
fn shown(text: &str) -> Result<EndpointResult> {
    let unreadable =
        |error: &dyn std::fmt::Display| Error::system(format!("the results cannot be read: {error}"));
    if !text.starts_with('{') {
        return Ok(EndpointResult::Statements(text.to_owned()));
    }
    let parser = QueryResultsParser::from_format(QueryResultsFormat::Json);
    match parser.for_slice(text.as_bytes()).map_err(|error| unreadable(&error))? {
        SliceQueryResultsParserOutput::Boolean(answer) => Ok(EndpointResult::Boolean(answer)),
        SliceQueryResultsParserOutput::Solutions(solutions) => {
            let variables: Vec<String> =
                solutions.variables().iter().map(|variable| variable.as_str().to_owned()).collect();
            let (mut rows, mut total) = (Vec::new(), 0);
            for row in solutions {
                let row = row.map_err(|error| unreadable(&error))?;
                total += 1;
                if rows.len() < ROWS {
                    rows.push(row.values().to_vec());
                }
            }
            Ok(EndpointResult::Rows { variables, rows, total })
        }
    }
}
