//! PUBLICATION: who makes an evaluation or a comparison public, when, under which licence, and what is left out and why.
//!
//! A publication is an act, kept as a record of the archive. From it and from what the archive says of the thing follows
//! [`RecordMetadata`](metadata::RecordMetadata), of which every form of metadata is a function.

pub mod act;
pub mod agent;
pub mod describe;
pub mod licence;
pub mod metadata;
pub mod names;
pub mod quoted;
pub mod remembered;
pub mod rights;
pub mod signature;
pub mod tombstone;
pub mod withdrawal;
