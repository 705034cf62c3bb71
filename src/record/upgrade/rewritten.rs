//! Records and provenance of the first version of the model as the second has them. What they say stays, but for what is
//! named otherwise now.

use std::collections::BTreeSet;

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{dcat, dct, prov, qassay, rdf, schema, sd, spdx, xsd};
use crate::profiles::ontology::Facts;
use crate::record::publish::graphs::EvaluationGraphs;
use crate::record::publish::provenance::describe_results;
use crate::record::publish::stated::Typed;
use crate::scoring::evaluation::Evaluation;

/// The two graphs of an execution, as N-Quads.
#[derive(Debug)]
pub(crate) struct Retold {
    /// The provenance.
    pub provenance: Vec<u8>,
    /// The messages that quote inputs, where there are some.
    pub messages: Option<Vec<u8>>,
}

/// What an execution with this key says now; times, software and everything else stay. `recorded` is its provenance, `graphs` are what the evaluation has now.
pub(crate) fn retold(
    mint: &Mint,
    (recorded, key): (&[u8], &str),
    (evaluation, graphs): (&Evaluation, &EvaluationGraphs),
    is_first: bool,
) -> Result<Retold> {
    let mut facts = Facts::default();
    facts.add_nquads(recorded)?;
    let execution = mint.execution(key);
    let mut new = Lines::new(&mint.provenance_graph(key));
    let mut messages = Lines::new(&mint.messages_graph(key));
    let nodes: BTreeSet<&str> = facts.texts(&execution, qassay::ISSUE).collect();
    let mut quotes = false;
    for node in nodes {
        let Some(message) = facts.text(node, dct::DESCRIPTION) else { continue };
        let code =
            facts.codes(node, dct::TYPE).find_map(|code| IssueCode::find(code.strip_prefix("issue-")?));
        let code = code.unwrap_or(IssueCode::SystemError);
        let without = Issue::new(code, &Place::default(), message).without_values();
        if without != message {
            messages.subject(node).text(qassay::MESSAGE, message);
            quotes = true;
        }
        new.subject(node).text(dct::DESCRIPTION, &without);
    }
    for (kind, graph) in graphs.iter() {
        if let Some(property) = kind.digest() {
            new.subject(&execution).typed(property, &graph.sha256, xsd::HEX_BINARY);
        }
    }
    describe_results(&mut new, mint, &execution, (evaluation, graphs), is_first);
    let gone = [
        qassay::SCORES_DIGEST,
        qassay::MATCH_DIGEST,
        dct::DESCRIPTION,
        prov::GENERATED,
        prov::WAS_GENERATED_BY,
    ];
    let provenance = United::of(recorded).without(&gone).with(new);
    Ok(Retold {
        provenance: provenance.bytes(),
        messages: quotes.then(|| United::default().with(messages).bytes()),
    })
}

/// The record of something whose graphs stay, with the types that are stated beside it now: files of statements, link sets, knowledge bases, what was answered, systems,
/// blind submissions.
pub(crate) fn restated(mint: &Mint, record: &[u8]) -> Result<Vec<u8>> {
    let mut facts = Facts::default();
    facts.add_nquads(record)?;
    let mut lines = Lines::new(&mint.catalogue_graph());
    let is = |subject: &str, class: &str| facts.texts(subject, rdf::TYPE).any(|known| known == class);
    for subject in facts.subjects() {
        let objects = |property| facts.texts(subject, property);
        let mut stated = Typed::new(&mut lines, mint);
        if is(subject, sd::GRAPH)
            || is(subject, dcat::DISTRIBUTION_CLASS)
            || objects(dcat::DISTRIBUTION).next().is_some()
        {
            stated = stated.entity(subject);
        }
        if is(subject, dcat::CATALOG) && objects(dcat::RECORD).next().is_some() {
            stated = stated.catalogue(mint);
        }
        if is(subject, spdx::CHECKSUM_CLASS) {
            stated = stated.algorithm();
        }
        // Who was asked.
        if objects(prov::WAS_GENERATED_BY).next().is_some() && objects(dct::TITLE).next().is_some() {
            for activity in objects(prov::WAS_GENERATED_BY) {
                stated = facts.texts(activity, prov::USED).fold(stated, Typed::entity);
            }
        }
        // A system, whatever its version.
        if is(subject, schema::SOFTWARE_APPLICATION) && subject.contains("/system/") {
            stated = stated.entity(subject);
        }
        if subject.contains("/kb/") && objects(dcat::HAS_VERSION).next().is_some() {
            stated = stated.described(subject, "A knowledge base, in all versions that are here.");
        }
        let media_types = objects(dcat::MEDIA_TYPE).chain(objects(dcat::COMPRESS_FORMAT));
        stated = media_types.fold(stated, |stated, one| stated.is(one, dct::MEDIA_TYPE_CLASS));
        stated = objects(dct::PUBLISHER).fold(stated, Typed::agent);
        objects(prov::HAD_PRIMARY_SOURCE).fold(stated, Typed::entity);
    }
    Ok(United::of(record).with(lines).bytes())
}

/// The lines of a graph, each once and in order.
#[derive(Debug, Default)]
pub(crate) struct United(BTreeSet<Vec<u8>>);

impl United {
    /// The lines of a graph that we wrote.
    pub(crate) fn of(graph: &[u8]) -> Self {
        Self(graph.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect())
    }

    /// Without the lines that have one of some predicates.
    pub(crate) fn without(mut self, predicates: &[&str]) -> Self {
        let has = |line: &[u8]| {
            let line = String::from_utf8_lossy(line);
            let predicate = line.split_once("> <").and_then(|(_, rest)| rest.split_once('>'));
            predicate.is_some_and(|(predicate, _)| predicates.contains(&predicate))
        };
        self.0.retain(|line| !has(line));
        self
    }

    /// With other lines.
    pub(crate) fn with(mut self, mut lines: Lines) -> Self {
        let mut bytes = Vec::new();
        lines.write_to(&mut bytes).expect("writing to memory cannot fail");
        self.0.extend(Self::of(&bytes).0);
        self
    }

    /// All of them.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.iter().flatten().copied().collect()
    }
}
