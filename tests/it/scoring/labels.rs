//! Labels in the default profile: a text where a resource is expected, and the way round. Every expectation is computed
//! by hand, and random ones by a second implementation that compares every pair.

use crate::common;
use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::common::in_process::Program;
use proptest::prelude::*;
use qassay::base::iri::Mint;
use qassay::references::{ReferenceInput, ReferenceKind};
use qassay::sources::file::source::Source;
use serde_json::{Value, json};

const PREFIXES: &str = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> . \
@prefix schema: <http://schema.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . \
@prefix dbr: <http://dbpedia.org/resource/> . @prefix wd: <http://www.wikidata.org/entity/> . ";

/// Two resources are called Berlin; Obama has two labels; some labels are in one language only.
const LABELS: &str = r#"
dbr:Berlin rdfs:label "Berlin"@en , "Berlin"@de , "Berlim"@pt . <http://dbpedia.org/resource/Berlin,_Connecticut> rdfs:label "Berlin"@en .
dbr:Barack_Obama skos:prefLabel "Barack Obama"@en ; skos:altLabel "Obama"@en , "Barry" ; schema:name "Barack"@en .
dbr:Germany rdfs:label "Germany"@en , "Deutschland"@de .
dbr:1984 rdfs:label "1984"@en .
dbr:Köln rdfs:label " Köln "@de .
"#;

fn dbr(name: &str) -> Value {
    json!({ "type": "uri", "value": format!("http://dbpedia.org/resource/{name}") })
}

fn text(text: &str) -> Value {
    json!({ "type": "literal", "value": text })
}

fn tagged(text: &str, tag: &str) -> Value {
    json!({ "type": "literal", "value": text, "xml:lang": tag })
}

fn asked(languages: &[&str], values: &[Value]) -> String {
    let bindings: Vec<Value> = values.iter().map(|value| json!({ "x": value })).collect();
    let texts: Vec<Value> =
        languages.iter().map(|language| json!({ "language": language, "string": "Which?" })).collect();
    json!({ "questions": [{
        "id": "1",
        "question": texts,
        "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": bindings } }],
    }]})
    .to_string()
}

fn program(labels: &str, links: &str) -> Program {
    let (labels, links) = (format!("{PREFIXES}{labels}"), format!("{PREFIXES}{links}"));
    let mut references = vec![(ReferenceKind::Labels, labels.as_str())];
    if links.len() > PREFIXES.len() {
        references.push((ReferenceKind::Links, links.as_str()));
    }
    Program::new("qassay", None, &references)
}

/// tp, fp and fn of a question in these languages.
fn counts(program: &Program, languages: &[&str], gold: &[Value], system: &[Value]) -> [u64; 3] {
    let json = program.json(&asked(languages, gold), &asked(&[], system));
    let question = &json["experiments"]["QA"]["questions"][0];
    ["tp", "fp", "fn"].map(|count| question[count].as_u64().expect("a count"))
}

fn in_english(gold: &[Value], system: &[Value]) -> [u64; 3] {
    counts(&program(LABELS, ""), &["en"], gold, system)
}

#[test]
fn a_text_names_a_resource_and_a_resource_is_named_by_a_text() {
    assert_eq!(in_english(&[dbr("Germany")], &[text("Germany")]), [1, 0, 0]);
    assert_eq!(in_english(&[text("Germany")], &[dbr("Germany")]), [1, 0, 0]);
    assert_eq!(in_english(&[dbr("Germany")], &[text("germany")]), [0, 1, 1], "case counts");
    assert_eq!(in_english(&[dbr("Germany")], &[text("Germany, Europe")]), [0, 1, 1]);
    assert_eq!(in_english(&[dbr("Germany")], &[dbr("Barack_Obama")]), [0, 1, 1]);
    // Two texts with a resource in common are not the same.
    assert_eq!(in_english(&[text("Barack Obama")], &[text("Obama")]), [0, 1, 1]);
}

#[test]
fn without_labels_nothing_is_resolved() {
    let plain = Program::new("qassay", None, &[]);
    assert_eq!(counts(&plain, &["en"], &[dbr("Germany")], &[text("Germany")]), [0, 1, 1]);
}

#[test]
fn all_resources_of_a_label_count_and_each_text_once() {
    let connecticut = || dbr("Berlin,_Connecticut");
    assert_eq!(in_english(&[dbr("Berlin")], &[text("Berlin")]), [1, 0, 0], "the other Berlin is no error");
    assert_eq!(in_english(&[connecticut()], &[text("Berlin")]), [1, 0, 0]);
    assert_eq!(in_english(&[dbr("Berlin"), connecticut()], &[text("Berlin")]), [1, 0, 1], "one to one");
    assert_eq!(in_english(&[text("Berlin")], &[dbr("Berlin"), connecticut()]), [1, 1, 0]);
    // As many pairs as possible: the text is left to the resource that nothing else matches.
    assert_eq!(in_english(&[dbr("Berlin"), connecticut()], &[text("Berlin"), dbr("Berlin")]), [2, 0, 0]);
}

#[test]
fn all_labels_of_a_resource_count() {
    for label in ["Barack Obama", "Obama", "Barry"] {
        assert_eq!(in_english(&[dbr("Barack_Obama")], &[text(label)]), [1, 0, 0], "{label}");
    }
    assert_eq!(in_english(&[dbr("Barack_Obama")], &[text("Obama"), text("Barry")]), [1, 1, 0], "one to one");
    assert_eq!(in_english(&[dbr("Barack_Obama")], &[text("Barack")]), [0, 1, 1], "schema:name is no label");
}

#[test]
fn labels_count_in_the_language_of_the_question() {
    let program = program(LABELS, "");
    let of = |languages: &[&str], value: Value| counts(&program, languages, &[dbr("Germany")], &[value])[0];
    assert_eq!(of(&["en"], text("Deutschland")), 0);
    assert_eq!(of(&["de"], text("Deutschland")), 1);
    assert_eq!(of(&["fr"], text("Deutschland")), 0);
    assert_eq!(of(&["fr", "de"], text("Deutschland")), 1, "any language of its texts");
    assert_eq!(of(&[], text("Deutschland")), 1, "any where none is known");
    let of = |languages: &[&str], value: Value| counts(&program, languages, &[dbr("Berlin")], &[value])[0];
    assert_eq!(of(&["pt_BR"], text("Berlim")), 1, "a region of the language");
    // A label without language is one in any.
    assert_eq!(counts(&program, &["ja"], &[dbr("Barack_Obama")], &[text("Barry")]), [1, 0, 0]);
}

#[test]
fn the_language_of_a_text_wins_over_that_of_the_question() {
    let program = program(LABELS, "");
    let of = |languages: &[&str], value: Value| counts(&program, languages, &[dbr("Germany")], &[value])[0];
    assert_eq!(of(&["en"], tagged("Deutschland", "de")), 1);
    assert_eq!(of(&["en"], tagged("Deutschland", "en")), 0);
    assert_eq!(of(&["de"], tagged("Deutschland", "en")), 0);
    assert_eq!(of(&["en"], tagged("Germany", "EN")), 1);
    assert_eq!(counts(&program, &["en"], &[dbr("Barack_Obama")], &[tagged("Barry", "de")]), [1, 0, 0]);
    assert_eq!(counts(&program, &["en"], &[tagged("Deutschland", "de")], &[dbr("Germany")]), [1, 0, 0]);
}

#[test]
fn the_user_may_name_the_language() {
    let mut program = program(LABELS, "");
    program.options.language = Some("de".to_owned());
    let of = |value: Value| counts(&program, &["en"], &[dbr("Germany")], &[value])[0];
    assert_eq!([of(text("Deutschland")), of(text("Germany")), of(tagged("Germany", "en"))], [1, 0, 1]);
}

#[test]
fn texts_are_normalised_and_values_are_no_labels() {
    let cologne = || json!({ "type": "uri", "value": "https://dbpedia.org/resource/K%C3%B6ln" });
    let program = program(LABELS, "");
    assert_eq!(counts(&program, &["de"], &[cologne()], &[text("Ko\u{308}ln")]), [1, 0, 0]);
    let number =
        json!({ "type": "literal", "value": "1984", "datatype": "http://www.w3.org/2001/XMLSchema#integer" });
    assert_eq!(in_english(&[dbr("1984")], &[number]), [0, 1, 1]);
    assert_eq!(in_english(&[dbr("1984")], &[text("1984")]), [1, 0, 0]);
}

#[test]
fn an_empty_text_names_nothing() {
    let labels = "dbr:Nothing rdfs:label \"\"@en , \" \"@en . dbr:Something rdfs:label \"thing\"@en .";
    let program = program(labels, "");
    for empty in ["", " ", "\u{a0}"] {
        assert_eq!(counts(&program, &["en"], &[dbr("Nothing")], &[text(empty)]), [0, 1, 1], "{empty:?}");
        assert_eq!(counts(&program, &["en"], &[text(empty)], &[dbr("Nothing")]), [0, 1, 1], "{empty:?}");
    }
    let source =
        Source::from_bytes("labels.ttl", format!("{PREFIXES}{labels}").into_bytes()).expect("a source");
    let read = ReferenceInput::open(ReferenceKind::Labels, source, &Mint::default()).expect("labels");
    let told: Vec<(&str, &str)> =
        read.issues().iter().map(|issue| (issue.code.name(), issue.message.as_str())).collect();
    assert_eq!(told, [("empty-label", "2 labels are empty and name nothing")]);
}

#[test]
fn labels_of_linked_resources_count() {
    let program = program(
        LABELS,
        "dbr:Germany owl:sameAs wd:Q183 . wd:Q183 owl:sameAs <http://de.dbpedia.org/resource/Deutschland> .",
    );
    for resource in [
        "http://www.wikidata.org/entity/Q183",
        "https://www.wikidata.org/wiki/Q183",
        "http://de.dbpedia.org/resource/Deutschland",
    ] {
        let resource = json!({ "type": "uri", "value": resource });
        assert_eq!(counts(&program, &["en"], std::slice::from_ref(&resource), &[text("Germany")]), [1, 0, 0]);
        assert_eq!(counts(&program, &["en"], &[text("Germany")], &[resource]), [1, 0, 0]);
    }
}

#[test]
fn only_the_items_of_answers_are_resolved() {
    let json = program(LABELS, "").json(&asked(&["en"], &[dbr("Germany")]), &asked(&[], &[text("Germany")]));
    assert_eq!(json["experiments"]["QA"]["questions"][0]["tp"], 1);
    assert_eq!(
        json["experiments"]["AT"]["questions"][0]["tp"], 0,
        "a resource is asked for, a string is given"
    );
}

#[test]
fn a_match_names_its_label() {
    let program = program(LABELS, "dbr:Germany owl:sameAs wd:Q183 .");
    let gold = asked(&["en"], &[json!({ "type": "uri", "value": "https://www.wikidata.org/wiki/Q183" })]);
    let found =
        program.score(gold.as_bytes(), asked(&[], &[text(" Germany")]).as_bytes(), |evaluation, _| {
            let experiment = evaluation.experiment("QA").expect("QA");
            let matched = &experiment.matching.questions[0];
            let [pair] = matched.pairs[..] else { panic!("one pair") };
            let rule = &experiment.rules.steps[usize::from(pair.step)].rule;
            let terms = [matched.gold[0], matched.system[0]].map(|number| experiment.matching.term(number));
            let labelled = evaluation.labelled(0, rule, terms[0], terms[1]).expect("a label");
            let normalisations = evaluation.normalisations(0, rule, terms[0], terms[1]);
            (
                rule.clone(),
                labelled.label.resource.to_owned(),
                labelled.label.property,
                labelled.label.literal.to_string(),
                labelled.by_links,
                normalisations,
            )
        });
    let expected = (
        "match-label".to_owned(),
        "http://dbpedia.org/resource/Germany".to_owned(),
        "http://www.w3.org/2000/01/rdf-schema#label",
        "\"Germany\"@en".to_owned(),
        true,
        vec!["norm-scheme", "norm-text-trim", "norm-wikidata-page"],
    );
    assert_eq!(found, expected);
}

#[test]
fn gerbil_reads_rdfs_labels_only() {
    let labels = format!("{PREFIXES}{LABELS}");
    let gerbil = |gold: &Value, system: &Value| {
        let program = Program::new("gerbil", None, &[(ReferenceKind::Labels, &labels)]);
        counts(&program, &["en"], std::slice::from_ref(gold), std::slice::from_ref(system))
    };
    assert_eq!(gerbil(&dbr("Germany"), &text("Germany")), [1, 0, 0]);
    assert_eq!(gerbil(&dbr("Berlin"), &text("Berlin")), [1, 1, 0], "its second hit is an error");
    assert_eq!(gerbil(&dbr("Barack_Obama"), &text("Obama")), [0, 1, 1]);
    assert_eq!(gerbil(&dbr("Köln"), &text("Köln")), [0, 1, 1], "its text is exact");
}

// A second implementation: every pair is compared as the definition says.

const RESOURCES: [&str; 6] = [
    "http://example.org/a",
    "https://example.org/a",
    "http://example.org/b",
    "http://example.org/c",
    "http://www.wikidata.org/entity/Q1",
    "http://www.wikidata.org/wiki/Q1",
];
/// The normal form of each: the number of a resource.
const FORMS: [usize; 6] = [0, 0, 2, 3, 4, 4];
const TEXTS: [&str; 5] = ["x", " x", "X", "é", "e\u{301}"];
/// The text of each after trimming and NFC.
const PLAIN: [usize; 5] = [0, 0, 2, 3, 3];
const TAGS: [&str; 5] = ["", "en", "de", "pt", "pt-br"];
const PROPERTIES: [&str; 3] = ["rdfs:label", "skos:prefLabel", "skos:altLabel"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Resource(usize),
    Text(usize, usize),
}

fn agree(a: usize, b: usize) -> bool {
    a == b || [a, b] == [3, 4] || [a, b] == [4, 3]
}

struct Naive<'a> {
    same: [[bool; 6]; 6],
    labels: &'a [(usize, usize, usize, usize)],
    languages: &'a [usize],
}

impl Naive<'_> {
    fn is_label(&self, resource: usize, (text, tag): (usize, usize)) -> bool {
        self.labels.iter().any(|&(labelled, _, label, language)| {
            let in_language = match (language, tag) {
                (0, _) => true,
                (_, 0) => self.languages.is_empty() || self.languages.iter().any(|&l| agree(l, language)),
                _ => agree(tag, language),
            };
            self.same[resource][labelled] && PLAIN[text] == PLAIN[label] && in_language
        })
    }

    fn matches(&self, gold: Item, system: Item) -> bool {
        match (gold, system) {
            (Item::Resource(a), Item::Resource(b)) => self.same[a][b],
            // Tags do not count: one text in two languages is one name (`language-variant`).
            (Item::Text(a, _), Item::Text(b, _)) => PLAIN[a] == PLAIN[b],
            (Item::Resource(resource), Item::Text(text, tag))
            | (Item::Text(text, tag), Item::Resource(resource)) => self.is_label(resource, (text, tag)),
        }
    }

    /// The most pairs: tries every partner of the first gold item, and none.
    fn most(&self, gold: &[Item], system: &[Item]) -> u64 {
        let Some((first, rest)) = gold.split_first() else { return 0 };
        let without = self.most(rest, system);
        let partners = (0..system.len()).filter(|&at| self.matches(*first, system[at]));
        let with = partners.map(|at| {
            let mut others = system.to_vec();
            others.remove(at);
            1 + self.most(rest, &others)
        });
        with.max().unwrap_or_default().max(without)
    }
}

fn closed(links: &[(usize, usize)]) -> [[bool; 6]; 6] {
    let mut same = [[false; 6]; 6];
    let forms = FORMS.iter().copied().enumerate();
    for (a, b) in forms.chain(links.iter().copied()).chain((0..6).map(|n| (n, n))) {
        (same[a][b], same[b][a]) = (true, true);
    }
    for middle in 0..6 {
        for a in 0..6 {
            for b in 0..6 {
                same[a][b] |= same[a][middle] && same[middle][b];
            }
        }
    }
    same
}

fn item() -> impl Strategy<Value = Item> {
    prop_oneof![
        (0..RESOURCES.len()).prop_map(Item::Resource),
        (0..TEXTS.len(), 0..TAGS.len()).prop_map(|(text, tag)| Item::Text(text, tag)),
    ]
}

fn shown(item: Item) -> Value {
    match item {
        Item::Resource(number) => json!({ "type": "uri", "value": RESOURCES[number] }),
        Item::Text(number, 0) => text(TEXTS[number]),
        Item::Text(number, tag) => tagged(TEXTS[number], TAGS[tag]),
    }
}

proptest! {
    #[test]
    fn as_many_pairs_as_comparing_every_pair_finds(
        gold in prop::collection::btree_set(item(), 0..5),
        system in prop::collection::btree_set(item(), 0..5),
        labels in prop::collection::vec((0..6usize, 0..3usize, 0..5usize, 0..5usize), 1..8),
        links in prop::collection::vec((0..6usize, 0..6usize), 0..3),
        languages in prop::collection::btree_set(1..TAGS.len(), 0..3),
        named in prop::option::weighted(0.3, 1..TAGS.len()),
    ) {
        let label = |&(resource, property, text, tag): &(usize, usize, usize, usize)| {
            let tag = if tag == 0 { String::new() } else { format!("@{}", TAGS[tag]) };
            format!("<{}> {} \"{}\"{tag} .\n", RESOURCES[resource], PROPERTIES[property], TEXTS[text])
        };
        let link = |&(from, to): &(usize, usize)| format!("<{}> owl:sameAs <{}> .\n", RESOURCES[from], RESOURCES[to]);
        let mut program = program(&labels.iter().map(label).collect::<String>(), &links.iter().map(link).collect::<String>());
        program.options.language = named.map(|tag| TAGS[tag].to_owned());
        let tags: Vec<&str> = languages.iter().map(|&tag| TAGS[tag]).collect();
        let values = |items: &BTreeSet<Item>| items.iter().copied().map(shown).collect::<Vec<_>>();
        let found = counts(&program, &tags, &values(&gold), &values(&system));

        let languages: Vec<usize> = named.map_or_else(|| languages.iter().copied().collect(), |tag| vec![tag]);
        let naive = Naive { same: closed(&links), labels: &labels, languages: &languages };
        let (gold, system): (Vec<Item>, Vec<Item>) = (gold.into_iter().collect(), system.into_iter().collect());
        let pairs = naive.most(&gold, &system);
        prop_assert_eq!(found, [pairs, system.len() as u64 - pairs, gold.len() as u64 - pairs]);
    }
}

/// What is kept of an evaluation with labels and types: every statement with its property, and an archive that holds.
#[test]
fn an_archive_keeps_labels_and_types_with_their_properties() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("gold.json", &asked(&["en"], &[dbr("Barack_Obama"), dbr("Germany")]));
    write(
        "answers.json",
        &asked(
            &[],
            &[
                text("Obama"),
                json!({ "type": "uri", "value": "http://www.wikidata.org/entity/Q183" }),
                dbr("Berlin"),
            ],
        ),
    );
    write("labels.ttl", &format!("{PREFIXES}{LABELS}"));
    write(
        "kb.ttl",
        &format!("{PREFIXES} dbr:Germany a dbr:Land ; rdfs:label \"Germany\"@en . dbr:Berlin a dbr:Town ."),
    );
    write("links.ttl", &format!("{PREFIXES} dbr:Germany owl:sameAs wd:Q183 ."));
    let labels = ["--labels", "labels.ttl", "--labels", "kb.ttl"];
    let others = ["--types", "kb.ttl", "--links", "links.ttl", "--format", "json"];
    let json = common::qassay(
        folder.path(),
        ["evaluate", "gold.json", "answers.json"].iter().chain(&labels).chain(&others),
    )
    .json();
    let evaluation = &json["evaluations"][0];
    assert_eq!(
        [&evaluation["labels"], &evaluation["types"]].map(|files| files.as_array().map(Vec::len)),
        [Some(2), Some(1)]
    );
    let questions = |experiment: &str| {
        let question = &evaluation["experiments"][experiment]["questions"][0];
        ["tp", "fp", "fn"].map(|count| question[count].as_u64().expect("a count"))
    };
    assert_eq!(questions("QA"), [2, 1, 0]);
    assert_eq!(questions("AIT2KB"), [1, 1, 0], "Land; Town");

    let graphs = folder.path().join("qassay-archive/graphs");
    let read = |path: &PathBuf| common::kept_text(&graphs.join(path));
    let quads: String = common::files_below(&graphs).iter().map(read).collect();
    let stated = |subject: &str, property: &str, object: &str, graph: &str| {
        quads.lines().any(|line| {
            line.starts_with(&format!("<http://dbpedia.org/resource/{subject}> <{property}> {object} <https://w3id.org/qassay/graph/{graph}/"))
        })
    };
    assert!(stated(
        "Barack_Obama",
        "http://www.w3.org/2004/02/skos/core#prefLabel",
        "\"Barack Obama\"@en",
        "labels"
    ));
    assert!(stated("Barack_Obama", "http://www.w3.org/2004/02/skos/core#altLabel", "\"Barry\"", "labels"));
    assert!(stated("Germany", "http://www.w3.org/2000/01/rdf-schema#label", "\"Germany\"@en", "labels"));
    assert!(stated(
        "Berlin",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
        "<http://dbpedia.org/resource/Town>",
        "types"
    ));
    assert!(!quads.contains("\"Barack\"@en"), "schema:name is no label");

    let verified = common::qassay(folder.path(), ["verify"]).ok();
    assert!(!verified.contains("FAILED"), "{verified}");
    let iri = evaluation["evaluation"].as_str().expect("an IRI");
    let explained = common::qassay(folder.path(), ["explain", iri, "1"]).ok();
    let both = explained.split("gold query").next().unwrap_or_default();
    insta::assert_snapshot!(both, @r#"
    question 1 (answered)
      en     Which?

    tp 2   fp 1   fn 0   precision 0.666666666667   recall 1   F1 0.8

    both (2)
      http://dbpedia.org/resource/Barack_Obama  ~  "Obama"
          rule label
          <http://dbpedia.org/resource/Barack_Obama> skos:altLabel "Obama"@en  in https://w3id.org/qassay/labels/29a518a68773b5c8b1e87db7eef2ed5b
      http://dbpedia.org/resource/Germany  ~  http://www.wikidata.org/entity/Q183
          rule sameas
          <http://dbpedia.org/resource/Germany> owl:sameAs <http://www.wikidata.org/entity/Q183>  in https://w3id.org/qassay/links/9c03a6b194b0333e267a6f4c8a3caf11

    extra (1)
      http://dbpedia.org/resource/Berlin
    "#);
    let explained = common::qassay(folder.path(), ["explain", iri, "1", "--experiment", "AIT2KB"]).ok();
    assert!(explained.contains("classes of the answers (rdf:type)"), "{explained}");
}

/// CK25: MIPT answers two questions with the names of what is asked for. The labels are those of the graph that the
/// questions are about; no other question changes.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn two_answers_of_a_published_system_are_labels() {
    const PAGES: &str = "AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs";
    let mirror = common::mirror();
    let folder = tempfile::TempDir::new().expect("a folder");
    let file = |path: &str| mirror.join(PAGES).join(path).display().to_string();
    let (gold, answers) =
        (file("benchmark/ck25_true_result_set.json"), file("results/MIPT/ck25_system_result_set.json"));
    let questions = |options: &[&str]| {
        let arguments = ["evaluate", &gold, &answers, "-x", "QA", "--no-archive", "--format", "json"];
        let json = common::qassay(folder.path(), arguments.iter().chain(options)).json();
        let questions = json["evaluations"][0]["experiments"]["QA"]["questions"].as_array().cloned();
        questions.expect("questions")
    };
    let graph = file("data/prod-inst.ttl");
    let (without, with) = (questions(&[]), questions(&["--labels", &graph]));
    let changed = without.iter().zip(&with).filter(|(a, b)| a != b).map(|(a, b)| {
        let counts = |question: &Value| ["tp", "fp", "fn"].map(|count| question[count].as_u64());
        (a["id"].as_str().unwrap_or_default(), counts(a), counts(b))
    });
    assert_eq!(
        changed.collect::<Vec<_>>(),
        [
            ("ck25:3-en", [Some(0), Some(1), Some(1)], [Some(1), Some(0), Some(0)]),
            ("ck25:31-en", [Some(2), Some(26), Some(26)], [Some(28), Some(0), Some(0)]),
        ]
    );
}
