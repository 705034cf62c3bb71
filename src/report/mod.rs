//! REPORT: results → table, CSV, JSON, Markdown, LaTeX.
//!
//! Every report is built once as [`Table`]s or as JSON and then rendered in the format that the user asked for.

mod all_measures;
mod answers;
mod blind;
mod columns;
mod datasets;
mod definitions;
mod differences;
mod evaluations;
mod explanation;
mod failed;
mod gold;
mod html;
mod json;
mod knowledge_base;
mod latex;
mod notes;
mod quality;
mod release;
mod table;

pub use all_measures::all_measures;
pub use answers::{answer_snapshots, answers, compared, compared_counts};
pub use blind::{Accepted, accepted, accepted_issues, accepted_json};
pub use columns::heading;
pub use datasets::{Listed, dataset, datasets, datasets_json};
pub use definitions::{experiments, loaders, measures, profiles};
pub use differences::{differences_tables, why};
pub use evaluations::{DIGITS_FOR_PEOPLE, details, groups, issues, overview};
pub use explanation::{Explained, ExplainedItem, RankedAnswer, explanation};
pub use failed::failed;
pub use gold::{executed_json, executed_table, moved, refresh_json, refresh_questions, refresh_summary};
pub use html::{Card, Report};
pub use json::{evaluations as evaluations_json, loaded as loaded_json, one_gold};
pub use knowledge_base::{knowledge_base, knowledge_base_json, knowledge_bases};
pub use notes::skip_reason;
pub use quality::{quality_json, quality_table, quality_text};
pub use release::{NotScored, Released, released, released_json, released_table};
pub use table::{Align, Column, Format, Table, printable_lines};
