//! What came of asking a system: how many questions ended how, how long it took, how often it failed. The measures are
//! those of `code:askingMetric` in `ontology/systems.ttl`.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::base::text::{beginning, counted};
use crate::measures::fraction::Fraction;
use crate::sources::failure_kind::FailureKind;
use crate::systems::description::{Protocol, ReplyKind};
use crate::systems::replay::AskOutcome;

/// What came of asking one system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedTally {
    /// The name of the system.
    pub system: String,
    /// How many questions were to be asked.
    pub questions: usize,
    /// How many have answers.
    pub answered: usize,
    /// How many have a query and no answers: it is still to be run.
    pub queries: usize,
    /// How many have a reply that says that there is no answer.
    pub empty: usize,
    /// How many failed in another way than by time.
    pub errors: usize,
    /// How many took too long.
    pub timeouts: usize,
    /// How many failed in each way, with the message of the last of them.
    pub kinds: BTreeMap<FailureKind, (usize, String)>,
    /// The tries in all.
    pub tries: u32,
    /// The time of the last try at each question that was asked, in order.
    times: Vec<Duration>,
    /// The time of the last try at each question with a reply, together.
    replied: Duration,
    /// The time of all tries, together.
    tried: Duration,
}

/// A value of a measure of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskingMeasure {
    /// The name of the measure, a concept of `code:askingMetric`.
    pub name: &'static str,
    /// Where it is about failures of one kind: which.
    pub kind: Option<FailureKind>,
    /// The value: seconds, or a share from 0 to 1.
    pub value: Fraction,
    /// Over how many questions.
    pub sample_size: usize,
}

/// The names of the measures of time, in the order of tables.
pub const TIMES: [&str; 6] = [
    "meanAskingTime",
    "medianAskingTime",
    "percentile95AskingTime",
    "totalAskingTime",
    "gerbilMeanTime",
    "allTriesMeanTime",
];

/// The name of the measure of failures.
pub const ERROR_RATE: &str = "askingErrorRate";

impl AskedTally {
    /// Counts outcomes.
    pub fn of(system: &str, questions: usize, protocol: &Protocol, outcomes: &[AskOutcome]) -> Self {
        let mut tally = Self { system: system.to_owned(), questions, ..Self::default() };
        for outcome in outcomes {
            tally.add(protocol, outcome);
        }
        tally.times.sort_unstable();
        tally
    }

    fn add(&mut self, protocol: &Protocol, outcome: &AskOutcome) {
        self.tries += outcome.tries;
        self.times.push(outcome.took);
        self.tried += outcome.all_tries_took;
        match &outcome.read {
            Ok(reply) => {
                self.replied += outcome.took;
                match (reply.has_answers(), &reply.query) {
                    (true, _) => self.answered += 1,
                    (false, Some(_)) if protocol.reply.kind == ReplyKind::Query => self.queries += 1,
                    (false, _) => self.empty += 1,
                }
            }
            Err(failure) => {
                let is_late = failure.is_timeout();
                self.timeouts += usize::from(is_late);
                self.errors += usize::from(!is_late);
                let kind = if is_late { FailureKind::Timeout } else { failure.kind };
                let (count, last) = self.kinds.entry(kind).or_default();
                *count += 1;
                *last = match failure.http_status {
                    Some(status) => format!("HTTP {status}: {}", failure.message.trim()),
                    None => failure.message.clone(),
                };
            }
        }
    }

    /// How many questions were asked.
    pub fn asked(&self) -> usize {
        self.times.len()
    }

    /// How many of them have a reply that could be read.
    pub fn replies(&self) -> usize {
        self.answered + self.queries + self.empty
    }

    /// How many questions were not asked.
    pub fn missing(&self) -> usize {
        self.questions.saturating_sub(self.asked())
    }

    /// What went wrong, a line a kind.
    pub fn failures(&self) -> Vec<String> {
        let line = |(kind, (count, last)): (&FailureKind, &(usize, String))| {
            format!("{kind}: {}, the last: {}", counted(*count, "question"), beginning(last.trim(), 120))
        };
        self.kinds.iter().map(line).collect()
    }

    /// The values of all measures that are defined.
    pub fn measures(&self) -> Vec<AskingMeasure> {
        let asked = self.asked();
        let times = TIMES.into_iter().filter_map(|name| {
            let sample_size = if name == "gerbilMeanTime" { self.replies() } else { asked };
            self.time(name).map(|value| AskingMeasure { name, kind: None, value, sample_size })
        });
        let failed = [(None, self.errors + self.timeouts)].into_iter();
        let kinds = self.kinds.iter().map(|(kind, (count, _))| (Some(*kind), *count));
        let rates = failed.chain(kinds).filter_map(|(kind, count)| {
            let value = Fraction::ratio(count as u64, asked as u64)?;
            Some(AskingMeasure { name: ERROR_RATE, kind, value, sample_size: asked })
        });
        times.chain(rates).collect()
    }

    /// The value of a measure of time, in seconds.
    pub fn time(&self, name: &str) -> Option<Fraction> {
        let total = self.times.iter().sum();
        match name {
            "meanAskingTime" => mean(total, self.asked()),
            "medianAskingTime" => self.percentile(50),
            "percentile95AskingTime" => self.percentile(95),
            "totalAskingTime" if self.asked() > 0 => mean(total, 1),
            "gerbilMeanTime" => mean(self.replied, self.replies()),
            "allTriesMeanTime" => mean(self.tried, self.asked()),
            _ => None,
        }
    }

    /// The share of the questions asked that failed.
    pub fn error_rate(&self) -> Option<Fraction> {
        Fraction::ratio((self.errors + self.timeouts) as u64, self.asked() as u64)
    }

    /// The time that so many percent of the questions do not exceed: the nearest rank.
    fn percentile(&self, percent: usize) -> Option<Fraction> {
        let rank = (self.times.len() * percent).div_ceil(100);
        mean(*self.times.get(rank.checked_sub(1)?)?, 1)
    }
}

/// A time in seconds, over a number of questions. Exchanges are kept in whole milliseconds.
fn mean(time: Duration, number: usize) -> Option<Fraction> {
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Fraction::ratio(milliseconds, (number as u64).checked_mul(1000)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::vocab::{dqv, skos};
    use crate::profiles::ontology::systems;
    use crate::systems::choose::AskedText;
    use crate::systems::failure::AskFailure;
    use crate::systems::reply::SystemReply;
    use std::collections::BTreeSet;

    fn outcome(milliseconds: u64, failed: Option<FailureKind>, earlier: u64) -> AskOutcome {
        AskOutcome {
            asked: AskedText { key: "1".to_owned(), language: "en".to_owned(), text: "?".to_owned() },
            exchange: None,
            tries: 1,
            read: failed.map_or_else(|| Ok(SystemReply::default()), |kind| Err(AskFailure::new(kind, "no"))),
            took: Duration::from_millis(milliseconds),
            all_tries_took: Duration::from_millis(milliseconds + earlier),
        }
    }

    fn of(outcomes: &[AskOutcome]) -> AskedTally {
        AskedTally::of("a", 5, Protocol::named("gerbil").unwrap(), outcomes)
    }

    #[test]
    fn each_measure_has_its_own_times() {
        let tally = of(&[
            outcome(1000, None, 0),
            outcome(2000, None, 500),
            outcome(6000, Some(FailureKind::Timeout), 0),
            outcome(30, Some(FailureKind::NotJson), 0),
        ]);
        let told: Vec<_> = tally
            .measures()
            .iter()
            .map(|one| {
                (one.name, one.kind.map_or("", |kind| kind.name()), one.value.to_decimal(), one.sample_size)
            })
            .collect();
        let expected = [
            ("meanAskingTime", "", "2.2575", 4),
            ("medianAskingTime", "", "1", 4),
            ("percentile95AskingTime", "", "6", 4),
            ("totalAskingTime", "", "9.03", 4),
            ("gerbilMeanTime", "", "1.5", 2),
            ("allTriesMeanTime", "", "2.3825", 4),
            ("askingErrorRate", "", "0.5", 4),
            ("askingErrorRate", "timeout", "0.25", 4),
            ("askingErrorRate", "not-json", "0.25", 4),
        ];
        assert_eq!(told, expected.map(|(name, kind, value, size)| (name, kind, value.to_owned(), size)));
        assert_eq!((tally.asked(), tally.missing()), (4, 1));
    }

    #[test]
    fn what_nobody_was_asked_has_no_times() {
        assert_eq!(of(&[]).measures(), []);
        let failed = of(&[outcome(5, Some(FailureKind::Tls), 0)]);
        assert_eq!(failed.time("gerbilMeanTime"), None);
        assert_eq!(failed.error_rate(), Some(Fraction::one()));
    }

    #[test]
    fn every_measure_is_defined_and_every_definition_measured() {
        let facts = systems();
        let defined = facts.subjects().filter(|iri| facts.is_a(iri, dqv::METRIC));
        let defined: BTreeSet<&str> = defined.filter_map(|iri| facts.text(iri, skos::NOTATION)).collect();
        assert_eq!(defined, TIMES.into_iter().chain([ERROR_RATE]).collect());
    }
}
