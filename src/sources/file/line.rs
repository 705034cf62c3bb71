//! Lines of text files: numbered, without their endings, and what most of them look like.

/// How much of a file is looked at to recognise it.
const MOST_BYTES: usize = 1 << 16;

/// How many lines are.
const MOST_LINES: usize = 20;

/// The lines that are not blank, with their numbers from 1, without `\n` and `\r\n`.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let lines = (1..).zip(text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)));
    lines.filter(|(_, line)| !line.trim().is_empty())
}

/// The first lines of a file that are not blank.
pub(crate) fn first_lines(content: &[u8]) -> Vec<String> {
    let content = crate::sources::file::text::without_mark(content);
    let beginning = content.get(..content.len().min(MOST_BYTES)).unwrap_or_default();
    let text = String::from_utf8_lossy(beginning);
    let mut found: Vec<String> = lines(&text).map(|(_, line)| line.to_owned()).take(MOST_LINES + 1).collect();
    // the last one may be cut
    if found.len() > MOST_LINES || (content.len() > MOST_BYTES && found.len() > 1) {
        found.pop();
    }
    found
}

/// Whether most of the first lines have this form: one line in three may be damaged.
pub(crate) fn most(lines: &[String], has_form: impl Fn(&str) -> bool) -> bool {
    let count = lines.iter().filter(|line| has_form(line)).count();
    count > 0 && count * 3 >= lines.len() * 2
}

/// Whether a file may be of a line format: it begins like no JSON, XML, Turtle.
pub(crate) fn may_be_lines(content: &[u8]) -> bool {
    let start = crate::sources::file::text::without_mark(content).trim_ascii_start();
    start.first().is_some_and(|byte| !matches!(byte, b'{' | b'[' | b'<' | b'@' | 0))
}

/// Whether a text is a whole number.
pub(crate) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a decimal numeral is more than zero.
pub(crate) fn is_positive(numeral: &str) -> bool {
    !numeral.starts_with('-') && numeral.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_without_endings() {
        let found: Vec<(u64, &str)> = lines("a\r\n\n \nb\rc\n").collect();
        assert_eq!(found, [(1, "a"), (4, "b\rc")]);
        assert_eq!(first_lines("\u{feff}a\nb".as_bytes()), ["a", "b"]);
        let long = format!("{}\n{}", "a".repeat(10), "b".repeat(MOST_BYTES));
        assert_eq!(first_lines(long.as_bytes()), ["a".repeat(10)]);
        assert_eq!(first_lines("x\n".repeat(50).as_bytes()).len(), MOST_LINES);
    }

    #[test]
    fn one_line_in_three_may_be_damaged() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(
            most(&lines("1 x 2"), is_integer) && !most(&lines("1 x"), is_integer) && !most(&[], is_integer)
        );
        assert!(
            ["7", "-1", "+3"].into_iter().all(is_integer) && !["", "-", "1.0"].into_iter().any(is_integer)
        );
        assert!(
            ["1", "0.5"].into_iter().all(is_positive) && !["0", "-1", "0.00"].into_iter().any(is_positive)
        );
    }

    #[test]
    fn other_families_begin_otherwise() {
        assert!(may_be_lines(b"a\tb") && may_be_lines(b"# a comment"));
        for other in ["", " {", "[1]", "\u{feff}<a/>", "@prefix a: <b> ."] {
            assert!(!may_be_lines(other.as_bytes()), "{other}");
        }
    }
}
