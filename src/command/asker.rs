//! Whoever `--kb` names: a pinned knowledge base, an endpoint, or what one of them answered before.

use std::num::NonZeroUsize;
use std::path::Path;

use qassay::base::error::{Error, Result};
use qassay::base::iri::{DEFAULT_BASE, Mint};
use qassay::kb::ask::{Asker, Limits};
use qassay::kb::base::KnowledgeBase;
use qassay::kb::endpoint::Endpoint;
use qassay::kb::endpoint::Settings;
use qassay::kb::endpoint::credentials::Credentials;
use qassay::kb::find::find;
use qassay::kb::oracle::Oracle;
use qassay::kb::pool::Pool;
use qassay::kb::snapshot::AnswerSnapshot;
use qassay::record::publish::answers::Asking;
use qassay::record::publish::provenance::Instant;
use qassay::sources::archive::Archive;

use super::once_asked::OnceAsked;
use super::{clock, kb_answers};
use crate::cli::Limiting;

/// Somebody who can be asked, and who it is.
pub(crate) struct NamedAsker {
    kind: Kind,
    jobs: NonZeroUsize,
    limits: Limits,
    started: Instant,
}

enum Kind {
    Pinned { base: KnowledgeBase, pool: Box<Pool> },
    Endpoint(Box<OnceAsked>),
    Answered(Box<AnswerSnapshot>),
}

/// Whether a word is the address of an endpoint, and not one of our own IRIs.
pub(crate) fn is_address(word: &str) -> bool {
    (word.starts_with("http://") || word.starts_with("https://")) && !word.starts_with(DEFAULT_BASE)
}

/// The endpoint with an address, if somebody is there.
pub(crate) fn endpoint(address: &str, limiting: &Limiting) -> Result<Endpoint> {
    let credentials = Credentials::from_environment()?;
    let endpoint = Endpoint::new(address, Settings::default(), limiting.limits(), credentials)?;
    endpoint.probe()?;
    Ok(endpoint)
}

impl NamedAsker {
    /// Finds out who is meant. Nobody but an endpoint is asked yet.
    pub(crate) fn open(word: &str, root: &Path, limiting: &Limiting) -> Result<Self> {
        if is_address(word) {
            return Self::endpoint(word, limiting);
        }
        if Path::new(word).is_file() || word.contains("/answers/") {
            return Self::answered(word, root, limiting);
        }
        let archive = Archive::open(root)?;
        match find(&archive, word) {
            Ok(base) => Self::pinned(base, &archive, limiting),
            // The beginning of the key of an answer snapshot.
            Err(_) if word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                Self::answered(word, root, limiting)
            }
            Err(error) => Err(error),
        }
    }

    fn new(kind: Kind, jobs: NonZeroUsize, limiting: &Limiting) -> Result<Self> {
        Ok(Self { kind, jobs, limits: limiting.limits(), started: clock::now()? })
    }

    fn answered(word: &str, root: &Path, limiting: &Limiting) -> Result<Self> {
        let advise = |error: Error| {
            let hint =
                "`--kb` takes what was answered; `qassay kb add NAME --version V FILE` pins a knowledge base";
            if Path::new(word).is_file() { error.hint(hint) } else { error }
        };
        let snapshot = kb_answers::find(word, root).map_err(advise)?;
        Self::new(Kind::Answered(Box::new(snapshot)), NonZeroUsize::MIN, limiting)
    }

    fn pinned(base: KnowledgeBase, archive: &Archive, limiting: &Limiting) -> Result<Self> {
        let jobs = limiting.jobs(usize::MAX);
        let pool = Pool::of(&base, archive, limiting.limits(), jobs)?;
        Self::new(Kind::Pinned { base, pool: Box::new(pool) }, jobs, limiting)
    }

    /// How was asked, once all is answered.
    pub(crate) fn asking(&self) -> Result<Asking> {
        Ok(Asking { limits: self.limits.clone(), started: self.started.clone(), ended: clock::now()? })
    }

    fn endpoint(address: &str, limiting: &Limiting) -> Result<Self> {
        let endpoint = OnceAsked::new(endpoint(address, limiting)?)?;
        Self::new(Kind::Endpoint(Box::new(endpoint)), limiting.jobs(2), limiting)
    }

    /// What was answered before, where that is asked.
    pub(crate) fn snapshot(&self) -> Option<&AnswerSnapshot> {
        match &self.kind {
            Kind::Answered(snapshot) => Some(snapshot),
            Kind::Pinned { .. } | Kind::Endpoint(_) => None,
        }
    }

    /// Whether others are asked, over the network.
    pub(crate) fn is_endpoint(&self) -> bool {
        matches!(self.kind, Kind::Endpoint(_))
    }

    pub(crate) fn asker(&self) -> &dyn Asker {
        match &self.kind {
            Kind::Pinned { pool, .. } => pool.as_ref(),
            Kind::Endpoint(endpoint) => endpoint.as_ref(),
            Kind::Answered(snapshot) => snapshot.as_ref(),
        }
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
                Oracle::Endpoint { url: endpoint.address().to_owned(), time: endpoint.take_time() }
            }
            Kind::Answered(snapshot) => snapshot.oracle.clone(),
        }
    }

    /// What it is called, for people.
    pub(crate) fn label(&self) -> String {
        match &self.kind {
            Kind::Pinned { base, .. } => base.label(),
            Kind::Endpoint(endpoint) => endpoint.address().to_owned(),
            Kind::Answered(snapshot) => snapshot.oracle.label(),
        }
    }
}
