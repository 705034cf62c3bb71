//! What beside the two files decides a matching, ready for use: links, labels, classes, types, assessments.

use std::sync::Arc;

use crate::base::error::Result;
use crate::profiles::Profile;
use crate::profiles::choices::Choices;
use crate::profiles::link_kind::LinkKind;
use crate::profiles::same_as::Mode;
use crate::references::assessments::Assessments;
use crate::references::classes::Classes;
use crate::references::labels::Labels;
use crate::references::links::Links;
use crate::references::links::reading::each_link;
use crate::references::question_types::QuestionTypes;
use crate::references::types::Types;
use crate::references::{ReferenceContent, ReferenceInput, ReferenceKind};
use crate::scoring::gerbil::same_as::Retriever;

/// What is known beyond the dataset and the answers. Empty where no file says anything, or the profile does not look at it.
#[derive(Debug, Default)]
pub struct References {
    /// The files that decide something, in order of their IRIs.
    pub files: Vec<Arc<ReferenceInput>>,
    /// The closure of `owl:sameAs` links: clusters.
    pub links: Option<Links>,
    /// GERBIL's way from a resource to its equals: directed, crawled.
    pub retriever: Option<Retriever>,
    /// Labels of resources.
    pub labels: Option<Labels>,
    /// The hierarchy of classes.
    pub classes: Option<Classes>,
    /// The classes of resources.
    pub types: Option<Types>,
    /// What people say about answers.
    pub assessments: Option<Assessments>,
}

impl References {
    pub(crate) fn new(profile: &Profile, choices: &Choices, files: &[Arc<ReferenceInput>]) -> Result<Self> {
        let has_links = files.iter().any(|file| file.kind == ReferenceKind::Links);
        let mode = choices.same_as(profile, has_links);
        let crawls = mode.is_some_and(Mode::uses_links);
        let used = Self { files: used(profile, crawls, files), ..Self::default() };
        let has = |kind| used.of(kind).next().is_some();
        let sets = |kind| used.files.iter().filter_map(move |file| file.others(kind));
        let closes = has(ReferenceKind::Links) && profile.closes_links();
        let links = closes.then(|| Links::close(used.files.iter().filter_map(|file| file.links())));
        let pairs = if crawls { used.pairs()? } else { Vec::new() };
        Ok(Self {
            retriever: mode.map(|mode| Retriever::new(mode, pairs)),
            labels: has(ReferenceKind::Labels).then(|| Labels::of(sets(ReferenceKind::Labels).cloned())),
            classes: has(ReferenceKind::Classes)
                .then(|| Classes::of(sets(ReferenceKind::Classes).map(|set| &**set))),
            types: has(ReferenceKind::Types)
                .then(|| Types::of(sets(ReferenceKind::Types).cloned(), profile, links.as_ref())),
            assessments: used.assessments(profile)?,
            links,
            files: used.files,
        })
    }

    /// The files of a kind.
    pub fn of(&self, kind: ReferenceKind) -> impl Iterator<Item = &ReferenceInput> {
        self.files.iter().map(|file| &**file).filter(move |file| file.kind == kind)
    }

    /// The types of questions that count in place of those of the dataset.
    pub(crate) fn question_types(&self) -> Option<&QuestionTypes> {
        self.files.iter().find_map(|file| match &file.statements {
            ReferenceContent::QuestionTypes(types) => Some(types),
            _ => None,
        })
    }

    /// The assessments of all files, where there are any.
    fn assessments(&self, profile: &Profile) -> Result<Option<Assessments>> {
        let named = self.files.iter().filter_map(|file| match &file.statements {
            ReferenceContent::Assessments(set) => Some((file.source.name(), set)),
            _ => None,
        });
        let named: Vec<_> = named.collect();
        let mut rules = profile.experiments.iter().filter(|rules| rules.reads_assessments());
        let judging = rules.next().and_then(|rules| rules.judging.as_ref());
        if named.is_empty() { Ok(None) } else { Assessments::join(&named, judging).map(Some) }
    }

    /// The links as GERBIL follows them: from subject to object, with their texts.
    fn pairs(&self) -> Result<Vec<(String, String)>> {
        let mut pairs = Vec::new();
        for file in self.of(ReferenceKind::Links) {
            each_link(&file.source, |link| {
                if link.kind == LinkKind::SameAs {
                    pairs.push((link.from, link.to));
                }
                Ok(())
            })?;
        }
        Ok(pairs)
    }
}

/// The files that decide something in a profile, each once, in order of their IRIs.
fn used(profile: &Profile, crawls: bool, files: &[Arc<ReferenceInput>]) -> Vec<Arc<ReferenceInput>> {
    let is_used = |file: &&Arc<ReferenceInput>| match file.kind {
        ReferenceKind::Links => profile.closes_links() || crawls,
        ReferenceKind::Labels => profile.uses_labels(),
        ReferenceKind::Classes => profile.uses_classes(),
        ReferenceKind::Types => profile.uses_types(),
        ReferenceKind::QuestionTypes => profile.uses_question_types(),
        ReferenceKind::Assessments => profile.uses_assessments(),
        ReferenceKind::Profiles => profile.file_sha256() == Some(file.source.sha256()),
    };
    let mut used: Vec<Arc<ReferenceInput>> = files.iter().filter(is_used).cloned().collect();
    used.sort_by(|a, b| a.iri.cmp(&b.iri));
    used.dedup_by(|a, b| a.iri == b.iri);
    used
}
