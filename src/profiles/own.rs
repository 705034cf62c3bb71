//! Profiles of a user's own: files of Turtle, which say how a profile differs from a built-in one.

use std::iter::successors;
use std::path::Path;
use std::sync::Arc;

use oxigraph::model::Term;

use crate::base::error::{Error, Result};
use crate::base::iri::{DEFAULT_BASE, segment};
use crate::base::limits::{self, LONGEST_ID, exceeded};
use crate::base::text::beginning;
use crate::base::vocab::{owl, qassay, skos};
use crate::profiles::conform::conforms;
use crate::profiles::ontology::{Facts, property};
use crate::profiles::{Profile, built_in, derive};
use crate::sources::file::source::Source;
use crate::sources::file::text::without_mark;

/// How the IRI of a profile looks.
const IRI: &str = "an IRI that ends with name and version, such as <https://example.org/profile/strict/1>";

/// A file of profiles that somebody wrote.
#[derive(Debug)]
pub struct ProfileFile {
    /// The profiles, in the order of their IRIs.
    pub profiles: Vec<Profile>,
    /// All that is said of what the file describes, with what follows from what it is based on.
    pub facts: Facts,
}

impl ProfileFile {
    /// The profiles of a file. They may be based on built-in ones, and use their steps and sets.
    ///
    /// # Errors
    /// Where the file is no Turtle or has no profile; where a profile is incomplete or chooses what there is not; where the
    /// file says something of what is built in, or of what has no IRI.
    pub fn read(source: &Source) -> Result<Self> {
        Self::of(source).map_err(|error| error.in_file(source.name()))
    }

    fn of(source: &Source) -> Result<Self> {
        let text = std::str::from_utf8(without_mark(source.content()));
        let own = Facts::parse(text.map_err(|_| Error::input("the Turtle is no UTF-8"))?)?;
        own.subjects().try_for_each(|subject| check(&own, subject))?;
        let mut all = built_in().written.clone();
        for subject in own.subjects() {
            all.insert(subject, own.statements(subject).cloned().unwrap_or_default());
        }
        let derived = derive::derived(&all)?;
        conforms(&own, &derived)?;
        let is_profile = |subject: &&str| derived.is_a(subject, qassay::METRIC_POLICY);
        own.subjects().filter(is_profile).try_for_each(|profile| check_stated(&own, profile))?;
        let mut profiles = Profile::of(&derived, |iri| own.statements(iri).is_some())?;
        if profiles.is_empty() {
            return Err(Error::input("there is no profile in this file")
                .allowed("Turtle with something that is qassay:basedOn a profile")
                .hint("`qassay profiles` lists the built-in ones"));
        }
        profiles.iter().try_for_each(check_name)?;
        check_twins(&profiles)?;
        let source = Arc::new(source.clone());
        for profile in &mut profiles {
            profile.file = Some(Arc::clone(&source));
        }
        Ok(Self { profiles, facts: derived.without(&built_in().derived) })
    }
}

/// An error where a file says something of what is not its own, or of what has no IRI.
fn check(own: &Facts, subject: &str) -> Result<()> {
    if subject.len() > LONGEST_ID {
        let what = format!("the IRI <{}> has {} bytes", beginning(subject, 60), subject.len());
        return Err(exceeded(what, limits::bytes(LONGEST_ID as u64)));
    }
    if subject.starts_with(DEFAULT_BASE) {
        return Err(Error::input(format!("<{subject}> is built in, or could be"))
            .allowed(format!("profiles, rules and sets with IRIs of your own, not below {DEFAULT_BASE}"))
            .hint("base a profile of your own on the built-in one"));
    }
    let said = own.statements(subject).into_iter().flatten();
    match said.filter(|(_, objects)| objects.iter().any(Term::is_blank_node)).map(|(said, _)| said).next() {
        Some(predicate) => Err(Error::input(format!("the <{predicate}> of <{subject}> has no IRI"))
            .allowed("IRIs in place of `[ … ]`, `( … )` and `_:`")),
        None => Ok(()),
    }
}

/// An error where a profile calls itself what its base is called.
fn check_stated(own: &Facts, profile: &str) -> Result<()> {
    let bases = successors(Some(profile), |base| own.text(base, &property("basedOn")));
    let bases: Vec<&str> = bases.take_while(|base| own.statements(base).is_some()).collect();
    let missing = [
        (skos::NOTATION, "name (skos:notation)"),
        (owl::VERSION_INFO, "version (owl:versionInfo)"),
        (skos::PREF_LABEL, "title (skos:prefLabel)"),
        (skos::DEFINITION, "definition (skos:definition): what is scored in another way"),
    ]
    .into_iter()
    .find(|(predicate, _)| bases.iter().all(|base| own.text(base, predicate).is_none()));
    match missing {
        Some((_, what)) => Err(Error::input(format!("<{profile}> has no {what}"))
            .hint("what is built in keeps its own: a profile that differs has another")),
        None => Ok(()),
    }
}

/// An error where the IRI of a profile does not end with its name and its version: archives know it by its IRI only.
fn check_name(profile: &Profile) -> Result<()> {
    let Profile { iri, name, version, .. } = profile;
    if built_in().profiles.iter().any(|built_in| built_in.name == *name) {
        return Err(Error::input(format!("<{iri}> is called `{name}`, as a built-in profile is"))
            .hint("results name profiles by their names: give yours another one (skos:notation)"));
    }
    // Of several the highest counts.
    if version.parse::<u32>().map_or(true, |number| number.to_string() != *version) {
        let told = format!("<{iri}> has the version (owl:versionInfo) `{version}`");
        return Err(Error::input(told).allowed(format!("a whole number up to {}, such as 1", u32::MAX)));
    }
    let is_plain = [name, version].iter().all(|text| !text.is_empty() && segment(text) == **text);
    if is_plain && iri.ends_with(&format!("/{name}/{version}")) {
        return Ok(());
    }
    let told = format!(
        "<{iri}> has the name (skos:notation) `{name}` and the version (owl:versionInfo) `{version}`"
    );
    Err(Error::input(told).allowed(IRI))
}

/// An error where two profiles have one name and version: one of them would be passed over.
fn check_twins(profiles: &[Profile]) -> Result<()> {
    let twins = profiles.iter().enumerate().find_map(|(at, one)| {
        let is_twin = |other: &&Profile| (&other.name, &other.version) == (&one.name, &one.version);
        Some((one, profiles[at + 1..].iter().find(is_twin)?))
    });
    twins.map_or(Ok(()), |(one, other)| {
        let (name, version) = (&one.name, &one.version);
        Err(Error::input(format!(
            "two profiles are called `{name}` in version {version}: <{}> and <{}>",
            one.iri, other.iri
        ))
        .hint("give one of them another name (skos:notation) or version (owl:versionInfo)"))
    })
}

/// Whether a word names a file of profiles and not a built-in profile: it ends with `.ttl`, or has a separator of paths.
pub fn is_file(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ttl"))
        || word.contains(['/', '\\'])
}

/// The profiles that words mean, each once: names of built-in ones, and files ([`is_file`]), of which all count, of each
/// the highest version.
///
/// # Errors
/// Where there is no such profile or file; where a file cannot be read; where two profiles are called the same.
pub fn named<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Vec<Profile>> {
    let mut all: Vec<Profile> = Vec::new();
    for word in words {
        for profile in of_word(word)? {
            match all.iter().find(|known| known.name == profile.name) {
                None => all.push(profile),
                Some(known) if known.iri == profile.iri && known.file_sha256() == profile.file_sha256() => {}
                Some(known) => {
                    let (name, one, other) = (&profile.name, known.place(), profile.place());
                    return Err(Error::input(format!("two profiles are called `{name}`: {one} and {other}"))
                        .hint("results name profiles by their names; give yours another one (skos:notation), or score one after the other"));
                }
            }
        }
    }
    Ok(all)
}

fn of_word(word: &str) -> Result<Vec<Profile>> {
    if !is_file(word) {
        return Profile::find(word).map(|profile| vec![profile]);
    }
    let path = Path::new(word);
    if path.is_dir() {
        return Err(Error::input("this is a folder").in_file(word).allowed("a file of profiles in Turtle"));
    }
    Ok(Profile::current(ProfileFile::read(&Source::open(path)?)?.profiles))
}
