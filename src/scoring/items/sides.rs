//! What is matched: both sides of an experiment type, question by question, with what they offer.

use oxigraph::model::Term;

use crate::base::iri;
use crate::profiles::Profile;
use crate::profiles::loaders::Loaded;
use crate::profiles::rules::{ExperimentRules, Reading, Scope};
use crate::scoring::align::Alignment;
use crate::scoring::items::offer::{Absence, Offer, Offering, candidates, offer};
use crate::scoring::knowledge::Knowledge;
use crate::scoring::skip::Skip;
use crate::sources::document::{Document, Question};
use crate::sources::input::pattern::QueryNodes;

/// The dataset version and the submission, with the IRIs that their graphs use.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    /// IRI of the dataset version.
    pub dataset: &'a str,
    /// The dataset, as the loader gives it.
    pub gold: &'a Document,
    /// Which questions the loader leaves out.
    pub loaded: &'a Loaded,
    /// What the gold queries ask, question by question.
    pub gold_queries: &'a [QueryNodes],
    /// IRI of the submission.
    pub submission: &'a str,
    /// The answers.
    pub answers: &'a Document,
    /// What the system's queries ask, answer by answer.
    pub answers_queries: &'a [QueryNodes],
    /// Which answer belongs to which question.
    pub alignment: &'a Alignment,
    /// Where the one answer of the submission is for all questions: what it says about each of them.
    pub laid_out: Option<&'a [Question]>,
}

/// One question on one side.
#[derive(Clone, Copy)]
pub(crate) struct Answer<'a> {
    pub(crate) question: &'a Question,
    pub(crate) query: &'a QueryNodes,
}

impl<'a> Sides<'a> {
    /// The gold answer of a question.
    pub(crate) fn gold_answer(&self, position: usize) -> Answer<'a> {
        Answer { question: &self.gold.questions[position], query: &self.gold_queries[position] }
    }

    /// Why a question is not loaded, if it is not.
    pub(crate) fn not_loaded(&self, position: usize) -> Option<Skip> {
        self.loaded.reason(position).map(Skip::NotLoaded)
    }

    /// What the system says about a question, where it says something.
    pub fn said(&self, position: usize) -> Option<&'a Question> {
        let answer = self.alignment.answers[position]?;
        Some(self.laid_out.map_or_else(|| &self.answers.questions[answer], |laid_out| &laid_out[position]))
    }

    /// The system's answer to a question, where there is one.
    pub(crate) fn system_answer(&self, position: usize) -> Option<Answer<'a>> {
        let (question, answer) = self.said(position).zip(self.alignment.answers[position])?;
        Some(Answer { question, query: &self.answers_queries[answer] })
    }

    /// The node of the gold answer to a question: what its candidates are named after.
    fn gold_node(&self, position: usize) -> String {
        iri::curated_gold(&iri::question(self.dataset, &self.gold.questions[position].key))
    }
}

/// What both sides offer in all questions.
pub(crate) struct Offers {
    pub(crate) gold: Vec<Vec<Term>>,
    pub(crate) system: Vec<Vec<Term>>,
    /// Why a question is not scored.
    pub(crate) skips: Vec<Option<Skip>>,
}

/// What both sides offer; or why the experiment type is skipped altogether.
pub(crate) fn offers(
    profile: &Profile,
    rules: &ExperimentRules,
    sides: &Sides<'_>,
    knowledge: &Knowledge<'_>,
) -> Result<Offers, Skip> {
    let offering = Offering { profile, rules, knowledge };
    let of = |answer: &Answer<'_>, position, is_gold| match rules.reading {
        Reading::Candidates => candidates(answer.question, &sides.gold_node(position), is_gold),
        _ => offer(&offering, answer, is_gold),
    };
    let count = sides.gold.questions.len();
    let gold: Vec<Offer> =
        (0..count).map(|position| of(&sides.gold_answer(position), position, true)).collect();
    let system: Vec<Option<Offer>> = (0..count)
        .map(|position| sides.system_answer(position).map(|answer| of(&answer, position, false)))
        .collect();
    if rules.scope == Scope::WhereOffered {
        let is_loaded = |position: usize| sides.not_loaded(position).is_none();
        let gold =
            gold.iter().enumerate().filter(|(position, _)| is_loaded(*position)).map(|(_, offer)| offer);
        lack(gold).map_or(Ok(()), |lack| Err(lack.of_gold()))?;
        let system = system.iter().enumerate().filter(|(position, _)| is_loaded(*position));
        lack(system.filter_map(|(_, offer)| offer.as_ref())).map_or(Ok(()), |lack| Err(lack.of_system()))?;
    }
    let mut offers = Offers { gold: Vec::new(), system: Vec::new(), skips: Vec::new() };
    for (position, (gold, system)) in gold.into_iter().zip(system).enumerate() {
        offers.skips.push(sides.not_loaded(position).or_else(|| skip(&gold, system.as_ref())));
        offers.gold.push(gold.into_items());
        offers.system.push(system.map(Offer::into_items).unwrap_or_default());
    }
    Ok(offers)
}

/// Why a side offers nothing in any question; nothing where it offers something.
fn lack<'a>(offers: impl Iterator<Item = &'a Offer>) -> Option<Lack> {
    let mut lack = None;
    for offer in offers {
        let found = match offer {
            Offer::Items(items) if !items.is_empty() => return None,
            Offer::Items(_) => Lack::NoItems,
            Offer::Unreadable => Lack::Unreadable,
            Offer::Nothing(Absence::ItemTypes) => Lack::UnknownTypes,
            Offer::Nothing(absence) => Lack::Absent(*absence),
        };
        // Of several reasons the one that comes closest to an item is told.
        lack = lack.max(Some(found));
    }
    lack.or(Some(Lack::NoItems))
}

/// What keeps a side from having any item, the weakest reason last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lack {
    Absent(Absence),
    Unreadable,
    NoItems,
    /// There are answers, and the types of resources have nothing about any.
    UnknownTypes,
}

impl Lack {
    fn of_gold(self) -> Skip {
        match self {
            Self::Absent(absence) => Skip::gold(absence),
            Self::Unreadable => Skip::GoldQueryUnreadable,
            Self::NoItems => Skip::NoItems,
            Self::UnknownTypes => Skip::gold(Absence::ItemTypes),
        }
    }

    fn of_system(self) -> Skip {
        match self {
            Self::Absent(absence) => Skip::system(absence),
            Self::Unreadable => Skip::SystemQueryUnreadable,
            Self::NoItems => Skip::NoItems,
            Self::UnknownTypes => Skip::system(Absence::ItemTypes),
        }
    }
}

fn skip(gold: &Offer, system: Option<&Offer>) -> Option<Skip> {
    match (gold, system) {
        (Offer::Nothing(absence), _) => Some(Skip::gold(*absence)),
        (Offer::Unreadable, _) => Some(Skip::GoldQueryUnreadable),
        (_, Some(Offer::Unreadable)) => Some(Skip::SystemQueryUnreadable),
        _ => None,
    }
}
