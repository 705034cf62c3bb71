//! Counts of answers, recall and precision over them: the columns of table 2 of the pilot task at CLEF 2004.

use crate::measures::confidence::is_probable;
use crate::measures::fraction::Fraction;
use crate::measures::judged::Judged;

/// The count or share with this name.
pub(crate) fn count(name: &str, questions: &[&Judged]) -> Option<Fraction> {
    let sum = |of: fn(&Judged) -> u64| questions.iter().map(|question| of(question)).sum();
    let (known, correct) = (|| sum(Judged::known), || sum(Judged::correct));
    let given = || sum(|question| question.answers.len() as u64);
    match name {
        "distinctGoldCount" => Some(Fraction::whole(known())),
        "givenAnswerCount" => Some(Fraction::whole(given())),
        "correctAnswerCount" => Some(Fraction::whole(correct())),
        "questionsWithCorrectCount" => {
            Some(Fraction::whole(sum(|question| u64::from(question.correct() > 0))))
        }
        "answeredWithConfidenceCount" => Some(Fraction::whole(sum(|question| u64::from(is_sure(question))))),
        "answerRecall" => Fraction::ratio(correct(), known()),
        "answerPrecision" => Fraction::ratio(correct(), given()),
        _ => None,
    }
}

/// Whether a question has answers and each of them a confidence from 0 to 1.
fn is_sure(question: &Judged) -> bool {
    let answers = &question.answers;
    !answers.is_empty() && answers.iter().all(|answer| answer.score.as_ref().is_some_and(is_probable))
}

#[cfg(test)]
mod tests {
    use crate::measures::confidence::samples::{answer, decimal, question};
    use crate::measures::judged::Verdict::{Correct, Incorrect, Repeated};

    #[test]
    fn counts_by_hand() {
        let mut questions = [
            question(4, &[answer(Correct, "0.9"), answer(Repeated, "0.9"), answer(Correct, "0.2")]),
            question(1, &[answer(Incorrect, "0.9"), answer(Incorrect, "1.1")]),
            question(1, &[]),
        ];
        for (name, expected) in [
            ("distinctGoldCount", "6"),
            ("givenAnswerCount", "5"),
            ("correctAnswerCount", "2"),
            ("questionsWithCorrectCount", "1"),
            ("answeredWithConfidenceCount", "1"),
            ("answerRecall", "0.333333333333"),
            ("answerPrecision", "0.4"),
        ] {
            assert_eq!(decimal(name, &questions).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(decimal("answerPrecision", &questions[2..]), None);
        assert_eq!(decimal("answerRecall", &[question(0, &[answer(Incorrect, "1")])]), None);
        questions[0].judged = None;
        assert_eq!(decimal("givenAnswerCount", &questions), None);
    }
}
