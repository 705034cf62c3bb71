//! What an evaluation refers to beside gold and answers: links, labels, types, classes, assessments.

pub mod assessments;
pub mod classes;
pub(crate) mod forms;
pub mod harvest;
pub mod labels;
pub mod languages;
pub mod link_sets;
pub mod linked;
pub mod links;
pub mod literal;
pub mod normalise;
pub mod quads;
pub mod question_types;
pub mod row_index;
pub mod statements;
pub mod types;

use std::path::Path;
use std::sync::Arc;

use oxigraph::model::{Literal, NamedNode, Term};

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::issue::Issue;
use crate::base::vocab::{code, qassay, rdf};
use crate::profiles::Profile;
use crate::profiles::link_kind::LinkKind;
use crate::profiles::own::ProfileFile;
use crate::references::assessments::{Assessment, AssessmentSet};
use crate::references::links::LinkSet;
use crate::references::links::reading::each_link;
use crate::references::question_types::QuestionTypes;
use crate::references::statements::{Sought, StatementSet};
use crate::sources::file::source::Source;
use crate::sources::input::publish::Stated;

/// The most links that are published as a graph too. A graph is sorted in memory; a larger file is published as it is.
const MOST_PUBLISHED: u64 = 500_000;

/// What a file of statements is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum ReferenceKind {
    /// `owl:sameAs`: which resources are the same.
    Links,
    /// `rdfs:label`, `skos:prefLabel`, `skos:altLabel`: what resources are called.
    Labels,
    /// `rdfs:subClassOf`: which classes are parts of which.
    Classes,
    /// `rdf:type`: which classes resources are of.
    Types,
    /// What types questions are of.
    QuestionTypes,
    /// What people say about answers.
    Assessments,
    /// Profiles of a user's own.
    Profiles,
}

impl ReferenceKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Links,
        Self::Labels,
        Self::Classes,
        Self::Types,
        Self::QuestionTypes,
        Self::Assessments,
        Self::Profiles,
    ];

    /// The word in IRIs, in manifests, in roles (`code:role-links`).
    pub fn name(self) -> &'static str {
        match self {
            Self::Links => "links",
            Self::Labels => "labels",
            Self::Classes => "classes",
            Self::Types => "types",
            Self::QuestionTypes => "question-types",
            Self::Assessments => "assessments",
            Self::Profiles => "profiles",
        }
    }

    /// The property by which an evaluation names a file of this kind.
    pub(crate) fn property(self) -> &'static str {
        match self {
            Self::Links => qassay::LINKSET,
            Self::Labels => qassay::LABEL_SET,
            Self::Classes => qassay::CLASS_SET,
            Self::Types => qassay::TYPE_SET,
            Self::QuestionTypes => qassay::QUESTION_TYPE_SET,
            Self::Assessments => qassay::ASSESSMENT_SET,
            Self::Profiles => qassay::PROFILE_FILE,
        }
    }

    /// Which statements of RDF it is, where a file is read for one or some properties.
    fn sought(self) -> Option<Sought> {
        match self {
            Self::Labels => Some(statements::LABELS),
            Self::Classes => Some(statements::CLASSES),
            Self::Types => Some(statements::TYPES),
            Self::Links | Self::QuestionTypes | Self::Assessments | Self::Profiles => None,
        }
    }

    /// The kind with this word.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The statements of a file.
#[derive(Debug)]
pub enum ReferenceContent {
    /// Links: pairs of IRIs that are closed to clusters, so they are interned.
    Links(LinkSet),
    /// Labels, classes or types.
    Others(Arc<StatementSet>),
    /// Types of questions.
    QuestionTypes(QuestionTypes),
    /// Assessments.
    Assessments(AssessmentSet),
    /// Profiles.
    Profiles(ProfileFile),
}

/// A file of statements that an evaluation refers to.
#[derive(Debug)]
pub struct ReferenceInput {
    /// The file.
    pub source: Source,
    /// What it is for.
    pub kind: ReferenceKind,
    /// What it says.
    pub statements: ReferenceContent,
    /// Its IRI.
    pub iri: String,
}

impl ReferenceInput {
    /// Reads a file of statements.
    pub fn open(kind: ReferenceKind, source: Source, mint: &Mint) -> Result<Self> {
        let statements = match (kind, kind.sought()) {
            (_, Some(sought)) => ReferenceContent::Others(Arc::new(StatementSet::read(&source, sought)?)),
            (ReferenceKind::QuestionTypes, _) => {
                ReferenceContent::QuestionTypes(QuestionTypes::read(&source)?)
            }
            (ReferenceKind::Assessments, _) => ReferenceContent::Assessments(AssessmentSet::read(&source)?),
            (ReferenceKind::Profiles, _) => ReferenceContent::Profiles(ProfileFile::read(&source)?),
            _ => ReferenceContent::Links(LinkSet::read(&source)?),
        };
        Ok(Self::new(kind, source, statements, mint))
    }

    /// The statements of a kind in a file that was not made for it, such as the dump of a knowledge base; nothing where it
    /// has none. What else is in the file is no issue: it is there for other purposes.
    pub fn open_within(kind: ReferenceKind, source: Source, mint: &Mint) -> Result<Option<Self>> {
        let Some(sought) = kind.sought() else { return Self::open(kind, source, mint).map(Some) };
        let set = StatementSet::read_within(&source, sought)?;
        Ok((!set.is_empty()).then(|| Self::new(kind, source, ReferenceContent::Others(Arc::new(set)), mint)))
    }

    fn new(kind: ReferenceKind, source: Source, statements: ReferenceContent, mint: &Mint) -> Self {
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
        Self::new(ReferenceKind::Links, source, ReferenceContent::Links(set), mint)
    }

    /// Whether its statements are published as a graph, and not only as the file that it is.
    pub fn is_published(&self) -> bool {
        self.links().is_none_or(|set| set.count_all() <= MOST_PUBLISHED)
    }

    /// What is odd about the file.
    pub fn issues(&self) -> &[Issue] {
        match &self.statements {
            ReferenceContent::Links(set) => &set.issues,
            ReferenceContent::Others(set) => &set.issues,
            ReferenceContent::QuestionTypes(set) => &set.issues,
            ReferenceContent::Assessments(set) => &set.issues,
            ReferenceContent::Profiles(_) => &[],
        }
    }

    /// The media type of its syntax.
    pub fn media_type(&self) -> &'static str {
        match &self.statements {
            ReferenceContent::Links(set) => set.media_type(),
            ReferenceContent::Others(set) => set.media_type(),
            ReferenceContent::QuestionTypes(set) => set.media_type,
            ReferenceContent::Assessments(set) => set.media_type,
            ReferenceContent::Profiles(_) => "text/turtle",
        }
    }

    /// Its links, where it has links.
    pub fn links(&self) -> Option<&LinkSet> {
        match &self.statements {
            ReferenceContent::Links(set) => Some(set),
            _ => None,
        }
    }

    /// Its profiles.
    pub fn profiles(&self) -> &[Profile] {
        match &self.statements {
            ReferenceContent::Profiles(file) => &file.profiles,
            _ => &[],
        }
    }

    /// Its statements, where it is of this kind and has no links.
    pub(crate) fn others(&self, kind: ReferenceKind) -> Option<&Arc<StatementSet>> {
        match &self.statements {
            ReferenceContent::Others(set) if self.kind == kind => Some(set),
            _ => None,
        }
    }

    /// Its statements as they are published: subject, predicate and object. Links are read from their file again.
    pub fn stated(&self) -> Result<Vec<Stated>> {
        let mut stated: Vec<Stated> = Vec::new();
        match &self.statements {
            ReferenceContent::Links(_) => each_link(&self.source, |link| {
                stated.push((link.from, (link.predicate.into(), NamedNode::new_unchecked(link.to).into())));
                Ok(())
            })?,
            ReferenceContent::Others(set) => stated.extend(
                set.statements()
                    .map(|found| (found.subject.to_owned(), (found.predicate.into(), found.object.clone()))),
            ),
            ReferenceContent::QuestionTypes(set) => {
                stated.extend(set.lines.iter().flat_map(|line| typed_question(&self.iri, line)));
            }
            ReferenceContent::Assessments(set) => {
                stated.extend(set.lines.iter().flat_map(|line| assessment(&self.iri, line)));
            }
            ReferenceContent::Profiles(file) => {
                let triples = file.facts.triples();
                stated.extend(triples.map(|(subject, predicate, object)| {
                    (subject.to_owned(), (predicate.to_owned().into(), object.clone()))
                }));
            }
        }
        Ok(stated)
    }
}

/// A line of a file: its node, and what is said about it.
fn of_line(file: &str, line: u64, said: Vec<(&'static str, Term)>) -> impl Iterator<Item = Stated> {
    let node = format!("{file}/line/{line}");
    let line = (qassay::LINE, Literal::from(line).into());
    said.into_iter().chain([line]).map(move |(predicate, object)| (node.clone(), (predicate.into(), object)))
}

fn text(text: &str) -> Term {
    Literal::new_simple_literal(text).into()
}

fn typed_question(file: &str, (line, id, name): &(u64, String, String)) -> impl Iterator<Item = Stated> {
    let said = vec![
        (rdf::TYPE, NamedNode::new_unchecked(qassay::TYPED_QUESTION).into()),
        (qassay::QUESTION_ID, text(id)),
        (qassay::QUESTION_TYPE, text(name)),
    ];
    of_line(file, *line, said)
}

fn assessment(file: &str, assessment: &Assessment) -> impl Iterator<Item = Stated> {
    let verdict = code::iri(&format!("verdict-{}", assessment.verdict.name()));
    let mut said = vec![
        (rdf::TYPE, NamedNode::new_unchecked(qassay::ASSESSMENT).into()),
        (qassay::QUESTION_ID, text(&assessment.question)),
        (qassay::ASSESSED_ANSWER, text(&assessment.answer)),
        (qassay::VERDICT, NamedNode::new_unchecked(verdict).into()),
    ];
    said.extend(assessment.assessor.as_deref().map(|name| (qassay::ASSESSOR, text(name))));
    of_line(file, assessment.line, said)
}
