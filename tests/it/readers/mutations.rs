//! Damaged files: no reader panics, and none loses a question that is still there.

use proptest::prelude::*;
use qassay::sources::document::Document;
use qassay::sources::file::source::Source;
use qassay::sources::format::{FORMATS, read};
use serde_json::Value;

use crate::common::find_shared;

const QALD: &str = r#"{"dataset": {"id": "qald-9"}, "questions": [
 {"id": "1", "answertype": "resource", "aggregation": false, "hybrid": "FALSE",
  "question": [{"language": "en", "string": "Which Städte?", "keywords": "cities"}, {"language": "de"}],
  "query": {"sparql": "SELECT ?uri { ?uri a <http://e/City> }"},
  "answers": [{"head": {"vars": ["uri"]}, "results": {"bindings": [
   {"uri": {"type": "uri", "value": "http://e/Bonn"}}, {"\"uri\"": {"type": "literal", "xml:lang": "en", "value": "x"}}]}}]},
 {"id": 2, "body": [{"language": "en", "string": "Is it?"}], "query": "OUT OF SCOPE", "answers": [{"string": "v"}]},
 {"question": {"id": "3", "metadata": {"onlydbo": true}, "language": [{"language": "en", "question": "?", "SPARQL": "ASK {}"}],
  "answers": {"head": {}, "results": {}, "boolean": true}}},
 {"id": "4", "metadata": {"answertype": "Date", "answeritemtype": ["dbo:X"]}, "error": "timeout", "time": 1.5,
  "question": [{"language": "en", "string": "?", "annotations": [{"char_begin": "1", "URI": "dbr:B", "type": "ENTITY"}]}],
  "query": {"SPARQL": "", "schemaless ": "x"},
  "answers": [{"bindings": [{"result": {"type": "number", "value": "1"}}], "confidence": "0.9"}]},
 {"id": "5", "answers": "{\"head\": {\"vars\": [\"x\"]}, \"results\": {\"bindings\": []}}"}]}"#;

const WIKI_WEB: &str = r#"[{"id": "WebQTrn-1", "utterance": "who?", "sparql": "SELECT ?x {}",
 "results": [{"x": {"type": "uri", "value": "a"}}]},
 {"dev_set_id": "WebQTrn-2", "predicted_sparql": "p", "executable_sparql": "ASK {}", "results": true},
 {"id": "3", "utterance": "what?", "results": null}]"#;

const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<dataset id="d"><!-- <question id="0"/> -->
<question id="1" answertype="resource" aggregation="false" onlydbo="true"><string lang="en"><![CDATA[Who & what?]]></string>
<keywords lang="de">wer &amp; was</keywords><query><![CDATA[SELECT ?x { ?x a <http://e/C> }]]>
</query><answers><answer><uri>http://e/a</uri><string>Ä</string></answer><number>5</number></answers></question>
<question id="2" hybrid="true"><string>Q</string><pseudoquery>OUT OF SCOPE</pseudoquery><answers/></question>
<question id="3" cubeuri="c"><query>select<answers><answer answerType="number">5</answer>
<!-- also --><answer><sum answerType="number">7</sum></answer></answers></query></question>
</dataset>
"#;

const LINES: &str = r#"{"dataset": {"id": "d"}}
{"id": "1", "question": [{"language": "en", "string": "Who?"}], "answers": [{"head": {}, "boolean": true}]}

{"id": 2, "question": "Welche Städte?", "lang": "de", "sparql": "ASK {}", "answers": ["http://e/a", 3]}
{"question": "OUT OF SCOPE", "answer": null, "foo": {"bar": [1]}}
"#;

const NLQ: &str = r#"[{"id": "2", "lang": "en", "question": "Who?", "answer": "x", "type": "1-1", "sparql": "SELECT ?x {}"},
 {"id": "2", "lang": "ko", "question": "누구?", "answer": "y", "type": "1-1", "sparql": "SELECT ?y {}"},
 {"id": "", "lang": "en", "question": "What?", "answer": "2009", "type": "1-2", "sparql": "ASK {}"},
 {"id": "", "lang": "ko", "question": "무엇?", "answer": "2009", "type": "1-2", "sparql": "ASK {}"}]"#;

const YAML: &str = "# questions\n---\ndataset:\n  id: d\n  prefix: db25\nquestions:\n  - id: 1\n    question:\n      en: \"Which?\"\n      es: '¿Cuál?'\n    features: [RESULT_ORDER_MATTERS, OTHER]\n    query:\n      sparql: |\n        ASK {}\n  - {id: 2, question: {en: Who?}, query: {sparql: OUT OF SCOPE}}\n";

/// Real files that are small enough to be damaged often.
const REAL: [&str; 4] = [
    "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/8/data/qald-8-test-multilingual.json",
    "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/6/data/qald-6-test-hybrid.json",
    "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/4/data/qald-4_hybrid_train.xml",
    "AKSW/hawk/1bf61d2ec1317a5529326e2da021897b6d7adaf7/results/CLEF_2015_hybrid_QA/answer_featurebased_qald-5_test_questions.xml",
];

fn seeds() -> Vec<Vec<u8>> {
    let real = find_shared().into_iter().flat_map(|shared| {
        REAL.map(|file| std::fs::read(shared.join("data/mirror").join(file)).expect("a file of the mirror"))
    });
    [QALD, WIKI_WEB, XML, LINES, NLQ, YAML]
        .into_iter()
        .map(|text| text.as_bytes().to_vec())
        .chain(real)
        .collect()
}

/// A change of the bytes. Places are fractions of the length, so that they fit every file.
#[derive(Debug, Clone)]
enum Damage {
    Cut(f64),
    Set(f64, u8),
    Remove(f64, usize),
    Repeat(f64, usize),
    Insert(f64, &'static str),
    Replace(usize, usize),
}

/// Bytes and words that mean something in one of the formats.
const WORDS: [&str; 22] = [
    "*a ",
    "&a ",
    "\n- ",
    ": ",
    "null",
    "[]",
    "{}",
    "\"",
    "\\",
    "\\ud800",
    "-1e999",
    "\0",
    "\u{feff}",
    "<",
    ">",
    "&",
    "&amp;",
    "]]>",
    "<!--",
    "</question>",
    "<question id=\"x\">",
    "\"questions\": 1,",
];

fn damage() -> impl Strategy<Value = Damage> {
    let place = || 0.0..1.0_f64;
    prop_oneof![
        1 => place().prop_map(Damage::Cut),
        3 => (place(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        2 => (place(), 1..200_usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        2 => (place(), 1..2000_usize).prop_map(|(at, length)| Damage::Repeat(at, length)),
        3 => (place(), prop::sample::select(&WORDS[..])).prop_map(|(at, word)| Damage::Insert(at, word)),
        3 => (0..1000_usize, 0..1000_usize).prop_map(|(at, with)| Damage::Replace(at, with)),
    ]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a place in a small file"
)]
fn place(bytes: &[u8], fraction: f64) -> usize {
    (bytes.len() as f64 * fraction) as usize
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let end = |at: usize, length: usize, bytes: &[u8]| (at + length).min(bytes.len());
    match *damage {
        Damage::Cut(at) => bytes.truncate(place(bytes, at)),
        Damage::Set(at, byte) => {
            let at = place(bytes, at);
            if let Some(slot) = bytes.get_mut(at) {
                *slot = byte;
            }
        }
        Damage::Remove(at, length) => {
            let at = place(bytes, at);
            bytes.drain(at..end(at, length, bytes));
        }
        Damage::Repeat(at, length) => {
            let at = place(bytes, at);
            let chunk = bytes[at..end(at, length, bytes)].to_vec();
            bytes.splice(at..at, chunk);
        }
        Damage::Insert(at, word) => {
            let at = place(bytes, at);
            bytes.splice(at..at, word.bytes());
        }
        Damage::Replace(at, with) => replace_word(bytes, at, with),
    }
}

/// Puts another word of the file in the place of one: keys are swapped, values change their type.
fn replace_word(bytes: &mut Vec<u8>, at: usize, with: usize) {
    let words: Vec<(usize, usize)> = words(bytes);
    if words.is_empty() {
        return;
    }
    let (start, end) = words[at % words.len()];
    let (from, to) = words[with % words.len()];
    let word = bytes[from..to].to_vec();
    bytes.splice(start..end, word);
}

/// The runs of letters and digits.
fn words(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, byte) in bytes.iter().enumerate() {
        match (byte.is_ascii_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// A change of the JSON tree: the value number `at` of the file becomes `with`.
fn replace_value(value: &mut Value, at: &mut usize, with: &Value) -> bool {
    if *at == 0 {
        *value = with.clone();
        return true;
    }
    *at -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| replace_value(item, at, with)),
        Value::Object(map) => map.values_mut().any(|item| replace_value(item, at, with)),
        _ => false,
    }
}

fn values(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(map) => map.values().map(values).sum(),
        _ => 0,
    }
}

/// How many questions an ordinary JSON parser finds; none where it finds no list of them.
fn questions_in_json(bytes: &[u8]) -> Option<usize> {
    let content = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match serde_json::from_slice::<Value>(content).ok()? {
        Value::Object(map) => map.get("questions")?.as_array().map(Vec::len),
        Value::Array(items) => Some(items.len()),
        _ => None,
    }
}

/// How many lines have something in them.
fn lines_with_text(bytes: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
    Some(text.lines().filter(|line| !line.trim().is_empty()).count())
}

/// How many questions a strict XML parser finds.
fn questions_in_xml(bytes: &[u8]) -> Option<usize> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(std::str::from_utf8(bytes).ok()?);
    let (mut depth, mut count) = (0_usize, 0);
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => {
                count += usize::from(depth == 1 && tag.name().0 == "question");
                depth += 1;
            }
            Event::Empty(tag) => count += usize::from(depth == 1 && tag.name().0 == "question"),
            Event::End(_) => depth -= 1,
            Event::Eof => return (depth == 0).then_some(count),
            _ => {}
        }
    }
}

/// What must hold of every document.
fn check(document: &Document, format: &str, bytes: &[u8]) {
    let expected = match format {
        "qald-xml" => questions_in_xml(bytes),
        // the first line may be about the dataset
        "jsonl" => {
            let is_dataset = bytes.windows(9).take(40).any(|word| word == b"\"dataset\"");
            let lines = lines_with_text(bytes);
            lines.filter(|lines| !is_dataset || document.questions.len() + 1 != *lines)
        }
        "qald-json"
        | "wikiwebquestions"
        | "text2sparql"
        | "text2sparql-answers"
        | "lc-quad"
        | "mintaka"
        | "rubq"
        | "grailqa"
        | "complexwebquestions"
        | "lc-quad-2"
        | "webquestions"
        | "temp-questions"
        | "time-questions"
        | "cron-questions"
        | "kqa-pro"
        | "bioasq"
        | "dblp-quad"
        | "question-list" => questions_in_json(bytes),
        // rows become questions, and questions one a language; damaged files may look like tables
        _ => None,
    };
    if let Some(expected) = expected {
        assert_eq!(document.questions.len(), expected, "{format}: questions lost");
    }
    // in YAML, a carriage return alone ends a line
    let ends = |byte: &u8| *byte == b'\n' || (*byte == b'\r' && format == "text2sparql-questions");
    let lines = bytes.split(ends).count() as u64;
    let mut keys = std::collections::BTreeSet::new();
    for question in &document.questions {
        assert!(
            keys.insert(&question.key) && !question.key.is_empty(),
            "the key {} is not unique",
            question.key
        );
        assert!(question.place.line.is_some_and(|line| line >= 1 && line <= lines), "{}", question.place);
        assert!(question.answers.sets.iter().flat_map(|set| &set.rows).all(|row| !row.cells.is_empty()));
        assert!(question.queries.iter().all(|query| !query.text.is_empty() && query.text != "OUT OF SCOPE"));
    }
    for issue in &document.issues {
        assert!(!issue.message.is_empty() && !issue.place.to_string().is_empty(), "{issue:?}");
    }
}

/// Reads as the program does, and with every reader, whatever the content is.
fn read_all(bytes: &[u8]) {
    let source = Source::from_bytes("damaged", bytes.to_vec());
    match source.as_ref().map(read) {
        Ok(Ok((document, format))) => check(&document, format.name, bytes),
        Ok(Err(error)) => assert!(error.to_string().starts_with("damaged"), "{error}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    for format in FORMATS {
        if let Ok(document) = format.document(bytes) {
            check(&document, format.name, bytes);
        }
    }
}

fn config() -> ProptestConfig {
    // The seed is fixed by nothing, the number of cases by the time they may take; tests/fuzz has more.
    ProptestConfig::with_cases(3_000)
}

#[test]
fn undamaged_seeds_are_read() {
    for (seed, count) in seeds().iter().zip([5, 3, 3, 3, 2, 3, 41, 24, 25, 3]) {
        let source = Source::from_bytes("seed", seed.clone()).expect("a source");
        let (document, format) = read(&source).expect("a document");
        assert_eq!(document.questions.len(), count, "{}", format.name);
        check(&document, format.name, seed);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn damaged_bytes(seed in any::<prop::sample::Index>(), damages in prop::collection::vec(damage(), 1..6)) {
        let seeds = seeds();
        let mut bytes = seed.get(&seeds).clone();
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        read_all(&bytes);
    }

    #[test]
    fn changed_values(
        seed in prop::sample::select(vec![QALD, WIKI_WEB, NLQ]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5),
    ) {
        let scalars = ["null", "0", "-1.5e-300", "true", "\"\"", "\"OUT OF SCOPE\"", "[]", "{}", "[null]", "[[{}]]", "{\"value\": {}}"];
        let mut value: Value = serde_json::from_str(seed).expect("JSON");
        for (at, with) in &changes {
            // one half of the new values comes from the file itself
            let with = match with.index(scalars.len() * 2) {
                index if index < scalars.len() => serde_json::from_str(scalars[index]).expect("JSON"),
                _ => nth(&value, with.index(values(&value))),
            };
            let mut at = at.index(values(&value));
            replace_value(&mut value, &mut at, &with);
        }
        read_all(value.to_string().as_bytes());
    }
}

/// The value number `at` of the tree.
fn nth(value: &Value, at: usize) -> Value {
    fn find<'v>(value: &'v Value, at: &mut usize) -> Option<&'v Value> {
        if *at == 0 {
            return Some(value);
        }
        *at -= 1;
        match value {
            Value::Array(items) => items.iter().find_map(|item| find(item, at)),
            Value::Object(map) => map.values().find_map(|item| find(item, at)),
            _ => None,
        }
    }
    let mut at = at;
    find(value, &mut at).cloned().unwrap_or(Value::Null)
}
