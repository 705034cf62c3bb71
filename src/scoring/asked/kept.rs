//! An answer snapshot as the file that an evaluation is computed from.

use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::kb::answered_by::AnsweredBy;
use crate::kb::outcome::Cause;
use crate::kb::snapshot::AnswerSnapshot;
use crate::sources::file::source::Source;

/// An answer snapshot with its bytes.
#[derive(Debug)]
pub struct KeptAnswers {
    /// Who answered what.
    pub snapshot: AnswerSnapshot,
    /// The file.
    pub source: Source,
    /// The checksum of the file as it is under the usual base: the numbers do not depend on the base.
    pub sha256: String,
    /// What its graphs are called: after the knowledge base where the answers are a function of it; after the answers where
    /// an endpoint gave them or a limit was met, which another day, machine or limit may change.
    pub name: String,
    /// The IRI of the snapshot.
    pub iri: String,
}

impl KeptAnswers {
    /// Writes an answer snapshot.
    pub fn new(snapshot: AnswerSnapshot, mint: &Mint) -> Result<Self> {
        let key = snapshot.key();
        let source = Source::from_bytes(format!("answers-{key}.nq"), written(&snapshot, mint)?)?;
        let sha256 = if *mint == mint.usual() {
            source.sha256().to_owned()
        } else {
            let usual = AnswerSnapshot { answered_by: snapshot.answered_by.usual(), ..snapshot.clone() };
            hex(&Sha256::digest(written(&usual, &mint.usual())?))
        };
        let name = named_by_base(&snapshot).unwrap_or(key);
        let iri = snapshot.iri(mint);
        Ok(Self { snapshot, source, sha256, name, iri })
    }

    /// The lines of a manifest that say who answered.
    pub fn manifest_line(&self) -> String {
        match &self.snapshot.answered_by {
            AnsweredBy::Snapshot { digest, .. } => format!("knowledge-base sha256:{digest}"),
            AnsweredBy::Endpoint { url, time } => format!("endpoint {url} {time}"),
        }
    }
}

fn written(snapshot: &AnswerSnapshot, mint: &Mint) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    snapshot
        .write(mint, &mut bytes)
        .map_err(|error| Error::system(format!("cannot write the answers: {error}")))?;
    Ok(bytes)
}

/// `NAME-VERSION` of the knowledge base, where no limit decided anything.
fn named_by_base(snapshot: &AnswerSnapshot) -> Option<String> {
    let (name, version) = snapshot.answered_by.base()?;
    let is_chance = |cause: Cause| cause.is_limit() || cause == Cause::BadReply;
    let mut causes = snapshot.entries.values().filter_map(|entry| entry.outcome.cause());
    (!causes.any(is_chance)).then(|| format!("{name}-{version}"))
}
