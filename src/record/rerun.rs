//! How an evaluation is computed again by hand: pages name the command.

use crate::profiles::Profile;
use crate::profiles::choices::CHOICES;
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::record::results::Results;
use crate::references::ReferenceKind;
use crate::sources::archive::stored::input_path;

/// The command line that gives the same IRI: files by their places in a record, the profile, and every choice that holds.
pub(crate) fn command(results: &Results, evaluation: &ArchivedEvaluation) -> String {
    let mut words: Vec<String> = ["qassay", "evaluate"]
        .into_iter()
        .map(str::to_owned)
        .chain([input_path(&evaluation.gold), input_path(&evaluation.answers)])
        .collect();
    let mut option = |name: &str, value: &str| words.push(option(name, value));
    option("system", &evaluation.system);
    let own = evaluation.references.iter().find(|(kind, _)| *kind == ReferenceKind::Profiles);
    match (Profile::with_iri(&evaluation.profile), own) {
        (None, Some((_, sha256))) => option("profile", &input_path(sha256)),
        _ => option("profile", profile_name(&evaluation.profile)),
    }
    for (kind, sha256) in evaluation.references.iter().filter(|(kind, _)| *kind != ReferenceKind::Profiles) {
        option(kind.name(), &input_path(sha256));
    }
    let answered = evaluation.gold_answers.iter().chain(&evaluation.executed_answers);
    for sha256 in answered {
        option("kb", &input_path(sha256));
    }
    if evaluation.gold_answers.is_some() {
        option("gold", &results.conditions.gold);
    }
    for choice in &CHOICES {
        for value in choice.written(choice.given(&evaluation.choices)) {
            option(choice.option, &value);
        }
    }
    words.join(" \\\n  ").replacen(" \\\n  ", " ", 1)
}

/// An option of the command line with its value, for a shell.
pub fn option(name: &str, value: &str) -> String {
    // What begins with a hyphen would be another option.
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!("--{name}{between}{}", quoted(value))
}

/// A word for a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._/,@+:".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
