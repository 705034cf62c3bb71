//! The tests of the whole program and of the library from outside, in one binary (what is where: `tests/README.md`).

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

#[path = "../common/mod.rs"]
mod common;

/// The command line: what people type, and what they are told.
mod cli {
    mod bad_input;
    mod blind;
    mod choices;
    mod commands;
    mod convert;
    mod datasets;
    mod experiments;
    mod explained;
    mod formats;
    mod hostile;
    mod joined;
    mod links;
    mod loaders;
    mod ranking;
    mod reports;
    mod shell;
}

/// Files of every format become documents, and documents become files.
mod readers {
    mod benchmarks;
    mod catalogue;
    mod convert;
    mod digest;
    mod formats;
    mod fuzz_regressions;
    mod json;
    mod mutations;
    mod predictions;
    mod qald;
    mod quality;
    mod question_lines;
    mod text;
}

/// Queries: those of the files and our own.
mod sparql {
    mod markings;
    mod queries;
    mod repairs;
}

/// Knowledge bases that are asked: pinned, on disk, endpoints.
mod kb {
    mod add;
    mod answers;
    #[cfg(feature = "rocksdb")]
    mod disk;
    mod endpoint;
    mod pool;
    mod references;
    mod refresh;
    mod served;
    mod ties;
}

/// The network: downloads, endpoints that misbehave, and none without being asked.
mod net {
    mod endpoint;
    mod fetch;
    mod guard;
    pub(crate) mod lying;
    mod virtuoso;
}

/// Records: what is published, and what is not.
mod publish {
    mod canned;
    mod deposit;
    mod fair;
    mod hostile;
    mod licences;
    mod names;
    pub(crate) mod record;
    mod refused;
    mod signed;
    mod site;
    mod withdrawn;
}

/// Live systems that are asked, and mocks of them.
mod asking {
    mod chain;
    mod client;
    mod failures;
    mod hostile;
    mod kept;
    pub(crate) mod mocked;
    mod protocols;
    mod several;
    mod verbs;
}

/// What is compared with what, and the numbers that come of it.
mod scoring {
    mod benchmarks;
    mod clef;
    mod confidence;
    mod differences;
    mod groups;
    mod honest;
    mod judged;
    mod judged_pairs;
    mod label_columns;
    mod labels;
    mod matching_properties;
    mod own_profile;
    mod qald4;
    mod ranking;
    mod repeats;
    mod rules;
    mod types;
}

/// The numbers that others published, and what GERBIL's own classes gave.
mod parity {
    mod campaigns;
    mod ck25;
    mod clef_2004;
    mod gerbil;
    mod gerbil_java;
    mod gerbil_log;
    mod gerbil_rules;
    mod loader_gerbil;
    mod published;
    mod qald_xml;
    mod rows;
    mod table1;
    mod text2sparql;
    mod trec;
}

/// Systems beside each other: could it be chance.
mod comparison {
    mod archive;
    mod cases;
    mod command;
    mod fixtures;
    mod plots;
    mod refused;
    mod risk;
}

/// Archives: written whole, the same on every run, verified.
mod archive {
    mod at_once;
    mod base;
    mod chain;
    mod checks;
    pub(crate) mod comparisons;
    mod comparisons_damaged;
    mod contents;
    mod damaged;
    mod generated_twice;
    mod kill;
    mod matrix;
    mod merge;
    mod own_profile;
    mod query;
    mod real;
    #[cfg(unix)]
    mod recipes;
    mod remote;
    mod remove;
    mod shacl;
    mod shared;
    pub(crate) mod stranger;
    mod summaries;
    mod upgrade;
    pub(crate) mod verify;
    mod watched;
}

/// The web platform, asked over HTTP.
#[cfg(unix)]
mod serve {
    mod credited;
    mod endpoint;
    #[cfg(unix)]
    mod operated;
    mod programs;
    mod reading;
    mod running;
    pub(crate) mod served;
    mod tables;
}

/// The pages: what they show is printed, what they cite is there.
mod pages {
    mod citations;
    #[cfg(unix)]
    mod console;
    pub(crate) mod schemas;
    pub(crate) mod site;
}

/// The house itself: its layout, and that no test is forgotten.
mod house {
    mod forgotten;
    mod ignored;
    mod layout;
    mod vocabulary;
}
