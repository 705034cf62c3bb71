//! `NaN` and `Infinity`: Python writes them into JSON, which has neither.

use std::borrow::Cow;

use crate::base::issue::IssueCode;
use crate::sources::format::context::Context;

/// What Python writes for numbers that JSON has not.
const CONSTANTS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// The text with null in their place; an issue says so.
pub(crate) fn replaced<'t, M>(text: &'t str, here: &mut Context<M>) -> Cow<'t, str> {
    match without(text) {
        None => Cow::Borrowed(text),
        Some(mended) => {
            let message = "`NaN` and `Infinity` are no values of JSON; they are read as null";
            here.note_once(IssueCode::NullValue, message);
            Cow::Owned(mended)
        }
    }
}

/// The text with null in their place; none where there are none outside of texts.
pub(crate) fn without(text: &str) -> Option<String> {
    if !CONSTANTS.iter().any(|name| text.contains(name)) {
        return None;
    }
    let (mut mended, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with('"') {
            at += quoted(rest);
        } else if let Some(name) = CONSTANTS.iter().find(|name| rest.starts_with(**name)) {
            mended.extend([&text[copied..at], "null"]);
            at += name.len();
            copied = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    (copied > 0).then(|| mended + &text[copied..])
}

/// The bytes of a text with its quotes, to the end of what is there if it has none.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn only_outside_of_texts() {
        let text = r#"{"NaN": [NaN, -Infinity, 1], "é\"NaN": Infinity}"#;
        assert_eq!(without(text).as_deref(), Some(r#"{"NaN": [null, null, 1], "é\"NaN": null}"#));
        for text in ["", r#"{"a": "NaN"}"#, r#"{"a": "Infinity"#, "{}"] {
            assert_eq!(without(text), None, "{text}");
        }
    }
}
