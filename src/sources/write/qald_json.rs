//! QALD-JSON, eQALD-JSON, and lines of QALD-JSON.

use serde::Serialize;
use serde_json::json;

use crate::base::error::{Error, Result};
use crate::sources::document::Document;
use crate::sources::write::json::{Dialect, Entry, question};
use crate::sources::write::loss::Losses;
use crate::sources::write::{Target, Written};

/// QALD-JSON.
pub(crate) static QALD: Target = Target {
    name: "qald-json",
    description: "QALD JSON in the shape of QALD-9 and QALD-10",
    ending: Some("json"),
    media_type: "application/json",
    read_as: "qald-json",
    may_be_empty: false,
    is_exact: false,
    write: |document, _| pretty(document, Dialect::Qald),
};

/// eQALD-JSON.
pub(crate) static EQALD: Target = Target {
    name: "eqald-json",
    description: "eQALD JSON: with metadata, annotations, types of answer items, confidences",
    ending: None,
    media_type: "application/json",
    read_as: "qald-json",
    may_be_empty: false,
    is_exact: false,
    write: |document, _| pretty(document, Dialect::Eqald),
};

/// Lines of QALD-JSON.
pub(crate) static LINES: Target = Target {
    name: "jsonl",
    description: "JSON Lines: an entry of `questions` of QALD JSON on each line",
    ending: Some("jsonl"),
    media_type: "application/jsonl",
    read_as: "jsonl",
    may_be_empty: false,
    is_exact: false,
    write: |document, _| lines(document),
};

/// The file as an object.
#[derive(Debug, Serialize)]
struct File<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    dataset: Option<Dataset<'d>>,
    questions: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Dataset<'d> {
    id: &'d str,
}

fn pretty(document: &Document, dialect: Dialect) -> Result<Written> {
    let mut losses = Losses::default();
    let file = File {
        dataset: document.dataset_id.as_deref().map(|id| Dataset { id }),
        questions: document.questions.iter().map(|q| question(q, dialect, &mut losses)).collect(),
    };
    let mut bytes = serde_json::to_vec_pretty(&file).map_err(|error| failed(&error))?;
    bytes.push(b'\n');
    Ok((bytes, losses.into_list()))
}

fn lines(document: &Document) -> Result<Written> {
    let mut losses = Losses::default();
    let entries: Vec<Entry> =
        document.questions.iter().map(|one| question(one, Dialect::Qald, &mut losses)).collect();
    let mut text = String::new();
    match &document.dataset_id {
        Some(id) => text += &(json!({ "dataset": { "id": id } }).to_string() + "\n"),
        // one line alone may be anything
        None if entries.len() == 1 && !entries[0].is_evident() => text += "{\"dataset\":{}}\n",
        None => {}
    }
    for entry in entries {
        text += &entry.line().map_err(|error| failed(&error))?;
        text.push('\n');
    }
    Ok((text.into_bytes(), losses.into_list()))
}

fn failed(error: &serde_json::Error) -> Error {
    Error::system(format!("the JSON cannot be written: {error}"))
}
