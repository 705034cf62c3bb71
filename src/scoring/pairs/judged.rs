//! The verdict on each answer: correct, repeated or incorrect; or which of the items are right, best first.

use std::collections::{BTreeSet, HashMap, HashSet};

use rustc_hash::FxBuildHasher;

use crate::measures::judged::{Judged, Judgement, Verdict};
use crate::profiles::rules::{Judging, Reading};
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::workspace::Workspace;
use crate::sources::document::{Candidate, Question};
use crate::sources::input::term;

impl QuestionMatch {
    /// The answers to a question with a verdict each. `gold` is the question of the dataset.
    pub fn judged(
        &self,
        terms: &Workspace,
        (judging, reading): (&Judging, Reading),
        gold: &Question,
    ) -> Judged {
        let grades = grades(terms, reading, gold, self);
        let mut right: HashMap<u32, u64, FxBuildHasher> = HashMap::default();
        for pair in &self.pairs {
            right.insert(self.system[pair.system as usize], grades[pair.gold as usize]);
        }
        let echoes: HashSet<u32, FxBuildHasher> =
            self.echoes.iter().map(|at| self.system[*at as usize]).collect();
        // To say that there is no answer is the one right answer to a question without any.
        let by_gold = if self.gold.is_empty() { Verdict::Correct } else { Verdict::Incorrect };
        let nil = self.nil.unwrap_or(by_gold);
        let nil_is_right = judging.nil.is_some() && nil == Verdict::Correct;
        let mut known = grades;
        known.extend(nil_is_right.then_some(1));
        known.sort_unstable_by(|a, b| b.cmp(a));
        let rejected = rejected(gold);
        let is_rejected =
            |item: u32| reading == Reading::Candidates || rejected.contains(&*term::text(terms.term(item)));
        let mut seen = HashSet::with_capacity_and_hasher(self.given.len(), FxBuildHasher);
        let answers = self.given.iter().map(|given| {
            let grade = match given.item {
                Some(item) => right.get(&item).copied(),
                None => nil_is_right.then_some(1),
            };
            let is_echo = match given.item {
                Some(item) => echoes.contains(&item),
                None => nil == Verdict::Repeated,
            };
            let is_first = seen.insert(given.item);
            let (verdict, gain) = match grade {
                Some(grade) if is_first => (Verdict::Correct, grade),
                Some(_) => (Verdict::Repeated, 0),
                None if is_echo => (Verdict::Repeated, 0),
                None => (Verdict::Incorrect, 0),
            };
            let may_be_rejected = is_first && verdict == Verdict::Incorrect;
            let rejected = may_be_rejected && given.item.is_some_and(is_rejected);
            Judgement { verdict, gain, rejected, score: given.score.clone() }
        });
        Judged::new(answers.collect(), known, rejected.len() as u64)
    }

    /// For each item of the system whether it is right, by the texts in descending order of their bytes.
    ///
    /// No file has an order: result sets are objects. This is what `trec_eval` makes of items with equal scores, which
    /// all items of TEXT2SPARQL have (`form_res_rels.c`: ties are broken by descending document id).
    pub fn ranked(&self, terms: &Workspace) -> Vec<bool> {
        let mut right = vec![false; self.system.len()];
        for pair in &self.pairs {
            right[pair.system as usize] = true;
        }
        let texts = self.system.iter().map(|&item| term::text(terms.term(item)));
        let mut ranked: Vec<_> = texts.zip(right).collect();
        ranked.sort_by(|(a, _), (b, _)| b.as_bytes().cmp(a.as_bytes()));
        ranked.into_iter().map(|(_, right)| right).collect()
    }
}

/// The texts that the gold standard judges and does not call right. A grade below 0 says that nobody judged it, as
/// `trec_eval` has it.
pub fn rejected(gold: &Question) -> BTreeSet<&str> {
    let is_judged = |candidate: &Candidate| {
        candidate.label.as_deref().is_some_and(|label| !label.trim().starts_with('-'))
    };
    let right: BTreeSet<&str> = texts(gold, Candidate::is_right).collect();
    texts(gold, is_judged).filter(|text| !right.contains(text)).collect()
}

/// The texts of some candidates of a question.
fn texts(question: &Question, wanted: impl Fn(&Candidate) -> bool) -> impl Iterator<Item = &str> {
    let wanted = question.candidates.iter().filter(move |candidate| wanted(candidate));
    wanted.filter_map(|candidate| Some(candidate.cells.first()?.value.as_str()))
}

/// The grade of each gold item: what the file says of the candidate that it is, else 1.
fn grades(terms: &Workspace, reading: Reading, gold: &Question, matched: &QuestionMatch) -> Vec<u64> {
    let grade =
        |label: Option<&str>| label.and_then(|label| label.trim().parse::<u64>().ok()).unwrap_or(1).max(1);
    if reading == Reading::Candidates {
        let labels = gold
            .candidates
            .iter()
            .filter(|candidate| candidate.is_right())
            .map(|candidate| grade(candidate.label.as_deref()));
        return labels.collect();
    }
    let mut by_text: HashMap<&str, u64> = HashMap::new();
    for candidate in &gold.candidates {
        if let Some(cell) = candidate.cells.first() {
            let best = by_text.entry(cell.value.as_str()).or_insert(1);
            *best = grade(candidate.label.as_deref()).max(*best);
        }
    }
    let of_item = |item: &u32| by_text.get(&*term::text(terms.term(*item))).copied().unwrap_or(1);
    matched.gold.iter().map(of_item).collect()
}
