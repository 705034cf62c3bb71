//! `qassay kb add`: every format and packing says the same, malformed statements are told by line, a run that is killed
//! is taken up again.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::common::{Ran, files_below, program};
use serde_json::Value;

const PREFIX: &str = "@prefix a: <http://a/> .\n";
const TRIPLES: &str = "<http://a/s> <http://a/p> \"x\"@en .\n<http://a/s> <http://a/p> _:b .\n_:b <http://a/q> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n";
const QUADS: &str = "<http://a/s> <http://a/p> \"x\"@en <http://a/g> .\n<http://a/s> <http://a/p> _:b <http://a/g> .\n_:b <http://a/q> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n";
const TURTLE: &str = "a:s a:p \"x\"@en, [ a:q 1 ] .\n";
const XML: &str = "<?xml version=\"1.0\"?><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:a=\"http://a/\">
<rdf:Description rdf:about=\"http://a/s\"><a:p xml:lang=\"en\">x</a:p><a:p><rdf:Description>
<a:q rdf:datatype=\"http://www.w3.org/2001/XMLSchema#integer\">1</a:q></rdf:Description></a:p></rdf:Description></rdf:RDF>";

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).expect("content");
    encoder.finish().expect("gzip")
}

fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("a file");
    writer.write_all(content).expect("content");
    writer.finish().expect("an archive").into_inner()
}

fn add(folder: &Path, name: &str, arguments: &[&str]) -> Ran {
    Ran::of(program(folder).args(["kb", "add", name, "--version", "1", "--format", "json"]).args(arguments))
}

fn json(ran: Ran) -> Value {
    serde_json::from_str(&ran.ok()).expect("JSON")
}

#[test]
fn every_format_and_packing_says_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let turtle = format!("{PREFIX}{TURTLE}");
    let trig = format!("{PREFIX}<http://a/g> {{ {TURTLE} }}");
    let files: [(&str, Vec<u8>, &str); 12] = [
        ("a.nt", TRIPLES.into(), "application/n-triples"),
        ("a.nq", QUADS.into(), "application/n-quads"),
        ("a.ttl", turtle.clone().into(), "text/turtle"),
        ("a.trig", trig.clone().into(), "application/trig"),
        ("a.rdf", XML.into(), "application/rdf+xml"),
        ("a.owl", format!("\u{feff}{turtle}").into(), "text/turtle"),
        ("triples", TRIPLES.into(), "application/n-triples"),
        ("quads", QUADS.into(), "application/n-quads"),
        ("graphs", trig.into(), "application/trig"),
        ("a.nt.gz", gzip(TRIPLES.as_bytes()), "application/n-triples"),
        ("a.ttl.zip", zip("b/a.ttl", turtle.as_bytes()), "text/turtle"),
        ("zipped", zip("a.rdf", XML.as_bytes()), "application/rdf+xml"),
    ];
    for (number, (name, content, media_type)) in files.into_iter().enumerate() {
        fs::write(folder.path().join(name), content).expect("a file");
        let shown = json(add(folder.path(), &format!("kb{number}"), &[name]));
        assert_eq!(shown["files"][0]["mediaType"], media_type, "{name}");
        let numbers = ["triples", "distinctSubjects", "distinctObjects"].map(|key| shown[key].as_u64());
        assert_eq!(numbers, [Some(3), Some(2), Some(3)], "{name}");
        let properties = shown["properties"].to_string();
        assert_eq!(
            properties,
            r#"[{"property":"http://a/p","triples":2,"distinctSubjects":1,"distinctObjects":2},{"property":"http://a/q","triples":1,"distinctSubjects":1,"distinctObjects":1}]"#,
            "{name}"
        );
    }
    Ran::of(program(folder.path()).arg("verify")).ok();
}

#[test]
fn blank_nodes_of_two_files_are_two() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, value) in [("a.nt", "1"), ("b.nt", "2")] {
        let text =
            format!("_:b <http://a/p> \"x\" .\n_:b <http://a/p> \"{value}\" .\n_:b <http://a/p> \"x\" .\n");
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let shown = json(add(folder.path(), "two", &["a.nt", "b.nt"]));
    let numbers = ["triples", "distinctSubjects", "distinctObjects"].map(|key| shown[key].as_u64());
    assert_eq!(numbers, [Some(4), Some(2), Some(3)]);
    assert_eq!(shown["files"][0]["statements"], 3);
}

#[test]
fn malformed_statements_are_told_by_line_and_skipped_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = |number: usize| format!("<http://a/s{number}> <http://a/p> \"x\" .\n");
    let lines = [
        good(1),
        "<http://a/s> <http://a/p> \"open .\n".to_owned(),
        good(2),
        "# a comment\r\n".to_owned(),
        "<http://a/s <http://a/p> \"x\" .\r\n".to_owned(),
        good(3),
        "<http://a/s> <relative> \"x\" .\n".to_owned(),
        "<http://a/s> <http://a/p> \"\\q\" .\n".to_owned(),
        "nothing".to_owned(),
    ];
    fs::write(folder.path().join("a.nt"), lines.concat()).expect("a file");
    let turtle = format!(
        "{PREFIX}a:s1 a:p a:o ;\n a:p \"open ;\n a:q a:o .\na:s2 a:p a:o .\n@prefix b: <http://b/> .\na:s3 b:p c:o .\n\
         a:s4 a:p '''.\n.''' , 1.5 .\na:s5 a:p .\nb:s6 a:p _:x . _:x a:p 1 ."
    );
    fs::write(folder.path().join("a.ttl"), turtle).expect("a file");
    fs::write(folder.path().join("a.rdf"), XML.replace("</a:p><a:p>", "</a:q><a:p>")).expect("a file");
    let refused = add(folder.path(), "bad", &["a.nt"]);
    assert_eq!(refused.code, Some(2));
    insta::assert_snapshot!(refused.stderr, @r"
    error: a.nt: 5 malformed statements
      line 2: it ends in the middle
      line 5: Invalid IRI code point ' '
      line 7: No scheme found in an absolute IRI
      line 8: Unexpected escape character '\q'
      line 9: The subject of a triple must be an IRI or a blank node.
    hint: `--skip-malformed` leaves them out and counts them
    ");
    insta::assert_snapshot!(add(folder.path(), "bad", &["a.ttl"]).stderr, @r"
    error: a.ttl: 3 malformed statements
      lines 2-4: it ends in the middle
      line 7: The prefix c: has not been declared
      line 10: . is not a valid RDF object.
    hint: `--skip-malformed` leaves them out and counts them
    ");
    insta::assert_snapshot!(add(folder.path(), "bad", &["a.rdf", "--skip-malformed"]).stderr, @r"
    error: a.rdf: the RDF/XML is malformed
      line 1: ill-formed document: expected `</a:p>`, but `</a:q>` was found.
    hint: repair the file: RDF/XML cannot be read behind an error
    ");
    assert!(fs::read_dir(folder.path().join("qassay-archive/records/kb")).expect("records").next().is_none());

    let skipped = add(folder.path(), "lines", &["a.nt", "--skip-malformed"]);
    insta::assert_snapshot!(skipped.stderr, @r"
    a.nt: 5 malformed statements left out
      line 2: it ends in the middle
      line 5: Invalid IRI code point ' '
      line 7: No scheme found in an absolute IRI
      line 8: Unexpected escape character '\q'
      line 9: The subject of a triple must be an IRI or a blank node
    ");
    let shown = json(skipped);
    assert_eq!((&shown["triples"], &shown["files"][0]["skipped"]), (&3.into(), &5.into()));
    let skipped = add(folder.path(), "sentences", &["a.ttl", "--skip-malformed"]);
    insta::assert_snapshot!(skipped.stderr, @r"
    a.ttl: 3 malformed statements left out
      lines 2-4: it ends in the middle
      line 7: The prefix c: has not been declared
      line 10: . is not a valid RDF object
    ");
    let shown = json(skipped);
    assert_eq!((&shown["triples"], &shown["files"][0]["skipped"]), (&5.into(), &3.into()));
    Ran::of(program(folder.path()).arg("verify")).ok();
}

#[test]
fn a_version_never_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.nt"), TRIPLES).expect("a file");
    fs::write(folder.path().join("b.nt"), "<http://a/s> <http://a/p> <http://a/o> .\n").expect("a file");
    let first = json(add(folder.path(), "Same KB", &["a.nt"]));
    let before = files_below(&folder.path().join("qassay-archive"));
    let again = add(folder.path(), "Same KB", &["a.nt", "./a.nt"]);
    assert_eq!(again.stderr, "Same KB@1 is in the archive already, with these files\n");
    assert_eq!(json(again), first);
    assert_eq!(files_below(&folder.path().join("qassay-archive")), before);
    let other = add(folder.path(), "Same KB", &["a.nt", "b.nt"]);
    assert_eq!(other.code, Some(2));
    insta::assert_snapshot!(other.stderr, @r"
    error: Same KB@1 is in the archive with other files: a.nt.
    hint: a version never changes; give the new one another `--version`
    ");
    json(Ran::of(program(folder.path()).args([
        "kb",
        "add",
        "Same KB",
        "--version",
        "2",
        "b.nt",
        "--format",
        "json",
    ])));
    let show = |word: &str| Ran::of(program(folder.path()).args(["kb", "show", word, "--format", "json"]));
    insta::assert_snapshot!(show("Same KB").stderr, @r"
    error: `Same KB` has several versions.
    allowed: Same KB@1, Same KB@2
    ");
    assert_eq!(json(show("same kb@1")), first);
    assert_eq!(json(show(&first["digest"].as_str().expect("a digest")[..8])), first);
    assert_eq!(json(show(first["iri"].as_str().expect("an IRI"))), first);
    Ran::of(program(folder.path()).arg("verify")).ok();
    // Somebody takes a file away.
    let sha256 = first["files"][0]["sha256"].as_str().expect("a checksum");
    let file = folder.path().join("qassay-archive/files/sha256").join(&sha256[..2]).join(sha256);
    fs::remove_file(file).expect("a file");
    assert_eq!(Ran::of(program(folder.path()).arg("verify")).code, Some(1));
}

/// None where the archive has none yet: a run may be killed between making `records` and `records/kb`.
fn records(archive: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all: Vec<_> = fs::read_dir(archive.join("records/kb"))
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            (path.strip_prefix(archive).expect("below").to_owned(), fs::read(path).expect("a record"))
        })
        .collect();
    all.sort();
    all
}

/// A run that was killed between its last two steps.
#[test]
fn what_was_counted_goes_also_where_the_version_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("0.ttl"), "<urn:s> <urn:p> 1 .\n").expect("a file");
    let add = ["kb", "add", "left", "--version", "1", "--archive", "kept", "0.ttl"];
    Ran::of(program(folder.path()).args(add)).ok();
    let kept = fs::read_dir(folder.path().join("kept/files/sha256")).expect("files").flatten();
    let files = kept.flat_map(|folder| fs::read_dir(folder.path()).expect("files").flatten());
    let sha256 = files.map(|file| file.file_name().into_string().expect("a name")).next().expect("a file");
    let left = folder.path().join(format!("kept/tmp/kb-{sha256}-ttl.json"));
    fs::write(&left, "{}").expect("a state");
    Ran::of(program(folder.path()).args(add)).ok();
    assert!(!left.exists());
}

#[test]
fn a_killed_run_is_taken_up_and_ends_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let names: Vec<String> = (0..4).map(|number| format!("{number}.ttl")).collect();
    for (file, name) in names.iter().enumerate() {
        let lines = (0..20_000).map(|n| format!("<urn:s{n}> <urn:p{}> [ <urn:q> {file} ] .\n", n % 7));
        fs::write(folder.path().join(name), lines.collect::<String>()).expect("a file");
    }
    let arguments = |archive: &str| {
        let fixed = ["kb", "add", "killed", "--version", "1", "--format", "json", "--archive", archive];
        fixed.iter().map(|word| (*word).to_owned()).chain(names.clone()).collect::<Vec<_>>()
    };
    let whole = json(Ran::of(program(folder.path()).args(arguments("whole"))));
    assert_eq!(whole["triples"], 160_000);
    for milliseconds in (0..30).map(|step| step * 20) {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_qassay"))
            .args(arguments("killed"))
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed");
        child.wait().expect("ended");
        let archive = folder.path().join("killed");
        if archive.join("records").is_dir() {
            Ran::of(program(folder.path()).args(["verify", "killed"])).ok();
            for (path, record) in records(&archive) {
                assert_eq!(record, fs::read(folder.path().join("whole").join(path)).expect("a record"));
            }
        }
    }
    let again = json(Ran::of(program(folder.path()).args(arguments("killed"))));
    assert_eq!(again, whole);
    let kept = records(&folder.path().join("killed"));
    assert_eq!(kept.len(), 1);
    assert_eq!(kept, records(&folder.path().join("whole")));
    let left: Vec<_> = fs::read_dir(folder.path().join("killed/tmp"))
        .expect("tmp")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().starts_with("kb-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn rdf_xml_that_ends_in_the_middle_or_swells_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, _) = XML.rsplit_once("</rdf:Description>").expect("an element");
    fs::write(folder.path().join("cut.rdf"), whole).expect("a file");
    let ran = add(folder.path(), "cut", &["cut.rdf"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("the XML ends in the middle, where 2 elements are not closed"),
        "{}",
        ran.stderr
    );
    let entity = |n: u8| format!("<!ENTITY e{n} \"{}\">", format!("&e{};", n - 1).repeat(10));
    let entities = (1..12).map(entity).collect::<String>();
    let text =
        XML.replace("<rdf:RDF", &format!("<!DOCTYPE r [<!ENTITY e0 \"0123456789\">{entities}]><rdf:RDF"));
    fs::write(folder.path().join("bomb.rdf"), text.replace(">x<", ">&e11;<")).expect("a file");
    let ran = add(folder.path(), "bomb", &["bomb.rdf"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("the entity `e3` stands for "), "{}", ran.stderr);
    assert!(ran.stderr.contains(" bytes, more than 4 KiB, a limit of qassay"), "{}", ran.stderr);
}

#[test]
fn lines_that_begin_like_a_tag_are_no_xml() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.nt"), format!("<http://a/ s> <http://a/p> <http://a/o> .\n{TRIPLES}"))
        .expect("a file");
    let found = json(add(folder.path(), "a", &["a.nt", "--skip-malformed"]));
    assert_eq!((&found["triples"], &found["files"][0]["skipped"]), (&3.into(), &1.into()), "{found}");
}

#[test]
fn of_two_at_once_one_version_comes() {
    let folder = tempfile::tempdir().expect("a folder");
    let large: Vec<String> = (0..100_000).map(|n| format!("<urn:s{n}> <urn:p> <urn:o> .\n")).collect();
    fs::write(folder.path().join("large.nt"), large.concat()).expect("a file");
    fs::write(folder.path().join("small.nt"), TRIPLES).expect("a file");
    let start = |file: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_qassay"))
            .args(["kb", "add", "a", "--version", "1", file])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process")
    };
    let mut children = [start("large.nt"), start("small.nt")];
    let mut codes = children.each_mut().map(|child| child.wait().expect("ended").code());
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(2)]);
    assert_eq!(files_below(&folder.path().join("qassay-archive/records/kb")).len(), 1);
}

#[test]
fn what_is_lost_or_damaged_is_told_and_brought_back() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.nt"), TRIPLES).expect("a file");
    let query = "{\"questions\":[{\"id\":\"1\",\"question\":[{\"language\":\"en\",\"string\":\"?\"}],\"query\":{\"sparql\":\"ASK { ?s ?p \\\"x\\\"@en }\"},\"answers\":[{\"head\":{},\"boolean\":true}]}]}";
    fs::write(folder.path().join("gold.json"), query).expect("a file");
    add(folder.path(), "a", &["a.nt"]).ok();
    let refresh = || Ran::of(program(folder.path()).args(["kb", "refresh", "gold.json", "--kb", "a"]));
    let files = folder.path().join("qassay-archive/files");
    let kept = files.join(files_below(&files).remove(0));
    for damage in [Some(TRIPLES.replace("\"x\"", "\"y\"")), None] {
        match damage {
            Some(damage) => fs::write(&kept, damage).expect("a file"),
            None => fs::remove_file(&kept).expect("removed"),
        }
        let ran = refresh();
        assert_ne!(ran.code, Some(0), "{}", ran.stdout);
        assert!(ran.stderr.contains("`qassay kb add a --version 1 FILE…`"), "{}", ran.stderr);
        add(folder.path(), "a", &["a.nt"]).ok();
        assert_eq!(fs::read_to_string(&kept).expect("a file"), TRIPLES);
        refresh().ok();
    }
}

#[test]
fn two_names_with_one_iri_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.nt"), TRIPLES).expect("a file");
    add(folder.path(), "a b", &["a.nt"]).ok();
    let refused = add(folder.path(), "a-b", &["a.nt"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("a b@1 has the same IRI: https://w3id.org/qassay/kb/a-b/1"),
        "{}",
        refused.stderr
    );
}
