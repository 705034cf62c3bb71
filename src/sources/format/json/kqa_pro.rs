//! KQA Pro: questions with a choice of ten answers, a query and a program over a part of Wikidata.
//!
//! The answer is the text of one choice, and a boolean where that is `yes` or `no`; there are no ids. The questions of the test file
//! have their choices only. Source: `shijx12/KQAPro_Baselines`, README.

use crate::sources::format::json::items;
use crate::sources::format::json::items::yes_or_no;
use crate::sources::format::json::meanings::Meanings;
use crate::sources::format::json::value::Json;
use crate::sources::format::{Format, sniff};

/// KQA Pro.
pub(crate) static FORMAT: Format = Format {
    name: "kqa-pro",
    description: "KQA Pro (JSON): a list of questions with choices, query, program and the text of the answer.",
    media_type: "application/json",
    recognise: |content| {
        let mut keys: Vec<&[u8]> = sniff::item_keys(content).collect();
        keys.sort_unstable();
        let is_test = keys == [&b"choices"[..], b"question"];
        is_test || [&b"choices"[..], b"program"].iter().all(|key| keys.contains(key))
    },
    read: |content, here| MEANINGS.read_list(content, here),
    targets: &[],
};

static MEANINGS: Meanings = Meanings {
    id: &[],
    texts: &[("question", "en")],
    query: Some("sparql"),
    answers: &["answer"],
    answer_type: None,
    kept: &["choices", "program"],
    read_answers: |value, here| {
        // the only item of a list, so that what is no text is told and kept as an item is
        let value = if let Json::List(_) = value { value } else { Json::List(vec![value]) };
        items::read(value, here, |item, here| match yes_or_no(&item) {
            Some(value) => items::plain(Json::Bool(value), here),
            None => items::plain(item, here),
        });
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind};

    #[test]
    fn questions_of_kqa_pro() {
        let verified = FORMAT.recognised(
            r#"[{"question": "Is it?", "choices": ["unknown", "yes", "no"], "program": [], "answer": "yes"}]"#,
        );
        assert_eq!(verified.questions[0].answers.sets[0].boolean, Some(true));
        let document = FORMAT.recognised(
            r#"[{"question": "Which is larger?", "choices": ["Albany", "Troy"], "sparql": "SELECT ?e {}",
                 "program": [{"function": "Find"}], "answer": "Albany"},
                {"question": "?", "choices": [], "answer": null, "foo": 1}, {"question": "?", "choices": ["yes", "no"]}]"#,
        );
        let [first, second, third] = &document.questions[..] else { panic!("not three questions") };
        let cell = &first.answers.sets[0].rows[0].cells[0];
        assert_eq!((cell.kind, cell.value.as_str()), (CellKind::Literal, "Albany"));
        let kept: Vec<&str> = first.extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!((kept, first.queries[0].text.as_str()), (vec!["choices", "program"], "SELECT ?e {}"));
        let states = [second, third].map(|question| (question.key.as_str(), question.answers.state));
        assert_eq!(states, [("~2", AnswerState::Unreadable), ("~3", AnswerState::Absent)]);
        let told: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(told, ["unknown-field", "unreadable-answer", "missing-id"]);
    }

    #[test]
    fn other_lists_are_not_recognised() {
        assert!((FORMAT.recognise)(br#"[{"question": "of the test file?", "choices": []}]"#));
        for text in
            ["[]", r#"[{"question": "?", "choices": [], "id": 1}]"#, r#"[{"program": [], "question": "?"}]"#]
        {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
    }
}
