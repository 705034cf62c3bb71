//! The report of `qassay verify`: for people a table, for scripts JSON.

use serde::Serialize;

use crate::base::error::Result;
use crate::base::text::with_choices;
use crate::record::publish::kinds::GraphKind;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::cause::FirstCause;
use crate::record::verify::compare::Agreement;
use crate::record::verify::execution::PlanDifference;
use crate::record::verify::findings::{Finding, Findings};
use crate::record::verify::numbers::{NumberKind, OtherNumber};
use crate::record::verify::reask::Reasked;
use crate::record::verify::reexecute::execution::{Reproduced, ReproducedExecution};
use crate::record::verify::reexecute::{InputState, Reproduction};
use crate::report::json::NamedEntries;
use crate::report::table::{Column, Layout, Table};

/// How many differences of an execution the table shows; JSON has all.
const MOST_SHOWN: usize = 20;

impl Findings {
    /// The report in a format.
    pub fn render(&self, format: Layout) -> Result<String> {
        Ok(match format {
            Layout::Json => self.json(),
            Layout::Csv => self.table().render(format)?,
            format => {
                let mut text = self.table().render(format)?;
                for table in self.evaluations.iter().flat_map(difference_tables) {
                    text.push('\n');
                    text.push_str(&table.render(format)?);
                }
                text
            }
        })
    }

    /// What came of it, in a word.
    fn word(&self) -> &'static str {
        match (self.failed(), self.is_complete()) {
            (true, _) => "not verified:",
            (false, true) => "verified",
            (false, false) => "verified in part:",
        }
    }

    fn table(&self) -> Table {
        let mut table = Table { title: format!("{} {}", self.word(), self.title), ..Table::default() };
        table.columns = vec![
            Column::text("check", "check"),
            Column::text("about", "about"),
            Column::number("looked at", "looked_at"),
            Column::text("result", "result"),
        ];
        table.rows = self
            .rows
            .iter()
            .map(|row| vec![row.check.clone(), row.about.clone(), row.looked_at.to_string(), row.result()])
            .collect();
        for row in &self.rows {
            let told = row.problems.iter().chain(&row.missing).map(|what| format!("{}: {what}", row.check));
            // An error says on lines of their own what is allowed and what to try.
            table.notes.extend(told.flat_map(|told| told.lines().map(str::to_owned).collect::<Vec<_>>()));
        }
        for verdict in &self.evaluations {
            table.notes.extend(verdict.notes.iter().map(|note| format!("note: {}: {note}", verdict.name())));
        }
        table.notes.extend(self.notes.iter().map(|note| format!("note: {note}")));
        table
    }

    fn json(&self) -> String {
        let report = FindingsView {
            ok: !self.failed(),
            complete: self.is_complete(),
            checks: self.rows.iter().map(FindingView::of).collect(),
            evaluations: self.evaluations.iter().map(ReproductionView::of).collect(),
            notes: &self.notes,
        };
        crate::report::json::text(&report)
    }
}

/// The differences of the executions that differ, for people.
fn difference_tables(verdict: &Reproduction) -> Vec<Table> {
    let shown = |execution: &ReproducedExecution| {
        let agreement = execution.agreement.as_ref()?;
        let number = agreement.differences.len();
        if number == 0 {
            return None;
        }
        let mut table = Table {
            title: format!(
                "{}: {number} of {} numbers and matches differ",
                verdict.name(),
                agreement.compared
            ),
            ..Table::default()
        };
        let names = ["experiment", "about", "what", "recorded", "computed"];
        table.columns = names.map(|name| Column::text(name, name)).to_vec();
        let cell = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        for OtherNumber { experiment, about, property, recorded, computed, .. } in
            agreement.differences.iter().take(MOST_SHOWN)
        {
            table.rows.push(vec![
                experiment.clone(),
                about.clone(),
                property.clone(),
                cell(recorded),
                cell(computed),
            ]);
        }
        if number > MOST_SHOWN {
            let all = with_choices("`⌥format json` has all");
            table.notes.push(format!("and {} more: {all}", number - MOST_SHOWN));
        }
        Some(table)
    };
    verdict.executions.iter().filter_map(shown).collect()
}

#[derive(Serialize)]
struct FindingsView<'a> {
    ok: bool,
    complete: bool,
    checks: Vec<FindingView<'a>>,
    evaluations: Vec<ReproductionView<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingView<'a> {
    check: &'a str,
    about: &'a str,
    looked_at: u64,
    result: String,
    problems: &'a [String],
    missing: &'a [String],
}

impl<'a> FindingView<'a> {
    fn of(finding: &'a Finding) -> Self {
        let Finding { check, about, looked_at, problems, missing, .. } = finding;
        Self { check, about, looked_at: *looked_at, result: finding.result(), problems, missing }
    }
}

#[derive(Serialize)]
struct ReproductionView<'a> {
    evaluation: &'a str,
    system: &'a str,
    profile: &'a str,
    result: Reproduced,
    cause: Option<&'a FirstCause>,
    inputs: &'a [InputState],
    executions: Vec<ExecutionView<'a>>,
    asked: Vec<&'a Reasked>,
    problems: Vec<String>,
    missing: &'a [AbsentPart],
    notes: &'a [String],
}

impl<'a> ReproductionView<'a> {
    fn of(one: &'a Reproduction) -> Self {
        Self {
            evaluation: &one.iri,
            system: &one.system,
            profile: &one.profile,
            result: one.outcome,
            cause: one.cause.as_ref(),
            inputs: &one.inputs,
            executions: one.executions.iter().map(ExecutionView::of).collect(),
            asked: one.asked.iter().map(AsRef::as_ref).collect(),
            problems: one.problems(),
            missing: &one.missing,
            notes: &one.notes,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExecutionView<'a> {
    execution: &'a str,
    result: Reproduced,
    cause: Option<&'a FirstCause>,
    version: &'a str,
    commit: Option<&'a str>,
    scores_digest: &'a str,
    computed_scores_digest: Option<&'a str>,
    match_digest: Option<&'a str>,
    computed_match_digest: Option<&'a str>,
    other_plan: &'a [PlanDifference],
    agreement: Option<AgreementView<'a>>,
    identical: bool,
}

impl<'a> ExecutionView<'a> {
    fn of(execution: &'a ReproducedExecution) -> Self {
        let recorded = &execution.recorded;
        let recorded_digest = |kind| recorded.digests.get(&kind).map(String::as_str);
        let computed = |kind| Some(execution.computed.as_ref()?.get(kind)?.sha256.as_str());
        Self {
            execution: &recorded.iri,
            result: execution.outcome,
            cause: execution.cause.as_ref(),
            version: &recorded.build.version,
            commit: recorded.build.commit.as_deref(),
            scores_digest: recorded_digest(GraphKind::Scores).unwrap_or_default(),
            computed_scores_digest: computed(GraphKind::Scores),
            match_digest: recorded_digest(GraphKind::Matches),
            computed_match_digest: computed(GraphKind::Matches),
            other_plan: &execution.plan,
            agreement: execution.agreement.as_ref().map(AgreementView::of),
            identical: execution.outcome == Reproduced::Same,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AgreementView<'a> {
    compared: u64,
    different: NamedEntries<u64>,
    differences: &'a [OtherNumber],
    new_metrics: u64,
    statements_only_recorded: u64,
    statements_only_computed: u64,
}

impl<'a> AgreementView<'a> {
    fn of(agreement: &'a Agreement) -> Self {
        let counts = NumberKind::ALL.iter().map(|kind| (kind.name().to_owned(), agreement.count(*kind)));
        Self {
            compared: agreement.compared,
            different: NamedEntries::of(counts),
            differences: &agreement.differences,
            new_metrics: agreement.more,
            statements_only_recorded: agreement.only_recorded,
            statements_only_computed: agreement.only_computed,
        }
    }
}
