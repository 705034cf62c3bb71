//! Values that mean something else than they seem to: of a submission that repeats the gold file, and of one that stands
//! under two names. They are shown with the reason, and take no rank and no mark.

use crate::base::issue::IssueCode;
use crate::record::results::Results;

/// Why the value of a system means something else than it seems to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caution {
    /// The word for scripts: that of an issue, or `same-bytes`.
    pub code: String,
    /// The same for people.
    pub reason: String,
}

impl Caution {
    /// What is to be said of a system in an experiment type, beside the others of a table.
    pub fn all(results: &Results, experiment: &str, others: &[&Results]) -> Vec<Self> {
        let issues = results.issues.iter().filter(|(_, issue)| concerns(issue.code, experiment));
        let mut all: Vec<Self> = issues
            .map(|(_, issue)| Self { code: issue.code.name().to_owned(), reason: issue.message.clone() })
            .collect();
        let is_same = |other: &&&Results| {
            other.submission.sha256 == results.submission.sha256
                && other.submission.name != results.submission.name
        };
        let same: Vec<&str> =
            others.iter().filter(is_same).map(|other| other.submission.name.as_str()).collect();
        if !same.is_empty() {
            let reason = format!("it is the same file as that of {}", same.join(", "));
            all.push(Self { code: "same-bytes".to_owned(), reason });
        }
        all.dedup();
        all
    }
}

/// Whether an issue says what the values of an experiment type come from: from what the submission repeats of the gold file,
/// or from answers that were cut or say two things.
pub fn concerns(code: IssueCode, experiment: &str) -> bool {
    match code {
        IssueCode::RepeatsGoldQueries => ["C2KB", "P2KB", "RE2KB", "AIT2KB"].contains(&experiment),
        IssueCode::RepeatsGoldTypes => experiment == "AT",
        IssueCode::RepeatsGoldAnswers | IssueCode::AnswersCut | IssueCode::AnswersOfTwoKinds => {
            experiment == "QA"
        }
        _ => false,
    }
}
