//! Answers of real systems next to gold answers that they do not match, and pairs of each rule: people judged them.
//!
//! `judged_pairs.tsv`: a verdict (same, different, debatable), the pair of files and the question (`-`: made for a rule), both
//! terms, and why: the rule that finds what is the same, or `miss: ` and what would be needed; of the others what they are.
//! The pairs of files are those of `tests/digests/real.py`.

use oxigraph::model::Term;
use serde_json::{Value, json};

use crate::common::in_process::Program;

/// A file of one question with one answer.
fn file(term: &str) -> Vec<u8> {
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
    let answers = json!([{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": cell}]}}]);
    let question =
        json!({"id": "1", "question": [{"language": "en", "string": "Which?"}], "answers": answers});
    json!({"dataset": {"id": "judged"}, "questions": [question]}).to_string().into_bytes()
}

/// The rule of the match of two terms; none where they do not match.
fn rule(program: &Program, gold: &str, system: &str) -> Option<String> {
    program.score(&file(gold), &file(system), |evaluation, _: Value| {
        let experiment = evaluation.experiment("QA")?;
        let pair = experiment.matching.questions[0].pairs.first()?;
        let rule = &experiment.rules.steps[usize::from(pair.step)].rule;
        Some(rule.trim_start_matches("match-").to_owned())
    })
}

#[test]
fn no_false_match_and_every_miss_is_named() {
    let program = Program::new("qassay", None, &[]);
    let mut wrong = Vec::new();
    let mut judged = [0, 0];
    for line in include_str!("judged_pairs.tsv").lines().skip(1) {
        let [verdict, _, _, gold, system, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six fields: {line}");
        };
        let wanted = match (verdict, why.strip_prefix("miss: ")) {
            ("same", None) => Some(why),
            ("same", Some(_)) | ("different", _) => None,
            ("debatable", _) => continue,
            _ => panic!("no verdict: {line}"),
        };
        judged[usize::from(wanted.is_some())] += 1;
        for (one, other) in [(gold, system), (system, gold)] {
            let found = rule(&program, one, other);
            if found.as_deref() != wanted {
                wrong.push(format!("{line}: {found:?}"));
            }
        }
    }
    assert!(judged.iter().all(|count| *count > 30), "{judged:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A column that only names another one is no answer, on either side; the label finds its resource.
#[test]
fn label_columns_are_no_answers() {
    let of = |rows: Value| {
        let answers = json!([{"head": {"vars": []}, "results": {"bindings": rows}}]);
        let question =
            json!({"id": "1", "question": [{"language": "en", "string": "Which?"}], "answers": answers});
        json!({"dataset": {"id": "labels"}, "questions": [question]}).to_string().into_bytes()
    };
    let iri = |name: &str| json!({"type": "uri", "value": format!("http://www.wikidata.org/entity/{name}")});
    let text = |text: &str| json!({"type": "literal", "value": text, "xml:lang": "en"});
    let labelled = |name: &str, label: &str| json!({"x": iri(name), "xLabel": text(label)});
    let gold = of(json!([labelled("Q1", "One"), labelled("Q2", "Two")]));
    let cases = [
        (json!([{"x": iri("Q1")}, {"x": iri("Q2")}]), [2, 0, 0]),
        (json!([labelled("Q1", "Uno"), labelled("Q2", "Two")]), [2, 0, 0]),
        (json!([{"name": text("One")}, {"xLabel": text("Two")}]), [2, 0, 0]),
        (json!([{"x": iri("Q1"), "year": text("One")}]), [1, 1, 1]),
        (json!([{"name": text("Three")}]), [0, 1, 2]),
    ];
    let program = Program::new("qassay", None, &[]);
    for (rows, wanted) in cases {
        let counts = |gold: &[u8], system: &[u8]| {
            program.score(gold, system, |_, json: Value| {
                let question = &json["experiments"]["QA"]["questions"][0];
                ["tp", "fp", "fn"].map(|name| question[name].as_u64().expect("a count"))
            })
        };
        let [tp, fp, missed] = wanted;
        let system = of(rows);
        assert_eq!(counts(&gold, &system), wanted, "{}", String::from_utf8_lossy(&system));
        assert_eq!(counts(&system, &gold), [tp, missed, fp], "{}", String::from_utf8_lossy(&system));
    }
}
