//! OBSERVE: measures → observations, provenance, catalogue records.
//!
//! An [`Evaluation`] is deterministic: its name is a digest of its inputs, its graphs hold no clock and no name of a
//! file. An [`Execution`](provenance::Execution) is the event of computing it.

mod aligned;
mod answers;
mod asked;
mod assessed;
mod blind;
pub mod catalogue;
mod concepts;
mod confidence_issues;
mod difference;
mod evaluation;
mod experiment;
mod group_facts;
pub mod groups;
mod input;
mod judgements;
mod knowledge_base;
mod labelled;
mod laid_out;
pub mod lexical;
mod link_issues;
mod manifest;
mod matches;
mod options;
pub mod provenance;
pub mod quality;
mod question_types;
mod ranking;
mod reference;
mod scores;
mod scoring;
mod traits;

pub use aligned::Aligned;
pub use answers::{Asking, keep_answers};
pub use asked::{
    Asked, ExecutedAnswers, Execution as ExecutedQuery, KeptAnswers, RefreshStatus, Refreshed, RefreshedGold,
    to_execute,
};
pub use assessed::OF_ASSESSMENTS;
pub use blind::Blind;
pub use difference::{Difference, Reason, differences, peculiarities};
pub use evaluation::Evaluation;
pub use experiment::{Experiment, Group};
pub use input::{DatasetInput, SubmissionInput};
pub use knowledge_base::knowledge_base;
pub use labelled::Labelled;
pub use manifest::Manifest;
pub use matches::write as write_matches;
pub use options::{Options, Prepared};
pub use question_types::QuestionTypes;
pub use reference::{ReferenceInput, ReferenceKind};
pub use scores::write as write_scores;
