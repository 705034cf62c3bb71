//! SYSTEMS: live systems that are asked over HTTP. Who they are and what they say is data, `ontology/systems.ttl`.
//!
//! A [`Protocol`](description::Protocol) makes a [`SystemRequest`](request::SystemRequest) for a question; what comes back,
//! [`RawReply`](reply::RawReply), it reads as a [`SystemReply`](reply::SystemReply): answers, a query, nothing, or a
//! [`AskFailure`](failure::AskFailure) with its kind.

pub mod address;
pub mod choose;
pub mod description;
pub mod dialogue;
pub mod drive;
pub mod exchange;
pub mod failure;
mod http;
pub mod journal;
pub mod library;
pub mod mock;
pub mod page;
pub mod placing;
pub mod pointer;
mod qanary;
pub mod replay;
pub mod reply;
pub mod request;
pub mod rules;
pub mod run;
mod secrets;
mod stated;
pub mod tally;
pub mod template;
#[cfg(test)]
mod testing;
pub mod times;
pub mod warc;
