//! Signatures over records: ours are checked by minisign, theirs by us.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::archive::stranger::host;
use crate::common::{Ran, qassay};
use crate::publish::record::{WHO, example, publish, text};

/// Two pairs of keys that minisign made, without passwords: secret, public.
const KEYS: [(&str, &str); 2] = [
    (
        "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAjeBzC2TB6Nf3wOKbvujNbTVFDMYOHCaKtZ7uErZo2ogfM1w2l4PFktpNWdZSFv/tFQCT4jp33DfYdy07T2HheYbnRJ0H0uSJAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "RWSN4HMLZMHo19pNWdZSFv/tFQCT4jp33DfYdy07T2HheYbnRJ0H0uSJ",
    ),
    (
        "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIj7+IAWSe2GVyF3ILrWBymsSgiNOYVOG7wbW2o8Sk0NZi5+DHBCK1+x8MAYqzNrew8enjNMTPvqO0v7urBrryhv0qDMBKKY1AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "RWQiPv4gBZJ7Yex8MAYqzNrew8enjNMTPvqO0v7urBrryhv0qDMBKKY1",
    ),
];

/// An archive and the files `key` and `key.pub`.
fn signing() -> TempDir {
    let folder = example();
    let [(secret, public), _] = KEYS;
    fs::write(folder.path().join("key"), format!("untrusted comment: a secret key\n{secret}\n")).unwrap();
    fs::write(folder.path().join("key.pub"), format!("untrusted comment: a key\n{public}\n")).unwrap();
    folder
}

fn verify(folder: &TempDir, words: &[&str]) -> Ran {
    qassay(folder.path(), ["verify", "--no-reexecution"].iter().chain(words))
}

#[test]
fn a_signed_record_is_checked_in_every_package() {
    let folder = signing();
    let signed = publish(&folder, &[&["aurora", "record", "--sign", "key"][..], &WHO].concat());
    assert!(signed.stderr.contains("signed with the key"), "{}", signed.stderr);
    publish(&folder, &["aurora", "one.zip", "--sign", "key"]).ok();
    publish(&folder, &["aurora", "two.zip", "--sign", "key"]).ok();
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("one.zip") == bytes("two.zip"), "signed again, it is the same");
    publish(&folder, &["aurora", "bag", "--bag", "--sign", "key"]).ok();
    assert!(text(&folder, "bag/manifest-sha256.txt").contains("  data/SHA256SUMS.minisig\n"));
    for record in ["record", "one.zip", "bag/data"] {
        let known = verify(&folder, &[record, "--signed-by", "key.pub"]);
        let says = "who says: https://w3id.org/qassay/evaluation/";
        assert!(known.code == Some(0) && known.stdout.contains(says), "{record}: {}", known.stdout);
        let apart = "have only a checksum: whether what they say is what the graphs say is not checked";
        assert!(known.stdout.contains(apart), "{record}: {}", known.stdout);
        let unasked = verify(&folder, &[record]);
        let told = unasked.stdout.contains("which was not checked: `--signed-by KEY` checks it");
        assert!(unasked.code == Some(0) && told, "{record}: {}", unasked.stdout);
        let other = verify(&folder, &[record, "--signed-by", KEYS[1].1]);
        assert!(other.code == Some(1) && other.stdout.contains("not by the key that was named"));
    }
    // By an address, too.
    let host = host(folder.path().to_path_buf());
    let address = format!("{}/record", host.base);
    let known = verify(&folder, &[&address, "--signed-by", "key.pub"]);
    assert!(known.code == Some(0) && known.stdout.contains("is signed by the key"), "{}", known.stdout);
}

#[test]
fn what_is_not_signed_by_the_key_is_told() {
    let folder = signing();
    publish(&folder, &[&["aurora", "record", "--sign", "key"][..], &WHO].concat()).ok();
    let told = |why: &str| {
        let ran = verify(&folder, &["record", "--signed-by", "key.pub"]);
        assert!(ran.code == Some(1) && ran.stdout.contains(why), "{why}: {}", ran.stdout);
    };
    let at = |name: &str| folder.path().join("record").join(name);
    // A list that was made anew after something was changed.
    let list = text(&folder, "record/SHA256SUMS");
    let kept: Vec<&str> = list.lines().filter(|line| !line.ends_with("citation.bib")).collect();
    fs::remove_file(at("citation.bib")).unwrap();
    fs::write(at("SHA256SUMS"), kept.join("\n") + "\n").unwrap();
    assert_eq!(verify(&folder, &["record"]).code, Some(0));
    told("it is not a signature over this SHA256SUMS");
    fs::write(at("SHA256SUMS.minisig"), "untrusted comment: x\n").unwrap();
    told("it is no signature of minisign");
    fs::remove_file(at("SHA256SUMS.minisig")).unwrap();
    told("nobody signed the record");
    // Keys that are none are told before anything is done.
    for (words, why) in [
        (&["publish", "aurora", "x", "--sign", "key.pub"][..], "no secret key of minisign"),
        (&["publish", "aurora", "x", "--sign", "nowhere"], "no such file"),
        (&["verify", "record", "--signed-by", "key"], "no public key of minisign"),
        (&["verify", "record", "--signed-by", "RWQ"], "no public key of minisign"),
    ] {
        let ran = qassay(folder.path(), words.iter().chain(&["--archive", "kept"]));
        assert!(ran.code == Some(2) && ran.stderr.contains(why), "{words:?}: {}", ran.stderr);
    }
    assert!(!folder.path().join("x").exists());
}

#[test]
fn a_site_is_signed_as_long_as_it_is_the_one_that_was_signed() {
    let folder = signing();
    let site = |words: &[&str]| publish(&folder, &[&["--site", "web"], words].concat());
    site(&[&["aurora", "--sign", "key"], &WHO[..]].concat()).ok();
    let signature = text(&folder, "web/SHA256SUMS.minisig");
    assert!(signature.contains("trusted comment: site of 1 publications"), "{signature}");
    let known = verify(&folder, &["web", "--signed-by", "key.pub"]);
    assert!(known.code == Some(0) && known.stdout.contains("is signed by the key"), "{}", known.stdout);
    // Nothing changes: what is signed stays so, also by somebody without the key.
    site(&[]).ok();
    assert_eq!(text(&folder, "web/SHA256SUMS.minisig"), signature);
    // Something does: no signature says that it is the other site.
    site(&["borealis"]).ok();
    assert!(!folder.path().join("web/SHA256SUMS.minisig").exists());
    site(&["--sign", "key"]).ok();
    assert!(text(&folder, "web/SHA256SUMS.minisig").contains("site of 2 publications"));
    assert_eq!(verify(&folder, &["web", "--signed-by", "key.pub"]).code, Some(0));
}

#[test]
fn only_what_somebody_signed_is_imported() {
    let folder = signing();
    publish(&folder, &[&["aurora", "record", "--sign", "key"][..], &WHO].concat()).ok();
    let import = |key: &str| {
        qassay(
            folder.path(),
            ["import", "record", "--no-reexecution", "--signed-by", key, "--archive", "own"],
        )
    };
    let other = import(KEYS[1].1);
    let told = other.stdout.contains("not by the key that was named") && other.stderr.contains("nothing was");
    assert!(other.code == Some(1) && told, "{} {}", other.stdout, other.stderr);
    assert!(!folder.path().join("own").exists());
    let known = import("key.pub");
    assert!(known.stderr.contains("imported"), "{}", known.stderr);
}

/// Runs minisign, which asks for passwords on its standard input.
fn minisign(folder: &Path, words: &[&str]) -> String {
    let output = Command::new("minisign").args(words).current_dir(folder).output().unwrap();
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(output.status.success(), "{words:?}: {told}");
    told
}

#[test]
#[cfg_attr(not(minisign), ignore = "minisign is not installed")]
fn minisign_checks_ours_and_we_check_theirs() {
    let folder = example();
    minisign(folder.path(), &["-G", "-W", "-p", "key.pub", "-s", "key"]);
    publish(&folder, &[&["aurora", "record", "--sign", "key"][..], &WHO].concat()).ok();
    let told = minisign(folder.path(), &["-V", "-H", "-p", "key.pub", "-m", "record/SHA256SUMS"]);
    let comment = "Trusted comment: https://w3id.org/qassay/evaluation/";
    assert!(told.contains(comment) && told.contains(" version 1\n"), "{told}");
    fs::remove_file(folder.path().join("record/SHA256SUMS.minisig")).unwrap();
    for how in [&["-S", "-t", "mine"][..], &["-S", "-l", "-t", "mine"]] {
        let words = [how, &["-s", "key", "-m", "record/SHA256SUMS"]].concat();
        minisign(folder.path(), &words);
        let known = verify(&folder, &["record", "--signed-by", "key.pub"]);
        assert!(known.code == Some(0) && known.stdout.contains("who says: mine"), "{}", known.stdout);
    }
}
