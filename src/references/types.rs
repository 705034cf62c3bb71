//! The classes of resources (`rdf:type`), for questions whose answer item types are said nowhere.

use std::sync::Arc;

use indexmap::IndexSet;
use oxigraph::model::Term;

use crate::profiles::Profile;
use crate::references::classes::Classes;
use crate::references::links::{Links, resource_key};
use crate::references::row_index::RowIndex;
use crate::references::statements::StatementSet;

/// The `rdf:type` statements of several files, by what all spellings of a resource have in common.
#[derive(Debug)]
pub struct Types {
    by_resource: RowIndex,
}

/// How the classes of a resource are found: what a profile says, and what is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Typing<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) links: Option<&'a Links>,
    pub(crate) types: &'a Types,
    /// The hierarchy: with it only the most specific classes of a resource count.
    pub(crate) classes: Option<&'a Classes>,
    /// The classes that say nothing.
    pub(crate) ignored: &'a [String],
}

impl Types {
    /// Puts type sets together. Resources are compared as the profile and the links say.
    pub fn of(
        sets: impl IntoIterator<Item = Arc<StatementSet>>,
        profile: &Profile,
        links: Option<&Links>,
    ) -> Self {
        let enabled = |name: &str| profile.normalises(name);
        // Statements about one resource follow each other in most files.
        let mut last: Option<(String, String)> = None;
        let by_resource = RowIndex::new(sets, |statement| {
            let known = last.take().filter(|(subject, _)| subject == statement.subject);
            let known = known.unwrap_or_else(|| {
                let key = resource_key(statement.subject, &enabled, links).into_owned();
                (statement.subject.to_owned(), key)
            });
            Some(last.insert(known).1.clone())
        });
        Self { by_resource }
    }
}

impl<'a> Typing<'a> {
    /// The classes of a resource that say something, in the order of the files.
    pub(crate) fn classes(&self, resource: &str) -> Vec<&'a str> {
        let enabled = |name: &str| self.profile.normalises(name);
        let key = |iri: &str| resource_key(iri, &enabled, self.links).into_owned();
        let wanted = key(resource);
        let is_wanted = |subject: &str| subject == resource || key(subject) == wanted;
        let mut classes: IndexSet<&str> = IndexSet::new();
        for (_, statement) in self.types.by_resource.find(&wanted) {
            let Term::NamedNode(class) = statement.object else { continue };
            let says_something = !self.ignored.iter().any(|ignored| ignored == class.as_str());
            if says_something && is_wanted(statement.subject) {
                classes.insert(class.as_str());
            }
        }
        let classes: Vec<&str> = classes.into_iter().collect();
        match self.classes {
            Some(hierarchy) => hierarchy.most_specific(&classes),
            None => classes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::vocab::rdf;

    #[test]
    fn classes_of_all_spellings_in_the_order_of_the_files() {
        let row = |(resource, class): &(&str, &str)| {
            let class = oxigraph::model::NamedNode::new_unchecked(*class);
            ((*resource).to_owned(), rdf::TYPE, Term::from(class))
        };
        let set = |rows: &[(&str, &str)]| {
            Arc::new(StatementSet { rows: rows.iter().map(row).collect(), ..StatementSet::default() })
        };
        let sets = [
            set(&[("http://x/a", "http://c/2"), ("https://x/a", "http://c/1"), ("http://x/b", "http://c/3")]),
            set(&[("http://x/a", "http://c/1"), ("http://x/a", "http://c/everything")]),
        ];
        let profile = Profile::find("qassay").unwrap();
        let types = Types::of(sets, &profile, None);
        let ignored = ["http://c/everything".to_owned()];
        let typing =
            Typing { profile: &profile, links: None, types: &types, classes: None, ignored: &ignored };
        assert_eq!(typing.classes("https://x/a"), ["http://c/2", "http://c/1"]);
        assert_eq!(typing.classes("http://x/b"), ["http://c/3"]);
        assert_eq!(typing.classes("http://x/c"), Vec::<&str>::new());
    }

    /// Looking each class up among the others would be 10^10 comparisons: the test would not end.
    #[test]
    fn very_many_classes_of_one_resource() {
        let classes: Vec<String> = (0..100_000).map(|number| format!("http://c/{number}")).collect();
        let term = |class: &String| Term::from(oxigraph::model::NamedNode::new_unchecked(class));
        let twice = classes.iter().chain(&classes);
        let rows = twice.map(|class| ("http://x/a".to_owned(), rdf::TYPE, term(class))).collect();
        let sets = [Arc::new(StatementSet { rows, ..StatementSet::default() })];
        let profile = Profile::find("qassay").unwrap();
        let types = Types::of(sets, &profile, None);
        let typing = Typing { profile: &profile, links: None, types: &types, classes: None, ignored: &[] };
        assert_eq!(typing.classes("https://x/a"), classes);
    }
}
