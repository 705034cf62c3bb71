//! The records of blind submissions: each is the one that its name says, and every number is there once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::base::text;
use crate::base::vocab::{qassay as terms, schema};
use crate::record::publish::blind::Blind;
use crate::sources::archive::Archive;
use crate::sources::archive::hashing::read_file;
use crate::sources::input::term;
use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{Quad, Term};

use crate::record::verify::absent::AbsentPart;
use crate::record::verify::findings::Findings;

/// Checks all of them; no row where there are none.
pub fn submissions(archive: &Archive, report: &mut Findings) -> Result<()> {
    let inputs = BlindInputs {
        mint: archive.mint(),
        datasets: archive.records_of("dataset")?,
        submissions: archive.records_of("submission")?,
    };
    let blind = archive.records_of("blind")?;
    let (mut problems, mut numbers) = (Vec::new(), BTreeMap::<String, Vec<u64>>::new());
    for path in &blind {
        let told = |problem: String| format!("{}: {problem}", text::path(path));
        match read(path) {
            Ok(record) => {
                problems.extend(inputs.problem(path, &record).map(told));
                numbers.entry(record.dataset).or_default().push(record.number);
            }
            Err(problem) => problems.push(told(problem)),
        }
    }
    let mut missing = Vec::new();
    for (dataset, numbers) in &numbers {
        let known: BTreeSet<u64> = numbers.iter().copied().collect();
        let twice = known.iter().filter(|number| numbers.iter().filter(|other| other == number).count() > 1);
        problems
            .extend(twice.map(|number| format!("<{dataset}>: several submissions have the number {number}")));
        // One beyond the largest number is given next, so none is left out. A forged one may be large.
        let mut expected = 1;
        for number in known {
            if number > expected {
                missing
                    .push(AbsentPart::told(format!("<{dataset}>: no submission has the number {expected}")));
            }
            expected = number.saturating_add(1);
        }
    }
    if !blind.is_empty() {
        report.add("blind submissions", "keys, numbers and inputs", blind.len() as u64, problems, missing);
    }
    Ok(())
}

/// What the record of a blind submission says.
struct BlindFacts {
    iri: String,
    dataset: String,
    submission: String,
    profile: String,
    /// The name of the system, where the bytes are those of another one, too.
    name: Option<String>,
    /// The IRI of the file of the profile, where it is a user's own.
    profile_file: Option<String>,
    number: u64,
}

fn read(path: &Path) -> std::result::Result<BlindFacts, String> {
    let bytes = read_file(path).map_err(|error| format!("cannot be read: {error}"))?;
    let quads: Vec<Quad> = RdfParser::from_format(RdfFormat::NQuads)
        .for_slice(&bytes)
        .collect::<std::result::Result<_, _>>()
        .map_err(|error| format!("cannot be read: {error}"))?;
    let number = one(&quads, terms::ACCEPTANCE_NUMBER)?;
    let text = term::text(&number.object);
    let sender = Blind::sender_of(number.subject.to_string().trim_matches(['<', '>']));
    let is_name = |quad: &&Quad| {
        quad.predicate.as_str() == schema::NAME && quad.subject.to_string() == format!("<{sender}>")
    };
    let record = BlindFacts {
        name: quads.iter().find(is_name).map(|quad| term::text(&quad.object).into_owned()),
        iri: number.subject.to_string().trim_matches(['<', '>']).to_owned(),
        dataset: iri(&quads, terms::DATASET_VERSION)?,
        submission: iri(&quads, terms::SUBMISSION)?,
        profile: iri(&quads, terms::POLICY)?,
        profile_file: iri(&quads, terms::PROFILE_FILE).ok(),
        number: text
            .parse()
            .ok()
            .filter(|number| *number > 0)
            .ok_or_else(|| format!("the number `{text}` is no positive integer"))?,
    };
    Ok(record)
}

/// The one statement with a property.
fn one<'q>(quads: &'q [Quad], property: &str) -> std::result::Result<&'q Quad, String> {
    let mut found = quads.iter().filter(|quad| quad.predicate.as_str() == property);
    match (found.next(), found.next()) {
        (Some(quad), None) => Ok(quad),
        (None, _) => Err(format!("has no <{property}>")),
        (Some(_), Some(_)) => Err(format!("has several <{property}>")),
    }
}

fn iri(quads: &[Quad], property: &str) -> std::result::Result<String, String> {
    match &one(quads, property)?.object {
        Term::NamedNode(node) => Ok(node.as_str().to_owned()),
        other => Err(format!("<{property}> is no IRI: {other}")),
    }
}

/// The records that blind submissions name.
struct BlindInputs<'a> {
    mint: &'a Mint,
    datasets: Vec<PathBuf>,
    submissions: Vec<PathBuf>,
}

impl BlindInputs<'_> {
    /// What is wrong with a record: its inputs are not here, or its key is not the one that they give.
    fn problem(&self, path: &Path, record: &BlindFacts) -> Option<String> {
        let Some(dataset) = described(&self.datasets, &record.dataset) else {
            return Some(format!("the dataset <{}> is not in the archive", record.dataset));
        };
        let Some(submission) = described(&self.submissions, &record.submission) else {
            return Some(format!("the submission <{}> is not in the archive", record.submission));
        };
        let file = record.profile_file.as_ref().and_then(|file| file.rsplit('/').next());
        let file = file.filter(|key| key.len() == 32 && key.is_ascii());
        let digest = Blind::digest_of([&dataset, &submission], &record.profile, file, record.name.as_deref());
        let fits = stem(path) == digest[..32] && record.iri == self.mint.blind(&digest);
        (!fits).then(|| {
            format!("dataset, submission and profile <{}> give the key {}", record.profile, &digest[..32])
        })
    }
}

/// The checksum of the file that a record describes as this thing.
fn described(records: &[PathBuf], iri: &str) -> Option<String> {
    let beginning = iri.rsplit('/').next().filter(|key| !key.is_empty())?;
    let is_it = |path: &&PathBuf| {
        let says = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).contains(&format!("<{iri}>"));
        stem(path).starts_with(beginning) && read_file(path).is_ok_and(says)
    };
    records.iter().find(is_it).map(|path| stem(path))
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
