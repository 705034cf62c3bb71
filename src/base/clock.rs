//! The only place that reads the time. Published graphs of an evaluation never see it; only executions do.

/// An instant as the clock said it, and what it means for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instant {
    /// Nanoseconds since 1970.
    pub nanoseconds: i128,
    /// `xsd:dateTime` in UTC with milliseconds at most.
    pub date_time: String,
}

/// Now, in UTC with milliseconds: a lexical form that no store rewrites.
pub fn now() -> Instant {
    let now = jiff::Timestamp::now();
    let nanoseconds = now.as_nanosecond();
    let text = now.strftime("%Y-%m-%dT%H:%M:%S%.3f").to_string();
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    Instant { nanoseconds, date_time: format!("{text}Z") }
}
