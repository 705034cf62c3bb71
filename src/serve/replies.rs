//! Replies: what all of them say of themselves, what is refused and why, and which form a reader likes best.

use std::ops::Bound;
use std::path::Path;
use std::str::FromStr as _;

use axum::body::Body;
use axum::http::header::{
    ACCEPT, ACCEPT_RANGES, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, CACHE_CONTROL,
    CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
    IF_RANGE, LOCATION, RANGE, REFERRER_POLICY, RETRY_AFTER, STRICT_TRANSPORT_SECURITY, VARY,
    WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use headers::{ContentRange, HeaderMapExt as _, Range};
use headers_accept::Accept;
use http_body_util::BodyExt as _;
use mediatype::MediaType;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::{Error, ErrorKind};
use crate::report::json;
use crate::serve::makers::MakingFailure;
use crate::site::Site;

/// What pages may load, and who may show them: nothing from elsewhere, nobody.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The media type of problems (RFC 9457).
const PROBLEM: &str = "application/problem+json";

/// Says of a reply how safe it is to be shown. What is published may be read by the scripts of everybody; forms and what is private
/// by no others.
pub(crate) fn safe(headers: &mut HeaderMap, is_tls: bool, is_open: bool) {
    let fixed = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    let of_open = [
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_EXPOSE_HEADERS, "Link, ETag, Content-Location, Retry-After"),
    ];
    let of_private = [(HeaderName::from_static("cross-origin-resource-policy"), "same-origin")];
    let others = if is_open { &of_open[..] } else { &of_private[..] };
    for (name, value) in fixed.into_iter().chain(others.iter().cloned()) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(REFERRER_POLICY).or_insert(HeaderValue::from_static("strict-origin-when-cross-origin"));
    if is_tls {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
}

/// A reply that keeps something until it is sent, or nobody wants it any more.
pub(crate) fn holding<T: Send + Sync + 'static>(reply: Response, held: T) -> Response {
    reply.map(|body| {
        let kept = move |error| {
            let _held = &held;
            error
        };
        Body::new(body.map_err(kept))
    })
}

/// A reply of bytes.
pub(crate) fn reply(status: StatusCode, media_type: &str, bytes: impl Into<Body>) -> Response {
    let mut reply = Response::new(bytes.into());
    *reply.status_mut() = status;
    if let Ok(media_type) = HeaderValue::from_str(media_type) {
        reply.headers_mut().insert(CONTENT_TYPE, media_type);
    }
    reply
}

/// A reply for a program, or why there is none.
pub(crate) type ApiReply = Result<Response, HttpProblem>;

/// A reply of JSON.
pub(crate) fn json_reply(status: StatusCode, what: &impl Serialize) -> Response {
    let mut reply = reply(status, "application/json", json::text(what));
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    reply
}

/// A reply with a validator, without the bytes where the reader has them (RFC 9110, section 13.1.2).
pub(crate) fn tagged(
    headers: &HeaderMap,
    (media_type, bytes): (&str, Vec<u8>),
    tag: &str,
    caching: &'static str,
) -> Response {
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|one| one.to_str().ok());
    let known = known.flat_map(|one| one.split(',')).map(|one| one.trim().trim_start_matches("W/"));
    let is_known = known.into_iter().any(|one| one == tag || one == "*");
    let mut reply = if is_known {
        let mut reply = Response::default();
        *reply.status_mut() = StatusCode::NOT_MODIFIED;
        reply
    } else {
        reply(StatusCode::OK, media_type, bytes)
    };
    if let Ok(tag) = HeaderValue::from_str(tag) {
        reply.headers_mut().insert(ETAG, tag);
    }
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    reply
}

/// What is published, for programs, with a validator.
pub(crate) fn json_tagged(headers: &HeaderMap, what: &impl Serialize) -> Response {
    let text = json::text(what).into_bytes();
    let tag = Site::tag(&text);
    tagged(headers, ("application/json", text), &tag, "no-cache")
}

/// A reply of some words.
pub(crate) fn plain(status: StatusCode, text: &str) -> Response {
    reply(status, "text/plain; charset=utf-8", text.to_owned())
}

/// The methods of what is only read.
pub(crate) const READING: &str = "GET, HEAD, OPTIONS";

/// The methods of what takes a form.
pub(crate) const SENDING: &str = "GET, HEAD, POST, OPTIONS";

/// What may be done at an address.
pub(crate) fn options(methods: &'static str) -> Response {
    let mut reply = allowing(plain(StatusCode::NO_CONTENT, ""), methods);
    let fixed = [
        (ACCESS_CONTROL_ALLOW_METHODS, methods),
        (ACCESS_CONTROL_ALLOW_HEADERS, "Accept, Content-Type, If-None-Match"),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    for (name, value) in fixed {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    reply
}

/// The reply where an address has no such method, by what the problem is called and how it is told, or where it was asked which it
/// has; nothing: it has it.
pub(crate) fn other_method(
    method: &Method,
    methods: &'static str,
    (code, title): (&'static str, &str),
) -> Option<Response> {
    if method == Method::OPTIONS {
        return Some(options(methods));
    }
    let is_here = methods.split(", ").any(|one| one == method.as_str());
    let problem = || HttpProblem::new(StatusCode::METHOD_NOT_ALLOWED, code, title).allowed(methods);
    (!is_here).then(|| allowing(problem().reply(), methods))
}

/// A reply that names the methods of its address.
pub(crate) fn allowing(mut reply: Response, methods: &'static str) -> Response {
    reply.headers_mut().insert(ALLOW, HeaderValue::from_static(methods));
    reply
}

/// It is at another address for ever.
pub(crate) fn moved(to: &str) -> Response {
    let mut reply = plain(StatusCode::PERMANENT_REDIRECT, "");
    if let Ok(to) = HeaderValue::from_str(to) {
        reply.headers_mut().insert(LOCATION, to);
    }
    reply
}

/// The result of a form is at another address (RFC 9110, section 15.4.4).
pub(crate) fn see(to: &str) -> Response {
    let mut reply = plain(StatusCode::SEE_OTHER, "");
    if let Ok(to) = HeaderValue::from_str(to) {
        reply.headers_mut().insert(LOCATION, to);
    }
    reply
}

/// Why no page could be made.
pub(crate) fn unmade(failure: MakingFailure) -> HttpProblem {
    match failure {
        MakingFailure::Busy => {
            HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "too many ask for pages").later(2)
        }
        MakingFailure::Broken => HttpProblem::told(Error::system("a page was not made to its end")),
    }
}

/// The part of a reply that a reader asks for, where that is one part of bytes that he may know another of (RFC 9110, section 14); else
/// the reply.
pub(crate) fn ranged(headers: &HeaderMap, mut whole: Response, bytes: &[u8]) -> Response {
    whole.headers_mut().insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    let tag = whole.headers().get(ETAG);
    let is_same = headers.get(IF_RANGE).is_none_or(|known| Some(known) == tag);
    let is_wanted =
        is_same && whole.status() == StatusCode::OK && headers.get(RANGE).is_some_and(is_one_part);
    let Some(range) = headers.typed_get::<Range>().filter(|_| is_wanted) else {
        return whole;
    };
    let length = bytes.len() as u64;
    let mut parts = range.satisfiable_ranges(length);
    let (first, rest) = (parts.next(), parts.next());
    let inclusive = |(from, to): (Bound<u64>, Bound<u64>)| {
        let from = match from {
            Bound::Included(from) => from,
            Bound::Excluded(from) => from + 1,
            Bound::Unbounded => 0,
        };
        let to = match to {
            Bound::Included(to) => to.min(length.saturating_sub(1)),
            Bound::Excluded(to) => to.checked_sub(1)?,
            Bound::Unbounded => length.checked_sub(1)?,
        };
        (from <= to).then_some((from, to))
    };
    // Several parts would need a body of their own kind; all of it is as good an answer.
    if rest.is_some() {
        return whole;
    }
    let found = first.and_then(inclusive);
    let part = found.and_then(|(from, to)| {
        bytes.get(usize::try_from(from).ok()?..=usize::try_from(to).ok()?).map(<[u8]>::to_vec)
    });
    let stated = match (found, &part) {
        (Some((from, to)), Some(_)) => ContentRange::bytes(from..=to, length).ok(),
        _ => Some(ContentRange::unsatisfied_bytes(length)),
    };
    *whole.status_mut() =
        if part.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::RANGE_NOT_SATISFIABLE };
    *whole.body_mut() = Body::from(part.unwrap_or_default());
    if let Some(stated) = stated {
        whole.headers_mut().typed_insert(stated);
    }
    whole
}

/// Whether one part of bytes is asked for: anything else is as if nothing were said (RFC 9110, section 14.2).
fn is_one_part(stated: &HeaderValue) -> bool {
    let part = stated.to_str().ok().and_then(|text| text.trim().strip_prefix("bytes="));
    let Some((from, to)) = part.and_then(|part| part.trim().split_once('-')) else { return false };
    match (from.parse::<u64>(), to.parse::<u64>()) {
        (Ok(from), Ok(to)) => from <= to,
        (Ok(_), Err(_)) => to.is_empty(),
        (Err(_), Ok(_)) => from.is_empty(),
        (Err(_), Err(_)) => false,
    }
}

/// Says of a reply that was packed that its tag is of what is in it: another packing has other bytes (RFC 9110, section 8.8.1).
pub(crate) fn weakened(headers: &mut HeaderMap) {
    if headers.contains_key(CONTENT_ENCODING)
        && let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok())
        && !tag.starts_with("W/")
        && let Ok(tag) = HeaderValue::from_str(&format!("W/{tag}"))
    {
        headers.insert(ETAG, tag);
    }
}

/// A reply that has a form of those that the reader may choose.
pub(crate) fn varying(mut reply: Response) -> Response {
    reply.headers_mut().append(VARY, HeaderValue::from_static("Accept"));
    reply
}

/// Which of some media types a reader likes best, by its position; the first where he says nothing. Nothing where he takes none
/// (RFC 9110, section 12.5.1).
pub(crate) fn liked(headers: &HeaderMap, media_types: &[&str]) -> Option<usize> {
    let stated: Vec<&str> = headers.get_all(ACCEPT).iter().filter_map(|one| one.to_str().ok()).collect();
    // A form has no parameters here: who names one has the form without it.
    let plain = |range: &str| {
        let mut words = range.split(';');
        let media_type = words.next().unwrap_or_default().to_owned();
        let weight = words.find(|word| word.trim_start().to_ascii_lowercase().starts_with("q="));
        weight.map_or(media_type.clone(), |weight| format!("{media_type};{weight}"))
    };
    let stated = stated.iter().flat_map(|one| one.split(',')).map(plain).collect::<Vec<_>>().join(",");
    if stated.trim().is_empty() {
        return Some(0);
    }
    // What cannot be understood is as if nothing were said.
    let Ok(accept) = Accept::from_str(&stated) else { return Some(0) };
    let known: Vec<MediaType<'_>> =
        media_types.iter().filter_map(|one| MediaType::parse(one.split(';').next()?).ok()).collect();
    let best = accept.negotiate(known.iter())?;
    known.iter().position(|one| one == best)
}

/// Whether a page is liked better than anything for programs: who says nothing has a program.
pub(crate) fn is_for_people(headers: &HeaderMap) -> bool {
    let is_said =
        headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|one| one.contains("html"));
    is_said && liked(headers, &["text/html", "application/sparql-results+json", "text/turtle"]) == Some(0)
}

/// What an error tells beside its sentence, a fact a field.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ProblemFacts {
    /// The file.
    file: Option<String>,
    /// The place in the file or the query, for people: a line, a question, a path.
    place: Option<String>,
    /// The line.
    line: Option<u64>,
    /// The column in it, in characters.
    column: Option<u64>,
    /// The path in the file, such as `$.questions[3].answers[0]`.
    path: Option<String>,
    /// What would have been accepted.
    allowed: Option<String>,
    /// What to try.
    hint: Option<String>,
}

impl ProblemFacts {
    fn of(error: &Error) -> Self {
        let number = |word: &str| {
            let digits = error.place()?.split_once(word)?.1;
            digits.split(|one: char| !one.is_ascii_digit()).next()?.parse().ok()
        };
        // It is the last of what places say.
        let path = |place: &str| {
            let mut starts = [0].into_iter().chain(place.match_indices(", ").map(|(at, _)| at + 2));
            starts
                .find_map(|at| {
                    place.get(at..).filter(|rest| rest.starts_with("$.") || rest.starts_with("$["))
                })
                .map(str::to_owned)
        };
        Self {
            file: error.file().map(str::to_owned),
            place: error.place().map(str::to_owned),
            line: number("line "),
            column: number("column "),
            path: error.place().and_then(path),
            allowed: error.would_accept(),
            hint: error.advice(),
        }
    }
}

/// What is wrong with a field, or with a file in it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FieldProblem {
    /// The field.
    field: String,
    /// What is wrong, with what is allowed and what to try.
    message: String,
    #[serde(flatten)]
    facts: ProblemFacts,
}

impl FieldProblem {
    /// What an error says.
    pub(crate) fn of(field: &str, error: &Error) -> Self {
        Self { field: field.to_owned(), message: error.to_string(), facts: ProblemFacts::of(error) }
    }
}

/// What a problem is called, beside the reply that tells it: for who counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemCode(pub(crate) &'static str);

/// Why something is refused, for programs (RFC 9457).
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(title = "Problem")]
pub(crate) struct HttpProblem {
    /// The code of HTTP.
    status: u16,
    /// What it is called, for programs.
    code: &'static str,
    /// What HTTP calls that: problems have no type of their own (RFC 9457, section 4.2.1).
    title: &'static str,
    /// What is wrong, with what is allowed and what to try.
    detail: String,
    #[serde(flatten)]
    facts: Box<ProblemFacts>,
    /// When it may be tried again, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
    /// What is wrong, one by one, where several things are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<FieldProblem>,
    /// The error as it is told to people.
    #[serde(skip)]
    error: Error,
}

impl HttpProblem {
    /// A problem with a code and a sentence.
    pub(crate) fn new(status: StatusCode, code: &'static str, title: &str) -> Self {
        Self::of(status, code, Error::input(title))
    }

    /// A problem that is told by an error.
    pub(crate) fn of(status: StatusCode, code: &'static str, error: Error) -> Self {
        Self {
            status: status.as_u16(),
            code,
            title: status.canonical_reason().unwrap_or("Refused"),
            detail: error.to_string(),
            facts: Box::new(ProblemFacts::of(&error)),
            retry_after: None,
            problems: Vec::new(),
            error,
        }
    }

    /// The problem of an error of ours or of a stranger. What the machine says of itself is not for strangers.
    pub(crate) fn told(error: Error) -> Self {
        // What strangers send has no folder.
        let is_of_machine = error.file().is_some_and(|file| Path::new(file).is_absolute());
        match error.kind() {
            ErrorKind::Input | ErrorKind::Check if !is_of_machine => {
                Self::of(StatusCode::BAD_REQUEST, "input", error)
            }
            ErrorKind::Limit => Self::of(StatusCode::UNPROCESSABLE_ENTITY, "limit", error),
            ErrorKind::Cancelled => Self::new(StatusCode::SERVICE_UNAVAILABLE, "ended", "the work was ended"),
            ErrorKind::Input | ErrorKind::Check | ErrorKind::System => {
                anstream::eprintln!("{error}");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", "the server failed; nothing is lost")
            }
        }
    }

    /// Something that was sent well, and cannot be used.
    pub(crate) fn unfit(error: Error) -> Self {
        match error.kind() {
            ErrorKind::Input | ErrorKind::Check => Self::of(StatusCode::UNPROCESSABLE_ENTITY, "input", error),
            _ => Self::told(error),
        }
    }

    /// Something that was withdrawn, at a path behind that of the server.
    pub(crate) fn withdrawn(place: &str, path: &str) -> Self {
        let error = Error::input("this was withdrawn").hint(format!("{place}{path}.html says why"));
        Self::of(StatusCode::GONE, "withdrawn", error)
    }

    /// What is wrong with a form, by its fields.
    pub(crate) fn fields(problems: &[(String, Error)]) -> Self {
        let first =
            problems.first().map_or_else(|| Error::input("nothing can be done"), |(_, error)| error.clone());
        let problems = problems.iter().map(|(field, error)| FieldProblem::of(field, error)).collect();
        Self { problems, ..Self::unfit(first) }
    }

    /// Says what would have been accepted.
    pub(crate) fn allowed(self, allowed: &str) -> Self {
        Self {
            retry_after: self.retry_after,
            ..Self::of(self.code_of_http(), self.code, self.error.allowed(allowed))
        }
    }

    /// Says what to try.
    pub(crate) fn hint(self, hint: &str) -> Self {
        Self {
            retry_after: self.retry_after,
            ..Self::of(self.code_of_http(), self.code, self.error.hint(hint))
        }
    }

    /// Says when it may be tried again.
    pub(crate) fn later(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// The same, for who asks too much of the server at this time.
    pub(crate) fn busy(error: Error) -> Self {
        match error.kind() {
            ErrorKind::Limit => Self::of(StatusCode::SERVICE_UNAVAILABLE, "busy", error).later(240),
            _ => Self::told(error),
        }
    }

    /// The code of HTTP.
    pub(crate) fn code_of_http(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// What HTTP calls it.
    pub(crate) fn title(&self) -> &'static str {
        self.title
    }

    /// The error as it is told to people.
    pub(crate) fn error(&self) -> &Error {
        &self.error
    }

    /// The reply for programs.
    pub(crate) fn reply(&self) -> Response {
        let mut told = json::value(self);
        // What is not known is not told.
        if let Some(facts) = told.as_object_mut() {
            facts.retain(|_, value| !value.is_null());
        }
        self.with(PROBLEM, format!("{told:#}\n"))
    }

    /// The reply in another form.
    pub(crate) fn with(&self, media_type: &str, body: String) -> Response {
        let mut reply = reply(self.code_of_http(), media_type, body);
        reply.extensions_mut().insert(ProblemCode(self.code));
        if let Some(seconds) = self.retry_after {
            reply.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if reply.status() == StatusCode::UNAUTHORIZED {
            // RFC 9110, section 11.6.1; RFC 6750, section 3.
            reply.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        reply
    }
}

impl IntoResponse for HttpProblem {
    fn into_response(self) -> Response {
        self.reply()
    }
}

/// What the machine says is for its operator.
pub(crate) fn for_strangers(error: Error) -> Error {
    if error.kind() != ErrorKind::System {
        return error;
    }
    anstream::eprintln!("{error}");
    Error::system("the server failed; its log says why")
        .hint("nothing is lost: try again, or ask who runs it")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likes(accept: &str) -> Option<usize> {
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_str(accept).unwrap())]);
        liked(&headers, &["text/html; charset=utf-8", "text/turtle; charset=utf-8", "application/n-quads"])
    }

    #[test]
    fn readers_have_what_they_like_best() {
        for (accept, best) in [
            ("", Some(0)),
            ("*/*", Some(0)),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", Some(0)),
            ("text/turtle", Some(1)),
            ("application/n-quads;q=0.9, text/turtle;q=0.5", Some(2)),
            ("text/turtle;q=0.5, */*;q=0.1", Some(1)),
            ("text/*", Some(0)),
            ("text/html;q=0, text/*", Some(1)),
            ("image/png", None),
            ("text/html;q=0", None),
            ("text/turtle;version=1.1", Some(1)),
            ("application/n-quads; charset=utf-8; q=0.4, text/turtle; x=y;Q=0.5", Some(1)),
        ] {
            assert_eq!(likes(accept), best, "{accept}");
        }
    }

    #[test]
    fn places_are_told_in_parts() {
        let told = |place: &str| {
            let facts = ProblemFacts::of(&Error::input("x").at(place));
            (facts.line, facts.column, facts.path.unwrap_or_default())
        };
        for (place, parts) in [
            ("line 3, column 12", (Some(3), Some(12), "")),
            ("line 208, question a, b, $.questions[13].error", (Some(208), None, "$.questions[13].error")),
            ("$[\"a, b\"]", (None, None, "$[\"a, b\"]")),
            ("question $x", (None, None, "")),
        ] {
            let (line, column, path) = parts;
            assert_eq!(told(place), (line, column, path.to_owned()), "{place}");
        }
    }

    #[test]
    fn what_the_machine_says_is_not_for_strangers() {
        let file = Error::input("no record registers it").in_file("/home/somebody/secret");
        assert!(!serde_json::to_string(&HttpProblem::told(file)).unwrap().contains("secret"));
        let told = HttpProblem::told(Error::system("cannot read /home/somebody/secret"));
        assert_eq!(told.code_of_http(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(!serde_json::to_string(&told).unwrap().contains("secret"));
    }
}
