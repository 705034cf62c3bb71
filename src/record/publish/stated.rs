//! What records and graphs state since the second version of the model, so that nobody has to infer it: the types of all
//! that they point at, and what DCAT-AP demands of catalogues.
//!
//! When a record was changed is not among it: a record follows from its file and has no clock. Who publishes an archive
//! says when.

use crate::base::iri::{Mint, catalogue_keeper_of};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{dct, foaf, prov, rdf, spdx};

/// Who publishes a catalogue: nobody says who that is before something of it is published.
pub(crate) const KEEPER: &str = "whoever keeps this archive";

/// States types and descriptions; nothing in the first version of the model.
pub(crate) struct Typed<'l> {
    lines: &'l mut Lines,
    is_silent: bool,
}

impl<'l> Typed<'l> {
    /// To add to some lines; the subject of what follows is any.
    pub(crate) fn new(lines: &'l mut Lines, mint: &Mint) -> Self {
        Self { lines, is_silent: !mint.model().states_what_others_infer() }
    }

    /// A type.
    pub(crate) fn is(self, thing: &str, class: &str) -> Self {
        if !self.is_silent {
            self.lines.subject(thing).iri(rdf::TYPE, class);
        }
        self
    }

    /// Something that an activity can use, or that something can be derived from.
    pub(crate) fn entity(self, thing: &str) -> Self {
        self.is(thing, prov::ENTITY_CLASS)
    }

    /// Whoever publishes something: known by an address only.
    pub(crate) fn agent(self, address: &str) -> Self {
        let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or(address);
        self.named_agent(address, name, None)
    }

    fn named_agent(self, agent: &str, name: &str, language: Option<&str>) -> Self {
        let stated = self.is(agent, foaf::AGENT);
        if !stated.is_silent {
            stated.lines.text_in(foaf::NAME, name, language);
        }
        stated
    }

    /// What something is.
    pub(crate) fn described(self, thing: &str, description: &str) -> Self {
        if !self.is_silent {
            self.lines.subject(thing).text_in(dct::DESCRIPTION, description, Some("en"));
        }
        self
    }

    /// How checksums are computed.
    pub(crate) fn algorithm(self) -> Self {
        self.is(spdx::SHA256, spdx::ALGORITHM_CLASS)
    }

    /// What the catalogue is, and whose.
    pub(crate) fn catalogue(self, mint: &Mint) -> Self {
        let about = "Datasets, answers of systems, evaluations of these, and all that they refer to.";
        let (catalogue, publisher) = (mint.catalogue(), catalogue_keeper_of(mint.base()));
        let stated = self.described(&catalogue, about);
        if !stated.is_silent {
            stated.lines.subject(&catalogue).iri(dct::PUBLISHER, &publisher);
        }
        stated.named_agent(&publisher, KEEPER, Some("en"))
    }
}
