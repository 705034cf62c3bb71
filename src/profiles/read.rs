//! Reads profiles from `ontology/profiles.ttl`.

use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::vocab::{qassay, rdf};
use crate::measures::metric::Metric;
use crate::measures::sets::{EmptyRules, EmptyScore};
use crate::profiles::era::Era;
use crate::profiles::loaders::Loader;
use crate::profiles::ontology::Facts;

use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::rules::ExperimentRules;
use crate::profiles::{IdentifierRule, Profile, ValueText};

/// The IRI of a term of the vocabulary.
pub(crate) fn property(local: &str) -> String {
    format!("{}{local}", qassay::NAMESPACE)
}

pub(crate) fn incomplete(subject: &str, property: &str) -> Error {
    Error::system(format!("the ontology says nothing about {property} of {subject}"))
}

pub(crate) fn is_profile(facts: &Facts, subject: &str) -> bool {
    facts.all(subject, rdf::TYPE).any(|class| class.to_string() == format!("<{}>", qassay::METRIC_POLICY))
}

impl Profile {
    pub(crate) fn read(facts: &Facts, iri: &str) -> Result<Self> {
        let text = |property: &str| {
            facts.text(iri, property).map(str::to_owned).ok_or_else(|| incomplete(iri, property))
        };
        let choice = |name: &str| facts.codes(iri, &property(name)).next();
        Ok(Self {
            iri: iri.to_owned(),
            name: text("http://www.w3.org/2004/02/skos/core#notation")?,
            version: text("http://www.w3.org/2002/07/owl#versionInfo")?,
            label: text("http://www.w3.org/2004/02/skos/core#prefLabel")?,
            definition: text("http://www.w3.org/2004/02/skos/core#definition")?,
            source: text("http://purl.org/dc/terms/source")?,
            experiments: ExperimentRules::all(facts, iri)?.into_iter().map(Arc::new).collect(),
            not_offered: facts.codes(iri, &property("notOffered")).map(str::to_owned).collect(),
            identifiers: match choice("identifierRule") {
                Some("identifier-integer") => IdentifierRule::Integer,
                Some("identifier-text-last") => IdentifierRule::TextLast,
                _ => IdentifierRule::Text,
            },
            value_text: match choice("valueText") {
                Some("text-qald") => ValueText::Qald,
                Some("text-qald-4") => ValueText::Qald4,
                Some("text-trimmed") => ValueText::Trimmed,
                _ => ValueText::AsWritten,
            },
            answers_from: AnswersFrom::of(choice("answersFrom")),
            ranked_by: metrics(facts, iri, "rankedBy")?.first().copied(),
            normalisations: facts.codes(iri, qassay::NORMALISATION).map(str::to_owned).collect(),
            empty: EmptyRules {
                both: score(facts, iri, "bothEmpty")?,
                gold: score(facts, iri, "goldEmpty")?,
                system: score(facts, iri, "systemEmpty")?,
                missing: empty_score(choice("unprocessed")),
                micro_of_nothing_is_one: choice("microOfNothing") == Some("score-one"),
                qald_of_zeros_is_undefined: choice("qaldOfZeros") == Some("score-undefined"),
            },
            groups: facts.codes(iri, &property("group")).map(str::to_owned).collect(),
            era: match choice("gerbilEra") {
                Some("era-2019") => Some(Era::A),
                Some("era-2023") => Some(Era::B),
                Some("era-2024") => Some(Era::C),
                _ => None,
            },
            loaders: facts.codes(iri, &property("allowedLoader")).map(loader).collect::<Result<_>>()?,
            loader: loader(choice("defaultLoader").ok_or_else(|| incomplete(iri, "defaultLoader"))?)?,
            file: &crate::profiles::ontology::PROFILES,
        })
    }
}

/// The metrics that are objects of a property, in the order of the file.
pub(crate) fn metrics(facts: &Facts, subject: &str, name: &str) -> Result<Vec<Metric>> {
    let metric = |concept: &str| {
        Metric::named(concept).ok_or_else(|| {
            Error::system(format!("`{concept}`, {name} of {subject}, is no measure that can be computed"))
        })
    };
    facts.codes(subject, &property(name)).map(metric).collect()
}

fn loader(concept: &str) -> Result<Loader> {
    let found = concept.strip_prefix("loader-").and_then(Loader::find);
    found.ok_or_else(|| Error::system(format!("`{concept}` is no loader")))
}

fn score(facts: &Facts, iri: &str, name: &str) -> Result<EmptyScore> {
    empty_score(facts.codes(iri, &property(name)).next()).ok_or_else(|| incomplete(iri, name))
}

fn empty_score(choice: Option<&str>) -> Option<EmptyScore> {
    match choice? {
        "score-one" => Some(EmptyScore::One),
        "score-zero" => Some(EmptyScore::Zero),
        "score-precision-one" => Some(EmptyScore::PrecisionOne),
        _ => None,
    }
}
