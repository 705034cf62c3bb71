//! Profiles: the ways to score, read from `ontology/profiles.ttl`.

pub mod answers_from;
pub mod choices;
pub mod era;
pub mod families;
pub mod judging;
pub mod link_kind;
pub mod loaders;
pub mod ontology;
pub mod read;
pub mod rules;
pub mod same_as;

use std::sync::Arc;

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::profiles::answers_from::AnswersFrom;

use crate::profiles::rules::{ExperimentRules, Reading};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::measures::metric::Metric;
use crate::measures::result::ItemPart;
use crate::measures::sets::EmptyRules;
use crate::profiles::era::Era;
use crate::profiles::loaders::Loader;
use crate::profiles::ontology::{OLDER_PROFILES, OntologyFile, PROFILES};

/// How the ids of gold and submission are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentifierRule {
    /// As texts.
    Text,
    /// As texts; of several answers with one id, the last counts.
    TextLast,
    /// As integers where both are integers, else as texts.
    Integer,
}

/// How a value becomes a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueText {
    /// As the file writes it.
    AsWritten,
    /// Without white space around it.
    Trimmed,
    /// Without white space around it; what the file calls a boolean is the boolean, in any case of letters.
    Qald4,
    /// As the tool of QALD-6 reads it.
    Qald,
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
    /// The experiment types it scores, in the order of [`EXPERIMENTS`].
    pub experiments: Vec<Arc<ExperimentRules>>,
    /// Experiment types that are announced by the peer and never have results.
    pub not_offered: Vec<String>,
    /// How ids are compared.
    pub identifiers: IdentifierRule,
    /// How values become texts.
    pub value_text: ValueText,
    /// Which answers of a system count where its submission gives queries.
    pub answers_from: AnswersFrom,
    /// The metric of QA that says which of several submissions of a system is the best; nothing where none does.
    pub ranked_by: Option<Metric>,
    /// The normalisations, concepts of `code:normalisation` without namespace.
    pub normalisations: BTreeSet<String>,
    /// What empty sets mean.
    pub empty: EmptyRules,
    /// The groups beside all questions, and the families of groups: concepts without namespace.
    pub groups: BTreeSet<String>,
    /// The era of GERBIL that it reproduces, if any.
    pub era: Option<Era>,
    /// The ways to load a gold file that it allows.
    pub loaders: Vec<Loader>,
    /// The one that it takes by itself.
    pub loader: Loader,
    /// The file that says all this.
    pub file: &'static OntologyFile,
}

impl Profile {
    /// All profiles in the order of their names.
    ///
    /// # Panics
    /// Not on input: the profiles are embedded, and a test reads them.
    pub fn all() -> Vec<Self> {
        let mut profiles = Self::of_file(&PROFILES);
        profiles.sort_by(|a, b| a.name.cmp(&b.name));
        profiles
    }

    fn of_file(file: &'static OntologyFile) -> Vec<Self> {
        let facts = file.facts();
        facts
            .subjects()
            .filter(|subject| read::is_profile(&facts, subject))
            .map(|subject| Self {
                file,
                ..Self::read(&facts, subject).expect("embedded profiles are complete")
            })
            .collect()
    }

    /// The profile with this IRI, current or not: what an archived evaluation was made with.
    pub fn with_iri(iri: &str) -> Option<Self> {
        let mut profiles = [&PROFILES, &OLDER_PROFILES].into_iter().flat_map(Self::of_file);
        profiles.find(|profile| profile.iri == iri)
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

    /// Whether the profile normalises in this way.
    pub fn normalises(&self, name: &str) -> bool {
        self.normalisations.contains(name)
    }

    /// An error where the profile does not allow a loader.
    pub fn allow(&self, loader: Loader) -> Result<()> {
        if self.loaders.contains(&loader) {
            return Ok(());
        }
        let allowed: Vec<&str> = self.loader_names().collect();
        Err(Error::input(format!(
            "the profile `{}` does not allow the loader `{}`",
            self.name,
            loader.name()
        ))
        .allowed(allowed.join(", "))
        .hint("`qassay profiles` says what the loaders do"))
    }

    /// The names of the loaders that it allows, its own first.
    pub fn loader_names(&self) -> impl Iterator<Item = &'static str> {
        let others = Loader::ALL.into_iter().filter(|l| *l != self.loader && self.loaders.contains(l));
        std::iter::once(self.loader).chain(others).map(Loader::name)
    }

    /// Whether links are closed to clusters: `owl:sameAs` as an equivalence.
    pub fn closes_links(&self) -> bool {
        self.experiments.iter().flat_map(|rules| &rules.steps).any(|step| step.rule == "match-sameas")
    }

    /// Whether labels decide something: where texts are resolved to resources, and in the profiles of GERBIL.
    pub fn uses_labels(&self) -> bool {
        self.era.is_some() || self.experiments.iter().any(|rules| rules.reads_labels())
    }

    /// Whether assessments decide something.
    pub fn uses_assessments(&self) -> bool {
        self.experiments.iter().any(|rules| rules.reads_assessments())
    }

    /// Whether questions are grouped by their types.
    pub fn uses_question_types(&self) -> bool {
        self.groups.contains("groups-questiontype")
    }

    /// Whether it has a measure that looks at a rank, such as accuracy at N.
    pub fn looks_at_ranks(&self) -> bool {
        let mut metrics = self.experiments.iter().flat_map(|rules| &rules.metrics);
        metrics.any(Metric::looks_at_rank)
    }

    /// Whether candidates of the dataset are ranked, and so are answered by scores.
    pub fn ranks_candidates(&self) -> bool {
        self.experiments.iter().any(|rules| rules.reading == Reading::Candidates)
    }

    /// Whether the classes of answers decide something.
    pub fn uses_types(&self) -> bool {
        self.experiments.iter().any(|rules| rules.reading == Reading::ItemTypes)
    }

    /// Whether an experiment type has measures over the hierarchy of classes.
    pub fn uses_classes(&self) -> bool {
        self.experiments.iter().any(|rules| rules.measures_part(ItemPart::Hierarchical))
    }

    /// The files that are the plan of an execution with this profile: path and sha256.
    pub fn plan_files(&self) -> Vec<(String, String)> {
        let steps = self.experiments.iter().flat_map(|rules| &rules.steps);
        let mut files: BTreeSet<(String, String)> =
            steps.map(|step| (step.query.path(), hex(&Sha256::digest(step.query.text)))).collect();
        files.insert((self.file.path.to_owned(), hex(&Sha256::digest(self.file.text))));
        files.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_complete() {
        let names: Vec<String> = Profile::all().into_iter().map(|profile| profile.name).collect();
        assert_eq!(
            names,
            [
                "clef-2004",
                "gerbil",
                "gerbil-2019",
                "gerbil-2023",
                "nliwod",
                "nlpcc-kbqa",
                "nlpcc-ranking",
                "qald",
                "qald-4",
                "qassay",
                "text2sparql",
                "trec"
            ]
        );
        let default = Profile::find("qassay").unwrap();
        let experiments: Vec<&str> = default.experiments.iter().map(|rules| rules.name.as_str()).collect();
        assert_eq!(experiments, rules::EXPERIMENTS);
        assert_eq!(default.experiments[0].steps[0].rule, "match-identical");
        assert!(Profile::with_iri(&default.iri).is_some());
        assert!(
            Profile::find("gold")
                .unwrap_err()
                .to_string()
                .contains("allowed: clef-2004, gerbil, gerbil-2019")
        );
    }
    #[test]
    fn older_profiles_are_found_by_their_iri_only() {
        let older = Profile::of_file(&OLDER_PROFILES);
        let current = Profile::all();
        let mut iris: Vec<&str> = older.iter().map(|profile| profile.iri.as_str()).collect();
        iris.sort_unstable();
        let named = |path: &str| format!("https://w3id.org/qassay/profile/{path}");
        assert_eq!(iris, ["nliwod/1", "qald-4/1", "qald/1", "qassay/1", "qassay/2"].map(named));
        for old in &older {
            let new = current.iter().find(|profile| profile.name == old.name).unwrap();
            let version = |profile: &Profile| profile.version.parse::<u32>().unwrap();
            assert!(version(old) <= version(new), "{}", old.iri);
            assert_eq!(Profile::with_iri(&old.iri).unwrap().version, old.version);
        }
        let first = Profile::with_iri(&named("qassay/1")).unwrap();
        assert_eq!((first.experiments.len(), first.experiments[0].steps.len()), (1, 7));
        assert_eq!(first.plan_files()[0].0, "ontology/profiles-older.ttl");
        assert!(Profile::with_iri(&named("qassay/99")).is_none());
    }
}
