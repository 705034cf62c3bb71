//! `RuBQ` 1 and 2: questions in Russian and English over Wikidata, answers as terms of SPARQL results with their names.
//!
//! A question that the knowledge base cannot answer has the tag `no_answer`, no query and no answers. Source:
//! `vladislavneon/RuBQ`, `specification_v2.0.md`.

use crate::sources::document::Cell;
use crate::sources::format::context::Context;
use crate::sources::format::json::items::{self, cannot_use};
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::json::names;
use crate::sources::format::json::rows;
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 4] = [b"question_eng", b"question_uris", b"paragraphs_uids", b"RuBQ_version"];

/// The names of an answer.
const NAMES: [&str; 3] = ["label", "wd_names", "wp_names"];

/// `RuBQ`.
pub(crate) static FORMAT: Format = Format {
    name: "rubq",
    description: "RuBQ (JSON): a list of questions in Russian and English with queries and answers over Wikidata.",
    media_type: "application/json",
    recognise: |content| sniff::item_keys(content).any(|key| OWN_KEYS.contains(&key)),
    read: |content, here| MEANINGS.read_list(content, here),
    targets: &[],
};

static MEANINGS: Meanings = Meanings {
    id: &["uid"],
    texts: &[("question_text", "ru"), ("question_eng", "en")],
    query: Some("query"),
    answers: &["answers"],
    answer_type: None,
    kept: &["answer_text", "question_uris", "question_props", "paragraphs_uids", "tags", "rubq_version"],
    read_answers: |value, here| items::read(value, here, read_item),
};

/// A term of SPARQL results, with its names.
fn read_item(item: Json, here: &mut Context) -> Option<Cell> {
    if !matches!(item, Json::Object(_)) {
        cannot_use(&item, here);
        return None;
    }
    let is_name = |key: &str| NAMES.contains(&plain_key(key).as_ref());
    let entries = item.into_entries(here).into_iter();
    let (names, term): (Entries, Entries) = entries.partition(|(key, _)| is_name(key));
    let found = rows::read_typed("answer", term, here);
    names::named(found, names, here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind};

    const TEXT: &str = r#"[
        {"uid": 4, "question_text": "Кому принадлежит?", "query": "SELECT ?answer { wd:Q14452 wdt:P17 ?answer }",
         "answer_text": "Чили", "question_uris": ["http://www.wikidata.org/entity/Q14452"], "question_props": ["wdt:P17"],
         "answers": [{"type": "uri", "label": "Чили", "value": "http://www.wikidata.org/entity/Q298",
                      "wd_names": {"ru": ["Чили"], "en": ["Chile"]}, "wp_names": []},
                     {"type": "literal", "value": "3", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}],
         "paragraphs_uids": {"with_answer": [1], "all_related": [1]}, "tags": ["1-hop"], "RuBQ_version": "1.0",
         "question_eng": "Who owns it?"},
        {"uid": 5, "question_text": "Кто?", "query": null, "answers": [], "tags": ["no_answer"], "question_eng": "Who?"},
        {"uid": 6, "question_text": "Что?", "answers": ["Q1", {"type": "uri"}], "foo": 1}]"#;

    #[test]
    fn questions_of_rubq() {
        let document = FORMAT.recognised(TEXT);
        let [first, second, third] = &document.questions[..] else { panic!("not three questions") };
        assert_eq!((first.id.as_str(), first.id_is_number), ("4", true));
        let texts: Vec<_> =
            first.texts.iter().map(|text| (text.language.as_deref(), text.text.as_str())).collect();
        assert_eq!(texts, [(Some("ru"), "Кому принадлежит?"), (Some("en"), "Who owns it?")]);
        assert_eq!(first.queries[0].text, "SELECT ?answer { wd:Q14452 wdt:P17 ?answer }");
        let cells: Vec<&Cell> = first.answers.sets[0].rows.iter().flat_map(|row| &row.cells).collect();
        assert_eq!(
            (cells[0].kind, cells[0].value.as_str()),
            (CellKind::Uri, "http://www.wikidata.org/entity/Q298")
        );
        assert_eq!(
            (cells[1].kind, cells[1].datatype.as_deref()),
            (CellKind::Literal, Some("http://www.w3.org/2001/XMLSchema#integer"))
        );
        let kept: Vec<&str> = first.extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(kept[..4], ["answer_text", "question_uris", "question_props", "paragraphs_uids"]);
        assert_eq!(kept[6..], ["answers[0].wp_names"]);
        let names = cells[0].names.iter().map(|name| (name.language.as_deref(), name.text.as_str()));
        let expected = [(None, "Чили"), (Some("ru"), "Чили"), (Some("en"), "Chile")];
        assert_eq!(names.collect::<Vec<_>>(), expected);
        let states = [first, second, third].map(|question| question.answers.state);
        assert_eq!(states, [AnswerState::Given, AnswerState::Empty, AnswerState::Unreadable]);
        assert_eq!((second.queries.len(), second.extras[0].value.as_str()), (0, "null"));
        let told: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(told, ["unknown-field", "unreadable-answer", "unreadable-answer"]);
    }

    #[test]
    fn an_answer_that_cannot_be_parsed_takes_no_other_with_it() {
        let document = FORMAT.recognised(
            r#"[{"uid": 1, "question_eng": "?", "answers": [1e999999, {"type": "uri", "value": "http://e/a"}]}]"#,
        );
        let question = &document.questions[0];
        assert_eq!((question.answers.state, question.answers.sets[0].rows.len()), (AnswerState::Given, 1));
        assert_eq!(question.extras[0].value, "1e999999");
        assert_eq!(document.issues[0].code.name(), "unreadable-answer");
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"uid": 1, "question": "?", "answers": []}]"#, r#"{"RuBQ_version": "2.0"}"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
