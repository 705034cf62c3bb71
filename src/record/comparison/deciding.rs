//! The questions that decide between two systems: those in which they differ, the largest difference first, and what each of
//! both made of them.

use std::cmp::Reverse;
use std::str::FromStr as _;

use oxigraph::model::Term;

use crate::measures::fraction::Fraction;
use crate::measures::metric::Metric;
use crate::measures::result::Status;
use crate::record::comparison::{ComparedPair, TableKey, measured};
use crate::record::results::decimal::Decimal;
use crate::record::results::explanation::{Explanation, UnmatchedItem};
use crate::record::results::{Observation, QuestionFacts, Results, TypeResults};

/// A question in which two systems differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidingQuestion {
    /// The question for people.
    pub question: QuestionFacts,
    /// What both have.
    pub scores: [Decimal; 2],
    /// The score of the first minus that of the second.
    pub difference: Decimal,
}

/// Why an answer is not wholly right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerFault {
    /// The word for scripts.
    pub code: &'static str,
    /// The same for people.
    pub reason: String,
}

/// A deciding question, and why the answers of both are not wholly right.
pub type ExplainedDecision = (DecidingQuestion, [Vec<AnswerFault>; 2]);

/// What decides between two systems in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedTable {
    /// The table.
    pub key: TableKey,
    /// The names of both.
    pub systems: [String; 2],
    /// Their evaluations.
    pub evaluations: [String; 2],
    /// What the comparison says of the pair; nothing where it was not compared.
    pub pair: Option<ComparedPair>,
    /// By which scores.
    pub by: DecidingScore,
    /// In how many questions they differ.
    pub differing: usize,
    /// The questions with the largest differences.
    pub questions: Vec<ExplainedDecision>,
}

/// The scores by which two systems differ in single questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidingScore {
    /// Those that the measure is the mean of.
    Measure,
    /// F1, where the measure is no mean.
    F1,
}

/// The questions that both scored and in which they differ: the largest difference first, of equal ones by key; and by what.
pub fn deciding(
    metric: Metric,
    [one, other]: [(&Results, &TypeResults); 2],
) -> (DecidingScore, Vec<DecidingQuestion>) {
    let mut rows: Vec<(&QuestionFacts, [&Observation; 2])> = Vec::new();
    for (facts, found) in one.0.questions.iter().zip(&one.1.questions) {
        let at = other.0.questions.iter().position(|known| known.key == facts.key);
        let both = at.and_then(|at| {
            Some([found.observed.as_ref().ok()?, other.1.questions.get(at)?.observed.as_ref().ok()?])
        });
        rows.extend(both.map(|both| (facts, both)));
    }
    let of_side = |side: usize| -> Vec<&Observation> { rows.iter().map(|(_, both)| both[side]).collect() };
    let scores = |side: usize| measured::scores(metric, &of_side(side)).ok();
    let f1 = |side: usize| of_side(side).into_iter().map(|one| one.f1.fraction()).collect();
    let (by, scores): (_, [Vec<Fraction>; 2]) = match (scores(0), scores(1)) {
        (Some(one), Some(other)) => (DecidingScore::Measure, [one, other]),
        _ => (DecidingScore::F1, [f1(0), f1(1)]),
    };
    let mut found: Vec<DecidingQuestion> = rows
        .iter()
        .zip(scores[0].iter().zip(&scores[1]))
        .filter(|(_, (one, other))| one != other)
        .map(|((facts, _), (one, other))| DecidingQuestion {
            question: (*facts).clone(),
            scores: [Decimal::of(one), Decimal::of(other)],
            difference: Decimal::of(&(one - other)),
        })
        .collect();
    found.sort_by_cached_key(|one| (Reverse(one.difference.fraction().absolute()), one.question.key.clone()));
    (by, found)
}

/// Why the answer of a system is not wholly right; none where it is.
pub fn faults(explained: &Explanation) -> Vec<AnswerFault> {
    let fault = |code, reason: String| AnswerFault { code, reason };
    let Ok(observed) = &explained.results.observed else {
        return vec![fault("not-scored", "not scored".to_owned())];
    };
    let error = || explained.error.as_ref().map_or_else(String::new, |error| format!(": {error}"));
    match observed.status {
        Status::Missing => {
            return vec![fault("no-entry", "the submission does not have the question".to_owned())];
        }
        Status::Error => return vec![fault("error", format!("it failed{}", error()))],
        Status::Timeout => return vec![fault("timeout", format!("it took too long{}", error()))],
        Status::Answered | Status::Empty => {}
    }
    let mut faults: Vec<AnswerFault> = explained
        .notes
        .iter()
        .filter(|note| note.contains("query"))
        .map(|note| fault("query", note.clone()))
        .collect();
    let (right, too_many, missed) = (observed.counts.tp, observed.counts.fp, observed.counts.missing);
    if observed.status == Status::Empty {
        if missed > 0 {
            faults.push(fault("no-answer", format!("it answered nothing, of {missed}")));
        }
        return faults;
    }
    if right + missed == 0 && too_many > 0 {
        faults.push(fault("answered-none", "it answered, and there is no answer".to_owned()));
    } else if right == 0 && too_many > 0 {
        let reason = if too_many == 1 {
            "its answer is wrong".to_owned()
        } else {
            format!("none of its {too_many} answers is right")
        };
        faults.push(fault("nothing-right", reason));
    } else {
        if missed > 0 {
            faults.push(fault("missed", format!("it missed {missed} of {}", right + missed)));
        }
        if too_many > 0 {
            faults.push(fault("too-many", format!("{too_many} too many")));
        }
    }
    if let Some([missed, given]) =
        explained.unmatched.as_ref().filter(|[missed, given]| !missed.is_empty() && !given.is_empty())
    {
        faults.extend(of_kinds(missed, given));
    }
    faults
}

/// What unmatched items of both sides are, where they are of one kind each, and not of the same.
fn of_kinds(missed: &[UnmatchedItem], given: &[UnmatchedItem]) -> Option<AnswerFault> {
    let kinds = |items: &[UnmatchedItem]| -> Option<ItemSort> {
        let mut sorts = items.iter().filter_map(|item| Some(ItemSort::of(&Term::from_str(&item.term).ok()?)));
        let first = sorts.next()?;
        sorts.all(|sort| sort == first).then_some(first)
    };
    let (wanted, found) = (kinds(missed)?, kinds(given)?);
    if wanted == found {
        return None;
    }
    if (wanted, found) == (ItemSort::Resource, ItemSort::Text) {
        let reason =
            "it gave texts, no label of a resource among the answers: with `⌥labels` they may be found";
        return Some(AnswerFault { code: "label", reason: reason.to_owned() });
    }
    let reason = format!("it gave {}, wanted are {}", found.name(), wanted.name());
    Some(AnswerFault { code: "type", reason })
}

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItemSort {
    Resource,
    Boolean,
    Number,
    Date,
    Text,
}

impl ItemSort {
    fn of(item: &Term) -> Self {
        let Term::Literal(literal) = item else { return Self::Resource };
        let datatype = literal.datatype().as_str();
        match datatype.rsplit('#').next().unwrap_or_default() {
            "boolean" => Self::Boolean,
            "date" | "dateTime" | "gYear" | "gYearMonth" => Self::Date,
            "string" | "langString" if literal.value().parse::<f64>().is_ok() => Self::Number,
            "string" | "langString" => Self::Text,
            _ => Self::Number,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Resource => "resources",
            Self::Boolean => "yes or no",
            Self::Number => "numbers",
            Self::Date => "dates",
            Self::Text => "texts",
        }
    }
}
