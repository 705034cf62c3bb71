//! What is computed: an input and a plan become an evaluation. SPARQL finds the pairs, Rust pairs them one to one.
//!
//! 1. `align` pairs the questions of a submission with those of the dataset; `cases` has them question by question.
//!    `layout` gives the scores of a file to the candidates on the same lines.
//! 2. A `reader` reads the items of one kind (`items`, `gerbil`) and states what the match queries join on: values, texts,
//!    normal forms, clusters of links.
//! 3. The queries of the profile's steps find pairs; the reader chooses among them and counts. `run` is the one runner, over
//!    one `block` of questions; `score` puts blocks together.

pub mod align;
pub mod asked;
pub mod assessed;
pub mod basis;
pub mod block;
pub mod cases;
pub mod evaluation;
pub mod experiment;
pub mod gerbil;
pub mod gold;
pub mod groups;
pub mod items;

pub mod laid_out;
pub mod matching;
pub mod pairs;
pub mod plan;
pub mod reader;
pub mod references;
pub mod repeats;
pub mod rows;
pub mod run;
mod score;
pub mod skip;
pub mod traits;
mod wrong_gold;
