//! Keys of literals: what the match queries join on in place of comparing every pair.
//!
//! Two literals have the same value key if and only if they are typed and have the same XSD value (XML Schema
//! 1.1 Part 2, section 2.2). Numbers compare across types: a float or double as the shortest decimal that writes
//! its value, so that `0.1` is `0.1` whatever its type.

use std::str::FromStr;

use oxigraph::model::Literal;
use oxsdatatypes::{Date, DateTime, Duration, Time};
use unicode_normalization::UnicodeNormalization;

use crate::base::vocab::xsd;
use crate::measures::fraction::Fraction;

/// What the keys of one literal are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LiteralKeys {
    /// The value, where the literal has a datatype with known values and is in its lexical space.
    pub value: Option<String>,
    /// The values that an untyped literal reads as; for a typed literal its own.
    pub lenient: Vec<String>,
    /// The calendar day of a date, or of an instant at midnight, whatever its zone.
    pub day: Option<String>,
    /// The text after NFC and trimming, for strings and for datatypes without known values.
    pub text: Option<String>,
}

/// The keys of a literal. `unicode` and `trim`: the normalisations of text.
pub(crate) fn keys(literal: &Literal, unicode: bool, trim: bool) -> LiteralKeys {
    let lexical = literal.value();
    let datatype = literal.datatype();
    if literal.language().is_some() {
        return LiteralKeys { text: Some(text_key(lexical, unicode, trim)), ..LiteralKeys::default() };
    }
    if datatype == oxigraph::model::vocab::xsd::STRING {
        let trimmed = lexical.trim();
        return LiteralKeys {
            value: None,
            lenient: untyped(trimmed),
            day: day(trimmed),
            text: Some(text_key(lexical, unicode, trim)),
        };
    }
    match datatype.as_str().strip_prefix(xsd::NAMESPACE).and_then(|name| typed(lexical.trim(), name)) {
        Some(value) => LiteralKeys {
            lenient: vec![value.clone()],
            day: matches!(datatype.as_str(), xsd::DATE | xsd::DATE_TIME)
                .then(|| day(lexical.trim()))
                .flatten(),
            value: Some(value),
            text: None,
        },
        None => LiteralKeys { text: Some(text_key(lexical, unicode, trim)), ..LiteralKeys::default() },
    }
}

/// A text as the profile compares it.
pub(crate) fn text_key(text: &str, unicode: bool, trim: bool) -> String {
    let text = if trim { text.trim() } else { text };
    if unicode && !text.is_ascii() { text.nfc().collect() } else { text.to_owned() }
}

/// The value of a typed literal; nothing where the type has no values that we know, or not this one.
fn typed(lexical: &str, datatype: &str) -> Option<String> {
    match datatype {
        "float" => {
            lexical.parse::<f32>().ok().filter(|value| value.is_finite()).and_then(|v| number(&v.to_string()))
        }
        "double" => {
            lexical.parse::<f64>().ok().filter(|value| value.is_finite()).and_then(|v| number(&v.to_string()))
        }
        "decimal" => number(lexical),
        _ if is_integer(datatype) => number(lexical),
        "boolean" => match lexical {
            "true" | "1" => Some("boolean true".to_owned()),
            "false" | "0" => Some("boolean false".to_owned()),
            _ => None,
        },
        "dateTime" | "dateTimeStamp" => instant(lexical),
        "date" => Date::from_str(lexical).ok().map(|date| format!("date {date}")),
        "time" => Time::from_str(lexical).ok().map(|time| format!("time {time}")),
        "duration" | "dayTimeDuration" | "yearMonthDuration" => {
            Duration::from_str(lexical).ok().map(|duration| format!("duration {duration}"))
        }
        "gYear" => year(lexical).map(|year| format!("year {year}")),
        "gYearMonth" | "gMonthDay" | "gMonth" | "gDay" => Some(format!("{datatype} {lexical}")),
        _ => None,
    }
}

/// Whether a type of XSD has integers only.
pub(crate) fn is_integer(datatype: &str) -> bool {
    matches!(
        datatype,
        "integer"
            | "int"
            | "long"
            | "short"
            | "byte"
            | "nonNegativeInteger"
            | "positiveInteger"
            | "nonPositiveInteger"
            | "negativeInteger"
            | "unsignedInt"
            | "unsignedLong"
            | "unsignedShort"
            | "unsignedByte"
    )
}

fn number(lexical: &str) -> Option<String> {
    Fraction::parse(lexical).map(|value| format!("number {value}"))
}

/// An instant with a zone as the same instant in UTC; without one, as it stands.
fn instant(lexical: &str) -> Option<String> {
    let instant = DateTime::from_str(lexical).ok()?;
    match instant.timezone_offset() {
        Some(_) => {
            let utc = instant.adjust(Some(oxsdatatypes::TimezoneOffset::UTC))?;
            Some(format!("instant {utc}"))
        }
        None => Some(format!("instant {instant}")),
    }
}

fn year(lexical: &str) -> Option<&str> {
    let digits = lexical.strip_prefix('-').unwrap_or(lexical);
    (digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(lexical)
}

/// What an untyped text reads as. A number with leading zeros is a name (`007`), not a number.
fn untyped(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let digits = text.trim_start_matches(['+', '-']);
    let padded = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    if !padded {
        keys.extend(number(text));
    }
    keys.extend(year(text).map(|year| format!("year {year}")));
    match text {
        _ if text.eq_ignore_ascii_case("true") => keys.push("boolean true".to_owned()),
        _ if text.eq_ignore_ascii_case("false") => keys.push("boolean false".to_owned()),
        _ => {}
    }
    if text.contains('-') {
        keys.extend(typed(text, "date").or_else(|| instant(text)));
    }
    keys
}

/// `YYYY-MM-DD` of a date with any zone, or of an instant at midnight of its zone.
fn day(text: &str) -> Option<String> {
    // The year may have a sign and more than four digits: the day ends six characters after it.
    let year = text.strip_prefix('-').unwrap_or(text).find('-')? + usize::from(text.starts_with('-'));
    let (date, rest) = (text.get(..year + 6)?, text.get(year + 6..)?);
    Date::from_str(date).ok()?;
    let zone = rest.strip_prefix("T00:00:00").map_or(rest, |rest| {
        let fraction = rest.strip_prefix('.').map(|digits| digits.trim_start_matches('0'));
        fraction.unwrap_or(rest)
    });
    let is_zone = zone.is_empty() || Date::from_str(&format!("2000-01-01{zone}")).is_ok();
    is_zone.then(|| date.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxigraph::model::NamedNode;

    fn of(text: &str, datatype: &str) -> LiteralKeys {
        let literal = if datatype.is_empty() {
            Literal::new_simple_literal(text)
        } else {
            Literal::new_typed_literal(text, NamedNode::new(format!("{}{datatype}", xsd::NAMESPACE)).unwrap())
        };
        keys(&literal, true, true)
    }

    #[test]
    fn equal_values_have_equal_keys() {
        let equal = [
            ("01", "integer", "1.0", "decimal"),
            ("1e2", "double", "100", "int"),
            ("0.1", "double", "0.10000000000000001", "double"),
            ("0.1", "double", "0.1", "decimal"),
            ("1", "boolean", "true", "boolean"),
            ("2000-01-01T00:00:00Z", "dateTime", "2000-01-01T01:00:00+01:00", "dateTime"),
        ];
        for (a, at, b, bt) in equal {
            assert!(of(a, at).value.is_some(), "{a}");
            assert_eq!(of(a, at).value, of(b, bt).value, "{a} {b}");
        }
        let different = [
            ("1", "integer", "2", "integer"),
            ("1", "integer", "1", "boolean"),
            ("2000-01-01", "date", "2000-01-01T00:00:00", "dateTime"),
            ("1999", "gYear", "1999", "integer"),
        ];
        for (a, at, b, bt) in different {
            assert_ne!(of(a, at).value, of(b, bt).value, "{a} {b}");
        }
    }

    #[test]
    fn untyped_literals_read_as_values() {
        assert_eq!(of("14.0", "").lenient, of("14", "integer").lenient);
        assert_eq!(of("True", "").lenient, of("true", "boolean").lenient);
        assert!(of("1999", "").lenient.contains(&of("1999", "gYear").lenient[0]));
        assert_eq!(of("007", "").lenient, Vec::<String>::new());
        assert_eq!(of("Berlin", "").lenient, Vec::<String>::new());
    }

    #[test]
    fn days_ignore_zones_and_midnight() {
        let day = Some("1905-09-01".to_owned());
        assert_eq!(of("1905-09-01+02:00", "date").day, day);
        assert_eq!(of("1905-09-01T00:00:00Z", "dateTime").day, day);
        assert_eq!(of("1905-09-01", "").day, day);
        assert_eq!(of("-0043-03-15", "date").day, of("-0043-03-15T00:00:00Z", "dateTime").day);
        assert!(of("-0043-03-15", "date").day.is_some());
        assert_eq!(of("1905-09-01T12:00:00Z", "dateTime").day, None);
        assert_eq!(of("1905-13-01", "").day, None);
        assert_eq!(of("not a date", "").day, None);
    }

    #[test]
    fn texts_are_composed_and_trimmed() {
        assert_eq!(of(" e\u{301} ", "").text.as_deref(), Some("é"));
        let unknown = Literal::new_typed_literal("x", NamedNode::new("http://a/type").unwrap());
        assert_eq!(keys(&unknown, true, true).text.as_deref(), Some("x"));
    }
}
