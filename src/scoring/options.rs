//! A profile with the choices of the user and the references that it uses, ready for use.

use std::sync::Arc;

use crate::base::error::Result;
use crate::measures::metric::{Metric, at_ranks};
use crate::profiles::Profile;
use crate::profiles::choices::{CHOICES, Choice, Choices};
use crate::profiles::link_kind::LinkKind;
use crate::profiles::loaders::Loading;
use crate::profiles::same_as::Mode;
use crate::references::assessments::Assessments;
use crate::references::classes::Classes;
use crate::references::labels::Labels;
use crate::references::links::Links;
use crate::references::links::reading::each_link;
use crate::references::question_types::QuestionTypes;
use crate::references::types::Types;
use crate::references::{ReferenceInput, ReferenceKind, Statements};
use crate::scoring::gerbil::same_as::{LinkTable, Retriever};
use crate::scoring::knowledge::Knowledge;

/// The references of a profile, ready for use. Made once for many submissions.
#[derive(Debug)]
pub struct Prepared {
    /// The profile.
    pub profile: Arc<Profile>,
    /// The choices of the user.
    pub choices: Arc<Choices>,
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
        choices: Arc<Choices>,
        references: &[Arc<ReferenceInput>],
    ) -> Result<Self> {
        let has_links = references.iter().any(|reference| reference.kind == ReferenceKind::Links);
        let same_as = choices.same_as(&profile, has_links);
        let references = used(&profile, same_as, references);
        let links = || references.iter().filter_map(|reference| reference.links());
        let of_kind = |kind| references.iter().any(|reference| reference.kind == kind);
        let sets = |kind| references.iter().filter_map(move |reference| reference.others(kind));
        let closure =
            (of_kind(ReferenceKind::Links) && profile.closes_links()).then(|| Links::close(links()));
        let crawls = same_as.is_some_and(Mode::uses_links);
        Ok(Self {
            choices,
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
            language: self.choices.language.as_deref(),
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
        self.choices.loading(&self.profile)
    }

    /// The ranks that the user chose, where the profile has a measure that looks at one.
    pub fn cutoffs(&self) -> &[u64] {
        let cutoffs = &self.choices.cutoffs[..];
        if cutoffs.is_empty() || self.profile.looks_at_ranks() { cutoffs } else { &[] }
    }

    /// Metrics of the profile with the ranks that the user chose.
    pub fn metrics(&self, of_profile: &[Metric]) -> Vec<Metric> {
        at_ranks(of_profile, self.cutoffs())
    }

    /// Whether the user wants all experiment types that the profile scores.
    pub(crate) fn wants_all(&self) -> bool {
        self.profile.experiments.iter().all(|rules| self.choices.wants(&rules.name))
    }

    /// What was chosen, as far as it is worth stating: what re-execution needs to know besides the files.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static Choice, Vec<String>)> {
        let has_links = self.references.iter().any(|reference| reference.kind == ReferenceKind::Links);
        CHOICES.iter().map(move |choice| (choice, choice.stated(&self.choices, &self.profile, has_links)))
    }

    /// The closure of the links.
    pub fn closure(&self) -> Option<&Links> {
        self.links.as_ref()
    }
}

/// The references that decide something in a profile, in order of their IRIs.
fn used(
    profile: &Profile,
    same_as: Option<Mode>,
    references: &[Arc<ReferenceInput>],
) -> Vec<Arc<ReferenceInput>> {
    let crawls = same_as.is_some_and(Mode::uses_links);
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
