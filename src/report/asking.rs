//! What came of asking live systems: how many questions ended how, how long it took, what went wrong.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Number, Value, json};

use crate::base::text::{self, beginning};
use crate::base::vocab::code;
use crate::measures::fraction::Fraction;
use crate::profiles::ontology::{property, systems};
use crate::record::asking::KeptExchange;
use crate::report::table::{Column, Table};
use crate::sources::failure_kind::FailureKind;
use crate::systems::exchange::Call;
use crate::systems::failure::AskFailure;
use crate::systems::run::seconds;
use crate::systems::tally::{AskedTally, ERROR_RATE, TIMES};
use crate::systems::warc::Try;

/// How many lines of a body are shown.
const MOST_LINES: usize = 12;
/// How many characters of a line are shown.
const LONGEST_LINE: usize = 160;

/// The exchange of the last try at a question for people: what was sent, and the first lines of what came.
pub fn exchange(kept: &KeptExchange) -> String {
    let Some(last) = kept.tries.last() else { return String::new() };
    let kind = kept.failure.as_ref().map_or_else(String::new, |failure| format!(": {}", failure.told_kind()));
    let mut lines = vec![format!("exchange ({}){kind}", counted_tries(kept.tries.len()))];
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

/// The same for scripts, with all tries.
pub fn exchange_json(kept: &KeptExchange) -> Option<Value> {
    let first = kept.tries.first()?;
    let call = |call: &Call| {
        let request = String::from_utf8_lossy(&call.request);
        let received = call.received.as_ref().ok();
        json!({
            "method": request.split(' ').next().unwrap_or_default(),
            "address": call.address,
            "sentAt": call.sent_at,
            "seconds": call.took.as_secs_f64(),
            "status": received.map(|received| received.status),
            "mediaType": received.and_then(|received| received.header("Content-Type")),
            "bytes": received.map(|received| received.body.len()),
            "beginning": received.map(|received| beginning(&received.shown(), MOST_LINES * LONGEST_LINE)),
            "failure": call.received.as_ref().err().map(failure_json),
        })
    };
    let one = |one: &Try| {
        json!({
            "exchange": one.exchange(),
            "number": one.about.number,
            "calls": one.calls.iter().map(call).collect::<Vec<_>>(),
        })
    };
    Some(json!({
        "language": first.about.language,
        "text": first.about.text,
        "failure": kept.failure.as_ref().map(failure_json),
        "tries": kept.tries.iter().map(one).collect::<Vec<_>>(),
    }))
}

fn failure_json(failure: &AskFailure) -> Value {
    json!({ "kind": failure.told_kind().name(), "message": failure.message })
}

/// The table of all systems; for people without the measures that only explain numbers of others.
pub fn asked(tallies: &[AskedTally], is_for_people: bool) -> Table {
    let times = if is_for_people { &TIMES[..SHOWN_TIMES] } else { &TIMES[..] };
    let mut table = Table { title: "asked".to_owned(), ..Table::default() };
    table.columns = std::iter::once(Column::text("system", "system"))
        .chain(COUNTS.map(|name| Column::number(name, name)))
        .chain(times.iter().map(|name| Column::number(heading(name), name)))
        .chain((!is_for_people).then(|| Column::number(heading(ERROR_RATE), ERROR_RATE)))
        .collect();
    let row = |one: &AskedTally| {
        let shown = |value: Option<Fraction>| match value {
            Some(value) if is_for_people => value.to_fixed(DIGITS),
            Some(value) => value.to_decimal(),
            None => "-".to_owned(),
        };
        let rate = (!is_for_people).then(|| shown(one.error_rate()));
        std::iter::once(one.system.clone())
            .chain(counts(one).map(|count| count.to_string()))
            .chain(times.iter().map(|name| shown(one.time(name))))
            .chain(rate)
            .collect()
    };
    table.rows = tallies.iter().map(row).collect();
    table
}

/// How many of the measures of time people see.
const SHOWN_TIMES: usize = 4;

/// How many digits behind the point they see: exchanges are kept in milliseconds.
const DIGITS: u32 = 3;

/// The counts of a system, in the order of columns.
const COUNTS: [&str; 8] =
    ["questions", "answered", "queries", "empty", "errors", "timeouts", "missing", "tries"];

fn counts(one: &AskedTally) -> [usize; 8] {
    [
        one.questions,
        one.answered,
        one.queries,
        one.empty,
        one.errors,
        one.timeouts,
        one.missing(),
        one.tries as usize,
    ]
}

/// The heading of a measure, from the ontology.
fn heading(name: &'static str) -> &'static str {
    systems().text(&code::iri(name), &property("heading")).unwrap_or(name)
}

/// Who was asked, and where what came of it is.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedWhom {
    /// The address, without user part and secrets.
    pub address: String,
    /// The name of the protocol.
    pub protocol: String,
    /// The IRI of the submission.
    pub submission: String,
    /// The file of the submission.
    pub file: String,
    /// Why the run was stopped before its end, if it was.
    pub stopped: Option<String>,
}

/// What came of asking a system, for scripts.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedView {
    system: String,
    #[serde(flatten)]
    about: AskedWhom,
    #[serde(flatten)]
    counts: BTreeMap<&'static str, usize>,
    measures: BTreeMap<&'static str, Option<Number>>,
    failures: Vec<FailureView>,
}

/// How many questions failed in one way.
#[derive(Debug, Clone, Serialize)]
struct FailureView {
    kind: String,
    questions: usize,
    rate: Option<Number>,
    last: String,
}

impl AskedView {
    /// What came of asking a system.
    pub fn of(about: AskedWhom, tally: &AskedTally) -> Self {
        let number = |value: Option<Fraction>| serde_json::from_str(&value?.to_decimal()).ok();
        let rate = |count: usize| number(Fraction::ratio(count as u64, tally.asked() as u64));
        let failure = |(kind, (questions, last)): (&FailureKind, &(usize, String))| FailureView {
            kind: kind.to_string(),
            questions: *questions,
            rate: rate(*questions),
            last: last.clone(),
        };
        let times = TIMES.into_iter().map(|name| (name, number(tally.time(name))));
        Self {
            system: tally.system.clone(),
            about,
            counts: COUNTS.into_iter().zip(counts(tally)).collect(),
            measures: times.chain([(ERROR_RATE, number(tally.error_rate()))]).collect(),
            failures: tally.kinds.iter().map(failure).collect(),
        }
    }
}

/// What `qassay ask --format json` prints.
#[derive(Debug, Clone, Serialize)]
pub struct AskingView {
    asked: Vec<AskedView>,
    #[serde(flatten)]
    scored: Option<Value>,
}

impl AskingView {
    /// What came of asking, with the scores of the answers as `qassay evaluate` prints them.
    pub fn of(asked: Vec<AskedView>, scored: Option<Value>) -> Self {
        Self { asked, scored }
    }
}
