//! Whoever `--kb` names: a pinned knowledge base, here or on a server, an endpoint, or what one of them answered before.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::base::clock::{self, Instant};
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::watch::Watcher;
use crate::kb::allowance::{Allowance, Asking};
use crate::kb::answered_by::AnsweredBy;
use crate::kb::ask::{Asker, Limits};
use crate::kb::base::KnowledgeBase;
use crate::kb::endpoint::OnceAsked;
use crate::kb::find::find;
use crate::kb::outcome::Outcome;
use crate::kb::pool::Pool;
use crate::kb::served::ServedBase;
use crate::kb::snapshot::AnswerSnapshot;
use crate::record::answers;
use crate::sources::archive::Archive;

/// Somebody who can be asked, and who it is.
#[derive(Debug)]
pub struct NamedAsker {
    kind: Respondent,
    jobs: NonZeroUsize,
    limits: Limits,
    started: Instant,
}

#[derive(Debug)]
enum Respondent {
    Pinned { base: KnowledgeBase, pool: Box<Pool> },
    Served { base: KnowledgeBase, served: Box<ServedBase> },
    Endpoint(Box<OnceAsked>),
    Answered(Box<AnswerSnapshot>),
}

/// Whether a word is the address of an endpoint, and no name of something in the archive in a folder.
pub fn is_address(root: &Path, word: &str) -> bool {
    (word.starts_with("http://") || word.starts_with("https://")) && !Archive::names(root, word)
}

impl NamedAsker {
    /// Finds out who is meant. Nobody but a server is asked yet.
    pub fn open(word: &str, root: &Path, allowance: &Allowance) -> Result<Self> {
        if is_address(root, word) {
            return Self::endpoint(word, allowance);
        }
        if Path::new(word).is_file() || word.contains("/answers/") {
            return Self::answered(word, root, allowance);
        }
        let archive = Archive::open(root)?;
        match find(&archive, word) {
            Ok(base) => Self::pinned(base, &archive, allowance),
            // The beginning of the key of an answer snapshot.
            Err(_) if word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                Self::answered(word, root, allowance)
            }
            Err(error) => Err(error),
        }
    }

    fn new(kind: Respondent, jobs: NonZeroUsize, allowance: &Allowance) -> Result<Self> {
        Ok(Self { kind, jobs, limits: allowance.limits.clone(), started: clock::now()? })
    }

    fn answered(word: &str, root: &Path, allowance: &Allowance) -> Result<Self> {
        let advise = |error: Error| {
            let hint =
                "`⌥kb` takes what was answered; `qassay kb add NAME --version V FILE` pins a knowledge base";
            if Path::new(word).is_file() { error.hint(hint) } else { error }
        };
        let snapshot = answers::find(word, root).map_err(advise)?;
        Self::new(Respondent::Answered(Box::new(snapshot)), NonZeroUsize::MIN, allowance)
    }

    fn pinned(base: KnowledgeBase, archive: &Archive, allowance: &Allowance) -> Result<Self> {
        if let Some(served) = ServedBase::open(&base, allowance)? {
            let kind = Respondent::Served { base, served: Box::new(served) };
            return Self::new(kind, allowance.jobs(2), allowance);
        }
        let jobs = allowance.jobs(usize::MAX);
        let pool = Pool::of(&base, archive, allowance.limits.clone(), jobs)?;
        Self::new(Respondent::Pinned { base, pool: Box::new(pool) }, jobs, allowance)
    }

    /// How was asked, once all is answered.
    ///
    /// # Errors
    /// Where a server that has a pinned knowledge base does not have what was pinned any more: no answer counts.
    pub fn asking(&self) -> Result<Asking> {
        if let Respondent::Served { served, .. } = &self.kind {
            served.check()?;
        }
        Ok(Asking { limits: self.limits.clone(), started: self.started.clone(), ended: clock::now()? })
    }

    fn endpoint(address: &str, allowance: &Allowance) -> Result<Self> {
        let endpoint = OnceAsked::new(allowance.endpoint(address)?)?;
        Self::new(Respondent::Endpoint(Box::new(endpoint)), allowance.jobs(2), allowance)
    }

    /// What was answered before, where that is asked.
    pub fn snapshot(&self) -> Option<&AnswerSnapshot> {
        match &self.kind {
            Respondent::Answered(snapshot) => Some(snapshot),
            Respondent::Pinned { .. } | Respondent::Served { .. } | Respondent::Endpoint(_) => None,
        }
    }

    /// Whether others are asked, over the network.
    pub fn is_endpoint(&self) -> bool {
        matches!(self.kind, Respondent::Endpoint(_) | Respondent::Served { .. })
    }

    /// Who is asked.
    pub fn asker(&self) -> &dyn Asker {
        match &self.kind {
            Respondent::Pinned { pool, .. } => pool.as_ref(),
            Respondent::Served { served, .. } => served.as_ref(),
            Respondent::Endpoint(endpoint) => endpoint.as_ref(),
            Respondent::Answered(snapshot) => snapshot.as_ref(),
        }
    }

    /// How many are asked at the same time.
    pub fn jobs(&self) -> NonZeroUsize {
        self.jobs
    }

    /// Who has answered, once all is answered.
    pub fn answered_by(&self, mint: &Mint) -> AnsweredBy {
        match &self.kind {
            Respondent::Pinned { base, .. } | Respondent::Served { base, .. } => {
                AnsweredBy::Snapshot { iri: base.iri(mint), digest: base.digest() }
            }
            Respondent::Endpoint(endpoint) => {
                AnsweredBy::Endpoint { url: endpoint.address().to_owned(), time: endpoint.take_time() }
            }
            Respondent::Answered(snapshot) => snapshot.answered_by.clone(),
        }
    }

    /// What it is called, for people.
    pub fn label(&self) -> String {
        match &self.kind {
            Respondent::Pinned { base, .. } | Respondent::Served { base, .. } => base.label(),
            Respondent::Endpoint(endpoint) => endpoint.address().to_owned(),
            Respondent::Answered(snapshot) => snapshot.answered_by.label(),
        }
    }
}

/// Somebody who is asked as long as that is wanted.
pub struct WatchedAsker<'a> {
    /// Who is asked.
    pub asker: &'a dyn Asker,
    /// Who wants it.
    pub watcher: &'a dyn Watcher,
}

impl Asker for WatchedAsker<'_> {
    fn ask(&self, query: &str) -> Result<Outcome> {
        self.watcher.check()?;
        self.asker.ask(query)
    }
}
