//! Families of groups of questions, read from `ontology/groups.ttl`: each is a query that says who is in which group.

use std::sync::OnceLock;

use crate::base::error::Result;
use crate::base::query::QueryFile;
use crate::base::vocab::{code, skos};
use crate::profiles::ontology;
use crate::profiles::ontology::Facts;
use crate::profiles::rules::{incomplete, property};

/// A family of groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// The concept of `code:groupFamily`, without namespace.
    pub name: String,
    /// Selects `?question` and `?group`.
    pub query: &'static QueryFile,
}

impl Family {
    /// All families in the order of their names.
    ///
    /// # Panics
    /// Not on input: the families are embedded, and a test reads them.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Family>> = OnceLock::new();
        ALL.get_or_init(|| Self::read(ontology::groups()).expect("the embedded families are complete"))
    }

    fn read(facts: &Facts) -> Result<Vec<Self>> {
        let mut families = Vec::new();
        let scheme = code::iri("groupFamily");
        for iri in facts.subjects().filter(|iri| facts.text(iri, skos::IN_SCHEME) == Some(&scheme)) {
            let query = facts.text(iri, &property("query")).ok_or_else(|| incomplete(iri, "query"))?;
            let query = QueryFile::find(query.rsplit_once("/query/").map_or(query, |(_, name)| name))?;
            let name = iri.trim_start_matches(code::NAMESPACE).to_owned();
            families.push(Self { name, query });
        }
        Ok(families)
    }
}
