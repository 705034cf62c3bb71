//! QUALITY: what a file contains and what is wrong with it.
//!
//! Grown from the basic checks of gold data that the GERBIL QA paper promises (answers present, query syntax). The
//! rules look at one question at a time and report [`crate::base::issue::Issue`]s; nothing here changes a document or a score.

pub mod answers;
pub mod contents;
pub mod inspection;
pub mod texts;
