//! Profiles: the ways to score, read from `ontology/profiles.ttl`.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::graph::vocab::{qassay, rdf};
use crate::measure::{EmptyRules, EmptyScore};
use crate::ontology::{Facts, PROFILES};
use crate::query::QueryFile;
use crate::read::hex;

/// How the ids of gold and submission are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentifierRule {
    /// As texts.
    Text,
    /// As integers where both are integers, else as texts.
    Integer,
}

/// What the items of an answer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The RDF terms of all cells.
    Terms,
    /// The texts of all values.
    Values,
    /// The rows, each the multiset of the texts of its values.
    Rows,
}

/// How a value becomes a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueText {
    /// As the file writes it.
    AsWritten,
    /// As the tool of QALD-6 reads it.
    Qald,
}

/// One match query of a profile and the rule that its matches are recorded with.
#[derive(Debug, Clone)]
pub struct Step {
    /// The query.
    pub query: &'static QueryFile,
    /// The concept of `code:matchRule`, without namespace.
    pub rule: String,
}

/// A way to score.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The IRI, with the version.
    pub iri: String,
    /// The short name.
    pub name: String,
    /// The version: changes whenever a number may change.
    pub version: String,
    /// A few words.
    pub label: String,
    /// What it does.
    pub definition: String,
    /// Where the rules come from.
    pub source: String,
    /// The experiment types it scores.
    pub experiments: Vec<String>,
    /// How ids are compared.
    pub identifiers: IdentifierRule,
    /// What the items are.
    pub reading: Reading,
    /// How values become texts.
    pub value_text: ValueText,
    /// The match queries in their order.
    pub steps: Vec<Step>,
    /// The normalisations, concepts of `code:normalisation` without namespace.
    pub normalisations: BTreeSet<String>,
    /// What empty sets mean.
    pub empty: EmptyRules,
    /// The groups beside all questions, concepts without namespace.
    pub groups: BTreeSet<String>,
    /// The metrics, concepts of `code:metric` without namespace, in the order of the file.
    pub metrics: Vec<String>,
}

impl Profile {
    /// All profiles in the order of their names.
    ///
    /// # Panics
    /// Not on input: the profiles are embedded, and a test reads them.
    pub fn all() -> Vec<Self> {
        let facts = PROFILES.facts();
        let mut profiles: Vec<Self> = facts
            .subjects()
            .filter(|subject| is_profile(&facts, subject))
            .map(|subject| Self::read(&facts, subject).expect("the embedded profiles are complete"))
            .collect();
        profiles.sort_by(|a, b| a.name.cmp(&b.name));
        profiles
    }

    /// The profile with this name.
    pub fn find(name: &str) -> Result<Self> {
        let mut profiles = Self::all();
        match profiles.iter().position(|profile| profile.name == name) {
            Some(at) => Ok(profiles.swap_remove(at)),
            None => Err(Error::input(format!("there is no profile `{name}`"))
                .allowed(profiles.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "))
                .hint("`qassay profiles` says what they do")),
        }
    }

    fn read(facts: &Facts, iri: &str) -> Result<Self> {
        let text = |property: &str| {
            facts.text(iri, property).map(str::to_owned).ok_or_else(|| incomplete(iri, property))
        };
        let choice = |property: &str| facts.codes(iri, property).next();
        let namespaced = |local: &str| format!("{}{local}", qassay::NAMESPACE);
        Ok(Self {
            iri: iri.to_owned(),
            name: text("http://www.w3.org/2004/02/skos/core#notation")?,
            version: text("http://www.w3.org/2002/07/owl#versionInfo")?,
            label: text("http://www.w3.org/2004/02/skos/core#prefLabel")?,
            definition: text("http://www.w3.org/2004/02/skos/core#definition")?,
            source: text("http://purl.org/dc/terms/source")?,
            experiments: facts.codes(iri, &namespaced("experiment")).map(str::to_owned).collect(),
            identifiers: match choice(&namespaced("identifierRule")) {
                Some("identifier-integer") => IdentifierRule::Integer,
                _ => IdentifierRule::Text,
            },
            reading: match choice(&namespaced("answerReading")) {
                Some("reading-values") => Reading::Values,
                Some("reading-rows") => Reading::Rows,
                _ => Reading::Terms,
            },
            value_text: match choice(&namespaced("valueText")) {
                Some("text-qald") => ValueText::Qald,
                _ => ValueText::AsWritten,
            },
            steps: steps(facts, iri)?,
            normalisations: facts.codes(iri, qassay::NORMALISATION).map(str::to_owned).collect(),
            empty: EmptyRules {
                both: empty_score(choice(&namespaced("bothEmpty")))
                    .ok_or_else(|| incomplete(iri, "bothEmpty"))?,
                gold: empty_score(choice(&namespaced("goldEmpty")))
                    .ok_or_else(|| incomplete(iri, "goldEmpty"))?,
                system: empty_score(choice(&namespaced("systemEmpty")))
                    .ok_or_else(|| incomplete(iri, "systemEmpty"))?,
                missing: empty_score(choice(&namespaced("unprocessed"))),
                micro_of_nothing_is_one: choice(&namespaced("microOfNothing")) == Some("score-one"),
            },
            groups: facts.codes(iri, &namespaced("group")).map(str::to_owned).collect(),
            metrics: facts.codes(iri, &namespaced("measure")).map(str::to_owned).collect(),
        })
    }

    /// Whether the profile normalises in this way.
    pub fn normalises(&self, name: &str) -> bool {
        self.normalisations.contains(name)
    }

    /// Whether links between resources count.
    pub fn uses_links(&self) -> bool {
        self.steps.iter().any(|step| step.rule == "match-sameas")
    }

    /// The files that are the plan of an execution with this profile: path and sha256.
    pub fn plan_files(&self) -> Vec<(String, String)> {
        let mut files: BTreeSet<(String, String)> = self
            .steps
            .iter()
            .map(|step| (step.query.path(), hex(&Sha256::digest(step.query.text))))
            .collect();
        files.insert((PROFILES.path.to_owned(), hex(&Sha256::digest(PROFILES.text))));
        files.into_iter().collect()
    }
}

fn is_profile(facts: &Facts, subject: &str) -> bool {
    facts.all(subject, rdf::TYPE).any(|class| class.to_string() == format!("<{}>", qassay::METRIC_POLICY))
}

fn steps(facts: &Facts, iri: &str) -> Result<Vec<Step>> {
    let property = |local: &str| format!("{}{local}", qassay::NAMESPACE);
    let mut steps = Vec::new();
    for step in facts.all(iri, &property("matchStep")) {
        let oxigraph::model::Term::NamedNode(step) = step else { return Err(incomplete(iri, "matchStep")) };
        let step = step.as_str();
        let order: u32 = facts
            .text(step, &property("order"))
            .and_then(|order| order.parse().ok())
            .ok_or_else(|| incomplete(step, "order"))?;
        let query = facts.text(step, &property("query")).ok_or_else(|| incomplete(step, "query"))?;
        let name = query.rsplit_once("/query/").map_or(query, |(_, name)| name);
        let rule =
            facts.codes(step, qassay::MATCH_RULE).next().ok_or_else(|| incomplete(step, "matchRule"))?;
        steps.push((order, Step { query: QueryFile::find(name)?, rule: rule.to_owned() }));
    }
    steps.sort_by_key(|(order, _)| *order);
    Ok(steps.into_iter().map(|(_, step)| step).collect())
}

fn empty_score(choice: Option<&str>) -> Option<EmptyScore> {
    match choice? {
        "score-one" => Some(EmptyScore::One),
        "score-zero" => Some(EmptyScore::Zero),
        "score-precision-one" => Some(EmptyScore::PrecisionOne),
        _ => None,
    }
}

fn incomplete(subject: &str, property: &str) -> Error {
    Error::system(format!("the ontology says nothing about {property} of {subject}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_complete() {
        let names: Vec<String> = Profile::all().into_iter().map(|profile| profile.name).collect();
        assert_eq!(names, ["nliwod", "qald", "qassay"]);
        let default = Profile::find("qassay").unwrap();
        assert_eq!(default.steps[0].rule, "match-identical");
        assert_eq!(default.experiments, ["QA"]);
        assert!(Profile::find("gold").unwrap_err().to_string().contains("allowed: nliwod, qald, qassay"));
    }
}
