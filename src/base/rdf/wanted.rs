//! The lines of N-Quads that state what somebody wants.

use std::borrow::Cow;

/// Whether the statements about a subject with a predicate are wanted.
pub type StatementFilter<'w> = dyn Fn(&str, &str) -> bool + 'w;

/// The lines of a graph that state what is wanted. Graphs that we wrote have a statement a line: what nobody wants needs no
/// parser. Lines that are written otherwise stay.
pub fn wanted_lines<'g>(content: &'g [u8], is_wanted: &StatementFilter<'_>) -> Cow<'g, [u8]> {
    let Ok(text) = std::str::from_utf8(content) else { return Cow::Borrowed(content) };
    let is_line_wanted = |line: &str| {
        let stated = line.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let stated = stated.and_then(|(subject, rest)| Some((subject, rest.strip_prefix(" <")?)));
        let stated = stated.and_then(|(subject, rest)| Some((subject, rest.split_once('>')?.0)));
        stated.is_none_or(|(subject, predicate)| is_wanted(subject, predicate))
    };
    let mut wanted = Vec::new();
    for line in text.split_inclusive('\n').filter(|line| is_line_wanted(line)) {
        wanted.extend_from_slice(line.as_bytes());
    }
    Cow::Owned(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_chosen_by_subject_and_predicate() {
        let text = "<http://a> <http://p> \"> <\" <http://g> .\n<http://b> <http://p> <http://a> <http://g> .\n\
                    <http://a> <http://q> <http://b> <http://g> .\nbroken\n";
        let lines = wanted_lines(text.as_bytes(), &|subject, predicate| {
            subject == "http://a" && predicate == "http://p"
        });
        let expected = "<http://a> <http://p> \"> <\" <http://g> .\nbroken\n";
        assert_eq!(std::str::from_utf8(&lines), Ok(expected));
        assert_eq!(&*wanted_lines(b"\xff", &|_, _| false), b"\xff");
    }
}
