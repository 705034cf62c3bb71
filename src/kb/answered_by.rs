//! Who answered: a pinned knowledge base or an endpoint.

use crate::base::iri::usual_knowledge_base;

/// Who answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnsweredBy {
    /// A pinned snapshot.
    Snapshot {
        /// IRI of the version of the knowledge base.
        iri: String,
        /// The digest of its files: 64 lower-case hex digits.
        digest: String,
    },
    /// An endpoint.
    Endpoint {
        /// Its address, without name and password.
        url: String,
        /// When the last answer was there: `xsd:dateTime` in UTC.
        time: String,
    },
}

impl AnsweredBy {
    /// NAME and VERSION of the knowledge base, as its IRI ends; nothing for an endpoint.
    pub fn base(&self) -> Option<(&str, &str)> {
        let Self::Snapshot { iri, .. } = self else { return None };
        let (start, version) = iri.rsplit_once('/')?;
        Some((start.rsplit('/').next()?, version))
    }

    /// The same with the name that the knowledge base has under the usual base.
    #[must_use]
    pub fn usual(&self) -> Self {
        match self {
            Self::Snapshot { iri, digest } => {
                Self::Snapshot { iri: usual_knowledge_base(iri), digest: digest.clone() }
            }
            Self::Endpoint { .. } => self.clone(),
        }
    }

    /// What it is called, for people: `NAME@VERSION`, or the address and when it was asked.
    pub fn label(&self) -> String {
        match self {
            Self::Snapshot { iri, .. } => {
                self.base().map_or_else(|| iri.clone(), |(name, version)| format!("{name}@{version}"))
            }
            Self::Endpoint { url, time } => format!("{url} at {time}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(iri: &str) -> AnsweredBy {
        AnsweredBy::Snapshot { iri: iri.to_owned(), digest: "ab".repeat(32) }
    }

    #[test]
    fn a_knowledge_base_is_called_by_the_end_of_its_iri() {
        let base = snapshot("https://w3id.org/qassay/kb/dbpedia/2016-10");
        assert_eq!(base.base(), Some(("dbpedia", "2016-10")));
        assert_eq!(base.label(), "dbpedia@2016-10");
        let other = snapshot("urn:x");
        assert_eq!((other.base(), other.label()), (None, "urn:x".to_owned()));
    }

    #[test]
    fn an_endpoint_is_called_by_its_address_and_time() {
        let time = "2026-11-21T09:00:00Z".to_owned();
        let endpoint = AnsweredBy::Endpoint { url: "http://a/sparql".to_owned(), time };
        assert_eq!(endpoint.base(), None);
        assert_eq!(endpoint.label(), "http://a/sparql at 2026-11-21T09:00:00Z");
    }
}
