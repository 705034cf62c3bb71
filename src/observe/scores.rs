//! The scores graph: the evaluation and both its cubes (RDF Data Cube; DQV for the aggregates).

use std::io::{self, Write};

use super::evaluation::{EXPERIMENT, Evaluation};
use crate::graph::canonical::{self, Lines};
use crate::graph::iri::{self, Mint};
use crate::graph::vocab::{code, dataid, dcat, dct, dqv, prov, qassay, qb, rdf, sdmx_attribute, unit, xsd};
use crate::measure::Value;

/// The licence of what we publish ourselves.
const CC0: &str = "https://creativecommons.org/publicdomain/zero/1.0/";

/// What a subject of the graph is.
enum Part<'a> {
    Evaluation,
    QuestionCube,
    AggregateCube,
    Slice,
    Observation(usize),
    Aggregate(&'a str, &'a str, &'a Value),
}

/// Writes the scores graph of an evaluation.
pub fn write(out: &mut (impl Write + ?Sized), mint: &Mint, evaluation: &Evaluation<'_>) -> io::Result<u64> {
    let names = Names::of(evaluation);
    let mut subjects = vec![
        (evaluation.iri.clone(), Part::Evaluation),
        (names.question_cube.clone(), Part::QuestionCube),
        (names.aggregate_cube.clone(), Part::AggregateCube),
        (names.slice.clone(), Part::Slice),
    ];
    subjects.reserve(evaluation.results.len());
    subjects.extend((0..evaluation.results.len()).map(|at| (names.observation(at), Part::Observation(at))));
    for group in &evaluation.groups {
        for (metric, value) in
            group.metrics.iter().filter_map(|(metric, value)| Some((metric, value.as_ref()?)))
        {
            let short = group.name.trim_start_matches("group-");
            let node = iri::aggregate(&evaluation.iri, EXPERIMENT, short, metric);
            subjects.push((node, Part::Aggregate(&group.name, metric, value)));
        }
    }
    canonical::write_subjects(out, &mint.scores_graph(&evaluation.digest), subjects, |part, lines| match part
    {
        Part::Evaluation => names.describe_evaluation(lines),
        Part::QuestionCube => names.describe_question_cube(lines),
        Part::AggregateCube => names.describe_aggregate_cube(lines),
        Part::Slice => names.describe_slice(lines),
        Part::Observation(at) => names.observe_question(lines, *at),
        Part::Aggregate(group, metric, value) => names.observe_group(lines, group, metric, value),
    })
}

/// The names that many statements share, made once.
struct Names<'a> {
    evaluation: &'a Evaluation<'a>,
    system: String,
    question_cube: String,
    aggregate_cube: String,
    slice: String,
    experiment: String,
}

impl<'a> Names<'a> {
    fn of(evaluation: &'a Evaluation<'a>) -> Self {
        let iri = &evaluation.iri;
        Self {
            evaluation,
            system: evaluation.submission.system_iri(),
            question_cube: format!("{iri}/cube/question"),
            aggregate_cube: format!("{iri}/cube/aggregate"),
            slice: format!("{iri}/slice/{EXPERIMENT}"),
            experiment: code::iri(EXPERIMENT),
        }
    }

    fn observation(&self, position: usize) -> String {
        let key = &self.evaluation.dataset.document.questions[position].key;
        iri::observation(&self.evaluation.iri, EXPERIMENT, key)
    }

    fn describe_evaluation(&self, lines: &mut Lines) {
        let evaluation = self.evaluation;
        lines
            .iri(rdf::TYPE, qassay::EVALUATION_CLASS)
            .text(dct::IDENTIFIER, &format!("sha256:{}", evaluation.digest))
            .typed(qassay::INPUT_DIGEST, &evaluation.digest, xsd::HEX_BINARY)
            .iri(qassay::SUBMISSION, &evaluation.submission.iri)
            .iri(qassay::SYSTEM, &self.system)
            .iri(qassay::DATASET_VERSION, &evaluation.dataset.iri)
            .iri(qassay::POLICY, &evaluation.profile.iri)
            .iri(qassay::GOLD_ORIGIN, &code::iri("gold-curated"))
            .iri(dct::LICENSE, CC0);
        for links in &evaluation.links {
            lines.iri(qassay::LINKSET, &links.iri);
        }
        if let Some(language) = &evaluation.language {
            lines.text(qassay::EVALUATION_LANGUAGE, language);
        }
    }

    fn describe_cube(&self, lines: &mut Lines, title: &str, description: &str, structure: &str) {
        let evaluation = self.evaluation;
        for class in [qb::DATA_SET_CLASS, dcat::DATASET_CLASS, dataid::DATASET] {
            lines.iri(rdf::TYPE, class);
        }
        let of = format!(
            "submission {} on {}",
            &evaluation.submission.source.sha256()[..8],
            evaluation.dataset.slug
        );
        lines
            .text_in(dct::TITLE, &format!("{title}: {of}"), Some("en"))
            .text_in(dct::DESCRIPTION, description, Some("en"))
            .iri(qb::STRUCTURE, structure)
            .iri(dct::IS_PART_OF, &evaluation.iri)
            .iri(dct::LICENSE, CC0)
            .iri(prov::WAS_DERIVED_FROM, &evaluation.submission.iri)
            .iri(prov::WAS_DERIVED_FROM, &evaluation.dataset.iri);
        for links in &evaluation.links {
            lines.iri(prov::WAS_DERIVED_FROM, &links.iri);
        }
    }

    fn describe_question_cube(&self, lines: &mut Lines) {
        self.describe_cube(
            lines,
            "Scores per question",
            "Counts, precision, recall and F1 of every question.",
            qassay::DSD_QUESTION,
        );
        lines.iri(qb::SLICE, &self.slice);
    }

    fn describe_aggregate_cube(&self, lines: &mut Lines) {
        self.describe_cube(
            lines,
            "Aggregate metrics",
            "Metrics over all questions and over groups of questions. An undefined metric is absent.",
            qassay::DSD_AGGREGATE,
        );
        lines.iri(rdf::TYPE, dqv::QUALITY_MEASUREMENT_DATASET);
    }

    fn describe_slice(&self, lines: &mut Lines) {
        lines
            .iri(rdf::TYPE, qb::SLICE_CLASS)
            .iri(qb::SLICE_STRUCTURE, qassay::SLICE_BY_EXPERIMENT)
            .iri(qassay::EVALUATION, &self.evaluation.iri)
            .iri(qassay::EXPERIMENT_TYPE, &self.experiment);
        for position in 0..self.evaluation.results.len() {
            lines.iri(qb::OBSERVATION, &self.observation(position));
        }
    }

    fn dimensions(&self, lines: &mut Lines, cube: &str) {
        lines
            .iri(rdf::TYPE, qb::OBSERVATION_CLASS)
            .iri(qb::DATA_SET, cube)
            .iri(qassay::EVALUATION, &self.evaluation.iri)
            .iri(qassay::SYSTEM, &self.system)
            .iri(qassay::DATASET_VERSION, &self.evaluation.dataset.iri)
            .iri(qassay::EXPERIMENT_TYPE, &self.experiment);
    }

    fn observe_question(&self, lines: &mut Lines, position: usize) {
        let evaluation = self.evaluation;
        let result = &evaluation.results[position];
        let question =
            iri::question(&evaluation.dataset.iri, &evaluation.dataset.document.questions[position].key);
        self.dimensions(lines, &self.question_cube);
        lines
            .iri(qassay::QUESTION_DIMENSION, &question)
            .integer(qassay::TRUE_POSITIVES, result.counts.true_positives())
            .integer(qassay::FALSE_POSITIVES, result.counts.false_positives())
            .integer(qassay::FALSE_NEGATIVES, result.counts.false_negatives())
            .typed(qassay::PRECISION, &result.scores.precision.to_decimal(), xsd::DECIMAL)
            .typed(qassay::RECALL, &result.scores.recall.to_decimal(), xsd::DECIMAL)
            .typed(qassay::F1, &result.scores.f1.to_decimal(), xsd::DECIMAL)
            .iri(qassay::ANSWER_STATUS, &code::iri(result.status.code()))
            .iri(qassay::GOLD_ANSWER_ATTRIBUTE, &iri::curated_gold(&question));
        if let Some(answer) = evaluation.answer(position) {
            let answer = iri::system_answer(&evaluation.submission.iri, &answer.key);
            lines.iri(qassay::SYSTEM_ANSWER_ATTRIBUTE, &answer);
        }
    }

    fn observe_group(&self, lines: &mut Lines, group: &str, metric: &str, value: &Value) {
        self.dimensions(lines, &self.aggregate_cube);
        lines
            .iri(rdf::TYPE, dqv::QUALITY_MEASUREMENT)
            .iri(qassay::QUESTION_GROUP, &code::iri(group))
            .iri(qassay::METRIC, &code::iri(metric))
            .typed(qassay::VALUE, &value.value.to_decimal(), xsd::DECIMAL)
            .iri(sdmx_attribute::UNIT_MEASURE, unit_of(metric))
            .integer(qassay::SAMPLE_SIZE, value.sample_size);
    }
}

fn unit_of(metric: &str) -> &'static str {
    match metric {
        _ if metric.ends_with("Count") => unit::NUM,
        _ if metric.ends_with("Time") => unit::SEC,
        _ => unit::UNITLESS,
    }
}
