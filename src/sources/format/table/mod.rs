//! Formats in lines and columns.

pub mod answers;
pub mod columns;
pub mod delimited;
pub mod fixed;
pub mod metaqa;
pub mod named_documents;
pub mod nlpcc_kbqa;
pub mod nlpcc_pairs;
pub mod nlpcc_scores;
pub mod path_question;
pub mod question_tsv;
pub mod sheet;
pub mod simple_questions;
pub mod trec;
pub mod write;
