//! Values of XSD that are written in several ways, and equal as XML Schema 1.1 Part 2 (section 2.2) compares them.

use std::str::FromStr;

use oxsdatatypes::{Date, DateTime, Duration, TimezoneOffset};

/// The day on which times are compared (XPath and XQuery Functions and Operators 3.1, section 9.7).
const REFERENCE_DAY: &str = "1972-12-31";

/// What all texts of one value have in common: of times and dates with a zone, durations, octets.
pub(crate) fn value(text: &str, datatype: &str) -> Option<String> {
    match datatype {
        "date" => {
            let date = Date::from_str(text).ok().filter(|date| date.timezone_offset().is_some())?;
            Some(format!("date {}", in_utc(DateTime::try_from(date).ok()?)?))
        }
        "time" => {
            let time = DateTime::from_str(&format!("{REFERENCE_DAY}T{text}")).ok()?;
            time.timezone_offset().and_then(|_| in_utc(time)).map(|time| format!("time {time}"))
        }
        "duration" | "dayTimeDuration" | "yearMonthDuration" => duration(text),
        "hexBinary" => {
            let is_hex = text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_hex.then(|| format!("hex {}", text.to_ascii_lowercase()))
        }
        "base64Binary" => {
            let packed: String = text.split_ascii_whitespace().collect();
            let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
            (packed.len().is_multiple_of(4) && packed.bytes().all(is_digit))
                .then(|| format!("base64 {packed}"))
        }
        _ => None,
    }
}

/// A duration as its months and seconds.
pub(crate) fn duration(text: &str) -> Option<String> {
    let is_duration = text.trim_start_matches('-').starts_with('P');
    let duration = is_duration.then(|| Duration::from_str(text).ok())??;
    Some(format!("duration {duration}"))
}

fn in_utc(instant: DateTime) -> Option<DateTime> {
    instant.adjust(Some(TimezoneOffset::UTC))
}
