//! qassay measures how well systems answer questions over knowledge graphs.
//!
//! The flow, and the folders: [`read`] → [`graph`] → [`matching`] → [`measure`] → [`observe`] → [`report`].
//! [`mod@write`] makes files of records again. Definitions come from `ontology/` ([`ontology`], [`profile`]), queries from `queries/` ([`query`]).

pub mod catalogue;
pub mod error;
pub mod fetch;
pub mod gerbil;
pub mod graph;
pub mod kb;
pub mod loader;
pub mod matching;
pub mod measure;
pub mod observe;
pub mod ontology;
pub mod profile;
pub mod quality;
pub mod query;
pub mod read;
pub mod report;
pub mod reproduce;
pub mod sparql;
pub mod vocab;
pub mod write;

pub use error::{Error, Result};
