//! The lines of N-Quads that state what somebody wants.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

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

/// Whether lines stand in the order of their bytes, each ended: those of graphs that we wrote do.
pub fn is_sorted(content: &[u8]) -> bool {
    content.last().is_none_or(|last| *last == b'\n')
        && content.split_inclusive(|byte| *byte == b'\n').is_sorted()
}

/// The lines of a sorted graph about a subject, and about what is below it (`IRI/…`). It takes as long as it takes to find
/// them, however large the graph is.
pub fn lines_below<'g>(sorted: &'g [u8], subject: &str) -> [&'g [u8]; 2] {
    // The byte behind each end is the next one: `>` and `?`, `/` and `0`.
    [('>', '?'), ('/', '0')].map(|(end, next)| {
        let [from, to] = [end, next].map(|end| place(sorted, format!("<{subject}{end}").as_bytes()));
        &sorted[from..to]
    })
}

/// Where the first line begins that does not stand before a text.
fn place(sorted: &[u8], text: &[u8]) -> usize {
    let (mut low, mut high) = (0, sorted.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memrchr(b'\n', &sorted[low..middle]).map_or(low, |end| low + end + 1);
        let end = memchr(b'\n', &sorted[start..high]).map_or(high, |end| start + end + 1);
        if &sorted[start..end] < text {
            low = end;
        } else {
            high = start;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_below_are_those_of_a_scan() {
        let subjects = ["a", "a-b", "a/1", "a/1/2", "a/10", "a/2", "a0", "ab", "b", "b/é"];
        let line = |(subject, value): (&str, usize)| format!("<http://{subject}> <http://p> \"{value}\" .\n");
        let pairs = subjects.into_iter().flat_map(|subject| (0..3).map(move |value| (subject, value)));
        let mut lines: Vec<String> = pairs.map(line).collect();
        lines.sort_unstable();
        let sorted = lines.concat();
        assert!(is_sorted(sorted.as_bytes()) && is_sorted(b""));
        assert!(!is_sorted(b"b\na\n") && !is_sorted(b"a\nb"));
        for subject in subjects.into_iter().chain(["", "a/3", "c", "0"]) {
            let subject = format!("http://{subject}");
            let [own, below] = lines_below(sorted.as_bytes(), &subject);
            let expected = |beginning: String| {
                lines.iter().filter(|line| line.starts_with(&beginning)).cloned().collect::<String>()
            };
            assert_eq!(std::str::from_utf8(own), Ok(&*expected(format!("<{subject}>"))), "{subject}");
            assert_eq!(std::str::from_utf8(below), Ok(&*expected(format!("<{subject}/"))), "{subject}");
        }
    }

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
