//! The page of a comparison: a sentence first, then plots with the same values as tables.

use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::text::html;
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::comparison::ComparedItem;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::archived::{compared, evaluations, results, stated};
use crate::record::comparison::sentence::said;
use crate::record::comparison::settings::METHODS;
use crate::record::results::decimal::Decimal;
use crate::report::comparison::parts::ComparisonPart;
use crate::report::comparison::shown::{alerts, computed, questions_notes, told_apart};
use crate::report::plots::{Plot, PlotSection};
use crate::report::table::{Layout, Table};
use crate::site::context::PageContext;
use crate::site::page::{PagePiece, Section, SitePage, WordLine, Words};
use crate::site::route::{ListPage, Route};

/// So many questions that tell systems apart are listed of a table.
const TELLING: usize = 50;

/// The page.
///
/// # Errors
/// Where there is no such comparison, or what it compares cannot be read.
pub(crate) fn page(context: &PageContext<'_>, key: &str) -> Result<SitePage> {
    let archived = context.view.archived;
    let known = archived.comparisons.iter().find(|one| one.key() == key);
    let known = known.ok_or_else(|| Error::input(format!("there is no comparison {key}")))?;
    let again = compared_again(context, known)?;
    let mut page = SitePage {
        title: html(&known.title).into_owned(),
        kicker: "Comparison".to_owned(),
        heading: vec![Words::foreign(&known.title)],
        crumbs: vec![context.link(Words::plain("Comparisons"), &Route::List(ListPage::Comparisons))],
        has_statements: true,
        ..SitePage::default()
    };
    match &again {
        Some(comparison) => (page.pieces, page.sections) = shown(context, comparison)?,
        None => page.pieces.push(PagePiece::said(
            "It was made by methods that this program does not have; its statements say what came of it.",
        )),
    }
    page.sections.push(Section::new("made", "How it was made", made(context, known, again.as_deref())));
    Ok(page)
}

/// A comparison: a sentence a table, and a section each.
///
/// # Errors
/// Where a plot cannot be drawn.
pub(crate) fn shown(
    context: &PageContext<'_>,
    comparison: &SystemComparison,
) -> Result<(Vec<PagePiece>, Vec<Section>)> {
    let apart = told_apart(comparison);
    let sections = sections(context, &apart)?;
    let sentence = |(table, section): (_, &Section)| {
        let mut line = vec![Words::foreign(&format!("{}.", said(table)))];
        // Of several sentences each says what it is about.
        if apart.tables.len() > 1 {
            let about = Words { text: section.title.clone(), ..Words::default() };
            line.insert(0, about.to(Some(format!("#{}", section.id))));
            line.insert(1, Words::plain(": "));
        }
        PagePiece::Text("lead", line)
    };
    let said = apart.tables.iter().zip(&sections).map(sentence).collect();
    Ok((said, sections.into_iter().chain(details(context, &apart)).collect()))
}

/// What plots do not show: which groups of questions hurt whom, what the systems could do together, which questions tell them apart.
fn details(context: &PageContext<'_>, comparison: &SystemComparison) -> Vec<Section> {
    let parts = [
        (ComparisonPart::Groups, "groups", "Groups of questions", true),
        // Its table stands beside its plot.
        (ComparisonPart::Oracle, "together", "Who alone is right", false),
        (ComparisonPart::Items, "deciding", "Questions that tell systems apart", true),
    ];
    let (telling, is_cut) = telling(comparison);
    let section = |(part, id, title, with_tables): (ComparisonPart, &str, &str, bool)| {
        let mut tables =
            part.tables(if part == ComparisonPart::Items { &telling } else { comparison }, Layout::Table);
        for table in tables.iter_mut().filter(|_| part == ComparisonPart::Items && is_cut) {
            table.notes.push(format!(
                "the {TELLING} on which the systems are furthest apart; beside the plot are all"
            ));
        }
        let pieces: Vec<PagePiece> = tables
            .iter()
            .enumerate()
            .flat_map(|(at, table)| detail(context, &format!("{id}-{}", at + 1), table, with_tables))
            .collect();
        (!pieces.is_empty()).then(|| Section::new(id, title, pieces))
    };
    parts.into_iter().filter_map(section).collect()
}

/// The same with the questions that tell the systems apart most, and whether there are more.
fn telling(comparison: &SystemComparison) -> (SystemComparison, bool) {
    let mut most = comparison.clone();
    let mut is_cut = false;
    for table in &mut most.tables {
        // What stands first is a matter of looking: rounded values are near enough.
        let value = |decimal: &Decimal| decimal.to_string().parse().unwrap_or(0.0);
        let apart = |item: &ComparedItem| -> [f64; 2] {
            let scores = || item.scores.iter().map(value);
            let spread = scores().fold(0.0, f64::max) - scores().fold(f64::INFINITY, f64::min);
            [spread, item.discrimination.as_ref().map_or(f64::NEG_INFINITY, value)]
        };
        table.items.sort_by(|one, other| {
            let ([one, its], [other, others]) = (apart(one), apart(other));
            other.total_cmp(&one).then(others.total_cmp(&its))
        });
        is_cut |= table.items.len() > TELLING;
        table.items.truncate(TELLING);
    }
    (most, is_cut)
}

/// A table of a part, with what is said about it; a sentence where there is none.
fn detail(context: &PageContext<'_>, id: &str, table: &Table, with_table: bool) -> Vec<PagePiece> {
    let note = |text: &String| PagePiece::Text("note", vec![Words::foreign(text)]);
    let below = table.notes.iter().chain(&table.footnotes).map(note);
    let shown = || {
        if table.columns.is_empty() {
            PagePiece::text(vec![Words::foreign(&table.title)])
        } else {
            PagePiece::Sheet(context.sheet(id, vec![Words::bold(&table.title)], table, &[]))
        }
    };
    table.alerts.iter().map(note).chain(with_table.then(shown)).chain(below).collect()
}

/// The comparison as its evaluations and settings give it; nothing where its methods are others.
fn compared_again(
    context: &PageContext<'_>,
    known: &ArchivedComparison,
) -> Result<Option<Arc<SystemComparison>>> {
    let archived = context.view.archived;
    let (_, stated) = stated(archived, known)?;
    let Some(settings) = stated.settings.as_ref().filter(|_| stated.methods == METHODS) else {
        return Ok(None);
    };
    let evaluations = evaluations(archived, &stated)?;
    let make = || compared(archived, &evaluations, &results(context.view.kept(), &evaluations)?, settings);
    context.view.compared(&known.iri, make).map(Some)
}

/// A section a table, or several tables together.
fn sections(context: &PageContext<'_>, comparison: &SystemComparison) -> Result<Vec<Section>> {
    let mut sections = Vec::new();
    for (at, one) in PlotSection::all(comparison).iter().enumerate() {
        let table = comparison.tables.get(at);
        let alerts = table.map(|table| alerts(table, &comparison.settings)).unwrap_or_default();
        let notes = table.map(questions_notes).unwrap_or_default();
        let mut pieces: Vec<PagePiece> =
            alerts.iter().map(|alert| PagePiece::Banner(vec![Words::foreign(alert)])).collect();
        pieces.extend(notes.iter().map(|note| PagePiece::Text("note", vec![Words::foreign(note)])));
        for plot in &one.plots {
            let known = |note: &&String| alerts.contains(note) || notes.contains(note);
            let notes: Vec<&String> = plot.notes.iter().filter(|note| !known(note)).collect();
            pieces.extend(plotted(context, one, plot, notes)?);
        }
        let how = table.map(|table| computed(table, &comparison.settings));
        pieces.extend(how.map(|how| PagePiece::Text("note", vec![Words::foreign(&format!("How: {how}."))])));
        sections.push(Section::new(&one.name, &html(&one.title), pieces));
    }
    Ok(sections)
}

/// A plot with notes that are not above it, and the table with the same values.
fn plotted(
    context: &PageContext<'_>,
    section: &PlotSection,
    plot: &Plot,
    notes: Vec<&String>,
) -> Result<[PagePiece; 2]> {
    let id = section.id(plot);
    let caption = vec![Words::bold(&plot.title), Words::foreign(&format!(", {}", section.title))];
    let sheet = context.sheet(&format!("{id}-table"), caption, &plot.table, &[]);
    let reading = [&plot.reading].into_iter().chain(notes).map(|text| html(text).into_owned());
    let drawn = PagePiece::Plot {
        svg: plot.drawing.inline(&id, &plot.title, &plot.description)?,
        title: html(&plot.title).into_owned(),
        reading: reading.collect(),
        id,
    };
    Ok([drawn, PagePiece::Sheet(sheet)])
}

/// What was compared and decided, and when.
fn made(
    context: &PageContext<'_>,
    known: &ArchivedComparison,
    again: Option<&SystemComparison>,
) -> Vec<PagePiece> {
    let link = |iri: &String| vec![context.link_to(Words::iri(iri), iri)];
    let mut facts: Vec<(Words, Vec<WordLine>)> = vec![
        (Words::plain("IRI"), vec![vec![Words::iri(&known.iri)]]),
        (Words::plain("Evaluations"), known.evaluations.iter().map(|iri| context.evaluation(iri)).collect()),
        (Words::plain("Executions"), known.executions.iter().map(|(execution, _)| link(execution)).collect()),
    ];
    let stated = again.map(|one| one.settings.stated()).unwrap_or_default();
    for (name, value) in stated.into_iter().filter(|(_, value)| !value.is_empty()) {
        let shown = vec![Words::foreign(&value)];
        match facts.last_mut() {
            Some((last, values)) if last.text == name => values.push(shown),
            _ => facts.push((Words::plain(name), vec![shown])),
        }
    }
    vec![
        PagePiece::Facts(facts),
        PagePiece::text(context.asked_of("comparisons", "comparison", &known.iri).into()),
    ]
}
