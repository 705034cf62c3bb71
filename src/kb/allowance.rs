//! How much those who are asked may use.

use std::num::NonZeroUsize;

use crate::base::clock::Instant;
use crate::base::error::Result;
use crate::kb::ask::Limits;
use crate::kb::endpoint::credentials::Credentials;
use crate::kb::endpoint::{Endpoint, Settings};

/// How much a query may use, and how many are asked at the same time.
#[derive(Debug, Clone, Default)]
pub struct Allowance {
    /// How much one query may use.
    pub limits: Limits,
    /// How many queries run at the same time; none: as many as there are processors, fewer where others are asked.
    pub jobs: Option<NonZeroUsize>,
}

impl Allowance {
    /// How many queries run at the same time, and at most so many where nobody said it.
    pub fn jobs(&self, most: usize) -> NonZeroUsize {
        let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(|| processors.min(NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN)))
    }

    /// The endpoint with an address.
    ///
    /// # Errors
    /// Where nobody is there, or the credentials of the environment are wrong.
    pub fn endpoint(&self, address: &str) -> Result<Endpoint> {
        let credentials = Credentials::from_environment()?;
        let endpoint = Endpoint::new(address, Settings::default(), self.limits.clone(), credentials)?;
        endpoint.probe()?;
        Ok(endpoint)
    }
}

/// How a knowledge base was asked.
#[derive(Debug, Clone)]
pub struct Asking {
    /// What one query was allowed to use.
    pub limits: Limits,
    /// When the first query was asked. Of a pinned snapshot it is not kept: it answers the same at any time.
    pub started: Instant,
    /// When the last answer was there.
    pub ended: Instant,
}
