//! What string a cell of a QALD file becomes in GERBIL (statement A.2).

use crate::profiles::loaders::gerbil_calendar::normalised;

const BOOLEAN: &str = "http://www.w3.org/2001/XMLSchema#boolean";
const DATE: &str = "http://www.w3.org/2001/XMLSchema#date";

/// The string of a binding, from the text of its `value` (statement A.2).
///
/// Only where the key `datatype` stands before the key `value`, booleans and dates are converted; so the order
/// of the keys in the JSON changes answers.
pub fn cell_text(value: &str, datatype: Option<&str>, datatype_first: bool) -> String {
    match datatype.filter(|_| datatype_first) {
        Some(BOOLEAN) => value.eq_ignore_ascii_case("true").to_string(),
        // what Java cannot read as a date at all is kept: the statement does not say
        Some(DATE) => reformatted(value).unwrap_or_else(|| value.to_owned()),
        _ => value.to_owned(),
    }
}

/// The string of the key `boolean`: JSON booleans and strings, in lower case (statement A.2).
pub fn boolean_text(value: &str) -> String {
    value.to_lowercase()
}

/// The string of a date in QALD-XML: what Java cannot read as a date is kept, without white space around it.
pub fn date_text(value: &str) -> String {
    reformatted(value).unwrap_or_else(|| value.trim().to_owned())
}

/// A date read leniently by Java's `SimpleDateFormat("yyyy-MM-dd")` and written by it.
///
/// Years before Christ lose their sign when Java writes them; what follows the day is ignored.
fn reformatted(text: &str) -> Option<String> {
    let (year, text) = number(text)?;
    let (month, text) = number(text.strip_prefix('-')?)?;
    let (day, _) = number(text.strip_prefix('-')?)?;
    let (year, month, day) = normalised(year, month, day);
    let year_of_era = if year > 0 { year } else { 1 - year };
    Some(format!("{year_of_era:04}-{month:02}-{day:02}"))
}

/// A number at the start, after blanks and perhaps a minus, and the rest. More digits than Java's `int` takes are
/// no number here (there they overflow).
fn number(text: &str) -> Option<(i64, &str)> {
    let text = text.trim_start_matches([' ', '\t']);
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let value = digits[..end].parse::<i32>().ok()?;
    Some((sign * i64::from(value), &digits[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_a_2_key_order_decides() {
        assert_eq!(cell_text("1990-1-5Z", Some(DATE), true), "1990-01-05");
        assert_eq!(cell_text("1990-1-5Z", Some(DATE), false), "1990-1-5Z");
        assert_eq!(cell_text("1", Some(BOOLEAN), true), "false");
        assert_eq!(cell_text("TRUE", Some(BOOLEAN), true), "true");
        assert_eq!(cell_text("TRUE", Some(BOOLEAN), false), "TRUE");
        assert_eq!(cell_text("8.0", None, true), "8.0");
        assert_eq!(cell_text("1990-1-5", Some("http://www.w3.org/2001/XMLSchema#gYear"), true), "1990-1-5");
        assert_eq!(["True", "false"].map(boolean_text), ["true", "false"]);
    }

    #[test]
    fn s_a_2_lenient_dates() {
        // each as OpenJDK 17 says
        let cases = [
            ("1990-01-05T00:00:00Z", "1990-01-05"),
            ("1990-13-1", "1991-01-01"),
            ("-0044-03-15", "0045-03-15"),
            ("44-3-15", "0044-03-15"),
            ("12345-1-1", "12345-01-01"),
            ("1990--1-5", "1989-11-05"),
            ("1990-1--5", "1989-12-26"),
            ("0000-01-01", "0001-01-01"),
            ("-1-1-1", "0002-01-01"),
            ("1582-10-10", "1582-10-20"),
            (" 1990- 1-5", "1990-01-05"),
            ("1990-1-5-6", "1990-01-05"),
        ];
        for (text, expected) in cases {
            assert_eq!(reformatted(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["1990-1", "1990", "1990 -1-5", "+1990-1-5", "1990-+1-5", "(1990)-1-1", "--1-1", ""] {
            assert_eq!(reformatted(text), None, "{text}");
            assert_eq!(cell_text(text, Some(DATE), true), text);
        }
    }
}
