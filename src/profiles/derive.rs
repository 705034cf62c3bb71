//! What is based on something: a profile that says only what differs from another; and sets of measures and groups.
//!
//! A thing has all statements of what it is based on, property by property, but for the properties that it states
//! itself. What stands below the IRI of the base (`…/qassay/1/QA`) becomes what stands below the own one
//! (`…/qassay/2/QA`), and is based on that. Where a set stands (`skos:Collection`), its members stand in their order.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::{NamedNode, Term};

use crate::base::error::{Error, Result};
use crate::base::vocab::skos;
use crate::profiles::ontology::{Description, Facts, property};

/// What is written, with all that follows from what things are based on.
pub(crate) fn derived(written: &Facts) -> Result<Facts> {
    derived_within(written, MOST_MEMBERS)
}

/// The same, with so many objects from bases at most.
fn derived_within(written: &Facts, most: usize) -> Result<Facts> {
    let mut derivation = Derivation {
        written,
        based_on: property("basedOn"),
        done: Facts::default(),
        at_work: BTreeSet::new(),
        depth: 0,
        taken: 0,
        most,
    };
    for subject in written.subjects() {
        derivation.derive(subject, None)?;
    }
    Sets { written, within: Vec::new(), seen: 0 }.replaced(&derivation.done)
}

struct Derivation<'a> {
    written: &'a Facts,
    based_on: String,
    done: Facts,
    /// What waits for its base: none may be its own.
    at_work: BTreeSet<String>,
    /// How many things wait for each other.
    depth: usize,
    /// How many objects were taken from bases, and how many may be.
    taken: usize,
    most: usize,
}

/// The most things that are based on each other, or in each other, in a row. What never ends would.
const DEEPEST: usize = 100;

/// The most objects of all statements together, with the members of sets in place of the sets.
const MOST_MEMBERS: usize = 1_000_000;

impl Derivation<'_> {
    /// Adds what a thing says and what it has of its base: of the one that it names, else of the given one.
    fn derive(&mut self, subject: &str, base: Option<&str>) -> Result<()> {
        if base.is_none() && self.done.statements(subject).is_none() {
            self.derive_above(subject)?;
        }
        if self.done.statements(subject).is_some() {
            return Ok(());
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::input(format!("<{subject}> is based on more than {DEEPEST} things in a row")));
        }
        if !self.at_work.insert(subject.to_owned()) {
            return Err(Error::input(format!("<{subject}> is based on itself")));
        }
        let base = self.written.text(subject, &self.based_on).or(base).map(str::to_owned);
        let mut statements = self.written.statements(subject).cloned().unwrap_or_default();
        let mut parts = BTreeMap::new();
        if let Some(base) = &base {
            self.derive(base, None)?;
            self.inherit(base, subject, &mut statements, &mut parts)?;
        }
        self.done.insert(subject, statements);
        self.at_work.remove(subject);
        parts.into_iter().try_for_each(|(part, base)| self.derive(&part, Some(&base)))?;
        self.depth -= 1;
        Ok(())
    }

    /// What stands above a thing comes first: it may say what the thing is based on.
    fn derive_above(&mut self, subject: &str) -> Result<()> {
        let above = subject.match_indices('/').map(|(at, _)| &subject[..at]);
        let written = above.filter(|above| self.written.statements(above).is_some());
        let waiting: Vec<&str> = written.filter(|above| !self.at_work.contains(*above)).collect();
        waiting.into_iter().try_for_each(|above| self.derive(above, None))
    }

    /// Adds the statements of a base with other properties, and says which parts are based on which.
    fn inherit(
        &mut self,
        base: &str,
        subject: &str,
        statements: &mut Description,
        parts: &mut BTreeMap<String, String>,
    ) -> Result<()> {
        let inherited =
            self.done.statements(base).filter(|inherited| !inherited.is_empty()).ok_or_else(|| {
                Error::input(format!("nothing is said of <{base}>, which <{subject}> is based on"))
                    .hint("`qassay profiles NAME` tells the IRI of a built-in profile")
            })?;
        let others = inherited.iter().filter(|(predicate, _)| **predicate != self.based_on);
        for (predicate, objects) in others {
            if statements.contains_key(predicate) {
                continue;
            }
            let own = |object: &Term| {
                let Some(rest) = below(object, base) else { return object.clone() };
                let own = format!("{subject}{rest}");
                parts.insert(own.clone(), format!("{base}{rest}"));
                NamedNode::new_unchecked(own).into()
            };
            self.taken += objects.len();
            if self.taken > self.most {
                return Err(Error::input(format!(
                    "more than {} statements follow from what things are based on",
                    self.most
                )));
            }
            statements.insert(predicate.clone(), objects.iter().map(own).collect());
        }
        Ok(())
    }
}

/// What stands behind an IRI in one that stands below it.
fn below<'a>(object: &'a Term, above: &str) -> Option<&'a str> {
    let Term::NamedNode(node) = object else { return None };
    node.as_str().strip_prefix(above).filter(|rest| rest.starts_with('/'))
}

/// Puts the members of sets in place of the sets. Sets themselves stay as they are.
struct Sets<'a> {
    written: &'a Facts,
    /// The sets that are looked at, each in the one before.
    within: Vec<String>,
    /// How many objects and members were looked at.
    seen: usize,
}

impl Sets<'_> {
    fn replaced(&mut self, facts: &Facts) -> Result<Facts> {
        let mut all = Facts::default();
        for subject in facts.subjects() {
            let mut statements = facts.statements(subject).cloned().unwrap_or_default();
            if !self.written.is_a(subject, skos::COLLECTION) {
                for objects in statements.values_mut() {
                    let mut found = Vec::new();
                    objects.iter().try_for_each(|object| self.add(object, &mut found))?;
                    *objects = found;
                }
            }
            all.insert(subject, statements);
        }
        Ok(all)
    }

    /// Adds an object, or the members of the set that it is.
    fn add(&mut self, object: &Term, found: &mut Vec<Term>) -> Result<()> {
        self.seen += 1;
        if self.seen > MOST_MEMBERS {
            return Err(Error::input(format!("the sets stand for more than {MOST_MEMBERS} members")));
        }
        let set = match object {
            Term::NamedNode(node) if self.written.is_a(node.as_str(), skos::COLLECTION) => node.as_str(),
            _ => {
                found.push(object.clone());
                return Ok(());
            }
        };
        if self.within.iter().any(|within| within == set) {
            return Err(Error::input(format!("the set <{set}> has itself as a member")));
        }
        if self.within.len() == DEEPEST {
            return Err(Error::input(format!("the set <{set}> is in more than {DEEPEST} others")));
        }
        self.within.push(set.to_owned());
        let written = self.written;
        written.all(set, skos::MEMBER).try_for_each(|member| self.add(member, found))?;
        self.within.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIXES: &str = "@prefix qassay: <https://w3id.org/qassay/ns#> . @prefix e: <http://e/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n";

    fn written(text: &str) -> Facts {
        Facts::parse(&[PREFIXES, text].concat()).unwrap()
    }

    /// `predicate object, object` of a subject, one predicate a line.
    fn said(facts: &Facts, subject: &str) -> String {
        let short = |text: &str| text.rsplit(['/', '#']).next().unwrap().to_owned();
        let statements = facts.statements(subject).unwrap();
        let line = |(predicate, objects): (&String, &Vec<Term>)| {
            let objects: Vec<String> =
                objects.iter().map(|object| object.to_string().replace("http://e/", "")).collect();
            format!("{} {}", short(predicate), objects.join(", "))
        };
        statements.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_is_stated_replaces_what_the_base_says() {
        let facts = derived(&written(
            "<http://e/b> qassay:basedOn e:a ; e:p e:x . e:a e:p e:y , e:z ; e:q e:y ; e:r e:a\\/1 .
             e:a\\/1 e:p 1 ; e:q 2 . e:b\\/1 e:q 3 . e:c qassay:basedOn e:b\\/1 ; e:r 4 .",
        ));
        let facts = facts.unwrap();
        insta::assert_snapshot!(said(&facts, "http://e/b"), @r"
        p <x>
        q <y>
        r <b/1>
        basedOn <a>
        ");
        insta::assert_snapshot!(said(&facts, "http://e/b/1"), @r#"
        p "1"^^<http://www.w3.org/2001/XMLSchema#integer>
        q "3"^^<http://www.w3.org/2001/XMLSchema#integer>
        "#);
        insta::assert_snapshot!(said(&facts, "http://e/c"), @r#"
        p "1"^^<http://www.w3.org/2001/XMLSchema#integer>
        q "3"^^<http://www.w3.org/2001/XMLSchema#integer>
        r "4"^^<http://www.w3.org/2001/XMLSchema#integer>
        basedOn <b/1>
        "#);
    }

    #[test]
    fn sets_stand_for_their_members() {
        let facts = derived(&written(
            "e:s a skos:Collection ; skos:member e:b , e:t . e:t a skos:Collection ; skos:member e:c .
             e:x qassay:measure e:a , e:s , e:d .",
        ));
        let facts = facts.unwrap();
        assert_eq!(said(&facts, "http://e/x"), "measure <a>, <b>, <c>, <d>");
        assert!(said(&facts, "http://e/s").contains("member <b>, <t>"));
    }

    #[test]
    fn what_leads_nowhere_is_an_error() {
        for (text, told) in [
            ("e:a qassay:basedOn e:b . e:b qassay:basedOn e:a .", "is based on itself"),
            ("e:a qassay:basedOn e:a .", "is based on itself"),
            ("e:a qassay:basedOn e:b .", "nothing is said of <http://e/b>"),
            ("e:s a skos:Collection ; skos:member e:s . e:a qassay:measure e:s .", "has itself as a member"),
            (
                "e:b qassay:p <http://e/b/c> . <http://e/b/c> qassay:basedOn e:b .",
                "more than 100 things in a row",
            ),
        ] {
            let error = derived(&written(text)).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn parts_that_double_with_each_base_are_an_error() {
        let line = |at: usize| {
            let iri = format!("http://e/a{}", at + 1);
            format!(
                "<{iri}> <{iri}/p> <{iri}/b> , <{iri}/c> . <{iri}/b> qassay:basedOn e:a{at} . <{iri}/c> qassay:basedOn e:a{at} ."
            )
        };
        let written = written(&format!("e:a0 e:p 1 . {}", (0..26).map(line).collect::<String>()));
        let told = derived_within(&written, 10_000).unwrap_err().to_string();
        assert!(told.contains("more than 10000 statements follow"), "{told}");
    }

    #[test]
    fn what_grows_without_end_is_an_error() {
        let told = |line: &dyn Fn(usize) -> String| {
            let lines: String = (0..200).map(line).collect();
            derived(&written(&format!("e:a200 qassay:p 1 . e:x qassay:measure e:a0 . {lines}"))).unwrap_err()
        };
        let chain = told(&|at| format!("e:a{at} qassay:basedOn e:a{} .", at + 1));
        assert!(chain.to_string().contains("more than 100 things in a row"), "{chain}");
        let nested = told(&|at| format!("e:a{at} a skos:Collection ; skos:member e:a{} .", at + 1));
        assert!(nested.to_string().contains("is in more than 100 others"), "{nested}");
        let sets = |at: usize| {
            let next = at + 1;
            format!(
                "e:a{at} a skos:Collection ; skos:member e:a{next} , e:b{next} . e:b{at} a skos:Collection ; skos:member e:a{next} , e:b{next} ."
            )
        };
        let written =
            written(&format!("e:x qassay:measure e:a0 . {}", (0..40).map(sets).collect::<String>()));
        let doubled = derived(&written).unwrap_err().to_string();
        assert!(doubled.contains("more than 1000000 members"), "{doubled}");
    }
}
