//! Computes an archived evaluation again and compares everything that must be the same.

use qassay::graph::iri::Mint;
use qassay::{Error, Result};

use super::archived::{Archived, ArchivedEvaluation};
use super::inputs::Inputs;
use super::keep;

/// What is not as it was: digests of executions, checksums of graphs, records of the inputs.
pub(super) fn reexecute(archived: &Archived, known: &ArchivedEvaluation) -> Vec<String> {
    again(archived, known).unwrap_or_else(|error| vec![error.to_string()])
}

fn again(archived: &Archived, known: &ArchivedEvaluation) -> Result<Vec<String>> {
    let mint = Mint::default();
    let inputs = Inputs::read(archived, known, &mint)?;
    let prepared = inputs.prepare()?;
    let evaluation = inputs.evaluate(&mint, &prepared)?;
    let mut problems = changed_records(archived, &inputs.records(&mint)?);
    if evaluation.iri != known.iri {
        problems.push(format!("the inputs name another evaluation: <{}>", evaluation.iri));
    }
    let graphs = keep::digests(&mint, &evaluation)?;
    for (execution, digest) in known.digests.iter().filter(|(_, digest)| *digest != graphs.scores.sha256) {
        problems.push(format!(
            "<{execution}> recorded scores with the digest {digest}, computed again they have {}",
            graphs.scores.sha256
        ));
    }
    for (name, stored) in [
        (mint.scores_graph(&evaluation.digest), &graphs.scores),
        (mint.match_graph(&evaluation.digest), &graphs.matches),
    ] {
        let registered = archived.graph(&name)?;
        if registered.sha256 != stored.sha256 {
            problems.push(format!(
                "<{name}> is kept with the checksum {}, computed again it has {}",
                registered.sha256, stored.sha256
            ));
        }
    }
    Ok(problems)
}

/// The records of the inputs that are not, byte for byte, what their files and names say.
fn changed_records(archived: &Archived, records: &[keep::Record]) -> Vec<String> {
    let mut problems = Vec::new();
    for record in records {
        let path = archived.archive.record(record.kind, &record.key);
        match std::fs::read(&path) {
            Ok(kept) if kept == record.content => {}
            Ok(_) => problems.push(format!("{}: the record does not say what its file says", path.display())),
            Err(error) => problems.push(Error::io("read the record", &path, &error).to_string()),
        }
    }
    problems
}
