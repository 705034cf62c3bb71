//! The scores graph: the evaluation and both its cubes (RDF Data Cube; DQV for the aggregates).

pub mod cubes;

use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::rdf::lines;
use crate::base::rdf::lines::{Lines, SubjectRegion};
use crate::base::vocab::code;
use crate::base::vocab::dct;
use crate::base::vocab::dqv;
use crate::base::vocab::prov;
use crate::base::vocab::qassay;
use crate::base::vocab::qb;
use crate::base::vocab::rdf;
use crate::base::vocab::sdmx_attribute;
use crate::base::vocab::skos;
use crate::base::vocab::unit;
use crate::base::vocab::xsd;
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::measures::result::QuestionResult;
use crate::measures::result::Value;
use crate::profiles::rules::Reading;
use crate::record::publish::kinds::GraphKind;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::{Experiment, Group};
use crate::scoring::items::origin::ItemOrigin;
use crate::scoring::skip::Skip;
use std::collections::BTreeMap;
use std::io;
use std::io::Write;

/// The licence of what we publish ourselves.
pub(crate) const CC0: &str = "https://creativecommons.org/publicdomain/zero/1.0/";

/// What a subject of the graph is.
enum ScoreSubject<'a> {
    Evaluation,
    QuestionCube,
    AggregateCube,
    Slice(&'a Experiment),
    Observation(&'a Experiment, usize, &'a QuestionResult),
    Aggregate(&'a Experiment, &'a str, Metric, &'a Value),
    /// A member of a family of metrics, which no ontology can list, with its number.
    Member(Metric, u64),
    /// A group of questions of an open scheme, which no ontology can list, with its name as written.
    Group(&'a str, &'a str),
    /// An experiment type without scores.
    Skipped(&'a str, Skip),
    /// A question that has no scores in an experiment type.
    SkippedQuestion(&'a Experiment, usize, Skip),
}

/// Writes the graph of an evaluation that has its observations, or one that has its aggregates.
pub fn write(
    out: &mut (impl Write + ?Sized),
    mint: &Mint,
    evaluation: &Evaluation,
    kind: GraphKind,
) -> io::Result<u64> {
    let names = Names::of(evaluation, mint);
    let [headline, others] = [true, false].map(|is_headline| kind.has_group(mint.model(), is_headline));
    let mut regions = Vec::new();
    if kind == GraphKind::Scores {
        push_observed(&mut regions, &names);
    }
    if headline {
        regions.push(SubjectRegion::one(names.aggregate_cube.clone(), ScoreSubject::AggregateCube));
    }
    if headline || others {
        push_aggregates(&mut regions, &names, [headline, others]);
    }
    if others {
        let groups = evaluation.open_groups.iter();
        regions.extend(
            groups.map(|(name, label)| SubjectRegion::one(code::iri(name), ScoreSubject::Group(name, label))),
        );
    }
    lines::write_regions(out, &kind.graph(mint, &evaluation.digest), regions, |part, lines| match part {
        ScoreSubject::Evaluation => names.describe_evaluation(lines),
        ScoreSubject::QuestionCube => names.describe_question_cube(lines),
        ScoreSubject::AggregateCube => names.describe_aggregate_cube(lines),
        ScoreSubject::Slice(experiment) => names.describe_slice(lines, experiment),
        ScoreSubject::Observation(experiment, at, result) => {
            names.observe_question(lines, experiment, *at, result);
        }
        ScoreSubject::Aggregate(experiment, group, metric, value) => {
            names.observe_group(lines, experiment, group, *metric, value);
        }
        ScoreSubject::Member(metric, cutoff) => describe_member(lines, *metric, *cutoff),
        ScoreSubject::Group(name, label) => describe_group(lines, name, label),
        ScoreSubject::Skipped(experiment, skip) => names.describe_skipped(lines, experiment, None, *skip),
        ScoreSubject::SkippedQuestion(experiment, at, skip) => {
            names.describe_skipped(lines, experiment.name(), Some(*at), *skip);
        }
    })
}

/// The evaluation, its questions and what has no scores.
fn push_observed<'a>(regions: &mut Vec<SubjectRegion<'a, ScoreSubject<'a>>>, names: &'a Names<'a>) {
    let evaluation = names.evaluation;
    regions.push(SubjectRegion::one(evaluation.iri.clone(), ScoreSubject::Evaluation));
    regions.push(SubjectRegion::one(names.question_cube.clone(), ScoreSubject::QuestionCube));
    for experiment in &evaluation.experiments {
        push_experiment(regions, names, experiment);
    }
    let skipped = evaluation.skipped.iter();
    regions.extend(skipped.map(|(experiment, skip)| {
        SubjectRegion::one(
            iri::skipped(&evaluation.iri, experiment),
            ScoreSubject::Skipped(experiment, *skip),
        )
    }));
}

/// The aggregates over all questions, those over groups, or both, and the members of families of metrics that they have.
fn push_aggregates<'a>(
    regions: &mut Vec<SubjectRegion<'a, ScoreSubject<'a>>>,
    names: &'a Names<'a>,
    [headline, others]: [bool; 2],
) {
    let evaluation = names.evaluation;
    let has = move |group: &Group| if group.is_headline() { headline } else { others };
    for experiment in &evaluation.experiments {
        let name = experiment.name();
        regions.push(SubjectRegion::new(iri::part_of(&evaluation.iri, "agg", name), move || {
            let groups = experiment.groups.iter().filter(|group| has(group));
            let values = groups.flat_map(|group| {
                let values =
                    group.metrics.iter().filter_map(|(metric, value)| Some((metric, value.as_ref()?)));
                values.map(move |(metric, value)| {
                    let short = group.name.trim_start_matches("group-");
                    let node = iri::aggregate(&evaluation.iri, name, short, &metric.to_string());
                    (node, ScoreSubject::Aggregate(experiment, &group.name, *metric, value))
                })
            });
            values.collect()
        }));
    }
    let mut described = members(evaluation, has);
    if !headline {
        // The graph of the aggregates over all questions has them already.
        let known = members(evaluation, Group::is_headline);
        described.retain(|iri, _| !known.contains_key(iri));
    }
    regions.extend(
        described
            .into_iter()
            .map(|(iri, (metric, cutoff))| SubjectRegion::one(iri, ScoreSubject::Member(metric, cutoff))),
    );
}

fn push_experiment<'a>(
    regions: &mut Vec<SubjectRegion<'a, ScoreSubject<'a>>>,
    names: &'a Names<'a>,
    experiment: &'a Experiment,
) {
    let (evaluation, name) = (names.evaluation, experiment.name());
    regions.push(SubjectRegion::one(names.slice(experiment), ScoreSubject::Slice(experiment)));
    regions.push(SubjectRegion::new(iri::part_of(&evaluation.iri, "obs", name), move || {
        let results = experiment.results.iter().enumerate();
        let scored = results.filter_map(|(at, result)| Some((at, result.as_ref()?)));
        let observed = |(at, result)| {
            (names.observation(experiment, at), ScoreSubject::Observation(experiment, at, result))
        };
        scored.map(observed).collect()
    }));
    regions.push(SubjectRegion::new(iri::part_of(&evaluation.iri, "skipped", name), move || {
        let node = |at: usize| {
            let key = &evaluation.cases.dataset.document.questions[at].key;
            iri::skipped_question(&evaluation.iri, name, key)
        };
        let skips = experiment.skips();
        skips.map(|(at, skip)| (node(at), ScoreSubject::SkippedQuestion(experiment, at, skip))).collect()
    }));
}

/// The names that many statements share, made once.
struct Names<'a> {
    evaluation: &'a Evaluation,
    states_entities: bool,
    system: String,
    question_cube: String,
    aggregate_cube: String,
}

impl<'a> Names<'a> {
    fn of(evaluation: &'a Evaluation, mint: &Mint) -> Self {
        let iri = &evaluation.iri;
        Self {
            evaluation,
            states_entities: mint.model().states_what_others_infer(),
            system: evaluation.cases.submission.system_iri(),
            question_cube: format!("{iri}/cube/question"),
            aggregate_cube: format!("{iri}/cube/aggregate"),
        }
    }

    fn observation(&self, experiment: &Experiment, position: usize) -> String {
        let key = &self.evaluation.cases.dataset.document.questions[position].key;
        iri::observation(&self.evaluation.iri, experiment.name(), key)
    }

    fn slice(&self, experiment: &Experiment) -> String {
        format!("{}/slice/{}", self.evaluation.iri, experiment.name())
    }

    fn describe_evaluation(&self, lines: &mut Lines) {
        let evaluation = self.evaluation;
        lines
            .iri(rdf::TYPE, qassay::EVALUATION_CLASS)
            .text(dct::IDENTIFIER, &format!("sha256:{}", evaluation.digest))
            .typed(qassay::INPUT_DIGEST, &evaluation.digest, xsd::HEX_BINARY)
            .iri(qassay::SUBMISSION, &evaluation.cases.submission.iri)
            .iri(qassay::SYSTEM, &self.system)
            .iri(qassay::DATASET_VERSION, &evaluation.cases.dataset.iri)
            .iri(qassay::POLICY, &evaluation.profile().iri)
            .iri(qassay::GOLD_ORIGIN, &code::iri(&format!("gold-{}", evaluation.cases.asked.origin())))
            .iri(dct::LICENSE, CC0);
        if self.states_entities {
            lines.iri(rdf::TYPE, prov::ENTITY_CLASS);
        }
        for reference in evaluation.references() {
            lines.iri(reference.kind.property(), &reference.iri);
        }
        if let Some(gold) = &evaluation.cases.asked.gold {
            lines.iri(qassay::REFRESHED_GOLD, &gold.iri);
        }
        if let Some(executed) = &evaluation.cases.asked.executed {
            lines.iri(qassay::EXECUTED_ANSWERS, &executed.iri);
        }
        for (choice, values) in evaluation.plan.chosen() {
            choice.write(lines, &values);
        }
        for (experiment, _) in &evaluation.skipped {
            lines.iri(qassay::SKIPPED, &iri::skipped(&evaluation.iri, experiment));
        }
        for experiment in &evaluation.experiments {
            for (at, _) in experiment.skips() {
                let key = &evaluation.cases.dataset.document.questions[at].key;
                lines.iri(qassay::SKIPPED, &iri::skipped_question(&evaluation.iri, experiment.name(), key));
            }
        }
    }

    fn describe_slice(&self, lines: &mut Lines, experiment: &Experiment) {
        lines
            .iri(rdf::TYPE, qb::SLICE_CLASS)
            .iri(qb::SLICE_STRUCTURE, qassay::SLICE_BY_EXPERIMENT)
            .iri(qassay::EVALUATION, &self.evaluation.iri)
            .iri(qassay::EXPERIMENT_TYPE, &code::iri(experiment.name()));
        for (position, _) in experiment.results.iter().enumerate().filter(|(_, result)| result.is_some()) {
            lines.iri(qb::OBSERVATION, &self.observation(experiment, position));
        }
    }

    fn describe_skipped(&self, lines: &mut Lines, experiment: &str, question: Option<usize>, skip: Skip) {
        let dataset = &self.evaluation.cases.dataset;
        lines
            .iri(rdf::TYPE, qassay::SKIPPED_EXPERIMENT)
            .iri(qassay::EXPERIMENT_TYPE, &code::iri(experiment))
            .iri(qassay::SKIP_REASON, &code::iri(skip.code()));
        if let Some(position) = question {
            let key = &dataset.document.questions[position].key;
            lines.iri(qassay::SKIPPED_QUESTION, &iri::question(&dataset.iri, key));
        }
    }

    fn dimensions(&self, lines: &mut Lines, cube: &str, experiment: &Experiment) {
        lines
            .iri(rdf::TYPE, qb::OBSERVATION_CLASS)
            .iri(qb::DATA_SET, cube)
            .iri(qassay::EVALUATION, &self.evaluation.iri)
            .iri(qassay::SYSTEM, &self.system)
            .iri(qassay::DATASET_VERSION, &self.evaluation.cases.dataset.iri)
            .iri(qassay::EXPERIMENT_TYPE, &code::iri(experiment.name()));
    }

    fn observe_question(
        &self,
        lines: &mut Lines,
        experiment: &Experiment,
        position: usize,
        result: &QuestionResult,
    ) {
        let evaluation = self.evaluation;
        let question = iri::question(
            &evaluation.cases.dataset.iri,
            &evaluation.cases.dataset.document.questions[position].key,
        );
        self.dimensions(lines, &self.question_cube, experiment);
        lines
            .iri(qassay::QUESTION_DIMENSION, &question)
            .integer(qassay::TRUE_POSITIVES, result.counts.true_positives())
            .integer(qassay::FALSE_POSITIVES, result.counts.false_positives())
            .integer(qassay::FALSE_NEGATIVES, result.counts.false_negatives())
            .typed(qassay::PRECISION, &result.scores.precision.to_decimal(), xsd::DECIMAL)
            .typed(qassay::RECALL, &result.scores.recall.to_decimal(), xsd::DECIMAL)
            .typed(qassay::F1, &result.scores.f1.to_decimal(), xsd::DECIMAL)
            .iri(qassay::ANSWER_STATUS, &code::iri(result.status.code()))
            .iri(qassay::GOLD_ANSWER_ATTRIBUTE, &evaluation.gold_node(experiment, position));
        if let Some(shares) = &experiment.matching.questions[position].shares {
            lines.typed(qassay::SHARE_SUM, &shares.sum.to_decimal(), xsd::DECIMAL);
        }
        for row in evaluation.counted_rows(experiment, position) {
            lines.iri(qassay::COUNTED_ROW, &row);
        }
        if let Some(ndcg) = &result.ndcg {
            lines.typed(qassay::NDCG, &ndcg.to_decimal(), xsd::DECIMAL);
        }
        for (attribute, value) in experiment.attributes(&evaluation.plan, result) {
            lines.typed(&attribute, &value.to_decimal(), xsd::DECIMAL);
        }
        if let Some(answer) = evaluation.system_node(experiment, position) {
            lines.iri(qassay::SYSTEM_ANSWER_ATTRIBUTE, &answer);
        }
        if experiment.rules.reading == Reading::ItemTypes {
            let properties = [qassay::GOLD_ITEM_ORIGIN, qassay::SYSTEM_ITEM_ORIGIN];
            let origins = properties.into_iter().zip(evaluation.origins(experiment, position));
            for (property, _) in origins.filter(|(_, origin)| *origin == Some(ItemOrigin::Types)) {
                lines.iri(property, &code::iri("items-types"));
            }
        }
    }

    fn observe_group(
        &self,
        lines: &mut Lines,
        experiment: &Experiment,
        group: &str,
        metric: Metric,
        value: &Value,
    ) {
        self.dimensions(lines, &self.aggregate_cube, experiment);
        lines
            .iri(rdf::TYPE, dqv::QUALITY_MEASUREMENT)
            .iri(qassay::QUESTION_GROUP, &code::iri(group))
            .iri(qassay::METRIC, &code::iri(&metric.to_string()))
            .typed(qassay::VALUE, &value.value.to_decimal(), xsd::DECIMAL)
            .iri(sdmx_attribute::UNIT_MEASURE, unit_of(metric))
            .integer(qassay::SAMPLE_SIZE, value.sample_size);
        if let Some(ties) = &value.ties {
            lines.typed(qassay::WORST_VALUE, &ties.worst.to_decimal(), xsd::DECIMAL).typed(
                qassay::BEST_VALUE,
                &ties.best.to_decimal(),
                xsd::DECIMAL,
            );
        }
    }
}

/// The members of families of metrics that have a value in some groups, each once: the metric and its number.
fn members(evaluation: &Evaluation, has: impl Fn(&Group) -> bool) -> BTreeMap<String, (Metric, u64)> {
    let groups = evaluation.groups().filter(|group| has(group));
    let metrics = groups.flat_map(|group| &group.metrics).filter(|(_, value)| value.is_some());
    let members =
        metrics.filter_map(|(metric, _)| Some((code::iri(&metric.to_string()), (*metric, metric.cutoff?))));
    members.collect()
}

/// What is said about a member of a family of metrics.
pub(crate) fn describe_member(lines: &mut Lines, metric: Metric, cutoff: u64) {
    lines
        .iri(rdf::TYPE, skos::CONCEPT)
        .iri(rdf::TYPE, dqv::METRIC)
        .iri(skos::IN_SCHEME, &code::iri("metric"))
        .iri(skos::BROADER, &code::iri(metric.measure.name))
        .text(skos::NOTATION, &metric.to_string())
        .integer(qassay::CUTOFF, cutoff);
}

/// What is said about a group of questions of an open scheme.
pub(crate) fn describe_group(lines: &mut Lines, name: &str, label: &str) {
    lines
        .iri(rdf::TYPE, skos::CONCEPT)
        .iri(skos::IN_SCHEME, &code::iri("questionGroup"))
        .iri(skos::BROADER, &code::iri("groups-questiontype"))
        .text(skos::NOTATION, name.trim_start_matches("group-"))
        .text(skos::PREF_LABEL, label);
}

/// The unit of a metric.
pub(crate) fn unit_of(metric: Metric) -> &'static str {
    match metric.measure.unit {
        Unit::Count => unit::NUM,
        Unit::Seconds => unit::SEC,
        Unit::Share => unit::UNITLESS,
    }
}
