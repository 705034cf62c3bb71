//! SPARQL results.

pub mod file;
pub mod folder;
