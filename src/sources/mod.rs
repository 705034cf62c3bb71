//! What comes in: files, their formats, the archive, the catalogue; from bytes to the input of an evaluation.

pub mod archive;
pub mod catalogue;
pub mod convert;
pub mod depot;
pub mod document;
pub mod failure_kind;
pub mod fetch;
pub mod file;
pub mod format;
pub mod input;
pub mod net;
pub mod quality;
