//! What pages read: an archive with its records, the results of an evaluation, what the graphs say of a thing. It is read when
//! a page needs it, and kept as long as the pages beside it do.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use oxigraph::model::Quad;

use crate::base::error::{Error, Result};
use crate::base::vocab::{dcat, dct, foaf, qassay, rdfs, schema, skos};
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::profiles::ontology::{self, Facts};
use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::comparison::GroupMembers;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::headline::{HeadlineInterval, HeadlineIntervals};
use crate::record::publication::act::Publication;
use crate::record::publication::quoted::LicencesAlone;
use crate::record::publication::tombstone::Tombstone;
use crate::record::results::explanation::Explanation;
use crate::record::results::kept::KeptGraphs;
use crate::record::results::opened::OpenedGraphs;
use crate::record::results::published_sides::PublishedSides;
use crate::record::results::{Results, TypeResults};
use crate::record::summaries::Summary;
use crate::record::summaries::kept::summaries_with_intervals;
use crate::record::verify::inputs::ArchivedInputs;
use crate::report::columns::columns;
use crate::site::graphs::{StatementLines, ontology_lines, text_of};
use crate::site::sides::SideBySide;
use crate::site::texts::QuestionTexts;
use crate::sources::archive::PUBLICATION;
use crate::sources::archive::hashing::read_file;
use crate::sources::catalogue;

/// An evaluation with all that its page shows.
#[derive(Debug)]
pub struct ShownEvaluation {
    /// What came of it.
    pub results: Results,
    /// The metrics of its main experiment type that are shown first.
    pub metrics: Vec<Metric>,
    /// The intervals of these.
    pub intervals: Vec<HeadlineInterval>,
}

/// How many figures stand above everything else.
const FIGURES: usize = 4;

/// The metrics that are shown first: those of the profile, else the usual means.
fn main_metrics(results: &Results, main: &TypeResults) -> Vec<Metric> {
    let named = columns(std::slice::from_ref(results)).into_iter().map(|(metric, _)| metric);
    let usual =
        ["macroF1", "macroPrecision", "macroRecall", "exactMatch"].into_iter().filter_map(Metric::named);
    let is_shown = |metric: &Metric| metric.measure.unit != Unit::Count;
    let all: Vec<Metric> =
        if main.headline.is_empty() { usual.collect() } else { named.filter(is_shown).collect() };
    all.into_iter().take(FIGURES).collect()
}

/// What was asked for last, by its name; what nobody asked for goes first.
#[derive(Debug)]
struct Recent<T, const MOST: usize = RECENT>(Mutex<VecDeque<(String, T)>>);

/// How much is kept of a kind: threads work side by side.
const RECENT: usize = 8;

/// An evaluation with more questions is large.
const LARGE: u64 = 2_000;

/// Of so many datasets the evaluations are kept side by side: questions of all of them ask for them by turns.
const DATASETS: usize = 256;

impl<T, const MOST: usize> Default for Recent<T, MOST> {
    fn default() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }
}

impl<T: Clone, const MOST: usize> Recent<T, MOST> {
    fn get(&self, name: &str, make: impl FnOnce() -> Result<T>) -> Result<T> {
        let lock = || self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = |all: &mut VecDeque<(String, T)>| {
            let found = all.iter().position(|(known, _)| known == name)?;
            let one = all.remove(found)?;
            let value = one.1.clone();
            all.push_back(one);
            Some(value)
        };
        if let Some(known) = known(&mut lock()) {
            return Ok(known);
        }
        let new = make()?;
        let mut all = lock();
        all.push_back((name.to_owned(), new.clone()));
        if all.len() > MOST {
            all.pop_front();
        }
        Ok(new)
    }
}

/// An archive as pages see it.
#[derive(Debug)]
pub struct SiteView<'a> {
    /// The archive.
    pub archived: &'a Archived,
    kept: KeptGraphs<'a>,
    /// The names of the graphs that are not shown, nor anything that only they tell.
    withheld: BTreeSet<String>,
    records: StatementLines,
    publications: Vec<Publication>,
    alone: LicencesAlone,
    /// What was withdrawn, and is not here for another reason.
    withdrawn: BTreeSet<String>,
    /// The graphs that are shown, by what they are about.
    graphs: BTreeMap<&'a str, Vec<&'a RegisteredGraph>>,
    /// What the catalogue of published files calls datasets and their versions, and what answers are called after all systems that
    /// gave them here, by their IRIs.
    names: BTreeMap<String, String>,
    /// What came of the evaluations as a whole, by their IRIs.
    summaries: BTreeMap<String, Summary>,
    evaluations: Recent<Arc<ShownEvaluation>>,
    opened: Recent<Arc<OpenedGraphs>>,
    questions: Recent<Arc<Vec<Explanation>>>,
    statements: Recent<Arc<StatementLines>>,
    sides: Recent<Arc<SideBySide>, DATASETS>,
    order: Recent<Arc<Vec<String>>>,
    comparisons: Recent<Arc<SystemComparison>>,
    /// The questions of the groups of evaluations.
    groups_of: Recent<Arc<GroupMembers>>,
    /// Evaluations with more questions have no pages; none: all have.
    most_questions: Option<u64>,
    /// The texts of all questions; somebody has to look for some.
    texts: OnceLock<Vec<QuestionTexts>>,
}

/// The kinds of things whose graphs are not read for pages: they may be larger than memory.
const TOO_LARGE: [&str; 5] =
    ["/graph/links/", "/graph/labels/", "/graph/classes/", "/graph/types/", "/graph/kb/"];

impl<'a> SiteView<'a> {
    /// The view of an archive without some graphs, by their names.
    ///
    /// # Errors
    /// Where a record cannot be read.
    pub fn new(archived: &'a Archived, withheld: BTreeSet<String>) -> Result<Self> {
        let archive = &archived.archive;
        let publications = Publication::all(archive)?;
        let of_publications: BTreeSet<PathBuf> = archive.records_of(PUBLICATION)?.into_iter().collect();
        let (mut records, mut alone) = (StatementLines::default(), LicencesAlone::of(&publications));
        for path in archive.records()? {
            let record = read_file(&path).map_err(|error| Error::io("read the record", &path, &error))?;
            records.add(&record);
            if !of_publications.contains(&path) {
                alone.see(&record);
            }
        }
        let is_here = |iri: &str| {
            archived.evaluations.iter().any(|one| one.iri == iri)
                || archived.comparisons.iter().any(|one| one.iri == iri)
        };
        let mut withdrawn = BTreeSet::new();
        for tombstone in Tombstone::all(&publications) {
            if !is_here(&tombstone.publication.of) {
                let mut bytes = Vec::new();
                let written = tombstone.lines(archive.mint()).write_to(&mut bytes);
                written.map_err(|error| Error::system(format!("cannot tell what was withdrawn: {error}")))?;
                records.add(&bytes);
                withdrawn.insert(tombstone.publication.of.clone());
                // What went with it is gone with it, unless it is public by itself.
                let gone = tombstone.publication.members.iter().filter(|iri| !is_here(iri));
                withdrawn.extend(gone.cloned());
            }
        }
        let mut graphs: BTreeMap<&str, Vec<&RegisteredGraph>> = BTreeMap::new();
        for graph in archived.graphs.iter().filter(|graph| !withheld.contains(&graph.name)) {
            graphs.entry(&graph.subject).or_default().push(graph);
        }
        let summaries = summaries_with_intervals(archived).into_iter().flatten();
        let summaries: BTreeMap<String, Summary> =
            summaries.map(|one| (one.evaluation.clone(), one)).collect();
        let kept = KeptGraphs::open(archive)?;
        Ok(Self {
            archived,
            names: names(archived, &kept.records, &summaries),
            kept,
            withheld,
            records,
            publications,
            alone,
            withdrawn,
            graphs,
            summaries,
            evaluations: Recent::default(),
            opened: Recent::default(),
            questions: Recent::default(),
            statements: Recent::default(),
            sides: Recent::default(),
            order: Recent::default(),
            comparisons: Recent::default(),
            groups_of: Recent::default(),
            most_questions: None,
            texts: OnceLock::new(),
        })
    }

    /// The same, where evaluations with more questions have no pages.
    #[must_use]
    pub fn bounded(self, most_questions: Option<u64>) -> Self {
        Self { most_questions, ..self }
    }

    /// How many questions the main experiment type of an evaluation has, whose IRI or a part of it this is.
    fn questions_in(&self, iri: &str) -> u64 {
        let main = self.summary(iri).and_then(|summary| summary.experiments.first());
        main.map_or(0, |main| main.statuses.values().sum())
    }

    /// An error where pages are not made of an evaluation.
    ///
    /// # Errors
    /// Where it has more questions than they may have.
    pub(crate) fn refuse_large(&self, evaluation: &str) -> Result<()> {
        let questions = self.questions_in(evaluation);
        match self.most_questions.filter(|most| questions > *most) {
            None => Ok(()),
            Some(most) => Err(Error::limit(format!("the evaluation has {questions} questions"))
                .allowed(format!("pages of evaluations with {most} questions or fewer"))
                .hint("its numbers are in `results` and in the endpoint; who has a copy of the archive has its pages at home")),
        }
    }

    /// The base of all IRIs.
    pub fn base(&self) -> String {
        let catalogue = self.archived.archive.mint().catalogue();
        catalogue.strip_suffix("catalog").unwrap_or(&catalogue).to_owned()
    }

    /// The graphs that it has, with what the records say.
    pub(crate) fn kept(&self) -> &KeptGraphs<'a> {
        &self.kept
    }

    /// What the records say.
    pub(crate) fn records(&self) -> &Facts {
        &self.kept.records
    }

    /// The last day on which each evaluation or comparison was published, by its IRI.
    pub(crate) fn days(&self) -> BTreeMap<&str, &str> {
        let mut days: BTreeMap<&str, &str> = BTreeMap::new();
        for one in &self.publications {
            for iri in one.members.iter().chain([&one.of]) {
                let day = days.entry(iri).or_default();
                *day = (*day).max(&one.day);
            }
        }
        days
    }

    /// The versions of something that were published, in order.
    pub(crate) fn publications(&self, iri: &str) -> impl Iterator<Item = &Publication> {
        self.publications.iter().filter(move |one| one.of == iri || one.members.contains(iri))
    }

    /// Who states a licence of an input with what he publishes, and whether all of them have withdrawn that: of the same file each
    /// speaks for himself. Nobody where its own record does.
    pub(crate) fn licensors(&self, input: &str, licence: &str) -> (BTreeSet<&str>, bool) {
        let stated = (input.to_owned(), licence.to_owned());
        let all = self.publications.iter().filter(|one| one.by.stated.contains(&stated));
        let all = all.filter(|_| self.alone.have(input, licence));
        let (gone, here): (Vec<_>, Vec<_>) = all.partition(|one| self.withdrawn.contains(&one.of));
        let is_gone = here.is_empty() && !gone.is_empty();
        let names = if is_gone { gone } else { here };
        (names.into_iter().map(|one| one.by.publisher.name.as_str()).collect(), is_gone)
    }

    /// What stays of something that was withdrawn.
    pub(crate) fn tombstone(&self, iri: &str) -> Option<Tombstone<'_>> {
        if !self.withdrawn.contains(iri) {
            return None;
        }
        let all = Tombstone::all(&self.publications);
        let own = all.iter().find(|one| one.publication.of == iri);
        own.or_else(|| all.iter().find(|one| one.publication.members.contains(iri))).copied()
    }

    /// What was published, by IRIs; several versions of one thing one after the other.
    pub(crate) fn published(&self) -> impl Iterator<Item = &str> {
        let gone = self.withdrawn.iter().map(String::as_str);
        self.publications.iter().map(|one| one.of.as_str()).chain(gone)
    }

    /// What goes with the latest version of something that was published, by IRIs.
    pub(crate) fn members(&self, of: &str) -> BTreeSet<&str> {
        let latest = self.publications.iter().filter(|one| one.of == of).max_by_key(|one| one.number);
        latest.into_iter().flat_map(|one| &one.members).map(String::as_str).collect()
    }

    /// What was withdrawn, by IRIs in order.
    pub fn withdrawn(&self) -> impl Iterator<Item = &str> {
        self.withdrawn.iter().map(String::as_str)
    }

    /// The subjects of the records, in order.
    pub(crate) fn recorded(&self) -> impl Iterator<Item = &str> {
        self.records.subjects()
    }

    /// Whether the graph with the content of a thing is shown.
    pub(crate) fn shows_content(&self, thing: &str) -> bool {
        let name = self.archived.archive.mint().graph_of(thing);
        self.shows_graph(&name) && self.archived.graphs.iter().any(|graph| graph.name == name)
    }

    /// Whether a graph is not withheld.
    pub(crate) fn shows_graph(&self, name: &str) -> bool {
        !self.withheld.contains(name)
    }

    /// Whether questions of an evaluation can be told item by item: no graph that tells them is withheld.
    pub(crate) fn tells_items(&self, results: &Results) -> bool {
        let mint = self.archived.archive.mint();
        let gold = results.refreshed.iter().map(|gold| gold.iri.as_str());
        let asked = gold.chain(results.executed.iter().map(|executed| executed.iri.as_str()));
        let things = [results.dataset.iri.as_str(), results.submission.iri.as_str()].into_iter().chain(asked);
        self.shows_graph(&mint.match_graph(&results.digest))
            && things.into_iter().all(|thing| self.shows_content(thing))
    }

    /// Whether messages that quote inputs are shown.
    fn tells_messages(&self, evaluation: &ArchivedEvaluation) -> bool {
        let digest = |execution: &str| execution.rsplit('/').next().unwrap_or_default().to_owned();
        let executions = evaluation.digests.iter().map(|(execution, _)| digest(execution));
        let mint = self.archived.archive.mint();
        executions.filter(|key| key.len() >= 32).all(|key| self.shows_graph(&mint.messages_graph(&key)))
    }

    fn archived_evaluation(&self, iri: &str) -> Result<&'a ArchivedEvaluation> {
        let found = self.archived.evaluations.iter().find(|one| one.iri == iri);
        found.ok_or_else(|| Error::input(format!("there is no evaluation <{iri}>")))
    }

    /// What came of an evaluation as a whole.
    pub(crate) fn summary(&self, evaluation: &str) -> Option<&Summary> {
        self.summaries.get(evaluation)
    }

    /// An evaluation, by its IRI.
    ///
    /// # Errors
    /// Where its graphs cannot be read.
    pub fn evaluation(&self, iri: &str) -> Result<Arc<ShownEvaluation>> {
        self.refuse_large(iri)?;
        self.of_evaluation(&self.evaluations, iri, || {
            let evaluation = self.archived_evaluation(iri)?;
            let mut results = Results::read(&self.kept, iri)?.of_system(&evaluation.system);
            self.withhold(&mut results, evaluation);
            let main = results.experiments.first();
            let metrics = main.map_or_else(Vec::new, |main| main_metrics(&results, main));
            let intervals = match main.filter(|_| !metrics.is_empty()) {
                Some(main) => HeadlineIntervals::of_measures(&results, &main.name, metrics.clone())?,
                None => Vec::new(),
            };
            Ok(Arc::new(ShownEvaluation { results, metrics, intervals }))
        })
    }

    /// Takes away what only withheld graphs tell: texts of questions, messages that quote inputs.
    fn withhold(&self, results: &mut Results, evaluation: &ArchivedEvaluation) {
        if !self.shows_content(&results.dataset.iri) {
            for question in &mut results.questions {
                question.texts.clear();
                question.keywords.clear();
            }
        }
        if !self.tells_messages(evaluation) {
            for (_, issue) in &mut results.issues {
                issue.message = issue.without_values();
            }
        }
    }

    /// How a question was scored, by experiment type.
    ///
    /// # Errors
    /// Where a graph cannot be read.
    pub(crate) fn explanations(&self, results: &Results, question: &str) -> Result<Arc<Vec<Explanation>>> {
        self.questions.get(&format!("{} {question}", results.iri), || {
            let opened =
                self.opened.get(&results.iri, || OpenedGraphs::open(&self.kept, results).map(Arc::new))?;
            let sides = PublishedSides::of(&self.kept, results, question, opened)?;
            let told = results.experiments.iter().map(|one| sides.explanation(&one.name, question));
            Ok(Arc::new(told.collect::<Result<_>>()?))
        })
    }

    /// A comparison, by its key; it is made where it was not asked for lately.
    ///
    /// # Errors
    /// As making it.
    pub(crate) fn compared(
        &self,
        key: &str,
        make: impl FnOnce() -> Result<SystemComparison>,
    ) -> Result<Arc<SystemComparison>> {
        self.comparisons.get(key, || make().map(Arc::new))
    }

    /// What came of the questions of a dataset version in all evaluations on it.
    ///
    /// # Errors
    /// Where one of them cannot be read.
    pub(crate) fn side_by_side(&self, dataset: &str) -> Result<Arc<SideBySide>> {
        self.sides.get(dataset, || {
            let is_on = |one: &&ArchivedEvaluation| {
                self.summary(&one.iri).is_some_and(|known| known.dataset == dataset)
            };
            let all: Vec<&ArchivedEvaluation> = self.archived.evaluations.iter().filter(is_on).collect();
            SideBySide::read(self.archived, &all).map(Arc::new)
        })
    }

    /// The IRIs of the questions of a dataset version in the order of its file; none where its graph is not shown.
    ///
    /// # Errors
    /// Where the graph cannot be read.
    pub(crate) fn questions_of(&self, dataset: &str) -> Result<Arc<Vec<String>>> {
        self.order.get(dataset, || {
            let below = format!("{dataset}/q/");
            let parts = if self.shows_content(dataset) { self.parts(dataset)? } else { BTreeSet::new() };
            let is_question =
                |node: &String| node.strip_prefix(&below).is_some_and(|rest| !rest.contains('/'));
            let mut all: Vec<(u64, String)> = Vec::new();
            for node in parts.into_iter().filter(is_question) {
                let said = self.said(&node)?;
                let position = said.iter().find(|quad| quad.predicate.as_str() == qassay::POSITION);
                let position = position.and_then(|quad| text_of(&quad.object).parse().ok());
                all.push((position.unwrap_or_default(), node));
            }
            all.sort_by_key(|(position, _)| *position);
            Ok(Arc::new(all.into_iter().map(|(_, node)| node).collect()))
        })
    }

    /// Which questions of an evaluation are in which group of its profile, by their keys.
    ///
    /// # Errors
    /// Where its files cannot be read.
    pub(crate) fn members_of_groups(&self, evaluation: &str) -> Result<Arc<GroupMembers>> {
        self.of_evaluation(&self.groups_of, evaluation, || {
            let one = self.archived_evaluation(evaluation)?;
            let mint = self.archived.archive.mint();
            Ok(Arc::new(ArchivedInputs::read(self.archived, one, mint)?.groups(mint)?))
        })
    }

    /// The texts of the questions of all dataset versions whose graphs are shown.
    ///
    /// # Errors
    /// Where a graph cannot be read.
    pub(crate) fn question_texts(&self) -> Result<&[QuestionTexts]> {
        if self.texts.get().is_none() {
            let datasets: BTreeSet<&str> = self.summaries.values().map(|one| one.dataset.as_str()).collect();
            let shown = datasets.into_iter().filter(|dataset| self.shows_content(dataset));
            let read = |dataset: &str| {
                let archive = &self.archived.archive;
                let graph = self.archived.graph(&archive.mint().graph_of(dataset))?;
                Ok(QuestionTexts::of(dataset, &archive.graph(&graph.sha256).content()?))
            };
            let all = shown.map(read).collect::<Result<Vec<_>>>()?;
            drop(self.texts.set(all));
        }
        Ok(self.texts.get().map_or(&[], Vec::as_slice))
    }

    /// Something of an evaluation. Of large ones nothing is kept, and one is read at a time: they take much memory.
    fn of_evaluation<T: Clone>(
        &self,
        kept: &Recent<T>,
        iri: &str,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        static ONE: Mutex<()> = Mutex::new(());
        if self.questions_in(iri) <= LARGE {
            return kept.get(iri, make);
        }
        let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        make()
    }

    /// The thing whose graphs tell what is said of an IRI.
    fn owner(&self, iri: &str) -> Option<&'a str> {
        let whole = iri.split('#').next().unwrap_or(iri);
        let ends = whole.match_indices('/').map(|(at, _)| at).chain([whole.len()]);
        let known = ends.filter_map(|end| self.graphs.get_key_value(&whole[..end]).map(|(owner, _)| *owner));
        known.last()
    }

    /// The statements of the graphs about the thing that an IRI belongs to.
    fn own(&self, iri: &str) -> Result<Arc<StatementLines>> {
        let Some(owner) = self.owner(iri) else { return Ok(Arc::default()) };
        self.refuse_large(owner)?;
        self.of_evaluation(&self.statements, owner, || {
            let mut lines = StatementLines::default();
            let graphs = self.graphs.get(owner).into_iter().flatten();
            for graph in graphs.filter(|graph| !TOO_LARGE.iter().any(|kind| graph.name.contains(kind))) {
                lines.add(&self.archived.archive.graph(&graph.sha256).content()?);
            }
            Ok(Arc::new(lines))
        })
    }

    /// What records, graphs and the ontology say of an IRI.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub(crate) fn said(&self, iri: &str) -> Result<Vec<Quad>> {
        let mut quads = self.records.of(iri)?;
        quads.extend(self.own(iri)?.of(iri)?);
        quads.extend(ontology_lines().of(iri)?);
        // What was published together is nothing but that: its publication says all of it.
        if let Some(latest) = self.publications.iter().rfind(|one| quads.is_empty() && one.of == iri) {
            quads.extend(self.records.of(&latest.iri())?);
        }
        Ok(quads)
    }

    /// The IRIs below one (`IRI/…`, `IRI#…`) of which something is said, in order.
    ///
    /// # Errors
    /// Where a graph cannot be read.
    pub(crate) fn parts(&self, iri: &str) -> Result<BTreeSet<String>> {
        let own = self.own(iri)?;
        let mut parts = BTreeSet::new();
        for beginning in [format!("{iri}/"), format!("{iri}#")] {
            parts.extend(self.records.below(&beginning).map(str::to_owned));
            parts.extend(own.below(&beginning).map(str::to_owned));
            parts.extend(ontology_lines().below(&beginning).map(str::to_owned));
        }
        Ok(parts)
    }

    /// What names an IRI in the records and in the graphs of what it belongs to.
    ///
    /// # Errors
    /// Where a graph cannot be read.
    pub(crate) fn naming(&self, iri: &str) -> Result<BTreeSet<String>> {
        let own = self.own(iri)?;
        let all = self.records.naming(iri).chain(own.naming(iri)).chain(ontology_lines().naming(iri));
        Ok(all.map(str::to_owned).collect())
    }

    /// What people call a dataset, or a version of it, of which the records have but the name of a file.
    pub(crate) fn dataset_name(&self, iri: &str) -> Option<&str> {
        self.names.get(iri).map(String::as_str)
    }

    /// What something is called: by the catalogue, the records, else by the ontology.
    pub(crate) fn title(&self, iri: &str) -> Option<String> {
        const NAMES: [&str; 5] = [dct::TITLE, schema::NAME, foaf::NAME, skos::PREF_LABEL, rdfs::LABEL];
        if let Some(name) = self.dataset_name(iri) {
            return Some(name.to_owned());
        }
        let facts = [self.records(), ontology::terms(), ontology::groups()];
        let names = facts.into_iter().flat_map(|facts| NAMES.iter().map(move |name| facts.text(iri, name)));
        names.flatten().next().map(str::to_owned)
    }
}

/// The names that the catalogue of published files has for the datasets of evaluations; a dataset of which several versions are
/// here has none of its own. Submissions are called after their systems: their records know the first one only.
fn names(
    archived: &Archived,
    records: &Facts,
    summaries: &BTreeMap<String, Summary>,
) -> BTreeMap<String, String> {
    let mut titles: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut systems: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in &archived.evaluations {
        let Some(summary) = summaries.get(&one.iri) else { continue };
        systems.entry(&summary.submission).or_default().extend(one.systems().map(String::as_str));
        let Some(entry) = catalogue::by_checksum(&one.gold) else { continue };
        let whole = records.text(&summary.dataset, dcat::IS_VERSION_OF);
        for iri in [Some(summary.dataset.as_str()), whole].into_iter().flatten() {
            titles.entry(iri).or_default().insert(entry.title);
        }
    }
    let only = titles.into_iter().filter(|(_, titles)| titles.len() == 1);
    let only = only.flat_map(|(iri, titles)| titles.into_iter().map(move |title| (iri, title.to_owned())));
    let answers = systems
        .into_iter()
        .map(|(iri, systems)| (iri, format!("Answers of {}", Vec::from_iter(systems).join(", "))));
    only.chain(answers).map(|(iri, name)| (iri.to_owned(), name)).collect()
}
