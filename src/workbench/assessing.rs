//! People judge the answers of a run: what is to be judged, by whom, and what each of them says. The result is a file of
//! assessments like any other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use oxigraph::model::Term;
use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::base::system_name::check_system_name;
use crate::base::text;
use crate::base::token::SecretToken;
use crate::measures::agreement::Ratings;
use crate::measures::judged::Verdict;
use crate::measures::result::Value;
use crate::record::archived::Archived;
use crate::references::assessments::{AssessmentSet, Assessments};
use crate::sources::archive::Archive;
use crate::sources::document::{Document, Question};
use crate::sources::file::source::Source;
use crate::sources::format::read;
use crate::sources::input::answer::items;
use crate::sources::input::term;
use crate::workbench::private::{RunFolder, RunSecrets, write_whole};

/// What is to be judged, and by whom.
const STATE: &str = "assessing.json";

/// The most people.
const MOST_ASSESSORS: usize = 20;

/// What the name of the file is called.
pub const ASSESSMENTS: &str = "assessments.csv";

/// A question with all that systems answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PooledQuestion {
    /// Its id.
    pub question: String,
    /// What it asks, in the first of its languages.
    pub text: String,
    /// The gold answers, as far as there are some.
    pub gold: Vec<String>,
    /// What systems answered, each text once, in the order of the alphabet: nobody sees whose it is.
    pub answers: Vec<String>,
}

/// Somebody who judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssessorRecord {
    /// What he is called in the file.
    pub name: String,
    /// The checksum of his secret.
    pub sha256: String,
}

/// A run whose answers are judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessing {
    /// What is to be judged.
    pub pool: Vec<PooledQuestion>,
    /// By whom.
    pub assessors: Vec<AssessorRecord>,
}

/// What somebody says, by the numbers of questions and answers.
pub type VerdictSheet = BTreeMap<usize, BTreeMap<usize, Verdict>>;

/// How much people agree: the share of equal verdicts, and the kappa.
pub type AssessorAgreement = [Option<Value>; 2];

/// All that systems answered in the evaluations of an archive.
///
/// # Errors
/// Where a file cannot be read.
pub fn pool(archive: &Path) -> Result<Vec<PooledQuestion>> {
    let archived = Archived::open(Archive::open(archive)?)?;
    let files = |of: fn(&crate::record::archived::ArchivedEvaluation) -> &String| {
        let mut all: Vec<&String> = archived.evaluations.iter().map(of).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
            .map(|sha256| Ok(read(&archived.source(sha256)?)?.0))
            .collect::<Result<Vec<Document>>>()
    };
    let (golds, submissions) = (files(|one| &one.gold)?, files(|one| &one.answers)?);
    let questions = golds.iter().flat_map(|gold| &gold.questions);
    let pooled = questions.map(|question| {
        let of_systems = submissions.iter().flat_map(|document| &document.questions);
        let mut answers: Vec<String> =
            of_systems.filter(|answer| answer.key == question.key).flat_map(texts).collect();
        answers.sort();
        answers.dedup();
        PooledQuestion {
            question: question.key.clone(),
            text: question.texts.first().map(|text| text.text.clone()).unwrap_or_default(),
            gold: texts(question),
            answers,
        }
    });
    Ok(pooled.filter(|one| !one.answers.is_empty()).collect())
}

/// The texts of the answers of a question, as assessments name them.
fn texts(question: &Question) -> Vec<String> {
    let text = |term: &Term| term::text(term).trim().to_owned();
    items(question).iter().map(|item| text(&item.term.term)).filter(|text| !text.is_empty()).collect()
}

impl Assessing {
    /// Of a run, if its answers are judged.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn of(run: &RunFolder) -> Result<Option<Self>> {
        let path = run.path().join(STATE);
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
                Error::system(format!("what is judged is damaged: {error}"))
                    .in_file(path.display().to_string())
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("read what is judged", &path, &error)),
        }
    }

    /// Has more people judge the answers of a run.
    ///
    /// # Errors
    /// Where a name is none, or there are too many; where it cannot be kept.
    pub fn invite(&mut self, run: &RunFolder, secrets: &RunSecrets, names: &[String]) -> Result<()> {
        for name in names {
            check_system_name(name)?;
            if self.assessors.iter().any(|known| known.name == *name) {
                continue;
            }
            if self.assessors.len() == MOST_ASSESSORS {
                return Err(
                    Error::input("too many people judge").allowed(format!("{MOST_ASSESSORS} or fewer"))
                );
            }
            let secret = secret(secrets, name)?;
            self.assessors.push(AssessorRecord { name: name.clone(), sha256: secret.sha256() });
        }
        let json = serde_json::to_vec(self).map_err(|error| Error::system(error.to_string()))?;
        write_whole(&run.path().join(STATE), &json)
    }

    /// What one of them says so far.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn sheet(&self, run: &RunFolder, assessor: usize) -> Result<VerdictSheet> {
        let path = sheet_path(run, assessor);
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                Error::system(format!("what somebody said is damaged: {error}"))
                    .in_file(path.display().to_string())
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(VerdictSheet::new()),
            Err(error) => Err(Error::io("read what somebody said", &path, &error)),
        }
    }

    /// Keeps what one of them says.
    ///
    /// # Errors
    /// Where it cannot be kept.
    pub fn keep_sheet(run: &RunFolder, assessor: usize, sheet: &VerdictSheet) -> Result<()> {
        let json = serde_json::to_vec(sheet).map_err(|error| Error::system(error.to_string()))?;
        write_whole(&sheet_path(run, assessor), &json)
    }

    /// The file of assessments: a line for each verdict.
    ///
    /// # Errors
    /// Where something cannot be read.
    pub fn file(&self, run: &RunFolder) -> Result<Vec<u8>> {
        let failed = |error: csv::Error| Error::system(format!("cannot write the table: {error}"));
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(["question", "answer", "verdict", "assessor"]).map_err(failed)?;
        for (at, assessor) in self.assessors.iter().enumerate() {
            for (question, verdicts) in self.sheet(run, at)? {
                let Some(pooled) = self.pool.get(question) else { continue };
                for (answer, verdict) in verdicts {
                    let Some(answer) = pooled.answers.get(answer) else { continue };
                    let line = [&pooled.question, answer, verdict.name(), &assessor.name];
                    table.write_record(line).map_err(failed)?;
                }
            }
        }
        table.into_inner().map_err(|error| Error::system(format!("cannot write the table: {error}")))
    }

    /// How much they agree.
    ///
    /// # Errors
    /// Where the file of assessments cannot be read.
    pub fn agreement(&self, run: &RunFolder) -> Result<AssessorAgreement> {
        let source = Source::from_bytes(ASSESSMENTS, self.file(run)?)?;
        let set = AssessmentSet::read(&source)?;
        let ratings: Ratings = Assessments::join(&[(ASSESSMENTS, &set)], None)?.ratings();
        Ok([ratings.agreement(), ratings.kappa()])
    }

    /// How many answers there are, and how many one of them has judged.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn progress(&self, run: &RunFolder, assessor: usize) -> Result<[usize; 2]> {
        let judged = self.sheet(run, assessor)?.values().map(BTreeMap::len).sum();
        Ok([judged, self.pool.iter().map(|question| question.answers.len()).sum()])
    }
}

/// The secret of somebody who judges: who may manage the run can show it again.
///
/// # Errors
/// Where nobody may manage.
pub fn secret(secrets: &RunSecrets, name: &str) -> Result<SecretToken> {
    let manage = secrets.manage.as_ref();
    let manage = manage.ok_or_else(|| Error::input("only who manages a run has its answers judged"))?;
    Ok(manage.weaker(&format!("judge {}", text::name(name))))
}

fn sheet_path(run: &RunFolder, assessor: usize) -> PathBuf {
    run.path().join(format!("assessed-{assessor}.json"))
}
