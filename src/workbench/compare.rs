//! Evaluations of an archive beside each other: could it be chance.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oxigraph::model::Term;

use crate::base::clock::{Instant, now};
use crate::base::error::{Error, Result};
use crate::base::limits::ARCHIVE_QUERY_TIME;
use crate::base::parallel;
use crate::base::watch::Watcher;
use crate::record::archived::{Archived, ArchivedEvaluation, profile_name};
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::archived::{beside, with_aliases};
use crate::record::comparison::kept::keep;
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::publish::provenance::Execution;
use crate::record::results::kept::KeptGraphs;
use crate::record::results::{Detail, Results};
use crate::scoring::evaluation::Evaluation;
use crate::scoring::groups;
use crate::sources::archive::Archive;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::timed::{QueryBounds, QueryResult, run_within};
use crate::workbench::Workbench;
use crate::workbench::evaluate::{SubmissionFile, keep_nothing, note_not_kept};
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

/// What came of comparing.
#[derive(Debug)]
pub struct ComparedNow {
    /// The comparison.
    pub comparison: SystemComparison,
    /// Whether it can be kept, and of files whether their evaluations are. What was computed can be shown, also where it cannot
    /// be kept.
    pub kept: Result<()>,
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
        beside((&archived, &kept), &wanted, &request.settings)
    }

    /// Whether a comparison can be kept in the archive that is here. Where it cannot, that is told before the work.
    ///
    /// # Errors
    /// Where the archive cannot be written to.
    pub fn can_keep_comparisons(&self, watcher: &dyn Watcher) -> Result<()> {
        // Where there is no archive, none is made for evaluations that it does not have.
        if !self.keeps || !self.mint.model().keeps_comparisons() || Archive::open(self.root()).is_err() {
            return Ok(());
        }
        let made = self.create().map(drop);
        made.inspect_err(|error| note_not_kept(error, watcher)).map_err(keep_nothing)
    }

    /// Keeps a comparison of evaluations of the archive, which began at some time, as a graph that can be verified; what is kept
    /// already stays as it is. Gives its IRI; none where nothing is kept here, or the archive is of the first version of the
    /// model, whose graphs do not say what an interval is derived from.
    ///
    /// # Errors
    /// Where the archive has another graph of the same comparison, or something cannot be written.
    pub fn keep_comparison(&self, comparison: &SystemComparison, started: Instant) -> Result<Option<String>> {
        if !self.keeps || !self.mint.model().keeps_comparisons() {
            return Ok(None);
        }
        let (ended, process) = (now()?, std::process::id());
        let run = Execution { started, ended, command: "compare".to_owned(), process };
        keep(&self.create()?, comparison, &run).map(Some)
    }

    /// Files, scored as [`Workbench::evaluate`] does, and compared. Where they are kept, that is what the archive says of them,
    /// by the names that it has for them.
    ///
    /// # Errors
    /// Where they cannot be scored, or their evaluations cannot stand in one table.
    pub fn compare_files(
        &self,
        request: &Request,
        (gold, answers): (&Path, &[SubmissionFile]),
        settings: &ComparisonSettings,
        watcher: &dyn Watcher,
    ) -> Result<ComparedNow> {
        let evaluated = self.evaluate(request, gold, answers, watcher)?;
        watcher.check()?;
        let (evaluations, kept) = (&evaluated.evaluations, evaluated.kept);
        if self.keeps && kept.is_ok() {
            let only = evaluations.iter().map(|one| one.iri.clone()).collect();
            let settings = settings.clone();
            let request = CompareRequest { only: Some(only), settings, ..CompareRequest::default() };
            return Ok(ComparedNow { comparison: self.compare(&request)?, kept });
        }
        let shown = |one: &Evaluation| Results::shown_of(one, Detail::Questions);
        let mut results: Vec<Results> = parallel::each(evaluations.iter().collect(), shown);
        watcher.check()?;
        // Files with the same bytes are one submission: it stands once.
        results.sort_by(|one, other| {
            (&one.iri, &one.submission.name).cmp(&(&other.iri, &other.submission.name))
        });
        let mut aliases = BTreeSet::new();
        results.dedup_by(|one, first| {
            let is_same = one.iri == first.iri;
            if is_same && one.submission.name != first.submission.name {
                aliases.insert((one.iri.clone(), one.submission.name.clone()));
            }
            is_same
        });
        let mut known = BTreeMap::new();
        if settings.groups {
            for one in evaluations {
                known.insert(one.iri.clone(), groups::keys(&self.mint, &one.plan, &one.cases)?);
            }
        }
        let settings = with_aliases(settings, aliases, &results);
        Ok(ComparedNow { comparison: SystemComparison::of(&results, &settings, &known)?, kept })
    }

    /// The IRIs in the first column of what a query finds in the archive.
    ///
    /// # Errors
    /// Where it is not at its end in a minute, is no SELECT, or finds something else than IRIs.
    pub fn evaluations_of(&self, query: &NamedQuery, watcher: &dyn Watcher) -> Result<BTreeSet<String>> {
        let store = self.select(query, false, watcher)?.store;
        let QueryResult::Solutions { rows, .. } =
            run_within(&store, query, QueryBounds::time(ARCHIVE_QUERY_TIME))?
        else {
            return Err(query.is_not("SELECT"));
        };
        let iri = |row: &Vec<Option<Term>>| match row.first() {
            Some(Some(Term::NamedNode(node))) => Ok(node.as_str().to_owned()),
            _ => Err(Error::input("the first column has something else than IRIs")
                .allowed("a query such as SELECT ?evaluation { ?evaluation a qassay:Evaluation }")),
        };
        rows.iter().map(iri).collect()
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
