//! The links of some clusters, read again from their files: members, and chains of links between them.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use crate::base::error::Result;
use crate::profiles::link_kind::LinkKind;
use crate::references::links::Links;
use crate::references::links::reading::{FileLink, each_link};
use crate::references::normalise::{is_of_links, normal_form};
use crate::sources::file::source::Source;

/// A link with the number of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The link as its file states it.
    pub link: FileLink,
    /// The number of its file.
    pub file: usize,
}

/// How two IRIs are connected.
pub type Chain = Vec<Link>;

/// The links of some clusters, in the order of their files.
#[derive(Debug, Default)]
pub struct ClusterLinks {
    links: Vec<Link>,
}

impl ClusterLinks {
    /// Reads the links of the clusters of some IRIs, of all kinds that are followed, in one pass over each file.
    pub fn read<'a>(
        closure: &Links,
        files: &[&Source],
        iris: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self> {
        let kind = closure.kinds().last().unwrap_or(LinkKind::SameAs);
        let clusters = iris.into_iter().filter_map(|iri| cluster(closure, kind, iri)).collect();
        Self::of_clusters(closure, kind, files, &clusters)
    }

    /// Reads the links of some clusters that links of a kind and those before it make.
    pub fn of_clusters(
        closure: &Links,
        kind: LinkKind,
        files: &[&Source],
        clusters: &BTreeSet<u32>,
    ) -> Result<Self> {
        let mut links = Vec::new();
        for (file, source) in files.iter().enumerate().filter(|_| !clusters.is_empty()) {
            each_link(source, |link| {
                let is_followed = link.kind <= kind && closure.follows(link.kind);
                let is_in =
                    || closure.cluster(kind, &link.from).is_some_and(|found| clusters.contains(&found));
                if is_followed && is_in() {
                    links.push(Link { link, file });
                }
                Ok(())
            })?;
        }
        Ok(Self { links })
    }

    /// All links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Every IRI with the numbers of the files that have it, in order.
    pub fn members(&self) -> BTreeMap<&str, BTreeSet<usize>> {
        let mut members: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for Link { link, file } in &self.links {
            members.entry(&link.from).or_default().insert(*file);
            members.entry(&link.to).or_default().insert(*file);
        }
        members
    }

    /// The shortest chain between two IRIs by links of a kind and those before it. It goes on from any way to write a
    /// resource, as the closure does.
    pub fn chain(&self, kind: LinkKind, from: &str, to: &str) -> Option<Chain> {
        let form = |iri: &str| normal_form(iri, &is_of_links).0.into_owned();
        let mut neighbours: HashMap<String, Vec<(String, usize)>> = HashMap::new();
        let followed = self.links.iter().enumerate().filter(|(_, found)| found.link.kind <= kind);
        for (number, Link { link, .. }) in followed {
            let (a, b) = (form(&link.from), form(&link.to));
            neighbours.entry(a.clone()).or_default().push((b.clone(), number));
            neighbours.entry(b).or_default().push((a, number));
        }
        let (start, end) = (form(from), form(to));
        let mut reached: HashMap<&str, Option<(&str, usize)>> = HashMap::from([(start.as_str(), None)]);
        let mut queue = VecDeque::from([start.as_str()]);
        while let Some(here) = queue.pop_front() {
            if here == end {
                return Some(self.walk_back(&reached, here));
            }
            for (next, link) in neighbours.get(here).into_iter().flatten() {
                if !reached.contains_key(next.as_str()) {
                    reached.insert(next, Some((here, *link)));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn walk_back(&self, reached: &HashMap<&str, Option<(&str, usize)>>, end: &str) -> Chain {
        let mut chain = Chain::new();
        let mut here = end;
        while let Some(Some((before, link))) = reached.get(here) {
            chain.push(self.links[*link].clone());
            here = before;
        }
        chain.reverse();
        chain
    }
}

/// The cluster of an IRI, or of its normal form.
pub fn cluster(closure: &Links, kind: LinkKind, iri: &str) -> Option<u32> {
    closure.cluster(kind, iri).or_else(|| match normal_form(iri, &|_| true) {
        (form, applied) if !applied.is_empty() => closure.cluster(kind, &form),
        _ => None,
    })
}
