//! Records of an evaluation beside what their files and graphs say.

use crate::base::error::Error;
use crate::base::iri::Mint;
use crate::base::text;
use crate::record::publish::graphs::EvaluationGraphs;
use crate::record::publish::kinds::GraphKind;
use crate::record::publish::provenance::{self, ToldGraphs};
use crate::sources::archive::hashing::read_file;

use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::keep;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::inputs::ArchivedInputs;
use crate::record::verify::reexecute::Reproduction;
use crate::record::verify::reexecute::execution::ReproducedExecution;

impl Reproduction {
    /// A record that is not what it should be: of this build a problem; another one may have written it differently.
    fn other_record(&mut self, path: String, what: &str) {
        if self.is_of_this_build() {
            self.others.push(format!("{path}: the record does not say what {what}"));
        } else {
            self.rewritten.push(path);
        }
    }

    /// The records of the inputs must be, byte for byte, what their files and names say.
    pub fn input_records(&mut self, archived: &Archived, records: &[keep::KeptRecord]) {
        for record in records {
            let path = archived.archive.record(record.kind, &record.key);
            match read_file(&path) {
                Ok(kept) if kept == record.content => {}
                Ok(_) => {
                    self.other_record(text::path(&path), "its file says");
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    self.missing.push(AbsentPart::of_path(&path));
                }
                Err(error) => self.others.push(Error::io("read the record", &path, &error).to_string()),
            }
        }
    }

    /// What was answered has a record. It says the limits too, so what it must say is not known.
    pub fn answer_records(&mut self, archived: &Archived, inputs: &ArchivedInputs) {
        for (_, kept) in inputs.asked().kept() {
            let path = archived.archive.record("answers", &kept.snapshot.key());
            if !path.is_file() {
                self.missing.push(AbsentPart::of_path(&path));
            }
        }
    }

    /// The records of the executions must be what their graphs say.
    pub fn execution_records(&mut self, archived: &Archived, known: &ArchivedEvaluation, mint: &Mint) {
        let mut wrong = Vec::new();
        for execution in &self.executions {
            let keys = (tail(&known.iri), tail(&execution.recorded.iri));
            let path = archived.archive.record("execution", keys.1);
            let expected = expected_record(archived, mint, execution, keys);
            if read_file(&path).ok() != expected {
                wrong.push(text::path(&path));
            }
        }
        for path in wrong {
            self.other_record(path, "its graphs say");
        }
    }

    /// Every registered graph of the evaluation was recorded by an execution.
    pub fn registered(&mut self, archived: &Archived, mint: &Mint, known: &ArchivedEvaluation) {
        let key = tail(&known.iri);
        if key.len() < 32 {
            return;
        }
        for kind in GraphKind::of_execution(mint.model()) {
            let name = kind.graph(mint, key);
            let Ok(graph) = archived.graph(&name) else {
                self.others.push(format!("no record registers <{name}>"));
                continue;
            };
            let is_recorded = self.executions.iter().any(|execution| {
                execution.recorded.digests.get(kind).is_none_or(|recorded| *recorded == graph.sha256)
            });
            if !is_recorded {
                self.others.push(format!(
                    "<{name}> is registered with the checksum {}, which no execution recorded",
                    graph.sha256
                ));
            }
        }
    }
}

/// The end of an IRI.
fn tail(iri: &str) -> &str {
    iri.rsplit('/').next().unwrap_or_default()
}

/// The record that an execution has, by its graphs.
fn expected_record(
    archived: &Archived,
    mint: &Mint,
    execution: &ReproducedExecution,
    (evaluation, key): (&str, &str),
) -> Option<Vec<u8>> {
    let is_key = |key: &str| key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_key(evaluation) || !is_key(key) {
        return None;
    }
    let stored = |name: &str| archived.graph(name).ok().map(RegisteredGraph::stored);
    let of_kind = |kind: GraphKind| {
        let name = kind.graph(mint, evaluation);
        stored(&name).ok_or_else(|| Error::check(format!("no record registers <{name}>")))
    };
    let graphs = EvaluationGraphs::try_new(mint, of_kind).ok()?;
    let told = ToldGraphs {
        provenance: stored(&mint.provenance_graph(key))?,
        messages: stored(&mint.messages_graph(key)),
    };
    let recorded = &execution.recorded;
    let build = recorded.build.name();
    let mut lines = provenance::record(mint, (evaluation, key), (&graphs, &told), &build, &recorded.cast);
    let mut content = Vec::new();
    lines.write_to(&mut content).ok()?;
    Some(content)
}
