//! Profiles side by side: the questions that they count differently, and the rules that make the difference.

use serde_json::{Map, Value, json};

use crate::base::vocab::{code, dct, skos};
use crate::measures::sets::Counts;
use crate::profiles::ontology;
use crate::report::table::{Column, Table};
use crate::scoring::difference::{Difference, Reason, differences};
use crate::scoring::evaluation::Evaluation;

/// The evaluations of one submission with all profiles, and the questions that these count differently.
struct Compared<'a> {
    evaluations: Vec<&'a Evaluation>,
    differences: Vec<Difference>,
}

fn compared<'a>(evaluations: &'a [Evaluation]) -> Vec<Compared<'a>> {
    let mut groups: Vec<Vec<&Evaluation>> = Vec::new();
    for evaluation in evaluations {
        let is_same = |group: &&mut Vec<&Evaluation>| group[0].submission.iri == evaluation.submission.iri;
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(evaluation),
            None => groups.push(vec![evaluation]),
        }
    }
    let compare = |evaluations: Vec<&'a Evaluation>| {
        let differences = differences(&evaluations);
        Compared { evaluations, differences }
    };
    groups.into_iter().map(compare).collect()
}

/// Two tables: in how many questions each rule makes profiles count differently, and these questions.
pub fn differences_tables(evaluations: &[Evaluation]) -> [Table; 2] {
    let compared = compared(evaluations);
    [summary(&compared), questions(&compared)]
}

/// One row an experiment type and rule: in how many questions it makes profiles count differently.
fn summary(compared: &[Compared<'_>]) -> Table {
    let mut table =
        Table { title: "Why the profiles count questions differently".to_owned(), ..Table::default() };
    table.columns = ["system", "experiment", "profile", "rule", "specs/gerbil.md"]
        .map(|name| Column::text(name, name))
        .to_vec();
    table.columns.push(Column::number("questions", "questions"));
    for Compared { evaluations, differences } in compared {
        let mut rules: Vec<(String, &Reason, usize)> = Vec::new();
        for (difference, reason) in differences.iter().flat_map(|d| d.reasons.iter().map(move |r| (d, r))) {
            let is_same = |(experiment, known, _): &&mut (String, &Reason, usize)| {
                *experiment == difference.experiment
                    && (&known.profile, &known.rule) == (&reason.profile, &reason.rule)
            };
            match rules.iter_mut().find(is_same) {
                Some((_, _, count)) => *count += 1,
                None => rules.push((difference.experiment.clone(), reason, 1)),
            }
        }
        for (experiment, reason, count) in rules {
            table.rows.push(vec![
                evaluations[0].submission.system.clone(),
                experiment,
                reason.profile.clone(),
                label(&reason.rule).to_owned(),
                statement(&reason.rule).map(numbers_only).unwrap_or_default(),
                count.to_string(),
            ]);
        }
    }
    if table.rows.is_empty() {
        table.notes.push("they count every question alike".to_owned());
    }
    table
}

/// `3.3.8 and 3.5.4` of `specs/gerbil.md, statements 3.3.8 and 3.5.4`.
fn numbers_only(source: &str) -> String {
    source.trim_start_matches("specs/gerbil.md, statement").trim_start_matches('s').trim().to_owned()
}

/// One row a question that several profiles count differently: tp/fp/fn of each, and why.
fn questions(compared: &[Compared<'_>]) -> Table {
    let mut table =
        Table { title: "Questions that the profiles count differently".to_owned(), ..Table::default() };
    let profiles = compared.first().map(|first| first.evaluations.as_slice()).unwrap_or_default();
    table.columns = ["system", "experiment", "question"].map(|name| Column::text(name, name)).to_vec();
    for evaluation in profiles {
        let name = &evaluation.profile().name;
        table.columns.push(Column::text(&format!("{name} tp/fp/fn"), name));
    }
    table.columns.push(Column::text("why", "why"));
    for Compared { evaluations, differences } in compared {
        table.rows.extend(differences.iter().map(|difference| row(evaluations, difference)));
    }
    if table.rows.is_empty() {
        table.notes.push("none".to_owned());
    }
    table
}

fn row(group: &[&Evaluation], difference: &Difference) -> Vec<String> {
    let first = group[0];
    let mut row = vec![
        first.submission.system.clone(),
        difference.experiment.clone(),
        first.dataset.document.questions[difference.position].key.clone(),
    ];
    row.extend(difference.counts.iter().map(|counts| match counts {
        Some(counts) => numbers(*counts).map(|n| n.to_string()).join("/"),
        None => "-".to_owned(),
    }));
    row.push(difference.reasons.iter().map(why).collect::<Vec<_>>().join("; "));
    row
}

fn numbers(counts: Counts) -> [u64; 3] {
    [counts.true_positives(), counts.false_positives(), counts.false_negatives()]
}

/// `gerbil: greedy (2.5.2): Paris ~ Paris`; the numbers are statements of `specs/gerbil.md`.
pub fn why(reason: &Reason) -> String {
    let statement = statement(&reason.rule).map(|source| format!(" ({})", numbers_only(source)));
    let statement = statement.unwrap_or_default();
    let example = match &reason.example {
        Some((gold, system)) if gold == system => format!(": {gold}"),
        Some((gold, system)) => format!(": {gold} ~ {system}"),
        None => String::new(),
    };
    format!("{}: {}{statement}{example}", reason.profile, label(&reason.rule))
}

fn label(rule: &str) -> &str {
    let facts = ontology::terms();
    facts.text(&code::iri(rule), skos::NOTATION).unwrap_or(rule)
}

/// The statements of `specs/gerbil.md` that the ontology names as the source of a rule.
fn statement(rule: &str) -> Option<&'static str> {
    let source = ontology::terms().text(&code::iri(rule), dct::SOURCE)?;
    source.contains("gerbil.md").then_some(source)
}

/// The differences for scripts.
pub(crate) fn differences_json(evaluations: &[Evaluation]) -> Value {
    let mut all = Vec::new();
    for Compared { evaluations, differences } in compared(evaluations) {
        for difference in differences {
            let counts: Map<String, Value> = evaluations
                .iter()
                .zip(&difference.counts)
                .map(|(evaluation, counts)| (evaluation.profile().name.clone(), json!(counts.map(numbers))))
                .collect();
            let reasons = difference.reasons.iter().map(|reason| {
                json!({
                    "profile": reason.profile,
                    "rule": reason.rule,
                    "statement": statement(&reason.rule),
                    "gold": reason.example.as_ref().map(|(gold, _)| gold),
                    "system": reason.example.as_ref().map(|(_, system)| system),
                })
            });
            all.push(json!({
                "system": evaluations[0].submission.system,
                "experiment": difference.experiment,
                "question": evaluations[0].dataset.document.questions[difference.position].key,
                "counts": counts,
                "reasons": reasons.collect::<Vec<_>>(),
            }));
        }
    }
    all.into()
}
