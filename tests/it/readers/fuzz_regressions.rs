//! What must hold for every input holds for broken ones: what fuzzing found, and small damage to small files.
//! The checks are those of the fuzz targets (`tests/fuzz/`), so that they run on the stable compiler too.

#[expect(unreachable_pub, reason = "the fuzz targets use it as a library")]
#[path = "../../fuzz/src/check.rs"]
mod check;

use std::fs;
use std::path::Path;

use qassay::sources::file::source::Source;
use qassay::sources::format::{FORMATS, read};

/// A small file of each format, with what its reader looks at.
const SMALL: [&str; 4] = [
    r#"{"dataset": {"id": "d"}, "questions": [{"id": "1", "answertype": "date", "hybrid": "x", "question": [{"language": "en",
"string": "É?"}], "query": {"sparql": "SELECT (COUNT(?x)) { ?x dbo:a 1 }"}, "answers": [{"head": {"vars": ["x"]}, "results":
{"bindings": [{"x": {"type": "uri", "value": "<a>"}}]}, "confidence": "1e-2"}, {"boolean": true}]}, null]}"#,
    "<?xml version='1.0'?><!DOCTYPE d [<!ENTITY a 'b'>]><dataset id='d'><question id='1' answertype='x'><string lang='en'>É &amp; \
&#x41;</string><query><![CDATA[ASK { ?x a dbo:B }]]></query><answers confidence='.5'><answer><uri>a</uri><!-- c --></answer>\
</answers></question>t</dataset>",
    r#"{"ck25:1-en": {"http://e/a": 1, "É": 1}, "ck25:27-de": {"true": 0}, "ck25:2-en": {}, "ck25:2-en": {"1.5": 2, "": true}}"#,
    r#"[{"id": "a", "utterance": "É?", "sparql": "SELECT ?x { ?x wdt:P31 wd:Q5 }", "results": ["Q1"], "predicted_results": [[]]}]"#,
];

/// Bytes that change the meaning of what follows them.
const BYTES: [u8; 12] = *b"\"\\{}[]<>&\0\n\xe9";

fn replay(data: &[u8]) {
    for format in FORMATS {
        check::fuzz_reader(format.name, data);
    }
    check::fuzz_all(data);
}

#[test]
fn every_reader_has_a_fuzz_target() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/src/bin");
    for format in FORMATS {
        let target = targets.join(format.name).with_extension("rs");
        let text = fs::read_to_string(&target).unwrap_or_default();
        let call = format!("fuzz_reader(\"{}\"", format.name);
        assert!(text.contains(&call), "{} does not call {call})", target.display());
    }
}

#[test]
fn the_small_files_are_read() {
    let read = SMALL.map(|small| {
        let source = Source::from_bytes("small", small.into()).expect("a source");
        let (document, format) = read(&source).expect("a document");
        (format.name, document.questions.len())
    });
    let expected = [("qald-json", 2), ("qald-xml", 1), ("text2sparql", 4), ("wikiwebquestions", 1)];
    assert_eq!(read, expected);
}

#[test]
fn files_that_end_anywhere() {
    for small in SMALL {
        for end in 0..=small.len() {
            replay(&small.as_bytes()[..end]);
        }
    }
}

#[test]
fn one_byte_too_few_or_another_one() {
    for (number, small) in SMALL.into_iter().enumerate() {
        for at in 0..small.len() {
            let mut data = small.as_bytes().to_vec();
            data[at] = BYTES[(at + number) % BYTES.len()];
            replay(&data);
            data.remove(at);
            replay(&data);
        }
    }
}

#[test]
fn odd_files() {
    let deep = |open: &str, close: &str| open.repeat(3_000) + &close.repeat(3_000);
    let cases = [
        String::new(),
        "\u{feff}".to_owned(),
        "null".to_owned(),
        "[[[]]]".to_owned(),
        "{\"questions\": [{}, {\"id\": \"~1\"}, {\"id\": \"~1\"}]}".to_owned(),
        "{\"questions\": [{\"id\": \"1~2\"}, {\"id\": \"1\"}, {\"id\": 1}, {\"id\": \" 1 \"}]}".to_owned(),
        "<dataset/>".to_owned(),
        "<dataset><question/><question/></dataset>".to_owned(),
        deep("[", "]"),
        format!("{{\"questions\": [{}]}}", deep("{\"answers\": ", "}")),
        format!("<dataset>{}</dataset>", deep("<question>", "</question>")),
    ];
    for case in &cases {
        replay(case.as_bytes());
    }
}

#[test]
fn odd_queries() {
    let long = format!("ASK {{ {} }}", "?x ?y ?z . ".repeat(500));
    let queries = [
        "",
        " ",
        "SELECT",
        "SELECT COUNT(?x) WHERE { ?x dbo:a ?y",
        "SELECT COUNT(DISTINCT ?x) MAX(?y) { ?x ?p ?y } GROUP",
        "SELECT (COUNT(?x)) ?z { ?x dbo:é \"\\u00e9\" FILTER(?x = 'a",
        "PREFIX : <a> ASK { :\\( :b%2 () }",
        "ASK { ?x !(^<a>|<b>)*/(<c>?) [ <d> ( 1 [] \"\"\"x\"\"\"@en ) ] }",
        "SELECT * { { SELECT ?x { ?x a ?x } } MINUS { VALUES (?x) { (UNDEF) } } }",
        // found: one SELECT within what another one selects, so that changes overlapped
        "SELECT DISTINCT ?x <a> SELECT DISTINCT ?x ?x WHERE { ?x <b> 1 }",
        "SELECT ?x SELECT ?y ?x ?x SELECT COUNT(?x AS ?x) ?x { ?x ?y 1 }",
        &long,
    ];
    for query in queries {
        for end in (0..=query.len().min(300)).filter(|end| query.is_char_boundary(*end)) {
            check::fuzz_query(&query.as_bytes()[..end]);
        }
        check::fuzz_query(query.as_bytes());
    }
}
