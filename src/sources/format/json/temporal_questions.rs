//! `TempQuestions` and `TimeQuestions`: questions about time, which have the same keys but for the answers.
//!
//! In the first, an answer is a text (its questions are from four datasets over Freebase); in the second, an item of
//! Wikidata or a value. Sources: Jia et al. (2018; 2021).

use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::WIKIDATA;
use crate::sources::format::json::items::{self, TypedKeys};
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::json::value::Json;
use crate::sources::format::{Format, sniff};

/// The keys that only these formats have.
const OWN_KEYS: [&[u8]; 3] = [b"Temporal signal", b"Temporal question type", b"Question creation date"];

/// `TempQuestions`.
pub(crate) static TEMP_QUESTIONS: Format = Format {
    name: "temp-questions",
    description: "TempQuestions (JSON): a list of questions about time with the texts of their answers.",
    media_type: "application/json",
    recognise: |content| is_about_time(content) && !has_typed_answers(content),
    read: |content, here| MEANINGS.read_list(content, here),
    targets: &[],
};

/// `TimeQuestions`.
pub(crate) static TIME_QUESTIONS: Format = Format {
    name: "time-questions",
    description: "TimeQuestions (JSON): a list of questions about time with answers as ids of Wikidata and values.",
    media_type: "application/json",
    recognise: |content| is_about_time(content) && has_typed_answers(content),
    read: |content, here| MEANINGS.read_list(content, here),
    targets: &[],
};

static MEANINGS: Meanings = Meanings {
    id: &["id"],
    texts: &[("question", "en")],
    query: None,
    answers: &["answer"],
    answer_type: None,
    kept: &["temporal signal", "temporal question type", "data source", "question creation date"],
    read_answers,
};

const ANSWER: TypedKeys = TypedKeys {
    kind: "answertype",
    entity: "wikidataqid",
    value: "answerargument",
    label: "wikidatalabel",
    ids: &WIKIDATA,
};

fn is_about_time(content: &[u8]) -> bool {
    sniff::item_keys(content).any(|key| OWN_KEYS.contains(&key))
}

/// Whether the first question has a list of objects as its answer.
fn has_typed_answers(content: &[u8]) -> bool {
    let answer = sniff::item_keys(content).value(b"Answer");
    answer.is_some_and(|answer| sniff::item_keys(answer).next().is_some())
}

fn read_answers(value: Json, here: &mut Context) {
    let value = match value {
        text @ Json::Text(_) => Json::List(vec![text]),
        other => other,
    };
    items::read(value, here, |item, here| match item {
        Json::Object(_) => ANSWER.read(item, here),
        other => items::plain(other, here),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind, Document};

    fn values(document: &Document) -> Vec<(CellKind, &str)> {
        let sets = document.questions.iter().flat_map(|question| &question.answers.sets);
        let cells = sets.flat_map(|set| &set.rows).flat_map(|row| &row.cells);
        cells.map(|cell| (cell.kind, cell.value.as_str())).collect()
    }

    #[test]
    fn answers_of_temp_questions_are_texts() {
        let text = r#"[{"Id": 1, "Question": "when?", "Temporal signal": ["when"], "Temporal question type": ["Explicit"],
              "Answer": ["1930", "1934 FIFA World Cup"], "Data source": "Free917", "Question creation date": "2013"},
             {"Id": 2, "Question": "who?", "Temporal signal": [], "Answer": "Pelé"},
             {"Id": 3, "Question": "which?", "Temporal signal": [], "Answer": {"x": 1}, "y": 2}]"#;
        assert!(!(TIME_QUESTIONS.recognise)(text.as_bytes()));
        let document = TEMP_QUESTIONS.recognised(text);
        let expected = ["1930", "1934 FIFA World Cup", "Pelé"].map(|text| (CellKind::Literal, text));
        assert_eq!(values(&document), expected);
        let first = &document.questions[0];
        assert_eq!((first.id.as_str(), first.texts[0].text.as_str(), first.extras.len()), ("1", "when?", 4));
        assert_eq!(document.questions[2].answers.state, AnswerState::Unreadable);
        let told: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(told, ["unknown-field", "unreadable-answer"]);
    }

    #[test]
    fn answers_of_time_questions_are_items_and_values() {
        let text = r#"[{"Id": 1, "Question": "who?", "Temporal signal": ["OVERLAP"], "Answer": [
               {"AnswerType": "Entity", "WikidataQid": "Q76", "WikidataLabel": "Barack Obama", "AnswerArgument": null},
               {"AnswerType": "Value", "AnswerArgument": "2008-11-04T00:00:00Z"}]}]"#;
        assert!(!(TEMP_QUESTIONS.recognise)(text.as_bytes()));
        let document = TIME_QUESTIONS.recognised(text);
        assert_eq!(
            values(&document),
            [
                (CellKind::Uri, "http://www.wikidata.org/entity/Q76"),
                (CellKind::Literal, "2008-11-04T00:00:00Z")
            ]
        );
        assert_eq!(document.issues, []);
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"Id": 1, "Question": "?", "Answer": []}]"#, r#"{"Temporal signal": []}"#] {
            let is = |format: &Format| (format.recognise)(text.as_bytes());
            assert!(!is(&TEMP_QUESTIONS) && !is(&TIME_QUESTIONS), "{text}");
        }
    }
}
