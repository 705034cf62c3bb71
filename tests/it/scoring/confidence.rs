//! The confidence measures beside their second implementation, `tests/second/confidence.py`, whose numbers are stored,
//! and beside their definitions.

use crate::common::judged::{answer, question, value};
use qassay::base::vocab::code;
use qassay::base::vocab::qassay::NAMESPACE;
use qassay::measures::fraction::Fraction;
use qassay::measures::judged::Verdict;
use qassay::measures::result::QuestionResult;
use qassay::profiles::ontology::TERMS;
use serde_json::Value;

fn run(case: &Value) -> Vec<QuestionResult> {
    let given = |given: &Value| {
        let verdict = match given[0].as_str().unwrap() {
            "correct" => Verdict::Correct,
            "repeated" => Verdict::Repeated,
            _ => Verdict::Incorrect,
        };
        answer(verdict, given[1].as_str().unwrap())
    };
    let of = |it: &Value| {
        let known = it["known"].as_u64().unwrap().try_into().unwrap();
        question(known, it["answers"].as_array().unwrap().iter().map(given).collect())
    };
    case["questions"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn agrees_with_numpy_scipy_and_scikit_learn() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../../second/confidence.json")).unwrap();
    let (mut compared, mut undefined) = (0, 0);
    for (number, case) in cases.iter().enumerate() {
        let run = run(case);
        for (name, expected) in case["expected"].as_object().unwrap() {
            let found = value(name, &run).map(|value| value.to_decimal().parse::<f64>().unwrap());
            match (found, expected.as_f64()) {
                (Some(found), Some(expected)) if (found - expected).abs() < 1e-9 => compared += 1,
                (None, None) => undefined += 1,
                _ => panic!("case {number}, {name}: {found:?}, expected {expected}"),
            }
        }
    }
    assert!(compared > 400 && undefined > 50, "{compared} {undefined}");
}

/// Every measure that is compared above and every count has a concept; a family has one for all its members. A value
/// is in the range that the concept says.
#[test]
fn every_measure_is_defined() {
    let facts = TERMS.facts();
    let cases: Vec<Value> = serde_json::from_str(include_str!("../../second/confidence.json")).unwrap();
    let run = run(&cases[1]);
    let counts = [
        "distinctGoldCount",
        "givenAnswerCount",
        "correctAnswerCount",
        "questionsWithCorrectCount",
        "answeredWithConfidenceCount",
        "answerRecall",
        "answerPrecision",
    ];
    let compared = cases[0]["expected"].as_object().unwrap().keys().map(String::as_str);
    for name in compared.chain(counts) {
        let family = name.trim_end_matches(|c: char| c.is_ascii_digit() && name.starts_with("coverage"));
        let text = |property: &str| facts.text(&code::iri(family), &format!("{NAMESPACE}{property}"));
        for property in ["formula", "emptyCases", "averaging", "order"] {
            assert!(text(property).is_some(), "{family} has no {property}");
        }
        assert_eq!(text("cutoffOf").is_some(), family != name, "{family}");
        let value = value(name, &run).unwrap();
        let minus_one = Fraction::parse("-1").unwrap();
        let (least, most) = match text("range") {
            Some("[-1, 1]") => (minus_one, Some(Fraction::one())),
            Some("[0, 1]") => (Fraction::zero(), Some(Fraction::one())),
            Some("≥ 0") => (Fraction::zero(), None),
            other => panic!("{name}: {other:?}"),
        };
        assert!(least <= value && most.is_none_or(|most| value <= most), "{name} is {value}");
    }
}
