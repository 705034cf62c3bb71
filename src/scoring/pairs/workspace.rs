//! The working dataset of the match queries for one block of questions: questions and answers stay, the items of each
//! experiment type come and go.

use std::collections::HashMap;

use oxigraph::model::Term;
use rustc_hash::FxBuildHasher;

use crate::base::vocab::{code, qassay};
use crate::profiles::rules::Reading;
use crate::scoring::block::Block;
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::skip::Party;
use crate::sparql::index::Index;

/// The dataset that the match queries read, in named graphs after the roles. Questions, answers and what lists hold
/// several times are nodes without names: nobody reads them but the queries.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) index: Index,
    questions: Vec<u32>,
    gold: Vec<Option<u32>>,
    system: Vec<Option<u32>>,
    /// What items stand for, where they are no terms themselves.
    meant: HashMap<u32, Term, FxBuildHasher>,
}

/// The graph that states the answers of a side.
fn graph(role: Party) -> String {
    code::iri(match role {
        Party::Gold => "role-gold",
        Party::System => "role-answers",
    })
}

impl Workspace {
    /// States which answer is for which question. The first nodes are those of the questions.
    pub fn new(block: &Block<'_>) -> Self {
        let mut index = Index::new();
        let questions: Vec<u32> = (0..block.len()).map(|_| index.node()).collect();
        let table = index.table(&graph(Party::Gold), qassay::FOR_QUESTION);
        let answer = |index: &mut Index, table: usize, question: u32| {
            let node = index.node();
            index.add(table, node, question);
            node
        };
        let gold = questions.iter().map(|question| Some(answer(&mut index, table, *question))).collect();
        let table = index.table(&graph(Party::System), qassay::FOR_QUESTION);
        // What one answer says about many questions is an answer to each of them here.
        let system = block
            .iter()
            .zip(&questions)
            .map(|(case, question)| case.system.map(|_| answer(&mut index, table, *question)));
        let system = system.collect();
        Self { index, questions, gold, system, meant: HashMap::default() }
    }

    /// The node of each answer of a side, question by question; none where there is no answer.
    pub(crate) fn answers(&self, role: Party) -> &[Option<u32>] {
        match role {
            Party::Gold => &self.gold,
            Party::System => &self.system,
        }
    }

    /// The table of the items of a side.
    pub(crate) fn item_table(&mut self, role: Party, reading: Reading) -> usize {
        let property = match reading {
            Reading::Values | Reading::Relevance => qassay::ANSWER_TEXT,
            Reading::Rows | Reading::SpinachRows | Reading::GraspRows => qassay::ANSWER_ROW,
            _ => qassay::ANSWER_TERM,
        };
        self.index.table(&graph(role), property)
    }

    /// A node for something of a list, which may hold it several times, and what it stands for.
    pub(crate) fn item(&mut self, meant: Term) -> u32 {
        let node = self.index.node();
        self.meant.insert(node, meant);
        node
    }

    /// What an item stands for.
    pub(crate) fn term(&self, item: u32) -> &Term {
        self.meant.get(&item).unwrap_or_else(|| self.index.term(item))
    }

    /// An answer to a question that has none on this side: of others, which assessments know.
    fn stand_in(&mut self, role: Party, question: usize) -> u32 {
        let table = self.index.table(&graph(role), qassay::FOR_QUESTION);
        let node = self.index.node();
        self.index.add(table, node, self.questions[question]);
        node
    }

    /// The node of each question.
    pub(crate) fn questions(&self) -> &[u32] {
        &self.questions
    }

    /// The table of what is assessed as correct.
    pub(crate) fn assessed_table(&mut self) -> usize {
        self.index.table(&code::iri("role-assessments"), qassay::ASSESSED_CORRECT)
    }

    /// States the items of one side.
    pub(crate) fn state(&mut self, role: Party, reading: Reading, items: Vec<Vec<Term>>) -> SideItems {
        let table = self.item_table(role, reading);
        let answers = self.answers(role).to_vec();
        let mut side = SideItems { answers, items: Vec::with_capacity(items.len()) };
        for (question, items) in items.into_iter().enumerate() {
            if side.answers[question].is_none() && !items.is_empty() {
                side.answers[question] = Some(self.stand_in(role, question));
            }
            let answer = side.answers[question];
            let numbers: Vec<u32> = items.into_iter().map(|item| self.index.intern(item)).collect();
            if let Some(answer) = answer {
                for &item in &numbers {
                    self.index.add(table, answer, item);
                }
            }
            side.items.push(numbers);
        }
        side
    }

    /// Forgets the items of an experiment type.
    pub(crate) fn clear(&mut self) {
        self.index.forget_all_but(qassay::FOR_QUESTION);
    }

    /// What is left when all is matched: what the items of these matches stand for. They are numbered anew by it.
    pub(crate) fn into_terms<'m>(self, matches: impl Iterator<Item = &'m mut QuestionMatch>) -> Vec<Term> {
        let Self { index, mut meant, .. } = self;
        let mut own: Vec<Option<Term>> = index.into_terms().map(Some).collect();
        let mut places: HashMap<u32, u32, FxBuildHasher> = HashMap::default();
        let mut kept = Vec::new();
        for number in matches.flat_map(QuestionMatch::numbers) {
            let place = places.entry(*number).or_insert_with(|| {
                let place = u32::try_from(kept.len()).expect("no more terms than before");
                kept.extend(meant.remove(number).or_else(|| own.get_mut(*number as usize)?.take()));
                place
            });
            *number = *place;
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use oxigraph::model::Literal;

    use super::*;
    use crate::scoring::items::given::GivenAnswer;

    #[test]
    fn what_matches_name_is_left_and_numbered_anew() {
        let mut index = Index::new();
        let [a, b, c] = ["a", "b", "c"].map(|text| index.intern(Literal::new_simple_literal(text)));
        let meant = HashMap::default();
        let (questions, gold, system) = (Vec::new(), Vec::new(), Vec::new());
        let mut workspace = Workspace { index, questions, gold, system, meant };
        let node = workspace.item(Literal::new_simple_literal("meant").into());
        let given =
            vec![GivenAnswer { item: Some(node), score: None }, GivenAnswer { item: None, score: None }];
        let mut matches = [
            QuestionMatch { gold: vec![c], system: vec![c, b], ..QuestionMatch::default() },
            QuestionMatch { system: vec![c], given, ..QuestionMatch::default() },
        ];
        assert_eq!(workspace.term(node).to_string(), "\"meant\"");
        let terms: Vec<String> =
            workspace.into_terms(matches.iter_mut()).iter().map(Term::to_string).collect();
        assert_eq!((a, terms.as_slice()), (0, ["\"c\"", "\"b\"", "\"meant\""].map(str::to_owned).as_slice()));
        let [first, second] = matches;
        assert_eq!((first.gold, first.system, second.system), (vec![0], vec![0, 1], vec![0]));
        assert_eq!(second.given.iter().map(|given| given.item).collect::<Vec<_>>(), [Some(2), None]);
    }
}
