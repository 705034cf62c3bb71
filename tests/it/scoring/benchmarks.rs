//! The scripts of `WebQSP`, `ComplexWebQuestions`, `GrailQA` and Mintaka. Every expectation is computed by hand, and random
//! ones by second implementations that compare as the scripts do: list against list, name by name.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::in_process::Program;
use crate::common::qassay;

/// The measures of QA over all questions.
fn measures(program: &Program, gold: &Value, answers: &str) -> Value {
    program.json(&gold.to_string(), answers)["experiments"]["QA"]["measures"].clone()
}

#[track_caller]
fn has(found: &Value, expected: &[(&str, f64)]) {
    for (name, value) in expected {
        let number = found[name].as_f64().unwrap_or_else(|| panic!("no {name} in {found:#}"));
        assert!((number - value).abs() < 1e-9, "{name} is {number}, not {value}: {found:#}");
    }
}

fn lines(answers: &[(&str, Value)]) -> String {
    let line = |(id, answer): &(&str, Value)| format!("{}\n", json!({ "qid": id, "answer": answer }));
    answers.iter().map(line).collect()
}

/// A gold standard of `WebQSP`: items by their ids, called as they are in capitals.
fn webqsp(questions: &[(&str, &[&str])]) -> Value {
    let answer =
        |id: &&str| json!({ "AnswerType": "Entity", "AnswerArgument": id, "EntityName": id.to_uppercase() });
    let question = |(id, answers): &(&str, &[&str])| {
        json!({ "QuestionId": id, "RawQuestion": "which?", "ProcessedQuestion": "which", "Parses": [
            { "ParseId": format!("{id}.P0"), "Answers": answers.iter().map(answer).collect::<Vec<_>>() }
        ] })
    };
    json!({ "Version": "1.0", "Questions": questions.iter().map(question).collect::<Vec<_>>() })
}

#[test]
fn webqsp_by_hand() {
    let gold = webqsp(&[
        ("Q-1", &["m.0a", "m.0b"]),
        ("Q-2", &[]),
        ("Q-3", &[]),
        ("Q-4", &["m.0a"]),
        ("Q-5", &["m.0a"]),
        ("Q-6", &["m.0a"]),
        ("Q-7", &["m.0a"]),
        ("Q-8", &["m.0a", "m.0b"]),
    ]);
    let given = lines(&[
        ("Q-1", json!(["m.0a", "m.0c"])), // 1/2, 1/2, 1/2
        ("Q-2", json!([])),               // both empty: 1, 1, 1
        ("Q-3", json!(["m.0a"])),         // gold empty: 0, 1, 0
        ("Q-4", json!([])),               // nothing given: 1, 0, 0
        // the fifth is not there: 0, 0, 0
        ("Q-6", json!(["M.0A"])), // a name is no id: 0, 0, 0
        ("Q-7", json!(["http://rdf.freebase.com/ns/m.0a"])), // 1, 1, 1
        ("Q-8", json!(["m.0c", "m.0b", "m.0a"])), // 2/3, 1, 4/5
    ]);
    let found = measures(&Program::new("webqsp", None, &[]), &gold, &given);
    has(
        &found,
        &[
            ("macroPrecision", (0.5 + 1.0 + 0.0 + 1.0 + 1.0 + 2.0 / 3.0) / 8.0),
            ("macroRecall", (0.5 + 1.0 + 1.0 + 0.0 + 1.0 + 1.0) / 8.0),
            ("macroF1", (0.5 + 1.0 + 1.0 + 0.8) / 8.0),
            ("exactMatch", 2.0 / 8.0),
            ("hitsAt1", 2.0 / 8.0),
            ("accuracy", 3.0 / 8.0),
            ("questionCount", 8.0),
        ],
    );
}

/// What the script of `WebQSP` does with two lists of different values.
fn of_script(gold: &[u8], given: Option<&[u8]>) -> [f64; 3] {
    let count = |number: usize| f64::from(u32::try_from(number).expect("a small number"));
    let Some(given) = given else { return [0.0; 3] };
    match (gold.is_empty(), given.is_empty()) {
        (true, true) => [1.0, 1.0, 1.0],
        (true, false) => [0.0, 1.0, 0.0],
        (false, true) => [1.0, 0.0, 0.0],
        (false, false) => {
            let found = count(gold.iter().filter(|one| given.contains(one)).count());
            let wrong = count(given.iter().filter(|one| !gold.contains(one)).count());
            let (precision, recall) = (found / (found + wrong), found / count(gold.len()));
            let f1 = if found > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 };
            [precision, recall, f1]
        }
    }
}

fn ids(numbers: &[u8]) -> Vec<String> {
    numbers.iter().map(|number| format!("m.0{number}")).collect()
}

/// Different small numbers in any order.
fn numbers() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::subsequence((0..7).collect::<Vec<u8>>(), 0..6).prop_shuffle()
}

/// A name of a few letters that the script of `ComplexWebQuestions` changes.
fn name() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "the ", "The ", "a ", "an ", "x", "É", "é", ".", "-", " ", "1999", "2", "ﬁ", "_", "日", "(", "A", "y",
    ]);
    prop::collection::vec(part, 1..5).prop_map(|parts| parts.concat())
}

/// The text without what stands in front of it.
fn cut<'a>(text: &'a str, front: &str) -> &'a str {
    if text.len() >= front.len() && &text.as_bytes()[..front.len()] == front.as_bytes() {
        &text[front.len()..]
    } else {
        text
    }
}

/// What the script of `ComplexWebQuestions` asks of a prediction that is in lower case and stripped.
fn is_right(names: &[String], question: &str, said: &str) -> bool {
    use unicode_normalization::UnicodeNormalization;
    for name in names {
        let name = name.to_lowercase();
        let name = name.trim();
        let mut plain = String::new();
        for letter in name.nfkd() {
            match letter {
                '0'..='9' | 'a'..='z' | '_' => plain.push(letter),
                'A'..='Z' => plain.push(letter.to_ascii_lowercase()),
                '\0'..='\u{7f}' => plain.push(' '),
                _ => {}
            }
        }
        let plain = cut(cut(cut(plain.trim(), "the "), "a "), "an ");
        if said == name || said == plain {
            return true;
        }
        if question.to_lowercase().contains("year") {
            let digits: Vec<char> = name.chars().collect();
            let year = digits
                .windows(4)
                .find(|four| "12".contains(four[0]) && four[1..].iter().all(char::is_ascii_digit));
            if year.is_some_and(|year| year.iter().collect::<String>() == said) {
                return true;
            }
        }
    }
    false
}

/// A gold standard of `ComplexWebQuestions` with one question; the first name of an answer is its text.
fn cwq(question: &str, answers: &[(Option<&str>, &[&str])]) -> Value {
    let answer = |(id, names): &(Option<&str>, &[&str])| json!({ "answer": names[0], "aliases": names[1..], "answer_id": id });
    let answers: Vec<Value> = answers.iter().map(answer).collect();
    json!([{ "ID": "WebQTest-1_a", "question": question, "answers": answers, "webqsp_ID": "WebQTest-1",
        "webqsp_question": "which?", "machine_question": "which?", "compositionality_type": "conjunction", "created": "2018",
        "sparql": "SELECT ?x {}" }])
}

/// Predictions as the script wants them.
fn predicted(answer: &Value) -> String {
    json!([{ "ID": "WebQTest-1_a", "answer": answer }]).to_string()
}

#[test]
fn complex_web_questions_by_hand() {
    let program = Program::new("cwq", None, &[]);
    let hits = |question: &str, answers: &[(Option<&str>, &[&str])], said: &str| {
        let found = measures(&program, &cwq(question, answers), &predicted(&json!(said)));
        assert_eq!(found["hitsAt1"], found["accuracy"], "one answer: {found:#}");
        found["hitsAt1"].as_f64().expect("a number") > 0.5
    };
    let country: &[(Option<&str>, &[&str])] = &[
        (Some("m.01mjq"), &["Czech Republic", "CZ", "Czechia"]),
        (Some("m.022pfm"), &["The São Paulo F.C."]),
    ];
    for said in ["czech republic", "Czech Republic ", "CZ", "czechia", "the são paulo f.c.", "sao paulo f c"]
    {
        assert!(hits("Which country?", country, said), "{said}");
    }
    // a text is compared as it is: no article of its own goes, no accent; ids are no names
    for said in
        ["Czech", "the czech republic", "czech-republic", "sao paulo", "the sao paulo f c", "m.01mjq", "1999"]
    {
        assert!(!hits("Which country?", country, said), "{said}");
    }
    let day: &[(Option<&str>, &[&str])] = &[(None, &["1999-05-01"])];
    assert!(hits("In what YEAR was it?", day, "1999") && hits("In what year was it?", day, "1999-05-01"));
    assert!(!hits("When was it?", day, "1999") && !hits("In what year was it?", day, "2000"));
    assert!(!hits("In what year was it?", &[(Some("m.0"), &["MCMXCIX"])], "1999"));
}

#[test]
fn several_predictions_of_complex_web_questions() {
    let program = Program::new("cwq", None, &[]);
    let gold = cwq("Which country?", &[(Some("m.01mjq"), &["Czech Republic", "CZ"]), (None, &["Prague"])]);
    let found = measures(&program, &gold, &predicted(&json!(["Brno", "cz", "Czech Republic"])));
    // two names of one answer are one right answer and one too many: 1/3, 1/2, 2/5
    let sets = [("macroPrecision", 1.0 / 3.0), ("macroRecall", 0.5), ("macroF1", 0.4), ("exactMatch", 0.0)];
    has(&found, &sets);
    has(&found, &[("hitsAt1", 0.0), ("accuracy", 1.0)]);
    for nothing in [json!([]), Value::Null] {
        let found = measures(&program, &gold, &predicted(&nothing));
        has(&found, &[("hitsAt1", 0.0), ("macroPrecision", 0.0), ("macroF1", 0.0)]);
    }
}

#[test]
fn grailqa_by_hand() {
    let entity = |id: &str| json!({ "answer_type": "Entity", "answer_argument": id, "entity_name": "x" });
    let question = |id: u8, answers: Vec<Value>| json!({ "qid": id, "question": "which?", "answer": answers, "s_expression": "(AND a b)", "level": "i.i.d." });
    let value = json!({ "answer_type": "Value", "answer_argument": "1999" });
    let gold = json!([
        question(1, vec![entity("m.0a"), entity("m.0b"), value]),
        question(2, vec![]),
        question(3, vec![entity("m.0a")]),
        question(4, vec![entity("m.0a")]),
    ]);
    let given = lines(&[
        ("1", json!(["m.0b", "1999"])), // 1, 2/3, 4/5
        ("2", json!([])),               // both empty: 0
        ("3", json!(["x"])),            // a name: 0
        ("4", json!(["m.0a"])),
    ]);
    let found = measures(&Program::new("grailqa", None, &[]), &gold, &given);
    has(
        &found,
        &[("macroF1", 1.8 / 4.0), ("exactMatch", 0.25), ("macroPrecision", 0.5), ("macroRecall", 5.0 / 12.0)],
    );
}

#[test]
fn mintaka_by_hand() {
    let item = |id: &str| json!({ "name": id, "label": { "en": "Name", "de": null } });
    let question = |id: &str, kind: &str, answers: Value| {
        json!({ "id": id, "question": "which?", "translations": {}, "questionEntity": [], "category": "books",
            "complexityType": "generic", "answer": { "answerType": kind, "answer": answers, "mention": "m" } })
    };
    let gold = json!([
        question("9ace9041", "entity", json!([item("Q1"), item("Q2")])),
        question("9ace9042", "boolean", json!([true])),
        question("9ace9043", "numerical", json!([2])),
        question("9ace9044", "entity", json!([item("Q1")])),
        question("9ace9045", "entity", json!([item("Q1")])),
        question("9ace9046", "entity", json!([item("Q1")])),
        question("9ace9047", "entity", Value::Null),
    ]);
    let given = json!({
        "9ace9041": ["Q3", "Q2"], // one of two: F1 1/2, hits@1 1
        "9ace9042": true,
        "9ace9043": 2,
        "9ace9044": "Name",       // a label: 0
        "9ace9045": null,         // nothing: 0
        "9ace9046": ["Q2", "Q1"], // F1 2/3, hits@1 1
        "9ace9047": null,         // what is linked to nothing is not scored
    });
    let found = measures(&Program::new("mintaka", None, &[]), &gold, &given.to_string());
    let hits = [("accuracy", 4.0 / 6.0), ("exactMatch", 2.0 / 6.0), ("questionCount", 6.0)];
    has(&found, &hits);
    has(&found, &[("macroF1", (0.5 + 1.0 + 1.0 + 2.0 / 3.0) / 6.0), ("macroPrecision", 3.0 / 6.0)]);
}

/// The names are in the archive, which a stranger can check, and a match says its rule.
#[test]
fn names_are_published_and_matches_by_them_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    let answers: &[(Option<&str>, &[&str])] =
        &[(Some("m.01mjq"), &["Czech Republic", "CZ"]), (None, &["Prague"])];
    write("gold.json", &cwq("Which?", answers).to_string());
    write("answers.json", &predicted(&json!("cz")));
    write(
        "names.rq",
        "SELECT ?term ?name WHERE { GRAPH ?graph { ?item qassay:alias ?name ; qassay:term ?term } } ORDER BY ?name",
    );
    let run = |words: &[&str]| qassay(folder.path(), words.iter().copied());
    run(&["evaluate", "gold.json", "answers.json", "--profile", "cwq,webqsp", "--quiet"]).ok();
    let item = "http://rdf.freebase.com/ns/m.01mjq";
    let names = run(&["query", "names.rq", "--format", "csv"]).ok();
    assert_eq!(names.trim_end().replace('\r', ""), format!("term,name\n{item},CZ\n{item},Czech Republic"));
    let told = run(&["explain", "answers", "WebQTest-1_a", "--profile", "cwq"]).ok();
    assert!(told.contains(&format!("{item}  ~  \"cz\"\n      rule alias\n")), "{told}");
    assert!(told.contains("missed (1)\n  \"Prague\"\n"), "{told}");
    let verified = run(&["verify", "--format", "json"]).json();
    assert_eq!(verified["ok"], true, "{verified:#}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn webqsp_as_its_script(questions in prop::collection::vec((numbers(), prop::option::of(numbers())), 2..6)) {
        let named: Vec<(String, Vec<String>)> =
            questions.iter().zip(1..).map(|((gold, _), at)| (format!("Q-{at}"), ids(gold))).collect();
        let borrowed: Vec<(&str, Vec<&str>)> =
            named.iter().map(|(id, gold)| (id.as_str(), gold.iter().map(String::as_str).collect())).collect();
        let gold: Vec<(&str, &[&str])> = borrowed.iter().map(|(id, gold)| (*id, gold.as_slice())).collect();
        let answers = named.iter().zip(&questions);
        let answers: Vec<(&str, Value)> = answers
            .filter_map(|((id, _), (_, given))| Some((id.as_str(), json!(ids(given.as_ref()?)))))
            .collect();
        // a file without an answer to any question of the gold standard is an error
        prop_assume!(!answers.is_empty());
        let found = measures(&Program::new("webqsp", None, &[]), &webqsp(&gold), &lines(&answers));
        let scores: Vec<[f64; 3]> =
            questions.iter().map(|(gold, given)| of_script(gold, given.as_deref())).collect();
        let count = f64::from(u32::try_from(scores.len()).expect("few questions"));
        let mean = |at: usize| scores.iter().map(|scores| scores[at]).sum::<f64>() / count;
        has(&found, &[("macroPrecision", mean(0)), ("macroRecall", mean(1)), ("macroF1", mean(2))]);
        let first = |(gold, given): &(Vec<u8>, Option<Vec<u8>>)| {
            given.as_ref().and_then(|given| given.first()).is_some_and(|first| gold.contains(first))
        };
        let hits = questions.iter().filter(|question| first(question)).count();
        has(&found, &[("hitsAt1", f64::from(u32::try_from(hits).expect("few")) / count)]);
    }

    #[test]
    fn complex_web_questions_as_their_script(
        names in prop::collection::vec(name(), 1..4),
        own in any::<bool>(),
        question in prop::sample::select(vec!["Which?", "In which Year?"]),
        (said, wild) in (any::<prop::sample::Index>(), name()),
        plain in any::<bool>(),
    ) {
        // what is said is mostly a name, or the plain form of one
        let known = &names[said.index(names.len())];
        let said = if plain { known.replace(['.', '-', '('], " ").replace('é', "e") } else { known.clone() };
        let said = if wild.len() % 3 == 0 { wild } else { said };
        let said = said.to_lowercase().trim().to_owned();
        prop_assume!(!said.is_empty() && names.iter().all(|name| !name.trim().is_empty()));
        let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
        let gold = cwq(question, &[(own.then_some("m.01mjq"), &borrowed)]);
        let found = measures(&Program::new("cwq", None, &[]), &gold, &predicted(&json!(said)));
        let expected = if is_right(&names, question, &said) { 1.0 } else { 0.0 };
        has(&found, &[("hitsAt1", expected)]);
    }
}
