//! Profiles side by side: the questions that they count differently, and the rules that make the difference.

use crate::base::vocab::{code, dct, skos};
use crate::profiles::ontology;
use crate::record::results::SetCounts;
use crate::record::results::comparison::{CountedDifferently, ProfileComparison};
use crate::report::table::{Column, Table};
use crate::scoring::traits::Peculiarity;

/// The page with the numbered statements about GERBIL.
const STATEMENTS: &str = "ontology/gerbil.md";

/// Two tables: in how many questions each rule makes profiles count differently, and these questions.
pub fn differences_tables(comparisons: &[ProfileComparison]) -> [Table; 2] {
    [summary(comparisons), questions(comparisons)]
}

/// One row an experiment type and rule: in how many questions it makes profiles count differently.
fn summary(comparisons: &[ProfileComparison]) -> Table {
    let mut table =
        Table { title: "Why the profiles count questions differently".to_owned(), ..Table::default() };
    table.columns =
        ["system", "experiment", "profile", "rule", STATEMENTS].map(|name| Column::text(name, name)).to_vec();
    table.columns.push(Column::number("questions", "questions"));
    for ProfileComparison { system, differences, .. } in comparisons {
        let mut rules: Vec<(String, &Peculiarity, usize)> = Vec::new();
        for (difference, reason) in
            differences.iter().flat_map(|d| d.reasons.iter().flatten().map(move |r| (d, r)))
        {
            let is_same = |(experiment, known, _): &&mut (String, &Peculiarity, usize)| {
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
                system.clone(),
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

/// `3.3.8 and 3.5.4` of `ontology/gerbil.md, statements 3.3.8 and 3.5.4`.
fn numbers_only(source: &str) -> String {
    let statements = source.trim_start_matches(STATEMENTS).trim_start_matches(", statement");
    statements.trim_start_matches('s').trim().to_owned()
}

/// One row a question that several profiles count differently: tp/fp/fn of each, and why.
fn questions(comparisons: &[ProfileComparison]) -> Table {
    let mut table =
        Table { title: "Questions that the profiles count differently".to_owned(), ..Table::default() };
    let profiles = comparisons.first().map(|first| first.profiles.as_slice()).unwrap_or_default();
    table.columns = ["system", "experiment", "question"].map(|name| Column::text(name, name)).to_vec();
    for name in profiles {
        table.columns.push(Column::text(&format!("{name} tp/fp/fn"), name));
    }
    table.columns.push(Column::text("why", "why"));
    for ProfileComparison { system, differences, .. } in comparisons {
        table.rows.extend(differences.iter().map(|difference| row(system, difference)));
    }
    if table.rows.is_empty() {
        table.notes.push("none".to_owned());
    }
    table
}

fn row(system: &str, difference: &CountedDifferently) -> Vec<String> {
    let mut row = vec![system.to_owned(), difference.experiment.clone(), difference.question.clone()];
    row.extend(difference.counts.iter().map(|counts| match counts {
        Some(SetCounts { tp, fp, missing }) => format!("{tp}/{fp}/{missing}"),
        None => "-".to_owned(),
    }));
    row.push(difference.reasons.iter().flatten().map(why).collect::<Vec<_>>().join("; "));
    row
}

/// `gerbil: greedy (2.5.2): Paris ~ Paris`; the numbers are statements of `ontology/gerbil.md`.
pub fn why(reason: &Peculiarity) -> String {
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

/// The statements of `ontology/gerbil.md` that the ontology names as the source of a rule.
pub(crate) fn statement(rule: &str) -> Option<&'static str> {
    let source = ontology::terms().text(&code::iri(rule), dct::SOURCE)?;
    source.contains(STATEMENTS).then_some(source)
}
