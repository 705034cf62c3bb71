//! A place elsewhere that keeps the objects of an archive by their paths: a folder, or a bucket of S3, Google Cloud or Azure.
//!
//! All of them are asked through [`ObjectStore`]. Credentials come from the environment, and no message tells them: what a
//! store says is told by its cause, without the addresses and the documents around it.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::prefix::PrefixStore;
use object_store::{
    BackoffConfig, ClientOptions, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions,
    PutResult, RenameOptions, RenameTargetMode, RetryConfig, UpdateVersion, WriteMultipart,
};
use url::Url;

use crate::base::error::{Error, Result};
use crate::base::limits::MOST_UNSIZED;
use crate::base::text;

/// What an address may be.
const ADDRESSES: &str =
    "a folder (`/path`, `file:///path`), `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX`, `az://CONTAINER/PREFIX`";

/// Bytes that are sent at once; what is larger goes in parts of at least this size.
const PART: usize = 8 << 20;

/// The most parts of an object: S3 takes 10,000.
const MOST_PARTS: u64 = 9_000;

/// Parts of one object that are under way at the same time.
const PARTS_AT_ONCE: usize = 2;

/// The variables of the environment with which each kind of store knows who asks, as its builder reads them.
const CREDENTIALS: [(&str, &str); 3] = [
    (
        "s3",
        "`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_DEFAULT_REGION`, and `AWS_ENDPOINT` of a store that is not Amazon's",
    ),
    ("gs", "`GOOGLE_SERVICE_ACCOUNT`, the file of the account"),
    ("az", "`AZURE_STORAGE_ACCOUNT_NAME`, `AZURE_STORAGE_ACCOUNT_KEY`"),
];

/// An object as it was when it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenObject {
    /// Its size in bytes.
    pub size: u64,
    /// What the store calls this version of it.
    pub e_tag: Option<String>,
    version: Option<String>,
}

impl From<ObjectMeta> for SeenObject {
    fn from(meta: ObjectMeta) -> Self {
        Self { size: meta.size, e_tag: meta.e_tag, version: meta.version }
    }
}

/// What may be there when an object is put.
#[derive(Debug, Clone, Copy)]
pub enum Instead<'a> {
    /// Nothing: what has come meanwhile is not overwritten.
    OfNothing,
    /// The object that was seen, and no other.
    Of(&'a SeenObject),
    /// Anything: it has the same content, or is damaged.
    OfAnything,
}

/// Whether an object was put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored {
    /// It is there, and the store calls it so.
    As(Option<String>),
    /// Something else is there than may be.
    Refused,
}

/// A place elsewhere.
#[derive(Clone)]
pub struct Depot {
    store: Arc<dyn ObjectStore>,
    name: String,
    /// What it is on this machine.
    folder: Option<PathBuf>,
    /// The variables with which it knows who asks.
    credentials: Option<&'static str>,
}

impl fmt::Debug for Depot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A store may print its credentials.
        write!(f, "Depot({})", self.name)
    }
}

impl Depot {
    /// The place at an address. Nobody is asked yet.
    ///
    /// # Errors
    /// Where it is none; where it has credentials; where the environment says nothing of the store, or something wrong.
    pub fn at(address: &str) -> Result<Self> {
        let wrong = |what: &str| Error::input(what).allowed(ADDRESSES);
        let url = match Url::parse(address) {
            Ok(url) if address.contains("://") => url,
            _ if address.is_empty() => return Err(wrong("the address is empty")),
            _ => return Self::of_folder(Path::new(address)),
        };
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(wrong("an address has no credentials and no query")
                .hint("credentials come from variables of the environment, which nobody else can list"));
        }
        let failed = |error: object_store::Error| {
            let told = format!("the store cannot be used as the environment describes it: {}", cause(&error));
            Error::input(told).in_file(address.to_owned())
        };
        let store: Arc<dyn ObjectStore> = match url.scheme() {
            "file" => {
                let folder =
                    url.to_file_path().map_err(|()| wrong("this names no folder of this machine"))?;
                return Self::of_folder(&folder);
            }
            "s3" | "gs" | "az" if url.host_str().is_none_or(str::is_empty) => {
                return Err(wrong("the address names no bucket").in_file(address.to_owned()));
            }
            "s3" => {
                let builder = AmazonS3Builder::from_env().with_url(address).with_retry(retries());
                Arc::new(builder.with_client_options(patience("AWS")).build().map_err(failed)?)
            }
            "gs" => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(address).with_retry(retries());
                Arc::new(builder.with_client_options(patience("GOOGLE")).build().map_err(failed)?)
            }
            "az" => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retries());
                Arc::new(builder.with_client_options(patience("AZURE")).build().map_err(failed)?)
            }
            _ => return Err(wrong("archives are not kept there").in_file(address.to_owned())),
        };
        let prefix = ObjectPath::from_url_path(url.path())
            .map_err(|_| wrong("this is no path of objects").in_file(address.to_owned()))?;
        let credentials = CREDENTIALS.iter().find(|(scheme, _)| *scheme == url.scheme()).map(|(_, all)| *all);
        Ok(Self { credentials, ..Self::of(Arc::new(PrefixStore::new(store, prefix)), address) })
    }

    /// Any store, by a name for messages.
    pub fn of(store: Arc<dyn ObjectStore>, name: impl Into<String>) -> Self {
        Self { store, name: name.into(), folder: None, credentials: None }
    }

    fn of_folder(folder: &Path) -> Result<Self> {
        let name = text::path(folder);
        let absolute =
            std::path::absolute(folder).map_err(|error| Error::io("find the folder", folder, &error))?;
        let prefix = ObjectPath::from_absolute_path(&absolute).map_err(|_| {
            Error::input("this is no path of objects").in_file(name.clone()).allowed(ADDRESSES)
        })?;
        let disk = LocalFileSystem::new().with_fsync(true);
        Ok(Self { folder: Some(absolute), ..Self::of(Arc::new(PrefixStore::new(disk, prefix)), name) })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder, where it is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether it is this folder.
    pub fn is_at(&self, folder: &Path) -> bool {
        let [own, other] =
            [self.folder(), Some(folder)].map(|path| path.and_then(|path| path.canonicalize().ok()));
        own.is_some() && own == other
    }

    /// A path in it, for messages.
    pub fn place(&self, path: &str) -> String {
        format!("{}/{path}", self.name.trim_end_matches('/'))
    }

    /// The objects below a path, by their paths.
    ///
    /// # Errors
    /// Where the store cannot be asked.
    pub async fn list(&self, below: &str) -> Result<BTreeMap<String, SeenObject>> {
        let prefix = self.path(below)?;
        let all = self.store.list(Some(&prefix));
        let all = all.map_ok(|meta| (meta.location.to_string(), SeenObject::from(meta)));
        all.try_collect().await.map_err(|error| self.failed("list the objects", below, &error))
    }

    /// A small object, and what it was when it was read.
    ///
    /// # Errors
    /// Where it cannot be read, or is not small.
    pub async fn read(&self, path: &str) -> Result<(Vec<u8>, SeenObject)> {
        let failed = |error: object_store::Error| self.failed("read the object", path, &error);
        let got = self.store.get(&self.path(path)?).await.map_err(failed)?;
        let seen = SeenObject::from(got.meta.clone());
        if seen.size > MOST_UNSIZED {
            return Err(
                Error::limit(format!("a record of {} bytes is none", seen.size)).in_file(self.place(path))
            );
        }
        let (mut pieces, mut content) = (got.into_stream(), Vec::new());
        while let Some(piece) = pieces.next().await {
            content.extend_from_slice(&piece.map_err(failed)?);
        }
        Ok((content, seen))
    }

    /// Writes an object into a new file, piece by piece; gives the number of bytes.
    ///
    /// # Errors
    /// Where it cannot be read, or the file cannot be written.
    pub async fn fetch(&self, path: &str, to: &Path) -> Result<u64> {
        let failed = |error: object_store::Error| self.failed("read the object", path, &error);
        let mut pieces = self.store.get(&self.path(path)?).await.map_err(failed)?.into_stream();
        let not_written = |error: io::Error| Error::io("write", to, &error);
        let (mut file, mut bytes) = (File::create(to).map_err(not_written)?, 0);
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(failed)?;
            file.write_all(&piece).map_err(not_written)?;
            bytes += piece.len() as u64;
        }
        Ok(bytes)
    }

    /// Puts a small object: it is there as a whole or not at all.
    ///
    /// # Errors
    /// Where the store cannot be asked, or cannot look what is there before it puts something.
    pub async fn put(&self, path: &str, content: Vec<u8>, instead: Instead<'_>) -> Result<Stored> {
        let failed = |error: &object_store::Error| self.failed("put the object", path, error);
        let place = self.path(path)?;
        let put = if self.folder.is_some() {
            self.put_file(&place, content, instead).await
        } else {
            let mode = match instead {
                Instead::OfNothing => PutMode::Create,
                Instead::OfAnything => PutMode::Overwrite,
                Instead::Of(seen) => PutMode::Update(UpdateVersion {
                    e_tag: seen.e_tag.clone(),
                    version: seen.version.clone(),
                }),
            };
            self.store.put_opts(&place, content.into(), PutOptions::from(mode)).await
        };
        match put {
            Ok(put) => Ok(Stored::As(put.e_tag)),
            Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
                Ok(Stored::Refused)
            }
            // What was to be replaced is gone.
            Err(object_store::Error::NotFound { .. }) if matches!(instead, Instead::Of(_)) => {
                Ok(Stored::Refused)
            }
            Err(error) => Err(failed(&error)),
        }
    }

    /// Puts a file of a folder. Whoever is killed meanwhile leaves something in `tmp/`, which is no part of the archive; who
    /// replaces something has the lock of the archive, so that nobody comes between.
    async fn put_file(
        &self,
        place: &ObjectPath,
        content: Vec<u8>,
        instead: Instead<'_>,
    ) -> object_store::Result<PutResult> {
        if let Instead::Of(seen) = instead {
            let now = self.store.head(place).await?;
            if now.e_tag != seen.e_tag {
                let (path, source) = (place.to_string(), "it was changed".into());
                return Err(object_store::Error::Precondition { path, source });
            }
        }
        let pending = pending();
        let put = self.store.put(&pending, content.into()).await?;
        self.publish(&pending, place, matches!(instead, Instead::OfNothing)).await?;
        Ok(put)
    }

    async fn publish(
        &self,
        pending: &ObjectPath,
        place: &ObjectPath,
        is_new: bool,
    ) -> object_store::Result<()> {
        let mode = if is_new { RenameTargetMode::Create } else { RenameTargetMode::Overwrite };
        let renamed =
            self.store.rename_opts(pending, place, RenameOptions::new().with_target_mode(mode)).await;
        if renamed.is_err() {
            // Best effort: it is in nobody's way.
            drop(self.store.delete(pending).await);
        }
        renamed
    }

    /// Puts a file that the archive keeps under its checksum, whatever is there: small ones at once, large ones in parts.
    ///
    /// # Errors
    /// Where the file cannot be read, or the store cannot be asked.
    pub async fn send(&self, path: &str, file: &Path, size: u64) -> Result<()> {
        if size <= PART as u64 {
            let content = blocking({
                let file = file.to_path_buf();
                move || std::fs::read(&file).map_err(|error| Error::io("read the file", &file, &error))
            });
            return self.put(path, content.await?, Instead::OfAnything).await.map(drop);
        }
        let failed = |error: object_store::Error| self.failed("put the object", path, &error);
        let place = self.path(path)?;
        let (pending, is_file) = (pending(), self.folder.is_some());
        let target = if is_file { &pending } else { &place };
        let part = PART.max(usize::try_from(size / MOST_PARTS + 1).unwrap_or(PART));
        let upload = self.store.put_multipart(target).await.map_err(failed)?;
        let mut parts = WriteMultipart::new_with_chunk_size(upload, part);
        let mut from = File::open(file).map_err(|error| Error::io("read the file", file, &error))?;
        loop {
            let read = blocking(move || {
                let mut piece = Vec::new();
                let read = io::Read::take(&mut from, PART as u64).read_to_end(&mut piece);
                read.map(|_| (from, piece))
                    .map_err(|error| Error::system(format!("cannot read the file: {error}")))
            });
            // What fails when it is given up is told by the error that comes first.
            match read.await {
                Ok((_, piece)) if piece.is_empty() => break,
                Ok((rest, piece)) => {
                    from = rest;
                    parts.write(&piece);
                }
                Err(error) => {
                    drop(parts.abort().await);
                    return Err(error.in_file(file.display().to_string()));
                }
            }
            if let Err(error) = parts.wait_for_capacity(PARTS_AT_ONCE).await {
                drop(parts.abort().await);
                return Err(failed(error));
            }
        }
        parts.finish().await.map_err(failed)?;
        if is_file { self.publish(&pending, &place, false).await.map_err(failed) } else { Ok(()) }
    }

    /// Removes an object; one that is gone is no error.
    ///
    /// # Errors
    /// Where the store cannot be asked.
    pub async fn remove(&self, path: &str) -> Result<()> {
        match self.store.delete(&self.path(path)?).await {
            Err(error) if !matches!(error, object_store::Error::NotFound { .. }) => {
                Err(self.failed("remove the object", path, &error))
            }
            _ => Ok(()),
        }
    }

    /// Whether an object is there.
    ///
    /// # Errors
    /// Where the store cannot be asked.
    pub async fn has(&self, path: &str) -> Result<bool> {
        match self.store.head(&self.path(path)?).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.failed("look for the object", path, &error)),
        }
    }

    fn path(&self, path: &str) -> Result<ObjectPath> {
        ObjectPath::parse(path)
            .map_err(|_| Error::input("no store can have an object of this name").in_file(self.place(path)))
    }

    /// What is told where a store cannot do something.
    fn failed(&self, doing: &str, path: &str, error: &object_store::Error) -> Error {
        use object_store::Error as Failure;
        let told = match error {
            Failure::NotFound { .. } => {
                Error::system(format!("cannot {doing}: it, or what it should be in, is not there"))
            }
            Failure::Unauthenticated { .. } | Failure::PermissionDenied { .. } => {
                Error::system(format!("cannot {doing}: the store refuses it to whoever asks"))
            }
            Failure::NotImplemented { .. } | Failure::NotSupported { .. } => {
                return Error::input(format!("cannot {doing}: the store cannot do that, or is told not to"))
                    .in_file(self.place(path))
                    .hint(
                        "a record is replaced only where the store looks what is there (conditional writes)",
                    );
            }
            other => Error::system(format!("cannot {doing}: {}", cause(other))),
        };
        let told = told.in_file(self.place(path));
        match self.credentials {
            Some(all) => told.hint(format!("the environment says where the store is and who asks: {all}")),
            None => told,
        }
    }
}

/// Does on another thread what would keep all others waiting.
///
/// # Errors
/// Those of what is done.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Error::system(format!("a thread failed: {error}"))))
}

/// The name of an object that is being written into a folder: an archive clears those that whoever was killed has left.
fn pending() -> ObjectPath {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    // Apart from those of the archive itself, which count from zero.
    ObjectPath::from(format!("tmp/{}-90{number:08}", std::process::id()))
}

/// A store that does not answer is told within a minute; one that does may take its time with the bytes.
fn patience(variables: &str) -> ClientOptions {
    let is_true = |value: String| ["1", "true", "yes"].contains(&value.to_ascii_lowercase().as_str());
    ClientOptions::new()
        .with_allow_http(env::var(format!("{variables}_ALLOW_HTTP")).is_ok_and(is_true))
        .with_connect_timeout(Duration::from_secs(5))
        .with_read_timeout(Duration::from_secs(30))
        .with_timeout(Duration::from_secs(600))
}

fn retries() -> RetryConfig {
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(100),
        max_backoff: Duration::from_secs(4),
        base: 2.0,
    };
    RetryConfig { backoff, max_retries: 4, retry_timeout: Duration::from_secs(40) }
}

/// What is behind an error of a store, in its own words but for what is secret: it names addresses, which may have
/// signatures, and repeats documents, which may have keys.
fn cause(error: &object_store::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let told = innermost.to_string();
    let code =
        told.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>")).map(|(code, _)| code);
    let mut told = match (told.split_once('<'), code) {
        (Some((before, _)), Some(code)) => format!("{} {code}", before.trim_end_matches([' ', ':'])),
        (Some((before, _)), None) => before.trim_end_matches([' ', ':']).to_owned(),
        (None, _) => told,
    };
    for (name, value) in env::vars() {
        let is_ours = ["AWS_", "AZURE_", "GOOGLE_"].iter().any(|beginning| name.starts_with(beginning));
        let secrets = ["KEY", "SECRET", "TOKEN", "SAS", "PASSWORD", "CREDENTIAL", "ACCOUNT"];
        if is_ours && value.len() > 3 && secrets.iter().any(|secret| name.contains(secret)) {
            told = told.replace(&value, "…");
        }
    }
    let without_query = |word: &str| word.split('?').next().unwrap_or_default().to_owned();
    let words: Vec<String> = told.split_whitespace().map(without_query).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart_and_have_no_secrets() {
        for folder in ["/a/b", "a/b", "file:///a/b"] {
            assert!(Depot::at(folder).unwrap().folder().is_some(), "{folder}");
        }
        for address in
            ["", "s3://", "ftp://host/path", "s3://key:hidden@bucket/prefix", "s3://bucket/prefix?sig=hidden"]
        {
            let told = Depot::at(address).unwrap_err().to_string();
            assert!(told.contains("allowed: a folder") && !told.contains("hidden"), "{told}");
        }
    }

    #[test]
    fn what_a_store_says_is_told_by_its_cause() {
        let told = |said: &str| cause(&object_store::Error::Generic { store: "S3", source: said.into() });
        assert_eq!(
            told(
                "403 Forbidden: <?xml version=\"1.0\"?><Error><Code>SignatureDoesNotMatch</Code><Key>hidden</Key>"
            ),
            "403 Forbidden SignatureDoesNotMatch"
        );
        assert_eq!(
            told("error sending request for url https://a.blob/c?sig=hidden (reset)"),
            "error sending request for url https://a.blob/c (reset)"
        );
    }
}
