//! Times that people and descriptions give: none so long that nobody can count with it.

use std::time::Duration;

/// The longest time that can be said, in seconds: 31 days.
pub const MOST_SECONDS: u32 = 31 * 24 * 60 * 60;

/// So many seconds, if that is a time that can be said.
pub fn time_of(seconds: f64) -> Option<Duration> {
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    (time <= Duration::from_secs(MOST_SECONDS.into())).then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_at_most_31_days() {
        assert_eq!(time_of(1.5), Some(Duration::from_millis(1500)));
        assert_eq!(time_of(2_678_400.0), Some(Duration::from_secs(2_678_400)));
        for wrong in [2_678_400.1, 1e19, 1e300, f64::INFINITY, f64::NAN, -1.0] {
            assert_eq!(time_of(wrong), None, "{wrong}");
        }
    }
}
