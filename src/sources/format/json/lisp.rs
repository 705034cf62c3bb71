//! Lists in parentheses, as `WebQuestions` writes its answers: `(list (description "A B") (description C))`.

/// A word or a list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lisp {
    /// A word, without quotes and backslashes.
    Word(String),
    /// A list.
    Nested(Vec<Self>),
}

/// The deepest nesting that is read: the answers have three levels.
const DEEPEST: usize = 16;

/// Parses a text that is one expression. The error says what is wrong.
pub(crate) fn parse(text: &str) -> Result<Lisp, &'static str> {
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
