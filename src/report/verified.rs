//! The report of `qassay verify`: for people a table, for scripts JSON.

use serde_json::{Value, json};

use crate::base::error::Result;
use crate::record::verify::cause::Cause;
use crate::record::verify::compare::Agreement;
use crate::record::verify::execution::PlanDifference;
use crate::record::verify::findings::{Finding, Findings};
use crate::record::verify::numbers::{Difference, Kind};
use crate::record::verify::reask::Reasked;
use crate::record::verify::reexecute::execution::ExecutionVerdict;
use crate::record::verify::reexecute::{Outcome, Verdict};
use crate::report::table::{Column, Format, Table};

/// How many differences of an execution the table shows; JSON has all.
const MOST_SHOWN: usize = 20;

impl Findings {
    /// The report in a format.
    pub fn render(&self, format: Format) -> Result<String> {
        Ok(match format {
            Format::Json => self.json(),
            Format::Csv => self.table().render(format)?,
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

    fn table(&self) -> Table {
        let mut table = Table { title: format!("verified {}", self.title), ..Table::default() };
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
        let row = |finding: &Finding| {
            json!({
                "check": finding.check,
                "about": finding.about,
                "lookedAt": finding.looked_at,
                "result": finding.result(),
                "problems": finding.problems,
                "missing": finding.missing,
            })
        };
        let report = json!({
            "ok": !self.failed(),
            "complete": self.is_complete(),
            "checks": self.rows.iter().map(row).collect::<Vec<_>>(),
            "evaluations": self.evaluations.iter().map(verdict_json).collect::<Vec<_>>(),
            "notes": self.notes,
        });
        crate::report::json::text(&report)
    }
}

/// The differences of the executions that differ, for people.
fn difference_tables(verdict: &Verdict) -> Vec<Table> {
    let shown = |execution: &ExecutionVerdict| {
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
        for Difference { experiment, about, property, recorded, computed, .. } in
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
            table.notes.push(format!("and {} more: `--format json` has all", number - MOST_SHOWN));
        }
        Some(table)
    };
    verdict.executions.iter().filter_map(shown).collect()
}

fn verdict_json(verdict: &Verdict) -> Value {
    let inputs = verdict.inputs.iter().map(|input| {
        json!({ "role": input.role, "file": input.path, "sha256": input.sha256, "found": input.found })
    });
    json!({
        "evaluation": verdict.iri,
        "system": verdict.system,
        "profile": verdict.profile,
        "result": verdict.outcome.name(),
        "cause": cause_json(verdict.cause.as_ref()),
        "inputs": inputs.collect::<Vec<_>>(),
        "executions": verdict.executions.iter().map(execution_json).collect::<Vec<_>>(),
        "asked": verdict.asked.iter().map(|reasked| asked_json(reasked)).collect::<Vec<_>>(),
        "problems": verdict.problems(),
        "missing": verdict.missing,
        "notes": verdict.notes,
    })
}

fn asked_json(reasked: &Reasked) -> Value {
    json!({
        "what": reasked.what,
        "knowledgeBase": reasked.knowledge_base,
        "queries": reasked.questions,
        "otherQuestions": reasked.other,
        "cause": cause_json(reasked.cause.as_ref()),
        "missing": reasked.missing,
    })
}

fn cause_json(cause: Option<&Cause>) -> Value {
    cause.map_or(
        Value::Null,
        |cause| json!({ "kind": cause.kind.name(), "text": cause.text, "files": cause.files }),
    )
}

fn execution_json(execution: &ExecutionVerdict) -> Value {
    let recorded = &execution.recorded;
    let plan = |file: &PlanDifference| json!({ "path": file.path, "recorded": file.recorded, "thisProgram": file.this });
    json!({
        "execution": recorded.iri,
        "result": execution.outcome.name(),
        "cause": cause_json(execution.cause.as_ref()),
        "version": recorded.build.version,
        "commit": recorded.build.commit,
        "scoresDigest": recorded.scores,
        "computedScoresDigest": execution.computed.as_ref().map(|(scores, _)| scores),
        "matchDigest": recorded.matches,
        "computedMatchDigest": execution.computed.as_ref().map(|(_, matches)| matches),
        "otherPlan": execution.plan.iter().map(plan).collect::<Vec<_>>(),
        "agreement": execution.agreement.as_ref().map(agreement_json),
        "identical": execution.outcome == Outcome::Same,
    })
}

fn agreement_json(agreement: &Agreement) -> Value {
    let difference = |difference: &Difference| {
        json!({
            "kind": difference.kind.name(),
            "experiment": difference.experiment,
            "about": difference.about,
            "property": difference.property,
            "recorded": difference.recorded,
            "computed": difference.computed,
        })
    };
    let counts: serde_json::Map<String, Value> =
        Kind::ALL.iter().map(|kind| (kind.name().to_owned(), agreement.count(*kind).into())).collect();
    json!({
        "compared": agreement.compared,
        "different": counts,
        "differences": agreement.differences.iter().map(difference).collect::<Vec<_>>(),
        "newMetrics": agreement.more,
        "statementsOnlyRecorded": agreement.only_recorded,
        "statementsOnlyComputed": agreement.only_computed,
    })
}
