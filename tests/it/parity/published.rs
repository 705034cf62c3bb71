//! The numbers that other tools published for real systems on real datasets (P3, P4 and P8 of `ontology/README.md`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{KGQAN, QALD_8_TRAIN, QALD_9_TEST_KGQAN, evaluation, mirror, qald_8_answers, shared};
use serde_json::Value;

/// Published values are fractions rounded to 12 digits; the tools computed with 64 bits.
const EXACT: f64 = 1e-9;
/// The tool of NLIWOD computed with 32 bits.
const SINGLE: f64 = 1e-6;

const WIKI_WEB: &str = "stanford-oval/wikidata-emnlp23/acbc1eb4698092e6a8bcc7ad9677246309bee6ca";

/// Compares numbers and keeps what differs, so that a failure shows all of it.
struct Comparison {
    tolerance: f64,
    compared: usize,
    different: Vec<String>,
}

impl Comparison {
    fn new(tolerance: f64) -> Self {
        Self { tolerance, compared: 0, different: Vec::new() }
    }

    fn add(&mut self, what: impl std::fmt::Display, ours: &Value, theirs: f64) {
        self.compared += 1;
        // `>` is false for what is no number
        if !ours.as_f64().is_some_and(|ours| (ours - theirs).abs() <= self.tolerance) {
            self.different.push(format!("{what}: {ours}, published {theirs}"));
        }
    }

    #[track_caller]
    fn finish(self, compared: usize) {
        let shown = self.different.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.different.is_empty(), "{} values differ:\n{shown}", self.different.len());
        assert_eq!(self.compared, compared, "values are left out");
    }
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file of ../shared")).expect("JSON")
}

fn objects(list: &Value) -> &[Value] {
    list.as_array().expect("a list")
}

/// The questions of an evaluation by their id as a number.
fn by_number(qa: &Value) -> BTreeMap<u64, &Value> {
    let questions = objects(&qa["questions"]);
    let id = |question: &Value| question["id"].as_str().and_then(|id| id.parse().ok()).expect("a number");
    let found: BTreeMap<u64, &Value> = questions.iter().map(|question| (id(question), question)).collect();
    assert_eq!(found.len(), questions.len(), "ids are unique");
    found
}

/// How many numbers a JSON value holds.
fn numbers(value: &Value) -> usize {
    match value {
        Value::Number(_) => 1,
        Value::Array(items) => items.iter().map(numbers).sum(),
        Value::Object(entries) => entries.values().map(numbers).sum(),
        _ => 0,
    }
}

/// P3: the profile `qald` gives what the tool of QALD-6 printed, every number of it.
///
/// `sums` are C, U and G of the tool: correct, given and gold rows over all questions.
fn p3(gold: &str, answers: &str, fixture: &str, sums: [u64; 3]) {
    let shared = shared();
    let mirror = shared.join("data/mirror");
    let theirs = read_json(&shared.join("specs/qald6-fixtures").join(fixture));
    let ours = evaluation(&mirror.join(gold), &mirror.join(answers), "qald");
    assert_eq!(ours["profile"], "qald");
    let qa = &ours["experiments"]["QA"];
    let questions = by_number(qa);
    let mut comparison = Comparison::new(EXACT);
    for (name, group) in [("all", "measures"), ("processed", "measuresProcessed")] {
        for mean in ["micro", "macro"] {
            for (measure, value) in theirs[name][mean].as_object().expect("measures") {
                let concept = match measure.as_str() {
                    "precision" => format!("{mean}Precision"),
                    "recall" => format!("{mean}Recall"),
                    "f1" => format!("{mean}F1"),
                    other => panic!("the fixture has the measure {other}"),
                };
                let value = value.as_f64().expect("a number");
                comparison.add(format!("{name} {concept}"), &qa[group][&concept], value);
            }
        }
    }
    let breakdown = objects(&theirs["breakdown"]);
    assert_eq!(questions.len(), breakdown.len(), "as many questions");
    for question in breakdown {
        let id = question["id"].as_u64().expect("a number");
        for measure in ["precision", "recall", "f1"] {
            let found = &questions.get(&id).expect("the same questions")[measure];
            comparison.add(
                format!("question {id} {measure}"),
                found,
                question[measure].as_f64().expect("a number"),
            );
        }
    }
    // all numbers of the fixture but the ids
    comparison.finish(numbers(&theirs) - breakdown.len());
    let [correct, given, in_gold] = sums;
    let counts = ["truePositiveCount", "falsePositiveCount", "falseNegativeCount"];
    let expected = [correct, given - correct, in_gold - correct];
    assert_eq!(counts.map(|count| qa["measures"][count].as_u64()), expected.map(Some));
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p3_asknow() {
    p3(QALD_8_TRAIN, &qald_8_answers("AskNow", "json"), "qald8train-AskNow.json", [34, 1652, 3018]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p3_ganswer2() {
    p3(QALD_8_TRAIN, &qald_8_answers("GANSWER2", "json"), "qald8train-GANSWER2.json", [318, 2519, 3018]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p3_qakis() {
    p3(QALD_8_TRAIN, &qald_8_answers("QAKIS", "json"), "qald8train-QAKIS.json", [91, 783, 3018]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p3_tebaqa() {
    p3(QALD_8_TRAIN, &qald_8_answers("TeBaQA", "json"), "qald8train-TeBaQA.json", [72, 434, 3018]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p3_kgqan() {
    let fixture = "qald9test-KGQAn_result_20200401-205438.json";
    p3(QALD_9_TEST_KGQAN, KGQAN, fixture, [221, 37038, 4593]);
}

/// The id and the scores of every question of the page: one table row a line.
fn table_rows(html: &str) -> BTreeMap<u64, [f64; 3]> {
    let row = |line: &str| {
        let mut cells = line.split("<td>").skip(1).filter_map(|cell| cell.split("</td>").next());
        let id = cells.next()?.parse().ok()?;
        let scores: Vec<f64> = cells.filter_map(|cell| cell.parse().ok()).collect();
        Some((id, scores.try_into().ok()?))
    };
    html.lines().filter_map(row).collect()
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p3_kgqan_published_page() {
    let mirror = mirror();
    let html = fs::read_to_string(mirror.join(format!("{KGQAN}.html"))).expect("the page");
    let ours = evaluation(&mirror.join(QALD_9_TEST_KGQAN), &mirror.join(KGQAN), "qald");
    let qa = &ours["experiments"]["QA"];
    let questions = by_number(qa);
    let rows = table_rows(&html);
    assert!(rows.keys().eq(questions.keys()), "the same questions");
    let mut comparison = Comparison::new(EXACT);
    for (id, scores) in rows {
        for (measure, score) in ["recall", "precision", "f1"].into_iter().zip(scores) {
            comparison.add(format!("question {id} {measure}"), &questions[&id][measure], score);
        }
    }
    // four tables of recall, precision and F1: micro and macro, over all and over processed questions
    let value = |line: &str| {
        let cell = line.split("</b></td>").nth(1)?.trim_start().strip_prefix("<td>")?;
        cell.split('<').next()?.parse().ok()
    };
    let totals: Vec<f64> = html.lines().filter_map(value).collect();
    let names = ["measures", "measuresProcessed"].into_iter().flat_map(|group| {
        ["micro", "macro"].into_iter().flat_map(move |mean| {
            ["Recall", "Precision", "F1"].map(|measure| (group, format!("{mean}{measure}")))
        })
    });
    assert_eq!(totals.len(), 12);
    for ((group, name), value) in names.zip(totals) {
        comparison.add(format!("{group} {name}"), &qa[group][&name], value);
    }
    comparison.finish(150 * 3 + 12);
}

/// P4: the profile `nliwod` gives the rows of the published CSV file and their means.
///
/// `means` are precision, recall and F1 as exact fractions, `printed` the digits of `ontology/README.md`.
fn p4(system: &str, means: [f64; 3], printed: [f64; 3]) {
    let mirror = mirror();
    let csv = fs::read_to_string(mirror.join(qald_8_answers(system, "csv"))).expect("the file");
    let gold = mirror.join(QALD_8_TRAIN);
    let ours = evaluation(&gold, &mirror.join(qald_8_answers(system, "json")), "nliwod");
    assert_eq!(ours["profile"], "nliwod");
    let qa = &ours["experiments"]["QA"];
    let questions = by_number(qa);
    let mut rows = csv.lines();
    assert_eq!(rows.next(), Some("ID\tPrecision\tRecall\tF1"));
    let mut comparison = Comparison::new(SINGLE);
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let id: u64 = cells[0].parse().expect("an id");
        for (measure, cell) in ["precision", "recall", "f1"].into_iter().zip(&cells[1..]) {
            let found = &questions.get(&id).expect("the same questions")[measure];
            comparison.add(format!("question {id} {measure}"), found, cell.parse().expect("a number"));
        }
    }
    assert_eq!(questions.len(), 219);
    comparison.finish(219 * 3);
    let mut comparison = Comparison::new(EXACT);
    for ((name, mean), printed) in
        ["macroPrecision", "macroRecall", "macroF1"].into_iter().zip(means).zip(printed)
    {
        comparison.add(name, &qa["measures"][name], mean);
        assert!((mean - printed).abs() <= 5e-5, "{name}: {mean} is printed as {printed}");
    }
    comparison.finish(3);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p4_asknow() {
    let means = [83.0 / 876.0, 23.0 / 219.0, 107.0 / 1095.0];
    p4("AskNow", means, [0.0947, 0.1050, 0.0977]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p4_ganswer2() {
    let precision = 40_451_149_767_043.0 / 74_183_936_698_620.0;
    let means = [precision, 388.0 / 657.0, 169_574_161.0 / 310_415_710.0];
    p4("GANSWER2", means, [0.5453, 0.5906, 0.5463]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p4_qakis() {
    let means = [1_871.0 / 8_760.0, 11_581.0 / 52_560.0, 531_037.0 / 2_621_430.0];
    p4("QAKIS", means, [0.2136, 0.2203, 0.2026]);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p4_tebaqa() {
    let means = [15_523.0 / 87_600.0, 355.0 / 1_898.0, 83_603.0 / 469_098.0];
    p4("TeBaQA", means, [0.1772, 0.1870, 0.1782]);
}

/// P8: plain value sets on `WikiWebQuestions` give the exact match and F1 of the paper's answers.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p8_wikiwebquestions() {
    let mirror = mirror();
    let folder = mirror.join(WIKI_WEB);
    let ours = evaluation(
        &folder.join("WikiWebQuestions/dev.json"),
        &folder.join("predicted_results/best.json"),
        "nliwod",
    );
    let qa = &ours["experiments"]["QA"];
    let expected = [
        ("exactMatch", 343.0 / 454.0),
        ("macroPrecision", 1_201_754_909_101.0 / 3_435_307_470.0 / 454.0),
        ("macroRecall", 130_301_441.0 / 371_070.0 / 454.0),
        ("macroF1", 12_483_387_901.0 / 35_739_015.0 / 454.0),
        ("questionCount", 454.0),
        ("emptyCount", 59.0),
        ("missingCount", 0.0),
        ("truePositiveCount", 1_983.0),
        ("falsePositiveCount", 22_962.0 - 1_983.0),
        ("falseNegativeCount", 5_740.0 - 1_983.0),
    ];
    let mut comparison = Comparison::new(EXACT);
    for (name, value) in expected {
        comparison.add(name, &qa["measures"][name], value);
    }
    let printed =
        [("exactMatch", 0.7555), ("macroF1", 0.7694), ("macroPrecision", 0.7705), ("macroRecall", 0.7735)];
    for (name, value) in printed {
        let found = qa["measures"][name].as_f64().expect("a number");
        assert!((found - value).abs() <= 5e-5, "{name}: {found}, printed {value}");
    }
    let questions = objects(&qa["questions"]);
    let question = |id: &str| questions.iter().find(|question| question["id"] == id).expect("the question");
    for (id, scores) in [
        ("WebQTrn-3137", [5.0 / 93.0, 5.0 / 9.0, 5.0 / 51.0]),
        ("WebQTrn-3407", [1.0 / 20_694.0, 1.0 / 868.0, 1.0 / 10_781.0]),
        ("WebQTrn-3143", [0.0, 0.0, 0.0]),
    ] {
        for (measure, score) in ["precision", "recall", "f1"].into_iter().zip(scores) {
            comparison.add(format!("{id} {measure}"), &question(id)[measure], score);
        }
    }
    let counted = |wanted: fn(f64) -> bool| {
        questions.iter().filter(|question| question["f1"].as_f64().is_some_and(wanted)).count()
    };
    assert_eq!([counted(|f1| f1 >= 1.0), counted(|f1| f1 <= 0.0)], [343, 99]);
    comparison.finish(10 + 9);
}
