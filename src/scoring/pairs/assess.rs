//! Assessments in place of matching: which answers are correct because people say so, and which answers are known.
//!
//! An answer assessed as correct is known, whoever gave it. It is the gold answer that it matches, one to one; else it
//! is taken for another way to say a gold answer which none of them matches, while there is one (people know that
//! "Beethoven" is "Ludwig van Beethoven"); else it is one more. So as many answers are known as the gold standard has, or
//! as are assessed as correct if these are more: the same for all runs, and no run has more correct answers than that.

use std::collections::{HashMap, HashSet};

use oxigraph::model::{Literal, Term};

use crate::measures::judged::Verdict;
use crate::profiles::rules::{ASSESSED, ExperimentRules, Judging};
use crate::references::assessments::{Assessed, Assessments};
use crate::scoring::pairs::pairing::{Match, Pair, pair, pair_in_order};
use crate::scoring::pairs::workspace::Workspace;
use crate::sources::document::{AnswerState, Question};
use crate::sources::input::term;

/// The assessments of one question, with what they add to both sides.
pub(crate) struct AnswerPool {
    /// The number of gold items that the dataset has; behind them stand answers assessed as correct.
    gold: usize,
    /// The number of items that the system gave; behind them stand those assessed as correct that it did not give.
    system: usize,
    /// For each item of the system the verdict and the number of its text; none where nobody assessed it.
    verdicts: Vec<Option<(Verdict, usize)>>,
    /// What is said about NIL; none: as without assessments.
    pub(crate) nil: Option<Verdict>,
}

/// What became of the items of a question.
pub(crate) struct Decided {
    pub(crate) pairs: Vec<Pair>,
    pub(crate) echoes: Vec<u32>,
}

/// Adds the answers assessed as correct to the items of a question: each is known, and may be a gold answer.
pub(crate) fn pool(
    assessments: &Assessments,
    judging: &Judging,
    question: &Question,
    gold: &mut Vec<Term>,
    system: &mut Vec<Term>,
) -> AnswerPool {
    let assessed = assessments.of(&question.key);
    let (of_gold, of_system) = (gold.len(), system.len());
    let is_text = |item: &Term, text: &str| term::text(item).trim() == text;
    let correct =
        |assessed: &&Assessed| assessed.verdict == Verdict::Correct && !judging.is_nil(&assessed.answer);
    for Assessed { answer, .. } in assessed.iter().filter(correct) {
        let known = system.iter().chain(gold.iter()).find(|item| is_text(item, answer)).cloned();
        let item = known.unwrap_or_else(|| Literal::new_simple_literal(answer).into());
        for side in [&mut *gold, &mut *system] {
            if !side.contains(&item) {
                side.push(item.clone());
            }
        }
    }
    let verdict = |item: &Term| {
        let at = assessed.iter().position(|assessed| is_text(item, &assessed.answer))?;
        Some((assessed[at].verdict, at))
    };
    let nil = assessed.iter().find(|assessed| judging.is_nil(&assessed.answer)).map(|nil| nil.verdict);
    // A file without a place for answers does not say that there is none.
    let says_nothing = gold.is_empty() && question.answers.state == AnswerState::Absent;
    AnswerPool {
        gold: of_gold,
        system: of_system,
        verdicts: system.iter().map(verdict).collect(),
        nil: nil.or(says_nothing.then_some(Verdict::Incorrect)),
    }
}

/// States which items are assessed as correct, for the match query.
pub(crate) fn state(workspace: &mut Workspace, pools: &[AnswerPool], system: &[Vec<u32>]) {
    let table = workspace.assessed_table();
    let questions = workspace.questions().to_vec();
    for ((pool, items), question) in pools.iter().zip(system).zip(questions) {
        for (item, verdict) in items.iter().zip(&pool.verdicts) {
            if matches!(verdict, Some((Verdict::Correct, _))) {
                workspace.index.add(table, question, *item);
            }
        }
    }
}

impl AnswerPool {
    /// Pairs the items of a question as the assessments say, and all that nobody assessed by the other rules. Takes what
    /// the system did not give off its items, and off the known answers those that are gold answers. `ranks` has the
    /// rank of each item that the system gave.
    pub(crate) fn decide(
        &self,
        rules: &ExperimentRules,
        candidates: &[Match],
        ranks: &[u32],
        gold: &mut Vec<u32>,
        system: &mut Vec<u32>,
    ) -> Decided {
        let homes = self.homes(candidates, gold, system);
        let step = rules.steps.iter().zip(0u8..).find(|(step, _)| step.rule == ASSESSED);
        let step = step.map_or(0, |(_, step)| step);
        let mut in_order: Vec<u32> = (0..).take(self.system).collect();
        in_order.sort_by_key(|item| (ranks[*item as usize], *item));
        let (mut pairs, mut echoes, mut said) = (Vec::new(), Vec::new(), HashSet::new());
        for item in in_order {
            match self.verdicts[item as usize] {
                Some((Verdict::Correct, text)) if said.insert(text) => {
                    pairs.extend(homes.get(&text).map(|home| Pair { step, gold: *home, system: item }));
                }
                Some((Verdict::Correct | Verdict::Repeated, _)) => echoes.push(item),
                Some((Verdict::Incorrect | Verdict::Inexact, _)) | None => {}
            }
        }
        let taken: HashSet<u32> = pairs.iter().map(|pair| pair.gold).collect();
        // What matches an answer that is a gold answer matches this gold answer.
        let home = |known: u32| {
            let text = system.iter().position(|item| *item == gold[known as usize]);
            let text = text.filter(|_| known as usize >= self.gold).and_then(|at| self.verdicts[at]);
            text.and_then(|(_, text)| homes.get(&text).copied()).unwrap_or(known)
        };
        let open =
            |c: &&Match| (c.system as usize) < self.system && self.verdicts[c.system as usize].is_none();
        let open: Vec<Match> =
            candidates.iter().filter(open).map(|c| Match { gold: home(c.gold), ..*c }).collect();
        let free: Vec<Match> = open.iter().copied().filter(|c| !taken.contains(&c.gold)).collect();
        pairs.extend(pair_in_order(&free, ranks));
        let paired: HashSet<u32> = pairs.iter().map(|pair| pair.system).collect();
        echoes.extend(open.iter().map(|c| c.system).filter(|system| !paired.contains(system)));
        echoes.sort_unstable();
        echoes.dedup();
        self.keep_known(&homes, &mut pairs, gold);
        system.truncate(self.system);
        Decided { pairs, echoes }
    }

    /// Where each text assessed as correct is known: the position of the gold answer that it is, else its own.
    fn homes(&self, candidates: &[Match], gold: &[u32], system: &[u32]) -> HashMap<usize, u32> {
        let mut first: HashMap<usize, u32> = HashMap::new();
        for (verdict, item) in self.verdicts.iter().zip(0u32..) {
            if let Some((Verdict::Correct, text)) = verdict {
                first.entry(*text).or_insert(item);
            }
        }
        let is_first =
            |item: u32| self.verdicts[item as usize].is_some_and(|(_, text)| first.get(&text) == Some(&item));
        let of_gold = |c: &&Match| (c.gold as usize) < self.gold && is_first(c.system);
        let mut of_gold: Vec<Match> = candidates.iter().filter(of_gold).copied().collect();
        let matched: HashMap<u32, u32> = pair(&mut of_gold).into_iter().map(|p| (p.system, p.gold)).collect();
        let mut homes: HashMap<usize, u32> =
            first.iter().filter_map(|(text, item)| Some((*text, *matched.get(item)?))).collect();
        let mut others: Vec<(u32, usize)> = first
            .into_iter()
            .filter(|(text, _)| !homes.contains_key(text))
            .map(|(text, at)| (at, text))
            .collect();
        // What this system gave stands first.
        others.sort_unstable();
        let mut free = self.free(candidates, &homes).into_iter();
        let own = |item: u32| gold.iter().zip(0u32..).find(|(known, _)| **known == system[item as usize]);
        for (item, text) in others {
            let home = free.next().or_else(|| own(item).map(|(_, at)| at));
            homes.extend(home.map(|home| (text, home)));
        }
        homes
    }

    /// The gold answers that no answer assessed as correct matches, those first that nothing which this system gave
    /// and nobody assessed matches.
    fn free(&self, candidates: &[Match], homes: &HashMap<usize, u32>) -> Vec<u32> {
        let taken: HashSet<u32> = homes.values().copied().collect();
        let is_open =
            |c: &&Match| (c.system as usize) < self.system && self.verdicts[c.system as usize].is_none();
        let wanted: HashSet<u32> = candidates.iter().filter(is_open).map(|c| c.gold).collect();
        let mut free: Vec<u32> = (0u32..).take(self.gold).filter(|gold| !taken.contains(gold)).collect();
        free.sort_by_key(|gold| wanted.contains(gold));
        free
    }

    /// Leaves the gold answers and those that are known beyond them.
    fn keep_known(&self, homes: &HashMap<usize, u32>, pairs: &mut [Pair], gold: &mut Vec<u32>) {
        let known: HashSet<u32> = homes.values().copied().collect();
        let kept: Vec<u32> =
            (0u32..).take(gold.len()).filter(|at| (*at as usize) < self.gold || known.contains(at)).collect();
        let place: HashMap<u32, u32> = kept.iter().copied().zip(0..).collect();
        for pair in pairs.iter_mut() {
            pair.gold = place.get(&pair.gold).copied().unwrap_or(pair.gold);
        }
        pairs.sort_unstable_by_key(|pair| (pair.gold, pair.system));
        *gold = kept.into_iter().map(|at| gold[at as usize]).collect();
    }
}
