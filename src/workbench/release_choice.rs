//! Which blind submissions a release is about.

use std::path::Path;

use crate::base::error::{Error, Result};
use crate::record::archived::profile_name;
use crate::record::blind_records::BlindRecord;
use crate::sources::archive::hashing::file_digest;

/// The blind submissions that are meant, in the order of acceptance.
pub(crate) fn chosen(
    word: &str,
    profile: Option<&str>,
    all: &[BlindRecord],
    root: &Path,
) -> Result<Vec<BlindRecord>> {
    let sha256 = if Path::new(word).is_file() { Some(file_digest(Path::new(word))?) } else { None };
    let is_meant = |one: &&BlindRecord| match &sha256 {
        Some(sha256) => one.gold == *sha256,
        None => one.dataset == word || one.slug() == word,
    };
    let of_dataset: Vec<&BlindRecord> = all.iter().filter(is_meant).collect();
    let in_archive = |error: Error| error.in_file(root.display().to_string());
    if all.is_empty() {
        return Err(in_archive(Error::input("the archive has no blind submissions"))
            .hint("`qassay evaluate --blind GOLD ANSWERS --system NAME` accepts one"));
    }
    if of_dataset.is_empty() {
        return Err(in_archive(Error::input(format!("the archive has no blind submissions to `{word}`")))
            .allowed(listed(all, |one| format!("{} ({})", one.slug(), one.dataset))));
    }
    if of_dataset.iter().any(|one| one.dataset != of_dataset[0].dataset) {
        return Err(in_archive(Error::input(format!("`{word}` has blind submissions to several versions")))
            .allowed(listed(of_dataset, |one| one.dataset.clone())));
    }
    let wanted = |one: &&BlindRecord| profile.is_none_or(|name| profile_name(&one.profile) == name);
    let chosen: Vec<BlindRecord> = of_dataset.iter().copied().filter(wanted).cloned().collect();
    if chosen.is_empty() {
        let name = profile.unwrap_or_default();
        return Err(in_archive(Error::input(format!(
            "no blind submission to `{word}` is for the profile `{name}`"
        )))
        .allowed(listed(of_dataset, |one| profile_name(&one.profile).to_owned())));
    }
    Ok(chosen)
}

/// What is there, each once.
fn listed<'a>(
    records: impl IntoIterator<Item = &'a BlindRecord>,
    what: fn(&BlindRecord) -> String,
) -> String {
    let mut names: Vec<String> = records.into_iter().map(what).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}
