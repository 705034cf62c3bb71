//! The logs of `inspect_ai` in JSON: an object with `eval` and `samples`, each sample with its input, its target and what the
//! model said.
//!
//! One file is a gold standard (`target`) and a submission: the answer that a scorer took from what the model said, where all
//! scorers took the same, else all of what it said (`output.completion`). A question that is asked in several epochs is there
//! as often. Source: `UKGovernmentBEIS/inspect_ai`, `EvalLog`.

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::Document;
use crate::sources::format::context::Context;
use crate::sources::format::json::list::{read_all, reporting, top_level};
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::json::{fields, prediction, root};
use crate::sources::format::{Format, sniff};

/// Where the samples are.
const SAMPLES: &str = "samples";

/// The keys of a log, one of which is beside the samples.
const OF_A_LOG: [&[u8]; 3] = [b"eval", b"plan", b"results"];

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

fn recognise(content: &[u8]) -> bool {
    let samples = sniff::object_keys(content).value(SAMPLES.as_bytes());
    sniff::object_keys(content).any(|key| OF_A_LOG.contains(&key))
        && samples.is_some_and(|list| {
            let keys: Vec<&[u8]> = sniff::item_keys(list).collect();
            [&b"input"[..], b"target"].iter().all(|key| keys.contains(key))
        })
}

fn read(content: &[u8], here: &mut Context<Document>, side: fn(&Entries, &mut Context)) -> Result<()> {
    let text = here.text(content)?;
    let raw = top_level(root::split(text)?, SAMPLES, here, |key, _, here| here.unknown("key", key))?;
    let read = reporting(|entries, here: &mut Context| read_sample(entries, side, here));
    read_all(text, &raw, &mut here.key(SAMPLES), &["id"], read);
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
            ("error", Json::Object(error)) => match text_of(&error, "message") {
                Some(message) => inner.set_error(message),
                None => inner.keep(&Json::Object(error)),
            },
            // what belongs to the other side, and how the answer came about
            (_, value) => inner.keep(&value),
        }
    }
}

fn read_target(entries: &Entries, here: &mut Context) {
    if let Some(target) = value_of(entries, "target") {
        prediction::read(target.clone(), &mut here.key("target"));
    }
}

fn read_output(entries: &Entries, here: &mut Context) {
    if let Some(answer) = value_of(entries, "scores").and_then(scored_answer) {
        return prediction::read(Json::Text(answer.into()), &mut here.key("scores"));
    }
    let output = value_of(entries, "output");
    let inner = &mut here.key("output");
    match output {
        Some(Json::Object(output)) => match text_of(output, "completion") {
            Some(text) => prediction::read(Json::Text(text.trim().to_owned().into()), inner),
            None => inner.cannot_read("the output has no text `completion`"),
        },
        Some(other) => inner.cannot_read(format!("{} stands for the output", other.kind())),
        None => inner.note(IssueCode::WithoutAnswers, "the sample has no output"),
    }
}

/// The answer that all scorers took from what the model said.
fn scored_answer(scores: &Json) -> Option<String> {
    let Json::Object(scores) = scores else { return None };
    let answer = |(_, score): &(_, Json)| match score {
        Json::Object(score) => text_of(score, "answer"),
        _ => None,
    };
    let mut answers = scores.iter().map(answer);
    let first = answers.next()??;
    answers.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// The text of the input: a text, or what the user said last.
fn asked(input: &Json) -> Option<String> {
    match input {
        Json::Text(text) => Some(text.clone().into_owned()),
        Json::List(messages) => messages.iter().rev().find_map(|message| match message {
            Json::Object(message) if text_of(message, "role").as_deref() == Some("user") => {
                text_of(message, "content")
            }
            _ => None,
        }),
        _ => None,
    }
}

fn value_of<'e, 'j>(entries: &'e Entries<'j>, name: &str) -> Option<&'e Json<'j>> {
    entries.iter().find(|(key, _)| plain_key(key) == name).map(|(_, value)| value)
}

fn text_of(entries: &Entries, name: &str) -> Option<String> {
    match value_of(entries, name) {
        Some(Json::Text(text)) => Some(text.clone().into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    const FILE: &str = r#"{"version": 2, "status": "success", "eval": {"task": "t"}, "samples": [
        {"id": 1, "epoch": 1, "input": "Who?", "target": "Twain", "output": {"completion": "It is Twain."},
         "scores": {"match": {"value": "C", "answer": "Twain"}}, "error": null},
        {"id": "b", "epoch": 1, "input": [{"role": "system", "content": "s"}, {"role": "user", "content": "Where?"}],
         "target": ["Bonn", "Berlin"], "output": {"completion": " Bonn\n"}, "scores": {"a": {"answer": "x"}, "b": {"answer": "y"}}},
        {"id": "c", "input": 7, "target": "z", "output": null, "error": {"message": "timeout"}},
        {"id": "d", "input": "?", "target": "z"}]}"#;

    #[test]
    fn targets_and_outputs() {
        use AnswerState::{Absent, Given, Unreadable};
        let (gold, system) = (TARGETS.recognised(FILE), OUTPUTS.recognised(FILE));
        let states = |document: &Document| -> Vec<AnswerState> {
            document.questions.iter().map(|question| question.answers.state).collect()
        };
        assert_eq!(states(&gold), [Given; 4]);
        assert_eq!(states(&system), [Given, Given, Unreadable, Absent]);
        let values: Vec<Vec<&str>> =
            system.questions.iter().map(|question| question.answers.values()).collect();
        assert_eq!(values[..2], [vec!["Twain"], vec!["Bonn"]]);
        assert_eq!(gold.questions[1].answers.values(), ["Bonn", "Berlin"]);
        assert_eq!(
            (gold.questions[0].id.as_str(), gold.questions[1].texts[0].text.as_str()),
            ("1", "Where?")
        );
        assert_eq!(system.questions[2].error.as_deref(), Some("timeout"));
        let kept: Vec<&str> = gold.questions[0].extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(kept, ["epoch", "target", "output", "scores"]);
    }

    #[test]
    fn other_objects_are_not_recognised() {
        for text in [
            "[]",
            r#"{"samples": [{"input": 1, "target": 2}]}"#,
            r#"{"eval": {}, "samples": []}"#,
            r#"{"eval": {}}"#,
        ] {
            assert!(!recognise(text.as_bytes()), "{text}");
        }
    }
}
