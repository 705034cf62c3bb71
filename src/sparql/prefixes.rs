//! Prefixes that the public endpoints know without a declaration that the datasets were made with: DBpedia, Korean
//! DBpedia (NLQ), Wikidata and `LinkedSpending` (data cubes of QALD-6, qbench).
//!
//! `geo:` is not among them: DBpedia and Wikidata mean different vocabularies by it. Nor is `text:` of the hybrid
//! questions, which no endpoint has.
//!
//! No file of QALD-6 or qbench declares `ls:`, `lso:` and `qb:`. qbench names the cube of each question,
//! `http://linkedspending.aksw.org/instance/NAME`, and its query says `ls:NAME`, in all 119 places; `CubeQA`, the system
//! that the questions were made for, declares the three prefixes as here. `prop-ko:` and `dbpedia-ko:` are so declared by
//! other systems for Korean DBpedia.

const KNOWN: &[(&str, &str)] = &[
    ("bd", "http://www.bigdata.com/rdf#"),
    ("category", "http://dbpedia.org/resource/Category:"),
    ("cc", "http://creativecommons.org/ns#"),
    ("dbc", "http://dbpedia.org/resource/Category:"),
    ("dbo", "http://dbpedia.org/ontology/"),
    ("dbp", "http://dbpedia.org/property/"),
    ("dbpedia", "http://dbpedia.org/resource/"),
    ("dbpedia-ko", "http://ko.dbpedia.org/resource/"),
    ("dbpedia-owl", "http://dbpedia.org/ontology/"),
    ("dbpprop", "http://dbpedia.org/property/"),
    ("dbr", "http://dbpedia.org/resource/"),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("dct", "http://purl.org/dc/terms/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("ls", "http://linkedspending.aksw.org/instance/"),
    ("lso", "http://linkedspending.aksw.org/ontology/"),
    ("ontolex", "http://www.w3.org/ns/lemon/ontolex#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("p", "http://www.wikidata.org/prop/"),
    ("pq", "http://www.wikidata.org/prop/qualifier/"),
    ("pqv", "http://www.wikidata.org/prop/qualifier/value/"),
    ("pr", "http://www.wikidata.org/prop/reference/"),
    ("prop-ko", "http://ko.dbpedia.org/property/"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("ps", "http://www.wikidata.org/prop/statement/"),
    ("psv", "http://www.wikidata.org/prop/statement/value/"),
    ("qb", "http://purl.org/linked-data/cube#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("res", "http://dbpedia.org/resource/"),
    ("schema", "http://schema.org/"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("wd", "http://www.wikidata.org/entity/"),
    ("wdno", "http://www.wikidata.org/prop/novalue/"),
    ("wds", "http://www.wikidata.org/entity/statement/"),
    ("wdt", "http://www.wikidata.org/prop/direct/"),
    ("wdv", "http://www.wikidata.org/value/"),
    ("wikibase", "http://wikiba.se/ontology#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("yago", "http://dbpedia.org/class/yago/"),
];

/// The namespace of a prefix.
pub(crate) fn namespace(prefix: &str) -> Option<&'static str> {
    let found = KNOWN.binary_search_by_key(&prefix, |(known, _)| known).ok()?;
    Some(KNOWN[found].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(KNOWN.is_sorted());
        assert_eq!(namespace("dbo"), Some("http://dbpedia.org/ontology/"));
        assert_eq!(namespace("geo"), None);
    }
}
