//! The page of a comparison: a sentence first, then plots with the same values as tables. It needs nothing from outside and
//! no script.

use std::collections::BTreeSet;

use askama::Template;

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::sentence::said;
use crate::record::comparison::settings::METHODS;
use crate::record::comparison::{ComparedSystem, ComparedTable};
use crate::report::comparison::parts::ComparisonPart;
use crate::report::comparison::shown::{alerts, computed, questions_notes, ruled, told_apart};
use crate::report::comparison::{groups, pairs};
use crate::report::html::PageTable;
use crate::report::plots::words::FOR_PEOPLE;
use crate::report::plots::{Plot, PlotSection};
use crate::report::table::{Layout, Table};

/// With more rows a table is folded.
const MOST_ROWS: usize = 30;

#[derive(Template)]
#[template(config = "src/report/askama.toml", path = "comparison.html")]
struct ComparisonPage {
    version: &'static str,
    heading: String,
    said: Vec<SaidOfTable>,
    /// With ids, as all tables without plots.
    overview: Vec<(String, PageTable)>,
    sections: Vec<PageSection>,
    facts: Vec<(String, Vec<String>)>,
}

/// What can be said of a table, and where it is.
struct SaidOfTable {
    section: String,
    text: String,
    /// By which measure and profile.
    rules: String,
}

/// A table of the comparison, or several together.
struct PageSection {
    id: String,
    title: String,
    alerts: Vec<String>,
    /// What must be known of all plots.
    notes: Vec<String>,
    plots: Vec<PagePlot>,
    /// Tables without plots.
    sheets: Vec<(String, PageTable)>,
    computed: String,
}

/// A plot and its table.
struct PagePlot {
    id: String,
    title: String,
    svg: String,
    reading: String,
    notes: Vec<String>,
    sheet: PageTable,
    /// Whether the table is too long to be shown at once.
    is_long: bool,
}

/// The page.
///
/// # Errors
/// Where it cannot be written.
pub fn page(comparison: &SystemComparison) -> Result<String> {
    let apart = told_apart(comparison);
    let comparison = &*apart;
    let tables = &comparison.tables;
    let mut sections = Vec::new();
    let plotted = PlotSection::all(comparison);
    for (at, section) in plotted.iter().enumerate() {
        sections.push(page_section(comparison, section, tables.get(at))?);
    }
    let sentences = tables.iter().zip(&plotted);
    let page = ComparisonPage {
        version: env!("CARGO_PKG_VERSION"),
        heading: shown(&heading(tables)),
        said: sentences
            .map(|(table, section)| SaidOfTable {
                section: section.name.clone(),
                text: shown(&sentence(table)),
                rules: shown(&ruled(&table.key)),
            })
            .collect(),
        overview: overview(comparison),
        sections,
        facts: facts(comparison),
    };
    page.render().map_err(|error| Error::system(format!("cannot write HTML: {error}")))
}

fn page_section(
    comparison: &SystemComparison,
    section: &PlotSection,
    table: Option<&ComparedTable>,
) -> Result<PageSection> {
    let alerts = table.map(|table| alerts(table, &comparison.settings)).unwrap_or_default();
    let questions = table.map(questions_notes).unwrap_or_default();
    // Said once, above all plots; what else must be known, beside each.
    let is_said = |note: &&String| alerts.contains(note) || questions.contains(note);
    let plot = |plot: &Plot| {
        let id = section.id(plot);
        let mut table = Table { title: section.title.clone(), alerts: Vec::new(), ..plot.table.clone() };
        table.footnotes.retain(|note| !is_said(&note));
        Ok(PagePlot {
            svg: plot.drawing.inline(&id, &plot.title, &plot.description)?,
            id,
            title: shown(&plot.title),
            reading: shown(&plot.reading),
            notes: plot.notes.iter().filter(|note| !is_said(note)).map(|note| shown(note)).collect(),
            sheet: PageTable::of(&table),
            is_long: plot.table.rows.len() > MOST_ROWS,
        })
    };
    let mut of_groups = table.map(|table| groups::groups(FOR_PEOPLE, table)).unwrap_or_default();
    if let (Some(last), Some(table)) =
        (of_groups.last_mut(), table.filter(|table| !groups::without_pairs(table)))
    {
        last.footnotes.push(pairs::legend(std::slice::from_ref(table)));
    }
    // The heading says what they are about.
    for one in &mut of_groups {
        let name =
            one.title.strip_prefix(&section.title).map(|rest| rest.trim_start_matches(", ").to_owned());
        one.title = name.unwrap_or_else(|| one.title.clone());
    }
    // The table of differences says it too.
    let is_computed = section.plots.iter().any(|plot| plot.kind == "differences");
    let computed = table.filter(|_| !is_computed).map(|table| computed(table, &comparison.settings));
    Ok(PageSection {
        id: section.name.clone(),
        title: shown(&section.title),
        alerts: alerts.iter().map(|one| shown(one)).collect(),
        notes: questions.iter().map(|one| shown(one)).collect(),
        plots: section.plots.iter().map(plot).collect::<Result<_>>()?,
        sheets: with_ids(&format!("{}-groups", section.name), &of_groups),
        computed: computed.map(|computed| shown(&computed)).unwrap_or_default(),
    })
}

/// A text without characters that command a terminal or turn the direction of a line.
fn shown(text: &str) -> String {
    text::html(text).into_owned()
}

/// How many systems, and on what.
fn heading(tables: &[ComparedTable]) -> String {
    let of = |name: fn(&ComparedTable) -> Vec<&str>| {
        let mut names: Vec<&str> = tables.iter().flat_map(name).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let systems =
        of(|table| table.systems.iter().map(|system: &ComparedSystem| system.system.as_str()).collect());
    let datasets = of(|table| vec![table.key.dataset.as_str()]);
    let on = match datasets.as_slice() {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        several => format!("{} datasets", several.len()),
    };
    format!("{} on {on}", text::counted(systems.len() as u64, "system"))
}

/// With a capital letter and a full stop.
fn sentence(table: &ComparedTable) -> String {
    let said = said(table);
    // The name of a system begins as the system does.
    let said = said.strip_prefix("nothing").map_or_else(|| said.clone(), |rest| format!("Nothing{rest}"));
    format!("{said}.")
}

/// Systems and datasets, where there are several tables.
fn overview(comparison: &SystemComparison) -> Vec<(String, PageTable)> {
    if comparison.tables.len() < 2 {
        return Vec::new();
    }
    let matrices = ComparisonPart::Matrix.tables(comparison, Layout::Table);
    // Sentences stand above.
    let bare = |table: Table| Table { notes: Vec::new(), ..table };
    with_ids("overview", &matrices.into_iter().map(bare).collect::<Vec<_>>())
}

fn with_ids(name: &str, tables: &[Table]) -> Vec<(String, PageTable)> {
    (1..).zip(tables).map(|(number, table)| (format!("{name}-{number}"), PageTable::of(table))).collect()
}

/// What was compared and decided.
fn facts(comparison: &SystemComparison) -> Vec<(String, Vec<String>)> {
    let mut facts = vec![
        ("comparison".to_owned(), vec![comparison.key.clone()]),
        ("methods".to_owned(), vec![METHODS.to_owned()]),
    ];
    for (name, value) in comparison.settings.stated().into_iter().filter(|(_, value)| !value.is_empty()) {
        match facts.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(shown(&value)),
            None => facts.push((name.to_owned(), vec![shown(&value)])),
        }
    }
    facts.push(("evaluations".to_owned(), comparison.evaluations.iter().map(|iri| shown(iri)).collect()));
    let gold = comparison.tables.iter().map(|table| format!("{} {}", table.key.dataset, table.gold_sha256));
    let gold: BTreeSet<String> = gold.map(|line| shown(&line)).collect();
    facts.push(("sha256 of gold files".to_owned(), gold.into_iter().collect()));
    facts
}
