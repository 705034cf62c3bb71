//! `qassay links add --from URL`: the links that an endpoint has of the resources of some files.

use qassay::base::error::{Error, Result};
use qassay::base::iri::{Mint, slug};
use qassay::references::harvest::needs::Needs;
use qassay::references::{ReferenceInput, ReferenceKind};
use qassay::sources::archive::Archive;
use qassay::sources::format::read;

use super::harvested::Harvester;
use super::{Output, link_sets, named};
use crate::cli::{LinksAdd, link_kinds};

/// Asks the endpoint; gives the file, and the address as it is kept.
pub(super) fn harvested(
    arguments: &LinksAdd,
    address: &str,
    mint: &Mint,
    output: &Output,
) -> Result<(ReferenceInput, String)> {
    let root = &arguments.archive.archive;
    refuse_known(arguments)?;
    let mut needs = Needs::default();
    for path in &arguments.named_by {
        let (document, _) = read(&named::open(path, root, None)?)?;
        needs = needs.and(Needs::of(&document, &[]));
    }
    if needs.resources.is_empty() {
        return Err(Error::input("the files of `--for` name no resources")
            .allowed("datasets and submissions with answers that are IRIs"));
    }
    let endpoint = Harvester::open(address, &arguments.limiting)?;
    let found =
        endpoint.ask(ReferenceKind::Links, &needs, &link_kinds(&arguments.link_kind), mint, output)?;
    let file = found.ok_or_else(|| {
        Error::input(format!(
            "{} has no links of these {} resources",
            endpoint.address(),
            needs.resources.len()
        ))
    })?;
    Ok((file, endpoint.address().to_owned()))
}

/// An endpoint never gives the same file twice: its time is in it.
fn refuse_known(arguments: &LinksAdd) -> Result<()> {
    let Ok(archive) = Archive::open(&arguments.archive.archive) else { return Ok(()) };
    let known = link_sets::all(&archive)?.into_iter().find(|known| {
        slug(&known.name) == slug(&arguments.name) && slug(&known.version) == slug(&arguments.version)
    });
    known.map_or(Ok(()), |known| {
        Err(Error::input(format!("{}@{} is registered already", known.name, known.version))
            .hint("a version never changes: name a new one with `--version`"))
    })
}
