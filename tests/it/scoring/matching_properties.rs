//! What holds for every dataset and every submission in the default profile, on random small files.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::in_process::Program;
use proptest::prelude::*;
use qassay::references::ReferenceKind;
use qassay::scoring::evaluation::Evaluation;
use serde_json::{Value, json};

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Resources, some of them in several spellings.
const RESOURCES: [&str; 13] = [
    "http://dbpedia.org/resource/A",
    "https://dbpedia.org/resource/A",
    "http://en.dbpedia.org/page/A",
    "http://dbpedia.org/resource/K%C3%B6ln",
    "http://dbpedia.org/resource/Köln",
    "http://dbpedia.org/resource/Ko\u{308}ln",
    "http://www.wikidata.org/entity/Q1",
    "https://www.wikidata.org/wiki/Q1",
    "http://wikidata.org/entity/Q2",
    "http://www.wikidata.org/entity/Q2",
    "http://yago-knowledge.org/resource/A",
    "http://example.org/a",
    "https://example.org/b",
];

/// Texts and datatypes or language tags of literals: some have one value, some one text, some one day.
const LITERALS: [(&str, &str); 30] = [
    ("1", ""),
    ("01", ""),
    ("1.0", ""),
    ("1", "integer"),
    ("01", "integer"),
    ("+1", "int"),
    ("1.00", "decimal"),
    ("1e0", "double"),
    ("1", "float"),
    ("0.1", "float"),
    ("0.1", "double"),
    ("0.1", "decimal"),
    ("-0", "double"),
    ("0", ""),
    ("x", ""),
    (" x ", ""),
    ("x", "@en"),
    ("x", "@EN"),
    ("x", "@de"),
    ("é", "@fr"),
    ("e\u{301}", ""),
    ("2000-01-01", ""),
    ("2000-01-01", "date"),
    ("2000-01-01Z", "date"),
    ("2000-01-01T00:00:00Z", "dateTime"),
    ("2000-01-01T01:00:00+01:00", "dateTime"),
    ("2000", "gYear"),
    ("2000", ""),
    ("true", ""),
    ("1", "boolean"),
];

const PROPERTIES: [&str; 5] = [
    "http://dbpedia.org/ontology/p",
    "https://dbpedia.org/ontology/p",
    "http://dbpedia.org/ontology/q",
    "http://www.wikidata.org/prop/direct/P1",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
];

/// A place in a triple pattern, or an item of an answer.
#[derive(Debug, Clone, Copy)]
enum Thing {
    Variable,
    Resource(usize),
    Literal(usize),
}

type Triple = (Thing, Option<usize>, Thing);

/// One side of a question.
#[derive(Debug, Clone)]
struct Side {
    answers: Vec<Thing>,
    patterns: Vec<Triple>,
}

#[derive(Debug, Clone)]
struct Case {
    questions: Vec<(Side, Side)>,
    /// Pairs of resources, and of properties after them.
    links: Vec<(usize, usize)>,
}

fn resource() -> impl Strategy<Value = Thing> {
    (0..RESOURCES.len()).prop_map(Thing::Resource)
}

fn literal() -> impl Strategy<Value = Thing> {
    (0..LITERALS.len()).prop_map(Thing::Literal)
}

fn side() -> impl Strategy<Value = Side> {
    let subject = prop_oneof![1 => Just(Thing::Variable), 2 => resource()];
    let property = prop::option::weighted(0.9, 0..PROPERTIES.len());
    let object = prop_oneof![1 => Just(Thing::Variable), 1 => resource(), 1 => literal()];
    let answers = prop::collection::vec(prop_oneof![resource(), literal()], 0..7);
    let patterns = prop::collection::vec((subject, property, object), 1..5);
    (answers, patterns).prop_map(|(answers, patterns)| Side { answers, patterns })
}

fn case() -> impl Strategy<Value = Case> {
    let nodes = RESOURCES.len() + PROPERTIES.len();
    let links = prop::collection::vec((0..nodes, 0..nodes), 0..6);
    let questions = prop::collection::vec((side(), side()), 1..4);
    (questions, links).prop_map(|(questions, links)| Case { questions, links })
}

fn node(number: usize) -> &'static str {
    RESOURCES.get(number).copied().unwrap_or_else(|| PROPERTIES[number - RESOURCES.len()])
}

fn answer(thing: Thing) -> Value {
    let value = match thing {
        Thing::Literal(number) => {
            let (text, kind) = LITERALS[number];
            let mut value = json!({ "type": "literal", "value": text });
            match kind.strip_prefix('@') {
                Some(language) => value["xml:lang"] = json!(language),
                None if kind.is_empty() => {}
                None => value["datatype"] = json!(format!("{XSD}{kind}")),
            }
            value
        }
        Thing::Resource(number) => json!({ "type": "uri", "value": RESOURCES[number] }),
        Thing::Variable => panic!("answers have no variables"),
    };
    json!({ "x": value })
}

fn written(thing: Thing, number: usize) -> String {
    match thing {
        Thing::Variable => format!("?v{number}"),
        Thing::Resource(number) => format!("<{}>", RESOURCES[number]),
        Thing::Literal(number) => match LITERALS[number] {
            (text, "") => format!("\"{text}\""),
            (text, kind) if kind.starts_with('@') => format!("\"{text}\"{kind}"),
            (text, kind) => format!("\"{text}\"^^<{XSD}{kind}>"),
        },
    }
}

fn question(id: usize, side: &Side) -> Value {
    let pattern = |(number, (subject, property, object)): (usize, &Triple)| {
        let property = property.map_or("?p".to_owned(), |number| format!("<{}>", PROPERTIES[number]));
        format!("{} {property} {} .", written(*subject, number), written(*object, number + 1))
    };
    let patterns: Vec<String> = side.patterns.iter().enumerate().map(pattern).collect();
    let bindings: Vec<Value> = side.answers.iter().map(|&thing| answer(thing)).collect();
    json!({
        "id": id.to_string(),
        "question": [{ "language": "en", "string": "?" }],
        "query": { "sparql": format!("SELECT * WHERE {{ {} }}", patterns.join(" ")) },
        "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": bindings } }],
    })
}

/// An order that a number decides.
fn shuffled<T: Clone>(items: &[T], mut seed: u64) -> Vec<T> {
    let mut items = items.to_vec();
    for last in (1..items.len()).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(last, usize::try_from(seed >> 33).unwrap_or_default() % (last + 1));
    }
    items
}

impl Case {
    fn file(&self, of: fn(&(Side, Side)) -> &Side, shuffle: Option<u64>) -> String {
        let question = |(number, pair): (usize, &(Side, Side))| {
            let mut side = of(pair).clone();
            if let Some(seed) = shuffle {
                side.answers = shuffled(&side.answers, seed);
                side.patterns = shuffled(&side.patterns, seed);
            }
            question(number + 1, &side)
        };
        let questions: Vec<Value> = self.questions.iter().enumerate().map(question).collect();
        let questions = shuffle.map_or_else(|| questions.clone(), |seed| shuffled(&questions, seed));
        json!({ "dataset": { "id": "random" }, "questions": questions }).to_string()
    }

    fn gold(&self) -> String {
        self.file(|(gold, _)| gold, None)
    }

    fn system(&self) -> String {
        self.file(|(_, system)| system, None)
    }

    fn program(&self, shuffle: Option<u64>) -> Program {
        let link = |&(from, to): &(usize, usize)| {
            format!("<{}> <http://www.w3.org/2002/07/owl#sameAs> <{}> .\n", node(from), node(to))
        };
        let links: Vec<String> = self.links.iter().map(link).collect();
        let links = shuffle.map_or_else(|| links.clone(), |seed| shuffled(&links, seed)).concat();
        let references: &[(ReferenceKind, &str)] =
            if links.is_empty() { &[] } else { &[(ReferenceKind::Links, &links)] };
        Program::new("qassay", None, references)
    }
}

/// tp, fp and fn of every question of every experiment type but AT, by their names; what is skipped is not there.
type Counted = BTreeMap<(String, String), [u64; 3]>;

fn counted(json: &Value) -> Counted {
    let experiments = json["experiments"].as_object().into_iter().flatten();
    let rows = experiments.filter(|(name, _)| *name != "AT").flat_map(|(name, experiment)| {
        let questions = experiment["questions"].as_array().into_iter().flatten();
        questions.map(move |question| {
            let id = question["id"].as_str().unwrap_or_default().to_owned();
            let counts = ["tp", "fp", "fn"].map(|count| question[count].as_u64().unwrap_or(u64::MAX));
            ((name.clone(), id), counts)
        })
    });
    rows.collect()
}

/// Items that are in two pairs.
fn paired_twice(evaluation: &Evaluation) -> usize {
    let mut twice = 0;
    for question in evaluation.experiments.iter().flat_map(|experiment| &experiment.matching.questions) {
        let gold: BTreeSet<u32> = question.pairs.iter().map(|pair| pair.gold).collect();
        let system: BTreeSet<u32> = question.pairs.iter().map(|pair| pair.system).collect();
        twice += 2 * question.pairs.len() - gold.len() - system.len();
        let of_items = |numbers: BTreeSet<u32>, items: &[u32]| {
            numbers.into_iter().all(|number| (number as usize) < items.len())
        };
        twice += usize::from(!of_items(gold, &question.gold) || !of_items(system, &question.system));
        twice += usize::from(question.counts.matched != question.pairs.len() as u64);
    }
    twice
}

/// Measures of a file against itself that are not perfect.
fn imperfect(evaluation: &Evaluation) -> Vec<String> {
    let mut found = Vec::new();
    for experiment in &evaluation.experiments {
        for group in &experiment.groups {
            for name in ["microPrecision", "microRecall", "microF1", "macroF1", "macroF1Qald", "exactMatch"] {
                let value = group.value(name).map(|value| value.value.to_decimal());
                if value.as_deref() != Some("1") {
                    found.push(format!("{} {} {name}: {value:?}", experiment.name(), group.name));
                }
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn matching_is_symmetric(case in case()) {
        let program = case.program(None);
        let there = counted(&program.json(&case.gold(), &case.system()));
        let back = counted(&program.json(&case.system(), &case.gold()));
        let turned: Counted = back.into_iter().map(|(name, [tp, fp, missed])| (name, [tp, missed, fp])).collect();
        prop_assert_eq!(there, turned);
    }

    #[test]
    fn order_does_not_matter(case in case(), seed in any::<u64>()) {
        let (gold, system) = (case.gold(), case.system());
        let straight = counted(&case.program(None).json(&gold, &system));
        let gold = case.file(|(gold, _)| gold, Some(seed));
        let system = case.file(|(_, system)| system, Some(seed.rotate_left(7)));
        prop_assert_eq!(straight, counted(&case.program(Some(seed)).json(&gold, &system)));
    }

    #[test]
    fn no_item_is_paired_twice(case in case()) {
        let (gold, system) = (case.gold(), case.system());
        let twice =
            case.program(None).score(gold.as_bytes(), system.as_bytes(), |evaluation, _| paired_twice(evaluation));
        prop_assert_eq!(twice, 0);
    }

    #[test]
    fn a_file_against_itself_is_perfect(case in case()) {
        let gold = case.gold();
        let (imperfect, names) = case.program(None).score(gold.as_bytes(), gold.as_bytes(), |evaluation, json| {
            let names: Vec<String> = counted(&json).into_keys().map(|(experiment, _)| experiment).collect();
            (imperfect(evaluation), names)
        });
        prop_assert_eq!(imperfect, Vec::<String>::new());
        for experiment in ["QA", "RE2KB"] {
            let scored = names.iter().filter(|name| *name == experiment).count();
            prop_assert_eq!(scored, case.questions.len(), "{} is scored", experiment);
        }
    }

    #[test]
    fn links_and_more_answers_lose_no_match(case in case()) {
        let (gold, system) = (case.gold(), case.system());
        let with_links = counted(&case.program(None).json(&gold, &system));
        let without = Case { links: Vec::new(), ..case.clone() };
        for (name, [tp, _, _]) in counted(&without.program(None).json(&gold, &system)) {
            prop_assert!(with_links[&name][0] >= tp, "{name:?}: links lose a match");
        }
        let mut more = case.clone();
        for (gold, system) in &mut more.questions {
            system.answers.extend(&gold.answers);
        }
        let found = counted(&more.program(None).json(&more.gold(), &more.system()));
        for ((_, _), [_, _, missed]) in found.iter().filter(|((experiment, _), _)| experiment == "QA") {
            prop_assert_eq!(*missed, 0, "a system that gives all gold answers misses none");
        }
    }
}
