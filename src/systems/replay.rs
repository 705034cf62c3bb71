//! Kept exchanges read again: what a description makes of them, offline. The answers of a run are a function of both.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Url;

use crate::base::error::{Error, Result};
use crate::measures::fraction::Fraction;
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
use crate::systems::run::LiveSystem;
use crate::systems::template::Values;
use crate::systems::warc::Try;

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
pub struct AskOutcome<'t> {
    /// The last try.
    pub last: &'t Try,
    /// How often it was asked.
    pub tries: u32,
    /// What the reply says.
    pub read: Result<SystemReply, AskFailure>,
    /// How long the last try took.
    pub took: Duration,
}

/// What came of each question, in the order of first asking.
pub fn outcomes<'t>(
    protocol: &Protocol,
    address: &Url,
    values: &Values,
    tries: &'t [Try],
) -> Vec<AskOutcome<'t>> {
    let mut of_key: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found: Vec<(&Try, u32)> = Vec::new();
    for one in tries {
        let at = *of_key.entry(&one.about.question).or_insert(found.len());
        match found.get_mut(at) {
            Some((last, count)) => (*last, *count) = (one, *count + 1),
            None => found.push((one, 1)),
        }
    }
    let system = LiveSystem { protocol, address, values: values.clone() };
    found.into_iter().map(|(last, tries)| outcome(&system, last, tries)).collect()
}

fn outcome<'t>(system: &LiveSystem<'_>, last: &'t Try, tries: u32) -> AskOutcome<'t> {
    let language = last.about.language.clone().unwrap_or_default();
    let asked = AskedText { key: last.about.question.clone(), language, text: last.about.text.clone() };
    let values = system.values_of(&asked);
    let dialogue = Dialogue { protocol: system.protocol, address: system.address, values: &values };
    let read = dialogue.ask(&mut KeptReplies(last.calls.iter()));
    let mut took: Duration = last.calls.iter().map(|call| call.took).sum();
    // A system that is polled works while one waits.
    if let Driver::Poll { pause, .. } = &system.protocol.driver {
        let polls = u32::try_from(last.calls.len().saturating_sub(1)).unwrap_or(u32::MAX);
        took += pause.saturating_mul(polls);
    }
    AskOutcome { last, tries, read, took }
}

/// The submission: a question a line, in the order of the dataset, with what the last try of each gave. Questions that
/// were not asked are not in it.
///
/// # Errors
/// Where it cannot be written.
pub fn submission(dataset: &Document, outcomes: &[AskOutcome<'_>]) -> Result<Vec<u8>> {
    let position = |key: &str| dataset.questions.iter().position(|question| question.key == key);
    let mut ordered: Vec<(Option<usize>, &AskOutcome<'_>)> =
        outcomes.iter().map(|outcome| (position(&outcome.last.about.question), outcome)).collect();
    ordered.sort_by_key(|(position, _)| position.unwrap_or(usize::MAX));
    let questions = ordered.into_iter().map(|(_, outcome)| question(outcome)).collect();
    let document = Document { dataset_id: dataset.dataset_id.clone(), questions, issues: Vec::new() };
    let target = Target::named("jsonl").ok_or_else(|| Error::system("no format for submissions"))?;
    let (bytes, _) = (target.write)(&document, "")?;
    Ok(bytes)
}

fn question(outcome: &AskOutcome<'_>) -> Question {
    let about = &outcome.last.about;
    let mut question = Question {
        id: about.question.clone(),
        key: about.question.clone(),
        texts: vec![Text { language: about.language.clone(), text: about.text.clone() }],
        response_time: Some(seconds(outcome.took)),
        ..Question::default()
    };
    let mut asked = LiveAnswer { failure: None, exchange: outcome.last.exchange(), tries: outcome.tries };
    match &outcome.read {
        Ok(reply) => {
            let query = |text: &String| Query {
                kind: QueryKind::Sparql,
                text: text.trim().to_owned(),
                language: None,
            };
            question.queries = reply.query.iter().map(query).collect();
            question.answers = answers(reply);
        }
        Err(failure) => {
            let kind = if failure.is_timeout() { FailureKind::Timeout } else { failure.kind };
            asked.failure = Some(kind.name().to_owned());
            question.error = Some(failure.message.trim().to_owned());
        }
    }
    question.asked = Some(asked);
    question
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

/// A time in seconds, as a decimal numeral.
pub fn seconds(time: Duration) -> String {
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Fraction::ratio(milliseconds, 1000).unwrap_or_else(Fraction::zero).to_decimal()
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
        let values = Values::default().with("dataset", "d");
        let outcomes = outcomes(Protocol::named("text2sparql").unwrap(), &address, &values, &tries);
        let keys = |key: &str| Question { key: key.to_owned(), ..Question::default() };
        let dataset =
            Document { questions: ["1", "2", "3", "4", "5"].map(keys).to_vec(), ..Document::default() };
        let bytes = submission(&dataset, &outcomes).unwrap();
        assert_eq!(bytes, submission(&dataset, &outcomes).unwrap());
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
        assert_eq!(read.questions[1].error.as_deref(), Some("no"));
        assert_eq!(read.questions[0].response_time.as_deref(), Some("1.5"));
        let exchange = read.questions[0].asked.as_ref().unwrap().exchange.as_deref().unwrap();
        assert!(exchange.starts_with("urn:uuid:"), "{exchange}");
    }
}
