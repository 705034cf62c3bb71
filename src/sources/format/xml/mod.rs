//! Formats in XML.

pub mod answers;
pub mod element;
pub mod qald;
pub mod stream;
