//! qassay measures how well systems answer questions over knowledge graphs.
//!
//! A gold standard and the answers of a system, two files of almost any format, become an [`Evaluation`]: precision, recall
//! and many other measures of each question, of groups of questions and of all, by the rules of a [`Profile`]. It is a
//! function of its inputs and named by their digest; an archive keeps it with all that it was made of, so that anybody
//! can compute it again.
//!
//! ```
//! use qassay::{Request, Silent, SubmissionFile, Workbench};
//! use std::path::Path;
//!
//! # fn main() -> qassay::Result<()> {
//! let bench = Workbench::new("qassay-archive").keeping_nothing();
//! let request = Request::with_profiles(["qassay"])?;
//! let (gold, answers) = (Path::new("datasets/example/gold.json"), SubmissionFile::from("datasets/example/aurora.json"));
//! let done = bench.evaluate(&request, gold, &[answers], &Silent)?;
//! for experiment in &done.evaluations[0].experiments {
//!     let all = experiment.all().and_then(|group| group.value("macroF1"));
//!     println!("{}: {}", experiment.name(), all.map_or("-".to_owned(), |f1| f1.value.to_fixed(4)));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What is where
//! Whoever uses qassay begins at the [`workbench`]: a [`Workbench`] stands before an archive and evaluates, accepts blind
//! submissions and releases them, asks knowledge bases, registers links, explains, verifies and exports. What is to be
//! scored how is a [`Request`]: profiles, [`Choices`], files of links, labels and types. Whoever waits is a [`Watcher`],
//! which is told how far the work is and may cancel it.
//!
//! Above it stands [`serve`], the web platform. Below it stand, each on those after it: [`site`] (an archive as pages that link to each other), [`report`] (tables, JSON and pages of reports), [`record`] (the graphs that are published,
//! the archive read again), [`scoring`] (what is compared, matched and counted), [`references`] (links, labels, types,
//! assessments), [`profiles`] (the ways to score, read from `ontology/`), [`kb`] (who can be asked for answers),
//! [`sources`] (files of every format), [`sparql`] (what a query asks), [`statistics`] (could it be chance), [`measures`] (numbers, as exact fractions) and
//! [`base`].
//!
//! # Errors
//! Nothing panics on input. Whatever cannot be used is an [`Error`], which says what is wrong, where, what is allowed and
//! what to try; whatever can be used in part is, and an [`Issue`] says what is odd about it. Some hints name the commands
//! of the program of the same name; how messages write what users choose, each program says with
//! [`write_choices`](base::text::write_choices).

pub mod base;
pub mod kb;
pub mod measures;
pub mod profiles;
pub mod record;
pub mod references;
pub mod report;
pub mod scoring;
pub mod serve;
pub mod site;
pub mod sources;
pub mod sparql;
pub mod statistics;
pub mod systems;
pub mod workbench;

pub use base::error::{Error, ErrorKind, Result};
pub use base::issue::Issue;
pub use base::watch::{Silent, Watcher};
pub use profiles::Profile;
pub use profiles::choices::Choices;
pub use references::ReferenceKind;
pub use scoring::evaluation::Evaluation;
pub use scoring::plan::Plan;
pub use sources::archive::Archive;
pub use sources::document::Document;
pub use sources::input::Input;
pub use workbench::Workbench;
pub use workbench::evaluate::{Evaluated, SubmissionFile};
pub use workbench::request::{GoldChoice, Request};
