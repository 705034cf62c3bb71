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
mod risk;
mod rows;
#[cfg(test)]
mod samples;
#[cfg(test)]
pub(crate) use samples::{comparison as sample_comparison, table as sample_table};
mod series;
mod slopes;
pub mod words;

use std::collections::BTreeSet;

use crate::base::error::Result;
use crate::base::iri::slug;
use crate::record::comparison::across::SystemComparison;
use crate::report::comparison::shown::{described, told_apart};
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
        let apart = told_apart(comparison);
        let comparison = &*apart;
        let mut names = BTreeSet::new();
        let mut section = |named: &str, title: String, plots: Vec<Plot>| Self {
            name: unique(named, &mut names),
            title,
            plots,
        };
        let mut all: Vec<Self> = Vec::new();
        for table in &comparison.tables {
            let words = TableWords { table, settings: &comparison.settings };
            let mut values = forest::values(&words);
            values.notes.extend(equals::left_out(&words).map(str::to_owned));
            let plots = [
                forest::differences(&words),
                Some(values),
                equals::equals(&words),
                ranks::ranks(&words),
                heat::heat(&words),
                oracle::oracle(&words),
                risk::risk(&words),
            ];
            all.push(section(&described(&table.key), words.about(), plots.into_iter().flatten().collect()));
        }
        for compared in &comparison.over_datasets {
            let plots = forest::over_datasets(compared, &comparison.tables);
            let title = words::over_datasets(compared);
            all.extend((!plots.is_empty()).then(|| section(&title.clone(), title, plots)));
        }
        let drift = slopes::drift(&comparison.drift, &comparison.tables).into_iter();
        let profiles =
            comparison.profiles.iter().filter_map(|both| slopes::profiles(both, &comparison.tables));
        all.extend(drift.chain(profiles).map(|(title, plot)| section(&title.clone(), title, vec![plot])));
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

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;
    use crate::report::comparison::page::page;
    use crate::report::plots::samples::{comparison, table};

    /// Names that are markup, command terminals, turn lines around, are long, or of other scripts.
    const ODD: [&str; 8] = [
        "<script>alert(1)</script>",
        "a\u{1b}[31m\u{202e}]]>&amp;\"'",
        "a name of a system that is very much longer than anybody would like to read beside a plot, and then some",
        "日本語の知識グラフ質問応答システム第二版改訂",
        "سامانهٔ پرسش و پاسخ بر پایهٔ گراف دانش",
        "👩\u{200d}🔬👩\u{200d}🔬👩\u{200d}🔬👩\u{200d}🔬👩\u{200d}🔬👩\u{200d}🔬👩\u{200d}🔬👩\u{200d}🔬",
        "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
        "",
    ];

    fn numbered(count: usize) -> Vec<String> {
        (0..count)
            .map(|at| ODD.get(at).map_or_else(|| format!("System {at}"), |name| (*name).to_owned()))
            .collect()
    }

    #[track_caller]
    fn is_well_formed(svg: &str) {
        let mut reader = Reader::from_str(svg);
        reader.config_mut().check_end_names = true;
        let mut open = 0_usize;
        loop {
            match reader.read_event().unwrap_or_else(|error| panic!("{error}: {svg}")) {
                Event::Start(start) => {
                    start.attributes().for_each(|attribute| drop(attribute.unwrap()));
                    let known = ["svg", "title", "desc", "style", "rect", "path", "text"];
                    assert!(known.contains(&start.name().as_ref()), "{start:?}");
                    open += 1;
                }
                Event::End(_) => open -= 1,
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(open, 0);
    }

    /// One system and thirty, one question and two thousand: every plot is well-formed, says what it shows, and none of its
    /// words stand on others or outside of it.
    #[test]
    fn plots_of_all_sizes_are_whole() {
        for (systems, questions) in [(1, 40), (2, 1), (4, 219), (8, 441), (30, 2000)] {
            let names = numbered(systems);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let sections = PlotSection::all(&comparison(vec![table(&names, questions, "d")]));
            let plots: Vec<&Plot> = sections.iter().flat_map(|section| &section.plots).collect();
            assert_eq!(plots.len(), if systems == 1 { 3 } else { 7 }, "{systems}");
            for plot in plots {
                assert!(!plot.description.is_empty() && !plot.table.rows.is_empty(), "{}", plot.kind);
                assert_eq!(plot.drawing.collisions(), [""; 0], "{} of {systems} systems", plot.kind);
            }
            for file in sections.iter().flat_map(|section| section.files().unwrap()) {
                is_well_formed(&file.svg);
                assert!(!file.svg.contains("<script") && !file.svg.contains(['\u{1b}', '\u{202e}']));
                assert!(file.svg.contains("role=\"img\"") && !file.svg.contains("style=\""));
            }
        }
    }

    /// Values that mean something else than they seem to are hollow, stand apart, and the reason is beside them.
    #[test]
    fn values_that_mean_something_else_take_no_mark() {
        let mut table = table(&["Honest", "Copy", "Slow"], 40, "d");
        samples::warn_of(&mut table, "Copy", "repeats-gold-answers", "it repeats the gold file");
        table.left_out = vec!["7".to_owned()];
        let sections = PlotSection::all(&comparison(vec![table]));
        for plot in &sections[0].plots {
            let notes = plot.notes.join(" ");
            assert!(notes.contains("Copy has no rank: it repeats the gold file"), "{}: {notes}", plot.kind);
            assert!(notes.contains("1 question left out that not all systems have: 7"), "{notes}");
            let svg = plot.drawing.inline("n", "t", "d").unwrap();
            let is_hollow = svg.contains("class=\"hollow\"") && svg.contains("repeats-gold-answers");
            assert_eq!(is_hollow, ["values", "differences", "risk"].contains(&plot.kind), "{}", plot.kind);
            assert!(!["equals", "ranks"].contains(&plot.kind) || !svg.contains("Copy"), "{svg}");
        }
    }

    #[test]
    fn what_is_undefined_is_said() {
        let mut all = table(&["A", "B"], 5, "d");
        for system in &mut all.systems {
            (system.interval, system.no_interval) =
                (None, Some(crate::statistics::undefined::Undefined::TooFewQuestions));
        }
        all.systems[1].value = None;
        all.systems[1].common_value = None;
        let sections = PlotSection::all(&comparison(vec![all]));
        let values = sections[0].plots.iter().find(|plot| plot.kind == "values").unwrap();
        assert!(
            values.description.starts_with("A 0.") && values.description.ends_with("B no value."),
            "{}",
            values.description
        );
        let svg = values.drawing.inline("n", "t", "d").unwrap();
        assert!(svg.contains("no interval: few questions") && svg.contains(">no value<"), "{svg}");
    }

    #[test]
    fn names_are_safe_and_once() {
        let names = ["d", "D", "../d", "日本", &"x".repeat(300)];
        let tables = names.iter().map(|name| table(&["A", "B"], 12, name)).collect();
        let sections = PlotSection::all(&comparison(tables));
        let files: Vec<PlotFile> = sections.iter().flat_map(|section| section.files().unwrap()).collect();
        let names: BTreeSet<String> = files.iter().map(|file| file.name.to_lowercase()).collect();
        assert_eq!(names.len(), files.len());
        let is_safe = |name: &String| {
            name.len() < 120
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))
        };
        assert!(names.iter().all(is_safe), "{names:?}");
    }

    #[test]
    fn small_plots_are_as_they_were() {
        let mut small = table(&["gAnswer2", "QAKiS", "TeBaQA"], 12, "small");
        samples::warn_of(&mut small, "TeBaQA", "same-bytes", "it is the same file as that of QAKiS");
        for plot in &PlotSection::all(&comparison(vec![small]))[0].plots {
            insta::assert_snapshot!(
                plot.kind,
                plot.drawing.inline("id", &plot.title, &plot.description).unwrap()
            );
        }
    }

    #[test]
    fn pages_have_one_heading_named_regions_and_no_markup_of_strangers() {
        let names = numbered(8);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let page = page(&comparison(vec![table(&names, 40, "<b>d</b>"), table(&names, 80, "e")])).unwrap();
        for raw in [
            "<script",
            "<b>d",
            "\u{1b}",
            "\u{202e}",
            "style=\"",
            "src=",
            "http-equiv",
            "@import",
            "url(",
            "<link",
        ] {
            assert!(!page.contains(raw), "{raw:?}");
        }
        assert_eq!((page.matches("<h1").count(), page.matches("<main").count()), (1, 1));
        let values = |name: &str| -> Vec<String> {
            let before = format!(" {name}=\"");
            let pieces = page.split(&before).skip(1);
            pieces.map(|piece| piece.split('"').next().unwrap().to_owned()).collect()
        };
        let ids = values("id");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
        for named in values("aria-labelledby").iter().flat_map(|names| names.split(' ')) {
            assert!(ids.iter().any(|id| id == named), "{named}");
        }
        for target in page.split("href=\"#").skip(1) {
            let target = target.split('"').next().unwrap();
            assert!(ids.iter().any(|id| id == target), "{target}");
        }
        let regions = page.split("role=\"region\"").skip(1);
        assert!(regions.clone().count() >= 16);
        let is_focusable = |rest: &str| rest.split('>').next().unwrap().contains("tabindex=\"0\"");
        assert!(regions.clone().all(is_focusable));
        // Levels of headings follow each other.
        let levels: Vec<u32> = page
            .match_indices("<h")
            .filter_map(|(at, _)| page[at + 2..].chars().next()?.to_digit(10))
            .collect();
        assert!(levels.windows(2).all(|both| both[1] <= both[0] + 1), "{levels:?}");
    }
}
