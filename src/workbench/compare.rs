//! Evaluations of an archive beside each other: could it be chance.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::parallel;
use crate::base::watch::Watcher;
use crate::profiles::rules::EXPERIMENTS;
use crate::record::archived::{Archived, ArchivedEvaluation, profile_name};
use crate::record::comparison::GroupMembers;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::results::kept::KeptGraphs;
use crate::record::results::{Detail, Results};
use crate::record::verify::inputs::ArchivedInputs;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups;
use crate::sparql::dataset::Dataset as _;
use crate::sparql::named_query::NamedQuery;
use crate::workbench::Workbench;
use crate::workbench::evaluate::{Evaluated, SubmissionFile};
use crate::workbench::request::{GoldChoice, Request};

/// Which evaluations of an archive are compared.
#[derive(Debug, Clone)]
pub struct CompareRequest {
    /// IRIs of evaluations, beginnings of their keys, names of systems, names of datasets; none: all. Where there are names of
    /// datasets and others, what both mean.
    pub words: Vec<String>,
    /// Only those with these IRIs, where a query gave some.
    pub only: Option<BTreeSet<String>>,
    /// The names of the profiles; none: all.
    pub profiles: Vec<String>,
    /// Which gold answers they are scored against.
    pub gold: GoldChoice,
    /// How they are compared.
    pub settings: ComparisonSettings,
}

impl Default for CompareRequest {
    /// Everything that the archive has.
    fn default() -> Self {
        Self {
            words: Vec::new(),
            only: None,
            profiles: Vec::new(),
            gold: GoldChoice::Both,
            settings: ComparisonSettings::default(),
        }
    }
}

impl Workbench {
    /// The evaluations of the archive that are asked for, compared as their graphs tell them: nothing is scored again.
    ///
    /// # Errors
    /// Where a word means nothing, a graph or a dataset is not here, or evaluations cannot stand in one table.
    pub fn compare(&self, request: &CompareRequest) -> Result<SystemComparison> {
        let archived = self.archived()?;
        let here = |error: Error| error.in_file(self.root().display().to_string());
        let wanted = wanted(&archived, request).map_err(here)?;
        if wanted.is_empty() {
            return Err(here(nothing(&archived, request)));
        }
        let kept = KeptGraphs::open(&archived.archive)?;
        let results = parallel::try_each(wanted.clone(), |one| Results::read(&kept, &one.iri))?;
        let is_scored = |name: &&String| {
            results.iter().flat_map(|one| &one.experiments).any(|types| types.name == **name)
        };
        if let Some(name) = request.settings.experiments.iter().find(|name| !is_scored(name)) {
            let error = Error::input(format!("none of the evaluations scored the experiment type `{name}`"));
            return Err(here(error.allowed(EXPERIMENTS.join(", "))));
        }
        let groups = if request.settings.groups { self.groups(&archived, &wanted)? } else { BTreeMap::new() };
        SystemComparison::of(&results, &request.settings, &groups)
    }

    /// Files, scored as [`Workbench::evaluate`] does, and compared.
    ///
    /// # Errors
    /// Where they cannot be scored, or their evaluations cannot stand in one table.
    pub fn compare_files(
        &self,
        request: &Request,
        (gold, answers): (&Path, &[SubmissionFile]),
        settings: &ComparisonSettings,
        watcher: &dyn Watcher,
    ) -> Result<(SystemComparison, Evaluated)> {
        let evaluated = self.evaluate(request, gold, answers, watcher)?;
        let shown = |one: &Evaluation| Results::shown_of(one, Detail::Questions);
        let results: Vec<Results> = parallel::each(evaluated.evaluations.iter().collect(), shown);
        let mut known = BTreeMap::new();
        if settings.groups {
            for one in &evaluated.evaluations {
                known.insert(one.iri.clone(), groups::keys(&self.mint, &one.plan, &one.cases)?);
            }
        }
        Ok((SystemComparison::of(&results, settings, &known)?, evaluated))
    }

    /// The IRIs in the first column of what a query finds in the archive.
    ///
    /// # Errors
    /// Where it has no rows, or something else than IRIs.
    pub fn evaluations_of(&self, query: &NamedQuery, watcher: &dyn Watcher) -> Result<BTreeSet<String>> {
        let found = self.select(query, false, watcher)?.store.select(query)?;
        let iri = |row: &Vec<Option<oxigraph::model::Term>>| match row.first() {
            Some(Some(oxigraph::model::Term::NamedNode(node))) => Ok(node.as_str().to_owned()),
            _ => Err(Error::input("the first column has something else than IRIs")
                .allowed("a query such as SELECT ?evaluation { ?evaluation a qassay:Evaluation }")),
        };
        found.iter().map(iri).collect()
    }

    /// The groups of the questions of each dataset by each profile, as the last of the evaluations has them.
    fn groups(
        &self,
        archived: &Archived,
        evaluations: &[&ArchivedEvaluation],
    ) -> Result<BTreeMap<String, GroupMembers>> {
        let alike = evaluations.iter().map(|one| ((&one.gold, &one.profile, &one.references), *one));
        let of_one = |one: &ArchivedEvaluation| {
            let inputs = ArchivedInputs::read(archived, one, &self.mint)?;
            Ok((one.iri.clone(), inputs.groups(&self.mint)?))
        };
        alike.collect::<BTreeMap<_, _>>().into_values().map(of_one).collect()
    }
}

/// The evaluations that are asked for, in order of their IRIs.
fn wanted<'a>(archived: &'a Archived, request: &CompareRequest) -> Result<Vec<&'a ArchivedEvaluation>> {
    let datasets = dataset_names(archived);
    let name = |one: &ArchivedEvaluation| datasets.get(version(one)).map(String::as_str).unwrap_or_default();
    let (mut of_words, mut of_datasets) = (BTreeSet::new(), BTreeSet::new());
    for word in &request.words {
        let called = archived.called(word, None);
        if called.is_empty() && !datasets.values().any(|name| name == word) {
            let systems = archived.evaluations.iter().flat_map(ArchivedEvaluation::systems);
            let known: BTreeSet<&str> = systems.chain(datasets.values()).map(String::as_str).collect();
            let known: Vec<&str> = known.into_iter().collect();
            return Err(Error::input(format!("the archive has no evaluation, system or dataset `{word}`"))
                .allowed(known.join(", "))
                .hint("a file would be compared with others of its kind: GOLD ANSWERS ANSWERS"));
        }
        if called.is_empty() {
            of_datasets.insert(word.as_str());
        }
        of_words.extend(called.into_iter().map(|one| one.iri.as_str()));
    }
    let mut wanted: Vec<&ArchivedEvaluation> = archived
        .evaluations
        .iter()
        .filter(|one| of_words.is_empty() || of_words.contains(one.iri.as_str()))
        .filter(|one| of_datasets.is_empty() || of_datasets.contains(name(one)))
        .filter(|one| match request.gold {
            GoldChoice::Curated => one.gold_answers.is_none(),
            GoldChoice::Refreshed => one.gold_answers.is_some(),
            GoldChoice::Both => true,
        })
        .filter(|one| request.only.as_ref().is_none_or(|only| only.contains(&one.iri)))
        .filter(|one| {
            request.profiles.is_empty()
                || request.profiles.iter().any(|known| known == profile_name(&one.profile))
        })
        .collect();
    wanted.sort_by(|one, other| one.iri.cmp(&other.iri));
    Ok(wanted)
}

/// Why nothing is compared.
fn nothing(archived: &Archived, request: &CompareRequest) -> Error {
    if archived.evaluations.is_empty() {
        return Error::input("the archive has no evaluations").hint("`qassay evaluate` makes some");
    }
    let known: BTreeSet<&str> = archived.evaluations.iter().map(|one| profile_name(&one.profile)).collect();
    let known: Vec<&str> = known.into_iter().collect();
    match request.profiles.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => {
            Error::input(format!("no evaluation is by the profile `{name}`")).allowed(known.join(", "))
        }
        None => Error::input("no evaluation of the archive is all that is asked for"),
    }
}

/// The version of the dataset of an evaluation, as it stands in IRIs.
fn version(evaluation: &ArchivedEvaluation) -> &str {
    evaluation.gold.get(..16).unwrap_or(&evaluation.gold)
}

/// The names of datasets, by their versions.
fn dataset_names(archived: &Archived) -> BTreeMap<&str, String> {
    let graphs = archived.graphs.iter();
    let named = graphs.filter_map(|graph| {
        let (name, version) = graph.name.split_once("/graph/dataset/")?.1.split_once('/')?;
        Some((version, name.to_owned()))
    });
    named.collect()
}
