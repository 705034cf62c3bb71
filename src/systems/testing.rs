//! A system of the tests: it gives replies that somebody wrote down.

use std::collections::VecDeque;
use std::time::Duration;

use reqwest::Url;

use crate::sources::failure_kind::FailureKind;
use crate::systems::description::Protocol;
use crate::systems::dialogue::Dialogue;
use crate::systems::exchange::{Outgoing, Transport};
use crate::systems::failure::AskFailure;
use crate::systems::reply::{RawReply, SystemReply};
use crate::systems::template::Values;

/// Gives these replies in order, and keeps what was asked.
#[derive(Debug, Default)]
pub(crate) struct Script {
    pub(crate) replies: VecDeque<RawReply>,
    pub(crate) asked: Vec<String>,
}

impl Script {
    pub(crate) fn of<'t>(replies: impl IntoIterator<Item = (u16, &'t str)>) -> Self {
        let reply = |(status, body): (u16, &str)| RawReply {
            status,
            headers: vec![("Set-Cookie".to_owned(), "JSESSIONID=A1; Path=/".to_owned())],
            body: body.as_bytes().to_vec(),
        };
        Self { replies: replies.into_iter().map(reply).collect(), asked: Vec::new() }
    }
}

impl Transport for Script {
    fn call(&mut self, request: &Outgoing) -> Result<RawReply, AskFailure> {
        self.asked.push(String::from_utf8_lossy(&request.kept.as_http()).into_owned());
        self.replies.pop_front().ok_or_else(|| AskFailure::new(FailureKind::Connection, "nothing more"))
    }

    fn pause(&mut self, _: Duration) -> Result<(), AskFailure> {
        Ok(())
    }
}

pub(crate) fn ask(protocol: &str, script: &mut Script) -> Result<SystemReply, AskFailure> {
    let values = Values::default().with("question", "Who?").with("language", "en").with("components", "a,b");
    let address = Url::parse("http://system.example:8080/").unwrap();
    let protocol = Protocol::named(protocol).unwrap();
    Dialogue { protocol, address: &address, values: &values }.ask(script)
}
