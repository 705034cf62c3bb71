//! The confidence measures beside their second implementation, `tests/second/confidence.py`, whose numbers are stored.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

#[path = "common/judged.rs"]
mod judged;

use judged::{answer, question, value};
use qassay::measure::{QuestionResult, Verdict};
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
    let cases: Vec<Value> = serde_json::from_str(include_str!("second/confidence.json")).unwrap();
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
