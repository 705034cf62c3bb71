//! What is wrong with a file, as RDF: measurements and annotations of the Data Quality Vocabulary.
//!
//! Source: Data on the Web Best Practices: Data Quality Vocabulary (W3C Working Group Note, 15 December 2016),
//! section 4: `dqv:QualityMeasurement` and `dqv:QualityAnnotation`.

use std::collections::BTreeMap;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dqv, oa, prov, qassay, rdf, schema};
use crate::record::publish::provenance::issue_statements;
use crate::sources::quality::inspection::Inspection;

/// The measurements and annotations of files as canonical N-Quads, one graph a file. A file that is given twice
/// is described once.
pub fn quads(mint: &Mint, inspections: &[Inspection]) -> Result<String> {
    let mut files: Vec<&Inspection> = inspections.iter().collect();
    files.sort_by(|a, b| a.source.sha256().cmp(b.source.sha256()));
    files.dedup_by(|a, b| a.source.sha256() == b.source.sha256());
    let mut out = Vec::new();
    for inspection in files {
        let written = describe(mint, inspection).write_to(&mut out);
        written.map_err(|error| Error::system(format!("cannot write to memory: {error}")))?;
    }
    String::from_utf8(out).map_err(|error| Error::system(format!("the statements are no UTF-8: {error}")))
}

fn describe(mint: &Mint, inspection: &Inspection) -> Lines {
    let file = mint.file(inspection.source.sha256());
    let mut lines = Lines::new(&format!("{file}/quality"));
    lines
        .subject(&file)
        .iri(rdf::TYPE, prov::ENTITY_CLASS)
        .iri(rdf::TYPE, schema::MEDIA_OBJECT)
        .text(qassay::FORMAT, inspection.format.name);
    let contents = &inspection.contents;
    for (_, concept, count) in contents.counts() {
        measure(&mut lines, &file, concept, None, count);
    }
    parts(&mut lines, &file, "fileTexts", &contents.languages);
    parts(&mut lines, &file, "fileAnswerTypes", &contents.answer_types);
    parts(&mut lines, &file, "fileAnswerKinds", &contents.answer_kinds);
    for (issue, number) in inspection.issues.iter().zip(1..) {
        let node = format!("{file}#issue-{number}");
        lines.subject(&file).iri(dqv::HAS_QUALITY_ANNOTATION, &node);
        lines
            .subject(&node)
            .iri(rdf::TYPE, dqv::QUALITY_ANNOTATION)
            .iri(oa::HAS_TARGET, &file)
            .iri(oa::MOTIVATED_BY, dqv::QUALITY_ASSESSMENT);
        issue_statements(&mut lines, &node, &file, issue);
    }
    lines
}

/// The counts of the parts of something: languages, types, kinds.
fn parts(lines: &mut Lines, file: &str, metric: &str, counts: &BTreeMap<impl AsRef<str>, usize>) {
    for ((part, count), number) in counts.iter().zip(1..) {
        measure(lines, file, metric, Some((number, part.as_ref())), *count);
    }
}

/// One count. The count of a part says of which, and has a number in its name.
fn measure(lines: &mut Lines, file: &str, metric: &str, part: Option<(u64, &str)>, count: usize) {
    let node = match part {
        Some((number, _)) => format!("{file}#{metric}-{number}"),
        None => format!("{file}#{metric}"),
    };
    lines.subject(file).iri(dqv::HAS_QUALITY_MEASUREMENT, &node);
    lines
        .subject(&node)
        .iri(rdf::TYPE, dqv::QUALITY_MEASUREMENT)
        .iri(dqv::IS_MEASUREMENT_OF, &code::iri(metric))
        .iri(dqv::COMPUTED_ON, file)
        .integer(dqv::VALUE, count as u64);
    if let Some((_, name)) = part {
        lines.text(qassay::MEASURED_PART, name);
    }
}
