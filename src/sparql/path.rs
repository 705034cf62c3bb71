//! Property paths in one spelling.

use oxigraph::model::NamedNode;
use spargebra::algebra::PropertyPathExpression as Path;

/// How strongly the operators of a path bind, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Alternative,
    Sequence,
    Element,
    Primary,
}

/// The path as text: `^` before IRIs only, alternatives in order, brackets where they are needed.
pub(crate) fn text(path: &Path) -> String {
    spell(path, false).0
}

/// The IRIs of a path in the order of the text.
pub(crate) fn properties<'a>(path: &'a Path, found: &mut Vec<&'a NamedNode>) {
    match path {
        Path::NamedNode(property) => found.push(property),
        Path::NegatedPropertySet(set) => found.extend(set),
        Path::Reverse(inner) | Path::ZeroOrMore(inner) | Path::OneOrMore(inner) | Path::ZeroOrOne(inner) => {
            properties(inner, found);
        }
        Path::Sequence(left, right) | Path::Alternative(left, right) => {
            properties(left, found);
            properties(right, found);
        }
    }
}

fn spell(path: &Path, is_inverse: bool) -> (String, Strength) {
    let inverse = if is_inverse { "^" } else { "" };
    match path {
        Path::NamedNode(property) => (format!("{inverse}{property}"), Strength::Element),
        Path::Reverse(inner) => spell(inner, !is_inverse),
        Path::Sequence(left, right) => {
            let (first, second) = if is_inverse { (right, left) } else { (left, right) };
            let part = |path| bracketed(spell(path, is_inverse), Strength::Sequence);
            (format!("{}/{}", part(first), part(second)), Strength::Sequence)
        }
        Path::Alternative(..) => {
            let mut parts = Vec::new();
            alternatives(path, is_inverse, &mut parts);
            parts.sort_unstable();
            (parts.join("|"), Strength::Alternative)
        }
        Path::ZeroOrMore(inner) => repeated(inner, is_inverse, '*'),
        Path::OneOrMore(inner) => repeated(inner, is_inverse, '+'),
        Path::ZeroOrOne(inner) => repeated(inner, is_inverse, '?'),
        Path::NegatedPropertySet(set) => {
            let mut names: Vec<String> = set.iter().map(|name| format!("{inverse}{name}")).collect();
            names.sort_unstable();
            names.dedup();
            (format!("!({})", names.join("|")), Strength::Primary)
        }
    }
}

fn alternatives(path: &Path, is_inverse: bool, parts: &mut Vec<String>) {
    match path {
        Path::Alternative(left, right) => {
            alternatives(left, is_inverse, parts);
            alternatives(right, is_inverse, parts);
        }
        Path::Reverse(inner) => alternatives(inner, !is_inverse, parts),
        _ => parts.push(spell(path, is_inverse).0),
    }
}

fn repeated(inner: &Path, is_inverse: bool, operator: char) -> (String, Strength) {
    // `^<p>*` is the inverse of the repetition, which relates the same things as the repetition of the inverse.
    let inner = bracketed(spell(inner, is_inverse), Strength::Element);
    (format!("{inner}{operator}"), Strength::Element)
}

fn bracketed((text, strength): (String, Strength), least: Strength) -> String {
    let is_repeated = least == Strength::Element && text.ends_with(['*', '+', '?']);
    if strength < least || is_repeated { format!("({text})") } else { text }
}
