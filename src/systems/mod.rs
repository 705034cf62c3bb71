//! SYSTEMS: live systems that are asked over HTTP. Who they are and what they say is data, `ontology/systems.ttl`.
//!
//! A [`Protocol`](description::Protocol) makes a [`SystemRequest`](request::SystemRequest) for a question; what comes back,
//! [`RawReply`](reply::RawReply), it reads as a [`SystemReply`](reply::SystemReply): answers, a query, nothing, or a
//! [`AskFailure`](failure::AskFailure) with its kind.

pub mod description;
pub mod drive;
pub mod exchange;
pub mod failure;
mod http;
pub mod library;
pub mod page;
pub mod pointer;
mod qanary;
pub mod reply;
pub mod request;
pub mod rules;
mod stated;
pub mod template;
pub mod warc;
