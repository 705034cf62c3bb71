//! What comes nearest to an item that was missed, and how the two differ.

use std::borrow::Cow;

use oxigraph::model::{Literal, Term};

use crate::base::text::counted;
use crate::references::normalise::normal_form;

/// How much of a text may be written otherwise, so that the two are still near: one character in five.
const NEAR: usize = 5;

/// The longest texts that are compared letter by letter.
const LONGEST: usize = 200;

/// The item of the other side that comes nearest, by its place, and how it differs; nothing where none is near.
pub(crate) fn nearest(missed: &Term, others: &[Term]) -> Option<(usize, Vec<String>)> {
    let near = others.iter().enumerate().filter_map(|(place, other)| {
        let (far, how) = differences(missed, other)?;
        Some((far, place, how))
    });
    near.min_by_key(|(far, place, _)| (*far, *place)).map(|(_, place, how)| (place, how))
}

/// How far two items are from each other, and how they differ; nothing where they are not near.
fn differences(one: &Term, other: &Term) -> Option<(usize, Vec<String>)> {
    match (one, other) {
        (Term::NamedNode(one), Term::NamedNode(other)) => of_iris(one.as_str(), other.as_str()),
        (Term::Literal(one), Term::Literal(other)) => of_literals(one, other),
        (Term::NamedNode(iri), Term::Literal(text)) | (Term::Literal(text), Term::NamedNode(iri)) => {
            of_label(iri.as_str(), text.value())
        }
        _ => None,
    }
}

/// What an IRI is without something.
type Rewrite = fn(&str) -> String;

/// Ways in which IRIs of one resource differ, each told by making both alike in it.
const WAYS: [(&str, Rewrite); 5] = [
    ("scheme", |iri| iri.replacen("https://", "http://", 1)),
    ("percent-encoding", |iri| normal_form(iri, &|name| name == "norm-percent-encoding").0.into_owned()),
    ("Unicode form", |iri| normal_form(iri, &|name| name == "norm-unicode").0.into_owned()),
    ("slash at the end", |iri| iri.trim_end_matches('/').to_owned()),
    ("case", str::to_lowercase),
];

fn of_iris(one: &str, other: &str) -> Option<(usize, Vec<String>)> {
    let alike = |iri: &str| WAYS.iter().fold(iri.to_owned(), |iri, (_, rewrite)| rewrite(&iri));
    let (one_form, other_form) = (alike(one), alike(other));
    let ((host, name), (other_host, other_name)) = (parts(&one_form), parts(&other_form));
    let (base, letters, rest) = if one_form == other_form {
        (0, None, None)
    } else if name == other_name && !name.is_empty() {
        (10, None, Some(format!("host and path ({host}, {other_host}), and no link joins both")))
    } else {
        // The name of an entity is a number: a digit more is another thing.
        let is_number = name.chars().skip(1).all(|c| c.is_ascii_digit());
        let letters = near(name, other_name).filter(|_| host == other_host && !is_number)?;
        let told = format!("name ({} of {})", counted(letters, "character"), name.chars().count());
        (20, Some(letters), Some(told))
    };
    let mut how = ways(one, other);
    how.extend(rest);
    Some((base + letters.unwrap_or(how.len()), how))
}

/// The ways in which two IRIs differ: those whose rewriting brings them nearer to each other.
fn ways(one: &str, other: &str) -> Vec<String> {
    let (mut one, mut other) = (Cow::Borrowed(one), Cow::Borrowed(other));
    let mut how = Vec::new();
    for (way, rewrite) in WAYS {
        let alike = (rewrite(&one), rewrite(&other));
        if distance(&alike.0, &alike.1) < distance(&one, &other) {
            how.push(way.to_owned());
        }
        (one, other) = (alike.0.into(), alike.1.into());
    }
    how
}

/// What stands before the local name, without scheme, and the name.
fn parts(iri: &str) -> (&str, &str) {
    let rest = iri.split_once("://").map_or(iri, |(_, rest)| rest);
    rest.rsplit_once(['/', '#']).unwrap_or((rest, ""))
}

fn of_literals(one: &Literal, other: &Literal) -> Option<(usize, Vec<String>)> {
    let mut how = Vec::new();
    let kind = |literal: &Literal| match (literal.language(), literal.datatype().as_str()) {
        (Some(language), _) => format!("@{language}"),
        (None, datatype) => datatype.rsplit(['#', '/']).next().unwrap_or(datatype).to_owned(),
    };
    let (kinds, values) = ((kind(one), kind(other)), (one.value(), other.value()));
    if kinds.0 != kinds.1 {
        let is_language = one.language().is_some() && other.language().is_some();
        let what = if is_language { "language" } else { "datatype" };
        how.push(format!("{what} ({}, {})", kinds.0, kinds.1));
    }
    if values.0 == values.1 {
        return Some((how.len(), how));
    }
    if let (Ok(number), Ok(another)) = (values.0.trim().parse::<f64>(), values.1.trim().parse::<f64>()) {
        let apart = (number - another).abs() / number.abs().max(another.abs());
        if apart > 0.01 {
            return None;
        }
        how.push(match apart {
            0.0 => "spelling of the number".to_owned(),
            _ => format!("number (by {:.2} %)", apart * 100.0),
        });
        return Some((5 + how.len(), how));
    }
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (one, other) = (plain(values.0), plain(values.1));
    if one == other {
        how.push("white space".to_owned());
    } else if one.to_lowercase() == other.to_lowercase() {
        how.push("case".to_owned());
    } else {
        let letters = near(&one, &other)?;
        how.push(format!("text ({} of {})", counted(letters, "character"), one.chars().count()));
        return Some((20 + letters, how));
    }
    Some((3 + how.len(), how))
}

/// A text beside a resource: its IRI, or what it may be called.
fn of_label(iri: &str, text: &str) -> Option<(usize, Vec<String>)> {
    let text = text.trim();
    if text == iri {
        return Some((1, vec!["kind (an IRI, and the same as a text)".to_owned()]));
    }
    let decoded = normal_form(iri, &|name| name == "norm-percent-encoding").0;
    let name = parts(&decoded).1.replace('_', " ");
    (name.to_lowercase() == text.to_lowercase()).then(|| {
        (4, vec!["kind (a resource, and a text that may be its label; no label says so)".to_owned()])
    })
}

/// In how many characters two texts differ, where these are few.
fn near(one: &str, other: &str) -> Option<usize> {
    let (length, shorter) = {
        let [one, other] = [one, other].map(|text| text.chars().count());
        (one.max(other), one.min(other))
    };
    let may_be = length <= LONGEST && (length - shorter) * NEAR <= length;
    let letters = may_be.then(|| distance(one, other));
    letters.filter(|letters| letters * NEAR <= length)
}

/// The edit distance of two texts; of long ones, whether they differ.
fn distance(one: &str, other: &str) -> usize {
    if one.chars().count().max(other.chars().count()) > LONGEST {
        return usize::from(one != other) * LONGEST;
    }
    strsim::levenshtein(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(one: &str, others: &[&str]) -> Option<String> {
        let term = |text: &&str| text.parse::<Term>().expect("a term");
        let others: Vec<Term> = others.iter().map(term).collect();
        nearest(&term(&one), &others).map(|(place, how)| format!("{place}: {}", how.join(", ")))
    }

    #[test]
    fn the_nearest_is_named_with_what_differs() {
        let dbr = "<http://dbpedia.org/resource/Bonn>";
        for (missed, others, expected) in [
            (dbr, &["<http://e/x>", "<https://dbpedia.org/resource/Bonn>"][..], "1: scheme"),
            (dbr, &["<http://dbpedia.org/resource/bonn>"], "0: case"),
            (dbr, &["<http://dbpedia.org/resource/Bonn/>"], "0: slash at the end"),
            ("<http://e/K%C3%B6ln>", &["<http://e/Köln>"], "0: percent-encoding"),
            (
                dbr,
                &["<http://yago-knowledge.org/resource/Bonn>"],
                "0: host and path (dbpedia.org/resource, yago-knowledge.org/resource), and no link joins both",
            ),
            ("<http://e/Beethoven>", &["<http://e/Bethoven>"], "0: name (1 character of 9)"),
            (
                dbr,
                &["\"Bonn\"@en"],
                "0: kind (a resource, and a text that may be its label; no label says so)",
            ),
            (dbr, &["\"http://dbpedia.org/resource/Bonn\""], "0: kind (an IRI, and the same as a text)"),
            ("\"Bonn\"@en", &["\"Bonn\"@de"], "0: language (@en, @de)"),
            (
                "\"7\"",
                &["\"7\"^^<http://www.w3.org/2001/XMLSchema#integer>"],
                "0: datatype (string, integer)",
            ),
            ("\"1000\"", &["\"1001\""], "0: number (by 0.10 %)"),
            ("\"Vienna Opera\"", &["\"vienna opera\""], "0: case"),
        ] {
            assert_eq!(told(missed, others).as_deref(), Some(expected), "{missed}");
        }
        let far: [(&str, &[&str]); 4] = [
            (dbr, &["<http://dbpedia.org/resource/Kiel>"]),
            ("<http://www.wikidata.org/entity/Q586>", &["<http://www.wikidata.org/entity/Q587>"]),
            ("\"7\"", &["\"8\""]),
            (dbr, &[]),
        ];
        for (missed, others) in far {
            assert_eq!(told(missed, others), None, "{missed}");
        }
    }
}
