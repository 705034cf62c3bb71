//! What is said about a blind submission when it is accepted: its format and its ids, and nothing about what is right.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use crate::base::issue::{Issue, IssueCode, Severity};
use crate::record::publish::blind::Blind;
use crate::report::json::IssueView;
use crate::report::table::{Column, Table};
use crate::scoring::cases::Cases;
use crate::sources::document::{AnswerState, Question};

/// A blind submission with what its ids meet.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// The name of the system.
    system: String,
    /// The name of the profile.
    profile: String,
    /// The name of the dataset.
    #[serde(skip)]
    dataset: String,
    /// The IRI of its version.
    dataset_version: String,
    /// The IRI of the submission.
    submission: String,
    /// The name of its file.
    #[serde(skip)]
    file: String,
    /// Its acceptance number.
    number: u64,
    /// When it was accepted, in UTC; none where it was there before.
    time: Option<String>,
    /// Whether it was not there before.
    #[serde(rename = "new")]
    is_new: bool,
    /// How many questions the dataset has.
    questions: usize,
    /// How many of them it answers.
    processed: usize,
    /// The questions that it does not answer.
    missing: Vec<String>,
    /// Its answers to questions that the dataset does not have.
    unknown: Vec<String>,
    with_answers: usize,
    with_query: usize,
    /// What its reader noticed, and what does not fit; nothing of the gold file.
    issues: Vec<FiledIssue>,
}

/// An issue with the checksum of its file.
#[derive(Debug)]
struct FiledIssue(String, Issue);

impl Serialize for FiledIssue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        IssueView::of(&self.0, &self.1).serialize(serializer)
    }
}

impl Accepted {
    /// What is said of a submission that is accepted: when, or again.
    pub fn of(blind: &Blind<'_>, cases: &Cases, time: Option<String>) -> Self {
        let answers = &cases.alignment.answers;
        let (gold, submission) = (&blind.dataset.document, &blind.submission.document);
        let missing = gold.questions.iter().zip(answers).filter(|(_, answer)| answer.is_none());
        let used: BTreeSet<usize> = answers.iter().copied().flatten().collect();
        let unknown = submission.questions.iter().enumerate().filter(|(at, _)| !used.contains(at));
        let key = |question: &Question| question.key.clone();
        let count = |is_so: fn(&&Question) -> bool| cases.submitted().iter().filter(is_so).count();
        let between =
            cases.alignment.issues.iter().filter(|issue| issue.code != IssueCode::QuestionNotSubmitted);
        let source = &blind.submission.source;
        let filed = |issue: &Issue| FiledIssue(source.sha256().to_owned(), issue.clone());
        Self {
            system: blind.submission.name.clone(),
            profile: blind.profile.name.clone(),
            dataset: blind.dataset.name.clone(),
            dataset_version: blind.dataset.iri.clone(),
            submission: blind.submission.iri.clone(),
            file: source.file_name().to_owned(),
            number: blind.number,
            is_new: time.is_some(),
            time,
            questions: answers.len(),
            processed: cases.alignment.processed(),
            missing: missing.map(|(question, _)| key(question)).collect(),
            unknown: unknown.map(|(_, question)| key(question)).collect(),
            with_answers: count(|question| question.answers.state == AnswerState::Given),
            with_query: count(|question| !question.queries.is_empty()),
            issues: submission.issues.iter().chain(between).map(filed).collect(),
        }
    }

    fn count_issues(&self, severity: Severity) -> usize {
        self.issues.iter().filter(|FiledIssue(_, issue)| issue.severity() == severity).count()
    }
}

/// One row a submission.
pub fn accepted(all: &[Accepted]) -> Table {
    let keys = ["system", "profile"].map(|name| Column::text(name, name)).to_vec();
    let mut table = Table { columns: keys, ..Table::default() };
    for (heading, name) in [
        ("no.", "number"),
        ("questions", "questions"),
        ("processed", "processed"),
        ("missing", "missing"),
        ("unknown", "unknown"),
        ("with answers", "with_answers"),
        ("with query", "with_query"),
        ("errors", "errors"),
        ("warnings", "warnings"),
    ] {
        table.columns.push(Column::number(heading, name));
    }
    for one in all {
        table.title = format!("{}, blind submissions", one.dataset);
        let numbers = [
            one.questions,
            one.processed,
            one.missing.len(),
            one.unknown.len(),
            one.with_answers,
            one.with_query,
            one.count_issues(Severity::Error),
            one.count_issues(Severity::Warning),
        ];
        let mut row = vec![one.system.clone(), one.profile.clone(), one.number.to_string()];
        row.extend(numbers.map(|number| number.to_string()));
        table.rows.push(row);
        table.notes.extend(notes(one));
    }
    table
}

fn notes(one: &Accepted) -> Vec<String> {
    let who = format!("{} (no. {})", one.system, one.number);
    let mut notes = Vec::new();
    if !one.is_new {
        notes.push(format!("{who}: accepted before; nothing changes"));
    }
    for (what, ids) in [("not in the submission", &one.missing), ("not in the dataset", &one.unknown)] {
        if !ids.is_empty() {
            notes.push(format!("{who}: {what}: {}", ids.join(", ")));
        }
    }
    notes
}

/// What is odd about the submissions, issue by issue.
pub fn accepted_issues(all: &[Accepted]) -> Table {
    let mut table = Table { title: "Issues".to_owned(), ..Table::default() };
    table.columns =
        ["severity", "issue", "file", "place", "message"].map(|name| Column::text(name, name)).to_vec();
    for one in all {
        let file = one.file.as_str();
        let row = |FiledIssue(_, issue): &FiledIssue| {
            let place = issue.place.to_string();
            [issue.severity().name(), issue.code.name(), file, &place, &issue.message]
                .map(str::to_owned)
                .to_vec()
        };
        table.rows.extend(one.issues.iter().map(row));
    }
    table
}

/// All of it for scripts.
pub fn accepted_json(all: &[Accepted]) -> impl Serialize {
    BTreeMap::from([("blind", all)])
}
