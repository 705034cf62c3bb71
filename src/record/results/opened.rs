//! The graphs behind an evaluation, opened once: what they say of one question after the other is found without reading the
//! rest again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use oxigraph::io::{RdfFormat, RdfParser};

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::rdf::wanted::{is_sorted, lines_below, wanted_lines};
use crate::base::vocab::qassay;
use crate::profiles::Profile;
use crate::profiles::choices::Choices;
use crate::profiles::ontology::Facts;
use crate::record::results::Results;
use crate::record::results::kept::KeptGraphs;
use crate::references::{ReferenceInput, ReferenceKind};
use crate::scoring::plan::Plan;
use crate::sources::file::source::Source;
use crate::sparql::index::Index;
use crate::sparql::named_query::NamedQuery;

/// The graphs of matches, dataset, submission, refreshed and executed answers of an evaluation.
#[derive(Debug)]
pub struct OpenedGraphs {
    graphs: Vec<OpenedGraph>,
    /// The answers to each question, as the matches state them.
    answers: BTreeMap<String, Vec<String>>,
    pub(super) profile: Arc<Profile>,
    pub(super) queries: ExplainQueries,
    /// How the evaluation was made, with the references of some kinds only.
    plans: Mutex<BTreeMap<Vec<ReferenceKind>, Arc<Plan>>>,
}

/// A graph with its bytes, which were those that its record names.
#[derive(Debug)]
struct OpenedGraph {
    name: String,
    source: Source,
    /// Whether its lines stand in order; those of graphs that we wrote do.
    is_sorted: bool,
}

/// The queries of `queries/explain/`.
#[derive(Debug)]
pub(super) struct ExplainQueries {
    pub(super) said: NamedQuery,
    pub(super) answers: NamedQuery,
    pub(super) items: NamedQuery,
    pub(super) candidates: NamedQuery,
    pub(super) ties: NamedQuery,
}

impl OpenedGraph {
    /// The lines about some things and what is below them.
    fn below(&self, things: &[String]) -> Cow<'_, [u8]> {
        if self.is_sorted {
            return things
                .iter()
                .flat_map(|thing| lines_below(self.source.content(), thing))
                .collect::<Vec<_>>()
                .concat()
                .into();
        }
        wanted_lines(self.source.content(), &|subject, _| {
            let mut below = things.iter().filter_map(|thing| subject.strip_prefix(thing.as_str()));
            below.any(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

impl OpenedGraphs {
    /// Opens the graphs.
    ///
    /// # Errors
    /// Where one is not here, is not that of its record, or cannot be read.
    pub fn open(kept: &KeptGraphs<'_>, results: &Results) -> Result<Self> {
        let refreshed = results.refreshed.iter().map(|gold| &gold.iri);
        let asked = refreshed.chain(results.executed.iter().map(|executed| &executed.iri));
        let things = [&results.dataset.iri, &results.submission.iri].into_iter().chain(asked);
        let matches = kept.mint.match_graph(&results.digest);
        let names = things.map(|thing| kept.mint.graph_of(thing)).chain([matches.clone()]);
        let open = |name: String| {
            let source = kept.graph(&name)?;
            Ok(OpenedGraph { is_sorted: is_sorted(source.content()), name, source })
        };
        let graphs: Vec<OpenedGraph> = names.map(open).collect::<Result<_>>()?;
        let mut facts = Facts::default();
        for OpenedGraph { source, .. } in graphs.iter().filter(|graph| graph.name == matches) {
            let answers = wanted_lines(source.content(), &|_, predicate| predicate == qassay::FOR_QUESTION);
            facts.add_nquads(&answers).map_err(|error| error.in_file(source.name()))?;
        }
        let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for answer in facts.subjects() {
            for question in facts.texts(answer, qassay::FOR_QUESTION) {
                answers.entry(question.to_owned()).or_default().push(answer.to_owned());
            }
        }
        let profile = Arc::new(kept.profile(&results.profile.iri, &results.references)?);
        Ok(Self { graphs, answers, profile, queries: ExplainQueries::find()?, plans: Mutex::default() })
    }

    /// What the graphs say of a question, for queries. Terms are as they are: a store would rewrite numbers.
    pub(super) fn question(&self, results: &Results, question: &str) -> Result<Index> {
        let asked = iri::question(&results.dataset.iri, question);
        let types = results.experiments.iter();
        let mut things: Vec<String> =
            types.map(|experiment| iri::observation(&results.iri, &experiment.name, question)).collect();
        things.extend(self.answers.get(&asked).into_iter().flatten().cloned());
        things.push(asked);
        let mut index = Index::new();
        for graph in &self.graphs {
            for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(&graph.below(&things)) {
                let quad = quad.map_err(|error| {
                    Error::input(format!("the N-Quads cannot be read: {error}")).in_file(graph.source.name())
                })?;
                let (subject, object) = (index.intern(quad.subject), index.intern(quad.object));
                let table = index.table(&graph.name, quad.predicate.as_str());
                index.add(table, subject, object);
            }
        }
        index.freeze();
        Ok(index)
    }

    /// How the evaluation was made, with the references of some kinds only.
    pub(super) fn plan(
        &self,
        kept: &KeptGraphs<'_>,
        results: &Results,
        kinds: &[ReferenceKind],
    ) -> Result<Arc<Plan>> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = plans.get(kinds) {
            return Ok(Arc::clone(known));
        }
        let choices = Choices::read(|choice| results.conditions.values(choice.option));
        let wanted = results.references.iter().filter(|(kind, _)| kinds.contains(kind));
        let references =
            wanted.map(|(kind, file)| kept.reference(*kind, &file.sha256, &choices).map(Arc::new));
        let references: Vec<Arc<ReferenceInput>> = references.collect::<Result<_>>()?;
        let plan = Arc::new(Plan::new(Arc::clone(&self.profile), Arc::new(choices), &references)?);
        plans.insert(kinds.to_vec(), Arc::clone(&plan));
        Ok(plan)
    }
}

impl ExplainQueries {
    fn find() -> Result<Self> {
        Ok(Self {
            said: NamedQuery::find("explain/said")?,
            answers: NamedQuery::find("explain/answers")?,
            items: NamedQuery::find("explain/items")?,
            candidates: NamedQuery::find("explain/candidates")?,
            ties: NamedQuery::find("explain/ties")?,
        })
    }
}
