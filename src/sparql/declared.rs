//! Prefixes that a query declares otherwise than everybody does: it parses, and means something else.

use crate::sparql::lexer::{Kind, tokens};
use crate::sparql::prefixes;

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
        let usual = prefixes::namespace(prefix)?;
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
    use super::odd_prefixes;

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
