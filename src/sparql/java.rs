//! Literals as Java writes their values: what GERBIL compares.

use oxigraph::model::Literal;
use oxsdatatypes::{Date, DateTime, Duration, GDay, GMonth, GMonthDay, GYear, GYearMonth, Time};

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/// The text of a literal in Java.
#[derive(Debug, Clone)]
pub enum LiteralText {
    /// The text of the value.
    Text(String),
    /// The address of an object, as for unknown datatypes: equal to nothing, not even to itself.
    Identity,
}

impl LiteralText {
    /// The text, where it can equal another.
    pub fn comparable(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Identity => None,
        }
    }
}

impl PartialEq for LiteralText {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => a == b,
            _ => false,
        }
    }
}

/// The text of the value of a literal; nothing if its lexical form has no value.
pub(crate) fn text(literal: &Literal) -> Option<LiteralText> {
    let lexical = literal.value();
    let datatype = literal.datatype().as_str();
    if let Some(name) = datatype.strip_prefix(XSD) {
        return value(name, lexical);
    }
    let is_known = datatype
        .strip_prefix(RDF)
        .is_some_and(|name| ["langString", "XMLLiteral", "HTML", "PlainLiteral"].contains(&name));
    Some(if is_known { LiteralText::Text(lexical.to_owned()) } else { LiteralText::Identity })
}

fn value(datatype: &str, lexical: &str) -> Option<LiteralText> {
    let trimmed = lexical.trim_matches([' ', '\t', '\n', '\r']);
    let text = match datatype {
        "string" | "normalizedString" | "token" | "language" | "Name" | "NCName" | "NMTOKEN" | "ID"
        | "IDREF" | "ENTITY" | "anyURI" => lexical.to_owned(),
        "boolean" => boolean(trimmed)?.to_owned(),
        "decimal" => decimal(trimmed)?,
        "double" => floating(trimmed, |text| Some(java_digits(&format!("{:e}", text.parse::<f64>().ok()?))))?,
        "float" => floating(trimmed, |text| Some(java_digits(&format!("{:e}", text.parse::<f32>().ok()?))))?,
        _ if integer_range(datatype).is_some() => integer(trimmed, integer_range(datatype)?)?,
        _ => match is_moment(datatype, trimmed) {
            Some(is_one) => is_one.then(|| trimmed.to_owned())?,
            None => return Some(LiteralText::Identity),
        },
    };
    Some(LiteralText::Text(text))
}

fn boolean(text: &str) -> Option<&'static str> {
    match text {
        "true" | "1" => Some("true"),
        "false" | "0" => Some("false"),
        _ => None,
    }
}

/// Whether a text is a value of a datatype of time; nothing for other datatypes.
fn is_moment(datatype: &str, text: &str) -> Option<bool> {
    Some(match datatype {
        "date" => text.parse::<Date>().is_ok(),
        "dateTime" => text.parse::<DateTime>().is_ok(),
        "time" => text.parse::<Time>().is_ok(),
        "gYear" => text.parse::<GYear>().is_ok(),
        "gYearMonth" => text.parse::<GYearMonth>().is_ok(),
        "gMonth" => text.parse::<GMonth>().is_ok(),
        "gMonthDay" => text.parse::<GMonthDay>().is_ok(),
        "gDay" => text.parse::<GDay>().is_ok(),
        "duration" => text.parse::<Duration>().is_ok(),
        _ => return None,
    })
}

/// The smallest and the largest value of a datatype of whole numbers, where it has them.
type Range = (Option<i128>, Option<i128>);

fn integer_range(datatype: &str) -> Option<Range> {
    let bits = |bits: u32| (Some(-(1i128 << (bits - 1))), Some((1i128 << (bits - 1)) - 1));
    let unsigned = |bits: u32| (Some(0), Some((1i128 << bits) - 1));
    Some(match datatype {
        "integer" => (None, None),
        "long" => bits(64),
        "int" => bits(32),
        "short" => bits(16),
        "byte" => bits(8),
        "nonNegativeInteger" => (Some(0), None),
        "positiveInteger" => (Some(1), None),
        "nonPositiveInteger" => (None, Some(0)),
        "negativeInteger" => (None, Some(-1)),
        "unsignedLong" => unsigned(64),
        "unsignedInt" => unsigned(32),
        "unsignedShort" => unsigned(16),
        "unsignedByte" => unsigned(8),
        _ => return None,
    })
}

fn integer(text: &str, (least, most): Range) -> Option<String> {
    let (is_negative, digits) = signed(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let text = match (digits, is_negative) {
        ("", _) => "0".to_owned(),
        (_, true) => format!("-{digits}"),
        (_, false) => digits.to_owned(),
    };
    // What 128 bits cannot hold is beyond every limit.
    let beyond = if is_negative { i128::MIN } else { i128::MAX };
    let value = text.parse::<i128>().unwrap_or(beyond);
    let is_inside = least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most);
    is_inside.then_some(text)
}

fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// As `BigDecimal` without zeros at the end: very small numbers have an exponent.
fn decimal(text: &str) -> Option<String> {
    let (is_negative, digits) = signed(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || whole.len() + fraction.len() == 0 {
        return None;
    }
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let significant = format!("{whole}{fraction}");
    let significant = significant.trim_start_matches('0');
    let sign = if is_negative && !significant.is_empty() { "-" } else { "" };
    let is_tiny = whole.is_empty() && fraction.len() >= significant.len() + 6;
    Some(if significant.is_empty() {
        "0".to_owned()
    } else if is_tiny {
        let (first, others) = significant.split_at(1);
        let point = if others.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{others}E-{}", fraction.len() - significant.len() + 1)
    } else {
        let whole = if whole.is_empty() { "0" } else { whole };
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    })
}

fn floating(text: &str, number: impl Fn(&str) -> Option<String>) -> Option<String> {
    match text {
        "INF" => return Some("Infinity".to_owned()),
        "-INF" => return Some("-Infinity".to_owned()),
        "NaN" => return Some("NaN".to_owned()),
        _ => {}
    }
    let is_numeral = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    if is_numeral { number(text) } else { None }
}

/// `Double.toString` and `Float.toString`, from the shortest digits in the form `1.25e3`.
fn java_digits(scientific: &str) -> String {
    let (sign, rest) = match scientific.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", scientific),
    };
    let Some((digits, exponent)) = rest.split_once('e') else {
        // Too large for the type.
        return format!("{sign}Infinity");
    };
    let digits = digits.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let (whole, fraction) = match usize::try_from(exponent) {
        Ok(exponent @ 0..7) => {
            let padded = format!("{digits:0<width$}", width = exponent + 2);
            (padded[..=exponent].to_owned(), padded[exponent + 1..].to_owned())
        }
        Err(_) if exponent >= -3 => {
            let zeros = usize::try_from(-exponent - 1).unwrap_or_default();
            ("0".to_owned(), format!("{}{digits}", "0".repeat(zeros)))
        }
        _ => {
            let fraction = if digits.len() > 1 { &digits[1..] } else { "0" };
            return format!("{sign}{}.{fraction}E{exponent}", &digits[..1]);
        }
    };
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxigraph::model::NamedNode;

    fn written(datatype: &str, lexical: &str) -> Option<LiteralText> {
        text(&Literal::new_typed_literal(lexical, NamedNode::new_unchecked(format!("{XSD}{datatype}"))))
    }

    #[test]
    fn values_are_written_as_in_java() {
        let cases = [
            ("integer", "007", "7"),
            ("integer", "-0", "0"),
            (
                "integer",
                "+99999999999999999999999999999999999999999",
                "99999999999999999999999999999999999999999",
            ),
            ("byte", "-128", "-128"),
            ("decimal", "1.50", "1.5"),
            ("decimal", "2.0", "2"),
            ("decimal", ".5", "0.5"),
            ("decimal", "-0.0", "0"),
            ("decimal", "100", "100"),
            ("decimal", "0.000001", "0.000001"),
            ("decimal", "0.0000001", "1E-7"),
            ("decimal", "0.00000012", "1.2E-7"),
            ("decimal", "0.0000123", "0.0000123"),
            ("double", "1e3", "1000.0"),
            ("double", "5", "5.0"),
            ("double", "1.0E7", "1.0E7"),
            ("double", "9999999", "9999999.0"),
            ("double", "123456789.5", "1.234567895E8"),
            ("double", "0.001", "0.001"),
            ("double", "0.0012", "0.0012"),
            ("double", "0.0001", "1.0E-4"),
            ("double", "-0", "-0.0"),
            ("double", "-INF", "-Infinity"),
            ("double", "1e999", "Infinity"),
            ("float", "0.1", "0.1"),
            ("float", "16777217", "1.6777216E7"),
            ("boolean", "1", "true"),
            ("date", "1990-01-01", "1990-01-01"),
            ("gYear", "1990", "1990"),
            ("string", " x ", " x "),
        ];
        for (datatype, lexical, expected) in cases {
            let expected = LiteralText::Text(expected.to_owned());
            assert_eq!(written(datatype, lexical), Some(expected), "{lexical}^^{datatype}");
        }
    }

    #[test]
    fn other_values() {
        let ill_formed = [
            ("integer", "abc"),
            ("integer", ""),
            ("integer", "1.0"),
            ("byte", "128"),
            ("unsignedInt", "-1"),
            ("positiveInteger", "0"),
            ("decimal", "1e3"),
            ("decimal", "."),
            ("double", "inf"),
            ("boolean", "True"),
            ("date", "1990"),
            ("dateTime", "1990-13-01T00:00:00"),
        ];
        for (datatype, lexical) in ill_formed {
            assert!(written(datatype, lexical).is_none(), "{lexical}^^{datatype}");
        }
        let unknown = written("nothing", "x");
        assert!(unknown.is_some());
        assert_ne!(unknown, unknown, "an identity equals nothing");
    }
}
