//! SPARQL results.

pub mod file;
pub mod folder;

use crate::base::issue::Issue;
use crate::sources::document::{Answers, Document};
use crate::sources::format::context::Context;
use crate::sources::format::json::answers;
use crate::sources::format::json::value::Json;
use crate::sources::format::notes::Notes;

/// The answers in a part of the reply of a system, JSON or XML, read like those of a file: leniently, with what was odd.
pub(crate) fn in_reply(text: &str) -> (Answers, Vec<Issue>) {
    let (mut document, mut notes) = (Document::default(), Notes::default());
    Context::new("$", &mut document, &mut notes).add_question(|here| match Json::parse(text) {
        Ok(value) => answers::read(value, here),
        Err(_) => file::read("srx", text, here),
    });
    let answers = document.questions.pop().map(|question| question.answers).unwrap_or_default();
    (answers, notes.into_issues())
}
