//! Groups of questions: which question belongs to which group of a profile.
//!
//! The groups of a family are what a query of `queries/group` says about the dataset. Only the processed questions
//! depend on the submission.

pub mod facts;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use oxigraph::model::{Term, Variable};

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::vocab::{code, skos};
use crate::profiles::ontology::{self, Family};
use crate::references::question_types::QuestionTypes;
use crate::scoring::cases::Cases;
use crate::scoring::plan::Plan;
use crate::sources::input::{Families, Input};
use crate::sparql::index::Index;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::numbered::each_row_with_number;

/// The group of all questions.
pub const ALL: &str = "group-all";
/// The group of the questions that the submission has.
pub const PROCESSED: &str = "group-processed";

/// Which groups of questions are measured. Those of the profile take most of the time of a small evaluation, and most of
/// the bytes where they are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Grouping {
    /// All questions, and those that the submission has.
    #[default]
    Headline,
    /// Those of the profile too, to be shown.
    Shown,
    /// Those of the profile too, to be shown and kept.
    Kept,
}

/// Whether a group is one of those that every evaluation has.
pub fn is_headline(group: &str) -> bool {
    group == ALL || group == PROCESSED
}

/// The positions of the questions of each group: all, processed, then by the names of the groups.
pub type Membership = Vec<(String, Vec<usize>)>;

/// The positions of the questions of each wanted group of a profile. Groups without questions are left out, save all.
pub fn membership(mint: &Mint, plan: &Plan, cases: &Cases, wanted: Grouping) -> Result<Membership> {
    let (profile, dataset) = (&*plan.profile, &*cases.dataset);
    let answers = &cases.alignment.answers;
    let mut groups = vec![(ALL.to_owned(), (0..answers.len()).collect())];
    let processed: Vec<usize> = (0..answers.len()).filter(|&at| answers[at].is_some()).collect();
    if profile.groups.contains(PROCESSED) && !processed.is_empty() {
        groups.push((PROCESSED.to_owned(), processed));
    }
    // In its first version the model has all groups beside the scores.
    if wanted == Grouping::Headline && mint.model().splits_scores() {
        return Ok(groups);
    }
    let of_profile = |family: &str| profile.groups.contains(family) && family != QUESTION_TYPES;
    let mut known = dataset.groups.lock().unwrap_or_else(PoisonError::into_inner);
    let found = families(mint, None, dataset, |family| of_profile(family) && !known.contains_key(family))?;
    known.extend(found);
    let wanted = known.iter().filter(|(family, _)| of_profile(family));
    let mut members: BTreeMap<String, Vec<usize>> =
        wanted.flat_map(|(_, groups)| groups).map(|(name, at)| (name.clone(), at.clone())).collect();
    drop(known);
    if profile.uses_question_types() {
        // They may be those of another file, which other profiles do not look at.
        let types = families_of_types(mint, plan, dataset)?;
        members.extend(types.into_values().flatten());
    }
    groups.extend(members);
    Ok(groups)
}

/// The keys of the questions of each group of a profile. All questions are no such group, nor is what depends on the submission.
pub fn keys(mint: &Mint, plan: &Plan, cases: &Cases) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let questions = &cases.dataset.document.questions;
    let keys = |positions: Vec<usize>| positions.into_iter().map(|at| questions[at].key.clone()).collect();
    let members = membership(mint, plan, cases, Grouping::Shown)?.into_iter();
    Ok(members.filter(|(name, _)| !is_headline(name)).map(|(name, at)| (name, keys(at))).collect())
}

/// The family of the groups by question type.
const QUESTION_TYPES: &str = "groups-questiontype";

fn families_of_types(mint: &Mint, plan: &Plan, dataset: &Input) -> Result<Families> {
    families(mint, plan.references.question_types(), dataset, |family| family == QUESTION_TYPES)
}

/// The groups of open schemes that have questions: name, and label as the first question has it.
pub fn open(plan: &Plan, dataset: &Input, members: &Membership) -> BTreeMap<String, String> {
    let known = ontology::groups();
    let is_open = |name: &str| {
        name.starts_with("group-questiontype-") && known.text(&code::iri(name), skos::IN_SCHEME).is_none()
    };
    let groups = members.iter().filter(|(name, _)| is_open(name));
    let label = |(name, positions): &(String, Vec<usize>)| {
        let question = &dataset.document.questions[*positions.first()?];
        Some((name.clone(), facts::question_type(plan.references.question_types(), question)?))
    };
    groups.filter_map(label).collect()
}

/// Asks the queries of families about the dataset, with other types of questions where there are some.
fn families(
    mint: &Mint,
    types: Option<&QuestionTypes>,
    dataset: &Input,
    wanted: impl Fn(&str) -> bool,
) -> Result<Families> {
    let wanted: Vec<&Family> = Family::all().iter().filter(|family| wanted(&family.name)).collect();
    if wanted.is_empty() {
        return Ok(Families::new());
    }
    let index = facts::index(mint, dataset, types);
    let asked = wanted.into_iter().map(|family| Ok((family.name.as_str(), groups(&index, family, dataset)?)));
    asked.collect()
}

fn groups(index: &Index, family: &Family, dataset: &Input) -> Result<BTreeMap<String, Vec<usize>>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let (question, count) = (Variable::new_unchecked("question"), dataset.document.questions.len());
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    each_row_with_number(index, &NamedQuery::of(family.query)?, (&question, count), |position, row| {
        let [_, Some(Term::NamedNode(group))] = row else { return Ok(()) };
        let (group, position) = (group.as_str().trim_start_matches(code::NAMESPACE), position as usize);
        match groups.get_mut(group) {
            Some(members) => members.push(position),
            None => drop(groups.insert(group.to_owned(), vec![position])),
        }
        Ok(())
    })?;
    for members in groups.values_mut() {
        members.sort_unstable();
        members.dedup();
    }
    Ok(groups)
}
