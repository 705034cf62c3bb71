//! The page of some evaluations: everything that can be shown of them.

use crate::base::error::Result;
use crate::base::parallel;
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::record::comparison::headline::HeadlineIntervals;
use crate::record::results::TieBounds;
use crate::record::results::comparison::ProfileComparison;
use crate::record::results::decimal::Decimal;
use crate::record::results::{Detail, Results};
use crate::report::definitions::Meaning;
use crate::report::differences::differences_tables;
use crate::report::evaluations::DIGITS_FOR_PEOPLE;
use crate::report::evaluations::QuestionFilter;
use crate::report::evaluations::details;
use crate::report::evaluations::groups;
use crate::report::evaluations::number;
use crate::report::failed::failed;
use crate::report::html::Card;
use crate::report::html::Report;
use crate::report::issues::issues;
use crate::report::json;
use crate::report::paper::{Look, overview};
use crate::report::table::Column;
use crate::report::table::Table;
use crate::scoring::evaluation::Evaluation;

/// Evaluations with what is shown of them beside their results.
#[derive(Debug, Default)]
pub struct ShownEvaluations {
    /// What is shown of each.
    pub results: Vec<Results>,
    /// What profiles count differently.
    pub comparisons: Vec<ProfileComparison>,
    /// Where the headline measures are, if somebody wants to know.
    pub intervals: HeadlineIntervals,
}

impl ShownEvaluations {
    /// What is shown of evaluations; with intervals, which need [every question](Detail::Questions), where `has_intervals`.
    ///
    /// # Errors
    /// Where evaluations cannot be compared.
    pub fn of(evaluations: &[Evaluation], detail: Detail, has_intervals: bool) -> Result<Self> {
        let shown = |one: &Evaluation| Results::shown_of(one, detail);
        let results: Vec<Results> = parallel::each(evaluations.iter().collect(), shown);
        let comparisons = ProfileComparison::of(evaluations, &results)?;
        let intervals =
            if has_intervals { HeadlineIntervals::of(&results)? } else { HeadlineIntervals::default() };
        Ok(Self { results, comparisons, intervals })
    }

    /// The JSON of `qassay evaluate --format json`.
    pub fn json(&self) -> String {
        json::text(&json::evaluations(&self.results, &self.comparisons, &self.intervals))
    }

    /// The table of results for people.
    ///
    /// # Errors
    /// Where the results cannot stand in one table.
    pub fn overview(&self) -> Result<Table> {
        let (digits, intervals) = (Some(DIGITS_FOR_PEOPLE), Some(self.intervals.clone()));
        overview(&self.results, &Look { digits, marked: true, intervals, ..Look::default() })
    }

    /// The page of `qassay evaluate --html`.
    ///
    /// # Errors
    /// As [`Self::overview`].
    pub fn page(&self) -> Result<Report> {
        Ok(page(self.overview()?, &self.results, &self.comparisons))
    }
}

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
    tables.push(issues(results, false));
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

/// One row a system, experiment type and measure that is defined, over all questions, with what ties could make of it.
pub fn all_measures<'a>(results: impl IntoIterator<Item = &'a Results>, digits: Option<u32>) -> Table {
    let mut table = Table { title: "All measures".to_owned(), ..Table::default() };
    table.columns = ["system", "profile", "experiment", "measure", "name"]
        .map(|heading| Column::text(heading, heading))
        .to_vec();
    for name in ["value", "worst", "best", "sample"] {
        table.columns.push(Column::number(name, name));
    }
    for one in results {
        for experiment in &one.experiments {
            let metrics = experiment.all().into_iter().flat_map(|group| &group.metrics);
            for (metric, value) in metrics.filter_map(|(metric, value)| Some((metric, value.as_ref()?))) {
                let shown = |value| number(value, digits.filter(|_| metric.measure.unit != Unit::Count));
                let bound = |of: fn(&TieBounds) -> &Decimal| {
                    value.ties.as_ref().map_or_else(String::new, |ties| shown(of(ties)))
                };
                table.rows.push(vec![
                    one.submission.name.clone(),
                    one.profile.name.clone(),
                    experiment.name.clone(),
                    metric.to_string(),
                    name(*metric),
                    shown(&value.value),
                    bound(|ties| &ties.worst),
                    bound(|ties| &ties.best),
                    value.sample_size.to_string(),
                ]);
            }
        }
    }
    table
}

/// The name of a metric for people, with the cut-off of a member of a family.
fn name(metric: Metric) -> String {
    let name = Meaning::of(metric).unwrap_or_default().name;
    metric.cutoff.map_or(name.clone(), |cutoff| format!("{name} {cutoff}"))
}
