//! RDF on the way out: canonical lines, language tags.

pub mod language;
pub mod lines;
