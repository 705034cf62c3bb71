//! The ways to score, read from `ontology/profiles.ttl`; what users choose; loaders; the ontology.

pub mod answers_from;
pub mod choices;
mod conform;
pub mod derive;
pub mod era;
pub mod gold_rules;
pub mod link_kind;
pub mod loaders;
pub mod ontology;
pub mod own;
pub mod rules;
pub mod same_as;

use std::sync::Arc;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use oxigraph::model::{GraphName, NamedNode, Quad};
use sha2::{Digest, Sha256};

use crate::profiles::answers_from::AnswersFrom;

use crate::profiles::rules::{ExperimentRules, Reading, choice, metrics};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::vocab::{dct, owl, qassay, skos};
use crate::measures::metric::Metric;
use crate::measures::result::ItemPart;
use crate::measures::sets::{EmptyRules, EmptyScore};
use crate::profiles::era::Era;
use crate::profiles::gold_rules::GoldRules;
use crate::profiles::loaders::Loader;
use crate::profiles::ontology::{Facts, PROFILES, incomplete, property};
use crate::sources::file::source::Source;
use crate::sources::input::answer::LabelColumns;
use crate::sparql::store::Store;

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
    /// As the file writes it; of an item of Freebase or Wikidata its id.
    EntityId,
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
    /// The experiment types it scores, in the order of `EXPERIMENTS`.
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
    /// What columns are that only name another one.
    pub label_columns: LabelColumns,
    /// The normalisations, concepts of `code:normalisation` without namespace.
    pub normalisations: BTreeSet<String>,
    /// What empty sets mean.
    pub empty: EmptyRules,
    /// What gold answers mean that are none.
    pub gold: GoldRules,
    /// The groups beside all questions, and the families of groups: concepts without namespace.
    pub groups: BTreeSet<String>,
    /// The era of GERBIL that it reproduces, if any.
    pub era: Option<Era>,
    /// The ways to load a gold file that it allows.
    pub loaders: Vec<Loader>,
    /// The one that it takes by itself.
    pub loader: Loader,
    /// The file that says all this; none: it is built in.
    pub file: Option<Arc<Source>>,
}

/// The built-in profiles, current or not, as they are written, as they are derived, and as they are read.
struct BuiltIn {
    written: Facts,
    derived: Facts,
    profiles: Vec<Profile>,
}

fn built_in() -> &'static BuiltIn {
    static ALL: OnceLock<BuiltIn> = OnceLock::new();
    ALL.get_or_init(|| {
        let written = PROFILES.facts();
        let derived = derive::derived(&written).expect("the embedded profiles are based on others");
        let profiles = Profile::of(&derived, |_| true).expect("the embedded profiles are complete");
        BuiltIn { written, derived, profiles }
    })
}

/// Loads the ontology into a graph of a store, and into its default graph: terms, groups, and profiles with all that
/// follows from what they are based on.
pub fn load_ontology(store: &Store, graph: &str) -> Result<()> {
    for graph in [NamedNode::new_unchecked(graph).into(), GraphName::DefaultGraph] {
        store.extend(ontology_quads(&graph))?;
    }
    Ok(())
}

/// The statements of the ontology, in a graph.
pub fn ontology_quads(graph: &GraphName) -> impl Iterator<Item = Quad> {
    let all = [
        ontology::terms(),
        ontology::groups(),
        ontology::systems(),
        ontology::licences(),
        &built_in().derived,
    ];
    all.into_iter().flat_map(move |facts| facts.quads(graph))
}

impl Profile {
    /// All built-in profiles in the order of their names: of each the highest version.
    ///
    /// # Panics
    /// Not on input: the profiles are embedded, and a test reads them.
    pub fn all() -> Vec<Self> {
        Self::current(built_in().profiles.clone())
    }

    /// Profiles in the order of their names: of each the highest version.
    fn current(mut profiles: Vec<Self>) -> Vec<Self> {
        profiles.sort_by(|a, b| (&a.name, b.number()).cmp(&(&b.name, a.number())));
        profiles.dedup_by(|one, higher| one.name == higher.name);
        profiles
    }

    /// The version as a number; 0 where it is none.
    fn number(&self) -> u32 {
        self.version.parse().unwrap_or_default()
    }

    /// The profiles among some facts.
    fn of(facts: &Facts, wanted: impl Fn(&str) -> bool) -> Result<Vec<Self>> {
        let profiles = facts.subjects().filter(|iri| facts.is_a(iri, qassay::METRIC_POLICY) && wanted(iri));
        profiles.map(|iri| Self::read(facts, iri)).collect()
    }

    /// The sha256 of the file that says all this; none: it is built in.
    pub fn file_sha256(&self) -> Option<&str> {
        self.file.as_ref().map(|file| file.sha256())
    }

    /// The IRI, with the file of one's own.
    fn place(&self) -> String {
        let file = self.file.as_ref().map_or_else(|| "built in".to_owned(), |file| file.name().to_owned());
        format!("<{}> ({file})", self.iri)
    }

    /// The built-in profile with this IRI, current or not: what an archived evaluation was made with.
    pub fn with_iri(iri: &str) -> Option<Self> {
        built_in().profiles.iter().find(|profile| profile.iri == iri).cloned()
    }

    /// The built-in profile with this name.
    pub fn find(name: &str) -> Result<Self> {
        let mut profiles = Self::all();
        match profiles.iter().position(|profile| profile.name == name) {
            Some(at) => Ok(profiles.swap_remove(at)),
            None => Err(Error::input(format!("there is no profile `{name}`"))
                .allowed(profiles.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "))
                .hint("`qassay profiles` says what they do")),
        }
    }

    /// The rules of an experiment type, where the profile scores it.
    pub fn experiment(&self, name: &str) -> Option<&Arc<ExperimentRules>> {
        self.experiments.iter().find(|rules| rules.name == name)
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
        files.insert((PROFILES.path.to_owned(), hex(&Sha256::digest(PROFILES.text))));
        // Its name is the end of its IRI: what the file was called is known to nobody later.
        files.extend(
            self.file_sha256().map(|sha256| (format!("profiles/{}", &sha256[..32]), sha256.to_owned())),
        );
        files.into_iter().collect()
    }
}

const SCORES: [(&str, EmptyScore); 4] = [
    ("score-one", EmptyScore::One),
    ("score-zero", EmptyScore::Zero),
    ("score-precision-one", EmptyScore::PrecisionOne),
    ("score-recall-one", EmptyScore::RecallOne),
];

impl Profile {
    fn read(facts: &Facts, iri: &str) -> Result<Self> {
        let text = |property: &str| {
            facts.text(iri, property).map(str::to_owned).ok_or_else(|| incomplete(iri, property))
        };
        let names = |name: &str| facts.codes(iri, &property(name)).map(str::to_owned).collect::<Vec<_>>();
        Ok(Self {
            iri: iri.to_owned(),
            name: text(skos::NOTATION)?,
            version: text(owl::VERSION_INFO)?,
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
                    ("text-entity-id", ValueText::EntityId),
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
            label_columns: choice(
                facts,
                iri,
                "labelColumns",
                &[
                    ("label-columns-are-answers", LabelColumns::Answers),
                    ("label-columns-are-labels", LabelColumns::Labels),
                ],
            )?
            .unwrap_or_default(),
            ranked_by: metrics(facts, iri, "rankedBy")?.first().copied(),
            normalisations: names("normalisation").into_iter().collect(),
            empty: empty_rules(facts, iri)?,
            gold: GoldRules::read(facts, iri)?,
            groups: names("group").into_iter().collect(),
            era: choice(
                facts,
                iri,
                "gerbilEra",
                &[("era-2019", Era::A), ("era-2023", Era::B), ("era-2024", Era::C)],
            )?,
            loaders: names("allowedLoader").iter().map(|concept| loader(concept)).collect::<Result<_>>()?,
            loader: loader(names("defaultLoader").first().ok_or_else(|| incomplete(iri, "defaultLoader"))?)?,
            file: None,
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
        error: may("systemError")?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::input::term;

    #[test]
    fn profiles_are_complete() {
        let names: Vec<String> = Profile::all().into_iter().map(|profile| profile.name).collect();
        assert_eq!(
            names,
            [
                "clef-2004",
                "cwq",
                "gerbil",
                "gerbil-2019",
                "gerbil-2023",
                "grailqa",
                "grasp",
                "mintaka",
                "nliwod",
                "nlpcc-kbqa",
                "nlpcc-ranking",
                "qald",
                "qald-4",
                "qassay",
                "row-major",
                "text2sparql",
                "trec",
                "trec-9",
                "webqsp"
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
                .contains("allowed: clef-2004, cwq, gerbil, gerbil-2019")
        );
    }

    /// What a profile does, one statement a line: all that is said of it, of its rules and of their steps, but for the
    /// words for people. The order of objects is that of the tables.
    fn rules(iri: &str) -> String {
        let words = [skos::PREF_LABEL, skos::DEFINITION, dct::SOURCE];
        let facts = &built_in().derived;
        let (mut waiting, mut seen, mut lines) = (vec![iri.to_owned()], BTreeSet::new(), String::new());
        while let Some(subject) = waiting.pop() {
            let Some(statements) = facts.statements(&subject).filter(|_| seen.insert(subject.clone())) else {
                continue;
            };
            let told = |predicate: &str| !words.contains(&predicate) && !predicate.ends_with("#basedOn");
            for (predicate, objects) in statements.iter().filter(|(predicate, _)| told(predicate)) {
                for object in objects {
                    lines.extend([format!("<{subject}> <{predicate}> {object}\n")]);
                    waiting.push(term::text(object).into_owned());
                }
            }
        }
        lines
    }

    /// A profile that does something else needs another version: its IRI is in the name of every evaluation.
    #[test]
    fn what_a_version_does_never_changes() {
        let digest = |iri: &str| hex(&Sha256::digest(rules(iri)));
        let line = |profile: &Profile| format!("{}\t{}\n", profile.iri, digest(&profile.iri));
        let found: String = built_in().profiles.iter().map(line).collect();
        assert_eq!(
            found,
            include_str!("../../tests/profiles.tsv"),
            "write a new version, and leave the old one"
        );
    }

    #[test]
    fn older_profiles_are_found_by_their_iri_only() {
        let current = Profile::all();
        let is_older = |profile: &&Profile| current.iter().all(|current| current.iri != profile.iri);
        let older: Vec<&Profile> = built_in().profiles.iter().filter(is_older).collect();
        let named = |path: &str| format!("https://w3id.org/qassay/profile/{path}");
        for path in ["nliwod/1", "qald-4/1", "qald/1", "qassay/1", "qassay/2", "qassay/3"] {
            assert!(older.iter().any(|profile| profile.iri == named(path)), "{path}");
        }
        for old in older {
            let new = current.iter().find(|profile| profile.name == old.name).unwrap();
            assert!(old.number() < new.number(), "{}", old.iri);
            assert_eq!(Profile::with_iri(&old.iri).unwrap().version, old.version);
        }
        let first = Profile::with_iri(&named("qassay/1")).unwrap();
        assert_eq!((first.experiments.len(), first.experiments[0].steps.len()), (1, 7));
        assert_eq!(first.plan_files()[0].0, "ontology/profiles.ttl");
        assert!(Profile::with_iri(&named("qassay/99")).is_none());
    }
}
