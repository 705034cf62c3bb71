//! The results of blind submissions: all of them, the best of each system marked.

use std::fmt;

use serde_json::{Value, json};

use crate::measures::fraction::Fraction;
use crate::profiles::Profile;
use crate::report::columns::{columns, heading};
use crate::report::evaluations::{metric_value, shown, title};
use crate::report::failed;
use crate::report::json::{add_choices, measures, number, ties};
use crate::report::notes::{assessor_note, issue_note, query_notes, tie_note};
use crate::report::table::{Column, Table};
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::{Experiment, Group};
use crate::scoring::groups::ALL;

/// A blind submission that is released.
#[derive(Debug)]
pub struct Released<'a> {
    /// Its acceptance number.
    pub number: u64,
    /// Its evaluation.
    pub evaluation: &'a Evaluation,
    /// Whether it is the best of its system with its profile; of equal ones, the earliest. Without a value to
    /// compare, none is.
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

impl Released<'_> {
    fn scored(&self) -> Option<&Experiment> {
        self.evaluation.experiment("QA")
    }

    fn all(&self) -> Option<&Group> {
        self.scored().and_then(|experiment| experiment.group(ALL))
    }

    /// What it is called: one system may have several.
    fn who(&self) -> String {
        let evaluation = self.evaluation;
        who(&evaluation.submission.system, self.number, &evaluation.profile().name)
    }

    /// The value that decides.
    fn rank(&self) -> Option<&Fraction> {
        metric_value(self.all()?, self.evaluation.profile().ranked_by.as_deref()?)
    }

    fn is_rival(&self, other: &Self) -> bool {
        self.evaluation.submission.system == other.evaluation.submission.system
            && self.evaluation.profile().iri == other.evaluation.profile().iri
    }
}

/// Evaluations of blind submissions with their acceptance numbers, in their order; says which are the best.
pub fn released<'a>(evaluations: &'a [Evaluation], numbers: impl Iterator<Item = u64>) -> Vec<Released<'a>> {
    let one = |(evaluation, number)| Released { number, evaluation, is_best: false };
    let mut all: Vec<Released<'a>> = evaluations.iter().zip(numbers).map(one).collect();
    all.sort_by_key(|one| one.number);
    let beats = |one: &Released<'_>, other: &Released<'_>| {
        (one.rank(), std::cmp::Reverse(one.number)) > (other.rank(), std::cmp::Reverse(other.number))
    };
    let is_best = |one: &Released<'_>| {
        one.rank().is_some() && !all.iter().any(|other| one.is_rival(other) && beats(other, one))
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
    evaluations: &[Evaluation],
    digits: Option<u32>,
) -> Table {
    let mut keys = ["system", "profile", "best"].map(|name| Column::text(name, name)).to_vec();
    keys.insert(2, Column::number("no.", "number"));
    let title = format!("{}, submissions of the test phase", title(evaluations));
    let mut table = Table { title, columns: keys, ..Table::default() };
    let metrics = columns(evaluations);
    table.columns.extend(metrics.iter().map(|(name, heading)| Column::number(heading, name)));
    for one in released {
        let evaluation = one.evaluation;
        let mut row = vec![
            evaluation.submission.system.clone(),
            evaluation.profile().name.clone(),
            one.number.to_string(),
            if one.is_best { "best" } else { "" }.to_owned(),
        ];
        let cell =
            |name: &str| one.all().map_or_else(|| "-".to_owned(), |all| shown(evaluation, all, name, digits));
        row.extend(metrics.iter().map(|(name, _)| cell(name)));
        table.rows.push(row);
        let note = best_note(evaluation.profile());
        if !table.notes.contains(&note) {
            table.notes.push(note);
        }
    }
    let left_out = not_scored.iter().map(|one| who(&one.system, one.number, &one.profile));
    let left_out: Vec<String> = left_out.collect();
    if !left_out.is_empty() {
        table.notes.push(format!("not scored: {}", left_out.join(", ")));
    }
    table.notes.extend(released.iter().flat_map(|one| tie_note(one.evaluation, &one.who())));
    table.notes.extend(assessor_note(evaluations));
    table.notes.extend(query_notes(evaluations));
    table.notes.extend(released.iter().filter_map(|one| issue_note(one.evaluation, &one.who())));
    table
}

/// What decides which submission of a system is the best.
fn best_note(profile: &Profile) -> String {
    let name = &profile.name;
    match &profile.ranked_by {
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

/// All of it for scripts.
pub fn released_json(released: &[Released<'_>], not_scored: &[NotScored]) -> Value {
    let left_out = |one: &NotScored| json!({ "system": one.system, "profile": one.profile, "number": one.number, "error": one.why });
    let one = |one: &Released<'_>| {
        let evaluation = one.evaluation;
        let failed = one.scored().map(|experiment| failed::of(evaluation, experiment));
        let failed: Vec<&str> =
            failed.into_iter().flatten().map(|(question, _)| question.key.as_str()).collect();
        let mut told = json!({
            "system": evaluation.submission.system,
            "profile": evaluation.profile().name,
            "number": one.number,
            "best": one.is_best,
            "rankedBy": evaluation.profile().ranked_by,
            "rank": one.rank().map_or(Value::Null, number),
            "submission": evaluation.submission.iri,
            "evaluation": evaluation.iri,
            "datasetVersion": evaluation.dataset.iri,
            "measures": one.all().map_or(Value::Null, measures),
            "ties": one.all().map(ties),
            "failed": failed,
        });
        add_choices(&mut told, evaluation);
        told
    };
    json!({
        "released": released.iter().map(one).collect::<Vec<_>>(),
        "notScored": not_scored.iter().map(left_out).collect::<Vec<_>>(),
    })
}
