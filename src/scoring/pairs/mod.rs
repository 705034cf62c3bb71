//! Runs the match queries of one experiment type over the answers of a dataset and of a submission.

pub mod assess;
pub mod candidates;
pub mod judged;
pub mod keys;
pub mod label_keys;
pub mod pairing;
pub mod patterns;
pub mod ranked;
pub mod workspace;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use oxigraph::model::Term;

use crate::scoring::gerbil::run;
use crate::scoring::items::given;
use crate::scoring::items::given::Given;
use crate::scoring::pairs::assess::Pool;
use crate::scoring::pairs::candidates::candidates;

use crate::scoring::knowledge::Knowledge;

use crate::base::error::Result;
use crate::base::rdf::index::Index;
use crate::measures::judged::Verdict;
use crate::measures::result::ItemPart;
use crate::measures::sets::Counts;
use crate::profiles::Profile;
use crate::profiles::rules::{ExperimentRules, Reading};
use crate::references::labels::Naming;
use crate::references::languages::Languages;
use crate::scoring::items::sides::{Offers, Sides, offers};
use crate::scoring::pairs::pairing::{Candidate, Pair, pair, pair_in_order};
use crate::scoring::pairs::workspace::{Role, Workspace};
use crate::scoring::skip::Skip;
use crate::sources::document::{AnswerState, Question};

/// The matches of one question.
#[derive(Debug, Clone, Default)]
pub struct QuestionMatch {
    /// How many items there are and how many pairs count.
    pub counts: Counts,
    /// The gold items: numbers of terms in the index.
    pub gold: Vec<u32>,
    /// The system's items.
    pub system: Vec<u32>,
    /// The answers one by one, best first, where they are judged so.
    pub given: Vec<Given>,
    /// What people say about NIL; none: it is right where there is no gold item.
    pub nil: Option<Verdict>,
    /// The positions of the system's items that match a gold item which is another's partner.
    pub echoes: Vec<u32>,
    /// The pairs that count, by position of the gold item.
    pub pairs: Vec<Pair>,
    /// The counts of the parts of the items that have measures of their own.
    pub parts: BTreeMap<ItemPart, Counts>,
    /// Why it is not scored, if it is not.
    pub skip: Option<Skip>,
}

/// What [`run`] finds.
#[derive(Debug)]
pub struct Matched {
    /// What items stand for, where they are no terms themselves.
    pub(crate) meant: BTreeMap<u32, Term>,
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
    pub(crate) meant: BTreeMap<u32, Term>,
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
        return run::run(profile, rules, sides, knowledge, workspace);
    }
    let Offers { mut gold, mut system, skips } = match offers(profile, rules, sides, knowledge) {
        Ok(offers) => offers,
        Err(skip) => return Ok(Err(skip)),
    };
    let pools = pools(rules, sides, knowledge, &mut gold, &mut system);
    let gold = workspace.state(Role::Gold, rules.reading, gold);
    let system = workspace.state(Role::System, rules.reading, system);
    assess::state(workspace, &pools, &system.items);
    let index = &mut workspace.index;
    match rules.reading {
        Reading::Terms | Reading::Resources | Reading::Properties | Reading::ItemTypes => {
            keys::add(index, profile, &gold, &system, knowledge.links);
        }
        Reading::Patterns => {
            crate::scoring::pairs::patterns::add_keys(index, profile, sides, knowledge.links)
        }
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
    for (position, (((mut candidates, mut gold), mut system), skip)) in
        candidates.into_iter().zip(gold.items).zip(system.items).zip(skips).enumerate()
    {
        let answer = sides.system_answer(position).map(|answer| answer.question);
        let judging = rules.judging.as_ref().zip(answer);
        let given = judging.map_or_else(Vec::new, |(judging, answer)| {
            given::given(index, profile, (judging, rules.reading), answer, &system)
        });
        let pool = pools.get(position);
        let (pairs, echoes) = match (pool, &rules.judging) {
            (Some(pool), _) => {
                let ranks = ranks(&system, &given);
                let decided = pool.decide(rules, &candidates, &ranks, &mut gold, &mut system);
                (decided.pairs, decided.echoes)
            }
            (None, Some(_)) => {
                let pairs = pair_in_order(&candidates, &ranks(&system, &given));
                let echoes = echoes(&candidates, &pairs);
                (pairs, echoes)
            }
            (None, None) => (pair(&mut candidates), Vec::new()),
        };
        let nil = pool.and_then(|pool| pool.nil);
        let count = |items: &[u32]| items.len() as u64;
        let mut counts = Counts { gold: count(&gold), system: count(&system), matched: pairs.len() as u64 };
        counts.system += u64::from(says_wrongly_nothing(answer, &given, nil, &gold));
        let parts = hierarchical(index, rules, knowledge, &gold, &system);
        questions.push(QuestionMatch { counts, gold, system, given, nil, echoes, pairs, parts, skip });
    }
    workspace.clear();
    Ok(Ok(Matched { meant: BTreeMap::new(), questions }))
}

/// Whether a system says by a word that there is no answer, and that is not correct: an answer too many.
fn says_wrongly_nothing(
    answer: Option<&Question>,
    given: &[Given],
    nil: Option<Verdict>,
    gold: &[u32],
) -> bool {
    let says = answer.is_some_and(|answer| answer.answers.state == AnswerState::Given)
        && given.iter().any(|given| given.item.is_none());
    let is_right = nil.map_or(gold.is_empty(), |nil| nil == Verdict::Correct);
    says && !is_right
}

/// The assessments of each question, which add known answers to both sides; none without assessments.
fn pools(
    rules: &ExperimentRules,
    sides: &Sides<'_>,
    knowledge: &Knowledge<'_>,
    gold: &mut [Vec<Term>],
    system: &mut [Vec<Term>],
) -> Vec<Pool> {
    let assessments = knowledge.assessments.filter(|_| rules.reads_assessments());
    let Some((assessments, judging)) = assessments.zip(rules.judging.as_ref()) else { return Vec::new() };
    let both = gold.iter_mut().zip(system);
    let questions = sides.gold.questions.iter().zip(both);
    questions
        .map(|(question, (gold, system))| assess::pool(assessments, judging, question, gold, system))
        .collect()
}

/// The rank of each item of the system: that of the first answer that gives it.
fn ranks(items: &[u32], given: &[Given]) -> Vec<u32> {
    let mut ranks: HashMap<u32, u32> = HashMap::with_capacity(items.len());
    for (given, rank) in given.iter().zip(0..) {
        given.item.map(|item| ranks.entry(item).or_insert(rank));
    }
    items.iter().map(|item| ranks.get(item).copied().unwrap_or(u32::MAX)).collect()
}

/// The system's items that match something and have no partner.
fn echoes(candidates: &[Candidate], pairs: &[Pair]) -> Vec<u32> {
    let paired: HashSet<u32> = pairs.iter().map(|pair| pair.system).collect();
    let others = candidates.iter().map(|candidate| candidate.system);
    let echoes: BTreeSet<u32> = others.filter(|system| !paired.contains(system)).collect();
    echoes.into_iter().collect()
}

/// The counts over the hierarchy of classes, where it is known and the items are classes.
fn hierarchical(
    index: &Index,
    rules: &ExperimentRules,
    knowledge: &Knowledge<'_>,
    gold: &[u32],
    system: &[u32],
) -> BTreeMap<ItemPart, Counts> {
    let classes = knowledge.classes.filter(|_| rules.reading == Reading::ItemTypes);
    let iri = |number: &u32| match index.term(*number) {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    };
    let (gold, system) = (gold.iter().filter_map(iri), system.iter().filter_map(iri));
    classes.map(|classes| (ItemPart::Hierarchical, classes.counts(gold, system))).into_iter().collect()
}
