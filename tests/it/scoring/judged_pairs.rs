//! Answers of real files next to gold answers that come near to them, and pairs of each rule: people judged them.
//!
//! `judged_pairs.tsv`: a verdict (same, different, debatable), the pair of files and the question (`-`: made for a rule), both
//! terms, and why: the rule that finds what is the same, or `miss: ` and what would be needed; of the others what they are.
//! The pairs of files are gold standards with answers of systems, named as in `tests/digests/real.py`, and editions of one
//! benchmark (`qald5-6`), where one states the answers of the other in its own way.

use std::fs;

use oxigraph::model::Term;
use qassay::profiles::Profile;
use serde_json::{Value, json};

use crate::common::in_process::Program;
use crate::common::mirror;

/// An answer with one term.
fn answer(term: &str) -> Value {
    let cell = match term.parse::<Term>().unwrap_or_else(|error| panic!("{term}: {error}")) {
        Term::NamedNode(node) => json!({"type": "uri", "value": node.as_str()}),
        Term::Literal(literal) => {
            let mut cell = json!({"type": "literal", "value": literal.value()});
            match literal.language() {
                Some(tag) => cell["xml:lang"] = tag.into(),
                None => cell["datatype"] = literal.datatype().as_str().into(),
            }
            cell
        }
        Term::BlankNode(_) => panic!("{term}: no answer"),
    };
    json!([{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": cell}]}}])
}

/// A file with a question for each term.
fn file<'a>(terms: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let question = |(term, number): (&str, usize)| {
        let text = json!([{"language": "en", "string": format!("Which {number}?")}]);
        json!({"id": number.to_string(), "question": text, "answers": answer(term)})
    };
    let questions: Vec<Value> = terms.zip(1..).map(question).collect();
    json!({"dataset": {"id": "judged"}, "questions": questions}).to_string().into_bytes()
}

/// The rules of the matches of pairs of terms; none where two do not match.
fn rules(program: &Program, pairs: &[[&str; 2]]) -> Vec<Option<String>> {
    let [gold, system] = [0, 1].map(|side| file(pairs.iter().map(|pair| pair[side])));
    program.score(&gold, &system, |evaluation, _: Value| {
        let experiment = evaluation.experiment("QA").expect("answers");
        let rule = |step: usize| experiment.rules.steps[step].rule.trim_start_matches("match-").to_owned();
        let questions = experiment.matching.questions.iter();
        questions.map(|question| question.pairs.first().map(|pair| rule(usize::from(pair.step)))).collect()
    })
}

#[test]
fn no_false_match_and_every_miss_is_named() {
    let (mut lines, mut pairs, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    let (mut judged, mut real) = ([0, 0], 0);
    for line in include_str!("judged_pairs.tsv").lines().skip(1) {
        let [verdict, files, _, gold, system, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six fields: {line}");
        };
        real += usize::from(files != "-");
        let wanted = match (verdict, why.strip_prefix("miss: ")) {
            ("same", None) => Some(why),
            ("same", Some(_)) | ("different", _) => None,
            ("debatable", _) => continue,
            _ => panic!("no verdict: {line}"),
        };
        judged[usize::from(wanted.is_some())] += 1;
        lines.push(line);
        pairs.push([gold, system]);
        expected.push(wanted);
    }
    assert!(judged.iter().all(|count| *count > 100) && real > 400, "{judged:?}, {real} of them real");
    let program = Program::new("qassay", None, &[]);
    let turned: Vec<[&str; 2]> = pairs.iter().map(|[gold, system]| [*system, *gold]).collect();
    for pairs in [pairs, turned] {
        let found = rules(&program, &pairs);
        let wrong = found
            .iter()
            .zip(&expected)
            .zip(&lines)
            .filter(|((found, wanted), _)| found.as_deref() != **wanted);
        let wrong: Vec<String> = wrong.map(|((found, _), line)| format!("{line}: {found:?}")).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// The gold standard of QALD-8 gives IRIs as literals in some questions; QALD-9 repeats these questions with IRIs.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn iris_that_qald_8_gives_as_literals_are_found() {
    let read = |path: &str| -> Value {
        let path = mirror().join("ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf").join(path);
        serde_json::from_slice(&fs::read(path).expect("the file")).expect("JSON")
    };
    let in_english = |question: &Value| {
        let texts = question["question"].as_array().expect("texts").iter();
        let mut english = texts.filter(|text| text["language"] == "en");
        english.next().map(|text| text["string"].as_str().expect("a text").trim().to_owned())
    };
    let gold = read("8/data/qald-8-test-multilingual.json");
    let repeated = read("9/data/qald-9-train-multilingual.json");
    let repeated = repeated["questions"].as_array().expect("questions");
    let asked = gold["questions"].as_array().expect("questions").iter().filter_map(|question| {
        let again = repeated.iter().find(|again| in_english(again) == in_english(question))?;
        let mut again = again.clone();
        again["id"] = question["id"].clone();
        Some(again)
    });
    let answers = json!({"questions": asked.collect::<Vec<_>>()});
    assert_eq!(answers["questions"].as_array().map(Vec::len), Some(24));
    let found = |profile: Profile| {
        let json = Program::with(profile, None, &[]).json(&gold.to_string(), &answers.to_string());
        let questions = json["experiments"]["QA"]["questions"].as_array().expect("questions").clone();
        let question = |id: &str| questions.iter().find(|question| question["id"] == id).expect("a question");
        ["32", "37"].map(|id| ["tp", "fp", "fn"].map(|count| question(id)[count].as_u64().expect("a count")))
    };
    // The countries around Iran, and a minister of Germany.
    assert_eq!(found(Profile::find("qassay").expect("the default")), [[8, 0, 0], [1, 0, 0]]);
    let before = Profile::with_iri("https://w3id.org/qassay/profile/qassay/3").expect("the profile");
    assert_eq!(found(before), [[0, 8, 8], [0, 1, 1]]);
}
