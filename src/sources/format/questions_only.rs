//! Files of which a reader knows the questions and not the answers: a foreign file that looks like a known one.

use std::collections::BTreeMap;

use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::text::first;
use crate::sources::document::{AnswerState, Document};

/// How many names of fields a message lists.
const MOST_NAMED: usize = 5;

/// What names of fields that hold answers have in them.
const ANSWER_WORDS: [&str; 6] = ["answer", "result", "predict", "gold", "target", "response"];

/// That only questions were read, where no question has a place for answers and most have fields that the format does not
/// know. Where there are queries, which are answers in their way, the unknown fields must be called like answers.
pub(crate) fn issue(document: &Document, format: &str) -> Option<Issue> {
    let questions = &document.questions;
    if questions.iter().any(|question| question.answers.state != AnswerState::Absent) {
        return None;
    }
    let has_queries = questions.iter().any(|question| !question.queries.is_empty());
    let is_wanted = |name: &str| {
        let name = name.to_ascii_lowercase();
        !has_queries || ANSWER_WORDS.iter().any(|word| name.contains(word))
    };
    let mut unknown: BTreeMap<&str, usize> = BTreeMap::new();
    for name in questions.iter().flat_map(|question| &question.extras).map(|extra| extra.name.as_str()) {
        *unknown.entry(name).or_default() += 1;
    }
    let is_in_most = |(_, count): &(&str, usize)| *count * 2 > questions.len();
    let names = unknown.into_iter().filter(is_in_most).map(|(name, _)| name).filter(|name| is_wanted(name));
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let read = if has_queries { "questions and queries" } else { "questions" };
    let message = || {
        format!(
            "only {read} were read: `{format}` knows no field of this file as answers, and most questions have fields that it does not know ({})",
            first(names.iter().map(String::as_str), MOST_NAMED)
        )
    };
    let first = questions.first().filter(|_| !names.is_empty());
    first.map(|question| {
        Issue::new(IssueCode::QuestionsOnly, &Place { question: None, ..question.place.clone() }, message())
    })
}

#[cfg(test)]
mod tests {
    use crate::base::issue::IssueCode;
    use crate::sources::file::source::Source;
    use crate::sources::format::read;

    fn said(text: &str) -> Option<String> {
        let source = Source::from_bytes("a.json", text.as_bytes().to_vec()).expect("a source");
        let (document, _) = read(&source).expect("a document");
        let mut issues = document.issues.into_iter().filter(|issue| issue.code == IssueCode::QuestionsOnly);
        issues.next().map(|issue| issue.message)
    }

    #[test]
    fn foreign_files_are_told() {
        let replies =
            r#"[{"id": 1, "question": "Who?", "reply": ["x"]}, {"id": 2, "question": "?", "reply": []}]"#;
        insta::assert_snapshot!(said(replies).unwrap_or_default(), @"only questions were read: `question-list` knows no field of this file as answers, and most questions have fields that it does not know (`reply`)");
        let values =
            r#"[{"id": 1, "question": "Who?", "sparql": "ASK {}", "gold_values": ["x"], "note": 1}]"#;
        insta::assert_snapshot!(said(values).unwrap_or_default(), @"only questions and queries were read: `question-list` knows no field of this file as answers, and most questions have fields that it does not know (`gold_values`)");
    }

    #[test]
    fn files_without_answers_are_not() {
        assert_eq!(
            said(r#"[{"id": 1, "question": "Who?"}, {"id": 2, "question": "Where?", "note": 1}]"#),
            None
        );
        assert_eq!(said(r#"[{"id": 1, "question": "Who?", "sparql": "ASK {}", "note": 1}]"#), None);
        assert_eq!(said(r#"[{"id": 1, "question": "Who?", "answers": [], "note": 1}]"#), None);
    }
}
