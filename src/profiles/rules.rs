//! What a profile says about one experiment type: what the items are, which queries match, how items are paired.

use crate::base::error::{Error, Result};
use crate::base::query::QueryFile;
use crate::base::vocab::{code, qassay};
use crate::measures::metric::Metric;
use crate::measures::result::ItemPart;
use crate::profiles::ontology::{Facts, incomplete, property};

/// What the items of an answer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The RDF terms of all cells.
    Terms,
    /// The texts of all values.
    Values,
    /// The rows, each the multiset of the texts of its values.
    Rows,
    /// SPINACH: the rows, each with its cells as terms; columns of labels and descriptions of gold are left out.
    SpinachRows,
    /// GRASP: the rows, each with its cells as terms; of a question to say yes or no, whether there are any.
    GraspRows,
    /// The resources of the query, or of the annotations of the question.
    Resources,
    /// The properties of the query, or of the annotations of the question.
    Properties,
    /// The classes that the answers are to be of.
    ItemTypes,
    /// The type of the answer.
    AnswerType,
    /// The triple patterns of the query: a bag.
    Patterns,
    /// What is ranked: the candidates of the question, each by its place in the gold file.
    Candidates,
    /// TEXT2SPARQL: the texts of all values; a boolean is the text `true`, relevant or not.
    Relevance,
    /// GERBIL: annotations and strings, made of all values of the answer.
    GerbilAnswers,
    /// GERBIL: the annotations and properties of its walk over the query: a list.
    GerbilConcepts,
    /// GERBIL: the properties of its walk over the query: a list.
    GerbilProperties,
    /// GERBIL: the relations of its walk over the query: a list.
    GerbilRelations,
    /// GERBIL: the answer type, where it is one of its five words.
    GerbilAnswerType,
}

/// How pairs are chosen among those that match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// One to one, as many as possible.
    Maximum,
    /// One to one: each gold item in its order takes the first free system item.
    Greedy,
    /// Each gold item takes the first system item, taken or not.
    GreedyReuse,
    /// GERBIL's two steps: strings first, then annotations with what is left.
    GerbilAnswers,
    /// Rows one to one with the greatest sum of shares; rows that share nothing are errors on both sides.
    RowShares,
    /// Rows one to one with the greatest sum of shares; of the system only rows beyond the number of gold rows are errors.
    /// Beyond 1,024 rows they are equal or not.
    RowRecall,
}

/// Where an experiment type has results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In every evaluation and question.
    Always,
    /// In questions where gold offers it, of submissions that offer it at all.
    WhereOffered,
    /// In every question of an evaluation where one item is on any side.
    WhereAnyItem,
}

/// One match query and the rule that its matches are recorded with.
#[derive(Debug, Clone)]
pub struct Step {
    /// The query.
    pub query: &'static QueryFile,
    /// The concept of `code:matchRule`, without namespace.
    pub rule: String,
}

/// How a profile scores one experiment type.
#[derive(Debug, Clone)]
pub struct ExperimentRules {
    /// The concept of `code:experimentType`, without namespace: `QA`.
    pub name: String,
    /// What the items are.
    pub reading: Reading,
    /// How pairs are chosen.
    pub pairing: Pairing,
    /// Where there are results.
    pub scope: Scope,
    /// The match queries in their order.
    pub steps: Vec<Step>,
    /// The classes that say nothing about an answer.
    pub ignored_classes: Vec<String>,
    /// Whether classes that match are one class in the hierarchy, too; else classes are taken as they are written.
    pub classes_as_matched: bool,
    /// How answers are judged one by one; none where only sets are compared.
    pub judging: Option<Judging>,
    /// The metrics that the overview shows, with those of [`Self::metrics`]; none: the usual ones.
    pub headline: Vec<Metric>,
    /// The metrics that tables of groups show; none: those of the overview.
    pub group_headline: Vec<Metric>,
    /// The metrics of each question, beside precision, recall and F1: those that are defined for one.
    pub question_metrics: Vec<Metric>,
    /// The metrics in the order of the file.
    pub metrics: Vec<Metric>,
}

impl Reading {
    /// Whether the items are made of what a system answers; else of its queries or types.
    pub fn is_of_answers(self) -> bool {
        matches!(
            self,
            Self::Terms
                | Self::Values
                | Self::Rows
                | Self::SpinachRows
                | Self::GraspRows
                | Self::Candidates
                | Self::Relevance
                | Self::GerbilAnswers
        )
    }

    /// Whether the items are rows that may be equal in a part of their cells.
    pub fn is_of_cells(self) -> bool {
        matches!(self, Self::SpinachRows | Self::GraspRows)
    }
}

impl Pairing {
    /// Whether pairs count by what they have in common.
    fn is_of_shares(self) -> bool {
        matches!(self, Self::RowShares | Self::RowRecall)
    }
}

/// The rule of the matches that people made.
pub const ASSESSED: &str = "match-assessed";

/// The experiment types in the order in which they are shown.
pub const EXPERIMENTS: [&str; 6] = ["QA", "C2KB", "P2KB", "RE2KB", "AT", "AIT2KB"];

impl ExperimentRules {
    /// The rules of all experiment types of a profile, in the order of [`EXPERIMENTS`].
    pub(crate) fn all(facts: &Facts, profile: &str) -> Result<Vec<Self>> {
        let mut all: Vec<Self> = facts
            .all(profile, &property("experimentRules"))
            .map(|node| match node {
                oxigraph::model::Term::NamedNode(node) => Self::read(facts, node.as_str()),
                _ => Err(incomplete(profile, "experimentRules")),
            })
            .collect::<Result<_>>()?;
        all.sort_by_key(|rules| EXPERIMENTS.iter().position(|name| *name == rules.name));
        match all.windows(2).find(|pair| pair[0].name == pair[1].name) {
            Some(pair) => {
                Err(Error::input(format!("<{profile}> has two rules of {}, and one counts", pair[0].name)))
            }
            None => Ok(all),
        }
    }

    /// The metrics of each question that tables show: those that the overview has too, where the profile names some.
    pub fn shown_question_metrics(&self) -> impl Iterator<Item = Metric> {
        let is_shown = |metric: &Metric| self.headline.is_empty() || self.headline.contains(metric);
        self.question_metrics.iter().copied().filter(is_shown)
    }

    /// Whether a measure is among the metrics.
    pub fn measures(&self, name: &str) -> bool {
        self.metrics.iter().any(|metric| metric.measure.name == name)
    }

    /// Whether there are metrics of a part of the items.
    pub fn measures_part(&self, part: ItemPart) -> bool {
        self.metrics.iter().any(|metric| metric.part == Some(part))
    }

    /// Whether sets of items are compared; else only ranks count, and precision and recall of a whole answer say nothing.
    pub fn compares_sets(&self) -> bool {
        self.metrics.iter().any(|metric| metric.measure.compares_sets())
    }

    /// Whether a step follows a rule.
    pub(crate) fn has_rule(&self, rule: &str) -> bool {
        self.steps.iter().any(|step| step.rule == rule)
    }

    /// Whether texts are resolved to the resources that are called so.
    pub fn reads_labels(&self) -> bool {
        self.has_rule("match-label")
    }

    /// Whether people may say which answers are correct.
    pub fn reads_assessments(&self) -> bool {
        self.has_rule(ASSESSED)
    }

    fn read(facts: &Facts, iri: &str) -> Result<Self> {
        let types = EXPERIMENTS.map(|name| (name, name));
        let name = choice(facts, iri, "experimentType", &types)?;
        let reading = choice(facts, iri, "answerReading", &READINGS)?;
        let reading = reading.ok_or_else(|| incomplete(iri, "answerReading"))?;
        let pairing = choice(facts, iri, "pairing", &PAIRINGS)?;
        let pairing = pairing.ok_or_else(|| incomplete(iri, "pairing"))?;
        if (reading == Reading::GerbilAnswers) != (pairing == Pairing::GerbilAnswers) {
            return Err(Error::input(format!(
                "<{iri}> pairs in GERBIL's two steps what is not read so, or the other way round"
            ))
            .allowed(
                "code:pairing-gerbil-answers with code:reading-gerbil-answers, and neither without the other",
            ));
        }
        if reading.is_of_cells() != pairing.is_of_shares() {
            return Err(Error::input(format!("<{iri}> pairs by cells what has none, or the other way round"))
                .allowed("code:pairing-row-shares, code:pairing-row-recall with code:reading-spinach-rows, code:reading-grasp-rows"));
        }
        let judging = Judging::read(facts, iri)?;
        if judging.is_some() && !reading.is_of_answers() {
            return Err(Error::input(format!("<{iri}> has a qassay:answerOrder, and reads no answers")));
        }
        Ok(Self {
            name: name.ok_or_else(|| incomplete(iri, "experimentType"))?.to_owned(),
            reading,
            pairing,
            scope: choice(facts, iri, "scope", &SCOPES)?.unwrap_or(Scope::Always),
            steps: steps(facts, iri)?,
            ignored_classes: iris(facts, iri, "ignoredClass"),
            classes_as_matched: choice(facts, iri, "classIdentity", &CLASS_IDENTITIES)?.unwrap_or_default(),
            judging,
            headline: metrics(facts, iri, "headline")?,
            group_headline: metrics(facts, iri, "groupHeadline")?,
            question_metrics: metrics(facts, iri, "questionMeasure")?,
            metrics: metrics(facts, iri, "measure")?,
        })
    }
}

fn iris(facts: &Facts, subject: &str, name: &str) -> Vec<String> {
    let name = property(name);
    let objects = facts.all(subject, &name).filter_map(|object| match object {
        oxigraph::model::Term::NamedNode(node) => Some(node.as_str().to_owned()),
        _ => None,
    });
    objects.collect()
}

/// What the concepts of `code:answerReading` mean.
const READINGS: [(&str, Reading); 17] = [
    ("reading-terms", Reading::Terms),
    ("reading-values", Reading::Values),
    ("reading-rows", Reading::Rows),
    ("reading-spinach-rows", Reading::SpinachRows),
    ("reading-grasp-rows", Reading::GraspRows),
    ("reading-candidates", Reading::Candidates),
    ("reading-relevance", Reading::Relevance),
    ("reading-resources", Reading::Resources),
    ("reading-properties", Reading::Properties),
    ("reading-item-types", Reading::ItemTypes),
    ("reading-answer-type", Reading::AnswerType),
    ("reading-patterns", Reading::Patterns),
    ("reading-gerbil-answers", Reading::GerbilAnswers),
    ("reading-gerbil-concepts", Reading::GerbilConcepts),
    ("reading-gerbil-properties", Reading::GerbilProperties),
    ("reading-gerbil-relations", Reading::GerbilRelations),
    ("reading-gerbil-answer-type", Reading::GerbilAnswerType),
];

/// What the concepts of `code:pairing` mean.
const PAIRINGS: [(&str, Pairing); 6] = [
    ("pairing-maximum", Pairing::Maximum),
    ("pairing-greedy", Pairing::Greedy),
    ("pairing-greedy-reuse", Pairing::GreedyReuse),
    ("pairing-gerbil-answers", Pairing::GerbilAnswers),
    ("pairing-row-shares", Pairing::RowShares),
    ("pairing-row-recall", Pairing::RowRecall),
];

/// What the concepts of `code:classIdentity` mean.
const CLASS_IDENTITIES: [(&str, bool); 2] = [("classes-as-written", false), ("classes-as-matched", true)];

/// What the concepts of `code:scope` mean.
const SCOPES: [(&str, Scope); 2] =
    [("scope-where-offered", Scope::WhereOffered), ("scope-where-any-item", Scope::WhereAnyItem)];

fn steps(facts: &Facts, iri: &str) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    for step in facts.all(iri, &property("matchStep")) {
        let oxigraph::model::Term::NamedNode(step) = step else { return Err(incomplete(iri, "matchStep")) };
        let step = step.as_str();
        let order: u32 = facts
            .text(step, &property("order"))
            .and_then(|order| order.parse().ok())
            .ok_or_else(|| incomplete(step, "order"))?;
        let query = facts.text(step, &property("query")).ok_or_else(|| incomplete(step, "query"))?;
        let name = query.rsplit_once("/query/").map_or(query, |(_, name)| name);
        if !name.starts_with("match/") {
            return Err(Error::input(format!("the query <{query}> of <{step}> matches nothing"))
                .allowed("the queries of queries/match"));
        }
        let rule =
            facts.codes(step, qassay::MATCH_RULE).next().ok_or_else(|| incomplete(step, "matchRule"))?;
        steps.push((order, Step { query: QueryFile::find(name)?, rule: rule.to_owned() }));
    }
    steps.sort_by_key(|(order, _)| *order);
    Ok(steps.into_iter().map(|(_, step)| step).collect())
}

/// What a subject chooses, of some concepts that each mean something; nothing where it does not choose.
pub(crate) fn choice<T: Clone>(
    facts: &Facts,
    subject: &str,
    name: &str,
    choices: &[(&str, T)],
) -> Result<Option<T>> {
    let Some(concept) = facts.text(subject, &property(name)) else { return Ok(None) };
    let chosen = choices.iter().find(|(known, _)| concept.strip_prefix(code::NAMESPACE) == Some(known));
    let allowed = || choices.iter().map(|(known, _)| format!("code:{known}")).collect::<Vec<_>>().join(", ");
    match chosen {
        Some((_, meaning)) => Ok(Some(meaning.clone())),
        None => {
            Err(Error::input(format!("<{concept}> is no {name} that <{subject}> can have"))
                .allowed(allowed()))
        }
    }
}

/// The metrics that are objects of a property, in the order of the file.
pub(crate) fn metrics(facts: &Facts, subject: &str, name: &str) -> Result<Vec<Metric>> {
    let metric = |iri: &str| {
        let concept = iri.strip_prefix(code::NAMESPACE);
        let unknown =
            || Error::input(format!("`{}` is no {name} that <{subject}> can have", concept.unwrap_or(iri)));
        concept.and_then(Metric::named).ok_or_else(|| unknown().hint("`qassay measures` lists the measures"))
    };
    facts.texts(subject, &property(name)).map(metric).collect()
}

/// In which order the answers to a question stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As the file has them, or as its format orders them (TREC: by score, equal ones by document id).
    Given,
    /// By score or confidence, the highest first; equal ones in the order of the file; those without one last.
    Score,
    /// By score as a floating point number of 32 bits, the highest first; equal ones by their texts, the last in the order of
    /// bytes first (`trec_eval` 9).
    SingleScore,
}

/// How answers are judged one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judging {
    /// Their order.
    pub order: Order,
    /// The word by which a system says that the question has no answer (CLEF 2004: `NIL`); none: there is no such word.
    pub nil: Option<String>,
}

impl Judging {
    /// What the rules of an experiment type say; none where answers are not judged one by one.
    pub(crate) fn read(facts: &Facts, rules: &str) -> Result<Option<Self>> {
        let orders = [
            ("order-given", Order::Given),
            ("order-score", Order::Score),
            ("order-single-score", Order::SingleScore),
        ];
        let nil = facts.text(rules, &property("noAnswerText")).map(str::to_owned);
        Ok(choice(facts, rules, "answerOrder", &orders)?.map(|order| Self { order, nil }))
    }

    /// Whether a text says that there is no answer.
    pub fn is_nil(&self, text: &str) -> bool {
        self.nil.as_deref().is_some_and(|nil| text.trim().eq_ignore_ascii_case(nil))
    }
}
