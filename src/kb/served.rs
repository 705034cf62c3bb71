//! A knowledge base that stays on a server: its graphs are pinned by their counts and checksums, and asked there.
//!
//! No statement comes here but those that are answers. What the server has of the graphs is counted before the first query
//! and after the last; where that is not what was pinned, nothing that it answered counts. The checksum is computed by the
//! server when the graphs are pinned: one pass over them, too long to do it for each evaluation.

use std::collections::BTreeMap;

use oxigraph::model::{Literal, NamedNode, Term};
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::watch::Watcher;
use crate::kb::allowance::Allowance;
use crate::kb::ask::Asker;
use crate::kb::base::{KnowledgeBase, PinnedGraph, ServedGraphs};
use crate::kb::endpoint::Endpoint;
use crate::kb::outcome::Outcome;
use crate::kb::remote::counts;
use crate::sparql::dataset::Dataset as _;
use crate::sparql::named_query::NamedQuery;

/// A pinned knowledge base that is asked where it is.
#[derive(Debug)]
pub struct ServedBase {
    endpoint: Endpoint,
    label: String,
    graphs: Vec<PinnedGraph>,
}

impl ServedBase {
    /// The knowledge base, if a server has it, and has as many statements of each graph as were pinned; nothing where it is
    /// files.
    ///
    /// # Errors
    /// Where nobody is there, or the server has other counts.
    pub fn open(base: &KnowledgeBase, allowance: &Allowance) -> Result<Option<Self>> {
        let Some(ServedGraphs { address, graphs }) = &base.served else { return Ok(None) };
        let names = graphs.iter().map(|graph| graph.name.clone()).collect();
        let endpoint = allowance.endpoint(address)?.about(names);
        let base = Self { endpoint, label: base.label(), graphs: graphs.clone() };
        base.check()?;
        Ok(Some(base))
    }

    /// `NAME@VERSION`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Whether the server has what was pinned, by count.
    ///
    /// # Errors
    /// Where it has more or fewer statements of a graph.
    pub fn check(&self) -> Result<()> {
        let found = counts(&self.endpoint, self.graphs.iter().map(|graph| graph.name.as_str()))?;
        for PinnedGraph { name, statements, .. } in &self.graphs {
            let there = found.get(name).copied().unwrap_or_default();
            if there != *statements {
                return Err(Error::check(format!(
                    "{} is not what was pinned: of <{name}> the server has {there} statements, and had {statements}",
                    self.label
                ))
                .in_file(self.endpoint.address())
                .hint("nothing that it answered is kept; `qassay kb add NAME --version V --from URL --graph IRI` pins it as another version"));
            }
        }
        Ok(())
    }
}

impl Asker for ServedBase {
    fn ask(&self, query: &str) -> Result<Outcome> {
        Asker::ask(&self.endpoint, query)
    }
}

/// The graphs that a server has of a knowledge base, each with its count and its checksum; where the server does not compute
/// that, it is told.
///
/// # Errors
/// Where nobody is there, or has none of a graph; where a graph is changed while it is looked at.
pub fn pin(
    address: &str,
    names: &[String],
    allowance: &Allowance,
    watcher: &dyn Watcher,
) -> Result<ServedGraphs> {
    let mut names = names.to_vec();
    names.sort_unstable();
    names.dedup();
    if let Some(name) = names.iter().find(|name| NamedNode::new(name.as_str()).is_err()) {
        return Err(Error::input(format!("`{name}` is no name of a graph")).allowed("an IRI"));
    }
    let endpoint = allowance.endpoint(address)?.about(names.clone());
    let found = counts(&endpoint, names.iter().map(String::as_str))?;
    let mut graphs = Vec::new();
    for name in names {
        watcher.check()?;
        let Some(statements) = found.get(&name).copied().filter(|count| *count > 0) else {
            return Err(Error::input(format!("the server has no statements of the graph <{name}>"))
                .in_file(endpoint.address())
                .hint("load it with the tools of the server first"));
        };
        watcher.detail(&format!("<{name}>: {statements} statements"));
        let checksum = match checksum(&endpoint, &name, statements) {
            Ok(checksum) => Some(checksum),
            Err(error) if error.kind() == ErrorKind::Check => return Err(error),
            Err(error) => {
                watcher.note(&format!(
                    "note: <{name}> is pinned by its count only, as the server computes no checksum of it: {error}"
                ));
                None
            }
        };
        graphs.push(PinnedGraph { name, statements, checksum });
    }
    // One that was changed in between has a count and a checksum that do not belong together.
    if counts(&endpoint, found.keys().map(String::as_str))? != found {
        return Err(Error::check("the server has other statements now than when they were first counted")
            .in_file(endpoint.address())
            .hint("is it still being loaded?"));
    }
    Ok(ServedGraphs { address: endpoint.address().to_owned(), graphs })
}

/// The checksum of a graph as its server computes it: sha256 over the counts and sums of its parts.
fn checksum(endpoint: &Endpoint, name: &str, statements: u64) -> Result<String> {
    let graph = Term::from(NamedNode::new_unchecked(name));
    let query = NamedQuery::find("remote/checksum")?.with("graph", &[graph])?;
    let mut parts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for row in endpoint.select(&query)? {
        let number = |literal: &Literal| literal.value().parse::<u64>();
        let [Some(Term::Literal(part)), Some(Term::Literal(count)), Some(Term::Literal(sum))] = &row[..]
        else {
            return Err(Error::system("a part has no number"));
        };
        let (Ok(count), Ok(sum)) = (number(count), number(sum)) else {
            return Err(Error::system(format!("{count} and {sum} are no numbers of statements")));
        };
        parts.insert(part.value().to_owned(), (count, sum));
    }
    let counted: u64 = parts.values().map(|(count, _)| count).sum();
    if counted != statements {
        return Err(Error::check(format!(
            "the server counts {statements} statements of <{name}>, and {counted} of its parts"
        ))
        .in_file(endpoint.address())
        .hint("is it being loaded, or does the server cut results?"));
    }
    let line = |(part, (count, sum)): (&String, &(u64, u64))| format!("{part} {count} {sum}\n");
    Ok(hex(&Sha256::digest(parts.iter().map(line).collect::<String>())))
}
