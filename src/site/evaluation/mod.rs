//! The page of an evaluation: its main numbers first, then everything down to single questions, then where it comes from.

pub mod chosen;
pub(crate) mod origin;
pub(crate) mod outcome;
mod tables;

use std::collections::BTreeMap;

use crate::base::error::{Error, Result};
use crate::base::text::{counted, html};
use crate::measures::metric::Metric;
use crate::measures::result::Status;
use crate::record::comparison::measured::standing_for;
use crate::record::publication::act::Publication;
use crate::record::results::{Results, TypeResults};
use crate::report::columns::heading;
use crate::report::evaluations::{DIGITS_FOR_PEOPLE, alerts, shown, skip_notes, tie_notes, title};
use crate::site::context::PageContext;
use crate::site::evaluation::outcome::{QuestionFate, tally};
use crate::site::page::{Figure, PagePiece, Section, SitePage, Strip, StripShape, WordLine, Words};
use crate::site::route::{ListPage, Route};
use crate::site::view::ShownEvaluation;

/// How many questions are on a page.
pub(crate) const QUESTIONS: usize = 50;

/// Of so many questions each has a title in a drawing.
const TITLED: usize = 100;

/// What an evaluation is called: the system on the dataset.
pub(crate) fn called(context: &PageContext<'_>, results: &Results) -> String {
    format!("{} on {}", results.submission.name, context.dataset_of(results))
}

/// The same in the heading of a page.
fn heading_of(context: &PageContext<'_>, results: &Results) -> WordLine {
    vec![
        Words::foreign(&results.submission.name),
        Words::plain(" on "),
        Words::foreign(context.dataset_of(results)),
    ]
}

/// The way to an evaluation.
pub(crate) fn crumbs(context: &PageContext<'_>) -> Vec<Words> {
    vec![context.link(Words::plain("Results"), &Route::List(ListPage::Results))]
}

/// The way to a part of an evaluation.
pub(crate) fn crumbs_of(context: &PageContext<'_>, results: &Results) -> Vec<Words> {
    let whole = context.link_to(Words::foreign(&called(context, results)), &results.iri);
    [crumbs(context), vec![whole]].concat()
}

/// The page of an evaluation.
///
/// # Errors
/// Where its graphs cannot be read.
pub(crate) fn page(context: &PageContext<'_>, key: &str) -> Result<SitePage> {
    let iri = context.linker.iri(&Route::Evaluation(key.to_owned()));
    let shown = context.view.evaluation(&iri)?;
    let results = &shown.results;
    let mut page = SitePage {
        title: html(&called(context, results)).into_owned(),
        kicker: "Evaluation".to_owned(),
        heading: heading_of(context, results),
        lead: lead(context, results),
        crumbs: crumbs(context),
        has_statements: true,
        ..SitePage::default()
    };
    page.pieces.extend(
        alerts(std::slice::from_ref(results)).iter().map(|one| PagePiece::Banner(vec![Words::foreign(one)])),
    );
    if let Some(main) = results.experiments.first() {
        page.figures = figures(&shown, main);
        page.pieces.extend([PagePiece::Strip(bar(main)), PagePiece::Strip(strip(results, main))]);
    }
    page.sections = vec![
        Section::new("measures", "Measures", measures(context, results)),
        Section::new("groups", "By group of questions", tables::groups(context, results)),
        Section::new("rules", "What made the matches", tables::rules(context, results)),
        Section::new("profiles", "The same answers by other profiles", tables::profiles(context, results)),
        Section::new("questions", "Questions", tables::questions(context, results, 1)),
        Section::new("issues", "What is odd about the input", tables::issues(context, results)),
        Section::new(
            "provenance",
            "Where it comes from, and how to run it again",
            origin::origin(context, results)?,
        ),
    ];
    page.sections.extend(state(context, &iri));
    page.sections.retain(|section| !section.pieces.is_empty());
    Ok(page)
}

/// The versions that were published, where somebody did.
fn state(context: &PageContext<'_>, iri: &str) -> Option<Section> {
    let line = |one: &Publication| -> WordLine {
        let licence = &one.by.licence;
        let mut line = vec![
            Words::tag("ok", "✓ published"),
            Words::plain(&format!(" version {}, {}, by ", one.number, one.day)),
            Words::foreign(&one.by.publisher.spoken()),
            Words::plain(", licence "),
            context.anywhere(Words::iri(&licence.iri), &licence.iri),
        ];
        if one.of != iri {
            let title = one.by.title.clone().or_else(|| context.view.title(&one.of));
            let title = title.unwrap_or_else(|| "other evaluations".to_owned());
            line.extend([Words::plain(", with "), context.link_to(Words::foreign(&title), &one.of)]);
        } else if let Some(title) = &one.by.title {
            line.extend([Words::plain(", as "), Words::foreign(title)]);
        }
        line
    };
    let lines: Vec<WordLine> = context.view.publications(iri).map(line).collect();
    (!lines.is_empty()).then(|| Section::new("state", "State", vec![PagePiece::List(lines)]))
}

/// The page of the numbers of a group of questions.
///
/// # Errors
/// Where there is no such group, or the graphs of the evaluation cannot be read.
pub(crate) fn aggregates_page(
    context: &PageContext<'_>,
    key: &str,
    experiment: &str,
    group: &str,
) -> Result<SitePage> {
    let whole = Route::Evaluation(key.to_owned());
    let shown = context.view.evaluation(&context.linker.iri(&whole))?;
    let results = &shown.results;
    let types = results.experiment(experiment);
    let found = types.and_then(|one| Some((one, one.group(&format!("group-{group}"))?)));
    let Some((types, found)) = found else {
        return Err(Error::input(format!("the evaluation {key} has no group `{group}` in {experiment}")));
    };
    let of = format!("{experiment}, questions {group}: ");
    Ok(SitePage {
        title: html(&format!("{of}{}", called(context, results))).into_owned(),
        kicker: "Numbers of a group of questions".to_owned(),
        heading: vec![Words::plain(&of), Words::foreign(&called(context, results))],
        crumbs: crumbs_of(context, results),
        has_statements: true,
        pieces: vec![
            PagePiece::Sheet(tables::numbers(context, results, (types, found))),
            tables::other_groups(context, results, types),
        ],
        ..SitePage::default()
    })
}

/// The page of further questions.
///
/// # Errors
/// Where the graphs of the evaluation cannot be read.
pub(crate) fn questions_page(context: &PageContext<'_>, key: &str, number: usize) -> Result<SitePage> {
    let whole = Route::Evaluation(key.to_owned());
    let shown = context.view.evaluation(&context.linker.iri(&whole))?;
    let results = &shown.results;
    Ok(SitePage {
        title: html(&format!("Questions of {}, page {number}", called(context, results))).into_owned(),
        kicker: format!("Questions, page {number}"),
        heading: heading_of(context, results),
        crumbs: crumbs_of(context, results),
        pieces: tables::questions(context, results, number),
        ..SitePage::default()
    })
}

fn lead(context: &PageContext<'_>, results: &Results) -> WordLine {
    let profile = &results.profile;
    let title = title(std::slice::from_ref(results));
    let conditions = title.split_once(", profile ").map_or("", |(_, rest)| rest);
    let conditions = conditions.strip_prefix(&profile.name).unwrap_or_default();
    let key = results.iri.rsplit('/').next().unwrap_or_default();
    let beside = context.href(&Route::List(ListPage::Compare)).map(|href| format!("{href}?e={key}"));
    vec![
        Words::plain("Scored by the profile "),
        context.link_to(Words::foreign(&profile.name), &profile.iri),
        Words::foreign(conditions),
        Words::plain(&format!(", {} gold answers. ", results.conditions.gold)),
        Words::plain("Compare it with others").to(beside),
    ]
}

fn figures(evaluation: &ShownEvaluation, main: &TypeResults) -> Vec<Figure> {
    let results = &evaluation.results;
    let Some(all) = main.all() else { return Vec::new() };
    let figure = |metric: Metric| {
        let own = standing_for(main, metric);
        let interval = evaluation.intervals.iter().find(|known| known.metric == own);
        let bounds = interval.and_then(|known| known.interval.as_ref());
        let range = match (bounds, all.measured(&own.to_string())) {
            (Some(bounds), _) => {
                let [low, high] = [&bounds.low, &bounds.high].map(|bound| bound.to_fixed(3));
                format!("95 % {low} – {high}")
            }
            (None, Some(measured)) => counted(measured.sample_size, "question"),
            (None, None) => "not defined".to_owned(),
        };
        Figure { what: heading(metric), value: shown(results, all, metric, Some(DIGITS_FOR_PEOPLE)), range }
    };
    let mut figures: Vec<Figure> = evaluation.metrics.iter().copied().map(figure).collect();
    let count = |status: Status| {
        let observed = main.questions.iter().filter_map(|one| one.observed.as_ref().ok());
        observed.filter(|one| one.status == status).count()
    };
    let [answered, empty, missing] = [Status::Answered, Status::Empty, Status::Missing].map(count);
    let errors = count(Status::Error) + count(Status::Timeout);
    figures.push(Figure {
        what: "answered".to_owned(),
        value: answered.to_string(),
        range: format!("{empty} empty, {}, {missing} missing", counted(errors as u64, "error")),
    });
    figures
}

/// How the questions fall.
pub(crate) fn bar(main: &TypeResults) -> Strip {
    let (tally, total) = (tally(main), main.questions.len());
    let shown: Vec<QuestionFate> =
        QuestionFate::ALL.into_iter().filter(|one| tally[one.number()] > 0).collect();
    let said = |one: &QuestionFate| format!("{} {}", tally[one.number()], one.words());
    let mut x = 0.0;
    let shape = |one: &QuestionFate| {
        let width = 1000.0 * share(tally[one.number()], total);
        let bar = StripShape::Bar(one.class(), x, 0.0, (width - 2.0).max(1.0), 26.0, String::new());
        x += width;
        bar
    };
    let shapes = shown.iter().map(shape).collect();
    Strip {
        label: shown.iter().map(said).collect::<Vec<_>>().join(", "),
        view_box: "0 0 1000 26".to_owned(),
        shapes,
        key: shown.iter().map(|one| (one.class(), said(one))).collect(),
        caption: vec![Words::plain(&format!("How the {total} questions fall in {}", main.name))],
        is_hidden: true,
        is_long: false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "places in a drawing")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// F1 of each question, in the order of the dataset.
pub(crate) fn strip(results: &Results, main: &TypeResults) -> Strip {
    strip_of_first(results, main, main.questions.len())
}

/// F1 of each of the first questions.
pub(crate) fn strip_of_first(results: &Results, main: &TypeResults, most: usize) -> Strip {
    let total = main.questions.len().min(most);
    let (step, base) = (1000.0 * share(1, total), 74.0);
    let mut shapes =
        vec![StripShape::Level(base, "0"), StripShape::Level(39.0, "0.5"), StripShape::Level(4.0, "1")];
    let of_lane = |(class, start, end): (&'static str, f64, f64)| {
        StripShape::Bar(class, start, 80.0, end - start, 10.0, String::new())
    };
    let mut lane = None;
    for (at, (question, facts)) in main.questions.iter().zip(&results.questions).take(total).enumerate() {
        let (x, width) = (1000.0 * share(at, total), (step - 0.8).clamp(0.4, 24.0));
        let outcome = QuestionFate::of(question);
        let f1 = question.observed.as_ref().map_or(0.0, |one| one.f1.as_str().parse().unwrap_or(0.0));
        // A long strip has no room for titles: the table has the same values.
        let about = if total <= TITLED { format!("{}: {f1:.4}", facts.key) } else { String::new() };
        let about = Words::foreign(&about).text;
        if f1 > 0.0 {
            shapes.push(StripShape::Bar(outcome.class(), x, base - 70.0 * f1, width, 70.0 * f1, about));
        }
        // Neighbours that fell alike are one bar of the lane.
        match &mut lane {
            Some((class, _, end)) if *class == outcome.class() => *end = x + width,
            _ => {
                shapes.extend(lane.take().map(of_lane));
                lane = Some((outcome.class(), x, x + width));
            }
        }
    }
    shapes.extend(lane.map(of_lane));
    if total > TITLED {
        shapes = together(shapes);
    }
    Strip {
        label: format!(
            "F1 of each of the {total} questions in the order of the file; the table of questions has the same values"
        ),
        view_box: "-26 0 1030 96".to_owned(),
        is_long: true,
        shapes,
        key: Vec::new(),
        caption: vec![
            Words::bold("F1 of every question"),
            Words::plain(&format!(
                " in {}, in the order of the gold file. The lane below the axis has the colour of the outcome, so that questions with F1 0 are seen too.",
                main.name
            )),
        ],
        is_hidden: false,
    }
}

/// The same with the bars of each class as one shape: thousands of them would be most of the page.
fn together(shapes: Vec<StripShape>) -> Vec<StripShape> {
    let mut bars: BTreeMap<&'static str, String> = BTreeMap::new();
    let mut others = Vec::new();
    for shape in shapes {
        let StripShape::Bar(class, x, y, width, height, _) = shape else {
            others.push(shape);
            continue;
        };
        let outline = format!("M{x:.1} {y:.1}h{width:.1}v{height:.1}h-{width:.1}z");
        bars.entry(class).or_default().push_str(&outline);
    }
    others.into_iter().chain(bars.into_iter().map(|(class, all)| StripShape::Bars(class, all))).collect()
}

fn measures(context: &PageContext<'_>, results: &Results) -> Vec<PagePiece> {
    let mut pieces = vec![PagePiece::Sheet(tables::types(context, results))];
    let notes =
        skip_notes(std::slice::from_ref(results)).into_iter().chain(tie_notes(std::slice::from_ref(results)));
    pieces.extend(notes.map(|note| PagePiece::Text("note", vec![Words::foreign(&note)])));
    pieces
}
