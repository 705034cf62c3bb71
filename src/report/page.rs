//! The page of some evaluations: everything that can be shown of them.

use crate::record::results::Results;
use crate::record::results::comparison::ProfileComparison;
use crate::report::all_measures::all_measures;
use crate::report::differences::differences_tables;
use crate::report::evaluations::{DIGITS_FOR_PEOPLE, QuestionFilter, details, groups, issues};
use crate::report::failed::failed;
use crate::report::html::{Card, Report};
use crate::report::table::Table;

/// The page of some evaluations: the table of their results first, then everything else that can be shown of them.
pub fn page(mut table: Table, results: &[Results], comparisons: &[ProfileComparison]) -> Report {
    let digits = Some(DIGITS_FOR_PEOPLE);
    let title = std::mem::replace(&mut table.title, "Results".to_owned());
    let mut tables = vec![table];
    let [summary, questions] = differences_tables(comparisons);
    if !questions.rows.is_empty() {
        tables.extend([summary, questions]);
    }
    tables.push(all_measures(results, digits));
    tables.push(failed(results, digits));
    tables.push(groups(results, digits));
    tables.push(details(results, QuestionFilter::default(), digits));
    tables.push(issues(results));
    let groups = results.iter().flat_map(|one| &one.experiments).flat_map(|experiment| &experiment.groups);
    let measures = groups.flat_map(|group| &group.metrics).map(|(metric, _)| *metric).collect();
    Report { title, tables, cards: results.iter().map(card).collect(), measures }
}

/// What was measured, with what, and by which rules.
fn card(results: &Results) -> Card {
    let (profile, conditions) = (&results.profile, &results.conditions);
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |what: &str, value: &str| facts.push((what.to_owned(), value.to_owned()));
    fact("evaluation", &results.iri);
    fact("dataset", &results.dataset.iri);
    fact("gold file", &results.dataset.file_name);
    fact("its sha256", &results.dataset.sha256);
    fact("submission", &results.submission.iri);
    fact("file of answers", &results.submission.file_name);
    fact("its sha256", &results.submission.sha256);
    for (kind, file) in &results.references {
        fact(kind.name(), &file.iri);
        fact("its sha256", &file.sha256);
    }
    fact("gold answers", &conditions.gold);
    for (what, kept) in results.kept() {
        fact(if what == "gold-answers" { "gold queries ran on" } else { "its queries ran on" }, &kept.name);
        fact("what was answered", &kept.iri);
    }
    for (choice, chosen) in conditions.stated().filter(|(_, chosen)| !chosen.values.is_empty()) {
        fact(choice.heading, &chosen.values.join(", "));
    }
    fact("profile", &format!("{}: {}", profile.name, profile.label));
    fact("what it does", &profile.definition);
    fact("its source", &profile.source);
    Card { name: format!("{} ({})", results.submission.name, profile.name), facts }
}
