//! Runs the match queries of one experiment type over the answers of a dataset and of a submission.

use std::collections::BTreeMap;
use std::sync::Arc;

use oxigraph::model::Term;

use super::candidates::candidates;
use super::gerbil;
use super::keys;
use super::knowledge::Knowledge;
use super::label_keys;
use super::labels::Naming;
use super::languages::Languages;
use super::pairing::{Pair, pair};
use super::sides::{Offers, Sides, offers};
use super::skip::Skip;
use super::workspace::{Role, Workspace};
use crate::error::Result;
use crate::graph::Index;
use crate::measure::Counts;
use crate::profile::{ExperimentRules, Profile, Reading};

/// The matches of one question.
#[derive(Debug, Clone, Default)]
pub struct QuestionMatch {
    /// How many items there are and how many pairs count.
    pub counts: Counts,
    /// The gold items: numbers of terms in the index.
    pub gold: Vec<u32>,
    /// The system's items.
    pub system: Vec<u32>,
    /// The pairs that count, by position of the gold item.
    pub pairs: Vec<Pair>,
    /// The counts of parts of the items, by the name of the part (`inKb`, `ee`).
    pub parts: BTreeMap<&'static str, Counts>,
    /// Why it is not scored, if it is not.
    pub skip: Option<Skip>,
}

/// What [`run`] finds.
#[derive(Debug)]
pub struct Matched {
    /// What items stand for, where they are no terms themselves.
    pub(super) meant: BTreeMap<u32, Term>,
    /// One entry a question, in the order of the dataset.
    pub questions: Vec<QuestionMatch>,
}

impl Matched {
    /// The matches with the terms of the workspace.
    pub fn with_terms(self, terms: Arc<Index>) -> Matching {
        Matching { terms, meant: self.meant, questions: self.questions }
    }
}

/// The matches of all questions, in the order of the dataset.
#[derive(Debug)]
pub struct Matching {
    /// Where the terms are.
    pub terms: Arc<Index>,
    /// What items stand for, where they are no terms themselves.
    pub(super) meant: BTreeMap<u32, Term>,
    /// One entry a question.
    pub questions: Vec<QuestionMatch>,
}

impl Matching {
    /// The term of an item of [`QuestionMatch`].
    pub fn term(&self, number: u32) -> &Term {
        self.meant.get(&number).unwrap_or_else(|| self.terms.term(number))
    }
}

/// Matches the answers of a submission with those of a dataset in one experiment type; or says why it is skipped.
pub fn run(
    profile: &Profile,
    rules: &ExperimentRules,
    sides: &Sides<'_>,
    knowledge: &Knowledge<'_>,
    workspace: &mut Workspace,
) -> Result<std::result::Result<Matched, Skip>> {
    if profile.era.is_some() {
        return gerbil::run(profile, rules, sides, knowledge, workspace);
    }
    let Offers { gold, system, skips } = match offers(profile, rules, sides, knowledge) {
        Ok(offers) => offers,
        Err(skip) => return Ok(Err(skip)),
    };
    let gold = workspace.state(Role::Gold, rules.reading, gold);
    let system = workspace.state(Role::System, rules.reading, system);
    let index = &mut workspace.index;
    match rules.reading {
        Reading::Terms | Reading::Resources | Reading::Properties | Reading::ItemTypes => {
            keys::add(index, profile, &gold, &system, knowledge.links);
        }
        Reading::Patterns => super::patterns::add_keys(index, profile, sides, knowledge.links),
        _ => {}
    }
    if let Some(labels) = knowledge.labels.filter(|_| rules.reads_labels()) {
        let naming = Naming { profile, labels, links: knowledge.links };
        let languages = |question: usize| Languages::of(&sides.gold.questions[question], knowledge.language);
        label_keys::add(index, &naming, &gold, &system, languages);
    }
    index.freeze();
    let candidates = candidates(index, rules, &gold, &system)?;
    let mut questions = Vec::with_capacity(candidates.len());
    for (((mut candidates, gold), system), skip) in
        candidates.into_iter().zip(gold.items).zip(system.items).zip(skips)
    {
        let pairs = pair(&mut candidates);
        let count = |items: &[u32]| items.len() as u64;
        let counts = Counts { gold: count(&gold), system: count(&system), matched: pairs.len() as u64 };
        let parts = hierarchical(index, rules, knowledge, &gold, &system);
        questions.push(QuestionMatch { counts, gold, system, pairs, parts, skip });
    }
    workspace.clear();
    Ok(Ok(Matched { meant: BTreeMap::new(), questions }))
}

/// The counts over the hierarchy of classes, where it is known and the items are classes.
fn hierarchical(
    index: &Index,
    rules: &ExperimentRules,
    knowledge: &Knowledge<'_>,
    gold: &[u32],
    system: &[u32],
) -> BTreeMap<&'static str, Counts> {
    let classes = knowledge.classes.filter(|_| rules.reading == Reading::ItemTypes);
    let iri = |number: &u32| match index.term(*number) {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    };
    let (gold, system) = (gold.iter().filter_map(iri), system.iter().filter_map(iri));
    classes.map(|classes| ("hierarchical", classes.counts(gold, system))).into_iter().collect()
}
