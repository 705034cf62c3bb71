//! What string a cell of a QALD file becomes in GERBIL (statement A.2).

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

/// The year of the change to the Gregorian calendar: 4 October is followed by 15 October.
const YEAR_OF_REFORM: i64 = 1582;

/// Which years are leap years.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Calendar {
    Julian,
    Gregorian,
}

/// Year, month and day after the overflow of months and days into the larger units; year 0 is 1 BC.
pub(crate) fn normalised(year: i64, month: i64, day: i64) -> (i64, i64, i64) {
    let written_as_julian = year < YEAR_OF_REFORM;
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    let number = |calendar: Calendar| calendar.day_number(year, month) + day - 1;
    let reform = Calendar::Gregorian.day_number(YEAR_OF_REFORM, 10) + 14;
    let gregorian = number(Calendar::Gregorian);
    // Java looks at the year as it is written, before the months overflow
    let number = if written_as_julian || gregorian < reform { number(Calendar::Julian) } else { gregorian };
    if number >= reform { Calendar::Gregorian.date(number) } else { Calendar::Julian.date(number) }
}

impl Calendar {
    /// The number of the first day of a year that starts in March, the first of Gregorian year 0 being 0.
    fn first_of_march(self, year: i64) -> i64 {
        let centuries = match self {
            // the calendars agree in the third century
            Self::Julian => 2,
            Self::Gregorian => year.div_euclid(100) - year.div_euclid(400),
        };
        365 * year + year.div_euclid(4) - centuries
    }

    /// The number of the first day of a month, 1 to 12.
    fn day_number(self, year: i64, month: i64) -> i64 {
        let year = if month < 3 { year - 1 } else { year };
        self.first_of_march(year) + days_since_march((month + 9) % 12)
    }

    fn date(self, number: i64) -> (i64, i64, i64) {
        // too low for times after year 0, too high before; refined until it holds
        let mut year = number.div_euclid(366);
        while self.first_of_march(year + 1) <= number {
            year += ((number - self.first_of_march(year + 1)) / 366).max(1);
        }
        while self.first_of_march(year) > number {
            year -= 1;
        }
        let rest = number - self.first_of_march(year);
        let month = (5 * rest + 2) / 153;
        let day = rest - days_since_march(month) + 1;
        if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
    }
}

/// The days before a month that is counted from March on.
fn days_since_march(month: i64) -> i64 {
    (153 * month + 2) / 5
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

#[cfg(test)]
mod gerbil_calendar_tests {
    use super::*;

    #[test]
    fn java_dates() {
        // each as OpenJDK 17 says
        let cases = [
            ((1990, 1, 5), (1990, 1, 5)),
            ((1990, 13, 1), (1991, 1, 1)),
            ((1990, -1, 5), (1989, 11, 5)),
            ((1990, 1, -5), (1989, 12, 26)),
            ((1990, 0, 0), (1989, 11, 30)),
            ((1582, 10, 10), (1582, 10, 20)),
            ((1582, 10, 4), (1582, 10, 4)),
            ((1582, 10, 15), (1582, 10, 15)),
            ((1500, 2, 29), (1500, 2, 29)),
            ((1990, 1, 99999), (2263, 10, 15)),
            ((1990, 99999, 1), (10323, 3, 1)),
            ((0, 1, 1), (0, 1, 1)),
            ((1, 1, 0), (0, 12, 31)),
            ((1581, 20, 2601), (1589, 9, 23)),
        ];
        for ((year, month, day), expected) in cases {
            assert_eq!(normalised(year, month, day), expected, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn days_of_both_calendars_stay() {
        for year in -2000..3000 {
            for month in 1..=12 {
                for day in [1, 28] {
                    assert_eq!(normalised(year, month, day), (year, month, day));
                }
            }
        }
    }
}
