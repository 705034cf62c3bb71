//! The cubes themselves: what they are called, and what they were made from.

use crate::base::rdf::lines::Lines;
use crate::base::vocab::{dataid, dcat, dct, dqv, prov, qassay, qb, rdf};
use crate::record::publish::scores::{CC0, Names};

impl Names<'_> {
    fn describe_cube(&self, lines: &mut Lines, title: &str, description: &str, structure: &str) {
        let evaluation = self.evaluation;
        for class in [qb::DATA_SET_CLASS, dcat::DATASET_CLASS, dataid::DATASET] {
            lines.iri(rdf::TYPE, class);
        }
        if self.states_entities {
            lines.iri(rdf::TYPE, prov::ENTITY_CLASS);
        }
        let of = format!(
            "submission {} on {}",
            &evaluation.cases.submission.source.sha256()[..8],
            evaluation.cases.dataset.name
        );
        lines
            .text_in(dct::TITLE, &format!("{title}: {of}"), Some("en"))
            .text_in(dct::DESCRIPTION, description, Some("en"))
            .iri(qb::STRUCTURE, structure)
            .iri(dct::IS_PART_OF, &evaluation.iri)
            .iri(dct::LICENSE, CC0)
            .iri(prov::WAS_DERIVED_FROM, &evaluation.cases.submission.iri)
            .iri(prov::WAS_DERIVED_FROM, &evaluation.cases.dataset.iri);
        for reference in evaluation.references() {
            lines.iri(prov::WAS_DERIVED_FROM, &reference.iri);
        }
        for (_, kept) in evaluation.cases.asked.kept() {
            lines.iri(prov::WAS_DERIVED_FROM, &kept.iri);
        }
    }

    pub(crate) fn describe_question_cube(&self, lines: &mut Lines) {
        self.describe_cube(
            lines,
            "Scores per question",
            "Counts, precision, recall and F1 of every question.",
            qassay::DSD_QUESTION,
        );
        for experiment in &self.evaluation.experiments {
            lines.iri(qb::SLICE, &self.slice(experiment));
        }
    }

    pub(crate) fn describe_aggregate_cube(&self, lines: &mut Lines) {
        self.describe_cube(
            lines,
            "Aggregate metrics",
            "Metrics over all questions and over groups of questions. An undefined metric is absent.",
            qassay::DSD_AGGREGATE,
        );
        lines.iri(rdf::TYPE, dqv::QUALITY_MEASUREMENT_DATASET);
    }
}
