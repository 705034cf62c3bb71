//! The manifest: everything that decides the numbers of an evaluation, and so its name.

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::scoring::asked::Asked;
use crate::scoring::options::Prepared;
use crate::sources::input::{DatasetInput, SubmissionInput};

/// Everything that decides the numbers of an evaluation, as sorted lines. No clock, host, path or build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    lines: Vec<String>,
}

impl Manifest {
    /// The manifest of an evaluation.
    pub fn new(
        dataset: &DatasetInput,
        submission: &SubmissionInput,
        prepared: &Prepared,
        asked: &Asked,
    ) -> Self {
        let mut inputs = vec![
            format!("dataset {} sha256:{}", dataset.slug, dataset.source.sha256()),
            format!("submission sha256:{}", submission.source.sha256()),
            format!("profile {}", prepared.profile.iri),
            format!("gold {}", asked.origin()),
        ];
        inputs.extend(
            prepared
                .references
                .iter()
                .map(|reference| format!("{} sha256:{}", reference.kind.name(), reference.source.sha256())),
        );
        for (what, kept) in asked.kept() {
            inputs.push(format!("{what} sha256:{}", kept.source.sha256()));
            inputs.push(kept.manifest_line());
        }
        for (choice, values) in prepared.chosen() {
            let values = choice.written(values).into_iter();
            inputs.extend(values.map(|value| format!("{} {value}", choice.manifest)));
        }
        inputs.sort_unstable();
        inputs.dedup();
        Self { lines: inputs }
    }

    /// The lines, sorted.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// sha256 of the lines: 64 lower-case hex digits.
    pub fn digest(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        hex(&Sha256::digest(text))
    }
}
