//! Which answer of a submission belongs to which question of the dataset.

use std::collections::HashMap;

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::text::{counted, first};
use crate::profiles::IdentifierRule;
use crate::scoring::wrong_gold;
use crate::sources::document::{Document, Question};

/// The answers of a submission in the order of the dataset's questions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alignment {
    /// For each gold question, the position of its answer in the submission.
    pub answers: Vec<Option<usize>>,
    /// What does not fit, in the order of the files.
    pub issues: Vec<Issue>,
}

impl Alignment {
    /// One answer that is for all questions: a file of scores.
    pub fn of_one(questions: usize) -> Self {
        Self { answers: vec![Some(0); questions], issues: Vec::new() }
    }

    /// How many gold questions the submission has.
    pub fn processed(&self) -> usize {
        self.answers.iter().flatten().count()
    }
}

/// Aligns by id; among questions of one id, the first with the first and so on.
pub fn align(gold: &Document, submission: &Document, rule: IdentifierRule) -> Result<Alignment> {
    let mut by_id: HashMap<String, usize> = HashMap::with_capacity(submission.questions.len());
    for (key, position) in identifiers(&submission.questions, rule).into_iter().zip(0..) {
        by_id.insert(key, position);
    }
    let mut alignment = Alignment::default();
    let mut used = vec![false; submission.questions.len()];
    for (key, question) in identifiers(&gold.questions, rule).into_iter().zip(&gold.questions) {
        let answer = by_id.get(&key).copied();
        if let Some(position) = answer {
            used[position] = true;
        } else {
            let message = format!("the submission has no question `{}`", question.key);
            alignment.issues.push(Issue::new(IssueCode::QuestionNotSubmitted, &question.place, message));
        }
        alignment.answers.push(answer);
    }
    for (question, _) in submission.questions.iter().zip(used).filter(|(_, used)| !used) {
        let message = format!("the dataset has no question `{}`; its answers do not count", question.key);
        alignment.issues.push(Issue::new(IssueCode::QuestionNotInGold, &question.place, message));
    }
    // A submission without any question answers nothing; its reader says so.
    if alignment.processed() == 0 && !submission.questions.is_empty() {
        return Err(disjoint(gold, submission));
    }
    alignment.issues.extend(swapped(gold, submission));
    alignment.issues.extend(wrong_gold::issues(gold, submission, &alignment.answers));
    Ok(alignment)
}

/// Gold files describe questions (flags, keywords, several languages); submissions describe answers (times,
/// errors, confidences). Where each file has only what belongs to the other, they were probably swapped.
fn swapped(gold: &Document, submission: &Document) -> Option<Issue> {
    let describes_questions = |document: &Document| {
        document.questions.iter().any(|q| !q.flags.is_empty() || !q.keywords.is_empty() || q.texts.len() > 1)
    };
    let describes_answers = |document: &Document| {
        let rated = |q: &Question| q.answers.sets.iter().any(|set| set.confidence.is_some());
        document.questions.iter().any(|q| q.error.is_some() || q.response_time.is_some() || rated(q))
    };
    let gold_like = describes_questions(submission) && !describes_questions(gold);
    let answers_like = describes_answers(gold) && !describes_answers(submission);
    let evidence = match (gold_like, answers_like) {
        (true, true) => {
            "the submission has flags, keywords or several languages, the gold file times or confidences"
        }
        (true, false) => {
            "the submission has flags, keywords or several languages, and the gold file has none"
        }
        (false, true) => "the gold file has times, errors or confidences, and the submission has none",
        (false, false) => return None,
    };
    let message = format!("{evidence}; were the two files swapped?");
    Some(Issue::new(IssueCode::FilesSwapped, &Place::default(), message))
}

/// The ids as the rule compares them, made unique like the keys of questions.
fn identifiers(questions: &[Question], rule: IdentifierRule) -> Vec<String> {
    match rule {
        IdentifierRule::Text => questions.iter().map(|question| question.key.clone()).collect(),
        // Of several questions with one id the last takes the place of the others.
        IdentifierRule::TextLast => questions
            .iter()
            .map(|question| if question.id.is_empty() { question.key.clone() } else { question.id.clone() })
            .collect(),
        IdentifierRule::Integer => {
            let mut seen: HashMap<String, usize> = HashMap::new();
            let ids = questions.iter().map(|question| {
                let id = integer(&question.id).unwrap_or_else(|| question.id.clone());
                let count = seen.entry(id.clone()).or_insert(0);
                *count += 1;
                if *count == 1 { id } else { format!("{id}~{count}") }
            });
            ids.collect()
        }
    }
}

/// `007` and `+7` as `7`; nothing for what is no integer.
fn integer(id: &str) -> Option<String> {
    id.parse::<i128>().ok().map(|number| number.to_string())
}

fn disjoint(gold: &Document, submission: &Document) -> Error {
    let some = |document: &Document| {
        let ids = document.questions.iter().map(|question| format!("`{}`", question.key));
        format!("{} ({})", counted(document.questions.len(), "question"), first(ids, 3))
    };
    let (shared, example) = wrong_gold::shared_texts(gold, submission);
    let (texts, hint) = match example {
        None => (
            "no question id and no text".to_owned(),
            "is this the dataset that the answers were made for?".to_owned(),
        ),
        Some([known, given]) => (
            "no question id".to_owned(),
            format!(
                "{} the same text on both sides, under other ids (`{given}` is `{known}` of the dataset): give the answers the ids of the dataset",
                if shared == 1 { "1 question has".to_owned() } else { format!("{shared} questions have") }
            ),
        ),
    };
    let (gold, submission) = (some(gold), some(submission));
    Error::input(format!("{texts} occurs in both files: the dataset has {gold}, the submission {submission}"))
        .hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::Text;

    fn document(ids: &[&str]) -> Document {
        let questions =
            ids.iter().map(|id| Question { id: (*id).to_owned(), ..Question::default() }).collect();
        let mut document = Document { questions, ..Document::default() };
        document.assign_keys();
        document.issues.clear();
        document
    }

    #[test]
    fn ids_are_texts_or_integers() {
        let (gold, submission) = (document(&["1", "07", "a", "1"]), document(&["7", "1", "1", "b"]));
        let text = align(&gold, &submission, IdentifierRule::Text).unwrap();
        assert_eq!(text.answers, [Some(1), None, None, Some(2)]);
        let integer = align(&gold, &submission, IdentifierRule::Integer).unwrap();
        assert_eq!(integer.answers, [Some(1), Some(0), None, Some(2)]);
        let codes: Vec<&str> = integer.issues.iter().map(|issue| issue.code.name()).collect();
        assert_eq!(codes, ["question-not-submitted", "question-not-in-gold"]);
    }

    #[test]
    fn swapped_files_are_noticed() {
        let (mut gold, mut answers) = (document(&["1"]), document(&["1"]));
        gold.questions[0].flags.push(("hybrid".to_owned(), "false".to_owned()));
        answers.questions[0].response_time = Some("1".to_owned());
        let codes = |gold: &Document, answers: &Document| {
            let alignment = align(gold, answers, IdentifierRule::Text).unwrap();
            alignment.issues.iter().map(|issue| issue.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&gold, &answers), []);
        assert_eq!(codes(&answers, &gold), [IssueCode::FilesSwapped]);
        assert_eq!(codes(&gold, &gold), []);
    }

    #[test]
    fn files_without_a_common_id_are_refused() {
        let error = align(&document(&["1"]), &document(&["x"]), IdentifierRule::Text).unwrap_err();
        insta::assert_snapshot!(error, @r"
        no question id and no text occurs in both files: the dataset has 1 question (`1`), the submission 1 question (`x`).
        hint: is this the dataset that the answers were made for?
        ");
        let asking = |id: &str, text: &str| {
            let mut document = document(&[id]);
            document.questions[0].texts.push(Text { language: None, text: text.to_owned() });
            document
        };
        let error = align(&asking("1", "Who?"), &asking("x", "who ?"), IdentifierRule::Text).unwrap_err();
        insta::assert_snapshot!(error, @r"
        no question id occurs in both files: the dataset has 1 question (`1`), the submission 1 question (`x`).
        hint: 1 question has the same text on both sides, under other ids (`x` is `1` of the dataset): give the answers the ids of the dataset
        ");
        let nothing = align(&document(&["1"]), &document(&[]), IdentifierRule::Text).unwrap();
        assert_eq!((nothing.answers, nothing.issues.len()), (vec![None], 1));
    }
}
