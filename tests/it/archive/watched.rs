//! Who watches the library at work is told how far it is, and may end it: what is left is whole.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use qassay::base::parallel::with_threads;
use qassay::record::verify::place::Location;
use qassay::workbench::archive::{Thoroughness, verify};
use qassay::{ErrorKind, Request, Silent, SubmissionFile, Watcher, Workbench};
use tempfile::TempDir;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name)
}

/// Notes what it is told, and wants no more when it has been told something.
struct Impatient {
    until: &'static str,
    told: Mutex<Vec<String>>,
}

impl Impatient {
    fn new(until: &'static str) -> Self {
        Self { until, told: Mutex::default() }
    }
}

impl Watcher for Impatient {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        self.told.lock().unwrap().push(format!("{stage} {done}/{total}"));
    }

    fn is_cancelled(&self) -> bool {
        self.told.lock().unwrap().iter().any(|told| told == self.until)
    }
}

#[test]
fn what_is_cancelled_leaves_nothing_that_is_not_whole() {
    let folder = TempDir::new().unwrap();
    let bench = Workbench::new(folder.path().join("archive"));
    let request = Request::with_profiles(["qassay"]).unwrap();
    let answers = ["aurora.json", "borealis.json"].map(|name| SubmissionFile::from(example(name)));
    let gold = example("gold.json");

    let watcher = Impatient::new("scoring 1/2");
    // With one thread, one evaluation is kept before the next is computed.
    let done = with_threads(NonZeroUsize::new(1), || bench.evaluate(&request, &gold, &answers, &watcher));
    let error = done.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert_eq!(bench.archived().unwrap().evaluations.len(), 1);
    let location = Location::of(bench.root(), None, None).unwrap();
    let how = Thoroughness { partial: false, reexecution: true, signed_by: None };
    let found = verify(&location, how, &Silent).unwrap();
    assert!(!found.failed() && found.is_complete(), "{:?}", found.rows);
    assert_eq!(
        verify(&location, how, &Impatient::new("verifying 0/1")).unwrap_err().kind(),
        ErrorKind::Cancelled
    );

    let done = bench.evaluate(&request, &gold, &answers, &Impatient::new("never")).unwrap();
    done.kept.unwrap();
    assert_eq!((done.evaluations.len(), bench.archived().unwrap().evaluations.len()), (2, 2));
}

#[test]
fn evaluations_may_be_sent_to_other_threads() {
    let bench = Workbench::new("no-archive").keeping_nothing();
    let request = Request::with_profiles(["qassay", "gerbil"]).unwrap();
    let worker = std::thread::spawn(move || {
        bench.evaluate(&request, &example("gold.json"), &[example("aurora.json").into()], &Silent)
    });
    assert_eq!(worker.join().unwrap().unwrap().evaluations.len(), 2);
}
