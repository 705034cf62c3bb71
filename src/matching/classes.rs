//! The hierarchy of classes (`rdfs:subClassOf`), for measures that know how near two classes are.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;

use super::statements::StatementSet;
use crate::measure::Counts;

/// The subclasses of every class.
#[derive(Debug, Default)]
pub struct Classes {
    below: BTreeMap<String, BTreeSet<String>>,
}

impl Classes {
    /// Puts class sets together.
    pub fn of<'a>(sets: impl IntoIterator<Item = &'a StatementSet>) -> Self {
        let mut below: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for statement in sets.into_iter().flat_map(StatementSet::statements) {
            if let Term::NamedNode(over) = statement.object {
                below.entry(over.as_str().to_owned()).or_default().insert(statement.subject.to_owned());
            }
        }
        Self { below }
    }

    /// Of some classes those that have no subclass among them. Classes that are parts of each other stay.
    pub(super) fn most_specific<'b>(&self, classes: &[&'b str]) -> Vec<&'b str> {
        let below = |over: &str, class: &str| self.with_subclasses([over].into_iter()).contains(class);
        let is_implied = |over: &str| {
            classes.iter().any(|class| *class != over && below(over, class) && !below(class, over))
        };
        classes.iter().copied().filter(|over| !is_implied(over)).collect()
    }

    /// The classes and all their subclasses, at any depth. Circles end.
    fn with_subclasses<'b>(&'b self, classes: impl Iterator<Item = &'b str>) -> BTreeSet<&'b str> {
        let mut all: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = classes.collect();
        while let Some(class) = open.pop() {
            if all.insert(class) {
                open.extend(self.below.get(class).into_iter().flatten().map(String::as_str));
            }
        }
        all
    }

    /// The counts of the hierarchical F-measure: both sides are replaced by their classes with all subclasses.
    ///
    /// Source: the GERBIL project's F-measure for typing experiments (`HierarchicalMatchingsCounter`): an answer
    /// that is too general loses precision, one that is too special loses recall, each by the share of subclasses.
    pub(super) fn counts<'b>(
        &'b self,
        gold: impl Iterator<Item = &'b str>,
        system: impl Iterator<Item = &'b str>,
    ) -> Counts {
        let (gold, system) = (self.with_subclasses(gold), self.with_subclasses(system));
        let count = |classes: usize| classes as u64;
        Counts {
            gold: count(gold.len()),
            system: count(system.len()),
            matched: count(gold.intersection(&system).count()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::vocab::rdfs;

    fn classes(pairs: &[(&str, &str)]) -> Classes {
        let named = |iri: &str| Term::from(oxigraph::model::NamedNode::new_unchecked(iri));
        let row = |(class, over): &(&str, &str)| ((*class).to_owned(), rdfs::SUB_CLASS_OF, named(over));
        let rows = pairs.iter().map(row).collect();
        Classes::of([&StatementSet { rows, ..StatementSet::default() }])
    }

    #[test]
    fn too_general_and_too_special() {
        // Place > City > Capital, Place > Lake.
        let classes = classes(&[("City", "Place"), ("Capital", "City"), ("Lake", "Place")]);
        let counts = |gold: &str, system: &str| {
            let Counts { gold, system, matched } = classes.counts([gold].into_iter(), [system].into_iter());
            (gold, system, matched)
        };
        assert_eq!(counts("City", "City"), (2, 2, 2));
        assert_eq!(counts("City", "Place"), (2, 4, 2), "too general: recall 1, precision 2/4");
        assert_eq!(counts("City", "Capital"), (2, 1, 1), "too special: precision 1, recall 1/2");
        assert_eq!(counts("City", "Lake"), (2, 1, 0));
        assert_eq!(counts("Unknown", "Unknown"), (1, 1, 1));
    }

    #[test]
    fn superclasses_are_implied() {
        let classes = classes(&[("City", "Place"), ("Capital", "City"), ("A", "B"), ("B", "A"), ("A", "C")]);
        assert_eq!(classes.most_specific(&["Place", "Capital", "Agent"]), ["Capital", "Agent"]);
        assert_eq!(
            classes.most_specific(&["A", "B", "C"]),
            ["A", "B"],
            "equal classes stay, what is over them goes"
        );
        assert_eq!(classes.most_specific(&["Place", "Place"]), ["Place", "Place"]);
    }

    #[test]
    fn circles_end() {
        let classes = classes(&[("A", "B"), ("B", "A")]);
        assert_eq!(classes.counts(["A"].into_iter(), ["B"].into_iter()).matched, 2);
    }
}
