//! Exchanges as a WARC file (ISO 28500:2017, WARC/1.1): the format in which web archives keep what was sent and received,
//! byte for byte. It is written record by record as exchanges end, and read as far as it is whole.
//!
//! Each call is a `request` record and, where a reply came, a `response` record; each try ends with a `metadata` record,
//! which says whose it was. A try without that record did not end: it is read as if it were not there.

use std::io::{self, BufRead, Read as _, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::sources::failure_kind::FailureKind;
use crate::systems::exchange::Call;
use crate::systems::failure::{AskFailure, TryAgain};
use crate::systems::reply::RawReply;
use crate::systems::request::header_lines;

/// The longest head of a record that is read.
const LONGEST_HEAD: usize = 1 << 20;

/// The name of a field with a setting of a run.
const RUN_SETTING: &str = "setting: ";

/// What a file of exchanges holds, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exchanged {
    /// A run began, with these settings, `name=value`.
    Run(Vec<String>),
    /// A try ended.
    Try(Try),
}

/// A try at a question, with all its calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    /// Whose try it is.
    pub about: AboutTry,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

/// Whose try it is: the content of a `metadata` record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutTry {
    /// The key of the question in its dataset.
    pub question: String,
    /// The language in which it was asked.
    pub language: Option<String>,
    /// The text that was asked.
    pub text: String,
    /// Which try it was, from 1.
    pub number: u32,
    /// How long the calls without a reply took, and why they have none, by their position.
    calls: Vec<CallSaid>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct CallSaid {
    sent_at: String,
    milliseconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureSaid>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FailureSaid {
    kind: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    try_again: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    wait_seconds: Option<u64>,
}

impl Try {
    /// A try that ended.
    pub fn new(question: &str, language: Option<&str>, text: &str, number: u32, calls: Vec<Call>) -> Self {
        let said = calls.iter().map(CallSaid::of).collect();
        let about = AboutTry {
            question: question.to_owned(),
            language: language.map(str::to_owned),
            text: text.to_owned(),
            number,
            calls: said,
        };
        Self { about, calls }
    }

    /// Writes the records of the try.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for (position, call) in self.calls.iter().enumerate() {
            let part = |what: &str| format!("{}/{position}/{what}", self.identity());
            let request = record_id(&part("request"));
            record(out, "request", &request, call, "application/http;msgtype=request", &call.request)?;
            if let Ok(received) = &call.received {
                let id = record_id(&part("response"));
                let content = received.as_http();
                record(out, "response", &id, call, "application/http;msgtype=response", &content)?;
            }
        }
        let Some(last) = self.calls.last() else { return Ok(()) };
        let about = serde_json::to_vec(&self.about).map_err(io::Error::other)?;
        record(out, "metadata", &record_id(&self.identity()), last, "application/json", &about)
    }

    /// The IRI of the record that says whose try it is.
    pub fn exchange(&self) -> Option<String> {
        let id = record_id(&self.identity());
        (!self.calls.is_empty()).then(|| id.trim_matches(['<', '>']).to_owned())
    }

    /// What tells the try from others of its file.
    fn identity(&self) -> String {
        let AboutTry { question, language, number, .. } = &self.about;
        let sent = self.calls.first().map_or("", |call| call.sent_at.as_str());
        format!("{question}/{}/{number}/{sent}", language.as_deref().unwrap_or_default())
    }
}

impl CallSaid {
    fn of(call: &Call) -> Self {
        let milliseconds = u64::try_from(call.took.as_millis()).unwrap_or(u64::MAX);
        let failure = call.received.as_ref().err().map(FailureSaid::of);
        Self { sent_at: call.sent_at.clone(), milliseconds, failure }
    }
}

impl FailureSaid {
    fn of(failure: &AskFailure) -> Self {
        Self {
            kind: failure.kind.name().to_owned(),
            message: failure.message.clone(),
            status: failure.http_status,
            try_again: failure.again != TryAgain::No,
            wait_seconds: match failure.again {
                TryAgain::After(wait) => Some(wait.as_secs()),
                TryAgain::No | TryAgain::Yes => None,
            },
        }
    }

    fn failure(&self) -> Option<AskFailure> {
        let kind = FailureKind::named(&self.kind)?;
        let again = match (self.try_again, self.wait_seconds) {
            (_, Some(seconds)) => TryAgain::After(Duration::from_secs(seconds)),
            (true, None) => TryAgain::Yes,
            (false, None) => TryAgain::No,
        };
        let failure = AskFailure::new(kind, self.message.clone()).again(again);
        Some(match self.status {
            Some(status) => failure.with_status(status),
            None => failure,
        })
    }
}

/// A URI that names a record: a name-based UUID (RFC 9562, version 8) of what the record is about.
fn record_id(name: &str) -> String {
    let mut bytes = Sha256::digest(name.as_bytes())[..16].to_vec();
    bytes[6] = 0x80 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    let digits = hex(&bytes);
    let groups = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    format!("<urn:uuid:{}>", groups.join("-"))
}

/// Writes the record at the beginning of a run: what made it, and how patient and polite it is.
///
/// # Errors
/// Where the file cannot be written.
pub fn write_run(out: &mut impl Write, began_at: &str, settings: &[(&str, String)]) -> io::Result<()> {
    let mut fields = concat!(
        "software: qassay/",
        env!("CARGO_PKG_VERSION"),
        "\r\nformat: WARC File Format 1.1\r\n",
        "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
    )
    .to_owned();
    fields.extend(settings.iter().map(|(name, value)| format!("{RUN_SETTING}{name}={value}\r\n")));
    let id = record_id(&format!("run/{began_at}"));
    head(out, "warcinfo", &id, began_at, None, "application/warc-fields", fields.len())?;
    out.write_all(fields.as_bytes())?;
    out.write_all(b"\r\n\r\n")
}

/// The settings of a run, `name=value`, in its record.
fn run_settings(fields: &[u8]) -> Vec<String> {
    let fields = String::from_utf8_lossy(fields);
    fields.lines().filter_map(|field| field.strip_prefix(RUN_SETTING)).map(str::to_owned).collect()
}

fn record(
    out: &mut impl Write,
    kind: &str,
    id: &str,
    call: &Call,
    media_type: &str,
    content: &[u8],
) -> io::Result<()> {
    head(out, kind, id, &call.sent_at, Some(&call.address), media_type, content.len())?;
    out.write_all(content)?;
    out.write_all(b"\r\n\r\n")
}

fn head(
    out: &mut impl Write,
    kind: &str,
    id: &str,
    date: &str,
    target: Option<&str>,
    media_type: &str,
    length: usize,
) -> io::Result<()> {
    write!(out, "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {id}\r\nWARC-Date: {date}\r\n")?;
    if let Some(target) = target {
        write!(out, "WARC-Target-URI: {target}\r\n")?;
    }
    write!(out, "Content-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n")
}

struct Record {
    kind: String,
    target: String,
    content: Vec<u8>,
}

/// Reads the runs and tries of a file one after the other, as far as it is whole. Gives the number of bytes up to the end of
/// the last of them, and what is wrong with what follows, if it is more than cut off.
pub fn read(input: &mut impl BufRead, each: &mut dyn FnMut(Exchanged)) -> (u64, Result<()>) {
    let (mut calls, mut at, mut whole) = (Vec::new(), 0, 0);
    loop {
        match next(input, &mut at) {
            // The last record is not whole.
            Ok(None) => return (whole, Ok(())),
            Err(error) => return (whole, Err(error.at(format!("byte {at}")))),
            Ok(Some(record)) => match taken(record, &mut calls, at) {
                Ok(None) => {}
                Ok(Some(one)) => {
                    each(one);
                    whole = at;
                }
                Err(error) => return (whole, Err(error)),
            },
        }
    }
}

/// What a record ends: a run begins with one, a try is all calls before its last record.
fn taken(record: Record, calls: &mut Vec<(Record, Option<Vec<u8>>)>, at: u64) -> Result<Option<Exchanged>> {
    match record.kind.as_str() {
        "request" => calls.push((record, None)),
        "response" => {
            let last = calls.last_mut().filter(|(_, response)| response.is_none());
            let (_, response) = last.ok_or_else(|| damaged("a response without a request", at))?;
            *response = Some(record.content);
        }
        "metadata" => {
            let about: AboutTry = serde_json::from_slice(&record.content)
                .map_err(|error| damaged(&format!("a try that is no JSON ({error})"), at))?;
            return joined(about, std::mem::take(calls), at).map(|one| Some(Exchanged::Try(one)));
        }
        "warcinfo" => {
            // Calls before it were of a try that did not end.
            calls.clear();
            return Ok(Some(Exchanged::Run(run_settings(&record.content))));
        }
        _ => {}
    }
    Ok(None)
}

fn joined(about: AboutTry, calls: Vec<(Record, Option<Vec<u8>>)>, at: u64) -> Result<Try> {
    if about.calls.len() != calls.len() {
        return Err(damaged(&format!("{} calls where {} are told", calls.len(), about.calls.len()), at));
    }
    let call = |((request, response), said): ((Record, Option<Vec<u8>>), &CallSaid)| {
        let received = match (response, said.failure.as_ref().map(FailureSaid::failure)) {
            (Some(response), None) => {
                Ok(RawReply::of_http(&response).ok_or_else(|| damaged("a response that is no HTTP", at))?)
            }
            (None, Some(Some(failure))) => Err(failure),
            _ => return Err(damaged("a call without a reply and without a failure", at)),
        };
        Ok(Call {
            address: request.target,
            request: request.content,
            received,
            sent_at: said.sent_at.clone(),
            took: Duration::from_millis(said.milliseconds),
        })
    };
    let calls = calls.into_iter().zip(&about.calls).map(call).collect::<Result<_>>()?;
    Ok(Try { about, calls })
}

fn damaged(what: &str, at: u64) -> Error {
    Error::check(format!("the file of exchanges has {what}")).at(format!("before byte {at}"))
}

/// The next record, if it is whole.
fn next(input: &mut impl BufRead, at: &mut u64) -> Result<Option<Record>> {
    let cannot = |error: io::Error| Error::system(format!("cannot read the file of exchanges: {error}"));
    let mut head = Vec::new();
    loop {
        let begin = head.len();
        let limit = (LONGEST_HEAD - head.len()) as u64;
        let read = io::Read::take(&mut *input, limit).read_until(b'\n', &mut head).map_err(cannot)?;
        if read == 0 {
            return if head.len() < LONGEST_HEAD {
                Ok(None)
            } else {
                Err(Error::check("no WARC file: a head without an end"))
            };
        }
        if &head[begin..] == b"\r\n" {
            break;
        }
    }
    let text = std::str::from_utf8(&head).ok().filter(|text| text.starts_with("WARC/1."));
    let text = text.ok_or_else(|| Error::check("no WARC file"))?;
    let field = |name: &str| {
        text.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let length: Option<u64> = field("Content-Length").and_then(|length| length.parse().ok());
    let length = length.ok_or_else(|| Error::check("a record without a length"))?;
    let mut content = Vec::new();
    let read = io::Read::take(&mut *input, length + 4).read_to_end(&mut content).map_err(cannot)?;
    if (read as u64) < length + 4 {
        return Ok(None);
    }
    if !content.ends_with(b"\r\n\r\n") {
        return Err(Error::check("a record that does not end where it says"));
    }
    content.truncate(content.len() - 4);
    *at += head.len() as u64 + length + 4;
    let (kind, target) =
        (field("WARC-Type").unwrap_or_default(), field("WARC-Target-URI").unwrap_or_default());
    Ok(Some(Record { kind, target, content }))
}

impl RawReply {
    /// The reply as HTTP/1.1 writes it: without chunks, which the client has put together.
    pub fn as_http(&self) -> Vec<u8> {
        let fields = header_lines(&self.headers);
        let mut bytes = format!("HTTP/1.1 {}\r\n{fields}\r\n", self.status).into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// The reply that [`Self::as_http`] wrote.
    pub fn of_http(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let header = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_owned(), value.to_owned()))
        };
        let headers = lines.map(header).collect::<Option<_>>()?;
        Some(Self { status, headers, body: bytes[end + 4..].to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(received: Result<RawReply, AskFailure>) -> Call {
        Call {
            address: "http://system.example/qa".to_owned(),
            request: b"POST /qa HTTP/1.1\r\n\r\nquery=WARC/1.1\r\n\r\n".to_vec(),
            received,
            sent_at: "2026-11-23T07:00:00.5Z".to_owned(),
            took: Duration::from_millis(1234),
        }
    }

    fn tries() -> Vec<Try> {
        let reply = RawReply {
            status: 200,
            headers: vec![("Content-Type".to_owned(), "application/json; a: b".to_owned())],
            body: b"{}\r\n\r\nWARC/1.1\r\n\xff".to_vec(),
        };
        let late = AskFailure::new(FailureKind::Timeout, "it took too long").with_status(504);
        let broken =
            AskFailure::new(FailureKind::RateLimit, "later").again(TryAgain::After(Duration::from_secs(3)));
        vec![
            Try::new("1", Some("en"), "Who?", 1, vec![call(Ok(reply.clone())), call(Err(late))]),
            Try::new("1", Some("en"), "Who?", 2, vec![call(Err(broken))]),
            Try::new("ü/2", None, "What\r\n?", 1, vec![call(Ok(RawReply { body: Vec::new(), ..reply }))]),
        ]
    }

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        for one in kept() {
            match one {
                Exchanged::Run(_) => {
                    write_run(&mut bytes, "2026-11-23T07:00:00Z", &[("parallel", "2".to_owned())]).unwrap();
                }
                Exchanged::Try(one) => one.write(&mut bytes).unwrap(),
            }
        }
        bytes
    }

    /// A run of two tries, and one of a third.
    fn kept() -> Vec<Exchanged> {
        let run = || Exchanged::Run(vec!["parallel=2".to_owned()]);
        let mut kept: Vec<Exchanged> = tries().into_iter().map(Exchanged::Try).collect();
        kept.insert(2, run());
        kept.insert(0, run());
        kept
    }

    fn read_all(mut bytes: &[u8]) -> Result<(Vec<Exchanged>, u64)> {
        let mut found = Vec::new();
        let (whole, sound) = read(&mut bytes, &mut |one| found.push(one));
        sound.map(|()| (found, whole))
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = written();
        assert_eq!(read_all(&bytes).unwrap(), (kept(), bytes.len() as u64));
    }

    #[test]
    fn a_file_that_was_cut_off_is_read_as_far_as_it_is_whole() {
        let bytes = written();
        let mut counts = Vec::new();
        for end in 0..bytes.len() {
            let (found, whole) = read_all(&bytes[..end]).unwrap();
            assert_eq!(found, kept()[..found.len()], "{end}");
            assert!(whole <= end as u64);
            counts.push(found.len());
        }
        assert!(counts.is_sorted() && counts.last() == Some(&4), "{:?}", counts.last());
    }

    /// Whoever was killed in the middle of a try, and went on without cutting it off.
    #[test]
    fn calls_of_a_try_that_did_not_end_are_not_those_of_the_next() {
        let mut bytes = Vec::new();
        tries()[2].write(&mut bytes).unwrap();
        let end = memchr::memmem::rfind(&bytes, b"WARC/1.1\r\nWARC-Type: metadata").unwrap();
        bytes.truncate(end);
        write_run(&mut bytes, "2026-11-23T08:00:00Z", &[]).unwrap();
        tries()[1].write(&mut bytes).unwrap();
        let found = read_all(&bytes).unwrap().0;
        assert_eq!(found, [Exchanged::Run(Vec::new()), Exchanged::Try(tries()[1].clone())]);
    }

    #[test]
    fn what_is_no_file_of_exchanges_is_refused() {
        assert!(read_all(b"GIF89a\r\n\r\n").is_err());
        let damaged = String::from_utf8_lossy(&written()).replace("\"number\":2", "\"number\":x");
        assert!(read_all(damaged.as_bytes()).is_err());
        assert_eq!(read_all(b"").unwrap(), (Vec::new(), 0));
    }
}
