//! The pairs that the match queries find, by question and by the positions of their items.

use crate::base::error::{Error, Result};
use crate::kb::remote::RemoteStore;
use crate::profiles::rules::{ExperimentRules, Step};
use crate::scoring::block::Block;
use crate::scoring::pairs::pairing::Match;
use crate::scoring::pairs::remote::RemoteIndex;
use crate::sparql::index::Index;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::numbered::each_row_of_numbers;

/// The answers of one side, question by question.
#[derive(Debug)]
pub(crate) struct SideItems {
    /// The IRI of each answer: its number in the index; none where there is no answer.
    pub(crate) answers: Vec<Option<u32>>,
    /// The items of each answer: numbers of terms in the index.
    pub(crate) items: Vec<Vec<u32>>,
}

/// The most pairs of one question. Real answers have about as many as they have items; only thousands of items that
/// are all equal to each other have more, and pairing them would take hours and all memory.
const MOST_CANDIDATES: usize = 5_000_000;

fn too_many(question: &str, step: &Step) -> Error {
    let rule = step.rule.trim_start_matches("match-");
    Error::input(format!("more than {MOST_CANDIDATES} pairs of items match by the rule {rule}"))
        .at(format!("question <{question}>"))
        .hint("thousands of items that all mean the same: is a cluster of links too large, or an answer repeated?")
}

/// The steps of an experiment type with their queries, which are parsed once for all blocks.
pub(crate) fn queries(rules: &ExperimentRules) -> Result<Vec<(Step, NamedQuery)>> {
    rules.steps.iter().map(|step| Ok((step.clone(), NamedQuery::of(step.query)?))).collect()
}

/// Runs the match queries of an experiment type over a block, on a server if there is one. A pair that several steps find is a match of the first.
pub(crate) fn candidates(
    (index, remote): (&Index, Option<&RemoteStore>),
    steps: &[(Step, NamedQuery)],
    [gold, system]: [&SideItems; 2],
    block: &Block<'_>,
) -> Result<Vec<Vec<Match>>> {
    let mut candidates: Vec<Vec<Match>> = vec![Vec::new(); gold.items.len()];
    let positions = Positions::of(gold, system);
    let there = remote.map(|remote| RemoteIndex::send(remote, index)).transpose()?;
    for ((step, query), number) in steps.iter().zip(0u8..) {
        let each = |row: &[Option<u32>]| {
            let [Some(question), Some(gold_item), Some(system_item), ..] = *row else { return Ok(()) };
            // The first nodes are those of the questions.
            let Some(question) = Index::place_of_node(question) else { return Ok(()) };
            if let Some((gold, system)) = positions.find(question, gold_item, system_item) {
                let of_question = &mut candidates[question];
                of_question.push(Match { step: number, gold, system });
                if of_question.len() > MOST_CANDIDATES {
                    let question = block.position(question);
                    return Err(too_many(&block.cases.question_node(question), step));
                }
            }
            Ok(())
        };
        match &there {
            Some(there) => there.each_row_of_numbers(query, each)?,
            None => each_row_of_numbers(index, query, each)?,
        }
    }
    there.map_or(Ok(()), |there| there.check())?;
    for of_question in &mut candidates {
        of_question.sort_unstable_by_key(|c| (c.gold, c.system, c.step));
        of_question.dedup_by_key(|c| (c.gold, c.system));
    }
    Ok(candidates)
}

/// Where a term stands among the items of a question: items sorted by number, with their positions.
struct Positions {
    gold: Vec<Vec<(u32, u32)>>,
    system: Vec<Vec<(u32, u32)>>,
}

impl Positions {
    fn of(gold: &SideItems, system: &SideItems) -> Self {
        let sorted = |items: &Vec<u32>| {
            let mut sorted: Vec<(u32, u32)> = items.iter().copied().zip(0..).collect();
            sorted.sort_unstable();
            sorted
        };
        Self {
            gold: gold.items.iter().map(sorted).collect(),
            system: system.items.iter().map(sorted).collect(),
        }
    }

    fn find(&self, question: usize, gold_item: u32, system_item: u32) -> Option<(u32, u32)> {
        let position = |items: &[(u32, u32)], item: u32| {
            items.binary_search_by_key(&item, |(number, _)| *number).ok().map(|at| items[at].1)
        };
        Some((position(self.gold.get(question)?, gold_item)?, position(&self.system[question], system_item)?))
    }
}
