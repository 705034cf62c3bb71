//! What the tests of the program share: running it, and finding the real data.

pub(crate) mod documents;
pub(crate) mod gerbil;
pub(crate) mod in_process;
pub(crate) mod judged;
pub(crate) mod live;
pub(crate) mod loading;
pub(crate) mod pages;
pub(crate) mod remote;
pub(crate) mod server;
pub(crate) mod sparql;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use qassay::sources::archive::stored::StoredFile;
use serde_json::Value;

/// The gold standard of QALD-8, train.
pub(crate) const QALD_8_TRAIN: &str =
    "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/8/data/qald-8-train-multilingual.json";
/// The gold standard of QALD-9, test, in the copy of `KGQAn`.
pub(crate) const QALD_9_TEST_KGQAN: &str = "CoDS-GCS/KGQAn/2cb6f3701e699293175ecf4e4c1b9fe79d97c687/src/evaluation/data/qald-9-test-multilingual.json";
/// The answers of `KGQAn` to QALD-9, test.
pub(crate) const KGQAN: &str = "CoDS-GCS/KGQAn/2cb6f3701e699293175ecf4e4c1b9fe79d97c687/src/evaluation/best_results_of_all_time/_F134_v1_e15-VLDB2020/KGQAn_result_20200401-205438.json";

/// The folder of the campaign TEXT2SPARQL 2025, with data, answers and scores.
pub(crate) const TEXT2SPARQL_2025: &str =
    "AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs";
/// The questions of CK25, below `mirror-2`.
pub(crate) const CK25_QUESTIONS: &str = "ad-freiburg/grasp/2ff24829de070e6e3b42c252438c0732603acb9d/data/benchmark/ck25/text2sparql2025/questions.yml";

/// The folder with the answers to QALD-8, train, of four systems and their scores.
const QALD_8_ANSWERS: &str =
    "AKSW/NLIWOD/28141294f61c0a565cea9de880fd4fb19018fdb3/qa.ml/src/main/resources/QALD8Answers";

/// The answers of a system to QALD-8, train (`json`), or their published scores (`csv`).
pub(crate) fn qald_8_answers(system: &str, ending: &str) -> String {
    format!("{QALD_8_ANSWERS}/{system}_QALD8_Train.{ending}")
}

/// The folder `../shared`, or the one that `QASSAY_SHARED` names, where it is on this machine.
pub(crate) fn find_shared() -> Option<PathBuf> {
    let shared = std::env::var_os("QASSAY_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    shared.join("data/mirror").is_dir().then_some(shared)
}

/// The folder `../shared`, for tests that are ignored without it (`cfg(shared)`).
#[track_caller]
pub(crate) fn shared() -> PathBuf {
    find_shared().expect("../shared, which was there when the tests were built")
}

/// The folder with the files of public repositories, for tests that are ignored without it.
#[track_caller]
pub(crate) fn mirror() -> PathBuf {
    shared().join("data/mirror")
}

/// The folder with the files of public repositories that came later, laid out in the same way.
#[track_caller]
pub(crate) fn mirror_2() -> PathBuf {
    shared().join("data/mirror-2")
}

/// The program, ready to run in a folder.
pub(crate) fn program(folder: &Path) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("qassay");
    command.current_dir(folder).env("LC_ALL", "C");
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// Where a shell looks for programs: in these folders, where ours is, and where it looks anyway.
pub(crate) fn search_path(before: &[&Path]) -> OsString {
    let program = assert_cmd::cargo::cargo_bin!("qassay");
    let known = std::env::var_os("PATH").unwrap_or_default();
    let before = before.iter().copied().chain(program.parent()).map(Path::to_path_buf);
    std::env::join_paths(before.chain(std::env::split_paths(&known))).expect("paths of folders")
}

/// What a run of the program left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// What a command does.
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        let ran =
            Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        ran
    }

    /// Its results, if it succeeded.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}\n{}", self.stdout, self.stderr);
        self.stdout
    }

    /// Its results as JSON, if it succeeded.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.ok()).expect("the program prints JSON")
    }
}

/// Runs the program in a folder.
pub(crate) fn qassay(folder: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ran {
    Ran::of(program(folder).args(arguments))
}

/// The evaluation of one system as the program prints it for scripts; nothing is kept.
#[track_caller]
pub(crate) fn evaluation(gold: &Path, answers: &Path, profile: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = program(folder.path());
    command.args(["evaluate", "--format", "json", "--no-archive", "--profile", profile]);
    let mut output = Ran::of(command.arg(gold).arg(answers)).json();
    let left = fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 0, "--no-archive leaves files behind");
    assert_eq!(output["evaluations"].as_array().map(Vec::len), Some(1));
    output["evaluations"][0].take()
}

/// All files below a folder, in order, as paths relative to it; of an archive all but the summaries, which can be made again
/// at any time.
pub(crate) fn files_below(root: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.extend((path != root.join("stores/summaries")).then_some(path));
            } else {
                files.push(path.strip_prefix(root).expect("below the root").to_path_buf());
            }
        }
    }
    files.sort_unstable();
    files
}

/// The graph that a file of canonical N-Quads holds: the last term of its first statement; empty for no statements.
pub(crate) fn graph_name(quads: &str) -> &str {
    let name = |first: &'_ str| first.rfind('<').map(|start| start + 1..first.len() - "> .".len());
    quads.lines().next().and_then(|first| first.get(name(first)?)).unwrap_or_default()
}

/// What a file of an archive holds, unpacked where it is packed.
pub(crate) fn kept_bytes(path: &Path) -> Vec<u8> {
    StoredFile::new(path).content().expect("a file of an archive")
}

/// The same as text.
pub(crate) fn kept_text(path: &Path) -> String {
    String::from_utf8(kept_bytes(path)).expect("UTF-8")
}

/// The archive with all graphs as archives of before have them: not packed. Tests change them in place.
pub(crate) fn plain(archive: &Path) {
    for path in files_below(&archive.join("graphs")) {
        let file = StoredFile::new(archive.join("graphs").join(path));
        if file.plain_path() != file.path() {
            fs::write(file.plain_path(), file.content().expect("a graph"))
                .expect("the archive can be written");
            fs::remove_file(file.path()).expect("the archive can be written");
        }
    }
}
