//! OBSERVE: measures → observations, provenance, catalogue records.
//!
//! An `Evaluation` is deterministic: its name is a digest of its inputs, its graphs hold no clock and no name of a
//! file. An [`Execution`](provenance::Execution) is the event of computing it.

pub mod asked;
pub mod blind;
pub mod catalogue;
pub mod graphs;
pub mod kinds;
pub mod knowledge_base;
pub mod matches;
pub mod provenance;
pub mod scores;
pub mod stated;
