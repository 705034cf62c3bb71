//! GERBIL QA, emulated to the last digit: the pieces of the Java program that decide its numbers.
//!
//! Pure functions after `ontology/gerbil.md` ("the law"); the statement that a piece implements is named with it.
//! Nothing here asks the network: sameAs links and labels are plugged in by the caller. Known bugs are kept.

pub mod greedy;
pub mod items;
pub mod java;
pub mod known_kb;
pub mod offers;
pub mod reader;
pub mod same_as;
pub mod uri;

/// The resources that have a literal as their label, in the language of the question (statement 2.4.2).
pub type LabelLookup<'a> = &'a dyn Fn(&str) -> Vec<String>;
