//! The chain of `tests/chain/run` on the real files of CK25, as a script that people can run too.

use std::path::Path;
use std::process::Command;

use crate::common::mirror;

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn the_chain_on_ck25_twice() {
    let mirror = mirror();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chain/run");
    let mut chain = Command::new(script);
    chain.env("QASSAY", env!("CARGO_BIN_EXE_qassay")).env("MIRROR", mirror);
    let ran = chain.output().expect("bash");
    let (told, errors) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{told}\n{errors}");
    assert!(told.contains("the second run changed no byte of"), "{told}\n{errors}");
    // Six evaluations, each computed again from what is kept.
    assert_eq!(
        told.lines().filter(|line| line.starts_with("re-execution") && line.ends_with("  same")).count(),
        6,
        "{told}"
    );
    assert_eq!(told.matches("text2sparql  refreshed  QA").count(), 3, "{told}");
}
