//! How deep the elements of a page are nested, before it is parsed: what is very deep takes a parser hours.

use memchr::{memchr, memchr_iter};

/// Elements without an end tag, or whose end tag may be missing: a further one ends the last.
const WITHOUT_END: [&str; 30] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "html", "head", "body", "p", "li", "dt", "dd", "option", "caption", "colgroup", "thead", "tbody",
    "tfoot", "tr", "td", "th",
];

/// The most elements that were open at the same time, if each ends where its own end tag stands.
pub(super) fn depth(page: &str) -> usize {
    let (mut open, mut deepest): (Vec<&str>, usize) = (Vec::new(), 0);
    let mut drawings = 0_usize;
    let mut rest = page;
    while let Some(at) = memchr(b'<', rest.as_bytes()) {
        rest = &rest[at + 1..];
        if rest.starts_with("!--") {
            let Some(behind) = behind_comment(rest) else { break };
            rest = behind;
            continue;
        }
        let (is_end, tag) = rest.strip_prefix('/').map_or((false, rest), |tag| (true, tag));
        let name = &tag[..tag.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(tag.len())];
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let is_drawing = is("svg") || is("math");
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || WITHOUT_END.into_iter().any(is) {
            continue;
        }
        if is_end {
            // What ends something else may end nothing.
            if open.last().copied().is_some_and(is) {
                open.pop();
                drawings -= usize::from(is_drawing);
            }
        } else if drawings == 0 && !is_drawing || !ends_itself(tag) {
            open.push(name);
            drawings += usize::from(is_drawing);
            deepest = deepest.max(open.len());
        }
    }
    deepest
}

/// What follows a comment.
fn behind_comment(text: &str) -> Option<&str> {
    let ends = |at: &usize| text[..*at].ends_with("--") || *at > 4 && text[..*at].ends_with("--!");
    memchr_iter(b'>', text.as_bytes()).find(ends).map(|at| &text[at + 1..])
}

/// Whether a tag ends with `/>`, as it may within drawings and formulas.
fn ends_itself(tag: &str) -> bool {
    tag.find(['<', '>']).is_some_and(|end| tag[end..].starts_with('>') && tag[..end].ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_counted() {
        for (page, expected) in [
            ("<!DOCTYPE html><html><body><div><p>a<p>b<br><span>c</span></div><table><tr><td>d</table>", 2),
            ("<ul><li>a<li>b<ul><li>c</ul></ul> 1 < 2 <", 2),
            ("<DIV></div><div></div>", 1),
            ("<div/><div/><div/>", 3),
            ("<svg><path/><path/><g><path/></g></svg><b></b>", 2),
            ("<div><object></div></object><div><object></div></object>", 3),
            ("<!--<i><i>--><!--><b></b><!-- x --!><u></u><!-- <i><i>", 1),
            ("<div><!-- </div> --><div><!-- </div> -->", 2),
            ("", 0),
        ] {
            assert_eq!(depth(page), expected, "{page}");
        }
    }
}
