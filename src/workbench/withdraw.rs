//! Withdraws what was published: the archive keeps that and why, and what is written out is a tombstone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oxigraph::model::NamedNode;

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::base::watch::Watcher;
use crate::record::package::{Content, refuse_taken, with_sums, write_folder, write_zip};
use crate::record::publication::act::Publication;
use crate::record::publication::signature::SigningKey;
use crate::record::publication::tombstone::Tombstone;
use crate::record::publication::withdrawal::Withdrawal;
use crate::report::forms::tombstone::tombstone_files;
use crate::sources::archive::PUBLICATION;
use crate::workbench::Workbench;
use crate::workbench::publish::{Package, named, sign};
use crate::workbench::publish_request::{PublishRequest, day, publisher};

/// The longest reason, in characters.
const LONGEST: usize = 2_000;

/// A withdrawal that is ready to be kept.
#[derive(Debug)]
pub struct ReadyWithdrawal {
    /// The publication that withdraws.
    pub publication: Publication,
    /// Whether the archive had it before.
    pub is_known: bool,
    /// The day of the first publication.
    published: String,
}

impl Workbench {
    /// Makes a withdrawal ready: nothing is written. Of the request, what is withdrawn, who does it, and the day count.
    ///
    /// # Errors
    /// Where it was not published, the reason is none, or what replaces it has no IRI.
    pub fn ready_withdrawal(
        &self,
        request: &PublishRequest,
        (reason, successor): (&str, Option<&str>),
        watcher: &dyn Watcher,
    ) -> Result<ReadyWithdrawal> {
        if reason.trim().is_empty() || reason.chars().count() > LONGEST {
            return Err(Error::input("this is no reason")
                .allowed(format!("a sentence for everybody, of {LONGEST} characters or fewer")));
        }
        if let Some(iri) = successor.filter(|iri| NamedNode::new(*iri).is_err()) {
            return Err(Error::input(format!("`{}` is no IRI", text::name(iri)))
                .allowed("the IRI of what replaces it, as in https://w3id.org/qassay/evaluation/…"));
        }
        let archived = self.archived()?;
        let of = named(&archived, &request.words)?;
        let all = Publication::all(&archived.archive)?;
        let versions: Vec<&Publication> = all.iter().filter(|one| one.of == of).collect();
        let ([first, ..], Some(latest)) = (versions.as_slice(), versions.last().copied()) else {
            return Err(Error::input(format!("<{of}> was not published"))
                .hint("only what was published is withdrawn; `qassay list publication` tells what was"));
        };
        // Whatever it goes with would show it still.
        let others =
            all.iter().filter(|one| one.of != of && one.withdrawn.is_none() && one.members.contains(&of));
        let is_latest =
            |one: &&Publication| !all.iter().any(|next| next.of == one.of && next.number > one.number);
        let others: Vec<String> = others.filter(is_latest).map(Publication::iri).collect();
        if !others.is_empty() {
            return Err(Error::input(format!("<{of}> goes with what is public"))
                .list(others)
                .hint("withdraw that first"));
        }
        let title = match &latest.withdrawn {
            Some(before) => before.title.clone(),
            None => self.ready_record(request, watcher)?.metadata.title,
        };
        let successor = successor.map(str::to_owned);
        let publication = Publication {
            number: latest.number + 1,
            day: day(request)?,
            by: publisher(request, Some(latest), None, BTreeSet::new())?,
            graphs: BTreeSet::new(),
            withheld: Vec::new(),
            withdrawn: Some(Withdrawal { title, reason: reason.to_owned(), successor }),
            ..latest.clone()
        };
        let is_known = publication.repeats(latest);
        let publication = if is_known { latest.clone() } else { publication };
        Ok(ReadyWithdrawal { publication, is_known, published: first.day.clone() })
    }

    /// Keeps a withdrawal in the archive, and writes the tombstone where a place is given: a new folder or a new zip.
    ///
    /// # Errors
    /// Where something is there already, or it cannot be written.
    pub fn withdraw(
        &self,
        ready: &ReadyWithdrawal,
        to: Option<(&Path, Package)>,
        signing: Option<&SigningKey>,
    ) -> Result<()> {
        to.map_or(Ok(()), |(out, _)| refuse_taken(out))?;
        let archive = self.create()?;
        let publication = &ready.publication;
        archive.keep_record(PUBLICATION, &publication.key(), &mut publication.lines(archive.mint()))?;
        let (Some((out, package)), Some(why)) = (to, &publication.withdrawn) else { return Ok(()) };
        let tombstone = Tombstone { publication, why, published: &ready.published };
        let files = tombstone_files(&tombstone, archive.mint())?.into_iter();
        let files: BTreeMap<String, Content> =
            files.map(|(path, bytes)| (path, Content::Bytes(bytes))).collect();
        let mut files = with_sums(files)?;
        if let Some(key) = signing {
            sign(&mut files, key, publication)?;
        }
        let key = publication.of.rsplit('/').next().unwrap_or_default();
        match package {
            Package::Folder => write_folder(out, &files),
            Package::Zip => write_zip(out, &format!("qassay-{}", key.get(..8).unwrap_or(key)), &files),
        }
    }
}
