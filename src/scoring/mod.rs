//! MATCH: graphs → matches. SPARQL finds the pairs, Rust pairs them one to one.
//!
//! 1. `align` pairs the questions of a submission with those of the dataset.
//! 2. `offer` says what both sides offer for an experiment type; `items` reads answers as the profile says.
//!    `layout` gives the scores of a file to the candidates on the same lines.
//! 3. `keys`, `label_keys` and `patterns` state what the match queries join on: values, texts, normal forms, clusters of links.
//! 4. The queries of the profile's steps find candidate pairs; `pairing` chooses among them.
//!
//! The profiles that follow GERBIL make their items in `gerbil_items`, and `gerbil` pairs them its way.

pub mod align;
pub mod aligned;
pub mod asked;
pub mod assessed;
pub mod basis;
pub mod confidence_issues;
pub mod difference;
pub mod evaluation;
pub mod experiment;
pub mod experiments;
pub mod gerbil;
pub mod groups;
pub mod items;
pub mod knowledge;
pub mod laid_out;
pub mod layout;
pub mod link_issues;
pub mod manifest;
pub mod options;
pub mod pairs;
pub mod ranking;
pub mod skip;
pub mod traits;
