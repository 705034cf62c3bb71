//! EXPLANATION: how one question was scored. Which items met and why, which met nothing, and what a reader would not expect.
//!
//! As [`Results`], explanations are made of a computation ([`Explanation::of`]) or read back from what was published
//! ([`PublishedSides`](crate::record::results::published_sides::PublishedSides)), and are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oxigraph::model::{NamedNode, Term};
use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::measures::metric::Metric;
use crate::profiles::Profile;
use crate::profiles::link_kind::LinkKind;
use crate::profiles::loaders::reason::LeftOut;
use crate::profiles::rules::{ASSESSED, ExperimentRules};
use crate::record::results::read::no_question;
use crate::record::results::tied::ExplainedTies;
use crate::record::results::told::Told;
use crate::record::results::{MatchedPair, QuestionFacts, QuestionResults, ReadLabel, Results, TypeResults};
use crate::references::forms::{IRI_AS_LITERAL, named};
use crate::references::linked::predicate;
use crate::references::links::chains::ClusterLinks;
use crate::references::normalise::normal_form;
use crate::references::{ReferenceInput, ReferenceKind};
use crate::scoring::assessed::votes;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::plan::Plan;
use crate::scoring::references::References;
use crate::scoring::traits::Peculiarity;
use crate::sources::document::{Query, QueryKind};
use crate::sources::file::source::Source;

/// How a question was scored in an experiment type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The experiment type: `QA`.
    pub experiment: String,
    /// Whether candidates are ranked: all are in the answer, so items are not compared.
    pub ranks_candidates: bool,
    /// The measures of one question that tables show, beside precision, recall and F1.
    pub shown: Vec<Metric>,
    /// The question for people.
    pub question: QuestionFacts,
    /// Where items come from, and the scores. The matches are in [`Self::pairs`].
    pub results: QuestionResults,
    /// The pairs that count, as in [`Observation::matches`](crate::record::results::Observation::matches).
    pub pairs: Vec<ExplainedPair>,
    /// The items that only gold has, and those that only the system has, in the order of their terms. None where no graph
    /// tells them: see [`PublishedSides`](crate::record::results::published_sides::PublishedSides).
    pub unmatched: Option<[Vec<UnmatchedItem>; 2]>,
    /// What gold and system say that was read as a label of another item in its row, and not as an answer.
    pub labels: [Vec<ReadLabel>; 2],
    /// The rows of the gold answer that tie, of which as many as are wanted are right.
    pub ties: Vec<ExplainedTies>,
    /// What the nodes of triple patterns and candidates stand for.
    pub texts: BTreeMap<String, String>,
    /// What a reader would not expect: what a loader did, queries that cannot be read or were repaired.
    pub notes: Vec<String>,
    /// What the rules of GERBIL do in the question. None where a profile follows GERBIL and no graph tells it.
    pub peculiarities: Option<Vec<Peculiarity>>,
    /// The queries of gold and system: SPARQL, then pseudo queries, then schema-less ones, each in the order of its text.
    pub queries: [Vec<String>; 2],
    /// What the system reported, if it failed.
    pub error: Option<String>,
    /// IRI of the observation.
    pub observation: String,
    /// IRI of the question.
    pub node: String,
    /// IRI of the gold answer.
    pub gold_node: String,
    /// IRI of the system's answer.
    pub system_node: Option<String>,
}

/// A pair that counts, and what it rests on beside rule and label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedPair {
    /// The pair.
    #[serde(flatten)]
    pub matched: MatchedPair,
    /// The shortest chain of links between both, or between the resource and the labelled one.
    pub chain: Vec<ChainLink>,
    /// Who says what about the answer.
    pub votes: Vec<String>,
}

/// A link of a chain, as its file states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainLink {
    /// From this IRI.
    pub from: String,
    /// The predicate as people write it: `owl:sameAs`.
    pub predicate: String,
    /// To this one.
    pub to: String,
    /// The IRI of the file.
    pub file: String,
}

/// An item of one side that has no partner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnmatchedItem {
    /// The item, as a term in N-Triples.
    pub term: String,
    /// Who says what about it.
    pub votes: Vec<String>,
}

impl Explanation {
    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.unmatched.is_some() && self.peculiarities.is_some()
    }

    /// The explanation of a question of an evaluation, whose [`Results::of`] it are.
    ///
    /// # Errors
    /// Where there is no such question or experiment type, or a file of links cannot be read again.
    pub fn of(evaluation: &Evaluation, results: &Results, experiment: &str, question: &str) -> Result<Self> {
        let profile = Arc::clone(&evaluation.plan.profile);
        let explained = Explained::find(results, profile, experiment, question)?;
        let told = Told::of(evaluation, experiment, explained.position)?;
        explained.explanation(told, |_| Ok(Arc::clone(&evaluation.plan)))
    }
}

/// The question that is explained, in results.
pub(super) struct Explained<'a> {
    results: &'a Results,
    experiment: &'a TypeResults,
    pub(super) position: usize,
    pub(super) profile: Arc<Profile>,
}

impl<'a> Explained<'a> {
    /// A question of an experiment type.
    pub(super) fn find(
        results: &'a Results,
        profile: Arc<Profile>,
        experiment: &str,
        question: &str,
    ) -> Result<Self> {
        let position = results.questions.iter().position(|known| known.key == question);
        let keys = || results.questions.iter().map(|known| known.key.as_str());
        let position = position.ok_or_else(|| no_question(&results.dataset.name, question, keys()))?;
        let experiment = results.experiment(experiment).ok_or_else(|| {
            Error::input(format!("the evaluation has no scores for the experiment type `{experiment}`"))
        })?;
        Ok(Self { results, experiment, position, profile })
    }

    /// The rules of the experiment type.
    pub(super) fn rules(&self) -> Option<&ExperimentRules> {
        self.profile.experiment(&self.experiment.name).map(AsRef::as_ref)
    }

    /// The IRI of the question.
    pub(super) fn node(&self) -> String {
        iri::question(&self.results.dataset.iri, &self.results.questions[self.position].key)
    }

    /// The IRI of the observation, if there is one.
    pub(super) fn observation(&self) -> String {
        let key = &self.results.questions[self.position].key;
        iri::observation(&self.results.iri, &self.experiment.name, key)
    }

    /// Whether candidates of the dataset are ranked or judged one by one.
    pub(super) fn is_of_candidates(&self) -> bool {
        self.experiment.ranks_candidates || self.experiment.judges
    }

    /// Its results.
    pub(super) fn question(&self) -> &'a QuestionResults {
        &self.experiment.questions[self.position]
    }

    /// The explanation with what is told beside results. `plan` gives one with the references of
    /// some kinds.
    pub(super) fn explanation(
        &self,
        told: Told,
        plan: impl FnOnce(&[ReferenceKind]) -> Result<Arc<Plan>>,
    ) -> Result<Explanation> {
        let mut results = self.question().clone();
        if let Ok(observation) = &mut results.observed {
            observation.matches.clear();
        }
        let question = self.results.questions[self.position].clone();
        let ends: Vec<Option<ChainEnds>> =
            told.pairs.iter().map(|pair| ChainEnds::of(pair, &self.profile)).collect();
        let is_given = |kind| self.results.references.iter().any(|(known, _)| *known == kind);
        let wanted = [
            ends.iter().any(Option::is_some).then_some(ReferenceKind::Links),
            is_given(ReferenceKind::Assessments).then_some(ReferenceKind::Assessments),
        ];
        let plan = plan(&wanted.into_iter().flatten().collect::<Vec<_>>())?;
        let mut chains = chains(&plan.references, &ends)?.into_iter();
        let votes = |term: &Term| votes(&plan.references, &question.key, term);
        let assessed = |pair: &MatchedPair| pair.system.parse().ok().filter(|_| pair.rule == ASSESSED);
        let unmatched = told.unmatched.map(|sides| {
            sides.map(|terms| {
                let item = |term: &Term| UnmatchedItem { term: term.to_string(), votes: votes(term) };
                let mut items: Vec<UnmatchedItem> = terms.iter().map(item).collect();
                items.sort_unstable_by(|one, other| one.term.cmp(&other.term));
                items
            })
        });
        let pairs = told.pairs.into_iter().map(|matched| ExplainedPair {
            votes: assessed(&matched).map_or_else(Vec::new, |term| votes(&term)),
            chain: chains.next().unwrap_or_default(),
            matched,
        });
        let is_ours = !self.results.profile.follows_gerbil
            && !self.rules().is_some_and(|rules| rules.reading.is_of_answers());
        let sides = ["gold", "system"].into_iter().zip(told.asked).filter(|_| is_ours);
        let asked = sides
            .flat_map(|(side, notes)| notes.into_iter().map(move |note| format!("the {side} query {note}")));
        Ok(Explanation {
            experiment: self.experiment.name.clone(),
            ranks_candidates: self.experiment.ranks_candidates,
            shown: self.experiment.question_headline.clone(),
            pairs: pairs.collect(),
            unmatched,
            labels: told
                .labels
                .map(|labels| labels.into_iter().collect::<BTreeSet<_>>().into_iter().collect()),
            ties: told.ties,
            texts: told.texts,
            notes: self.loaded().into_iter().chain(asked).collect(),
            peculiarities: told.peculiarities,
            queries: told.queries.map(queries),
            error: told.error,
            observation: self.observation(),
            node: self.node(),
            gold_node: told.nodes.0,
            system_node: told.nodes.1,
            question,
            results,
        })
    }

    /// Whether a loader changed the question.
    pub(super) fn is_changed(&self) -> bool {
        let key = &self.results.questions[self.position].key;
        self.results.loaded.iter().flat_map(|loaded| &loaded.changed).any(|(known, _)| known == key)
    }

    /// What a loader did to the question.
    fn loaded(&self) -> Vec<String> {
        let key = &self.results.questions[self.position].key;
        let Some(loaded) = &self.results.loaded else { return Vec::new() };
        let left_out =
            loaded.left_out.iter().filter(|(known, ..)| known == key).map(|(_, reason, detail)| {
                format!("not loaded: {}", LeftOut { reason: *reason, detail: detail.clone() })
            });
        let changed = loaded.changed.iter().filter(|(known, _)| known == key);
        left_out.chain(changed.map(|(_, what)| format!("changed by the loader: {what}"))).collect()
    }
}

/// The ends of the chain of links that a pair rests on.
struct ChainEnds {
    kind: LinkKind,
    from: String,
    to: String,
}

impl ChainEnds {
    /// Of a pair that links made, or of one by a label of another resource.
    fn of(pair: &MatchedPair, profile: &Profile) -> Option<Self> {
        let node = |text: &str| match text.parse() {
            Ok(Term::NamedNode(node)) => Some(node.into_string()),
            _ => None,
        };
        let (gold, system) = (node(&pair.gold), node(&pair.system));
        let address =
            |text: &str| text.parse().ok().and_then(|term| named(&term)).map(NamedNode::into_string);
        let (kind, from, to) = match &pair.label {
            None if pair.rule == IRI_AS_LITERAL => {
                (LinkKind::SameAs, address(&pair.gold)?, address(&pair.system)?)
            }
            None => (LinkKind::of_rule(&pair.rule)?, gold?, system?),
            Some(label) => (LinkKind::SameAs, gold.or(system)?, label.resource.clone()),
        };
        let form = |iri| normal_form(iri, &|name| profile.normalises(name)).0;
        let may_be_same = pair.label.is_some() || pair.rule == IRI_AS_LITERAL;
        let is_same = may_be_same && form(&from) == form(&to);
        (!is_same).then_some(Self { kind, from, to })
    }
}

/// The chains of links between some ends, read from the files in one pass.
fn chains(references: &References, ends: &[Option<ChainEnds>]) -> Result<Vec<Vec<ChainLink>>> {
    let Some(closure) = &references.links else { return Ok(Vec::new()) };
    let files: Vec<&ReferenceInput> = references.of(ReferenceKind::Links).collect();
    let sources: Vec<&Source> = files.iter().map(|file| &file.source).collect();
    let links = ClusterLinks::read(closure, &sources, ends.iter().flatten().map(|ends| ends.from.as_str()))?;
    let chain = |ends: &Option<ChainEnds>| {
        let chain = ends.as_ref().and_then(|ends| links.chain(ends.kind, &ends.from, &ends.to));
        let links = chain.into_iter().flatten().map(|found| ChainLink {
            from: found.link.from,
            predicate: predicate(found.link.predicate),
            to: found.link.to,
            file: files[found.file].iri.clone(),
        });
        links.collect()
    };
    Ok(ends.iter().map(chain).collect())
}

/// Queries for people. Those that are no SPARQL say so.
fn queries(mut queries: Vec<Query>) -> Vec<String> {
    let rank =
        |kind| [QueryKind::Sparql, QueryKind::Pseudo].iter().position(|known| *known == kind).unwrap_or(2);
    queries.sort_by(|one, other| (rank(one.kind), &one.text).cmp(&(rank(other.kind), &other.text)));
    let query = |query: Query| match query.kind {
        QueryKind::Sparql => query.text,
        QueryKind::Pseudo => format!("# pseudo query\n{}", query.text),
        QueryKind::Schemaless => format!("# schema-less query\n{}", query.text),
    };
    queries.into_iter().map(query).collect()
}
