//! Clusters that are probably wrong: far too large, or two things that one knowledge base keeps apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::Result;
use crate::profiles::link_kind::LinkKind;
use crate::references::links::Links;
use crate::references::links::chains::{Chain, ClusterLinks, cluster};
use crate::references::links::namespaces::{NO_ROOM, OTHER_SPELLING, namespace};
use crate::references::normalise::{is_of_links, normal_form};
use crate::sources::file::source::Source;

/// The most resources of a cluster that is not suspicious. The Wikipedias have articles about one thing in up to 350
/// languages, and each DBpedia has its own IRI for it.
pub const MOST_MEMBERS: usize = 500;

/// A suspicious cluster of `owl:sameAs` links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspicion {
    /// The cluster, see [`Links::cluster`].
    pub cluster: u32,
    /// How many resources are in it; several ways to write one are one.
    pub size: usize,
    /// Whether it is larger than it may be.
    pub is_large: bool,
    /// The namespaces that have several resources in it, with their numbers.
    pub repeated: Vec<(String, usize)>,
}

impl Links {
    /// The suspicious clusters, the largest first; only those of `among`, if given.
    pub fn suspicious(&self, most: usize, among: Option<&BTreeSet<u32>>) -> Vec<Suspicion> {
        let number = |number: u32| {
            let root = self.clusters.root(number);
            let space = self.clusters.space(number);
            let counts = space != OTHER_SPELLING && among.is_none_or(|among| among.contains(&root));
            counts.then_some((root, space))
        };
        let mut members: Vec<(u32, u16)> = self.clusters.numbers().filter_map(number).collect();
        members.sort_unstable();
        let clusters = members.chunk_by(|(one, _), (other, _)| one == other);
        let mut found: Vec<Suspicion> =
            clusters.filter_map(|cluster| self.suspicion(cluster, most)).collect();
        found.sort_by_key(|suspicion| (std::cmp::Reverse(suspicion.size), suspicion.cluster));
        found
    }

    fn suspicion(&self, members: &[(u32, u16)], most: usize) -> Option<Suspicion> {
        let of_space = members.chunk_by(|(_, one), (_, other)| one == other);
        let repeated: Vec<(String, usize)> = of_space
            .filter(|members| members.len() > 1 && members[0].1 != NO_ROOM)
            .map(|members| (self.namespaces.name(members[0].1).to_owned(), members.len()))
            .collect();
        let is_large = members.len() > most;
        let (cluster, _) = members.first()?;
        (is_large || !repeated.is_empty()).then_some(Suspicion {
            cluster: *cluster,
            size: members.len(),
            is_large,
            repeated,
        })
    }

    /// How many clusters and resources there are; several ways to write a resource are one.
    pub fn size(&self) -> (usize, usize) {
        let numbers = || self.clusters.numbers();
        let clusters = numbers().filter(|number| self.clusters.root(*number) == *number).count();
        (clusters, numbers().filter(|number| self.clusters.space(*number) != OTHER_SPELLING).count())
    }

    /// The `owl:sameAs` clusters of some IRIs.
    pub fn clusters<'a>(&self, iris: impl IntoIterator<Item = &'a str>) -> BTreeSet<u32> {
        iris.into_iter().filter_map(|iri| cluster(self, LinkKind::SameAs, iri)).collect()
    }
}

/// How many members of a suspicious cluster are named.
const MOST_NAMED: usize = 5;

/// What is in a suspicious cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Example {
    /// The first members in the order of their IRIs, as normal forms.
    pub members: Vec<String>,
    /// Two members of one namespace, where there are.
    pub two: Option<[String; 2]>,
    /// The links between the two.
    pub chain: Chain,
}

/// An example for each suspicious cluster, read from the files again in one pass.
pub fn examples(closure: &Links, files: &[&Source], suspicions: &[Suspicion]) -> Result<Vec<Example>> {
    let clusters = suspicions.iter().map(|suspicion| suspicion.cluster).collect();
    let links = ClusterLinks::of_clusters(closure, LinkKind::SameAs, files, &clusters)?;
    let mut of_cluster: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for member in links.members().keys() {
        if let Some(found) = cluster(closure, LinkKind::SameAs, member) {
            let form = normal_form(member, &is_of_links).0.into_owned();
            of_cluster.entry(found).or_default().insert(form);
        }
    }
    let example = |suspicion: &Suspicion| {
        let members = of_cluster.remove(&suspicion.cluster).unwrap_or_default();
        let two = suspicion.repeated.first().and_then(|(space, _)| {
            let mut of_space = members.iter().filter(|member| namespace(member) == space);
            Some([of_space.next()?.clone(), of_space.next()?.clone()])
        });
        let chain = two.as_ref().and_then(|[one, other]| links.chain(LinkKind::SameAs, one, other));
        let members = members.into_iter().take(MOST_NAMED).collect();
        Example { members, two, chain: chain.unwrap_or_default() }
    };
    Ok(suspicions.iter().map(example).collect())
}
