//! Numbers as exact decimal numerals: confidences and times never go through floating point.

/// The largest exponent that is written out; no confidence or time needs more.
const MOST_EXPONENT: i64 = 400;

/// The most digits before the point: sums and means of such numbers still fit into the decimals of every store.
const MOST_WHOLE_DIGITS: i64 = 15;

/// The plain decimal numeral (`-12.5`) of a number as written (`-1.25e1`), multiplied by `10^shift`.
pub(crate) fn decimal(written: &str, shift: i64) -> Option<String> {
    let written = written.trim();
    // Most are plain as they stand.
    if shift == 0 && is_numeral(written) {
        return Some(written.to_owned());
    }
    let (negative, unsigned) = match written.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, written.strip_prefix('+').unwrap_or(written)),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || exponent.abs() > MOST_EXPONENT {
        return None;
    }
    let point = i64::try_from(whole.len()).ok()? + exponent + shift;
    if point > MOST_WHOLE_DIGITS {
        return None;
    }
    Some(format!("{}{}", if negative { "-" } else { "" }, with_point(&digits, point)))
}

/// Puts the point after the first `point` digits; fills up with zeros where the digits do not reach.
fn with_point(digits: &str, point: i64) -> String {
    let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    let (whole, fraction) = if point <= 0 {
        (String::new(), zeros(-point) + digits)
    } else if point >= length {
        (digits.to_owned() + &zeros(point - length), String::new())
    } else {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
        (whole.to_owned(), fraction.to_owned())
    };
    let significant = whole.trim_start_matches('0');
    let whole = if significant.is_empty() { "0" } else { significant };
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// Whether a numeral is one as the readers write it: `-12.50`.
pub(crate) fn is_numeral(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').map_or((unsigned, None), |(w, f)| (w, Some(f)));
    let is_short = whole == "0" || whole.len() <= 15 && !whole.starts_with('0');
    digits(whole) && is_short && fraction.is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_exact() {
        let cases = [
            ("0.90", "0.90"),
            (" 1 ", "1"),
            ("+.5", "0.5"),
            ("5.", "5"),
            ("-1.25e1", "-12.5"),
            ("1e-7", "0.0000001"),
            ("4.5E2", "450"),
            ("007", "7"),
            ("0", "0"),
        ];
        for (written, expected) in cases {
            assert_eq!(decimal(written, 0).as_deref(), Some(expected), "{written}");
        }
        assert_eq!(decimal("1500", -3).as_deref(), Some("1.500"));
        for odd in ["", ".", "e.g. 0.9...", "1,5", "NaN", "1e9999", "--1", "0x10", "1 2"] {
            assert_eq!(decimal(odd, 0), None, "{odd}");
        }
    }
}
