//! An answer snapshot as the file that an evaluation is computed from.

use crate::error::{Error, Result};
use crate::graph::iri::Mint;
use crate::kb::{AnswerSnapshot, Cause, Oracle, Outcome};
use crate::read::Source;

/// An answer snapshot with its bytes.
#[derive(Debug)]
pub struct KeptAnswers {
    /// Who answered what.
    pub snapshot: AnswerSnapshot,
    /// The file.
    pub source: Source,
    /// What its graphs are called: after the knowledge base where the answers are a function of it; after the answers where
    /// an endpoint gave them or a limit was met, which another day, machine or limit may change.
    pub name: String,
    /// The IRI of the snapshot.
    pub iri: String,
}

impl KeptAnswers {
    /// Writes an answer snapshot.
    pub fn new(snapshot: AnswerSnapshot, mint: &Mint) -> Result<Self> {
        let mut bytes = Vec::new();
        snapshot
            .write(mint, &mut bytes)
            .map_err(|error| Error::system(format!("cannot write the answers: {error}")))?;
        let key = snapshot.key();
        let source = Source::from_bytes(format!("answers-{key}.nq"), bytes)?;
        let name = named_by_base(&snapshot).unwrap_or(key);
        let iri = snapshot.iri(mint);
        Ok(Self { snapshot, source, name, iri })
    }

    /// The lines of a manifest that say who answered.
    pub fn manifest_line(&self) -> String {
        match &self.snapshot.oracle {
            Oracle::Snapshot { digest, .. } => format!("knowledge-base sha256:{digest}"),
            Oracle::Endpoint { url, time } => format!("endpoint {url} {time}"),
        }
    }
}

/// `NAME-VERSION` of the knowledge base, where no limit decided anything.
fn named_by_base(snapshot: &AnswerSnapshot) -> Option<String> {
    let Oracle::Snapshot { iri, .. } = &snapshot.oracle else { return None };
    let met_limit = |outcome: &Outcome| match outcome {
        Outcome::Answered(_) => false,
        Outcome::Failed(failure) => {
            matches!(
                failure.cause,
                Cause::TimedOut | Cause::TooManyRows | Cause::OutOfMemory | Cause::BadReply
            )
        }
    };
    if snapshot.entries.values().any(|entry| met_limit(&entry.outcome)) {
        return None;
    }
    let mut parts = iri.rsplit('/');
    let (version, name) = (parts.next()?, parts.next()?);
    Some(format!("{name}-{version}"))
}
