//! The command line from outside: every command, format and option on a tiny dataset. What `--help` says is a page that is
//! run: `src/command/README.md`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Ran, program, qassay};
use serde_json::Value;
use tempfile::TempDir;

const GOLD: &str = r#"{"dataset": {"id": "tiny"}, "questions": [
 {"id": "1", "answertype": "resource", "hybrid": false,
  "question": [{"language": "en", "string": "Which cities are on the Rhine?"},
   {"language": "de", "string": "Welche Städte liegen am Rhein?"}],
  "query": {"sparql": "SELECT ?uri {\n ?uri a <http://e/City>\n}"},
  "answers": [{"head": {"vars": ["uri"]}, "results": {"bindings": [
   {"uri": {"type": "uri", "value": "http://dbpedia.org/resource/Bonn"}},
   {"uri": {"type": "uri", "value": "http://dbpedia.org/resource/Köln"}},
   {"uri": {"type": "uri", "value": "http://dbpedia.org/resource/Mainz"}}]}}]},
 {"id": "2", "answertype": "boolean",
  "question": [{"language": "en", "string": "Is Bonn a city?"}],
  "answers": [{"head": {}, "boolean": true}]},
 {"id": "3", "answertype": "number",
  "question": [{"language": "en", "string": "How many?"}],
  "answers": [{"head": {"vars": ["n"]}, "results": {"bindings": [{"n": {"type": "literal", "value": "7"}}]}}]}
]}
"#;

/// One answer by links, one by normalisation, one extra; a wrong boolean; an equal number.
const ALPHA: &str = r#"{"questions": [
 {"id": "1", "question": [{"language": "en", "string": "Which cities are on the Rhine?"}],
  "query": {"sparql": "SELECT ?c { ?c a <http://e/Town> }"},
  "answers": [{"head": {"vars": ["c"]}, "results": {"bindings": [
   {"c": {"type": "uri", "value": "http://www.wikidata.org/entity/Q586"}},
   {"c": {"type": "uri", "value": "http://dbpedia.org/resource/K%C3%B6ln"}},
   {"c": {"type": "uri", "value": "http://dbpedia.org/resource/Kiel"}}]}}]},
 {"id": "2", "question": [{"language": "en", "string": "Is Bonn a city?"}], "time": 1.5,
  "answers": [{"head": {}, "boolean": false}]},
 {"id": "3", "question": [{"language": "en", "string": "How many?"}], "time": 0.5,
  "answers": [{"head": {"vars": ["n"]}, "results": {"bindings": [
   {"n": {"type": "typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#decimal", "value": "7.0"}}]}}]}
]}
"#;

/// One question only, with an answer type that nobody knows.
const BETA: &str = r#"{"questions": [
 {"id": "2", "answertype": "yes/no", "question": [{"language": "en", "string": "Is Bonn a city?"}],
  "answers": [{"head": {}, "boolean": true}]}
]}
"#;

const LINKS: &str = "@prefix owl: <http://www.w3.org/2002/07/owl#> .
<http://dbpedia.org/resource/Bonn> owl:sameAs <http://de.dbpedia.org/resource/Bonn> .
<http://www.wikidata.org/entity/Q586> owl:sameAs <http://de.dbpedia.org/resource/Bonn> .
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in
        [("gold.json", GOLD), ("alpha.json", ALPHA), ("beta.json", BETA), ("links.ttl", LINKS)]
    {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    folder
}

/// A folder with an archive: two systems, with links.
fn archive() -> TempDir {
    let folder = folder();
    qassay(folder.path(), ["evaluate", "gold.json", "alpha.json", "beta.json", "--links", "links.ttl"]).ok();
    folder
}

/// What a command prints where nothing is kept.
#[track_caller]
fn evaluated(options: &[&str]) -> String {
    let folder = folder();
    let ran =
        qassay(folder.path(), [&["evaluate", "gold.json", "alpha.json", "--no-archive"], options].concat());
    assert_eq!(ran.stderr, "\nnothing kept (--no-archive)\n");
    assert!(!folder.path().join("qassay-archive").exists());
    ran.ok()
}

#[test]
fn version() {
    let printed = qassay(Path::new("."), ["--version"]).ok();
    assert_eq!(printed, format!("qassay {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
#[expect(clippy::too_many_lines, reason = "the tables that people see are long")]
fn evaluate_as_a_table() {
    insta::assert_snapshot!(evaluated(&[]), @r"
    tiny, profile qassay

    system  profile  experiment  n  answered  errors  micro P  micro R  micro F1  macro P  macro R  macro F1  F1 QALD   exact
    alpha   qassay   QA          3         3       0   0.4000   0.4000    0.4000   0.4444   0.4444    0.4444   0.4444  0.3333
    alpha   qassay   C2KB        1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   P2KB        1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   RE2KB       1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AT          3         3       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AIT2KB      1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000

    alpha (qassay): C2KB, P2KB, RE2KB, AIT2KB without 2 questions: the gold standard gives no SPARQL query and no annotations
    ");
    insta::assert_snapshot!(evaluated(&["--groups", "--details", "--issues"]), @r"
    tiny, profile qassay

    system  profile  experiment  n  answered  errors  micro P  micro R  micro F1  macro P  macro R  macro F1  F1 QALD   exact
    alpha   qassay   QA          3         3       0   0.4000   0.4000    0.4000   0.4444   0.4444    0.4444   0.4444  0.3333
    alpha   qassay   C2KB        1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   P2KB        1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   RE2KB       1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AT          3         3       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AIT2KB      1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000

    alpha (qassay): C2KB, P2KB, RE2KB, AIT2KB without 2 questions: the gold standard gives no SPARQL query and no annotations

    By group of questions

    system  profile  experiment  group                  n  answered  errors  micro P  micro R  micro F1  macro P  macro R  macro F1  F1 QALD   exact
    alpha   qassay   QA          all                    3         3       0   0.4000   0.4000    0.4000   0.4444   0.4444    0.4444   0.4444  0.3333
    alpha   qassay   QA          processed              3         3       0   0.4000   0.4000    0.4000   0.4444   0.4444    0.4444   0.4444  0.3333
    alpha   qassay   QA          answertype-boolean     1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   QA          answertype-number      1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   QA          answertype-resource    1         1       0   0.3333   0.3333    0.3333   0.3333   0.3333    0.3333   0.3333  0.0000
    alpha   qassay   QA          form-select            1         1       0   0.3333   0.3333    0.3333   0.3333   0.3333    0.3333   0.3333  0.0000
    alpha   qassay   QA          hybrid-false           1         1       0   0.3333   0.3333    0.3333   0.3333   0.3333    0.3333   0.3333  0.0000
    alpha   qassay   QA          language-de            1         1       0   0.3333   0.3333    0.3333   0.3333   0.3333    0.3333   0.3333  0.0000
    alpha   qassay   QA          language-en            3         3       0   0.4000   0.4000    0.4000   0.4444   0.4444    0.4444   0.4444  0.3333
    alpha   qassay   QA          patterns-1             1         1       0   0.3333   0.3333    0.3333   0.3333   0.3333    0.3333   0.3333  0.0000
    alpha   qassay   QA          questionword-how-many  1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   QA          questionword-which     1         1       0   0.3333   0.3333    0.3333   0.3333   0.3333    0.3333   0.3333  0.0000
    alpha   qassay   QA          questionword-yes-no    1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        all                    1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        processed              1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        answertype-resource    1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        form-select            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        hybrid-false           1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        language-de            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        language-en            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        patterns-1             1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   C2KB        questionword-which     1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   P2KB        all                    1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   P2KB        processed              1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   P2KB        answertype-resource    1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   P2KB        form-select            1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   P2KB        hybrid-false           1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   P2KB        language-de            1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   P2KB        language-en            1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   P2KB        patterns-1             1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   P2KB        questionword-which     1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   RE2KB       all                    1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   RE2KB       processed              1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   RE2KB       answertype-resource    1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   RE2KB       form-select            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   RE2KB       hybrid-false           1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   RE2KB       language-de            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   RE2KB       language-en            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   RE2KB       patterns-1             1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   RE2KB       questionword-which     1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AT          all                    3         3       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          processed              3         3       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          answertype-boolean     1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          answertype-number      1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          answertype-resource    1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          form-select            1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          hybrid-false           1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          language-de            1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          language-en            3         3       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          patterns-1             1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          questionword-how-many  1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          questionword-which     1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AT          questionword-yes-no    1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    alpha   qassay   AIT2KB      all                    1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AIT2KB      processed              1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AIT2KB      answertype-resource    1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AIT2KB      form-select            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AIT2KB      hybrid-false           1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AIT2KB      language-de            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AIT2KB      language-en            1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AIT2KB      patterns-1             1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    alpha   qassay   AIT2KB      questionword-which     1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000

    By question

    system  profile  experiment  question  status    tp  fp  fn  precision  recall      f1
    alpha   qassay   QA          1         answered   1   2   2     0.3333  0.3333  0.3333
    alpha   qassay   QA          2         answered   0   1   1     0.0000  0.0000  0.0000
    alpha   qassay   QA          3         answered   1   0   0     1.0000  1.0000  1.0000
    alpha   qassay   C2KB        1         answered   0   1   1     0.0000  0.0000  0.0000
    alpha   qassay   C2KB        2         skipped    -   -   -          -       -       -
    alpha   qassay   C2KB        3         skipped    -   -   -          -       -       -
    alpha   qassay   P2KB        1         answered   1   0   0     1.0000  1.0000  1.0000
    alpha   qassay   P2KB        2         skipped    -   -   -          -       -       -
    alpha   qassay   P2KB        3         skipped    -   -   -          -       -       -
    alpha   qassay   RE2KB       1         answered   0   1   1     0.0000  0.0000  0.0000
    alpha   qassay   RE2KB       2         skipped    -   -   -          -       -       -
    alpha   qassay   RE2KB       3         skipped    -   -   -          -       -       -
    alpha   qassay   AT          1         answered   1   0   0     1.0000  1.0000  1.0000
    alpha   qassay   AT          2         answered   1   0   0     1.0000  1.0000  1.0000
    alpha   qassay   AT          3         answered   1   0   0     1.0000  1.0000  1.0000
    alpha   qassay   AIT2KB      1         answered   0   1   1     0.0000  0.0000  0.0000
    alpha   qassay   AIT2KB      2         skipped    -   -   -          -       -       -
    alpha   qassay   AIT2KB      3         skipped    -   -   -          -       -       -

    Issues

    severity  issue  file  place  message
    ");
}

#[test]
fn evaluate_several_profiles_and_systems() {
    let folder = folder();
    let arguments = [
        "evaluate",
        "gold.json",
        "alpha.json",
        "beta.json",
        "--system",
        "A",
        "--system",
        "B",
        "-p",
        "qassay,qald",
    ];
    insta::assert_snapshot!(qassay(folder.path(), arguments).ok(), @r"
    tiny, profile qassay, qald

    system  profile  experiment  n  answered  errors  micro P  micro R  micro F1  macro P  macro R  macro F1  F1 QALD   exact
    A       qassay   QA          3         3       0   0.4000   0.4000    0.4000   0.4444   0.4444    0.4444   0.4444  0.3333
    A       qald     QA          3         3       0   0.4000   0.4000    0.4000   0.4444   0.4444    0.4444   0.4444  0.3333
    A       qassay   C2KB        1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    A       qassay   P2KB        1         1       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    A       qassay   RE2KB       1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    A       qassay   AT          3         3       0   1.0000   1.0000    1.0000   1.0000   1.0000    1.0000   1.0000  1.0000
    A       qassay   AIT2KB      1         1       0   0.0000   0.0000    0.0000   0.0000   0.0000    0.0000   0.0000  0.0000
    B       qassay   QA          3         1       0   1.0000   0.2000    0.3333   0.3333   0.3333    0.3333   0.5000  0.3333
    B       qald     QA          3         1       0   1.0000   0.2000    0.3333   0.3333   0.3333    0.3333   0.5000  0.3333
    B       qassay   AT          3         1       0   1.0000   0.3333    0.5000   0.3333   0.3333    0.3333   0.5000  0.3333

    A (qassay): C2KB, P2KB, RE2KB, AIT2KB without 2 questions: the gold standard gives no SPARQL query and no annotations
    B (qassay): C2KB, P2KB, RE2KB, AIT2KB skipped: the submission gives no SPARQL query and no annotations in any question
    input of B: 0 errors, 3 warnings; `--issues` lists them

    Why the profiles count questions differently

    system  experiment  profile  rule  ontology/gerbil.md  questions

    they count every question alike

    Questions that the profiles count differently

    system  experiment  question  qassay tp/fp/fn  qald tp/fp/fn  why

    none
    ");
}

#[test]
fn evaluate_as_csv() {
    insta::assert_snapshot!(evaluated(&["--format", "csv"]), @r"
    system,profile,experiment,questionCount,answeredCount,errorCount,microPrecision,microRecall,microF1,macroPrecision,macroRecall,macroF1,macroF1Qald,exactMatch
    alpha,qassay,QA,3,3,0,0.4,0.4,0.4,0.444444444444,0.444444444444,0.444444444444,0.444444444444,0.333333333333
    alpha,qassay,C2KB,1,1,0,0,0,0,0,0,0,0,0
    alpha,qassay,P2KB,1,1,0,1,1,1,1,1,1,1,1
    alpha,qassay,RE2KB,1,1,0,0,0,0,0,0,0,0,0
    alpha,qassay,AT,3,3,0,1,1,1,1,1,1,1,1
    alpha,qassay,AIT2KB,1,1,0,0,0,0,0,0,0,0,0
    ");
    insta::assert_snapshot!(evaluated(&["--format", "csv", "--details"]), @r"
    system,profile,experiment,question,status,tp,fp,fn,precision,recall,f1
    alpha,qassay,QA,1,answered,1,2,2,0.333333333333,0.333333333333,0.333333333333
    alpha,qassay,QA,2,answered,0,1,1,0,0,0
    alpha,qassay,QA,3,answered,1,0,0,1,1,1
    alpha,qassay,C2KB,1,answered,0,1,1,0,0,0
    alpha,qassay,C2KB,2,skipped,,,,,,
    alpha,qassay,C2KB,3,skipped,,,,,,
    alpha,qassay,P2KB,1,answered,1,0,0,1,1,1
    alpha,qassay,P2KB,2,skipped,,,,,,
    alpha,qassay,P2KB,3,skipped,,,,,,
    alpha,qassay,RE2KB,1,answered,0,1,1,0,0,0
    alpha,qassay,RE2KB,2,skipped,,,,,,
    alpha,qassay,RE2KB,3,skipped,,,,,,
    alpha,qassay,AT,1,answered,1,0,0,1,1,1
    alpha,qassay,AT,2,answered,1,0,0,1,1,1
    alpha,qassay,AT,3,answered,1,0,0,1,1,1
    alpha,qassay,AIT2KB,1,answered,0,1,1,0,0,0
    alpha,qassay,AIT2KB,2,skipped,,,,,,
    alpha,qassay,AIT2KB,3,skipped,,,,,,
    ");
    let groups = evaluated(&["--format", "csv", "--groups"]);
    assert!(groups.starts_with("system,profile,experiment,group,questionCount,"), "{groups}");
    let issues = evaluated(&["--format", "csv", "--issues"]);
    assert_eq!(issues, "severity,issue,file,place,message\n");
    let folder = folder();
    let two = qassay(
        folder.path(),
        ["evaluate", "gold.json", "alpha.json", "--format", "csv", "--details", "--groups", "--no-archive"],
    );
    assert_eq!((two.code, two.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        two.stderr,
        "error: CSV holds one table.\nallowed: one of --groups, --details, --issues, --differences, --all-measures, --failed\n"
    );
}

#[test]
fn evaluate_as_markdown() {
    insta::assert_snapshot!(evaluated(&["--format", "markdown", "--details"]), @r"
    tiny, profile qassay

    | system | profile | experiment | n | answered | errors | micro P | micro R | micro F1 | macro P | macro R | macro F1 | F1 QALD |  exact |
    |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
    | alpha  | qassay  | QA         | 3 |        3 |      0 |  0.4000 |  0.4000 |   0.4000 |  0.4444 |  0.4444 |   0.4444 |  0.4444 | 0.3333 |
    | alpha  | qassay  | C2KB       | 1 |        1 |      0 |  0.0000 |  0.0000 |   0.0000 |  0.0000 |  0.0000 |   0.0000 |  0.0000 | 0.0000 |
    | alpha  | qassay  | P2KB       | 1 |        1 |      0 |  1.0000 |  1.0000 |   1.0000 |  1.0000 |  1.0000 |   1.0000 |  1.0000 | 1.0000 |
    | alpha  | qassay  | RE2KB      | 1 |        1 |      0 |  0.0000 |  0.0000 |   0.0000 |  0.0000 |  0.0000 |   0.0000 |  0.0000 | 0.0000 |
    | alpha  | qassay  | AT         | 3 |        3 |      0 |  1.0000 |  1.0000 |   1.0000 |  1.0000 |  1.0000 |   1.0000 |  1.0000 | 1.0000 |
    | alpha  | qassay  | AIT2KB     | 1 |        1 |      0 |  0.0000 |  0.0000 |   0.0000 |  0.0000 |  0.0000 |   0.0000 |  0.0000 | 0.0000 |

    By question

    | system | profile | experiment | question | status   | tp | fp | fn | precision | recall |     f1 |
    |---|---|---|---|---|--:|--:|--:|--:|--:|--:|
    | alpha  | qassay  | QA         | 1        | answered |  1 |  2 |  2 |    0.3333 | 0.3333 | 0.3333 |
    | alpha  | qassay  | QA         | 2        | answered |  0 |  1 |  1 |    0.0000 | 0.0000 | 0.0000 |
    | alpha  | qassay  | QA         | 3        | answered |  1 |  0 |  0 |    1.0000 | 1.0000 | 1.0000 |
    | alpha  | qassay  | C2KB       | 1        | answered |  0 |  1 |  1 |    0.0000 | 0.0000 | 0.0000 |
    | alpha  | qassay  | C2KB       | 2        | skipped  |  - |  - |  - |         - |      - |      - |
    | alpha  | qassay  | C2KB       | 3        | skipped  |  - |  - |  - |         - |      - |      - |
    | alpha  | qassay  | P2KB       | 1        | answered |  1 |  0 |  0 |    1.0000 | 1.0000 | 1.0000 |
    | alpha  | qassay  | P2KB       | 2        | skipped  |  - |  - |  - |         - |      - |      - |
    | alpha  | qassay  | P2KB       | 3        | skipped  |  - |  - |  - |         - |      - |      - |
    | alpha  | qassay  | RE2KB      | 1        | answered |  0 |  1 |  1 |    0.0000 | 0.0000 | 0.0000 |
    | alpha  | qassay  | RE2KB      | 2        | skipped  |  - |  - |  - |         - |      - |      - |
    | alpha  | qassay  | RE2KB      | 3        | skipped  |  - |  - |  - |         - |      - |      - |
    | alpha  | qassay  | AT         | 1        | answered |  1 |  0 |  0 |    1.0000 | 1.0000 | 1.0000 |
    | alpha  | qassay  | AT         | 2        | answered |  1 |  0 |  0 |    1.0000 | 1.0000 | 1.0000 |
    | alpha  | qassay  | AT         | 3        | answered |  1 |  0 |  0 |    1.0000 | 1.0000 | 1.0000 |
    | alpha  | qassay  | AIT2KB     | 1        | answered |  0 |  1 |  1 |    0.0000 | 0.0000 | 0.0000 |
    | alpha  | qassay  | AIT2KB     | 2        | skipped  |  - |  - |  - |         - |      - |      - |
    | alpha  | qassay  | AIT2KB     | 3        | skipped  |  - |  - |  - |         - |      - |      - |
    ");
}

#[test]
fn evaluate_as_latex() {
    insta::assert_snapshot!(evaluated(&["--format", "latex"]), @r"
    % tiny, profile qassay
    \begin{tabular}{lllrrrrrrrrrrr}
    \toprule
    system & profile & experiment & n & answered & errors & micro P & micro R & micro F1 & macro P & macro R & macro F1 & F1 QALD & exact \\
    \midrule
    alpha & qassay & QA & 3 & 3 & 0 & 0.4000 & 0.4000 & 0.4000 & 0.4444 & 0.4444 & 0.4444 & 0.4444 & 0.3333 \\
    alpha & qassay & C2KB & 1 & 1 & 0 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 \\
    alpha & qassay & P2KB & 1 & 1 & 0 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 \\
    alpha & qassay & RE2KB & 1 & 1 & 0 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 \\
    alpha & qassay & AT & 3 & 3 & 0 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 \\
    alpha & qassay & AIT2KB & 1 & 1 & 0 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 & 0.0000 \\
    \bottomrule
    \end{tabular}
    ");
}

/// The interface that scripts rely on (`src/report/output.schema.json`).
#[test]
fn papers_choose_columns_digits_and_bold_numbers() {
    let folder = folder();
    let words = ["evaluate", "gold.json", "alpha.json", "beta.json", "--no-archive", "-x", "QA", "--format"];
    let told = |options: &[&str]| qassay(folder.path(), [&words[..], options].concat());
    let columns = ["--columns", "macroF1,macro P,meanResponseTime", "--digits", "2"];
    let options = [&["latex", "--bold-best", "--caption", "A & B"], &columns[..]].concat();
    insta::assert_snapshot!(told(&options).ok(), @r"
    \begin{table}
    \centering
    % tiny, profile qassay, experiment types QA
    \begin{tabular}{lllrrr}
    \toprule
    system & profile & experiment & macro F1 & macro P & mean time \\
    \midrule
    alpha & qassay & QA & \textbf{0.44} & \textbf{0.44} & 1.00 \\
    beta & qassay & QA & 0.33 & 0.33 & - \\
    \bottomrule
    \end{tabular}
    \caption{A \& B}
    \end{table}
    ");
    let csv = told(&["csv", "--columns", "macroF1"]).ok();
    assert_eq!(csv.lines().next(), Some("system,profile,experiment,macroF1"));
    assert!(csv.contains("alpha,qassay,QA,0.4444444") && csv.lines().count() == 3, "{csv}");
    for (options, why) in [
        (&["table", "--columns", "macroF9"][..], "no evaluation has the measure `macroF9`.\nallowed: "),
        (&["table", "--caption", "x"], "bold numbers and a caption are for LaTeX"),
        (&["json", "--digits", "2"], "JSON has every measure with all digits"),
    ] {
        let ran = told(options);
        assert!(ran.code == Some(2) && ran.stderr.contains(why), "{}", ran.stderr);
    }
}

#[test]
fn issues_come_by_severity_and_notes_are_counted() {
    let folder = folder();
    let repaired = "\"query\": {\"sparql\": \"ASK { ?c a dbo:Town }\"}, \"question\": [";
    let odd = ALPHA.replace("\"query\": {\"sparql\": \"SELECT ?c { ?c a <http://e/Town> }\"},", "");
    let odd = odd.replace("\"question\": [", repaired).replace("\"time\": 1.5", "\"time\": \"x\"");
    fs::write(folder.path().join("odd.json"), odd).expect("a file");
    let table = |options: &[&str]| {
        let words = ["evaluate", "gold.json", "odd.json", "--no-archive", "-x", "QA"];
        qassay(folder.path(), [&words[..], options].concat()).ok()
    };
    let rows = |text: &str| -> Vec<String> {
        let issues = text.split("Issues\n\n").nth(1).expect("issues").lines().skip(1);
        issues.map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    let counted = table(&["--issues"]);
    assert_eq!(rows(&counted)[..2], ["warning not-a-number", "note query-repaired"], "{counted}");
    assert!(counted.contains("3 such notes, the first at line 2, question 1"), "{counted}");
    assert!(counted.contains("notes of a kind are one row; `--all-issues` lists each"), "{counted}");
    let all = table(&["--all-issues"]);
    assert_eq!(rows(&all).iter().filter(|row| *row == "note query-repaired").count(), 3, "{all}");
    assert_eq!(table(&["--issues", "--format", "csv"]).matches("query-repaired").count(), 3);
}

#[test]
fn evaluate_as_json() {
    let output: Value = serde_json::from_str(&evaluated(&["--format", "json"])).expect("JSON");
    let evaluation = &output["evaluations"][0];
    for (key, value) in [("dataset", "tiny"), ("system", "alpha"), ("profile", "qassay")] {
        assert_eq!(evaluation[key], value);
    }
    let iri = evaluation["evaluation"].as_str().expect("an IRI");
    let key = iri.strip_prefix("https://w3id.org/qassay/evaluation/").expect("an IRI of ours");
    assert!(key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    assert_eq!(evaluation["language"], Value::Null);
    assert_eq!(evaluation["issues"], serde_json::json!([]));
    assert_eq!(evaluation["skipped"], serde_json::json!({}));
    let qa = &evaluation["experiments"]["QA"];
    insta::assert_snapshot!(serde_json::to_string_pretty(&qa["measures"]).expect("JSON"), @r#"
    {
      "microPrecision": 0.4,
      "microRecall": 0.4,
      "microF1": 0.4,
      "macroPrecision": 0.444444444444,
      "macroRecall": 0.444444444444,
      "macroF1": 0.444444444444,
      "macroF1Qald": 0.444444444444,
      "exactMatch": 0.333333333333,
      "questionCount": 3,
      "answeredCount": 3,
      "emptyCount": 0,
      "missingCount": 0,
      "errorCount": 0,
      "truePositiveCount": 2,
      "falsePositiveCount": 3,
      "falseNegativeCount": 3,
      "meanResponseTime": 1
    }
    "#);
    assert_eq!(qa["measures"], qa["measuresProcessed"], "all questions are in the submission");
    let groups: Vec<&String> = qa["groups"].as_object().expect("groups").keys().collect();
    insta::assert_snapshot!(format!("{groups:?}"), @r#"
    ["answertype-boolean", "answertype-number", "answertype-resource", "form-select", "hybrid-false", "language-de", "language-en", "patterns-1", "questionword-how-many", "questionword-which", "questionword-yes-no"]
    "#);
    insta::assert_snapshot!(qa["questions"][0], @r#"
    {"id":"1","status":"answered","tp":1,"fp":2,"fn":2,"precision":0.333333333333,"recall":0.333333333333,"f1":0.333333333333}
    "#);
    let ids: Vec<&Value> = qa["questions"].as_array().expect("a list").iter().map(|q| &q["id"]).collect();
    assert_eq!(ids, ["1", "2", "3"]);
}

#[test]
fn links_and_language_make_another_evaluation() {
    let folder = folder();
    let evaluate = |options: &[&str]| {
        let arguments = ["evaluate", "gold.json", "alpha.json", "--no-archive", "-f", "json"];
        qassay(folder.path(), [&arguments, options].concat()).json()["evaluations"][0].take()
    };
    let recall = |evaluation: &Value| evaluation["experiments"]["QA"]["questions"][0]["tp"].as_u64();
    let (plain, linked) = (evaluate(&[]), evaluate(&["--links", "links.ttl"]));
    assert_eq!((recall(&plain), recall(&linked)), (Some(1), Some(2)));
    let language = evaluate(&["--language", "de"]);
    assert_eq!(language["language"], "de");
    assert_eq!(evaluate(&[])["evaluation"], plain["evaluation"]);
    assert!(plain["evaluation"] != linked["evaluation"] && plain["evaluation"] != language["evaluation"]);
}

/// A language that no question has decides nothing, or leaves all questions out.
#[test]
fn evaluate_tells_of_a_language_that_no_question_has() {
    let note = "note: no question of the dataset has a text in `xx`; its texts are in de, en";
    for (language, told) in [("xx", note), ("de", ""), ("EN", "")] {
        let folder = folder();
        let ran = qassay(
            folder.path(),
            ["evaluate", "gold.json", "alpha.json", "--no-archive", "--language", language],
        );
        assert_eq!(ran.stderr.trim_end_matches("\nnothing kept (--no-archive)\n").trim_end(), told);
    }
}

#[test]
fn evaluate_says_where_it_keeps() {
    let folder = folder();
    let ran = qassay(folder.path(), ["evaluate", "gold.json", "alpha.json", "--archive", "deep/er"]);
    assert!(
        ran.stderr.starts_with("\nkept in deep/er:\n  https://w3id.org/qassay/evaluation/"),
        "{}",
        ran.stderr
    );
    assert!(folder.path().join("deep/er/records").is_dir());
    let quiet = qassay(folder.path(), ["--quiet", "evaluate", "gold.json", "alpha.json"]);
    assert_eq!((quiet.stderr.as_str(), quiet.stdout == ran.stdout), ("", true));
}

/// The names in a list, as JSON has them: the first field of each row.
fn names(list: &str) -> Vec<String> {
    let rows = qassay(Path::new("."), [list, "--format", "json"]).json();
    let first = |row: &Value| row.as_object().expect("an object").values().next().cloned();
    let rows = rows.as_array().expect("a list").iter().filter_map(first);
    rows.map(|name| name.as_str().expect("a name").to_owned()).collect()
}

#[test]
fn measures_are_defined() {
    let names = names("measures");
    let table = qassay(Path::new("."), ["measures"]).ok();
    for name in &names {
        assert!(table.lines().any(|line| line == name), "{name} is not in the table");
    }
    let evaluation: Value = serde_json::from_str(&evaluated(&["--format", "json"])).expect("JSON");
    let measures =
        evaluation["evaluations"][0]["experiments"]["QA"]["measures"].as_object().expect("measures");
    for measure in measures.keys() {
        assert!(names.contains(measure), "{measure} is not defined");
    }
    insta::assert_snapshot!(qassay(Path::new("."), ["measures", "macroF1Qald"]).ok(), @r"
    macroF1Qald
      name         Macro F1 QALD
      definition   The harmonic mean of mean precision and mean recall, where an empty answer to a
                   question with gold items counts as precision 1: the system is taken to have known
                   that it cannot answer.
      formula      2 p r / (p + r), p = mean(P'), r = mean(R); P' = 1 where tp = 0, fp = 0 and fn > 0,
                   else P' = P
      empty cases  Both sets empty: P' = P and R as the profile says, in the default profile 1. Only the
                   gold set empty: P' = R = 0. Only the system set empty: P' = 1, R = 0. p and r both 0
                   (every question has system items and none of them matches): 0; undefined where the
                   profile says so (qassay:qaldOfZeros), as GERBIL gives no number there. No questions
                   in the group: undefined, so there is no observation.
      averaging    macro: arithmetic mean over questions
      range        [0, 1]
      direction    higher is better
      source       GERBIL QA paper (Usbeck et al., Benchmarking question answering systems, Semantic Web
                   journal), section 5.2, Metrics; GERBIL 0.3.0, FMeasureCalculator
    ");
    let csv = qassay(Path::new("."), ["measures", "--format", "csv"]).ok();
    assert!(csv.lines().count() > names.len(), "{csv}");
}

#[test]
fn profiles_are_defined() {
    assert_eq!(
        names("profiles"),
        [
            "clef-2004",
            "cwq",
            "gerbil",
            "gerbil-2019",
            "gerbil-2023",
            "grailqa",
            "grasp",
            "mintaka",
            "nliwod",
            "nlpcc-kbqa",
            "nlpcc-ranking",
            "qald",
            "qald-4",
            "qassay",
            "row-major",
            "text2sparql",
            "trec",
            "trec-9",
            "webqsp"
        ]
    );
    let table = qassay(Path::new("."), ["profiles"]).ok();
    assert!(
        [
            "clef-2004",
            "cwq",
            "gerbil",
            "gerbil-2019",
            "gerbil-2023",
            "grailqa",
            "grasp",
            "mintaka",
            "nliwod",
            "nlpcc-kbqa",
            "nlpcc-ranking",
            "qald",
            "qald-4",
            "qassay",
            "row-major",
            "text2sparql",
            "trec",
            "trec-9",
            "webqsp"
        ]
        .iter()
        .all(|name| table.lines().any(|line| line == *name)),
        "{table}"
    );
    insta::assert_snapshot!(qassay(Path::new("."), ["profiles", "nliwod"]).ok(), @r#"
    nliwod
      version         2
      name            NLIWOD value sets
      definition      An answer is the set of the texts of all its values, all variables together, and
                      "true" or "false" for a boolean; nothing is normalised. Either side empty, also
                      both: 0. A question that the submission does not have: 0. Macro F1 is the mean of
                      F1. This is also how WikiWebQuestions and most home-made scripts count.
      experiments     QA
      match rules     equal-text
      normalisations  none
      measures        microPrecision, microRecall, microF1, macroPrecision, macroRecall, macroF1,
                      macroF1Qald, exactMatch, questionCount, answeredCount, emptyCount, missingCount,
                      errorCount, truePositiveCount, falsePositiveCount, falseNegativeCount,
                      meanResponseTime
      loaders         plain, table1
      source          github.com/AKSW/NLIWOD, qa.ml, the published QALD8Answers/*.csv

    loader plain
      Every question of the file, as it is there.

    loader table1
      The questions that Table 1 of the GERBIL QA paper counts, as they are in the file. QALD-JSON:
      those with a boolean, or with an answer bound to a variable that head.vars names letter by letter.
      NLQ: one for each id that is an integer. Every other format, XML among them: all. The rule is
      chosen by the format of the content, not by the name of the file.
    "#);
}

#[test]
fn explain_lists_questions() {
    let folder = archive();
    insta::assert_snapshot!(qassay(folder.path(), ["explain", "alpha"]).ok(), @r"
    alpha on tiny, profile qassay, QA

    system  profile  experiment  question  status    tp  fp  fn  precision  recall      f1
    alpha   qassay   QA          1         answered   2   1   1     0.6667  0.6667  0.6667
    alpha   qassay   QA          2         answered   0   1   1     0.0000  0.0000  0.0000
    alpha   qassay   QA          3         answered   1   0   0     1.0000  1.0000  1.0000
    ");
    insta::assert_snapshot!(qassay(folder.path(), ["explain", "ALPHA", "--wrong", "-f", "csv"]).ok(), @r"
    system,profile,experiment,question,text,status,tp,fp,fn,precision,recall,f1
    alpha,qassay,QA,1,Which cities are on the Rhine?,answered,2,1,1,0.666666666667,0.666666666667,0.666666666667
    alpha,qassay,QA,2,Is Bonn a city?,answered,0,1,1,0,0,0
    ");
    // by IRI, and by the beginning of the key
    let output = qassay(folder.path(), ["explain", "alpha", "-f", "json"]).json();
    let iri = output["evaluations"][0]["evaluation"].as_str().expect("an IRI");
    let key = &iri[iri.len() - 32..][..8];
    let listed = |word: &str| qassay(folder.path(), ["explain", word]).ok();
    assert_eq!(listed(iri), listed("alpha"));
    assert_eq!(listed(key), listed("alpha"));
}

#[test]
fn explain_shows_a_question() {
    let folder = archive();
    insta::assert_snapshot!(qassay(folder.path(), ["explain", "alpha", "1"]).ok(), @r"
    question 1 (answered)
      en     Which cities are on the Rhine?
      de     Welche Städte liegen am Rhein?

    tp 2   fp 1   fn 1   precision 0.666666666667   recall 0.666666666667   F1 0.666666666667

    both (2)
      http://dbpedia.org/resource/Bonn  ~  http://www.wikidata.org/entity/Q586
          rule sameas
          <http://dbpedia.org/resource/Bonn> owl:sameAs <http://de.dbpedia.org/resource/Bonn>  in https://w3id.org/qassay/links/ad28b5f440d363003e37c7116a560962
          <http://www.wikidata.org/entity/Q586> owl:sameAs <http://de.dbpedia.org/resource/Bonn>  in https://w3id.org/qassay/links/ad28b5f440d363003e37c7116a560962
      http://dbpedia.org/resource/Köln  ~  http://dbpedia.org/resource/K%C3%B6ln
          rule normalised
          normalised: percent-encoding

    missed (1)
      http://dbpedia.org/resource/Mainz

    extra (1)
      http://dbpedia.org/resource/Kiel

    gold query
      SELECT ?uri {
       ?uri a <http://e/City>
      }

    system query
      SELECT ?c { ?c a <http://e/Town> }

    in RDF
      observation   https://w3id.org/qassay/evaluation/e7cc3f2c89b460d347c07dae17001b43/obs/QA/1
      question      https://w3id.org/qassay/dataset/tiny/97ae6bdccb21299c/q/1
      gold answer   https://w3id.org/qassay/dataset/tiny/97ae6bdccb21299c/q/1/gold/curated
      answer        https://w3id.org/qassay/submission/247ff241e9ee34a53e6890b537df122f/a/1
    ");
    let table = qassay(folder.path(), ["explain", "alpha", "1", "--format", "csv"]);
    assert_eq!((table.code, table.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        table.stderr,
        "error: what explains a question is no table.\nallowed: --format table, json\n\
         hint: without a question, all are listed, in each of the formats\n"
    );
    let german = qassay(folder.path(), ["explain", "alpha", "1", "--language", "de"]).ok();
    assert!(german.starts_with("question 1 (answered)\n  de     Welche Städte"), "{german}");
    insta::assert_snapshot!(qassay(folder.path(), ["explain", "beta", "3"]).ok(), @r#"
    question 3 (missing)
      en     How many?

    tp 0   fp 0   fn 1   precision 0   recall 0   F1 0

    missed (1)
      "7"

    gold query
      none

    system query
      none

    in RDF
      observation   https://w3id.org/qassay/evaluation/5f892bf322a55241f774fa72ea17b482/obs/QA/3
      question      https://w3id.org/qassay/dataset/tiny/97ae6bdccb21299c/q/3
      gold answer   https://w3id.org/qassay/dataset/tiny/97ae6bdccb21299c/q/3/gold/curated
    "#);
}

#[test]
fn query_lists_and_runs_canned_queries() {
    let folder = archive();
    insta::assert_snapshot!(qassay(folder.path(), ["query"]).ok(), @r"
    Canned queries

    name                   what it answers
    aggregate              Every number
    blind                  Blind submissions
    comparisons            Who is better, by how much, and could it be chance
    complementarity        Questions that only one system answers
    dataset                Versions of datasets
    executions             Executions with the inputs of their evaluations
    experiment             What was published together
    files                  Files that the records describe
    files-only             Link sets that are kept as files only
    graphs                 Graphs that the records register
    groups                 Measures by group of questions
    hardest                Questions that the fewest evaluations answer
    issues                 What was odd about the inputs
    latest                 Evaluations, the latest first
    leaderboard            Systems by macro F1
    link-sets              Registered versions of link sets
    match                  Which items are the same, and why
    measures               Every aggregate measure
    patterns               Triple patterns of gold queries and how often systems have them
    provenance             Where the numbers come from
    question               What came of each question
    question-systems       What all systems made of a question
    ranking                Evaluations by what their profiles rank by
    rules                  Matches by rule
    search                 Everything that has a name
    skipped                Experiment types and questions without scores
    system                 Systems with their evaluations
    unanswered             Questions without an answer
    group/aggregation      Groups of questions by the flag aggregation
    group/answer-type      Groups of questions by answer type
    group/hybrid           Groups of questions by the flag hybrid
    group/language         Groups of questions by language
    group/onlydbo          Groups of questions by the flag onlydbo
    group/query-feature    Groups of questions by what the gold query uses
    group/query-form       Groups of questions by the form of the gold query
    group/question-type    Groups of questions by question type
    group/question-word    Groups of questions by question word
    group/text-length      Groups of questions by the length of their texts
    group/triple-patterns  Groups of questions by the number of triple patterns

    `qassay query NAME` runs one, `qassay query NAME --show` prints it.
    ");
    insta::assert_snapshot!(qassay(folder.path(), ["query", "leaderboard"]).ok(), @r"
    dataset  profile  system  questions       precision          recall              f1           exact  evaluation
    tiny     qassay   alpha           3  0.555555555556  0.555555555556  0.555555555556  0.333333333333  https://w3id.org/qassay/evaluation/e7cc3f2c89b460d347c07dae17001b43
    tiny     qassay   beta            3  0.333333333333  0.333333333333  0.333333333333  0.333333333333  https://w3id.org/qassay/evaluation/5f892bf322a55241f774fa72ea17b482
    ");
    insta::assert_snapshot!(qassay(folder.path(), ["query", "rules", "--format", "csv"]).ok(), @r"
    system,profile,experiment,rule,matches,evaluation
    alpha,qassay,AT,identical,3,https://w3id.org/qassay/evaluation/e7cc3f2c89b460d347c07dae17001b43
    alpha,qassay,P2KB,identical,1,https://w3id.org/qassay/evaluation/e7cc3f2c89b460d347c07dae17001b43
    alpha,qassay,QA,normalised,1,https://w3id.org/qassay/evaluation/e7cc3f2c89b460d347c07dae17001b43
    alpha,qassay,QA,sameas,1,https://w3id.org/qassay/evaluation/e7cc3f2c89b460d347c07dae17001b43
    alpha,qassay,QA,value-untyped,1,https://w3id.org/qassay/evaluation/e7cc3f2c89b460d347c07dae17001b43
    beta,qassay,AT,identical,1,https://w3id.org/qassay/evaluation/5f892bf322a55241f774fa72ea17b482
    beta,qassay,QA,identical,1,https://w3id.org/qassay/evaluation/5f892bf322a55241f774fa72ea17b482
    ");
    let shown = qassay(folder.path(), ["query", "rules", "--show"]).ok();
    assert!(shown.contains("SELECT ?system ?profile ?experiment ?rule"), "{shown}");
    let list = qassay(folder.path(), ["query", "--format", "json"]).json();
    qassay(folder.path(), ["compare", "--experiment", "QA"]).ok();
    for query in list.as_array().expect("a list") {
        let name = query["name"].as_str().expect("a name");
        let rows = qassay(folder.path(), ["query", name, "--format", "json"]).json();
        // The small dataset has no flags and no blind submissions, and its links no name; they are few; nothing is published.
        let may_be_empty =
            name.starts_with("group/") || ["blind", "experiment", "files-only", "link-sets"].contains(&name);
        assert!(
            may_be_empty || !rows["results"]["bindings"].as_array().expect("bindings").is_empty(),
            "{name} finds nothing"
        );
    }
}

/// Runs a query that comes through standard input.
fn asked(folder: &TempDir, query: &str, format: &str) -> String {
    let mut command = program(folder.path());
    Ran::of(command.args(["query", "-", "--format", format]).write_stdin(query)).ok()
}

#[test]
fn query_reads_files_and_standard_input() {
    let folder = archive();
    let count = "PREFIX qassay: <https://w3id.org/qassay/ns#> PREFIX code: <https://w3id.org/qassay/code#>
        SELECT (COUNT(*) AS ?n) { ?observation qassay:question ?question ; qassay:experimentType code:QA }";
    fs::write(folder.path().join("count.rq"), count).expect("a query");
    assert_eq!(qassay(folder.path(), ["query", "count.rq"]).ok(), "n\n6\n");
    // as SPARQL 1.1 Query Results CSV has it
    assert_eq!(asked(&folder, count, "csv"), "n\r\n6\r\n");
    let json: Value = serde_json::from_str(&asked(&folder, count, "json")).expect("JSON");
    assert_eq!(json["results"]["bindings"][0]["n"]["value"], "6");
    assert_eq!(asked(&folder, "ASK { ?s ?p ?o }", "table"), "true\n");
    assert_eq!(asked(&folder, "ASK { ?s ?p <http://nothing> }", "table"), "false\n");
    let construct = "CONSTRUCT { <http://a> <http://b> ?name } { ?system <http://schema.org/name> ?name }";
    let constructed = asked(&folder, construct, "table");
    assert!(constructed.starts_with("<http://a> <http://b> \""), "{constructed}");
    assert!(constructed.contains("\"alpha\"") && constructed.contains("\"beta\""), "{constructed}");
    // What cannot be read, or not be printed so, is told before the archive is opened.
    let refusals = [
        (construct, "csv", "which are no table.\nallowed: no `--format`"),
        ("DESCRIBE <http://a>", "json", "which are no table"),
        ("SELECT", "csv", "the query is no SPARQL"),
    ];
    for (query, format, told) in refusals {
        let mut command = program(folder.path());
        command.args(["query", "-", "--archive", "nowhere", "--format", format]).write_stdin(query);
        let ran = Ran::of(&mut command);
        assert!(ran.code == Some(2) && ran.stderr.contains(told), "{}", ran.stderr);
    }
    // what has commas is quoted, and whole IRIs can be put into the next query
    let quoted = "SELECT (\"a,b\" AS ?x) (qassay:f1 AS ?y) {}";
    assert_eq!(asked(&folder, quoted, "csv"), "x,y\r\n\"a,b\",https://w3id.org/qassay/ns#f1\r\n");
    assert_eq!(asked(&folder, quoted, "table"), "x    y\na,b  https://w3id.org/qassay/ns#f1\n");
    // links only where asked for, each as a named graph
    let links = "ASK { GRAPH ?g { ?s <http://www.w3.org/2002/07/owl#sameAs> ?o } }";
    assert_eq!(asked(&folder, links, "table"), "false\n");
    let mut command = program(folder.path());
    assert_eq!(Ran::of(command.args(["query", "-", "--with-links"]).write_stdin(links)).ok(), "true\n");
}

#[test]
fn query_ends_at_its_time_limit_and_shows_no_part() {
    let folder = archive();
    let endless = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";
    let mut command = program(folder.path());
    let ran = Ran::of(command.args(["query", "-", "--timeout", "1", "--format", "csv"]).write_stdin(endless));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let told = "error: -: the query was stopped after 1 s, a limit of qassay (it had ";
    assert!(
        ran.stderr.starts_with(told) && ran.stderr.contains("hint: `--timeout SECONDS`"),
        "{}",
        ran.stderr
    );
    let refused = qassay(folder.path(), ["query", "leaderboard", "--timeout", "0"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("0 is not in 1.."), "{}", refused.stderr);
}

#[test]
fn check_describes_files() {
    let folder = folder();
    insta::assert_snapshot!(qassay(folder.path(), ["check", "gold.json"]).ok(), @r"
    gold.json (qald-json)

    sha256        97ae6bdccb21299cfc0fbcb9ee30a15d51fd8682884cfc56040f83e7d2e7c3ca
    bytes         972
    dataset id    tiny
    questions     3
    with answers  3
    with queries  1
    answer rows   4
    booleans      1
    answer items  5
    answer kinds  boolean 1, literal 1, uri 3
    answer types  boolean 1, number 1, resource 1
    languages     de 1, en 3

    no issues
    ");
    insta::assert_snapshot!(qassay(folder.path(), ["check", "beta.json"]).ok(), @r"
    beta.json (qald-json)

    sha256        40125a7ec9411e6d7f49b306b2e301649004c207ef3d711e96e65882ce3c2edc
    bytes         165
    questions     1
    with answers  1
    booleans      1
    answer items  1
    answer kinds  boolean 1
    answer types  other (yes/no) 1
    languages     en 1

    1 issue

    severity  issue                place                                          message
    warning   unknown-answer-type  line 2, question 2, $.questions[0].answertype  the answer type `yes/no` is none of resource, string, number, date, boolean; answers are read without it
    ");
    let report = qassay(folder.path(), ["check", "gold.json", "beta.json", "--format", "json"]).json();
    let files = report["files"].as_array().expect("files");
    assert_eq!(
        (files.len(), &files[0]["format"], &files[0]["dataset"]),
        (2, &"qald-json".into(), &"tiny".into())
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&files[0]["counts"]).expect("JSON"), @r#"
    {
      "questions": 3,
      "withAnswers": 3,
      "withEmptyAnswers": 0,
      "withoutAnswers": 0,
      "outOfScope": 0,
      "unreadable": 0,
      "withQueries": 1,
      "queriesThatCannotBeRead": 0,
      "answerRows": 4,
      "booleans": 1,
      "answerItems": 5,
      "candidates": 0,
      "withErrorsOfTheSystem": 0,
      "withResponseTimes": 0
    }
    "#);
    insta::assert_snapshot!(serde_json::to_string_pretty(&files[1]["issues"]).expect("JSON"), @r#"
    [
      {
        "severity": "warning",
        "code": "unknown-answer-type",
        "message": "the answer type `yes/no` is none of resource, string, number, date, boolean; answers are read without it",
        "line": 2,
        "question": "2",
        "path": "$.questions[0].answertype"
      }
    ]
    "#);
}

#[test]
fn verify_reports_what_it_looked_at() {
    let folder = archive();
    let hide = [(r"[0-9a-f]{32}", "[KEY]"), (r"  +", "  ")];
    insta::with_settings!({filters => hide.to_vec()}, {
        insta::assert_snapshot!(qassay(folder.path(), ["verify"]).ok(), @r"
        verified qassay-archive

        check  about  looked at  result
        checksums  files and graphs  19  ok
        registry  graphs and files of the records  19  ok
        constraints  https://w3id.org/qassay/evaluation/[KEY]  112  ok
        re-execution  https://w3id.org/qassay/evaluation/[KEY]  1  same
        constraints  https://w3id.org/qassay/evaluation/[KEY]  112  ok
        re-execution  https://w3id.org/qassay/evaluation/[KEY]  1  same
        ");
        insta::assert_snapshot!(qassay(folder.path(), ["verify", "beta", "--no-reexecution", "-f", "csv"]).ok(), @r"
        check,about,looked_at,result
        checksums,files and graphs,19,ok
        registry,graphs and files of the records,19,ok
        constraints,https://w3id.org/qassay/evaluation/[KEY],112,ok
        ");
    });
    let report = qassay(folder.path(), ["verify", "qassay-archive", "-f", "json"]).json();
    assert_eq!(report["ok"], true);
    assert_eq!(qassay(folder.path(), ["verify", "--archive", "qassay-archive"]).code, Some(0));
}

#[test]
fn errors_are_coloured_on_request_only() {
    let folder = folder();
    let wrong = ["evaluate", "gold.json", "missing.json"];
    let plain = qassay(folder.path(), wrong).stderr;
    assert_eq!(plain, "error: missing.json: no such file.\n");
    let forced = Ran::of(program(folder.path()).args(wrong).env("CLICOLOR_FORCE", "1")).stderr;
    assert!(forced.contains('\u{1b}'), "{forced}");
    let never = Ran::of(program(folder.path()).args(wrong).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert_eq!(never.stderr, plain);
    // results have no colours either way
    let output = program(folder.path())
        .args(["evaluate", "gold.json", "alpha.json"])
        .env("CLICOLOR_FORCE", "1")
        .output();
    assert!(!String::from_utf8_lossy(&output.expect("a run").stdout).contains('\u{1b}'));
}

/// `qassay evaluate … | head -1`: a reader that has enough is no error.
#[test]
fn broken_pipe_is_no_error() {
    let folder = folder();
    let question = |id: usize| format!(r#"{{"id": "{id}", "answers": [{{"boolean": true}}]}}"#);
    let questions: Vec<String> = (0..2_000).map(question).collect();
    let large = format!(r#"{{"questions": [{}]}}"#, questions.join(","));
    fs::write(folder.path().join("large.json"), large).expect("a file");
    // more than a pipe holds: the program still writes when its reader goes away
    let mut run = Command::new(assert_cmd::cargo::cargo_bin!("qassay"))
        .current_dir(folder.path())
        .args(["evaluate", "large.json", "large.json", "--format", "json", "--no-archive", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::with_capacity(16, run.stdout.take().expect("its output"))
        .read_line(&mut line)
        .expect("a line");
    let output = run.wait_with_output().expect("its end");
    assert_eq!((line.as_str(), output.status.code()), ("{\n", Some(0)));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn threads_are_a_number_from_1() {
    let folder = tempfile::tempdir().unwrap();
    for verb in ["evaluate", "release", "verify"] {
        for word in ["0", "-1", "many", "1025"] {
            let ran = qassay(folder.path(), [verb, &format!("--threads={word}")]);
            let told = format!("error: invalid value '{word}' for '--threads <N>'");
            assert!(ran.code == Some(2) && ran.stderr.starts_with(&told), "{}", ran.stderr);
        }
    }
}
