//! The samples that `lm-evaluation-harness` logs (`samples_TASK_DATE.jsonl`): an object a question with the record of the
//! dataset (`doc`), the gold answer (`target`), and what the model said before and after the filters of the task.
//!
//! One file is a gold standard and a submission. A task with several filters logs each question once for each of them.
//! Source: `EleutherAI/lm-evaluation-harness`, `--log_samples`.

use crate::base::error::Result;
use crate::sources::document::Document;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::json::jsonl::{self, first_line};
use crate::sources::format::json::prediction;
use crate::sources::format::json::value::{Entries, Json, plain_key};

/// The keys that every sample has.
const OWN_KEYS: [&[u8]; 3] = [b"doc_id", b"doc", b"filtered_resps"];

/// The keys of the id in the record of the dataset; without one, the place in the task counts.
const RECORD_IDS: [&str; 4] = ["id", "qid", "question_id", "uid"];

/// The gold answers.
pub(crate) static TARGETS: Format = Format {
    name: "lm-eval-samples",
    description: "Samples of lm-evaluation-harness (JSON Lines): doc, target and responses; gold and submission at once.",
    media_type: "application/jsonl",
    recognise,
    read: |content, here| read(content, here, "target"),
    targets: &[],
};

/// What the model said.
pub(crate) static RESPONSES: Format = Format {
    name: "lm-eval-samples-responses",
    description: "Samples of lm-evaluation-harness (JSON Lines), read as a submission.",
    media_type: "application/jsonl",
    recognise,
    read: |content, here| read(content, here, "filtered_resps"),
    targets: &[],
};

fn recognise(content: &[u8]) -> bool {
    first_line(content).is_some_and(|line| {
        let keys: Vec<&[u8]> = line.keys().collect();
        OWN_KEYS.iter().all(|key| keys.contains(key))
    })
}

fn read(content: &[u8], here: &mut Context<Document>, side: &str) -> Result<()> {
    let text = here.text(content)?;
    jsonl::read_all(jsonl::lines(text), here, &["doc_id"], |entries, here| read_fields(entries, side, here))
}

fn read_fields(entries: Entries, side: &str, here: &mut Context) {
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match (plain_key(&key).as_ref(), value) {
            ("doc_id", _) => {}
            ("doc", value) => read_record(&value, inner),
            (name, value) if name == side => prediction::read(answer(value), inner),
            // the other side, what was said before the filters, how it was asked, scores
            (_, value) => inner.keep(&value),
        }
    }
}

/// The record of the dataset: the id and the text are those of the question.
fn read_record(record: &Json, here: &mut Context) {
    if let Json::Object(entries) = record {
        let text = |wanted: &str| {
            let (_, value) = entries.iter().find(|(key, _)| plain_key(key) == wanted)?;
            matches!(value, Json::Text(_) | Json::Number(_)).then(|| value.clone().into_scalar())?
        };
        if let Some(id) = RECORD_IDS.into_iter().find_map(text).filter(|id| !id.trim().is_empty()) {
            id.trim().clone_into(&mut here.draft.question.id);
            here.draft.question.id_is_number = false;
        }
        if let Some(question) = text("question") {
            here.draft.add_text(None, question);
        }
    }
    here.keep(record);
}

/// One response stands in a list of its own.
fn answer(value: Json) -> Json {
    match value {
        Json::List(mut items) if items.len() == 1 && matches!(items[0], Json::List(_)) => {
            answer(items.swap_remove(0))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    const FILE: &str = "{\"doc_id\": 0, \"doc\": {\"id\": \"a7\", \"question\": \"Who?\"}, \"target\": \"Twain\", \"arguments\": [], \"resps\": [[\"It is Twain.\"]], \"filtered_resps\": [\"Twain\"], \"exact_match\": 1.0}\n{\"doc_id\": 1, \"doc\": {\"query\": \"?\"}, \"target\": [\"a\", \"b\"], \"resps\": [], \"filtered_resps\": [[-1.5, false], [-0.5, true]]}\n{\"doc_id\": 2, \"doc\": {}, \"target\": 7, \"filtered_resps\": []}\n";

    #[test]
    fn targets_and_responses() {
        use AnswerState::{Empty, Given, Unreadable};
        let (gold, system) = (TARGETS.recognised(FILE), RESPONSES.recognised(FILE));
        let states = |document: &Document| -> Vec<AnswerState> {
            document.questions.iter().map(|question| question.answers.state).collect()
        };
        assert_eq!((states(&gold), states(&system)), (vec![Given; 3], vec![Given, Unreadable, Empty]));
        assert_eq!(gold.questions[1].answers.values(), ["a", "b"]);
        let first = &system.questions[0];
        assert_eq!((first.id.as_str(), first.texts[0].text.as_str()), ("a7", "Who?"));
        assert_eq!((first.answers.values(), system.questions[2].id.as_str()), (vec!["Twain"], "2"));
        let kept: Vec<&str> = first.extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(kept, ["doc", "target", "arguments", "resps", "exact_match"]);
    }

    #[test]
    fn other_lines_are_not_recognised() {
        for text in ["", r#"{"doc_id": 1, "doc": {}}"#, r#"[{"doc_id": 1, "doc": {}, "filtered_resps": []}]"#]
        {
            assert!(!recognise(text.as_bytes()), "{text}");
        }
    }
}
