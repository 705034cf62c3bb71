//! The knowledge bases that GERBIL knows (statement 4.6).
//!
//! Before 2017-09-29 Wikidata was not among them; that time is not reproduced.

/// Prefixes of the URIs in a known knowledge base (statement 4.6).
pub const PREFIXES: [&str; 5] = [
    "http://dbpedia.org/resource/",
    "http://dbpedia.org/ontology/",
    "http://ontologydesignpatterns.org/ont/dul/",
    "http://www.ontologydesignpatterns.org/ont/d0.owl",
    "http://www.wikidata.org/entity/",
];

/// Whether a thing with these URIs is in a known knowledge base, else it is "emerging" (statement 3.5.1).
pub fn is_known(uris: &[String]) -> bool {
    uris.iter().any(|uri| PREFIXES.iter().any(|prefix| uri.starts_with(prefix)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_3_5_1_one_known_uri_suffices() {
        let known = |uris: &[&str]| is_known(&uris.iter().map(|&uri| uri.to_owned()).collect::<Vec<_>>());
        assert!(known(&["http://www.wikidata.org/entity/Q64"]));
        assert!(known(&["x", "http://dbpedia.org/ontology/child"]));
        for unknown in [
            "http://www.wikidata.org/prop/direct/P31",
            "https://www.wikidata.org/entity/Q64",
            "http://dbpedia.org/property/a",
            "http://DBpedia.org/resource/A",
            "8",
        ] {
            assert!(!known(&[unknown]), "{unknown}");
        }
        assert!(!known(&[]));
    }
}
