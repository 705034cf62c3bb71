//! `CronQuestions` as JSON: questions made from templates over facts of Wikidata with times.
//!
//! The answers are items of Wikidata or, where `answer_type` is `time`, years. First published as pickled Python, in
//! which the answers are a set. Source: `apoorvumang/CronKGQA`.

use crate::sources::document::{Cell, CellKind};
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::WIKIDATA;
use crate::sources::format::json::items::{self, cell};
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::json::value::Json;
use crate::sources::format::{Format, sniff};

/// Keys that only this format has together.
const OWN_KEYS: [&[u8]; 2] = [b"uniq_id", b"annotation"];

/// `CronQuestions`.
pub(crate) static FORMAT: Format = Format {
    name: "cron-questions",
    description: "CronQuestions (JSON): a list of questions about time with answers as ids of Wikidata and years.",
    media_type: "application/json",
    recognise: |content| {
        let keys: Vec<&[u8]> = sniff::item_keys(content).collect();
        OWN_KEYS.iter().all(|key| keys.contains(key))
    },
    read: |content, here| MEANINGS.read_list(content, here),
    targets: &[],
};

static MEANINGS: Meanings = Meanings {
    id: &["uniq_id"],
    texts: &[("question", "en")],
    query: None,
    answers: &["answers"],
    answer_type: Some("answer_type"),
    kept: &["template", "entities", "times", "relations", "type", "annotation", "paraphrases"],
    read_answers: |value, here| {
        let is_time = here.draft.question.answer_type.as_deref() == Some("time");
        items::read(value, here, |item, here| read_item(item, is_time, here));
    },
};

fn read_item(item: Json, is_time: bool, here: &mut Context) -> Option<Cell> {
    match item {
        Json::Text(id) if !is_time => Some(cell(CellKind::Uri, WIKIDATA.of_entity(id.into_owned(), here))),
        other => items::plain(other, here),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn questions_of_cron_questions() {
        let document = FORMAT.recognised(
            r#"[{"question": "Who held Q11696 in 2009?", "answers": ["Q76", "Q35073"], "answer_type": "entity",
                 "template": "t", "entities": ["Q11696"], "times": [2009], "relations": ["P39"], "type": "simple_entity",
                 "annotation": {"tail": "Q11696"}, "uniq_id": 7, "paraphrases": ["Who was it?"]},
                {"answers": [1992, "1993"], "question": "When?", "answer_type": "time", "uniq_id": 8, "annotation": {}},
                {"answers": ["Obama", 2009, null], "question": "Who?", "answer_type": "entity", "uniq_id": 9, "annotation": {}},
                {"answers": [], "question": "Who?", "uniq_id": 10, "annotation": {}}]"#,
        );
        let values = |at: usize| -> Vec<(CellKind, &str)> {
            let rows = document.questions[at].answers.sets.iter().flat_map(|set| &set.rows);
            rows.map(|row| (row.cells[0].kind, row.cells[0].value.as_str())).collect()
        };
        assert_eq!(
            values(0),
            [
                (CellKind::Uri, "http://www.wikidata.org/entity/Q76"),
                (CellKind::Uri, "http://www.wikidata.org/entity/Q35073")
            ]
        );
        assert_eq!(values(1), [(CellKind::Literal, "1992"), (CellKind::Literal, "1993")]);
        assert_eq!(values(2), [(CellKind::Uri, "Obama"), (CellKind::Literal, "2009")]);
        let first = &document.questions[0];
        assert_eq!((first.id.as_str(), first.answer_type.as_deref()), ("7", Some("entity")));
        assert_eq!((first.extras.len(), first.question_type().as_deref()), (7, Some("simple_entity")));
        assert_eq!(document.questions[3].answers.state, AnswerState::Empty);
        let told: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(told, ["invalid-iri", "unreadable-answer"]);
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"uniq_id": 1, "question": "?", "answers": []}]"#, r#"[{"annotation": 1}]"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
