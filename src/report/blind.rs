//! What is said about a blind submission when it is accepted: its format and its ids, and nothing about what is right.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::base::issue::{Issue, IssueCode, Severity};
use crate::record::publish::blind::Blind;
use crate::report::json::IssueView;
use crate::report::table::{Column, Table};
use crate::scoring::cases::Cases;
use crate::sources::document::{AnswerState, Question};

/// A blind submission with what its ids meet.
#[derive(Debug)]
pub struct Accepted<'a> {
    /// The submission.
    pub blind: Blind<'a>,
    /// Which answer belongs to which question.
    pub cases: &'a Cases,
    /// Whether it was not there before.
    pub is_new: bool,
}

impl Accepted<'_> {
    fn missing(&self) -> Vec<&str> {
        let questions = self.blind.dataset.document.questions.iter().zip(&self.cases.alignment.answers);
        questions.filter(|(_, answer)| answer.is_none()).map(|(question, _)| question.key.as_str()).collect()
    }

    fn unknown(&self) -> Vec<&str> {
        let questions = self.blind.submission.document.questions.iter().enumerate();
        let used: BTreeSet<usize> = self.cases.alignment.answers.iter().copied().flatten().collect();
        questions.filter(|(at, _)| !used.contains(at)).map(|(_, question)| question.key.as_str()).collect()
    }

    fn count(&self, is_so: fn(&Question) -> bool) -> usize {
        self.cases.submitted().iter().filter(|question| is_so(question)).count()
    }

    /// What its reader noticed, and what does not fit; nothing of the gold file.
    fn issues(&self) -> impl Iterator<Item = &Issue> {
        let between =
            self.cases.alignment.issues.iter().filter(|issue| issue.code != IssueCode::QuestionNotSubmitted);
        self.blind.submission.document.issues.iter().chain(between)
    }

    fn count_issues(&self, severity: Severity) -> usize {
        self.issues().filter(|issue| issue.severity() == severity).count()
    }
}

fn with_answers(question: &Question) -> bool {
    question.answers.state == AnswerState::Given
}

fn with_query(question: &Question) -> bool {
    !question.queries.is_empty()
}

/// One row a submission.
pub fn accepted(all: &[Accepted<'_>]) -> Table {
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
        let blind = &one.blind;
        table.title = format!("{}, blind submissions", blind.dataset.name);
        let numbers = [
            one.cases.alignment.answers.len(),
            one.cases.alignment.processed(),
            one.missing().len(),
            one.unknown().len(),
            one.count(with_answers),
            one.count(with_query),
            one.count_issues(Severity::Error),
            one.count_issues(Severity::Warning),
        ];
        let mut row =
            vec![blind.submission.name.clone(), blind.profile.name.clone(), blind.number.to_string()];
        row.extend(numbers.map(|number| number.to_string()));
        table.rows.push(row);
        table.notes.extend(notes(one));
    }
    table
}

fn notes(one: &Accepted<'_>) -> Vec<String> {
    let who = format!("{} (no. {})", one.blind.submission.name, one.blind.number);
    let mut notes = Vec::new();
    if !one.is_new {
        notes.push(format!("{who}: accepted before; nothing changes"));
    }
    for (what, ids) in [("not in the submission", one.missing()), ("not in the dataset", one.unknown())] {
        if !ids.is_empty() {
            notes.push(format!("{who}: {what}: {}", ids.join(", ")));
        }
    }
    notes
}

/// What is odd about the submissions, issue by issue.
pub fn accepted_issues(all: &[Accepted<'_>]) -> Table {
    let mut table = Table { title: "Issues".to_owned(), ..Table::default() };
    table.columns =
        ["severity", "issue", "file", "place", "message"].map(|name| Column::text(name, name)).to_vec();
    for one in all {
        let file = one.blind.submission.source.file_name();
        let row = |issue: &Issue| {
            let place = issue.place.to_string();
            [issue.severity().name(), issue.code.name(), file, &place, &issue.message]
                .map(str::to_owned)
                .to_vec()
        };
        table.rows.extend(one.issues().map(row));
    }
    table
}

/// All of it for scripts.
pub fn accepted_json(all: &[Accepted<'_>]) -> Value {
    let one = |one: &Accepted<'_>| {
        let blind = &one.blind;
        let sha256 = blind.submission.source.sha256();
        json!({
            "system": blind.submission.name,
            "profile": blind.profile.name,
            "datasetVersion": blind.dataset.iri,
            "submission": blind.submission.iri,
            "number": blind.number,
            "new": one.is_new,
            "questions": one.cases.alignment.answers.len(),
            "processed": one.cases.alignment.processed(),
            "missing": one.missing(),
            "unknown": one.unknown(),
            "withAnswers": one.count(with_answers),
            "withQuery": one.count(with_query),
            "issues": one.issues().map(|found| IssueView::of(sha256, found)).collect::<Vec<_>>(),
        })
    };
    json!({ "blind": all.iter().map(one).collect::<Vec<_>>() })
}
