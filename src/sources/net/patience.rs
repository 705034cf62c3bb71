//! How patient one is with a server.

use std::time::Duration;
use std::{iter, thread};

/// How long one waits for a server, and how often one tries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patience {
    /// The longest that connecting may take.
    pub connect: Duration,
    /// The longest that nothing may arrive.
    pub idle: Duration,
    /// How often one tries in all.
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

impl Default for Patience {
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

/// Whether another try makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// It would fail like this one.
    Never,
    /// It may succeed.
    Soon,
    /// It may succeed after the wait that the server asks for.
    After(Duration),
}

impl Again {
    /// After the wait that a server asks for, where it does.
    pub(crate) fn after(asked: Option<Duration>) -> Self {
        asked.map_or(Self::Soon, Self::After)
    }
}

impl Patience {
    /// Tries until it succeeds, another try makes no sense, the server asks for too long a wait, or the tries are used up:
    /// then the last failure is given. `told` hears of each failure that is followed by another try, and of the wait.
    pub(crate) fn tries<T, F>(
        &self,
        mut attempt: impl FnMut() -> Result<T, F>,
        again: impl Fn(&F) -> Again,
        mut told: impl FnMut(&F, Duration),
    ) -> Result<T, F> {
        let double = |wait: &Duration| Some((*wait * 2).min(self.longest_wait));
        let mut waits = iter::successors(Some(self.first_wait), double).take(self.tries.saturating_sub(1));
        loop {
            let failure = match attempt() {
                Ok(found) => return Ok(found),
                Err(failure) => failure,
            };
            let wait = match (again(&failure), waits.next()) {
                (Again::Soon, Some(own)) => own,
                (Again::After(asked), Some(_)) if asked <= self.longest_asked => asked,
                _ => return Err(failure),
            };
            told(&failure, wait);
            thread::sleep(wait);
        }
    }

    /// What is told of a wait that is too long.
    pub(crate) fn refused(&self, again: Again) -> Option<String> {
        let Again::After(asked) = again else { return None };
        (asked > self.longest_asked).then(|| {
            let (asked, longest) = (asked.as_secs(), self.longest_asked.as_secs());
            format!("wants us to wait {asked} seconds, and {longest} are the most")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let ms = Duration::from_millis;
        let patience = Patience {
            tries: 6,
            first_wait: ms(1),
            longest_wait: ms(4),
            longest_asked: ms(3),
            ..Patience::default()
        };
        let waits = |again: &dyn Fn(usize) -> Again| {
            let (mut waits, mut tries) = (Vec::new(), 0);
            let attempt = || {
                tries += 1;
                Err::<(), usize>(tries)
            };
            let last = patience.tries(attempt, |number| again(*number), |_, wait| waits.push(wait));
            (last.unwrap_err(), waits)
        };
        assert_eq!(waits(&|_| Again::Soon), (6, [1, 2, 4, 4, 4].map(ms).to_vec()));
        assert_eq!(waits(&|_| Again::Never), (1, Vec::new()));
        let asks = |number| if number == 2 { Again::After(ms(3)) } else { Again::Soon };
        assert_eq!(waits(&asks).1, [1, 3, 4, 4, 4].map(ms));
        assert_eq!(waits(&|_| Again::After(ms(4))), (1, Vec::new()));
        assert!(patience.refused(Again::After(ms(4))).is_some() && patience.refused(Again::Soon).is_none());
    }
}
