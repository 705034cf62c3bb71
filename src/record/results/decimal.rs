//! Numbers as they are published.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::measures::fraction::Fraction;

/// A published decimal: at most 12 digits after the point, no zeros at its end, no point in whole numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Decimal(String);

impl Decimal {
    /// The decimal of a number.
    pub fn of(number: &Fraction) -> Self {
        Self(number.to_decimal())
    }

    /// The decimal that a text writes; nothing where it writes none.
    pub fn parse(text: &str) -> Option<Self> {
        Fraction::parse(text).as_ref().map(Self::of)
    }

    /// The number that it writes.
    pub fn fraction(&self) -> Fraction {
        Fraction::parse(&self.0).unwrap_or_else(Fraction::zero)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// With a fixed number of digits, for display.
    pub fn to_fixed(&self, digits: u32) -> String {
        self.fraction().to_fixed(digits)
    }

    /// Whether it is one.
    pub fn is_one(&self) -> bool {
        self.0 == "1"
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Decimal {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if is_canonical(&text) {
            return Ok(Self(text));
        }
        Self::parse(&text).ok_or_else(|| format!("{text:?} is no decimal"))
    }
}

/// Whether a text is written as decimals are published: most that is read was written by us.
fn is_canonical(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "1"));
    let digits =
        |text: &str| !text.is_empty() && text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(part) && (whole == "0" || !whole.starts_with('0')) && !part.ends_with('0')
}

impl From<Decimal> for String {
    fn from(decimal: Decimal) -> Self {
        decimal.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_canonical() {
        let third = Fraction::ratio(1, 3).map(|third| Decimal::of(&third));
        assert_eq!(third.as_ref().map(Decimal::as_str), Some("0.333333333333"));
        assert_eq!(third.map(|third| third.to_fixed(4)).as_deref(), Some("0.3333"));
        assert_eq!(Decimal::parse("1.50").as_ref().map(Decimal::as_str), Some("1.5"));
        assert!(Decimal::parse("1.0").is_some_and(|one| one.is_one()));
        assert_eq!(Decimal::parse("half"), None);
        for text in
            ["0", "1", "0.5", "10.25", "1.50", "01", ".5", "5.", "0.0", "-0.5", "0.1234567890123", "1e2"]
        {
            let read = Decimal::try_from(text.to_owned()).ok();
            assert_eq!(read, Decimal::parse(text), "{text}");
        }
    }
}
