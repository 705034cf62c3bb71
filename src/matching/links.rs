//! Link sets: `owl:sameAs` statements, closed to clusters by union-find.

use std::collections::{BTreeSet, HashMap, VecDeque};

use indexmap::IndexSet;
use oxigraph::model::Term;
use rustc_hash::FxBuildHasher;

use super::normalise::normal_form;
use super::statements::{self, Wanted};
use crate::error::Result;
use crate::graph::vocab::owl;
use crate::read::{Issue, Source};

/// The links of one file.
#[derive(Debug, Default)]
pub struct LinkSet {
    iris: IndexSet<String, FxBuildHasher>,
    links: Vec<(u32, u32)>,
    media_type: &'static str,
    /// What is in the file and is no link.
    pub issues: Vec<Issue>,
}

impl LinkSet {
    /// Reads N-Triples, N-Quads, Turtle or TriG, recognised by content. Graph names do not matter.
    pub fn read(source: &Source) -> Result<Self> {
        let wanted = Wanted {
            predicates: &[owl::SAME_AS],
            literals: false,
            name: "links",
            example: "<a> owl:sameAs <b>",
        };
        let mut set = Self::default();
        let read = statements::read(source, wanted, |from, _, to| {
            if let Term::NamedNode(to) = to {
                set.push(from, to.into_string());
            }
        })?;
        Ok(Self { media_type: read.media_type, issues: read.issues, ..set })
    }

    fn push(&mut self, from: String, to: String) {
        let mut number = |iri: String| {
            let (number, _) = self.iris.insert_full(iri);
            u32::try_from(number).expect("memory ends before four billion IRIs")
        };
        let link = (number(from), number(to));
        self.links.push(link);
    }

    /// The media type of the syntax it was read in.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// The links as written, in file order.
    pub fn links(&self) -> impl Iterator<Item = (&str, &str)> {
        self.links.iter().map(|&(from, to)| (self.iri(from), self.iri(to)))
    }

    fn iri(&self, number: u32) -> &str {
        &self.iris[number as usize]
    }
}

/// The closure of link sets: every IRI in a link, and the cluster it is in.
///
/// `owl:sameAs` is an equivalence (OWL 2 RDF-Based Semantics): symmetric and transitive, over all files together.
#[derive(Debug, Default)]
pub struct Links {
    iris: IndexSet<String, FxBuildHasher>,
    parent: Vec<u32>,
    /// For a root, the smallest IRI of its cluster.
    smallest: Vec<u32>,
    /// The IRIs that no link has as they stand, with the normalisations that lead to them from one that has.
    derived: HashMap<u32, BTreeSet<&'static str>>,
}

/// How two IRIs are connected: each link with the number of its link set.
pub type Chain = Vec<(String, String, usize)>;

impl Links {
    /// Closes link sets. `enabled` says which normalisations of IRIs apply: an IRI and its normal form are then
    /// members of one cluster, so that links reach answers that write the resource another way.
    pub fn close<'a>(sets: impl IntoIterator<Item = &'a LinkSet>, enabled: impl Fn(&str) -> bool) -> Self {
        let mut closure = Self::default();
        for set in sets {
            let numbers: Vec<u32> = set.iris.iter().map(|iri| closure.number(iri)).collect();
            for (iri, &number) in set.iris.iter().zip(&numbers) {
                let (form, applied) = normal_form(iri, &enabled);
                if !applied.is_empty() {
                    let form = closure.number(&form);
                    closure.derived.entry(form).or_default().extend(applied);
                    closure.unite(number, form);
                }
            }
            for number in &numbers {
                closure.derived.remove(number);
            }
            for &(from, to) in &set.links {
                closure.unite(numbers[from as usize], numbers[to as usize]);
            }
        }
        closure.find_smallest();
        closure
    }

    fn number(&mut self, iri: &str) -> u32 {
        if let Some(known) = self.iris.get_index_of(iri) {
            return u32::try_from(known).expect("numbers were given as u32");
        }
        let number = u32::try_from(self.iris.len()).expect("memory ends before four billion IRIs");
        self.iris.insert(iri.to_owned());
        self.parent.push(number);
        number
    }

    fn root(&self, mut number: u32) -> u32 {
        while self.parent[number as usize] != number {
            number = self.parent[number as usize];
        }
        number
    }

    /// Union with path halving; the smaller number becomes the root, so that the forest does not depend on time.
    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.halve(a), self.halve(b));
        if a != b {
            self.parent[a.max(b) as usize] = a.min(b);
        }
    }

    fn halve(&mut self, mut number: u32) -> u32 {
        while self.parent[number as usize] != number {
            let grandparent = self.parent[self.parent[number as usize] as usize];
            self.parent[number as usize] = grandparent;
            number = grandparent;
        }
        number
    }

    fn find_smallest(&mut self) {
        self.smallest = (0..).take(self.iris.len()).collect();
        for number in (0..).take(self.iris.len()) {
            let root = self.root(number) as usize;
            if self.iris[number as usize] < self.iris[self.smallest[root] as usize] {
                self.smallest[root] = number;
            }
        }
    }

    /// The smallest IRI of the cluster that an IRI is in; nothing where no link has it.
    pub fn canonical(&self, iri: &str) -> Option<&str> {
        let number = u32::try_from(self.iris.get_index_of(iri)?).ok()?;
        Some(&self.iris[self.smallest[self.root(number) as usize] as usize])
    }

    /// The normalisations between an IRI and the links that reach it; `own` are those of its normal form.
    pub fn normalisations(&self, iri: &str, form: &str, own: &[&'static str]) -> Vec<&'static str> {
        let number = |iri: &str| self.iris.get_index_of(iri).and_then(|number| u32::try_from(number).ok());
        let derived = |number: u32| self.derived.get(&number);
        match (number(iri), number(form)) {
            (Some(known), _) if derived(known).is_none() => Vec::new(),
            (_, Some(known)) => own.iter().chain(derived(known).into_iter().flatten()).copied().collect(),
            _ => own.to_vec(),
        }
    }
}

impl LinkSet {
    /// The shortest chain of links between two IRIs over several sets, for people to read.
    ///
    /// `same`: whether two IRIs are ways to write one resource, so that a chain may step from one to the other.
    pub fn chain(sets: &[&Self], from: &str, to: &str, same: impl Fn(&str, &str) -> bool) -> Option<Chain> {
        let mut neighbours: HashMap<&str, Vec<(&str, usize, bool)>> = HashMap::new();
        for (number, set) in sets.iter().enumerate() {
            for (a, b) in set.links() {
                neighbours.entry(a).or_default().push((b, number, true));
                neighbours.entry(b).or_default().push((a, number, false));
            }
        }
        let is = |iri: &str, other: &str| iri == other || same(iri, other);
        let mut starts: Vec<&str> = neighbours.keys().copied().filter(|iri| is(iri, from)).collect();
        starts.sort_unstable();
        let mut reached: HashMap<&str, Option<(&str, usize, bool)>> =
            starts.iter().map(|s| (*s, None)).collect();
        let mut queue: VecDeque<&str> = starts.into();
        while let Some(here) = queue.pop_front() {
            if is(here, to) {
                return Some(walk_back(&reached, here));
            }
            for &(next, set, forward) in neighbours.get(here).into_iter().flatten() {
                if !reached.contains_key(next) {
                    reached.insert(next, Some((here, set, forward)));
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

fn walk_back(reached: &HashMap<&str, Option<(&str, usize, bool)>>, end: &str) -> Chain {
    let mut chain = Chain::new();
    let mut here = end;
    while let Some(Some((before, set, forward))) = reached.get(here) {
        let (from, to) = if *forward { (*before, here) } else { (here, *before) };
        chain.push((from.to_owned(), to.to_owned(), *set));
        here = before;
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(links: &[(&str, &str)]) -> LinkSet {
        let mut set = LinkSet::default();
        for (from, to) in links {
            set.push((*from).to_owned(), (*to).to_owned());
        }
        set
    }

    fn read(text: &str) -> Result<LinkSet> {
        LinkSet::read(&Source::from_bytes("links", text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn all_syntaxes_are_recognised() {
        let same_as = "<http://www.w3.org/2002/07/owl#sameAs>";
        let texts = [
            format!("# links\n<http://a> {same_as} <http://b> .\n"),
            format!("<http://a> {same_as} <http://b> <http://g> .\n"),
            "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<http://a> owl:sameAs <http://b> .".to_owned(),
            format!("<http://g> {{ <http://a> {same_as} <http://b> }}"),
        ];
        for text in texts {
            let links = read(&text).unwrap();
            assert_eq!(links.links().collect::<Vec<_>>(), [("http://a", "http://b")], "{text}");
        }
    }

    #[test]
    fn what_is_no_link_is_counted_and_what_is_no_rdf_is_refused() {
        let links = read(
            "<http://a> <http://www.w3.org/2002/07/owl#sameAs> <http://b> .\n<http://a> <http://p> \"x\" .\n",
        );
        assert_eq!(links.unwrap().issues.len(), 1);
        let error =
            read("<http://a> <http://www.w3.org/2002/07/owl#sameAs> <http://b> .\nnonsense\n").unwrap_err();
        assert!(error.to_string().starts_with("links, line 2: the links cannot be read"), "{error}");
        assert!(read("").unwrap_err().to_string().contains("no `<a> owl:sameAs <b>`"));
    }

    #[test]
    fn normalisations_are_those_between_an_iri_and_its_links() {
        let set = set(&[("http://dbpedia.org/resource/%41", "http://b/%42")]);
        let links = Links::close([&set], |_| true);
        let of = |iri: &str| {
            let (form, own) = normal_form(iri, &|_| true);
            links.normalisations(iri, &form, &own)
        };
        assert_eq!(of("http://dbpedia.org/resource/%41"), Vec::<&str>::new());
        assert_eq!(of("http://dbpedia.org/resource/A"), ["norm-percent-encoding"]);
        assert_eq!(of("https://dbpedia.org/resource/A"), ["norm-scheme", "norm-percent-encoding"]);
        assert_eq!(links.canonical("http://dbpedia.org/resource/A"), links.canonical("http://b/B"));
    }

    #[test]
    fn chains_name_each_link() {
        let (first, second) = (set(&[("b", "a")]), set(&[("b", "c"), ("d", "c")]));
        let chain = LinkSet::chain(&[&first, &second], "a", "d", |_, _| false).unwrap();
        let steps: Vec<String> = chain.iter().map(|(from, to, set)| format!("{from}={to} {set}")).collect();
        assert_eq!(steps, ["b=a 0", "b=c 1", "d=c 1"]);
        assert_eq!(LinkSet::chain(&[&first], "a", "d", |_, _| false), None);
    }

    proptest! {
        /// Union-find is the transitive closure that Warshall computes, in whatever order the links come.
        #[test]
        fn closure_is_the_equivalence(mut links in prop::collection::vec((0usize..12, 0usize..12), 1..20)) {
            let names: Vec<String> = (0..12).map(|n| format!("http://{n:02}")).collect();
            let close = |links: &[(usize, usize)]| {
                let pairs: Vec<(&str, &str)> = links.iter().map(|&(a, b)| (names[a].as_str(), names[b].as_str())).collect();
                let set = set(&pairs);
                let closure = Links::close([&set], |_| false);
                names.iter().map(|name| closure.canonical(name).map(str::to_owned)).collect::<Vec<_>>()
            };
            let canonical = close(&links);
            let mut same = [[false; 12]; 12];
            for &(a, b) in &links {
                for (x, y) in [(a, b), (b, a), (a, a), (b, b)] {
                    same[x][y] = true;
                }
            }
            for middle in 0..12 {
                for a in 0..12 {
                    for b in 0..12 {
                        same[a][b] |= same[a][middle] && same[middle][b];
                    }
                }
            }
            for (number, found) in canonical.iter().enumerate() {
                let expected = (0..12).find(|other| same[number][*other]).map(|other| names[other].clone());
                prop_assert_eq!(found, &expected);
            }
            links.reverse();
            prop_assert_eq!(close(&links), canonical);
        }
    }
}
