//! What GERBIL printed beside what the program prints.

use serde_json::Value;

/// What GERBIL calls the experiment types, and the program.
pub(crate) const EXPERIMENTS: [(&str, &str); 6] = [
    ("QA", "QA"),
    ("AIT2KB", "AIT2KB"),
    ("AType", "AT"),
    ("C2KB", "C2KB"),
    ("P2KB", "P2KB"),
    ("RE2KB", "RE2KB"),
];

/// What GERBIL calls the measures, and the program.
pub(crate) const MEASURES: [(&str, &str); 20] = [
    ("Micro Precision", "microPrecision"),
    ("Micro Recall", "microRecall"),
    ("Micro F1 score", "microF1"),
    ("Macro Precision", "macroPrecision"),
    ("Macro Recall", "macroRecall"),
    ("Macro F1 score", "macroF1"),
    ("Macro F1 QALD", "macroF1Qald"),
    ("confidence threshold", "confidenceThreshold"),
    ("InKB Micro Precision", "inKbMicroPrecision"),
    ("InKB Micro Recall", "inKbMicroRecall"),
    ("InKB Micro F1 score", "inKbMicroF1"),
    ("InKB Macro Precision", "inKbMacroPrecision"),
    ("InKB Macro Recall", "inKbMacroRecall"),
    ("InKB Macro F1 score", "inKbMacroF1"),
    ("EE Micro Precision", "eeMicroPrecision"),
    ("EE Micro Recall", "eeMicroRecall"),
    ("EE Micro F1 score", "eeMicroF1"),
    ("EE Macro Precision", "eeMacroPrecision"),
    ("EE Macro Recall", "eeMacroRecall"),
    ("EE Macro F1 score", "eeMacroF1"),
];

/// What differs between an experiment type as GERBIL printed it and as the program prints it: values, counts per
/// question, what one has and the other has not. Measures that GERBIL did not print must not be there, if they are
/// among `printable`.
pub(crate) fn differences(
    evaluation: &Value,
    experiment: &str,
    printed: &Value,
    printable: &[(&str, &str)],
    tolerance: f64,
) -> Vec<String> {
    let name = EXPERIMENTS.iter().find(|(theirs, _)| *theirs == experiment).expect("an experiment type").1;
    let ours = &evaluation["experiments"][name];
    let empty = serde_json::Map::new();
    let printed = printed.as_object().unwrap_or(&empty);
    if printed.is_empty() {
        return absent(evaluation, name, ours);
    }
    if ours.is_null() {
        return vec![format!("{experiment} is absent: {}", evaluation["skipped"][name])];
    }
    let mut found = Vec::new();
    for (measure, value) in printed {
        if measure == "counts" {
            found.extend(different_counts(experiment, ours, value));
            continue;
        }
        let concept = MEASURES.iter().find(|(theirs, _)| theirs == measure).expect("a known measure").1;
        let measures = ours["measures"].as_object().expect("measures");
        let is_same = match (measures.get(concept), value.as_f64()) {
            (Some(ours), Some(theirs)) => {
                ours.as_f64().is_some_and(|ours| (ours - theirs).abs() <= tolerance)
            }
            (Some(ours), None) => value == "NaN" && ours.is_null(),
            (None, _) => false,
        };
        if !is_same {
            found.push(format!("{experiment} {measure}: {:?}, GERBIL {value}", measures.get(concept)));
        }
    }
    for (measure, concept) in printable.iter().filter(|(measure, _)| !printed.contains_key(*measure)) {
        if !ours["measures"][concept].is_null() {
            found.push(format!("{experiment} {measure}: {}, GERBIL nothing", ours["measures"][concept]));
        }
    }
    found
}

/// What GERBIL has no results for is absent, and it is said why.
fn absent(evaluation: &Value, name: &str, ours: &Value) -> Vec<String> {
    let why = if name == "AIT2KB" { "skip-never-offered" } else { "skip-no-items" };
    let mut found = Vec::new();
    if !ours.is_null() {
        found.push(format!("{name} has results, in GERBIL none"));
    }
    if evaluation["skipped"][name]["code"] != why {
        found.push(format!("{name} is not skipped with {why}: {}", evaluation["skipped"][name]));
    }
    found
}

/// The counts of each question: `[tp, fp, fn]`, of one question alone not in a list.
fn different_counts(experiment: &str, ours: &Value, theirs: &Value) -> Vec<String> {
    let theirs = match theirs.as_array().expect("counts").first() {
        Some(Value::Number(_)) => std::slice::from_ref(theirs),
        _ => theirs.as_array().expect("counts"),
    };
    let questions = ours["questions"].as_array().expect("questions");
    if questions.len() != theirs.len() {
        return vec![format!("{experiment}: {} questions, GERBIL {}", questions.len(), theirs.len())];
    }
    let counts = |question: &Value| Value::from_iter(["tp", "fp", "fn"].map(|c| question[c].clone()));
    let different = questions.iter().zip(theirs).filter(|(ours, theirs)| counts(ours) != **theirs);
    different
        .map(|(ours, theirs)| format!("{experiment} {}: {}, GERBIL {theirs}", ours["id"], counts(ours)))
        .collect()
}
