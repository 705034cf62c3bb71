//! `qassay datasets`, and inputs that are named as the catalogue names them.

use std::fs;
use std::path::Path;

use crate::common::{Ran, qassay};
use insta::assert_snapshot;
use tempfile::TempDir;

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name).display().to_string()
}

fn datasets(arguments: &[&str]) -> Ran {
    let folder = TempDir::new().expect("a folder");
    qassay(folder.path(), [&["datasets"], arguments].concat())
}

/// The names that a filter lists.
fn names(arguments: &[&str]) -> Vec<String> {
    let listed = datasets(&[arguments, &["--format", "json"]].concat()).json();
    let names = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|file| file["name"].as_str().expect("a name").to_owned());
    names.collect()
}

/// A folder with an archive that has the example.
fn fetched() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let files = ["qassay-example", "qassay-example-aurora", "qassay-example-links"];
    qassay(folder.path(), ["fetch"].iter().chain(&files)).ok();
    folder
}

#[test]
fn a_part_of_names_lists_what_has_it() {
    assert_snapshot!(datasets(&["qald-5"]).ok(), @"
    13 files of the catalogue

    name                            questions  kind        knowledge graph                                   languages       licence        format              fetched  note
    qald-5-doi                            419  dataset     dbpedia (+text for hybrid) 2014 + long abstracts  de en es fa +4  MIT            XML-5 flat answers           damaged
    qald-5-test                            59  dataset     dbpedia (+text for hybrid) 2014 + long abstracts  de en es fr +3  MIT            XML-5 flat answers
    qald-5-test-questions                  59  dataset     dbpedia (+text for hybrid) 2014 + long abstracts  de en es fr +3  MIT            XML-5 flat answers
    qald-5-train-json                     340  dataset     dbpedia (+text for hybrid) 2014 + long abstracts  de en es fr +3  MIT            JSON-1 body/string           damaged
    qald-5-train                          340  dataset     dbpedia (+text for hybrid) 2014 + long abstracts  de en es fr +3  MIT            XML-5 flat answers           damaged
    qald-5-train-raw                      340  dataset     dbpedia (+text for hybrid) 2014 + long abstracts  de en es fr +3  MIT            XML-5 flat answers           damaged
    qald-5-test-hawk-featurebased           3  submission  dbpedia (+text for hybrid) 2014 + long abstracts  en              AGPL-3.0-only  XML-5 flat answers
    qald-5-train-hawk-featurebased         22  submission  dbpedia (+text for hybrid) 2014 + long abstracts  en              AGPL-3.0-only  XML-5 flat answers
    qald-5-test-hawk-optimal                0  submission  dbpedia (+text for hybrid) 2014 + long abstracts  en              AGPL-3.0-only  XML-5 flat answers           damaged
    qald-5-train-hawk-optimal              15  submission  dbpedia (+text for hybrid) 2014 + long abstracts  en              AGPL-3.0-only  XML-5 flat answers
    qald-5-test-hawk-overlapping            3  submission  dbpedia (+text for hybrid) 2014 + long abstracts  en              AGPL-3.0-only  XML-5 flat answers
    qald-5-train-hawk-overlapping          22  submission  dbpedia (+text for hybrid) 2014 + long abstracts  en              AGPL-3.0-only  XML-5 flat answers
    qald-5-test-hawk                        1  submission  dbpedia (+text for hybrid) 2014 + long abstracts  en              AGPL-3.0-only  XML-5 flat answers
    ");
    assert_snapshot!(datasets(&["qald", "4", "hybrid", "--format", "csv"]).ok(), @r#"
    name,questions,kind,kb,languages,licence,format,fetched,note
    qald-4-test-hybrid-questions,10,dataset,dbpedia+text 3.9 + long abstracts,en,MIT,XML-3 multilingual,,"no answers, no queries"
    qald-4-test-hybrid,10,dataset,dbpedia+text 3.9 + long abstracts,en,MIT,XML-4 hybrid pseudoquery,,
    qald-4-train-hybrid,25,dataset,dbpedia+text 3.9 + long abstracts,en,MIT,XML-4 hybrid pseudoquery,,
    "#);
}

#[test]
fn a_name_shows_everything() {
    assert_snapshot!(datasets(&["QALD6_Train_Multilingual"]).ok(), @r#"
    qald-6-train-multilingual
      title       QALD-6 multilingual, training questions
      kind        dataset
      part of     QALD-6
      version     6
      previous    qald-5-train
      next        qald-7-train-multilingual
      publisher   https://github.com/ag-sc
      licence     https://spdx.org/licenses/MIT
      languages   de en es fa fr it nl ro
      graph       dbpedia; version: 2015-10
      questions   350; counted: entries of questions[]
      Table 1     QALD6_Train_Multilingual: 333; counted: 350 entries less the 15 out of scope (no
                  query, no answers), less question 312 (empty bindings), less question 340 (the binding
                  key "callret-0" in quotation marks is not in head.vars): the JSON loader of before
                  August 2016 removed questions without answers
      GERBIL      QALD6_Train_Multilingual
      format      JSON-2 QALD
      bytes       2683718
      sha256      1dc5d89fbae83d0c3e612a5eee5c42720b66ad4070274f182ff9ba6dceaf6f81
      repository  ag-sc/QALD
      commit      7a43e2b99a523f74377c317630f5ec55a6d8c1cf
      path        6/data/qald-6-train-multilingual.json
      address     https://raw.githubusercontent.com/ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/6/data/qald-6-train-multilingual.json
      IRI         https://w3id.org/qassay/dataset/qald-6-train-multilingual/1dc5d89fbae83d0c
      fetched     no; `qassay fetch qald-6-train-multilingual`
    "#);
    assert_snapshot!(datasets(&["qald-5-train-json"]).ok(), @"
    qald-5-train-json
      title        QALD-5, training questions (JSON copy)
      kind         dataset
      damage       line breaks are removed without a space (96 times ?uriWHERE) and every repeated
                   character is squeezed to one: 88 queries are changed, of which 39 still parse and
                   mean something else; the pseudo queries of the 40 hybrid questions are dropped
      see instead  qald-5-train
      part of      QALD-5
      version      5
      publisher    https://github.com/ag-sc
      licence      https://spdx.org/licenses/MIT
      languages    de en es fr it nl ro
      graph        dbpedia (+text for hybrid); version: 2014 + long abstracts
      questions    340; counted: entries of questions[]
      format       JSON-1 body/string
      bytes        1389231
      sha256       0c285f5d67fcd783d822b7bd511e589aa3391fdeff9990659b8b31d9bc248062
      repository   ag-sc/QALD
      commit       7a43e2b99a523f74377c317630f5ec55a6d8c1cf
      path         5/data/qald-5_train.json
      address      https://raw.githubusercontent.com/ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/5/data/qald-5_train.json
      IRI          https://w3id.org/qassay/dataset/qald-5-train/0c285f5d67fcd783
      fetched      no; `qassay fetch qald-5-train-json`
    ");
    assert_snapshot!(datasets(&["QALD3_Test_musicbrainz"]).ok(), @"
    qald-3-test-musicbrainz
      title        QALD-3 MusicBrainz, test questions
      kind         dataset
      absent       git blob 2bcf1b415ea4f96be7d4beb85950cd7cebff9d57; the tree of the repository lists
                   it, no copy seen has its content
      see instead  qald-3-test-musicbrainz-without-answers
      part of      QALD-3
      version      3
      previous     qald-2-test-musicbrainz
      publisher    https://github.com/ag-sc
      licence      https://spdx.org/licenses/MIT
      graph        musicbrainz; version: not stated
      questions    not known
      GERBIL       QALD3_Test_musicbrainz
      format       XML-3 multilingual
      repository   ag-sc/QALD
      commit       7a43e2b99a523f74377c317630f5ec55a6d8c1cf
      path         3/data/musicbrainz-test-answers.xml
      address      https://raw.githubusercontent.com/ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/3/data/musicbrainz-test-answers.xml
      IRI          https://w3id.org/qassay/dataset/qald-3-test-musicbrainz/absent
      fetched      nobody can
    ");
}

#[test]
fn json_has_every_field() {
    assert_snapshot!(datasets(&["qald-5-train", "--format", "json"]).ok(), @r#"
    [
      {
        "name": "qald-5-train",
        "title": "QALD-5, training questions",
        "kind": "dataset",
        "iri": "https://w3id.org/qassay/dataset/qald-5-train/1bc68b2576d2f01b",
        "partOf": "QALD-5",
        "version": "5",
        "publisher": "https://github.com/ag-sc",
        "licence": "https://spdx.org/licenses/MIT",
        "languages": [
          "de",
          "en",
          "es",
          "fr",
          "it",
          "nl",
          "ro"
        ],
        "kb": "dbpedia (+text for hybrid)",
        "kbVersion": "2014 + long abstracts",
        "questions": 340,
        "counted": "question elements",
        "table1": [
          {
            "name": "QALD5_Train_Hybrid",
            "questions": 40,
            "counted": "question elements with hybrid=\"true\""
          },
          {
            "name": "QALD5_Train_Multilingual",
            "questions": 300,
            "counted": "question elements with hybrid=\"false\""
          }
        ],
        "gerbil": [
          "QALD5_Train_Hybrid",
          "QALD5_Train_Multilingual"
        ],
        "format": "XML-5 flat answers",
        "mediaType": "application/xml",
        "datasetId": "qald-5_train",
        "lacks": null,
        "damage": "92 IRIs of answers hold a literal &amp; where & is meant",
        "instead": null,
        "absent": null,
        "previous": [
          "qald-4-train-multilingual",
          "qald-4-train-hybrid"
        ],
        "next": [
          "qald-6-train-multilingual",
          "qald-6-train-hybrid"
        ],
        "repository": "ag-sc/QALD",
        "commit": "7a43e2b99a523f74377c317630f5ec55a6d8c1cf",
        "path": "5/data/qald-5_train.xml",
        "page": "https://github.com/ag-sc/QALD/blob/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/5/data/qald-5_train.xml",
        "address": "https://raw.githubusercontent.com/ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/5/data/qald-5_train.xml",
        "sha256": "1bc68b2576d2f01be5e3a074cf31e326cf6ba8a5ad5fb8947fd80a3ec93bbf08",
        "bytes": 1205982,
        "fetched": null
      }
    ]
    "#);
    let all = datasets(&["--format", "json"]).json();
    assert_eq!(all.as_array().map(Vec::len), Some(201));
    for file in all.as_array().expect("a list") {
        assert_eq!(file.as_object().map(serde_json::Map::len), Some(32), "{}", file["name"]);
        assert_eq!(file["sha256"].is_null(), !file["absent"].is_null(), "{}", file["name"]);
    }
}

#[test]
fn filters_narrow_the_list() {
    assert_eq!(names(&["--kind", "links"]), ["qassay-example-links"]);
    assert_eq!(names(&["--kind", "submission", "--kb", "wikidata"]), ["wikiwebquestions-dev-best"]);
    assert_eq!(names(&["--language", "hi", "qald-8"]), ["qald-8-train"]);
    assert_eq!(
        names(&["--language", "pt-br", "qald-9", "--kind", "dataset"]),
        ["qald-9-test", "qald-9-train", "qald-9-test-kgqan-copy"]
    );
    assert_eq!(
        names(&["--format-name", "json-3", "qald"]),
        ["qald-7-train-hybrid-extended", "qald-7-train-multilingual-extended"]
    );
    assert_eq!(names(&["--kb", "3.6", "train"]), ["qald-1-train-dbpedia-cdata", "qald-1-train-dbpedia"]);
    assert_eq!(names(&[]).len(), 201);
}

#[test]
fn what_is_not_there_is_said() {
    let stderr = |arguments: &[&str]| {
        let ran = datasets(arguments);
        assert_eq!(ran.code, Some(2));
        ran.stderr
    };
    assert_snapshot!(stderr(&["qald-9-tests"]), @"
    error: the catalogue has no `qald-9-tests`.
    allowed: qald-9-test, qald-5-test, qald-8-test, qald-10-test, qald-9-train
    hint: `qassay datasets` lists all names
    ");
    assert_snapshot!(stderr(&["qald", "--language", "sv"]), @"
    error: no file of the catalogue fits.
    hint: `qassay datasets` lists all files
    ");
    assert_snapshot!(stderr(&["--fetched"]), @"
    error: qassay-archive: no file of the catalogue fits.
    hint: `qassay fetch NAME…` fetches files; `--archive DIR` names another archive
    ");
}

#[test]
fn fetched_files_are_marked_and_can_be_named() {
    let folder = fetched();
    assert_snapshot!(qassay(folder.path(), ["fetch", "qassay-example", "qassay-example-kb"]).stderr, @r"
    qassay-example: already fetched
    qassay-example-kb: fetched, 2893 bytes
    1 fetched, 1 already there: qassay-archive
    ");
    assert_snapshot!(qassay(folder.path(), ["datasets", "--fetched"]).ok(), @"
    4 files of the catalogue

    name                   questions  kind        knowledge graph  languages       licence  format       fetched  note
    qassay-example                16  dataset     invented         cs de en hu +1  CC0-1.0  JSON-2 QALD  yes
    qassay-example-aurora         15  submission  invented         en              CC0-1.0  JSON-2 QALD  yes
    qassay-example-links              links       invented                         CC0-1.0  N-Triples    yes
    qassay-example-kb                 kb          invented                         CC0-1.0  Turtle       yes
    ");
    let arguments = [
        "evaluate",
        "qassay-example",
        "qassay-example-aurora",
        "--links",
        "qassay-example-links",
        "--no-archive",
    ];
    let by_name = qassay(folder.path(), arguments).ok();
    let gold = example("gold.json");
    let arguments = [
        "evaluate",
        gold.as_str(),
        &example("aurora.json"),
        "--links",
        &example("same-as.nt"),
        "--no-archive",
        "--system",
        "qassay-example-aurora",
    ];
    assert_eq!(by_name, qassay(folder.path(), arguments).ok(), "the same files, the same numbers");
    let iri = "https://w3id.org/qassay/dataset/qassay-example/c3c4991ad5d52807";
    let checked = qassay(folder.path(), ["check", iri]).ok();
    assert!(checked.starts_with("qassay-example (qald-json)\n"), "{checked}");
    // A kept evaluation of named files is like any other.
    qassay(folder.path(), ["evaluate", "qassay-example", "qassay-example-aurora"]).ok();
    qassay(folder.path(), ["verify"]).ok();
    qassay(folder.path(), ["explain", "qassay-example-aurora", "1"]).ok();
}

#[test]
fn a_file_of_the_same_name_wins() {
    let folder = fetched();
    fs::copy(example("borealis.json"), folder.path().join("qassay-example-aurora")).expect("a copy");
    let checked = qassay(folder.path(), ["check", "qassay-example-aurora", "--format", "json"]);
    let checked: serde_json::Value = serde_json::from_str(&checked.stdout).expect("JSON");
    let sha256 = checked["files"][0]["sha256"].as_str().expect("a checksum");
    assert!(sha256.starts_with("d8553aca35a1c27e"), "{sha256}");
}

#[test]
fn names_that_are_not_fetched_bring_the_command() {
    let folder = TempDir::new().expect("a folder");
    let stderr = |arguments: &[&str]| qassay(folder.path(), arguments).stderr;
    assert_snapshot!(stderr(&["evaluate", "qald-9-test", "qald-9-test-kgqan"]), @"
    error: qassay-archive: `qald-9-test` is not fetched.
    hint: `qassay fetch qald-9-test`; `--archive DIR` names another archive
    ");
    assert_snapshot!(stderr(&["check", "qald-9-plus-train-wikidata"]), @"
    error: nobody has `qald-9-plus-train-wikidata`.
    hint: `qald-9-plus-train-wikidata-queries` replaces a part of it
    ");
    assert_snapshot!(stderr(&["check", "qald-9-tst"]), @"
    error: qald-9-tst: no such file, and the catalogue has none of that name.
    allowed: qald-9-test, qald-5-test, qald-8-test, qald-10-test, qald-9-train
    hint: `qassay datasets` lists all names
    ");
    assert_snapshot!(stderr(&["check", "gold.json"]), @"error: gold.json: no such file.");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
}

#[test]
fn a_damaged_archive_is_said() {
    let folder = fetched();
    let sha256 = "c3c4991ad5d52807afe28f682aa951f574396d23f1674b1ebea1a817e2b8d2b5";
    fs::write(folder.path().join("qassay-archive/files/sha256/c3").join(sha256), "{}").expect("written");
    let ran = qassay(folder.path(), ["check", "qassay-example"]);
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.stderr, @"
    error: qassay-archive/files/sha256/c3/c3c4991ad5d52807afe28f682aa951f574396d23f1674b1ebea1a817e2b8d2b5: the archive is damaged: these are not the bytes that were fetched.
    hint: remove the file and fetch it again
    ");
}

#[test]
fn fetch_says_what_it_cannot_do() {
    let folder = TempDir::new().expect("a folder");
    let stderr = |arguments: &[&str]| {
        let ran = qassay(folder.path(), [&["fetch"], arguments].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        ran.stderr
    };
    assert_snapshot!(stderr(&["qald-9-plus-test-wikidata"]), @"
    error: nobody can fetch `qald-9-plus-test-wikidata`: git blob 663dd06c93eb0a50bb2d6ec2452f69be709c3655; the tree of the repository lists it, no copy seen has its content.
    hint: `qald-9-plus-test-wikidata-queries` replaces a part of it
    ");
    assert_snapshot!(stderr(&["qald-4-biomedical-dumps"]), @"
    error: nobody can fetch `qald-4-biomedical-dumps`: git blob d4b7ea39260f3ad5fd5a84b6fea34bee215f2c1e; the tree of the repository lists it, no copy seen has its content.
    hint: nothing that we know replaces it
    ");
    assert_snapshot!(stderr(&["qald-9-tset"]), @"
    error: the catalogue has no `qald-9-tset`.
    allowed: qald-9-test, qald-5-test, qald-8-test, qald-10-test, qald-9-train
    hint: `qassay datasets` lists all names
    ");
    assert_snapshot!(stderr(&["qassay-example", "--mirror", "nowhere"]), @"
    error: nowhere: there is no such folder.
    hint: a mirror has the layout DIR/OWNER/REPOSITORY/COMMIT/PATH; without `--mirror`, files come from their address
    ");
    assert_snapshot!(stderr(&["qassay-example", "--base", "ftp://example.org"]), @"
    error: `ftp://example.org` is no address of a server.
    allowed: an address that begins with https:// or http://
    ");
    assert!(stderr(&[]).contains("required"));
}

#[test]
fn damage_is_said_before_a_file_is_fetched() {
    let (folder, mirror) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let mirror = mirror.path().display().to_string();
    let ran = qassay(folder.path(), ["fetch", "qald-5-train-json", "qassay-example", "--mirror", &mirror]);
    assert_eq!(ran.code, Some(1));
    assert_snapshot!(ran.stderr.replace(&mirror, "MIRROR"), @"
    warning: qald-5-train-json: line breaks are removed without a space (96 times ?uriWHERE) and every repeated character is squeezed to one: 88 queries are changed, of which 39 still parse and mean something else; the pseudo queries of the 40 hybrid questions are dropped; take `qald-5-train` for that
    qassay-example: fetched, 15601 bytes
    error: MIRROR/ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/5/data/qald-5_train.json: the mirror does not have `qald-5-train-json`.
    hint: without `--mirror`, the file comes from its address
    1 fetched, 0 already there: qassay-archive
    error: 1 of 2 files not fetched: qald-5-train-json.
    ");
}
