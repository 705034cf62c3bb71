//! The namespaces of IRIs: two entities of one namespace are two things that one knowledge base keeps apart.

use indexmap::IndexSet;

/// Where the name of an entity begins, whatever is in the name.
const BEFORE_NAMES: [&str; 5] = ["/resource/", "/entity/", "/wiki/", "/ontology/", "/property/"];

/// The namespace of an IRI: up to its name.
pub fn namespace(iri: &str) -> &str {
    let host = iri.find("://").map_or(0, |at| at + 3);
    let known = BEFORE_NAMES.iter().find_map(|before| Some(host + iri[host..].find(before)? + before.len()));
    let end = known.or_else(|| iri.rfind(['/', '#']).filter(|at| *at >= host).map(|at| at + 1));
    &iri[..end.unwrap_or(iri.len())]
}

/// The number of what is not compared: an IRI that has another normal form.
pub(crate) const OTHER_SPELLING: u16 = 0;

/// The number of all namespaces that there is no room for; they are not compared either.
pub(crate) const NO_ROOM: u16 = 1;

/// Namespaces by number.
#[derive(Debug, Clone)]
pub(crate) struct Namespaces {
    names: IndexSet<String>,
    last: [(String, u16); 2],
}

impl Default for Namespaces {
    fn default() -> Self {
        let names = IndexSet::from(["another spelling".to_owned(), "any other".to_owned()]);
        Self { names, last: Default::default() }
    }
}

impl Namespaces {
    /// The number of the namespace of an IRI. `side` 0 or 1: subjects tend to be of one namespace, objects of another.
    pub(crate) fn number(&mut self, iri: &str, side: usize) -> u16 {
        let space = namespace(iri);
        let (last, number) = &self.last[side];
        if last == space {
            return *number;
        }
        let number = self.intern(space);
        self.last[side] = (space.to_owned(), number);
        number
    }

    fn intern(&mut self, space: &str) -> u16 {
        let known = self.names.get_index_of(space).map(u16::try_from);
        if let Some(Ok(number)) = known {
            return number;
        }
        match u16::try_from(self.names.len()) {
            Ok(number) => {
                self.names.insert(space.to_owned());
                number
            }
            Err(_) => NO_ROOM,
        }
    }

    /// The namespace with this number.
    pub(crate) fn name(&self, number: u16) -> &str {
        self.names.get_index(usize::from(number)).map_or("", String::as_str)
    }

    /// The numbers here of the namespaces of another list.
    pub(crate) fn take(&mut self, other: &Self) -> Vec<u16> {
        other.names.iter().map(|name| self.intern(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_end_before_the_name() {
        for (iri, space) in [
            ("http://dbpedia.org/resource/AC/DC", "http://dbpedia.org/resource/"),
            ("http://www.wikidata.org/entity/Q1", "http://www.wikidata.org/entity/"),
            ("http://e/onto#Thing", "http://e/onto#"),
            ("http://e/a/b", "http://e/a/"),
            ("http://e", "http://e"),
            ("urn:x:1", "urn:x:1"),
        ] {
            assert_eq!(namespace(iri), space);
        }
    }

    #[test]
    fn numbers_are_given_once() {
        let mut namespaces = Namespaces::default();
        let numbers = ["http://a/1", "http://b/1", "http://a/2"].map(|iri| namespaces.number(iri, 0));
        assert_eq!(numbers, [2, 3, 2]);
        assert_eq!(namespaces.name(3), "http://b/");
        assert_eq!(
            (0..70_000).map(|n| namespaces.number(&format!("http://e/{n}/x"), 1)).max(),
            Some(u16::MAX)
        );
        assert_eq!(namespaces.number("http://e/69999/x", 1), NO_ROOM);
        let mut other = Namespaces::default();
        other.number("http://b/2", 0);
        assert_eq!(namespaces.take(&other), [OTHER_SPELLING, NO_ROOM, 3]);
    }
}
