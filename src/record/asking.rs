//! The record of asking a live system: who was asked what and how, and what came of it. With the files that it names, the
//! submission can be made again.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::Quad;
use reqwest::Url;
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::text;
use crate::base::vocab::{code, dcat, dct, prov, qassay, rdf, schema, xsd};
use crate::record::publish::catalogue::media_type_iri;
use crate::record::publish::provenance::{build, describe_build, engine};
use crate::record::publish::stated::Typed;
use crate::record::verify::findings::Findings;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::read_file;
use crate::sources::file::source::Source;
use crate::sources::format::{read, recognise};
use crate::sources::input::term;
use crate::systems::description::Protocol;
use crate::systems::replay::Replay;
use crate::systems::template::Values;
use crate::systems::warc::{self, Try};

/// The kind of the records.
pub const ASKING: &str = "asking";

/// The media type of a file of exchanges.
const WARC: &str = "application/warc";
/// The media type of the statements of a protocol.
const TRIPLES: &str = "application/n-triples";

/// The media type of a file that no reader knows.
const UNKNOWN: &str = "application/octet-stream";

/// What a record says. Files are named by their checksums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskingFacts {
    /// What is asked of whom: runs of one plan continue each other.
    pub plan: String,
    /// The name of the system.
    pub system: String,
    /// The address, without user part and secrets.
    pub address: String,
    /// The protocol.
    pub protocol: String,
    /// Places of templates with their values, `name=value`.
    pub settings: Vec<String>,
    /// The file with the questions.
    pub dataset: String,
    /// The file of exchanges.
    pub exchanges: String,
    /// The file with the statements of the protocol.
    pub description: String,
    /// The submission.
    pub submission: String,
    /// Whether every question was asked.
    pub is_complete: bool,
    /// How many tries were made.
    pub tries: u64,
    /// When the first call began and the last one ended: `xsd:dateTime`.
    pub times: Option<[String; 2]>,
}

impl AskingFacts {
    /// The key of the record.
    pub fn key(&self) -> String {
        format!(
            "{}-{}",
            &self.plan[..16.min(self.plan.len())],
            &self.exchanges[..16.min(self.exchanges.len())]
        ) + "-"
            + &self.description[..8.min(self.description.len())]
    }

    /// Keeps the record: the files that it names must be there.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, archive: &Archive) -> Result<()> {
        archive.keep_record(ASKING, &self.key(), &mut self.lines(archive))
    }

    fn lines(&self, archive: &Archive) -> Lines {
        let mint = archive.mint();
        let iri = mint.asking(&self.key());
        let mut lines = Lines::new(&mint.catalogue_graph());
        describe_build(&mut lines, mint, &build());
        let state = if self.is_complete { "asking-complete" } else { "asking-aborted" };
        let submission = mint.submission(&self.submission);
        lines
            .subject(&iri)
            .iri(rdf::TYPE, qassay::ASKING)
            .iri(rdf::TYPE, prov::ACTIVITY)
            .text(qassay::ASKING_PLAN, &self.plan)
            .text(schema::NAME, &self.system)
            .text(qassay::ASKED_ADDRESS, &self.address)
            .iri(qassay::PROTOCOL, &self.protocol)
            .iri(qassay::ASKING_STATE, &code::iri(state))
            .integer(qassay::TRIES, self.tries)
            .iri(prov::WAS_ASSOCIATED_WITH, &engine(mint));
        for setting in &self.settings {
            lines.text(qassay::ASKING_SETTING, setting);
        }
        if let Some([started, ended]) = &self.times {
            lines.typed(prov::STARTED_AT_TIME, started, xsd::DATE_TIME);
            lines.typed(prov::ENDED_AT_TIME, ended, xsd::DATE_TIME);
        }
        let questions = Source::open(&archive.file(&self.dataset)).and_then(|source| recognise(&source));
        for (property, sha256, media_type) in [
            (qassay::ASKED_DATASET, &self.dataset, questions.map_or(UNKNOWN, |format| format.media_type)),
            (qassay::EXCHANGES, &self.exchanges, WARC),
            (qassay::PROTOCOL_DESCRIPTION, &self.description, TRIPLES),
        ] {
            let file = mint.file(sha256);
            lines.subject(&iri).iri(property, &file).iri(prov::USED, &file);
            Typed::new(&mut lines, mint).entity(&file);
            let size = archive.file(sha256).metadata().map_or(0, |file| file.len());
            distribution(&mut lines, mint, &iri, sha256, (media_type, size));
        }
        lines
            .subject(&submission)
            .iri(prov::WAS_GENERATED_BY, &iri)
            .iri(prov::WAS_DERIVED_FROM, &mint.file(&self.exchanges));
        lines.subject(&iri).iri(qassay::SUBMISSION, &submission);
        Typed::new(&mut lines, mint).entity(&submission);
        // The whole checksum: the IRI has half of it.
        lines.subject(&iri).text(dct::IDENTIFIER, &format!("sha256:{}", self.submission));
        lines
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Where it is damaged.
    pub fn read(path: &Path) -> Result<Self> {
        let damaged = |what: String| Error::check(what).in_file(path.display().to_string());
        let content = read_file(path).map_err(|error| Error::io("read the record", path, &error))?;
        let quads: Vec<Quad> = RdfParser::from_format(RdfFormat::NQuads)
            .for_slice(&content)
            .collect::<std::result::Result<_, _>>()
            .map_err(|error| damaged(format!("the record cannot be read: {error}")))?;
        let all = |property: &str| -> Vec<String> {
            let said = quads.iter().filter(|quad| quad.predicate.as_str() == property);
            let said = said.filter(|quad| quad.subject.to_string().contains("/asking/"));
            said.map(|quad| term::text(&quad.object).into_owned()).collect()
        };
        let one = |property: &str| {
            let first = all(property).into_iter().next();
            first.ok_or_else(|| damaged(format!("the record of asking has no <{property}>")))
        };
        let file =
            |property: &str| one(property).map(|iri| iri.rsplit('/').next().unwrap_or_default().to_owned());
        let submission = one(dct::IDENTIFIER)?;
        let times = one(prov::STARTED_AT_TIME).ok().zip(one(prov::ENDED_AT_TIME).ok());
        let tries = one(qassay::TRIES)?;
        Ok(Self {
            plan: one(qassay::ASKING_PLAN)?,
            system: one(schema::NAME)?,
            address: one(qassay::ASKED_ADDRESS)?,
            protocol: one(qassay::PROTOCOL)?,
            settings: all(qassay::ASKING_SETTING),
            dataset: file(qassay::ASKED_DATASET)?,
            exchanges: file(qassay::EXCHANGES)?,
            description: file(qassay::PROTOCOL_DESCRIPTION)?,
            submission: submission.trim_start_matches("sha256:").to_owned(),
            is_complete: one(qassay::ASKING_STATE)?.ends_with("asking-complete"),
            tries: tries.parse().map_err(|_| damaged(format!("`{tries}` is no number of tries")))?,
            times: times.map(|(started, ended)| [started, ended]),
        })
    }

    /// All records of an archive.
    ///
    /// # Errors
    /// Where one of them cannot be read.
    pub fn all(archive: &Archive) -> Result<Vec<Self>> {
        archive.records_of(ASKING)?.iter().map(|path| Self::read(path)).collect()
    }

    /// The last record of a plan.
    ///
    /// # Errors
    /// Where a record cannot be read.
    pub fn last(archive: &Archive, plan: &str) -> Result<Option<Self>> {
        let mut all = Self::all(archive)?;
        all.retain(|one| one.plan == plan);
        Ok(all.into_iter().max_by_key(|one| (one.times.clone().map(|[_, ended]| ended), one.tries)))
    }

    /// The values of the places of templates, as they were.
    pub fn values(&self) -> Values {
        let pairs = self.settings.iter().filter_map(|setting| setting.split_once('='));
        pairs.fold(Values::default(), |values, (name, value)| values.with(name, value))
    }

    /// Hands on each try that is kept.
    ///
    /// # Errors
    /// Where the file is not here or damaged.
    pub fn read_tries(&self, archive: &Archive, each: &mut dyn FnMut(Try)) -> Result<()> {
        let path = archive.file(&self.exchanges);
        let file = File::open(&path).map_err(|error| Error::io("read the exchanges", &path, &error))?;
        let read = warc::read(&mut BufReader::new(file), each);
        read.map(drop).map_err(|error| error.in_file(path.display().to_string()))
    }

    /// The submission, made again from what is kept.
    ///
    /// # Errors
    /// Where a file is not here or damaged.
    pub fn again(&self, archive: &Archive) -> Result<Vec<u8>> {
        let description = Source::open(&archive.file(&self.description))?;
        let protocol = Protocol::of_triples(&String::from_utf8_lossy(description.content()))?;
        let (dataset, _) = read(&Source::open(&archive.file(&self.dataset))?)?;
        let address = Url::parse(&self.address)
            .map_err(|error| Error::check(format!("`{}` is no address: {error}", self.address)))?;
        let mut replay = Replay::new(&protocol, &address, self.values());
        self.read_tries(archive, &mut |one| replay.add(&one))?;
        replay.submission(&dataset)
    }
}

/// A file of the asking: where it is, and how large.
fn distribution(lines: &mut Lines, mint: &Mint, iri: &str, sha256: &str, (media_type, size): (&str, u64)) {
    let file = mint.file(sha256);
    let node = format!("{iri}/dist/{}", &sha256[..8.min(sha256.len())]);
    lines.subject(iri).iri(dcat::DISTRIBUTION, &node);
    lines
        .subject(&node)
        .iri(rdf::TYPE, dcat::DISTRIBUTION_CLASS)
        .iri(dcat::DOWNLOAD_URL, &file)
        .iri(dcat::ACCESS_URL, iri)
        .iri(dcat::MEDIA_TYPE, &media_type_iri(media_type))
        .typed(dcat::BYTE_SIZE, &size.to_string(), xsd::NON_NEGATIVE_INTEGER);
    Typed::new(lines, mint).is(&media_type_iri(media_type), dct::MEDIA_TYPE_CLASS);
}

/// Checks that each submission of a live system is what its exchanges give; no row where there are none.
///
/// # Errors
/// Where the records cannot be listed.
pub fn check_submissions(archive: &Archive, report: &mut Findings) -> Result<()> {
    let records = archive.records_of(ASKING)?;
    let (mut problems, mut missing) = (Vec::new(), Vec::new());
    for path in &records {
        let told = |problem: String| format!("{}: {problem}", text::path(path));
        let facts = match AskingFacts::read(path) {
            Ok(facts) => facts,
            Err(error) => {
                problems.push(told(error.to_string()));
                continue;
            }
        };
        let files = [&facts.dataset, &facts.exchanges, &facts.description];
        if let Some(absent) = files.into_iter().find(|sha256| !archive.file(sha256).exists()) {
            missing.push(told(format!("{} is not here", text::path(&archive.file(absent)))));
            continue;
        }
        match facts.again(archive) {
            Ok(bytes) if hex(&Sha256::digest(&bytes)) == facts.submission => {}
            Ok(_) => {
                problems.push(told("the exchanges give another submission than the one recorded".to_owned()));
            }
            Err(error) => problems.push(told(error.to_string())),
        }
    }
    if !records.is_empty() {
        report.add("asked systems", "submissions made of exchanges", records.len() as u64, problems, missing);
    }
    Ok(())
}
