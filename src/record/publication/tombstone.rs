//! TOMBSTONE: what stays of something that was published and is withdrawn now: that it was there, and why it is gone.

use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{dcat, dct, prov, rdf, xsd};
use crate::record::publication::act::Publication;
use crate::record::publication::withdrawal::Withdrawal;

/// The file of a tombstone that states it.
pub const TOMBSTONE: &str = "tombstone.ttl";

/// What stays of something that was withdrawn.
#[derive(Debug, Clone, Copy)]
pub struct Tombstone<'a> {
    /// The publication that withdraws it: what, which version, when, by whom.
    pub publication: &'a Publication,
    /// Why.
    pub why: &'a Withdrawal,
    /// The day of its first publication.
    pub published: &'a str,
}

impl<'a> Tombstone<'a> {
    /// The tombstones of what is withdrawn now, in the order of [`Publication::all`]: what was published again has none.
    pub fn all(publications: &'a [Publication]) -> Vec<Self> {
        let of = publications.chunk_by(|one, other| one.of == other.of);
        of.filter_map(|versions| {
            let (first, publication) = (versions.first()?, versions.last()?);
            let why = publication.withdrawn.as_ref()?;
            Some(Self { publication, why, published: &first.day })
        })
        .collect()
    }

    /// Its statements: those of the publication, and that what was published is no longer public.
    pub fn lines(&self, mint: &Mint) -> Lines {
        let Self { publication, why, published } = self;
        let mut lines = publication.lines(mint);
        let by = (publication.iri(), &publication.by.publisher.iri);
        why.state(&mut lines, &publication.of, (&by.0, &publication.day, by.1));
        lines
            .subject(&publication.of)
            .iri(rdf::TYPE, dcat::DATASET_CLASS)
            .iri(rdf::TYPE, prov::ENTITY_CLASS)
            .text_in(dct::TITLE, &why.title, Some("en"))
            .text(dct::IDENTIFIER, &publication.of)
            .typed(dct::ISSUED, published, xsd::DATE)
            .iri(dct::PUBLISHER, &publication.by.publisher.iri)
            .iri(dcat::HAS_VERSION, &publication.iri());
        lines
    }
}
