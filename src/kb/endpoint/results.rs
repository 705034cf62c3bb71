//! From the bytes of a reply to answers.

use reqwest::header::CONTENT_TYPE;

use crate::kb::ask::Limits;
use crate::kb::endpoint::query::Asked;
use crate::kb::endpoint::results_json;
use crate::kb::outcome::{Cause, Outcome};
use crate::kb::rows;
use crate::sources::document::AnswerSet;
use crate::sources::format::results::file::{ResultsSyntax, strict_results};
use crate::sources::net::reply::WholeReply;

/// The limits on rows that servers are often given. A reply with just as many is a warning.
const COMMON_LIMITS: [u64; 8] = [1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000, 1_048_576];

/// A table of texts, which does not say by itself what it is.
const TSV: &str = "text/tab-separated-values";

/// The outcome, and a warning.
pub(crate) fn outcome(asked: &Asked, reply: &WholeReply, limits: &Limits) -> (Outcome, Option<String>) {
    let mut answers = match read(reply) {
        Ok(answers) => answers,
        Err(why) => return (Outcome::failed(Cause::BadReply, why), None),
    };
    if answers.boolean.is_some() != asked.is_ask {
        let why =
            if asked.is_ask { "the reply to ASK is a table" } else { "the reply to SELECT is yes or no" };
        return (Outcome::failed(Cause::BadReply, why), None);
    }
    let count = answers.rows.len() as u64;
    let too_many = |why: String| (Outcome::failed(Cause::TooManyRows, why), None);
    if count > limits.rows {
        return too_many(format!("it has more than {} rows", limits.rows));
    }
    // A query that wants no more has all.
    let may_be_cut = asked.limit.is_none_or(|limit| limit > count);
    // Virtuoso says how many rows it gives at most, where there are as many.
    let most: Option<u64> = reply.header("x-sparql-maxrows").and_then(|most| most.parse().ok());
    if may_be_cut && most.is_some_and(|most| count >= most) {
        return too_many(format!("the endpoint gives {count} rows at most, and there may be more"));
    }
    let warning = (may_be_cut && COMMON_LIMITS.contains(&count)).then(|| {
        format!("a reply has exactly {count} rows: the endpoint may have cut it there without saying so")
    });
    rows::settle(&mut answers, asked.is_ordered);
    (Outcome::Answered(answers), warning)
}

/// Reads results by what they are: headers lie.
fn read(reply: &WholeReply) -> Result<AnswerSet, String> {
    let bytes = reply.body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&reply.body);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        format!("the reply is not UTF-8: the byte 0x{:02X} at offset {at}", bytes[at])
    })?;
    let begin = text.trim_start();
    let stated = reply.header(CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    let media_type = match stated.split(';').next().unwrap_or_default().trim() {
        "" => "no media type",
        other => other,
    };
    if begin.is_empty() && media_type != TSV {
        return Err("the reply is empty".to_owned());
    }
    let read = |what: &str, read: Result<AnswerSet, String>| {
        read.map_err(|why| format!("the reply ({media_type}) is no whole result in {what}: {why}"))
    };
    match begin.chars().next() {
        Some('{') => read("JSON", results_json::read(text)),
        Some('<') if is_html(begin) => Err(format!("the reply ({media_type}) is a page of HTML")),
        Some('<') if begin.starts_with("<?xml") || begin.starts_with("<sparql") => {
            read("XML", strict_results(ResultsSyntax::Xml, text))
        }
        _ if media_type == TSV => read("TSV", strict_results(ResultsSyntax::Tsv, text)),
        _ => Err(format!("the reply ({media_type}) holds no results")),
    }
}

fn is_html(text: &str) -> bool {
    let begin: String = text.chars().take(2000).collect::<String>().to_ascii_lowercase();
    begin.starts_with("<!doctype html") || begin.contains("<html")
}
