//! What came of looking at files that somebody sent.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::error::Error;

/// What was found in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedFile {
    /// Its name.
    pub file: String,
    /// What is in it, as `qassay check` says it in JSON; nothing where it cannot be read.
    pub report: Option<Value>,
    /// Why it cannot be read.
    pub error: Option<Error>,
    /// How its ids meet those of a dataset.
    pub against: Option<MetIds>,
    /// What a loader makes of it, as `qassay check --loader` says it in JSON, or why that loader refuses it.
    pub loaded: Option<Result<Value, Error>>,
}

/// How the ids of a file meet those of a dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MetIds {
    /// The dataset.
    pub dataset: String,
    /// The questions of the dataset.
    pub questions: usize,
    /// How many of them are in the file.
    pub met: usize,
    /// Ids of the file that the dataset does not have, the first of them.
    pub unknown: Vec<String>,
    /// How many these are.
    pub unknown_count: usize,
}
