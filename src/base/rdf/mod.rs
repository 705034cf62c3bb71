//! RDF on the way out, canonical lines, what a graph of them holds, and language tags; and lines that are wanted on the way in.

pub mod contents;
pub mod language;
pub mod lines;
pub mod wanted;
