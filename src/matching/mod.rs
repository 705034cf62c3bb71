//! MATCH: graphs → matches. SPARQL finds the pairs, Rust pairs them one to one.
//!
//! 1. `align` pairs the questions of a submission with those of the dataset.
//! 2. `offer` says what both sides offer for an experiment type; `items` reads answers as the profile says.
//!    `layout` gives the scores of a file to the candidates on the same lines.
//! 3. `keys`, `label_keys` and `patterns` state what the match queries join on: values, texts, normal forms, clusters of links.
//! 4. The queries of the profile's steps find candidate pairs; `pairing` chooses among them.
//!
//! The profiles that follow GERBIL make their items in `gerbil_items`, and `gerbil` pairs them its way.

pub mod align;
mod assess;
mod assessments;
mod candidates;
mod chains;
mod circles;
mod classes;
mod forest;
mod gerbil;
mod gerbil_items;
mod gerbil_wildcards;
mod given;
mod items;
mod judged;
mod keys;
mod knowledge;
mod label_keys;
mod labels;
mod languages;
mod layout;
mod link_kind;
mod link_reading;
mod links;
mod literal;
mod normalise;
mod offer;
mod origin;
mod pairing;
mod patterns;
mod quads;
mod ranked;
mod row_index;
mod run;
mod sides;
mod skip;
mod spaces;
mod statements;
mod suspicious;
mod types;
mod workspace;

pub use align::Alignment;
pub use assessments::{Assessed, Assessment, AssessmentSet, Assessments};
pub use chains::{Chain, ClusterLinks, Link, cluster};
pub use classes::Classes;
pub use given::Given;
pub use knowledge::Knowledge;
pub use labels::{Label, Labels, Naming};
pub use languages::Languages;
pub use layout::lay_out;
pub use link_kind::LinkKind;
pub use link_reading::{FileLink, each_link};
pub use links::{LinkSet, Links};
pub use normalise::normal_form;
pub use origin::Origin;
pub use pairing::{Candidate, Pair, pair};
pub use run::{Matched, Matching, QuestionMatch, run};
pub use sides::Sides;
pub use skip::Skip;
pub use spaces::namespace;
pub use statements::{LABEL_PROPERTIES, Statement, StatementSet};
pub use suspicious::{Example, MOST_MEMBERS, Suspicion, examples};
pub use types::Types;
pub use workspace::Workspace;
