//! Harvesting: what an evaluation needs of a knowledge base, asked for and written as a file of statements.
//!
//! The queries are files of `queries/kb/`; the resources or texts in question stand in VALUES, some at a time, in an order
//! that is always the same. A query that is too much is asked again in halves; one that fails with a single term is an
//! error: a part of the statements must not look like all of them. The file is N-Triples in byte order, with comments
//! that say where it is from.

pub mod head;
pub mod needs;
pub mod statements;
pub mod template;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use oxigraph::model::{Literal, NamedNode, Term};

use crate::references::harvest::needs::Needs;

use crate::base::error::Result;
use crate::base::vocab::{dbo, owl, rdf, rdfs, skos};
use crate::kb::ask::Asker;
use crate::references::harvest::statements::Statements;
use crate::references::harvest::template::Wanted;

/// The most classes that a hierarchy may have: below a cycle of mistakes, it ends here.
const MOST_STEPS: usize = 100;

/// Where statements are harvested, and when: for the head of the file.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// Who is asked: the address of an endpoint, or the IRI of a knowledge base.
    pub source: &'a str,
    /// When: `xsd:dateTime`.
    pub time: &'a str,
}

/// The properties that hold labels, with their queries: the labels of resources, and the resources with labels.
const LABELS: [(&str, &str, &str); 3] = [
    (rdfs::LABEL, "kb/rdfs-label-of", "kb/rdfs-label-to"),
    (skos::PREF_LABEL, "kb/skos-pref-label-of", "kb/skos-pref-label-to"),
    (skos::ALT_LABEL, "kb/skos-alt-label-of", "kb/skos-alt-label-to"),
];

/// The `owl:sameAs` links of resources in both directions, and where wanted, what they redirect to
/// (`dbo:wikiPageRedirects`).
pub fn links(
    asker: &dyn Asker,
    resources: &BTreeSet<String>,
    redirects: bool,
    origin: Origin<'_>,
) -> Result<Vec<u8>> {
    let (terms, odd) = iris(resources);
    let mut found = Statements::new("links", terms.len(), odd);
    found.add(&Wanted::new("kb/links-from")?.ask(asker, &terms)?, owl::SAME_AS);
    found.add(&Wanted::new("kb/links-to")?.ask(asker, &terms)?, owl::SAME_AS);
    if redirects {
        found.add(&Wanted::new("kb/redirects")?.ask(asker, &terms)?, dbo::WIKI_PAGE_REDIRECTS);
    }
    Ok(found.write(origin))
}

/// Labels (`rdfs:label`, `skos:prefLabel`, `skos:altLabel`) in some languages and without one: those of resources, and all
/// statements that have one of some texts as label.
pub fn labels(asker: &dyn Asker, needs: &Needs, origin: Origin<'_>) -> Result<Vec<u8>> {
    let (resources, odd) = iris(&needs.called);
    let languages: BTreeSet<String> =
        needs.languages.iter().map(|tag| tag.to_ascii_lowercase()).chain([String::new()]).collect();
    let tags: Vec<Term> = languages.iter().map(|tag| Literal::new_simple_literal(tag).into()).collect();
    let mut texts: Vec<Term> = Vec::new();
    for text in &needs.texts {
        texts.push(Literal::new_simple_literal(text).into());
        // A tag that is none labels nothing.
        let tagged = languages.iter().filter_map(|tag| Literal::new_language_tagged_literal(text, tag).ok());
        texts.extend(tagged.map(Term::from));
    }
    let mut found = Statements::new("labels", resources.len() + needs.texts.len(), odd);
    for (property, of, to) in LABELS {
        found.add(&Wanted::new(of)?.with("language", &tags)?.ask(asker, &resources)?, property);
        found.add(&Wanted::new(to)?.ask(asker, &texts)?, property);
    }
    Ok(found.write(origin))
}

/// The types (`rdf:type`) of resources.
pub fn types(asker: &dyn Asker, resources: &BTreeSet<String>, origin: Origin<'_>) -> Result<Vec<u8>> {
    let (terms, odd) = iris(resources);
    let mut found = Statements::new("types", terms.len(), odd);
    found.add(&Wanted::new("kb/types")?.ask(asker, &terms)?, rdf::TYPE);
    Ok(found.write(origin))
}

/// The classes above classes (`rdfs:subClassOf`), step by step to the top.
pub fn classes(asker: &dyn Asker, classes: &BTreeSet<String>, origin: Origin<'_>) -> Result<Vec<u8>> {
    let (mut terms, odd) = iris(classes);
    let mut found = Statements::new("classes", terms.len(), odd);
    let wanted = Wanted::new("kb/classes")?;
    let mut known: BTreeSet<String> = classes.clone();
    for _ in 0..MOST_STEPS {
        let rows = wanted.ask(asker, &terms)?;
        found.add(&rows, rdfs::SUB_CLASS_OF);
        let above: BTreeSet<String> = rows.into_iter().map(|row| row.object.value).collect();
        let new: BTreeSet<String> = above.difference(&known).cloned().collect();
        if new.is_empty() {
            break;
        }
        terms = iris(&new).0;
        known.extend(new);
    }
    Ok(found.write(origin))
}

/// The texts that are IRIs, in order, and how many are none: no knowledge base has them.
fn iris(texts: &BTreeSet<String>) -> (Vec<Term>, usize) {
    let iris: Vec<Term> = texts.iter().filter_map(|text| NamedNode::new(text).ok()).map(Term::from).collect();
    let odd = texts.len() - iris.len();
    (iris, odd)
}
