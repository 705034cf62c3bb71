//! What a knowledge base answered, as a file: canonical N-Quads, one node a query.

use std::collections::BTreeMap;
use std::io::{self, Write};

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedOrBlankNode, Quad};
use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::lines;
use crate::base::vocab::{code, prov, qassay, rdf, void, xsd};
use crate::kb::answered_by::AnsweredBy;
use crate::kb::outcome::{ANSWERED, Cause, Outcome};
use crate::kb::results;
use crate::sources::file::source::Source;
use crate::sources::input::term;

/// One query and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredQuery {
    /// The text that was run.
    pub query: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What a knowledge base answered to some queries. Its IRI is made of its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerSnapshot {
    /// Who answered.
    pub answered_by: AnsweredBy,
    /// The entries, by the checksum of the query.
    pub entries: BTreeMap<String, AnsweredQuery>,
}

/// The checksum that names a query: sha256 of its text, 64 lower-case hex digits.
pub fn query_checksum(query: &str) -> String {
    hex(&Sha256::digest(query))
}

impl AnswerSnapshot {
    /// Puts queries and their outcomes together.
    pub fn new(answered_by: AnsweredBy, outcomes: impl IntoIterator<Item = (String, Outcome)>) -> Self {
        let entry =
            |(query, outcome): (String, Outcome)| (query_checksum(&query), AnsweredQuery { query, outcome });
        Self { answered_by, entries: outcomes.into_iter().map(entry).collect() }
    }

    /// What came of a query.
    pub fn outcome(&self, query: &str) -> Option<&Outcome> {
        self.entries.get(&query_checksum(query)).map(|entry| &entry.outcome)
    }

    /// The key in its IRI: 32 hex digits of a checksum of all it says, under the usual base.
    pub fn key(&self) -> String {
        let mut hasher = Sha256::new();
        let mut add = |text: &str| {
            hasher.update((text.len() as u64).to_be_bytes());
            hasher.update(text);
        };
        match &self.answered_by.usual() {
            AnsweredBy::Snapshot { iri, digest } => ["snapshot", iri, digest].into_iter().for_each(&mut add),
            AnsweredBy::Endpoint { url, time } => ["endpoint", url, time].into_iter().for_each(&mut add),
        }
        for entry in self.entries.values() {
            add(&entry.query);
            add(entry.outcome.name());
            match &entry.outcome {
                Outcome::Answered(answers) => add(&results::write(answers)),
                Outcome::Failed(failure) => add(&failure.message),
            }
        }
        hex(&hasher.finalize())[..32].to_owned()
    }

    /// Its IRI.
    pub fn iri(&self, mint: &Mint) -> String {
        mint.answer_snapshot(&self.key())
    }

    /// Writes it as canonical N-Quads; gives the number of statements.
    pub fn write(&self, mint: &Mint, out: &mut (impl Write + ?Sized)) -> io::Result<u64> {
        let iri = self.iri(mint);
        let node = |checksum: &String| format!("{iri}/query/{checksum}");
        let mut subjects: Vec<(String, Option<&AnsweredQuery>)> =
            self.entries.iter().map(|(checksum, entry)| (node(checksum), Some(entry))).collect();
        subjects.push((iri.clone(), None));
        lines::write_subjects(out, &mint.graph_of(&iri), subjects, |entry, lines| {
            let Some(entry) = entry else {
                lines.iri(rdf::TYPE, qassay::ANSWER_SNAPSHOT).iri(rdf::TYPE, prov::ENTITY_CLASS);
                match &self.answered_by {
                    AnsweredBy::Snapshot { iri, digest } => lines.iri(qassay::KNOWLEDGE_BASE, iri).typed(
                        qassay::KNOWLEDGE_BASE_DIGEST,
                        digest,
                        xsd::HEX_BINARY,
                    ),
                    AnsweredBy::Endpoint { url, time } => lines.iri(void::SPARQL_ENDPOINT, url).typed(
                        prov::GENERATED_AT_TIME,
                        time,
                        xsd::DATE_TIME,
                    ),
                };
                return;
            };
            lines
                .iri(rdf::TYPE, qassay::QUERY_ANSWER)
                .iri(qassay::IN_ANSWER_SNAPSHOT, &iri)
                .text(qassay::ASKED_QUERY, &entry.query)
                .typed(qassay::QUERY_CHECKSUM, &query_checksum(&entry.query), xsd::HEX_BINARY)
                .iri(qassay::QUERY_OUTCOME, &code::iri(&format!("outcome-{}", entry.outcome.name())));
            match &entry.outcome {
                Outcome::Answered(answers) => {
                    lines.typed(qassay::RESULTS, &results::write(answers), rdf::JSON);
                }
                Outcome::Failed(failure) => {
                    lines.text(qassay::ERROR_MESSAGE, &failure.message);
                }
            }
        })
    }

    /// Reads what [`AnswerSnapshot::write`] wrote.
    pub fn read(source: &Source) -> Result<Self> {
        let mut facts: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(source.content()) {
            let quad = quad.map_err(|error| {
                Error::input(format!("the answer snapshot is no N-Quads: {error}")).in_file(source.name())
            })?;
            let Quad { subject: NamedOrBlankNode::NamedNode(subject), predicate, object, .. } = quad else {
                continue;
            };
            let (node, text) = (subject.into_string(), term::text(&object).into_owned());
            let about = facts.entry(node.clone()).or_default();
            if predicate.as_str() == rdf::TYPE {
                continue;
            }
            let known = about.insert(predicate.as_str().to_owned(), text.clone());
            if known.is_some_and(|known| known != text) {
                return Err(contradiction(&format!("it says two things by {predicate}"))
                    .in_file(source.name())
                    .at(format!("<{node}>")));
            }
        }
        Self::of_facts(&facts).map_err(|error| error.in_file(source.name()))
    }

    fn of_facts(facts: &BTreeMap<String, BTreeMap<String, String>>) -> Result<Self> {
        let fact = |about: &BTreeMap<String, String>, name: &str| about.get(name).cloned();
        let mut all_answered_by = facts.values().flat_map(|about| {
            let of_snapshot = fact(about, qassay::KNOWLEDGE_BASE)
                .zip(fact(about, qassay::KNOWLEDGE_BASE_DIGEST))
                .map(|(iri, digest)| AnsweredBy::Snapshot { iri, digest });
            let of_endpoint = fact(about, void::SPARQL_ENDPOINT)
                .zip(fact(about, prov::GENERATED_AT_TIME))
                .map(|(url, time)| AnsweredBy::Endpoint { url, time });
            of_snapshot.into_iter().chain(of_endpoint)
        });
        let answered_by = all_answered_by
            .next()
            .ok_or_else(|| Error::input("this is no answer snapshot: it does not say who answered"))?;
        if all_answered_by.next().is_some() {
            return Err(contradiction("it says of more than one that they answered"));
        }
        let mut outcomes = Vec::new();
        for (node, about) in facts {
            let Some(query) = fact(about, qassay::ASKED_QUERY) else {
                if about.contains_key(qassay::QUERY_CHECKSUM) {
                    return Err(contradiction("the query is not there").at(format!("<{node}>")));
                }
                continue;
            };
            let outcome = outcome(about).map_err(|error| error.at(format!("<{node}>")))?;
            if fact(about, qassay::QUERY_CHECKSUM) != Some(query_checksum(&query)) {
                return Err(Error::check("the checksum is not that of the query").at(format!("<{node}>")));
            }
            outcomes.push((query, outcome));
        }
        Ok(Self::new(answered_by, outcomes))
    }
}

/// What no answer snapshot says that qassay wrote.
fn contradiction(what: &str) -> Error {
    Error::input(format!("the answer snapshot was changed or is not whole: {what}"))
        .allowed("an answer snapshot as qassay wrote it: one value of each property")
}

fn outcome(about: &BTreeMap<String, String>) -> Result<Outcome> {
    let name = about.get(qassay::QUERY_OUTCOME).map(String::as_str).unwrap_or_default();
    let name = name.strip_prefix(code::NAMESPACE).unwrap_or(name).trim_start_matches("outcome-");
    match (about.get(qassay::RESULTS), Cause::named(name)) {
        (Some(text), None) if name == ANSWERED => results::read(text).map(Outcome::Answered),
        (None, Some(cause)) => {
            Ok(Outcome::failed(cause, about.get(qassay::ERROR_MESSAGE).cloned().unwrap_or_default()))
        }
        (None, None) if name == ANSWERED => Err(contradiction("the query was answered, and has no results")),
        (Some(_), Some(_)) => Err(contradiction(&format!("there are results, and the outcome is `{name}`"))),
        (_, None) => Err(Error::input(format!("`{name}` is no outcome of a query"))
            .allowed(format!("{ANSWERED}, {}", Cause::ALL.map(Cause::name).join(", ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerSet, Cell, CellKind, Row};

    fn cell(variable: &str, kind: CellKind, value: &str) -> Cell {
        Cell { variable: variable.to_owned(), kind, value: value.to_owned(), ..Cell::default() }
    }

    #[test]
    fn what_was_answered_is_read_as_it_was_written() {
        let literal = Cell {
            datatype: Some("http://www.w3.org/2001/XMLSchema#integer".to_owned()),
            ..cell("n", CellKind::Literal, "01")
        };
        let text =
            Cell { language: Some("de-AT".to_owned()), ..cell("n", CellKind::Literal, "\"Paradeiser\"\n") };
        let rows = vec![
            Row { cells: [cell("x", CellKind::Uri, "http://a"), literal].into() },
            Row { cells: [cell("x", CellKind::BlankNode, "b0"), text].into() },
        ];
        let variables = vec!["x".to_owned(), "n".to_owned()];
        let answers = AnswerSet { variables, rows, has_bindings: true, ..AnswerSet::default() };
        let yes = AnswerSet { boolean: Some(true), ..AnswerSet::default() };
        for answered_by in [
            AnsweredBy::Snapshot {
                iri: "https://w3id.org/qassay/kb/a/1".to_owned(),
                digest: "ab".repeat(32),
            },
            AnsweredBy::Endpoint {
                url: "http://a/sparql".to_owned(),
                time: "2026-11-21T09:00:00Z".to_owned(),
            },
        ] {
            let snapshot = AnswerSnapshot::new(
                answered_by,
                [
                    ("SELECT * {}".to_owned(), Outcome::Answered(answers.clone())),
                    ("ASK {}".to_owned(), Outcome::Answered(yes.clone())),
                    ("SELECT".to_owned(), Outcome::failed(Cause::TimedOut, "stopped after 1 s")),
                ],
            );
            let mut bytes = Vec::new();
            assert!(snapshot.write(&Mint::default(), &mut bytes).unwrap() > 15);
            let source = Source::from_bytes("answers.nq", bytes.clone()).unwrap();
            let again = AnswerSnapshot::read(&source).unwrap();
            assert_eq!(again, snapshot);
            let mut twice = Vec::new();
            again.write(&Mint::default(), &mut twice).unwrap();
            assert_eq!(twice, bytes);
        }
    }

    #[test]
    fn what_was_changed_is_told() {
        let answered_by = AnsweredBy::Snapshot {
            iri: "https://w3id.org/qassay/kb/a/1".to_owned(),
            digest: "ab".repeat(32),
        };
        let yes = AnswerSet { boolean: Some(true), ..AnswerSet::default() };
        let snapshot = AnswerSnapshot::new(answered_by, [("ASK {}".to_owned(), Outcome::Answered(yes))]);
        let mut bytes = Vec::new();
        snapshot.write(&Mint::default(), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let said = |text: String| {
            let source = Source::from_bytes("answers.nq", text.into_bytes()).unwrap();
            AnswerSnapshot::read(&source).map_or_else(|error| error.to_string(), |_| "nothing".to_owned())
        };
        let without = |part: &str| {
            text.lines().filter(|line| !line.contains(part)).fold(String::new(), |a, line| a + line + "\n")
        };
        let with = |part: &str, from: &str, to: &str| {
            let line = text.lines().find(|line| line.contains(part)).unwrap();
            format!("{text}{}\n", line.replace(from, to))
        };
        assert_eq!(said(text.clone()), "nothing");
        assert_eq!(said(format!("{text}{text}")), "nothing");
        for (changed, message) in [
            (text.replace("outcome-answered", "outcome-nonsense"), "`nonsense` is no outcome"),
            (text.replace("outcome-answered", "outcome-timed-out"), "there are results, and the outcome is"),
            (without("queryOutcome"), "`` is no outcome"),
            (without("#results>"), "was answered, and has no results"),
            (without("askedQuery"), "the query is not there"),
            (
                with("#results>", "true", "false"),
                "it says two things by <https://w3id.org/qassay/ns#results>",
            ),
            (with("knowledgeBaseDigest", "abab", "cdcd"), "it says two things by"),
            (
                format!(
                    "{text}<urn:x> <{}> \"u\" .\n<urn:x> <{}> \"t\" .\n",
                    void::SPARQL_ENDPOINT,
                    prov::GENERATED_AT_TIME
                ),
                "more than one that they answered",
            ),
        ] {
            let said = said(changed);
            assert!(said.contains(message), "{said} in place of {message}");
        }
    }
}
