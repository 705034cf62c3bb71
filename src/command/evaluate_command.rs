//! The command of an evaluation as provenance says it.

use std::path::Path;

use qassay::profiles::loaders::{Loader, Part};
use qassay::scoring::gerbil::same_as::Mode;

use crate::cli::{GoldChoice, Scoring, link_kinds};

/// What was chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chosen<'a> {
    /// The subcommand.
    pub(super) command: &'a str,
    /// The names of the profiles.
    pub(super) profiles: &'a [String],
    /// The experiment types; all where there are none.
    pub(super) experiments: &'a [String],
    /// Which gold answers count.
    pub(super) gold: GoldChoice,
    /// The rest.
    pub(super) scoring: &'a Scoring,
}

/// The options without paths: what provenance says about the command.
pub(super) fn command_line(chosen: Chosen<'_>, named: &[(&str, String)]) -> String {
    let arguments = chosen.scoring;
    let mut text = format!("qassay {} --profile {}", chosen.command, chosen.profiles.join(","));
    let mut option = |name: &str, value: &str| {
        text.extend([" --", name, " ", value]);
    };
    if let Some(language) = &arguments.language {
        option("language", language);
    }
    for (kind, name) in named {
        option(kind, name);
    }
    for kind in link_kinds(&arguments.link_kind) {
        option("link-kind", kind.name());
    }
    if !arguments.kb.is_empty() {
        option("gold", chosen.gold.name());
    }
    for kb in &arguments.kb {
        // Neither paths nor addresses, which may hold a password.
        if !kb.contains(['/', '\\']) && !Path::new(kb).exists() {
            option("kb", kb);
        }
    }
    if let Some(mode) = arguments.same_as {
        option("same-as", Mode::from(mode).name());
    }
    if !chosen.experiments.is_empty() {
        option("experiment", &chosen.experiments.join(","));
    }
    if let Some(loader) = arguments.loader {
        option("loader", Loader::from(loader).name());
    }
    if !arguments.cutoffs.is_empty() {
        let cutoffs: Vec<String> = arguments.cutoffs.iter().map(u64::to_string).collect();
        option("cutoffs", &cutoffs.join(","));
    }
    if let Some(part) = arguments.part {
        option("part", Part::from(part).name());
    }
    text
}
