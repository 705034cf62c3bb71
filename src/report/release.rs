//! The results of blind submissions: all of them, the best of each system marked.

use std::fmt;

use serde::Serialize;

use crate::measures::metric::Metric;
use crate::profiles::ontology::shown_name;
use crate::record::results::decimal::Decimal;
use crate::record::results::{GroupResults, ProfileFacts, Results, TypeResults};
use crate::report::columns::{columns, heading};
use crate::report::evaluations::{alerts, assessor_note, issue_note, query_notes, tie_note};
use crate::report::evaluations::{metric_value, shown, title};
use crate::report::failed;
use crate::report::json::{ChoicesView, Measures, NamedEntries, Num, TieView, measures, ties};
use crate::report::table::{Column, Table};

/// A blind submission that is released.
#[derive(Debug)]
pub struct Released<'a> {
    /// Its acceptance number.
    pub number: u64,
    /// Its results.
    pub results: &'a Results,
    /// Whether it is the best of its system with its profile; of equal ones, the earliest. Without a value to
    /// compare, none is, and the gold file itself never is.
    pub is_best: bool,
}

/// A blind submission that cannot be scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotScored {
    /// Its acceptance number.
    pub number: u64,
    /// The name of the system.
    pub system: String,
    /// The name of the profile.
    pub profile: String,
    /// The error.
    pub why: String,
}

impl fmt::Display for NotScored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not scored: {}", who(&self.system, self.number, &self.profile), self.why)
    }
}

/// What a submission is called.
fn who(system: &str, number: u64, profile: &str) -> String {
    format!("{system} (no. {number}, {profile})")
}

impl<'a> Released<'a> {
    fn scored(&self) -> Option<&'a TypeResults> {
        self.results.experiment("QA")
    }

    fn all(&self) -> Option<&'a GroupResults> {
        self.scored()?.all()
    }

    /// What it is called: one system may have several.
    fn who(&self) -> String {
        who(&self.results.submission.name, self.number, &self.results.profile.name)
    }

    /// The value that decides.
    fn rank(&self) -> Option<&'a Decimal> {
        metric_value(self.all()?, &self.results.profile.ranked_by?.to_string())
    }

    fn is_rival(&self, other: &Self) -> bool {
        let (one, other) = (self.results, other.results);
        one.submission.name == other.submission.name && one.profile.iri == other.profile.iri
    }
}

/// Results of blind submissions with their acceptance numbers, in their order; says which are the best.
pub fn released<'a>(results: &'a [Results], numbers: impl Iterator<Item = u64>) -> Vec<Released<'a>> {
    let one = |(results, number)| Released { number, results, is_best: false };
    let mut all: Vec<Released<'a>> = results.iter().zip(numbers).map(one).collect();
    all.sort_by_key(|one| one.number);
    let key = |one: &Released<'_>| (one.rank().map(Decimal::fraction), std::cmp::Reverse(one.number));
    let beats = |one: &Released<'_>, other: &Released<'_>| key(one) > key(other);
    let ranks = |one: &Released<'_>| one.rank().is_some() && !one.results.is_of_gold_file();
    let is_best = |one: &Released<'_>| {
        ranks(one) && !all.iter().any(|other| one.is_rival(other) && ranks(other) && beats(other, one))
    };
    let best: Vec<bool> = all.iter().map(is_best).collect();
    for (one, is_best) in all.iter_mut().zip(best) {
        one.is_best = is_best;
    }
    all
}

/// One row a submission.
pub fn released_table(
    released: &[Released<'_>],
    not_scored: &[NotScored],
    results: &[Results],
    digits: Option<u32>,
) -> Table {
    let mut keys = ["system", "profile", "best"].map(|name| Column::text(name, name)).to_vec();
    keys.insert(2, Column::number("no.", "number"));
    let title = format!("{}, submissions of the test phase", title(results));
    let mut table = Table { title, columns: keys, ..Table::default() };
    let metrics = columns(results);
    table
        .columns
        .extend(metrics.iter().map(|(metric, heading)| Column::number(heading, &metric.to_string())));
    for one in released {
        let mut row = vec![
            one.results.submission.name.clone(),
            one.results.profile.name.clone(),
            one.number.to_string(),
            if one.is_best { "best" } else { "" }.to_owned(),
        ];
        let cell = |metric: Metric| {
            one.all().map_or_else(|| "-".to_owned(), |all| shown(one.results, all, metric, digits))
        };
        row.extend(metrics.iter().map(|(metric, _)| cell(*metric)));
        table.rows.push(row);
        let note = best_note(&one.results.profile);
        if !table.notes.contains(&note) {
            table.notes.push(note);
        }
    }
    let left_out = not_scored.iter().map(|one| who(&one.system, one.number, &one.profile));
    let left_out: Vec<String> = left_out.collect();
    if !left_out.is_empty() {
        table.notes.push(format!("not scored: {}", left_out.join(", ")));
    }
    table.alerts = alerts(results);
    table.notes.extend(released.iter().flat_map(|one| tie_note(one.results, &one.who())));
    table.notes.extend(assessor_note(results));
    table.notes.extend(query_notes(results));
    table.notes.extend(released.iter().filter_map(|one| issue_note(one.results, &one.who())));
    table
}

/// What decides which submission of a system is the best.
fn best_note(profile: &ProfileFacts) -> String {
    let name = &profile.name;
    match profile.ranked_by {
        Some(metric) => {
            format!("best of its system ({name}): by {}, of equal ones the earlier", heading(metric))
        }
        None => {
            format!(
                "best of its system ({name}): none is marked, since the profile says no measure to rank by"
            )
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReleaseView<'a> {
    released: Vec<ReleasedView<'a>>,
    not_scored: Vec<NotScoredView<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReleasedView<'a> {
    system: &'a str,
    profile: &'a str,
    number: u64,
    best: bool,
    ranked_by: Option<String>,
    rank: Option<Num<'a>>,
    submission: &'a str,
    evaluation: &'a str,
    dataset_version: &'a str,
    measures: Option<Measures<'a>>,
    ties: Option<NamedEntries<TieView<'a>>>,
    failed: Vec<&'a str>,
    #[serde(flatten)]
    choices: ChoicesView<'a>,
}

#[derive(Serialize)]
struct NotScoredView<'a> {
    system: &'a str,
    profile: &'a str,
    number: u64,
    error: &'a str,
}

impl<'a> ReleasedView<'a> {
    fn of(one: &Released<'a>) -> Self {
        let results = one.results;
        let failed = one.scored().map(|experiment| failed::of(results, experiment));
        Self {
            system: &results.submission.name,
            profile: &results.profile.name,
            number: one.number,
            best: one.is_best,
            ranked_by: results.profile.ranked_by.map(shown_name),
            rank: one.rank().map(Num),
            submission: &results.submission.iri,
            evaluation: &results.iri,
            dataset_version: &results.dataset.iri,
            measures: one.all().map(measures),
            ties: one.all().map(ties),
            failed: failed.into_iter().flatten().map(|(question, _)| question.key.as_str()).collect(),
            choices: ChoicesView::of(results),
        }
    }
}

/// All of it for scripts.
pub fn released_json<'a>(released: &'a [Released<'a>], not_scored: &'a [NotScored]) -> impl Serialize + 'a {
    let left_out = not_scored.iter().map(|one| NotScoredView {
        system: &one.system,
        profile: &one.profile,
        number: one.number,
        error: &one.why,
    });
    ReleaseView { released: released.iter().map(ReleasedView::of).collect(), not_scored: left_out.collect() }
}
