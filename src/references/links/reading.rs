//! Reads links in one pass: one thread parses and makes keys, another puts them together.

use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use oxigraph::model::{NamedOrBlankNode, Quad, Term};

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::vocab::owl;
use crate::profiles::link_kind::LinkKind;
use crate::references::links::LinkSet;
use crate::references::links::clusters::{Clusters, IriKey};
use crate::references::links::namespaces::OTHER_SPELLING;
use crate::references::normalise::{bits, is_of_links, normal_form};
use crate::references::quads::{StatementFile, each_quad};
use crate::sources::file::source::Source;
use crate::sources::file::syntax::Syntax;

/// How many links go from one thread to the other at once.
const BATCH: usize = 4096;

/// An IRI of a link.
struct End {
    key: IriKey,
    space: u16,
}

/// An IRI with its normal form, which is another one.
struct NormalForm {
    of: End,
    normal: End,
    normalisations: u8,
}

#[derive(Default)]
struct Batch {
    links: Vec<(End, End, LinkKind)>,
    forms: Vec<NormalForm>,
}

/// Reads the links of some kinds from content of any syntax.
pub(crate) fn read(file: &str, content: &mut dyn Read, kinds: &[LinkKind]) -> Result<LinkSet> {
    let (sender, receiver) = sync_channel(4);
    thread::scope(|scope| {
        let building = scope.spawn(move || build(&receiver));
        let mut reader =
            LinkReader { kinds, sender, batch: Batch::default(), set: LinkSet::default(), others: 0 };
        let read = reader.read(file, content);
        let LinkReader { mut set, sender, .. } = reader;
        drop(sender);
        let (clusters, others) = building.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        read?;
        (set.clusters, set.others) = (Arc::new(clusters), others);
        Ok(set)
    })
}

/// Shows every link of a source to `each`, with its kind.
pub fn each_link(source: &Source, mut each: impl FnMut(FileLink) -> Result<()>) -> Result<()> {
    source.with_content(|content| {
        each_quad(reading(source.name()), content, |quad| match link(quad) {
            Some(link) => each(link),
            None => Ok(()),
        })
        .map(|_| ())
    })
}

fn reading(file: &str) -> StatementFile<'_> {
    StatementFile { file, name: "links", predicate: owl::SAME_AS, allowed: Syntax::ALLOWED }
}

/// A link as a file states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLink {
    /// The subject.
    pub from: String,
    /// The kind.
    pub kind: LinkKind,
    /// The predicate.
    pub predicate: &'static str,
    /// The object.
    pub to: String,
}

fn link(quad: Quad) -> Option<FileLink> {
    match quad {
        Quad {
            subject: NamedOrBlankNode::NamedNode(from), predicate, object: Term::NamedNode(to), ..
        } => {
            let (kind, predicate) = LinkKind::of(&from, &predicate, &to)?;
            Some(FileLink { from: from.into_string(), kind, predicate, to: to.into_string() })
        }
        _ => None,
    }
}

struct LinkReader<'a> {
    kinds: &'a [LinkKind],
    sender: SyncSender<Batch>,
    batch: Batch,
    set: LinkSet,
    others: u64,
}

impl LinkReader<'_> {
    fn read(&mut self, file: &str, content: &mut dyn Read) -> Result<()> {
        let (syntax, odd) = each_quad(reading(file), content, |quad| {
            match link(quad) {
                Some(link) => self.push(&link),
                None => self.others += 1,
            }
            Ok(())
        })?;
        self.send();
        self.set.media_type = syntax.media_type();
        self.set.issues = odd;
        self.judge(file)
    }

    fn is_wanted(&self, kind: LinkKind) -> bool {
        kind == LinkKind::SameAs || self.kinds.contains(&kind)
    }

    fn push(&mut self, link: &FileLink) {
        let FileLink { from, kind, predicate, to } = link;
        let kind = *kind;
        self.set.counts[kind.index()] += 1;
        if !self.set.predicates.contains(predicate) {
            self.set.predicates.push(predicate);
        }
        if !self.is_wanted(kind) {
            return;
        }
        let link = (self.end(from, 0), self.end(to, 1), kind);
        self.batch.links.push(link);
        if self.batch.links.len() == BATCH {
            self.send();
        }
    }

    fn end(&mut self, iri: &str, side: usize) -> End {
        let key = IriKey::of(iri);
        let (form, applied) = normal_form(iri, &is_of_links);
        if applied.is_empty() {
            return End { key, space: self.set.namespaces.number(iri, side) };
        }
        let space = self.set.namespaces.number(&form, side);
        let normal = End { key: IriKey::of(&form), space };
        let of = End { key, space: OTHER_SPELLING };
        self.batch.forms.push(NormalForm { of, normal, normalisations: bits(&applied) });
        End { key, space: OTHER_SPELLING }
    }

    fn send(&mut self) {
        // The other thread ends after this one only.
        drop(self.sender.send(std::mem::take(&mut self.batch)));
    }

    /// A file must have links; what is none is counted.
    fn judge(&mut self, file: &str) -> Result<()> {
        let wanted: Vec<LinkKind> = LinkKind::ALL.into_iter().filter(|kind| self.is_wanted(*kind)).collect();
        let examples: Vec<String> = wanted.iter().map(|kind| format!("`{}`", kind.example())).collect();
        let examples = examples.join(" or ");
        let unused: Vec<LinkKind> = LinkKind::ALL
            .into_iter()
            .filter(|kind| !wanted.contains(kind) && self.set.count(*kind) > 0)
            .collect();
        if wanted.iter().all(|kind| self.set.count(*kind) == 0) {
            let error = Error::input(format!("there is no {examples} in it"))
                .in_file(file)
                .allowed(format!("{} with statements {examples}", Syntax::ALLOWED));
            let names: Vec<&str> = unused.iter().map(|kind| kind.name()).collect();
            return Err(match names.as_slice() {
                [] => error,
                names => error.hint(format!("`⌥link-kind {}` uses what is in it", names.join(","))),
            });
        }
        let others = self.others + unused.iter().map(|kind| self.set.count(*kind)).sum::<u64>();
        if others > 0 {
            let message = format!("{others} statements are no {examples} and are not used");
            self.set.issues.push(Issue::new(IssueCode::NotALink, &Place::default(), message));
        }
        Ok(())
    }
}

/// Puts links together as they come.
fn build(receiver: &Receiver<Batch>) -> (Clusters, Vec<(u32, u32, LinkKind)>) {
    let (mut clusters, mut others) = (Clusters::default(), Vec::new());
    for batch in receiver {
        for (from, to, kind) in batch.links {
            let [from, to] = [from, to].map(|end| {
                let number = clusters.number(end.key, end.space);
                clusters.mark_linked(number);
                number
            });
            match kind {
                LinkKind::SameAs => clusters.unite(from, to),
                kind => others.push((from, to, kind)),
            }
        }
        for NormalForm { of, normal, normalisations } in batch.forms {
            let (of, form) = (clusters.number(of.key, of.space), clusters.number(normal.key, normal.space));
            clusters.mark_derived(form, normalisations);
            clusters.unite(of, form);
        }
    }
    clusters.flatten();
    clusters.shrink();
    (clusters, others)
}
