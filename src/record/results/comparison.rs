//! Profiles side by side: what they count differently.

use serde::{Deserialize, Serialize};

use crate::record::results::SetCounts;
use crate::scoring::difference::{Disagreement, Peculiarity, differences};
use crate::scoring::evaluation::Evaluation;

/// One submission with several profiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileComparison {
    /// The name of the system.
    pub system: String,
    /// The names of the profiles.
    pub profiles: Vec<String>,
    /// The questions that they count differently.
    pub differences: Vec<CountedDifferently>,
}

/// A question that profiles count differently in an experiment type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedDifferently {
    /// The experiment type.
    pub experiment: String,
    /// The key of the question.
    pub question: String,
    /// The counts of each profile; none where it does not score the question.
    pub counts: Vec<Option<SetCounts>>,
    /// The rules that make the difference, each once.
    pub reasons: Vec<Peculiarity>,
}

impl ProfileComparison {
    /// The comparisons of all submissions, over the evaluations with the gold answers of the first: profiles are compared
    /// where nothing else differs.
    pub fn of<'a>(evaluations: impl IntoIterator<Item = &'a Evaluation>) -> Vec<Self> {
        let mut groups: Vec<Vec<&Evaluation>> = Vec::new();
        let mut first = None;
        let is_first =
            |one: &&Evaluation| *first.get_or_insert(one.cases.asked.origin()) == one.cases.asked.origin();
        for evaluation in evaluations.into_iter().take_while(is_first) {
            let is_same = |group: &&mut Vec<&Evaluation>| {
                group[0].cases.submission.iri == evaluation.cases.submission.iri
            };
            match groups.iter_mut().find(is_same) {
                Some(group) => group.push(evaluation),
                None => groups.push(vec![evaluation]),
            }
        }
        groups.iter().map(|group| Self::of_one(group)).collect()
    }

    fn of_one(evaluations: &[&Evaluation]) -> Self {
        let system = evaluations.first().map(|first| first.cases.submission.name.clone());
        let questions = evaluations.first().map_or(&[][..], |first| &first.cases.dataset.document.questions);
        let difference = |difference: Disagreement| CountedDifferently {
            experiment: difference.experiment,
            question: questions[difference.position].key.clone(),
            counts: difference.counts.into_iter().map(|counts| counts.map(SetCounts::from)).collect(),
            reasons: difference.reasons,
        };
        Self {
            system: system.unwrap_or_default(),
            profiles: evaluations.iter().map(|evaluation| evaluation.profile().name.clone()).collect(),
            differences: differences(evaluations).into_iter().map(difference).collect(),
        }
    }
}
