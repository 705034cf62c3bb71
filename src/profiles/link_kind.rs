//! The kinds of links, each with a rule of its own: what makes two resources one.

use clap::ValueEnum;
use oxigraph::model::NamedNode;

use crate::base::vocab::{dbo, foaf, owl, schema};

/// A kind of links that is followed beside owl:sameAs
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum LinkKind {
    /// owl:sameAs: always followed
    SameAs,
    /// dbo:wikiPageRedirects: other titles of the same page
    Redirect,
    /// Pages of Wikipedias about a resource (foaf:isPrimaryTopicOf, foaf:primaryTopic, schema:about)
    Wikipedia,
}

/// The second of the two namespaces that schema.org has.
const SCHEMA_ABOUT_HTTPS: &str = "https://schema.org/about";

/// The predicates of links.
const PREDICATES: [&str; 6] = [
    owl::SAME_AS,
    dbo::WIKI_PAGE_REDIRECTS,
    foaf::IS_PRIMARY_TOPIC_OF,
    foaf::PRIMARY_TOPIC,
    schema::ABOUT,
    SCHEMA_ABOUT_HTTPS,
];

impl LinkKind {
    /// All kinds in their order.
    pub const ALL: [Self; 3] = [Self::SameAs, Self::Redirect, Self::Wikipedia];

    /// The word on the command line, in manifests and in concepts (`code:link-redirect`).
    pub fn name(self) -> &'static str {
        match self {
            Self::SameAs => "same-as",
            Self::Redirect => "redirect",
            Self::Wikipedia => "wikipedia",
        }
    }

    /// The kind with this word.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The concept of `code:matchRule`, without namespace.
    pub fn rule(self) -> &'static str {
        match self {
            Self::SameAs => "match-sameas",
            Self::Redirect => "match-redirect",
            Self::Wikipedia => "match-wikipedia-page",
        }
    }

    /// The kinds that are named beside `owl:sameAs`, each once, in their order.
    pub fn beside_same_as(named: &[Self]) -> Vec<Self> {
        let is_meant = |kind: &Self| *kind != Self::SameAs && named.contains(kind);
        Self::ALL.into_iter().filter(is_meant).collect()
    }

    /// The kind that a match rule is of.
    pub fn of_rule(rule: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.rule() == rule)
    }

    /// One link in words.
    pub fn example(self) -> &'static str {
        match self {
            Self::SameAs => "<a> owl:sameAs <b>",
            Self::Redirect => "<a> dbo:wikiPageRedirects <b>",
            Self::Wikipedia => "<a> foaf:isPrimaryTopicOf <page>",
        }
    }

    /// Its position in lists of one entry a kind.
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// The kind of link that a statement is, with its predicate.
    pub(crate) fn of(
        from: &NamedNode,
        predicate: &NamedNode,
        to: &NamedNode,
    ) -> Option<(Self, &'static str)> {
        let predicate = *PREDICATES.iter().find(|known| **known == predicate.as_str())?;
        let kind = match predicate {
            owl::SAME_AS => Self::SameAs,
            dbo::WIKI_PAGE_REDIRECTS => Self::Redirect,
            _ => Self::Wikipedia,
        };
        // What a book is about is no other name of the book.
        let page = if predicate == foaf::IS_PRIMARY_TOPIC_OF { to } else { from };
        (kind != Self::Wikipedia || is_wikipedia(page.as_str())).then_some((kind, predicate))
    }
}

/// Whether an IRI is that of a page in a Wikipedia; other wikis of the foundation have other hosts.
fn is_wikipedia(iri: &str) -> bool {
    let rest = iri.strip_prefix("https://").or_else(|| iri.strip_prefix("http://"));
    let parts = rest.and_then(|rest| rest.split_once('/'));
    parts.is_some_and(|(host, path)| host.ends_with(".wikipedia.org") && path.starts_with("wiki/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_predicate_and_page() {
        let kind = |from: &str, predicate: &str, to: &str| {
            let [from, predicate, to] = [from, predicate, to].map(NamedNode::new_unchecked);
            LinkKind::of(&from, &predicate, &to).map(|(kind, _)| kind)
        };
        let (a, page) = ("http://dbpedia.org/resource/A", "https://en.wikipedia.org/wiki/A");
        assert_eq!(kind(a, owl::SAME_AS, page), Some(LinkKind::SameAs));
        assert_eq!(kind(a, dbo::WIKI_PAGE_REDIRECTS, "http://b"), Some(LinkKind::Redirect));
        assert_eq!(kind(a, foaf::IS_PRIMARY_TOPIC_OF, page), Some(LinkKind::Wikipedia));
        assert_eq!(kind(page, foaf::PRIMARY_TOPIC, a), Some(LinkKind::Wikipedia));
        assert_eq!(kind(page, schema::ABOUT, a), Some(LinkKind::Wikipedia));
        assert_eq!(kind(page, SCHEMA_ABOUT_HTTPS, a), Some(LinkKind::Wikipedia));
        assert_eq!(kind(a, schema::ABOUT, page), None, "what a book is about is no other name of the book");
        assert_eq!(kind("https://en.wikiquote.org/wiki/A", schema::ABOUT, a), None);
        assert_eq!(kind("https://en.wikipedia.org/", foaf::PRIMARY_TOPIC, a), None);
        for kind in LinkKind::ALL {
            assert_eq!(
                (LinkKind::find(kind.name()), LinkKind::of_rule(kind.rule())),
                (Some(kind), Some(kind))
            );
        }
    }
}
