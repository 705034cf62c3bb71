//! What is asked of one subject at a time, and where the subjects are of which all of it can be said.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::rdf::contents::{ContentsRegion, GraphContents, RegionContents};
use crate::base::vocab::rdf;

/// A graph, or several that are one: what it is about, and what it holds. Without contents it may hold anything.
#[derive(Debug, Clone, Copy)]
pub struct Holder<'a> {
    /// What it is about.
    pub about: &'a str,
    /// What it holds.
    pub contents: Option<&'a GraphContents>,
}

/// A property that is asked of a subject; of `rdf:type` perhaps with a class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Demand {
    pub property: String,
    pub class: Option<String>,
}

impl Demand {
    pub(super) fn new(property: &str, object: Option<&str>) -> Self {
        let class = object.filter(|_| property == rdf::TYPE);
        Self { property: property.to_owned(), class: class.map(str::to_owned) }
    }

    /// Whether subjects of a region can have it.
    fn is_in(&self, held: &RegionContents) -> bool {
        match &self.class {
            Some(class) => held.classes.contains(class),
            None => held.properties.contains(&self.property),
        }
    }
}

/// The triple patterns of one basic graph pattern with one subject: whatever lacks one of them is no such subject.
#[derive(Debug, Clone, Default)]
pub(super) struct Star {
    pub demands: BTreeSet<Demand>,
    /// Whether a variable stands for a property: then any statement about the subject is asked for.
    pub asks_anything: bool,
    /// The beginnings of the regions where subjects can be; nothing: anywhere.
    regions: Option<BTreeSet<String>>,
    /// Those of which one graph only says what is asked.
    alone: BTreeSet<String>,
}

impl Star {
    /// Whether subjects of a region can have all that is asked.
    pub(super) fn can_be_in(&self, beginning: &str) -> bool {
        self.regions.as_ref().is_none_or(|regions| regions.contains(beginning))
    }

    /// Whether all that is said of subjects of a region, of what is asked, is in one graph.
    pub(super) fn is_alone_in(&self, beginning: &str) -> bool {
        self.alone.contains(beginning)
    }

    /// Finds out where subjects can be. `holders` are all graphs that a subject may be looked for in.
    pub(super) fn narrow(&mut self, holders: &Holders<'_>) {
        for demand in &self.demands {
            let Some(found) = holders.regions(|held| demand.is_in(held)) else { continue };
            let found = found.into_keys();
            self.regions = Some(match self.regions.take() {
                Some(known) => found.filter(|region| known.contains(region)).collect(),
                None => found.collect(),
            });
        }
        let asked = |held: &RegionContents| {
            self.asks_anything || self.demands.iter().any(|demand| demand.is_in(held))
        };
        if let (Some(regions), Some(found)) = (&self.regions, holders.regions(asked)) {
            let alone = found.into_iter().filter(|(region, number)| *number == 1 && regions.contains(region));
            self.alone = alone.map(|(region, _)| region).collect();
        }
    }
}

/// All holders: those with the same contents together.
#[derive(Debug, Default)]
pub(super) struct Holders<'a> {
    /// The things that the graphs with the same contents are about, by the place of the contents in memory.
    known: BTreeMap<*const GraphContents, (&'a GraphContents, Vec<&'a str>)>,
    /// Whether one of them may hold anything.
    is_any: bool,
}

impl<'a> Holders<'a> {
    pub(super) fn new(all: &[Holder<'a>]) -> Self {
        let mut holders = Self::default();
        for Holder { about, contents } in all {
            match contents {
                Some(contents) => {
                    let entry = holders.known.entry(std::ptr::from_ref(*contents));
                    entry.or_insert_with(|| (contents, Vec::new())).1.push(about);
                }
                None => holders.is_any = true,
            }
        }
        holders
    }

    /// The beginnings of the regions in which something is held, with the number of graphs; nothing where it may be anywhere.
    fn regions(&self, is_held: impl Fn(&RegionContents) -> bool) -> Option<BTreeMap<String, usize>> {
        if self.is_any {
            return None;
        }
        let mut found = BTreeMap::new();
        for (contents, abouts) in self.known.values() {
            for (region, _) in contents.regions().filter(|(_, held)| is_held(held)) {
                match region {
                    ContentsRegion::Beginning(beginning) if beginning.is_empty() => return None,
                    ContentsRegion::Beginning(_) => {
                        *found.entry(region.beginning("")).or_default() += abouts.len();
                    }
                    ContentsRegion::Below(_) => {
                        for about in abouts {
                            *found.entry(region.beginning(about)).or_default() += 1;
                        }
                    }
                }
            }
        }
        Some(found)
    }
}
