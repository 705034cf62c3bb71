//! The manifest: everything that decides the numbers of an evaluation, and so its name.

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::profiles::loaders::Loader;
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
        inputs.extend(prepared.same_as.map(|mode| format!("same-as {}", mode.name())));
        inputs.extend(prepared.options.language.iter().map(|language| format!("language {language}")));
        inputs.extend(prepared.restricted_to().map(|names| format!("experiments {}", names.join(","))));
        inputs.extend(prepared.loader().map(|loader| format!("loader {}", loader.name())));
        inputs.extend(prepared.link_kinds().iter().map(|kind| format!("link-kind {}", kind.name())));
        inputs.extend(cutoffs(prepared));
        inputs.extend(prepared.options.part.map(|part| format!("part {}", part.name())));
        inputs.sort_unstable();
        inputs.dedup();
        Self { lines: inputs }
    }

    /// sha256 of the lines: 64 lower-case hex digits.
    pub fn digest(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        hex(&Sha256::digest(text))
    }
}

fn cutoffs(prepared: &Prepared) -> Option<String> {
    let cutoffs: Vec<String> = prepared.cutoffs().iter().map(u64::to_string).collect();
    (!cutoffs.is_empty()).then(|| format!("cutoffs {}", cutoffs.join(",")))
}

impl Prepared {
    /// The loader, where it is not the one that the profile takes by itself.
    pub fn loader(&self) -> Option<Loader> {
        Some(self.loading().loader).filter(|loader| *loader != self.profile.loader)
    }

    /// The experiment types, where the user wants fewer than the profile scores.
    pub fn restricted_to(&self) -> Option<Vec<&str>> {
        let names = self.profile.experiments.iter().map(|rules| rules.name.as_str());
        let wanted: Vec<&str> = names.filter(|name| self.options.wants(name)).collect();
        (wanted.len() < self.profile.experiments.len()).then_some(wanted)
    }
}
