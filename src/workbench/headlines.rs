//! The headline values of an archive as statements, for canned queries that look at nothing else.

use std::collections::BTreeMap;

use oxigraph::model::vocab::xsd;
use oxigraph::model::{GraphName, Literal, NamedNode, Quad, Term};

use crate::base::error::Result;
use crate::base::iri;
use crate::base::query::QueryFile;
use crate::base::vocab::{code, qassay, skos};
use crate::profiles::ontology;
use crate::record::archived::Archived;
use crate::record::summaries::Summary;
use crate::record::summaries::kept::summaries;
use crate::sparql::store::Store;
use crate::workbench::Workbench;

/// The canned queries that look at headline values, and at the names of what they are of.
const QUERIES: [&str; 2] = ["report/leaderboard", "report/ranking"];

impl Workbench {
    /// What a canned query looks at, made of the summaries of the evaluations; nothing where the query looks at more, or the
    /// archive at hand does not have the summaries of all evaluations: then it is to be asked of [everything].
    ///
    /// # Errors
    /// Where there is no archive, or a record cannot be read.
    ///
    /// [everything]: Workbench::everything
    pub fn headlines(&self, query: &str) -> Result<Option<Store>> {
        let known =
            QUERIES.iter().find_map(|name| QueryFile::find(name).ok().filter(|file| file.text == query));
        let Some(query) = known else { return Ok(None) };
        let archived = self.archived()?;
        let all: Option<Vec<Summary>> = summaries(&archived).into_iter().collect();
        let Some(all) = all.filter(|all| !all.is_empty()) else { return Ok(None) };
        let store = Store::in_memory()?;
        store.extend(names(&archived)?)?;
        store.extend(all.iter().flat_map(|summary| statements(summary, query)))?;
        Ok(Some(store))
    }
}

/// A statement in the default graph, where queries of users look.
fn statement(subject: &str, predicate: &str, object: impl Into<Term>) -> Quad {
    let [subject, predicate] = [subject, predicate].map(NamedNode::new_unchecked);
    Quad::new(subject, predicate, object, GraphName::DefaultGraph)
}

/// What systems and dataset versions are called.
fn names(archived: &Archived) -> Result<Vec<Quad>> {
    let rows = archived.metadata.rows("store/names")?.into_owned().rows;
    let named = rows.into_iter().filter_map(|row| {
        let [thing, property, name, language] = <[String; 4]>::try_from(row).ok()?;
        let name = match language.as_str() {
            "" => Literal::new_simple_literal(name),
            _ => Literal::new_language_tagged_literal_unchecked(name, language),
        };
        Some(statement(&thing, &property, name))
    });
    Ok(named.collect())
}

/// What the graphs of an evaluation say of it as a whole; of its values those whose experiment type and metric the query
/// names, or, where that looks at what profiles rank by, those of that metric in all types.
fn statements(summary: &Summary, query: &QueryFile) -> Vec<Quad> {
    let Summary { evaluation, dataset, submission, profile, profile_name, experiments, .. } = summary;
    let ranks = query.text.contains("qassay:rankedBy");
    let ranked = summary.ranked_by.map(|metric| metric.to_string()).filter(|_| ranks);
    let node = |iri: &str| NamedNode::new_unchecked(iri);
    let concept = |name: &str| NamedNode::new_unchecked(code::iri(name));
    let is_named = |name: &str| query.text.contains(&format!("code:{name}"));
    let notation = |name: &str| {
        let text = ontology::terms().text(&code::iri(name), skos::NOTATION)?;
        Some(statement(&code::iri(name), skos::NOTATION, Literal::new_simple_literal(text)))
    };
    let mut all = vec![
        statement(evaluation, qassay::POLICY, node(profile)),
        statement(profile, skos::NOTATION, Literal::new_simple_literal(profile_name)),
        statement(evaluation, qassay::SYSTEM, node(&format!("{submission}/system"))),
        statement(evaluation, qassay::DATASET_VERSION, node(dataset)),
    ];
    all.extend(ranked.iter().map(|metric| statement(profile, qassay::RANKED_BY, concept(metric))));
    for experiment in experiments.iter().filter(|experiment| ranks || is_named(&experiment.name)) {
        all.extend(notation(&experiment.name));
        for group in experiment.groups.iter().filter(|group| is_named(&group.name)) {
            // A metric has one value.
            let values: BTreeMap<&str, _> = group.metrics().collect();
            let is_wanted = |metric: &str| is_named(metric) || ranked.as_deref() == Some(metric);
            let values = values.into_iter().filter(|(metric, _)| is_wanted(metric));
            for (metric, measured) in values.filter_map(|(metric, measured)| Some((metric, measured?))) {
                let aggregate = iri::aggregate(evaluation, &experiment.name, &group.name, metric);
                let value = Literal::new_typed_literal(measured.value.as_str(), xsd::DECIMAL);
                all.extend(notation(metric));
                all.extend([
                    statement(&aggregate, qassay::EVALUATION, node(evaluation)),
                    statement(&aggregate, qassay::EXPERIMENT_TYPE, concept(&experiment.name)),
                    statement(&aggregate, qassay::QUESTION_GROUP, concept(&group.name)),
                    statement(&aggregate, qassay::METRIC, concept(metric)),
                    statement(&aggregate, qassay::VALUE, value),
                    statement(&aggregate, qassay::SAMPLE_SIZE, Literal::from(measured.sample_size)),
                ]);
            }
        }
    }
    all
}
