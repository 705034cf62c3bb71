//! The results of single questions as the published graphs tell them.

use std::collections::{BTreeMap, HashMap, HashSet};

use oxigraph::model::Term;

use crate::base::error::Result;
use crate::base::iri;
use crate::base::vocab::{code, qassay};
use crate::measures::definition::Sample;
use crate::measures::fraction::Fraction;
use crate::measures::judged::{Judged, Judgement, Verdict};
use crate::measures::metric::Metric;
use crate::measures::result::{QuestionResult, Status};
use crate::measures::sets::{Counts, Scores};
use crate::profiles::Profile;
use crate::profiles::ontology;
use crate::profiles::ontology::Facts;
use crate::profiles::rules::{ExperimentRules, Reading};
use crate::record::results::decimal::Decimal;
use crate::record::results::said::{absent, count, decimal, number, said, skip};
use crate::record::results::{
    IDENTICAL, JudgedAnswer, MatchedLabel, MatchedPair, Measured, Observation, QuestionResults,
    RefreshResults, SetCounts,
};
use crate::record::written_term;
use crate::scoring::items::origin::ItemOrigin;
use crate::scoring::pairs::judged::rejected;
use crate::sources::document::{Document, Question};
use crate::sources::input::term;

/// The nodes of one question on both sides.
struct Nodes {
    question: String,
    curated: String,
    /// The gold answer that counts.
    gold: String,
    /// The answer of the submission.
    submitted: Option<String>,
    /// What its query gives.
    executed: Option<String>,
}

fn sorted<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut texts: Vec<String> = texts.map(str::to_owned).collect();
    texts.sort_unstable();
    texts
}

/// All observations of an evaluation.
pub(super) struct Observed<'a> {
    facts: &'a Facts,
    profile: &'a Profile,
    document: &'a Document,
    nodes: Vec<Nodes>,
    /// The observations by experiment type and question.
    observations: HashMap<(&'a str, &'a str), &'a str>,
    /// What is skipped, likewise.
    skipped: HashMap<(&'a str, &'a str), &'a str>,
    /// The matches of each observation, by number.
    matches: HashMap<&'a str, BTreeMap<u64, &'a str>>,
    /// Its judgements, by rank.
    judgements: HashMap<&'a str, BTreeMap<u64, &'a str>>,
    label_files: Vec<&'a str>,
    /// What leads from a match to the files that made it.
    match_source: &'static str,
}

impl<'a> Observed<'a> {
    pub(super) fn new(
        facts: &'a Facts,
        profile: &'a Profile,
        (dataset, submission): (&str, &str),
        document: &'a Document,
        refreshed: Option<&RefreshResults>,
        label_files: Vec<&'a str>,
        match_source: &'static str,
    ) -> Self {
        let mut observed = Self {
            facts,
            profile,
            document,
            nodes: Vec::new(),
            observations: HashMap::new(),
            skipped: HashMap::new(),
            matches: HashMap::new(),
            judgements: HashMap::new(),
            label_files,
            match_source,
        };
        let mut answers: HashMap<&str, [Option<&str>; 2]> = HashMap::new();
        let submitted = format!("{submission}/a/");
        for node in facts.subjects() {
            observed.add(node);
            // The graph of matches says which answer is for which question; a file of scores has one for all.
            for question in facts.texts(node, qassay::FOR_QUESTION) {
                let is_executed =
                    facts.text(node, qassay::IN_SUBMISSION).is_some() && !node.starts_with(&submitted);
                if node.starts_with(&submitted) {
                    answers.entry(question).or_default()[0] = Some(node);
                } else if is_executed {
                    answers.entry(question).or_default()[1] = Some(node);
                }
            }
        }
        observed.nodes = document
            .questions
            .iter()
            .enumerate()
            .map(|(position, question)| {
                let question = iri::question(dataset, &question.key);
                let curated = iri::curated_gold(&question);
                let refreshed = refreshed.filter(|gold| gold.questions[position].status.has_answers());
                let gold = refreshed.map(|gold| iri::refreshed_gold(&question, gold.name()));
                let [submitted, executed] = answers.get(question.as_str()).copied().unwrap_or_default();
                let [submitted, executed] = [submitted, executed].map(|node| node.map(str::to_owned));
                Nodes {
                    gold: gold.unwrap_or_else(|| curated.clone()),
                    question,
                    curated,
                    submitted,
                    executed,
                }
            })
            .collect();
        observed
    }

    /// Notes what a node is about.
    fn add(&mut self, node: &'a str) {
        let facts = self.facts;
        let experiment = facts.codes(node, qassay::EXPERIMENT_TYPE).next();
        let number = |text: Option<&str>| text.and_then(|text| text.parse().ok()).unwrap_or_default();
        if let Some((experiment, question)) = experiment.zip(facts.text(node, qassay::QUESTION_DIMENSION)) {
            self.observations.insert((experiment, question), node);
        } else if let Some((experiment, question)) =
            experiment.zip(facts.text(node, qassay::SKIPPED_QUESTION))
        {
            self.skipped.insert((experiment, question), node);
        } else if let Some(observation) = facts.text(node, qassay::IN_OBSERVATION) {
            self.matches.entry(observation).or_default().insert(number(node.rsplit('/').next()), node);
        } else if let Some(observation) = facts.text(node, qassay::JUDGED_IN) {
            let rank = number(facts.text(node, qassay::JUDGED_RANK));
            self.judgements.entry(observation).or_default().insert(rank, node);
        }
    }

    /// The results of all questions in an experiment type that has these metrics for one question.
    pub(super) fn questions(
        &self,
        rules: &ExperimentRules,
        metrics: &[Metric],
    ) -> Result<Vec<QuestionResults>> {
        let questions = self.nodes.iter().zip(&self.document.questions);
        let questions = questions.map(|(nodes, question)| {
            let key = (rules.name.as_str(), nodes.question.as_str());
            let observation = self.observations.get(&key).copied();
            let observed = match (observation, self.skipped.get(&key)) {
                (Some(node), _) => Ok(self.observation(rules, metrics, node, question)?),
                (None, Some(node)) => Err(skip(self.facts, node)?),
                (None, None) => return Err(absent(&nodes.question, qassay::EXPERIMENT_TYPE)),
            };
            Ok(QuestionResults { origins: self.origins(rules, nodes, observation), observed })
        });
        questions.collect()
    }

    fn observation(
        &self,
        rules: &ExperimentRules,
        metrics: &[Metric],
        node: &str,
        question: &Question,
    ) -> Result<Observation> {
        let facts = self.facts;
        let count = |property| count(said(facts, node, property)?, node);
        let status = facts.codes(node, qassay::ANSWER_STATUS).next().and_then(Status::find);
        let counts = SetCounts {
            tp: count(qassay::TRUE_POSITIVES)?,
            fp: count(qassay::FALSE_POSITIVES)?,
            missing: count(qassay::FALSE_NEGATIVES)?,
        };
        let has_ndcg = rules.measures("ndcg");
        let ndcg = facts.text(node, qassay::NDCG).filter(|_| has_ndcg).and_then(Decimal::parse);
        let mut observation = Observation {
            status: status.ok_or_else(|| absent(node, qassay::ANSWER_STATUS))?,
            counts,
            precision: decimal(facts, node, qassay::PRECISION)?,
            recall: decimal(facts, node, qassay::RECALL)?,
            f1: decimal(facts, node, qassay::F1)?,
            parts: Vec::new(),
            ndcg,
            measures: Vec::new(),
            judged: self.judged(node)?,
            matches: self.matches(node)?,
            counted_rows: sorted(facts.texts(node, qassay::COUNTED_ROW)),
            gold_node: said(facts, node, qassay::GOLD_ANSWER_ATTRIBUTE)?.to_owned(),
            system_node: facts.text(node, qassay::SYSTEM_ANSWER_ATTRIBUTE).map(str::to_owned),
        };
        let result = result(&observation, rules, question);
        let measures = metrics.iter().map(|metric| (*metric, self.measured(node, *metric, &result)));
        observation.measures = measures.collect();
        Ok(observation)
    }

    /// A measure of one question: what the observation says, else what follows from its judgements.
    fn measured(&self, node: &str, metric: Metric, result: &QuestionResult) -> Option<Measured> {
        let mut measured =
            metric.of(&Sample::new(&[result], self.profile.empty)).as_ref().map(Measured::of)?;
        let property = ontology::terms().text(&code::iri(&metric.to_string()), qassay::QUESTION_ATTRIBUTE);
        let stated = property.and_then(|property| self.facts.text(node, property)).and_then(Decimal::parse);
        if let Some(stated) = stated {
            measured.value = stated;
        }
        Some(measured)
    }

    fn judged(&self, observation: &str) -> Result<Vec<JudgedAnswer>> {
        let facts = self.facts;
        let nodes = self.judgements.get(observation).into_iter().flatten();
        let answers = nodes.map(|(_, node)| {
            let verdict =
                facts.codes(node, qassay::VERDICT).next().and_then(|code| code.strip_prefix("verdict-"));
            let score = facts.text(node, qassay::JUDGED_SCORE);
            Ok(JudgedAnswer {
                verdict: verdict.and_then(Verdict::find).ok_or_else(|| absent(node, qassay::VERDICT))?,
                gain: number(said(facts, node, qassay::GAIN)?, node)?,
                score: score.and_then(Decimal::parse),
                term: facts.all(node, qassay::SYSTEM_TERM).next().map(|term| written_term::read(facts, term)),
            })
        });
        answers.collect()
    }

    fn matches(&self, observation: &str) -> Result<Vec<MatchedPair>> {
        let identical = self.facts.all(observation, qassay::IDENTICAL_MATCH);
        let identical = identical.map(|term| written_term::read(self.facts, term)).map(|term| MatchedPair {
            gold: term.clone(),
            system: term,
            rule: IDENTICAL.to_owned(),
            normalisations: Vec::new(),
            label: None,
        });
        let mut all: Vec<MatchedPair> = identical.collect();
        all.sort_unstable();
        for node in self.matches.get(observation).into_iter().flat_map(BTreeMap::values) {
            all.push(self.matched(node)?);
        }
        Ok(all)
    }

    fn matched(&self, node: &str) -> Result<MatchedPair> {
        let facts = self.facts;
        let term = |property| {
            let term = facts.all(node, property).next().map(|term| written_term::read(facts, term));
            term.ok_or_else(|| absent(node, property))
        };
        let rule = facts.codes(node, qassay::MATCH_RULE).next();
        let mut normalisations: Vec<String> =
            facts.codes(node, qassay::NORMALISATION).map(str::to_owned).collect();
        normalisations.sort_unstable();
        let source = self.match_source;
        let file = || facts.texts(node, source).find(|file| self.label_files.contains(file));
        let label = facts.text(node, qassay::LABEL_PROPERTY).map(|property| -> Result<MatchedLabel> {
            Ok(MatchedLabel {
                property: property.to_owned(),
                resource: said(facts, node, qassay::LABELLED_RESOURCE)?.to_owned(),
                text: term(qassay::LABEL_TEXT)?,
                file: file().ok_or_else(|| absent(node, source))?.to_owned(),
            })
        });
        Ok(MatchedPair {
            gold: term(qassay::GOLD_TERM)?,
            system: term(qassay::SYSTEM_TERM)?,
            rule: rule.ok_or_else(|| absent(node, qassay::MATCH_RULE))?.to_owned(),
            normalisations,
            label: label.transpose()?,
        })
    }

    /// Where the items of both sides come from, see [`ItemOrigin::of`]: only that they are classes of answers is said of the
    /// observation, everything else of the answers.
    fn origins(
        &self,
        rules: &ExperimentRules,
        nodes: &Nodes,
        observation: Option<&str>,
    ) -> [Option<ItemOrigin>; 2] {
        let by_types = |property| observation.is_some_and(|node| self.facts.text(node, property).is_some());
        let gold = OriginNodes {
            stated: &nodes.question,
            asked: &nodes.curated,
            answered: &nodes.gold,
            by_types: by_types(qassay::GOLD_ITEM_ORIGIN),
            has_scores: observation.is_some(),
        };
        let system = nodes.submitted.as_ref().map(|submitted| OriginNodes {
            stated: submitted,
            asked: submitted,
            answered: nodes.executed.as_ref().unwrap_or(submitted),
            by_types: by_types(qassay::SYSTEM_ITEM_ORIGIN),
            has_scores: observation.is_some(),
        });
        [
            gold.origin(self.facts, rules.reading),
            system.and_then(|side| side.origin(self.facts, rules.reading)),
        ]
    }
}

/// Where one side says what its items are.
struct OriginNodes<'a> {
    /// The node that has stated types.
    stated: &'a str,
    /// The node that has the query and the annotations.
    asked: &'a str,
    /// The node that has the answers.
    answered: &'a str,
    /// Whether the observation says that the items are classes of the answers.
    by_types: bool,
    /// Whether there is an observation.
    has_scores: bool,
}

impl OriginNodes<'_> {
    fn origin(&self, facts: &Facts, reading: Reading) -> Option<ItemOrigin> {
        let says = |node: &str, property| facts.text(node, property).is_some();
        let of_query = || says(self.asked, qassay::QUERY_FORM).then_some(ItemOrigin::Query);
        let annotated = [qassay::ANNOTATED_RESOURCE, qassay::ANNOTATED_PROPERTY];
        match reading {
            Reading::Resources | Reading::Properties
                if annotated.into_iter().any(|property| says(self.asked, property)) =>
            {
                Some(ItemOrigin::Annotated)
            }
            Reading::ItemTypes if says(self.stated, qassay::ANSWER_ITEM_TYPE) => Some(ItemOrigin::Stated),
            Reading::ItemTypes if self.by_types => Some(ItemOrigin::Types),
            // Whether these would be classes of the answers, or what the query asks, nobody says.
            Reading::ItemTypes if !self.has_scores => None,
            Reading::Resources | Reading::Properties | Reading::ItemTypes => of_query(),
            Reading::AnswerType if says(self.stated, qassay::ANSWER_TYPE) => Some(ItemOrigin::Stated),
            Reading::AnswerType => says(self.answered, qassay::INFERRED_TYPE).then_some(ItemOrigin::Inferred),
            _ => None,
        }
    }
}

/// The question as measures see it.
fn result(observation: &Observation, rules: &ExperimentRules, question: &Question) -> QuestionResult {
    let SetCounts { tp, fp, missing } = observation.counts;
    let rejected = rejected(question);
    let mut seen = HashSet::new();
    let answers = observation.judged.iter().map(|answer| {
        let is_first = seen.insert(answer.term.as_deref());
        let term = answer.term.as_deref().and_then(|term| term.parse::<Term>().ok());
        let is_rejected = |term: &Term| {
            rules.reading == Reading::Candidates || rejected.contains(term::text(term).as_ref())
        };
        Judgement {
            verdict: answer.verdict,
            gain: answer.gain,
            rejected: is_first
                && answer.verdict == Verdict::Incorrect
                && term.as_ref().is_some_and(is_rejected),
            score: answer.score.as_ref().map(Decimal::fraction),
        }
    });
    let answers: Vec<Judgement> = answers.collect();
    let gold = || grades(observation, rules, question);
    QuestionResult {
        status: observation.status,
        counts: Counts { gold: tp + missing, system: tp + fp, matched: tp },
        scores: Scores {
            precision: observation.precision.fraction(),
            recall: observation.recall.fraction(),
            f1: observation.f1.fraction(),
        },
        parts: BTreeMap::new(),
        ndcg: observation.ndcg.as_ref().map(Decimal::fraction),
        judged: rules.judging.is_some().then(|| Judged::new(answers, gold(), rejected.len() as u64)),
        response_time: None::<Fraction>,
    }
}

/// The grades of the known right answers, highest first: what the file says of candidates, else 1.
fn grades(observation: &Observation, rules: &ExperimentRules, question: &Question) -> Vec<u64> {
    let known = observation.counts.tp + observation.counts.missing;
    let grade =
        |label: Option<&str>| label.and_then(|label| label.trim().parse::<u64>().ok()).unwrap_or(1).max(1);
    let mut seen = HashSet::new();
    let right = question.candidates.iter().filter(|candidate| candidate.is_right());
    let distinct = right.filter(|candidate| {
        rules.reading == Reading::Candidates
            || seen.insert(candidate.cells.first().map(|cell| cell.value.as_str()))
    });
    let mut grades: Vec<u64> = distinct.map(|candidate| grade(candidate.label.as_deref())).collect();
    if grades.is_empty() {
        grades = (0..known).map(|_| 1).collect();
    }
    let says_nothing = |answer: &JudgedAnswer| answer.term.is_none() && answer.verdict == Verdict::Correct;
    let nil_is_right = rules.judging.as_ref().is_some_and(|judging| judging.nil.is_some())
        && (known == 0 || observation.judged.iter().any(says_nothing));
    grades.extend(nil_is_right.then_some(1));
    grades.sort_unstable_by(|a, b| b.cmp(a));
    grades
}
