//! The numbers of an evaluation, read from its graphs: what two graphs must agree on.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedOrBlankNode, Term};
use percent_encoding::percent_decode_str;

use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::base::vocab::{code, qassay};
use crate::sources::input::term;

/// What a number is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberKind {
    /// A measure of one question.
    Observation,
    /// A metric over a group of questions.
    Aggregate,
    /// Which items met, by which rule.
    Match,
    /// What has no scores, and why.
    Skipped,
}

impl NumberKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Observation, Self::Aggregate, Self::Match, Self::Skipped];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Observation => "observation",
            Self::Aggregate => "aggregate",
            Self::Match => "match",
            Self::Skipped => "skipped",
        }
    }
}

/// A number that is not the same on both sides; none on one side: it is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherNumber {
    /// What it is about.
    pub kind: NumberKind,
    /// The experiment type.
    pub experiment: String,
    /// The question or the group of questions.
    pub about: String,
    /// The measure or metric.
    pub property: String,
    /// What was recorded.
    pub recorded: Option<String>,
    /// What is computed now.
    pub computed: Option<String>,
}

/// Kind, experiment type, question or group, measure.
type NumberKey = (NumberKind, String, String, String);

/// The numbers of an evaluation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbers {
    values: BTreeMap<NumberKey, BTreeSet<String>>,
}

/// The measures of a question; everything else that an observation says is a dimension or follows from them.
const MEASURES: [(&str, &str); 11] = [
    (qassay::TRUE_POSITIVES, "truePositives"),
    (qassay::FALSE_POSITIVES, "falsePositives"),
    (qassay::FALSE_NEGATIVES, "falseNegatives"),
    (qassay::PRECISION, "precision"),
    (qassay::RECALL, "recall"),
    (qassay::F1, "f1"),
    (qassay::NDCG, "ndcg"),
    (qassay::RECIPROCAL_RANK, "reciprocalRank"),
    (qassay::AVERAGE_PRECISION, "averagePrecision"),
    (qassay::K_SCORE, "kScore"),
    (qassay::ANSWER_STATUS, "answerStatus"),
];

impl Numbers {
    /// Adds the numbers that a graph of an evaluation holds: N-Quads.
    pub fn read(&mut self, evaluation: &str, graph: impl Read) -> Result<()> {
        let below = format!("{evaluation}/");
        let mut matches: BTreeMap<String, Met> = BTreeMap::new();
        for quad in RdfParser::from_format(RdfFormat::NQuads).for_reader(graph) {
            let quad = quad.map_err(|error| Error::input(format!("the graph is no N-Quads: {error}")))?;
            let NamedOrBlankNode::NamedNode(subject) = &quad.subject else { continue };
            let Some(path) = subject.as_str().strip_prefix(&below) else { continue };
            if path.starts_with("match/") {
                matches.entry(path.to_owned()).or_default().add(quad.predicate.as_str(), &quad.object);
            } else {
                self.add(path, quad.predicate.as_str(), &quad.object);
            }
        }
        for (path, met) in matches {
            let mut parts = path.split('/').skip(1);
            let (experiment, question) = (part(parts.next()), part(parts.next()));
            self.insert((NumberKind::Match, experiment, question, "match".to_owned()), met.text());
        }
        Ok(())
    }

    fn add(&mut self, path: &str, predicate: &str, object: &Term) {
        let mut parts = path.split('/');
        let kind = parts.next().unwrap_or_default();
        let (experiment, about) = (part(parts.next()), part(parts.next()));
        let value = short(object);
        match kind {
            "obs" if predicate == qassay::IDENTICAL_MATCH => {
                let met = format!("{object} ~ {object} (identical)");
                self.insert((NumberKind::Match, experiment, about, "match".to_owned()), met);
            }
            "obs" => {
                if let Some((_, name)) = MEASURES.iter().find(|(measure, _)| *measure == predicate) {
                    self.insert((NumberKind::Observation, experiment, about, (*name).to_owned()), value);
                }
            }
            "agg" => {
                let metric = part(parts.next());
                let name = match predicate {
                    qassay::VALUE => metric,
                    qassay::SAMPLE_SIZE => format!("{metric}, number of questions"),
                    qassay::WORST_VALUE => format!("{metric}, worst order of ties"),
                    qassay::BEST_VALUE => format!("{metric}, best order of ties"),
                    _ => return,
                };
                self.insert((NumberKind::Aggregate, experiment, about, name), value);
            }
            "judgement" if predicate == qassay::VERDICT => {
                let place = format!("verdict on answer {}", part(parts.next()));
                self.insert((NumberKind::Match, experiment, about, place), value);
            }
            "skipped" if predicate == qassay::SKIP_REASON => {
                self.insert((NumberKind::Skipped, experiment, about, "reason".to_owned()), value);
            }
            _ => {}
        }
    }

    fn insert(&mut self, key: NumberKey, value: String) {
        self.values.entry(key).or_default().insert(value);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// What is not the same in both, in order.
    pub fn differences(&self, computed: &Self) -> Vec<OtherNumber> {
        let none = BTreeSet::new();
        let keys: BTreeSet<&NumberKey> = self.values.keys().chain(computed.values.keys()).collect();
        let mut differences = Vec::new();
        for key in keys {
            let (old, new) = (self.values.get(key), computed.values.get(key));
            if old == new {
                continue;
            }
            let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
            let mut gone = old.difference(new);
            let mut come = new.difference(old);
            loop {
                let (recorded, computed) = (gone.next().cloned(), come.next().cloned());
                if recorded.is_none() && computed.is_none() {
                    break;
                }
                let (kind, experiment, about, property) = key.clone();
                differences.push(OtherNumber { kind, experiment, about, property, recorded, computed });
            }
        }
        differences
    }
}

/// One match node.
#[derive(Default)]
struct Met {
    gold: String,
    system: String,
    rule: String,
    normalisations: BTreeSet<String>,
}

impl Met {
    fn add(&mut self, predicate: &str, object: &Term) {
        match predicate {
            qassay::GOLD_TERM => self.gold = object.to_string(),
            qassay::SYSTEM_TERM => self.system = object.to_string(),
            qassay::MATCH_RULE => short(object).trim_start_matches("match-").clone_into(&mut self.rule),
            qassay::NORMALISATION => {
                self.normalisations.insert(short(object).trim_start_matches("norm-").to_owned());
            }
            _ => {}
        }
    }

    fn text(&self) -> String {
        let how = std::iter::once(&self.rule).chain(&self.normalisations);
        let how: Vec<&str> = how.map(String::as_str).collect();
        format!("{} ~ {} ({})", self.gold, self.system, how.join(", "))
    }
}

/// A segment of a path as text.
fn part(segment: Option<&str>) -> String {
    percent_decode_str(segment.unwrap_or_default()).decode_utf8_lossy().into_owned()
}

/// A concept by its name, every other term as its text.
fn short(object: &Term) -> String {
    let text = term::text(object);
    text.strip_prefix(code::NAMESPACE).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVALUATION: &str = "https://w3id.org/qassay/evaluation/ab";

    fn numbers(lines: &[&str]) -> Numbers {
        let mut numbers = Numbers::default();
        let graph: String = lines
            .iter()
            .map(|line| {
                line.replace("E:", EVALUATION).replace("Q:", qassay::NAMESPACE).replace("C:", code::NAMESPACE)
            })
            .collect();
        numbers.read(EVALUATION, graph.as_bytes()).unwrap();
        numbers
    }

    #[test]
    fn numbers_are_compared_one_by_one() {
        let old = numbers(&[
            "<E:/obs/QA/a%2Fb> <Q:f1> \"0.5\" <http://g> .\n",
            "<E:/obs/QA/a%2Fb> <Q:system> <http://elsewhere> <http://g> .\n",
            "<E:/obs/QA/a%2Fb> <Q:identicalMatch> <http://x> <http://g> .\n",
            "<E:/agg/QA/all/microF1> <Q:value> \"0.5\" <http://g> .\n",
            "<E:/match/QA/a%2Fb/1> <Q:goldTerm> \"1\" <http://g> .\n",
            "<E:/match/QA/a%2Fb/1> <Q:systemTerm> \"01\" <http://g> .\n",
            "<E:/match/QA/a%2Fb/1> <Q:matchRule> <C:match-value> <http://g> .\n",
        ]);
        assert_eq!(old.len(), 3, "a question has one set of matches");
        assert_eq!(old.differences(&old.clone()), []);
        let new = numbers(&[
            "<E:/obs/QA/a%2Fb> <Q:f1> \"1\" <http://g> .\n",
            "<E:/obs/QA/a%2Fb> <Q:identicalMatch> <http://x> <http://g> .\n",
            "<E:/agg/QA/all/microF1> <Q:value> \"0.5\" <http://g> .\n",
            "<E:/skipped/AT> <Q:skipReason> <C:skip-not-offered> <http://g> .\n",
        ]);
        let told: Vec<String> = old
            .differences(&new)
            .into_iter()
            .map(|d| {
                let side = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
                let (recorded, computed) = (side(d.recorded), side(d.computed));
                format!(
                    "{} {} {} {}: {recorded} | {computed}",
                    d.kind.name(),
                    d.experiment,
                    d.about,
                    d.property
                )
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        observation QA a/b f1: 0.5 | 1
        match QA a/b match: "1" ~ "01" (value) | -
        skipped AT  reason: - | skip-not-offered
        "#);
    }
}
