//! What is said of a protocol, each statement read once: what nobody reads is an error.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::time::Duration;

use oxigraph::model::Term;
use oxsdatatypes::DayTimeDuration;
use reqwest::Url;
use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::base::vocab::{code, qassay, skos};
use crate::profiles::ontology::{Facts, property};
use crate::systems::page::PageSelection;
use crate::systems::pointer::Pointers;
use crate::systems::template::{Template, is_of_one_line};
use crate::systems::times::time_of;

/// What is said of one subject.
#[derive(Debug)]
pub(crate) struct StatedProtocol<'f> {
    facts: &'f Facts,
    subject: &'f str,
    read: RefCell<BTreeSet<String>>,
}

impl<'f> StatedProtocol<'f> {
    pub(crate) fn new(facts: &'f Facts, subject: &'f str) -> Self {
        // Whoever collects the statements has followed it.
        let followed = BTreeSet::from([property("like")]);
        Self { facts, subject, read: RefCell::new(followed) }
    }

    /// The objects of a property.
    fn objects(&self, property: &str) -> impl Iterator<Item = &'f Term> {
        self.read.borrow_mut().insert(property.to_owned());
        self.facts.all(self.subject, property)
    }

    /// The literals of a property of ours.
    pub(crate) fn texts(&self, local: &str) -> Result<Vec<String>> {
        let property = property(local);
        let objects = self.objects(&property);
        objects
            .map(|term| match term {
                Term::Literal(literal) => Ok(literal.value().to_owned()),
                other => Err(self.wrong(local, &other.to_string()).allowed("a text in quotes")),
            })
            .collect()
    }

    /// The one literal of a property of ours.
    pub(crate) fn text(&self, local: &str) -> Result<Option<String>> {
        let texts = self.texts(local)?;
        if let [_, second, ..] = texts.as_slice() {
            return Err(self.wrong(local, &format!("{second:?}")).allowed("one value"));
        }
        Ok(texts.into_iter().next())
    }

    /// What a reader makes of a literal.
    fn parsed<T>(&self, local: &str, allowed: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>> {
        let text = self.text(local)?;
        let read = |text: String| {
            parse(&text).ok_or_else(|| self.wrong(local, &format!("{text:?}")).allowed(allowed))
        };
        text.map(read).transpose()
    }

    /// An address of the web.
    pub(crate) fn address(&self, local: &str) -> Result<Option<Url>> {
        let address =
            |text: &str| Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        self.parsed(local, "an address that begins with http:// or https://", address)
    }

    /// What must be said.
    pub(crate) fn needed<T>(
        &self,
        local: &str,
        read: impl Fn(&Self, &str) -> Result<Option<T>>,
    ) -> Result<T> {
        read(self, local)?.ok_or_else(|| self.missing(local))
    }

    fn annotation(&self, property: &str, what: &str) -> Result<String> {
        let literal = |term: &Term| match term {
            Term::Literal(literal) => Some(literal.value().to_owned()),
            _ => None,
        };
        let mut found = self.objects(property).filter_map(literal);
        found.next().ok_or_else(|| Error::input(format!("<{}> has no {what}", self.subject)))
    }

    /// Its short name.
    pub(crate) fn name(&self) -> Result<String> {
        let name = self.annotation(skos::NOTATION, "name (skos:notation)")?;
        if name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
            return Ok(name);
        }
        Err(Error::input(format!("<{}> has the name (skos:notation) {name:?}", self.subject))
            .allowed("small letters, digits, `-`"))
    }

    /// Its title.
    pub(crate) fn title(&self) -> Result<String> {
        self.annotation(skos::PREF_LABEL, "title (skos:prefLabel)")
    }

    /// What one should know of it.
    pub(crate) fn definition(&self) -> Result<String> {
        self.annotation(skos::DEFINITION, "definition (skos:definition)")
    }

    pub(crate) fn pointers(&self, local: &str) -> Result<Option<Pointers>> {
        let text = self.text(local)?;
        text.map(|text| Pointers::parse(&text).map_err(|error| self.of(error, local))).transpose()
    }

    /// Places with their texts.
    pub(crate) fn all_pointers(&self, local: &str) -> Result<Vec<(String, Pointers)>> {
        let read = |text: String| match Pointers::parse(&text) {
            Ok(pointers) => Ok((text, pointers)),
            Err(error) => Err(self.of(error, local)),
        };
        self.texts(local)?.into_iter().map(read).collect()
    }

    /// Elements of a page.
    pub(crate) fn selection(&self, local: &str) -> Result<Option<PageSelection>> {
        let text = self.text(local)?;
        text.map(|text| PageSelection::parse(&text).map_err(|error| self.of(error, local))).transpose()
    }

    pub(crate) fn template(&self, local: &str) -> Result<Option<Template>> {
        Ok(self.text(local)?.map(|text| Template::parse(&text)))
    }

    /// Fields of a form: `name=value&…`, split before places are filled.
    pub(crate) fn fields(&self, local: &str) -> Result<Option<Vec<(Template, Template)>>> {
        self.parsed(local, "name=value, further ones after `&`", |text| {
            let field = |field: &str| {
                let (name, value) = field.split_once('=')?;
                (!name.is_empty()).then(|| (Template::parse(name), Template::parse(value)))
            };
            text.split('&').map(field).collect()
        })
    }

    pub(crate) fn json(&self, local: &str) -> Result<Option<Value>> {
        self.parsed(local, "JSON, with places within its texts", |text| serde_json::from_str(text).ok())
    }

    /// Headers: `Name: value`.
    pub(crate) fn headers(&self) -> Result<Vec<(String, Template)>> {
        let allowed = "`Name: value`, without line breaks and other control characters";
        let read = |text: String| {
            let header = text.split_once(':').filter(|(name, _)| {
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            });
            header
                .map(|(name, value)| (name.to_owned(), value.trim()))
                .filter(|(_, value)| is_of_one_line(value))
                .map(|(name, value)| (name, Template::parse(value)))
                .ok_or_else(|| self.wrong("header", &format!("{text:?}")).allowed(allowed))
        };
        self.texts("header")?.into_iter().map(read).collect()
    }

    /// Media types of replies. Nobody fills places in them.
    pub(crate) fn accept(&self) -> Result<Option<String>> {
        self.parsed("accept", "media types, without places", |text| {
            let is_plain = Template::parse(text).places().next().is_none() && is_of_one_line(text);
            is_plain.then(|| text.to_owned())
        })
    }

    /// Settings: `name=value`.
    pub(crate) fn settings(&self) -> Result<BTreeMap<String, String>> {
        let read = |text: String| match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
            _ => Err(self.wrong("setting", &format!("{text:?}")).allowed("name=value")),
        };
        self.texts("setting")?.into_iter().map(read).collect()
    }

    /// Conditions: `/place=value`.
    pub(crate) fn conditions(&self, local: &str) -> Result<Vec<(Pointers, String)>> {
        let read = |text: String| {
            let (place, value) = text.rsplit_once('=').ok_or_else(|| {
                self.wrong(local, &format!("{text:?}")).allowed("a place, `=` and a text: /error/code=quota")
            })?;
            let place = Pointers::parse(place).map_err(|error| self.of(error, local))?;
            Ok((place, value.to_owned()))
        };
        self.texts(local)?.into_iter().map(read).collect()
    }

    pub(crate) fn duration(&self, local: &str) -> Result<Option<Duration>> {
        let allowed = "a time from PT0S to P31D, such as \"PT1.5S\"^^xsd:dayTimeDuration";
        self.parsed(local, allowed, |text| {
            time_of(DayTimeDuration::from_str(text).ok()?.as_seconds().to_string().parse().ok()?)
        })
    }

    /// A time in which something can happen.
    pub(crate) fn limit(&self, local: &str) -> Result<Option<Duration>> {
        match self.duration(local)? {
            Some(Duration::ZERO) => Err(self.wrong(local, "0").allowed("more than 0")),
            limit => Ok(limit),
        }
    }

    pub(crate) fn integer(&self, local: &str) -> Result<Option<u32>> {
        self.parsed(local, "a whole number from 0 on", |text| text.parse().ok())
    }

    pub(crate) fn decimal(&self, local: &str) -> Result<Option<f64>> {
        self.parsed(local, "a number", |text| text.parse().ok().filter(|number: &f64| number.is_finite()))
    }

    pub(crate) fn boolean(&self, local: &str) -> Result<Option<bool>> {
        self.parsed(local, "true, false", |text| text.parse().ok())
    }

    pub(crate) fn one_of(&self, local: &str, allowed: &[&'static str]) -> Result<Option<&'static str>> {
        let find = |text: &str| allowed.iter().copied().find(|known| *known == text);
        self.parsed(local, &allowed.join(", "), find)
    }

    /// The one concept of a property of ours, by its local name.
    pub(crate) fn code(&self, local: &str, allowed: &[&'static str]) -> Result<Option<&'static str>> {
        let mut found = self.codes(local, allowed)?.into_iter();
        match (found.next(), found.next()) {
            (_, Some(second)) => Err(self.wrong(local, &format!("code:{second}")).allowed("one value")),
            (found, None) => Ok(found),
        }
    }

    fn codes(&self, local: &str, allowed: &[&'static str]) -> Result<Vec<&'static str>> {
        let property = property(local);
        let read = |term: &Term| {
            let name = match term {
                Term::NamedNode(node) => node.as_str().strip_prefix(code::NAMESPACE),
                _ => None,
            };
            let known = name.and_then(|name| allowed.iter().copied().find(|known| *known == name));
            let list = allowed.iter().map(|known| format!("code:{known}")).collect::<Vec<_>>().join(", ");
            known.ok_or_else(|| self.wrong(local, &term.to_string()).allowed(list))
        };
        self.objects(&property).map(read).collect()
    }

    /// The rules that are named, in the order of all rules.
    pub(crate) fn rules<R: Copy>(
        &self,
        local: &str,
        all: &[R],
        name: impl Fn(R) -> &'static str,
    ) -> Result<Vec<R>> {
        let names: Vec<&'static str> = all.iter().map(|rule| name(*rule)).collect();
        let wanted = self.codes(local, &names)?;
        Ok(all.iter().copied().filter(|rule| wanted.contains(&name(*rule))).collect())
    }

    /// An error where something is said that nobody reads.
    pub(crate) fn nothing_is_left(&self) -> Result<()> {
        let read = self.read.borrow();
        let said = self.facts.statements(self.subject).into_iter().flatten().map(|(said, _)| said);
        // What others say of it, in vocabularies of their own, does no harm.
        let ours = said.filter(|said| said.starts_with(qassay::NAMESPACE));
        match ours.into_iter().find(|said| !read.contains(*said)) {
            None => Ok(()),
            Some(said) => {
                let known = read.iter().filter_map(|known| known.strip_prefix(qassay::NAMESPACE));
                Err(Error::input(format!("<{}> has a <{said}>, which no protocol has", self.subject))
                    .allowed(known.collect::<Vec<_>>().join(", ")))
            }
        }
    }

    pub(crate) fn missing(&self, local: &str) -> Error {
        Error::input(format!("<{}> has no qassay:{local}", self.subject))
    }

    pub(crate) fn both(&self, one: &str, other: &str) -> Error {
        Error::input(format!("<{}> has a qassay:{one} and a qassay:{other}", self.subject))
            .allowed("one of them")
    }

    fn wrong(&self, local: &str, value: &str) -> Error {
        Error::input(format!("<{}> has the qassay:{local} {value}", self.subject))
    }

    fn of(&self, error: Error, local: &str) -> Error {
        error.at(format!("qassay:{local} of <{}>", self.subject))
    }
}
