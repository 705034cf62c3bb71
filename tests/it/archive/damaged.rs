//! A record that was exported, damaged in every way that we could think of: each is noticed, with a sentence that names the
//! file, whether or not somebody has made the list of checksums again afterwards.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Ran, files_below, graph_name, qassay};
use qassay::sources::file::source::Source;
use tempfile::TempDir;

const GOLD: &str = r#"{"dataset": {"id": "tiny"}, "questions": [
 {"id": "1", "answertype": "resource", "question": [{"language": "en", "string": "Which?"}],
  "query": {"sparql": "SELECT ?uri WHERE { ?uri <http://e/p> <http://e/c> }"},
  "answers": [{"head": {"vars": ["uri"]}, "results": {"bindings": [
   {"uri": {"type": "uri", "value": "http://e/a"}}, {"uri": {"type": "uri", "value": "http://e/b"}}]}}]}
]}
"#;

/// A folder with a record of one evaluation in `out`.
fn record() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gold.json"), GOLD).unwrap();
    let answers = GOLD.replace(r#", {"uri": {"type": "uri", "value": "http://e/b"}}"#, "");
    fs::write(folder.path().join("sys.json"), answers).unwrap();
    fs::write(
        folder.path().join("links.nt"),
        "<http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://f/a> .\n",
    )
    .unwrap();
    qassay(
        folder.path(),
        ["evaluate", "gold.json", "sys.json", "--links", "links.nt", "-x", "QA", "--archive", "kept"],
    )
    .ok();
    qassay(folder.path(), ["export", "sys", "out", "--archive", "kept"]).ok();
    qassay(folder.path(), ["verify", "out"]).ok();
    folder
}

fn sha256(bytes: &[u8]) -> String {
    Source::from_bytes("bytes", bytes.to_vec()).unwrap().sha256().to_owned()
}

/// Makes the list of checksums again, as somebody would who hides something.
fn relist(root: &Path) {
    let named = files_below(root)
        .into_iter()
        .filter(|path| !path.starts_with("tmp") && *path != Path::new("SHA256SUMS"));
    let line = |path: PathBuf| {
        let sum = fs::read(root.join(&path)).map(|bytes| sha256(&bytes)).unwrap_or_default();
        format!("{sum}  {}\n", path.display())
    };
    fs::write(root.join("SHA256SUMS"), named.map(line).collect::<String>()).unwrap();
}

/// The files of the record by what they are: `files/1`, `graphs/scores`, `records/dataset`, …
fn parts(root: &Path) -> Vec<(String, PathBuf)> {
    let mut parts = Vec::new();
    for path in files_below(root).into_iter().filter(|path| !path.starts_with("tmp")) {
        let folder = path.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let what = match folder.as_str() {
            "graphs" => {
                let text = fs::read_to_string(root.join(&path)).unwrap();
                let name = graph_name(&text).to_owned();
                let rest = name.split("/graph/").nth(1).unwrap_or("vocabulary").split('/');
                let rest: Vec<&str> = rest.filter(|part| part.len() < 16 && *part != "tiny").collect();
                format!("graphs/{}", rest.join("/"))
            }
            "records" => path.parent().unwrap().display().to_string(),
            _ => format!("files/{}", parts.len()),
        };
        if !parts.iter().any(|(known, _)| *known == what) {
            parts.push((what, path));
        }
    }
    parts
}

/// A copy of the record that can be damaged.
fn copied(folder: &TempDir) -> (TempDir, PathBuf) {
    let other = tempfile::tempdir().unwrap();
    let root = other.path().join("out");
    for file in files_below(&folder.path().join("out")) {
        fs::create_dir_all(root.join(&file).parent().unwrap()).unwrap();
        fs::copy(folder.path().join("out").join(&file), root.join(&file)).unwrap();
    }
    (other, root)
}

fn verified(other: &TempDir, options: &[&str]) -> Ran {
    qassay(other.path(), [&["verify", "out", "--no-reexecution"], options].concat())
}

/// What is wrong must be told of this file.
#[track_caller]
fn assert_told(ran: &Ran, code: i32, how: &str, name: &str) {
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.code == Some(code) && told.contains(name),
        "{how}: {name} is not told\n{:?} {told}",
        ran.code
    );
}

/// The name of a file without what stands behind the dot.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

#[cfg(unix)]
fn link(root: &Path, path: &Path) {
    let outside = root.parent().unwrap().join("outside");
    fs::rename(root.join(path), &outside).unwrap();
    std::os::unix::fs::symlink(outside, root.join(path)).unwrap();
}

/// A way to damage a file.
type Damage = (&'static str, fn(&Path, &Path));

#[cfg(unix)]
const DAMAGES: [Damage; 5] = [
    ("removed", |root, path| fs::remove_file(root.join(path)).unwrap()),
    ("emptied", |root, path| fs::write(root.join(path), "").unwrap()),
    ("truncated", |root, path| {
        let whole = fs::read(root.join(path)).unwrap();
        fs::write(root.join(path), &whole[..whole.len() / 2]).unwrap();
    }),
    ("one byte changed", |root, path| {
        let mut whole = fs::read(root.join(path)).unwrap();
        let at = whole.len() / 3;
        whole[at] ^= 1;
        fs::write(root.join(path), &whole).unwrap();
    }),
    ("replaced by a link that leads out", link),
];

#[cfg(unix)]
#[test]
fn each_kind_of_file_damaged_in_each_way() {
    let folder = record();
    let parts = parts(&folder.path().join("out"));
    let kinds: Vec<&str> = parts.iter().map(|(what, _)| what.as_str()).collect();
    for kind in
        ["graphs/scores", "graphs/vocabulary", "records/execution", "records/vocabulary", "records/archive"]
    {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    let parts = parts.iter().filter(|(_, path)| path != Path::new("SHA256SUMS"));
    for ((what, path), number) in parts.zip(0..) {
        for ((how, damage), way) in DAMAGES.into_iter().zip(0..) {
            // The list as it was, where one way shows what all do, and made again.
            for again in [false, true].into_iter().filter(|again| *again || number % DAMAGES.len() == way) {
                let (other, root) = copied(&folder);
                damage(&root, path);
                if again {
                    relist(&root);
                }
                // Where nothing else shows it, what is computed again does.
                let ran = if again { qassay(other.path(), ["verify", "out"]) } else { verified(&other, &[]) };
                assert_told(
                    &ran,
                    1,
                    &format!("{what} {how}, list made again: {again}"),
                    &named(what, path, again, how),
                );
            }
        }
    }
}

/// What must be told of a file. An input whose record is gone is told by its file, and the files and graphs that nothing
/// names any longer are.
fn named(what: &str, path: &Path, again: bool, how: &str) -> String {
    match what {
        "records/archive" => "model.nq".to_owned(),
        _ if !again || how != "removed" || !what.starts_with("records") => stem(path),
        "records/execution" => "records/execution".to_owned(),
        // The graph or the file that the record named.
        _ => "out/".to_owned(),
    }
}

/// A damage of the whole record, and what is told.
struct Whole {
    how: &'static str,
    damage: fn(&Path),
    told: &'static str,
}

fn only(root: &Path, folder: &str) -> PathBuf {
    root.join(folder).join(&files_below(&root.join(folder))[0])
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} is not in {}", path.display());
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn lines(root: &Path, change: impl Fn(Vec<String>) -> Vec<String>) {
    let list = root.join("SHA256SUMS");
    let text = fs::read_to_string(&list).unwrap();
    let changed = change(text.lines().map(str::to_owned).collect());
    fs::write(list, changed.iter().flat_map(|line| [line, "\n"]).collect::<String>()).unwrap();
}

const WHOLE: [Whole; 19] = [
    Whole {
        how: "the list is shortened",
        damage: |root| lines(root, |lines| lines[2..].to_vec()),
        told: "2 files that SHA256SUMS does not name: out/",
    },
    Whole {
        how: "the list is emptied",
        damage: |root| lines(root, |_| Vec::new()),
        told: "that SHA256SUMS does not name",
    },
    Whole {
        how: "a line of the list is changed",
        damage: |root| {
            lines(root, |lines| [&[lines[0].replacen(&lines[0][..2], "zz", 1)], &lines[1..]].concat());
        },
        told: "SHA256SUMS has another checksum",
    },
    Whole {
        how: "a line of the list is there twice",
        damage: |root| lines(root, |lines| [&lines[..1], &lines[..]].concat()),
        told: "SHA256SUMS, line 2: ",
    },
    Whole {
        how: "a line leads out",
        damage: |root| lines(root, |lines| [&lines[..], &["ab  ../gold.json".to_owned()]].concat()),
        told: "`../gold.json` is outside of the archive",
    },
    Whole {
        how: "a line is none",
        damage: |root| lines(root, |lines| [&lines[..], &["odd".to_owned()]].concat()),
        told: "no checksum and path",
    },
    Whole {
        how: "a file is beside the known folders",
        damage: |root| fs::write(root.join("NOTES"), "mine").unwrap(),
        told: "out/NOTES",
    },
    Whole {
        how: "an input is there that nothing names",
        damage: |root| {
            fs::create_dir_all(root.join("files/sha256/ab")).unwrap();
            fs::write(root.join("files/sha256/ab").join(sha256(b"mine")), "mine").unwrap();
            relist(root);
        },
        told: "1 file that no record names: out/files/sha256/ab/",
    },
    Whole {
        how: "a record is there under another name",
        damage: |root| {
            let record = only(root, "records/execution");
            fs::copy(&record, record.with_file_name("0123456789abcdef0123456789abcdef.nq")).unwrap();
            relist(root);
        },
        told: "0123456789abcdef0123456789abcdef.nq: the record does not describe what its name says",
    },
    Whole {
        how: "a folder of records is there that nobody knows",
        damage: |root| {
            fs::create_dir_all(root.join("records/other")).unwrap();
            fs::write(root.join("records/other/a.nq"), "").unwrap();
            relist(root);
        },
        told: "1 file that no record names: out/records/other/a.nq",
    },
    Whole {
        how: "the execution and what it registers are gone, but for its provenance",
        damage: |root| {
            fs::remove_file(only(root, "records/execution")).unwrap();
            relist(root);
        },
        told: "an evaluation was executed, and its record `records/execution/` is not here",
    },
    Whole {
        how: "a record says another number of statements",
        damage: |root| {
            let record = only(root, "records/execution");
            let text = fs::read_to_string(&record).unwrap();
            let line =
                text.lines().find(|line| line.contains("scores") && line.contains("void#triples")).unwrap();
            edit(&record, line, &line.replacen("> \"", "> \"9", 1));
            relist(root);
        },
        told: "/graph/scores/",
    },
    Whole {
        how: "the vocabulary has another number of statements",
        damage: |root| {
            edit(&only(root, "records/vocabulary"), "void#triples> \"", "void#triples> \"1");
            relist(root);
        },
        told: "/ns/0.1.0> has ",
    },
    Whole {
        how: "a record names another checksum",
        damage: |root| {
            let record = only(root, "records/dataset");
            let text = fs::read_to_string(&record).unwrap();
            let line = text.lines().find(|line| line.contains("checksumValue")).unwrap();
            let sum = line.split("checksumValue> \"").nth(1).unwrap()[..64].to_owned();
            edit(&record, &sum, &"0".repeat(64));
            relist(root);
        },
        told: "model-databus-checksum (Both checksums of a file are the same): https://w3id.org/qassay/dataset/tiny/",
    },
    Whole {
        how: "a record has a line of something else",
        damage: |root| {
            let record = only(root, "records/submission");
            let text = fs::read_to_string(&record).unwrap();
            fs::write(&record, format!("{text}nothing\n")).unwrap();
            relist(root);
        },
        told: "out/records/submission/",
    },
    Whole {
        how: "the version of the model is another",
        damage: |root| {
            edit(&only(root, "records/archive"), "model/2", "model/9");
            relist(root);
        },
        told: "model.nq",
    },
    Whole {
        how: "the list of a published record is gone",
        damage: |root| {
            fs::remove_file(root.join("SHA256SUMS")).unwrap();
            fs::write(root.join("ro-crate-metadata.json"), "{}").unwrap();
        },
        told: "out/SHA256SUMS is not here: a published record has a list of its files",
    },
    Whole {
        how: "a folder is a link",
        damage: |root| {
            let outside = root.parent().unwrap().join("outside");
            fs::rename(root.join("records/contents"), &outside).unwrap();
            #[cfg(unix)]
            std::os::unix::fs::symlink(&outside, root.join("records/contents")).unwrap();
        },
        told: "out/records/contents: is a link that leads out of the archive",
    },
    Whole {
        how: "a link beside the known folders leads nowhere",
        damage: |root| {
            #[cfg(unix)]
            std::os::unix::fs::symlink("/nowhere/at/all", root.join("index.html")).unwrap();
        },
        told: "out/index.html: is a link that leads out of the archive",
    },
];

#[cfg(unix)]
#[test]
fn the_whole_damaged() {
    let folder = record();
    for Whole { how, damage, told } in WHOLE {
        let (other, root) = copied(&folder);
        damage(&root);
        assert_told(&verified(&other, &[]), 1, how, told);
    }
}

/// What is only missing is no failure where the record is said to be a part, and no success.
#[test]
fn a_part_of_a_record_is_told_as_one() {
    let folder = record();
    for (what, path) in parts(&folder.path().join("out")) {
        if !["files", "graphs"].iter().any(|kind| what.starts_with(kind)) || what == "graphs/prov" {
            continue;
        }
        let (other, root) = copied(&folder);
        if path != Path::new("SHA256SUMS") {
            fs::remove_file(root.join(&path)).unwrap();
            assert_told(&verified(&other, &["--partial"]), 3, &what, &stem(&path));
        }
    }
}

/// A list is what shows whether a packed archive is whole.
#[test]
fn a_packed_archive_without_a_list() {
    let folder = record();
    fs::remove_file(folder.path().join("out/SHA256SUMS")).unwrap();
    let pack = |name: &str| {
        let mut builder = tar::Builder::new(fs::File::create(folder.path().join(name)).unwrap());
        builder.append_dir_all("out", folder.path().join("out")).unwrap();
        builder.finish().unwrap();
        qassay(folder.path(), ["verify", name, "--no-reexecution"])
    };
    assert!(pack("plain.tar").ok().contains("note: there is no SHA256SUMS"));
    fs::write(folder.path().join("out/ro-crate-metadata.json"), "{}").unwrap();
    assert_told(&pack("published.tar"), 1, "published", "SHA256SUMS is not here");
}

/// A run that is killed leaves what the next one completes; what was kept to its end and has no record was taken away.
#[test]
fn an_execution_without_a_record_is_one_that_was_interrupted_or_one_that_vanished() {
    let folder = record();
    let kept = folder.path().join("kept");
    let record = only(&kept, "records/execution");
    let key = stem(&record);
    fs::remove_file(&record).unwrap();
    let verify = || qassay(folder.path(), ["verify", "kept", "--no-reexecution"]);
    assert_told(&verify(), 1, "vanished", "its record `records/execution/` is not here");
    fs::write(kept.join("tmp").join(format!("{key}.execution")), "").unwrap();
    assert!(verify().ok().contains("files that no record names"));
    qassay(
        folder.path(),
        ["evaluate", "gold.json", "sys.json", "--links", "links.nt", "-x", "QA", "--archive", "kept"],
    )
    .ok();
    verify().ok();
    // What is cleared was neither.
    fs::remove_file(only(&kept, "records/execution")).unwrap();
    qassay(folder.path(), ["remove", "--archive", "kept"]).ok();
    verify().ok();
}

/// What stays unchecked is said.
#[test]
fn without_reexecution_that_is_told() {
    let folder = record();
    let told = qassay(folder.path(), ["verify", "out", "--no-reexecution"]).ok();
    assert!(
        told.contains("note: not checked without re-execution: whether the inputs of 1 evaluation give"),
        "{told}"
    );
    assert!(!qassay(folder.path(), ["verify", "out"]).ok().contains("not checked"));
}
