//! Suspicious clusters of links among the answers of an evaluation.

use std::collections::BTreeSet;

use oxigraph::model::Term;

use crate::base::error::Result;
use crate::base::issue::{Issue, IssueCode, Place};
use crate::references::links::suspicious::{Example, MOST_MEMBERS, Suspicion, examples};
use crate::scoring::experiment::Experiment;
use crate::scoring::options::Prepared;
use crate::sources::file::source::Source;

/// How many suspicious clusters are told.
const MOST_TOLD: usize = 20;

/// What is suspicious about the clusters that items of the evaluation are in, each with the checksum of a file. Links
/// that touch no answer are a matter of `qassay links check`.
pub(crate) fn issues(prepared: &Prepared, experiments: &[Experiment]) -> Result<Vec<(String, Issue)>> {
    let Some(closure) = prepared.closure() else { return Ok(Vec::new()) };
    let clusters = closure.clusters(experiments.iter().flat_map(iris));
    let found = closure.suspicious(MOST_MEMBERS, Some(&clusters));
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let files: Vec<_> = prepared.references.iter().filter(|reference| reference.links().is_some()).collect();
    let sources: Vec<&Source> = files.iter().map(|file| &file.source).collect();
    let told = &found[..found.len().min(MOST_TOLD)];
    let file = |example: &Example| example.chain.first().map_or(0, |link| link.file);
    let mut issues = Vec::new();
    for (suspicion, example) in told.iter().zip(examples(closure, &sources, told)?) {
        let sha256 = sources[file(&example)].sha256();
        let of_cluster = of_cluster(suspicion, &example);
        issues.extend(of_cluster.into_iter().map(|issue| (sha256.to_owned(), issue)));
    }
    if found.len() > told.len() {
        let code = if found[told.len()].is_large { IssueCode::LargeCluster } else { IssueCode::TwoOfOneKb };
        let message = format!(
            "{} more clusters of answers are suspicious; `qassay links check` lists them",
            found.len() - told.len()
        );
        issues.push((sources[0].sha256().to_owned(), Issue::new(code, &Place::default(), message)));
    }
    Ok(issues)
}

/// The IRIs of both sides.
fn iris<'a>(experiment: &'a Experiment) -> BTreeSet<&'a str> {
    let items = experiment
        .matching
        .questions
        .iter()
        .flat_map(|question| question.gold.iter().chain(&question.system));
    let numbers: BTreeSet<u32> = items.copied().collect();
    let iri = |number: u32| match experiment.matching.term(number) {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    };
    numbers.into_iter().filter_map(iri).collect()
}

fn of_cluster(suspicion: &Suspicion, example: &Example) -> Vec<Issue> {
    let named = example.members.iter().map(|member| format!("<{member}>")).collect::<Vec<_>>().join(", ");
    let mut issues = Vec::new();
    if suspicion.is_large {
        let message = format!(
            "the links put {} resources into one cluster, more than {MOST_MEMBERS}; the first are {named}",
            suspicion.size
        );
        issues.push(Issue::new(IssueCode::LargeCluster, &Place::default(), message));
    }
    if let (Some([one, other]), Some((space, _))) = (&example.two, suspicion.repeated.first()) {
        let chain: Vec<String> = example
            .chain
            .iter()
            .map(|found| format!("<{}> = <{}>", found.link.from, found.link.to))
            .collect();
        let message = format!(
            "the links make <{one}> and <{other}> one, and {space} keeps them apart: {}",
            chain.join(", ")
        );
        issues.push(Issue::new(IssueCode::TwoOfOneKb, &Place::default(), message));
    }
    issues
}
