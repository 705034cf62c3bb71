//! The output of SPINACH and of whoever evaluates with its scripts: questions with the rows that the gold query and that of the
//! system gave, and the F1 of each.
//!
//! One file is a gold standard and a submission. Read as a gold standard it gives `gold_answer_tuple`, as a submission
//! `predicted_answer_tuple`; what belongs to the other side is left to it, and an issue says so. There are no ids.
//! Source: `stanford-oval/spinach`, its files `spinach_output_*.json`.

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerSet, Document, QueryKind};
use crate::sources::format::context::Context;
use crate::sources::format::json::list::{read_damaged_list, salvaging};
use crate::sources::format::json::rows::Head;
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::json::{answers, fields};
use crate::sources::format::{Format, sniff};

/// One side of the file.
#[derive(Debug)]
struct OneSide {
    query: &'static str,
    answers: &'static str,
}

const GOLD_SIDE: OneSide = OneSide { query: "gold_sparql", answers: "gold_answer_tuple" };
const SYSTEM_SIDE: OneSide = OneSide { query: "predicted_sparql", answers: "predicted_answer_tuple" };

/// A row that cannot be parsed takes no other of the list with it.
const ABOVE_ROWS: usize = 1;

/// The gold side.
pub(crate) static GOLD: Format = Format {
    name: "spinach-output",
    description: "Output of SPINACH (JSON): questions with queries, and the rows of gold and system; gold and submission at once.",
    media_type: "application/json",
    recognise,
    read: |content, here| read(content, here, &GOLD_SIDE, &SYSTEM_SIDE),
    targets: &[],
};

/// The system's side.
pub(crate) static PREDICTED: Format = Format {
    name: "spinach-output-predicted",
    description: "Output of SPINACH (JSON), read as a submission.",
    media_type: "application/json",
    recognise,
    read: |content, here| read(content, here, &SYSTEM_SIDE, &GOLD_SIDE),
    targets: &[],
};

fn recognise(content: &[u8]) -> bool {
    let keys: Vec<&[u8]> = sniff::item_keys(content).collect();
    [GOLD_SIDE.answers, SYSTEM_SIDE.answers].iter().any(|name| keys.contains(&name.as_bytes()))
}

fn read(content: &[u8], here: &mut Context<Document>, side: &OneSide, other: &OneSide) -> Result<()> {
    let read = salvaging(&[GOLD_SIDE.answers, SYSTEM_SIDE.answers], ABOVE_ROWS, |entries, here| {
        read_fields(entries, side, other, here);
        here.check_text();
    });
    read_damaged_list(content, here, &[], read)?;
    here.draft.name_by_position();
    Ok(())
}

fn read_fields(entries: Entries, side: &OneSide, other: &OneSide, here: &mut Context) {
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "question" => fields::add_text(value, Some("en"), inner),
            name if name == side.query && value == Json::Null => {}
            name if name == side.query => fields::add_query(QueryKind::Sparql, value, inner),
            name if name == side.answers => read_rows(value, inner),
            name if name == other.query || name == other.answers => {
                let message = format!(
                    "the file has two sides; `{name}` is read where it is the {}",
                    if other.answers == GOLD_SIDE.answers { "gold standard" } else { "submission" }
                );
                inner.note_once(IssueCode::OtherSide, message);
            }
            // the score that was published
            "f1" => inner.keep(&value),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
}

/// Rows, or a boolean; null where the query gave nothing.
fn read_rows(value: Json, here: &mut Context) {
    match value {
        Json::Null => here.draft.question.error = Some("the query has no result".to_owned()),
        Json::Bool(value) => {
            here.draft.has_answers = true;
            here.draft.add_boolean(value);
        }
        rows => {
            here.draft.has_answers = true;
            let mut set = AnswerSet::default();
            answers::read_bindings(rows, Head::Unknown, &mut set, here);
            here.draft.add_set(set);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind};

    const FILE: &str = r#"[{"question": "Who?", "predicted_sparql": "ASK {}", "gold_sparql": "SELECT ?x {}", "f1": 0.5,
        "predicted_answer_tuple": [{"x": {"type": "uri", "value": "http://e/a"}, "xLabel": {"type": "literal", "xml:lang": "en", "value": "A"}},
                                   {"x": {"type": "uri", "value": "http://e/b"}}],
        "gold_answer_tuple": [{"y": {"type": "uri", "value": "http://e/a"}}]},
        {"question": "Is it?", "predicted_sparql": null, "gold_sparql": "ASK {}", "f1": 0, "predicted_answer_tuple": null,
         "gold_answer_tuple": true},
        {"question": "?", "gold_sparql": "SELECT ?z {}", "predicted_answer_tuple": [], "gold_answer_tuple": 7, "note": 1}]"#;

    #[test]
    fn each_side_has_its_own_rows() {
        use AnswerState::{Absent, Empty, Given, Unreadable};
        let gold = GOLD.recognised(FILE);
        let system = PREDICTED.recognised(FILE);
        let states = |document: &Document| -> Vec<AnswerState> {
            document.questions.iter().map(|question| question.answers.state).collect()
        };
        assert_eq!(states(&gold), [Given, Given, Unreadable]);
        assert_eq!(states(&system), [Given, Absent, Empty]);
        assert_eq!(gold.questions[0].answers.values(), ["http://e/a"]);
        let rows = &system.questions[0].answers.sets[0].rows;
        assert_eq!((rows.len(), rows[0].cells.len(), rows[0].cells[1].kind), (2, 2, CellKind::Literal));
        assert_eq!(rows[0].cells[1].language.as_deref(), Some("en"));
        assert_eq!(gold.questions[1].answers.sets[0].boolean, Some(true));
        let queries = [&gold, &system].map(|document| document.questions[0].queries[0].text.as_str());
        assert_eq!(queries, ["SELECT ?x {}", "ASK {}"]);
        assert_eq!((system.questions[1].queries.len(), system.questions[1].error.is_some()), (0, true));
        let keys: Vec<&str> = gold.questions.iter().map(|question| question.key.as_str()).collect();
        assert_eq!(keys, ["~1", "~2", "~3"]);
        assert_eq!(gold.questions[2].extras[0].name, "note");
        let codes = |document: &Document| -> String {
            document.issues.iter().map(|issue| issue.code.name()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(codes(&gold), "other-side other-side unreadable-answer unknown-field missing-id");
        assert_eq!(codes(&system), "other-side other-side unknown-field missing-id");
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in
            ["[]", r#"[{"question": "?", "predicted_sparql": "ASK {}"}]"#, r#"{"gold_answer_tuple": []}"#]
        {
            assert!(!recognise(text.as_bytes()), "{text}");
        }
        assert!(GOLD.document(b"[]").is_err());
    }
}
