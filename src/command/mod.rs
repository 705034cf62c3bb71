//! The commands: one file a verb. Words and arguments only; the work is in the library.

mod archived;
mod check;
mod check_loader;
mod clock;
mod convert;
mod datasets;
mod evaluate;
mod explain;
mod fetch;
mod inputs;
mod kb;
mod kb_answers;
mod keep;
mod lists;
mod named;
mod output;
mod parallel;
mod query;
mod reexecute;
mod verify;

pub(crate) use check::{CheckFormat, run as check};
pub(crate) use convert::{ANY_RDF, run as convert};
pub(crate) use datasets::run as datasets;
pub(crate) use evaluate::run as evaluate;
pub(crate) use explain::run as explain;
pub(crate) use fetch::run as fetch;
pub(crate) use kb::run as kb;
pub(crate) use lists::{experiments, measures, profiles};
pub(crate) use output::Output;
pub(crate) use query::run as query;
pub(crate) use verify::run as verify;
