//! RDF on the way out, canonical lines and language tags; and lines that are wanted on the way in.

pub mod language;
pub mod lines;
pub mod wanted;
