//! LC-QuAD 2: questions made from templates, with their queries over Wikidata and `DBpedia`.
//!
//! The published files have a place for answers and none in it: `answer` is the empty list in every question. That is a
//! file without answers. The query over `DBpedia` is kept: consumers take the first query of a question that can be read, and
//! a question must not be asked of the other knowledge base because its query over Wikidata is damaged. Source:
//! `AskNowQA/LC-QuAD2.0`.

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::{AnswerState, Cell, CellKind, Document, Extra};
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::WIKIDATA;
use crate::sources::format::json::answers;
use crate::sources::format::json::items::{self, cell};
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::json::value::Json;
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 4] = [b"NNQT_question", b"sparql_wikidata", DBPEDIA.as_bytes(), b"template_index"];

/// The query over `DBpedia`.
const DBPEDIA: &str = "sparql_dbpedia18";

/// LC-QuAD 2.
pub(crate) static FORMAT: Format = Format {
    name: "lc-quad-2",
    description: "LC-QuAD 2 (JSON): a list of questions with their queries over Wikidata and DBpedia.",
    media_type: "application/json",
    recognise: |content| sniff::item_keys(content).any(|key| OWN_KEYS.contains(&key)),
    read,
    targets: &[],
};

static MEANINGS: Meanings = Meanings {
    id: &["uid"],
    texts: &[("question", "en")],
    query: Some("sparql_wikidata"),
    answers: &["answer"],
    answer_type: None,
    kept: &[
        "nnqt_question",
        "paraphrased_question",
        DBPEDIA,
        "subgraph",
        "template",
        "template_id",
        "template_index",
    ],
    read_answers,
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    MEANINGS.read_list(content, here)?;
    let questions = &mut here.draft.questions;
    let is_without = |state| matches!(state, AnswerState::Absent | AnswerState::Empty);
    let all_without = questions.iter().all(|question| is_without(question.answers.state));
    let mut emptied = 0;
    for question in questions.iter_mut().filter(|question| question.answers.state == AnswerState::Empty) {
        if all_without {
            question.answers.state = AnswerState::Absent;
            emptied += 1;
        }
    }
    let is_kept = |extra: &Extra| extra.name == DBPEDIA;
    let kept = questions.iter().filter(|question| question.extras.iter().any(is_kept)).count();
    if emptied > 0 {
        let message = format!("the file has no answers: `answer` is empty in all {emptied} questions");
        here.note(IssueCode::WithoutAnswers, message);
    }
    if kept > 0 {
        let message =
            format!("the queries over Wikidata are read; {kept} over DBpedia (`{DBPEDIA}`) are kept");
        here.note(IssueCode::UnknownField, message);
    }
    Ok(())
}

/// A list of ids of Wikidata and other values, or what QALD-JSON has.
fn read_answers(value: Json, here: &mut Context) {
    let is_plain =
        |item: &Json| matches!(item, Json::Text(_) | Json::Number(_) | Json::Bool(_) | Json::Unread(..));
    match &value {
        Json::List(items) if items.iter().all(is_plain) => items::read(value, here, read_item),
        _ => answers::read(value, here),
    }
}

fn read_item(item: Json, here: &mut Context) -> Option<Cell> {
    let Json::Text(text) = item else {
        return items::plain(item, here);
    };
    Some(match WIKIDATA.iri(&text) {
        Some(iri) => cell(CellKind::Uri, iri),
        // whether it is an IRI, only its look says
        None => cell(CellKind::Unknown, text.into_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::Question;

    fn read(answers: [&str; 2]) -> (Vec<Question>, Vec<String>) {
        let [first, second] = answers;
        let document = FORMAT.recognised(&format!(
            r#"[{{"NNQT_question": "n", "uid": 19719, "subgraph": "simple", "template_index": 65, "question": "What?",
                "sparql_wikidata": " select ?a {{}} ", "sparql_dbpedia18": "select ?b {{}}", "template": ["t"], "answer": {first},
                "template_id": 1, "paraphrased_question": "Which?"}},
               {{"uid": 2, "question": "Who?", "sparql_wikidata": "ASK {{}}", "answer": {second}}}]"#
        ));
        let told = document.issues.iter().map(|issue| format!("{} {}", issue.code.name(), issue.message));
        let told = told.collect();
        (document.questions, told)
    }

    #[test]
    fn empty_lists_everywhere_are_no_answers() {
        let (questions, told) = read(["[]", "[]"]);
        assert!(questions.iter().all(|question| question.answers.state == AnswerState::Absent));
        assert_eq!(
            told,
            [
                "without-answers the file has no answers: `answer` is empty in all 2 questions",
                "unknown-field the queries over Wikidata are read; 1 over DBpedia (`sparql_dbpedia18`) are kept",
            ]
        );
        let first = &questions[0];
        assert_eq!((first.id.as_str(), first.id_is_number, first.texts.len()), ("19719", true, 1));
        let queries: Vec<&str> = first.queries.iter().map(|query| query.text.as_str()).collect();
        assert_eq!(queries, ["select ?a {}"]);
        let kept = first.extras.iter().map(|extra| extra.name.as_str()).collect::<Vec<_>>().join(" ");
        let expected = "NNQT_question subgraph template_index sparql_dbpedia18 template template_id paraphrased_question";
        assert_eq!(kept, expected);
    }

    #[test]
    fn answers_are_read_where_a_file_has_some() {
        let (questions, told) = read([r#"["Q42", "http://e/a", 3, true]"#, "[]"]);
        let states = questions.iter().map(|question| question.answers.state).collect::<Vec<_>>();
        assert_eq!((states, told.len()), (vec![AnswerState::Given, AnswerState::Empty], 1));
        let cells = questions[0].answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
        let values: Vec<_> = cells.map(|cell| (cell.kind, cell.value.as_str())).collect();
        assert_eq!(
            values,
            [
                (CellKind::Uri, "http://www.wikidata.org/entity/Q42"),
                (CellKind::Unknown, "http://e/a"),
                (CellKind::Literal, "3"),
            ]
        );
        let (questions, _) =
            read([r#"{"results": {"bindings": [{"x": {"type": "uri", "value": "v"}}]}}"#, "[[]]"]);
        let states = questions.iter().map(|question| question.answers.state).collect::<Vec<_>>();
        assert_eq!(states, [AnswerState::Given, AnswerState::Unreadable]);
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"uid": 1, "question": "?", "answer": []}]"#, r#"{"sparql_wikidata": ""}"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
