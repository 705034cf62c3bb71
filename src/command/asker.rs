//! Whoever `--kb` names: a pinned knowledge base, an endpoint, or what one of them answered before.

use std::num::NonZeroUsize;
use std::path::Path;

use qassay::graph::Archive;
use qassay::graph::iri::{DEFAULT_BASE, Mint};
use qassay::kb::endpoint::{Credentials, Settings};
use qassay::kb::{AnswerSnapshot, Asker, Endpoint, KnowledgeBase, Limits, Oracle, Pool, find};
use qassay::observe::Asking;
use qassay::observe::provenance::Instant;
use qassay::read::Source;
use qassay::{Error, Result};

use super::clock;
use crate::cli::Limiting;

/// Somebody who can be asked, and who it is.
pub(crate) struct NamedAsker {
    kind: Kind,
    jobs: NonZeroUsize,
    limits: Limits,
}

enum Kind {
    Pinned { base: KnowledgeBase, pool: Pool },
    Endpoint(Box<Endpoint>),
    Answered(Box<AnswerSnapshot>),
}

impl NamedAsker {
    /// Finds out who is meant. Nobody is asked yet.
    pub(crate) fn open(word: &str, archive: &Path, limiting: &Limiting) -> Result<Self> {
        if word.starts_with("http://") || word.starts_with("https://") {
            let is_known = word.starts_with(DEFAULT_BASE);
            if !is_known {
                return Self::endpoint(word, limiting);
            }
        }
        if let Some(snapshot) = answered(word, archive)? {
            return Ok(Self {
                kind: Kind::Answered(Box::new(snapshot)),
                jobs: NonZeroUsize::MIN,
                limits: limiting.limits(),
            });
        }
        let archive = Archive::open(archive)?;
        let base = find(&archive, word)?;
        let jobs = limiting.jobs(usize::MAX);
        let program = std::env::current_exe()
            .map_err(|error| Error::system(format!("cannot find the program itself: {error}")))?;
        let pool = Pool::new(program, base.dumps(&archive)?, limiting.limits(), jobs);
        Ok(Self { kind: Kind::Pinned { base, pool }, jobs, limits: limiting.limits() })
    }

    fn endpoint(address: &str, limiting: &Limiting) -> Result<Self> {
        let credentials = Credentials::from_environment()?;
        let endpoint = Endpoint::new(address, Settings::default(), limiting.limits(), credentials)?;
        endpoint.probe()?;
        Ok(Self {
            kind: Kind::Endpoint(Box::new(endpoint)),
            jobs: limiting.jobs(2),
            limits: limiting.limits(),
        })
    }

    pub(crate) fn asker(&self) -> &dyn Asker {
        match &self.kind {
            Kind::Pinned { pool, .. } => pool,
            Kind::Endpoint(endpoint) => endpoint.as_ref(),
            Kind::Answered(snapshot) => snapshot.as_ref(),
        }
    }

    /// How it was asked, now that all is answered; nothing where the answers were there before.
    pub(crate) fn asking(&self, started: Instant) -> Option<Asking> {
        let is_asked = !matches!(self.kind, Kind::Answered(_));
        is_asked.then(|| Asking { limits: self.limits.clone(), started, ended: clock::now() })
    }

    /// How many are asked at the same time.
    pub(crate) fn jobs(&self) -> NonZeroUsize {
        self.jobs
    }

    /// Who has answered, once all is answered.
    pub(crate) fn oracle(&self, mint: &Mint) -> Oracle {
        match &self.kind {
            Kind::Pinned { base, .. } => Oracle::Snapshot { iri: base.iri(mint), digest: base.digest() },
            Kind::Endpoint(endpoint) => {
                Oracle::Endpoint { url: endpoint.address().to_owned(), time: clock::now().date_time }
            }
            Kind::Answered(snapshot) => snapshot.oracle.clone(),
        }
    }

    /// What it is called, for people.
    pub(crate) fn label(&self) -> String {
        match &self.kind {
            Kind::Pinned { base, .. } => base.label(),
            Kind::Endpoint(endpoint) => endpoint.address().to_owned(),
            Kind::Answered(snapshot) => match &snapshot.oracle {
                Oracle::Snapshot { iri, .. } => iri
                    .rsplit('/')
                    .take(2)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev()
                    .collect::<Vec<_>>()
                    .join("@"),
                Oracle::Endpoint { url, time } => format!("{url} at {time}"),
            },
        }
    }
}

/// The answer snapshot that a word names: a file, or the key or IRI of one of the archive.
fn answered(word: &str, archive: &Path) -> Result<Option<AnswerSnapshot>> {
    if Path::new(word).is_file() {
        return AnswerSnapshot::read(&Source::open(Path::new(word))?).map(Some);
    }
    let key = word.rsplit('/').next().unwrap_or(word);
    let is_key = key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_key || !archive.is_dir() {
        return Ok(None);
    }
    let archive = Archive::open(archive)?;
    let path = super::keep::answers_file(&archive, key);
    path.map(|path| AnswerSnapshot::read(&Source::open(&path)?)).transpose()
}
