//! The constraints of `queries/check/` over the graphs of evaluations.
//!
//! Each evaluation is checked with what belongs to it: its graphs, the records of it, of its submission and of everything
//! that is shared, the ontology. What several of them share is loaded once. Records that belong to no evaluation, and what
//! holds between records of several, are checked once, beside all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use oxigraph::model::{GraphName, Literal, NamedNode, Term};
use oxsdatatypes::{DateTime, Decimal, Integer};

use crate::base::error::Result;
use crate::base::query::QueryFile;
use crate::base::vocab::xsd;
use crate::profiles::ontology_quads;
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::names::SYSTEM;
use crate::record::archived::{Archived, ArchivedEvaluation, RegisteredGraph};
use crate::record::comparison::kept::COMPARISON;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::elsewhere::{DISJOINT, HeldChecks, NO_BLANK_NODES, RemoteChecks};
use crate::sources::archive::hashing::{open_file, read_file};
use crate::sources::input::term;
use crate::sparql::dataset::{Dataset, Solution};
use crate::sparql::layers::Layer;
use crate::sparql::named_query::NamedQuery;

/// The kinds of records that belong to single submissions, or to some; all others are shared.
const OF_SUBMISSIONS: [&str; 6] = ["submission", SYSTEM, "executed", "blind", "execution", COMPARISON];

/// What the names of the constraints begin with that are about comparisons.
const OF_COMPARISONS: &str = "check/model-comparison-";

/// Checks the evaluations of an archive, in any order and in several threads.
pub struct Constraints<'a> {
    archived: &'a Archived,
    /// Who answers them, where it is not the embedded store.
    there: Option<&'a RemoteChecks<'a>>,
    queries: Vec<(&'static QueryFile, NamedQuery)>,
    /// The ontology and the records that are shared.
    ground: Arc<Layer>,
    /// The records of further systems, executed answers and blind submissions, by the submission that they name.
    beside: BTreeMap<String, Vec<PathBuf>>,
    /// The records that belong to single submissions.
    single: Vec<PathBuf>,
    /// The records that are shared.
    common: Vec<PathBuf>,
    /// Graphs that several evaluations use, by their names.
    shared: Mutex<BTreeMap<Vec<&'a str>, SharedGraphs>>,
}

/// Graphs that several evaluations use: a layer, and what of them cannot be read.
type SharedGraphs = (Arc<Layer>, Vec<String>);

/// What was found out about an evaluation.
#[derive(Debug)]
pub struct CheckedEvaluation {
    /// How many constraints were looked at.
    pub looked_at: u64,
    /// What is wrong.
    pub problems: Vec<String>,
    /// What is not here: nothing was looked at.
    pub missing: Vec<AbsentPart>,
}

impl<'a> Constraints<'a> {
    /// Reads the constraints, the ontology and the records that are shared.
    pub fn new(archived: &'a Archived) -> Result<Self> {
        let queries = QueryFile::folder("check").map(|file| Ok((file, NamedQuery::of(file)?)));
        let queries = queries.collect::<Result<_>>()?;
        let archive = &archived.archive;
        let (single, shared): (Vec<PathBuf>, Vec<PathBuf>) =
            archive.records()?.into_iter().partition(|record| OF_SUBMISSIONS.contains(&kind(record)));
        let mut ground = Layer::above(None);
        let graph = GraphName::from(NamedNode::new_unchecked(archive.mint().ontology_graph()));
        ontology_quads(&graph).for_each(|quad| ground.add(quad, true));
        load_records(&shared, &mut ground);
        ground.freeze();
        let mut beside: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for record in
            single.iter().filter(|record| !["submission", "execution", COMPARISON].contains(&kind(record)))
        {
            let text = read_file(record).unwrap_or_default();
            for submission in submissions_in(&String::from_utf8_lossy(&text)) {
                beside.entry(submission.to_owned()).or_default().push(record.clone());
            }
        }
        let (ground, common, shared) = (Arc::new(ground), shared, Mutex::default());
        Ok(Self { archived, there: None, queries, ground, beside, single, common, shared })
    }

    /// The same, with a server that is asked what they find.
    #[must_use]
    pub fn answered_by(self, there: Option<&'a RemoteChecks<'a>>) -> Self {
        Self { there, ..self }
    }

    /// Checks an evaluation.
    ///
    /// # Errors
    /// Where a constraint cannot be evaluated. What is wrong with the evaluation is no error.
    pub fn check(&self, evaluation: &ArchivedEvaluation) -> Result<CheckedEvaluation> {
        let graphs = graphs(self.archived, evaluation);
        let missing = self.not_here(&graphs);
        if !missing.is_empty() {
            // What is not here would break constraints that hold.
            return Ok(CheckedEvaluation { looked_at: 0, problems: Vec::new(), missing });
        }
        let (layer, mut problems) = self.layer(evaluation);
        let content = (&self.records(evaluation)[..], &graphs[..]);
        problems.extend(self.violations(&evaluation.iri, (&layer, &problems), content, |_| true)?);
        Ok(self.checked(problems))
    }

    /// The graphs whose files are not here.
    fn not_here(&self, graphs: &[&RegisteredGraph]) -> Vec<AbsentPart> {
        let archive = &self.archived.archive;
        let missing = graphs.iter().filter(|graph| !archive.graph(&graph.sha256).path().exists());
        missing.map(|graph| AbsentPart::of(&graph.sha256, format!("<{}> is not here", graph.name))).collect()
    }

    fn checked(&self, problems: Vec<String>) -> CheckedEvaluation {
        // That literals are well formed is asked by no query.
        CheckedEvaluation { looked_at: self.queries.len() as u64 + 1, problems, missing: Vec::new() }
    }

    /// Checks a comparison: its graphs by all constraints, and by those that are about comparisons beside the aggregates of
    /// its evaluations.
    ///
    /// # Errors
    /// As for [`Self::check`].
    pub fn check_comparison(&self, comparison: &ArchivedComparison) -> Result<CheckedEvaluation> {
        let is_own = |graph: &&RegisteredGraph| {
            graph.subject == comparison.iri
                || comparison.executions.iter().any(|(iri, _)| *iri == graph.subject)
        };
        let own: Vec<&RegisteredGraph> = self.archived.graphs.iter().filter(is_own).collect();
        let missing = self.not_here(&own);
        if !missing.is_empty() {
            return Ok(CheckedEvaluation { looked_at: 0, problems: Vec::new(), missing });
        }
        let compared =
            self.archived.evaluations.iter().filter(|one| comparison.evaluations.contains(&one.iri));
        let mut records: Vec<PathBuf> = compared.flat_map(|one| self.records(one)).collect();
        records.push(self.archived.archive.record(COMPARISON, comparison.key()));
        records.sort_unstable();
        records.dedup();
        let mut layer = Layer::above(Some(Arc::clone(&self.ground)));
        load_records(&records, &mut layer);
        let mut unread = self.load(&own, &mut layer);
        layer.freeze();
        let mut problems = self.violations(&comparison.iri, (&layer, &unread), (&records, &own), |_| true)?;
        let names = comparison
            .evaluations
            .iter()
            .filter_map(|iri| iri.rsplit('/').next().filter(|key| key.len() >= 32));
        let names: Vec<String> = names.map(|key| self.archived.archive.mint().measures_graph(key)).collect();
        let aggregates: Vec<&RegisteredGraph> =
            self.archived.graphs.iter().filter(|graph| names.contains(&graph.name)).collect();
        let mut beside = Layer::above(Some(Arc::new(layer)));
        unread.extend(self.load(&aggregates, &mut beside));
        beside.freeze();
        let graphs = [own, aggregates].concat();
        let is_about = |name: &str| name.starts_with(OF_COMPARISONS);
        let found = self.violations(&comparison.iri, (&beside, &unread), (&records, &graphs), is_about)?;
        problems.extend(found.into_iter().filter(|one| !problems.contains(one)).collect::<Vec<_>>());
        problems.splice(0..0, unread);
        Ok(self.checked(problems))
    }

    /// What the records break together that no evaluation is known to break.
    ///
    /// # Errors
    /// As for [`Self::check`].
    pub fn check_records(&self, known: &BTreeSet<&str>) -> Result<CheckedEvaluation> {
        let mut layer = Layer::above(Some(Arc::clone(&self.ground)));
        load_records(&self.single, &mut layer);
        layer.freeze();
        let mut problems = self.violations("records", (&layer, &[]), (&self.single, &[]), |_| true)?;
        problems.retain(|problem| !known.contains(problem.as_str()));
        Ok(self.checked(problems))
    }

    /// All that an evaluation is checked with, and what of its graphs cannot be read.
    pub fn layer(&self, evaluation: &ArchivedEvaluation) -> (Layer, Vec<String>) {
        let executions: Vec<&str> = evaluation.digests.iter().map(|(iri, _)| iri.as_str()).collect();
        let is_own = |graph: &&RegisteredGraph| {
            graph.subject == evaluation.iri
                || executions.contains(&graph.subject.as_str())
                || graph.subject.contains(&evaluation.answers[..32])
        };
        let (own, shared): (Vec<&RegisteredGraph>, Vec<&RegisteredGraph>) =
            graphs(self.archived, evaluation).into_iter().partition(is_own);
        let (below, mut problems) = self.shared(&shared);
        let mut layer = Layer::above(Some(below));
        load_records(&self.records(evaluation), &mut layer);
        problems.extend(self.load(&own, &mut layer));
        layer.freeze();
        (layer, problems)
    }

    /// The layer of graphs that other evaluations use, too.
    fn shared(&self, graphs: &[&'a RegisteredGraph]) -> SharedGraphs {
        let names = graphs.iter().map(|graph| graph.name.as_str()).collect();
        // Who wants the same waits until it is loaded.
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shared.entry(names).or_insert_with(|| {
            let mut layer = Layer::above(Some(Arc::clone(&self.ground)));
            let problems = self.load(graphs, &mut layer);
            layer.freeze();
            (Arc::new(layer), problems)
        });
        known.clone()
    }

    fn load(&self, graphs: &[&RegisteredGraph], layer: &mut Layer) -> Vec<String> {
        let loaded = graphs.iter().map(|graph| self.archived.load_layer(graph, layer));
        loaded.filter_map(Result::err).map(|error| error.to_string()).collect()
    }

    /// The records of an evaluation and its submission.
    fn records(&self, evaluation: &ArchivedEvaluation) -> Vec<PathBuf> {
        let archive = &self.archived.archive;
        let executions = evaluation.digests.iter().filter_map(|(iri, _)| iri.rsplit('/').next());
        let executions = executions.map(|key| archive.record("execution", key));
        let mut records = vec![archive.record("submission", &evaluation.answers)];
        records.extend(executions);
        records.extend(self.beside.get(&evaluation.answers[..32]).into_iter().flatten().cloned());
        records
    }

    /// What breaks the constraints whose names are wanted: of those that look at everything, and of a layer of some records and graphs. What of
    /// them cannot be read nobody can send.
    fn violations(
        &self,
        what: &str,
        (layer, unread): (&Layer, &[String]),
        (records, graphs): (&[PathBuf], &[&'a RegisteredGraph]),
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let mut problems = violations_lexical(layer)?;
        let held = match self.there {
            Some(there) => {
                let records = [&self.common[..], records].concat();
                self.held(there, what, (layer, unread), (&records, graphs))?
            }
            None => None,
        };
        for (file, query) in self.queries.iter().filter(|(file, _)| is_wanted(file.name)) {
            problems.append(&mut violations_of(layer, held.as_ref(), (file, query))?);
        }
        held.map_or(Ok(()), HeldChecks::end)?;
        Ok(problems)
    }

    /// What a server holds for the constraints of a layer; none: they are looked for here.
    fn held(
        &self,
        there: &'a RemoteChecks<'a>,
        what: &str,
        (layer, unread): (&Layer, &[String]),
        content: (&[PathBuf], &[&'a RegisteredGraph]),
    ) -> Result<Option<HeldChecks<'a>>> {
        let (_, graphs) = content;
        let mint = self.archived.archive.mint();
        let own = [mint.ontology_graph(), mint.catalogue_graph()];
        let names = graphs.iter().flat_map(|graph| [&graph.name[..], mint.whole_graph(&graph.name)]);
        let names: BTreeSet<&str> = names.chain(own.iter().map(String::as_str)).collect();
        let is_known = |name: &Term| matches!(name, Term::NamedNode(node) if names.contains(node.as_str()));
        let why = if let [first, ..] = unread {
            first
        } else if !layer.graph_names().all(is_known) {
            "a file has statements of a graph that is not its own"
        } else if !rows(layer, &NamedQuery::find("check/model-graphs-disjoint")?)?.is_empty() {
            "a statement is in several graphs, which is several statements to a server"
        } else {
            return there.hold(what, &self.archived.archive, content);
        };
        there.tell(what, why);
        Ok(None)
    }
}

/// What breaks a constraint, told.
fn violations_of(
    layer: &Layer,
    held: Option<&HeldChecks<'_>>,
    (file, query): (&QueryFile, &NamedQuery),
) -> Result<Vec<String>> {
    if !layer.can_answer(query.algebra()) {
        return Ok(Vec::new());
    }
    let found = held.map_or(Ok(None), |held| held.rows(query))?;
    let found = found.map_or_else(|| rows(layer, query), Ok)?;
    let name = file.name.trim_start_matches("check/");
    let mut violations: Vec<String> = found
        .iter()
        .map(|row| {
            let cells = row.iter().flatten().map(|cell| term::text(cell).into_owned());
            format!("{name} ({}): {}", file.title(), cells.collect::<Vec<_>>().join(", "))
        })
        .collect();
    violations.sort_unstable();
    Ok(violations)
}

/// The rows of a constraint. Where it looks for what is not there, or for the same statement in several graphs, it need not
/// look at everything.
///
/// # Errors
/// Where it cannot be evaluated.
pub fn rows(layer: &Layer, constraint: &NamedQuery) -> Result<Vec<Solution>> {
    if !layer.can_answer(constraint.algebra()) {
        return Ok(Vec::new());
    }
    match constraint.name() {
        DISJOINT => layer.in_several_graphs().select(constraint),
        NO_BLANK_NODES if !layer.has_blank_nodes() => Ok(Vec::new()),
        _ => layer.select(constraint),
    }
}

/// The folder of a record.
fn kind(record: &Path) -> &str {
    record.parent().and_then(|folder| folder.file_name()?.to_str()).unwrap_or_default()
}

/// The submissions that a record names: the beginnings of their checksums.
fn submissions_in(record: &str) -> BTreeSet<&str> {
    record.split("/submission/").skip(1).filter_map(|rest| rest.get(..32)).collect()
}

/// Loads records. What cannot be read was told when the archive was opened.
fn load_records(records: &[PathBuf], layer: &mut Layer) {
    for record in records {
        if let Ok(file) = open_file(record) {
            drop(layer.load_nquads(file, true));
        }
    }
}

/// The graphs that belong to an evaluation.
fn graphs<'a>(archived: &'a Archived, evaluation: &ArchivedEvaluation) -> Vec<&'a RegisteredGraph> {
    let executions: Vec<&str> = evaluation.digests.iter().map(|(execution, _)| execution.as_str()).collect();
    let inputs = [&evaluation.gold[..16], &evaluation.answers[..32]];
    let asked = [format!("/{}/", inputs[0]), format!("/{}/", inputs[1])];
    let belongs = |subject: &str| {
        subject == evaluation.iri
            || executions.contains(&subject)
            || inputs.iter().any(|input| subject.ends_with(input))
            // Refreshed gold and executed answers are below the names of what they belong to.
            || asked.iter().any(|part| subject.contains(part.as_str()))
            || evaluation.references.iter().any(|(_, sha256)| subject.ends_with(&sha256[..32]))
    };
    let answers = [&evaluation.gold_answers, &evaluation.executed_answers];
    let is_answer =
        |graph: &RegisteredGraph| answers.iter().any(|sha256| sha256.as_ref() == Some(&graph.sha256));
    archived.graphs.iter().filter(|graph| belongs(&graph.subject) || is_answer(graph)).collect()
}

/// Literals that are not in the lexical space of their datatype. Each is looked at once, however many statements have it.
pub fn violations_lexical(dataset: &dyn Dataset) -> Result<Vec<String>> {
    let mut malformed = Vec::new();
    dataset.each_row(&NamedQuery::find("store/literals")?, &mut |row| {
        if let [Some(Term::Literal(literal))] = row
            && !is_well_formed(literal)
        {
            malformed.push(literal.clone().into());
        }
        Ok(())
    })?;
    if malformed.is_empty() {
        return Ok(Vec::new());
    }
    let who = NamedQuery::find("store/statements-with")?.with("literal", &malformed)?;
    let mut problems = Vec::new();
    dataset.each_row(&who, &mut |row| {
        if let [Some(subject), Some(property), Some(literal)] = row {
            problems.push(format!("ic-00 (well-formed literals): {subject} {property} {literal}"));
        }
        Ok(())
    })?;
    problems.sort_unstable();
    problems.dedup();
    Ok(problems)
}

fn is_well_formed(literal: &Literal) -> bool {
    let text = literal.value();
    match literal.datatype().as_str() {
        xsd::INTEGER => Integer::from_str(text).is_ok(),
        xsd::NON_NEGATIVE_INTEGER => text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty(),
        xsd::DECIMAL => Decimal::from_str(text).is_ok(),
        xsd::BOOLEAN => matches!(text, "true" | "false" | "1" | "0"),
        xsd::DATE_TIME => DateTime::from_str(text).is_ok(),
        xsd::HEX_BINARY => text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::vocab::qassay;
    use crate::sparql::store::Store;

    #[test]
    fn an_exponent_is_no_decimal() {
        let store = Store::in_memory().unwrap();
        let quads = format!(
            "<http://a> <http://p> \"1.0E-4\"^^<{0}> <http://g> .\n<http://a> <http://p> \"NaN\"^^<{0}> <http://g> .\n\
             <http://a> <http://p> \"0.5\"^^<{0}> <http://g> .\n<http://a> <{1}> \"x\"^^<{0}> <http://g> .\n",
            xsd::DECIMAL,
            qassay::ANSWER_TERM
        );
        store.load_nquads(quads.as_bytes(), true).unwrap();
        insta::assert_snapshot!(violations_lexical(&store).unwrap().join("\n"), @r#"
        ic-00 (well-formed literals): <http://a> <http://p> "1.0E-4"^^<http://www.w3.org/2001/XMLSchema#decimal>
        ic-00 (well-formed literals): <http://a> <http://p> "NaN"^^<http://www.w3.org/2001/XMLSchema#decimal>
        "#);
    }
}
