//! Names of metrics with a cut-off: that of the family and a number, `accuracyAt5`.

/// The family and the cut-off of a name; nothing where it does not end with a number from 1. One numeral a number, so that a
/// metric has one name: no sign, no zeros in front.
pub fn with_cutoff(metric: &str) -> Option<(&str, u64)> {
    let family = metric.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &metric[family.len()..];
    if digits.starts_with('0') {
        return None;
    }
    Some((family, digits.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_has_one_name() {
        assert_eq!(with_cutoff("accuracyAt5"), Some(("accuracyAt", 5)));
        assert_eq!(with_cutoff("k1At1000000"), Some(("k1At", 1_000_000)));
        for none in ["", "accuracyAt", "accuracyAt0", "accuracyAt05", "accuracyAt99999999999999999999"] {
            assert_eq!(with_cutoff(none), None, "{none}");
        }
        // The sign is no digit, so it is part of a family that does not exist.
        assert_eq!(with_cutoff("accuracyAt+5"), Some(("accuracyAt+", 5)));
    }
}
