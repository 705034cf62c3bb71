//! `WebQuestions`: questions with the texts of their answers, as first published and as "factoid" variant.
//!
//! First published as `{url, targetValue, utterance}` without ids, where `targetValue` is a list of SEMPRE such as
//! `(list (description "A B"))`; the variant of `brmson/dataset-factoid-webquestions` is `{qId, answers, qText}`.

use crate::sources::document::CellKind;
use crate::sources::format::context::Context;
use crate::sources::format::json::items::{self, cell, row};
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::json::sempre;
use crate::sources::format::json::value::Json;
use crate::sources::format::{Format, sniff};

/// The keys that only this format has.
const OWN_KEYS: [&[u8]; 2] = [b"targetValue", b"qText"];

/// `WebQuestions`.
pub(crate) static FORMAT: Format = Format {
    name: "webquestions",
    description: "WebQuestions (JSON): a list with utterance and targetValue, or with qText and answers.",
    media_type: "application/json",
    recognise: |content| sniff::item_keys(content).any(|key| OWN_KEYS.contains(&key)),
    read: |content, here| MEANINGS.read_list(content, here),
    targets: &[],
};

static MEANINGS: Meanings = Meanings {
    id: &["qid"],
    texts: &[("utterance", "en"), ("qtext", "en")],
    query: None,
    answers: &["targetvalue", "answers"],
    answer_type: None,
    kept: &["url"],
    read_answers: |value, here| match value {
        Json::Text(text) => read_target(&text, here),
        other => items::read(other, here, items::plain),
    },
};

/// A list of SEMPRE. Where not all of it can be read, it is kept.
fn read_target(written: &str, here: &mut Context) {
    here.draft.has_answers = true;
    let wrong = "an answer is none of description, number, date, string";
    let (texts, wrong) = sempre::texts(written).map_or_else(|why| (vec![None], why), |texts| (texts, wrong));
    if texts.contains(&None) {
        here.cannot_read(format!("not all of the list of answers can be read: {wrong}"));
        here.keep(&Json::Text(written.into()));
    }
    let rows = texts.into_iter().flatten().map(|text| row(cell(CellKind::Literal, text)));
    here.draft.add_rows(rows.collect());
}

#[cfg(test)]
mod tests {
    use AnswerState::{Absent, Empty, Given, Unreadable};

    use super::*;
    use crate::sources::document::{AnswerState, Document};

    fn told(document: &Document) -> Vec<&str> {
        document.issues.iter().map(|issue| issue.code.name()).collect()
    }

    #[test]
    fn as_first_published() {
        let document = FORMAT.recognised(
            r#"[{"url": "http://www.freebase.com/view/en/justin_bieber", "utterance": "who?",
                 "targetValue": "(list (description \"Jazmyn Bieber\") (description Jaxon) (number 3 meter) (date 2012 12 -1))"},
                {"targetValue": "(list (name fb:en.x X) (description) (description \"a \\\"b\\\"\"))", "utterance": "what?"},
                {"targetValue": "(list)", "utterance": "?"}, {"targetValue": "Berlin", "utterance": "?"},
                {"targetValue": "(list (description \"a)", "utterance": "?"}, {"utterance": "of the test file?"}]"#,
        );
        let questions = &document.questions;
        assert_eq!(questions[0].answers.values(), ["Jazmyn Bieber", "Jaxon", "3 meter", "2012 12 -1"]);
        assert_eq!((questions[0].key.as_str(), questions[0].texts[0].text.as_str()), ("~1", "who?"));
        assert_eq!(questions[0].extras[0].name, "url");
        assert_eq!((questions[1].answers.values(), questions[1].extras.len()), (vec!["a \"b\""], 1));
        let states: Vec<AnswerState> = questions.iter().map(|question| question.answers.state).collect();
        assert_eq!(states, [Given, Given, Empty, Unreadable, Unreadable, Absent]);
        assert_eq!(questions[3].extras[0].value, "\"Berlin\"");
        assert_eq!(questions[4].extras[0].value, r#""(list (description \"a)""#);
        assert_eq!(
            told(&document),
            ["unreadable-answer", "unreadable-answer", "unreadable-answer", "missing-id"]
        );
    }

    #[test]
    fn the_factoid_variant() {
        let document = FORMAT.recognised(
            r#"[{"qId": "wqr000000", "answers": ["Jazmyn Bieber", "Jaxon Bieber"], "qText": "who?"},
                {"qId": "wqr000001", "answers": [], "qText": "?"}, {"qId": "2", "answers": [{}, null, "x"], "qText": "?"}]"#,
        );
        let [first, second, third] = &document.questions[..] else { panic!("not three questions") };
        assert_eq!(
            (first.id.as_str(), first.answers.values()),
            ("wqr000000", vec!["Jazmyn Bieber", "Jaxon Bieber"])
        );
        assert_eq!(first.answers.sets[0].rows[0].cells[0].kind, CellKind::Literal);
        assert_eq!((second.answers.state, third.answers.values()), (Empty, vec!["x"]));
        assert_eq!(told(&document), ["unreadable-answer", "unreadable-answer"]);
    }

    #[test]
    fn other_lists_are_not_recognised() {
        for text in ["[]", r#"[{"utterance": "?", "id": "1"}]"#, r#"{"qText": "?"}"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
