//! Reads a profile from the facts of the ontology.

use std::collections::BTreeSet;

use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::vocab::{code, dct, qassay, skos};
use crate::measures::metric::Metric;
use crate::measures::sets::{EmptyRules, EmptyScore};
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::era::Era;
use crate::profiles::loaders::Loader;
use crate::profiles::ontology::Facts;
use crate::profiles::rules::ExperimentRules;
use crate::profiles::{IdentifierRule, Profile, ValueText};

/// The IRI of a term of the vocabulary.
pub(crate) fn property(local: &str) -> String {
    format!("{}{local}", qassay::NAMESPACE)
}

pub(crate) fn incomplete(subject: &str, property: &str) -> Error {
    Error::input(format!("nothing is said about {property} of <{subject}>"))
}

/// What a subject chooses, of some concepts that each mean something; nothing where it does not choose.
pub(crate) fn choice<T: Clone>(
    facts: &Facts,
    subject: &str,
    name: &str,
    choices: &[(&str, T)],
) -> Result<Option<T>> {
    let Some(concept) = facts.text(subject, &property(name)) else { return Ok(None) };
    let chosen = choices.iter().find(|(known, _)| concept.strip_prefix(code::NAMESPACE) == Some(known));
    let allowed = || choices.iter().map(|(known, _)| format!("code:{known}")).collect::<Vec<_>>().join(", ");
    match chosen {
        Some((_, meaning)) => Ok(Some(meaning.clone())),
        None => {
            Err(Error::input(format!("<{concept}> is no {name} that <{subject}> can have"))
                .allowed(allowed()))
        }
    }
}

/// The metrics that are objects of a property, in the order of the file.
pub(crate) fn metrics(facts: &Facts, subject: &str, name: &str) -> Result<Vec<Metric>> {
    let metric = |concept: &str| {
        let unknown = || Error::input(format!("`{concept}` is no {name} that <{subject}> can have"));
        Metric::named(concept).ok_or_else(|| unknown().hint("`qassay measures` lists the measures"))
    };
    facts.codes(subject, &property(name)).map(metric).collect()
}

const SCORES: [(&str, EmptyScore); 3] = [
    ("score-one", EmptyScore::One),
    ("score-zero", EmptyScore::Zero),
    ("score-precision-one", EmptyScore::PrecisionOne),
];

impl Profile {
    pub(crate) fn read(facts: &Facts, iri: &str, files: BTreeSet<(String, String)>) -> Result<Self> {
        let text = |property: &str| {
            facts.text(iri, property).map(str::to_owned).ok_or_else(|| incomplete(iri, property))
        };
        let names = |name: &str| facts.codes(iri, &property(name)).map(str::to_owned).collect::<Vec<_>>();
        Ok(Self {
            iri: iri.to_owned(),
            name: text(skos::NOTATION)?,
            version: text("http://www.w3.org/2002/07/owl#versionInfo")?,
            label: text(skos::PREF_LABEL)?,
            definition: text(skos::DEFINITION)?,
            source: text(dct::SOURCE)?,
            experiments: ExperimentRules::all(facts, iri)?.into_iter().map(Arc::new).collect(),
            not_offered: names("notOffered"),
            identifiers: choice(
                facts,
                iri,
                "identifierRule",
                &[
                    ("identifier-text", IdentifierRule::Text),
                    ("identifier-text-last", IdentifierRule::TextLast),
                    ("identifier-integer", IdentifierRule::Integer),
                ],
            )?
            .unwrap_or(IdentifierRule::Text),
            value_text: choice(
                facts,
                iri,
                "valueText",
                &[
                    ("text-as-written", ValueText::AsWritten),
                    ("text-trimmed", ValueText::Trimmed),
                    ("text-qald-4", ValueText::Qald4),
                    ("text-qald", ValueText::Qald),
                ],
            )?
            .unwrap_or(ValueText::AsWritten),
            answers_from: choice(
                facts,
                iri,
                "answersFrom",
                &[("answers-given", AnswersFrom::Given), ("answers-of-query", AnswersFrom::Query)],
            )?
            .unwrap_or_default(),
            ranked_by: metrics(facts, iri, "rankedBy")?.first().copied(),
            normalisations: names("normalisation").into_iter().collect(),
            empty: empty_rules(facts, iri)?,
            groups: names("group").into_iter().collect(),
            era: choice(
                facts,
                iri,
                "gerbilEra",
                &[("era-2019", Era::A), ("era-2023", Era::B), ("era-2024", Era::C)],
            )?,
            loaders: names("allowedLoader").iter().map(|concept| loader(concept)).collect::<Result<_>>()?,
            loader: loader(names("defaultLoader").first().ok_or_else(|| incomplete(iri, "defaultLoader"))?)?,
            files,
        })
    }
}

fn loader(concept: &str) -> Result<Loader> {
    let found = concept.strip_prefix("loader-").and_then(Loader::find);
    found.ok_or_else(|| Error::input(format!("`{concept}` is no loader")))
}

fn empty_rules(facts: &Facts, iri: &str) -> Result<EmptyRules> {
    let may = |name: &str| choice(facts, iri, name, &SCORES);
    let must = |name: &str| may(name)?.ok_or_else(|| incomplete(iri, name));
    Ok(EmptyRules {
        both: must("bothEmpty")?,
        gold: must("goldEmpty")?,
        system: must("systemEmpty")?,
        missing: may("unprocessed")?,
        micro_of_nothing_is_one: may("microOfNothing")? == Some(EmptyScore::One),
        qald_of_zeros_is_undefined: choice(
            facts,
            iri,
            "qaldOfZeros",
            &[("score-undefined", true), ("score-zero", false)],
        )?
        .unwrap_or_default(),
    })
}
