//! Lists of questions in JSON: each question is read on its own, and what stands where a question should be is kept.

use serde_json::value::RawValue;

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::sources::document::Document;
use crate::sources::file::text::LineCounter;
use crate::sources::format::context::Context;
use crate::sources::format::json::root::{ListEntry, Root, RootValue, UnparsedValue};
use crate::sources::format::json::value::{Entries, Json, plain_key, unique};
use crate::sources::format::json::{fields, root};

/// Keys that hold answers in some format: what cannot be parsed there is an answer that cannot be read.
const ANSWERS: [&str; 6] = ["answer", "answers", "question", "results", "prediction", "predictions"];

/// Reads every entry of a list of questions with the reader of its values.
pub(crate) fn read_all(
    text: &str,
    raw: &[&RawValue],
    here: &mut Context<Document>,
    id_keys: &[&str],
    read: impl for<'j> Fn(Entries<'j>, Vec<UnparsedValue<'j>>, &mut Context),
) {
    let mut lines = LineCounter::new(text);
    here.draft.questions.reserve(raw.len());
    for (index, raw) in raw.iter().enumerate() {
        read_one(raw, lines.of(raw.get()), &mut here.index(index), id_keys, &read);
    }
    here.enter(Place::default());
}

/// Reads one question that is JSON of its own.
pub(crate) fn read_one(
    raw: &RawValue,
    line: u64,
    here: &mut Context<Document>,
    id_keys: &[&str],
    read: impl for<'j> Fn(Entries<'j>, Vec<UnparsedValue<'j>>, &mut Context),
) {
    here.enter(Place::line(line));
    let (entries, failures) = match root::parse(raw) {
        ListEntry::Whole(Json::Object(entries)) => (entries, Vec::new()),
        ListEntry::Damaged(entries, failures) => (entries, failures),
        ListEntry::Whole(other) => return no_question(&format!("the entry is {}", other.kind()), here),
        ListEntry::Unreadable(why) => return no_question(&format!("the entry cannot be read: {why}"), here),
    };
    let (id, is_number) = fields::find_id(&entries, id_keys);
    here.question(&id, line, |here| {
        here.draft.question.id_is_number = is_number;
        read(entries, failures, here);
    });
}

/// Reads a file that is a list of questions.
pub(crate) fn read_list(
    content: &[u8],
    here: &mut Context<Document>,
    id_keys: &[&str],
    fields: impl Fn(Entries, &mut Context),
) -> Result<()> {
    read_damaged_list(content, here, id_keys, reporting(fields))
}

/// Reads a file that is a list of questions with a reader that takes also the values that cannot be parsed.
pub(crate) fn read_damaged_list(
    content: &[u8],
    here: &mut Context<Document>,
    id_keys: &[&str],
    read: impl for<'j> Fn(Entries<'j>, Vec<UnparsedValue<'j>>, &mut Context),
) -> Result<()> {
    let text = here.text(content)?;
    let Root::List(raw) = root::split(text)? else {
        return Err(Error::input("the file is no JSON list").allowed("a list of questions"));
    };
    if raw.is_empty() {
        return Err(Error::input("the list of questions is empty").allowed("a list of questions"));
    }
    read_all(text, &raw, here, id_keys, read);
    Ok(())
}

/// The list of questions under a key of the object that is the file; `other` reads its other keys.
pub(crate) fn top_level<'a>(
    root: Root<'a>,
    name: &str,
    here: &mut Context<Document>,
    other: impl Fn(&str, &'a RawValue, &mut Context<Document>),
) -> Result<Vec<&'a RawValue>> {
    let Root::Object(parts) = root else {
        let allowed = format!("an object with the list `{name}`");
        return Err(Error::input("the file is no JSON object").allowed(allowed));
    };
    let mut questions = None;
    for (key, part) in parts {
        let inner = &mut here.key(&key);
        match part.named(&key, name) {
            RootValue::Questions(list) => {
                if questions.replace(Ok(list)).is_some() {
                    let message = format!("the key `{name}` occurs again; only the last list counts");
                    inner.note(IssueCode::DuplicateKey, message);
                }
            }
            RootValue::NoQuestions(kind) => questions = Some(Err(kind)),
            RootValue::Other(raw) => other(&key, raw, inner),
        }
    }
    let wrong = |what: String| Error::input(what).at(format!("$.{name}")).allowed("a list of questions");
    match questions {
        Some(Ok(list)) if list.is_empty() => Err(wrong("the list of questions is empty".to_owned())),
        Some(Ok(list)) => Ok(list),
        Some(Err(kind)) => Err(wrong(format!("`{name}` is {kind}"))),
        None => Err(wrong(format!("the file has no key `{name}`"))),
    }
}

/// What stands where a question should be: kept as an empty one.
pub(crate) fn no_question(why: &str, here: &mut Context<Document>) {
    here.add_question(|here| {
        here.note(IssueCode::NotAQuestion, format!("{why}, not a question"));
        here.draft.unreadable = true;
    });
}

/// The reader of a question's keys that reports the values that cannot be parsed.
pub(crate) fn reporting(
    fields: impl Fn(Entries, &mut Context),
) -> impl for<'j> Fn(Entries<'j>, Vec<UnparsedValue<'j>>, &mut Context) {
    move |entries, failures, here| {
        report(&failures, here);
        fields(unique(entries, here), here);
    }
}

/// The reader of a question's keys that takes also answers that cannot be parsed as a whole: so many levels down, only
/// the parts that cannot be parsed are lost. The keys of the answers are in lower case.
pub(crate) fn salvaging(
    answers: &[&str],
    levels: usize,
    fields: impl Fn(Entries, &mut Context),
) -> impl for<'j> Fn(Entries<'j>, Vec<UnparsedValue<'j>>, &mut Context) {
    move |mut entries, failures, here| {
        let is_answer = |failure: &UnparsedValue| answers.contains(&plain_key(&failure.key).as_ref());
        let (answers, others): (Vec<_>, Vec<_>) = failures.into_iter().partition(is_answer);
        report(&others, here);
        for UnparsedValue { key, raw, before, .. } in answers.into_iter().rev() {
            entries.insert(before, (key, root::salvaged(raw, levels)));
        }
        fields(unique(entries, here), here);
    }
}

/// Reports and keeps the values that no JSON parser takes: lone surrogates, numbers without end, nesting without end.
pub(crate) fn report(failures: &[UnparsedValue], here: &mut Context) {
    for UnparsedValue { key, why, raw, .. } in failures {
        let (inner, message) = (&mut here.key(key), format!("the value of `{key}` cannot be read: {why}"));
        inner.keep(raw);
        if ANSWERS.contains(&plain_key(key).as_ref()) {
            inner.cannot_read(message);
        } else {
            inner.note(IssueCode::WrongType, message);
        }
    }
}
