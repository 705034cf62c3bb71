//! The tables of the page of an evaluation.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oxigraph::model::{Literal, NamedNode, Term};

use crate::base::issue::{Issue, Severity};
use crate::base::text::counted;
use crate::base::vocab::{code, skos};
use crate::measures::metric::Metric;
use crate::profiles::ontology;
use crate::profiles::ontology::shown_name;
use crate::record::archived::profile_name;
use crate::record::results::{GroupResults, Measured, Observation, QuestionFacts, Results, TypeResults};
use crate::report::columns::{columns, group_columns, heading};
use crate::report::evaluations::{DIGITS_FOR_PEOPLE, metric_value, shown};
use crate::scoring::groups::{ALL, PROCESSED};
use crate::site::context::PageContext;
use crate::site::evaluation::QUESTIONS;
use crate::site::evaluation::outcome::QuestionFate;
use crate::site::page::{PagePiece, PageSheet, SheetCell, SheetHead, SheetRow, Words};
use crate::site::route::Route;
use crate::site::rows::other_pages;

/// The key of an evaluation.
pub(super) fn key(results: &Results) -> String {
    results.iri.rsplit('/').next().unwrap_or_default().to_owned()
}

/// One row an experiment type.
pub(super) fn types(context: &PageContext<'_>, results: &Results) -> PageSheet {
    let shown_metrics = columns(std::slice::from_ref(results));
    let mut heads = vec![SheetHead::text("Experiment type")];
    heads.extend(shown_metrics.iter().map(|(metric, heading)| {
        SheetHead::number(context.link_to(Words::plain(heading), &code::iri(&metric.concept())))
    }));
    let row = |experiment: &TypeResults| {
        let all = Route::group(&key(results), &experiment.name, ALL);
        let name = context.view.title(&code::iri(&experiment.name)).unwrap_or_default();
        let line = vec![context.link(Words::plain(&experiment.name), &all), Words::soft(&format!(" {name}"))];
        let mut cells: Vec<SheetCell> = vec![line.into()];
        let value = |metric| {
            experiment
                .all()
                .map_or_else(String::new, |all| shown(results, all, metric, Some(DIGITS_FOR_PEOPLE)))
        };
        cells.extend(shown_metrics.iter().map(|(metric, _)| SheetCell::number(&value(*metric))));
        SheetRow::from(cells)
    };
    PageSheet {
        id: "types".to_owned(),
        caption: vec![Words::plain(
            "The experiment types that were scored. The name leads to all numbers, a measure to its formula and its empty cases.",
        )],
        heads,
        rows: results.experiments.iter().map(row).collect(),
        ..PageSheet::default()
    }.with_query(context.asked_of("measures", "evaluation", &results.iri))
}

/// One row a group of questions of the main experiment type.
pub(super) fn groups(context: &PageContext<'_>, results: &Results) -> Vec<PagePiece> {
    let Some(main) = results.experiments.first().filter(|main| main.groups.len() > 1) else {
        return Vec::new();
    };
    let shown_metrics = group_columns(std::slice::from_ref(results));
    let mut heads = vec![SheetHead::text("Group")];
    heads.extend(shown_metrics.iter().map(|(metric, heading)| {
        SheetHead::number(context.link_to(Words::plain(heading), &code::iri(&metric.concept())))
    }));
    // What came of all is above.
    let is_choice = |group: &&GroupResults| ![ALL, PROCESSED].contains(&group.name.as_str());
    let rows =
        main.groups.iter().filter(is_choice).map(|group| {
            let route = Route::group(&key(results), &main.name, &group.name);
            let raw = group.name.trim_start_matches("group-");
            let name = context.view.title(&code::iri(&group.name)).unwrap_or_else(|| raw.to_owned());
            let mut cells: Vec<SheetCell> = vec![context.link(Words::foreign(&name), &route).into()];
            cells.extend(shown_metrics.iter().map(|(metric, _)| {
                SheetCell::number(&shown(results, group, *metric, Some(DIGITS_FOR_PEOPLE)))
            }));
            SheetRow::from(cells)
        });
    let caption = format!("Groups of questions in {}. A group with few questions says little.", main.name);
    let rows: Vec<SheetRow> = rows.collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let query = context.asked_of("groups", "evaluation", &results.iri);
    vec![PagePiece::Sheet(
        PageSheet {
            id: "group-table".to_owned(),
            caption: vec![Words::plain(&caption)],
            heads,
            rows,
            ..PageSheet::default()
        }
        .with_query(query),
    )]
}

/// One row a measure: its value as published, and over how many questions; a link leads to its formula.
pub(super) fn numbers(
    context: &PageContext<'_>,
    results: &Results,
    (types, group): (&TypeResults, &GroupResults),
) -> PageSheet {
    let text = |text: &str| Term::from(Literal::new_simple_literal(text));
    let given = [
        ("evaluation", NamedNode::new_unchecked(results.iri.as_str()).into()),
        ("experiment", text(&types.name)),
        ("group", text(group.name.trim_start_matches("group-"))),
    ];
    let row = |(metric, measured): &(Metric, Option<Measured>)| {
        let name = context.link_to(Words::plain(&heading(*metric)), &code::iri(&metric.concept()));
        let value = |of: fn(&Measured) -> String| measured.as_ref().map_or_else(|| "–".to_owned(), of);
        let ties = |measured: &Measured| {
            let told = measured.ties.as_ref().map(|ties| format!("{} – {}", ties.worst, ties.best));
            told.unwrap_or_default()
        };
        let numbers =
            [value(|one| one.value.to_string()), value(|one| one.sample_size.to_string()), value(ties)];
        let cells =
            [SheetCell::from(name)].into_iter().chain(numbers.iter().map(|one| SheetCell::number(one)));
        SheetRow { id: metric.to_string(), cells: cells.collect() }
    };
    let heads = ["Value", "Questions", "If equal scores stood otherwise"]
        .map(|name| SheetHead::number(Words::plain(name)));
    PageSheet {
        id: "numbers".to_owned(),
        caption: vec![Words::plain(
            "All measures as published. A name leads to the formula and the empty cases.",
        )],
        heads: [SheetHead::text("Measure")].into_iter().chain(heads).collect(),
        rows: group.metrics.iter().map(row).collect(),
        ..PageSheet::default()
    }
    .with_query(context.asked_by("aggregate", &given))
}

/// Links to the groups of an experiment type.
pub(super) fn other_groups(context: &PageContext<'_>, results: &Results, types: &TypeResults) -> PagePiece {
    let link = |group: &GroupResults| {
        let route = Route::group(&key(results), &types.name, &group.name);
        [context.link(Words::plain(group.name.trim_start_matches("group-")), &route), Words::plain(" ")]
    };
    let links = types.groups.iter().flat_map(link);
    PagePiece::text([Words::plain("Groups: ")].into_iter().chain(links).collect())
}

/// How many matches each rule made, by experiment type.
pub(super) fn rules(context: &PageContext<'_>, results: &Results) -> Vec<PagePiece> {
    let mut counts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, experiment) in results.experiments.iter().enumerate() {
        let observed = experiment.questions.iter().filter_map(|question| question.observed.as_ref().ok());
        for pair in observed.flat_map(|observation| &observation.matches) {
            counts.entry(&pair.rule).or_insert_with(|| vec![0; results.experiments.len()])[at] += 1;
        }
    }
    if counts.is_empty() {
        return Vec::new();
    }
    let mut heads = vec![SheetHead::text("Rule"), SheetHead::text("What it says")];
    heads.extend(results.experiments.iter().map(|one| SheetHead::number(Words::plain(&one.name))));
    let row = |(rule, counts): (&str, Vec<usize>)| {
        let said = ontology::terms().text(&code::iri(rule), skos::DEFINITION).unwrap_or_default();
        let name = rule.trim_start_matches("match-");
        let mut cells: Vec<SheetCell> = vec![context.concept(rule, name).into(), Words::plain(said).into()];
        cells.extend(counts.iter().map(|count| SheetCell::number(&count.to_string())));
        SheetRow::from(cells)
    };
    vec![PagePiece::Sheet(
        PageSheet {
            id: "rule-table".to_owned(),
            caption: vec![Words::plain("Matches by rule and experiment type.")],
            heads,
            rows: counts.into_iter().map(row).collect(),
            ..PageSheet::default()
        }
        .with_query(context.asked_of("rules", "evaluation", &results.iri)),
    )]
}

/// The evaluations of the same two files by other profiles, or under other conditions.
pub(super) fn profiles(context: &PageContext<'_>, results: &Results) -> Vec<PagePiece> {
    let Some(main) = results.experiments.first() else { return Vec::new() };
    let of_same = |one: &&crate::record::archived::ArchivedEvaluation| {
        one.gold == results.dataset.sha256
            && one.answers == results.submission.sha256
            && one.iri != results.iri
    };
    let metric = results.profile.ranked_by.map_or_else(|| "macroF1".to_owned(), shown_name);
    let value = |iri: &str| {
        let summary = context.view.summary(iri)?;
        let group = summary.experiments.iter().find(|one| one.name == main.name)?.group(ALL)?.results();
        Some(metric_value(&group, &metric)?.to_fixed(DIGITS_FOR_PEOPLE))
    };
    let row = |one: &crate::record::archived::ArchivedEvaluation| {
        let name = context.link_to(Words::foreign(profile_name(&one.profile)), &one.iri);
        let key = one.iri.rsplit('/').next().unwrap_or_default();
        let value = value(&one.iri).unwrap_or_else(|| "–".to_owned());
        SheetRow::from(vec![
            name.into(),
            Words::code(key.get(..8).unwrap_or(key)).into(),
            SheetCell::number(&value),
        ])
    };
    let rows: Vec<SheetRow> = context.view.archived.evaluations.iter().filter(of_same).map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![PagePiece::Sheet(PageSheet {
        id: "profile-table".to_owned(),
        caption: vec![Words::plain(&format!("{metric} of {} under other rules.", main.name))],
        heads: vec![
            SheetHead::text("Profile"),
            SheetHead::text("Evaluation"),
            SheetHead::number(Words::plain(&metric)),
        ],
        rows,
        ..PageSheet::default()
    })]
}

/// The questions of a page, from 1.
pub(super) fn questions(context: &PageContext<'_>, results: &Results, number: usize) -> Vec<PagePiece> {
    let Some(main) = results.experiments.first() else { return Vec::new() };
    let total = results.questions.len();
    let from = ((number - 1) * QUESTIONS).min(total);
    let last = (from + QUESTIONS).min(total);
    let mut table = question_table(context, results, main, from..last);
    let which = format!("Questions {} to {last} of {total} in {}. ", from + 1, main.name);
    table.caption.insert(0, Words::plain(&which));
    table.is_filtered = true;
    let mut pieces = vec![PagePiece::Sheet(table)];
    let route = |page| match page {
        1 => Route::Evaluation(key(results)),
        _ => Route::Questions(key(results), page),
    };
    let pages = total.div_ceil(QUESTIONS);
    pieces.extend(
        other_pages("Questions", (number, pages), |page| context.href(&route(page))).map(PagePiece::text),
    );
    pieces
}

/// Questions by their places.
pub(super) fn question_table(
    context: &PageContext<'_>,
    results: &Results,
    main: &TypeResults,
    places: impl Iterator<Item = usize>,
) -> PageSheet {
    let heads =
        ["tp", "fp", "fn", "precision", "recall", "F1"].map(|name| SheetHead::number(Words::plain(name)));
    let mut all_heads = vec![SheetHead::text("Id"), SheetHead::text("Question"), SheetHead::text("Outcome")];
    all_heads.extend(heads);
    let row = |at: usize| {
        let (facts, found) = (&results.questions[at], &main.questions[at]);
        let route = Route::Observation(key(results), main.name.clone(), facts.key.clone());
        let id = Words::foreign(&facts.key);
        let id = if found.observed.is_ok() { context.link(id, &route) } else { id };
        let mut cells: Vec<SheetCell> =
            vec![id.into(), text(facts).into(), QuestionFate::of(found).tag().into()];
        cells.extend(counts(found.observed.as_ref().ok()).iter().map(|one| SheetCell::number(one)));
        SheetRow::from(cells)
    };
    PageSheet {
        id: "question-table".to_owned(),
        caption: vec![Words::plain("tp: right, fp: too much, fn: missed.")],
        heads: all_heads,
        rows: places.map(row).collect(),
        ..PageSheet::default()
    }
    .with_query(context.asked_of("question", "evaluation", &results.iri))
}

/// The first text of a question.
fn text(facts: &QuestionFacts) -> Words {
    let english = facts.texts.iter().find(|(tag, _)| tag.as_deref() == Some("en"));
    let text = english.or_else(|| facts.texts.first());
    text.map_or_else(Words::default, |(tag, text)| Words::in_language(text, tag.as_deref()))
}

fn counts(observation: Option<&Observation>) -> [String; 6] {
    let Some(observation) = observation else { return ["–"; 6].map(str::to_owned) };
    let counts = observation.counts;
    let values = [&observation.precision, &observation.recall, &observation.f1];
    let [precision, recall, f1] = values.map(|value| value.to_fixed(DIGITS_FOR_PEOPLE));
    [counts.tp.to_string(), counts.fp.to_string(), counts.missing.to_string(), precision, recall, f1]
}

/// The issues of each kind, the worst kinds first.
type IssueKinds<'a> = BTreeMap<(Reverse<Severity>, &'a str), Vec<&'a (String, Issue)>>;

/// What was odd, by kind.
pub(super) fn issues(context: &PageContext<'_>, results: &Results) -> Vec<PagePiece> {
    let mut kinds: IssueKinds<'_> = BTreeMap::new();
    for issue in &results.issues {
        let kind = (Reverse(issue.1.severity()), issue.1.code.name());
        kinds.entry(kind).or_default().push(issue);
    }
    let count =
        |severity| results.issues.iter().filter(|(_, issue)| issue.severity() == severity).count() as u64;
    let counts = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| counted(count(severity), severity.name()));
    let mut pieces = vec![PagePiece::said(&format!("{}.", counts.join(", ")))];
    if !kinds.is_empty() {
        pieces.push(PagePiece::Sheet(
            PageSheet {
                id: "issue-table".to_owned(),
                caption: vec![Words::plain("The first of each kind, with its place in the file.")],
                heads: vec![
                    SheetHead::text("What"),
                    SheetHead::text("Severity"),
                    SheetHead::number(Words::plain("Times")),
                    SheetHead::text("Where"),
                    SheetHead::text("First message"),
                ],
                rows: kinds
                    .into_iter()
                    .map(|((Reverse(severity), name), all)| {
                        kind_of_issue(context, results, (severity, name), &all)
                    })
                    .collect(),
                ..PageSheet::default()
            }
            .with_query(context.asked_by("issues", &[])),
        ));
    }
    pieces
}

/// A row for a kind of issue.
fn kind_of_issue(
    context: &PageContext<'_>,
    results: &Results,
    (severity, name): (Severity, &str),
    all: &[&(String, Issue)],
) -> SheetRow {
    let class = if severity == Severity::Note { "quiet" } else { "warn" };
    let first = all.first().map(|(file, issue)| (file.as_str(), issue));
    let place = first.map_or_else(String::new, |(_, issue)| issue.place.to_string());
    let file = first.map_or("", |(file, _)| file);
    let message = first.map_or("", |(_, issue)| issue.message.as_str());
    SheetRow::from(vec![
        context.concept(&format!("issue-{name}"), name).into(),
        Words::tag(class, severity.name()).into(),
        SheetCell::number(&all.len().to_string()),
        vec![
            context.link_to(
                Words::plain(of_file(results, file)),
                &context.view.archived.archive.mint().file(file),
            ),
            Words::foreign(&format!(" {place}")),
        ]
        .into(),
        Words::foreign(message).into(),
    ])
}

/// Which file has a checksum.
fn of_file(results: &Results, sha256: &str) -> &'static str {
    let reference =
        || results.references.iter().find(|(_, file)| file.sha256 == sha256).map(|(kind, _)| kind.name());
    if sha256 == results.dataset.sha256 {
        "gold"
    } else if sha256 == results.submission.sha256 {
        "answers"
    } else {
        reference().unwrap_or("another file")
    }
}
