//! The emulation of GERBIL against what its original classes gave (recorded in `../shared`).
//!
//! "M10 null gold" of the older eras has no recorded input and is left out.

use std::collections::BTreeMap;
use std::fs;

use crate::common::{KGQAN, QALD_8_TRAIN, QALD_9_TEST_KGQAN, mirror, qald_8_answers, shared};
use qassay::profiles::era::Era;
use qassay::profiles::loaders::gerbil_names::{boolean_text, cell_text};
use qassay::profiles::same_as::Mode;
use qassay::scoring::gerbil::LabelLookup;
use qassay::scoring::gerbil::greedy::Fit;
use qassay::scoring::gerbil::items::is_valid_url;
use qassay::scoring::gerbil::items::{AnswerKind, GerbilAnswer, gold_items, system_items};
use qassay::scoring::gerbil::reader::assign;
use qassay::scoring::gerbil::same_as::Retriever;
use qassay::scoring::gerbil::uri::is_java_uri;
use serde_json::Value;

type Counts = [u64; 3];

const DBR: &str = "http://dbpedia.org/resource/";
const WD: &str = "http://www.wikidata.org/entity/";

/// A file of fixtures.
fn fixture(name: &str) -> String {
    let path = shared().join("specs/gerbil-fixtures").join(name);
    fs::read_to_string(path).expect("a fixture")
}

/// Whether two items match by the rule of the era (statements 2.3.2, 2.5.1, 3.5.2).
fn is_match(gold: &GerbilAnswer, system: &GerbilAnswer, era: Era) -> bool {
    let overlap = || gold.uris.iter().any(|uri| system.uris.contains(uri));
    match (gold.kind == AnswerKind::Text, system.kind == AnswerKind::Text) {
        (true, true) => gold.text == system.text,
        (false, false) if era == Era::C => overlap(),
        (false, false) => gold.known == system.known && (!gold.known || overlap()),
        _ => false,
    }
}

/// Counts a question whose only link is from a DBpedia name to a Wikidata number.
fn counts(gold: &[String], system: &[String], link: (&str, &str), era: Era) -> Counts {
    let links = [(format!("{DBR}{}", link.0), format!("{WD}{}", link.1))];
    let labels = |literal: &str| match literal {
        "Berlin" => vec![format!("{DBR}Berlin"), format!("{DBR}Berlin,_Connecticut")],
        _ => vec![],
    };
    count(gold, system, &Retriever::new(Mode::Closure, links), &labels, era)
}

/// Counts a question; all pairs are tried.
fn count(
    gold: &[String],
    system: &[String],
    retriever: &Retriever,
    labels: LabelLookup<'_>,
    era: Era,
) -> Counts {
    let gold = gold_items(gold, era, labels);
    let system = system_items(system, era, retriever, labels);
    let (mut texts, mut candidates) = (Vec::new(), Vec::new());
    for (gold_at, gold_item) in (0_u32..).zip(&gold) {
        for (system_at, system_item) in (0_u32..).zip(&system) {
            if is_match(gold_item, system_item, era) {
                let pairs = if gold_item.kind == AnswerKind::Text { &mut texts } else { &mut candidates };
                pairs.push(Fit { gold: gold_at, system: system_at });
            }
        }
    }
    let assigned = assign(&gold, &system, &texts, &candidates, era);
    [assigned.tp, assigned.fp, assigned.fn_]
}

/// The cases of era C by name; they hold the inputs of all eras.
fn cases() -> BTreeMap<String, Value> {
    let text = fixture("qa_matching_eraC.jsonl");
    let parse = |line: &str| {
        let case: Value = serde_json::from_str(line).expect("JSON");
        (case["name"].as_str().expect("a name").to_owned(), case)
    };
    text.lines().map(parse).collect()
}

fn strings(list: &Value) -> Vec<String> {
    let texts = list.as_array().expect("a list").iter();
    texts.map(|text| text.as_str().expect("a string").to_owned()).collect()
}

fn counts_of_case(case: &Value, era: Era) -> Counts {
    counts(&strings(&case["gold_answers"]), &strings(&case["sys_answers"]), ("Berlin", "Q64"), era)
}

fn parse_counts(fields: &[&str]) -> Counts {
    let numbers: Vec<u64> = fields.iter().map(|field| field.parse().expect("a number")).collect();
    numbers.try_into().expect("tp, fp, fn")
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn s_2_7_matching_in_era_c() {
    let cases = cases();
    assert_eq!(cases.len(), 28);
    for (name, case) in &cases {
        let published: Counts = serde_json::from_value(case["QA"]["counts"].clone()).expect("counts");
        assert_eq!(counts_of_case(case, Era::C), published, "{name}");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn s_0_matching_in_eras_a_and_b() {
    let cases = cases();
    for (era, file) in [(Era::A, "qa_matching_eraA.tsv"), (Era::B, "qa_matching_eraB.tsv")] {
        let table = fixture(file);
        let mut compared = 0;
        for line in table.lines().skip(1).filter(|line| !line.starts_with("M10 null gold")) {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!(counts_of_case(&cases[fields[0]], era), parse_counts(&fields[1..]), "{era:?}: {line}");
            compared += 1;
        }
        assert_eq!(compared, 28, "{file}");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn s_2_5_3_hash_order() {
    let grid = fixture("hash_order_grid.txt");
    assert_eq!(grid.lines().count(), 75);
    for line in grid.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let answers = [format!("{WD}{}", fields[1]), format!("{DBR}{}", fields[0])];
        let found = counts(&answers, &answers, (fields[0], fields[1]), Era::C);
        assert_eq!(found, parse_counts(&fields[2..]), "{line}");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn s_2_1_2_and_s_2_2_2_url_checks() {
    let table = fixture("url_checks.tsv");
    assert_eq!(table.lines().skip(1).count(), 19);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let found = [is_valid_url(fields[0]), is_java_uri(fields[0])].map(|is| is.to_string());
        assert_eq!(found, fields[1..], "{line}");
    }
}

/// The answers of a QALD file by the id of the question, as the loader of GERBIL makes them (statement A.2).
fn answers(path: &str) -> BTreeMap<String, Vec<String>> {
    let text = fs::read(mirror().join(path)).expect("a file of the mirror");
    let file: Value = serde_json::from_slice(&text).expect("JSON");
    let questions = file["questions"].as_array().expect("questions").iter();
    questions.map(|question| (plain(&question["id"]), answers_of(question))).collect()
}

fn answers_of(question: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    for answer in question["answers"].as_array().into_iter().flatten() {
        let bindings = answer["results"]["bindings"].as_array().into_iter().flatten();
        let cells = bindings.flat_map(|binding| binding.as_object().expect("a binding").values());
        texts.extend(cells.map(cell));
        texts.extend(answer.get("boolean").map(|boolean| boolean_text(&plain(boolean))));
    }
    texts
}

fn cell(cell: &Value) -> String {
    let keys = cell.as_object().expect("a cell").keys();
    let first = keys.map(String::as_str).find(|key| ["datatype", "value"].contains(key));
    cell_text(&plain(&cell["value"]), cell["datatype"].as_str(), first == Some("datatype"))
}

/// Strings, numbers and booleans as text.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// P1 and P2: what GERBIL's classes counted for each question of real files, in era C without labels.
fn real(gold: &str, system: &str, name: &str) {
    let (gold, system) = (answers(gold), answers(system));
    for (mode, ending) in [(Mode::None, "none"), (Mode::Static, "static")] {
        let retriever = Retriever::new(mode, []);
        let published = fixture(&format!("real/{name}.{ending}.json"));
        let published: Value = serde_json::from_str(&published).expect("JSON");
        let ids = strings(&published["ids"]);
        let all: Vec<Counts> =
            serde_json::from_value(published["experiments"]["QA"]["counts"].clone()).expect("counts");
        assert_eq!(ids.len(), all.len());
        let different: Vec<String> = ids
            .iter()
            .zip(&all)
            .filter_map(|(id, published)| {
                let answers =
                    |side: &BTreeMap<String, Vec<String>>| side.get(id).cloned().unwrap_or_default();
                let ours = count(&answers(&gold), &answers(&system), &retriever, &|_| vec![], Era::C);
                (ours != *published).then(|| format!("{id}: {ours:?}, published {published:?}"))
            })
            .collect();
        assert!(different.is_empty(), "{name}, {ending}: {different:#?}");
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p1_the_answers_of_four_systems_to_qald_8() {
    for name in ["AskNow", "GANSWER2", "QAKIS", "TeBaQA"] {
        real(QALD_8_TRAIN, &qald_8_answers(name, "json"), &format!("qald8train-{name}"));
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p2_the_answers_of_kgqan_to_qald_9() {
    real(QALD_9_TEST_KGQAN, KGQAN, "qald9test-KGQAn_result_20200401-205438");
}
