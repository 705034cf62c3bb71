//! Exchanges with live systems, recorded or made after their code: what their protocols send, and make of replies.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use qassay::sources::document::{Cell, CellKind};
use qassay::systems::description::{Protocol, ReplyKind};
use qassay::systems::dialogue::Dialogue;
use qassay::systems::exchange::{Outgoing, Transport};
use qassay::systems::failure::{AskFailure, TryAgain};
use qassay::systems::reply::{RawReply, Read, SystemReply};
use qassay::systems::request::SystemRequest;
use qassay::systems::template::Values;
use serde_json::Value;

/// Whose exchange a file is: the beginning of its path, the protocol.
const PROTOCOLS: [(&str, &str); 34] = [
    ("asknow/", "asknow"),
    ("common-errors/html", "gerbil"),
    ("common-errors/", "tebaqa"),
    ("deeppavlov/", "deeppavlov"),
    ("ganswer/qald-jsp", "ganswer-qald"),
    ("ganswer/", "ganswer"),
    ("gerbil-webservice/ambiguous-form-encoded", "gerbil"),
    ("gerbil-webservice/", "gerbil-legacy"),
    ("hawk/search-sync", "hawk"),
    ("hawk/", "hawk-2015"),
    ("kgqan/", "kgqan"),
    ("nliwod-others/frankenstein", "frankenstein"),
    ("nliwod-others/qamp", "qamp"),
    ("nliwod-others/quegg", "quegg"),
    ("nliwod-others/quint", "quint"),
    ("nliwod-others/tequila", "tequila"),
    ("okbqa/", "okbqa"),
    ("openai-chat/", "openai"),
    ("platypus/", "platypus"),
    ("qakis/", "qakis"),
    ("qanary/gerbil-execute", "qanary-gerbil"),
    ("qanary/1-", "qanary"),
    ("qanswer/gerbil", "qanswer"),
    ("qanswer/qa-full", "qanswer-full"),
    ("quepy/", "quepy"),
    ("simple-json/", "json"),
    ("sina/", "sina"),
    ("start/", "start"),
    ("tebaqa/qa-porque", "tebaqa-eqald"),
    ("tebaqa/qa.", "tebaqa-eqald"),
    ("tebaqa/", "tebaqa"),
    ("text2sparql/", "text2sparql"),
    ("yodaqa/", "yodaqa"),
    ("nliwod-others/sorokin", ""),
];

/// A request: the file, the path of the address, places with their values.
type AskedRequest = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// What was asked in each request: the file, the path of the address, the question; places with their values.
const REQUESTS: [AskedRequest; 30] = [
    ("asknow/ask", "/", &[("question", "Who is the wife of Barack Obama?")]),
    ("deeppavlov/model", "/", &[("question", "Who directed Forrest Gump?")]),
    (
        "ganswer/gsolve",
        "/",
        &[("question", "Who is the wife of Donald Trump?"), ("maxAnswerNum", "1"), ("maxSparqlNum", "2")],
    ),
    ("ganswer/qald-jsp", "/", &[("question", "Who is the mayor of Berlin?")]),
    (
        "gerbil-webservice/ambiguous-form-encoded",
        "/qa",
        &[("question", "What is 50% of R&D = research + development?")],
    ),
    (
        "gerbil-webservice/ambiguous-form-legacy",
        "/qa",
        &[("question", "What is 50% of R&D = research + development?")],
    ),
    ("gerbil-webservice/qald-uri", "/qa", &[("question", "Which river flows through Köln?")]),
    ("hawk/1-search-async", "/", &[("question", "What is the capital of Spain ?")]),
    ("hawk/2-status-running", "/", &[("run", "5f0c6a04-6f5b-4d2c-9d39-4e0b8a7c21d6")]),
    ("hawk/search-sync", "/", &[("question", "What is the capital of Spain ?")]),
    ("kgqan/ask", "/", &[("question", "Who founded Intel?")]),
    ("nliwod-others/frankenstein", "/", &[("question", "What is the capital of Germany?")]),
    (
        "nliwod-others/qamp",
        "/",
        &[("question", "What are some famous works of the writer of The Second Coming?")],
    ),
    ("nliwod-others/quegg", "/", &[("question", "Who is the mayor of Berlin?")]),
    ("nliwod-others/quint", "/", &[("question", "who plays ken barlow")]),
    ("nliwod-others/tequila", "/", &[("question", "Who was president after Kennedy?")]),
    ("openai-chat/ok", "/v1", &[("question", "Which river flows through Köln?"), ("model", "some-model")]),
    ("platypus/number", "/", &[("question", "population of france")]),
    ("platypus/resource", "/", &[("question", "Who is the wife of barak obama")]),
    (
        "qakis/2-question",
        "/",
        &[("question", "In which country does the Ganges start?"), ("state", "-3151:42")],
    ),
    (
        "qanary/gerbil-execute",
        "/",
        &[("question", "Where was Albert Einstein born?"), ("components", QANARY_COMPONENTS)],
    ),
    (
        "qanary/1-start",
        "/",
        &[("question", "Where was Albert Einstein born?"), ("components", QANARY_COMPONENTS)],
    ),
    ("qanswer/gerbil", "/", &[("question", "Who is the wife of Barack Obama?"), ("kb", "dbpedia")]),
    ("qanswer/qa-full", "/", &[("question", "What is the capital of Germany?")]),
    ("quepy/1-query", "/", &[("question", "Who is Tom Cruise?")]),
    ("simple-json/opal-qa", "/", &[("question", "What datasets exist for Rostock?")]),
    ("sina/1-answers", "/", &[("question", "Which films did Stanley Kubrick direct?")]),
    ("start/ask", "/", &[("question", "What is the capital of Cameroon?")]),
    ("tebaqa/qa-simple", "/", &[("question", "Where is the birthplace of Angela Merkel?")]),
    ("yodaqa/1-ask", "/", &[("question", "Who wrote Faust?")]),
];

const QANARY_COMPONENTS: &str = "OpenTapiocaNED, BirthDataQueryBuilderWikidata, SparqlExecuter";

/// What a pipeline of QANARY replies to the three calls of a case.
const PIPELINES: [(&str, [&str; 3]); 4] = [
    ("qanary/2-answer-json", ["1-start", "2-answer-json", "2-no-answer"]),
    ("qanary/2-no-answer", ["1-start", "2-no-answer", "2-no-answer"]),
    ("qanary/3-answer-sparql", ["1-start", "2-no-answer", "3-answer-sparql"]),
    ("qanary/3-answer-sparql-stardog-xml", ["1-start", "2-no-answer", "3-answer-sparql-stardog-xml"]),
];

/// Gives recorded replies in order.
struct Recorded(std::vec::IntoIter<RawReply>);

impl Transport for Recorded {
    fn call(&mut self, _: &Outgoing) -> Result<RawReply, AskFailure> {
        Ok(self.0.next().unwrap())
    }

    fn pause(&mut self, _: Duration) -> Result<(), AskFailure> {
        Ok(())
    }
}

/// A pipeline that replies so gives the answers or the query that are expected.
fn check_pipeline(replies: Vec<RawReply>, expected: &Value) -> Result<(), Failed> {
    let values = Values::default().with("question", "?").with("language", "en").with("components", "NED");
    let address = "http://system.example/".parse().unwrap();
    let protocol = Protocol::named("qanary").unwrap();
    let dialogue = Dialogue { protocol, address: &address, values: &values };
    let reply = dialogue.ask(&mut Recorded(replies.into_iter())).map_err(|failure| format!("{failure:?}"))?;
    let none = || Value::Array(Vec::new());
    let same = answers(&reply, expected) == expected.get("answers").cloned().unwrap_or_else(none)
        && reply.query.as_deref() == expected.get("sparql").and_then(Value::as_str)
        && (expected["status"] == "ok") == reply.has_answers();
    let confidence = expected.get("confidence").map(Value::to_string);
    if same && (confidence.is_none() || confidence == reply.confidence) {
        return Ok(());
    }
    Err(format!("{reply:#?}\n{expected:#}").into())
}

/// The trials: each reply, each request.
pub(crate) fn trials(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("specs/systems-fixtures");
    let mut trials = Vec::new();
    for file in files(&folder) {
        let name = file.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        if let Some(case) = name.strip_suffix(".expected.json") {
            trials.push(reply_trial(&folder, case));
        }
    }
    for (case, path, values) in REQUESTS {
        let file = folder.join(format!("{case}.request.http"));
        let check = move || check_request(case, path, values, &fs::read(&file).unwrap());
        trials.push(Trial::test(format!("systems::request::{case}"), check));
    }
    for file in files(&folder).into_iter().filter(|file| file.to_string_lossy().contains("text2sparql")) {
        let name = file.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        if let Some(case) =
            name.strip_suffix(".request.http").filter(|case| !case.contains("missing-parameter"))
        {
            let case = case.to_owned();
            let check = move || check_text2sparql(&fs::read(&file).unwrap());
            trials.push(Trial::test(format!("systems::request::{case}"), check));
        }
    }
    trials
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn protocol_of(case: &str) -> Option<&'static Protocol> {
    let name = PROTOCOLS.iter().find(|(beginning, _)| format!("{case}.").starts_with(beginning))?.1;
    (!name.is_empty()).then(|| Protocol::named(name).unwrap())
}

/// A reply is a trial where there is one and a protocol reads it; what a transport does is tried elsewhere.
fn reply_trial(folder: &Path, case: &str) -> Trial {
    let name = format!("systems::reply::{case}");
    let read = |ending: &str| fs::read(folder.join(format!("{case}{ending}")));
    let expected: Value = serde_json::from_slice(&read(".expected.json").unwrap()).unwrap();
    if let Some((_, calls)) = PIPELINES.iter().find(|(of, _)| *of == case) {
        let whole =
            |call: &&str| received(&fs::read(folder.join(format!("qanary/{call}.response.http"))).unwrap());
        let replies: Vec<RawReply> = calls.iter().map(whole).collect();
        return Trial::test(name, move || check_pipeline(replies, &expected));
    }
    let (Some(protocol), Ok(response)) = (protocol_of(case), read(".response.http")) else {
        // What happened is told in words, or needs three calls in a chain that no protocol has.
        let kind = if read(".transport.txt").is_ok() { "systems_transport tries it" } else { "no protocol" };
        return Trial::test(name, || Ok(())).with_kind(kind).with_ignored_flag(true);
    };
    let is_cut = case == "common-errors/truncated-json";
    let second =
        (case == "sina/1-answers").then(|| fs::read(folder.join("sina/2-query.response.http")).unwrap());
    let trial = Trial::test(name, move || check_reply(protocol, &response, second.as_deref(), &expected));
    // The connection breaks off: no reader sees it.
    if is_cut { trial.with_kind("systems_transport tries it").with_ignored_flag(true) } else { trial }
}

fn check_reply(
    protocol: &Protocol,
    response: &[u8],
    second: Option<&[u8]>,
    expected: &Value,
) -> Result<(), Failed> {
    let asked = Values::default().with("dataset", "https://text2sparql.aksw.org/2025/corporate/");
    let received = received(response);
    let mut read = protocol.read_reply(&received, &asked);
    if let (Some(second), Ok(Read::Done(reply))) = (second, &mut read) {
        protocol.read_query(&self::received(second), reply).map_err(|failure| format!("{failure:?}"))?;
    }
    let status = match &read {
        Ok(Read::Pending(_)) => "pending",
        Ok(Read::Done(reply)) if reply.has_answers() => "ok",
        Ok(Read::Done(reply)) if reply.query.is_some() && protocol.reply.kind == ReplyKind::Query => "query",
        Ok(Read::Done(_)) => "empty",
        Err(failure) if failure.stops => "abort",
        Err(failure) if failure.is_timeout() => "timeout",
        Err(_) => "error",
    };
    let fail = |what: &str| -> Result<(), Failed> { Err(format!("{what}\n{read:#?}\n{expected:#}").into()) };
    if expected["status"] != status && !expected["status"].is_null() {
        return fail(&format!("the status is {status}"));
    }
    match &read {
        Ok(Read::Done(reply)) => {
            if answers(reply, expected)
                != expected.get("answers").cloned().unwrap_or(Value::Array(Vec::new()))
            {
                return fail("other answers");
            }
            let other = |key: &str, found: Option<&str>| {
                expected
                    .get(key)
                    .and_then(Value::as_str)
                    .is_some_and(|text| found.map(str::trim) != Some(text.trim()))
            };
            if other("sparql", reply.query.as_deref()) || other("labels", reply.label.as_deref()) {
                return fail("another query or label");
            }
            let starts = expected.get("sparqlStartsWith").and_then(Value::as_str).unwrap_or_default();
            if !reply.query.as_deref().unwrap_or_default().starts_with(starts) {
                return fail("the query begins otherwise");
            }
            if expected.get("issue").is_some() && reply.notes.is_empty() {
                return fail("nothing is noted");
            }
            let kept: BTreeMap<&str, &Value> =
                reply.kept.iter().map(|(place, value)| (place.as_str(), value)).collect();
            if expected.get("model").is_some_and(|model| kept.get("/model") != Some(&model)) {
                return fail("the model is not kept");
            }
            if expected
                .pointer("/usage/prompt")
                .is_some_and(|tokens| kept["/usage"]["prompt_tokens"] != *tokens)
            {
                return fail("the usage is not kept");
            }
            Ok(())
        }
        Ok(Read::Pending(_)) => Ok(()),
        Err(failure) => match wrong_failure(failure, &expected["error"], &received) {
            Some(what) => fail(what),
            None => Ok(()),
        },
    }
}

fn wrong_failure(failure: &AskFailure, expected: &Value, received: &RawReply) -> Option<&'static str> {
    if expected["kind"] != failure.kind.name() {
        return Some("another kind");
    }
    if expected
        .get("httpStatus")
        .is_some_and(|status| Some(status) != failure.http_status.map(Value::from).as_ref())
    {
        return Some("another HTTP status");
    }
    if expected["retry"] != (failure.again != TryAgain::No) {
        return Some("another opinion on further tries");
    }
    if let Some(wait) = expected.get("waitSeconds")
        && !matches!(failure.again, TryAgain::After(asked) if *wait == asked.as_secs())
    {
        return Some("another wait");
    }
    let message = expected.get("message").and_then(Value::as_str)?;
    let body: Value = serde_json::from_slice(&received.body).unwrap_or_default();
    let said = body.pointer(message).and_then(Value::as_str);
    // Where the place of another message is named, both are said: the more telling one counts.
    (!failure.message.contains(said.unwrap_or(message)) && said.is_none()).then_some("another message")
}

/// The answers in the form of the expectations, with what those say of each.
fn answers(reply: &SystemReply, expected: &Value) -> Value {
    let mut found = Vec::new();
    let wanted = |index: usize, key: &str| expected.pointer(&format!("/answers/{index}/{key}")).is_some();
    for set in &reply.answers {
        if let Some(value) = set.boolean {
            found.push(serde_json::json!({"type": "boolean", "value": value.to_string()}));
        }
        for cell in set.rows.iter().flat_map(|row| &row.cells) {
            let mut answer = serde_json::json!({"type": kind(cell), "value": cell.value});
            let index = found.len();
            if wanted(index, "datatype") {
                answer["datatype"] = cell.datatype.clone().into();
            }
            if wanted(index, "confidence") {
                let confidence = reply.confidences.get(index).or(reply.confidence.as_ref());
                answer["confidence"] = confidence.and_then(|text| text.parse::<f64>().ok()).into();
            }
            found.push(answer);
        }
    }
    Value::Array(found)
}

fn kind(cell: &Cell) -> &'static str {
    match cell.kind {
        CellKind::Uri => "iri",
        CellKind::BlankNode => "bnode",
        CellKind::Literal | CellKind::Unknown => "literal",
    }
}

/// Status line, headers and body; heads have line feeds.
fn received(bytes: &[u8]) -> RawReply {
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
    let (head, body) = (std::str::from_utf8(&bytes[..end]).unwrap(), &bytes[end + 2..]);
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.map(|line| line.split_once(':').unwrap());
    let headers = headers.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect();
    RawReply { status, headers, body: body.to_vec() }
}

fn check_request(case: &str, path: &str, places: &[(&str, &str)], expected: &[u8]) -> Result<(), Failed> {
    let protocol = protocol_of(case).unwrap();
    let defaults = protocol.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let values = defaults.chain([("language", "en")]).chain(places.iter().copied());
    let values: Values = values.collect();
    let address = format!("http://system.example{path}").parse().unwrap();
    let request = match &protocol.driver {
        qassay::systems::description::Driver::Poll { path, .. } if places[0].0 == "run" => {
            SystemRequest::get(protocol, path, &address, &values)
        }
        _ => SystemRequest::first(protocol, &address, &values),
    };
    compare(&request.unwrap(), expected)
}

/// Method and target are the same to the byte; a body too, if it is no JSON; and the headers that protocols speak of.
fn compare(request: &SystemRequest, expected: &[u8]) -> Result<(), Failed> {
    let end = expected.windows(2).position(|pair| pair == b"\n\n").unwrap();
    let (head, body) = (std::str::from_utf8(&expected[..end]).unwrap(), &expected[end + 2..]);
    let sent = String::from_utf8(request.as_http()).unwrap();
    let line = |text: &str| text.lines().next().unwrap().trim_end().to_owned();
    if line(head) != line(&sent) {
        return Err(format!("{}\n{}", line(head), line(&sent)).into());
    }
    let body = std::str::from_utf8(body).unwrap().trim_end_matches('\n');
    let own = std::str::from_utf8(&request.body).unwrap();
    let same = match (serde_json::from_str::<Value>(body), serde_json::from_str::<Value>(own)) {
        (Ok(one), Ok(other)) => one == other,
        _ => body == own,
    };
    if !same {
        return Err(format!("{body}\n{own}").into());
    }
    for name in ["Content-Type", "Accept", "Accept-Charset"] {
        let find = |text: &str| {
            let header = text.lines().skip(1).find(|line| line.starts_with(&format!("{name}: ")));
            header.map(|line| line.trim_end().replace("; charset=UTF-8", ";charset=UTF-8"))
        };
        let (wanted, own) = (find(head), find(&sent));
        let media_type =
            |header: &Option<String>| header.as_ref().map(|text| text.split(';').next().map(str::to_owned));
        let same = match wanted.as_deref() {
            None | Some("Accept: */*") => true,
            // JSON has no charset: some say it, some do not.
            Some(text) if text.contains("json") && name == "Content-Type" => {
                media_type(&wanted) == media_type(&own)
            }
            Some(_) => wanted == own,
        };
        if !same {
            return Err(format!("{wanted:?} {own:?}").into());
        }
    }
    Ok(())
}

/// The requests of text2sparql-client: their own question, asked again.
fn check_text2sparql(expected: &[u8]) -> Result<(), Failed> {
    let head = std::str::from_utf8(expected).unwrap();
    let target = head.split(' ').nth(1).unwrap();
    let (path, query) = target.split_once('?').unwrap();
    let asked: BTreeMap<String, String> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let values = Values::default().with("dataset", &asked["dataset"]).with("question", &asked["question"]);
    let address = format!("http://system.example{path}").parse().unwrap();
    compare(
        &SystemRequest::first(Protocol::named("text2sparql").unwrap(), &address, &values).unwrap(),
        expected,
    )
}
