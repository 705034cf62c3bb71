//! Values as the parser SEMPRE writes them, in parentheses: `(list (description "A B") (description C))`.

/// The values that are read: their words are the answer.
const VALUES: [&str; 4] = ["description", "number", "date", "string"];

/// A word or a list.
#[derive(Debug, PartialEq, Eq)]
enum Lisp {
    /// A word, without quotes and backslashes.
    Word(String),
    /// A list.
    Nested(Vec<Self>),
}

/// The deepest nesting that is read: the answers have three levels.
const DEEPEST: usize = 16;

/// The texts of a list of values, none for a value that is not read; what is wrong where it is no list.
pub(crate) fn texts(written: &str) -> Result<Vec<Option<String>>, &'static str> {
    match parse(written)? {
        Lisp::Nested(items) if matches!(items.first(), Some(Lisp::Word(head)) if head == "list") => {
            Ok(items.into_iter().skip(1).map(text).collect())
        }
        _ => Err("it does not begin with `list`"),
    }
}

/// A word, or the words of `(description "A B")`, `(number 3)`, `(date 2012 12 -1)` as they are written.
fn text(item: Lisp) -> Option<String> {
    let word = |part| if let Lisp::Word(word) = part { Some(word) } else { None };
    let parts = match item {
        Lisp::Word(word) => return Some(word),
        Lisp::Nested(parts) => parts,
    };
    let words = parts.into_iter().map(word).collect::<Option<Vec<String>>>()?;
    let (head, rest) = words.split_first()?;
    (VALUES.contains(&head.as_str()) && !rest.is_empty()).then(|| rest.join(" "))
}

/// Parses a text that is one expression. The error says what is wrong.
fn parse(text: &str) -> Result<Lisp, &'static str> {
    let mut rest = text.trim_start();
    let mut open: Vec<Vec<Lisp>> = Vec::new();
    loop {
        let done = match rest.chars().next() {
            None => return Err("it ends too early"),
            Some('(') if open.len() == DEEPEST => return Err("it is nested too deep"),
            Some('(') => {
                open.push(Vec::new());
                rest = rest[1..].trim_start();
                continue;
            }
            Some(')') => {
                rest = &rest[1..];
                Lisp::Nested(open.pop().ok_or("a parenthesis is closed that was not opened")?)
            }
            Some('"') => {
                let (word, after) = quoted(&rest[1..]).ok_or("a quote is not closed")?;
                rest = after;
                Lisp::Word(word)
            }
            Some(_) => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"');
                let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                rest = after;
                Lisp::Word(word.to_owned())
            }
        };
        rest = rest.trim_start();
        match open.last_mut() {
            Some(list) => list.push(done),
            None if rest.is_empty() => return Ok(done),
            None => return Err("something stands behind it"),
        }
    }
}

/// The text up to the closing quote, and what is behind that. A backslash stands before what means itself.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((word, &text[at + 1..])),
            '\\' => word.push(characters.next()?.1),
            other => word.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lists() {
        let word = |text: &str| Lisp::Word(text.to_owned());
        assert_eq!(parse(" x "), Ok(word("x")));
        assert_eq!(parse(r#""a \"b\" \\ é)""#), Ok(word(r#"a "b" \ é)"#)));
        let items = |head: &str, text: &str| Lisp::Nested(vec![word(head), word(text)]);
        assert_eq!(
            parse("(list (description \"A B\")\n(description C))"),
            Ok(Lisp::Nested(vec![word("list"), items("description", "A B"), items("description", "C")]))
        );
        assert_eq!(parse("()"), Ok(Lisp::Nested(vec![])));
    }

    #[test]
    fn values_are_their_words() {
        let some = |text: &str| Some(text.to_owned());
        let list =
            r#"(list (description "A B") C (number 3 meter) (date 2012 12 -1) (name x) (number) ((a)))"#;
        let expected = [some("A B"), some("C"), some("3 meter"), some("2012 12 -1"), None, None, None];
        assert_eq!(texts(list), Ok(expected.to_vec()));
        assert_eq!(texts("(list)"), Ok(vec![]));
        assert_eq!(texts("(description x)"), Err("it does not begin with `list`"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("", "it ends too early"),
            ("(list", "it ends too early"),
            ("(list))", "something stands behind it"),
            (")", "a parenthesis is closed that was not opened"),
            ("(list \"a)", "a quote is not closed"),
            ("\"a\\", "a quote is not closed"),
            (&"(".repeat(100_000), "it is nested too deep"),
        ] {
            assert_eq!(parse(text), Err(expected));
        }
    }
}
