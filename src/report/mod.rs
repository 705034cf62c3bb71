//! REPORT: results → table, CSV, JSON, Markdown, LaTeX.
//!
//! Every report is built once as [`Table`]s or as JSON and then rendered in the format that the user asked for.

mod definitions;
mod evaluations;
mod explanation;
mod json;
mod latex;
mod table;

pub use definitions::{measures, profiles};
pub use evaluations::{DIGITS_FOR_PEOPLE, details, groups, issues, overview};
pub use explanation::{Explained, ExplainedItem, explanation};
pub use json::evaluations as evaluations_json;
pub use table::{Align, Column, Format, Table};
