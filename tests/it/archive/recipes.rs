//! The recipes, as they stand in `datasets/recipes.md`: each makes of its shards what one run makes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use assert_cmd::Command;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};
use tempfile::TempDir;

use super::matrix::{digests, states};
use super::merge::{held, same};
use crate::common::pages::{project, text_of};
use crate::common::{Ran, files_below, qassay, search_path};

/// How many cells the matrix of the page has.
const CELLS: usize = 8;

/// The page.
fn page() -> String {
    text_of(Path::new("datasets/recipes.md"))
}

/// The blocks of the page by the names that stand above them.
fn blocks() -> BTreeMap<String, String> {
    let page = page();
    let ended: Vec<&str> = page.split("\n```\n").collect();
    let (_, ended) = ended.split_last().expect("the text behind the last block");
    let block = |ended: &&str| {
        let (before, block) = ended.split_once("\n\n```").expect("a block");
        let name = before.lines().last().and_then(|line| line.strip_prefix('`')?.strip_suffix("`:"));
        let (_, content) = block.split_once('\n').expect("its language");
        (name.expect("the name of a file").to_owned(), format!("{content}\n"))
    };
    ended.iter().map(block).collect()
}

/// A folder with the files of the example and of the page, and in an archive there the first cell of the first shard.
fn recipes(begun: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["gold.json", "aurora.json", "borealis.json", "same-as.nt"] {
        fs::copy(project().join("datasets/example").join(name), folder.path().join(name)).unwrap();
    }
    for (name, content) in blocks() {
        fs::write(folder.path().join(name), content).unwrap();
    }
    qassay(folder.path(), ["evaluate", "gold.json", "aurora.json", "--archive", begun]).ok();
    folder
}

/// A program that finds ours, behind those of further folders.
fn command(program: &str, folder: &Path, before: &[&Path]) -> Command {
    let mut command = Command::new(program);
    // What programs keep of a user is none of the user's business here.
    command.current_dir(folder).env("PATH", search_path(before)).env("HOME", folder).env("LC_ALL", "C");
    command
}

/// Runs a recipe, whose archive is then that of one run without shards; and once more, which changes nothing.
#[track_caller]
fn gives_what_one_run_gives(folder: &Path, recipe: impl Fn()) {
    recipe();
    qassay(folder, ["matrix", "matrix.yaml", "--archive", "plain"]).ok();
    let [plain, united] = ["plain", "qassay-archive"].map(|archive| folder.join(archive));
    assert_eq!(digests(&plain), digests(&united));
    for kind in fs::read_dir(plain.join("records")).unwrap().map(|kind| kind.unwrap().file_name()) {
        let [one, other] = [&plain, &united].map(|archive| archive.join("records").join(&kind));
        if kind == "execution" {
            // Who computed when; nothing was computed twice.
            assert_eq!([one, other].map(|folder| files_below(&folder).len()), [CELLS; 2]);
        } else {
            same(&one, &other);
        }
    }
    let cells = qassay(folder, ["matrix", "matrix.yaml", "--dry-run", "--format", "json"]).json();
    assert_eq!(states(cells.as_array().unwrap()), ["there"; CELLS]);
    qassay(folder, ["verify"]).ok();
    let before = held(&united);
    recipe();
    assert!(held(&united) == before, "once more changes the archive");
}

#[test]
fn every_block_has_a_test() {
    let known = [
        "Snakefile",
        "collect.sh",
        "kubernetes.yaml",
        "matrix.yaml",
        "parallel.sh",
        "shards.sbatch",
        "submit.sh",
    ];
    assert_eq!(blocks().into_keys().collect::<Vec<_>>(), known);
}

#[test]
#[cfg_attr(not(gnu_parallel), ignore = "no GNU parallel (apt-get install parallel)")]
fn gnu_parallel() {
    let folder = recipes("shards/1");
    let folder = folder.path();
    gives_what_one_run_gives(folder, || {
        Ran::of(command("sh", folder, &[]).arg("parallel.sh")).ok();
    });
    // Where a shard fails, nothing is merged.
    fs::remove_dir_all(folder.join("qassay-archive")).unwrap();
    fs::remove_dir_all(folder.join("shards/2")).unwrap();
    fs::remove_file(folder.join("borealis.json")).unwrap();
    let failed = Ran::of(command("sh", folder, &[]).arg("parallel.sh"));
    assert_ne!(failed.code, Some(0), "{}", failed.stderr);
    assert!(!folder.join("qassay-archive").exists());
}

/// Stands in for Slurm: runs the tasks of an array, one after the other, and what depends on it.
const SBATCH: &str = r#"#!/bin/bash
set -e
export SLURM_CPUS_PER_TASK=2 SLURM_ARRAY_TASK_ID
case "$1" in
  --parsable)
    array=$(sed -n 's/^#SBATCH --array=//p' "$2")
    export SLURM_ARRAY_TASK_COUNT=${array#1-}
    for SLURM_ARRAY_TASK_ID in $(seq "$SLURM_ARRAY_TASK_COUNT"); do bash "$2" >&2; done
    echo 4711 ;;
  --dependency=afterok:4711)
    [ "$2" = --wrap ]
    sh -c "$3" ;;
  *) exit 2 ;;
esac
"#;

#[test]
#[cfg_attr(not(bash), ignore = "no bash")]
fn slurm() {
    let script = &blocks()["shards.sbatch"];
    // Slurm reads its lines up to the first command.
    let mut lines = script.lines();
    assert_eq!(lines.next(), Some("#!/bin/bash"));
    let said: Vec<&str> = lines.by_ref().map_while(|line| line.strip_prefix("#SBATCH --")).collect();
    let options = ["job-name=qassay-shards", "array=1-16", "cpus-per-task=2", "requeue"];
    assert_eq!(said, options);
    assert!(lines.all(|line| !line.starts_with("#SBATCH")), "{script}");
    assert!(script.contains("--shard \"$shard/16\""), "{script}");

    let folder = recipes("shards/1");
    let folder = folder.path();
    let programs = folder.join("bin");
    fs::create_dir(&programs).unwrap();
    fs::write(programs.join("sbatch"), SBATCH).unwrap();
    fs::set_permissions(programs.join("sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    gives_what_one_run_gives(folder, || {
        Ran::of(command("sh", folder, &[&programs]).arg("submit.sh")).ok();
    });
    // A shard without a cell leaves nothing.
    assert_eq!(fs::read_dir(folder.join("shards")).unwrap().count(), CELLS);
    // `sbatch --array=3 shards.sbatch`
    let mut again = command("bash", folder, &[]);
    again.env("SLURM_ARRAY_TASK_ID", "3").env("SLURM_ARRAY_TASK_COUNT", "1");
    let again = Ran::of(again.arg("shards.sbatch"));
    assert!(again.stderr.contains("1 cell of 8: 1 there"), "{}", again.stderr);
}

/// The event that comes now, within a value.
fn next<'a>(rest: &mut impl Iterator<Item = Event<'a>>) -> Event<'a> {
    rest.next().expect("the end of the value")
}

/// A value of YAML that begins with an event, as JSON.
fn value<'a>(first: Event<'a>, rest: &mut impl Iterator<Item = Event<'a>>) -> Value {
    match first {
        Event::Scalar(text, ScalarStyle::Plain, ..) => {
            serde_json::from_str(&text).unwrap_or_else(|_| text.into_owned().into())
        }
        Event::Scalar(text, ..) => text.into_owned().into(),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match next(rest) {
                    Event::SequenceEnd => return items.into(),
                    item => items.push(value(item, rest)),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut entries = Map::new();
            loop {
                match next(rest) {
                    Event::MappingEnd => return entries.into(),
                    Event::Scalar(key, ..) => {
                        let first = next(rest);
                        let former = entries.insert(key.to_string(), value(first, rest));
                        assert_eq!(former, None, "{key}");
                    }
                    other => panic!("{other:?} is no key"),
                }
            }
        }
        other => panic!("{other:?} is no value"),
    }
}

/// A document of YAML, as JSON.
fn document(text: &str) -> Value {
    let mut events = Parser::new_from_str(text).map(|event| event.expect("YAML").0);
    let is_before = |event: &Event<'_>| matches!(event, Event::StreamStart | Event::DocumentStart(_));
    let first = events.by_ref().find(|event| !is_before(event)).expect("a value");
    value(first, &mut events)
}

/// The one of a list that has a name.
#[track_caller]
fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    let found = list.as_array().unwrap().iter().find(|item| item["name"] == name);
    found.unwrap_or_else(|| panic!("{list} has no {name}"))
}

/// The texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// Checks that shards, places and volumes of the job are those of its script and of the one that collects; how many there are.
fn checked(job: &Value, collect: &str) -> u64 {
    assert_eq!([&job["apiVersion"], &job["kind"]], ["batch/v1", "Job"]);
    let (spec, pod) = (&job["spec"], &job["spec"]["template"]["spec"]);
    assert_eq!([&spec["completionMode"], &pod["restartPolicy"]], ["Indexed", "OnFailure"]);
    let [completions, parallelism] =
        ["completions", "parallelism"].map(|name| spec[name].as_u64().expect("a number"));
    assert!((1..=completions).contains(&parallelism), "{spec}");
    let container = &pod["containers"][0];
    let script = texts(&container["args"]).concat();
    assert!(script.contains(&format!("--shard \"$shard/{completions}\"")), "{script}");
    let shards: Vec<String> = (1..=completions).map(|shard| shard.to_string()).collect();
    assert!(collect.contains(&format!("for shard in {};", shards.join(" "))), "{collect}");
    let store = named(&container["env"], "STORE")["value"].as_str().unwrap();
    assert!(collect.contains(&format!("${{STORE:-{store}}}/shard-$shard")), "{collect}");
    // The matrix is where its map is put; the archive is in a folder that lives as long as the pod.
    let mounts = &container["volumeMounts"];
    let matrix = named(mounts, "matrix")["mountPath"].as_str().unwrap();
    assert_eq!(named(&container["env"], "MATRIX")["value"], format!("{matrix}/matrix.yaml"));
    assert!(named(&pod["volumes"], "matrix")["configMap"]["name"].is_string());
    assert_eq!(container["workingDir"], named(mounts, "archive")["mountPath"]);
    assert!(named(&pod["volumes"], "archive")["emptyDir"].is_object());
    completions
}

#[test]
fn kubernetes() {
    let blocks = blocks();
    let job = document(&blocks["kubernetes.yaml"]);
    let completions = checked(&job, &blocks["collect.sh"]);
    let container = &job["spec"]["template"]["spec"]["containers"][0];

    let folder = recipes("begun");
    let folder = folder.path();
    let store = folder.join("store");
    // A pod that was killed has left this.
    qassay(folder, ["push", "store/shard-1", "--archive", "begun"]).ok();
    let address = format!("file://{}", store.display());
    // Each pod is new: what the last one had is gone.
    let pod = |index: u64| {
        let own = tempfile::tempdir().unwrap();
        let words = texts(&container["command"]);
        let mut pod = command(words[0], own.path(), &[]);
        pod.env("MATRIX", folder.join("matrix.yaml")).env("STORE", &address);
        pod.env("JOB_COMPLETION_INDEX", index.to_string());
        Ran::of(pod.args(&words[1..]).args(texts(&container["args"])))
    };
    gives_what_one_run_gives(folder, || {
        for index in 0..completions {
            pod(index).ok();
        }
        Ran::of(command("sh", folder, &[]).env("STORE", &address).arg("collect.sh")).ok();
    });
    // What cannot be pulled is not taken for nothing.
    let graphs = store.join("shard-1/graphs");
    fs::write(graphs.join(&files_below(&graphs)[0]), "damaged").unwrap();
    let before = held(&store.join("shard-1"));
    let failed = pod(0);
    assert_ne!(failed.code, Some(0), "{}", failed.stderr);
    assert!(held(&store.join("shard-1")) == before, "it pushes");
}

#[test]
#[cfg_attr(not(snakemake), ignore = "no Snakemake: .ci/snakemake")]
fn snakemake() {
    let page = page();
    let line = page.split('`').find(|code| code.starts_with("snakemake --cores")).expect("how it is called");
    let folder = recipes("shards/1");
    let folder = folder.path();
    let programs = project().join("target/snakemake/bin");
    gives_what_one_run_gives(folder, || {
        // As if nothing was done; the archives are still there.
        if folder.join("done").exists() {
            fs::remove_dir_all(folder.join("done")).unwrap();
        }
        Ran::of(command("sh", folder, &[&programs]).args(["-c", line])).ok();
        assert!(folder.join("done/all").exists());
    });
}
