//! Graphs of archives on a SPARQL 1.1 server, and queries about them that find what the embedded store finds.
//!
//! Graphs go in by the Graph Store Protocol and are asked for by the SPARQL Protocol, each with its own address. A graph goes as a
//! whole: sent, counted by a query, and only then recorded, in a small graph of its own. Only graphs that are recorded are in the
//! dataset of a query; and they are counted again when it is answered, so that what has gone in the meantime is no answer. What
//! does not agree is removed.
//!
//! What servers do in ways of their own is not left to them: see [`travelling`] and [`divided`].

pub(crate) mod agreed;
pub(crate) mod divided;
pub(crate) mod graph_store;
pub(crate) mod travelling;

use std::collections::BTreeMap;
use std::time::Duration;

use oxigraph::model::{Literal, NamedNode, Term, Triple, Variable};
use oxigraph::sparql::{QueryEvaluationError, QueryResults};
use spargebra::Query;
use spargebra::algebra::GraphPattern;
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern};

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::token::SecretToken;
use crate::base::vocab::{spdx, void};
use crate::base::watch::{Steps, Watcher};
use crate::kb::ask::Limits;
use crate::kb::endpoint::credentials::Credentials;
use crate::kb::endpoint::{Endpoint, Settings};
use crate::kb::remote::divided::{
    HASHES, asked_there, columns, counting, each_pattern, each_place, name_graphs, own_name, ranged, rest,
};
use crate::kb::remote::graph_store::GraphStore;
use crate::kb::remote::travelling::{PROBED_LANGUAGE, PROBES, ground, received, sent, sent_literal};
use crate::sources::net::clock::Deadline;
use crate::sparql::dataset::{Dataset as _, Solution};
use crate::sparql::named_query::NamedQuery;

/// Where a server is asked, and where it takes graphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreAddress {
    /// The address of queries.
    pub queries: String,
    /// The address of graphs, by the Graph Store Protocol; none: nothing is sent.
    pub graphs: Option<String>,
}

impl StoreAddress {
    /// The options by which a process asks the same server: name and address.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let graphs = self.graphs.as_deref().map(|graphs| ("store-graphs", graphs));
        [("store", self.queries.as_str())].into_iter().chain(graphs)
    }
}

/// A graph as it is sent.
pub struct OutgoingGraph<'a> {
    /// Its name on the server.
    pub name: String,
    /// The checksum by which it is known.
    pub checksum: String,
    /// Its statements.
    pub statements: Box<dyn Fn() -> Result<Vec<Triple>> + 'a>,
}

/// Another way to write terms: what is done to a pattern that a server is asked for, and to each term that comes back.
pub(crate) type Translation<'a> = (&'a dyn Fn(&mut GraphPattern), &'a dyn Fn(Term) -> Term);

/// A server with graphs of archives.
#[derive(Debug)]
pub struct RemoteStore {
    endpoint: Endpoint,
    graphs: Option<GraphStore>,
    /// How long all parts of an answer may take together; none: each as long as a query.
    whole: Option<Duration>,
}

/// Before the name of a graph, the name of the graph that records it. Another way to send terms gets another number.
const RECORD: &str = "urn:qassay:sent:1:";
/// Before the name of a graph that is lent: whatever stays when a run is killed begins so.
const LENT: &str = "urn:qassay:lent:";
/// A graph that nobody has: a dataset without graphs is all that a server has.
const NOTHING: &str = "urn:qassay:nothing";
/// The graph of the probe.
const PROBE: &str = "urn:qassay:probe";
/// The most names in one query: of VALUES and FROM, servers take some thousand.
const MOST_NAMES: usize = 400;
/// Bytes that are sent at once.
const PIECE: usize = 4 << 20;

impl RemoteStore {
    /// The server at an address, if it is there and keeps what it is given: where it takes graphs, it gets one with a literal of each
    /// kind and is asked what it has of them. Credentials are those of the environment.
    ///
    /// # Errors
    /// Where nobody is there, or does not let us ask or write; where it keeps other literals than it was given.
    pub fn connect(address: &StoreAddress, limits: &Limits) -> Result<Self> {
        let mut settings = Settings { pause: Duration::ZERO, ..Settings::default() };
        settings.network.tries = 6;
        let credentials = Credentials::from_environment()?;
        let graphs = address
            .graphs
            .as_deref()
            .map(|graphs| GraphStore::new(graphs, &settings.network, limits.clone(), credentials.clone()));
        let graphs = graphs.transpose()?;
        let endpoint = Endpoint::new(&address.queries, settings, limits.clone(), credentials)?;
        endpoint.probe()?;
        let store = Self { endpoint, graphs, whole: None };
        store.probe()?;
        Ok(store)
    }

    /// The same, where all parts of an answer take no longer than one query may.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { whole: Some(time), ..self }
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.endpoint.address()
    }

    /// Whether somebody still answers there.
    ///
    /// # Errors
    /// Where nobody does.
    pub fn reach(&self) -> Result<()> {
        self.endpoint.probe().map(drop)
    }

    /// What was odd so far and is no failure, each once.
    pub fn warnings(&self) -> Vec<String> {
        self.endpoint.warnings()
    }

    fn wrong(&self, what: impl Into<String>) -> Error {
        Error::system(what).in_file(self.address())
    }

    /// Whether the server keeps what it has to keep, and has it where it was put. What an earlier run put there tells that too.
    fn probe(&self) -> Result<()> {
        let Some(graphs) = &self.graphs else { return Ok(()) };
        let property = NamedNode::new_unchecked(PROBE);
        let literal = |(text, datatype): (&str, &str)| match datatype {
            "" => Literal::new_language_tagged_literal_unchecked(text, PROBED_LANGUAGE),
            _ => Literal::new_typed_literal(text, NamedNode::new_unchecked(datatype)),
        };
        let number = |number: usize| NamedNode::new_unchecked(format!("{PROBE}:{number}"));
        let all: Vec<Triple> = PROBES
            .into_iter()
            .enumerate()
            .map(|(at, probe)| Triple::new(number(at), property.clone(), sent_literal(literal(probe))))
            .collect();
        if self.rewritten(&property, &all)?.is_empty() {
            return Ok(());
        }
        graphs.replace(PROBE, lines(&all).concat().as_bytes())?;
        let differ = self.rewritten(&property, &all)?;
        if differ.is_empty() {
            return Ok(());
        }
        Err(self
            .wrong(format!("the server does not keep what it is given: {}", differ.join("; ")))
            .hint("results on it would differ from those of the embedded store; datasets/stores.md says what is known of servers"))
    }

    /// What the graph of the probe has in place of what it should have.
    fn rewritten(&self, property: &NamedNode, all: &[Triple]) -> Result<Vec<String>> {
        let query = NamedQuery::find("store/statements")?.over(vec![property.clone()], vec![]);
        let found = self.endpoint.construct(&query)?;
        let differ = all.iter().filter_map(|Triple { subject, object, .. }| {
            let there = found.iter().filter(|triple| triple.subject == *subject);
            let there: Vec<Term> = there.map(|triple| received(triple.object.clone())).collect();
            let told: Vec<String> = there.iter().map(ToString::to_string).collect();
            let told = if told.is_empty() { "nowhere".to_owned() } else { told.join(", ") };
            (there != [object.clone()]).then(|| format!("{object} is there {told}"))
        });
        Ok(differ.collect())
    }

    /// Sees to it that the server has graphs: what is not there is sent. Gives how many statements it has of
    /// each.
    ///
    /// # Errors
    /// Where the server has another graph of that name; where it takes no graphs; where it does not count what was sent.
    pub fn hold(&self, graphs: &[OutgoingGraph<'_>], watcher: &dyn Watcher) -> Result<BTreeMap<String, u64>> {
        let recorded = self.recorded(graphs.iter().map(|graph| graph.name.as_str()))?;
        let mut held = BTreeMap::new();
        let missing: Vec<&OutgoingGraph<'_>> =
            graphs.iter().filter(|graph| !recorded.contains_key(&graph.name)).collect();
        for graph in graphs {
            let Some((checksum, count)) = recorded.get(&graph.name) else { continue };
            if *checksum != graph.checksum {
                let OutgoingGraph { name, checksum: own, .. } = graph;
                return Err(self
                    .wrong(format!("the server has another graph <{name}>, with the checksum {checksum} and not {own}"))
                    .hint("it is that of another archive: give this one a server, or a repository on it, of its own"));
            }
            held.insert(graph.name.clone(), *count);
        }
        let steps = Steps::new(watcher, "sending", missing.len());
        for graph in missing {
            watcher.check()?;
            held.insert(graph.name.clone(), self.send(graph)?);
            steps.step();
        }
        Ok(held)
    }

    /// Sends a graph, counts it, and records it.
    fn send(&self, graph: &OutgoingGraph<'_>) -> Result<u64> {
        let OutgoingGraph { name, checksum, statements } = graph;
        let (store, count) = self.put(name, &lines(&statements()?))?;
        let node = NamedNode::new_unchecked(name.as_str());
        let property = NamedNode::new_unchecked;
        let checksum = Literal::new_simple_literal(checksum.as_str());
        let record = [
            Triple::new(node.clone(), property(spdx::CHECKSUM_VALUE), checksum),
            Triple::new(node, property(void::TRIPLES), Literal::from(count)),
        ];
        store.replace(&record_of(name), lines(&record).concat().as_bytes())?;
        Ok(count)
    }

    /// Sends a graph as lines, each once, and counts it; where the server counts otherwise, it is removed.
    fn put(&self, name: &str, lines: &[String]) -> Result<(&GraphStore, u64)> {
        let Some(store) = &self.graphs else {
            return Err(self.wrong(format!("the server does not have the graph <{name}>")).hint(
                "`⌥store-graphs URL` says where it takes graphs (SPARQL 1.1 Graph Store HTTP Protocol)",
            ));
        };
        let mut pieces = pieces(lines).into_iter();
        store.replace(name, &pieces.next().unwrap_or_default())?;
        for piece in pieces {
            store.add(name, &piece)?;
        }
        let (count, found) = (lines.len() as u64, self.counts([name])?.remove(name).unwrap_or_default());
        if found == count {
            return Ok((store, count));
        }
        store.remove(name)?;
        Err(self
            .wrong(format!(
                "the server counts {found} of {count} statements that were sent as <{name}>, which is removed"
            ))
            .hint("does it take all that it is sent, and count what it has?"))
    }

    /// What names of graphs begin with that one borrower has: others may have the same graphs there at the same time.
    pub(crate) fn prefix() -> Result<String> {
        Ok(format!("{LENT}{}:", &SecretToken::random()?.sha256()[..16]))
    }

    /// Lends graphs to the server: each a name and lines of N-Triples. They are removed when they are given back.
    ///
    /// # Errors
    /// Where it takes no graphs, or does not count what was sent.
    pub(crate) fn lend(&self, graphs: BTreeMap<String, Vec<String>>) -> Result<LentGraphs<'_>> {
        let mut lent = LentGraphs { remote: self, counts: BTreeMap::new() };
        for (name, mut lines) in graphs {
            lines.sort_unstable();
            lines.dedup();
            lent.counts.insert(name.clone(), lines.len() as u64);
            self.put(&name, &lines)?;
        }
        Ok(lent)
    }

    /// What is recorded of graphs: the checksum and the number of statements.
    fn recorded<'n>(&self, names: impl Iterator<Item = &'n str>) -> Result<BTreeMap<String, (String, u64)>> {
        let query = NamedQuery::find("remote/recorded")?;
        let records: Vec<Term> = names.map(|name| NamedNode::new_unchecked(record_of(name)).into()).collect();
        let mut recorded = BTreeMap::new();
        for records in records.chunks(MOST_NAMES) {
            for row in self.endpoint.select(&query.with("record", records)?)? {
                if let [
                    Some(Term::NamedNode(graph)),
                    Some(Term::Literal(checksum)),
                    Some(Term::Literal(count)),
                ] = &row[..]
                    && let Ok(count) = count.value().parse()
                {
                    recorded.insert(graph.as_str().to_owned(), (checksum.value().to_owned(), count));
                }
            }
        }
        Ok(recorded)
    }

    /// How many statements the server has of graphs; of those that it does not have, nothing.
    fn counts<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<BTreeMap<String, u64>> {
        counts(&self.endpoint, names)
    }

    /// Whether graphs are still what was sent. One that is not is removed, with its record, so that it can be sent anew.
    ///
    /// # Errors
    /// Where one is not.
    pub fn check(&self, counts: &BTreeMap<String, u64>) -> Result<()> {
        let found = self.counts(counts.keys().map(String::as_str))?;
        for (name, count) in counts {
            let there = found.get(name).copied().unwrap_or_default();
            if there == *count {
                continue;
            }
            if let Some(store) = &self.graphs {
                store.remove(&record_of(name))?;
                store.remove(name)?;
            }
            return Err(self
                .wrong(format!("the server has {there} statements of <{name}>, of which it had {count}: nothing that it found counts"))
                .hint("did somebody change it, or was the server started again without its data? What is missing is sent anew in the next run"));
        }
        Ok(())
    }

    /// A query with what the server finds in graphs in place of its pattern: it needs no data any more. `default` and `named` are the
    /// graphs of its dataset, by their names on the server; what some are called in the archive is in `called`.
    ///
    /// # Errors
    /// Where the server fails, or gives a part of the rows only.
    pub fn found(
        &self,
        query: &NamedQuery,
        dataset: [Vec<NamedNode>; 2],
        called: &BTreeMap<String, String>,
    ) -> Result<NamedQuery> {
        let there: BTreeMap<&str, &str> =
            called.iter().map(|(there, here)| (here.as_str(), there.as_str())).collect();
        let come = |term: Term| match received(term) {
            Term::NamedNode(node) => match called.get(node.as_str()) {
                Some(name) => NamedNode::new_unchecked(name).into(),
                None => node.into(),
            },
            other => other,
        };
        let go = |whole: &mut GraphPattern| {
            name_graphs(whole, called);
            each_pattern(whole, &mut |pattern| travel(pattern, &there));
        };
        self.translated(query, dataset, (&go, &come))
    }

    /// The same with another way to write terms.
    pub(crate) fn translated(
        &self,
        query: &NamedQuery,
        dataset: [Vec<NamedNode>; 2],
        (go, come): Translation<'_>,
    ) -> Result<NamedQuery> {
        if matches!(query.algebra(), Query::Describe { .. }) {
            return Err(Error::input("a server is not asked to DESCRIBE: each means something else by it")
                .in_file(query.name()));
        }
        if let Some(name) = own_name(query.algebra()) {
            return Err(Error::input(format!("{name} is a function of some server, not SPARQL 1.1"))
                .in_file(query.name()));
        }
        // A dataset without graphs would be all that there is.
        let [default, named] = dataset
            .map(|graphs| if graphs.is_empty() { vec![NamedNode::new_unchecked(NOTHING)] } else { graphs });
        let asked = query.clone().over(default, named);
        let cell = |cell: Option<Term>| cell.and_then(|found| GroundTerm::try_from(ground(come(found))).ok());
        let part = |mut algebra: Query| {
            go(divided::pattern_of(&mut algebra));
            // Of nothing, some servers do not tell the columns.
            let columns = columns(&algebra);
            let (variables, rows) = self.rows(&query.clone().replaced(algebra))?;
            let variables = if rows.is_empty() { columns } else { variables };
            Ok((variables, rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect()))
        };
        let parts = asked_there(asked.algebra()).into_iter().map(part).collect::<Result<_>>()?;
        Ok(query.clone().replaced(rest(query.algebra(), parts)))
    }

    /// Whether a server finds what the embedded store finds: nothing is compared by value where only a server can do it.
    pub fn is_answerable(query: &NamedQuery) -> bool {
        divided::is_agreed_within(query.algebra())
    }

    /// All rows of a SELECT query. What a server cuts is asked for in parts, and what looks as if it were cut is counted.
    ///
    /// # Errors
    /// Where the server fails, or gives a part of the rows only; where the parts take too long.
    pub fn rows(&self, query: &NamedQuery) -> Result<(Vec<Variable>, Vec<Solution>)> {
        let whole = self.whole.map(|time| (time, Deadline::within(time)));
        let found = match self.rows_at_once(query) {
            Ok(found) if !may_be_a_limit(found.1.len()) => return Ok(found),
            Ok(found) => Some(found),
            Err(error) if is_cut(&error) => None,
            Err(error) => return Err(query.failed(&error)),
        };
        let counting = query.clone().replaced(counting(query.algebra()));
        let counted = match self.endpoint.select(&counting)?.first().map(Vec::as_slice) {
            Some([Some(Term::Literal(count))]) => count.value().parse().ok(),
            _ => None,
        };
        let counted: usize =
            counted.ok_or_else(|| self.wrong("the server does not count the rows of a query"))?;
        if let Some(found) = found.filter(|(_, rows)| rows.len() == counted) {
            return Ok(found);
        }
        let (mut variables, mut rows) = (Vec::new(), Vec::new());
        let parts = u32::try_from(counted.div_ceil(MOST_OF_PART).max(2)).unwrap_or(HASHES).min(HASHES);
        for part in 0..parts {
            if let Some((time, _)) = whole.filter(|(_, until)| until.left().is_zero()) {
                return Err(Error::limit(format!(
                    "after {} s, the server has given {} rows of {counted}",
                    time.as_secs(),
                    rows.len()
                ))
                .in_file(query.name())
                .hint("`⌥timeout SECONDS` gives it longer; a narrower query needs fewer rows"));
            }
            let range = [part, part + 1].map(|part| bound(part, parts));
            let asked = query.clone().replaced(ranged(query.algebra(), range));
            let found = self.rows_at_once(&asked).map_err(|error| query.failed(&error))?;
            variables = found.0;
            rows.extend(found.1);
        }
        if rows.len() != counted {
            return Err(self
                .wrong(format!(
                    "the server gives {} rows of {counted}, and does not say that it cuts results",
                    rows.len()
                ))
                .hint("give it a higher limit of rows (datasets/stores.md says where), or ask for fewer"));
        }
        Ok((variables, rows))
    }

    fn rows_at_once(
        &self,
        query: &NamedQuery,
    ) -> Result<(Vec<Variable>, Vec<Solution>), QueryEvaluationError> {
        let QueryResults::Solutions(solutions) = self.endpoint.run(query.algebra())? else {
            return Ok((Vec::new(), Vec::new()));
        };
        let variables = solutions.variables().to_vec();
        let rows = solutions.map(|row| row.map(|row| row.values().to_vec())).collect::<Result<_, _>>()?;
        Ok((variables, rows))
    }
}

/// How many statements a server has of graphs; of those that it does not have, nothing.
pub(crate) fn counts<'n>(
    endpoint: &Endpoint,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<BTreeMap<String, u64>> {
    let query = NamedQuery::find("remote/statements")?;
    let graphs: Vec<Term> = names.into_iter().map(|name| NamedNode::new_unchecked(name).into()).collect();
    let mut counts = BTreeMap::new();
    for graphs in graphs.chunks(MOST_NAMES) {
        for row in endpoint.select(&query.with("graph", graphs)?)? {
            if let [Some(Term::NamedNode(graph)), Some(Term::Literal(count))] = &row[..]
                && let Ok(count) = count.value().parse()
            {
                counts.insert(graph.as_str().to_owned(), count);
            }
        }
    }
    Ok(counts)
}

/// Whether a server gives a part of the rows only, and says so.
fn is_cut(error: &QueryEvaluationError) -> bool {
    let QueryEvaluationError::Dataset(error) = error else { return false };
    error.downcast_ref::<Error>().is_some_and(|error| error.kind() == ErrorKind::Limit)
}

/// The hash at which a part of all begins.
fn bound(part: u32, parts: u32) -> u32 {
    let bound = u64::from(HASHES) * u64::from(part) / u64::from(parts);
    u32::try_from(bound).unwrap_or(HASHES)
}

/// The most rows that a part of a result is to have: most servers that cut give 10,000.
const MOST_OF_PART: usize = 4_000;

/// Graphs that a server has as long as this is there.
#[derive(Debug)]
pub(crate) struct LentGraphs<'a> {
    remote: &'a RemoteStore,
    /// How many statements it is to have of each.
    counts: BTreeMap<String, u64>,
}

impl LentGraphs<'_> {
    /// Their names on the server.
    pub(crate) fn names(&self) -> Vec<NamedNode> {
        self.counts.keys().map(NamedNode::new_unchecked).collect()
    }

    /// Whether they are still what was sent.
    pub(crate) fn check(&self) -> Result<()> {
        self.remote.check(&self.counts)
    }
}

impl Drop for LentGraphs<'_> {
    fn drop(&mut self) {
        for name in self.counts.keys() {
            // Nobody else knows its name: where it stays, it is only in the way.
            drop(self.remote.graphs.as_ref().map(|store| store.remove(name)));
        }
    }
}

/// Whether a server may have cut a result there: they do so at round numbers, at 10,000 rows or at 2^20.
fn may_be_a_limit(rows: usize) -> bool {
    rows > 0 && (rows.is_multiple_of(100) || rows.is_multiple_of(1024))
}

/// The graph that records a graph.
fn record_of(name: &str) -> String {
    format!("{RECORD}{name}")
}

/// Statements as lines, each once.
fn lines(statements: &[Triple]) -> Vec<String> {
    let line = |Triple { subject, predicate, object }: &Triple| {
        format!("{subject} {predicate} {} .\n", sent(object.clone()))
    };
    let mut lines: Vec<String> = statements.iter().map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Lines in pieces that are sent at once.
fn pieces(lines: &[String]) -> Vec<Vec<u8>> {
    let mut pieces: Vec<Vec<u8>> = vec![Vec::new()];
    for line in lines {
        if let Some(last) = pieces.last_mut()
            && last.len() + line.len() <= PIECE
        {
            last.extend_from_slice(line.as_bytes());
        } else {
            pieces.push(line.clone().into_bytes());
        }
    }
    pieces
}

/// Puts what a server knows into a pattern: literals as they were sent, graphs by their names there.
fn travel(pattern: &mut GraphPattern, there: &BTreeMap<&str, &str>) {
    each_place(pattern, |place| match place {
        TermPattern::Literal(literal) => {
            if let Term::Literal(sent) = sent(literal.clone().into()) {
                *literal = sent;
            }
        }
        // Virtuoso takes none beside `*` and `+`. A variable that is not shown is the same.
        TermPattern::BlankNode(node) => {
            *place = Variable::new_unchecked(format!("blank_{}", node.as_str())).into();
        }
        _ => {}
    });
    match pattern {
        GraphPattern::Values { bindings, .. } => {
            for term in bindings.iter_mut().flatten().flatten() {
                if let GroundTerm::Literal(literal) = term
                    && let Term::Literal(sent) = sent(literal.clone().into())
                {
                    *literal = sent;
                }
            }
        }
        GraphPattern::Graph { name: NamedNodePattern::NamedNode(node), .. } => {
            if let Some(there) = there.get(node.as_str()) {
                *node = NamedNode::new_unchecked(*there);
            }
        }
        _ => {}
    }
}
