//! Wildcards of GERBIL by the thousand: entities outside the known knowledge bases all match each other (statement
//! 3.5.2), so that n gold items and m items of the system make n · m pairs. Where these are too many to list, as few
//! are made as give the same counts.

use std::collections::BTreeSet;

use crate::profiles::era::Era;
use crate::profiles::rules::ExperimentRules;
use crate::scoring::gerbil::items::{Item, Kind};
use crate::scoring::gerbil::offers::GerbilItem;
use crate::scoring::pairs::pairing::Match;

/// The most pairs of wildcards in a question that the query lists.
const MOST_LISTED: usize = 100_000;

/// Whether the wildcards of a question are too many for the query.
pub(crate) fn are_many(rules: &ExperimentRules, gold: &[GerbilItem], system: &[GerbilItem]) -> bool {
    // In the other eras entities match by their URIs, wherever they are.
    if step(rules).is_none() {
        return false;
    }
    let count = |items: &[GerbilItem]| items.iter().filter(|item| is_wildcard(item)).count();
    count(gold).saturating_mul(count(system)) > MOST_LISTED
}

/// The step that makes wildcards match.
fn step(rules: &ExperimentRules) -> Option<u8> {
    let found = rules.steps.iter().position(|step| step.rule == "match-gerbil-emerging");
    found.and_then(|step| u8::try_from(step).ok())
}

/// An entity of an answer that is in no known knowledge base.
pub(crate) fn is_wildcard(item: &GerbilItem) -> bool {
    matches!(
        item,
        GerbilItem::Answer(Item { kind: Kind::Annotation | Kind::Forced { .. }, known: false, .. })
    )
}

/// Pairs of wildcards that give the counts that all pairs would give. Every wildcard fits every other, so the n-th may
/// take the n-th; where items are used again (era B), the first serves all.
pub(crate) fn few_pairs(
    rules: &ExperimentRules,
    era: Era,
    (gold, system): (&[GerbilItem], &[GerbilItem]),
    listed: &[Match],
) -> Vec<Match> {
    let Some(step) = step(rules) else { return Vec::new() };
    let is_text = |items: &[GerbilItem], at: u32| {
        matches!(items.get(at as usize), Some(GerbilItem::Answer(Item { kind: Kind::Text, .. })))
    };
    let texts: Vec<&Match> = listed.iter().filter(|pair| is_text(gold, pair.gold)).collect();
    let gold = counted(gold, &texts.iter().map(|pair| pair.gold as usize).collect());
    let system = counted(system, &texts.iter().map(|pair| pair.system as usize).collect());
    let pair = |gold: u32, system: u32| Match { step, gold, system };
    match system.first() {
        Some(&first) if era == Era::B => gold.into_iter().map(|gold| pair(gold, first)).collect(),
        _ => gold.into_iter().zip(system).map(|(gold, system)| pair(gold, system)).collect(),
    }
}

/// The positions of the wildcards that are counted: not what a string could have been that has a partner.
fn counted(items: &[GerbilItem], paired: &BTreeSet<usize>) -> Vec<u32> {
    let is_counted = |item: &GerbilItem| match item {
        GerbilItem::Answer(Item { kind: Kind::Forced { from }, .. }) => !paired.contains(from),
        _ => true,
    };
    let wildcards = items.iter().zip(0..).filter(|(item, _)| is_wildcard(item) && is_counted(item));
    wildcards.map(|(_, at)| at).collect()
}
