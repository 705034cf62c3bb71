//! Values that mean something else than they seem to: of a submission that repeats the gold file, and of one that stands
//! under two names. They are shown with the reason, and take no rank and no mark.

use crate::base::issue::IssueCode;
use crate::record::results::Results;

/// Why the value of a system means something else than it seems to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caution {
    /// The word for scripts: that of an issue, `gold-file` or `same-bytes`.
    pub code: String,
    /// The same for people.
    pub reason: String,
}

impl Caution {
    /// What is to be said of a system in an experiment type, whose submission stands for others too.
    pub fn all(results: &Results, experiment: &str, others: &[&str]) -> Vec<Self> {
        let issues = results.issues.iter().filter(|(_, issue)| concerns(issue.code, experiment));
        let mut all: Vec<Self> = issues
            .map(|(_, issue)| Self { code: issue.code.name().to_owned(), reason: issue.message.clone() })
            .collect();
        if results.is_of_gold_file() {
            let reason = "it is the gold file itself".to_owned();
            all.push(Self { code: "gold-file".to_owned(), reason });
        }
        if !others.is_empty() {
            let reason = format!("the same file stands for {}", others.join(", "));
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
