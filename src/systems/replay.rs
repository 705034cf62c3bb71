//! Kept exchanges read again: what a description makes of them, offline. The answers of a run are a function of both.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use reqwest::Url;
use serde_json::{Map, Value};

use crate::base::error::{Error, Result};
use crate::sources::document::{
    AnswerState, Answers, Document, LiveAnswer, Query, QueryKind, Question, Text,
};
use crate::sources::failure_kind::FailureKind;
use crate::sources::format::Target;
use crate::systems::choose::AskedText;
use crate::systems::description::{Driver, Protocol};
use crate::systems::dialogue::Dialogue;
use crate::systems::exchange::{Call, Outgoing, Transport};
use crate::systems::failure::AskFailure;
use crate::systems::reply::{RawReply, SystemReply};
use crate::systems::run::{LiveSystem, seconds};
use crate::systems::template::Values;
use crate::systems::warc::{Exchanged, Try};

/// Gives what was received, in the order in which it was.
struct KeptReplies<'k>(std::slice::Iter<'k, Call>);

impl Transport for KeptReplies<'_> {
    fn call(&mut self, _: &Outgoing) -> Result<RawReply, AskFailure> {
        match self.0.next() {
            Some(call) => call.received.clone(),
            None => Err(AskFailure::new(
                FailureKind::Connection,
                "the description wants a call that was not made",
            )),
        }
    }

    fn pause(&mut self, _: Duration) -> Result<(), AskFailure> {
        if self.0.len() > 0 { Ok(()) } else { Err(AskFailure::late()) }
    }
}

/// How asking a question ended.
#[derive(Debug, Clone, PartialEq)]
pub struct AskOutcome {
    /// What was asked.
    pub asked: AskedText,
    /// The IRI of the last exchange.
    pub exchange: Option<String>,
    /// How often it was asked.
    pub tries: u32,
    /// What the last reply says.
    pub read: Result<SystemReply, AskFailure>,
    /// How long the last try took.
    pub took: Duration,
    /// How long all tries took together, without the waits between them.
    pub all_tries_took: Duration,
}

/// What came of each question: tries are added one after the other, and what they received is not kept in memory.
#[derive(Debug)]
pub struct Replay<'s> {
    system: LiveSystem<'s>,
    of_key: HashMap<String, usize>,
    outcomes: Vec<AskOutcome>,
    tries: u64,
    times: Option<[Timestamp; 2]>,
    settings: BTreeSet<String>,
    requests_as_described: bool,
}

impl<'s> Replay<'s> {
    /// Nothing was asked yet.
    pub fn new(protocol: &'s Protocol, address: &'s Url, values: Values) -> Self {
        let system = LiveSystem { protocol, address, values, responder: None };
        Self {
            system,
            of_key: HashMap::new(),
            outcomes: Vec::new(),
            tries: 0,
            times: None,
            settings: BTreeSet::new(),
            requests_as_described: true,
        }
    }

    /// What a file of exchanges holds: of each question the last try counts.
    pub fn add(&mut self, one: Exchanged) {
        match one {
            Exchanged::Run(settings) => self.settings.extend(settings),
            Exchanged::Try(one) => self.add_try(&one),
        }
    }

    fn add_try(&mut self, one: &Try) {
        self.tries += 1;
        for call in &one.calls {
            let began: Option<Timestamp> = call.sent_at.parse().ok();
            let took = SignedDuration::try_from(call.took).ok();
            if let (Some(began), Some(took)) = (began, took)
                && let Ok(ended) = began.checked_add(took)
            {
                let [first, last] = self.times.unwrap_or([began, ended]);
                self.times = Some([first.min(began), last.max(ended)]);
            }
        }
        self.requests_as_described &= is_as_described(&self.system, one);
        let outcome = outcome(&self.system, one);
        if let Some(at) = self.of_key.get(&one.about.question) {
            let before = &self.outcomes[*at];
            let (tries, all_tries_took) = (before.tries + 1, before.all_tries_took + outcome.took);
            self.outcomes[*at] = AskOutcome { tries, all_tries_took, ..outcome };
        } else {
            self.of_key.insert(one.about.question.clone(), self.outcomes.len());
            self.outcomes.push(outcome);
        }
    }

    /// What came of each question, in the order of first asking.
    pub fn outcomes(&self) -> &[AskOutcome] {
        &self.outcomes
    }

    /// How many tries there were.
    pub fn tries(&self) -> u64 {
        self.tries
    }

    /// Whether each try began with the request that description, address and settings give.
    pub fn requests_as_described(&self) -> bool {
        self.requests_as_described
    }

    /// How patient and how polite the runs were, `name=value`, each once.
    pub fn settings(&self) -> impl Iterator<Item = &str> {
        self.settings.iter().map(String::as_str)
    }

    /// When the first call began, and the last one ended: `xsd:dateTime`.
    pub fn times(&self) -> Option<[String; 2]> {
        self.times.map(|times| times.map(|time| time.to_string()))
    }

    /// The submission: a question a line, in the order of the dataset, with what the last try of each gave. Questions that
    /// were not asked are not in it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn submission(&self, dataset: &Document) -> Result<Vec<u8>> {
        let keys = dataset.questions.iter().zip(0..).map(|(question, at)| (question.key.as_str(), at));
        let positions: HashMap<&str, usize> = keys.collect();
        let position = |outcome: &&AskOutcome| positions.get(outcome.asked.key.as_str()).copied();
        let mut ordered: Vec<&AskOutcome> = self.outcomes.iter().collect();
        ordered.sort_by_key(|outcome| position(outcome).unwrap_or(usize::MAX));
        let questions = ordered.into_iter().map(question).collect();
        let document = Document { dataset_id: dataset.dataset_id.clone(), questions, issues: Vec::new() };
        let target = Target::named("jsonl").ok_or_else(|| Error::system("no format for submissions"))?;
        let (bytes, _) = (target.write)(&document, "")?;
        Ok(bytes)
    }
}

/// The question of a try.
fn asked(one: &Try) -> AskedText {
    let language = one.about.language.clone().unwrap_or_default();
    AskedText { key: one.about.question.clone(), language, text: one.about.text.clone() }
}

fn is_as_described(system: &LiveSystem<'_>, one: &Try) -> bool {
    let values = system.values_of(&asked(one));
    let dialogue = Dialogue { protocol: system.protocol, address: system.address, values: &values };
    match (dialogue.first(), one.calls.first()) {
        (Ok(request), Some(call)) => request.kept.as_http() == call.request,
        _ => false,
    }
}

fn outcome(system: &LiveSystem<'_>, one: &Try) -> AskOutcome {
    let asked = asked(one);
    let values = system.values_of(&asked);
    let dialogue = Dialogue { protocol: system.protocol, address: system.address, values: &values };
    let read = dialogue.ask(&mut KeptReplies(one.calls.iter()));
    let mut took: Duration = one.calls.iter().map(|call| call.took).sum();
    // A system that is polled works while one waits.
    if let Driver::Poll { pause, .. } = &system.protocol.driver {
        let polls = u32::try_from(one.calls.len().saturating_sub(1)).unwrap_or(u32::MAX);
        took += pause.saturating_mul(polls);
    }
    AskOutcome { asked, exchange: one.exchange(), tries: 1, read, took, all_tries_took: took }
}

fn question(outcome: &AskOutcome) -> Question {
    let AskedText { key, language, text } = &outcome.asked;
    let language = (!language.is_empty()).then(|| language.clone());
    let mut question = Question {
        id: key.clone(),
        key: key.clone(),
        texts: vec![Text { language, text: text.clone() }],
        response_time: Some(seconds(outcome.took)),
        ..Question::default()
    };
    let mut asked =
        LiveAnswer { exchange: outcome.exchange.clone(), tries: outcome.tries, ..LiveAnswer::default() };
    match &outcome.read {
        Ok(reply) => {
            let query = |text: &String| Query {
                kind: QueryKind::Sparql,
                text: text.trim().to_owned(),
                language: None,
            };
            question.queries = reply.query.iter().map(query).collect();
            question.answers = answers(reply);
            asked.notes.clone_from(&reply.notes);
            asked.kept = beside(reply);
        }
        Err(failure) => {
            asked.failure = Some(failure.told_kind().name().to_owned());
            question.error = Some(failure.message.trim().to_owned());
        }
    }
    question.asked = Some(asked);
    question
}

/// What a reply says beside answers and query.
fn beside(reply: &SystemReply) -> Map<String, Value> {
    let mut kept: Map<String, Value> = reply.kept.iter().cloned().collect();
    for (name, text) in [("confidence", &reply.confidence), ("label", &reply.label)] {
        kept.extend(text.iter().map(|text| (name.to_owned(), Value::from(text.as_str()))));
    }
    if !reply.confidences.is_empty() {
        kept.insert("confidences".to_owned(), Value::from(reply.confidences.clone()));
    }
    kept
}

/// The answers of a reply. One that gives a query only says nothing about answers.
fn answers(reply: &SystemReply) -> Answers {
    let state = match (reply.has_answers(), &reply.query) {
        (true, _) => AnswerState::Given,
        (false, Some(_)) if reply.answers.is_empty() => AnswerState::Absent,
        (false, _) => AnswerState::Empty,
    };
    Answers { state, sets: if state == AnswerState::Given { reply.answers.clone() } else { Vec::new() } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file::source::Source;
    use crate::sources::format::read;
    use crate::sources::input::answer::answer_status;

    const QUERY: &str = "ASK { ?a ?b ?c }";

    fn call(received: Result<(u16, &str), AskFailure>) -> Call {
        Call {
            address: "http://system.example/".to_owned(),
            request: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            received: received.map(|(status, body)| RawReply {
                status,
                headers: Vec::new(),
                body: body.as_bytes().to_vec(),
            }),
            sent_at: "2026-11-23T07:00:00Z".to_owned(),
            took: Duration::from_millis(1500),
        }
    }

    #[test]
    fn the_last_try_of_each_question_counts() {
        let answer = format!(r#"{{"dataset": "d", "question": "q", "query": "{QUERY}"}}"#);
        let late = AskFailure::late();
        let tries = [
            Try::new("2", Some("en"), "b?", 1, vec![call(Ok((503, "")))]),
            Try::new("3", Some("en"), "c?", 1, vec![call(Err(late))]),
            Try::new("1", Some("en"), "a?", 1, vec![call(Ok((200, &answer)))]),
            Try::new("2", Some("en"), "b?", 2, vec![call(Ok((500, r#"{"detail": "no"}"#)))]),
            Try::new(
                "4",
                Some("en"),
                "d?",
                1,
                vec![call(Ok((200, r#"{"dataset": "d", "question": "q", "query": ""}"#)))],
            ),
        ];
        let address = Url::parse("http://system.example/").unwrap();
        let values = Values::default().with("dataset", "http://d.example/");
        let mut replay = Replay::new(Protocol::named("text2sparql").unwrap(), &address, values);
        for one in tries {
            replay.add(Exchanged::Try(one));
        }
        let keys = |key: &str| Question { key: key.to_owned(), ..Question::default() };
        let dataset =
            Document { questions: ["1", "2", "3", "4", "5"].map(keys).to_vec(), ..Document::default() };
        let bytes = replay.submission(&dataset).unwrap();
        assert_eq!((replay.tries(), bytes == replay.submission(&dataset).unwrap()), (5, true));
        let times = ["2026-11-23T07:00:00Z", "2026-11-23T07:00:01.5Z"].map(str::to_owned);
        assert_eq!(replay.times(), Some(times));
        let (read, format) = read(&Source::from_bytes("a.jsonl", bytes).unwrap()).unwrap();
        assert_eq!(format.name, "jsonl");
        let told: Vec<_> = read
            .questions
            .iter()
            .map(|one| {
                let asked = one.asked.as_ref().unwrap();
                (
                    one.key.as_str(),
                    answer_status(one),
                    asked.failure.as_deref(),
                    asked.tries,
                    one.queries.len(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("1", "status-empty", None, 1, 1),
                ("2", "status-error", Some("http-status"), 2, 0),
                ("3", "status-timeout", Some("timeout"), 1, 0),
                ("4", "status-empty", None, 1, 0),
            ]
        );
        let notes = &read.questions[0].asked.as_ref().unwrap().notes;
        assert!(notes.iter().any(|note| note.contains("another dataset: d")), "{notes:?}");
        assert_eq!(read.questions[1].error.as_deref(), Some("no"));
        assert_eq!(read.questions[0].response_time.as_deref(), Some("1.5"));
        let exchange = read.questions[0].asked.as_ref().unwrap().exchange.as_deref().unwrap();
        assert!(exchange.starts_with("urn:uuid:"), "{exchange}");
    }
}
