//! What is decided before evaluations are compared, and the key that follows from it.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::iri::usual_evaluation;
use crate::measures::fraction::Fraction;
use crate::measures::metric::Metric;
use crate::statistics::table::PairedTest;

/// The methods by which evaluations are compared: what changes a number is a new version.
pub const METHODS: &str = "qassay-compare/1";

/// What is decided before evaluations are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonSettings {
    /// The measures; none: of each profile the one that it ranks by, else macro F1.
    pub measures: Vec<Metric>,
    /// The experiment types; none: all that were scored.
    pub experiments: Vec<String>,
    /// The test.
    pub test: PairedTest,
    /// Up to which adjusted p-value a difference is significant.
    pub alpha: Fraction,
    /// What the random numbers begin with beside the gold files.
    pub seed: String,
    /// The system that the others are compared with; none: each with each.
    pub baseline: Option<String>,
    /// What is resampled and exchanged; none: variants in TEXT2SPARQL, else questions.
    pub cluster: Option<ClusterUnit>,
    /// Only questions that all systems answered with something: a flattering choice.
    pub only_answered: bool,
    /// Whether groups of questions are compared too.
    pub groups: bool,
    /// The IRIs of evaluations whose submission stands for further systems, each with one of their names: what an archive
    /// knows of this may grow.
    pub aliases: BTreeSet<(String, String)>,
}

impl Default for ComparisonSettings {
    fn default() -> Self {
        Self {
            measures: Vec::new(),
            experiments: Vec::new(),
            test: PairedTest::default(),
            alpha: Fraction::ratio(5, 100).unwrap_or_else(Fraction::zero),
            seed: String::new(),
            baseline: None,
            cluster: None,
            only_answered: false,
            groups: false,
            aliases: BTreeSet::new(),
        }
    }
}

/// What is resampled and exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterUnit {
    /// Each question.
    Question,
    /// The variants of a question together: ids that are the same before the last `-`.
    Variant,
}

impl ClusterUnit {
    /// The word for scripts and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Variant => "variant",
        }
    }
}

impl ComparisonSettings {
    /// Everything that is decided, by name, in a fixed order; what may be several is several, sorted. Names are those of the
    /// JSON. What was left to the profile is absent.
    pub fn stated(&self) -> Vec<(&'static str, String)> {
        let several = |name, mut values: Vec<String>| {
            values.sort_unstable();
            values.dedup();
            values.into_iter().map(move |value| (name, value))
        };
        let mut all: Vec<(&'static str, String)> =
            several("measure", self.measures.iter().map(ToString::to_string).collect()).collect();
        all.extend(several("experiment", self.experiments.clone()));
        all.push(("test", self.test.name().to_owned()));
        all.push(("alpha", self.alpha.to_decimal()));
        all.push(("seed", self.seed.clone()));
        all.extend(self.baseline.iter().map(|name| ("baseline", name.clone())));
        all.extend(self.cluster.iter().map(|unit| ("cluster", unit.name().to_owned())));
        all.push(("questions", if self.only_answered { "answered" } else { "scored" }.to_owned()));
        all.push(("groups", self.groups.to_string()));
        all.extend(self.aliases.iter().map(|(iri, name)| ("alias", format!("{iri} {name}"))));
        all
    }

    /// The settings that were [stated](Self::stated); nothing where a name or a value is none of theirs.
    pub fn of_stated(stated: &[(String, String)]) -> Option<Self> {
        let mut settings = Self::default();
        for (name, value) in stated {
            match name.as_str() {
                "measure" => settings.measures.push(Metric::named(value)?),
                "experiment" => settings.experiments.push(value.clone()),
                "test" => settings.test = PairedTest::ALL.into_iter().find(|test| test.name() == value)?,
                "alpha" => settings.alpha = Fraction::parse(value)?,
                "seed" => settings.seed.clone_from(value),
                "baseline" => settings.baseline = Some(value.clone()),
                "cluster" => {
                    let units = [ClusterUnit::Question, ClusterUnit::Variant];
                    settings.cluster = Some(units.into_iter().find(|unit| unit.name() == value)?);
                }
                "questions" => settings.only_answered = value == "answered",
                "groups" => settings.groups = value == "true",
                "alias" => {
                    let (iri, name) = value.split_once(' ')?;
                    settings.aliases.insert((iri.to_owned(), name.to_owned()));
                }
                _ => return None,
            }
        }
        Some(settings)
    }

    /// The key of the comparison of some evaluations, in any order: 32 hex digits of the sha256 over the methods, the IRIs
    /// under the usual base
    /// and the settings.
    pub fn key<'e>(&self, evaluations: impl IntoIterator<Item = &'e str>) -> String {
        let mut evaluations: Vec<String> = evaluations.into_iter().map(usual_evaluation).collect();
        evaluations.sort_unstable();
        evaluations.dedup();
        let mut hasher = Sha256::new();
        let mut line = |words: [&str; 2]| {
            // A seed or a name with a line break is no two lines.
            let text = serde_json::to_string(&words).unwrap_or_default();
            hasher.update([text.as_str(), "\n"].concat());
        };
        line(["methods", METHODS]);
        for iri in evaluations {
            line(["evaluation", &iri]);
        }
        for (name, value) in self.stated() {
            line([name, &value]);
        }
        hex(&hasher.finalize())[..32].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed() -> ComparisonSettings {
        ComparisonSettings {
            measures: ["microF1", "exactMatch"].map(|name| Metric::named(name).unwrap()).into(),
            experiments: vec!["QA".to_owned(), "C2KB".to_owned()],
            test: PairedTest::Sign,
            alpha: Fraction::ratio(1, 100).unwrap(),
            seed: "a\nb".to_owned(),
            baseline: Some("one".to_owned()),
            cluster: Some(ClusterUnit::Variant),
            only_answered: true,
            groups: true,
            aliases: BTreeSet::from([("http://e/1".to_owned(), "an other".to_owned())]),
        }
    }

    #[test]
    fn what_is_stated_is_read_again() {
        for settings in [ComparisonSettings::default(), changed()] {
            let stated: Vec<(String, String)> =
                settings.stated().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let again = ComparisonSettings::of_stated(&stated).unwrap();
            assert_eq!(again.stated(), settings.stated());
            assert_eq!(again.key(["b", "a"]), settings.key(["a", "b", "a"]));
        }
        for (name, value) in [("test", "t"), ("measure", "none"), ("colour", "red"), ("cluster", "both")] {
            assert_eq!(ComparisonSettings::of_stated(&[(name.to_owned(), value.to_owned())]), None);
        }
    }

    #[test]
    fn each_setting_is_in_the_key() {
        let (usual, changed) = (ComparisonSettings::default(), changed());
        let mut keys = BTreeSet::from([usual.key(["a"]), usual.key(["a", "b"]), changed.key(["a"])]);
        let one_changed = |change: fn(&mut ComparisonSettings, ComparisonSettings)| {
            let mut settings = ComparisonSettings::default();
            change(&mut settings, self::changed());
            settings.key(["a"])
        };
        keys.extend([
            one_changed(|own, other| own.measures = other.measures),
            one_changed(|own, other| own.experiments = other.experiments),
            one_changed(|own, other| own.test = other.test),
            one_changed(|own, other| own.alpha = other.alpha),
            one_changed(|own, other| own.seed = other.seed),
            one_changed(|own, other| own.baseline = other.baseline),
            one_changed(|own, other| own.cluster = other.cluster),
            one_changed(|own, other| own.only_answered = other.only_answered),
            one_changed(|own, other| own.groups = other.groups),
            one_changed(|own, other| own.aliases = other.aliases),
        ]);
        assert_eq!(keys.len(), 13);
        assert!(keys.iter().all(|key| key.len() == 32));
    }
}
