//! The hierarchy of classes (`rdfs:subClassOf`), for measures that know how near two classes are.

use crate::measures::sets::Counts;
use crate::references::statements::StatementSet;
use indexmap::IndexSet;
use oxigraph::model::Term;
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The subclasses and superclasses of every class.
#[derive(Debug, Default)]
pub struct Classes {
    /// The classes of the hierarchy; a number stands for one.
    names: IndexSet<String>,
    /// What each class is said to be over.
    below: Vec<Vec<usize>>,
    /// What each class is said to be below.
    above: Vec<Vec<usize>>,
    /// Classes that are subclasses of each other have the same.
    circle: Vec<usize>,
}

impl Classes {
    /// Puts class sets together.
    pub fn of<'a>(sets: impl IntoIterator<Item = &'a StatementSet>) -> Self {
        let mut said: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut names = IndexSet::new();
        let mut number =
            |iri: &str| names.get_index_of(iri).unwrap_or_else(|| names.insert_full(iri.to_owned()).0);
        for statement in sets.into_iter().flat_map(StatementSet::statements) {
            if let Term::NamedNode(over) = statement.object {
                said.insert((number(statement.subject), number(over.as_str())));
            }
        }
        let mut below = vec![Vec::new(); names.len()];
        let mut above = vec![Vec::new(); names.len()];
        for (class, over) in said {
            above[class].push(over);
            below[over].push(class);
        }
        let circle = circles(&above, &below);
        Self { names, below, above, circle }
    }

    /// Of some classes those that have no subclass among them. Classes that are parts of each other stay.
    pub(crate) fn most_specific<'b>(&self, classes: &[&'b str]) -> Vec<&'b str> {
        let implied = self.over(classes.iter().filter_map(|class| self.names.get_index_of(*class)));
        let is_implied = |class: &str| self.names.get_index_of(class).is_some_and(|c| implied.contains(&c));
        classes.iter().copied().filter(|class| !is_implied(class)).collect()
    }

    /// The classes over any of some classes, at any depth, but for those that are parts of each other with all of
    /// them that are below. One walk for all: a resource can have very many classes.
    fn over(&self, classes: impl Iterator<Item = usize>) -> HashSet<usize> {
        let (mut beside, mut over) = (HashSet::new(), HashSet::new());
        let mut open: Vec<(usize, bool)> = classes.map(|class| (class, false)).collect();
        while let Some((class, is_over)) = open.pop() {
            let is_new = if is_over { over.insert(class) } else { beside.insert(class) };
            if is_new {
                let above = self.above[class].iter();
                open.extend(above.map(|&up| (up, is_over || self.circle[up] != self.circle[class])));
            }
        }
        over
    }

    /// The classes and all their subclasses, at any depth. Circles end.
    fn with_subclasses<'b>(&'b self, classes: impl Iterator<Item = &'b str>) -> BTreeSet<&'b str> {
        closed(classes, |class| {
            let below = self.names.get_index_of(class).map(|class| &self.below[class]);
            let name = |&class: &usize| self.names.get_index(class).map(String::as_str);
            below.into_iter().flatten().filter_map(name)
        })
    }

    /// What classes that are the same have in common, by the number of the class: `key` of its IRI.
    pub(crate) fn names(&self, key: impl Fn(&str) -> String) -> ClassNames {
        let of: Vec<String> = self.names.iter().map(|name| key(name)).collect();
        let mut by_name: HashMap<String, Vec<usize>, FxBuildHasher> = HashMap::default();
        for (name, class) in of.iter().zip(0..) {
            by_name.entry(name.clone()).or_default().push(class);
        }
        ClassNames { of, by_name }
    }

    /// As [`Self::counts`], with classes that are named by what those that are the same have in common.
    pub(crate) fn counts_by<'b>(
        &self,
        names: &'b ClassNames,
        gold: impl Iterator<Item = &'b str>,
        system: impl Iterator<Item = &'b str>,
    ) -> Counts {
        let below = |name: &str| {
            let classes = names.by_name.get(name).into_iter().flatten();
            classes.flat_map(|&class| &self.below[class]).map(|&class| names.of[class].as_str())
        };
        let both = (closed(gold, below), closed(system, below));
        counts(&both.0, &both.1)
    }

    /// The counts of the hierarchical F-measure: both sides are replaced by their classes with all subclasses.
    ///
    /// Source: the GERBIL project's F-measure for typing experiments (`HierarchicalMatchingsCounter`): an answer
    /// that is too general loses precision, one that is too special loses recall, each by the share of subclasses.
    pub(crate) fn counts<'b>(
        &'b self,
        gold: impl Iterator<Item = &'b str>,
        system: impl Iterator<Item = &'b str>,
    ) -> Counts {
        counts(&self.with_subclasses(gold), &self.with_subclasses(system))
    }
}

/// The names of the classes of a hierarchy: classes that links or normalisations make the same have one.
#[derive(Debug, Default)]
pub(crate) struct ClassNames {
    /// The name of each class.
    of: Vec<String>,
    /// The classes with a name.
    by_name: HashMap<String, Vec<usize>, FxBuildHasher>,
}

/// Some classes and all that are below them, at any depth. Circles end.
fn closed<'b, I: Iterator<Item = &'b str>>(
    classes: impl Iterator<Item = &'b str>,
    below: impl Fn(&'b str) -> I,
) -> BTreeSet<&'b str> {
    let mut all: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = classes.collect();
    while let Some(class) = open.pop() {
        if all.insert(class) {
            open.extend(below(class));
        }
    }
    all
}

fn counts(gold: &BTreeSet<&str>, system: &BTreeSet<&str>) -> Counts {
    let count = |classes: usize| classes as u64;
    Counts {
        gold: count(gold.len()),
        system: count(system.len()),
        matched: count(gold.intersection(system).count()),
    }
}

/// One number for every node: nodes that lead to each other have the same one, others do not.
///
/// `onward` and `back` are the edges of every node in both directions. Every edge is walked once each way
/// (Kosaraju and Sharir), without a call for every step: chains can be long.
pub(crate) fn circles(onward: &[Vec<usize>], back: &[Vec<usize>]) -> Vec<usize> {
    let mut circle: Vec<Option<usize>> = vec![None; back.len()];
    for start in finished(onward).into_iter().rev() {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if circle[node].is_none() {
                circle[node] = Some(start);
                open.extend(&back[node]);
            }
        }
    }
    circle.into_iter().flatten().collect()
}

/// All nodes, each after everything it leads to that a walk in depth had not seen before.
fn finished(onward: &[Vec<usize>]) -> Vec<usize> {
    let mut finished = Vec::with_capacity(onward.len());
    let mut seen = vec![false; onward.len()];
    for start in 0..onward.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            path.push((start, 0));
        }
        while let Some((node, edge)) = path.last_mut() {
            if let Some(&next) = onward[*node].get(*edge) {
                *edge += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            } else {
                finished.push(*node);
                path.pop();
            }
        }
    }
    finished
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::vocab::rdfs;

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
    fn classes_that_are_the_same_are_one() {
        // Place > City, and another vocabulary where Ort = Place > Dorf.
        let classes = classes(&[("City", "Place"), ("Dorf", "Ort")]);
        let key = |class: &str| if class == "Ort" { "Place".to_owned() } else { class.to_owned() };
        let names = classes.names(key);
        let counts = classes.counts_by(&names, ["Place"].into_iter(), ["Place"].into_iter());
        assert_eq!((counts.gold, counts.system, counts.matched), (3, 3, 3), "Place, City, Dorf");
        let counts = classes.counts_by(&names, ["Place"].into_iter(), ["Dorf"].into_iter());
        assert_eq!((counts.gold, counts.system, counts.matched), (3, 1, 1));
        assert_eq!(classes.counts(["Place"].into_iter(), ["Ort"].into_iter()).matched, 0, "as written");
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
    /// The definition, word by word: a class goes that has another one below it which is not over it.
    fn by_definition<'b>(classes: &Classes, wanted: &[&'b str]) -> Vec<&'b str> {
        let below = |over: &str, class: &str| classes.with_subclasses([over].into_iter()).contains(class);
        let is_implied = |over: &str| {
            wanted.iter().any(|class| *class != over && below(over, class) && !below(class, over))
        };
        wanted.iter().copied().filter(|over| !is_implied(over)).collect()
    }

    const NAMES: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];

    proptest! {
        #[test]
        fn the_most_specific_classes_are_those_of_the_definition(
            said in prop::collection::vec((0..7usize, 0..7usize), 0..14),
            wanted in prop::collection::vec(0..8usize, 0..8),
        ) {
            let said: Vec<(&str, &str)> = said.iter().map(|&(a, b)| (NAMES[a], NAMES[b])).collect();
            let wanted: Vec<&str> = wanted.iter().map(|&class| NAMES[class]).collect();
            let classes = classes(&said);
            prop_assert_eq!(classes.most_specific(&wanted), by_definition(&classes, &wanted));
        }
    }

    /// Looking at every pair of these classes would be 10^10 walks: the test would not end.
    #[test]
    fn one_walk_for_very_many_classes() {
        let names: Vec<String> = (0..100_000).map(|number| format!("C{number}")).collect();
        let chain: Vec<(&str, &str)> =
            names.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
        let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(classes(&chain).most_specific(&wanted), ["C0"]);
        assert_eq!(classes(&[]).most_specific(&wanted), wanted);
    }
}

#[cfg(test)]
mod circles_tests {
    use proptest::prelude::*;

    use super::*;

    fn edges(of: &[(usize, usize)], nodes: usize) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let (mut onward, mut back) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for &(from, to) in of {
            onward[from].push(to);
            back[to].push(from);
        }
        (onward, back)
    }

    #[test]
    fn two_circles_with_a_bridge() {
        let (onward, back) = edges(&[(0, 1), (1, 0), (1, 2), (2, 3), (3, 2), (4, 4)], 5);
        let circle = circles(&onward, &back);
        assert_eq!(circle[0], circle[1]);
        assert_eq!(circle[2], circle[3]);
        assert!(circle[0] != circle[2] && circle[4] != circle[0] && circle[4] != circle[2]);
    }

    proptest! {
        /// Two nodes are in one circle if each can be reached from the other (Warshall).
        #[test]
        fn nodes_of_a_circle_reach_each_other(of in prop::collection::vec((0..7usize, 0..7usize), 0..16)) {
            let mut reaches = [[false; 7]; 7];
            (0..7).for_each(|node| reaches[node][node] = true);
            for &(from, to) in &of {
                reaches[from][to] = true;
            }
            for through in 0..7 {
                for from in 0..7 {
                    for to in 0..7 {
                        reaches[from][to] |= reaches[from][through] && reaches[through][to];
                    }
                }
            }
            let (onward, back) = edges(&of, 7);
            let circle = circles(&onward, &back);
            for a in 0..7 {
                for b in 0..7 {
                    prop_assert_eq!(circle[a] == circle[b], reaches[a][b] && reaches[b][a]);
                }
            }
        }
    }
}
