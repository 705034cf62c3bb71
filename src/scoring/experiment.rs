//! One experiment type of an evaluation: matches, results, metrics.

use std::sync::Arc;

use crate::base::error::Result;
use crate::base::parallel;
use crate::base::vocab::{code, qassay};
use crate::measures::definition::Sample;
use crate::measures::fraction::Fraction;
use crate::measures::metric::Metric;
use crate::measures::ranking::binary_ndcg;
use crate::measures::result::{QuestionResult, Status, Value};
use crate::measures::sets::{Scores, Submitted};
use crate::profiles::ontology;
use crate::profiles::rules::{ExperimentRules, Step};
use crate::references::assessments::Assessments;
use crate::scoring::block::Block;
use crate::scoring::cases::{Case, Cases};
use crate::scoring::matching::{Matching, QuestionMatch};
use crate::scoring::pairs::candidates::queries;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::plan::Plan;
use crate::scoring::reader::Setting;
use crate::scoring::run::{run, skip_all};
use crate::scoring::skip::Skip;
use crate::scoring::{gold, groups};
use crate::sources::document::Question;
use crate::sources::input::answer::answer_status;
use crate::sparql::named_query::NamedQuery;

/// The metrics of one group of questions.
#[derive(Debug, Clone)]
pub struct Group {
    /// The concept of `code:questionGroup`, without namespace.
    pub name: String,
    /// Its metrics in the order of the profile; undefined ones are `None`.
    pub metrics: Vec<(Metric, Option<Value>)>,
}

impl Group {
    /// Whether it is one of those that every evaluation has: all questions, or those that the submission has.
    pub fn is_headline(&self) -> bool {
        groups::is_headline(&self.name)
    }
}

impl Group {
    /// The value of a metric, where it is defined.
    pub fn value(&self, metric: &str) -> Option<&Value> {
        let found = self.metrics.iter().find(|(known, _)| known.to_string() == metric);
        found.and_then(|(_, value)| value.as_ref())
    }
}

/// An experiment type that was scored.
#[derive(Debug)]
pub struct Experiment {
    /// Its rules.
    pub rules: Arc<ExperimentRules>,
    /// The matches.
    pub matching: Matching,
    /// The results in the order of the dataset's questions; none where a question is skipped.
    pub results: Vec<Option<QuestionResult>>,
    /// The metrics of all groups, in order of their names.
    pub groups: Vec<Group>,
}

impl Experiment {
    /// The name of the experiment type: `QA`.
    pub fn name(&self) -> &str {
        &self.rules.name
    }

    /// The metrics of all questions.
    pub fn all(&self) -> Option<&Group> {
        self.group(groups::ALL)
    }

    /// The metrics of a group.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// Whether the experiment type compares what systems answer.
    pub fn is_of_answers(&self) -> bool {
        self.rules.reading.is_of_answers()
    }

    /// The measures of one question that the profile has beside precision, recall and F1.
    pub fn question_values(&self, plan: &Plan, result: &QuestionResult) -> Vec<(Metric, Option<Value>)> {
        let metrics = plan.metrics(&self.rules.question_metrics).into_iter();
        metrics.map(|metric| (metric, value_of(metric, plan, result))).collect()
    }

    /// Those of them that tables show: of families, where the user chose ranks, all.
    pub fn shown_question_metrics(&self, plan: &Plan) -> Vec<Metric> {
        plan.metrics(&self.rules.shown_question_metrics().collect::<Vec<_>>())
    }

    /// Those of them that an observation has, with the property of each.
    pub(crate) fn attributes(&self, plan: &Plan, result: &QuestionResult) -> Vec<(String, Fraction)> {
        let facts = ontology::terms();
        let value = |metric: &Metric| {
            let attribute = facts.text(&code::iri(&metric.to_string()), qassay::QUESTION_ATTRIBUTE)?;
            Some((attribute.to_owned(), value_of(*metric, plan, result)?.value))
        };
        // No member of a family has an attribute, so the ranks that users choose do not matter.
        self.rules.question_metrics.iter().filter_map(value).collect()
    }

    /// The questions that are skipped, with the reason, by position.
    pub fn skips(&self) -> impl Iterator<Item = (usize, Skip)> {
        let skips = self.matching.questions.iter().map(|question| question.skip);
        skips.enumerate().filter_map(|(position, skip)| Some((position, skip?)))
    }
}

/// A metric of one question, as if it were the only one.
fn value_of(metric: Metric, plan: &Plan, result: &QuestionResult) -> Option<Value> {
    metric.of(&Sample::new(&[result], plan.profile.empty))
}

/// An experiment type that is to be scored, block by block.
pub(crate) struct TypeScoring<'a> {
    setting: Setting<'a>,
    rules: &'a Arc<ExperimentRules>,
    steps: Vec<(Step, NamedQuery)>,
    /// Why questions are left out before their items are looked at: those without a gold answer, where answers are
    /// compared.
    skips: Option<Vec<Option<Skip>>>,
}

/// What is found of a block.
#[derive(Debug)]
pub(crate) struct ScoredBlock {
    pub(crate) matches: Vec<QuestionMatch>,
    pub(crate) results: Vec<Option<QuestionResult>>,
}

impl<'a> TypeScoring<'a> {
    /// Looks whether there is anything to score; or says why the experiment type is skipped.
    pub(crate) fn new(
        plan: &'a Plan,
        rules: &'a Arc<ExperimentRules>,
        cases: &Cases,
    ) -> Result<std::result::Result<Self, Skip>> {
        let setting = Setting { plan, rules };
        let skips = rules.reading.is_of_answers().then(|| gold::skips(&setting, cases)).transpose();
        let skips = skips.and_then(|skips| skip_all(&setting, cases).map_or(Ok(skips), Err));
        let steps = queries(rules)?;
        Ok(skips.map(|skips| Self { setting, rules, steps, skips }))
    }

    /// Scores the questions of a block. The items are still in the workspace.
    pub(crate) fn of_block(&self, block: &Block<'_>, workspace: &mut Workspace) -> Result<ScoredBlock> {
        let mut matches = run(&self.setting, &self.steps, block, workspace)?;
        let skips = self.skips.iter().flat_map(|skips| &skips[block.positions()]);
        for (matched, skip) in matches.iter_mut().zip(skips) {
            matched.skip = matched.skip.or(*skip);
        }
        let of_case = |(case, matched): (Case<'_>, &QuestionMatch)| {
            matched.skip.is_none().then(|| result(&self.setting, workspace, &case, matched))
        };
        let results = block.iter().zip(&matches).map(of_case).collect();
        Ok(ScoredBlock { matches, results })
    }

    /// The experiment type, when all is scored.
    pub(crate) fn finish(
        &self,
        members: &groups::Membership,
        matching: Matching,
        results: Vec<Option<QuestionResult>>,
    ) -> Experiment {
        let groups = group_metrics(self.setting.plan, self.rules, members, &results);
        Experiment { rules: Arc::clone(self.rules), matching, results, groups }
    }
}

fn result(
    setting: &Setting<'_>,
    terms: &Workspace,
    case: &Case<'_>,
    matched: &QuestionMatch,
) -> QuestionResult {
    let Setting { plan, rules } = *setting;
    let of_answers = rules.reading.is_of_answers();
    let (question, answer) = (case.gold.question, case.system.map(|answer| answer.question));
    let status = match answer {
        None => Status::Missing,
        // What a query offers counts, whatever became of the answers.
        Some(_) if !of_answers && matched.counts.system > 0 => Status::Answered,
        Some(answer) => match answer_status(answer) {
            "status-error" => Status::Error,
            "status-ok" if of_answers => Status::Answered,
            _ => Status::Empty,
        },
    };
    // What queries offer is no answer that an error could stand for.
    let submitted =
        Some(status.submitted()).filter(|submitted| of_answers || *submitted == Submitted::Nothing);
    let (counts, parts) = (matched.counts, matched.parts.clone());
    let is_ranked = rules.measures("ndcg") && order_matters(question);
    QuestionResult {
        status,
        counts,
        scores: match &matched.shares {
            // Rows are compared of results of queries, and a query that failed has none.
            Some(shares) => {
                let failed = matches!(status, Status::Missing | Status::Error | Status::Timeout);
                let submitted = if failed { Submitted::Nothing } else { Submitted::Answer };
                Scores::of_shares(counts, shares, submitted, plan.profile.empty)
            }
            None => Scores::of(counts, submitted.unwrap_or(Submitted::Answer), plan.profile.empty),
        },
        parts,
        ndcg: is_ranked.then(|| binary_ndcg(matched.ranked(terms), counts.gold)),
        judged: rules
            .judging
            .as_ref()
            .map(|judging| matched.judged(terms, (judging, rules.reading), question)),
        response_time: answer.and_then(|a| a.response_time.as_deref()).and_then(Fraction::parse),
    }
}

fn group_metrics(
    plan: &Plan,
    rules: &ExperimentRules,
    members: &groups::Membership,
    results: &[Option<QuestionResult>],
) -> Vec<Group> {
    let metrics = plan.metrics(&rules.metrics);
    let ratings = plan.references.assessments.as_ref().map(Assessments::ratings);
    let of_group = |(name, positions): &(String, Vec<usize>)| {
        let members: Vec<&QuestionResult> =
            positions.iter().filter_map(|&position| results[position].as_ref()).collect();
        if members.is_empty() && name != groups::ALL {
            return None;
        }
        // Assessors agree or not on the whole.
        let ratings = ratings.as_ref().filter(|_| name == groups::ALL);
        let sample = Sample { ratings, ..Sample::new(&members, plan.profile.empty) };
        let values = metrics.iter().map(|metric| (*metric, metric.of(&sample)));
        Some(Group { name: name.clone(), metrics: values.collect() })
    };
    parallel::each(members.iter().collect(), of_group).into_iter().flatten().collect()
}

/// The flag that says that the order of a question's answer matters.
const FLAG: &str = "result_order_matters";

fn order_matters(question: &Question) -> bool {
    question.flags.iter().any(|(name, value)| name == FLAG && value.trim().eq_ignore_ascii_case("true"))
}
