//! Systems that share a submission, the same bytes under several names: the records of those after the first one, and how
//! one of them goes.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{prov, rdf, schema};
use crate::record::archived::names::{SYSTEM, SharedNames};
use crate::record::archived::{Archived, RegisteredGraph};
use crate::record::publish::catalogue::{self, InputGraphs};
use crate::record::publish::stated::Typed;
use crate::sources::input::Input;

/// The name of the record that says that a system shares a submission.
pub(crate) fn key(sha256: &str, name: &str) -> String {
    hex(&Sha256::digest(format!("{sha256}\n{name}\n")))
}

/// The record of a further system of the submission with this checksum: what it is called, and that the bytes are its own, too.
pub(crate) fn record(mint: &Mint, sha256: &str, name: &str) -> Lines {
    called(mint, sha256, &format!("{}/system", mint.submission(sha256)), name)
}

/// The same where the name is given to another node than that of the submission's system.
pub(crate) fn called(mint: &Mint, sha256: &str, version: &str, name: &str) -> Lines {
    let system = mint.system(name);
    let mut lines = Lines::new(&mint.catalogue_graph());
    lines.subject(version).text(schema::NAME, name).iri(prov::SPECIALIZATION_OF, &system);
    lines.subject(&system).iri(rdf::TYPE, schema::SOFTWARE_APPLICATION).text(schema::NAME, name);
    Typed::new(&mut lines, mint).entity(&system);
    lines.subject(&mint.file(sha256)).iri(prov::WAS_ATTRIBUTED_TO, version);
    lines
}

/// Takes systems from the submission that they share with others, whose file this is: gives the records that go. Where the
/// first one goes, the record of the submission names the next one from then on.
///
/// # Errors
/// Where no system would be left, or the submission cannot be read.
pub(crate) fn part(archived: &Archived, sha256: &str, leaving: &[&str]) -> Result<Vec<PathBuf>> {
    let (archive, mint) = (&archived.archive, archived.archive.mint());
    let names = SharedNames::of(archive, sha256)?;
    let stays = |name: &&String| !leaving.contains(&name.as_str());
    let Some((names, next)) = names.as_ref().and_then(|names| Some((names, names.all().find(stays)?))) else {
        return Err(Error::input("no system would have given these answers any more")
            .in_file(archived.input(sha256).path().display().to_string())
            .hint("remove the evaluations, then the submission"));
    };
    let mut gone: Vec<&str> = leaving.to_vec();
    if *next != names.first {
        let submission = Input::submission(archived.source(sha256)?, None, mint)?;
        let own = archived.graph(&mint.graph_of(&submission.iri))?.stored();
        let patterns = archived.graph(&mint.patterns_of(&submission.iri)).ok().map(RegisteredGraph::stored);
        let mut record = catalogue::submission(mint, &submission, next, &InputGraphs { own, patterns });
        archive.keep_record("submission", sha256, &mut record)?;
        gone.push(next);
    }
    let records = gone.into_iter().map(|name| archive.record(SYSTEM, &key(sha256, name)));
    Ok(records.filter(|path| path.is_file()).collect())
}
