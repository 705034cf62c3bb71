//! What a file seems to be that no reader takes: the message should save a look into the file.

use crate::base::error::Error;
use crate::sources::file::text::{looks_like_utf16, utf16_error, without_mark};
use crate::sources::format::FORMATS;
use crate::sources::format::json::root::not_json;
use crate::sources::format::rdf::looks_like_rdf;
use crate::sources::format::results::file;
use crate::sources::format::sniff::{item_keys, object_keys, root_element};
use crate::sources::format::unknown_text;

/// How many keys a message names.
const MOST_KEYS: usize = 8;

/// The error for content that no format recognises.
pub(crate) fn unknown(content: &[u8]) -> Error {
    let start = without_mark(content).trim_ascii_start();
    let beginning = start.get(..start.len().min(512)).unwrap_or_default().to_ascii_lowercase();
    if start.is_empty() {
        return Error::input("the file is empty").hint("fetch it again, or check the program that wrote it");
    }
    if looks_like_utf16(content) {
        return utf16_error();
    }
    if beginning.starts_with(b"<!doctype html")
        || root_element(start).is_some_and(|name| name.eq_ignore_ascii_case(b"html"))
    {
        return Error::input("this is a web page (HTML), not a file of questions")
            .hint("fetch the file itself: on GitHub that is the address behind `Raw`");
    }
    if beginning.starts_with(b"version https://git-lfs") {
        return Error::input("this is a Git LFS pointer, not the file itself").hint("run `git lfs pull`");
    }
    if looks_like_rdf(content) {
        return no_format("this is RDF that names no term of qassay: it states no questions and answers");
    }
    match start[0] {
        b'{' | b'[' => json(start),
        b'<' => xml(start),
        _ => other(content),
    }
}

fn no_format(what: &str) -> Error {
    Error::input(format!("no known format: {what}")).allowed(all_names())
}

fn all_names() -> String {
    FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ")
}

fn json(start: &[u8]) -> Error {
    if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(start) {
        return not_json(&error);
    }
    if file::is_results(object_keys(start)) {
        return one_result("JSON", "srj");
    }
    let (what, keys) = if start[0] == b'{' {
        ("a JSON object without the key `questions`", names(object_keys(start)))
    } else {
        ("a JSON list of none of the known forms", names(item_keys(start)))
    };
    let keys = if keys.is_empty() { String::new() } else { format!("; it has {keys}") };
    no_format(&format!("this is {what}{keys}"))
}

fn one_result(format: &str, ending: &str) -> Error {
    Error::input(format!("this is one SPARQL result ({format}), and nothing says of which question"))
        .allowed("a folder of results, each named after its question")
        .hint(format!(
            "call it `FOLDER/ID.{ending}`, where ID is the id of the question, and name the folder"
        ))
}

fn names<'a>(keys: impl Iterator<Item = &'a [u8]>) -> String {
    let mut keys: Vec<String> = keys
        .take(MOST_KEYS + 1)
        .map(|key| format!("`{}`", shortened(&String::from_utf8_lossy(key))))
        .collect();
    if keys.len() > MOST_KEYS {
        keys.truncate(MOST_KEYS);
        keys.push("…".to_owned());
    }
    keys.join(", ")
}

fn xml(start: &[u8]) -> Error {
    match root_element(start) {
        Some(b"sparql") => one_result("XML", "srx"),
        Some(name) => no_format(&format!(
            "this is XML with the root element `{}`, not `dataset`",
            shortened(&String::from_utf8_lossy(name))
        )),
        None => no_format("this begins like XML, but has no root element"),
    }
}

fn other(content: &[u8]) -> Error {
    if content.starts_with(b"SQLite format 3\0") {
        return Error::input("this is an SQLite database, not a file of questions")
            .hint("export what is in it: `sqlite3 FILE .tables` lists the tables");
    }
    let packed: [(&[u8], &str); 4] =
        [(b"PK", "zip"), (b"BZh", "bzip2"), (b"\xfd7zXZ", "xz"), (b"\x28\xb5\x2f\xfd", "zstd")];
    if let Some((_, name)) = packed.iter().find(|(magic, _)| content.starts_with(magic)) {
        return Error::input(format!("this is a {name} archive"))
            .allowed("plain files, gzip, and zip with one file")
            .hint("unpack it first");
    }
    let beginning = content.get(..content.len().min(1024)).unwrap_or_default();
    if beginning.iter().any(|b| *b < 0x20 && !b.is_ascii_whitespace()) {
        return no_format("this is binary data, not text");
    }
    if let Some(error) = unknown_text::known(content) {
        return error;
    }
    let text = String::from_utf8_lossy(without_mark(beginning));
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    no_format(&format!("this is text that begins with `{}`", shortened(line.trim())))
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() { shown + "…" } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_the_file_is() {
        let cases: [&[u8]; 16] = [
            b" \n",
            b"<!DOCTYPE html><html>",
            b"{\0\"\0",
            b"version https://git-lfs.github.com/spec/v1",
            b"{\"results\": [], \"head\": 1}",
            b"{\"question\": [",
            b"[]",
            b"[{\"id\": 1, \"_id\": 2}]",
            b"<?xml version='1.0'?><sparql/>",
            b"{\"head\": {}, \"boolean\": true}",
            b"<?xml version='1.0'?><rss/>",
            b"<<",
            b"PK\x03\x04",
            b"\x7fELF\x01",
            b"question\tanswer\n",
            b"\n# links\n<http://a/b> <http://www.w3.org/2002/07/owl#sameAs> <http://c/d> .\n",
        ];
        let told: Vec<String> = cases.iter().map(|content| unknown(content).to_string()).collect();
        insta::assert_snapshot!(told.join("\n---\n").replace(&all_names(), "[the names of all formats]"), @r"
        the file is empty.
        hint: fetch it again, or check the program that wrote it
        ---
        this is a web page (HTML), not a file of questions.
        hint: fetch the file itself: on GitHub that is the address behind `Raw`
        ---
        the file is encoded in UTF-16 without byte order mark.
        hint: name the order of its bytes: `encoding utf-16le` or `encoding utf-16be`
        ---
        this is a Git LFS pointer, not the file itself.
        hint: run `git lfs pull`
        ---
        this is one SPARQL result (JSON), and nothing says of which question.
        allowed: a folder of results, each named after its question
        hint: call it `FOLDER/ID.srj`, where ID is the id of the question, and name the folder
        ---
        line 1, column 14: this is no valid JSON: EOF while parsing a list.
        hint: the file ends too early: fetch it again, or compare its size with the original
        ---
        no known format: this is a JSON list of none of the known forms.
        allowed: [the names of all formats]
        ---
        no known format: this is a JSON list of none of the known forms; it has `id`, `_id`.
        allowed: [the names of all formats]
        ---
        this is one SPARQL result (XML), and nothing says of which question.
        allowed: a folder of results, each named after its question
        hint: call it `FOLDER/ID.srx`, where ID is the id of the question, and name the folder
        ---
        this is one SPARQL result (JSON), and nothing says of which question.
        allowed: a folder of results, each named after its question
        hint: call it `FOLDER/ID.srj`, where ID is the id of the question, and name the folder
        ---
        no known format: this is XML with the root element `rss`, not `dataset`.
        allowed: [the names of all formats]
        ---
        no known format: this begins like XML, but has no root element.
        allowed: [the names of all formats]
        ---
        this is a zip archive.
        allowed: plain files, gzip, and zip with one file
        hint: unpack it first
        ---
        no known format: this is binary data, not text.
        allowed: [the names of all formats]
        ---
        no known format: this is text that begins with `question	answer`.
        allowed: [the names of all formats]
        ---
        no known format: this is RDF that names no term of qassay: it states no questions and answers.
        allowed: [the names of all formats]
        ");
    }
}
