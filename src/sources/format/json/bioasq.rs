//! `BioASQ`, task B: biomedical questions with exact answers, ideal answers and the documents behind them.
//!
//! An exact answer is `yes` or `no`, a list of names, or a list of lists of which each has one thing's names, the first
//! one its answer. A factoid question asks for one thing, so that a plain list has the names of one. Questions of the type
//! `summary` have none. Source: the guidelines of the task.

use crate::base::error::Result;
use crate::sources::document::{Cell, CellKind, Document};
use crate::sources::format::context::Context;
use crate::sources::format::json::items::{self, cannot_use, cell, yes_or_no};
use crate::sources::format::json::list::{read_all, salvaging, top_level};
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::json::names;
use crate::sources::format::json::root;
use crate::sources::format::json::value::Json;
use crate::sources::format::{Format, sniff};

/// Where the questions are, as in QALD-JSON.
const QUESTIONS: &str = "questions";

/// The keys that only questions of this format have.
const OWN_KEYS: [&[u8]; 5] = [b"exact_answer", b"ideal_answer", b"snippets", b"concepts", b"triples"];

/// An answer that cannot be parsed takes no other of the list with it.
const ABOVE_ANSWERS: usize = 1;

/// `BioASQ`.
pub(crate) static FORMAT: Format = Format {
    name: "bioasq",
    description: "BioASQ task B (JSON): an object with the list questions, with body and exact_answer.",
    media_type: "application/json",
    recognise: |content| {
        let questions = sniff::object_keys(content).value(QUESTIONS.as_bytes());
        questions.is_some_and(|list| sniff::item_keys(list).any(|key| OWN_KEYS.contains(&key)))
    },
    read,
    targets: &[],
};

static MEANINGS: Meanings = Meanings {
    id: &["id"],
    texts: &[("body", "en")],
    query: None,
    answers: &["exact_answer"],
    answer_type: None,
    kept: &["type", "ideal_answer", "documents", "snippets", "concepts", "triples"],
    read_answers,
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let raw = top_level(root::split(text)?, QUESTIONS, here, |key, _, here| here.unknown("key", key))?;
    let read = salvaging(MEANINGS.answers, ABOVE_ANSWERS, |entries, here| MEANINGS.read(entries, here));
    read_all(text, &raw, &mut here.key(QUESTIONS), MEANINGS.id, read);
    Ok(())
}

fn read_answers(value: Json, here: &mut Context) {
    let word = here.draft.question.question_type();
    match (word.as_deref(), value) {
        (Some("summary"), value) => here.keep(&value),
        (Some("yesno"), value) | (None, value @ Json::Text(_)) => read_boolean(&value, here),
        (_, text @ Json::Text(_)) => items::read(Json::List(vec![text]), here, items::plain),
        (Some("factoid"), Json::List(names)) => read_factoid(names, here),
        (_, value) => items::read(value, here, read_names),
    }
}

fn read_boolean(value: &Json, here: &mut Context) {
    here.draft.has_answers = true;
    match yes_or_no(value) {
        Some(value) => here.draft.add_boolean(value),
        None => cannot_use(value, here),
    }
}

/// A factoid question has one answer: a flat list of texts has its names.
fn read_factoid(names: Vec<Json>, here: &mut Context) {
    let is_flat = names.len() > 1 && names.iter().all(|name| matches!(name, Json::Text(_)));
    let things = if is_flat { vec![Json::List(names)] } else { names };
    items::read(Json::List(things), here, read_names);
}

/// A name, or the names of one thing: the first is the answer, the others name it too.
fn read_names(item: Json, here: &mut Context) -> Option<Cell> {
    let Json::List(names) = item else {
        return items::plain(item, here);
    };
    let mut names = names.into_iter();
    let first = match names.next() {
        Some(text @ Json::Text(_)) => text.into_scalar()?,
        other => {
            let all = other.into_iter().chain(names).collect();
            cannot_use(&Json::List(all), here);
            return None;
        }
    };
    let others = names.zip(1..).flat_map(|(name, index)| names::read(name, None, &mut here.index(index)));
    Some(Cell { names: others.collect(), ..cell(CellKind::Literal, first) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, Question};

    /// The question with this type and exact answer, and the codes of what is told.
    fn one(kind: &str, answer: &str) -> (Question, Vec<&'static str>) {
        let mut document = FORMAT.recognised(&format!(
            r#"{{"questions": [{{"id": "5a", "exact_answer": {answer}, "type": "{kind}", "body": "What?",
                "ideal_answer": ["x"], "documents": ["http://d"], "snippets": [], "concepts": [], "triples": []}}]}}"#
        ));
        let codes = document.issues.iter().map(|issue| issue.code.name()).collect();
        (document.questions.remove(0), codes)
    }

    #[test]
    fn questions_of_every_type() {
        let (question, codes) = one("yesno", "\"Yes\"");
        assert_eq!((question.answers.sets[0].boolean, codes.len()), (Some(true), 0));
        assert_eq!((question.id.as_str(), question.texts[0].text.as_str()), ("5a", "What?"));
        assert_eq!((question.question_type().as_deref(), question.extras.len()), (Some("yesno"), 6));
        assert_eq!(one("yesno", "\"no\"").0.answers.sets[0].boolean, Some(false));
        let (question, codes) = one("list", r#"[["TDP-43", "TARDBP"], ["SOD1"], "FUS"]"#);
        assert_eq!((question.answers.values(), codes.len()), (vec!["TDP-43", "SOD1", "FUS"], 0));
        assert_eq!(question.answers.sets[0].rows[0].cells[0].names[0].text, "TARDBP");
        assert_eq!(one("factoid", "[\"yes\"]").0.answers.values(), ["yes"]);
        assert_eq!(one("factoid", "\"no\"").0.answers.values(), ["no"]);
        let (question, codes) = one("factoid", r#"["TDP-43", "TARDBP"]"#);
        assert_eq!((question.answers.values(), codes.len()), (vec!["TDP-43"], 0));
        assert_eq!(question.answers.sets[0].rows[0].cells[0].names[0].text, "TARDBP");
        assert_eq!(one("list", r#"["TDP-43", "SOD1"]"#).0.answers.values(), ["TDP-43", "SOD1"]);
        let (question, codes) = one("summary", "[]");
        assert_eq!((question.answers.state, codes), (AnswerState::Absent, vec!["questions-only"]));
    }

    #[test]
    fn what_cannot_be_used_is_told_and_kept() {
        for (kind, answer, kept) in [
            ("yesno", "\"perhaps\"", "\"perhaps\""),
            ("yesno", "[\"yes\"]", "[\"yes\"]"),
            ("list", "[[]]", "[]"),
            ("list", "[[null, \"a\"]]", "[null,\"a\"]"),
            ("factoid", "{\"a\": 1}", "{\"a\":1}"),
        ] {
            let (question, codes) = one(kind, answer);
            assert_eq!((question.answers.state, codes), (AnswerState::Unreadable, vec!["unreadable-answer"]));
            assert_eq!(question.extras.last().map(|extra| extra.value.as_str()), Some(kept));
        }
        assert_eq!(one("list", "[]").0.answers.state, AnswerState::Empty);
    }

    #[test]
    fn other_files_are_not_recognised() {
        for text in [
            "[]",
            r#"{"questions": []}"#,
            r#"{"questions": [{"id": "1", "body": [], "answers": []}]}"#,
            r#"[{"exact_answer": []}]"#,
            r#"{"exact_answer": [], "questions": []}"#,
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
