//! The command of an evaluation as provenance says it.

use std::path::Path;

use crate::profiles::Profile;
use crate::profiles::choices::CHOICES;
use crate::workbench::request::Request;

/// The options without paths: what provenance says about the command. `named` are the registered link sets and knowledge
/// bases among the references: option, and `NAME@VERSION`.
pub(crate) fn command_line(
    verb: &str,
    profiles: &[&Profile],
    request: &Request,
    named: &[(&'static str, String)],
) -> String {
    let names: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
    let mut text = format!("qassay {verb} --profile {}", names.join(","));
    let mut option = |name: &str, value: &str| {
        text.extend([" --", name, " ", value]);
    };
    for choice in &CHOICES {
        match choice.option {
            "link-kind" => named.iter().for_each(|(kind, name)| option(kind, name)),
            "same-as" if !request.kb.is_empty() => {
                option("gold", request.gold.name());
                // Neither paths nor addresses, which may hold a password.
                let is_name = |kb: &&String| !kb.contains(['/', '\\']) && !Path::new(kb).exists();
                request.kb.iter().filter(is_name).for_each(|kb| option("kb", kb));
            }
            _ => {}
        }
        let values = choice.written(choice.given(&request.choices));
        values.iter().for_each(|value| option(choice.option, value));
    }
    text
}
