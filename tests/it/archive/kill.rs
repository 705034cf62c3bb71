//! A run that is killed leaves an archive that `verify` accepts, and that the next run completes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{files_below, graph_name, kept_text, qassay};

const QUESTIONS: usize = 60;
const SYSTEMS: usize = 3;
const KILLS: u64 = 24;

/// A linear congruential generator (Knuth's MMIX): the same moments on every run of the test.
struct Random(u64);

impl Random {
    /// The next number below a limit.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The answers to all questions; `system` 0 is the gold standard, each other one is wrong in its own way.
pub(super) fn dataset(system: usize) -> String {
    let question = |number: usize| {
        let bindings: Vec<String> = (0..number % 5)
            .map(|item| {
                let shift = usize::from(number % 7 < system);
                let value = format!("http://dbpedia.org/resource/R{}_{}", number, item + shift);
                format!(r#"{{"uri": {{"type": "uri", "value": "{value}"}}}}"#)
            })
            .collect();
        format!(
            r#"{{"id": "{number}", "question": [{{"language": "en", "string": "Question {number}?"}}],
 "answers": [{{"head": {{"vars": ["uri"]}}, "results": {{"bindings": [{}]}}}}]}}"#,
            bindings.join(", ")
        )
    };
    let questions: Vec<String> = (1..=QUESTIONS).map(question).collect();
    format!(r#"{{"dataset": {{"id": "killed"}}, "questions": [{}]}}"#, questions.join(",\n"))
}

fn links() -> String {
    let mut text = String::new();
    for number in 1..=QUESTIONS {
        let resource = format!("http://dbpedia.org/resource/R{number}_0");
        writeln!(
            text,
            "<{resource}> <http://www.w3.org/2002/07/owl#sameAs> <http://www.wikidata.org/entity/Q{number}> ."
        )
        .expect("writing to a String cannot fail");
    }
    text
}

/// Writes the inputs; gives the arguments of the run.
fn inputs(folder: &Path) -> Vec<String> {
    let systems = (1..=SYSTEMS).map(|system| (format!("system-{system}.json"), dataset(system)));
    let files = [("gold.json".to_owned(), dataset(0))].into_iter().chain(systems);
    let mut arguments = vec!["evaluate".to_owned()];
    for (name, content) in files {
        fs::write(folder.join(&name), content).expect("an input");
        arguments.push(name);
    }
    fs::write(folder.join("links.nt"), links()).expect("an input");
    arguments.extend(["--links", "links.nt", "--profile", "qassay", "--archive"].map(str::to_owned));
    arguments
}

/// How many files a folder has now; files may come and go meanwhile.
fn files_now(folder: &Path) -> usize {
    let of_entry = |entry: fs::DirEntry| if entry.path().is_dir() { files_now(&entry.path()) } else { 1 };
    fs::read_dir(folder).map_or(0, |entries| entries.flatten().map(of_entry).sum())
}

/// When a run is killed.
#[derive(Debug)]
pub(super) enum Moment {
    /// A while after its start, whatever it does then.
    After(Duration),
    /// As soon as the archive has so many files.
    Files(usize),
    /// As soon as the archive has so few files.
    Left(usize),
}

/// Starts a run and kills it; whether it was still running.
pub(super) fn kill(folder: &Path, arguments: &[String], moment: &Moment) -> bool {
    let mut run = Command::new(assert_cmd::cargo::cargo_bin!("qassay"))
        .current_dir(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let files = || files_now(&folder.join("killed"));
    let mut wait = |is_time: &dyn Fn() -> bool| {
        while run.try_wait().expect("its state").is_none() && !is_time() {
            std::thread::sleep(Duration::from_micros(200));
        }
    };
    match moment {
        Moment::After(pause) => std::thread::sleep(*pause),
        Moment::Files(many) => wait(&|| files() >= *many),
        Moment::Left(few) => wait(&|| files() <= *few),
    }
    // SIGKILL on Unix
    run.kill().expect("a process to kill");
    !run.wait().expect("its end").success()
}

/// The graphs of an archive by name, without those of executions.
fn graphs(archive: &Path) -> BTreeMap<String, (PathBuf, String)> {
    let graph = |path: PathBuf| {
        let content = kept_text(&archive.join(&path));
        (graph_name(&content).to_owned(), (path, content))
    };
    let graphs = files_below(archive).into_iter().filter(|path| path.starts_with("graphs")).map(graph);
    let is_told = |name: &str| ["/graph/prov/", "/graph/messages/"].iter().any(|kind| name.contains(kind));
    graphs.filter(|(name, _)| !is_told(name)).collect()
}

#[test]
fn killed_runs_leave_an_archive_that_verifies() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let arguments = inputs(folder);
    let with_archive = |name: &str| {
        let mut arguments = arguments.clone();
        arguments.push(name.to_owned());
        arguments
    };
    let (clean, killed) = (with_archive("clean"), with_archive("killed"));
    qassay(folder, &clean).ok();

    let mut random = Random(2_016);
    let (mut were_running, mut verified, mut wrote, mut files) = (0, 0, 0, 0);
    while were_running < KILLS {
        // By what was written, so that the moments are the same on a busy machine; some by the clock, before that.
        let moment = match random.below(5) {
            0 => Moment::After(Duration::from_millis(random.below(100))),
            _ => Moment::Files(files + usize::try_from(random.below(8)).expect("a small number")),
        };
        were_running += u64::from(kill(folder, &killed, &moment));
        if folder.join("killed/records").is_dir() {
            let ran = qassay(folder, ["verify", "killed", "--no-reexecution"]);
            assert_eq!(ran.code, Some(0), "killed at {moment:?}: {}\n{}", ran.stdout, ran.stderr);
            verified += 1;
            let now = files_below(&folder.join("killed")).len();
            wrote += u64::from(now != files);
            files = now;
        }
    }
    assert!(verified >= KILLS / 2, "only {verified} kills left an archive");
    assert!(wrote >= KILLS / 5, "only {wrote} kills interrupted the writing");

    qassay(folder, &killed).ok();
    let mut left: Vec<PathBuf> = files_below(&folder.join("killed/tmp"));
    // Which executions were interrupted stays known as long as something of them is there.
    left.retain(|path| path.extension().is_none_or(|ending| ending != "execution"));
    assert_eq!(
        left,
        [".executions", ".lock"].map(PathBuf::from),
        "the next run clears what killed runs left"
    );
    qassay(folder, ["verify", "killed"]).ok();
    let (clean, killed) = (graphs(&folder.join("clean")), graphs(&folder.join("killed")));
    let scores = clean.keys().filter(|name| name.contains("/graph/scores/")).count();
    assert_eq!(scores, SYSTEMS);
    assert!(clean == killed, "the graphs differ from those of a run that nobody killed");
}
