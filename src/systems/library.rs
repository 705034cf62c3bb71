//! The protocols there are: built-in ones, and those of a user's own file.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use oxigraph::model::Term;

use crate::base::error::{Error, Result};
use crate::base::iri::DEFAULT_BASE;
use crate::base::vocab::{rdf, skos};
use crate::profiles::ontology::{Facts, property, systems};
use crate::sources::file::source::Source;
use crate::sources::file::text::without_mark;
use crate::systems::description::Protocol;

/// The built-in protocols.
fn built_in() -> &'static [Protocol] {
    static BUILT_IN: OnceLock<Vec<Protocol>> = OnceLock::new();
    BUILT_IN.get_or_init(|| {
        read(systems(), |_| true).expect("the embedded protocols can be read: a test reads them")
    })
}

impl Protocol {
    /// All built-in protocols, by their IRIs.
    pub fn all() -> &'static [Self] {
        built_in()
    }

    /// The built-in protocol with this name.
    ///
    /// # Errors
    /// Where there is none.
    pub fn named(name: &str) -> Result<&'static Self> {
        Self::all().iter().find(|protocol| protocol.name == name).ok_or_else(|| {
            let names: Vec<&str> = Self::all().iter().map(|protocol| protocol.name.as_str()).collect();
            Error::input(format!("there is no protocol `{name}`"))
                .allowed(names.join(", "))
                .hint("`qassay systems` lists them; `⌥description FILE` reads one of your own")
        })
    }

    /// The protocols of a file of Turtle. They may be like built-in ones (`qassay:like`).
    ///
    /// # Errors
    /// Where the file is no Turtle or has no protocol; where a protocol is incomplete or says what none can say.
    pub fn of_file(source: &Source) -> Result<Vec<Self>> {
        let read = || {
            let text = std::str::from_utf8(without_mark(source.content()));
            Self::of_turtle(text.map_err(|_| Error::input("the Turtle is no UTF-8"))?)
        };
        read().map_err(|error| error.in_file(source.name()))
    }

    /// The protocol that [`Self::as_triples`] wrote down.
    ///
    /// # Errors
    /// Where these are no statements of one protocol, or say what none can say.
    pub fn of_triples(text: &str) -> Result<Self> {
        let facts = Facts::parse(text)?;
        let subject = facts.subjects().next();
        let subject = subject.ok_or_else(|| Error::input("there is no protocol among the statements"))?;
        Self::read(&facts, subject)
    }

    fn of_turtle(text: &str) -> Result<Vec<Self>> {
        let own = Facts::parse(text)?;
        if let Some(subject) = own.subjects().find(|subject| subject.starts_with(DEFAULT_BASE)) {
            return Err(Error::input(format!("<{subject}> is built in, or could be"))
                .allowed(format!("protocols with IRIs of your own, not below {DEFAULT_BASE}")));
        }
        let mut all = systems().clone();
        for subject in own.subjects() {
            all.insert(subject, own.statements(subject).cloned().unwrap_or_default());
        }
        let protocols = read(&all, |iri| own.statements(iri).is_some())?;
        if protocols.is_empty() {
            return Err(Error::input("there is no protocol in this file")
                .allowed("Turtle with something that is a qassay:Protocol, or qassay:like one")
                .hint("`qassay systems` lists the built-in ones"));
        }
        Ok(protocols)
    }
}

/// The protocols among facts.
fn read(facts: &Facts, wanted: impl Fn(&str) -> bool) -> Result<Vec<Protocol>> {
    let is_protocol =
        |iri: &&str| facts.is_a(iri, &property("Protocol")) || facts.text(iri, &property("like")).is_some();
    let iris = facts.subjects().filter(is_protocol).filter(|iri| wanted(iri));
    iris.map(|iri| Protocol::read(&inherited(facts, iri)?, iri)).collect()
}

/// The most steps from a protocol to those that it is like.
const MOST_STEPS: usize = 16;

/// What is said of a protocol and, where it says nothing, of those that it is like.
fn inherited(facts: &Facts, iri: &str) -> Result<Facts> {
    let like = property("like");
    let mut all = facts.statements(iri).cloned().unwrap_or_default();
    let (mut seen, mut current) = (BTreeSet::from([iri]), iri);
    while let Some(base) = facts.text(current, &like) {
        let error = |what: &str| Error::input(format!("<{current}> is like <{base}>, {what}"));
        if facts.all(current, &like).count() > 1 {
            return Err(error("and like another one").allowed("one qassay:like"));
        }
        let Some(said) = facts.statements(base) else {
            return Err(error("which nothing describes"));
        };
        if !seen.insert(base) {
            return Err(error("which is like itself"));
        }
        if seen.len() > MOST_STEPS + 1 {
            return Err(Error::input(format!("<{iri}> is like one that is like others, and so on"))
                .allowed(format!("at most {MOST_STEPS} steps")));
        }
        for (predicate, objects) in said {
            let own = [rdf::TYPE, skos::NOTATION].contains(&predicate.as_str());
            if !own && !excludes(&all, predicate) {
                all.entry(predicate.clone()).or_insert_with(|| objects.clone());
            }
        }
        current = base;
    }
    let mut one = Facts::default();
    one.insert(iri, all);
    Ok(one)
}

/// Whether what is said rules out another statement: a form and JSON are both bodies.
fn excludes(said: &std::collections::BTreeMap<String, Vec<Term>>, predicate: &str) -> bool {
    let bodies = ["form", "json"].map(property);
    bodies.iter().any(|body| body == predicate) && bodies.iter().any(|body| said.contains_key(body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::description::{BodyTemplate, FormEncoding, ReplyKind};
    use std::time::Duration;

    #[test]
    fn all_built_in_protocols_can_be_read() {
        let names: BTreeSet<&str> = Protocol::all().iter().map(|protocol| protocol.name.as_str()).collect();
        assert_eq!(names.len(), Protocol::all().len());
        for name in ["gerbil", "gerbil-legacy", "text2sparql", "openai", "qanary", "yodaqa", "qakis"] {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn a_protocol_is_read_from_what_is_written_down_of_it() {
        for protocol in Protocol::all() {
            assert_eq!(&Protocol::of_triples(&protocol.as_triples()).unwrap(), protocol);
        }
        assert!(Protocol::of_triples("").is_err());
    }

    #[test]
    fn a_protocol_has_what_those_have_that_it_is_like() {
        let legacy = Protocol::named("gerbil-legacy").unwrap();
        assert_eq!(legacy.request.encoding, FormEncoding::AsGerbil);
        assert_eq!(legacy.reply.kind, ReplyKind::Recognised);
        assert_eq!(legacy.manners.time_limit, Duration::from_secs(300));
    }

    const OWN: &str = r#"@prefix qassay: <https://w3id.org/qassay/ns#> .
        @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        @prefix protocol: <https://w3id.org/qassay/protocol/> .
        <https://example.org/mine> skos:notation "mine" ; skos:prefLabel "Mine" ; qassay:like protocol:openai "#;

    #[test]
    fn a_users_own_protocol_is_like_a_built_in_one() {
        let own =
            Protocol::of_turtle(&format!("{OWN} ; qassay:json '{{\"q\": \"{{question}}\"}}' .")).unwrap();
        assert_eq!(own[0].name, "mine");
        assert!(matches!(&own[0].request.body, BodyTemplate::Json(json) if json["q"] == "{question}"));
        assert_eq!(own[0].manners.time_limit, Protocol::named("openai").unwrap().manners.time_limit);
    }

    #[test]
    fn a_protocol_is_like_others_in_few_steps() {
        let chain = |steps: usize| {
            let step =
                |at: usize| format!("<urn:p{at}> skos:notation 'p{at}' ; qassay:like <urn:p{}> .", at - 1);
            let further: String = (1..steps).map(step).collect();
            Protocol::of_turtle(&format!(
                "{OWN} . {}",
                further.replace("<urn:p0>", "<https://example.org/mine>")
            ))
        };
        assert_eq!(chain(16).unwrap().len(), 16);
        let error = chain(5000).unwrap_err().to_string();
        assert!(error.contains("<urn:p") && error.contains("at most 16 steps"), "{error}");
    }

    #[test]
    fn errors_name_the_statement() {
        for (said, told) in [
            ("qassay:answerAt '/x'", "answerAt>, which no protocol has"),
            ("qassay:queryAt 'x'", "`x` is no place in a reply"),
            ("qassay:reply qassay:reply", "has the qassay:reply <"),
            ("qassay:retries 'many'", "has the qassay:retries \"many\""),
            ("qassay:form 'q'", "has the qassay:form \"q\""),
            ("qassay:json '{'", "has the qassay:json \"{\""),
            ("qassay:pause '1 s'", "has the qassay:pause \"1 s\""),
            ("qassay:retryPause 'P9999999999999D'", "has the qassay:retryPause \"P9999999999999D\""),
            ("qassay:retryPause 'P32D'", "from PT0S to P31D"),
            ("qassay:totalTimeLimit 'PT0S'", "has the qassay:totalTimeLimit 0"),
            ("qassay:header 'X-A: b\\r\\nX-B: c'", "has the qassay:header \"X-A: b\\r\\nX-B: c\""),
            ("qassay:header 'X-A: \\u001b[31m'", "has the qassay:header \"X-A: "),
            ("qassay:accept '{env:X}'", "has the qassay:accept \"{env:X}\""),
            ("qassay:like protocol:gerbil", "and like another one"),
            ("qassay:setting 'kb'", "has the qassay:setting \"kb\""),
            ("qassay:form 'a=b' ; qassay:json '{}'", "has a qassay:form and a qassay:json"),
        ] {
            let error = Protocol::of_turtle(&format!("{OWN} ; {said} .")).unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("example.org/mine"), "{said}: {error}");
        }
        let none = Protocol::of_turtle("<https://example.org/a> <https://example.org/b> 1 .").unwrap_err();
        assert!(none.to_string().contains("no protocol in this file"));
        let ours = format!("<{DEFAULT_BASE}x> <https://example.org/b> 1 .");
        assert!(Protocol::of_turtle(&ours).unwrap_err().to_string().contains("built in"));
    }
}
