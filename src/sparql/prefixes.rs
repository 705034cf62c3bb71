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

use crate::sparql::lexer::{Kind, tokens};

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

/// A prefix with an unusual namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddPrefix {
    /// The prefix without its colon.
    pub prefix: String,
    /// The namespace that the query declares.
    pub declared: String,
    /// The namespace that the public endpoints know it for.
    pub usual: &'static str,
}

/// The prefixes that a query declares for another namespace than public endpoints do: `dbo:` for a list of time zones,
/// `dbc:` without the colon at its end. A namespace that the endpoints know under another prefix is no mistake.
pub fn odd_prefixes(text: &str) -> Vec<OddPrefix> {
    let tokens = tokens(text);
    let declarations = tokens.windows(3).filter_map(|three| match three {
        [word, name, iri] if word.is_word("PREFIX") && iri.kind == Kind::Iri => {
            Some((name.name()?.0, iri.text.trim_start_matches('<').trim_end_matches('>')))
        }
        _ => None,
    });
    let odd = declarations.filter_map(|(prefix, declared)| {
        let usual = namespace(prefix)?;
        (usual != declared && !is_known_twin(declared)).then(|| OddPrefix {
            prefix: prefix.to_owned(),
            declared: declared.to_owned(),
            usual,
        })
    });
    odd.collect()
}

/// Namespaces that the same prefix stands for elsewhere: `dc:` is often the newer of the two vocabularies of Dublin Core.
fn is_known_twin(namespace: &str) -> bool {
    const TWINS: [&str; 3] =
        ["http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/", "https://schema.org/"];
    TWINS.contains(&namespace)
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

    #[test]
    fn wrong_namespaces_are_found() {
        let told = |text: &str| -> Vec<String> {
            odd_prefixes(text).into_iter().map(|odd| format!("{}: {}", odd.prefix, odd.declared)).collect()
        };
        assert_eq!(
            told(
                "PREFIX dbo: <http://dbpedia.org/timezone/> prefix dbc: <http://dbpedia.org/resource/Category> ASK {}"
            ),
            ["dbo: http://dbpedia.org/timezone/", "dbc: http://dbpedia.org/resource/Category"]
        );
        for text in [
            "PREFIX dbo: <http://dbpedia.org/ontology/> PREFIX dc: <http://purl.org/dc/terms/> ASK {}",
            "PREFIX mine: <http://e/> ASK {}",
            "PREFIX dbo:",
            "SELECT ?prefix { ?s dbo:x <http://e/> }",
        ] {
            assert_eq!(told(text), [""; 0], "{text}");
        }
    }
}
