//! What the match queries join triple patterns on: the pattern with every position in its canonical form.
//!
//! Patterns of the same content are the same node and need no key. A key is for patterns that differ in their
//! spelling only: normalised IRIs, members of one cluster of links, literals of one value.

use std::collections::{BTreeMap, HashSet};

use oxigraph::model::{Literal, Term};
use rustc_hash::FxBuildHasher;

use crate::base::vocab::{code, qassay};
use crate::profiles::Profile;
use crate::references::links::Links;
use crate::references::literal;
use crate::references::normalise::resource_key;
use crate::scoring::cases::Cases;
use crate::sparql::graph::{Pattern, Position, Predicate};
use crate::sparql::index::Index;

/// Adds the keys of the patterns of both sides to the graph `code:role-keys`.
pub(crate) fn add_keys(index: &mut Index, profile: &Profile, cases: &Cases<'_>, links: Option<&Links>) {
    let canonical = Canonical { profile, links };
    let mut by_key: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut seen: HashSet<&str, FxBuildHasher> = HashSet::default();
    let gold = cases.all.iter().map(|case| case.gold);
    let system = cases.all.iter().filter_map(|case| case.system);
    for (node, pattern) in gold.chain(system).flat_map(|answer| answer.query.patterns()) {
        if seen.insert(&node.iri) {
            by_key.entry(canonical.key(pattern)).or_default().push(&node.iri);
        }
    }
    let table = index.table(&code::iri("role-keys"), qassay::PATTERN_KEY);
    for (key, nodes) in by_key.into_iter().filter(|(_, nodes)| nodes.len() > 1) {
        let key = index.intern(Literal::new_simple_literal(key));
        for node in nodes {
            let node = index.intern_iri(node);
            index.add(table, node, key);
        }
    }
}

/// How terms are written in keys.
struct Canonical<'a> {
    profile: &'a Profile,
    links: Option<&'a Links>,
}

impl Canonical<'_> {
    fn key(&self, pattern: &Pattern) -> String {
        let predicate = match &pattern.predicate {
            Predicate::Variable => "?".to_owned(),
            Predicate::Property(node) => self.iri(node.as_str()),
            Predicate::Path(path) => path.clone(),
        };
        format!("{} {predicate} {}", self.position(&pattern.subject), self.position(&pattern.object))
    }

    fn position(&self, position: &Position) -> String {
        match position {
            Position::Variable => "?".to_owned(),
            Position::Term(Term::NamedNode(node)) => self.iri(node.as_str()),
            Position::Term(Term::Literal(literal)) => self.literal(literal),
            Position::Term(other) => other.to_string(),
        }
    }

    fn iri(&self, iri: &str) -> String {
        let enabled = |name: &str| self.profile.normalises(name);
        format!("<{}>", resource_key(iri, &enabled, self.links))
    }

    /// A literal by its value, else by its text. Language tags do not count: the pattern of a query either has a
    /// tag or matches nothing, so the tag is a matter of the data, not of what is asked.
    fn literal(&self, literal: &Literal) -> String {
        let unicode = self.profile.normalises("norm-text-unicode");
        let trim = self.profile.normalises("norm-text-trim");
        let keys = literal::keys(literal, unicode, trim);
        match (keys.value, keys.text) {
            (Some(value), _) => format!("value {value:?}"),
            (None, Some(text)) => format!("text {text:?}"),
            (None, None) => literal.to_string(),
        }
    }
}
