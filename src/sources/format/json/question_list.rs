//! A plain list of questions: `[{"id": …, "question": …, "sparql": …, "answers": …}]`.
//!
//! The queries of QALD-9-plus for Wikidata exist only so (`stanford-oval/spinach`), and people write their own files so.

use crate::base::error::Result;
use crate::sources::document::Document;
use crate::sources::format::context::Context;
use crate::sources::format::json::list::read_list;
use crate::sources::format::json::short;
use crate::sources::format::{Format, sniff};

/// The keys that make an object with the key `question` a question.
const BESIDE: [&[u8]; 7] = [b"id", b"sparql", b"query", b"answer", b"answers", b"lang", b"language"];

/// A list of questions.
pub(crate) static FORMAT: Format = Format {
    name: "question-list",
    description: "A JSON list of questions with id, question, sparql or query, and answers, gold or answers.",
    media_type: "application/json",
    recognise: |content| {
        let keys: Vec<&[u8]> = sniff::item_keys(content).collect();
        let asks = keys.contains(&&b"question"[..]) && BESIDE.iter().any(|key| keys.contains(key));
        let answers = [&b"answer"[..], b"answers", b"sparql"].iter().any(|key| keys.contains(key));
        asks || (keys.contains(&&b"id"[..]) && answers)
    },
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    read_list(content, here, &["id"], |entries, here| {
        let asks = entries.iter().any(|(key, _)| key == "question");
        short::read(entries, here);
        if asks {
            here.check_text();
        }
    })
}

#[cfg(test)]
mod tests {
    use AnswerState::{Absent, Empty, Given, Unreadable};

    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn queries_of_qald_9_plus() {
        let found = FORMAT.recognised(
            "[{\"id\": \"1\", \"question\": \"Who?\", \"sparql\": \"SELECT ?x {}\"},\n{\"id\": 2, \"question\": \"\", \"query\": \"ASK {}\", \"foo\": [1]}]",
        );
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["unknown-field", "missing-text"]);
        let [first, second] = &found.questions[..] else { panic!("not two questions") };
        assert_eq!(
            (first.id.as_str(), first.id_is_number, first.texts[0].text.as_str()),
            ("1", false, "Who?")
        );
        assert_eq!((second.id.as_str(), second.id_is_number, second.place.line), ("2", true, Some(2)));
        assert_eq!(
            (first.queries[0].text.as_str(), second.queries[0].text.as_str()),
            ("SELECT ?x {}", "ASK {}")
        );
        assert_eq!((second.extras[0].name.as_str(), second.extras[0].value.as_str()), ("foo", "[1]"));
        assert_eq!(first.answers.state, Absent);
    }

    #[test]
    fn answers_of_a_system_and_odd_entries() {
        let found = FORMAT.recognised(
            r#"[{"id": "a", "answers": ["x"]}, {"id": "a", "answer": null}, 3, {"id": ["x"], "question": "?"}, null]"#,
        );
        let states: Vec<AnswerState> = found.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [Given, Empty, Unreadable, Absent, Unreadable]);
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        let expected = [
            "null-value",
            "not-a-question",
            "wrong-type", // the id
            "not-a-question",
            "duplicate-id",
            "missing-id",
            "missing-id",
            "missing-id",
        ];
        assert_eq!(codes, expected);
    }

    #[test]
    fn answers_that_no_parser_takes_are_kept() {
        for key in ["answer", "answers", "Answer "] {
            let found = FORMAT.recognised(&format!(r#"[{{"id": 1, "question": "?", "{key}": "x\ud800"}}]"#));
            let [question] = &found.questions[..] else { panic!("not one question") };
            let [extra] = &question.extras[..] else { panic!("{key} is lost") };
            assert_eq!((question.answers.state, extra.name.as_str()), (Unreadable, key));
            assert_eq!(extra.value, r#""x\ud800""#);
            assert_eq!(found.issues[0].code.name(), "unreadable-answer");
        }
    }

    #[test]
    fn damaged_and_other_files() {
        for text in [
            "[]",
            "[{}]",
            r#"[{"id": 1, "_id": 2}]"#,
            r#"{"question": "x", "id": 1}"#,
            r#"["question", "id"]"#,
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
        let cut = r#"[{"id": "1", "question": "Who?"}, {"id": "#;
        assert!((FORMAT.recognise)(cut.as_bytes()));
        let error = FORMAT.document(cut.as_bytes()).expect_err("cut off").to_string();
        assert!(error.starts_with("line 1, column 41: this is no valid JSON: EOF"), "{error}");
    }
}
