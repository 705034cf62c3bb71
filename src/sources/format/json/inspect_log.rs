//! The logs of `inspect_ai`: an object with `eval` and `samples`, each sample with its input, its target and what the model
//! said. A `.eval` file is a zip of the same parts, which [`crate::sources::file::eval_log`] puts together.
//!
//! One file is a gold standard (`target`) and a submission: the answer that a scorer took from what the model said, where all
//! scorers took the same, else all of what it said (`output.completion`). A question that is asked in several epochs is there
//! as often. Source: `UKGovernmentBEIS/inspect_ai` 0.3.285, `inspect_ai.log.EvalLog`, `EvalSample`.

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::Document;
use crate::sources::format::context::Context;
use crate::sources::format::json::list::{read_all, reporting, top_level};
use crate::sources::format::json::value::{Entries, Json, plain_key, text_of, value_of};
use crate::sources::format::json::{constants, fields, prediction, root};
use crate::sources::format::{Format, sniff};

/// Where the samples are.
const SAMPLES: &str = "samples";

/// What the log says about the task; every log has it, before the samples.
const TASK: &str = "eval";

/// What a log says beside them about the run as a whole.
const OF_THE_RUN: [&str; 13] = [
    TASK,
    "version",
    "status",
    "plan",
    "results",
    "stats",
    "error",
    "invalidated",
    "log_updates",
    "config_updates",
    "tags",
    "metadata",
    "reductions",
];

/// What a log says of a run that came to its end.
const ENDED: &str = "\"success\"";

/// The gold answers.
pub(crate) static TARGETS: Format = Format {
    name: "inspect-log",
    description: "Logs of inspect_ai (JSON): an object with samples, each with input, target and output; gold and submission at once.",
    media_type: "application/json",
    recognise,
    read: |content, here| read(content, here, read_target),
    targets: &[],
};

/// What the model said.
pub(crate) static OUTPUTS: Format = Format {
    name: "inspect-log-outputs",
    description: "Logs of inspect_ai (JSON), read as a submission.",
    media_type: "application/json",
    recognise,
    read: |content, here| read(content, here, read_output),
    targets: &[],
};

/// Only what is like a log until the samples is read so far: the lists of other files may be long.
fn recognise(content: &[u8]) -> bool {
    let mut keys = sniff::object_keys(content);
    let mut has_task = false;
    while let Some(key) = keys.next() {
        has_task |= key == TASK.as_bytes();
        if key == SAMPLES.as_bytes() {
            let item: Vec<&[u8]> = keys.of_last().map(sniff::item_keys).into_iter().flatten().collect();
            return has_task && [&b"input"[..], b"target"].iter().all(|key| item.contains(key));
        }
        if !has_task && !OF_THE_RUN.iter().any(|known| known.as_bytes() == key) {
            return false;
        }
    }
    false
}

fn read(content: &[u8], here: &mut Context<Document>, side: fn(&Entries, &mut Context)) -> Result<()> {
    let text = constants::replaced(here.text(content)?, here);
    let raw = top_level(root::split(&text)?, SAMPLES, here, |key, value, here| match key {
        "status" if value.get() != ENDED => {
            let message = format!("the run did not come to its end: its status is {}", value.get());
            here.note(IssueCode::SystemError, message);
        }
        known if OF_THE_RUN.contains(&known) => {}
        other => here.unknown("key", other),
    })?;
    let read = reporting(|entries, here: &mut Context| read_sample(entries, side, here));
    read_all(&text, &raw, &mut here.key(SAMPLES), &["id"], read);
    Ok(())
}

fn read_sample(entries: Entries, side: fn(&Entries, &mut Context), here: &mut Context) {
    side(&entries, here);
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match (plain_key(&key).as_ref(), value) {
            ("id", value) => fields::check_id(value, inner),
            ("input", value) => match asked(&value) {
                Some(text) => inner.draft.add_text(None, text),
                None => inner.keep(&value),
            },
            ("error", Json::Null) => {}
            // what belongs to the other side, and how the answer came about
            (_, value) => inner.keep(&value),
        }
    }
}

/// The target. A sample without one has an empty text there.
fn read_target(entries: &Entries, here: &mut Context) {
    let inner = &mut here.key("target");
    match value_of(entries, "target") {
        None => {}
        Some(Json::Text(text)) if text.trim().is_empty() => {
            inner.note(IssueCode::WithoutAnswers, "the target is an empty text; the sample has none");
        }
        Some(target) => {
            if matches!(target, Json::List(items) if items.len() > 1) {
                let message = "several targets are read as several answers; scorers of inspect_ai take each of them for the whole answer";
                inner.note_once(IssueCode::UnknownTermKind, message);
            }
            prediction::read(target.clone(), inner);
        }
    }
}

fn read_output(entries: &Entries, here: &mut Context) {
    if let Some(Json::Object(error)) = value_of(entries, "error") {
        let message = text_of(error, "message").unwrap_or("the sample ended with an error");
        here.key("error").set_error(message.to_owned());
    }
    if let Some(seconds) = value_of(entries, "total_time").and_then(|time| time.clone().into_scalar()) {
        here.key("total_time").set_time(&seconds, 0);
    }
    if let Some(answer) = value_of(entries, "scores").and_then(scored_answer) {
        return prediction::read(Json::Text(answer.into()), &mut here.key("scores"));
    }
    let inner = &mut here.key("output");
    match value_of(entries, "output") {
        Some(Json::Object(output)) if has_ended(output, inner) => match completion(output) {
            Some(text) => prediction::read(Json::Text(text.trim().into()), inner),
            None => inner.cannot_read("the output has no text `completion`"),
        },
        Some(Json::Object(_)) | None => inner.note(IssueCode::WithoutAnswers, "the sample has no output"),
        Some(other) => inner.cannot_read(format!("{} stands for the output", other.kind())),
    }
}

/// Whether the model said something: an output without choices and text is that of a sample that ended before.
fn has_ended(output: &Entries, here: &Context) -> bool {
    let is_bare = matches!(value_of(output, "choices"), Some(Json::List(choices)) if choices.is_empty());
    let says_nothing = completion(output).is_none_or(str::is_empty);
    !(says_nothing && (is_bare || here.draft.question.error.is_some()))
}

/// What the model said.
fn completion<'e>(output: &'e Entries) -> Option<&'e str> {
    text_of(output, "completion")
}

/// The answer that all scorers which name one took from what the model said.
fn scored_answer(scores: &Json) -> Option<String> {
    let Json::Object(scores) = scores else { return None };
    let answer = |(_, score): &'_ (_, Json)| match score {
        Json::Object(score) => text_of(score, "answer").map(str::to_owned),
        _ => None,
    };
    let mut answers = scores.iter().filter_map(answer);
    let first = answers.next().filter(|first| !first.is_empty())?;
    answers.all(|other| other == first).then_some(first)
}

/// The text of the input: a text, or what the user said last.
fn asked(input: &Json) -> Option<String> {
    let Json::List(messages) = input else { return said(input) };
    messages.iter().rev().find_map(|message| match message {
        Json::Object(message) if text_of(message, "role") == Some("user") => {
            value_of(message, "content").and_then(said)
        }
        _ => None,
    })
}

/// The text of a message: a text, or the texts among its parts.
fn said(content: &Json) -> Option<String> {
    match content {
        Json::Text(text) => Some(text.clone().into_owned()),
        Json::List(parts) => {
            let text = |part: &Json| match part {
                Json::Object(part) => text_of(part, "text").map(str::to_owned),
                _ => None,
            };
            let texts: Vec<String> = parts.iter().filter_map(text).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    /// The shape of a log of version 2, shortened.
    const FILE: &str = r#"{"version": 2, "status": "success", "eval": {"task": "t", "model": "mockllm/model"}, "plan": {"steps": []},
        "results": {"total_samples": 6, "scores": [{"metrics": {"mean": {"value": NaN}}}]}, "stats": {}, "invalidated": false,
        "tags": [], "metadata": {}, "samples": [
        {"id": 1, "epoch": 1, "input": "Who?", "target": "Twain", "output": {"choices": [{"stop_reason": "stop"}], "completion": "It is Twain."},
         "scores": {"match": {"value": "C", "answer": "Twain", "history": []}, "own": {"value": NaN, "history": []}}, "total_time": 0.37},
        {"id": "b", "epoch": 1, "input": [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "Where?"}]}],
         "target": ["Bonn", "Berlin"], "output": {"choices": [{}], "completion": " Bonn\n"}, "scores": {"a": {"answer": "x"}, "b": {"answer": "y"}}},
        {"id": "c", "input": 7, "target": "z", "output": null},
        {"id": "d", "input": "?", "target": ""},
        {"id": "e", "input": "?", "target": "z", "output": {"choices": [], "completion": ""}, "scores": {},
         "error": {"message": "timeout", "traceback": "…"}},
        {"id": "f", "input": "?", "target": "z", "output": {"choices": [{}], "completion": ""},
         "scores": {"exact": {"value": "I", "answer": "", "reason": "no_response"}}}], "reductions": []}"#;

    fn states(document: &Document) -> Vec<AnswerState> {
        document.questions.iter().map(|question| question.answers.state).collect()
    }

    #[test]
    fn targets_and_outputs() {
        use AnswerState::{Absent, Empty, Given, Unreadable};
        let (gold, system) = (TARGETS.recognised(FILE), OUTPUTS.recognised(FILE));
        assert_eq!(states(&gold), [Given, Given, Given, Absent, Given, Given]);
        assert_eq!(states(&system), [Given, Given, Unreadable, Absent, Absent, Empty]);
        let values: Vec<Vec<&str>> =
            system.questions.iter().map(|question| question.answers.values()).collect();
        assert_eq!(values[..2], [vec!["Twain"], vec!["Bonn"]]);
        assert_eq!(gold.questions[1].answers.values(), ["Bonn", "Berlin"]);
        assert_eq!(
            (gold.questions[0].id.as_str(), gold.questions[1].texts[0].text.as_str()),
            ("1", "Where?")
        );
        let errors = |document: &Document| document.questions[4].error.clone();
        assert_eq!(
            (errors(&gold), errors(&system).as_deref()),
            (None, Some("timeout")),
            "of the system only"
        );
        assert_eq!(system.questions[0].response_time.as_deref(), Some("0.37"));
        let kept: Vec<&str> = gold.questions[0].extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(kept, ["epoch", "target", "output", "scores", "total_time"]);
    }

    #[test]
    fn what_is_odd_is_told() {
        let codes = |document: &Document| -> Vec<&'static str> {
            document.issues.iter().map(|issue| issue.code.name()).collect()
        };
        assert_eq!(codes(&TARGETS.recognised(FILE)), ["null-value", "unknown-term-kind", "without-answers"]);
        let stopped = FILE.replace("success", "cancelled").replace("\"tags\"", "\"other\"");
        let codes = codes(&OUTPUTS.recognised(&stopped));
        assert_eq!(codes[..3], ["null-value", "system-error", "unknown-field"], "{codes:?}");
    }

    #[test]
    fn other_objects_are_not_recognised() {
        for text in [
            "[]",
            r#"{"samples": [{"input": 1, "target": 2}]}"#,
            r#"{"samples": [{"input": 1, "target": 2}], "eval": {}}"#,
            r#"{"questions": [], "eval": {}, "samples": [{"input": 1, "target": 2}]}"#,
            r#"{"eval": {}, "samples": []}"#,
            r#"{"eval": {}}"#,
        ] {
            assert!(!recognise(text.as_bytes()), "{text}");
        }
    }
}
