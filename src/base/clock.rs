//! The only place that reads the time. Published graphs of an evaluation never see it; only executions do.

use std::time::{Duration, SystemTime};

use crate::base::error::{Error, Result};

/// An instant as the clock said it, and what it means for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instant {
    /// Nanoseconds since 1970.
    pub nanoseconds: i128,
    /// `xsd:dateTime` in UTC with milliseconds at most.
    pub date_time: String,
}

/// Now, in UTC with milliseconds: a lexical form that no store rewrites. An error where the clock of the machine is wrong.
#[expect(clippy::disallowed_methods, reason = "this is the one place")]
pub fn now() -> Result<Instant> {
    instant(SystemTime::now())
}

/// Measures how long something takes, where that decides what is worth doing and no result.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(std::time::Instant);

impl Stopwatch {
    /// It runs from now on.
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }

    /// How long it has run.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A time, if it can be one of our days. The evaluator of queries takes none before 1970, the calendar none after 9999.
fn instant(time: SystemTime) -> Result<Instant> {
    let stamp = jiff::Timestamp::try_from(time).ok().filter(|stamp| *stamp >= jiff::Timestamp::UNIX_EPOCH);
    let stamp = stamp.ok_or_else(|| {
        Error::system("the clock of this machine is wrong: it says no time between 1970 and 9999")
            .hint("set it; what is recorded says when it was made")
    })?;
    let text = stamp.strftime("%Y-%m-%dT%H:%M:%S%.3f").to_string();
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    Ok(Instant { nanoseconds: stamp.as_nanosecond(), date_time: format!("{text}Z") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_that_are_wrong_are_told() {
        let at = |seconds| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)).expect("a time");
        let said = |time| instant(time).map(|instant| instant.date_time).map_err(|error| error.to_string());
        assert_eq!(said(at(0)).as_deref(), Ok("1970-01-01T00:00:00Z"));
        assert_eq!(said(at(0) + Duration::from_millis(1_500)).as_deref(), Ok("1970-01-01T00:00:01.5Z"));
        assert_eq!(said(at(253_402_207_200)).as_deref(), Ok("9999-12-30T22:00:00Z"));
        for wrong in
            [at(0) - Duration::from_nanos(1), at(0) - Duration::from_secs(1_000_000_000), at(1 << 40)]
        {
            let told = said(wrong).expect_err("an error");
            assert!(told.starts_with("the clock of this machine is wrong"), "{told}");
        }
    }
}
