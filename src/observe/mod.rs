//! OBSERVE: measures → observations, provenance, catalogue records.
//!
//! An [`Evaluation`] is deterministic: its name is a digest of its inputs, its graphs hold no clock and no name of a
//! file. An [`Execution`](provenance::Execution) is the event of computing it.

pub mod catalogue;
mod evaluation;
pub mod groups;
mod input;
pub mod lexical;
mod matches;
pub mod provenance;
mod scores;

pub use evaluation::{Evaluation, Group, Manifest};
pub use input::{DatasetInput, LinksInput, SubmissionInput};
pub use matches::write as write_matches;
pub use scores::write as write_scores;
