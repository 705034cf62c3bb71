//! The samples that `lm-evaluation-harness` logs (`samples_TASK_DATE.jsonl`): an object a question with the record of the
//! dataset (`doc`), the gold answer (`target`), and what the model said before and after the filters of the task.
//!
//! One file is a gold standard and a submission. A task with several filters logs each question once for each of them.
//! Everything but the record was made a text by Python: a target of several answers is the text of a Python list, and
//! likelihoods are texts too. Source: `EleutherAI/lm-evaluation-harness` 0.4.13, `EvaluationTracker.save_results_samples`.

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::Document;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::json::jsonl::{self, first_line};
use crate::sources::format::json::value::{Entries, Json, plain_key, value_of};
use crate::sources::format::json::{constants, prediction};

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
        let keys: Vec<&[u8]> = line.keys().until_questions().collect();
        OWN_KEYS.iter().all(|key| keys.contains(key)) && line.is_json()
    })
}

fn read(content: &[u8], here: &mut Context<Document>, side: &str) -> Result<()> {
    let text = constants::replaced(here.text(content)?, here);
    jsonl::read_all(jsonl::lines(&text), here, &["doc_id"], |entries, here| read_fields(entries, side, here))
}

fn read_fields(entries: Entries, side: &str, here: &mut Context) {
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match (plain_key(&key).as_ref(), value) {
            ("doc_id", _) => {}
            ("doc", value) => read_record(&value, inner),
            ("target", value) if side == "target" && is_nothing(&value) => inner.keep(&value),
            (name, value) if name == side => read_answer(value, inner),
            // the other side, what was said before the filters, how it was asked, scores
            (_, value) => inner.keep(&value),
        }
    }
}

/// The record of the dataset: the id and the text are those of the question.
fn read_record(record: &Json, here: &mut Context) {
    if let Json::Object(entries) = record {
        let text = |wanted: &str| {
            let value = value_of(entries, wanted)?;
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

/// Whether a target is none: the task has no answers.
fn is_nothing(value: &Json) -> bool {
    match value {
        Json::Text(text) => text.trim().is_empty(),
        other => matches!(other, Json::Null),
    }
}

/// A target, or the responses to a sample.
fn read_answer(value: Json, here: &mut Context) {
    match alone(value) {
        value if is_likelihood(&value) => {
            here.keep(&value);
            here.cannot_read("these are likelihoods of choices, not answers");
        }
        Json::Text(text) => match python_list(&text) {
            Some(items) => {
                let message = "an answer is the text of a Python list; its items are read";
                here.note_once(IssueCode::WrongType, message);
                prediction::read(Json::List(items), here);
            }
            None => prediction::read(Json::Text(text), here),
        },
        value => prediction::read(value, here),
    }
}

/// Each request has a list of responses, and nearly all samples have one request with one response.
fn alone(value: Json) -> Json {
    match value {
        Json::List(mut items) if items.len() == 1 => alone(items.swap_remove(0)),
        other => other,
    }
}

/// Whether it is a number and whether the choice is what the model would say most likely, or several of these.
fn is_likelihood(value: &Json) -> bool {
    let Json::List(items) = value else { return false };
    match items.as_slice() {
        [Json::Text(number), Json::Text(is_greedy)] => {
            number.parse::<f64>().is_ok() && ["True", "False"].contains(&is_greedy.as_ref())
        }
        [first, ..] => is_likelihood(first),
        [] => false,
    }
}

/// The items of a list of texts and numbers as Python writes it, `['a', "it's", 3]`; none where the text is something else.
fn python_list(text: &str) -> Option<Vec<Json<'static>>> {
    let mut rest = text.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let mut items = Vec::new();
    while !rest.is_empty() {
        let (item, behind) = if rest.starts_with(['\'', '"']) { quoted(rest)? } else { plain(rest)? };
        items.push(item);
        rest = match behind.trim_start().strip_prefix(',') {
            Some(next) => next.trim_start(),
            None if behind.trim().is_empty() => "",
            None => return None,
        };
    }
    Some(items)
}

/// A text in quotes of either kind, and what is behind it.
fn quoted(text: &str) -> Option<(Json<'static>, &str)> {
    let quote = text.chars().next()?;
    let (mut found, mut characters) = (String::new(), text.char_indices().skip(1));
    loop {
        match characters.next()? {
            (at, end) if end == quote => {
                return Some((Json::Text(found.into()), &text[at + end.len_utf8()..]));
            }
            (_, '\\') => found.push(match characters.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                same @ ('\\' | '\'' | '"') => same,
                _ => return None,
            }),
            (_, other) => found.push(other),
        }
    }
}

/// A number or a constant, and what is behind it.
fn plain(text: &str) -> Option<(Json<'static>, &str)> {
    let (word, behind) = text.split_at(text.find(',').unwrap_or(text.len()));
    let item = match word.trim() {
        "None" => Json::Null,
        "True" => Json::Bool(true),
        "False" => Json::Bool(false),
        number => Json::Number(serde_json::from_str(number).ok()?),
    };
    Some((item, behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    /// The shape of `samples_*.jsonl`, shortened: a response, a target of several answers, likelihoods of two choices and
    /// of one, nothing that a filter let through.
    const FILE: &str = concat!(
        r#"{"doc_id": 0, "doc": {"id": "a7", "question": "Who?"}, "target": "Twain", "arguments": {"gen_args_0": {"arg_0": "Q: Who?"}}, "resps": [["It is Twain."]], "filtered_resps": ["Twain"], "filter": "none", "metrics": ["f1"], "f1": NaN}"#,
        "\n",
        r#"{"doc_id": 1, "doc": {"query": "?"}, "target": "['Rock \\'n\\' Roll', \"it's\", 7]", "resps": [["a", "b"]], "filtered_resps": [["a", "b"]]}"#,
        "\n",
        r#"{"doc_id": 2, "doc": {}, "target": "1", "filtered_resps": [["-1.5", "False"], ["-0.5", "True"]]}"#,
        "\n",
        r#"{"doc_id": 3, "doc": {}, "target": "x", "filtered_resps": [["-1.5", "False"]]}"#,
        "\n",
        r#"{"doc_id": 4, "doc": {}, "target": "x", "filtered_resps": ["[invalid]"]}"#,
        "\n",
        r#"{"doc_id": 5, "doc": {}, "target": "x", "filtered_resps": []}"#,
        "\n"
    );

    #[test]
    fn targets_and_responses() {
        use AnswerState::{Empty, Given, Unreadable};
        let (gold, system) = (TARGETS.recognised(FILE), RESPONSES.recognised(FILE));
        let states = |document: &Document| -> Vec<AnswerState> {
            document.questions.iter().map(|question| question.answers.state).collect()
        };
        assert_eq!(states(&gold), [Given; 6]);
        assert_eq!(states(&system), [Given, Given, Unreadable, Unreadable, Unreadable, Empty]);
        assert_eq!(gold.questions[1].answers.values(), ["Rock 'n' Roll", "it's", "7"]);
        assert_eq!(system.questions[1].answers.values(), ["a", "b"]);
        let first = &system.questions[0];
        assert_eq!((first.id.as_str(), first.texts[0].text.as_str()), ("a7", "Who?"));
        assert_eq!((first.answers.values(), system.questions[2].id.as_str()), (vec!["Twain"], "2"));
        let kept: Vec<&str> = first.extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(kept, ["doc", "target", "arguments", "resps", "filter", "metrics", "f1"]);
        let told: Vec<&str> = gold.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(told, ["null-value", "wrong-type"]);
    }

    #[test]
    fn other_lines_are_not_recognised() {
        for text in ["", r#"{"doc_id": 1, "doc": {}}"#, r#"[{"doc_id": 1, "doc": {}, "filtered_resps": []}]"#]
        {
            assert!(!recognise(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn lists_and_what_is_none() {
        let written = |text: &str| {
            python_list(text).map(|items| items.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let items = |items: &[&str]| Some(items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            written(r#" ['a, b', "it's", 'é\\n\'', 3, -0.5, True, None] "#),
            items(&["\"a, b\"", "\"it's\"", "\"é\\\\n'\"", "3", "-0.5", "true", "null"])
        );
        assert_eq!((written("[]"), written("['a',]")), (items(&[]), items(&["\"a\""])));
        for text in ["", "a", "[a]", "['a", "['a']b]", "['a' 'b']", r"['\x41']", "[['a']]", "{'a'}"] {
            assert_eq!(written(text), None, "{text}");
        }
    }
}
