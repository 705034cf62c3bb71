//! The working dataset of the match queries: questions and answers stay, the items of each experiment type come and go.

use oxigraph::model::Term;

use crate::base::iri;
use crate::base::vocab::{code, qassay};
use crate::profiles::rules::Reading;
use crate::scoring::cases::{Case, Cases};
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::skip::Party;
use crate::sparql::index::Index;

/// The dataset that the match queries read, in named graphs after the roles.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) index: Index,
    gold: Vec<Option<u32>>,
    system: Vec<Option<u32>>,
}

/// The graph that states the answers of a side.
fn graph(role: Party) -> String {
    code::iri(match role {
        Party::Gold => "role-gold",
        Party::System => "role-answers",
    })
}

impl Workspace {
    /// States which answer is for which question. The number of a question's term is its position.
    pub fn new(cases: &Cases) -> Self {
        let mut index = Index::new();
        let of = |case: Case<'_>| iri::question(&cases.dataset.iri, &case.gold.question.key);
        let iris: Vec<String> = cases.iter().map(of).collect();
        for iri in &iris {
            index.intern_iri(iri.clone());
        }
        let mut gold = Vec::with_capacity(iris.len());
        let table = index.table(&graph(Party::Gold), qassay::FOR_QUESTION);
        for (iri, number) in iris.iter().zip(0u32..) {
            let node = index.intern_iri(iri::curated_gold(iri));
            index.add(table, node, number);
            gold.push(Some(node));
        }
        let mut system = Vec::with_capacity(iris.len());
        let table = index.table(&graph(Party::System), qassay::FOR_QUESTION);
        for (case, number) in cases.iter().zip(0u32..) {
            // What one answer says about many questions is an answer to each of them here.
            let node = case.system.map(|answer| {
                let node = index.intern_iri(iri::system_answer(&cases.submission.iri, &answer.question.key));
                index.add(table, node, number);
                node
            });
            system.push(node);
        }
        Self { index, gold, system }
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

    /// An answer to a question that has none on this side: of others, which assessments know.
    fn stand_in(&mut self, role: Party, question: usize) -> Option<u32> {
        let number = u32::try_from(question).ok()?;
        let table = self.index.table(&graph(role), qassay::FOR_QUESTION);
        let node = self.index.intern_iri(format!("{}/{question}", graph(role)));
        self.index.add(table, node, number);
        Some(node)
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
                side.answers[question] = self.stand_in(role, question);
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

    /// What is left when all is matched: the terms.
    pub fn into_terms(mut self) -> Index {
        self.index.forget_quads();
        self.index
    }
}
