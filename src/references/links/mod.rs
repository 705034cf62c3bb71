//! Link sets: statements that two IRIs are one resource, closed to clusters by union-find.

pub mod chains;
pub mod clusters;
pub mod cut;
pub mod namespaces;
pub mod reading;
pub mod suspicious;

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::profiles::link_kind::LinkKind;
use crate::references::links::clusters::{Clusters, IriKey};

use crate::base::error::Result;
use crate::base::issue::Issue;
use crate::references::links::namespaces::Namespaces;
use crate::references::normalise::{normal_form, of_bits};
use crate::sources::file::source::Source;

/// The links of one file: of each IRI a number and its cluster, no texts. Who needs the texts reads the file again.
#[derive(Debug, Default)]
pub struct LinkSet {
    pub(crate) clusters: Arc<Clusters>,
    pub(crate) namespaces: Namespaces,
    /// The links of other kinds than `owl:sameAs`, where they are wanted.
    pub(crate) others: Vec<(u32, u32, LinkKind)>,
    /// How many links of each kind the file has, wanted or not.
    pub(crate) counts: [u64; LinkKind::ALL.len()],
    pub(crate) predicates: Vec<&'static str>,
    pub(crate) media_type: &'static str,
    /// What is in the file and is no link.
    pub issues: Vec<Issue>,
}

impl LinkSet {
    /// Reads the `owl:sameAs` links of a file, whatever syntax it has. Graph names do not matter.
    pub fn read(source: &Source) -> Result<Self> {
        Self::read_kinds(source, &[])
    }

    /// Reads `owl:sameAs` links and those of other kinds.
    pub fn read_kinds(source: &Source, kinds: &[LinkKind]) -> Result<Self> {
        let mut set = source.with_content(|content| reading::read(source.name(), content, kinds))?;
        set.issues.splice(0..0, source.encoding_issue().cloned());
        Ok(set)
    }

    /// Reads a file in one pass; a large one stays on disk.
    pub fn open(path: &Path, kinds: &[LinkKind]) -> Result<(Source, Self)> {
        let read = |name: &str, content: &mut dyn Read| reading::read(name, content, kinds);
        let (source, mut set) = Source::open_with(path, read)?;
        set.issues.splice(0..0, source.encoding_issue().cloned());
        Ok((source, set))
    }

    /// The media type of the syntax it was read in.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// The predicates of the links, wanted or not, in the order in which they first occur.
    pub fn predicates(&self) -> &[&'static str] {
        &self.predicates
    }

    /// How many links of a kind the file has.
    pub fn count(&self, kind: LinkKind) -> u64 {
        self.counts[kind.index()]
    }

    /// How many links of all kinds the file has.
    pub fn count_all(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many IRIs are in the clusters, normal forms included.
    pub fn iris(&self) -> usize {
        self.clusters.len()
    }
}

/// The closure of link sets: every IRI in a link, and the cluster it is in.
///
/// `owl:sameAs` is an equivalence (OWL 2 RDF-Based Semantics): symmetric and transitive, over all files together. The
/// other kinds of links are taken likewise, each closed together with those before it.
#[derive(Debug, Default)]
pub struct Links {
    pub(crate) clusters: Arc<Clusters>,
    pub(crate) namespaces: Namespaces,
    /// The kinds after `owl:sameAs` that are followed, each with the clusters that it makes of those before it.
    levels: Vec<(LinkKind, Vec<u32>)>,
}

impl Links {
    /// Closes link sets. All normalisations of IRIs apply: an IRI and its normal form are members of one cluster, so that
    /// links reach answers that write the resource another way.
    pub fn close<'a>(sets: impl IntoIterator<Item = &'a LinkSet>) -> Self {
        let mut sets: Vec<&LinkSet> = sets.into_iter().collect();
        // The largest is extended by the others: one file is not copied at all.
        sets.sort_by_key(|set| std::cmp::Reverse(set.iris()));
        let Some((first, rest)) = sets.split_first() else { return Self::default() };
        let (mut clusters, mut namespaces) = (Arc::clone(&first.clusters), first.namespaces.clone());
        let mut others = first.others.clone();
        for set in rest {
            let numbers = Arc::make_mut(&mut clusters).take(&set.clusters, &namespaces.take(&set.namespaces));
            let here = |number: &u32| numbers[*number as usize];
            others.extend(set.others.iter().map(|(from, to, kind)| (here(from), here(to), *kind)));
        }
        if !rest.is_empty() {
            Arc::make_mut(&mut clusters).flatten();
        }
        let levels = levels(&clusters, &others);
        Self { clusters, namespaces, levels }
    }

    /// The kinds of links that were found and are followed beside `owl:sameAs`.
    pub fn kinds(&self) -> impl Iterator<Item = LinkKind> {
        self.levels.iter().map(|(kind, _)| *kind)
    }

    /// Whether links of a kind are followed.
    pub fn follows(&self, kind: LinkKind) -> bool {
        kind == LinkKind::SameAs || self.kinds().any(|known| known == kind)
    }

    /// The cluster that links of a kind and those before it put an IRI in; nothing where no link has it.
    pub fn cluster(&self, kind: LinkKind, iri: &str) -> Option<u32> {
        let number = self.clusters.find(IriKey::of(iri))?;
        let level = self.levels.iter().rev().find(|(level, _)| *level <= kind);
        Some(level.map_or_else(|| self.clusters.root(number), |(_, parent)| clusters::root(parent, number)))
    }

    /// A name for the `owl:sameAs` cluster of an IRI, the same for all its members; nothing where no link has it. It means
    /// nothing outside of this closure.
    pub fn canonical(&self, iri: &str) -> Option<String> {
        self.canonical_by(LinkKind::SameAs, iri)
    }

    /// A name for the cluster by links of a kind and those before it.
    pub fn canonical_by(&self, kind: LinkKind, iri: &str) -> Option<String> {
        self.cluster(kind, iri).map(|cluster| format!("urn:qassay:cluster:{cluster}"))
    }

    /// The normalisations between an IRI and the links that reach it; `own` are those of its normal form.
    pub fn normalisations(&self, iri: &str, form: &str, own: &[&'static str]) -> Vec<&'static str> {
        let number = |iri: &str| self.clusters.find(IriKey::of(iri));
        match (number(iri), number(form)) {
            (Some(known), _) if self.clusters.is_linked(known) => Vec::new(),
            (_, Some(known)) => {
                let derived = of_bits(self.clusters.derived(known));
                derived.filter(|name| !own.contains(name)).chain(own.iter().copied()).collect()
            }
            _ => own.to_vec(),
        }
    }
}

/// What all spellings of a resource and all members of its cluster of links have in common: the name of the
/// cluster, else the normal form.
pub(crate) fn resource_key<'a>(
    iri: &'a str,
    enabled: &dyn Fn(&str) -> bool,
    links: Option<&'a Links>,
) -> Cow<'a, str> {
    let (form, _) = normal_form(iri, enabled);
    let cluster = links.and_then(|links| links.canonical(iri).or_else(|| links.canonical(&form)));
    cluster.map_or(form, Cow::Owned)
}

fn levels(clusters: &Clusters, others: &[(u32, u32, LinkKind)]) -> Vec<(LinkKind, Vec<u32>)> {
    let mut levels: Vec<(LinkKind, Vec<u32>)> = Vec::new();
    for kind in LinkKind::ALL {
        let mut links = others.iter().filter(|(_, _, of)| *of == kind).peekable();
        if links.peek().is_none() {
            continue;
        }
        let mut parent = levels.last().map_or_else(|| clusters.parents(), |(_, parent)| parent.clone());
        for (from, to, _) in links {
            clusters::unite(&mut parent, *from, *to);
        }
        clusters::flatten(&mut parent);
        levels.push((kind, parent));
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::references::links::chains::{ClusterLinks, cluster};
    use proptest::prelude::*;

    fn source(name: &str, text: &str) -> Source {
        Source::from_bytes(name, text.as_bytes().to_vec()).unwrap()
    }

    fn read(text: &str) -> Result<LinkSet> {
        LinkSet::read(&source("links", text))
    }

    fn lines(links: &[(&str, &str)]) -> String {
        let line =
            |(from, to): &(&str, &str)| format!("<{from}> <http://www.w3.org/2002/07/owl#sameAs> <{to}> .\n");
        links.iter().map(line).collect()
    }

    fn are_one(set: &LinkSet, one: &str, other: &str) -> bool {
        let links = Links::close([set]);
        links.canonical(one).is_some() && links.canonical(one) == links.canonical(other)
    }

    #[test]
    fn all_syntaxes_are_recognised() {
        let same_as = "<http://www.w3.org/2002/07/owl#sameAs>";
        let texts = [
            format!("# links\n<http://a> {same_as} <http://b> .\n"),
            format!("\u{feff}<http://a> {same_as} <http://b> <http://g> .\n"),
            "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<http://a> owl:sameAs <http://b> .".to_owned(),
            format!("<http://g> {{ <http://a> {same_as} <http://b> }}"),
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
             xmlns:owl=\"http://www.w3.org/2002/07/owl#\">\n<rdf:Description rdf:about=\"http://a\">\n\
             <owl:sameAs rdf:resource=\"http://b\"/>\n</rdf:Description>\n</rdf:RDF>"
                .to_owned(),
            "http://a\thttp://b\n".to_owned(),
            "from\tto\r\n<http://a>\t<http://b>\r\n".to_owned(),
        ];
        for text in texts {
            let links = read(&text).unwrap();
            assert!(links.count_all() == 1 && are_one(&links, "http://a", "http://b"), "{text}");
        }
    }

    #[test]
    fn what_is_no_link_is_counted_and_what_is_no_rdf_is_refused() {
        let links = read(&(lines(&[("http://a", "http://b")]) + "<http://a> <http://p> \"x\" .\n"));
        assert_eq!(links.unwrap().issues.len(), 1);
        let told = |text: &str| read(text).unwrap_err().to_string();
        let error = told(&(lines(&[("http://a", "http://b")]) + "nonsense\n"));
        assert!(error.starts_with("links, line 2: the links cannot be read"), "{error}");
        let error =
            told("@prefix owl: <http://www.w3.org/2002/07/owl#> .\n\n<http://a> owl:sameAs nonsense .");
        assert!(error.starts_with("links, line 3: the links cannot be read"), "{error}");
        let error =
            told("<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n\n</rdf:wrong>\n\n");
        assert!(error.starts_with("links, line 3: the links cannot be read"), "{error}");
        assert!(told("$HDT\u{1}").contains("qassay does not read HDT"));
        assert!(told("").contains("no `<a> owl:sameAs <b>`"));
    }

    #[test]
    fn odd_rows_are_told_with_their_lines() {
        let rows =
            "# made by hand\nfrom\tto\nhttp://a\thttp://b\n\nhttp://a\nhttp://a\thttp://c\thttp://d\n# end\n";
        let links = read(rows).unwrap();
        let told: Vec<String> =
            links.issues.iter().map(|i| format!("{} {} {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 1 not-a-link 2 lines are comments, the first of them this; they are not used
        line 2 not-a-link the line before the first row is no row of two IRIs; it is taken as a header
        line 5 unreadable-statement the line is no row of two IRIs with a tab between them; it is not used
        line 6 unreadable-statement the line is no row of two IRIs with a tab between them; it is not used
        ");
        let many = "http://a\thttp://b\n".to_owned() + &"no row\n".repeat(30);
        let issues = read(&many).unwrap().issues;
        assert!(issues.len() == 21 && issues[20].message.starts_with("10 more lines"), "{issues:?}");
    }

    #[test]
    fn normalisations_are_those_between_an_iri_and_its_links() {
        let set = read(&lines(&[("http://dbpedia.org/resource/%41", "http://b/%42")])).unwrap();
        let links = Links::close([&set]);
        let of = |iri: &str| {
            let (form, own) = normal_form(iri, &|_| true);
            links.normalisations(iri, &form, &own)
        };
        assert_eq!(of("http://dbpedia.org/resource/%41"), Vec::<&str>::new());
        assert_eq!(of("http://dbpedia.org/resource/A"), ["norm-percent-encoding"]);
        assert_eq!(of("https://dbpedia.org/resource/A"), ["norm-percent-encoding", "norm-scheme"]);
        assert_eq!(links.canonical("http://dbpedia.org/resource/A"), links.canonical("http://b/B"));
        // where any file has the form itself, no normalisation leads to it, whatever the order of the files
        let other = read(&lines(&[("http://dbpedia.org/resource/A", "http://c")])).unwrap();
        for sets in [[&set, &other], [&other, &set]] {
            let links = Links::close(sets);
            assert_eq!(links.normalisations("http://dbpedia.org/resource/A", "", &[]), Vec::<&str>::new());
            assert_eq!(links.canonical("http://c"), links.canonical("http://b/B"));
        }
    }

    #[test]
    fn chains_name_each_link() {
        let first = source("first", &lines(&[("http://b", "http://a")]));
        let second = source(
            "second",
            &lines(&[("http://b", "http://c"), ("https://d", "http://c"), ("http://d", "http://e")]),
        );
        let sets = [&first, &second].map(|source| LinkSet::read(source).unwrap());
        let links = Links::close(&sets);
        let found = ClusterLinks::read(&links, &[&first, &second], ["http://a"]).unwrap();
        let chain = |to: &str| {
            let chain = found.chain(LinkKind::SameAs, "http://a", to)?;
            Some(
                chain
                    .iter()
                    .map(|l| format!("{}={} {}", l.link.from, l.link.to, l.file))
                    .collect::<Vec<_>>()
                    .join(", "),
            )
        };
        assert_eq!(
            chain("http://d").unwrap(),
            "http://b=http://a 0, http://b=http://c 1, https://d=http://c 1"
        );
        let longest = "http://b=http://a 0, http://b=http://c 1, https://d=http://c 1, http://d=http://e 1";
        assert_eq!(chain("http://e").unwrap(), longest, "over two ways to write a resource");
        assert_eq!(chain("http://x"), None);
    }

    #[test]
    fn kinds_close_over_those_before_them() {
        let text = lines(&[("http://dbpedia.org/resource/B", "http://wd")])
            + "<http://dbpedia.org/resource/A> <http://dbpedia.org/ontology/wikiPageRedirects> <http://dbpedia.org/resource/B> .\n\
               <http://other> <http://xmlns.com/foaf/0.1/isPrimaryTopicOf> <http://en.wikipedia.org/wiki/B> .\n\
               <https://en.wikipedia.org/wiki/B> <http://schema.org/about> <http://wd> .\n";
        let source = source("links", &text);
        let (a, other, wd) = ("http://dbpedia.org/resource/A", "http://other", "http://wd");
        let set = LinkSet::read_kinds(&source, &[LinkKind::Redirect, LinkKind::Wikipedia]).unwrap();
        assert!(set.issues.is_empty() && set.count(LinkKind::Wikipedia) == 2);
        let links = Links::close([&set]);
        let is = |kind, iri| cluster(&links, kind, iri) == cluster(&links, kind, wd);
        assert_eq!(LinkKind::ALL.map(|kind| is(kind, a)), [false, true, true]);
        assert_eq!(LinkKind::ALL.map(|kind| is(kind, other)), [false, false, true]);
        let set = LinkSet::read(&source).unwrap();
        assert_eq!(set.issues[0].message, "3 statements are no `<a> owl:sameAs <b>` and are not used");
        let links = Links::close([&set]);
        assert!(
            links.cluster(LinkKind::Wikipedia, wd).is_some()
                && links.cluster(LinkKind::Wikipedia, a).is_none()
        );
        let redirects = "<http://a> <http://dbpedia.org/ontology/wikiPageRedirects> <http://b> .";
        assert!(read(redirects).unwrap_err().to_string().contains("`link-kind redirect` uses what is in it"));
    }

    #[test]
    fn suspicious_clusters() {
        let wd = |number: usize| format!("http://www.wikidata.org/entity/Q{number}");
        let many: Vec<(String, String)> =
            (0..6).map(|n| ("http://hub".to_owned(), format!("http://e{n}/x"))).collect();
        let mut pairs: Vec<(&str, &str)> = many.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let (one, other, page) = (wd(1), wd(2), "https://www.wikidata.org/wiki/Q1");
        pairs.extend([
            ("http://b", other.as_str()),
            ("http://b", "http://a"),
            ("http://a", one.as_str()),
            ("http://a", page),
        ]);
        pairs.push(("http://www.wikidata.org/entity/Q7", "https://www.wikidata.org/wiki/Q7"));
        let source = source("links", &lines(&pairs));
        let set = LinkSet::read(&source).unwrap();
        let links = Links::close([&set]);
        let found = links.suspicious(5, None);
        let told: Vec<_> = found.iter().map(|s| (s.size, s.is_large, s.repeated.clone())).collect();
        let repeated = vec![("http://www.wikidata.org/entity/".to_owned(), 2)];
        assert_eq!(told, [(7, true, vec![]), (4, false, repeated)], "two ways to write one entity are one");
        let examples = suspicious::examples(&links, &[&source], &found).unwrap();
        assert_eq!(examples[1].two, Some([one.clone(), other.clone()]));
        let chain: Vec<&str> = examples[1].chain.iter().map(|link| link.link.to.as_str()).collect();
        assert_eq!(chain, [one.as_str(), "http://a", other.as_str()]);
        assert_eq!(links.suspicious(5, Some(&links.clusters(["http://hub"]))).len(), 1);
        assert_eq!(links.suspicious(7, Some(&links.clusters(["http://hub", "http://none"]))), []);
        assert_eq!(links.size(), (3, 12));
    }

    proptest! {
        /// Union-find is the transitive closure that Warshall computes, in whatever order and files the links come.
        #[test]
        fn closure_is_the_equivalence(
            mut links in prop::collection::vec((0usize..12, 0usize..12), 1..20), cut in 0usize..20,
        ) {
            let names: Vec<String> = (0..12).map(|n| format!("http://{n:02}")).collect();
            let close = |links: &[(usize, usize)], cut: usize| {
                let pairs: Vec<(&str, &str)> = links.iter().map(|&(a, b)| (names[a].as_str(), names[b].as_str())).collect();
                let (one, other) = pairs.split_at(cut.min(pairs.len()));
                let sets: Vec<LinkSet> =
                    [one, other].iter().filter(|pairs| !pairs.is_empty()).map(|pairs| read(&lines(pairs)).unwrap()).collect();
                let closure = Links::close(&sets);
                let same = |a: &String, b: &String| closure.canonical(a).is_some() && closure.canonical(a) == closure.canonical(b);
                names.iter().map(|a| names.iter().map(|b| same(a, b)).collect()).collect::<Vec<Vec<bool>>>()
            };
            let mut same = vec![vec![false; 12]; 12];
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
            prop_assert_eq!(&close(&links, 20), &same);
            prop_assert_eq!(&close(&links, cut), &same);
            links.reverse();
            prop_assert_eq!(&close(&links, cut), &same);
        }
    }
}
