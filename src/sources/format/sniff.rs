//! Looks at the beginning of a file without reading it: enough to recognise formats, also damaged ones.

use crate::sources::file::text::without_mark;

/// The keys of the object that is the whole file; none if it is no object. Stops where the text is damaged.
pub(crate) fn object_keys(content: &[u8]) -> Keys<'_> {
    let mut cursor = Cursor::new(content);
    let open = cursor.take(b'{');
    Keys { cursor, open, before_value: false }
}

/// The keys of the first object in the list that is the whole file.
pub(crate) fn item_keys(content: &[u8]) -> Keys<'_> {
    let mut cursor = Cursor::new(content);
    let mut more = cursor.take(b'[');
    while more && cursor.peek() != Some(b'{') {
        more = cursor.skip_value() && cursor.take(b',');
    }
    let open = more && cursor.take(b'{');
    Keys { cursor, open, before_value: false }
}

/// The name of the root element of an XML file.
pub(crate) fn root_element(content: &[u8]) -> Option<&[u8]> {
    let mut rest = without_mark(content).trim_ascii_start();
    loop {
        rest = if rest.starts_with(b"<?") {
            after(rest, b"?>")?
        } else if rest.starts_with(b"<!--") {
            after(rest, b"-->")?
        } else if rest.starts_with(b"<!") {
            after_doctype(rest)?
        } else {
            break;
        }
        .trim_ascii_start();
    }
    let tag = rest.strip_prefix(b"<")?;
    let end = tag.iter().position(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))?;
    tag.get(..end).filter(|name| !name.is_empty())
}

fn after<'a>(text: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    let at = text.windows(end.len()).position(|window| window == end)?;
    text.get(at + end.len()..)
}

/// Behind `<!DOCTYPE name [ … ]>`.
fn after_doctype(text: &[u8]) -> Option<&[u8]> {
    let at = text.iter().position(|b| matches!(b, b'>' | b'['))?;
    if text[at] == b'>' { text.get(at + 1..) } else { after(after(text, b"]")?, b">") }
}

/// The keys of an object, one after the other, as written between the quotes.
#[derive(Debug)]
pub(crate) struct Keys<'a> {
    cursor: Cursor<'a>,
    open: bool,
    /// A key was given; its value is skipped only when the next one is asked for.
    before_value: bool,
}

impl<'a> Keys<'a> {
    /// The content from the value of a key on, which may be damaged further behind.
    pub(crate) fn value(mut self, key: &[u8]) -> Option<&'a [u8]> {
        self.find(|found| *found == key)?;
        self.of_last()
    }

    /// The keys before `questions`, whose list is nearly all of a file of QALD: for formats that have no such key.
    pub(crate) fn until_questions(self) -> impl Iterator<Item = &'a [u8]> {
        self.take_while(|key| *key != b"questions")
    }

    /// The content from the value of the key on that was given last.
    pub(crate) fn of_last(mut self) -> Option<&'a [u8]> {
        (self.before_value && self.cursor.take(b':')).then_some(self.cursor.rest)
    }
}

impl<'a> Iterator for Keys<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.before_value {
            self.open = self.cursor.take(b':') && self.cursor.skip_value() && self.cursor.take(b',');
        }
        if !self.open {
            return None;
        }
        self.before_value = true;
        self.cursor.string()
    }
}

#[derive(Debug)]
struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn new(content: &'a [u8]) -> Self {
        Self { rest: without_mark(content) }
    }

    fn peek(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.first().copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// The content of a string, escapes as written.
    fn string(&mut self) -> Option<&'a [u8]> {
        if !self.take(b'"') {
            return None;
        }
        let text = self.rest;
        let mut at = 0;
        loop {
            at += text.get(at..)?.iter().position(|b| matches!(b, b'"' | b'\\'))?;
            if text[at] == b'"' {
                break;
            }
            at += 2;
        }
        self.rest = &text[at + 1..];
        Some(&text[..at])
    }

    /// Skips a value of any depth without recursion.
    fn skip_value(&mut self) -> bool {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                Some(b'"') => {
                    if self.string().is_none() {
                        return false;
                    }
                }
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.rest = &self.rest[1..];
                    continue;
                }
                Some(b'}' | b']') => {
                    let Some(outer) = depth.checked_sub(1) else { return false };
                    depth = outer;
                    self.rest = &self.rest[1..];
                }
                Some(b',' | b':') if depth > 0 => {
                    self.rest = &self.rest[1..];
                    continue;
                }
                Some(b',' | b':') | None => return false,
                Some(_) => self.skip_word(),
            }
            if depth == 0 {
                return true;
            }
        }
    }

    fn skip_word(&mut self) {
        let ends =
            |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b':' | b'"' | b'{' | b'}' | b'[' | b']');
        let end = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<&str> {
        object_keys(text.as_bytes()).map(|key| std::str::from_utf8(key).expect("UTF-8")).collect()
    }

    #[test]
    fn keys_of_the_root_only() {
        let text = r#" {"dataset": {"questions": [1, {"a": "}\""}]}, "note": "\"questions\": []", "x": -1.5e3, "y":[]}"#;
        assert_eq!(keys(text), ["dataset", "note", "x", "y"]);
        assert_eq!(keys("\u{feff}{\"questions\": [{\"id\": "), ["questions"]);
        assert!(
            keys("[]").is_empty()
                && keys("{").is_empty()
                && keys("").is_empty()
                && keys(r#"{"a\"#).is_empty()
        );
    }

    #[test]
    fn keys_of_the_first_item() {
        let first = |text: &str| item_keys(text.as_bytes()).count();
        assert_eq!(first(r#"[null, [2], {"id": 1, "utterance": "x"}, {"z": 1}]"#), 2);
        assert_eq!(first("[]") + first("[1, 2]") + first("[") + first(r#"{"id": 1}"#), 0);
    }

    #[test]
    fn values_of_keys() {
        let text = br#"{"a": {"b": 1}, "questions": [{"id": 1, "body": "#;
        let questions = object_keys(text).value(b"questions").expect("the list");
        assert_eq!(item_keys(questions).collect::<Vec<_>>(), [&b"id"[..], b"body"]);
        assert_eq!(object_keys(text).value(b"b"), None);
        assert_eq!(object_keys(br#"{"a""#).value(b"a"), None);
    }

    #[test]
    fn root_elements() {
        let xml =
            "\u{feff}<?xml version='1.0'?>\n<!-- <x> --><!DOCTYPE d [<!ENTITY a \"b\">]>\n<dataset id='x'>";
        assert_eq!(root_element(xml.as_bytes()), Some(&b"dataset"[..]));
        assert_eq!(root_element(b"<a/>"), Some(&b"a"[..]));
        for none in ["", "<", "<>", "text", "<?xml", "<!--", "<!DOCTYPE"] {
            assert_eq!(root_element(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn deep_nesting_does_not_recurse() {
        let text = format!("{{\"a\": {}", "[".repeat(1_000_000));
        assert_eq!(keys(&text), ["a"]);
    }
}
