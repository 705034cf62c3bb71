//! QUALITY: what a file contains and what is wrong with it.
//!
//! Grown from the basic checks of gold data that the GERBIL QA paper promises (answers present, query syntax). The
//! rules look at one question at a time and report [`crate::read::Issue`]s; nothing here changes a document or a score.

mod answers;
mod contents;
mod copies;
mod inspection;
mod queries;
mod texts;

pub use contents::{COUNTS, Contents};
pub use copies::{damaged, known};
pub use inspection::Inspection;
