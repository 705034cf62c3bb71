//! The record of a publication: `records/publication/KEY-N.nq`, written once. What it says never changes; whoever corrects
//! something publishes the next version.

use std::collections::BTreeSet;
use std::path::Path;

use oxigraph::model::Term;
use sha2::{Digest as _, Sha256};

use crate::base::checksum::{hex, is_checksum};
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::text;
use crate::base::vocab::{dcat, dct, foaf, prov, qassay, rdf, schema, spdx, xsd};
use crate::profiles::ontology::Facts;
use crate::record::archived::Archived;
use crate::record::publication::agent::Agent;
use crate::record::publication::licence::Licence;
use crate::record::publication::metadata::WithheldPart;
use crate::record::publication::withdrawal::Withdrawal;
use crate::record::publish::catalogue::checksum;
use crate::record::verify::findings::Findings;
use crate::sources::archive::stored::StoredFile;
use crate::sources::archive::{Archive, PUBLICATION};

/// What is said of the rights to what is withheld: a term of the publications office of the European Union.
const RESTRICTED: &str = "http://publications.europa.eu/resource/authority/access-right/RESTRICTED";

/// Who makes something public, under which licence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publisher {
    /// Who made it, in their order: one or more.
    pub creators: Vec<Agent>,
    /// Who publishes it.
    pub publisher: Agent,
    /// The licence of all that is made by this program.
    pub licence: &'static Licence,
    /// The DOI, once there is one.
    pub doi: Option<String>,
    /// What he calls it, where he calls it something.
    pub title: Option<String>,
    /// Licences of inputs that the publisher states: the IRI of the input, that of the licence.
    pub stated: BTreeSet<(String, String)>,
}

/// A version of a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// The IRI of what is published.
    pub of: String,
    /// The number of the version, from 1.
    pub number: u32,
    /// The day: `2026-11-22`.
    pub day: String,
    /// Who, and under which licence.
    pub by: Publisher,
    /// The IRIs of the evaluations and comparisons that go with it.
    pub members: BTreeSet<String>,
    /// The names of the graphs that go with it, and what stands for the [names](crate::record::publication::names::name_iri) of systems.
    pub graphs: BTreeSet<String>,
    /// What is left out.
    pub withheld: Vec<WithheldPart>,
    /// Where with this version it is no longer public: why.
    pub withdrawn: Option<Withdrawal>,
}

impl Publication {
    /// The IRI of the version.
    pub fn iri(&self) -> String {
        format!("{}/v/{}", self.of, self.number)
    }

    /// What names its record: the key of what is published, and the number.
    pub fn key(&self) -> String {
        format!("{}-{}", self.of.rsplit('/').next().unwrap_or_default(), self.number)
    }

    /// Whether it says the same as another of the same thing, whatever day and number these have.
    pub fn repeats(&self, other: &Self) -> bool {
        let known = Self { number: self.number, day: self.day.clone(), ..other.clone() };
        *self == known
    }

    /// Keeps its record in an archive.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, archive: &Archive) -> Result<()> {
        archive.keep_record(PUBLICATION, &self.key(), &mut self.lines(archive.mint()))
    }

    /// The bytes of its record.
    ///
    /// # Errors
    /// Where there is no memory for them.
    pub fn record_bytes(&self, mint: &Mint) -> Result<Vec<u8>> {
        let mut content = Vec::new();
        let written = self.lines(mint).write_to(&mut content);
        written.map_err(|error| Error::system(format!("cannot write the record: {error}")))?;
        Ok(content)
    }

    /// The checksum of its record.
    ///
    /// # Errors
    /// As for [`Self::record_bytes`].
    pub fn checksum(&self, mint: &Mint) -> Result<String> {
        Ok(hex(&Sha256::digest(self.record_bytes(mint)?)))
    }

    /// The statements of its record.
    pub fn lines(&self, mint: &Mint) -> Lines {
        let mut lines = Lines::new(&mint.catalogue_graph());
        let iri = self.iri();
        lines
            .subject(&iri)
            .iri(rdf::TYPE, qassay::PUBLICATION)
            .iri(rdf::TYPE, prov::ENTITY_CLASS)
            .iri(dcat::IS_VERSION_OF, &self.of)
            .text(dcat::VERSION, &self.number.to_string())
            .typed(dct::ISSUED, &self.day, xsd::DATE)
            .iri(dct::LICENSE, &self.by.licence.iri)
            .iri(dct::PUBLISHER, &self.by.publisher.iri);
        if self.number > 1 {
            lines.iri(prov::WAS_REVISION_OF, &format!("{}/v/{}", self.of, self.number - 1));
        }
        if let Some(doi) = &self.by.doi {
            lines.text(dct::IDENTIFIER, doi);
        }
        if let Some(title) = &self.by.title {
            lines.text(dct::TITLE, title);
        }
        for member in &self.members {
            lines.iri(prov::WAS_DERIVED_FROM, member);
        }
        for graph in &self.graphs {
            lines.iri(dct::HAS_PART, graph);
        }
        self.state_agents(&mut lines, &iri);
        for (input, licence) in &self.by.stated {
            lines.subject(input).iri(dct::LICENSE, licence);
        }
        self.state_withheld(&mut lines, &iri);
        if let Some(why) = &self.withdrawn {
            lines.subject(&iri).text_in(schema::NAME, &why.title, Some("en"));
            why.state(
                &mut lines,
                &format!("{}/v/{}", self.of, self.number - 1),
                (&iri, &self.day, &self.by.publisher.iri),
            );
        }
        lines
    }

    fn state_agents(&self, lines: &mut Lines, iri: &str) {
        for (creator, number) in self.by.creators.iter().zip(1..) {
            let node = format!("{iri}/creator/{number}");
            lines.subject(iri).iri(dct::CREATOR, &creator.iri).iri(prov::QUALIFIED_ATTRIBUTION, &node);
            lines
                .subject(&node)
                .iri(rdf::TYPE, prov::ATTRIBUTION)
                .iri(prov::AGENT, &creator.iri)
                .integer(qassay::POSITION, number);
        }
        let all = self.by.creators.iter().chain([&self.by.publisher]);
        for agent in all.flat_map(|agent| std::iter::once(agent).chain(agent.affiliation.as_deref())) {
            let [own, general] = if agent.is_person {
                [foaf::PERSON, prov::PERSON]
            } else {
                [foaf::ORGANIZATION, prov::ORGANIZATION]
            };
            lines.subject(&agent.iri).iri(rdf::TYPE, foaf::AGENT).iri(rdf::TYPE, own).iri(rdf::TYPE, general);
            lines.text(foaf::NAME, &agent.name);
            if let Some(affiliation) = &agent.affiliation {
                lines.iri(schema::AFFILIATION, &affiliation.iri);
            }
        }
    }

    fn state_withheld(&self, lines: &mut Lines, iri: &str) {
        for (at, part) in self.withheld.iter().enumerate() {
            // The same bytes may be several things.
            let before = self.withheld[..at].iter().filter(|one| one.sha256 == part.sha256).count();
            let number = if before > 0 { format!("-{}", before + 1) } else { String::new() };
            let node = format!("{iri}/withheld/{}{number}", part.sha256);
            lines.subject(iri).iri(qassay::WITHHELD, &node);
            lines
                .subject(&node)
                .iri(rdf::TYPE, qassay::WITHHELD_PART)
                .iri(dct::SUBJECT, &part.iri)
                .iri(dct::ACCESS_RIGHTS, RESTRICTED)
                .text_in(dct::DESCRIPTION, &part.reason, Some("en"))
                .text(qassay::PATH, &part.path)
                .typed(dcat::BYTE_SIZE, &part.bytes.to_string(), xsd::NON_NEGATIVE_INTEGER);
            if let Some(source) = &part.source {
                lines.iri(dct::SOURCE, source);
            }
            checksum(lines, &node, &part.sha256);
        }
    }

    /// Reads its record.
    ///
    /// # Errors
    /// Where the record cannot be read, or lacks something.
    pub fn read(record: &Path) -> Result<Self> {
        let mut facts = Facts::default();
        let in_file = |error: Error| error.in_file(record.display().to_string());
        facts.add_nquads(&StoredFile::new(record).content()?).map_err(in_file)?;
        read(&facts).ok_or_else(|| {
            in_file(
                Error::check("the record of the publication is damaged")
                    .hint("take it from a copy; what it says is nowhere else"),
            )
        })
    }

    /// What is published, and as what, in a few words: `evaluation 0123abcd, version 1, 2026-11-22`.
    pub fn name(&self) -> String {
        let mut parts = self.of.rsplit('/');
        let (key, kind) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let state = if self.withdrawn.is_some() { ", withdrawn" } else { "" };
        let key = key.get(..8).unwrap_or(key);
        format!("{kind} {key}, version {}, {}{state}", self.number, self.day)
    }

    /// All publications of an archive, in the order of what is published and of their numbers.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn all(archive: &Archive) -> Result<Vec<Self>> {
        let mut all: Vec<Self> = archive
            .records_of(PUBLICATION)?
            .iter()
            .map(|record| Self::read(record))
            .collect::<Result<_>>()?;
        all.sort_by(|one, other| (&one.of, one.number).cmp(&(&other.of, other.number)));
        Ok(all)
    }

    /// The latest version of everything among [all](Self::all), in their order.
    pub fn latest(all: &[Self]) -> Vec<&Self> {
        let of_one = all.chunk_by(|one, other| one.of == other.of);
        of_one.filter_map(<[Self]>::last).collect()
    }
}

/// What goes with every record, whatever licences say: numbers, and how they came about.
const NEVER_WITHHELD: [&str; 5] = ["scores", "measures", "groups", "prov", "comparison"];

/// Checks the records of publications: each is as it was written, and leaves out nothing that tells numbers. No row where
/// there are none.
///
/// # Errors
/// Where the records cannot be listed or asked.
pub fn check(archived: &Archived, report: &mut Findings) -> Result<()> {
    let (archive, mint) = (&archived.archive, archived.archive.mint());
    let records = archive.records_of(PUBLICATION)?;
    let mut problems: Vec<String> = records.iter().filter_map(|record| problem(record, mint)).collect();
    for graph in &archived.graphs {
        if NEVER_WITHHELD.contains(&mint.graph_kind(&graph.name)) && report.withheld.remove(&graph.sha256) {
            problems.push(format!(
                "<{}>: a publication says that it is withheld, and numbers never are",
                graph.name
            ));
        }
    }
    if !records.is_empty() {
        report.add("publications", "who, when, what", records.len() as u64, problems, Vec::new());
    }
    Ok(())
}

/// What is wrong with the record of a publication.
fn problem(record: &Path, mint: &Mint) -> Option<String> {
    let file = StoredFile::new(record);
    let content = file.content().unwrap_or_default();
    // Who leaves out something without publishing says only that.
    if !String::from_utf8_lossy(&content).contains(&format!("<{}>", qassay::PUBLICATION)) {
        return None;
    }
    let publication = match Publication::read(record) {
        Ok(publication) => publication,
        Err(error) => return Some(error.to_string()),
    };
    let mut written = Vec::new();
    let is_written = publication.lines(mint).write_to(&mut written).is_ok() && written == content;
    let is_so = is_written && publication.key() == file.sha256();
    (!is_so).then(|| format!("{}: is not as a publication is written", text::path(record)))
}

fn read(facts: &Facts) -> Option<Publication> {
    let iri = facts.subjects().find(|subject| facts.is_a(subject, qassay::PUBLICATION))?;
    let set = |property| facts.texts(iri, property).map(str::to_owned).collect::<BTreeSet<String>>();
    let node = |property| {
        let mut objects = facts.all(iri, property);
        objects.find_map(|term| match term {
            Term::NamedNode(node) => Some(node.as_str()),
            _ => None,
        })
    };
    let agent = |iri: &str| agent(facts, iri);
    let mut creators: Vec<(u32, Agent)> = Vec::new();
    for node in facts.texts(iri, prov::QUALIFIED_ATTRIBUTION) {
        let place = facts.text(node, qassay::POSITION)?.parse().ok()?;
        creators.push((place, agent(facts.text(node, prov::AGENT)?)?));
    }
    creators.sort();
    let mut withheld: Vec<WithheldPart> =
        facts.texts(iri, qassay::WITHHELD).map(|node| withheld_part(facts, node)).collect::<Option<_>>()?;
    withheld.sort();
    let licensed = facts.subjects().filter(|subject| *subject != iri);
    let stated = licensed.flat_map(|input| {
        facts.texts(input, dct::LICENSE).map(|licence| (input.to_owned(), licence.to_owned()))
    });
    Some(Publication {
        of: node(dcat::IS_VERSION_OF)?.to_owned(),
        number: facts.text(iri, dcat::VERSION)?.parse().ok()?,
        day: facts.text(iri, dct::ISSUED)?.to_owned(),
        by: Publisher {
            creators: (!creators.is_empty())
                .then(|| creators.into_iter().map(|(_, agent)| agent).collect())?,
            publisher: agent(node(dct::PUBLISHER)?)?,
            licence: Licence::with_iri(node(dct::LICENSE)?)?,
            doi: facts.text(iri, dct::IDENTIFIER).map(str::to_owned),
            title: facts.text(iri, dct::TITLE).map(str::to_owned),
            stated: stated.collect(),
        },
        members: set(prov::WAS_DERIVED_FROM),
        graphs: set(dct::HAS_PART),
        withheld,
        withdrawn: Withdrawal::read(facts, iri)?,
    })
}

/// Somebody with the organisation that he works for; an organisation works for none.
fn agent(facts: &Facts, iri: &str) -> Option<Agent> {
    let is_person = facts.is_a(iri, foaf::PERSON);
    let employer = facts.text(iri, schema::AFFILIATION).filter(|_| is_person);
    Some(Agent {
        name: facts.text(iri, foaf::NAME)?.to_owned(),
        iri: iri.to_owned(),
        is_person,
        affiliation: employer
            .filter(|employer| !facts.is_a(employer, foaf::PERSON))
            .and_then(|employer| agent(facts, employer))
            .map(Box::new),
    })
}

fn withheld_part(facts: &Facts, node: &str) -> Option<WithheldPart> {
    let text = |property| facts.text(node, property).map(str::to_owned);
    let sha256 = facts.text(&text(spdx::CHECKSUM)?, spdx::CHECKSUM_VALUE)?.to_owned();
    Some(WithheldPart {
        iri: text(dct::SUBJECT)?,
        path: text(qassay::PATH)?,
        sha256: is_checksum(&sha256).then_some(sha256)?,
        bytes: text(dcat::BYTE_SIZE)?.parse().ok()?,
        reason: text(dct::DESCRIPTION)?,
        source: text(dct::SOURCE),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publication() -> Publication {
        let agent = |text| Agent::parse(text, true).unwrap();
        let sha256 = "ab".repeat(32);
        Publication {
            of: "https://w3id.org/qassay/evaluation/0123456789abcdef0123456789abcdef".to_owned(),
            number: 2,
            day: "2026-11-22".to_owned(),
            by: Publisher {
                creators: vec![
                    agent("Zoe \"Z\" <script> <https://example.org/zoe>"),
                    agent(
                        "Josiah Carberry <0000-0002-1825-0097>, Example Laboratory <https://ror.org/05gq02987>",
                    ),
                ],
                publisher: agent("Example Laboratory <https://ror.org/05gq02987>"),
                licence: Licence::named("CC0-1.0").unwrap(),
                doi: Some("10.5281/zenodo.1".to_owned()),
                title: Some("Our \"runs\"".to_owned()),
                stated: BTreeSet::from([(
                    "https://w3id.org/qassay/submission/1".to_owned(),
                    "https://spdx.org/licenses/MIT".to_owned(),
                )]),
            },
            members: BTreeSet::from([
                "https://w3id.org/qassay/evaluation/0123456789abcdef0123456789abcdef".to_owned()
            ]),
            graphs: BTreeSet::from(["https://w3id.org/qassay/graph/scores/1".to_owned()]),
            withheld: [format!("file/sha256/{sha256}"), "graph/patterns/1".to_owned()]
                .map(|name| WithheldPart {
                    iri: format!("https://w3id.org/qassay/{name}"),
                    path: format!("files/sha256/ab/{sha256}"),
                    sha256: sha256.clone(),
                    bytes: 12,
                    reason: "no licence is stated for \"x\"\n".to_owned(),
                    source: Some("https://example.org/x.json".to_owned()),
                })
                .to_vec(),
            withdrawn: None,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let (folder, known) = (tempfile::tempdir().unwrap(), publication());
        let record = folder.path().join("x.nq");
        let mut content = Vec::new();
        known.lines(&Mint::default()).write_to(&mut content).unwrap();
        std::fs::write(&record, &content).unwrap();
        let read = Publication::read(&record).unwrap();
        assert_eq!(read, known);
        assert!(read.repeats(&Publication { number: 3, day: "2027-01-01".to_owned(), ..known.clone() }));
        assert!(!read.repeats(&Publication { withheld: Vec::new(), ..known.clone() }));
        let why = Withdrawal {
            title: "Evaluation of <x> on \"y\"".to_owned(),
            reason: "the gold answers are wrong\n\"all\"".to_owned(),
            successor: Some("https://example.org/next".to_owned()),
        };
        let withdrawn = Publication {
            number: 3,
            graphs: BTreeSet::new(),
            withheld: Vec::new(),
            withdrawn: Some(why),
            ..known.clone()
        };
        let mut other = Vec::new();
        withdrawn.lines(&Mint::default()).write_to(&mut other).unwrap();
        std::fs::write(&record, &other).unwrap();
        assert_eq!(Publication::read(&record).unwrap(), withdrawn);
        // what lacks something is told
        let text = String::from_utf8(content).unwrap();
        let without: String = text.split_inclusive('\n').filter(|line| !line.contains("issued")).collect();
        std::fs::write(&record, without).unwrap();
        assert!(Publication::read(&record).unwrap_err().to_string().contains("is damaged"));
    }
}
