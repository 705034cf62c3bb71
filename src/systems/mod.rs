//! SYSTEMS: live systems that are asked over HTTP. Who they are and what they say is data, `ontology/systems.ttl`.
//!
//! A [`Protocol`](description::Protocol) makes a [`Request`](request::Request) for a question; what comes back,
//! [`Received`](reply::Received), it reads as a [`Reply`](reply::Reply): answers, a query, nothing, or a
//! [`Failure`](failure::Failure) with its kind.

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
