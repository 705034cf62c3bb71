//! Counts of answers, recall and precision over them: the columns of table 2 of the pilot task at CLEF 2004.

use crate::measures::confidence::{is_probable, of_questions};
use crate::measures::definition::{Measure, Sample};
use crate::measures::fraction::Fraction;
use crate::measures::judged::Judged;
use crate::measures::result::Value;

/// The counts, recall and precision.
pub(crate) const MEASURES: &[Measure] = &[
    Measure::share("accuracy", |s, _| {
        of_questions(s, |judged| Fraction::ratio(sum(judged, has_correct), judged.len() as u64))
    }),
    Measure::count("distinctGoldCount", |s, _| count(s, Judged::known)),
    Measure::count("givenAnswerCount", |s, _| count(s, given)),
    Measure::count("questionsWithCorrectCount", |s, _| count(s, has_correct)),
    Measure::count("correctAnswerCount", |s, _| count(s, Judged::correct)),
    Measure::count("answeredWithConfidenceCount", |s, _| count(s, |question| u64::from(is_sure(question)))),
    Measure::share("answerRecall", |s, _| ratio(s, Judged::known)),
    Measure::share("answerPrecision", |s, _| ratio(s, given)),
];

fn count(sample: &Sample<'_>, of: fn(&Judged) -> u64) -> Option<Value> {
    of_questions(sample, |judged| Some(Fraction::whole(sum(judged, of))))
}

/// The share of the correct answers in other ones.
fn ratio(sample: &Sample<'_>, whole: fn(&Judged) -> u64) -> Option<Value> {
    of_questions(sample, |judged| Fraction::ratio(sum(judged, Judged::correct), sum(judged, whole)))
}

fn sum(questions: &[&Judged], of: fn(&Judged) -> u64) -> u64 {
    questions.iter().map(|question| of(question)).sum()
}

fn given(question: &Judged) -> u64 {
    question.answers().len() as u64
}

fn has_correct(question: &Judged) -> u64 {
    u64::from(question.correct() > 0)
}

/// Whether a question has answers and each of them a confidence from 0 to 1.
fn is_sure(question: &Judged) -> bool {
    let answers = question.answers();
    !answers.is_empty() && answers.iter().all(|answer| answer.score.as_ref().is_some_and(is_probable))
}

#[cfg(test)]
mod tests {
    use crate::measures::confidence::properties::{answer, decimal, question};
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
