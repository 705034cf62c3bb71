//! How patient a download is.

use std::time::Duration;

/// How long a download waits, and how often it tries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The longest that connecting may take.
    pub connect: Duration,
    /// The longest that nothing may arrive.
    pub idle: Duration,
    /// How often a file is tried in all.
    pub tries: usize,
    /// The wait after the first try; each further one is twice as long.
    pub first_wait: Duration,
    /// The longest wait of our own.
    pub longest_wait: Duration,
    /// The longest wait that a server may ask for (`Retry-After`).
    pub longest_asked: Duration,
    /// How many redirects are followed.
    pub redirects: usize,
    /// Whether the proxy settings of the environment count.
    pub proxies: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            tries: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
            longest_asked: Duration::from_secs(120),
            redirects: 5,
            proxies: true,
        }
    }
}
