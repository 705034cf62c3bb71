//! What a stranger does with a record: parts are withheld and said to be, what he gets from their sources completes it, and he
//! takes it into an archive of his own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::server::{Server, send, serve};
use crate::common::{files_below, graph_name, qassay};
use qassay::sources::file::source::Source;
use tempfile::TempDir;

const GOLD: &str = r#"{"dataset": {"id": "tiny"}, "questions": [
 {"id": "1", "answertype": "resource", "question": [{"language": "en", "string": "Which?"}],
  "query": {"sparql": "SELECT ?uri WHERE { ?uri <http://e/p> <http://e/c> }"},
  "answers": [{"head": {"vars": ["uri"]}, "results": {"bindings": [
   {"uri": {"type": "uri", "value": "http://e/a"}}, {"uri": {"type": "uri", "value": "http://e/b"}}]}}]},
 {"id": "2", "answertype": "number", "question": [{"language": "en", "string": "How many?"}],
  "answers": [{"head": {"vars": ["n"]}, "results": {"bindings": [
   {"n": {"type": "typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": "7"}}]}}]}
]}
"#;

const INPUTS: [&str; 3] = ["gold.json", "sys.json", "links.nt"];

/// A folder with inputs, the archive `kept` and the record `out`.
fn record() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("gold.json"), GOLD).unwrap();
    // A number that is none gives a message that quotes it.
    let answers = GOLD
        .replace(r#", {"uri": {"type": "uri", "value": "http://e/b"}}"#, "")
        .replace("\"7\"", "\"seven\"");
    fs::write(path("sys.json"), answers).unwrap();
    let link = "<http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://f/a> .\n";
    fs::write(path("links.nt"), link).unwrap();
    let run = ["evaluate", "gold.json", "sys.json", "--links", "links.nt", "-x", "QA", "--archive", "kept"];
    qassay(folder.path(), run).ok();
    qassay(folder.path(), ["export", "sys", "out", "--archive", "kept"]).ok();
    folder
}

fn sha256(path: &Path) -> String {
    Source::open(path).unwrap().sha256().to_owned()
}

/// Makes the list of checksums again.
fn relist(root: &Path) {
    let named = files_below(root).into_iter();
    let named = named.filter(|path| !path.starts_with("tmp") && *path != Path::new("SHA256SUMS"));
    let line = |path: PathBuf| {
        let bytes = fs::read(root.join(&path)).unwrap();
        let source = Source::from_bytes("bytes", bytes).unwrap();
        [source.sha256(), "  ", &path.display().to_string(), "\n"].concat()
    };
    let list: String = named.map(line).collect();
    fs::write(root.join("SHA256SUMS"), list).unwrap();
}

/// Leaves out the inputs and what quotes them; `declared` says whether the record of a publication says so.
fn withhold(root: &Path, declared: bool) -> usize {
    let quoting = ["dataset", "submission", "match", "messages", "patterns", "links"];
    let mut parts = Vec::new();
    for path in files_below(root) {
        let text = fs::read_to_string(root.join(&path)).unwrap();
        let iri = if path.starts_with("files") {
            format!("https://w3id.org/qassay/file/sha256/{}", path.file_name().unwrap().to_string_lossy())
        } else if path.starts_with("graphs") {
            // Triple patterns of all are one graph, registered in parts by what they are of.
            let sum = path.file_stem().unwrap().to_str().unwrap();
            let records = files_below(&root.join("records")).into_iter();
            let texts = records.map(|record| fs::read_to_string(root.join("records").join(record)).unwrap());
            let line = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
            let line = line.into_iter().find(|line| line.contains(sum) && line.contains("#sha256>"));
            let name = line.map_or_else(
                || graph_name(&text).to_owned(),
                |line| line[1..].split("#sha256>").next().unwrap().to_owned(),
            );
            if !quoting.iter().any(|kind| name.contains(&format!("/graph/{kind}/"))) {
                continue;
            }
            name
        } else {
            continue;
        };
        fs::remove_file(root.join(&path)).unwrap();
        parts.push(iri);
    }
    if declared {
        let graph = "https://w3id.org/qassay/graph/catalog";
        let mut lines: Vec<String> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let node = format!("https://w3id.org/qassay/publication/0-1#withheld-{number}");
            lines.push(format!(
                "<{node}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://w3id.org/qassay/ns#WithheldPart> <{graph}> .\n"
            ));
            lines.push(format!("<{node}> <http://purl.org/dc/terms/subject> <{part}> <{graph}> .\n"));
        }
        lines.sort();
        fs::create_dir_all(root.join("records/publication")).unwrap();
        fs::write(root.join("records/publication/0-1.nq"), lines.concat()).unwrap();
    }
    relist(root);
    parts.len()
}

#[test]
fn what_is_withheld_is_not_checked_and_no_failure() {
    let folder = record();
    let number = withhold(&folder.path().join("out"), true);
    assert!(number >= 8, "{number}");
    let ran = qassay(folder.path(), ["verify", "out"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("verified in part: out\n"), "{}", ran.stdout);
    for check in ["constraints", "re-execution"] {
        let row = ran.stdout.lines().find(|line| line.starts_with(check)).unwrap();
        assert!(row.ends_with("not checked"), "{row}");
    }
    assert!(ran.stdout.contains("is not here: it is withheld"), "{}", ran.stdout);
    // what is missing beside that is a failure
    let is_scores = |path: &PathBuf| {
        let content = fs::read_to_string(folder.path().join("out/graphs").join(path)).unwrap();
        graph_name(&content).contains("/graph/scores/")
    };
    let scores = files_below(&folder.path().join("out/graphs")).into_iter().find(is_scores).unwrap();
    fs::remove_file(folder.path().join("out/graphs").join(scores)).unwrap();
    relist(&folder.path().join("out"));
    assert_eq!(qassay(folder.path(), ["verify", "out"]).code, Some(1));
    assert_eq!(qassay(folder.path(), ["verify", "out", "--partial"]).code, Some(3));
}

#[test]
fn what_is_missing_and_not_declared_is_a_failure() {
    let folder = record();
    withhold(&folder.path().join("out"), false);
    assert_eq!(qassay(folder.path(), ["verify", "out"]).code, Some(1));
    assert_eq!(qassay(folder.path(), ["verify", "out", "--partial"]).code, Some(3));
    // and whoever has the files can still complete it
    qassay(folder.path(), [&["verify", "out", "--with"], &INPUTS[..]].concat()).ok();
}

#[test]
fn files_from_their_sources_complete_a_record() {
    let folder = record();
    let out = folder.path().join("out");
    withhold(&out, true);
    let before: Vec<(PathBuf, Vec<u8>)> =
        files_below(&out).into_iter().map(|path| (path.clone(), fs::read(out.join(path)).unwrap())).collect();
    let with = |files: &[&str]| qassay(folder.path(), [&["verify", "out", "--with"], files].concat());
    let told = with(&INPUTS).ok();
    assert!(told.starts_with("verified out\n") && told.contains("note: completed in a copy with "), "{told}");
    assert!(!told.contains("not here"), "{told}");
    // the record stays as it is
    let after: Vec<(PathBuf, Vec<u8>)> =
        files_below(&out).into_iter().map(|path| (path.clone(), fs::read(out.join(path)).unwrap())).collect();
    assert_eq!(before, after);
    // with some of them it is not complete
    let ran = with(&INPUTS[..2]);
    assert!(ran.code == Some(3) && ran.stdout.contains("links"), "{:?} {}", ran.code, ran.stdout);
    // what it does not lack is told
    fs::write(folder.path().join("other.json"), "{}").unwrap();
    let ran = with(&["other.json"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("other.json: the record lacks no file with the checksum"), "{}", ran.stderr);
    assert!(ran.stderr.contains(&sha256(&folder.path().join("gold.json"))), "{}", ran.stderr);
}

#[test]
fn what_was_fetched_completes_a_record() {
    let folder = record();
    withhold(&folder.path().join("out"), true);
    // as `fetch` leaves files in an archive: without a record
    for name in INPUTS {
        let sum = sha256(&folder.path().join(name));
        let place = folder.path().join("mine/files/sha256").join(&sum[..2]);
        fs::create_dir_all(&place).unwrap();
        fs::copy(folder.path().join(name), place.join(&sum)).unwrap();
    }
    qassay(folder.path(), ["verify", "out", "--archive", "mine"]).ok();
    // other bytes of that name are none
    let sum = sha256(&folder.path().join("gold.json"));
    fs::write(folder.path().join("mine/files/sha256").join(&sum[..2]).join(&sum), "{}").unwrap();
    assert_eq!(qassay(folder.path(), ["verify", "out", "--archive", "mine"]).code, Some(3));
}

/// A record whose graph is another one than its files give is told, also where the graph is withheld.
#[test]
fn a_withheld_graph_that_its_files_do_not_give_is_told() {
    let folder = record();
    let out = folder.path().join("out");
    withhold(&out, true);
    let records = out.join("records/dataset");
    let record = records.join(&files_below(&records)[0]);
    let text = fs::read_to_string(&record).unwrap();
    let line =
        text.lines().find(|line| line.contains("/graph/dataset/") && line.contains("checksumValue")).unwrap();
    let sum = line.split("checksumValue> \"").nth(1).unwrap()[..64].to_owned();
    fs::write(&record, text.replace(&sum, &"0".repeat(64))).unwrap();
    relist(&out);
    let ran = qassay(folder.path(), [&["verify", "out", "--with"], &INPUTS[..]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains("the record does not say what its file says"), "{}", ran.stdout);
}

/// Everything of an archive but what can be made again, and the vocabulary, which is not imported.
fn held(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let is_own = |path: &PathBuf| !path.starts_with("tmp") && !path.starts_with("stores");
    let files = files_below(root).into_iter().filter(is_own);
    files.map(|path| (path.clone(), fs::read(root.join(path)).unwrap())).collect()
}

#[test]
fn an_imported_record_is_what_was_exported() {
    let folder = record();
    let import = |from: &str| qassay(folder.path(), ["import", from, "--archive", "mine"]);
    let ran = import("out");
    assert!(
        ran.code == Some(0) && ran.stderr.contains("imported ") && ran.stderr.contains(", 0 already there"),
        "{}",
        ran.stderr
    );
    assert_eq!(held(&folder.path().join("mine")), held(&folder.path().join("kept")));
    assert_eq!(qassay(folder.path(), ["verify", "mine"]).ok().matches("same").count(), 1);
    // once more, packed: nothing is new
    qassay(folder.path(), ["export", "sys", "out.tar.gz", "--archive", "kept"]).ok();
    assert!(import("out.tar.gz").stderr.contains("imported 0 records of out.tar.gz"));
    assert_eq!(held(&folder.path().join("mine")), held(&folder.path().join("kept")));
    // and it is there for everything else
    assert!(qassay(folder.path(), ["explain", "sys", "1", "--archive", "mine"]).ok().contains("http://e/a"));
}

#[test]
fn a_damaged_record_is_not_imported() {
    let folder = record();
    let sum = sha256(&folder.path().join("sys.json"));
    fs::write(folder.path().join("out/files/sha256").join(&sum[..2]).join(&sum), "{}").unwrap();
    let ran = qassay(folder.path(), ["import", "out", "--archive", "mine"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stdout.contains(&sum) && ran.stderr.contains("nothing was imported"), "{}", ran.stdout);
    assert!(!folder.path().join("mine").exists());
    let ran = qassay(folder.path(), ["import", "nowhere", "--archive", "mine"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn a_record_without_withheld_parts_is_imported_as_that() {
    let folder = record();
    withhold(&folder.path().join("out"), true);
    let ran = qassay(folder.path(), ["import", "out", "--archive", "mine"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let ran = qassay(folder.path(), ["verify", "mine"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
}

/// Somebody else has evaluated the same answers under another name, and kept it.
#[test]
fn two_names_and_two_executions_are_kept() {
    let folder = record();
    fs::copy(folder.path().join("sys.json"), folder.path().join("other.json")).unwrap();
    let run = ["evaluate", "gold.json", "other.json", "--links", "links.nt", "-x", "QA", "--archive", "mine"];
    qassay(folder.path(), run).ok();
    qassay(folder.path(), ["import", "out", "--archive", "mine"]).ok();
    let executions = files_below(&folder.path().join("mine/records/execution"));
    assert_eq!(executions.len(), 2);
    let told = qassay(folder.path(), ["verify", "mine"]).ok();
    assert!(told.contains("other, sys share a submission"), "{told}");
    assert!(told.lines().any(|line| line.starts_with("re-execution") && line.ends_with("2  same")), "{told}");
    let again = qassay(folder.path(), ["import", "out", "--archive", "mine"]);
    assert!(again.stderr.contains("imported 0 records of out"), "{}", again.stderr);
}

#[test]
fn records_that_contradict_the_archive_are_told() {
    let folder = record();
    qassay(folder.path(), ["import", "out", "--archive", "mine"]).ok();
    let records = folder.path().join("mine/records/dataset");
    let record = records.join(&files_below(&records)[0]);
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("\"tiny\"", "\"small\"")).unwrap();
    let before = held(&folder.path().join("mine"));
    let ran = qassay(folder.path(), ["import", "out", "--archive", "mine"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("says something else than the record to import"), "{}", ran.stderr);
    assert_eq!(held(&folder.path().join("mine")), before);
}

/// An archive has one version of the model.
#[test]
fn an_older_record_needs_an_archive_of_its_own() {
    let folder = record();
    let older = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives/e565836.tar.gz");
    let import = |archive: &str| {
        let words = ["import", older.to_str().unwrap(), "--no-reexecution", "--archive", archive];
        qassay(folder.path(), words)
    };
    let ran = import("kept");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("the archive has version 2 of the model, the record version 1"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("`qassay upgrade`"), "{}", ran.stderr);
    import("older").ok();
    qassay(folder.path(), ["verify", "older"]).ok();
    qassay(folder.path(), ["upgrade", "--archive", "older"]).ok();
    qassay(folder.path(), ["import", "out", "--archive", "older"]).ok();
    qassay(folder.path(), ["verify", "older"]).ok();
}

/// The vocabulary of another build is there for who reads the record without it: it is counted, and nothing else.
#[test]
fn the_vocabulary_of_another_build_is_no_problem() {
    let folder = record();
    let out = folder.path().join("out");
    let records = out.join("records/vocabulary");
    let record = records.join(&files_below(&records)[0]);
    let sum = record.file_stem().unwrap().to_str().unwrap().to_owned();
    let graph = out.join("graphs/sha256").join(&sum[..2]).join(format!("{sum}.nq"));
    let text = fs::read_to_string(&graph).unwrap();
    let changed = text.replacen("\"evaluation\"@en", "\"evaluation of before\"@en", 1);
    assert_ne!(text, changed);
    let mut lines: Vec<&str> = changed.lines().collect();
    lines.sort_unstable();
    let changed = lines.iter().flat_map(|line| [*line, "\n"]).collect::<String>();
    let new = Source::from_bytes("bytes", changed.clone().into_bytes()).unwrap().sha256().to_owned();
    fs::remove_file(&graph).unwrap();
    fs::create_dir_all(out.join("graphs/sha256").join(&new[..2])).unwrap();
    fs::write(out.join("graphs/sha256").join(&new[..2]).join(format!("{new}.nq")), changed).unwrap();
    let told = fs::read_to_string(&record).unwrap().replace(&sum, &new);
    fs::remove_file(&record).unwrap();
    fs::write(records.join(format!("{new}.nq")), told).unwrap();
    relist(&out);
    qassay(folder.path(), ["verify", "out"]).ok();
    let ask = |query: &str, archive: &str| qassay(folder.path(), ["query", query, "--archive", archive]).ok();
    assert_eq!(ask("leaderboard", "out"), ask("leaderboard", "kept"));
    fs::write(folder.path().join("labels.rq"), "SELECT ?l WHERE { <https://w3id.org/qassay/ns#Evaluation> <http://www.w3.org/2000/01/rdf-schema#label> ?l }").unwrap();
    assert_eq!(ask("labels.rq", "out"), ask("labels.rq", "kept"));
    // who exports from it writes his own
    qassay(folder.path(), ["export", "sys", "again", "--archive", "out"]).ok();
    assert!(folder.path().join("again/records/vocabulary").join(format!("{sum}.nq")).is_file());
    qassay(folder.path(), ["verify", "again"]).ok();
}

/// A web host that has a folder.
pub(crate) fn host(root: PathBuf) -> Server {
    Server::start(move |request, stream| {
        let name = request.line.split(' ').nth(1).unwrap().trim_start_matches("/files/").to_owned();
        match fs::read(root.join(name)) {
            Ok(content) => serve(stream, request, &content),
            Err(_) => send(stream, "404 Not Found", &[("Content-Length", "0")], b""),
        }
    })
}

#[test]
fn a_record_at_an_address_is_verified_and_imported() {
    let folder = record();
    qassay(folder.path(), ["export", "sys", "out.tar.gz", "--archive", "kept"]).ok();
    let host = host(folder.path().to_path_buf());
    for name in ["out", "out/", "out.tar.gz"] {
        let address = format!("{}/{name}", host.base);
        let told = qassay(folder.path(), ["verify", &address]).ok();
        assert!(told.starts_with(&format!("verified {address}\n")), "{told}");
    }
    let asked = host.requests().len();
    assert!(asked > 40, "{asked}");
    qassay(folder.path(), ["import", &format!("{}/out", host.base), "--archive", "mine"]).ok();
    assert_eq!(held(&folder.path().join("mine")), held(&folder.path().join("kept")));
    // what the host does not have is missed
    let sum = sha256(&folder.path().join("gold.json"));
    fs::remove_file(folder.path().join("out/files/sha256").join(&sum[..2]).join(&sum)).unwrap();
    let ran = qassay(folder.path(), ["verify", &format!("{}/out", host.base)]);
    assert!(ran.code == Some(1) && ran.stdout.contains(&format!("{sum} is not here")), "{}", ran.stdout);
    // nothing is there, or it leads out
    let ran = qassay(folder.path(), ["verify", &format!("{}/none", host.base)]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("/files/none/SHA256SUMS: the host has no such file"), "{}", ran.stderr);
    fs::write(folder.path().join("out/SHA256SUMS"), format!("{sum}  ../gold.json\n")).unwrap();
    let ran = qassay(folder.path(), ["verify", &format!("{}/out", host.base)]);
    assert!(ran.code == Some(2) && ran.stderr.contains("would be outside of the folder"), "{}", ran.stderr);
}
