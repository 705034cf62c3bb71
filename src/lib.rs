//! qassay measures how well systems answer questions over knowledge graphs.
//!
//! The flow, and the folders: [`read`] → [`graph`] → [`matching`] → [`measure`] → [`observe`] → [`report`].
//! [`mod@write`] makes files of records again. Definitions come from `ontology/` ([`ontology`], [`profile`]), queries from `queries/` ([`query`]).

pub mod base;
pub mod kb;

pub mod measures;
pub mod profiles;
pub mod record;
pub mod references;
pub mod report;
pub mod scoring;
pub mod sources;
pub mod sparql;

pub use base::error::{Error, Result};
