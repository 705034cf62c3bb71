//! Damaged copies: the queries of a file taken from another file that has the same questions.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::base::issue::{Issue, IssueCode};
use crate::sources::document::{Document, Query, Question};

/// Gives each question the queries of the question with the same id in a sibling file, and says how many questions got
/// other ones; each of them is reported as an issue.
///
/// All queries are taken, also where the damaged ones can be read: with characters lost they mean something else. White
/// space makes no difference. A question that the sibling does not have, or has without a query, keeps what it has; so
/// does one that asks something else there: the two files are no siblings then, and an issue says so.
pub fn mend(document: &mut Document, sibling: &Document) -> Mended {
    let siblings: BTreeMap<&str, &Question> =
        sibling.questions.iter().map(|question| (question.key.as_str(), question)).collect();
    let mut mended = Mended::default();
    for question in &mut document.questions {
        let Some(other) = siblings.get(question.key.as_str()).filter(|other| !other.queries.is_empty())
        else {
            continue;
        };
        if is_same(&question.queries, &other.queries) {
            continue;
        }
        if !asks_the_same(question, other) {
            let message = format!(
                "the question `{}` asks something else in the sibling file; its query is not taken",
                question.key
            );
            document.issues.push(Issue::new(IssueCode::OtherQuestion, &question.place, message));
            mended.refused += 1;
            continue;
        }
        let message = format!(
            "the query of question `{}` is taken from the sibling file: this file has {}",
            question.key,
            if question.queries.is_empty() { "none" } else { "another text" }
        );
        question.queries.clone_from(&other.queries);
        document.issues.push(Issue::new(IssueCode::QueryFromSibling, &question.place, message));
        mended.changed += 1;
    }
    mended
}

/// What [`mend`] did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mended {
    /// How many questions got other queries.
    pub changed: usize,
    /// How many questions ask something else in the sibling, and keep what they have.
    pub refused: usize,
}

/// Whether one text of a question is a text of the other, white space apart. A question without texts says nothing.
fn asks_the_same(one: &Question, other: &Question) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let texts = |question: &Question| -> Vec<Vec<String>> {
        let texts = question.texts.iter().map(|text| words(&text.text));
        texts.filter(|words| !words.is_empty()).collect()
    };
    let (ours, theirs) = (texts(one), texts(other));
    ours.is_empty() || theirs.is_empty() || ours.iter().any(|text| theirs.contains(text))
}

/// The checksum that stands for a mended file: of the checksums of the file and of its sibling.
pub fn mended_digest(file: &str, sibling: &str) -> String {
    crate::base::checksum::hex(&Sha256::digest(format!("mended\n{file}\n{sibling}\n")))
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
    use crate::sources::document::{QueryKind, Text};

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
        assert_eq!(mend(&mut damaged, &sibling), Mended { changed: 2, refused: 0 });
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
        assert_eq!(mend(&mut damaged, &sibling), Mended::default(), "once is enough");
    }

    #[test]
    fn repeated_ids_are_told_apart() {
        let mut damaged = document(&[("1", &["a"]), ("1", &["b"])]);
        let mended = mend(&mut damaged, &document(&[("1", &["a"]), ("1", &["c"])]));
        assert_eq!(mended, Mended { changed: 1, refused: 0 });
        assert_eq!(damaged.questions[1].queries[0].text, "c");
    }

    #[test]
    fn other_questions_keep_their_queries() {
        let asking = |text: &str, query| {
            let mut one = document(&[("1", &[query])]);
            one.questions[0].texts.push(Text { language: None, text: text.to_owned() });
            one
        };
        let mut damaged = asking("Who  wrote Emma?", "damaged");
        let mended = mend(&mut damaged, &asking("How high is the Eiffel Tower?", "other"));
        assert_eq!(
            (mended, damaged.questions[0].queries[0].text.as_str()),
            (Mended { changed: 0, refused: 1 }, "damaged")
        );
        assert_eq!(damaged.issues[0].code, IssueCode::OtherQuestion);
        let mended = mend(&mut damaged, &asking("Who wrote\nEmma?", "good"));
        assert_eq!((mended.changed, damaged.questions[0].queries[0].text.as_str()), (1, "good"));
    }
}
