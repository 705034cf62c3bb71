//! MATCH: graphs → matches. SPARQL finds the pairs, Rust pairs them one to one.
//!
//! 1. [`align`] pairs the questions of a submission with those of the dataset.
//! 2. [`items`] reads the answers as the profile says.
//! 3. [`keys`] states what the match queries join on: values, texts, normal forms, clusters of links.
//! 4. The queries of the profile's steps find candidate pairs; [`pairing`] chooses among them.

pub mod align;
mod items;
mod keys;
mod links;
mod literal;
mod normalise;
mod pairing;
mod run;

pub use align::Alignment;
pub use links::{Chain, LinkSet, Links};
pub use normalise::normal_form;
pub use pairing::{Candidate, Pair, pair};
pub use run::{Matching, QuestionMatch, Sides, run};
