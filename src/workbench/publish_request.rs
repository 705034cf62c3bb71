//! What is asked of a publication: what, by whom, under which licence, on which day.

use std::collections::BTreeSet;

use crate::base::clock::now;
use crate::base::error::{Error, Result};
use crate::base::text;
use crate::record::publication::act::{Publication, Publisher};
use crate::record::publication::agent::Agent;
use crate::record::publication::licence::{Licence, USUAL};

/// What is to be published, by whom.
#[derive(Debug, Clone, Default)]
pub struct PublishRequest {
    /// The evaluations and comparisons, as they are called.
    pub words: Vec<String>,
    /// Of the names of submissions that several systems share those that are published; none: those among the words, or all of
    /// what is named otherwise.
    pub names: Option<BTreeSet<String>>,
    /// Who made it; nobody: who made what the archive published last.
    pub creators: Vec<Agent>,
    /// Who publishes it; nobody: who published what the archive published last.
    pub publisher: Option<Agent>,
    /// The licence of what this program made; none: CC0 1.0.
    pub licence: Option<&'static Licence>,
    /// Licences of inputs, where the publisher knows them: what an input is called, and its licence.
    pub input_licences: Vec<(String, &'static Licence)>,
    /// The DOI, once there is one.
    pub doi: Option<String>,
    /// What it is called; nothing: as the last time, else what is in it.
    pub title: Option<String>,
    /// The day, `2026-11-22`; none: today.
    pub day: Option<String>,
}

/// Who publishes; what is not said is as it was the last time.
pub(super) fn publisher(
    request: &PublishRequest,
    latest: Option<&Publication>,
    last: Option<&Publication>,
    mut stated: BTreeSet<(String, String)>,
) -> Result<Publisher> {
    let last = latest.or(last);
    let creators = match request.creators.as_slice() {
        [] => last.map(|last| last.by.creators.clone()).unwrap_or_default(),
        creators => creators.to_vec(),
    };
    let publisher = request.publisher.clone().or_else(|| last.map(|last| last.by.publisher.clone()));
    let publisher = publisher.or_else(|| creators.first().cloned());
    let Some(publisher) = publisher.filter(|_| !creators.is_empty()) else {
        return Err(Error::input("nobody says who publishes this").hint(
            "`⌥creator \"NAME <ORCID>\"` names who made it, `⌥publisher \"NAME <ROR or page>\"` who publishes it; \
             the archive keeps both, and they hold until others are named",
        ));
    };
    let all: Vec<&Agent> = creators.iter().chain([&publisher]).collect();
    let others = |one: &&&Agent| all.iter().any(|other| other.iri == one.iri && other.name != one.name);
    if let Some(one) = all.iter().find(others) {
        return Err(Error::input(format!("<{}> has two names", one.iri)).allowed("one name for everybody"));
    }
    // Whoever made it and publishes it is one, whatever kind his words would be taken for.
    let publisher = creators.iter().find(|one| one.iri == publisher.iri).unwrap_or(&publisher).clone();
    for (input, licence) in latest.into_iter().flat_map(|latest| &latest.by.stated) {
        if stated.iter().all(|(known, _)| known != input) {
            stated.insert((input.clone(), licence.clone()));
        }
    }
    let usual = || last.map_or_else(|| Licence::named(USUAL), |last| Ok(last.by.licence));
    Ok(Publisher {
        creators,
        publisher,
        licence: request.licence.map_or_else(usual, Ok)?,
        doi: match &request.doi {
            Some(stated) => Some(doi(stated)?),
            None => latest.and_then(|latest| latest.by.doi.clone()),
        },
        title: match &request.title {
            Some(stated) => Some(title(stated)?),
            None => latest.and_then(|latest| latest.by.title.clone()),
        },
        stated,
    })
}

/// A DOI without the address of its resolver: a prefix that begins with `10.`, a slash, and something (DOI Handbook, 2.2).
fn doi(stated: &str) -> Result<String> {
    let plain =
        ["https://doi.org/", "http://doi.org/", "doi:"].iter().find_map(|start| stated.strip_prefix(start));
    let plain = plain.unwrap_or(stated);
    let parts = plain.strip_prefix("10.").and_then(|rest| rest.split_once('/'));
    let is_doi = parts.is_some_and(|(prefix, suffix)| {
        !prefix.is_empty()
            && prefix.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            && !suffix.is_empty()
            && plain.chars().all(|one| {
                one.is_ascii_graphic() && !matches!(one, '<' | '>' | '"' | '{' | '}' | '\\' | '^' | '`' | '|')
            })
    });
    if is_doi {
        return Ok(plain.to_owned());
    }
    Err(Error::input(format!("`{}` is no DOI", text::name(stated)))
        .allowed("10.PREFIX/SUFFIX, as in 10.5281/zenodo.1234"))
}

/// The longest title, in characters: catalogues cut longer ones.
const LONGEST_TITLE: usize = 300;

/// What somebody calls what he publishes.
pub(super) fn title(stated: &str) -> Result<String> {
    let title = stated.trim();
    if title.is_empty() || title.chars().count() > LONGEST_TITLE || title.contains(char::is_control) {
        return Err(Error::input(format!("`{}` is no title", text::name(stated)))
            .allowed(format!("a line of 1 to {LONGEST_TITLE} characters")));
    }
    Ok(title.to_owned())
}

/// The day of the publication.
pub(super) fn day(request: &PublishRequest) -> Result<String> {
    let Some(day) = &request.day else {
        let now = now()?.date_time;
        return Ok(now.split('T').next().unwrap_or_default().to_owned());
    };
    let read: Option<jiff::civil::Date> = day.parse().ok();
    let read = read.filter(|read| read.to_string() == *day && (1970..=9999).contains(&read.year()));
    read.map(|_| day.clone()).ok_or_else(|| {
        Error::input(format!("`{}` is no day", text::name(day))).allowed("YEAR-MONTH-DAY, as in 2026-11-22")
    })
}
