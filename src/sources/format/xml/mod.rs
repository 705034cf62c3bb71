//! Formats in XML.

pub mod element;
pub mod qald;
pub mod stream;
pub mod write;
