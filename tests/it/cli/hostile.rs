//! What an attacker sends, from outside: names and texts that command terminals, and inputs that never end.
//!
//! Whatever a stranger chose is shown escaped and on its own line, by every verb in every format; what is too much is refused
//! with the limit that it meets, before it fills memory or disk.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::common::{Ran, files_below, program, qassay};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A name that colours a terminal, sets its title, turns lines around, and begins a line of its own.
const EVIL: &str =
    "x\u{1b}[31m\u{1b}]0;t\u{7}\u{9b}1m\u{7f}\r\nFORGED: ok\u{202e}\u{2066}`[l](http://e)<b>|\\\"&";

/// The same as a name of a file, also in archives.
fn evil_name(ending: &str) -> String {
    format!("{}.{ending}", EVIL.replace(['/', '\\'], ""))
}

/// A dataset in which everything that can be chosen is evil.
fn gold() -> Value {
    let item = |value: &str| json!({ "n": { "type": "literal", "value": value, "xml:lang": "en" } });
    let question = |id: &str, values: &[&str]| {
        json!({
            "id": id,
            "answertype": EVIL,
            "question": [{ "language": "en", "string": EVIL, "keywords": EVIL }],
            "query": { "sparql": format!("SELECT ?n {{ ?n ?p '''{EVIL}''' }} {EVIL}") },
            "answers": [{ "head": { "vars": ["n"] }, "results": { "bindings": values.iter().map(|v| item(v)).collect::<Vec<_>>() } }],
            EVIL: EVIL,
        })
    };
    json!({ "dataset": { "id": EVIL }, "questions": [question(EVIL, &[EVIL, "b"]), question("2", &["7"])] })
}

/// A folder with an evil dataset `gold.json`, answers to it under an evil name, and an archive `kept` with their evaluation.
fn evil_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let gold = gold();
    write("gold.json", &gold.to_string());
    let mut answers = gold.clone();
    answers["questions"][0]["answers"][0]["results"]["bindings"][1] = Value::Null;
    answers["questions"][1]["id"] = json!(format!("{EVIL} too"));
    write(&evil_name("json"), &answers.to_string());
    write("links.nt", "<http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://f/a> .\n");
    write(&evil_name("nt"), "<http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://f/b> .\n");
    write("kb.nt", "<http://e/a> <http://e/p> \"a\\u001B[31m\\u009B\\r\\nFORGED: ok\" .\n");
    folder
}

/// Nothing in what was printed commands a terminal or begins a line that a stranger wrote.
#[track_caller]
fn assert_safe(what: &dyn std::fmt::Debug, text: &str, is_for_people: bool) {
    let is_odd = |character: char| {
        let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        (character.is_control() && character != '\n') || (turns && is_for_people)
    };
    assert_eq!(
        text.replace("\r\n", "\n").chars().find(|character| is_odd(*character)),
        None,
        "{what:?}: {text}"
    );
    if is_for_people {
        let forged = text.lines().find(|line| line.starts_with("FORGED"));
        assert_eq!(forged, None, "{what:?}: {text}");
    }
}

/// Runs the program, which must end by itself and print nothing that is not safe.
#[track_caller]
fn safe(folder: &TempDir, arguments: &[&str]) -> Ran {
    let ran = qassay(folder.path(), arguments);
    assert!(matches!(ran.code, Some(0..=3)), "{arguments:?}: {}", ran.stderr);
    let is_data = arguments.iter().any(|word| ["csv", "json", "rdf"].contains(word));
    assert_safe(&arguments, &ran.stdout, !is_data);
    assert_safe(&arguments, &ran.stderr, true);
    if arguments.contains(&"json") && !ran.stdout.is_empty() {
        serde_json::from_str::<Value>(&ran.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    }
    ran
}

const FORMATS: [&str; 5] = ["table", "json", "csv", "markdown", "latex"];

#[test]
fn evaluate_explain_and_check_print_nothing_of_a_stranger_as_it_is() {
    let folder = evil_folder();
    let (answers, links) = (evil_name("json"), evil_name("nt"));
    let run = ["evaluate", "gold.json", &answers, "--archive", "kept"];
    let kept = safe(&folder, &[&run[..], &["--links", &links, "--html", "page.html"]].concat());
    assert_eq!(kept.code, Some(0), "{}", kept.stderr);
    assert!(
        kept.stdout.contains("FORGED") && kept.stderr.contains("kept in kept:"),
        "{}{}",
        kept.stdout,
        kept.stderr
    );
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_safe(&"page.html", &page, true);
    assert!(!page.contains("<b>|"), "{page}");
    for format in FORMATS {
        let no_archive = ["evaluate", "gold.json", &answers, "--no-archive", "--format", format];
        let tables: &[&str] = if format == "csv" {
            &["--issues"]
        } else {
            &["--details", "--issues", "--groups", "--failed", "--all-measures"]
        };
        assert_eq!(safe(&folder, &[&no_archive[..], tables].concat()).code, Some(0));
        assert_eq!(safe(&folder, &[&no_archive[..], &["--details"]].concat()).code, Some(0));
        safe(&folder, &[&no_archive[..], &["-p", "qassay,gerbil"]].concat());
        safe(&folder, &["explain", &answers.replace(".json", ""), "--archive", "kept", "--format", format]);
        safe(&folder, &["check", "gold.json", &answers, "--format", format]);
        safe(&folder, &["check", &answers, "--loader", "gerbil", "--format", format]);
        safe(&folder, &["check", &evil_name("gone"), "--format", format]);
    }
    let explained = safe(&folder, &["explain", &answers.replace(".json", ""), EVIL, "--archive", "kept"]);
    assert!(explained.code == Some(0) && explained.stdout.contains("FORGED"), "{}", explained.stderr);
    for format in ["table", "markdown", "latex"] {
        let all = "SELECT ?o { ?s ?p ?o FILTER(CONTAINS(STR(?o), 'FORGED')) }";
        fs::write(folder.path().join("all.rq"), all).unwrap();
        safe(&folder, &["query", "executions", "--archive", "kept", "--format", format]);
        let rows = safe(&folder, &["query", "all.rq", "--archive", "kept", "--format", format]);
        assert!(rows.stdout.contains("FORGED"), "{}", rows.stderr);
    }
    safe(&folder, &["query", &evil_name("rq"), "--archive", "kept"]);
    safe(&folder, &["explain", EVIL, "--archive", "kept"]);
    safe(&folder, &["explain", &answers.replace(".json", ""), &format!("{EVIL}?"), "--archive", "kept"]);
    safe(&folder, &["evaluate", &answers, "gold.json", "--blind", "--archive", &evil_name("blind")]);
    for format in FORMATS {
        safe(&folder, &["release", "x", "--archive", &evil_name("blind"), "--format", format]);
    }
}

#[test]
fn all_other_verbs_print_nothing_of_a_stranger_as_it_is() {
    let folder = evil_folder();
    let (answers, links) = (evil_name("json"), evil_name("nt"));
    safe(&folder, &["convert", &answers, "out.csv"]);
    safe(&folder, &["convert", &answers, "out.csv", "--lossy"]);
    safe(&folder, &["convert", "gold.json", &evil_name("xml"), "--lossy"]);
    safe(&folder, &["convert", "gold.json", &evil_name("odd")]);
    assert!(folder.path().join("out.csv").is_file());
    for name in [EVIL, "links"] {
        safe(&folder, &["links", "add", name, "--version", "1", &links, "--archive", "kept"]);
        safe(&folder, &["kb", "add", name, "--version", "1", &links, "--archive", "kept"]);
        safe(
            &folder,
            &["kb", "add", name, "--version", "1", &links, "--skip-malformed", "--archive", "kept"],
        );
    }
    safe(&folder, &["kb", "add", "kb", "--version", "1", "kb.nt", "--archive", "kept"]);
    for format in FORMATS {
        safe(&folder, &["links", "list", "--archive", "kept", "--format", format]);
        safe(
            &folder,
            &["links", "show", "http://e/a", "--links", &links, "--archive", "kept", "--format", format],
        );
        safe(&folder, &["links", "check", "--links", &links, "--archive", "kept", "--format", format]);
        safe(&folder, &["kb", "list", "--archive", "kept", "--format", format]);
        safe(&folder, &["kb", "show", "links", "--archive", "kept", "--format", format]);
        safe(&folder, &["kb", "answers", "--archive", "kept", "--format", format]);
        safe(&folder, &["datasets", EVIL, "--archive", "kept", "--format", format]);
    }
    fs::write(
        folder.path().join("ask.json"),
        json!({ "questions": [{ "id": EVIL, "question": [{ "language": "en", "string": "?" }],
            "query": { "sparql": "SELECT ?o { ?s ?p ?o }" } }] })
        .to_string(),
    )
    .unwrap();
    safe(&folder, &["kb", "run", "kb", "ask.json", "--archive", "kept"]);
    safe(&folder, &["fetch", EVIL, "--archive", "kept"]);
}

#[test]
fn archives_of_strangers_are_verified_and_say_nothing_by_themselves() {
    let folder = evil_folder();
    qassay(folder.path(), ["evaluate", "gold.json", &evil_name("json"), "--archive", "kept"]).ok();
    let kept = folder.path().join("kept");
    for place in ["records/dataset", "graphs/sha256/ab", "files/sha256/ab", "files", "tmp"] {
        fs::create_dir_all(kept.join(place)).unwrap();
        fs::write(kept.join(place).join(evil_name("nq")), "no statement\n").unwrap();
    }
    fs::write(kept.join("SHA256SUMS"), format!("ab  {EVIL}\nab  ../{EVIL}\nodd\n")).unwrap();
    let packed = folder.path().join(evil_name("tar.gz"));
    let gzip = GzEncoder::new(fs::File::create(&packed).unwrap(), Compression::fast());
    let mut tar = tar::Builder::new(gzip);
    tar.append_dir_all("kept", &kept).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    for archive in ["kept", &evil_name("tar.gz")] {
        for format in FORMATS {
            let ran = safe(&folder, &["verify", archive, "--no-reexecution", "--format", format]);
            assert_eq!(ran.code, Some(1), "{}", ran.stderr);
            assert!(ran.stdout.contains("FORGED") || !["table", "json"].contains(&format), "{}", ran.stdout);
        }
    }
    safe(&folder, &["verify", &evil_name("gone.zip")]);
    safe(&folder, &["export", EVIL, "out", "--archive", "kept"]);
}

/// What a bomb is refused with, by `check`; nothing that it would unpack to is kept.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let ran = qassay(folder, arguments);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.stderr);
    ran.stderr
}

fn gzipped(parts: &[(&[u8], usize)]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    for (part, times) in parts {
        for _ in 0..*times {
            gzip.write_all(part).unwrap();
        }
    }
    gzip.finish().unwrap()
}

#[test]
fn bombs_are_refused_with_the_limit_that_they_meet() {
    let folder = tempfile::tempdir().unwrap();
    let blanks = vec![b' '; 1 << 20];
    let bomb = gzipped(&[(b"{\"questions\": [", 1), (&blanks, 100), (b"]}", 1)]);
    fs::write(folder.path().join("bomb.json.gz"), &bomb).unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["1.srj", "2.srj"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        (0..50).for_each(|_| zip.write_all(&blanks).unwrap());
    }
    fs::write(folder.path().join("bomb.zip"), zip.finish().unwrap().into_inner()).unwrap();
    for name in ["bomb.json.gz", "bomb.zip"] {
        for arguments in [&["check", name][..], &["evaluate", name, name, "--no-archive"]] {
            let told = refused(folder.path(), arguments);
            assert!(told.starts_with(&format!("error: {name}: ")), "{told}");
            assert!(told.contains("more than 200 times as many, a limit of qassay"), "{told}");
            assert!(told.contains("hint: if you know where it comes from, unpack it"), "{told}");
        }
    }
    // the same bytes as they are
    let plain = [b"{\"questions\": [".as_slice(), &blanks, b"]}"].concat();
    fs::write(folder.path().join("plain.json"), plain).unwrap();
    assert!(!qassay(folder.path(), ["check", "plain.json"]).stderr.contains("limit"));
}

#[cfg(unix)]
#[test]
fn what_never_ends_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let told = refused(folder.path(), &["check", "/dev/zero"]);
    assert_eq!(
        told,
        "error: /dev/zero: what does not say its size has more than 256 MiB, a limit of qassay.\n\
         hint: write it to a file and name that\n"
    );
}

#[test]
fn packed_archives_are_refused_early() {
    let folder = tempfile::tempdir().unwrap();
    let tar_gz = |name: &str, megabytes: usize| {
        let mut header = tar::Header::new_gnu();
        header.set_path(name).unwrap();
        header.set_mode(0o644);
        header.set_size((megabytes as u64) << 20);
        header.set_cksum();
        gzipped(&[(header.as_bytes(), 1), (&vec![b' '; 1 << 20], megabytes)])
    };
    for (name, megabytes, limit) in [
        ("film.mkv", 17, "what lies beside the folders of the archive has more than 16 MiB"),
        ("records/dataset/a.nq", 100, "more than 200 times as many"),
    ] {
        fs::write(folder.path().join("bomb.tar.gz"), tar_gz(name, megabytes)).unwrap();
        let told = refused(folder.path(), &["verify", "bomb.tar.gz"]);
        assert!(told.contains(limit) && told.contains(", a limit of qassay"), "{told}");
    }
    let told = refused(folder.path(), &["verify", "missing.tar.gz"]);
    assert!(told.starts_with("error: missing.tar.gz: no such file.\nallowed: an archive folder"), "{told}");
}

#[test]
fn members_outside_of_their_archive_are_refused_alike() {
    let folder = tempfile::tempdir().unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["../../x.srj", "y.srj"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(b"{\"head\": {}, \"boolean\": true}").unwrap();
    }
    fs::write(folder.path().join("trav"), zip.finish().unwrap().into_inner()).unwrap();
    let zipped = refused(folder.path(), &["check", "trav"]);
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..11].copy_from_slice(b"../../x.srj");
    header.set_size(29);
    header.set_mode(0o644);
    header.set_cksum();
    let mut tar = tar::Builder::new(Vec::new());
    tar.append(&header, &b"{\"head\": {}, \"boolean\": true}"[..]).unwrap();
    fs::write(folder.path().join("trav"), tar.into_inner().unwrap()).unwrap();
    let tarred = refused(folder.path(), &["check", "trav"]);
    assert_eq!(zipped, tarred);
    insta::assert_snapshot!(tarred, @r"
    error: trav: `../../x.srj` would be outside of the folder.
    allowed: paths below the archive, without `..`
    ");
}

#[test]
fn absurd_lengths_are_refused_or_cut_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let file = |id: &str, language: &str| {
        json!({ "questions": [{ "id": id, "question": [{ "language": language, "string": "x" }], "answers": [] }] })
            .to_string()
    };
    fs::write(folder.path().join("id.json"), file(&"a".repeat(4 << 20), "en")).unwrap();
    let told = refused(folder.path(), &["check", "id.json"]);
    insta::assert_snapshot!(told, @r"
    error: id.json, line 1: the id of question 1 has 4194304 bytes, more than 4 KiB, a limit of qassay.
    hint: an id names a question; its words belong into its text
    ");
    fs::write(folder.path().join("cell.json"), file("1", &"b".repeat(4 << 20))).unwrap();
    let shown = |format: &str| qassay(folder.path(), ["check", "cell.json", "--format", format]).stdout;
    let table = shown("table");
    assert!(table.len() < 50_000 && table.contains("bbb… (41943"), "{} bytes", table.len());
    assert!(shown("json").contains(&"b".repeat(4 << 20)));
}

#[test]
fn our_limits_are_not_errors_of_the_query() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("SELECT ?x {{ VALUES ?x {{ {} }} }}", "<http://e/a> ".repeat(8_000));
    let gold = json!({ "questions": [{ "id": "1", "question": [{ "language": "en", "string": "x" }],
        "query": { "sparql": long }, "answers": [{ "head": {}, "boolean": true }] }] });
    fs::write(folder.path().join("gold.json"), gold.to_string()).unwrap();
    fs::write(folder.path().join("sys.json"), gold.to_string()).unwrap();
    let checked = qassay(folder.path(), ["check", "gold.json"]).ok();
    assert!(checked.contains("query-too-large") && !checked.contains("no SPARQL"), "{checked}");
    assert!(
        checked.contains("is not read: the query has 104028 bytes, more than 100000, a limit of qassay"),
        "{checked}"
    );
    qassay(folder.path(), ["evaluate", "gold.json", "sys.json", "--archive", "kept"]).ok();
    qassay(folder.path(), ["verify", "kept"]).ok();
    fs::write(folder.path().join("deep.rq"), format!("SELECT * {}{}", "{".repeat(300), "}".repeat(300)))
        .unwrap();
    let told = refused(folder.path(), &["query", "deep.rq", "--archive", "kept"]);
    insta::assert_snapshot!(told, @r"
    error: deep.rq: the query is nested 300 levels deep, more than 200, a limit of qassay.
    hint: split the query; or `qassay export` writes files that every SPARQL store reads
    ");
}

#[test]
fn standard_input_is_read_once_as_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = gold().to_string();
    fs::write(folder.path().join("gold.json"), &text).unwrap();
    let run = |arguments: &[&str]| Ran::of(program(folder.path()).args(arguments).write_stdin(text.clone()));
    let named = ["evaluate", "gold.json", "-", "--no-archive", "--format", "json"];
    assert_eq!(run(&named).json()["evaluations"][0]["system"], "stdin");
    assert_eq!(run(&[&named[..], &["--system", "me"]].concat()).json()["evaluations"][0]["system"], "me");
    assert!(run(&["check", "-"]).stdout.starts_with("stdin (qald-json)"));
    let converted = run(&["convert", "-", "-", "--to", "n-quads"]);
    let of_file = run(&["convert", "gold.json", "-", "--to", "n-quads"]);
    assert!(converted.stderr.contains("read stdin: qald-json"), "{}", converted.stderr);
    assert!(converted.stdout.lines().count() > 10, "{}", converted.stdout);
    assert_eq!(converted.ok(), of_file.ok());
    let twice = run(&["evaluate", "-", "-", "--no-archive"]);
    assert_eq!(twice.code, Some(2));
    assert!(twice.stderr.contains("standard input can be read once"), "{}", twice.stderr);
}

/// A folder with an evaluation in `kept`.
fn archive() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = gold().to_string().replace("FORGED", "x");
    fs::write(folder.path().join("gold.json"), &text).unwrap();
    fs::write(folder.path().join("sys.json"), &text).unwrap();
    qassay(folder.path(), ["evaluate", "gold.json", "sys.json", "--archive", "kept"]).ok();
    folder
}

fn kept_below(folder: &TempDir, part: &str) -> PathBuf {
    let place = folder.path().join("kept").join(part);
    place.join(files_below(&place).first().unwrap())
}

#[test]
fn results_are_shown_where_they_cannot_be_kept() {
    let folder = archive();
    // as on a full disk: the record of the dataset cannot be written
    let record = kept_below(&folder, "records/dataset");
    fs::remove_file(&record).unwrap();
    fs::create_dir(&record).unwrap();
    let ran = qassay(folder.path(), ["evaluate", "gold.json", "sys.json", "--archive", "kept"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stdout.contains("sys "), "{}", ran.stdout);
    assert!(ran.stderr.contains("kept/records/dataset/"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("hint: `--archive DIR` names another archive, `--no-archive` keeps nothing"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("kept in"), "{}", ran.stderr);
}

#[test]
fn lists_that_name_a_part_are_told() {
    let folder = archive();
    let exported = ["export", "sys", "out", "--archive", "kept"];
    qassay(folder.path(), exported).ok();
    let list = folder.path().join("out/SHA256SUMS");
    let verify = |folder: &TempDir| qassay(folder.path(), ["verify", "out", "--no-reexecution"]);
    assert!(!verify(&folder).ok().contains("does not name"));
    let text = fs::read_to_string(&list).unwrap();
    let first: String = text.split_inclusive('\n').take(2).collect();
    fs::write(&list, first).unwrap();
    let ran = verify(&folder);
    let number = text.lines().count() - 2;
    let told = format!("list of checksums: {number} files that SHA256SUMS does not name: out/");
    assert!(ran.code == Some(1) && ran.stdout.contains(&told), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn links_out_of_an_archive_are_refused() {
    let folder = archive();
    for part in ["graphs", "records/dataset"] {
        let path = kept_below(&folder, part);
        let outside = folder.path().join("outside");
        fs::rename(&path, &outside).unwrap();
        std::os::unix::fs::symlink(&outside, &path).unwrap();
        let ran = qassay(folder.path(), ["verify", "kept", "--no-reexecution"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stdout.contains("is a link that leads out of the archive"), "{}", ran.stdout);
        fs::rename(&outside, &path).unwrap();
    }
    qassay(folder.path(), ["verify", "kept", "--no-reexecution"]).ok();
}

#[cfg(unix)]
#[test]
fn devices_in_an_archive_are_not_read() {
    let folder = archive();
    let path = kept_below(&folder, "graphs");
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    let list = format!("ab  {}\n", path.strip_prefix(folder.path().join("kept")).unwrap().display());
    fs::write(folder.path().join("kept/SHA256SUMS"), list).unwrap();
    let ran = qassay(folder.path(), ["verify", "kept"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stdout.contains("is a link that leads out of the archive"), "{}", ran.stdout);
    assert!(ran.stdout.contains("is no file of the archive"), "{}", ran.stdout);
}
