//! What a user may choose beside the files and the profile, and what each profile makes of it.

use std::sync::Arc;

use crate::base::error::Result;
use crate::measures::metric::{Metric, at_ranks};
use crate::profiles::Profile;
use crate::profiles::loaders::{Loader, Loading, Part};
use crate::references::assessments::Assessments;
use crate::references::classes::Classes;
use crate::references::labels::Labels;
use crate::references::links::Links;
use crate::references::links::kind::LinkKind;
use crate::references::links::reading::each_link;
use crate::references::question_types::QuestionTypes;
use crate::references::types::Types;
use crate::references::{ReferenceInput, ReferenceKind, Statements};
use crate::scoring::gerbil::same_as::{LinkTable, Mode, Retriever};
use crate::scoring::knowledge::Knowledge;

/// The choices of a user. They decide numbers, so they are in the manifest of an evaluation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The language of the questions.
    pub language: Option<String>,
    /// How GERBIL's profiles find the equals of a resource; none: `closure` where there are links, else `static`.
    pub same_as: Option<Mode>,
    /// The experiment types; none: all that the profile scores.
    pub experiments: Option<Vec<String>>,
    /// How the gold file is loaded; none: as the profile does by itself.
    pub loader: Option<Loader>,
    /// The part of the gold file; none: all of it.
    pub part: Option<Part>,
    /// The ranks at which measures such as accuracy at N look; none: those of the profile.
    pub cutoffs: Vec<u64>,
    /// The kinds of links that are followed beside `owl:sameAs`, in their order.
    pub link_kinds: Vec<LinkKind>,
}

impl Options {
    /// How a profile finds the equals of a resource; nothing where it always does it its own way.
    pub fn same_as(&self, profile: &Profile, references: &[Arc<ReferenceInput>]) -> Option<Mode> {
        profile.era?;
        let has_links = references.iter().any(|reference| reference.kind == ReferenceKind::Links);
        Some(self.same_as.unwrap_or(if has_links { Mode::Closure } else { Mode::Static }))
    }

    /// How the gold file is loaded for a profile.
    pub fn loading(&self, profile: &Profile) -> Loading<'_> {
        let loader = self.loader.unwrap_or(profile.loader);
        Loading { loader, part: self.part, language: self.language.as_deref() }
    }

    /// Whether the profile scores an experiment type and the user wants it.
    pub fn wants(&self, experiment: &str) -> bool {
        self.experiments.as_ref().is_none_or(|wanted| wanted.iter().any(|name| name == experiment))
    }

    /// The references that decide something in a profile, in order of their IRIs.
    pub fn used(&self, profile: &Profile, references: &[Arc<ReferenceInput>]) -> Vec<Arc<ReferenceInput>> {
        let crawls = self.same_as(profile, references).is_some_and(Mode::uses_links);
        let is_used = |reference: &&Arc<ReferenceInput>| match reference.kind {
            ReferenceKind::Links => profile.closes_links() || crawls,
            ReferenceKind::Labels => profile.uses_labels(),
            ReferenceKind::Classes => profile.uses_classes(),
            ReferenceKind::Types => profile.uses_types(),
            ReferenceKind::QuestionTypes => profile.uses_question_types(),
            ReferenceKind::Assessments => profile.uses_assessments(),
        };
        let mut used: Vec<Arc<ReferenceInput>> = references.iter().filter(is_used).cloned().collect();
        used.sort_by(|a, b| a.iri.cmp(&b.iri));
        used.dedup_by(|a, b| a.iri == b.iri);
        used
    }
}

/// The references of a profile, ready for use. Made once for many submissions.
#[derive(Debug)]
pub struct Prepared {
    /// The profile.
    pub profile: Arc<Profile>,
    /// The choices of the user.
    pub options: Arc<Options>,
    /// The references that it uses.
    pub references: Vec<Arc<ReferenceInput>>,
    /// How it finds the equals of a resource, where it can be chosen.
    pub same_as: Option<Mode>,
    links: Option<Links>,
    link_table: LinkTable,
    labels: Option<Labels>,
    classes: Option<Classes>,
    types: Option<Types>,
    assessments: Option<Assessments>,
}

impl Prepared {
    /// Closes links, indexes labels, classes and types.
    pub fn new(
        profile: Arc<Profile>,
        options: Arc<Options>,
        references: &[Arc<ReferenceInput>],
    ) -> Result<Self> {
        let same_as = options.same_as(&profile, references);
        let references = options.used(&profile, references);
        let links = || references.iter().filter_map(|reference| reference.links());
        let of_kind = |kind| references.iter().any(|reference| reference.kind == kind);
        let sets = |kind| references.iter().filter_map(move |reference| reference.others(kind));
        let closure =
            (of_kind(ReferenceKind::Links) && profile.closes_links()).then(|| Links::close(links()));
        let crawls = same_as.is_some_and(Mode::uses_links);
        Ok(Self {
            options,
            same_as,
            link_table: if crawls { link_table(&references)? } else { LinkTable::default() },
            labels: of_kind(ReferenceKind::Labels).then(|| Labels::of(sets(ReferenceKind::Labels).cloned())),
            classes: of_kind(ReferenceKind::Classes)
                .then(|| Classes::of(sets(ReferenceKind::Classes).map(|set| &**set))),
            types: of_kind(ReferenceKind::Types)
                .then(|| Types::of(sets(ReferenceKind::Types).cloned(), &profile, closure.as_ref())),
            links: closure,
            assessments: assessments(&profile, &references)?,
            references,
            profile,
        })
    }

    /// What matching may use.
    pub fn knowledge(&self) -> Knowledge<'_> {
        Knowledge {
            links: self.links.as_ref(),
            retriever: self.same_as.map(|mode| Retriever::new(mode, &self.link_table)),
            labels: self.labels.as_ref(),
            classes: self.classes.as_ref(),
            types: self.types.as_ref(),
            assessments: self.assessments.as_ref(),
            language: self.options.language.as_deref(),
        }
    }

    /// What people say about answers.
    pub fn assessments(&self) -> Option<&Assessments> {
        self.assessments.as_ref()
    }

    /// The types of questions that count in place of those of the dataset.
    pub(crate) fn question_types(&self) -> Option<&QuestionTypes> {
        self.references.iter().find_map(|reference| match &reference.statements {
            Statements::QuestionTypes(types) => Some(types),
            _ => None,
        })
    }

    /// How the gold file is loaded.
    pub fn loading(&self) -> Loading<'_> {
        self.options.loading(&self.profile)
    }

    /// The ranks that the user chose, where the profile has a measure that looks at one.
    pub fn cutoffs(&self) -> &[u64] {
        let cutoffs = &self.options.cutoffs[..];
        if cutoffs.is_empty() || self.profile.looks_at_ranks() { cutoffs } else { &[] }
    }

    /// Metrics of the profile with the ranks that the user chose.
    pub fn metrics(&self, of_profile: &[Metric]) -> Vec<Metric> {
        at_ranks(of_profile, self.cutoffs())
    }

    /// The kinds of links that are followed beside `owl:sameAs`, where there are links to follow.
    pub fn link_kinds(&self) -> &[LinkKind] {
        if self.links.is_some() { &self.options.link_kinds } else { &[] }
    }

    /// The closure of the links.
    pub fn closure(&self) -> Option<&Links> {
        self.links.as_ref()
    }
}

/// The assessments of all files, where there are any.
fn assessments(profile: &Profile, references: &[Arc<ReferenceInput>]) -> Result<Option<Assessments>> {
    let named = references.iter().filter_map(|reference| match &reference.statements {
        Statements::Assessments(set) => Some((reference.source.name(), set)),
        _ => None,
    });
    let named: Vec<_> = named.collect();
    let mut rules = profile.experiments.iter().filter(|rules| rules.reads_assessments());
    let judging = rules.next().and_then(|rules| rules.judging.as_ref());
    if named.is_empty() { Ok(None) } else { Assessments::join(&named, judging).map(Some) }
}

/// The links as GERBIL follows them: from subject to object, with their texts.
fn link_table(references: &[Arc<ReferenceInput>]) -> Result<LinkTable> {
    let mut pairs = Vec::new();
    for reference in references.iter().filter(|reference| reference.kind == ReferenceKind::Links) {
        each_link(&reference.source, |link| {
            if link.kind == LinkKind::SameAs {
                pairs.push((link.from, link.to));
            }
            Ok(())
        })?;
    }
    Ok(LinkTable::new(pairs))
}
