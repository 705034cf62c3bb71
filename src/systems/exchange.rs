//! What was sent and what came: the calls of one try at a question.

use std::fmt::Debug;
use std::time::Duration;

use crate::systems::failure::AskFailure;
use crate::systems::reply::RawReply;
use crate::systems::request::SystemRequest;

/// A request as it is sent, and as it is kept: without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// What is sent.
    pub sent: SystemRequest,
    /// What is kept and shown.
    pub kept: SystemRequest,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The address, without secrets.
    pub address: String,
    /// The request as HTTP/1.1 writes it, without secrets.
    pub request: Vec<u8>,
    /// What came, or why nothing came.
    pub received: Result<RawReply, AskFailure>,
    /// When it was sent: `xsd:dateTime`.
    pub sent_at: String,
    /// From sending to the last byte.
    pub took: Duration,
}

/// Who replies in place of a server: a function of the program that asks.
pub trait Responder: Debug + Send + Sync {
    /// The reply to a request, within a time.
    ///
    /// # Errors
    /// Where there is none.
    fn reply(&self, request: &SystemRequest, left: Duration) -> Result<RawReply, AskFailure>;
}

/// Who carries requests: a client, or what was kept.
pub trait Transport {
    /// Carries a request there, and the reply back.
    ///
    /// # Errors
    /// Where no reply came, or not all of it.
    fn call(&mut self, request: &Outgoing) -> Result<RawReply, AskFailure>;

    /// Waits, if there is somebody to wait for.
    ///
    /// # Errors
    /// Where the time for the question is over before.
    fn pause(&mut self, time: Duration) -> Result<(), AskFailure>;
}
