//! What everything stands on: errors, places, names, limits, query files, canonical lines of RDF.

pub mod checksum;
pub mod child;
pub mod clock;
pub mod error;
pub mod iri;
pub mod issue;
pub mod limits;
pub mod memory;
pub mod model;
pub mod parallel;
pub mod query;
pub mod rdf;
pub mod shared;
pub mod system_name;
pub mod text;
pub mod token;
pub mod vocab;
pub mod watch;
