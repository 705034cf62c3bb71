//! The links of files that some resources need: those of their clusters, as a file of its own.
//!
//! They are found in passes over the files, until a pass finds none that is new: as many as the longest chain of links has,
//! at most. Only what is found is in memory, however many links the files have.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use oxigraph::model::{NamedNode, Triple};

use crate::base::error::{Error, Result};
use crate::base::watch::Watcher;
use crate::profiles::link_kind::LinkKind;
use crate::references::links::clusters::IriKey;
use crate::references::links::reading::{FileLink, each_link};
use crate::references::normalise::{is_of_links, normal_form};
use crate::sources::file::source::Source;

/// Links of larger files.
#[derive(Debug)]
pub struct CutLinks {
    /// N-Triples in byte order, with comments that say what they are of.
    pub bytes: Vec<u8>,
    /// The checksums of the files that they are of, in order.
    pub files: Vec<String>,
}

/// Cuts the links of the clusters of some resources out of files: `owl:sameAs`, and links of other kinds. Nothing where the
/// files have none of them.
///
/// # Errors
/// Where a file cannot be read, or is changed in the meantime.
pub fn cut(
    paths: &[impl AsRef<Path>],
    resources: &BTreeSet<String>,
    kinds: &[LinkKind],
    watcher: &dyn Watcher,
) -> Result<Option<CutLinks>> {
    let mut sources: Vec<Source> = Vec::new();
    for path in paths {
        // What is large stays on disk; its checksum is made on the way.
        let pass = |name: &str, content: &mut dyn io::Read| {
            let read = io::copy(content, &mut io::sink());
            read.map_err(|error| Error::io("read the file", Path::new(name), &error))
        };
        sources.push(Source::open_with(path.as_ref(), pass)?.0);
    }
    sources.sort_by(|one, other| one.sha256().cmp(other.sha256()));
    sources.dedup_by(|one, other| one.sha256() == other.sha256());
    let mut needed: HashSet<IriKey> = resources.iter().flat_map(|iri| keys(iri)).collect();
    let mut lines: BTreeSet<String> = BTreeSet::new();
    loop {
        let (known, before) = (needed.len(), lines.len());
        for source in &sources {
            watcher.check()?;
            each_link(source, |link| {
                let is_wanted = link.kind == LinkKind::SameAs || kinds.contains(&link.kind);
                let ends = [keys(&link.from), keys(&link.to)].concat();
                if is_wanted && ends.iter().any(|key| needed.contains(key)) {
                    needed.extend(ends);
                    lines.insert(line(&link));
                }
                Ok(())
            })?;
        }
        watcher.detail(&format!("{} links", lines.len()));
        if needed.len() == known && lines.len() == before {
            break;
        }
    }
    let files: Vec<String> = sources.iter().map(|source| source.sha256().to_owned()).collect();
    let bytes = write(&lines, resources.len(), &files).into_bytes();
    Ok((!lines.is_empty()).then_some(CutLinks { bytes, files }))
}

/// The keys of an IRI and of its normal form, by which links reach it as well.
fn keys(iri: &str) -> [IriKey; 2] {
    [IriKey::of(iri), IriKey::of(&normal_form(iri, &is_of_links).0)]
}

fn line(link: &FileLink) -> String {
    let [from, predicate, to] = [&link.from, link.predicate, &link.to].map(NamedNode::new_unchecked);
    format!("{} .", Triple::new(from, predicate, to))
}

fn write(lines: &BTreeSet<String>, resources: usize, files: &[String]) -> String {
    let mut text = format!("# links: {} statements that {resources} resources need\n", lines.len());
    let mut line = |words: &str| writeln!(text, "{words}").expect("writing to memory cannot fail");
    for sha256 in files {
        line(&format!("# of the file with the checksum {sha256}"));
    }
    for words in lines {
        line(words);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;
    use crate::base::watch::Silent;
    use crate::references::links::{LinkSet, Links};

    fn links(pairs: &[(usize, usize)]) -> String {
        let line = |(from, to): &(usize, usize)| {
            // A third of the IRIs are written in two ways.
            let scheme = if from % 3 == 0 && to % 2 == 0 { "https" } else { "http" };
            format!(
                "<{scheme}://dbpedia.org/resource/R{from}> <http://www.w3.org/2002/07/owl#sameAs> <http://e/{to}> .\n"
            )
        };
        pairs.iter().map(line).collect()
    }

    proptest! {
        /// What is cut out puts resources in one cluster exactly where all links do.
        #[test]
        fn what_is_cut_out_links_what_all_links_do(
            pairs in prop::collection::vec((0usize..9, 0usize..9), 1..20), more in prop::collection::vec((0usize..9, 0usize..9), 1..20),
            named in prop::collection::btree_set(0usize..9, 1..4),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let paths = [("one.nt", &pairs), ("two.nt", &more)].map(|(name, pairs)| {
                let path = folder.path().join(name);
                fs::write(&path, links(pairs)).unwrap();
                path
            });
            let named: BTreeSet<String> =
                named.iter().flat_map(|n| [format!("http://dbpedia.org/resource/R{n}"), format!("http://e/{n}")]).collect();
            let cut = cut(&paths, &named, &[], &Silent).unwrap();
            let whole = paths.each_ref().map(|path| LinkSet::open(path, &[]).unwrap().1);
            let part = cut.map(|cut| LinkSet::read(&Source::from_bytes("cut", cut.bytes).unwrap()).unwrap());
            let (all, some) = (Links::close(&whole), Links::close(&part));
            for one in &named {
                prop_assert_eq!(all.canonical(one).is_some(), some.canonical(one).is_some());
                for other in &named {
                    let are_one = |links: &Links| links.canonical(one).is_some() && links.canonical(one) == links.canonical(other);
                    prop_assert_eq!(are_one(&all), are_one(&some));
                }
            }
        }
    }
}
