//! The graphs that an evaluation can have, and what each is called.

use crate::base::iri::Mint;
use crate::base::model::Model;
use crate::base::vocab::qassay;

/// A graph of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GraphKind {
    /// The evaluation and the observation of each question; in the first version of the model all aggregates too.
    Scores,
    /// Which gold item met which item of the system.
    Matches,
    /// The aggregates over all questions and over those that the submission has.
    Measures,
    /// The aggregates over groups of questions: they follow from the scores and the dataset, and are made when asked for.
    Groups,
}

impl GraphKind {
    /// The graphs that every execution makes.
    pub fn of_execution(model: Model) -> &'static [Self] {
        if model.splits_scores() {
            &[Self::Scores, Self::Matches, Self::Measures]
        } else {
            &[Self::Scores, Self::Matches]
        }
    }

    /// Its name.
    pub fn graph(self, mint: &Mint, evaluation: &str) -> String {
        match self {
            Self::Scores => mint.scores_graph(evaluation),
            Self::Matches => mint.match_graph(evaluation),
            Self::Measures => mint.measures_graph(evaluation),
            Self::Groups => mint.groups_graph(evaluation),
        }
    }

    /// What an execution states its checksum by; none: it is no part of executions.
    pub fn digest(self) -> Option<&'static str> {
        match self {
            Self::Scores => Some(qassay::SCORES_DIGEST),
            Self::Matches => Some(qassay::MATCH_DIGEST),
            Self::Measures => Some(qassay::MEASURES_DIGEST),
            Self::Groups => None,
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scores => "scores",
            Self::Matches => "matches",
            Self::Measures => "measures",
            Self::Groups => "groups",
        }
    }

    /// Whether it has the aggregates of a group of questions.
    pub fn has_group(self, model: Model, is_headline: bool) -> bool {
        match self {
            Self::Scores => !model.splits_scores(),
            Self::Matches => false,
            Self::Measures => is_headline,
            Self::Groups => !is_headline,
        }
    }
}
