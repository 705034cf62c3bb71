//! The type of a question, where the file has a field for it: factoid, definition, list, or a word of any other scheme.

use crate::sources::document::Question;

/// The fields that say it, in lower case; the first one that a question has counts.
const NAMES: [&str; 6] = ["questiontype", "question_type", "question-type", "qtype", "type", "category"];

/// Whether a field of a question says its type.
pub(crate) fn is_field(name: &str) -> bool {
    NAMES.contains(&name.trim().to_lowercase().as_str())
}

impl Question {
    /// The type that the file gives the question, trimmed; none where it has no such field, or no text in it.
    pub fn question_type(&self) -> Option<String> {
        let of = |name: &str| {
            let mut named = self.extras.iter().filter(|extra| own(&extra.name).trim().to_lowercase() == name);
            named.find_map(|extra| text(&extra.value))
        };
        NAMES.iter().find_map(|name| of(name))
    }
}

/// The name of a field of the question itself, which eQALD and extended JSON have in objects of their own.
fn own(path: &str) -> &str {
    let inner = path.strip_prefix("question.").unwrap_or(path);
    inner.strip_prefix("metadata.").unwrap_or(inner)
}

/// The text of a field: JSON is kept as written, other formats as text.
fn text(value: &str) -> Option<String> {
    let text = match serde_json::from_str::<serde_json::Value>(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(_) => return None,
        Err(_) => value.to_owned(),
    };
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::Extra;

    #[test]
    fn the_first_field_with_a_text_counts() {
        let of = |fields: &[(&str, &str)]| {
            let extra = |(name, value): &(&str, &str)| Extra { name: (*name).into(), value: (*value).into() };
            Question { extras: fields.iter().map(extra).collect(), ..Question::default() }.question_type()
        };
        assert_eq!(of(&[("type", "\"list\""), ("qType", "\" factoid \"")]).as_deref(), Some("factoid"));
        assert_eq!(of(&[("category", "temporal by date")]).as_deref(), Some("temporal by date"));
        for odd in ["[\"list\"]", "{}", "7", "null", "\"\"", " "] {
            assert_eq!(of(&[("type", odd)]), None, "{odd}");
        }
        assert_eq!(of(&[("question.metadata.type", "\"list\"")]).as_deref(), Some("list"));
        assert_eq!(of(&[("kind", "list"), ("answers.type", "uri")]), None);
    }
}
