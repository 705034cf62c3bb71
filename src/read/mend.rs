//! Damaged copies: the queries of a file taken from another file that has the same questions.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::issue::{Issue, IssueCode};
use super::record::{Document, Query};

/// Gives each question the queries of the question with the same id in a sibling file, and says how many questions got
/// other ones; each of them is reported as an issue.
///
/// All queries are taken, also where the damaged ones can be read: with characters lost they mean something else. White
/// space makes no difference. A question that the sibling does not have, or has without a query, keeps what it has.
pub fn mend(document: &mut Document, sibling: &Document) -> usize {
    let siblings: BTreeMap<&str, &[Query]> = sibling
        .questions
        .iter()
        .map(|question| (question.key.as_str(), question.queries.as_slice()))
        .collect();
    let mut changed = 0;
    for question in &mut document.questions {
        let Some(queries) = siblings.get(question.key.as_str()).filter(|queries| !queries.is_empty()) else {
            continue;
        };
        if is_same(&question.queries, queries) {
            continue;
        }
        let message = format!(
            "the query of question `{}` is taken from the sibling file: this file has {}",
            question.key,
            if question.queries.is_empty() { "none" } else { "another text" }
        );
        question.queries = queries.to_vec();
        document.issues.push(Issue::new(IssueCode::QueryFromSibling, &question.place, message));
        changed += 1;
    }
    changed
}

/// The checksum that stands for a mended file: of the checksums of the file and of its sibling.
pub fn mended_digest(file: &str, sibling: &str) -> String {
    super::hex(&Sha256::digest(format!("mended\n{file}\n{sibling}\n")))
}

fn is_same(queries: &[Query], others: &[Query]) -> bool {
    let same = |(query, other): (&Query, &Query)| {
        query.kind == other.kind
            && query.text.split_ascii_whitespace().eq(other.text.split_ascii_whitespace())
    };
    queries.len() == others.len() && queries.iter().zip(others).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{QueryKind, Question};

    fn document(questions: &[(&str, &[&str])]) -> Document {
        let query = |text: &&str| Query { kind: QueryKind::Sparql, text: (*text).to_owned(), language: None };
        let question = |(id, queries): &(&str, &[&str])| Question {
            id: (*id).to_owned(),
            queries: queries.iter().map(query).collect(),
            ..Question::default()
        };
        let mut document =
            Document { questions: questions.iter().map(question).collect(), ..Document::default() };
        document.assign_keys();
        document
    }

    #[test]
    fn queries_come_from_the_question_with_the_same_id() {
        let mut damaged = document(&[
            ("2", &["ASK { ?x ?y b }"]),
            ("1", &["ASK  {}"]),
            ("3", &[]),
            ("4", &["ASK"]),
            ("5", &["ASK"]),
        ]);
        let sibling =
            document(&[("1", &["ASK\n{}"]), ("2", &["ASK { ?x ?y \"b\" }"]), ("3", &["ASK {}"]), ("4", &[])]);
        assert_eq!(mend(&mut damaged, &sibling), 2);
        let texts: Vec<Vec<&str>> = damaged
            .questions
            .iter()
            .map(|question| question.queries.iter().map(|query| query.text.as_str()).collect())
            .collect();
        assert_eq!(
            texts,
            [vec!["ASK { ?x ?y \"b\" }"], vec!["ASK  {}"], vec!["ASK {}"], vec!["ASK"], vec!["ASK"]]
        );
        let messages: Vec<&str> = damaged.issues.iter().map(|issue| issue.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "the query of question `2` is taken from the sibling file: this file has another text",
                "the query of question `3` is taken from the sibling file: this file has none"
            ]
        );
        assert_eq!(mend(&mut damaged, &sibling), 0, "once is enough");
    }

    #[test]
    fn repeated_ids_are_told_apart() {
        let mut damaged = document(&[("1", &["a"]), ("1", &["b"])]);
        assert_eq!(mend(&mut damaged, &document(&[("1", &["a"]), ("1", &["c"])])), 1);
        assert_eq!(damaged.questions[1].queries[0].text, "c");
    }
}
