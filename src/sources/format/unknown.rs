//! What a file seems to be that no reader takes: the message should save a look into the file.

use serde_json::{Map, Value};

use crate::base::error::Error;
use crate::base::text::{beginning, first};
use crate::sources::file::line;
use crate::sources::file::text::{looks_like_utf16, utf16_error, without_mark};
use crate::sources::format::FORMATS;
use crate::sources::format::json::root::not_json;
use crate::sources::format::numeral::decimal;
use crate::sources::format::rdf::looks_like_rdf;
use crate::sources::format::results::file;
use crate::sources::format::sniff::{item_keys, object_keys, root_element};
use crate::sources::format::table::columns::{fields, is_measure};

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
    if has_scores(start) {
        return scores();
    }
    let (what, keys) = if start[0] == b'{' {
        ("a JSON object without the key `questions`", names(object_keys(start)))
    } else {
        ("a JSON list of none of the known forms", names(item_keys(start)))
    };
    let keys = if keys.is_empty() { String::new() } else { format!("; it has {keys}") };
    no_format(&format!("this is {what}{keys}"))
}

/// The error for measures in place of answers.
fn scores() -> Error {
    Error::input("these are scores of an evaluation, not answers")
        .hint("the answers that were scored are another file")
}

/// Whether every question of an object has a target and, unless nothing was predicted, a score for its prediction: the
/// `*.evaluation.json` of `ad-freiburg/grasp`.
fn has_scores(start: &[u8]) -> bool {
    let is_scored = |question: &Value| {
        let prediction = question.get("prediction");
        let is_nothing = prediction.is_some_and(Value::is_null);
        question.get("target").is_some()
            && (is_nothing || prediction.is_some_and(|it| it.get("score").is_some()))
    };
    serde_json::from_slice::<Map<String, Value>>(start)
        .is_ok_and(|questions| !questions.is_empty() && questions.values().all(is_scored))
}

fn one_result(format: &str, ending: &str) -> Error {
    Error::input(format!("this is one SPARQL result ({format}), and nothing says of which question"))
        .allowed("a folder of results, each named after its question")
        .hint(format!(
            "call it `FOLDER/ID.{ending}`, where ID is the id of the question, and name the folder"
        ))
}

fn names<'a>(keys: impl Iterator<Item = &'a [u8]>) -> String {
    first(keys.map(|key| format!("`{}`", shortened(&String::from_utf8_lossy(key)))), MOST_KEYS)
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
    if let Some(error) = known_text(content) {
        return error;
    }
    let text = String::from_utf8_lossy(without_mark(beginning));
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    no_format(&format!("this is text that begins with `{}`", shortened(line.trim())))
}

fn shortened(text: &str) -> String {
    beginning(text, 60)
}

/// The error for a text that is known to be something else.
fn known_text(content: &[u8]) -> Option<Error> {
    let lines = line::first_lines(content);
    if has_measures(&lines) || line::most(&lines, is_trec_output) {
        return Some(scores());
    }
    let trec = [
        (
            is_preference as fn(&[&str]) -> bool,
            "preferences of `trec_eval` (question, group, subgroup, document, rank)",
        ),
        (is_run_without_question, "a TREC run without the id of the question in its first column"),
        (is_deviation, "means and deviations of measures (the z-scores of `trec_eval`)"),
    ];
    let (_, what) = trec.into_iter().find(|(has_form, _)| {
        line::most(&lines, |line| {
            !line.starts_with('#') && has_form(&line.split_whitespace().collect::<Vec<_>>())
        })
    })?;
    Some(Error::input(format!("this is {what}")).allowed("`trec-qrels` and `trec-run`"))
}

/// Whether the header or the first column names measures.
pub(crate) fn has_measures(lines: &[String]) -> bool {
    let named = |line: &str| [b'\t', b',', b';'].map(|delimiter| fields(line, delimiter));
    let in_header = lines.first().is_some_and(|line| {
        named(line).iter().any(|names| names.iter().filter(|name| is_measure(name)).count() >= 2)
    });
    let is_first = |line: &str| {
        named(line)
            .iter()
            .any(|names| names.len() == 2 && is_measure(&names[0]) && decimal(&names[1], 0).is_some())
    };
    in_header || (!lines.is_empty() && lines.iter().all(|line| is_first(line)))
}

/// `map                   \tall\t0.1785`
fn is_trec_output(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let is_word =
        |field: &&str| !field.is_empty() && !field.contains(char::is_whitespace) && field.is_ascii();
    fields.len() == 3 && fields.iter().all(is_word)
}

fn is_preference(fields: &[&str]) -> bool {
    matches!(fields, [question, _, _, _, rank] if !is_q0(question) && line::is_integer(rank))
}

fn is_run_without_question(fields: &[&str]) -> bool {
    matches!(fields, [q0, _, rank, score, _] if is_q0(q0) && line::is_integer(rank) && decimal(score, 0).is_some())
}

fn is_deviation(fields: &[&str]) -> bool {
    let is_decimal = |field: &str| field.contains('.') && decimal(field, 0).is_some();
    matches!(fields, [_, _, mean, deviation] if is_decimal(mean) && is_decimal(deviation))
}

fn is_q0(field: &str) -> bool {
    field.eq_ignore_ascii_case("Q0")
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

    #[test]
    fn scores_of_predictions_are_named() {
        let scored = r#"{"1": {"target": {"err": null, "size": 1}, "prediction": {"sparql": "ASK {}", "score": 1.0}},
            "2": {"target": {"err": null, "size": 1}, "prediction": null}}"#;
        insta::assert_snapshot!(unknown(scored.as_bytes()), @r"
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ");
        for other in
            [r#"{"1": {"target": 1, "prediction": {"sparql": "ASK {}"}}}"#, r#"{"1": {"target": 1}}"#, "{}"]
        {
            assert!(unknown(other.as_bytes()).to_string().starts_with("no known format"), "{other}");
        }
    }

    #[test]
    fn known_texts_are_named() {
        let cases = [
            "ID\tPrecision\tRecall\tF1\n1\t0\t0\t0\n",
            "Question\t Annotator Answers\t Golden Answers\t tp\t fp\t fn\nWho?\t[]\t[]\t0\t0\t0\n",
            "MAP\t1\r\nMRR\t1\r\n",
            "runid                 \tall\tSTANDARD\nnum_q                 \tall\t3\n",
            "# A comment\n1.EC.AB  F:Ret  F:Rnkd  FR94  1\n1.EC.AB  F:Ret  F:Rnkd  FR95  1\n",
            "     Q0      FR94        9         2.971818      STANDARD\n",
            "301 num_ret 967.0000 169.1719\n",
        ];
        let told: Vec<String> =
            cases.iter().map(|text| known_text(text.as_bytes()).expect("an error").to_string()).collect();
        insta::assert_snapshot!(told.join("\n---\n"), @r"
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ---
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ---
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ---
        these are scores of an evaluation, not answers.
        hint: the answers that were scored are another file
        ---
        this is preferences of `trec_eval` (question, group, subgroup, document, rank).
        allowed: `trec-qrels` and `trec-run`
        ---
        this is a TREC run without the id of the question in its first column.
        allowed: `trec-qrels` and `trec-run`
        ---
        this is means and deviations of measures (the z-scores of `trec_eval`).
        allowed: `trec-qrels` and `trec-run`
        ");
        for text in ["question\tanswer\n", "some text\n", "", "http://e/a\nhttp://e/b\n", "a b c d e\n"] {
            assert_eq!(known_text(text.as_bytes()), None, "{text}");
        }
    }
}
