//! Archives elsewhere: what is pushed and pulled is the same, whoever interrupts it, and whoever else writes there.

use std::fmt;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path as ObjectPath;
use object_store::{
    CopyOptions, Error as StoreError, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt as _, PutMode, PutMultipartOptions, PutOptions, PutPayload, PutResult,
    Result as StoreResult,
};
use qassay::base::watch::Silent;
use qassay::record::verify::place::Location;
use qassay::sources::archive::Archive;
use qassay::sources::depot::Depot;
use qassay::sources::file::source::Source;
use qassay::workbench::Workbench;
use qassay::workbench::archive::{Thoroughness, verify};

use crate::archive::kill::{Moment, kill};
use crate::archive::merge::{archives, held, same};
use crate::common::{Ran, files_below, program, qassay};

/// What a store does with an object before it is put.
pub(super) type Meddling = Box<dyn Fn(&ObjectPath) -> Option<Vec<u8>> + Send + Sync>;

/// A store that no longer answers after some operations, or in which somebody else writes just before.
pub(super) struct Troubled {
    inner: Arc<dyn ObjectStore>,
    left: AtomicUsize,
    pub(super) done: AtomicUsize,
    pub(super) meddles: Option<Meddling>,
}

impl Troubled {
    pub(super) fn after(inner: Arc<dyn ObjectStore>, operations: usize) -> Self {
        let (left, done) = (AtomicUsize::new(operations), AtomicUsize::new(0));
        Self { inner, left, done, meddles: None }
    }

    fn step(&self) -> StoreResult<()> {
        self.done.fetch_add(1, Ordering::SeqCst);
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map(drop).map_err(|_| StoreError::Generic { store: "troubled", source: "it went away".into() })
    }
}

impl fmt::Debug for Troubled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Troubled({:?})", self.inner)
    }
}

impl fmt::Display for Troubled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

#[async_trait]
impl ObjectStore for Troubled {
    async fn put_opts(
        &self,
        place: &ObjectPath,
        payload: PutPayload,
        how: PutOptions,
    ) -> StoreResult<PutResult> {
        self.step()?;
        if let Some(other) = self.meddles.as_ref().and_then(|meddles| meddles(place)) {
            self.inner.put(place, other.into()).await?;
        }
        // The disk knows no conditions of its own.
        let is_disk =
            matches!(how.mode, PutMode::Update(_)) && format!("{:?}", self.inner).contains("LocalFile");
        if is_disk {
            self.inner.put(place, payload).await
        } else {
            self.inner.put_opts(place, payload, how).await
        }
    }

    async fn put_multipart_opts(
        &self,
        place: &ObjectPath,
        how: PutMultipartOptions,
    ) -> StoreResult<Box<dyn MultipartUpload>> {
        self.step()?;
        self.inner.put_multipart_opts(place, how).await
    }

    async fn get_opts(&self, place: &ObjectPath, how: GetOptions) -> StoreResult<GetResult> {
        self.step()?;
        self.inner.get_opts(place, how).await
    }

    fn delete_stream(
        &self,
        all: BoxStream<'static, StoreResult<ObjectPath>>,
    ) -> BoxStream<'static, StoreResult<ObjectPath>> {
        match self.step() {
            Ok(()) => self.inner.delete_stream(all),
            Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
        }
    }

    fn list(&self, prefix: Option<&ObjectPath>) -> BoxStream<'static, StoreResult<ObjectMeta>> {
        match self.step() {
            Ok(()) => self.inner.list(prefix),
            Err(error) => futures_util::stream::iter([Err(error)]).boxed(),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&ObjectPath>) -> StoreResult<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &ObjectPath, to: &ObjectPath, how: CopyOptions) -> StoreResult<()> {
        self.step()?;
        self.inner.copy_opts(from, to, how).await
    }
}

/// A store in a folder, as an object store has it: nothing is locked, nothing is made before.
fn disk(folder: &Path) -> Arc<dyn ObjectStore> {
    fs::create_dir_all(folder).unwrap();
    Arc::new(LocalFileSystem::new_with_prefix(folder).unwrap())
}

/// Checks that a folder is an archive without fault, or has no records.
#[track_caller]
pub(super) fn whole(folder: &Path, when: &str) {
    if !folder.join("records").is_dir() {
        return;
    }
    let location = Location::of_record(folder.to_str().unwrap()).unwrap();
    let how = Thoroughness { partial: false, reexecution: false, signed_by: None };
    let findings = verify(&location, how, &Silent).unwrap();
    assert!(!findings.failed(), "{when}: {findings:?}");
}

#[test]
fn what_is_pushed_and_pulled_is_the_same_and_once_more_is_nothing() {
    let folder = archives();
    let folder = folder.path();
    // What is secret, or can be made again, is none of the others' business.
    for (name, content) in
        [("private/run/x", "hidden"), ("tokens", "hidden"), ("asking/p.warc", "hidden"), ("notes", "own")]
    {
        fs::create_dir_all(folder.join("c").join(name).parent().unwrap()).unwrap();
        fs::write(folder.join("c").join(name), content).unwrap();
    }
    let pushed = qassay(folder, ["push", "--archive", "c", "there/store"]).ok();
    assert!(
        pushed.starts_with("pushed to there/store: ") && pushed.ends_with("; 1 already there\n"),
        "{pushed}"
    );
    let secret = |path: &PathBuf| fs::read(folder.join("there/store").join(path)).unwrap() == b"hidden";
    assert!(!files_below(&folder.join("there/store")).iter().any(secret));
    assert!(!folder.join("there/store/notes").exists());
    for own in ["private", "tokens", "asking", "notes"] {
        let own = folder.join("c").join(own);
        if own.is_dir() { fs::remove_dir_all(own).unwrap() } else { fs::remove_file(own).unwrap() }
    }
    same(&folder.join("c"), &folder.join("there/store"));
    let address = format!("file://{}", folder.join("there/store").display());
    let again = qassay(folder, ["push", "--archive", "c", &address]).ok();
    assert!(again.contains(": 0 files and 0 records, 0 bytes; "), "{again}");
    let pulled = qassay(folder, ["pull", "--archive", "new", "there/store"]).ok();
    assert!(pulled.contains("; 0 already here\nmerged "), "{pulled}");
    same(&folder.join("c"), &folder.join("new"));
    qassay(folder, ["verify", "new"]).ok();
    let before = held(&folder.join("new"));
    let again = qassay(folder, ["pull", "--archive", "new", &address]).ok();
    assert!(again.contains(": 0 files and ") && again.contains("merged 0 records, "), "{again}");
    let again = qassay(folder, ["pull", "--archive", "new", "there/store"]).ok();
    assert!(again.contains(": 0 files and 0 records, 0 bytes; "), "{again}");
    assert_eq!(held(&folder.join("new")), before);
    let left = files_below(&folder.join("new/tmp")).into_iter().map(|path| path.display().to_string());
    assert!(left.clone().all(|path| !path.contains("pulled-")), "{:?}", left.collect::<Vec<_>>());
}

#[test]
fn archives_that_are_pushed_to_one_place_are_merged_there() {
    let folder = archives();
    let folder = folder.path();
    qassay(folder, ["merge", "a", "b", "c", "--archive", "merged"]).ok();
    for order in ["abc", "bca", "cba"] {
        for archive in order.chars().map(String::from) {
            qassay(folder, ["merge", &archive, "--archive", &format!("{order}-{archive}")]).ok();
            let own = format!("{order}-{archive}");
            let ran = qassay(folder, ["push", "--archive", &own, order]);
            if ran.code != Some(0) {
                assert!(ran.code == Some(1) && ran.stderr.contains("hint: pull first"), "{}", ran.stderr);
                assert!(ran.stderr.contains("\n  records/submission/"), "{}", ran.stderr);
                qassay(folder, ["pull", "--archive", &own, order]).ok();
                qassay(folder, ["push", "--archive", &own, order]).ok();
            }
            whole(&folder.join(order), order);
        }
        same(&folder.join("merged"), &folder.join(order));
        qassay(folder, ["pull", "--archive", &format!("{order}-new"), order]).ok();
        same(&folder.join("merged"), &folder.join(format!("{order}-new")));
    }
}

/// The same through an object store, which knows conditions.
#[test]
fn a_store_in_memory_unites_what_two_have_pushed() {
    let folder = archives();
    let folder = folder.path();
    qassay(folder, ["merge", "a", "b", "--archive", "merged"]).ok();
    let place = Depot::of(Arc::new(InMemory::new()), "memory");
    let [a, b, new] = ["a", "b", "new"].map(|name| Workbench::new(folder.join(name)));
    let empty = a.pull(&place, false, &Silent).unwrap_err().to_string();
    assert!(empty.contains("memory: there is no archive"), "{empty}");
    a.push(&place, &Silent).unwrap();
    let refused = b.push(&place, &Silent).unwrap_err().to_string();
    assert!(refused.contains("pull first") && refused.contains("records/submission/"), "{refused}");
    b.pull(&place, false, &Silent).unwrap();
    let pushed = b.push(&place, &Silent).unwrap();
    assert!(pushed.records > 0 && pushed.known > 0, "{pushed:?}");
    let again = b.push(&place, &Silent).unwrap();
    assert_eq!((again.contents, again.records, again.bytes), (0, 0, 0));
    new.pull(&place, true, &Silent).unwrap();
    same(&folder.join("merged"), &folder.join("new"));
    same(&folder.join("merged"), &folder.join("b"));
    // Whoever pushed first has not seen it.
    let refused = a.push(&place, &Silent).unwrap_err().to_string();
    assert!(refused.contains("pull first"), "{refused}");
    let other = ["evaluate", "gold.json", "Other.json", "--archive", "d", "--base", "https://example.org/"];
    qassay(folder, other).ok();
    let refused = Workbench::new(folder.join("d")).push(&place, &Silent).unwrap_err().to_string();
    assert!(
        refused.contains("the IRIs of the archive there begin with https://w3id.org/qassay/"),
        "{refused}"
    );
    let refused = Workbench::new(folder.join("d")).pull(&place, false, &Silent).unwrap_err().to_string();
    assert!(refused.contains("the IRIs of the archive begin with https://example.org/"), "{refused}");
}

/// Fifty pushes that end somewhere each: what is there is a whole archive at any time, and the next push completes it.
#[test]
fn fifty_interrupted_pushes_leave_whole_archives() {
    const TIMES: usize = 50;
    let folder = archives();
    let folder = folder.path();
    let bench = Workbench::new(folder.join("c"));
    let counted = Arc::new(Troubled::after(disk(&folder.join("counted")), usize::MAX));
    bench.push(&Depot::of(Arc::clone(&counted) as _, "counted"), &Silent).unwrap();
    let operations = counted.done.load(Ordering::SeqCst);
    assert!(operations > TIMES, "{operations}");
    let growing = folder.join("growing");
    for number in 0..TIMES {
        let fresh = folder.join(format!("there-{number}"));
        let most = number * operations / TIMES;
        let store = Troubled::after(disk(&fresh), most);
        let ended = bench.push(&Depot::of(Arc::new(store), "there"), &Silent);
        assert!(ended.unwrap_err().to_string().contains("it went away"), "{number}");
        whole(&fresh, &format!("after {most} operations"));
        // The same place each time.
        drop(bench.push(&Depot::of(Arc::new(Troubled::after(disk(&growing), 30)), "growing"), &Silent));
        if number % 10 == 9 {
            whole(&growing, &format!("time {number}"));
            bench.push(&Depot::of(disk(&fresh), "there"), &Silent).unwrap();
            same(&folder.join("c"), &fresh);
        }
    }
    bench.push(&Depot::of(disk(&growing), "growing"), &Silent).unwrap();
    same(&folder.join("c"), &growing);
}

/// The same where records take the place of others.
#[test]
fn interrupted_pushes_that_replace_records_leave_whole_archives() {
    let folder = archives();
    let folder = folder.path();
    qassay(folder, ["merge", "a", "b", "--archive", "merged"]).ok();
    let (first, second) = (Workbench::new(folder.join("a")), Workbench::new(folder.join("b")));
    let made = |name: &str, operations: usize| {
        let there = folder.join(name);
        first.push(&Depot::of(disk(&there), "a"), &Silent).unwrap();
        second.pull(&Depot::of(disk(&there), name), false, &Silent).unwrap();
        let store = Arc::new(Troubled::after(disk(&there), operations));
        let ended = second.push(&Depot::of(Arc::clone(&store) as _, name), &Silent);
        (there, store.done.load(Ordering::SeqCst), ended)
    };
    let (there, operations, ended) = made("all", usize::MAX);
    ended.unwrap();
    same(&folder.join("merged"), &there);
    for most in 0..operations {
        let name = format!("there-{most}");
        let (there, _, ended) = made(&name, most);
        assert!(ended.is_err(), "{most} of {operations}");
        whole(&there, &format!("after {most} operations"));
        let store = Troubled::after(disk(&there), usize::MAX);
        second.push(&Depot::of(Arc::new(store), &name), &Silent).unwrap();
        whole(&there, &format!("completed after {most} operations"));
        let (merged, done) = (held(&folder.join("merged")), held(&there));
        let lacks: Vec<&PathBuf> =
            merged.iter().filter(|file| !done.contains(file)).map(|(path, _)| path).collect();
        assert_eq!(lacks, Vec::<&PathBuf>::new(), "{most}");
    }
}

#[test]
fn killed_pushes_and_pulls_are_completed() {
    let folder = archives();
    let folder = folder.path();
    let words = |verb: &str, own: &str, there: &str| -> Vec<String> {
        [verb, "--archive", own, there].map(str::to_owned).into()
    };
    let (push, all) = (words("push", "c", "killed"), held(&folder.join("c")).len());
    let mut killed = 0;
    for number in 0..8 {
        killed += usize::from(kill(folder, &push, &Moment::Files(3 + number * all / 8)));
        whole(&folder.join("killed"), &format!("push {number}"));
    }
    assert!(killed > 2, "{killed}");
    qassay(folder, &push).ok();
    same(&folder.join("c"), &folder.join("killed"));
    let left = files_below(&folder.join("killed/tmp"));
    assert!(left.iter().all(|path| path.to_string_lossy().starts_with('.')), "{left:?}");
    fs::rename(folder.join("killed"), folder.join("store")).unwrap();
    let (pull, mut killed) = (words("pull", "killed", "store"), 0);
    for number in 0..8 {
        killed += usize::from(kill(folder, &pull, &Moment::Files(3 + number * all / 5)));
        whole(&folder.join("killed"), &format!("pull {number}"));
    }
    assert!(killed > 2, "{killed}");
    qassay(folder, &pull).ok();
    qassay(folder, ["verify", "killed"]).ok();
    same(&folder.join("store"), &folder.join("killed"));
}

#[test]
fn what_is_damaged_there_is_told_by_its_path_and_changes_nothing() {
    let folder = archives();
    let folder = folder.path();
    qassay(folder, ["push", "--archive", "c", "store"]).ok();
    let before = held(&folder.join("a"));
    let graph =
        files_below(&folder.join("store")).into_iter().find(|path| path.to_string_lossy().ends_with(".zst"));
    let inputs = files_below(&folder.join("store/files"));
    let input = inputs.iter().find(|path| !folder.join("a/files").join(path).exists()).unwrap();
    let record = files_below(&folder.join("store/records/execution")).remove(0);
    for path in [graph.unwrap(), Path::new("files").join(input), Path::new("records/execution").join(record)]
    {
        let place = folder.join("store").join(&path);
        let content = fs::read(&place).unwrap();
        let mut changed = content.clone();
        changed[content.len() / 2] ^= 1;
        // No name says what a record should be.
        let is_record = path.starts_with("records");
        for damaged in
            [content[..content.len() / 2].to_vec(), changed].into_iter().take(2 - usize::from(is_record))
        {
            fs::write(&place, &damaged).unwrap();
            let ran = qassay(folder, ["pull", "--archive", "a", "store"]);
            let told = format!("{}{}", ran.stdout, ran.stderr);
            assert_ne!(ran.code, Some(0), "{}", path.display());
            assert!(told.contains(path.to_str().unwrap()), "{}: {told}", path.display());
            assert_eq!(held(&folder.join("a")), before);
            // What came whole is not fetched again.
            for come in fs::read_dir(folder.join("a/tmp")).unwrap().map(|entry| entry.unwrap().path()) {
                if come.is_dir() {
                    fs::remove_dir_all(come).unwrap();
                }
            }
        }
        fs::write(&place, &content).unwrap();
    }
    qassay(folder, ["pull", "--archive", "a", "store"]).ok();
    // Truncated there, and sent again.
    let place = folder.join("store/files").join(input);
    fs::write(&place, "short").unwrap();
    let pushed = qassay(folder, ["push", "--archive", "c", "store"]);
    assert!(pushed.stdout.contains(": 1 file and 0 records"), "{}{}", pushed.stdout, pushed.stderr);
    // Damaged here, and not sent.
    fs::remove_file(&place).unwrap();
    fs::write(folder.join("c/files").join(input), "short").unwrap();
    let ran = qassay(folder, ["push", "--archive", "c", "store"]);
    assert!(
        ran.code == Some(1) && ran.stderr.contains("another checksum than their name says"),
        "{}",
        ran.stderr
    );
    assert!(!place.exists());
}

#[test]
fn what_somebody_else_writes_meanwhile_is_not_overwritten() {
    let folder = archives();
    let folder = folder.path();
    let memory: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let [a, b] = ["a", "b"].map(|name| Workbench::new(folder.join(name)));
    let meddling = |kind: &'static str| {
        let mut troubled = Troubled::after(Arc::clone(&memory), usize::MAX);
        let meddles = move |place: &ObjectPath| {
            place.as_ref().starts_with(&format!("records/{kind}/")).then(|| b"of somebody else".to_vec())
        };
        troubled.meddles = Some(Box::new(meddles));
        Depot::of(Arc::new(troubled), "memory")
    };
    // What is new.
    let refused = a.push(&meddling("dataset"), &Silent).unwrap_err().to_string();
    assert!(refused.contains("records/dataset/") && refused.contains("somebody else changed"), "{refused}");
    let refused = a.push(&Depot::of(Arc::clone(&memory), "memory"), &Silent).unwrap_err().to_string();
    assert!(refused.contains("records/dataset/") && refused.contains("pull first"), "{refused}");
    // What takes the place of another.
    let memory: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let place = Depot::of(Arc::clone(&memory), "memory");
    a.push(&place, &Silent).unwrap();
    b.pull(&place, false, &Silent).unwrap();
    let mut troubled = Troubled::after(memory, usize::MAX);
    let is_submission = |place: &ObjectPath| place.as_ref().starts_with("records/submission/");
    troubled.meddles =
        Some(Box::new(move |place| is_submission(place).then(|| b"of somebody else".to_vec())));
    let refused = b.push(&Depot::of(Arc::new(troubled), "memory"), &Silent).unwrap_err().to_string();
    assert!(
        refused.contains("records/submission/") && refused.contains("somebody else changed"),
        "{refused}"
    );
    let refused = b.push(&place, &Silent).unwrap_err().to_string();
    assert!(refused.contains("pull first"), "{refused}");
}

#[test]
fn large_files_go_in_parts() {
    let folder = archives();
    let folder = folder.path();
    let content: Vec<u8> = (0_u32..5 << 20).flat_map(u32::to_le_bytes).collect();
    let source = Source::from_bytes("large".to_owned(), content).unwrap();
    Archive::create(&folder.join("c")).unwrap().keep_file(&source).unwrap();
    let memory = Depot::of(Arc::new(InMemory::new()), "memory");
    let bench = Workbench::new(folder.join("c"));
    bench.push(&memory, &Silent).unwrap();
    Workbench::new(folder.join("new")).pull(&memory, false, &Silent).unwrap();
    same(&folder.join("c"), &folder.join("new"));
    qassay(folder, ["push", "--archive", "c", "store"]).ok();
    same(&folder.join("c"), &folder.join("store"));
}

#[test]
fn places_that_are_none_are_told() {
    let folder = archives();
    let folder = folder.path();
    fs::create_dir(folder.join("empty")).unwrap();
    fs::create_dir(folder.join("other")).unwrap();
    fs::write(folder.join("other/thesis.tex"), "important").unwrap();
    let told = |words: &[&str]| {
        let ran = qassay(folder, words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        ran.stderr
    };
    for place in ["nowhere", "empty", "other"] {
        let told = told(&["pull", "--archive", "new", place]);
        assert!(told.contains(&format!("{place}: there is no archive")), "{told}");
    }
    assert!(!folder.join("new").exists());
    let other = told(&["push", "--archive", "a", "other"]);
    assert!(other.contains("no qassay archive and not empty") && other.contains("push to a new"), "{other}");
    let itself = told(&["push", "--archive", "a", "a"]);
    assert!(itself.contains("this is the archive that would be pushed"), "{itself}");
    let itself = told(&["pull", "--archive", "a", "a"]);
    assert!(itself.contains("this is the archive into which"), "{itself}");
    assert!(told(&["push", "--archive", "nowhere", "empty"]).contains("there is no qassay archive here"));
    qassay(folder, ["push", "--archive", "a", "record"]).ok();
    fs::write(folder.join("record/SHA256SUMS"), "").unwrap();
    let record = told(&["push", "--archive", "c", "record"]);
    assert!(record.contains("record/SHA256SUMS: a record that was published"), "{record}");
    let secret = told(&["push", "--archive", "a", "s3://key:hidden@bucket/prefix"]);
    assert!(secret.contains("no credentials") && !secret.contains("hidden"), "{secret}");
}

/// A store of Amazon's kind at an address of this machine.
fn s3(folder: &Path, port: u16, words: [&str; 3]) -> Ran {
    let mut command = program(folder);
    for variable in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env_remove(variable);
    }
    command
        .env("AWS_ENDPOINT", format!("http://127.0.0.1:{port}"))
        .env("AWS_ALLOW_HTTP", "true")
        .env("AWS_ACCESS_KEY_ID", "HIDDENID")
        .env("AWS_SECRET_ACCESS_KEY", "hiddensecret")
        .env("AWS_DEFAULT_REGION", "us-east-1");
    Ran::of(command.args(words).arg("s3://bucket/prefix"))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how long somebody waits is what is tested")]
fn a_store_that_does_not_answer_or_refuses_is_told_without_secrets() {
    let folder = archives();
    let folder = folder.path();
    let begun = Instant::now();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let ran = s3(folder, port, ["push", "--archive", "a"]);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert!(
        ran.code == Some(2) && ran.stderr.contains("s3://bucket/prefix/records: cannot list"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("refused") && ran.stderr.contains("hint: the environment says"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("HIDDENID") && !ran.stderr.contains("hiddensecret"), "{}", ran.stderr);
    // One that repeats what it should not know.
    for (status, body) in [
        ("403 Forbidden", "<Error><Code>SignatureDoesNotMatch</Code><Key>hiddensecret</Key></Error>"),
        ("400 Bad Request", "hiddensecret HIDDENID"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answers = std::thread::spawn(move || {
            let (mut client, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            let _read = client.read(&mut request).unwrap();
            let head =
                format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            client.write_all(format!("{head}{body}").as_bytes()).unwrap();
        });
        let ran = s3(folder, port, ["push", "--archive", "a"]);
        answers.join().unwrap();
        assert!(ran.code == Some(2) && ran.stderr.contains("cannot list the objects"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("HIDDENID") && !ran.stderr.contains("hiddensecret"), "{}", ran.stderr);
    }
}

/// A server of S3 on this machine, which ends with the test.
struct Moto(Child);

impl Drop for Moto {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// By the protocol of S3, as a program of others understands it: conditions, parts, lists of more than a page.
#[test]
#[cfg_attr(not(moto), ignore = "needs moto: .ci/moto")]
#[expect(clippy::disallowed_methods, reason = "a server that does not start is told")]
fn a_server_of_s3_keeps_an_archive() {
    let folder = archives();
    let folder = folder.path();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/moto/bin/python");
    let mut server = Command::new(python);
    server.args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port.to_string()]);
    let _moto = Moto(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let begun = Instant::now();
    let mut client = loop {
        assert!(begun.elapsed() < Duration::from_secs(60), "moto does not listen");
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(client) => break client,
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    };
    // Whoever has no bucket is told.
    let missing = s3(folder, port, ["push", "--archive", "a"]);
    assert!(missing.code == Some(2) && missing.stderr.contains("NoSuchBucket"), "{}", missing.stderr);
    let who = "AWS4-HMAC-SHA256 Credential=HIDDENID/20260101/us-east-1/s3/aws4_request";
    let who = format!("authorization: {who}");
    let request =
        ["PUT /bucket HTTP/1.1", "host: 127.0.0.1", &who, "content-length: 0", "connection: close", "", ""];
    client.write_all(request.join("\r\n").as_bytes()).unwrap();
    let mut reply = String::new();
    client.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    qassay(folder, ["merge", "a", "b", "--archive", "merged"]).ok();
    s3(folder, port, ["push", "--archive", "a"]).ok();
    let refused = s3(folder, port, ["push", "--archive", "b"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("pull first"), "{}", refused.stderr);
    let content: Vec<u8> = (0_u32..5 << 20).flat_map(u32::to_le_bytes).collect();
    let source = Source::from_bytes("large".to_owned(), content).unwrap();
    for archive in ["b", "merged"] {
        Archive::create(&folder.join(archive)).unwrap().keep_file(&source).unwrap();
    }
    s3(folder, port, ["pull", "--archive", "b"]).ok();
    s3(folder, port, ["push", "--archive", "b"]).ok();
    let again = s3(folder, port, ["push", "--archive", "b"]).ok();
    assert!(again.contains(": 0 files and 0 records, 0 bytes; "), "{again}");
    s3(folder, port, ["pull", "--archive", "new"]).ok();
    same(&folder.join("merged"), &folder.join("new"));
}
