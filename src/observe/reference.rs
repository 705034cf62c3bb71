//! Files that an evaluation refers to beside gold and answers: links, labels, classes, types.

use std::path::Path;

use oxigraph::model::NamedNode;

use crate::error::Result;
use crate::graph::iri::Mint;
use crate::graph::publish::Stated;
use crate::matching::{LinkKind, LinkSet, StatementSet, each_link};
use crate::read::{Issue, Source};

/// The most links that are published as a graph too. A graph is sorted in memory; a larger file is published as it is.
const MOST_PUBLISHED: u64 = 500_000;

/// What a file of statements is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReferenceKind {
    /// `owl:sameAs`: which resources are the same.
    Links,
    /// `rdfs:label`, `skos:prefLabel`, `skos:altLabel`: what resources are called.
    Labels,
    /// `rdfs:subClassOf`: which classes are parts of which.
    Classes,
    /// `rdf:type`: which classes resources are of.
    Types,
}

impl ReferenceKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Links, Self::Labels, Self::Classes, Self::Types];

    /// The word in IRIs, in manifests, in roles (`code:role-links`).
    pub fn name(self) -> &'static str {
        match self {
            Self::Links => "links",
            Self::Labels => "labels",
            Self::Classes => "classes",
            Self::Types => "types",
        }
    }

    /// The kind with this word.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The statements of a file.
#[derive(Debug)]
pub enum Statements {
    /// Links: pairs of IRIs that are closed to clusters, so they are interned.
    Links(LinkSet),
    /// Labels, classes or types.
    Others(StatementSet),
}

/// A file of statements that an evaluation refers to.
#[derive(Debug)]
pub struct ReferenceInput {
    /// The file.
    pub source: Source,
    /// What it is for.
    pub kind: ReferenceKind,
    /// What it says.
    pub statements: Statements,
    /// Its IRI.
    pub iri: String,
}

impl ReferenceInput {
    /// Reads a file of statements.
    pub fn open(kind: ReferenceKind, source: Source, mint: &Mint) -> Result<Self> {
        let statements = match kind {
            ReferenceKind::Links => Statements::Links(LinkSet::read(&source)?),
            ReferenceKind::Labels => Statements::Others(StatementSet::labels(&source)?),
            ReferenceKind::Classes => Statements::Others(StatementSet::classes(&source)?),
            ReferenceKind::Types => Statements::Others(StatementSet::types(&source)?),
        };
        Ok(Self::new(kind, source, statements, mint))
    }

    /// The statements of a kind in a file that was not made for it, such as the dump of a knowledge base; nothing where it
    /// has none. What else is in the file is no issue: it is there for other purposes.
    pub fn open_within(kind: ReferenceKind, source: Source, mint: &Mint) -> Result<Option<Self>> {
        let set = match kind {
            ReferenceKind::Links => return Self::open(kind, source, mint).map(Some),
            ReferenceKind::Labels => StatementSet::labels_within(&source)?,
            ReferenceKind::Classes => StatementSet::classes_within(&source)?,
            ReferenceKind::Types => StatementSet::types_within(&source)?,
        };
        Ok((!set.is_empty()).then(|| Self::new(kind, source, Statements::Others(set), mint)))
    }

    fn new(kind: ReferenceKind, source: Source, statements: Statements, mint: &Mint) -> Self {
        let iri = mint.reference(kind.name(), source.sha256());
        Self { source, kind, statements, iri }
    }

    /// Reads a file of links of any size in one pass: `owl:sameAs` and other kinds. A large file stays on disk.
    pub fn open_links(path: &Path, kinds: &[LinkKind], mint: &Mint) -> Result<Self> {
        let (source, set) = LinkSet::open(path, kinds)?;
        Ok(Self::with_links(source, set, mint))
    }

    /// Reads links from a file in memory.
    pub fn links_of(source: Source, kinds: &[LinkKind], mint: &Mint) -> Result<Self> {
        let set = LinkSet::read_kinds(&source, kinds)?;
        Ok(Self::with_links(source, set, mint))
    }

    fn with_links(source: Source, set: LinkSet, mint: &Mint) -> Self {
        let kind = ReferenceKind::Links;
        let iri = mint.reference(kind.name(), source.sha256());
        Self { source, kind, statements: Statements::Links(set), iri }
    }

    /// Whether its statements are published as a graph, and not only as the file that it is.
    pub fn is_published(&self) -> bool {
        self.links().is_none_or(|set| set.count_all() <= MOST_PUBLISHED)
    }

    /// What is odd about the file.
    pub fn issues(&self) -> &[Issue] {
        match &self.statements {
            Statements::Links(set) => &set.issues,
            Statements::Others(set) => &set.issues,
        }
    }

    /// The media type of its syntax.
    pub fn media_type(&self) -> &'static str {
        match &self.statements {
            Statements::Links(set) => set.media_type(),
            Statements::Others(set) => set.media_type(),
        }
    }

    /// Its links, where it has links.
    pub fn links(&self) -> Option<&LinkSet> {
        match &self.statements {
            Statements::Links(set) => Some(set),
            Statements::Others(_) => None,
        }
    }

    /// Its statements, where it is of this kind and has no links.
    pub(super) fn others(&self, kind: ReferenceKind) -> Option<&StatementSet> {
        match &self.statements {
            Statements::Others(set) if self.kind == kind => Some(set),
            _ => None,
        }
    }

    /// Its statements as they are published: subject, predicate and object. Links are read from their file again.
    pub fn stated(&self) -> Result<Vec<Stated>> {
        let mut stated: Vec<Stated> = Vec::new();
        match &self.statements {
            Statements::Links(_) => each_link(&self.source, |link| {
                stated.push((link.from, (link.predicate, NamedNode::new_unchecked(link.to).into())));
                Ok(())
            })?,
            Statements::Others(set) => stated.extend(
                set.statements()
                    .map(|found| (found.subject.to_owned(), (found.predicate, found.object.clone()))),
            ),
        }
        Ok(stated)
    }
}
