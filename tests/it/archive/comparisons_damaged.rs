//! Comparisons that are damaged, left in part, or called like something else: each is told, and can be mended.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::archive::comparisons::{archive, graphs, kept, key, run, verified};
use crate::common::{files_below, plain};

/// What an archive has that is not made again at any time.
fn files(folder: &TempDir) -> Vec<PathBuf> {
    let stays = |path: &PathBuf| !path.starts_with("stores") && !path.starts_with("tmp");
    files_below(&folder.path().join("kept")).into_iter().filter(stays).collect()
}

/// The record of a comparison.
fn record(folder: &TempDir, iri: &str) -> PathBuf {
    folder.path().join("kept/records/comparison").join(format!("{}.nq", key(iri)))
}

#[test]
fn it_goes_by_its_key_unless_something_else_is_called_so() {
    let folder = archive();
    let before = files(&folder);
    let iri = kept(&run(&folder, "compare first --archive kept"));
    run(&folder, &format!("remove {} --archive kept", &key(&iri)[..8])).ok();
    assert_eq!(files(&folder), before);
    let iri = kept(&run(&folder, "compare first --archive kept"));
    let key = key(&iri);
    run(&folder, &format!("evaluate second.json system-1.json --system {key} --archive kept")).ok();
    let all = files(&folder);
    for words in [
        format!("remove {key} --archive kept"),
        format!("explain {key} system-1 system-2 --archive kept"),
        format!("export {key} out --archive kept"),
        format!("verify kept {key}"),
    ] {
        let ran = run(&folder, &words);
        let told = format!("`{key}` means comparisons and evaluations");
        assert!(ran.code == Some(2) && ran.stderr.contains(&told), "{words}: {}", ran.stderr);
        let allowed = ran.stderr.contains(&format!("comparison <{iri}>; evaluation <"));
        assert!(allowed && ran.stderr.contains("hint: name one by its IRI"), "{words}: {}", ran.stderr);
    }
    assert_eq!(files(&folder), all);
    run(&folder, &format!("explain {iri} system-1 system-2 --archive kept")).ok();
    run(&folder, &format!("remove {iri} --archive kept")).ok();
}

#[test]
fn a_record_that_says_nothing_is_written_again() {
    let folder = archive();
    let iri = kept(&run(&folder, "compare first --archive kept"));
    let whole = fs::read_to_string(record(&folder, &iri)).unwrap();
    let is_whole = || {
        let (rows, told) = verified(&folder, &format!("kept {}", key(&iri)), &iri);
        assert_eq!(rows, ["constraints: ok", "re-execution: same"], "{told}");
    };
    fs::write(record(&folder, &iri), "").unwrap();
    let found = run(&folder, "verify kept --no-reexecution");
    assert!(
        found.code == Some(1) && found.stdout.contains("the record does not describe"),
        "{}",
        found.stdout
    );
    assert_eq!(kept(&run(&folder, "compare first --archive kept")), iri);
    is_whole();
    // Who cannot read a record says what finds out more; a comparison can be made again at any time.
    fs::write(record(&folder, &iri), &whole[..whole.len() / 2]).unwrap();
    for words in ["list", "compare", "export system-1 out"] {
        let ran = run(&folder, &format!("{words} --archive kept"));
        assert!(
            ran.code == Some(2) && ran.stderr.contains("hint: the archive is damaged; `qassay verify`"),
            "{}",
            ran.stderr
        );
    }
    let ran = run(&folder, "remove --archive kept");
    assert!(
        ran.code == Some(0) && ran.stderr.contains("1 record of a comparison that is damaged"),
        "{}",
        ran.stderr
    );
    assert_eq!(kept(&run(&folder, "compare first --archive kept")), iri);
    is_whole();
}

#[test]
fn what_no_record_names_is_told_and_can_be_cleared() {
    let folder = archive();
    let before = files(&folder);
    let iri = kept(&run(&folder, "compare first --archive kept"));
    run(&folder, &format!("export {} out --archive kept", key(&iri))).ok();
    // As whoever was killed before it was written leaves it.
    fs::remove_file(record(&folder, &iri)).unwrap();
    let verified = run(&folder, "verify kept --no-reexecution");
    assert!(
        verified.code == Some(0) && verified.stdout.contains("note: 2 files that no record names"),
        "{}",
        verified.stdout
    );
    let ran = run(&folder, "remove --archive kept");
    assert!(ran.code == Some(0) && ran.stderr.contains("that no record named"), "{}", ran.stderr);
    assert_eq!(files(&folder), before);
    let ran = run(&folder, "remove --archive kept");
    assert!(
        ran.code == Some(2) && ran.stderr.contains("no run that was killed left anything"),
        "{}",
        ran.stderr
    );
    assert_eq!(run(&folder, "verify kept").code, Some(0));
    // What was published has a list.
    fs::remove_file(folder.path().join("out/records/comparison").join(format!("{}.nq", key(&iri)))).unwrap();
    let verified = run(&folder, "verify out --no-reexecution");
    let told = format!("{}.nq is not here", key(&iri));
    assert!(verified.code == Some(1) && verified.stdout.contains(&told), "{}", verified.stdout);
}

#[test]
fn who_needs_what_is_not_here_is_told_what_to_do() {
    let folder = archive();
    let iri = kept(&run(&folder, "compare first --archive kept"));
    plain(&folder.path().join("kept"));
    fs::remove_file(graphs(&folder, "comparison").remove(0)).unwrap();
    let ran = run(&folder, &format!("explain {iri} system-1 system-2 --archive kept"));
    assert!(ran.stderr.contains("hint: the archive is damaged; `qassay verify`"), "{}", ran.stderr);
    // An archive that nothing can be written into.
    fs::remove_file(folder.path().join("kept/tmp/.lock")).unwrap();
    fs::create_dir(folder.path().join("kept/tmp/.lock")).unwrap();
    let ran = run(&folder, "compare first --archive kept");
    // Before the work; what was computed is shown.
    assert!(
        ran.stderr.starts_with("note: nothing will be kept: ") && !ran.stdout.is_empty(),
        "{}",
        ran.stderr
    );
    assert!(
        ran.code == Some(2) && ran.stderr.contains("hint: keep nothing with `--no-archive`"),
        "{}",
        ran.stderr
    );
    run(&folder, "compare first --archive kept --no-archive").ok();
}
