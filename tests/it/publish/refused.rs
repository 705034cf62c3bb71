//! Publications that cannot be: what is said, and that nothing is written.

use std::fmt::Write as _;
use std::fs;

use crate::publish::record::{WHO, evaluate, publish};

#[test]
fn what_cannot_be_published_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for name in ["gold.json", "aurora.json"] {
        fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    evaluate(&folder, &["gold.json", "aurora.json"]).ok();
    fs::create_dir(folder.path().join("there")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
    let mut told = String::new();
    for words in [
        &["aurora", "out"][..],
        &["aurora"],
        &["aurora", "out", "--creator", "Josiah Carberry"],
        &["aurora", "out", "--creator", "Josiah Carberry <0000-0002-1825-0098>"],
        &[
            "aurora",
            "out",
            "--creator",
            "A <https://example.org/a>",
            "--publisher",
            "B <https://example.org/a>",
        ],
        &[&["aurora", "there"][..], &WHO].concat(),
        &[&["aurora", "link"][..], &WHO].concat(),
        &[&["aurora", ""][..], &WHO].concat(),
        &[&["aurora", "out.tar.gz"][..], &WHO].concat(),
        &[&["zephyr", "out"][..], &WHO].concat(),
        &[&["aurora", "out", "--doi", "zenodo.1234"][..], &WHO].concat(),
        &["aurora", "out", "--creator", "A <https://example.org/a>", "--date", "2026-02-30"],
        &[&["aurora", "out", "--licence", "mine"][..], &WHO].concat(),
        &[&["aurora", "out", "--input-licence", "dataset"][..], &WHO].concat(),
        &[&["aurora", "out", "--input-licence", "nothing=MIT"][..], &WHO].concat(),
        &[
            &["aurora", "out", "--input-licence", "dataset=MIT", "--input-licence", "dataset=CC0-1.0"][..],
            &WHO,
        ]
        .concat(),
    ] {
        let ran = publish(&folder, words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        let beginning: String = ran.stderr.chars().take(500).collect();
        let _ = writeln!(told, "{}\n{}\n", words.join(" "), beginning.trim_end());
    }
    insta::assert_snapshot!(told);
    assert!(
        !folder.path().join("out").exists()
            && !folder.path().join("kept/records/publication").join("x").exists()
    );
    assert_eq!(fs::read_dir(folder.path().join("kept/records/publication")).unwrap().count(), 0);
}
