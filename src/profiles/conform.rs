//! Whether what a user's profile says is something that profiles can say. What would be passed over, or what no profile
//! was ever tried with, is an error.
//!
//! `ontology/qassay.ttl` says what kind of thing a property is for, what its values are, and whether one counts; the
//! built-in profiles, which choices there are.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Term;

use crate::base::error::{Error, Result};
use crate::base::text::first;
use crate::base::vocab::{code, owl, qassay, rdf, rdfs, skos};
use crate::profiles::built_in;
use crate::profiles::ontology::{Facts, groups, property, terms};

/// How many names an error lists.
const MOST_NAMED: usize = 20;

/// An error where a file says what would be passed over. `derived` is all that follows from it.
pub(crate) fn conforms(own: &Facts, derived: &Facts) -> Result<()> {
    let model = Grammar::new();
    // Sets stand for their members wherever they are named.
    let subjects = || own.subjects().filter(|subject| !derived.is_a(subject, skos::COLLECTION));
    for subject in subjects() {
        for said in own.statements(subject).into_iter().flatten().map(|(property, _)| property) {
            Said { subject, property: said, values: derived.all(subject, said).collect() }
                .check(&model, derived)?;
        }
    }
    subjects().try_for_each(|subject| model.check_reading(derived, subject))?;
    check_used(own, derived)
}

/// What built-in profiles, rules and steps say.
struct Grammar {
    /// The values of each property.
    taken: BTreeMap<&'static str, BTreeSet<&'static str>>,
    /// The experiment types with what their rules read.
    readings: BTreeSet<(&'static str, &'static str)>,
}

impl Grammar {
    fn new() -> Self {
        let facts = &built_in().derived;
        let mut taken: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (_, property, value) in facts.triples() {
            taken.entry(property).or_default().insert(node(value));
        }
        Self { taken, readings: facts.subjects().filter_map(|rules| reading(facts, rules)).collect() }
    }

    /// The values of a property.
    fn values(&self, property: &str) -> impl Iterator<Item = &'static str> {
        self.taken.get(property).into_iter().flatten().copied()
    }

    /// Whether they are of a class.
    fn has_class(&self, class: &str) -> bool {
        self.taken.get(rdf::TYPE).is_some_and(|classes| classes.contains(class))
    }

    /// Whether a property is for a thing: for all that profiles consist of, or for a class that the thing has.
    fn is_for(&self, derived: &Facts, subject: &str, property: &str) -> bool {
        self.taken.contains_key(property)
            && terms().text(property, rdfs::DOMAIN).is_none_or(|class| derived.is_a(subject, class))
    }

    /// An error where rules read what no rules of the experiment type read.
    fn check_reading(&self, derived: &Facts, rules: &str) -> Result<()> {
        let Some((experiment, reading)) = reading(derived, rules) else { return Ok(()) };
        if self.readings.contains(&(experiment, reading)) {
            return Ok(());
        }
        let possible = self.readings.iter().filter(|(known, _)| *known == experiment);
        let possible = possible.map(|(_, reading)| short(reading));
        let (experiment, reading) = (short(experiment), short(reading));
        Err(Error::input(format!(
            "the rules <{rules}> of {experiment} have the qassay:answerReading {reading}"
        ))
        .allowed(first(possible, MOST_NAMED)))
    }
}

/// What is said of a thing with a property.
struct Said<'f> {
    subject: &'f str,
    property: &'f str,
    values: Vec<&'f Term>,
}

impl Said<'_> {
    /// An error where the property is of no profile or of something else, where a value is of another kind or none that
    /// there is, or where there are several and one counts. What no profile is read for is nobody's business.
    fn check(&self, model: &Grammar, derived: &Facts) -> Result<()> {
        if self.property == rdf::TYPE {
            let classes = || model.values(rdf::TYPE).collect();
            return self.check_values("no class of profiles", |class| model.has_class(class), classes);
        }
        if !self.property.starts_with(qassay::NAMESPACE) {
            return Ok(());
        }
        if !model.is_for(derived, self.subject, self.property) {
            return Err(self.misplaced(model, derived));
        }
        self.check_form()?;
        let range = terms().text(self.property, rdfs::RANGE).unwrap_or_default();
        let taken = || model.values(self.property);
        if range == skos::CONCEPT && self.counts_once() {
            let is_taken = |value: &str| taken().any(|taken| taken == value);
            self.check_values("nothing that profiles choose", is_taken, || taken().collect())
        } else if range == skos::CONCEPT {
            let is_alike = |value: &str| {
                scheme(value).is_some_and(|scheme| taken().any(|one| self::scheme(one) == Some(scheme)))
            };
            let all = || [terms(), groups()].into_iter().flat_map(Facts::subjects);
            self.check_values("unknown", is_alike, || all().filter(|one| is_alike(one)).collect())
        } else if model.has_class(range) {
            let is_one = |value: &str| derived.is_a(value, range);
            let all = || derived.subjects().filter(|subject| is_one(subject)).collect();
            self.check_values(&format!("no {}", short(range)), is_one, all)
        } else {
            Ok(())
        }
    }

    /// An error where a value is a text in place of an IRI, or where one counts and there are more.
    fn check_form(&self) -> Result<()> {
        let others = self.values.iter().filter(|value| **value != self.values[0]).count();
        if others > 0 && self.counts_once() {
            return Err(Error::input(format!("{self} has {} values, and one counts", others + 1)));
        }
        let literal = self.values.iter().find(|value| value.is_literal());
        match literal.filter(|_| terms().is_a(self.property, owl::OBJECT_PROPERTY)) {
            Some(literal) => Err(Error::input(format!("{self} is a text: {literal}")).allowed("an IRI")),
            None => Ok(()),
        }
    }

    fn counts_once(&self) -> bool {
        terms().is_a(self.property, owl::FUNCTIONAL_PROPERTY)
    }

    /// An error where a value is none of the known ones. They are listed where there is one.
    fn check_values<'k>(
        &self,
        what: &str,
        is_known: impl Fn(&str) -> bool,
        known: impl FnOnce() -> BTreeSet<&'k str>,
    ) -> Result<()> {
        let stranger = self.values.iter().find(|value| !is_known(node(value)));
        stranger.map_or(Ok(()), |stranger| {
            Err(Error::input(format!("{self} is {what}: {stranger}"))
                .allowed(first(known().into_iter().map(short), MOST_NAMED)))
        })
    }

    fn misplaced(&self, model: &Grammar, derived: &Facts) -> Error {
        let (subject, name) = (self.subject, short(self.property));
        let possible = model.taken.keys().filter(|property| model.is_for(derived, subject, property));
        let possible: Vec<&str> =
            possible.filter_map(|property| property.strip_prefix(qassay::NAMESPACE)).collect();
        let error = |why: &str| {
            Error::input(format!("<{subject}> says {name}, which {why}")).allowed(possible.join(", "))
        };
        match terms().text(self.property, rdfs::DOMAIN).filter(|_| model.taken.contains_key(self.property)) {
            Some(class) => error("is for something else").hint(format!(
                "it is for a {0}: for what is qassay:basedOn one, or says `a {0}`",
                short(class)
            )),
            None => error("no profile has"),
        }
    }
}

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the {} of <{}>", short(self.property), self.subject)
    }
}

/// The scheme that a concept is in.
fn scheme(concept: &str) -> Option<&'static str> {
    [terms(), groups()].into_iter().find_map(|facts| facts.text(concept, skos::IN_SCHEME))
}

/// The experiment type of rules, and what they read.
fn reading<'f>(facts: &'f Facts, rules: &str) -> Option<(&'f str, &'f str)> {
    let [experiment, reading] = ["experimentType", "answerReading"].map(property);
    facts.text(rules, &experiment).zip(facts.text(rules, &reading))
}

/// An error where no profile leads to something.
fn check_used(own: &Facts, derived: &Facts) -> Result<()> {
    let all = own.triples().chain(derived.triples());
    let of_others = all.filter(|(subject, _, object)| node(object) != *subject);
    let named: BTreeSet<&str> = of_others.map(|(_, _, object)| node(object)).collect();
    let is_used = |subject: &&str| derived.is_a(subject, qassay::METRIC_POLICY) || named.contains(subject);
    own.subjects().find(|subject| !is_used(subject)).map_or(Ok(()), |subject| {
        Err(Error::input(format!("no profile leads to <{subject}>"))
            .allowed("profiles, their qassay:experimentRules, and sets that they name"))
    })
}

/// The IRI of a term; nothing where it is none.
fn node(term: &Term) -> &str {
    match term {
        Term::NamedNode(node) => node.as_str(),
        _ => "",
    }
}

/// An IRI as people write it.
fn short(iri: &str) -> String {
    let prefixes = [("qassay", qassay::NAMESPACE), ("code", code::NAMESPACE), ("rdf", rdf::NAMESPACE)];
    let known =
        prefixes.into_iter().find_map(|(prefix, base)| Some(format!("{prefix}:{}", iri.strip_prefix(base)?)));
    known.unwrap_or_else(|| format!("<{iri}>"))
}
