//! What published graphs must say, and the errors where they do not.

use crate::base::error::{Error, Result};
use crate::base::limits::MOST_ITEMS;
use crate::base::vocab::qassay;
use crate::profiles::ontology::Facts;
use crate::record::results::decimal::Decimal;
use crate::scoring::skip::Skip;

/// What a subject must say.
pub(super) fn said<'a>(facts: &'a Facts, subject: &str, predicate: &str) -> Result<&'a str> {
    facts.text(subject, predicate).ok_or_else(|| absent(subject, predicate))
}

/// A decimal that a subject must say.
pub(super) fn decimal(facts: &Facts, subject: &str, predicate: &str) -> Result<Decimal> {
    let text = said(facts, subject, predicate)?;
    Decimal::parse(text).ok_or_else(|| wrong(subject, text))
}

/// A whole number.
pub(super) fn number(text: &str, subject: &str) -> Result<u64> {
    text.parse().map_err(|_| wrong(subject, text))
}

/// How many items: no file has as many as could not be added up.
pub(super) fn count(text: &str, subject: &str) -> Result<u64> {
    number(text, subject)
        .and_then(|count| if count <= MOST_ITEMS { Ok(count) } else { Err(wrong(subject, text)) })
}

/// Why something has no scores.
pub(super) fn skip(facts: &Facts, node: &str) -> Result<Skip> {
    let reason = facts.codes(node, qassay::SKIP_REASON).next();
    reason.and_then(Skip::find).ok_or_else(|| absent(node, qassay::SKIP_REASON))
}

/// The error for a graph that does not say what it must.
pub(super) fn absent(subject: &str, predicate: &str) -> Error {
    Error::check(format!("the graphs do not say what this program knows: <{subject}>, {predicate}"))
}

fn wrong(subject: &str, text: &str) -> Error {
    Error::check(format!("<{subject}> says {text:?}, which is no number"))
}
