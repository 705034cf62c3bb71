//! The blind submissions of an archive, as their records tell them.

use qassay::base::error::Error;
use qassay::base::error::Result;
use qassay::base::rdf;
use qassay::base::rdf::dataset::Dataset as _;
use qassay::base::rdf::named_query::NamedQuery;
use qassay::report::release::NotScored;
use qassay::sources::input::term;

use super::archived::{Archived, profile_name};

/// A blind submission that the archive holds.
#[derive(Debug, Clone)]
pub(crate) struct BlindRecord {
    /// IRI of the dataset version.
    pub(crate) dataset: String,
    /// The acceptance number: its place among those to the dataset version.
    pub(crate) number: u64,
    /// The name of the system.
    pub(crate) system: String,
    /// IRI of the profile.
    pub(crate) profile: String,
    /// IRI of the submission.
    pub(crate) submission: String,
    /// The checksum of the gold file.
    pub(crate) gold: String,
    /// The checksum of the file of answers.
    pub(crate) answers: String,
}

impl BlindRecord {
    /// The name of the dataset, in its IRI.
    pub(crate) fn slug(&self) -> &str {
        self.dataset.rsplit('/').nth(1).unwrap_or_default()
    }

    /// What is told where it cannot be scored.
    pub(crate) fn not_scored(&self, error: &Error) -> NotScored {
        NotScored {
            number: self.number,
            system: self.system.clone(),
            profile: profile_name(&self.profile).to_owned(),
            why: error.to_string(),
        }
    }
}

/// All of them, by dataset version and in the order of acceptance.
pub(crate) fn records(archived: &Archived) -> Result<Vec<BlindRecord>> {
    let rows = archived.metadata.select(&NamedQuery::find("report/blind")?)?;
    let text = |cell: Option<oxigraph::model::Term>| {
        cell.map_or_else(String::new, |cell| term::text(&cell).into_owned())
    };
    let mut records: Vec<BlindRecord> =
        rows.into_iter().map(|row| record(row.into_iter().map(text).collect())).collect::<Result<_>>()?;
    records.sort_by(|a, b| (&a.dataset, a.number).cmp(&(&b.dataset, b.number)));
    Ok(records)
}

fn record(row: Vec<String>) -> Result<BlindRecord> {
    let damaged =
        || Error::check("a record of a blind submission cannot be read").hint("`qassay verify` looks at all");
    let [dataset, number, system, profile, submission, gold, answers] =
        <[String; 7]>::try_from(row).map_err(|_| damaged())?;
    let number = number.parse().map_err(|_| damaged())?;
    let checksum = |file: String| {
        let sha256 = file.rsplit('/').next().unwrap_or_default();
        qassay::sources::archive::hashing::is_checksum(sha256).then(|| sha256.to_owned()).ok_or_else(damaged)
    };
    Ok(BlindRecord {
        dataset,
        number,
        system,
        profile,
        submission,
        gold: checksum(gold)?,
        answers: checksum(answers)?,
    })
}
