//! Scores laid out over candidates: a file of scores has one number per line, and the line says whose it is.

use crate::base::error::{Error, Result};
use crate::sources::document::{AnswerState, Answers, Candidate, Document, Question};

/// What a system gave to the candidates of each question, in the order of the dataset: a question with the key of the
/// gold question, and its candidates in their order with the scores.
///
/// `scores` are the candidates of a file of scores, one a line. The candidates of `gold` must be those of its lines, in
/// their order.
///
/// # Errors
/// Where there are more or fewer scores than candidates.
pub fn lay_out(gold: &Document, scores: &[Candidate]) -> Result<Vec<Question>> {
    let count = gold.questions.iter().map(|question| question.candidates.len()).sum::<usize>();
    if scores.len() != count {
        let missing = if scores.len() < count {
            format!("candidate {} has no score", scores.len() + 1)
        } else {
            format!("line {} has no candidate", count + 1)
        };
        return Err(Error::input(format!(
            "the scores have {}, the dataset has {}: {missing}",
            counted(scores.len(), "line"),
            counted(count, "candidate")
        ))
        .allowed("as many scores as the dataset has candidates, one per line, in their order"));
    }
    let mut rest = scores;
    let mut all = Vec::with_capacity(gold.questions.len());
    for question in &gold.questions {
        let (own, others) = rest.split_at(question.candidates.len());
        rest = others;
        all.push(Question {
            id: question.id.clone(),
            key: question.key.clone(),
            place: question.place.clone(),
            answers: Answers { state: AnswerState::Given, sets: Vec::new() },
            candidates: own.to_vec(),
            ..Question::default()
        });
    }
    Ok(all)
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn gold(sizes: &[usize]) -> Document {
        let question = |(size, number): (&usize, usize)| Question {
            key: format!("~{number}"),
            candidates: vec![Candidate::default(); *size],
            ..Question::default()
        };
        Document { questions: sizes.iter().zip(1..).map(question).collect(), ..Document::default() }
    }

    fn scores(count: usize) -> Vec<Candidate> {
        (0..count).map(|n| Candidate { score: Some(n.to_string()), ..Candidate::default() }).collect()
    }

    fn laid(sizes: &[usize]) -> Vec<(String, Vec<String>)> {
        let count = sizes.iter().sum();
        let all = lay_out(&gold(sizes), &scores(count)).expect("as many");
        let of = |q: Question| (q.key, q.candidates.into_iter().filter_map(|c| c.score).collect());
        all.into_iter().map(of).collect()
    }

    #[test]
    fn lines_are_those_of_the_dataset() {
        let own = |scores: &[&str]| scores.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        assert_eq!(laid(&[2, 1]), [("~1".to_owned(), own(&["0", "1"])), ("~2".to_owned(), own(&["2"]))]);
    }

    #[test]
    fn more_or_fewer_lines_are_an_error() {
        for (count, told) in [
            (9, "the scores have 9 lines, the dataset has 10 candidates"),
            (1, "the scores have 1 line, the dataset has 10 candidates"),
            (11, "the scores have 11 lines, "),
        ] {
            let error = lay_out(&gold(&[7, 3]), &scores(count)).expect_err("an error").to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_score_is_lost_or_moved(sizes in prop::collection::vec(0usize..5, 0..8)) {
            let all = laid(&sizes);
            let lengths: Vec<usize> = all.iter().map(|(_, scores)| scores.len()).collect();
            prop_assert_eq!(lengths, sizes);
            let flat: Vec<String> = all.into_iter().flat_map(|(_, scores)| scores).collect();
            let expected: Vec<String> = (0..flat.len()).map(|n| n.to_string()).collect();
            prop_assert_eq!(flat, expected);
        }
    }
}
