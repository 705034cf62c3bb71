//! Other forms in which a literal says the same: keys for the match rules that look beyond how a value is written.
//!
//! Each form has a rule, a query and a key property of its own. A key is made only where one of both answers has a literal
//! that is written in such a way ([`WrittenForm::is_unusual`]): most questions have none.

mod same_value;

use oxigraph::model::{Literal, NamedNode, Term};

use crate::base::vocab::{qassay, xsd};
use crate::measures::fraction::Fraction;
use crate::references::forms::same_value::{calendar, duration, first_of_january, value, year};
use crate::references::literal::{is_integer, text_key};

/// The namespace of DBpedia's datatypes of quantities: a unit each.
const UNITS: &str = "http://dbpedia.org/datatype/";

/// Marks that open and close a quoted title.
const QUOTES: [(char, char); 10] = [
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('‘', '’'),
    ('‚', '‘'),
    ('«', '»'),
    ('»', '«'),
    ('「', '」'),
];

/// A way to say the same in another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum WrittenForm {
    /// One value of XSD in several texts: times, dates with zones, durations, octets.
    ValueSpace,
    /// A number of a unit, or with leading zeros.
    Number,
    /// A day, month or day of a month, padded or not, with a zone or not.
    Calendar,
    /// A year: as such, as an integer, as its first instant.
    Year,
    /// A year and its first day.
    FirstOfJanuary,
    /// A text in quotation marks and without.
    Title,
    /// One text in two languages.
    Language,
    /// An IRI that is a text.
    Iri,
}

impl WrittenForm {
    /// All of them.
    pub(crate) const ALL: [Self; 8] = [
        Self::ValueSpace,
        Self::Number,
        Self::Calendar,
        Self::Year,
        Self::FirstOfJanuary,
        Self::Title,
        Self::Language,
        Self::Iri,
    ];

    /// The concept of its rule, and the property that its query joins on.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::ValueSpace => ("match-value-space", qassay::VALUE_SPACE_KEY),
            Self::Number => ("match-number-form", qassay::NUMBER_KEY),
            Self::Calendar => ("match-calendar-form", qassay::CALENDAR_KEY),
            Self::Year => ("match-year", qassay::YEAR_KEY),
            Self::FirstOfJanuary => ("match-first-of-january", qassay::JANUARY_KEY),
            Self::Title => ("match-quoted-title", qassay::TITLE_KEY),
            Self::Language => ("match-language-variant", qassay::LANGUAGE_VARIANT_KEY),
            Self::Iri => (IRI_AS_LITERAL, qassay::IRI_KEY),
        }
    }

    /// The concept of `code:matchRule`, without namespace.
    pub(crate) fn rule(self) -> &'static str {
        self.names().0
    }

    /// What its query joins on.
    pub(crate) fn property(self) -> &'static str {
        self.names().1
    }

    /// Whether a literal is written in this way, so that another literal may say the same in the usual one.
    pub(crate) fn is_unusual(self, literal: &Literal) -> bool {
        let text = literal.value().trim();
        match self {
            Self::Number => {
                unit(literal).is_some() || kind(literal) == LiteralKind::Untyped && is_padded_number(text)
            }
            Self::Year => match kind(literal) {
                LiteralKind::Xsd("gYear") => true,
                LiteralKind::Untyped | LiteralKind::Xsd("dateTime") => {
                    !is_plain_number(text) && year(text).is_some()
                }
                _ => false,
            },
            Self::FirstOfJanuary => text.contains("-01-01") && self.key(literal).is_some(),
            // The usual forms are in `literal::keys`.
            Self::Calendar => !is_plain_number(text) && self.key(literal).is_some(),
            Self::Title => is_text(kind(literal)) && unquoted(text).len() < text.len(),
            Self::ValueSpace | Self::Language | Self::Iri => self.key(literal).is_some(),
        }
    }

    /// What all literals that say the same have in common; nothing where the literal says nothing in this form.
    pub(crate) fn key(self, literal: &Literal) -> Option<String> {
        let text = literal.value().trim();
        let kind = kind(literal);
        match self {
            Self::ValueSpace => match kind {
                LiteralKind::Xsd(datatype) => value(text, datatype),
                LiteralKind::Untyped => duration(text),
                _ => None,
            },
            Self::Number => match kind {
                LiteralKind::Untyped => number(text),
                LiteralKind::Xsd(datatype) if is_numeric(datatype) => number(text),
                _ => unit(literal).and_then(|_| number(text)),
            },
            Self::Calendar => match kind {
                LiteralKind::Untyped
                | LiteralKind::Xsd("date" | "dateTime" | "gYearMonth" | "gMonth" | "gMonthDay" | "gDay") => {
                    calendar(text)
                }
                _ => None,
            },
            Self::Year => match kind {
                LiteralKind::Untyped | LiteralKind::Xsd("gYear" | "dateTime") => year(text),
                LiteralKind::Xsd(datatype) if is_integer(datatype) && is_plain_number(text) => year(text),
                _ => None,
            },
            Self::FirstOfJanuary => match kind {
                LiteralKind::Untyped | LiteralKind::Xsd("gYear" | "date") => {
                    year(text).or_else(|| first_of_january(text))
                }
                _ => None,
            },
            Self::Title => {
                let bare = unquoted(text);
                (is_text(kind) && !bare.is_empty()).then(|| text_key(bare, true, true))
            }
            Self::Language => {
                (kind == LiteralKind::Tagged && !text.is_empty()).then(|| text_key(text, true, true))
            }
            Self::Iri => match kind {
                LiteralKind::Untyped | LiteralKind::Xsd("anyURI") => web_address(text).map(str::to_owned),
                _ => None,
            },
        }
    }
}

/// The rule of IRIs that are written as texts.
pub(crate) const IRI_AS_LITERAL: &str = "match-iri-as-literal";

/// What a literal says about its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LiteralKind<'a> {
    /// No datatype but that of plain texts, no language.
    Untyped,
    /// With a language.
    Tagged,
    /// A datatype of XSD.
    Xsd(&'a str),
    /// Another datatype.
    Other,
}

fn kind(literal: &Literal) -> LiteralKind<'_> {
    if literal.language().is_some() {
        return LiteralKind::Tagged;
    }
    match literal.datatype().as_str().strip_prefix(xsd::NAMESPACE) {
        Some("string") => LiteralKind::Untyped,
        Some(name) => LiteralKind::Xsd(name),
        None => LiteralKind::Other,
    }
}

/// Whether a literal is a text, with or without a language.
fn is_text(kind: LiteralKind<'_>) -> bool {
    matches!(kind, LiteralKind::Untyped | LiteralKind::Tagged)
}

/// The unit that the datatype names.
fn unit(literal: &Literal) -> Option<&str> {
    literal.datatype().as_str().strip_prefix(UNITS)
}

fn is_numeric(datatype: &str) -> bool {
    is_integer(datatype) || matches!(datatype, "decimal" | "double" | "float")
}

fn number(text: &str) -> Option<String> {
    Fraction::parse(text).map(|value| value.to_string())
}

/// A numeral of ASCII digits, perhaps with a sign.
fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A whole number with zeros before it: `08`.
fn is_padded_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    is_plain_number(text) && digits.len() > 1 && digits.starts_with('0')
}

/// A text without the quotation marks around it; as it is where the marks are not one pair.
fn unquoted(text: &str) -> &str {
    let inner = QUOTES.iter().find_map(|&(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then(|| inner.trim())
    });
    inner.unwrap_or(text)
}

/// The web address that a text is, perhaps in angle brackets.
fn web_address(text: &str) -> Option<&str> {
    let text = text.trim();
    let bare = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(text);
    let scheme = bare.get(..8).or(bare.get(..7))?.to_ascii_lowercase();
    let is_web = scheme.starts_with("http://") || scheme.starts_with("https://");
    (is_web && NamedNode::new(bare).is_ok()).then_some(bare)
}

/// The IRI that a term is, or that its text is.
pub(crate) fn named(term: &Term) -> Option<NamedNode> {
    match term {
        Term::NamedNode(node) => Some(node.clone()),
        Term::Literal(literal) => web_address(literal.value()).map(NamedNode::new_unchecked),
        Term::BlankNode(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `text`, `text@tag`, `text^datatype` (of XSD) or `text^^datatype` (of DBpedia).
    fn literal(written: &str) -> Literal {
        let typed = |text: &str, datatype: String| {
            Literal::new_typed_literal(text, NamedNode::new(datatype).expect("an IRI"))
        };
        if let Some((text, unit)) = written.split_once("^^") {
            typed(text, format!("{UNITS}{unit}"))
        } else if let Some((text, name)) = written.split_once('^') {
            typed(text, format!("{}{name}", xsd::NAMESPACE))
        } else if let Some((text, tag)) = written.split_once('@') {
            Literal::new_language_tagged_literal(text, tag).expect("a tag")
        } else {
            Literal::new_simple_literal(written)
        }
    }

    /// Whether two literals meet in a form: one of them is unusual, and both have one key.
    fn meet(form: WrittenForm, one: &str, other: &str) -> bool {
        let (one, other) = (literal(one), literal(other));
        (form.is_unusual(&one) || form.is_unusual(&other))
            && form.key(&one).is_some()
            && form.key(&one) == form.key(&other)
    }

    #[test]
    fn what_says_the_same_has_one_key() {
        let same = [
            (WrittenForm::ValueSpace, "12:00:00Z^time", "13:00:00+01:00^time"),
            (WrittenForm::ValueSpace, "2000-01-01+13:00^date", "1999-12-31-11:00^date"),
            (WrittenForm::ValueSpace, "P1Y^duration", "P12M^yearMonthDuration"),
            (WrittenForm::ValueSpace, "PT2H", "PT120M^dayTimeDuration"),
            (WrittenForm::ValueSpace, "0aFF^hexBinary", "0AfF^hexBinary"),
            (WrittenForm::ValueSpace, "AQI =^base64Binary", "AQI=^base64Binary"),
            (WrittenForm::Number, "5.60^^kilometre", "5.6"),
            (WrittenForm::Number, "1.0E7^^usDollar", "10000000^integer"),
            (WrittenForm::Number, "08", "8^integer"),
            (WrittenForm::Calendar, "1984-5-3", "1984-05-03^date"),
            (WrittenForm::Calendar, "1984-05-03Z", "1984-5-3"),
            (WrittenForm::Calendar, "1984-05^gYearMonth", "1984-5"),
            (WrittenForm::Calendar, "1984-05+01:00^gYearMonth", "1984-05"),
            (WrittenForm::Calendar, "--05--^gMonth", "--05^gMonth"),
            (WrittenForm::Calendar, "--10-31Z^gMonthDay", "--10-31"),
            (WrittenForm::Calendar, "---07^gDay", "---7"),
            (WrittenForm::Year, "1984^gYear", "1984^integer"),
            (WrittenForm::Year, "1984^gYear", "1984"),
            (WrittenForm::Year, "1984Z^gYear", "1984"),
            (WrittenForm::Year, "1984+02:00", "1984^integer"),
            (WrittenForm::Year, "1984-01-01T00:00:00-04:00^gYear", "1984"),
            (WrittenForm::Year, "1984^gYear", "1984-01-01T00:00:00Z^dateTime"),
            (WrittenForm::Year, "-0143^gYear", "-143^integer"),
            (WrittenForm::FirstOfJanuary, "1984^gYear", "1984-01-01^date"),
            (WrittenForm::FirstOfJanuary, "1984", "1984-01-01Z"),
            (WrittenForm::Title, "\"Titanic\"", "Titanic"),
            (WrittenForm::Title, "„Die Räuber“@de", "Die Ra\u{308}uber"),
            (WrittenForm::Language, "Berlin@en", "Berlin@de"),
            (WrittenForm::Language, "Rio@pt", "Rio@pt-br"),
            (WrittenForm::Iri, "<http://a/b>", "http://a/b^anyURI"),
        ];
        for (form, one, other) in same {
            assert!(meet(form, one, other) && meet(form, other, one), "{form:?} {one} {other}");
        }
    }

    #[test]
    fn what_says_something_else_has_another_key() {
        let different = [
            (WrittenForm::ValueSpace, "12:00:00Z^time", "12:00:00+01:00^time"),
            (WrittenForm::ValueSpace, "12:00:00^time", "12:00:00Z^time"),
            (WrittenForm::ValueSpace, "23:00:00-05:00^time", "04:00:00Z^time"),
            (WrittenForm::ValueSpace, "2000-01-01+01:00^date", "2000-01-01Z^date"),
            (WrittenForm::ValueSpace, "P1M^duration", "P30D^duration"),
            (WrittenForm::ValueSpace, "P", "P^duration"),
            (WrittenForm::ValueSpace, "0a^hexBinary", "0b^hexBinary"),
            (WrittenForm::ValueSpace, "0a^hexBinary", "0a^string"),
            (WrittenForm::ValueSpace, "AQI=^base64Binary", "0102^hexBinary"),
            (WrittenForm::Number, "5^^kilometre", "6"),
            (WrittenForm::Number, "5^^kilometre", "5@en"),
            (WrittenForm::Number, "5^^kilometre", "5^string@"),
            (WrittenForm::Number, "08", "09^integer"),
            (WrittenForm::Calendar, "1984-5-3", "1984-05-30"),
            (WrittenForm::Calendar, "1984-13-3", "1984-13-03^date"),
            (WrittenForm::Calendar, "1984-05", "1984-05-01^date"),
            (WrittenForm::Calendar, "--05^gMonth", "5^integer"),
            (WrittenForm::Calendar, "555-1234", "0555-1234"),
            (WrittenForm::Year, "1984^gYear", "1984@en"),
            (WrittenForm::Year, "1984", "1984^decimal"),
            (WrittenForm::Year, "1984^gYear", "1985^integer"),
            (WrittenForm::Year, "1984^gYear", "1984-01-01^date"),
            (WrittenForm::Year, "1984^gYear", "1984-01-01T12:00:00Z^dateTime"),
            (WrittenForm::Year, "1984^gYear", "1984-05^gYearMonth"),
            (WrittenForm::Year, "5^integer", "5"),
            (WrittenForm::FirstOfJanuary, "1984^integer", "1984-01-01^date"),
            (WrittenForm::FirstOfJanuary, "1984^gYear", "1984-01-02^date"),
            (WrittenForm::FirstOfJanuary, "1984^gYear", "1984-01^gYearMonth"),
            (WrittenForm::Title, "\"A\" and \"B\"", "A\" and \"B"),
            (WrittenForm::Title, "'Allo 'Allo!'", "Allo 'Allo!"),
            (WrittenForm::Title, "6'", "6"),
            (WrittenForm::Title, "\"\"", ""),
            (WrittenForm::Title, "\"5\"", "5^integer"),
            (WrittenForm::Language, "Berlin@en", "Berlin"),
            (WrittenForm::Language, "Berlin@en", "berlin@de"),
            (WrittenForm::Iri, "http://a/b c", "http://a/b c"),
            (WrittenForm::Iri, "www.a.org", "www.a.org"),
            (WrittenForm::Iri, "http://a/b@en", "http://a/b"),
        ];
        for (form, one, other) in different {
            assert!(!meet(form, one, other), "{form:?} {one} {other}");
        }
    }
}
