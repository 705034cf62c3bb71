//! Results as tables, CSV, JSON, Markdown, LaTeX and pages.
//!
//! Every report is built once as `Table`s or as JSON and then rendered in the format that the user asked for. Rendering
//! is where texts of strangers become cells: [`crate::base::text`] says how, a function a medium.

pub mod answers;
pub mod asking;
pub mod blind;
pub mod checked;
pub mod columns;
pub mod comparison;
pub mod datasets;
pub mod definitions;
pub mod differences;
pub mod evaluations;
pub mod explanation;
pub mod failed;
pub mod forms;
pub mod gold;
pub mod html;
pub mod issues;
pub mod json;
pub mod knowledge_base;
pub mod nearest;
pub mod page;
pub mod paper;
pub mod plots;
pub mod protocols;
pub mod publication;
pub mod quality;
pub mod release;
pub mod table;
pub mod verified;
