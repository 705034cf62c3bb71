//! What came of asking live systems: how many questions ended how, how long it took, what went wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::base::text::{self, beginning, counted};
use crate::report::table::{Column, Table};
use crate::sources::failure_kind::FailureKind;
use crate::systems::description::{Protocol, ReplyKind};
use crate::systems::replay::{AskOutcome, seconds};
use crate::systems::warc::Try;

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
    /// The times of the questions that have a reply, in order.
    pub times: Vec<Duration>,
    /// The tries in all.
    pub tries: u32,
}

impl AskedTally {
    /// Counts outcomes.
    pub fn of(system: &str, questions: usize, protocol: &Protocol, outcomes: &[AskOutcome]) -> Self {
        let mut tally = Self { system: system.to_owned(), questions, ..Self::default() };
        for outcome in outcomes {
            tally.tries += outcome.tries;
            match &outcome.read {
                Ok(reply) => {
                    tally.times.push(outcome.took);
                    match (reply.has_answers(), &reply.query) {
                        (true, _) => tally.answered += 1,
                        (false, Some(_)) if protocol.reply.kind == ReplyKind::Query => tally.queries += 1,
                        (false, _) => tally.empty += 1,
                    }
                }
                Err(failure) => {
                    let is_late = failure.is_timeout();
                    tally.timeouts += usize::from(is_late);
                    tally.errors += usize::from(!is_late);
                    let kind = if is_late { FailureKind::Timeout } else { failure.kind };
                    let (count, last) = tally.kinds.entry(kind).or_default();
                    *count += 1;
                    last.clone_from(&failure.message);
                }
            }
        }
        tally.times.sort_unstable();
        tally
    }

    /// How many questions were not asked.
    pub fn missing(&self) -> usize {
        let ended = self.answered + self.queries + self.empty + self.errors + self.timeouts;
        self.questions.saturating_sub(ended)
    }

    /// What went wrong, a line a kind.
    pub fn failures(&self) -> Vec<String> {
        let line = |(kind, (count, last)): (&FailureKind, &(usize, String))| {
            format!("{kind}: {}, the last: {}", counted(*count, "question"), beginning(last.trim(), 120))
        };
        self.kinds.iter().map(line).collect()
    }

    /// The time that so many percent of the replies do not exceed: the nearest rank.
    fn percentile(&self, percent: usize) -> Option<Duration> {
        let rank = (self.times.len() * percent).div_ceil(100);
        self.times.get(rank.checked_sub(1)?).copied()
    }

    fn total(&self) -> Duration {
        self.times.iter().sum()
    }

    fn mean(&self) -> Option<Duration> {
        self.total().checked_div(u32::try_from(self.times.len()).ok()?)
    }
}

/// How many lines of a body are shown.
const MOST_LINES: usize = 12;
/// How many characters of a line are shown.
const LONGEST_LINE: usize = 160;

/// The exchange of the last try at a question for people: what was sent, and the first lines of what came.
pub fn exchange(tries: &[Try]) -> String {
    let Some(last) = tries.last() else { return String::new() };
    let mut lines = vec![format!("exchange ({})", counted_tries(tries.len()))];
    for call in &last.calls {
        let request = String::from_utf8_lossy(&call.request);
        let method = request.split(' ').next().unwrap_or_default();
        lines.push(format!("  {method} {}", call.address));
        lines.push(format!("      {}, {} s", call.sent_at, seconds(call.took)));
        match &call.received {
            Ok(received) => {
                let media_type = received.header("Content-Type").unwrap_or("no media type");
                lines.push(format!(
                    "      HTTP {}, {media_type}, {} bytes",
                    received.status,
                    received.body.len()
                ));
                let body = received.shown();
                let shown = body.lines().filter(|line| !line.trim().is_empty()).take(MOST_LINES);
                lines.extend(
                    shown.map(|line| format!("      | {}", beginning(line.trim_end(), LONGEST_LINE))),
                );
            }
            Err(failure) => {
                lines.push(format!("      {}: {}", failure.kind, beginning(&failure.message, LONGEST_LINE)));
            }
        }
    }
    let safe = lines.iter().map(|line| format!("{}\n", text::cell(line)));
    safe.collect()
}

fn counted_tries(number: usize) -> String {
    if number == 1 { "1 try".to_owned() } else { format!("the last of {number} tries") }
}

/// The table of all systems.
pub fn asked(tallies: &[AskedTally]) -> Table {
    let mut table = Table { title: "asked".to_owned(), ..Table::default() };
    table.columns = vec![
        Column::text("system", "system"),
        Column::number("questions", "questions"),
        Column::number("answered", "answered"),
        Column::number("queries", "queries"),
        Column::number("empty", "empty"),
        Column::number("errors", "errors"),
        Column::number("timeouts", "timeouts"),
        Column::number("missing", "missing"),
        Column::number("tries", "tries"),
        Column::number("mean s", "meanSeconds"),
        Column::number("median s", "medianSeconds"),
        Column::number("95 % s", "percentile95Seconds"),
        Column::number("total s", "totalSeconds"),
    ];
    let row = |one: &AskedTally| {
        let counts = [
            one.questions,
            one.answered,
            one.queries,
            one.empty,
            one.errors,
            one.timeouts,
            one.missing(),
            one.tries as usize,
        ];
        let times = [one.mean(), one.percentile(50), one.percentile(95), Some(one.total())];
        let times = times.map(|time| time.map_or_else(|| "-".to_owned(), seconds));
        let first = std::iter::once(one.system.clone());
        first.chain(counts.map(|count| count.to_string())).chain(times).collect()
    };
    table.rows = tallies.iter().map(row).collect();
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_nearest_rank() {
        let of = |times: &[u64]| AskedTally {
            times: times.iter().copied().map(Duration::from_millis).collect(),
            ..AskedTally::default()
        };
        let three = of(&[1000, 2000, 6000]);
        assert_eq!(three.mean(), Some(Duration::from_secs(3)));
        assert_eq!(three.percentile(50), Some(Duration::from_secs(2)));
        assert_eq!(three.percentile(95), Some(Duration::from_secs(6)));
        assert_eq!(of(&[1, 2, 3, 4]).percentile(50), Some(Duration::from_millis(2)));
        assert_eq!((of(&[]).mean(), of(&[]).percentile(95)), (None, None));
        assert_eq!(asked(&[of(&[])]).rows[0][9..], ["-", "-", "-", "0"]);
    }
}
