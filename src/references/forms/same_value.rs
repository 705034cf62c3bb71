//! One value in several texts: values of XSD that XML Schema 1.1 Part 2 (section 2.2) takes for equal; days, months and
//! years as people and stores write them: unpadded, with a zone, or as the first instant.

use std::str::FromStr;

use oxsdatatypes::{Date, DateTime, Duration, TimezoneOffset};

/// The day on which times are compared (`XPath` and `XQuery` Functions and Operators 3.1, section 9.7).
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

/// What all ways to write one day, month, day of a year, month of a year or day of a month have in common. Zones say nothing.
pub(crate) fn calendar(text: &str) -> Option<String> {
    let text = without_midnight(without_zone(text));
    if let Some(rest) = text.strip_prefix("---") {
        return Some(format!("day of a month {}", number(rest, 31)?));
    }
    if let Some(rest) = text.strip_prefix("--") {
        // XML Schema 1.0 wrote a month `--05--` before its erratum.
        let rest = rest.strip_suffix("--").unwrap_or(rest);
        return match rest.split_once('-') {
            None => Some(format!("month {}", number(rest, 12)?)),
            Some((month, day)) => {
                let (month, day) = (number(month, 12)?, number(day, 31)?);
                // A leap year has all days of a year.
                date(&format!("2000-{month}-{day}")).map(|_| format!("day of a year {month}-{day}"))
            }
        };
    }
    let (before, unsigned) = signed(text);
    let mut parts = unsigned.splitn(3, '-');
    let year = year_number(parts.next()?)?;
    let month = number(parts.next()?, 12)?;
    match parts.next() {
        None => Some(format!("month of {before}{year}-{month}")),
        Some(day) => date(&format!("{before}{year}-{month}-{}", number(day, 31)?)),
    }
}

/// The year that a text names: its number, with a zone or not, or its first instant.
pub(crate) fn year(text: &str) -> Option<String> {
    let text = match text.split_once('T') {
        Some((day, _)) if without_midnight(without_zone(text)) == day => day.strip_suffix("-01-01")?,
        Some(_) => return None,
        None => without_zone(text),
    };
    signed_year(text)
}

/// The year that a date begins.
pub(crate) fn first_of_january(text: &str) -> Option<String> {
    without_midnight(without_zone(text)).strip_suffix("-01-01").and_then(signed_year)
}

fn signed_year(text: &str) -> Option<String> {
    let (before, unsigned) = signed(text);
    year_number(unsigned).map(|year| format!("{before}{year}"))
}

fn signed(text: &str) -> (&str, &str) {
    text.strip_prefix('-').map_or(("", text), |unsigned| ("-", unsigned))
}

/// A year of three digits or more, with four: fewer are numbers.
fn year_number(digits: &str) -> Option<String> {
    let is_year = (3..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_year.then(|| format!("{:04}", digits.parse::<u32>().unwrap_or_default()))
}

/// A month or day of one or two digits, with two.
fn number(digits: &str, most: u8) -> Option<String> {
    let is_short = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: u8 = is_short.then(|| digits.parse().ok())??;
    (1..=most).contains(&number).then(|| format!("{number:02}"))
}

fn date(text: &str) -> Option<String> {
    Date::from_str(text).ok().map(|_| format!("date {text}"))
}

/// A text without the zone at its end.
fn without_zone(text: &str) -> &str {
    if let Some(rest) = text.strip_suffix('Z') {
        return rest;
    }
    let at = text.len().saturating_sub("+00:00".len());
    match (text.get(..at), text.get(at..)) {
        (Some(rest), Some(zone)) if zone.contains(':') && is_zone(zone) => rest,
        _ => text,
    }
}

fn is_zone(zone: &str) -> bool {
    Date::from_str(&format!("2000-01-01{zone}")).is_ok()
}

/// A text without the time at its end, where that is the first instant of a day.
fn without_midnight(text: &str) -> &str {
    let whole = match text.rsplit_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0') => whole,
        _ => text,
    };
    whole.strip_suffix("00:00:00").and_then(|day| day.strip_suffix(['T', ' '])).unwrap_or(text)
}
