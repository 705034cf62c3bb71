//! Formats in lines and columns.

pub mod answers;
pub mod columns;
pub mod delimited;
pub mod nlpcc_kbqa;
pub mod nlpcc_pairs;
pub mod nlpcc_scores;
pub mod question_tsv;
pub mod sheet;
pub mod trec;
pub mod write;
