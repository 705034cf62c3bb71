//! What everything stands on: errors, places, names, query files, and RDF in memory.

pub mod checksum;
pub mod error;
pub mod iri;
pub mod issue;
pub mod limits;
pub mod query;
pub mod rdf;
pub mod text;
pub mod vocab;
