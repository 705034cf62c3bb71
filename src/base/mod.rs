//! What everything stands on: errors, places, names, query files, and RDF in memory.

pub mod checksum;
pub mod clock;
pub mod error;
pub mod iri;
pub mod issue;
pub mod limits;
pub mod parallel;
pub mod query;
pub mod rdf;
pub mod text;
pub mod vocab;
pub mod watch;
