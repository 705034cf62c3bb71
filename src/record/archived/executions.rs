//! The evaluations of an archive, as the provenance of their executions tells them.

use std::path::Path;

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::profiles::choices::{Choice, Choices};
use crate::references::ReferenceKind;

use crate::record::archived::ArchivedEvaluation;
use crate::record::archived::metadata::TextRows;
use crate::sources::archive::hashing::read_file;

/// The key of the evaluation that a record of an execution is about; empty where it names none. It is not parsed: an archive
/// has thousands.
///
/// # Errors
/// Where it cannot be read.
pub(crate) fn executed(record: &Path) -> Result<String> {
    let content = read_file(record).map_err(|error| Error::io("read the record", record, &error))?;
    Ok(executed_by(&content))
}

/// The same of its statements.
pub(crate) fn executed_by(record: &[u8]) -> String {
    let content = String::from_utf8_lossy(record);
    let key = content.split("/graph/scores/").nth(1).and_then(|rest| rest.get(..32));
    key.unwrap_or_default().to_owned()
}

/// The checksum that names a file, as in `…/file/sha256/abcd…`.
fn checksum(evaluation: &str, file: &str) -> Result<String> {
    let sha256 = file.rsplit('/').next().unwrap_or_default();
    is_checksum(sha256).then(|| sha256.to_owned()).ok_or_else(|| {
        Error::check(format!(
            "the provenance of <{evaluation}> names the input <{file}>, which is no sha256 checksum"
        ))
    })
}

/// `links=…/file/sha256/abcd…`.
fn kind_and_checksum(evaluation: &str, reference: &str) -> Result<(ReferenceKind, String)> {
    let (kind, file) = reference.split_once('=').unwrap_or_default();
    let kind = ReferenceKind::find(kind).ok_or_else(|| {
        Error::check(format!(
            "the provenance of <{evaluation}> names a reference of an unknown kind `{kind}`"
        ))
    })?;
    Ok((kind, checksum(evaluation, file)?))
}

/// The evaluations of an archive, from what `report/executions` finds in the provenance of their executions; what cannot be
/// read goes to `damage`.
pub(crate) fn evaluations(found: &TextRows, damage: &mut Vec<Error>) -> Vec<ArchivedEvaluation> {
    let mut evaluations: Vec<ArchivedEvaluation> = Vec::new();
    for cells in &found.rows {
        let row = ExecutionRow { columns: &found.columns, cells };
        match evaluations.last_mut() {
            Some(last) if row.cell("evaluation") == last.iri => {
                last.digests.push((row.cell("execution").to_owned(), row.cell("scoresDigest").to_owned()));
            }
            _ => match row.evaluation() {
                Ok(evaluation) => evaluations.push(evaluation),
                Err(error) => damage.push(error),
            },
        }
    }
    // A damaged execution may be told twice, of rows that differ in what is damaged.
    for evaluation in &mut evaluations {
        evaluation.digests.dedup();
    }
    evaluations
}

/// The columns of `report/executions` that an archived evaluation is made of, beside those of choices.
const COLUMNS: [&str; 9] = [
    "evaluation",
    "execution",
    "profile",
    "systemName",
    "gold",
    "answers",
    "references",
    "goldAnswers",
    "executedAnswers",
];

/// A row of `report/executions`.
struct ExecutionRow<'a> {
    columns: &'a [String],
    cells: &'a [String],
}

impl ExecutionRow<'_> {
    fn cell(&self, name: &str) -> &str {
        let at = self.columns.iter().position(|column| column == name);
        at.and_then(|at| self.cells.get(at)).map_or("", String::as_str)
    }

    /// The values of a choice.
    fn values(&self, choice: &Choice) -> Vec<&str> {
        self.cell(choice.column).split_whitespace().collect()
    }

    /// The evaluation that it names.
    fn evaluation(&self) -> Result<ArchivedEvaluation> {
        let [iri, execution, profile, system, gold, answers, references, gold_answers, executed_answers] =
            COLUMNS.map(|name| self.cell(name));
        let sha256 = |file: &str| checksum(iri, file);
        let if_any = |file: &str| Some(file).filter(|file| !file.is_empty()).map(sha256).transpose();
        let references = references.split_whitespace().map(|reference| kind_and_checksum(iri, reference));
        Ok(ArchivedEvaluation {
            iri: iri.to_owned(),
            profile: profile.to_owned(),
            system: system.to_owned(),
            others: Vec::new(),
            gold: sha256(gold)?,
            answers: sha256(answers)?,
            references: references.collect::<Result<_>>()?,
            gold_answers: if_any(gold_answers)?,
            executed_answers: if_any(executed_answers)?,
            choices: Choices::read(|choice| self.values(choice)),
            digests: vec![(execution.to_owned(), self.cell("scoresDigest").to_owned())],
        })
    }
}
