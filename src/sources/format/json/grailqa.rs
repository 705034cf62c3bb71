//! `GrailQA`: questions over Freebase with three kinds of queries; answers are ids of Freebase or values.
//!
//! The questions of the test file have no answers, and no more than an id and a text. Source: `dki-lab/GrailQA`, README.

use crate::sources::format::graph_ids::FREEBASE;
use crate::sources::format::json::items::{self, TypedKeys};
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 4] = [b"s_expression", b"graph_query", b"num_node", b"num_edge"];

/// The keys of the questions of the test file.
const BLIND: [&[u8]; 2] = [b"qid", b"question"];

/// The keys of an answer.
const OF_AN_ANSWER: [&[u8]; 2] = [b"answer_type", b"answer_argument"];

/// `GrailQA`.
pub(crate) static FORMAT: Format = Format {
    name: "grailqa",
    description: "GrailQA (JSON): a list of questions with queries, and answers as ids of Freebase and values.",
    media_type: "application/json",
    recognise,
    read: |content, here| MEANINGS.read_list(content, here),
    targets: &[],
};

/// By a key of its own; by the answers, where a copy has nothing else; or by having an id and a text only.
fn recognise(content: &[u8]) -> bool {
    let keys: Vec<&[u8]> = sniff::item_keys(content).collect();
    let has = |known: &[&[u8]]| known.iter().all(|key| keys.contains(key));
    let answers = || sniff::item_keys(content).value(b"answer");
    let is_answer = |answers: &[u8]| {
        let keys: Vec<&[u8]> = sniff::item_keys(answers).collect();
        OF_AN_ANSWER.iter().all(|key| keys.contains(key))
    };
    keys.iter().any(|key| OWN_KEYS.contains(key))
        || has(&BLIND) && (keys.len() == BLIND.len() || answers().is_some_and(is_answer))
}

static MEANINGS: Meanings = Meanings {
    id: &["qid"],
    texts: &[("question", "en")],
    query: Some("sparql_query"),
    answers: &["answer"],
    answer_type: None,
    kept: &["s_expression", "graph_query", "domains", "level", "function", "num_node", "num_edge"],
    read_answers: |value, here| items::read(value, here, |item, here| ANSWER.read(item, here)),
};

const ANSWER: TypedKeys = TypedKeys {
    kind: "answer_type",
    entity: "answer_argument",
    value: "answer_argument",
    label: "entity_name",
    ids: &FREEBASE,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind};

    #[test]
    fn questions_of_grailqa() {
        let document = FORMAT.recognised(
            r#"[{"qid": 2102902009000, "question": "which club?", "answer": [
                   {"answer_type": "Entity", "answer_argument": "m.0652ml", "entity_name": "Hall"},
                   {"answer_type": "Value", "answer_argument": "1999-01-01"}],
                 "function": "none", "num_node": 2, "num_edge": 1, "graph_query": {"nodes": []},
                 "sparql_query": "SELECT ?x0 {}", "domains": ["music"], "level": "zero-shot", "s_expression": "(AND a b)"},
                {"qid": 2, "question": "of the test file?", "s_expression": "(AND a b)"},
                {"qid": 3, "question": "?", "answer": [{"answer_type": "Entity", "answer_argument": "Hall"}, "m.0652ml"]}]"#,
        );
        let [first, second, third] = &document.questions[..] else { panic!("not three questions") };
        let cells: Vec<_> = first.answers.sets[0].rows.iter().map(|row| &row.cells[0]).collect();
        assert_eq!(
            (cells[0].kind, cells[0].value.as_str()),
            (CellKind::Uri, "http://rdf.freebase.com/ns/m.0652ml")
        );
        assert_eq!((cells[1].kind, cells[1].value.as_str()), (CellKind::Literal, "1999-01-01"));
        assert_eq!((first.id.as_str(), first.queries[0].text.as_str()), ("2102902009000", "SELECT ?x0 {}"));
        assert_eq!(first.texts[0].language.as_deref(), Some("en"));
        let kept = first.extras.iter().map(|extra| extra.name.as_str()).collect::<Vec<_>>().join(" ");
        assert_eq!(kept, "function num_node num_edge graph_query domains level s_expression");
        assert_eq!((cells[0].names[0].text.as_str(), cells[1].names.len()), ("Hall", 0));
        assert_eq!((second.answers.state, third.answers.state), (AnswerState::Absent, AnswerState::Given));
        assert_eq!(third.answers.sets[0].rows[0].cells[0].value, "Hall");
        let told: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(told, ["invalid-iri", "unreadable-answer"]);
    }

    #[test]
    fn copies_without_logical_forms_and_blind_files() {
        let blind = FORMAT
            .recognised(r#"[{"qid": 1, "question": "of the test file?"}, {"qid": 2, "question": "?"}]"#);
        let states: Vec<AnswerState> =
            blind.questions.iter().map(|question| question.answers.state).collect();
        assert_eq!((states, blind.issues.len()), (vec![AnswerState::Absent; 2], 0));
        let copy = FORMAT.recognised(
            r#"[{"qid": 1, "question": "?", "answer": [{"answer_type": "Value", "answer_argument": "7"}]}]"#,
        );
        assert_eq!(copy.questions[0].answers.values(), ["7"]);
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"qid": 1, "question": "?", "answer": []}]"#, r#"{"s_expression": "(A)"}"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
