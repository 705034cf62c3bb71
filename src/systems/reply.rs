//! What a system replied, and what a protocol makes of it: answers, a query, nothing, or a failure.

use std::borrow::Cow;
use std::io::Read as _;
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use jiff::fmt::rfc2822;
use serde_json::Value;

use crate::base::text::beginning;
use crate::sources::document::{AnswerSet, Answers, Cell, CellKind, Row};
use crate::sources::failure_kind::FailureKind;
use crate::sources::format::json::qald;
use crate::sources::format::results;
use crate::systems::description::{Driver, Protocol, ReplyDescription, ReplyKind};
use crate::systems::failure::{AskFailure, TryAgain};
use crate::systems::page::{PageSelection, is_page};
use crate::systems::pointer::{Found, Pointers, scalar};
use crate::systems::rules::{NoQuery, Taken, ValueRule, take_query};
use crate::systems::template::Values;

/// A reply as received.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawReply {
    /// The status of HTTP.
    pub status: u16,
    /// The headers in their order, with names as sent.
    pub headers: Vec<(String, String)>,
    /// The whole body, as it was sent.
    pub body: Vec<u8>,
}

/// What a system says about a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SystemReply {
    /// The answers.
    pub answers: Vec<AnswerSet>,
    /// The query, as the rules took it out of the reply.
    pub query: Option<String>,
    /// The confidence in all answers.
    pub confidence: Option<String>,
    /// The confidence in each row of the answers, where each has its own.
    pub confidences: Vec<String>,
    /// What the answers are called.
    pub label: Option<String>,
    /// What is kept beside the answers, with the place where it was.
    pub kept: Vec<(String, Value)>,
    /// What was odd.
    pub notes: Vec<String>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Read {
    /// The system has said what it has to say.
    Done(SystemReply),
    /// It is at work: the run is this one, where the reply names it.
    Pending(Option<String>),
}

/// The first bytes of what gzip packed: some servers say that they packed what they did not.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The most bytes of a body, unpacked.
pub(crate) const MOST_UNPACKED: u64 = 64 << 20;

/// How much of a text a message shows.
const MOST_SHOWN: usize = 200;

impl SystemReply {
    /// Whether there is an answer.
    pub fn has_answers(&self) -> bool {
        self.answers.iter().any(|set| set.boolean.is_some() || !set.rows.is_empty())
    }
}

impl RawReply {
    /// The value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// How long the server wants us to wait: seconds, or until a date; dates count from the date of the reply, since
    /// clocks differ (RFC 9110, 10.2.3).
    pub fn asked_wait(&self) -> Option<Duration> {
        let wait = self.header("Retry-After")?;
        if let Ok(seconds) = wait.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let date = |text: &str| rfc2822::parse(text).ok().map(|date| date.timestamp());
        let (until, sent) = (date(wait)?, date(self.header("Date")?)?);
        Some(until.duration_since(sent).unsigned_abs())
    }

    /// The body as people see it: unpacked and as text, as far as that goes.
    pub fn shown(&self) -> String {
        let text = self.text(&mut Vec::new());
        text.unwrap_or_else(|_| String::from_utf8_lossy(&self.body).into_owned())
    }

    /// The body, unpacked.
    fn content(&self) -> Result<Cow<'_, [u8]>, AskFailure> {
        let is_packed = self.header("Content-Encoding").is_some_and(|packed| packed.contains("gzip"));
        if !is_packed || !self.body.starts_with(GZIP) {
            return Ok(Cow::Borrowed(&self.body));
        }
        let mut content = Vec::new();
        let most = MOST_UNPACKED + 1;
        let read = MultiGzDecoder::new(self.body.as_slice()).take(most).read_to_end(&mut content);
        match read {
            Err(error) => {
                Err(AskFailure::new(FailureKind::Protocol, format!("the body cannot be unpacked: {error}")))
            }
            Ok(_) if content.len() as u64 == most => Err(AskFailure::new(
                FailureKind::TooLarge,
                format!("more than {MOST_UNPACKED} bytes, unpacked"),
            )),
            Ok(_) => Ok(Cow::Owned(content)),
        }
    }

    /// The body as text: in the encoding that its head names, else in UTF-8. What cannot be read is replaced, and noted.
    fn text(&self, notes: &mut Vec<String>) -> Result<String, AskFailure> {
        let content = self.content()?;
        let charset = self.header("Content-Type").and_then(|media_type| {
            let parameters = media_type.split(';').map(str::trim);
            let mut charsets = parameters.filter_map(|parameter| {
                parameter
                    .get(..8)
                    .filter(|name| name.eq_ignore_ascii_case("charset="))
                    .map(|_| &parameter[8..])
            });
            charsets.next_back().map(|charset| charset.trim_matches('"').to_owned())
        });
        let named = charset.as_deref().and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
        // Many label as Latin-1 what is UTF-8: the text decides, where it can.
        let is_utf8 = std::str::from_utf8(&content).is_ok() && !content.is_ascii();
        let encoding = named.filter(|_| !is_utf8).unwrap_or(encoding_rs::UTF_8);
        if let Some(wrong) = named.filter(|named| is_utf8 && *named != encoding_rs::UTF_8) {
            notes.push(format!("the reply calls itself {} and is UTF-8", wrong.name()));
        }
        let (text, _, is_damaged) = encoding.decode(&content);
        if is_damaged {
            notes.push(format!("the reply is no {}; what cannot be read is replaced", encoding.name()));
        }
        Ok(text.into_owned())
    }
}

impl Protocol {
    /// What a reply says.
    ///
    /// # Errors
    /// Where it says nothing that can be read, or that something went wrong.
    pub fn read_reply(&self, received: &RawReply, asked: &Values) -> Result<Read, AskFailure> {
        let mut notes = Vec::new();
        let text = received.text(&mut notes)?;
        self.check_status(received, &text)?;
        if text.trim().is_empty() {
            return Err(AskFailure::new(FailureKind::EmptyBody, "the reply has no body"));
        }
        match self.reply.kind {
            ReplyKind::Page => return self.read_page(&text, notes).map(Read::Done),
            ReplyKind::Recognised if text.trim_start().starts_with('<') => {
                return results_in_xml(&text, notes);
            }
            _ => {}
        }
        let json: Value = serde_json::from_str(text.trim()).map_err(|error| {
            AskFailure::new(
                FailureKind::NotJson,
                format!("no JSON ({error}): {}", beginning(text.trim(), MOST_SHOWN)),
            )
        })?;
        self.check_said(&json)?;
        if let Driver::Poll { run_at, done_at, .. } = &self.driver {
            let done =
                done_at.find(&json).iter().any(|found| !matches!(**found, Value::Null | Value::Bool(false)));
            if !done {
                return Ok(Read::Pending(run_at.text(&json)));
            }
        }
        let mut reply = SystemReply { notes, ..SystemReply::default() };
        self.read_json(&json, &text, &mut reply)?;
        let echo = self.reply.echo_at.as_ref().and_then(|at| at.text(&json));
        if let (Some(echo), Some(dataset)) = (echo, asked.get("dataset"))
            && echo != dataset
        {
            reply.notes.push(format!("the reply is about another dataset: {}", beginning(&echo, 80)));
        }
        let echo = self.reply.echo_question_at.as_ref().and_then(|at| at.text(&json));
        if let (Some(echo), Some(question)) = (echo, asked.get("question"))
            && echo.trim() != question.trim()
        {
            reply.notes.push(format!("the reply is about another question: {}", beginning(&echo, 80)));
        }
        Ok(Read::Done(reply))
    }

    fn read_page(&self, text: &str, notes: Vec<String>) -> Result<SystemReply, AskFailure> {
        if !is_page(text) {
            let shown = beginning(text.trim(), MOST_SHOWN);
            return Err(AskFailure::new(FailureKind::Shape, format!("no page: {shown}")));
        }
        let mut reply = SystemReply { notes, ..SystemReply::default() };
        let texts = |selection: &Option<PageSelection>| {
            selection.as_ref().map_or(Ok(Vec::new()), |selection| selection.texts(text))
        };
        let cells =
            texts(&self.reply.select_answers)?.into_iter().filter_map(|text| self.reply.cell(&text.into()));
        let rows: Vec<Row> = cells.map(|cell| Row { cells: [cell].into() }).collect();
        if !rows.is_empty() {
            reply.answers.push(AnswerSet { has_bindings: true, rows, ..AnswerSet::default() });
        }
        self.reply.apply_value_rules(&mut reply);
        reply.query = texts(&self.reply.select_query)?.into_iter().next();
        self.reply.read_rest(&Value::Null, &mut reply)?;
        Ok(reply)
    }

    /// Reads the reply to a second call, which has the query.
    ///
    /// # Errors
    /// As [`Self::read_reply`].
    pub fn read_query(&self, received: &RawReply, reply: &mut SystemReply) -> Result<(), AskFailure> {
        let text = received.text(&mut reply.notes)?;
        self.check_status(received, &text)?;
        let json: Value = serde_json::from_str(text.trim())
            .map_err(|error| AskFailure::new(FailureKind::NotJson, format!("no JSON ({error})")))?;
        self.reply.read_rest(&json, reply)
    }

    /// An error where HTTP says that there is no answer.
    fn check_status(&self, received: &RawReply, text: &str) -> Result<(), AskFailure> {
        let status = received.status;
        if (200..300).contains(&status) {
            return Ok(());
        }
        let json: Option<Value> = serde_json::from_str(text.trim()).ok();
        let said = json.as_ref().and_then(|json| self.message(json));
        let message = said.unwrap_or_else(|| match text.trim() {
            "" => format!("HTTP status {status}"),
            text => format!("HTTP status {status}: {}", beginning(text, MOST_SHOWN)),
        });
        let failed = |kind| AskFailure::new(kind, message.clone()).with_status(status);
        let asked = || received.asked_wait().map_or(TryAgain::Yes, TryAgain::After);
        if json.as_ref().is_some_and(|json| self.aborts(json)) {
            let kind =
                if matches!(status, 401 | 403) { FailureKind::Authentication } else { FailureKind::Quota };
            return Err(failed(kind).stopping());
        }
        Err(match status {
            401 | 403 => failed(FailureKind::Authentication).stopping(),
            300..=399 => {
                let to = received.header("Location").unwrap_or("nowhere");
                AskFailure::new(FailureKind::Redirect, format!("a redirect to {to}, which is not followed"))
                    .with_status(status)
            }
            408 => failed(FailureKind::Timeout),
            429 => failed(FailureKind::RateLimit).again(asked()),
            502..=504 => failed(FailureKind::HttpStatus).again(asked()),
            _ => failed(FailureKind::HttpStatus),
        })
    }

    /// An error where the reply says that something went wrong.
    fn check_said(&self, json: &Value) -> Result<(), AskFailure> {
        let failures = &self.failures;
        let said = |default: &str| self.message(json).unwrap_or_else(|| default.to_owned());
        if self.aborts(json) {
            return Err(AskFailure::new(FailureKind::Quota, said("the quota is used up")).stopping());
        }
        if let Some((at, fine)) = &failures.state
            && let Some(state) = at.text(json).filter(|state| !fine.contains(state))
        {
            return Err(AskFailure::new(FailureKind::SaidError, said(&format!("the state is `{state}`"))));
        }
        if let Some(refusal) = failures.refusal_at.as_ref().and_then(|at| at.text(json)) {
            return Err(AskFailure::new(FailureKind::Refusal, refusal));
        }
        if let Some((at, fine)) = &failures.stop
            && let Some(stop) = at.text(json).filter(|stop| !fine.contains(stop))
        {
            let kind = if stop == "content_filter" { FailureKind::Refusal } else { FailureKind::Truncated };
            return Err(AskFailure::new(kind, format!("the text ended with `{stop}`")));
        }
        Ok(())
    }

    fn aborts(&self, json: &Value) -> bool {
        self.failures.abort_where.iter().any(|(at, text)| at.text(json).as_ref() == Some(text))
    }

    /// What the reply says went wrong, at the place of the protocol or where many say it.
    fn message(&self, json: &Value) -> Option<String> {
        const USUAL: [&str; 6] =
            ["/error/message", "/error", "/detail/0/msg", "/detail", "/message", "/errorMessage"];
        let own = self.failures.message_at.as_ref().and_then(|at| at.text(json));
        let usual = || {
            let pointers = Pointers::parse(&USUAL.join(" | ")).ok()?;
            pointers.text(json)
        };
        own.or_else(usual).filter(|message| !message.trim().is_empty())
    }

    fn read_json(&self, json: &Value, text: &str, reply: &mut SystemReply) -> Result<(), AskFailure> {
        let says_nothing = match json {
            Value::Object(entries) => entries.is_empty(),
            Value::Array(_) => false,
            _ => true,
        };
        if says_nothing {
            return Err(self.no_place(json));
        }
        match self.reply.kind {
            ReplyKind::Recognised => recognised(json, text, reply)?,
            ReplyKind::SparqlResults => {
                let at = self.reply.answers_at.as_ref();
                let found = at.map(|at| at.find(json)).unwrap_or_default();
                for results in &found {
                    read_results(results, reply);
                }
            }
            ReplyKind::Values => self.reply.read_values(json, reply),
            ReplyKind::Query | ReplyKind::Page => {}
        }
        self.check_places(json, reply)?;
        self.reply.apply_value_rules(reply);
        self.reply.read_rest(json, reply)
    }

    /// An error where the reply has neither answers nor a place for them; or names the module that failed.
    fn check_places(&self, json: &Value, reply: &SystemReply) -> Result<(), AskFailure> {
        if reply.has_answers() || self.reply.kind == ReplyKind::Recognised {
            return Ok(());
        }
        if let Some(module) = self.failures.module_at.as_ref().and_then(|at| at.text(json)) {
            let message =
                self.message(json).map_or_else(|| module.clone(), |said| format!("{module}: {said}"));
            return Err(AskFailure::new(FailureKind::Module, message));
        }
        let places = [&self.reply.answers_at, &self.reply.query_at, &self.reply.doubt_without];
        if places.into_iter().flatten().any(|at| at.has_place(json)) || self.reply.has_root_results(json) {
            return Ok(());
        }
        match self.message(json) {
            Some(message) => Err(AskFailure::new(FailureKind::SaidError, message)),
            // Lists, and the objects of systems that leave out what they have not got, may say that there is no answer.
            None if json.is_array() || self.reply.doubt_without.is_some() || self.reply.may_lack_answers => {
                Ok(())
            }
            None => Err(self.no_place(json)),
        }
    }

    fn no_place(&self, json: &Value) -> AskFailure {
        let shown = beginning(&json.to_string(), MOST_SHOWN);
        AskFailure::new(FailureKind::Shape, format!("the reply is none of `{}`: {shown}", self.name))
    }
}

/// The answers of a reply in QALD JSON, eQALD JSON, or of SPARQL results.
fn recognised(json: &Value, text: &str, reply: &mut SystemReply) -> Result<(), AskFailure> {
    if json.get("questions").is_some() {
        let shape = |message: String| AskFailure::new(FailureKind::Shape, message);
        let mut document =
            qald::FORMAT.document(text.as_bytes()).map_err(|error| shape(error.to_string()))?;
        if document.questions.is_empty() {
            return Err(shape("the reply has no question".to_owned()));
        }
        reply.notes.extend(document.issues.iter().map(|issue| issue.message.clone()));
        let question = document.questions.swap_remove(0);
        reply.query = question.queries.into_iter().next().map(|query| query.text);
        reply.answers = question.answers.sets;
        return Ok(());
    }
    let is_results = json.get("results").is_some() || json.get("boolean").is_some();
    if !is_results {
        let said = json.get("error").and_then(|error| scalar(error.get("message").unwrap_or(error)));
        let shown = beginning(text.trim(), MOST_SHOWN);
        return Err(match said {
            Some(said) => AskFailure::new(FailureKind::SaidError, said),
            None => {
                AskFailure::new(FailureKind::Shape, format!("neither QALD JSON nor SPARQL results: {shown}"))
            }
        });
    }
    reply.notes.push("the reply is SPARQL results in place of QALD JSON".to_owned());
    read_results(json, reply);
    Ok(())
}

fn results_in_xml(text: &str, mut notes: Vec<String>) -> Result<Read, AskFailure> {
    if !text.contains("<sparql") {
        let shown = beginning(text.trim(), MOST_SHOWN);
        return Err(AskFailure::new(
            FailureKind::NotJson,
            format!("neither JSON nor SPARQL results: {shown}"),
        ));
    }
    let (answers, issues) = results::in_reply(text);
    notes.extend(issues.into_iter().map(|issue| issue.message));
    Ok(Read::Done(SystemReply { answers: answers.sets, notes, ..SystemReply::default() }))
}

/// SPARQL results: an object, or a text that holds one.
pub(crate) fn read_results(value: &Value, reply: &mut SystemReply) {
    let inner = value.as_str().map(str::to_owned);
    let text = match value {
        // What stands beside the results is not theirs.
        Value::Object(entries) if entries.contains_key("results") || entries.contains_key("boolean") => {
            let own =
                entries.iter().filter(|(key, _)| ["head", "results", "boolean"].contains(&key.as_str()));
            Value::Object(own.map(|(key, value)| (key.clone(), value.clone())).collect()).to_string()
        }
        other => inner.unwrap_or_else(|| other.to_string()),
    };
    let (Answers { sets, .. }, issues) = results::in_reply(&text);
    reply.answers.extend(sets);
    reply.notes.extend(issues.into_iter().map(|issue| issue.message));
}

impl ReplyDescription {
    /// Answers that are values: texts, numbers, booleans, terms of SPARQL results.
    fn read_values(&self, json: &Value, reply: &mut SystemReply) {
        let Some(at) = &self.answers_at else { return };
        let mut found: Vec<Found<'_>> = Vec::new();
        for value in at.find(json) {
            match value.as_ref() {
                Value::Array(items) => found.extend(items.iter().cloned().map(Found::Owned)),
                Value::Null => {}
                _ => found.push(value),
            }
        }
        if let [only] = found.as_slice()
            && let Value::Bool(value) = only.as_ref()
        {
            reply.answers.push(AnswerSet { boolean: Some(*value), ..AnswerSet::default() });
            return;
        }
        let confidences: Vec<String> = match &self.confidence_at {
            Some(at) => at.find(json).iter().filter_map(|found| scalar(found)).collect(),
            None => Vec::new(),
        };
        let each = confidences.len() == found.len() && found.len() > 1 || self.confidence_above.is_some();
        let mut set = AnswerSet { has_bindings: true, ..AnswerSet::default() };
        let mut empty = 0;
        for (index, value) in found.iter().enumerate() {
            let confidence = confidences.get(index).filter(|_| each);
            if !self.is_confident(confidence) {
                continue;
            }
            match self.cell(value) {
                Some(cell) if self.no_answer_is.contains(&cell.value) => {}
                Some(cell) if cell.value.is_empty() => empty += 1,
                Some(cell) => {
                    set.rows.push(Row { cells: [cell].into() });
                    reply.confidences.extend(confidence.cloned());
                }
                None => reply
                    .notes
                    .push(format!("an answer that is no value: {}", beginning(&value.to_string(), 80))),
            }
        }
        if empty > 0 {
            reply.notes.push(format!("{empty} answers are empty texts; they are left out"));
        }
        if !set.rows.is_empty() {
            reply.answers.push(set);
        }
    }

    fn is_confident(&self, confidence: Option<&String>) -> bool {
        let Some(least) = self.confidence_above else { return true };
        confidence.and_then(|confidence| confidence.parse::<f64>().ok()).is_some_and(|given| given > least)
    }

    /// The cell of a value.
    fn cell(&self, value: &Value) -> Option<Cell> {
        if let Some(text) = scalar(value) {
            let kind = if is_iri(&text) { CellKind::Uri } else { CellKind::Literal };
            return Some(Cell { variable: "answer".to_owned(), kind, value: text, ..Cell::default() });
        }
        let ruled = self.value_rules.iter().find_map(|rule: &ValueRule| rule.of_object(value));
        let field = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let term = || {
            let kind = match value.get("type").and_then(Value::as_str) {
                Some("uri") => CellKind::Uri,
                Some("bnode") => CellKind::BlankNode,
                _ => CellKind::Literal,
            };
            let (datatype, language) = (field("datatype"), field("xml:lang"));
            Some(Cell { kind, value: field("value")?, datatype, language, ..Cell::default() })
        };
        ruled.or_else(term).map(|cell| Cell { variable: "answer".to_owned(), ..cell })
    }

    fn apply_value_rules(&self, reply: &mut SystemReply) {
        let rows = reply.answers.iter_mut().flat_map(|set| &mut set.rows);
        for cell in rows.flat_map(|row| &mut row.cells) {
            self.value_rules.iter().for_each(|rule| rule.apply(cell));
        }
    }

    /// The query and what else is read beside the answers.
    fn read_rest(&self, json: &Value, reply: &mut SystemReply) -> Result<(), AskFailure> {
        if let Some(text) = self.query_at.as_ref().and_then(|at| at.text(json)).or_else(|| reply.query.take())
        {
            match take_query(&text, &self.query_rules) {
                Ok(Taken { query, notes }) => {
                    reply.query = Some(query);
                    reply.notes.extend(notes);
                }
                Err(NoQuery::Empty) => {}
                Err(NoQuery::NotSparql) if reply.has_answers() => {
                    reply.notes.push(format!("what stands for the query is none: {}", beginning(&text, 80)));
                }
                Err(NoQuery::NotSparql) => {
                    let shown = beginning(text.trim(), MOST_SHOWN);
                    return Err(AskFailure::new(FailureKind::NotSparql, format!("no SPARQL: {shown}")));
                }
            }
        }
        let text = |at: &Option<Pointers>| at.as_ref().and_then(|at| at.text(json));
        if reply.confidences.is_empty() {
            reply.confidence = text(&self.confidence_at);
        }
        reply.label = text(&self.label_at);
        for (place, at) in &self.keep_at {
            reply.kept.extend(at.find(json).into_iter().map(|found| (place.clone(), found.into_owned())));
        }
        if let Some(doubt) = self.doubt_without.as_ref().filter(|_| !reply.has_answers())
            && !doubt.has_place(json)
        {
            reply.notes.push("the reply looks as it does where the system failed".to_owned());
        }
        Ok(())
    }

    /// Whether the whole reply is SPARQL results, where they may be.
    fn has_root_results(&self, json: &Value) -> bool {
        self.kind == ReplyKind::SparqlResults
            && (json.get("results").is_some() || json.get("boolean").is_some())
    }
}

/// Whether a text is an absolute IRI, as systems write them: of the web, or a URN.
fn is_iri(text: &str) -> bool {
    let scheme = ["http://", "https://", "urn:"].iter().any(|scheme| text.starts_with(scheme));
    scheme && !text.contains(char::is_whitespace)
}
