//! WITHDRAWAL: what was published is no longer public. That it was, and why it is no longer, stays: a tombstone.

use crate::base::rdf::lines::Lines;
use crate::base::vocab::{adms, dct, prov, rdf, schema, xsd};
use crate::profiles::ontology::Facts;

/// The status of what was withdrawn: a term of the publications office of the European Union.
const WITHDRAWN: &str = "http://publications.europa.eu/resource/authority/dataset-status/WITHDRAWN";

/// Why something is no longer public. Who says so and when is in the publication that it is a part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// What it was called.
    pub title: String,
    /// Why, in a sentence for everybody.
    pub reason: String,
    /// The IRI of what replaces it, where something does.
    pub successor: Option<String>,
}

impl Withdrawal {
    /// States that something was withdrawn by a publication, on a day, by somebody: the IRIs of both.
    pub(crate) fn state(&self, lines: &mut Lines, withdrawn: &str, (by, day, whom): (&str, &str, &str)) {
        let (act, time) = (act(by), format!("{day}T00:00:00Z"));
        lines
            .subject(withdrawn)
            .iri(adms::STATUS, WITHDRAWN)
            .typed(prov::INVALIDATED_AT_TIME, &time, xsd::DATE_TIME)
            .iri(prov::WAS_INVALIDATED_BY, &act);
        lines
            .subject(&act)
            .iri(rdf::TYPE, prov::ACTIVITY)
            .text_in(dct::DESCRIPTION, &self.reason, Some("en"))
            .iri(prov::WAS_ASSOCIATED_WITH, whom);
        if let Some(successor) = &self.successor {
            lines.subject(withdrawn).iri(dct::IS_REPLACED_BY, successor);
        }
    }

    /// The withdrawal that a publication is, where it is one; nothing where it lacks something.
    #[expect(clippy::option_option, reason = "none, or damaged: as the parts of a publication are read")]
    pub(crate) fn read(facts: &Facts, publication: &str) -> Option<Option<Self>> {
        let Some(reason) = facts.text(&act(publication), dct::DESCRIPTION) else { return Some(None) };
        let before = facts.text(publication, prov::WAS_REVISION_OF)?;
        Some(Some(Self {
            title: facts.text(publication, schema::NAME)?.to_owned(),
            reason: reason.to_owned(),
            successor: facts.text(before, dct::IS_REPLACED_BY).map(str::to_owned),
        }))
    }
}

/// The IRI of the act by which a publication withdraws.
fn act(publication: &str) -> String {
    format!("{publication}/withdrawal")
}
