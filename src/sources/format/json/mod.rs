//! Formats in JSON and YAML.

pub mod answers;
pub mod complex_web_questions;
pub mod fields;
pub mod grailqa;
pub mod items;
pub mod jsonl;
pub mod lc_quad;
pub mod list;
pub mod mintaka;
pub mod nlq;
pub mod qald;
pub mod question_list;
pub mod root;
pub mod rows;
pub mod rubq;
pub mod shape;
pub mod short;
pub mod text2sparql;
pub mod text2sparql_answers;
pub mod text2sparql_questions;
pub mod value;
pub mod wikiweb;
pub mod write;
pub mod yaml;
