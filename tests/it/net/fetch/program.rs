//! `qassay fetch` as people run it: with the mirror of real files, killed, at once, through a proxy.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use qassay::sources::archive::hashing::file_digest;
use qassay::sources::catalogue::{Entry, by_name, entries};
use tempfile::TempDir;

use super::now;
use crate::common::server::{Request, Server, send, serve};
use crate::common::{Ran, files_below, mirror, program, qassay};

/// The proxy settings of whoever runs the tests are not for them.
const PROXIES: [&str; 8] = [
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
];

fn fetch(folder: &Path, arguments: &[&str]) -> assert_cmd::Command {
    let mut command = program(folder);
    command.arg("fetch").args(arguments);
    for name in PROXIES {
        command.env_remove(name);
    }
    command
}

fn place(archive: &Path, name: &str) -> PathBuf {
    let sha256 = by_name(name).unwrap().sha256;
    archive.join("files/sha256").join(&sha256[..2]).join(sha256)
}

fn in_mirror(mirror: &Path, entry: &Entry) -> PathBuf {
    entry.place().unwrap().iter().fold(mirror.to_path_buf(), |path, name| path.join(name))
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn files_come_from_the_mirror_and_a_second_call_does_nothing() {
    let mirror = mirror();
    let (folder, mirror) = (TempDir::new().unwrap(), mirror.display().to_string());
    let names = ["qald-9-test", "QALD5_Train_Hybrid", "qassay-example", "bestiary", "text2sparql-db25"];
    let arguments = [&names[..], &["--mirror", &mirror]].concat();
    let ran = Ran::of(&mut fetch(folder.path(), &arguments));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("qald-9-test: fetched, 1065192 bytes"), "{}", ran.stderr);
    assert!(ran.stderr.contains("5 fetched, 0 already there"), "{}", ran.stderr);
    let archive = folder.path().join("qassay-archive");
    for name in ["qald-9-test", "qald-5-train", "qassay-example", "bestiary", "text2sparql-db25"] {
        assert_eq!(file_digest(&place(&archive, name)).unwrap(), by_name(name).unwrap().sha256);
    }
    let before = fs::metadata(place(&archive, "bestiary")).unwrap().modified().unwrap();
    let ran = Ran::of(&mut fetch(folder.path(), &arguments));
    assert!(ran.stderr.contains("bestiary: already fetched"), "{}", ran.stderr);
    assert!(ran.stderr.contains("0 fetched, 5 already there"), "{}", ran.stderr);
    assert_eq!(fs::metadata(place(&archive, "bestiary")).unwrap().modified().unwrap(), before);
    // An archive with fetched files only is a good one.
    assert_eq!(qassay(folder.path(), ["verify"]).code, Some(0));
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn everything_comes_from_the_mirror_by_two_at_once() {
    let mirror = mirror();
    let (folder, path) = (TempDir::new().unwrap(), mirror.display().to_string());
    let rans: Vec<Ran> = thread::scope(|scope| {
        let run = || Ran::of(&mut fetch(folder.path(), &["--all", "--mirror", &path]));
        let both = [scope.spawn(run), scope.spawn(run)];
        both.map(|thread| thread.join().unwrap()).into()
    });
    let archive = folder.path().join("qassay-archive");
    let (mut here, mut missing) = (0, 0);
    for entry in entries().iter().filter(|entry| entry.exists()) {
        let fetched = place(&archive, entry.name).is_file();
        let known = entry.is_built_in() || in_mirror(&mirror, entry).is_file();
        assert_eq!(fetched, known, "{}", entry.name);
        if known { here += 1 } else { missing += 1 }
    }
    assert_eq!((here, missing), (156, 36));
    for ran in rans {
        // What the mirror has not is said, and no other file is kept from coming.
        assert_eq!(ran.code, Some(1));
        assert!(ran.stderr.contains("nobody can fetch 9: "), "{}", ran.stderr);
        assert!(ran.stderr.contains("36 of 192 files not fetched: "), "{}", ran.stderr);
        assert!(ran.stderr.contains("the mirror does not have `stonetemple`"), "{}", ran.stderr);
    }
    let unfinished = files_below(&archive.join("tmp"));
    assert!(unfinished.iter().all(|name| name.to_string_lossy().starts_with('.')), "{unfinished:?}");
}

#[test]
fn a_mirror_with_other_bytes_is_refused() {
    let (folder, mirror) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let path = in_mirror(mirror.path(), by_name("qald-8-test").unwrap());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let arguments = ["qald-8-test", "--mirror", mirror.path().to_str().unwrap()];
    for (bytes, said) in [
        (
            vec![b'x'; 37_657],
            "expected the sha256 checksum 981ed0b58502087ca48dc4c927acbce2d3b452ab3aaee9cb5559bb7ae938a207, found ",
        ),
        (vec![b'x'; 37_656], "expected 37657 bytes, found 37656; nothing is kept"),
        (vec![b'x'; 40_000], "expected 37657 bytes, the mirror has more; nothing is kept"),
        (Vec::new(), "expected 37657 bytes, found 0; nothing is kept"),
    ] {
        fs::write(&path, bytes).unwrap();
        let ran = Ran::of(&mut fetch(folder.path(), &arguments));
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
        let kept = files_below(&folder.path().join("qassay-archive"));
        assert!(
            kept.iter()
                .map(|file| file.to_string_lossy())
                .all(|file| { file == "records/archive/model.nq" || file.starts_with("tmp/.") }),
            "{kept:?}"
        );
    }
    fs::remove_file(&path).unwrap();
    let ran = Ran::of(&mut fetch(folder.path(), &arguments));
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains(path.to_str().unwrap()), "{}", ran.stderr);
}

/// Waits until something is so.
fn until(what: impl Fn() -> bool) {
    let begun = now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it never happens");
        thread::sleep(Duration::from_millis(10));
    }
}

fn start(folder: &Path, base: &str) -> Child {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("qassay"));
    for name in PROXIES {
        command.env_remove(name);
    }
    command.current_dir(folder).args(["fetch", "qald-8-test", "--base", base]);
    command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn a_killed_download_leaves_no_file_and_is_continued() {
    let mirror = mirror();
    let content = fs::read(in_mirror(&mirror, by_name("qald-8-test").unwrap())).unwrap();
    let length = content.len();
    let server = Server::start(move |request: &Request, stream: &mut TcpStream| {
        if request.number == 0 {
            send(stream, "200 OK", &[("Content-Length", &length.to_string())], &content[..20_000]);
            thread::sleep(Duration::from_secs(25));
        } else {
            serve(stream, request, &content);
        }
    });
    let folder = TempDir::new().unwrap();
    let archive = folder.path().join("qassay-archive");
    let part = archive.join("tmp").join(format!("{}.part", by_name("qald-8-test").unwrap().sha256));
    let mut child = start(folder.path(), &server.base);
    until(|| fs::metadata(&part).is_ok_and(|part| part.len() == 20_000));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(files_below(&archive.join("files")), Vec::<PathBuf>::new());
    // Another command in between leaves the part alone.
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let evaluated =
        qassay(folder.path(), ["evaluate".into(), example.join("gold.json"), example.join("aurora.json")]);
    assert_eq!(evaluated.code, Some(0), "{}", evaluated.stderr);
    let ran = Ran::of(&mut fetch(folder.path(), &["qald-8-test", "--base", &server.base]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(server.requests()[1].start(), Some(20_000));
    assert!(place(&archive, "qald-8-test").is_file() && !part.exists());
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn the_proxy_of_the_environment_is_asked() {
    let mirror = mirror();
    let content = fs::read(in_mirror(&mirror, by_name("qald-8-test").unwrap())).unwrap();
    let server = Server::start(move |request, stream| serve(stream, request, &content));
    let proxy = server.base.trim_end_matches("/files");
    let folder = TempDir::new().unwrap();
    let mut command = fetch(folder.path(), &["qald-8-test", "--base", "http://files.invalid/raw"]);
    let ran = Ran::of(command.env("HTTP_PROXY", proxy));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let line = &server.requests()[0].line;
    assert!(line.starts_with("GET http://files.invalid/raw/ag-sc/QALD/7a43e2b9"), "{line}");
}
