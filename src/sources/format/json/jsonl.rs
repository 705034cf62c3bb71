//! JSON Lines: a question a line, each as in the list `questions` of QALD-JSON or in the short form of people.

use serde::de::IgnoredAny;
use serde_json::json;
use serde_json::value::RawValue;

use crate::base::error::{Error, Result};
use crate::base::issue::Place;
use crate::sources::document::Document;
use crate::sources::file::text::without_mark;
use crate::sources::format::context::Context;
use crate::sources::format::json::list::{no_question, read_one, reporting};
use crate::sources::format::json::qald::read_dataset;
use crate::sources::format::json::root::{Root, RootValue};
use crate::sources::format::json::value::Entries;
use crate::sources::format::json::write::{QaldShape, QuestionObject, not_written, question};
use crate::sources::format::json::{constants, root, short};
use crate::sources::format::loss::Losses;
use crate::sources::format::{BytesAndLosses, Format, Target, sniff};

/// The keys of which a file with a single line must have one.
const QUESTION_KEYS: [&[u8]; 6] = [b"question", b"answers", b"answer", b"query", b"sparql", b"body"];

/// JSON Lines.
pub(crate) static FORMAT: Format = Format {
    name: "jsonl",
    description: "JSON Lines: a question a line, as in QALD JSON or with plain texts, gold or answers.",
    media_type: "application/jsonl",
    recognise,
    read,
    targets: &[Target {
        name: "jsonl",
        description: "JSON Lines: an entry of `questions` of QALD JSON on each line",
        ending: Some("jsonl"),
        media_type: "application/jsonl",
        may_be_empty: false,
        is_exact: false,
        write: |document, _| write(document),
    }],
};

/// The first line is an object of its own, and the next one begins another; or it is the only one and has a question.
fn recognise(content: &[u8]) -> bool {
    first_line(content).is_some_and(|line| {
        let has = |known: &[&[u8]]| line.keys().any(|key| known.contains(&key));
        !has(&[b"questions"]) && (!line.is_alone || has(&QUESTION_KEYS)) && line.is_json()
    })
}

/// What may be the first line of JSON Lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstLine<'a> {
    object: &'a [u8],
    /// Whether it is the only one.
    pub(crate) is_alone: bool,
}

impl<'a> FirstLine<'a> {
    /// The keys of its object.
    pub(crate) fn keys(self) -> sniff::Keys<'a> {
        sniff::object_keys(self.object)
    }

    /// Whether it is JSON, but for the constants of Python. All of it is read: the last question to ask.
    pub(crate) fn is_json(self) -> bool {
        let parses = |text: &[u8]| serde_json::from_slice::<IgnoredAny>(text).is_ok();
        let mended = || str::from_utf8(self.object).ok().and_then(constants::without);
        parses(self.object) || mended().is_some_and(|text| parses(text.as_bytes()))
    }
}

/// The first line that is not blank, if it looks like an object of its own and the next one begins another.
pub(crate) fn first_line(content: &[u8]) -> Option<FirstLine<'_>> {
    let mut lines = without_mark(content).split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.by_ref().filter(|line| !line.is_empty());
    let object = lines.next().filter(|line| line.starts_with(b"{") && line.ends_with(b"}"))?;
    let second = lines.next();
    let is_line = second.is_none_or(|line| line.starts_with(b"{"));
    is_line.then_some(FirstLine { object, is_alone: second.is_none() })
}

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let mut lines = lines(text).peekable();
    let about = lines.peek().and_then(|(line, number)| Some((dataset(line)?, *number)));
    if let Some((raw, number)) = about {
        here.enter(Place::line(number));
        read_dataset(raw, &mut here.key("dataset"));
        lines.next();
    }
    read_all(lines, here, &["id"], |entries, here| {
        short::read(entries, here);
        here.check_text();
    })
}

/// The lines that are not blank, with their numbers from 1.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (&str, u64)> {
    text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty())
}

/// Reads every line as a question.
pub(crate) fn read_all<'t>(
    lines: impl Iterator<Item = (&'t str, u64)>,
    here: &mut Context<Document>,
    id_keys: &[&str],
    read: impl Fn(Entries, &mut Context),
) -> Result<()> {
    for (line, number) in lines {
        read_line(line.trim(), number, here, id_keys, &read);
    }
    if here.draft.questions.is_empty() {
        return Err(Error::input("the file has no questions").allowed("a JSON object a line"));
    }
    Ok(())
}

/// What a line says about the dataset, if it says nothing else.
fn dataset(line: &str) -> Option<&RawValue> {
    match root::split(line).ok()? {
        Root::Object(parts) => match parts[..] {
            [(ref key, RootValue::Other(raw))] if key == "dataset" => Some(raw),
            _ => None,
        },
        Root::List(_) | Root::Scalar => None,
    }
}

fn read_line(
    line: &str,
    number: u64,
    here: &mut Context<Document>,
    id_keys: &[&str],
    read: impl Fn(Entries, &mut Context),
) {
    match serde_json::from_str::<&RawValue>(line) {
        Ok(raw) => read_one(raw, number, here, id_keys, reporting(read)),
        Err(error) => {
            here.enter(Place::line(number));
            no_question(&format!("the line is no JSON: {}", root::reason(&error)), here);
        }
    }
}

fn write(document: &Document) -> Result<BytesAndLosses> {
    let mut losses = Losses::default();
    let entries: Vec<QuestionObject> =
        document.questions.iter().map(|one| question(one, QaldShape::Qald, &mut losses)).collect();
    let mut text = String::new();
    match &document.dataset_id {
        Some(id) => text += &(json!({ "dataset": { "id": id } }).to_string() + "\n"),
        // one line alone may be anything
        None if entries.len() == 1 && !entries[0].is_evident() => text += "{\"dataset\":{}}\n",
        None => {}
    }
    for entry in entries {
        text += &entry.line().map_err(|error| not_written(&error))?;
        text.push('\n');
    }
    Ok((text.into_bytes(), losses.into_list()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn lines_as_in_qald_and_in_short() {
        let found = FORMAT.recognised(concat!(
            "\u{feff}{\"dataset\": {\"id\": \"d\"}}\r\n\r\n",
            r#"{"id": 1, "question": [{"language": "en", "string": "Who?"}], "query": {"sparql": "ASK {}"}, "answers": [{"boolean": true}]}"#,
            "\r\n",
            r#"{"id": "2", "question": "Wer?", "language": "de", "answers": ["http://e/a"], "foo": {"bar": 1}}"#,
            "\n"
        ));
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(
            (codes, found.dataset_id.as_deref()),
            (vec!["byte-order-mark", "unknown-field"], Some("d"))
        );
        let [first, second] = &found.questions[..] else { panic!("not two questions") };
        assert_eq!((first.id.as_str(), first.id_is_number, first.place.line), ("1", true, Some(3)));
        assert_eq!((first.queries.len(), first.answers.sets[0].boolean), (1, Some(true)));
        assert_eq!((second.texts[0].language.as_deref(), second.place.line), (Some("de"), Some(4)));
        assert_eq!(second.answers.sets[0].rows[0].cells[0].value, "http://e/a");
        assert_eq!(
            (second.extras[0].name.as_str(), second.extras[0].value.as_str()),
            ("foo", r#"{"bar":1}"#)
        );
    }

    #[test]
    fn damaged_lines_are_kept_as_empty_questions() {
        let found = FORMAT.recognised(
            "{\"id\": \"1\", \"answer\": null}\n{\"id\": \"2\", \n[1]\n\n{\"id\": \"1\", \"question\": \"?\"}\n{\"dataset\": 1}\n{\"id\": \"5\", \"question\": \"x\\ud800\"}\n{\"id",
        );
        let lines: Vec<Option<u64>> = found.questions.iter().map(|question| question.place.line).collect();
        assert_eq!(lines, [1, 2, 3, 5, 6, 7, 8].map(Some));
        let unreadable =
            found.questions.iter().filter(|q| q.answers.state == AnswerState::Unreadable && q.id.is_empty());
        assert_eq!(unreadable.count(), 3);
        let told: Vec<String> =
            found.issues.iter().map(|i| format!("{}: {}", i.place, i.code.name())).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 1, question 1, $.answer: null-value
        line 1, question 1, $: missing-text
        line 2, $: not-a-question
        line 3, $: not-a-question
        line 6, $.dataset: unknown-field
        line 6, $: missing-text
        line 7, question 5, $.question: unreadable-answer
        line 7, question 5, $: missing-text
        line 8, $: not-a-question
        line 2: missing-id
        line 3: missing-id
        line 5, question 1: duplicate-id
        line 6: missing-id
        line 8: missing-id
        ");
    }

    #[test]
    fn what_is_recognised() {
        for text in [
            r#"{"id": 1, "question": "?"}"#,
            "\n{\"a\": 1}\n\n{\"b\"",
            "{\"dataset\": {\"id\": \"x\"}}\n{\"id\": 1}",
        ] {
            assert!((FORMAT.recognise)(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "{}",
            "[1]\n[2]",
            "{\"a\": 1}\n[",
            "{\n\"id\": 1}",
            "{\"questions\": []}",
            "{\"questions\": []}\n{}",
            "{\"question\": 1",
            "{\"question\": }",
        ] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
        assert!(FORMAT.document(b"{\"dataset\": 1}\n").is_err());
    }
}
