//! The command of an evaluation as provenance says it.

use std::path::Path;

use crate::profiles::Profile;
use crate::workbench::request::Request;

/// The options without paths: what provenance says about the command. `named` are the registered link sets and knowledge
/// bases among the references: option, and `NAME@VERSION`.
pub(crate) fn command_line(
    verb: &str,
    profiles: &[&Profile],
    request: &Request,
    named: &[(&'static str, String)],
) -> String {
    let choices = &request.choices;
    let names: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    let mut text = format!("qassay {verb} --profile {}", names.join(","));
    let mut option = |name: &str, value: &str| {
        text.extend([" --", name, " ", value]);
    };
    if let Some(language) = &choices.language {
        option("language", language);
    }
    for (kind, name) in named {
        option(kind, name);
    }
    for kind in &choices.link_kinds {
        option("link-kind", kind.name());
    }
    if !request.kb.is_empty() {
        option("gold", request.gold.name());
    }
    for kb in &request.kb {
        // Neither paths nor addresses, which may hold a password.
        if !kb.contains(['/', '\\']) && !Path::new(kb).exists() {
            option("kb", kb);
        }
    }
    if let Some(mode) = choices.same_as {
        option("same-as", mode.name());
    }
    if let Some(experiments) = &choices.experiments {
        option("experiment", &experiments.join(","));
    }
    if let Some(loader) = choices.loader {
        option("loader", loader.name());
    }
    if !choices.cutoffs.is_empty() {
        let cutoffs: Vec<String> = choices.cutoffs.iter().map(u64::to_string).collect();
        option("cutoffs", &cutoffs.join(","));
    }
    if let Some(part) = choices.part {
        option("part", part.name());
    }
    text
}
