//! The blind submissions of an archive, as their records tell them.

use std::collections::BTreeMap;

use crate::base::checksum::is_checksum;
use crate::base::error::Error;
use crate::base::error::Result;

use crate::record::archived::Archived;
use crate::record::archived::names::{FurtherNames, SharedNames};

/// A blind submission that the archive holds.
#[derive(Debug, Clone)]
pub struct BlindRecord {
    /// IRI of the dataset version.
    pub dataset: String,
    /// The acceptance number: its place among those to the dataset version.
    pub number: u64,
    /// The name of the system.
    pub system: String,
    /// IRI of the profile.
    pub profile: String,
    /// The checksum of the file of the profile, where it is a user's own.
    pub profile_file: Option<String>,
    /// IRI of the submission.
    pub submission: String,
    /// The checksum of the gold file.
    pub gold: String,
    /// The checksum of the file of answers.
    pub answers: String,
}

impl BlindRecord {
    /// The name of the dataset, in its IRI.
    pub fn slug(&self) -> &str {
        self.dataset.rsplit('/').nth(1).unwrap_or_default()
    }
}

/// All of them, by dataset version and in the order of acceptance.
pub fn records(archived: &Archived) -> Result<Vec<BlindRecord>> {
    let rows = archived.metadata.rows("report/blind")?.into_owned().rows;
    let mut records: Vec<BlindRecord> = rows.into_iter().map(record).collect::<Result<_>>()?;
    for row in archived.metadata.rows("store/blind-profiles")?.into_owned().rows {
        let [dataset, number, file] = <[String; 3]>::try_from(row).map_err(|_| damaged())?;
        let is_it =
            |record: &&mut BlindRecord| record.dataset == dataset && record.number.to_string() == number;
        if let Some(record) = records.iter_mut().find(is_it) {
            record.profile_file = Some(checksum(&file)?);
        }
    }
    let further = FurtherNames::read(&archived.archive)?;
    if !further.is_empty() {
        // A row for each system that shares the submission, where the first one sent it. Another one has a row of its own.
        let names = |record: &BlindRecord| SharedNames::among(&further, &archived.archive, &record.answers);
        let mut senders: BTreeMap<(String, u64), usize> = BTreeMap::new();
        for record in &records {
            *senders.entry((record.dataset.clone(), record.number)).or_default() += 1;
        }
        records.retain(|record| {
            senders.get(&(record.dataset.clone(), record.number)) == Some(&1)
                || names(record).is_none_or(|names| names.first == record.system)
        });
    }
    records.sort_by(|a, b| (&a.dataset, a.number).cmp(&(&b.dataset, b.number)));
    Ok(records)
}

fn damaged() -> Error {
    Error::check("a record of a blind submission cannot be read").hint("`qassay verify` looks at all")
}

/// The checksum that names a file.
fn checksum(file: &str) -> Result<String> {
    let sha256 = file.rsplit('/').next().unwrap_or_default();
    is_checksum(sha256).then(|| sha256.to_owned()).ok_or_else(damaged)
}

fn record(row: Vec<String>) -> Result<BlindRecord> {
    let [dataset, number, system, profile, submission, gold, answers] =
        <[String; 7]>::try_from(row).map_err(|_| damaged())?;
    let number = number.parse().map_err(|_| damaged())?;
    Ok(BlindRecord {
        dataset,
        number,
        system,
        profile,
        profile_file: None,
        submission,
        gold: checksum(&gold)?,
        answers: checksum(&answers)?,
    })
}
