//! Every recorded case of GERBIL as a test of its own: what GERBIL's original classes gave, and what the
//! profiles `gerbil`, `gerbil-2023` and `gerbil-2019` give, from the file of questions to the JSON for scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::common::gerbil::{EXPERIMENTS, MEASURES, differences};
use crate::common::in_process::Program;
use crate::common::{Ran, program};
use libtest_mimic::{Failed, Trial};
use oxigraph::model::Term;
use qassay::profiles::era::Era;
use qassay::profiles::loaders::gerbil_names::{boolean_text, cell_text};
use qassay::profiles::same_as::Mode;
use qassay::references::ReferenceKind;
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::gerbil::items::TypedAnswers;
use qassay::scoring::gerbil::items::is_valid_url;
use qassay::scoring::gerbil::uri::is_java_uri;
use qassay::sources::document::{QueryKind, Question};
use qassay::sparql::walk::{Marking, markings};
use serde_json::{Map, Value, json};

/// GERBIL computed with 64 bits; the program prints fractions rounded to 12 digits.
const EXACT: f64 = 1e-12;

const DBR: &str = "http://dbpedia.org/resource/";
const WD: &str = "http://www.wikidata.org/entity/";

/// The labels of the stub (`README.md` of the fixtures).
const LABELS: &str =
    "<http://dbpedia.org/resource/Berlin> <http://www.w3.org/2000/01/rdf-schema#label> \"Berlin\"@en .
<http://dbpedia.org/resource/Berlin,_Connecticut> <http://www.w3.org/2000/01/rdf-schema#label> \"Berlin\"@en .
";

/// How many cases the files have; a file that grows must be looked at.
const CASES: [(&str, usize); 9] = [
    ("era_c", 28),
    ("era_b", 29),
    ("era_a", 29),
    ("markings", 25),
    ("sub_experiments", 12),
    ("answer_types", 11),
    // 13 files with the line of the loader and 6 experiment types, and one that GERBIL does not load
    ("gold_vs_gold", 13 * 7 + 1),
    ("hash_grid", 75),
    ("url_checks", 19),
];

/// Each case of each file, and the files as a whole.
pub(crate) fn trials(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("specs/gerbil-fixtures");
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect("a fixture");
    let matching = cases(&text("qa_matching_eraC.jsonl"));
    let sparql = cases(&text("sparql_markings_and_subexperiments.jsonl"));
    let mut trials: Vec<Trial> = matching.iter().map(era_c).collect();
    for (group, profile, file) in
        [("era_b", "gerbil-2023", "qa_matching_eraB.tsv"), ("era_a", "gerbil-2019", "qa_matching_eraA.tsv")]
    {
        trials.extend(rows(&text(file), '\t').map(|row| older_era(group, profile, &row, &matching)));
    }
    trials.extend(sparql.iter().map(sparql_case));
    trials.extend(gold_vs_gold(&text("gold_vs_gold_eraC.txt"), shared));
    // without header
    trials.extend(text("hash_order_grid.txt").lines().map(hash_grid));
    trials.extend(rows(&text("url_checks.tsv"), '\t').map(|row| url_check(&row)));
    trials.push(summary(&trials));
    trials.push(command_line("era C", "gerbil", matching.clone()));
    let older = |row: Vec<String>| (row[0].clone(), counts(&row[1..]));
    for (name, profile, file) in
        [("era B", "gerbil-2023", "qa_matching_eraB.tsv"), ("era A", "gerbil-2019", "qa_matching_eraA.tsv")]
    {
        let counts: BTreeMap<String, Value> = rows(&text(file), '\t').map(older).collect();
        let mut cases = matching.clone();
        for case in &mut cases {
            case["QA"]["counts"] = counts[name_of(case)].clone();
        }
        trials.push(command_line(name, profile, cases));
    }
    trials
}

fn cases(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The rows of a table behind its header.
fn rows(text: &str, separator: char) -> impl Iterator<Item = Vec<String>> {
    text.lines().skip(1).map(move |line| line.split(separator).map(str::to_owned).collect())
}

fn name_of(case: &Value) -> &str {
    case["name"].as_str().expect("a name")
}

fn counts(fields: &[String]) -> Value {
    let numbers: Vec<u64> = fields.iter().map(|field| field.parse().expect("a count")).collect();
    assert_eq!(numbers.len(), 3, "tp, fp, fn");
    json!(numbers)
}

fn verdict(different: &[String]) -> Result<(), Failed> {
    if different.is_empty() { Ok(()) } else { Err(different.join("\n").into()) }
}

fn equal<T: PartialEq + std::fmt::Debug>(ours: &T, theirs: &T) -> Result<(), Failed> {
    if ours == theirs { Ok(()) } else { Err(format!("{ours:?}, GERBIL {theirs:?}").into()) }
}

/// Every test is there: as many as the files have cases, with names of their own.
fn summary(trials: &[Trial]) -> Trial {
    let names: Vec<String> = trials.iter().map(|trial| trial.name().to_owned()).collect();
    Trial::test("every case is a test", move || {
        let expected: BTreeMap<String, usize> =
            CASES.iter().map(|(group, cases)| ((*group).to_owned(), *cases)).collect();
        let mut found = BTreeMap::new();
        for name in &names {
            let group = name.split_once("::").ok_or("a group")?.0;
            *found.entry(group.to_owned()).or_default() += 1;
        }
        equal(&found, &expected)?;
        let distinct: BTreeSet<&String> = names.iter().collect();
        equal(&distinct.len(), &names.len())
    })
}

/// One question of a QALD file.
fn question(id: usize, answers: &Value, query: &Value, answer_type: &Value) -> Value {
    let binding = |text: &Value| {
        let is_iri = text.as_str().is_some_and(|text| text.contains("://"));
        json!({ "x": { "type": if is_iri { "uri" } else { "literal" }, "value": text } })
    };
    let bindings: Vec<Value> = answers.as_array().expect("answers").iter().map(binding).collect();
    let mut question = json!({
        "id": id.to_string(),
        "question": [{ "language": "en", "string": "Which one?" }],
        "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": bindings } }],
    });
    if !query.is_null() {
        question["query"] = json!({ "sparql": query });
    }
    if !answer_type.is_null() {
        question["answertype"] = answer_type.clone();
    }
    question
}

/// The QALD file of one side of some cases: `gold` or `sys`.
fn file<'a>(side: &str, cases: impl IntoIterator<Item = &'a Value>) -> String {
    let of = |part: &str| format!("{side}_{part}");
    let questions: Vec<Value> = cases
        .into_iter()
        .zip(1..)
        .map(|(case, id)| question(id, &case[of("answers")], &case[of("query")], &case[of("type")]))
        .collect();
    json!({ "dataset": { "id": "cases" }, "questions": questions }).to_string()
}

fn link(name: &str, number: &str) -> String {
    format!("<{DBR}{name}> <http://www.w3.org/2002/07/owl#sameAs> <{WD}{number}> .\n")
}

/// The program as a case wants it: with the stub of sameAs links and labels, or without.
fn stubbed(profile: &str, case: &Value) -> Program {
    if case["sameas_stub"] == true {
        let links = link("Berlin", "Q64");
        let references = [(ReferenceKind::Links, links.as_str()), (ReferenceKind::Labels, LABELS)];
        return Program::new(profile, Some(Mode::Closure), &references);
    }
    Program::new(profile, Some(Mode::None), &[])
}

/// Everything that GERBIL printed about a case of two answers.
fn compare(profile: &str, case: &Value) -> Result<(), Failed> {
    let ours = stubbed(profile, case).json(&file("gold", [case]), &file("sys", [case]));
    let of_type = |(name, _): &(&str, _)| differences(&ours, name, &case[name], &MEASURES, EXACT);
    verdict(&EXPERIMENTS.iter().flat_map(of_type).collect::<Vec<_>>())
}

fn era_c(case: &Value) -> Trial {
    let case = case.clone();
    Trial::test(format!("era_c::{}", name_of(&case)), move || compare("gerbil", &case))
}

/// A row of the older eras: only counts are recorded, and the input is that of the case of era C.
fn older_era(group: &str, profile: &'static str, row: &[String], cases: &[Value]) -> Trial {
    let name = format!("{group}::{}", row[0]);
    if row[0] == "M10 null gold" {
        // No input is recorded: `null` in gold does not load in era C (statement 2.1.5), so the file of era C
        // does not have the case, and what the older classes were given for it is not known.
        return Trial::test(format!("{name} (no input is recorded)"), || Ok(())).with_ignored_flag(true);
    }
    let case = cases.iter().find(|case| name_of(case) == row[0]).expect("the case of era C").clone();
    let counts = counts(&row[1..]);
    Trial::test(name, move || {
        let ours = stubbed(profile, &case).json(&file("gold", [&case]), &file("sys", [&case]));
        equal(&ours["profile"], &json!(profile))?;
        equal(&counts_of(&ours["experiments"]["QA"]["questions"][0]), &counts)
    })
}

fn counts_of(question: &Value) -> Value {
    Value::from_iter(["tp", "fp", "fn"].map(|count| question[count].clone()))
}

fn sparql_case(case: &Value) -> Trial {
    let (name, case) = (name_of(case).to_owned(), case.clone());
    if case["query"].is_string() {
        return Trial::test(format!("markings::{name}"), move || {
            let found: Vec<Value> =
                markings(case["query"].as_str().ok_or("a query")?).iter().map(as_in_java).collect();
            equal(&json!(found), &case["markings"])
        });
    }
    if case["answertype"].is_string() {
        let written = case["answertype"].as_str().unwrap_or_default();
        return Trial::test(format!("answer_types::{written:?}"), move || answer_type(&case));
    }
    Trial::test(format!("sub_experiments::{name}"), move || compare("gerbil", &case))
}

/// The class of a marking, and what Java prints of it.
fn as_in_java(marking: &Marking) -> Value {
    let annotation = |uri: &String| format!("Annotation [uri=[{uri}]]");
    let property = |uri: &String| format!("Property [uri=[{uri}]]");
    match marking {
        Marking::Annotation(uri) => json!(["Annotation", annotation(uri)]),
        Marking::Property(uri) => json!(["Property", property(uri)]),
        Marking::Relation { subject, predicate, object, literal } => {
            let subject = subject.as_ref().map_or_else(|| "null".to_owned(), annotation);
            let identity = "org.apache.jena.datatypes.BaseDatatype$TypedValue@<identity>";
            let text = literal.as_ref().map_or("null", |text| text.comparable().unwrap_or(identity));
            let object = object.as_ref().map_or_else(|| format!("\"{text}\""), annotation);
            json!(["Relation", format!("Relation [{subject}, {}, {object}]", property(predicate))])
        }
    }
}

/// What a word in the field `answertype` becomes, on both sides.
fn answer_type(case: &Value) -> Result<(), Failed> {
    let side = question(1, &json!([]), &Value::Null, &case["answertype"]);
    let file = json!({ "questions": [side] }).to_string();
    let program = Program::new("gerbil", Some(Mode::None), &[]);
    let (found, json) = program.score(file.as_bytes(), file.as_bytes(), |evaluation, json| {
        let matched = |at: &qassay::scoring::experiment::Experiment| {
            let question = &at.matching.questions[0];
            [&question.gold, &question.system].map(|items| items.iter().map(|&i| word(at, i)).collect())
        };
        let found: [Vec<String>; 2] = evaluation.experiment("AT").map(matched).unwrap_or_default();
        (found, json)
    });
    let printed = case["markings"].as_str().ok_or("markings")?;
    for words in &found {
        let types: Vec<String> = words.iter().map(|word| format!("AnswerType [type={word}]")).collect();
        equal(&format!("[{}]", types.join(", ")), &printed.to_owned())?;
    }
    let (ours, skipped) = (&json["experiments"]["AT"], &json["skipped"]["AT"]["code"]);
    if printed == "[]" {
        equal(ours, &Value::Null)?;
        return equal(skipped, &json!("skip-no-items"));
    }
    equal(&counts_of(&ours["questions"][0]), &json!([1, 0, 0]))
}

fn word(experiment: &qassay::scoring::experiment::Experiment, item: u32) -> String {
    match experiment.matching.term(item) {
        Term::Literal(literal) => literal.value().to_owned(),
        other => other.to_string(),
    }
}

/// A perfect answer whose items GERBIL may pair wrongly, by the order of Java's hash sets.
fn hash_grid(line: &str) -> Trial {
    let fields: Vec<String> = line.split(' ').map(str::to_owned).collect();
    Trial::test(format!("hash_grid::{} {}", fields[0], fields[1]), move || {
        let answers = json!([format!("{WD}{}", fields[1]), format!("{DBR}{}", fields[0])]);
        let file = json!({ "questions": [question(1, &answers, &Value::Null, &Value::Null)] }).to_string();
        let links = link(&fields[0], &fields[1]);
        let program = Program::new("gerbil", Some(Mode::Closure), &[(ReferenceKind::Links, &links)]);
        let ours = program.json(&file, &file);
        equal(&counts_of(&ours["experiments"]["QA"]["questions"][0]), &counts(&fields[2..]))
    })
}

/// What the two checks say. That of addresses is also seen in counts: beside a literal, a string that is an address
/// becomes an annotation on the side of the system and none in gold (statements 2.1.3 and 2.2.2).
fn url_check(row: &[String]) -> Trial {
    let row = row.to_vec();
    Trial::test(format!("url_checks::{}", row[0]), move || {
        let found = [is_valid_url(&row[0]), is_java_uri(&row[0])].map(|is| is.to_string());
        equal(&found.to_vec(), &row[1..].to_vec())?;
        let answers = json!([row[0], "no address"]);
        let file = json!({ "questions": [question(1, &answers, &Value::Null, &Value::Null)] }).to_string();
        let ours = Program::new("gerbil", Some(Mode::None), &[]).json(&file, &file);
        let expected = if row[1] == "true" { json!([1, 1, 1]) } else { json!([2, 0, 0]) };
        equal(&counts_of(&ours["experiments"]["QA"]["questions"][0]), &expected)
    })
}

/// All cases in one file through the command line: the counts of every question.
fn command_line(name: &str, profile: &'static str, cases: Vec<Value>) -> Trial {
    Trial::test(format!("command line: {name}"), move || {
        let folder = tempfile::tempdir()?;
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
        write("gold.json", &file("gold", &cases))?;
        write("system.json", &file("sys", &cases))?;
        write("links.nt", &link("Berlin", "Q64"))?;
        write("labels.nt", LABELS)?;
        let mut command = program(folder.path());
        command.args(["evaluate", "gold.json", "system.json", "--profile", profile, "--same-as", "closure"]);
        command.args(["--links", "links.nt", "--labels", "labels.nt", "--format", "json", "--no-archive"]);
        let output = Ran::of(&mut command).json();
        let questions = &output["evaluations"][0]["experiments"]["QA"]["questions"];
        let found: Vec<Value> = questions.as_array().ok_or("questions")?.iter().map(counts_of).collect();
        equal(&found, &cases.iter().map(|case| case["QA"]["counts"].clone()).collect())
    })
}

/// The file of the mirror behind a name in `gold_vs_gold_eraC.txt`.
fn gold_file(mirror: &Path, name: &str) -> PathBuf {
    let qald = |path: &str| mirror.join("ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf").join(path);
    match name {
        "q10" => {
            mirror.join("KGQA/QALD-10/89caa86371c7a65c6c87a64e0eeaa0e247ff5fe5/data/qald_10/qald_10.json")
        }
        "q9plustestdbp" => mirror.join(
            "KGQA/QALD_9_plus/5b116c9b53cac0cc3c3c64dd211a46311499e76d/data/qald_9_plus_test_dbpedia.json",
        ),
        "q6test" => qald("6/data/qald-6-test-multilingual.json"),
        "q6train" => qald("6/data/qald-6-train-multilingual.json"),
        "q6trainhy" => qald("6/data/qald-6-train-hybrid.json"),
        "q7hyext" => qald("7/data/qald-7-train-hybrid-extended-json.json"),
        "q7test" => qald("7/data/qald-7-test-multilingual.json"),
        "q7testwd" => qald("7/data/qald-7-test-en-wikidata.json"),
        "q7train" => qald("7/data/qald-7-train-multilingual.json"),
        "q7trainwd" => qald("7/data/qald-7-train-en-wikidata.json"),
        "q8test" => qald("8/data/qald-8-test-multilingual.json"),
        "q8train" => qald("8/data/qald-8-train-multilingual.json"),
        "q9test" => qald("9/data/qald-9-test-multilingual.json"),
        "q9train" => qald("9/data/qald-9-train-multilingual.json"),
        other => panic!("the fixture has the file {other}"),
    }
}

/// A gold file against itself, and what the loader says of it.
#[derive(Debug)]
struct SelfEvaluation {
    json: Value,
    loaded: BTreeMap<&'static str, usize>,
}

type Lazy = Arc<LazyLock<SelfEvaluation, Box<dyn FnOnce() -> SelfEvaluation + Send>>>;

/// Each file is evaluated once, by the first of its tests.
fn gold_vs_gold(text: &str, shared: &Path) -> Vec<Trial> {
    let mirror = shared.join("data/mirror");
    let mut trials = Vec::new();
    for section in text.split("##### ../data/").skip(1) {
        let mut lines = section.lines();
        let name = lines.next().and_then(|line| line.strip_suffix(".json")).expect("a file").to_owned();
        let path = gold_file(&mirror, &name);
        let evaluate = move || evaluate_itself(&path);
        let lazy: Lazy = Arc::new(LazyLock::new(Box::new(evaluate)));
        for line in lines.map(str::trim) {
            let (line, lazy) = (line.to_owned(), lazy.clone());
            let (first, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let (first, rest) = (first.to_owned(), rest.trim().to_owned());
            trials.push(match first.as_str() {
                // GERBIL reads all of them as QALD JSON.
                "parsed" => continue,
                "LOAD" => {
                    Trial::test(format!("gold_vs_gold::{name}::what GERBIL does not load"), move || {
                        not_loaded_by_gerbil(&lazy)
                    })
                }
                _ if first.starts_with("questions=") => {
                    Trial::test(format!("gold_vs_gold::{name}::loader"), move || loader(&line, &lazy.loaded))
                }
                _ => Trial::test(format!("gold_vs_gold::{name}::{first}"), move || {
                    experiment(&first, &rest, &lazy.json)
                }),
            });
        }
    }
    trials
}

fn evaluate_itself(path: &Path) -> SelfEvaluation {
    let content = fs::read(path).expect("a file of the mirror");
    let program = Program::new("gerbil", Some(Mode::None), &[]);
    program.score(&content, &content, |evaluation, json| {
        let loaded = loaded(evaluation);
        SelfEvaluation { json, loaded }
    })
}

/// The numbers that the harness around GERBIL's loader printed.
fn loaded(evaluation: &Evaluation) -> BTreeMap<&'static str, usize> {
    let questions = &evaluation.cases.dataset.document.questions;
    let sets: Vec<TypedAnswers> = questions.iter().map(answer_set).collect();
    let count = |is: &dyn Fn(&TypedAnswers) -> bool| sets.iter().filter(|set| is(set)).count();
    let has_relation = |question: &&Question| {
        let sparql = question.queries.iter().filter(|query| query.kind == QueryKind::Sparql);
        sparql.flat_map(|query| markings(&query.text)).any(|m| matches!(m, Marking::Relation { .. }))
    };
    let is_string_set = |set: &TypedAnswers| matches!(set, TypedAnswers::Strings(_));
    let has_url = |set: &TypedAnswers| matches!(set, TypedAnswers::Strings(all) if all.iter().any(|text| is_valid_url(text)));
    let is_empty = |set: &TypedAnswers| matches!(set, TypedAnswers::Annotations(all) if all.is_empty());
    BTreeMap::from([
        ("questions", questions.len()),
        ("dropped(no en text)", questions.iter().filter(|question| !question.has_text("en")).count()),
        ("annotationSets", count(&|set| !is_string_set(set) && !is_empty(set))),
        ("stringSets", count(&is_string_set)),
        ("emptySets", count(&is_empty)),
        ("stringSetsWithUrl", count(&has_url)),
        ("noRelations", questions.len() - questions.iter().filter(has_relation).count()),
    ])
}

/// The answers of a question as GERBIL types them.
fn answer_set(question: &Question) -> TypedAnswers {
    let of_set = |set: &qassay::sources::document::AnswerSet| -> Vec<String> {
        let cells = set.rows.iter().flat_map(|row| &row.cells);
        let texts = cells.map(|c| cell_text(&c.value, c.datatype.as_deref(), c.datatype_first));
        texts.chain(set.boolean.map(|boolean| boolean_text(&boolean.to_string()))).collect()
    };
    let strings: Vec<String> = question.answers.sets.iter().flat_map(of_set).collect();
    TypedAnswers::of(&strings, Era::C)
}

/// `questions=394 dropped(no en text)=0 annotationSets=172 …`
fn loader(line: &str, ours: &BTreeMap<&'static str, usize>) -> Result<(), Failed> {
    let theirs: BTreeMap<&str, usize> =
        assignments(line).map(|(name, value)| (name, value.parse().expect("a number"))).collect();
    equal(ours, &theirs)
}

/// `name=value name=value`, where names may have blanks.
fn assignments(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once('=')?;
        let (value, others) = after.split_once(' ').unwrap_or((after, ""));
        rest = others;
        Some((name.trim(), value))
    })
}

/// `mi P=1.0 mi R=1.0 … | F1<1 for 1: 330EvaluationCounts [tp=2, fp=1, fn=1]`, or `(no result)`.
fn experiment(name: &str, line: &str, ours: &Value) -> Result<(), Failed> {
    let (values, imperfect) = line.split_once(" | F1<1 for ").map_or((line, None), |(v, i)| (v, Some(i)));
    let mut printed = Map::new();
    for (measure, value) in assignments(values) {
        let measure = match measure {
            "mi P" => "Micro Precision",
            "mi R" => "Micro Recall",
            "mi F1" => "Micro F1 score",
            "ma P" => "Macro Precision",
            "ma R" => "Macro Recall",
            "ma F1" => "Macro F1 score",
            "ma F1 QALD" => "Macro F1 QALD",
            other => other,
        };
        printed.insert(measure.to_owned(), json!(value.parse::<f64>()?));
    }
    equal(&printed.is_empty(), &(values == "(no result)"))?;
    // The values of InKB and EE are not in the file.
    verdict(&differences(ours, name, &printed.into(), &MEASURES[..8], EXACT))?;
    imperfect.map_or(Ok(()), |imperfect| questions_below_one(name, imperfect, ours))
}

/// `2: 164EvaluationCounts [tp=1, fp=3, fn=3] 26EvaluationCounts [tp=1, fp=7, fn=7]`
fn questions_below_one(name: &str, imperfect: &str, ours: &Value) -> Result<(), Failed> {
    let (number, list) = imperfect.split_once(':').ok_or("a number")?;
    let mut theirs = BTreeMap::new();
    for entry in list.split_terminator(']') {
        let (id, counts) = entry.split_once("EvaluationCounts [").ok_or("counts")?;
        let numbers: Vec<u64> =
            assignments(counts).map(|(_, n)| n.trim_end_matches(',').parse()).collect::<Result<_, _>>()?;
        theirs.insert(id.trim().to_owned(), json!(numbers));
    }
    equal(&theirs.len(), &number.parse()?)?;
    let concept = EXPERIMENTS.iter().find(|(gerbil, _)| *gerbil == name).ok_or("an experiment type")?.1;
    let questions = ours["experiments"][concept]["questions"].as_array().ok_or("questions")?;
    let below = questions.iter().filter(|question| question["f1"].as_f64() < Some(1.0));
    let id = |question: &Value| question["id"].as_str().unwrap_or_default().to_owned();
    equal(&below.map(|question| (id(question), counts_of(question))).collect(), &theirs)
}

/// GERBIL cannot load the hybrid file of QALD-7 in the extended format; the program reads it.
fn not_loaded_by_gerbil(lazy: &Lazy) -> Result<(), Failed> {
    let SelfEvaluation { json, loaded } = &***lazy;
    equal(&loaded["questions"], &102)?;
    let qa = &json["experiments"]["QA"];
    equal(&qa["questions"].as_array().map(Vec::len), &Some(102))?;
    equal(&qa["measures"]["macroF1"], &json!(1))?;
    // The file has no SPARQL: GERBIL's classes would see no markings.
    equal(&json["skipped"]["RE2KB"]["code"], &json!("skip-no-items"))
}
