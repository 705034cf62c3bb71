//! Runs the match queries of a profile over the answers of a dataset and of a submission.

use oxigraph::model::Term;

use super::align::Alignment;
use super::items::items;
use super::keys;
use super::links::Links;
use super::pairing::{Candidate, Pair, pair};
use crate::error::{Error, Result};
use crate::graph::vocab::{code, qassay};
use crate::graph::{Index, iri, term};
use crate::measure::Counts;
use crate::profile::{Profile, Reading, Step};
use crate::read::{Document, Question};

/// What is matched: the dataset version and the submission, with the IRIs that their graphs use.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    /// IRI of the dataset version.
    pub dataset: &'a str,
    /// The dataset.
    pub gold: &'a Document,
    /// IRI of the submission.
    pub submission: &'a str,
    /// The answers.
    pub answers: &'a Document,
}

/// The answers of one side, question by question.
#[derive(Debug)]
pub(super) struct Side {
    /// The IRI of each answer: its number in the index; none where there is no answer.
    pub(super) answers: Vec<Option<u32>>,
    /// The items of each answer: numbers of terms in the index.
    pub(super) items: Vec<Vec<u32>>,
}

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
}

/// The matches of all questions, in the order of the dataset.
#[derive(Debug)]
pub struct Matching {
    /// Where the terms are.
    pub index: Index,
    /// One entry a question.
    pub questions: Vec<QuestionMatch>,
}

impl Matching {
    /// The term with a number of [`QuestionMatch`].
    pub fn term(&self, number: u32) -> &Term {
        self.index.term(number)
    }
}

/// Matches the answers of a submission with those of a dataset.
pub fn run(
    profile: &Profile,
    sides: Sides<'_>,
    alignment: &Alignment,
    links: Option<&Links>,
) -> Result<Matching> {
    let mut index = Index::new();
    // The questions come first: the number of a question's term is its position.
    for question in &sides.gold.questions {
        index.intern_iri(iri::question(sides.dataset, &question.key));
    }
    let gold = {
        let answers = sides.gold.questions.iter().map(|question| {
            Some((iri::curated_gold(&iri::question(sides.dataset, &question.key)), question))
        });
        add_side(&mut index, profile, "role-gold", answers)
    };
    let system = {
        let answers = alignment.answers.iter().map(|position| {
            let question = position.map(|position| &sides.answers.questions[position])?;
            Some((iri::system_answer(sides.submission, &question.key), question))
        });
        add_side(&mut index, profile, "role-answers", answers)
    };
    if profile.reading == Reading::Terms {
        keys::add(&mut index, profile, &gold, &system, links);
    }
    index.freeze();
    let candidates = candidates(&index, profile, &gold, &system)?;
    let questions = candidates
        .into_iter()
        .zip(gold.items.into_iter().zip(system.items))
        .map(|(mut candidates, (gold, system))| {
            let pairs = pair(&mut candidates);
            let count = |items: &[u32]| items.len() as u64;
            let counts = Counts { gold: count(&gold), system: count(&system), matched: pairs.len() as u64 };
            QuestionMatch { counts, gold, system, pairs }
        })
        .collect();
    index.forget_quads();
    Ok(Matching { index, questions })
}

/// States the answers of one side in the graph of its role.
fn add_side<'a>(
    index: &mut Index,
    profile: &Profile,
    role: &str,
    answers: impl Iterator<Item = Option<(String, &'a Question)>>,
) -> Side {
    let graph = code::iri(role);
    let for_question = index.table(&graph, qassay::FOR_QUESTION);
    let property = match profile.reading {
        Reading::Terms => qassay::ANSWER_TERM,
        Reading::Values => qassay::ANSWER_TEXT,
        Reading::Rows => qassay::ANSWER_ROW,
    };
    let answer_item = index.table(&graph, property);
    let mut side = Side { answers: Vec::new(), items: Vec::new() };
    for (answer, number) in answers.zip(0u32..) {
        let Some((answer, question)) = answer else {
            side.answers.push(None);
            side.items.push(Vec::new());
            continue;
        };
        let node = index.intern_iri(answer);
        index.add(for_question, node, number);
        let numbers: Vec<u32> = items(question, profile).into_iter().map(|item| index.intern(item)).collect();
        for &item in &numbers {
            index.add(answer_item, node, item);
        }
        side.answers.push(Some(node));
        side.items.push(numbers);
    }
    side
}

/// The most pairs of one question. Real answers have as many as they have items; only thousands of items that are
/// all equal to each other have more, and pairing them would take hours and all memory.
const MOST_CANDIDATES: usize = 5_000_000;

fn too_many(index: &Index, question: u32, step: &Step) -> Error {
    let question = term::text(index.term(question)).into_owned();
    let rule = step.rule.trim_start_matches("match-");
    Error::input(format!("more than {MOST_CANDIDATES} pairs of items match by the rule {rule}"))
        .at(format!("question <{question}>"))
        .hint("thousands of items that all mean the same: is a cluster of links too large, or an answer repeated?")
}

/// The pairs that the queries find, question by question, by the positions of their items.
fn candidates(index: &Index, profile: &Profile, gold: &Side, system: &Side) -> Result<Vec<Vec<Candidate>>> {
    let mut candidates: Vec<Vec<Candidate>> = vec![Vec::new(); gold.items.len()];
    let positions = Positions::of(gold, system);
    for (step, number) in profile.steps.iter().zip(0u8..) {
        index.select(step.query, |row| {
            let mut numbers = row.iter().map(|term| term.as_ref().and_then(|term| index.number(term)));
            let (Some(Some(question)), Some(Some(gold_item)), Some(Some(system_item))) =
                (numbers.next(), numbers.next(), numbers.next())
            else {
                return Ok(());
            };
            let found = positions.find(question as usize, gold_item, system_item);
            if let Some((gold, system)) = found {
                let of_question = &mut candidates[question as usize];
                of_question.push(Candidate { step: number, gold, system });
                if of_question.len() > MOST_CANDIDATES {
                    return Err(too_many(index, question, step));
                }
            }
            Ok(())
        })?;
    }
    for of_question in &mut candidates {
        // A pair that several steps find is a match of the first.
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
    fn of(gold: &Side, system: &Side) -> Self {
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
