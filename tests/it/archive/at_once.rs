//! One place elsewhere, and several who push and pull at the same time: what is there is a whole archive at any time, and in the
//! end it is what all of them have.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use object_store::ObjectStore;
use object_store::memory::InMemory;
use qassay::base::error::Result;
use qassay::base::watch::Silent;
use qassay::sources::depot::Depot;
use qassay::workbench::Workbench;

use crate::archive::merge::{archives, held, same};
use crate::archive::remote::{Troubled, whole};
use crate::common::{files_below, qassay};

/// How often it is tried: who comes first is chance.
const TIMES: usize = 2;

/// Copies an archive.
fn copied(from: &Path, to: &Path) {
    for file in files_below(from) {
        fs::create_dir_all(to.join(&file).parent().unwrap()).unwrap();
        fs::copy(from.join(&file), to.join(file)).unwrap();
    }
}

/// Waits for a time that differs from place to place.
fn linger(seed: usize) {
    thread::sleep(Duration::from_micros((seed as u64).wrapping_mul(2_654_435_761) % 3_000));
}

/// Pushes until it is there; whoever is told to pull does so, and whoever is told that others write tries again.
fn push_and_pull(bench: &Workbench, place: &dyn Fn() -> Depot) {
    for _ in 0..50 {
        let Err(error) = bench.push(&place(), &Silent) else { return };
        let told = error.to_string();
        if told.contains("pull first") {
            pulled(bench, place);
        } else {
            assert!(told.contains("another program writes into the archive"), "{told}");
        }
    }
    panic!("others always come first");
}

/// Pulls: what comes is whole, and is merged.
fn pulled(bench: &Workbench, place: &dyn Fn() -> Depot) {
    let pulled: Result<_> = bench.pull(&place(), false, &Silent);
    let pulled = pulled.unwrap_or_else(|error| panic!("{error}"));
    assert!(!pulled.findings.failed(), "{:?}", pulled.findings);
}

/// Three who push to one place, and one who pulls from it until they are done.
fn all_at_once(folder: &Path, round: &str, place: &(dyn Fn() -> Depot + Sync)) {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let all: Vec<_> = ["a", "b", "c"]
            .into_iter()
            .map(|name| {
                let own = folder.join(format!("{name}-{round}"));
                copied(&folder.join(name), &own);
                scope.spawn(move || push_and_pull(&Workbench::new(own), &place))
            })
            .collect();
        let reader = scope.spawn(|| {
            let bench = Workbench::new(folder.join(format!("reader-{round}")));
            let mut last = false;
            while !last {
                last = done.load(Ordering::SeqCst);
                match bench.pull(&place(), false, &Silent) {
                    Ok(pulled) => assert!(!pulled.findings.failed(), "{:?}", pulled.findings),
                    Err(error) => assert!(error.to_string().contains("there is no archive"), "{error}"),
                }
            }
        });
        let ended: Vec<_> = all.into_iter().map(thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::SeqCst);
        reader.join().unwrap();
        for one in ended {
            one.unwrap();
        }
    });
    // Nobody pushes any more: all is there, and who pulled until now has it.
    pulled(&Workbench::new(folder.join(format!("last-{round}"))), place);
    same(&folder.join("merged"), &folder.join(format!("last-{round}")));
    same(&folder.join("merged"), &folder.join(format!("reader-{round}")));
}

#[test]
fn who_pushes_and_pulls_at_once_has_whole_archives() {
    let folder = archives();
    let folder = folder.path();
    qassay(folder, ["merge", "a", "b", "c", "--archive", "merged"]).ok();
    for round in 0..TIMES {
        // An object store, in which nobody waits for others, as it was before each object that was put.
        let memory = Arc::new(InMemory::new());
        let seen: Arc<Mutex<Vec<InMemory>>> = Arc::default();
        let place = || {
            let mut store = Troubled::after(Arc::clone(&memory) as Arc<dyn ObjectStore>, usize::MAX);
            let (memory, seen) = (Arc::clone(&memory), Arc::clone(&seen));
            store.meddles = Some(Box::new(move |place| {
                let mut seen = seen.lock().unwrap();
                seen.push(memory.fork());
                let number = seen.len() + round + place.as_ref().len();
                drop(seen);
                linger(number);
                None
            }));
            Depot::of(Arc::new(store), "memory")
        };
        all_at_once(folder, &format!("memory-{round}"), &place);
        let seen = std::mem::take(&mut *seen.lock().unwrap());
        let (all, step) = (seen.len(), seen.len() / 12 + 1);
        for (number, was) in seen.into_iter().enumerate().skip(round).step_by(step) {
            let bench = Workbench::new(folder.join(format!("was-{round}-{number}")));
            match bench.pull(&Depot::of(Arc::new(was), "memory"), false, &Silent) {
                Ok(pulled) => assert!(!pulled.findings.failed(), "{number} of {all}: {:?}", pulled.findings),
                Err(error) => {
                    assert!(error.to_string().contains("there is no archive"), "{number} of {all}: {error}");
                }
            }
        }
        // A folder, in which who pushes has the archive for himself.
        let there = folder.join(format!("there-{round}"));
        let place = || Depot::at(there.to_str().unwrap()).unwrap();
        all_at_once(folder, &format!("folder-{round}"), &place);
        whole(&there, "in the end");
        let (merged, there) = (held(&folder.join("merged")), held(&there));
        assert_eq!(merged.len(), there.len());
    }
}

/// Whoever is killed between the claim of an evaluation and its record leaves a place where others can push, pull and verify.
#[test]
fn a_claim_of_somebody_who_was_killed_is_in_nobodys_way() {
    let folder = archives();
    let folder = folder.path();
    let own = |name: &str, round: usize| {
        let own = folder.join(format!("{name}-{round}"));
        copied(&folder.join(name), &own);
        Workbench::new(own)
    };
    // The number of each operation that puts a claim or the record of an execution.
    let counted: Arc<Mutex<Vec<bool>>> = Arc::default();
    let mut store = Troubled::after(Arc::new(InMemory::new()), usize::MAX);
    let seen = Arc::clone(&counted);
    store.meddles = Some(Box::new(move |place| {
        let place = place.as_ref();
        seen.lock().unwrap().push(place.ends_with(".evaluation") || place.starts_with("records/execution/"));
        None
    }));
    let store = Arc::new(store);
    own("a", 0).push(&Depot::of(Arc::clone(&store) as _, "memory"), &Silent).unwrap();
    let all = store.done.load(Ordering::SeqCst);
    let claims = counted.lock().unwrap().iter().filter(|is_one| **is_one).count();
    assert_eq!(claims, 4, "two profiles");
    // They are followed by the claims that are taken back, the records of groups, and marks.
    for most in all - 24..all {
        let memory: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let place = || Depot::of(Arc::clone(&memory), "memory");
        let dying = Troubled::after(Arc::clone(&memory), most);
        own("a", most).push(&Depot::of(Arc::new(dying), "memory"), &Silent).unwrap_err();
        push_and_pull(&own("b", most), &place);
        push_and_pull(&Workbench::new(folder.join(format!("a-{most}"))), &place);
        let last = folder.join(format!("last-{most}"));
        pulled(&Workbench::new(last.clone()), &place);
        same(&folder.join(format!("a-{most}")), &last);
    }
}
