//! Groups of questions: which question belongs to which group of a profile.
//!
//! The groups of a family are what a query of `queries/group` says about the dataset. Only the processed questions
//! depend on the submission.

use std::collections::BTreeMap;

use super::group_facts;
use super::input::DatasetInput;
use crate::error::Result;
use crate::graph::Index;
use crate::graph::iri::Mint;
use crate::graph::vocab::code;
use crate::matching::Sides;
use crate::profile::{Family, Profile};
use oxigraph::model::Term;

/// The group of all questions.
pub const ALL: &str = "group-all";
/// The group of the questions that the submission has.
pub const PROCESSED: &str = "group-processed";

/// The positions of the questions of each group: all, processed, then by the names of the groups.
pub type Membership = Vec<(String, Vec<usize>)>;

/// The groups of every family, by the name of the family: positions of questions in order, by the name of the group.
pub type Families = BTreeMap<&'static str, BTreeMap<String, Vec<usize>>>;

/// The positions of the questions of each group of a profile. Groups without questions are left out, save all.
pub fn membership(
    mint: &Mint,
    profile: &Profile,
    dataset: &DatasetInput,
    sides: &Sides<'_>,
) -> Result<Membership> {
    let answers = &sides.alignment.answers;
    let mut groups = vec![(ALL.to_owned(), (0..answers.len()).collect())];
    let processed: Vec<usize> = (0..answers.len()).filter(|&at| answers[at].is_some()).collect();
    if profile.groups.contains(PROCESSED) && !processed.is_empty() {
        groups.push((PROCESSED.to_owned(), processed));
    }
    let families = if let Some(families) = dataset.groups.get() {
        families
    } else {
        let found = families(mint, sides)?;
        dataset.groups.get_or_init(|| found)
    };
    let wanted = families.iter().filter(|(family, _)| profile.groups.contains(**family));
    let members: BTreeMap<&String, &Vec<usize>> = wanted.flat_map(|(_, groups)| groups).collect();
    groups.extend(members.into_iter().map(|(name, positions)| (name.clone(), positions.clone())));
    Ok(groups)
}

/// Asks the query of every family about the dataset.
fn families(mint: &Mint, sides: &Sides<'_>) -> Result<Families> {
    let index = group_facts::index(mint, sides);
    let asked = Family::all().iter().map(|family| Ok((family.name.as_str(), groups(&index, family, sides)?)));
    asked.collect()
}

fn groups(index: &Index, family: &Family, sides: &Sides<'_>) -> Result<BTreeMap<String, Vec<usize>>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    index.select(family.query, |row| {
        let [Some(question), Some(Term::NamedNode(group))] = &row[..] else { return Ok(()) };
        let group = group.as_str().trim_start_matches(code::NAMESPACE);
        let position = index.number(question).map(|number| number as usize);
        if let Some(position) = position.filter(|&position| position < sides.gold.questions.len()) {
            match groups.get_mut(group) {
                Some(members) => members.push(position),
                None => drop(groups.insert(group.to_owned(), vec![position])),
            }
        }
        Ok(())
    })?;
    for members in groups.values_mut() {
        members.sort_unstable();
        members.dedup();
    }
    Ok(groups)
}
