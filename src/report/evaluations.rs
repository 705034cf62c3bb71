//! The tables of `qassay evaluate`: systems by metrics, groups, questions.

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Severity};
use crate::base::text::{counted, with_choices};
use crate::base::vocab::code;
use crate::base::vocab::skos;
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::measures::result::ItemPart;
use crate::profiles::choices::CHOICES;
use crate::profiles::choices::Choice;
use crate::profiles::ontology;
use crate::profiles::ontology::shown_name;
use crate::profiles::rules::EXPERIMENTS;
use crate::record::comparison::meant;
use crate::record::results::GroupResults;
use crate::record::results::Measured;
use crate::record::results::Observation;
use crate::record::results::QuestionResults;
use crate::record::results::Results;
use crate::record::results::TypeResults;
use crate::record::results::decimal::Decimal;
use crate::references::ReferenceKind;
use crate::report::columns::ShownMetric;
use crate::report::columns::columns;
use crate::report::columns::group_columns;
use crate::report::columns::heading;
use crate::report::columns::question_columns;
use crate::report::table::Column;
use crate::report::table::Table;
use crate::scoring::skip::Skip;
use std::collections::BTreeMap;

/// The digits of scores in tables for people. Scripts get all digits.
pub const DIGITS_FOR_PEOPLE: u32 = 4;

/// What a row of the table of results is about; nothing where it is about a part of the items.
pub(crate) type RowOwner<'a> = Option<(&'a Results, &'a TypeResults)>;

/// One row a system and experiment type, and one for each part of the items that has measures of its own.
pub fn overview(results: &[Results], digits: Option<u32>) -> Table {
    overview_of(results, &columns(results), digits, digits.is_some()).0
}

/// The same with these measures, and whose rows they are. Marked, a value that a submission makes by what it
/// [repeats](repeated) ends with `!`.
pub(crate) fn overview_of<'a>(
    results: &'a [Results],
    shown: &[ShownMetric],
    digits: Option<u32>,
    is_marked: bool,
) -> (Table, Vec<RowOwner<'a>>) {
    let mut owners = Vec::new();
    let mut table = Table { title: title(results), ..Table::default() };
    table.columns = key_columns(results);
    table.columns.extend(shown.iter().map(|(metric, heading)| Column::number(heading, &metric.to_string())));
    // The rows of one system and experiment type stand together, so that profiles can be compared.
    let mut scored: Vec<(&Results, &TypeResults)> =
        results.iter().flat_map(|one| one.experiments.iter().map(move |x| (one, x))).collect();
    let submission = |iri: &str| results.iter().position(|one| one.submission.iri == iri);
    let experiment = |name: &str| EXPERIMENTS.iter().position(|known| *known == name);
    scored.sort_by_key(|(one, x)| (submission(&one.submission.iri), experiment(&x.name)));
    let with_gold = with_gold(results);
    for (one, experiment) in scored {
        let mut rows = overview_rows(one, experiment, shown, digits, with_gold);
        if is_marked && repeated(one, &experiment.name) {
            let first = table.columns.len() - shown.len();
            for row in &mut rows {
                mark(&mut row[first..], shown);
            }
        }
        // Behind the row of all items stand those of parts of them.
        owners.extend((0..rows.len()).map(|row| (row == 0).then_some((one, experiment))));
        table.rows.extend(rows);
    }
    table.alerts = alerts(results);
    table.notes.extend(tie_notes(results));
    table.notes.extend(assessor_note(results));
    table.notes.extend(skip_notes(results));
    table.notes.extend(query_notes(results));
    table.notes.extend(issue_notes(results));
    (table, owners)
}

/// Whether the values of an experiment type come from what the submission repeats of the gold file, or from answers that
/// were cut or say two things: the issues say what.
fn repeated(results: &Results, experiment: &str) -> bool {
    results.issues.iter().any(|(_, issue)| meant::concerns(issue.code, experiment))
}

fn mark(values: &mut [String], shown: &[ShownMetric]) {
    for (value, (metric, _)) in values.iter_mut().zip(shown) {
        if metric.measure.unit != Unit::Count && value.ends_with(|c: char| c.is_ascii_digit()) {
            value.push('!');
        }
    }
}

fn overview_rows(
    results: &Results,
    experiment: &TypeResults,
    columns: &[ShownMetric],
    digits: Option<u32>,
    with_gold: bool,
) -> Vec<Vec<String>> {
    let Some(all) = experiment.all() else { return Vec::new() };
    let mut row = keys(results, &experiment.name, with_gold);
    row.extend(columns.iter().map(|(metric, _)| shown(results, all, *metric, digits)));
    let mut rows = vec![row];
    for part in ItemPart::ALL {
        if all.metrics.iter().any(|(metric, value)| metric.part == Some(part) && value.is_some()) {
            let mut row = keys(results, &format!("{} {}", experiment.name, part.label()), with_gold);
            row.extend(columns.iter().map(|(metric, _)| {
                let of_part = metric.measure.of_part(part);
                of_part.map_or_else(|| "-".to_owned(), |metric| shown(results, all, metric, digits))
            }));
            rows.push(row);
        }
    }
    rows
}

/// What stands before the numbers of a row.
const KEYS: [&str; 3] = ["system", "profile", "experiment"];

fn key_columns(results: &[Results]) -> Vec<Column> {
    let mut columns: Vec<Column> = KEYS.iter().map(|name| Column::text(name, name)).collect();
    if with_gold(results) {
        columns.insert(2, Column::text("gold", "gold"));
    }
    columns
}

/// Whether the tables say which gold answers were used: only where any are not the curated ones.
fn with_gold(results: &[Results]) -> bool {
    results.iter().any(|one| one.refreshed.is_some())
}

fn keys(results: &Results, experiment: &str, with_gold: bool) -> Vec<String> {
    let mut keys = vec![results.submission.name.clone(), results.profile.name.clone(), experiment.to_owned()];
    if with_gold {
        keys.insert(2, results.conditions.gold.clone());
    }
    keys
}

/// The dataset, the profiles, and what else was chosen.
pub(crate) fn title(results: &[Results]) -> String {
    let Some(first) = results.first() else { return String::new() };
    let mut profiles: Vec<&str> = results.iter().map(|one| one.profile.name.as_str()).collect();
    profiles.dedup();
    let files = |kind, what: &str| {
        let counts =
            results.iter().map(|one| one.references.iter().filter(|(known, _)| *known == kind).count());
        match counts.max().unwrap_or_default() {
            0 => String::new(),
            1 => format!(", {what}: 1 file"),
            number => format!(", {what}: {number} files"),
        }
    };
    let links = [
        files(ReferenceKind::Links, "owl:sameAs links"),
        files(ReferenceKind::Labels, "labels"),
        files(ReferenceKind::Classes, "classes (qassay)"),
        files(ReferenceKind::Types, "types (qassay)"),
        files(ReferenceKind::QuestionTypes, "question types"),
        files(ReferenceKind::Assessments, "assessments"),
    ]
    .concat();
    let chosen = |from: usize, to: usize| CHOICES[from..to].iter().filter_map(|choice| said(choice, results));
    // Files of links stand behind the way in which links are followed.
    let behind = 1 + CHOICES.iter().position(|choice| choice.option == "same-as").unwrap_or_default();
    let (before, after): (String, String) =
        (chosen(0, behind).collect(), chosen(behind, CHOICES.len()).collect());
    format!("{}, profile {}{before}{links}{after}", first.dataset.name, profiles.join(", "))
}

/// What a title says of a choice: the values in all evaluations, each once.
fn said(choice: &Choice, results: &[Results]) -> Option<String> {
    let mut values: Vec<String> = Vec::new();
    let chosen = results.iter().flat_map(|one| &one.conditions.chosen);
    for value in chosen.filter(|chosen| chosen.option == choice.option).flat_map(|chosen| &chosen.values) {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    choice.words(&values).map(|words| format!(", {words}"))
}

/// One row a system, experiment type and group.
pub fn groups(results: &[Results], digits: Option<u32>) -> Table {
    let mut table = Table { title: "By group of questions".to_owned(), ..Table::default() };
    table.columns = key_columns(results);
    table.columns.push(Column::text("group", "group"));
    let columns = group_columns(results);
    table
        .columns
        .extend(columns.iter().map(|(metric, heading)| Column::number(heading, &metric.to_string())));
    let with_gold = with_gold(results);
    for one in results {
        for experiment in &one.experiments {
            for group in &experiment.groups {
                let mut row = keys(one, &experiment.name, with_gold);
                row.push(group.name.trim_start_matches("group-").to_owned());
                row.extend(columns.iter().map(|(metric, _)| shown(one, group, *metric, digits)));
                table.rows.push(row);
            }
        }
    }
    table
}

/// Which questions the table of questions shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QuestionFilter<'a> {
    /// The only experiment type; none: all.
    pub experiment: Option<&'a str>,
    /// Only questions whose answers are [wrong](TypeResults::is_wrong), and those without scores.
    pub only_wrong: bool,
}

impl QuestionFilter<'_> {
    fn has(&self, experiment: &TypeResults, question: &QuestionResults) -> bool {
        !self.only_wrong || question.observed.as_ref().map_or(true, |found| experiment.is_wrong(found))
    }
}

/// One row a system, experiment type and question.
pub fn details(results: &[Results], wanted: QuestionFilter<'_>, digits: Option<u32>) -> Table {
    let mut table = Table { title: "By question".to_owned(), ..Table::default() };
    table.columns = key_columns(results);
    table.columns.extend([Column::text("question", "question"), Column::text("status", "status")]);
    for name in ["tp", "fp", "fn", "precision", "recall", "f1"] {
        table.columns.push(Column::number(name, name));
    }
    let own = question_columns(results);
    table.columns.extend(own.iter().map(|(metric, heading)| Column::number(heading, &metric.to_string())));
    let with_gold = with_gold(results);
    for one in results {
        let is_wanted =
            |experiment: &&TypeResults| wanted.experiment.is_none_or(|only| only == experiment.name);
        for experiment in one.experiments.iter().filter(is_wanted) {
            let questions = one.questions.iter().zip(&experiment.questions);
            for (question, found) in questions.filter(|(_, found)| wanted.has(experiment, found)) {
                let mut row = keys(one, &experiment.name, with_gold);
                row.push(question.key.clone());
                row.extend(detail(found.observed.as_ref().ok(), digits));
                let values = found.observed.as_ref().map_or(&[][..], |observation| &observation.measures);
                row.extend(own.iter().map(|(metric, _)| {
                    let found = values.iter().find(|(known, _)| known == metric);
                    let value = found.and_then(|(_, value)| value.as_ref());
                    value.map_or_else(|| "-".to_owned(), |value| number(&value.value, digits))
                }));
                table.rows.push(row);
            }
        }
    }
    table
}

fn detail(observation: Option<&Observation>, digits: Option<u32>) -> Vec<String> {
    let Some(observation) = observation else {
        let nothing = std::iter::repeat_n("-".to_owned(), 6);
        return std::iter::once("skipped".to_owned()).chain(nothing).collect();
    };
    let counts = observation.counts;
    vec![
        observation.status.name().to_owned(),
        counts.tp.to_string(),
        counts.fp.to_string(),
        counts.missing.to_string(),
        number(&observation.precision, digits),
        number(&observation.recall, digits),
        number(&observation.f1, digits),
    ]
}

/// What was measured by a metric that a profile may have under another concept (`qassay:shownAs`).
pub(crate) fn measured_as<'a>(group: &'a GroupResults, shown_as: &str) -> Option<&'a Measured> {
    group.measured(shown_as).or_else(|| {
        let stands_in = group.metrics.iter().find(|(metric, _)| shown_name(*metric) == shown_as);
        stands_in.and_then(|(_, measured)| measured.as_ref())
    })
}

/// The value of it.
pub(crate) fn metric_value<'a>(group: &'a GroupResults, shown_as: &str) -> Option<&'a Decimal> {
    measured_as(group, shown_as).map(|measured| &measured.value)
}

pub(crate) fn shown(results: &Results, group: &GroupResults, metric: Metric, digits: Option<u32>) -> String {
    match metric_value(group, &metric.to_string()) {
        Some(value) if metric.measure.unit == Unit::Count => value.to_string(),
        Some(value) => number(value, digits),
        // GERBIL has the measure and cannot compute it: its page shows a question mark.
        None if has(results, group, metric) => "?".to_owned(),
        None => "-".to_owned(),
    }
}

/// Whether the profile follows GERBIL and has the measure at all.
fn has(results: &Results, group: &GroupResults, metric: Metric) -> bool {
    results.profile.follows_gerbil && group.metrics.iter().any(|(known, _)| *known == metric)
}

/// A score for people (four digits) or for scripts (all digits).
pub(crate) fn number(value: &Decimal, digits: Option<u32>) -> String {
    match digits {
        Some(digits) => value.to_fixed(digits),
        None => value.to_string(),
    }
}

/// Why something is skipped, for people: the definition in the ontology.
pub fn skip_reason(skip: Skip) -> String {
    let facts = ontology::terms();
    facts.text(&code::iri(skip.code()), skos::DEFINITION).unwrap_or(skip.code()).to_owned()
}

/// The experiment type with a name.
///
/// # Errors
/// Where it has no scores.
pub fn scored_experiment<'a>(results: &'a Results, name: &str) -> Result<&'a TypeResults> {
    results.experiment(name).ok_or_else(|| {
        let scored: Vec<&str> = results.experiments.iter().map(|one| one.name.as_str()).collect();
        let why = results.skipped.iter().find(|(skipped, _)| skipped == name);
        let error = Error::input(format!("the evaluation has no scores for the experiment type `{name}`"))
            .allowed(scored.join(", "));
        why.map_or(error.clone(), |(_, skip)| error.hint(skip_reason(*skip)))
    })
}

/// Which measures of which system depend on the order of equal scores, and by how much.
pub(crate) fn tie_notes(results: &[Results]) -> Vec<String> {
    results.iter().flat_map(|one| tie_note(one, &who(one))).collect()
}

/// The same of one evaluation, which is called so; one note an experiment type.
pub(crate) fn tie_note(results: &Results, who: &str) -> Vec<String> {
    let of = |experiment: &TypeResults| {
        let all = experiment.all().into_iter().flat_map(|group| &group.metrics);
        let measures = all.filter(|(metric, _)| experiment.headline.contains(metric));
        let told = measures.filter_map(|(metric, value)| {
            let ties = value.as_ref()?.ties.as_ref()?;
            let [worst, best] = apart(&ties.worst, &ties.best);
            Some(format!("{} {worst} to {best}", heading(*metric)))
        });
        let told: Vec<String> = told.collect();
        let note = || format!("{who}: equal scores; broken otherwise they give {}", told.join(", "));
        (!told.is_empty()).then(note)
    };
    results.experiments.iter().filter_map(of).collect()
}

/// What an evaluation is called.
fn who(results: &Results) -> String {
    format!("{} ({})", results.submission.name, results.profile.name)
}

/// How much the assessors agree, where several assessed an answer: the same for all systems.
pub(crate) fn assessor_note(results: &[Results]) -> Option<String> {
    let groups = results.iter().flat_map(|one| &one.experiments).filter_map(TypeResults::all);
    let mut agreement = groups.filter_map(|group| Some((group, group.measured("assessorAgreement")?)));
    let (group, agreement) = agreement.next_back()?;
    let shown = |measured: &Measured| measured.value.to_fixed(DIGITS_FOR_PEOPLE);
    let kappa = group.measured("assessorKappa").map_or_else(|| "-".to_owned(), shown);
    Some(format!(
        "assessors: kappa {kappa}, agreement {} on {} answers that two or more assessed",
        shown(agreement),
        agreement.sample_size
    ))
}

/// What is said of answers that are copied from the gold file as a whole.
const OF_GOLD_FILE: &str = "the answers are the gold file itself: these values say nothing about a system";

/// What makes numbers mean something else than they seem to: a line each, with all that it is true of.
pub(crate) fn alerts(results: &[Results]) -> Vec<String> {
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    let of_gold: Vec<String> = results.iter().filter(|one| one.is_of_gold_file()).map(who).collect();
    said.extend((!of_gold.is_empty()).then(|| (OF_GOLD_FILE.to_owned(), of_gold)));
    for one in results {
        for (file, issue) in one.issues.iter().filter(|(_, issue)| issue.code.is_loud()) {
            let is_of_gold = issue.code == IssueCode::QuestionsOnly && *file == one.dataset.sha256;
            let message = format!("{}{}", if is_of_gold { "of the gold file, " } else { "" }, issue.message);
            match said.iter_mut().find(|(known, _)| *known == message) {
                Some((_, all)) => all.push(who(one)),
                None => said.push((message, vec![who(one)])),
            }
        }
    }
    said.into_iter().map(|(message, all)| format!("{}: {message}", all.join(", "))).collect()
}

/// How many queries were not run although their answers would count in place of those of the file.
pub(crate) fn query_notes(results: &[Results]) -> Vec<String> {
    let of_query = results.iter().filter(|one| one.profile.prefers_queries);
    let told = of_query.filter_map(|one| Some(format!("{}: {}", who(one), one.not_executed()?.message)));
    let mut notes: Vec<String> = told.collect();
    notes.dedup();
    notes
}

/// Two values that are not the same with as many digits as it takes to see it.
fn apart(one: &Decimal, other: &Decimal) -> [String; 2] {
    let shown = |digits| [one, other].map(|value| value.to_fixed(digits));
    (DIGITS_FOR_PEOPLE..12).map(shown).find(|[one, other]| one != other).unwrap_or_else(|| shown(12))
}

/// Experiment types without scores, and how many questions an experiment type leaves out. What holds for several
/// experiment types or systems is said once.
pub(crate) fn skip_notes(results: &[Results]) -> Vec<String> {
    let mut said: Vec<(String, Vec<&str>, String)> = Vec::new();
    for one in results {
        let who = who(one);
        for (experiment, what) in skips(one) {
            match said.iter_mut().find(|(known, _, text)| *known == who && *text == what) {
                Some((_, experiments, _)) => experiments.push(experiment),
                None => said.push((who.clone(), vec![experiment], what)),
            }
        }
    }
    let mut notes: Vec<(Vec<String>, Vec<&str>, String)> = Vec::new();
    for (who, experiments, what) in said {
        match notes.iter_mut().find(|(_, known, text)| *known == experiments && *text == what) {
            Some((all, _, _)) => all.push(who),
            None => notes.push((vec![who], experiments, what)),
        }
    }
    let note = |(who, experiments, what): (Vec<String>, Vec<&str>, String)| {
        format!("{}: {} {what}", who.join(", "), experiments.join(", "))
    };
    notes.into_iter().map(note).collect()
}

/// What is skipped in an evaluation: the experiment type, and what is said about it.
fn skips(results: &Results) -> Vec<(&str, String)> {
    let whole = results.skipped.iter();
    let mut skips: Vec<(&str, String)> =
        whole.map(|(name, skip)| (name.as_str(), format!("skipped: {}", skip_reason(*skip)))).collect();
    for experiment in &results.experiments {
        let mut reasons: BTreeMap<Skip, usize> = BTreeMap::new();
        for (_, skip) in experiment.skips() {
            *reasons.entry(skip).or_default() += 1;
        }
        for (skip, count) in reasons {
            let questions = counted(count, "question");
            skips.push((&experiment.name, format!("without {questions}: {}", skip_reason(skip))));
        }
    }
    skips
}

/// How many issues each system's run met.
pub(crate) fn issue_notes(results: &[Results]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for one in results {
        let note = issue_note(one, &one.submission.name);
        // Several profiles read the same files.
        notes.extend(note.filter(|note| !notes.contains(note)));
    }
    notes
}

/// The same of one run, which is called so; nothing where it met none.
pub(crate) fn issue_note(results: &Results, who: &str) -> Option<String> {
    let count = |severity| results.issues.iter().filter(|(_, issue)| issue.severity() == severity).count();
    let [errors, warnings] = [Severity::Error, Severity::Warning].map(count);
    (errors + warnings > 0).then(|| {
        let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
        format!("input of {who}: {errors}, {warnings}; {}", with_choices("`⌥issues` lists them"))
    })
}
