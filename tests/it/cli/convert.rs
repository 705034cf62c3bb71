//! `qassay convert` from outside: what it refuses, what it writes, what it says.

use std::fs;
use std::path::Path;

use crate::common::{Ran, files_below, kept_text, program, qassay};
use tempfile::TempDir;

const GOLD: &str = r#"{"dataset": {"id": "tiny"}, "questions": [
 {"id": "1", "answertype": "resource", "hybrid": false,
  "question": [{"language": "en", "string": "Which cities?", "keywords": "city"}, {"language": "de", "string": "Städte?"}],
  "query": {"sparql": "SELECT ?uri {\n ?uri a <http://e/City>\n}"},
  "answers": [{"head": {"vars": ["uri"]}, "results": {"bindings": [
   {"uri": {"type": "uri", "value": "http://e/Bonn"}}, {"uri": {"type": "uri", "value": "http://e/Köln"}}]}}]},
 {"id": "2", "answertype": "boolean", "question": [{"language": "en", "string": "Is it?"}], "answers": [{"head": {}, "boolean": true}]}
]}"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("gold.json"), GOLD).expect("a file");
    folder
}

fn told(ran: &Ran) -> String {
    format!("{}\n{}{}", ran.code.unwrap_or(-1), ran.stdout, ran.stderr)
}

fn content(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("a file")
}

fn names(folder: &TempDir) -> Vec<String> {
    files_below(folder.path()).iter().map(|path| path.display().to_string()).collect()
}

#[test]
fn what_would_be_lost_is_refused() {
    let folder = folder();
    insta::assert_snapshot!(told(&qassay(folder.path(), ["convert", "gold.json", "gold.xml"])), @r"
    2
    error: gold.json: qald-xml cannot hold all of it; lost would be:
      variables of the heads (1 question, first `1`)
      booleans that are no rows (1 question, first `2`).
    hint: `--lossy` writes the rest; RDF (`.nq`, `.ttl`) holds all of it
    ");
    assert_eq!(names(&folder), ["gold.json"]);
}

#[test]
fn with_lossy_it_is_written_and_listed() {
    let folder = folder();
    insta::assert_snapshot!(told(&qassay(folder.path(), ["convert", "gold.json", "gold.xml", "--lossy"])), @r"
    0
    read gold.json: qald-json, 2 questions, 3 answer rows, no issues
    wrote gold.xml: qald-xml, 622 bytes
    not in it:
      variables of the heads (1 question, first `1`)
      booleans that are no rows (1 question, first `2`)
    ");
    assert_eq!(names(&folder), ["gold.json", "gold.xml"]);
    insta::assert_snapshot!(content(&folder, "gold.xml"), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <dataset id="tiny">
     <question id="1" answertype="resource" hybrid="false">
      <string lang="en">Which cities?</string>
      <string lang="de">Städte?</string>
      <keywords lang="en">city</keywords>
      <query>SELECT ?uri {
     ?uri a &lt;http://e/City&gt;
    }</query>
      <answers>
       <answer>
        <uri>http://e/Bonn</uri>
       </answer>
       <answer>
        <uri>http://e/Köln</uri>
       </answer>
      </answers>
     </question>
     <question id="2" answertype="boolean">
      <string lang="en">Is it?</string>
      <answers>
       <answer>
        <boolean>true</boolean>
       </answer>
      </answers>
     </question>
    </dataset>
    "#);
}

#[test]
fn tables_and_result_sets() {
    let folder = folder();
    let lossy =
        |to| qassay(folder.path(), ["convert", "gold.json", "-", "--lossy", "--quiet", "--to", to]).ok();
    insta::assert_snapshot!(lossy("csv"), @r#"
    id,question,answer,type,language,datatype,variable,row,confidence,query
    1,Which cities?,http://e/Bonn,uri,,,uri,1,,"SELECT ?uri {
     ?uri a <http://e/City>
    }"
    1,,http://e/Köln,uri,,,uri,2,,
    2,Is it?,true,boolean,,,,1,,
    "#);
    insta::assert_snapshot!(lossy("text2sparql"), @r#"
    {
      "tiny:1-en": {
        "http://e/Bonn": 1,
        "http://e/Köln": 1
      },
      "tiny:2-en": {
        "true": 1
      }
    }
    "#);
    assert_eq!(lossy("jsonl").lines().count(), 3);
    assert!(lossy("eqald-json").contains("\"metadata\""));
    assert!(lossy("rdf").lines().is_sorted());
}

#[test]
fn rdf_and_back_changes_nothing() {
    let folder = folder();
    for name in ["gold.nq", "gold.ttl", "gold.nt", "gold.trig"] {
        qassay(folder.path(), ["convert", "gold.json", name]).ok();
        qassay(folder.path(), ["convert", name, "back.json", "--force"]).ok();
        let direct = qassay(folder.path(), ["convert", "gold.json", "-", "--to", "qald-json"]).ok();
        assert_eq!(content(&folder, "back.json"), direct, "{name}");
    }
    let checked = qassay(folder.path(), ["check", "gold.ttl"]).ok();
    assert!(checked.contains("(rdf)") && checked.contains("no issues"), "{checked}");
}

#[test]
fn published_graphs_are_read_with_a_note() {
    let folder = folder();
    qassay(folder.path(), ["evaluate", "gold.json", "gold.json"]).ok();
    let mut seen = 0;
    for path in files_below(&folder.path().join("qassay-archive/graphs")) {
        let path = Path::new("qassay-archive/graphs").join(path);
        let text = kept_text(&folder.path().join(&path));
        let is_input = ["#GoldAnswer> ", "#SystemAnswer> "].iter().any(|class| text.contains(class));
        if is_input && !text.contains("http://purl.org/linked-data/cube#") {
            let path = path.to_str().expect("a name");
            let ran = qassay(folder.path(), ["check", path]);
            assert!(ran.stdout.contains("only-published") && ran.code == Some(0), "{}", told(&ran));
            assert!(ran.stdout.contains("answer rows") && ran.stdout.contains("booleans"), "{}", ran.stdout);
            seen += 1;
        }
    }
    assert_eq!(seen, 2, "a dataset and a submission");
}

#[test]
fn files_are_not_replaced_unless_forced() {
    let folder = folder();
    fs::write(folder.path().join("out.nq"), "precious").expect("a file");
    insta::assert_snapshot!(told(&qassay(folder.path(), ["convert", "gold.json", "out.nq"])), @r"
    2
    error: out.nq: the file exists already.
    hint: `--force` replaces it
    ");
    assert_eq!(content(&folder, "out.nq"), "precious");
    qassay(folder.path(), ["convert", "gold.json", "out.nq", "--force"]).ok();
    assert!(content(&folder, "out.nq").contains("qassay/ns#part"));
    assert_eq!(names(&folder), ["gold.json", "out.nq"]);
}

#[test]
fn wrong_use_is_told() {
    let folder = folder();
    fs::create_dir(folder.path().join("dir")).expect("a folder");
    let cases: [&[&str]; 6] = [
        &["gold.json", "out.foo"],
        &["gold.json", "out"],
        &["gold.json", "-"],
        &["gold.json", "dir", "--to", "csv"],
        &["missing.json", "out.nq"],
        &["gold.json", "no/such/dir/out.nq"],
    ];
    let told: Vec<String> =
        cases.iter().map(|case| told(&qassay(folder.path(), [&["convert"], *case].concat()))).collect();
    insta::assert_snapshot!(told.join("---\n"), @r"
    2
    error: out.foo: the ending `.foo` says no format.
    allowed: .json .jsonl .xml .ttl .nt .nq .trig .csv .tsv
    hint: or name the format with `--to FORMAT`
    ---
    2
    error: out: the name has no ending that says the format.
    allowed: .json .jsonl .xml .ttl .nt .nq .trig .csv .tsv
    hint: or name the format with `--to FORMAT`
    ---
    2
    error: standard output has no ending that says the format.
    hint: name it with `--to FORMAT`
    ---
    2
    error: dir: this is a directory, not a file.
    hint: name the file to write in it
    ---
    2
    error: missing.json: no such file.
    ---
    2
    error: no/such/dir/out.nq: cannot write the file: No such file or directory (os error 2).
    ");
    assert_eq!(names(&folder), ["gold.json"]);
}

#[test]
fn help_names_the_formats() {
    let help = Ran::of(program(Path::new(".")).args(["help", "convert"])).ok();
    for part in ["--lossy", "--force", "--to <FORMAT>", "qald-xml", "text2sparql", "n-quads", "Examples:"] {
        assert!(help.contains(part), "{part}: {help}");
    }
}
