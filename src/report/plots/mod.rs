//! Plots of comparisons: SVG that is the same on every machine, with the same values in words and as a table.
//!
//! Nothing is drawn that says more than the numbers do: no axis is cut, values that mean something else than they seem to are
//! drawn apart and hollow, what is undefined is said. There are no radar charts, whose form follows from the order of their
//! axes, no means over measures and no win rates.

mod axis;
mod drawing;
mod equals;
mod forest;
mod heat;
mod oracle;
mod ranks;
mod rows;
mod slopes;
pub mod words;

use std::collections::BTreeSet;

use crate::base::error::Result;
use crate::base::iri::slug;
use crate::record::comparison::across::SystemComparison;
use crate::report::plots::drawing::Drawing;
use crate::report::plots::words::TableWords;
use crate::report::table::Table;

/// A plot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plot {
    /// What kind it is, in a word for names of files.
    pub kind: &'static str,
    /// The heading.
    pub title: String,
    /// How it is read.
    pub reading: String,
    /// What it shows, for those who do not see it.
    pub description: String,
    /// What must be known beside it: cautions, questions that are left out.
    pub notes: Vec<String>,
    /// The drawing.
    pub drawing: Drawing,
    /// The same values.
    pub table: Table,
}

/// The plots of one table of a comparison, or of several together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotSection {
    /// What it is about, by its beginning of the names of files: no two sections have the same.
    pub name: String,
    /// The same for people.
    pub title: String,
    /// The plots.
    pub plots: Vec<Plot>,
}

/// A plot as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotFile {
    /// The name, which is safe on every system.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The SVG.
    pub svg: String,
}

/// The longest beginning of the name of a file.
const LONGEST_NAME: usize = 80;

impl PlotSection {
    /// The sections of a comparison: of each table, then of several datasets, of drift, of profiles.
    pub fn all(comparison: &SystemComparison) -> Vec<Self> {
        let mut names = BTreeSet::new();
        let mut section =
            |title: String, plots: Vec<Plot>| Self { name: unique(&title, &mut names), title, plots };
        let mut all: Vec<Self> = Vec::new();
        for table in &comparison.tables {
            let words = TableWords { table, settings: &comparison.settings };
            let plots = [
                forest::differences(&words),
                forest::values(&words),
                equals::equals(&words),
                ranks::ranks(&words),
                heat::heat(&words),
                oracle::oracle(&words),
            ];
            all.push(section(words.about(), plots.into_iter().flatten().collect()));
        }
        for compared in &comparison.over_datasets {
            let plots = forest::over_datasets(compared);
            all.extend((!plots.is_empty()).then(|| section(words::over_datasets(compared), plots)));
        }
        all.extend(
            slopes::drift(&comparison.drift, &comparison.tables)
                .into_iter()
                .map(|(title, plot)| section(title, vec![plot])),
        );
        let of_profiles =
            comparison.profiles.iter().filter_map(|both| slopes::profiles(both, &comparison.tables));
        all.extend(of_profiles.map(|(title, plot)| section(title, vec![plot])));
        all
    }

    /// The plots as files.
    pub fn files(&self) -> Result<Vec<PlotFile>> {
        self.plots.iter().map(|plot| plot.file(self)).collect()
    }

    /// The name of a plot of it, which is the id of that in a page.
    pub fn id(&self, plot: &Plot) -> String {
        format!("{}-{}", self.name, plot.kind)
    }
}

impl Plot {
    fn file(&self, section: &PlotSection) -> Result<PlotFile> {
        let (name, title) = (section.id(self), format!("{}: {}", self.title, section.title));
        let below: Vec<String> = [&self.reading].into_iter().chain(&self.notes).cloned().collect();
        let svg = self.drawing.file(&name, &title, &self.description, &below)?;
        Ok(PlotFile { name: format!("{name}.svg"), title, svg })
    }
}

/// A name of small letters, digits and hyphens that no other section has.
fn unique(title: &str, names: &mut BTreeSet<String>) -> String {
    let base: String = slug(title).chars().take(LONGEST_NAME).collect();
    let base = base.trim_end_matches('-').to_owned();
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    let name = [base.clone()].into_iter().chain(numbered).find(|name| !names.contains(name)).unwrap_or(base);
    names.insert(name.clone());
    name
}
