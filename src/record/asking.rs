//! The record of asking a live system: who was asked what and how, and what came of it. With the files that it names, the
//! submission can be made again.

use std::path::Path;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedOrBlankNode, Quad};
use reqwest::Url;
use sha2::{Digest as _, Sha256};

use crate::base::checksum::{hex, is_checksum};
use crate::base::error::{Error, Result};
use crate::base::rdf::lines::Lines;
use crate::base::text;
use crate::base::vocab::{code, dcat, dqv, prov, qassay, rdf, schema, sdmx_attribute, unit, xsd};
use crate::record::publish::catalogue::{ReceivedFile, UNKNOWN_MEDIA_TYPE, received};
use crate::record::publish::provenance::describe_build;
use crate::record::publish::stated::Typed;
use crate::record::verify::absent::AbsentPart;
use crate::record::verify::findings::Findings;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::read_file;
use crate::sources::file::source::Source;
use crate::sources::format::{read, recognise};
use crate::sources::input::term;
use crate::systems::description::Protocol;
use crate::systems::failure::AskFailure;
use crate::systems::journal::Journal;
use crate::systems::replay::Replay;
use crate::systems::tally::{AskedTally, AskingMeasure, ERROR_RATE};
use crate::systems::template::Values;
use crate::systems::warc::{Exchanged, Try};

/// The kind of the records.
pub const ASKING: &str = "asking";

/// The media type of a file of exchanges.
const WARC: &str = "application/warc";
/// The media type of the statements of a protocol.
const TRIPLES: &str = "application/n-triples";

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
    /// The languages that were asked for, separated by commas, the preferred one first.
    pub languages: String,
    /// How many questions were to be asked.
    pub questions: u64,
    /// The file with the questions.
    pub dataset: String,
    /// The file of exchanges.
    pub exchanges: String,
    /// The file with the statements of the protocol.
    pub description: String,
    /// The submission.
    pub submission: String,
    /// How many tries were made.
    pub tries: u64,
    /// When the first call began and the last one ended: `xsd:dateTime`.
    pub times: Option<[String; 2]>,
    /// The version of the program that made the submission.
    pub build: String,
}

/// What the exchanges say of an asking beside the answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskingFigures {
    /// How many questions ended how, and how long it took.
    pub tally: AskedTally,
    /// How patient and how polite the runs were, `name=value`.
    pub run_settings: Vec<String>,
    /// Whether each try began with the request that description, address and settings give.
    pub requests_as_described: bool,
}

impl AskingFigures {
    /// What is measured on what came of asking so many questions.
    pub fn of(system: &str, questions: usize, protocol: &Protocol, replay: &Replay<'_>) -> Self {
        Self {
            tally: AskedTally::of(system, questions, protocol, replay.outcomes()),
            run_settings: replay.settings().map(str::to_owned).collect(),
            requests_as_described: replay.requests_as_described(),
        }
    }
}

impl AskingFacts {
    /// The key of the record.
    pub fn key(&self) -> String {
        format!("{}-{}-{}", &self.plan[..16], &self.exchanges[..16], &self.description[..8])
    }

    /// Keeps the record: the files that it names must be there.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn keep(&self, archive: &Archive, figures: &AskingFigures) -> Result<()> {
        archive.keep_record(ASKING, &self.key(), &mut self.lines(archive, figures))
    }

    fn lines(&self, archive: &Archive, figures: &AskingFigures) -> Lines {
        let mint = archive.mint();
        let iri = mint.asking(&self.key());
        let mut lines = Lines::new(&mint.catalogue_graph());
        describe_build(&mut lines, mint, &self.build);
        let state = if figures.tally.missing() == 0 { "asking-complete" } else { "asking-aborted" };
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
            .text(qassay::ASKED_LANGUAGE, &self.languages)
            .integer(qassay::QUESTIONS_TO_ASK, self.questions)
            .integer(qassay::TRIES, self.tries)
            .typed(qassay::REQUESTS_AS_DESCRIBED, &figures.requests_as_described.to_string(), xsd::BOOLEAN)
            .iri(prov::WAS_ASSOCIATED_WITH, &mint.engine(&self.build));
        for setting in &self.settings {
            lines.text(qassay::ASKING_SETTING, setting);
        }
        for setting in &figures.run_settings {
            lines.text(qassay::RUN_SETTING, setting);
        }
        if let Some([started, ended]) = &self.times {
            lines.typed(prov::STARTED_AT_TIME, started, xsd::DATE_TIME);
            lines.typed(prov::ENDED_AT_TIME, ended, xsd::DATE_TIME);
        }
        let questions = Source::open(&archive.file(&self.dataset)).and_then(|source| recognise(&source));
        let questions = questions.map_or(UNKNOWN_MEDIA_TYPE, |format| format.media_type);
        for (property, part, sha256, media_type) in [
            (qassay::ASKED_DATASET, "questions", &self.dataset, questions),
            (qassay::EXCHANGES, "exchanges", &self.exchanges, WARC),
            (qassay::PROTOCOL_DESCRIPTION, "protocol", &self.description, TRIPLES),
        ] {
            let (file, distribution) = (mint.file(sha256), format!("{iri}/dist/{part}"));
            lines.subject(&iri).iri(property, &file).iri(prov::USED, &file);
            lines.iri(dcat::DISTRIBUTION, &distribution);
            let bytes = archive.file(sha256).metadata().map_or(0, |file| file.len());
            let file = ReceivedFile { sha256, bytes, media_type, packing: None, format: None };
            received(&mut lines, mint, (&iri, &distribution), &file);
        }
        lines
            .subject(&submission)
            .iri(prov::WAS_GENERATED_BY, &iri)
            .iri(prov::WAS_DERIVED_FROM, &mint.file(&self.exchanges));
        lines.subject(&iri).iri(qassay::SUBMISSION, &submission);
        Typed::new(&mut lines, mint).entity(&submission);
        // The whole checksum: the IRI has half of it.
        lines.subject(&iri).iri(qassay::ANSWERS_FILE, &mint.file(&self.submission));
        for measure in figures.tally.measures() {
            state_measure(&mut lines, &iri, &measure);
        }
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
        let askings: Vec<&NamedOrBlankNode> = quads
            .iter()
            .filter(|quad| quad.predicate.as_str() == rdf::TYPE && term::text(&quad.object) == qassay::ASKING)
            .map(|quad| &quad.subject)
            .collect();
        let all = |property: &str| -> Vec<String> {
            let said = quads.iter().filter(|quad| quad.predicate.as_str() == property);
            let said = said.filter(|quad| askings.contains(&&quad.subject));
            said.map(|quad| term::text(&quad.object).into_owned()).collect()
        };
        let one = |property: &str| {
            let first = all(property).into_iter().next();
            first.ok_or_else(|| damaged(format!("the record of asking has no <{property}>")))
        };
        let file = |property: &str| {
            let iri = one(property)?;
            let sha256 = iri.rsplit('/').next().filter(|sha256| is_checksum(sha256)).map(str::to_owned);
            sha256.ok_or_else(|| damaged(format!("<{property}> is <{iri}>, which names no file")))
        };
        let plan = |plan: String| {
            let is_sound = plan.len() == 32 && plan.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_sound.then_some(plan).ok_or_else(|| damaged("the plan of asking is none".to_owned()))
        };
        let engine = one(prov::WAS_ASSOCIATED_WITH)?;
        let times = one(prov::STARTED_AT_TIME).ok().zip(one(prov::ENDED_AT_TIME).ok());
        let number = |property: &str| {
            let text = one(property)?;
            text.parse().map_err(|_| damaged(format!("<{property}> is `{text}`, which is no number")))
        };
        Ok(Self {
            plan: plan(one(qassay::ASKING_PLAN)?)?,
            system: one(schema::NAME)?,
            address: one(qassay::ASKED_ADDRESS)?,
            protocol: one(qassay::PROTOCOL)?,
            settings: all(qassay::ASKING_SETTING),
            dataset: file(qassay::ASKED_DATASET)?,
            exchanges: file(qassay::EXCHANGES)?,
            description: file(qassay::PROTOCOL_DESCRIPTION)?,
            submission: file(qassay::ANSWERS_FILE)?,
            languages: one(qassay::ASKED_LANGUAGE)?,
            questions: number(qassay::QUESTIONS_TO_ASK)?,
            tries: number(qassay::TRIES)?,
            times: times.map(|(started, ended)| [started, ended]),
            build: engine.rsplit('/').next().unwrap_or_default().to_owned(),
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
        self.settings.iter().filter_map(|setting| setting.split_once('=')).collect()
    }

    /// Hands on the runs and tries that are kept.
    ///
    /// # Errors
    /// Where the file is not here or damaged.
    pub fn read_exchanges(&self, archive: &Archive, each: &mut dyn FnMut(Exchanged)) -> Result<()> {
        Journal::look(&archive.file(&self.exchanges), each)
    }

    /// What the files that are named here give today: the submission, and these facts with what follows from it.
    ///
    /// # Errors
    /// Where a file is not here or damaged.
    fn again(&self, archive: &Archive) -> Result<(Self, AskingFigures)> {
        let (protocol, address) = self.spoken(archive)?;
        let (dataset, _) = read(&Source::open(&archive.file(&self.dataset))?)?;
        let mut replay = Replay::new(&protocol, &address, self.values());
        self.read_exchanges(archive, &mut |one| replay.add(one))?;
        let questions = usize::try_from(self.questions).unwrap_or(usize::MAX);
        let figures = AskingFigures::of(&self.system, questions, &protocol, &replay);
        let submission = hex(&Sha256::digest(replay.submission(&dataset)?));
        let facts = Self { submission, tries: replay.tries(), times: replay.times(), ..self.clone() };
        Ok((facts, figures))
    }

    /// Whether a record says what the files that it names give; else what is wrong.
    ///
    /// # Errors
    /// Where a file is not here or damaged.
    fn check(&self, archive: &Archive, path: &Path) -> Result<Option<&'static str>> {
        let (again, figures) = self.again(archive)?;
        if again.submission != self.submission {
            return Ok(Some("the exchanges give another submission than the one recorded"));
        }
        let said = [format!("plan={}", self.plan), format!("languages={}", self.languages)];
        if said.iter().any(|said| !figures.run_settings.contains(said)) {
            return Ok(Some("the exchanges are those of another plan, or in other languages"));
        }
        if !archive.record("submission", &self.submission).exists() {
            return Ok(Some("the submission that came of it has no record"));
        }
        let mut lines = Vec::new();
        let written = again.lines(archive, &figures).write_to(&mut lines);
        written.map_err(|error| Error::system(format!("cannot write to memory: {error}")))?;
        let recorded = read_file(path).map_err(|error| Error::io("read the record", path, &error))?;
        Ok((lines != recorded).then_some("the files that it names give other statements than those recorded"))
    }

    /// How the system was asked, and where.
    fn spoken(&self, archive: &Archive) -> Result<(Protocol, Url)> {
        let description = Source::open(&archive.file(&self.description))?;
        let protocol = Protocol::of_triples(&String::from_utf8_lossy(description.content()))?;
        let address = Url::parse(&self.address)
            .map_err(|error| Error::check(format!("`{}` is no address: {error}", self.address)))?;
        Ok((protocol, address))
    }

    /// Whether exchanges and description are here.
    pub fn is_readable(&self, archive: &Archive) -> bool {
        [&self.exchanges, &self.description].into_iter().all(|sha256| archive.file(sha256).exists())
    }

    /// What is kept of asking a question, and what came of it.
    ///
    /// # Errors
    /// Where a file is not here or damaged.
    pub fn exchange_about(&self, archive: &Archive, question: &str) -> Result<KeptExchange> {
        let (protocol, address) = self.spoken(archive)?;
        let mut replay = Replay::new(&protocol, &address, self.values());
        let mut tries = Vec::new();
        self.read_exchanges(archive, &mut |one| {
            if let Exchanged::Try(one) = one
                && one.about.question == question
            {
                replay.add(Exchanged::Try(one.clone()));
                tries.push(one);
            }
        })?;
        let failure = replay.outcomes().first().and_then(|outcome| outcome.read.clone().err());
        Ok(KeptExchange { tries, failure })
    }
}

/// What is kept of asking a question.
#[derive(Debug, Default)]
pub struct KeptExchange {
    /// The tries, in order; none where nobody was asked.
    pub tries: Vec<Try>,
    /// Why the last one gave no answer, if it did not.
    pub failure: Option<AskFailure>,
}

/// A value of a measure, on the asking.
fn state_measure(lines: &mut Lines, asking: &str, measure: &AskingMeasure) {
    let part = measure.kind.map(|kind| format!("-{kind}")).unwrap_or_default();
    let node = format!("{asking}/measure/{}{part}", measure.name);
    lines.subject(asking).iri(dqv::HAS_QUALITY_MEASUREMENT, &node);
    let unit = if measure.name == ERROR_RATE { unit::UNITLESS } else { unit::SEC };
    lines
        .subject(&node)
        .iri(rdf::TYPE, dqv::QUALITY_MEASUREMENT)
        .iri(dqv::IS_MEASUREMENT_OF, &code::iri(measure.name))
        .iri(dqv::COMPUTED_ON, asking)
        .typed(dqv::VALUE, &measure.value.to_decimal(), xsd::DECIMAL)
        .iri(sdmx_attribute::UNIT_MEASURE, unit)
        .integer(qassay::SAMPLE_SIZE, measure.sample_size as u64);
    if let Some(kind) = measure.kind {
        lines.iri(qassay::FAILURE_KIND, &code::iri(&format!("failure-{kind}")));
    }
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
            let absent = AbsentPart::of_path(&archive.file(absent));
            missing.push(AbsentPart { told: told(absent.told), ..absent });
            continue;
        }
        match facts.check(archive, path) {
            Ok(None) => {}
            Ok(Some(problem)) => problems.push(told(problem.to_owned())),
            Err(error) => problems.push(told(error.to_string())),
        }
    }
    if !records.is_empty() {
        report.add("asked systems", "submissions made of exchanges", records.len() as u64, problems, missing);
    }
    Ok(())
}
