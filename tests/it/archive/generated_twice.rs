//! Two archives that computed the same evaluation, neither of which knows of the other, pushed to one place.

use std::fs;
use std::path::Path;

use crate::archive::merge::held;
use crate::common::qassay;

#[test]
fn who_comes_second_pulls_first() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for name in ["gold.json", "aurora.json"] {
        fs::copy(example.join(name), folder.join(name)).unwrap();
    }
    for archive in ["one", "two"] {
        qassay(folder, ["evaluate", "gold.json", "aurora.json", "--archive", archive]).ok();
    }
    qassay(folder, ["push", "--archive", "one", "store"]).ok();
    let before = held(&folder.join("store"));
    let ran = qassay(folder, ["push", "--archive", "two", "store"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("records/execution/") && ran.stderr.contains("pull first"), "{}", ran.stderr);
    assert!(held(&folder.join("store")) == before);
    qassay(folder, ["pull", "--archive", "two", "store"]).ok();
    qassay(folder, ["push", "--archive", "two", "store"]).ok();
    qassay(folder, ["verify", "store"]).ok();
    qassay(folder, ["pull", "--archive", "one", "store"]).ok();
    qassay(folder, ["verify", "one"]).ok();
    assert_eq!(fs::read_dir(folder.join("one/records/execution")).unwrap().count(), 2);
}
